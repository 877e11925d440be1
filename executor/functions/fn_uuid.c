/* fn_uuid.c - uuid-ossp: UUIDs of versions 1, 3, 4 and 5, and the names they are made from. */
#include <openssl/evp.h>
#include <pthread.h>
#include <sys/random.h>

#include "executor/functions/families.h"
#include "storage/base/clock.h"

enum { UUID_BYTES = 16 };

static const uint8_t name_space_dns[UUID_BYTES] = {
    0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
};

static Status put(FnCtx *ctx, const uint8_t *bytes, Value *out)
{
    *out = value_bytes(arena_copy(ctx->type.arena, bytes, UUID_BYTES), UUID_BYTES);
    return ST_OK;
}

static void set_version(uint8_t *p, int version)
{
    p[6] = (uint8_t)((p[6] & 0x0f) | version << 4);
    p[8] = (uint8_t)((p[8] & 0x3f) | 0x80);
}

static Status random_bytes(FnCtx *ctx, uint8_t *p, size_t size)
{
    if (getrandom(p, size, 0) == (ssize_t)size) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INTERNAL_ERROR, "could not generate random values");
}

/* 100 ns since 15 October 1582, never the same twice in this process. */
static uint64_t next_tick(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards last */
    static uint64_t last;
    uint64_t now = clock_unix_ns() / 100 + UINT64_C(0x01b21dd213814000);
    pthread_mutex_lock(&lock);
    if (now <= last) now = last + 1;
    last = now;
    pthread_mutex_unlock(&lock);
    return now;
}

/* The node is random, with the bit of a multicast address set, which says that no network card has it. */
static Status generate_v1(FnCtx *ctx, const Value *args, Value *out)
{
    uint8_t p[UUID_BYTES];
    uint64_t tick = next_tick();
    TRY(random_bytes(ctx, p + 8, 8));
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(tick >> (24 - 8 * i));
    p[4] = (uint8_t)(tick >> 40);
    p[5] = (uint8_t)(tick >> 32);
    p[6] = (uint8_t)(tick >> 56);
    p[7] = (uint8_t)(tick >> 48);
    p[10] |= 1;
    set_version(p, 1);
    return put(ctx, p, out);
}

/* The digest of a namespace and a name. */
static Status generate_named(FnCtx *ctx, const Value *args, const EVP_MD *algorithm, int version, Value *out)
{
    uint8_t *text = arena_try_alloc(ctx->type.arena, UUID_BYTES + args[1].size), sum[EVP_MAX_MD_SIZE];
    if (!text) return err_no_memory(ctx->type.err);
    memcpy(text, args[0].p, UUID_BYTES);
    if (args[1].size) memcpy(text + UUID_BYTES, args[1].p, args[1].size);
    if (EVP_Digest(text, UUID_BYTES + args[1].size, sum, NULL, algorithm, NULL) != 1) return err_no_memory(ctx->type.err);
    set_version(sum, version);
    return put(ctx, sum, out);
}

static Status generate_v3(FnCtx *ctx, const Value *args, Value *out)
{
    return generate_named(ctx, args, EVP_md5(), 3, out);
}

static Status generate_v5(FnCtx *ctx, const Value *args, Value *out)
{
    return generate_named(ctx, args, EVP_sha1(), 5, out);
}

static Status nil(FnCtx *ctx, const Value *args, Value *out)
{
    static const uint8_t zeros[UUID_BYTES];
    return put(ctx, zeros, out);
}

/* The namespaces of RFC 4122 differ in their fourth byte. */
static Status name_space(FnCtx *ctx, int number, Value *out)
{
    uint8_t p[UUID_BYTES];
    memcpy(p, name_space_dns, sizeof p);
    p[3] = (uint8_t)(0x10 + number);
    return put(ctx, p, out);
}

static Status ns_dns(FnCtx *ctx, const Value *args, Value *out)
{
    return name_space(ctx, 0, out);
}

static Status ns_url(FnCtx *ctx, const Value *args, Value *out)
{
    return name_space(ctx, 1, out);
}

static Status ns_oid(FnCtx *ctx, const Value *args, Value *out)
{
    return name_space(ctx, 2, out);
}

static Status ns_x500(FnCtx *ctx, const Value *args, Value *out)
{
    return name_space(ctx, 4, out);
}

/* clang-format off */
const FuncDef fn_uuid_rows[] = {
    { 9700, "uuid_generate_v1", "",           "uuid", FN_STRICT, generate_v1 },
    { 9701, "uuid_generate_v1mc", "",         "uuid", FN_STRICT, generate_v1 },
    { 9702, "uuid_generate_v3", "uuid, text", "uuid", FN_STRICT | FN_IMMUTABLE, generate_v3 },
    { 9703, "uuid_generate_v5", "uuid, text", "uuid", FN_STRICT | FN_IMMUTABLE, generate_v5 },
    { 9704, "uuid_nil", "",                   "uuid", FN_STRICT | FN_IMMUTABLE, nil },
    { 9705, "uuid_ns_dns", "",                "uuid", FN_STRICT | FN_IMMUTABLE, ns_dns },
    { 9706, "uuid_ns_oid", "",                "uuid", FN_STRICT | FN_IMMUTABLE, ns_oid },
    { 9707, "uuid_ns_url", "",                "uuid", FN_STRICT | FN_IMMUTABLE, ns_url },
    { 9708, "uuid_ns_x500", "",               "uuid", FN_STRICT | FN_IMMUTABLE, ns_x500 },
    { 0 }
};
/* clang-format on */
