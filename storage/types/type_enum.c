#include "storage/types/type_enum.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "storage/types/type_array.h"
#include "storage/types/type_defs.h"

typedef struct EnumType {
    EnumShape shape;
    TypeDef def, array;
    Arena *arena;
    const struct EnumType *previous; /* the definition that this one replaced: somebody may still hold it */
} EnumType;

/* An OID's place; its definition is replaced, the place stays. */
typedef struct Entry Entry;
struct Entry {
    Oid oid;
    _Atomic(const EnumType *) type;
    Entry *next;
};

enum { BUCKETS = 4096 };
static _Atomic(Entry *) registry[BUCKETS];
static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER; /* of those who add; readers take none */

static Entry *find_entry(Oid oid)
{
    Entry *entry = atomic_load_explicit(&registry[oid % BUCKETS], memory_order_acquire);
    while (entry && entry->oid != oid) entry = entry->next;
    return entry;
}

static const EnumType *find_type(Oid oid)
{
    Entry *entry = find_entry(oid);
    return entry ? atomic_load_explicit(&entry->type, memory_order_acquire) : NULL;
}

const TypeDef *type_enum_find(Oid oid)
{
    const EnumType *type = find_type(oid);
    if (!type) return NULL;
    return oid == type->shape.oid ? &type->def : &type->array;
}

const EnumShape *type_enum_shape(Oid oid)
{
    const EnumType *type = find_type(oid);
    return type && type->shape.oid == oid ? &type->shape : NULL;
}

const EnumMember *type_enum_member(Oid oid, Value value)
{
    const EnumShape *shape = type_enum_shape(oid);
    int low = 0, high = shape ? shape->count : 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = slice_compare(shape->members[middle].physical, value_to_slice(value));
        if (order == 0) return &shape->members[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

/* ---- what the type can do ---- */

static Status enum_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    const EnumShape *shape = type_enum_shape(type->oid); /* the newest labels, however old the plan is */
    for (int i = 0; i < shape->count; i++)
        if (slice_equal(shape->members[i].label, text)) {
            *out = value_slice(shape->members[i].physical);
            return ST_OK;
        }
    return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "invalid input value for enum %s: \"%.*s\"",
                   type->sql_name, (int)text.size, (const char *)text.data);
}

static void enum_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const EnumMember *member = type_enum_member(type->oid, value);
    if (member) buf_put_slice(out, member->label);
}

static Status enum_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    return enum_in(type, ctx, bytes, typmod, out);
}

/* ---- defining ---- */

/* As format_type has it: quoted where needed, with its schema where that is not public. */
static const char *printed_name(const EnumShape *shape, Arena *arena)
{
    const char *parts[] = {strcmp(shape->schema, "public") == 0 ? "" : shape->schema, shape->name};
    Buf text = {0};
    for (int i = 0; i < 2; i++) {
        bool plain = !(parts[i][0] >= '0' && parts[i][0] <= '9');
        if (!*parts[i]) continue;
        for (const char *c = parts[i]; *c; c++)
            plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
        if (i && text.size) buf_put_u8(&text, '.');
        if (!plain) buf_put_u8(&text, '"');
        for (const char *c = parts[i]; *c; c++) {
            if (*c == '"') buf_put_u8(&text, '"');
            buf_put_u8(&text, (uint8_t)*c);
        }
        if (!plain) buf_put_u8(&text, '"');
    }
    const char *name = buf_to_str(&text, arena);
    buf_finish(&text);
    return name;
}

static EnumType *make_type(const EnumShape *shape)
{
    Arena *arena = arena_create(NULL, 0);
    EnumType *type = ARENA_NEW(arena, EnumType);
    EnumMember *members = ARENA_ARRAY(arena, EnumMember, shape->count + 1);
    for (int i = 0; i < shape->count; i++) {
        members[i] = shape->members[i];
        members[i].label = arena_slice(arena, members[i].label);
        members[i].physical = arena_slice(arena, members[i].physical);
    }
    type->arena = arena;
    type->shape = (EnumShape){shape->oid, shape->array_oid, arena_strdup(arena, shape->schema),
                              arena_strdup(arena, shape->name), members, shape->count};
    const char *printed = printed_name(shape, arena);
    type->def = (TypeDef){.oid = shape->oid, .array_oid = shape->array_oid, .name = type->shape.name, .sql_name = printed,
                          .crdb_name = printed, .length = 4, .category = 'E', .rep = REP_BYTES,
                          .key_class = KEY_CLASS_BYTES, .in = enum_in, .out = enum_out, .receive = enum_receive,
                          .send = enum_out, .compare = type_bytes_compare, .hash = type_bytes_hash};
    const char *array_name = arena_printf(arena, "_%s", shape->name), *array_printed = arena_printf(arena, "%s[]", printed);
    type->array = (TypeDef){.oid = shape->array_oid, .element_oid = shape->oid, .name = array_name,
                            .sql_name = array_printed, .crdb_name = array_printed, .length = -1, .category = 'A',
                            .rep = REP_BYTES, .key_class = KEY_CLASS_ARRAY, .in = array_in, .out = array_out,
                            .receive = array_receive, .send = array_send, .compare = array_compare, .hash = array_hash};
    return type;
}

static bool publish(Oid oid, const EnumType *type)
{
    Entry *entry = find_entry(oid);
    if (entry) {
        atomic_store_explicit(&entry->type, type, memory_order_release);
        return true;
    }
    entry = calloc(1, sizeof *entry);
    if (!entry) return false;
    entry->oid = oid;
    entry->next = atomic_load_explicit(&registry[oid % BUCKETS], memory_order_relaxed);
    atomic_init(&entry->type, type);
    atomic_store_explicit(&registry[oid % BUCKETS], entry, memory_order_release);
    return true;
}

Status type_enum_define(const EnumShape *shape, Error *err)
{
    pthread_mutex_lock(&registry_mutex);
    EnumType *type = make_type(shape);
    type->previous = find_type(shape->oid);
    bool done = publish(shape->oid, type) && publish(shape->array_oid, type);
    pthread_mutex_unlock(&registry_mutex);
    return done ? ST_OK : err_no_memory(err);
}

/* ---- places in the order ---- */

void enum_physical_at(int index, int count, Buf *out)
{
    if (count < 255) {
        buf_put_u8(out, (uint8_t)(256 * (index + 1) / (count + 1)));
        return;
    }
    buf_put_u16(out, (uint16_t)(65536 * ((int64_t)index + 1) / (count + 1)));
}

void enum_physical_between(Slice before, Slice after, Buf *out)
{
    bool below_after = after.size > 0;
    for (size_t i = 0;; i++) {
        int low = i < before.size ? before.data[i] : 0;
        int high = below_after ? (i < after.size ? after.data[i] : 0) : 256;
        if (high - low > 1) {
            buf_put_u8(out, (uint8_t)(low + (high - low) / 2));
            return;
        }
        buf_put_u8(out, (uint8_t)low);
        if (low < high) below_after = false;
    }
}
