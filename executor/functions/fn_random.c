/* fn_random.c - random and setseed: xoroshiro128**, seeded by splitmix64, as PostgreSQL 15 has them, so that the same seed
 * gives the same numbers. Each session has its own sequence. */
#include <math.h>
#include <sys/random.h>

#include "executor/functions/families.h"
#include "executor/stmt_internal.h"

static uint64_t splitmix(uint64_t *seed)
{
    uint64_t v = *seed += UINT64_C(0x9e3779b97f4a7c15);
    v = (v ^ (v >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ (v >> 27)) * UINT64_C(0x94d049bb133111eb);
    return v ^ (v >> 31);
}

static void seed_with(RandomState *state, uint64_t seed)
{
    state->words[0] = splitmix(&seed);
    state->words[1] = splitmix(&seed);
    state->seeded = true;
}

static uint64_t rotate_left(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static uint64_t next_word(RandomState *state)
{
    uint64_t a = state->words[0], b = state->words[1] ^ a;
    state->words[0] = rotate_left(a, 24) ^ b ^ b << 16;
    state->words[1] = rotate_left(b, 37);
    return rotate_left(a * 5, 7) * 9;
}

static RandomState *random_of(FnCtx *ctx)
{
    return &((SessionState *)ctx->session->executor)->random;
}

static Status random_double(FnCtx *ctx, const Value *args, Value *out)
{
    RandomState *state = random_of(ctx);
    uint64_t seed = 0;
    if (!state->seeded) {
        if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
            return err_set(ctx->type.err, ctx->type.arena, ERR_INTERNAL_ERROR, "could not generate random values");
        seed_with(state, seed);
    }
    *out = value_float(ldexp((double)(next_word(state) >> 12), -52));
    return ST_OK;
}

static Status setseed(FnCtx *ctx, const Value *args, Value *out)
{
    double seed = args[0].f;
    if (!(seed >= -1 && seed <= 1))
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "setseed parameter %g is out of allowed range [-1,1]", seed);
    seed_with(random_of(ctx), (uint64_t)(int64_t)((double)((UINT64_C(1) << 52) - 1) * seed));
    *out = (Value){0};
    return ST_OK;
}

/* clang-format off */
const FuncDef fn_random_rows[] = {
    { 1598, "random", "",        "float8", FN_STRICT, random_double },
    { 1599, "setseed", "float8", "void",   FN_STRICT, setseed },
    { 0 }
};
/* clang-format on */
