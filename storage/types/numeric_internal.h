/* numeric_internal.h - a numeric taken apart, for the files that compute with it (type_numeric.c, numeric_*.c).
 *
 * A Num is always normal: no zero digit first or last, zero has no digits, weight 0 and no sign. Its digits lie in an
 * arena or inside the value it was loaded from.
 */
#ifndef STORAGE_TYPES_NUMERIC_INTERNAL_H
#define STORAGE_TYPES_NUMERIC_INTERNAL_H

#include <gmp.h>

#include "storage/types/type_numeric.h"

enum {
    BASE = 10000,
    BASE_DIGITS = 4, /* decimal digits in one of base 10000 */
    SIGNIFICANT_MIN = 16, /* decimal digits that a quotient or a root has at least */
    DISPLAY_SCALE_MAX = 1000,
    WEIGHT_MAX = 32767
};

typedef struct Num {
    NumericKind kind;
    bool negative;
    int weight, scale, count;
    const uint16_t *digits;
} Num;

Num num_load(Value value, Arena *arena);
/* 22003 "value overflows numeric format" when weight or scale do not fit. */
Status num_store(TypeCtx *ctx, const Num *num, Value *out);
/* For results that cannot overflow. */
Value num_store_small(const Num *num, Arena *arena);
Num num_special(NumericKind kind);
Num num_zero(int scale);
/* From digits that may begin or end with zeros; `count` of them, the first counting 10000^weight. */
Num num_normal(const uint16_t *digits, int count, int weight, bool negative, int scale);

static inline bool num_is_zero(const Num *n)
{
    return n->kind == NUMERIC_FINITE && n->count == 0;
}

static inline bool num_is_integer(const Num *n)
{
    return n->kind == NUMERIC_FINITE && n->count <= n->weight + 1;
}

/* The place below the last digit: digits count from 10000^weight down to 10000^num_low. */
static inline int num_low(const Num *n)
{
    return n->weight - n->count + 1;
}

int num_compare_magnitude(const Num *a, const Num *b);
Num num_add(const Num *a, const Num *b, Arena *arena); /* finite ones only, as all below */
Num num_negate(Num n);
Num num_mul(const Num *a, const Num *b, Arena *arena);
/* a / b at `scale`, rounded half away from zero or cut off. b is not zero. */
Num num_div(const Num *a, const Num *b, int scale, bool round, Arena *arena);
Num num_round(const Num *n, int scale, Arena *arena);
Num num_trunc(const Num *n, int scale, Arena *arena);
int num_div_scale(const Num *a, const Num *b);

/* |n| * 10^scale, cut off. z is initialised by the caller. */
void num_to_mpz(const Num *n, int scale, mpz_t z);
/* z * 10^-scale; display scale is `scale`. */
Num num_from_mpz(const mpz_t z, int scale, Arena *arena);
double num_to_double(const Num *n);

Status num_overflow(TypeCtx *ctx);

#endif
