/* type_float.h - floating-point numbers as text and in SQL's order. */
#ifndef STORAGE_TYPES_TYPE_FLOAT_H
#define STORAGE_TYPES_TYPE_FLOAT_H

#include "storage/types/type.h"

/* The shortest text that reads back the same, or what extra_float_digits asks for when it is not positive. */
void float_put_text(Buf *out, double value, bool single, int extra_float_digits);
/* 22P02 or 22003, in the words of float8in (or float4in when single). */
Status float_parse(TypeCtx *ctx, Slice text, bool single, double *value);

/* NaN equals itself and is above everything; -0 equals 0. */
static inline int float_compare(double a, double b)
{
    if (a < b) return -1;
    if (a > b) return 1;
    if (a == b) return 0;
    return (a != a) - (b != b);
}

#endif
