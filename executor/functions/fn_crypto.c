/* fn_crypto.c - pgcrypto: digests by name, HMAC, random bytes, password hashes. */
#include <crypt.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include "executor/functions/families.h"

enum { RANDOM_BYTES_MAX = 1024, SALT_RANDOM_BYTES = 16, NAME_BYTES_MAX = 32 };

static const EVP_MD *find_digest(Value name)
{
    static const char *const known[] = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (name.size == strlen(known[i]) && strncasecmp(known[i], (const char *)name.p, name.size) == 0)
            return EVP_get_digestbyname(known[i]);
    return NULL;
}

static Status no_digest(FnCtx *ctx, Value name)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "Cannot use \"%.*s\": No such hash algorithm",
                   (int)name.size, (const char *)name.p);
}

static Status digest(FnCtx *ctx, const Value *args, Value *out)
{
    const EVP_MD *algorithm = find_digest(args[1]);
    uint8_t *sum = arena_alloc(ctx->type.arena, EVP_MAX_MD_SIZE);
    unsigned size;
    if (!algorithm) return no_digest(ctx, args[1]);
    if (EVP_Digest(args[0].p, args[0].size, sum, &size, algorithm, NULL) != 1) return err_no_memory(ctx->type.err);
    *out = value_bytes(sum, size);
    return ST_OK;
}

static Status hmac(FnCtx *ctx, const Value *args, Value *out)
{
    const EVP_MD *algorithm = find_digest(args[2]);
    uint8_t *sum = arena_alloc(ctx->type.arena, EVP_MAX_MD_SIZE);
    unsigned size;
    if (!algorithm) return no_digest(ctx, args[2]);
    if (!HMAC(algorithm, args[1].p, (int)args[1].size, args[0].p, args[0].size, sum, &size))
        return err_no_memory(ctx->type.err);
    *out = value_bytes(sum, size);
    return ST_OK;
}

static Status random_bytes(FnCtx *ctx, uint8_t *p, size_t size)
{
    /* getrandom gives up to 256 bytes at once, whatever happens. */
    for (size_t done = 0; done < size;) {
        ssize_t n = getrandom(p + done, size - done > 256 ? 256 : size - done, 0);
        if (n <= 0) return err_set(ctx->type.err, ctx->type.arena, ERR_INTERNAL_ERROR, "could not generate random values");
        done += (size_t)n;
    }
    return ST_OK;
}

static Status gen_random_bytes(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[0].i < 1 || args[0].i > RANDOM_BYTES_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_EXTERNAL_ROUTINE_INVOCATION_EXCEPTION, "Length not in range");
    uint8_t *p = arena_alloc(ctx->type.arena, (size_t)args[0].i);
    TRY(random_bytes(ctx, p, (size_t)args[0].i));
    *out = value_bytes(p, (size_t)args[0].i);
    return ST_OK;
}

/* ---- passwords ---- */

static const struct {
    const char *name, *prefix;
    int rounds_min, rounds_max, rounds; /* rounds: without a count of one's own */
} salts[] = {{"bf", "$2a$", 4, 31, 6}, {"md5", "$1$", 1000, 1000, 1000}, {"xdes", "_", 1, 0xffffff, 725}, {"des", "", 25, 25, 25}};

static Status gen_salt(FnCtx *ctx, const Value *args, Value *out)
{
    uint8_t random[SALT_RANDOM_BYTES];
    char text[CRYPT_GENSALT_OUTPUT_SIZE];
    for (size_t i = 0; i < sizeof salts / sizeof salts[0]; i++) {
        if (args[0].size != strlen(salts[i].name) || memcmp(args[0].p, salts[i].name, args[0].size) != 0) continue;
        int64_t rounds = ctx->arg_count > 1 && args[1].i ? args[1].i : salts[i].rounds;
        if (rounds < salts[i].rounds_min || rounds > salts[i].rounds_max)
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "gen_salt: Incorrect number of rounds");
        TRY(random_bytes(ctx, random, sizeof random));
        bool counted = salts[i].rounds_min != salts[i].rounds_max;
        if (!crypt_gensalt_rn(salts[i].prefix, counted ? (unsigned long)rounds : 0, (const char *)random, sizeof random, text,
                              sizeof text))
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "gen_salt: Incorrect number of rounds");
        *out = value_str(arena_strdup(ctx->type.arena, text));
        return ST_OK;
    }
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "gen_salt: Unknown salt algorithm");
}

static Status crypt_password(FnCtx *ctx, const Value *args, Value *out)
{
    const char *phrase = arena_strndup(ctx->type.arena, args[0].p, args[0].size);
    const char *salt = arena_strndup(ctx->type.arena, args[1].p, args[1].size);
    struct crypt_data *work = arena_alloc(ctx->type.arena, sizeof *work);
    const char *hash = args[1].size < 2 ? NULL : crypt_rn(phrase, salt, work, sizeof *work);
    if (!hash) return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid salt");
    *out = value_str(arena_strdup(ctx->type.arena, hash));
    return ST_OK;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_crypto_rows[] = {
    { 9720, "crypt", "text, text",         "text",  FN, crypt_password },
    { 9721, "digest", "text, text",        "bytea", FN, digest },
    { 9722, "digest", "bytea, text",       "bytea", FN, digest },
    { 9723, "gen_random_bytes", "int4",    "bytea", FN_STRICT, gen_random_bytes },
    { 9724, "gen_salt", "text",            "text",  FN_STRICT, gen_salt },
    { 9725, "gen_salt", "text, int4",      "text",  FN_STRICT, gen_salt },
    { 9726, "hmac", "text, text, text",    "bytea", FN, hmac },
    { 9727, "hmac", "bytea, bytea, text",  "bytea", FN, hmac },
    { 0 }
};
/* clang-format on */
