/* Building jsonb: members are gathered per open container and laid out when it is closed. */
#include <assert.h>
#include <stdlib.h>

#include "storage/types/type_defs.h"
#include "storage/types/type_json.h"

enum { KIND_SHIFT = 28, PAYLOAD_MAX = 0x0FFFFFFF };

typedef struct Member {
    Slice key;
    JsonItem item;
    int order; /* of arrival: among equal keys the last one stays */
} Member;

typedef struct Frame {
    bool is_object, has_key;
    Slice key;
    VEC(Member) members;
} Frame;

struct JsonBuilder {
    TypeCtx *ctx;
    VEC(Frame) frames;
    JsonItem root;
    bool has_root;
    Status status; /* of the first thing that failed; everything after it is ignored */
};

JsonBuilder *jsonb_builder(TypeCtx *ctx)
{
    JsonBuilder *builder = ARENA_NEW(ctx->arena, JsonBuilder);
    builder->ctx = ctx;
    return builder;
}

static void begin(JsonBuilder *b, bool is_object)
{
    VEC_PUSH(b->ctx->arena, b->frames, (Frame){.is_object = is_object});
}

void jsonb_begin_array(JsonBuilder *builder)
{
    begin(builder, false);
}

void jsonb_begin_object(JsonBuilder *builder)
{
    begin(builder, true);
}

void jsonb_key(JsonBuilder *b, Slice key)
{
    Frame *frame = &VEC_LAST(b->frames);
    assert(frame->is_object && !frame->has_key);
    frame->key = key;
    frame->has_key = true;
}

void jsonb_item(JsonBuilder *b, JsonItem item)
{
    if (b->frames.count == 0) {
        assert(!b->has_root);
        b->root = item;
        b->has_root = true;
        return;
    }
    Frame *frame = &VEC_LAST(b->frames);
    assert(frame->is_object == frame->has_key);
    Member member = {frame->key, item, frame->members.count};
    VEC_PUSH(b->ctx->arena, frame->members, member);
    frame->has_key = false;
}

void jsonb_string(JsonBuilder *builder, Slice text)
{
    jsonb_item(builder, (JsonItem){JSON_STRING, text});
}

void jsonb_number(JsonBuilder *builder, Value numeric)
{
    jsonb_item(builder, (JsonItem){JSON_NUMBER, value_to_slice(numeric)});
}

void jsonb_bool(JsonBuilder *builder, bool value)
{
    jsonb_item(builder, (JsonItem){value ? JSON_TRUE : JSON_FALSE, {0}});
}

void jsonb_null(JsonBuilder *builder)
{
    jsonb_item(builder, (JsonItem){JSON_NULL, {0}});
}

static int compare_keys(Slice a, Slice b)
{
    if (a.size != b.size) return a.size > b.size ? 1 : -1;
    return a.size ? memcmp(a.data, b.data, a.size) : 0;
}

static int compare_members(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    int order = compare_keys(x->key, y->key);
    return order ? order : x->order - y->order;
}

static void sort_members(Frame *frame)
{
    Member *members = frame->members.items;
    int kept = 0, count = frame->members.count;
    if (count > 1) qsort(members, (size_t)count, sizeof *members, compare_members);
    for (int i = 0; i < count; i++)
        if (i + 1 == count || compare_keys(members[i].key, members[i + 1].key) != 0) members[kept++] = members[i];
    frame->members.count = kept;
}

static void put_entry(uint8_t **entry, JsonKind kind, size_t end)
{
    uint32_t word = (uint32_t)kind << KIND_SHIFT | (uint32_t)end;
    memcpy(*entry, &word, sizeof word);
    *entry += sizeof word;
}

static void put_bytes(uint8_t *payloads, size_t *end, Slice bytes)
{
    if (bytes.size) memcpy(payloads + *end, bytes.data, bytes.size);
    *end += bytes.size;
}

/* The container's payload, as drawn in type_json.h. */
static Status lay_out(TypeCtx *ctx, const Frame *frame, Slice *out)
{
    const Member *members = frame->members.items;
    size_t count = (size_t)frame->members.count, entries = count * (frame->is_object ? 2 : 1), size = 0;
    for (size_t i = 0; i < count; i++) size += members[i].key.size + members[i].item.payload.size;
    if (size + 4 + 4 * entries > PAYLOAD_MAX)
        return err_set(ctx->err, ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "total size of jsonb %s elements exceeds the maximum of %d bytes",
                       frame->is_object ? "object" : "array", PAYLOAD_MAX);
    uint8_t *bytes = arena_try_alloc(ctx->arena, 4 + 4 * entries + size);
    if (!bytes) return err_no_memory(ctx->err);
    uint32_t count_word = (uint32_t)count;
    memcpy(bytes, &count_word, sizeof count_word);
    uint8_t *entry = bytes + 4, *payloads = bytes + 4 + 4 * entries;
    size_t end = 0;
    for (size_t i = 0; i < count && frame->is_object; i++) {
        put_bytes(payloads, &end, members[i].key);
        put_entry(&entry, JSON_STRING, end);
    }
    for (size_t i = 0; i < count; i++) {
        put_bytes(payloads, &end, members[i].item.payload);
        put_entry(&entry, members[i].item.kind, end);
    }
    *out = slice_of(bytes, 4 + 4 * entries + size);
    return ST_OK;
}

void jsonb_end(JsonBuilder *b)
{
    assert(b->frames.count > 0);
    Frame frame = VEC_LAST(b->frames);
    assert(!frame.has_key);
    JsonItem item = {frame.is_object ? JSON_OBJECT : JSON_ARRAY, {0}};
    if (frame.is_object) sort_members(&frame);
    Status status = b->status == ST_OK ? lay_out(b->ctx, &frame, &item.payload) : b->status;
    if (b->status == ST_OK) b->status = status;
    b->frames.count--;
    jsonb_item(b, item);
}

Status jsonb_from_item(TypeCtx *ctx, JsonItem item, Value *out)
{
    if (item.payload.size > PAYLOAD_MAX)
        return err_set(ctx->err, ctx->arena, ERR_PROGRAM_LIMIT_EXCEEDED,
                       "string too long to represent as jsonb string");
    uint8_t *bytes = arena_try_alloc(ctx->arena, 4 + item.payload.size), *entry = bytes;
    if (!bytes) return err_no_memory(ctx->err);
    size_t end = 0;
    put_entry(&entry, item.kind, item.payload.size);
    put_bytes(entry, &end, item.payload);
    *out = value_bytes(bytes, 4 + item.payload.size);
    return ST_OK;
}

Status jsonb_finish(JsonBuilder *b, Value *out)
{
    assert(b->frames.count == 0 && b->has_root);
    if (b->status != ST_OK) return b->status;
    return jsonb_from_item(b->ctx, b->root, out);
}
