/* fn_angle.c - trigonometry in degrees, exact at multiples of 30 and 45; inverse hyperbolic functions. */
#include <math.h>

#include "executor/functions/families.h"

static const double radians_per_degree = 0.0174532925199432957692;

static Status out_of_range(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_NUMERIC_VALUE_OUT_OF_RANGE, "input is out of range");
}

/* Each is scaled by what the library answers at an angle where the true value is known, so that value comes out exact.
 * The volatile angle keeps the compiler from working the scale out with another precision. */
static double sine_to_30(double degrees)
{
    volatile double thirty = 30.0;
    return sin(degrees * radians_per_degree) / sin(thirty * radians_per_degree) / 2.0;
}

static double cosine_to_60(double degrees)
{
    volatile double sixty = 60.0;
    double short_of_one = 1.0 - cos(degrees * radians_per_degree);
    return 1.0 - short_of_one / (1.0 - cos(sixty * radians_per_degree)) / 2.0;
}

static double sine_quadrant(double degrees)
{
    return degrees <= 30.0 ? sine_to_30(degrees) : cosine_to_60(90.0 - degrees);
}

static double cosine_quadrant(double degrees)
{
    return degrees <= 60.0 ? cosine_to_60(degrees) : sine_to_30(90.0 - degrees);
}

static double arc_sine_quadrant(double x)
{
    volatile double half = 0.5;
    return x <= 0.5 ? asin(x) / asin(half) * 30.0 : 90.0 - acos(x) / acos(half) * 60.0;
}

static double arc_cosine_quadrant(double x)
{
    volatile double half = 0.5;
    return x <= 0.5 ? 90.0 - asin(x) / asin(half) * 30.0 : acos(x) / acos(half) * 60.0;
}

/* An angle folded into the first quadrant, and the signs that sine and cosine have there. */
typedef struct Folded { double degrees, sine_sign, cosine_sign; } Folded;

static Folded fold(double degrees)
{
    Folded f = {fmod(degrees, 360.0), 1, 1};
    if (f.degrees < 0) {
        f.degrees = -f.degrees;
        f.sine_sign = -f.sine_sign;
    }
    if (f.degrees > 180) {
        f.degrees = 360 - f.degrees;
        f.sine_sign = -f.sine_sign;
    }
    if (f.degrees > 90) {
        f.degrees = 180 - f.degrees;
        f.cosine_sign = -1;
    }
    return f;
}

/* clang-format off */
#define OF_ANGLE(name, expression)                                          \
    static Status name(FnCtx *ctx, const Value *args, Value *out)           \
    {                                                                       \
        if (isinf(args[0].f)) return out_of_range(ctx);                     \
        Folded f = fold(args[0].f);                                         \
        volatile double middle = 45.0;                                      \
        (void)middle;                                                       \
        double result = isnan(args[0].f) ? args[0].f : expression;          \
        *out = value_float(result == 0 ? 0.0 : result);                     \
        return ST_OK;                                                       \
    }
OF_ANGLE(sine, f.sine_sign * sine_quadrant(f.degrees))
OF_ANGLE(cosine, f.cosine_sign * cosine_quadrant(f.degrees))
OF_ANGLE(tangent, f.sine_sign * f.cosine_sign * (sine_quadrant(f.degrees) / cosine_quadrant(f.degrees) /
                                                 (sine_quadrant(middle) / cosine_quadrant(middle))))
OF_ANGLE(cotangent, f.sine_sign * f.cosine_sign * (cosine_quadrant(f.degrees) / sine_quadrant(f.degrees) /
                                                   (cosine_quadrant(middle) / sine_quadrant(middle))))

#define WITHIN(name, is_outside, expression)                                \
    static Status name(FnCtx *ctx, const Value *args, Value *out)           \
    {                                                                       \
        double x = args[0].f;                                               \
        if (is_outside) return out_of_range(ctx);                           \
        *out = value_float(expression);                                     \
        return ST_OK;                                                       \
    }
WITHIN(arc_sine, x < -1 || x > 1, isnan(x) ? x : x >= 0 ? arc_sine_quadrant(x) : -arc_sine_quadrant(-x))
WITHIN(arc_cosine, x < -1 || x > 1, isnan(x) ? x : x >= 0 ? arc_cosine_quadrant(x) : 90.0 + arc_sine_quadrant(-x))
WITHIN(arc_tangent, false, atan(x) / atan(1.0) * 45.0)
WITHIN(arc_tangent2, false, atan2(x, args[1].f) / atan(1.0) * 45.0)
WITHIN(area_sine, false, asinh(x))
WITHIN(area_cosine, x < 1, acosh(x))
WITHIN(area_tangent, x < -1 || x > 1, atanh(x))

#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_angle_rows[] = {
    { 2732, "acosd", "float8",          "float8", FN, arc_cosine },
    { 2466, "acosh", "float8",          "float8", FN, area_cosine },
    { 2731, "asind", "float8",          "float8", FN, arc_sine },
    { 2465, "asinh", "float8",          "float8", FN, area_sine },
    { 2734, "atan2d", "float8, float8", "float8", FN, arc_tangent2 },
    { 2733, "atand", "float8",          "float8", FN, arc_tangent },
    { 2467, "atanh", "float8",          "float8", FN, area_tangent },
    { 2736, "cosd", "float8",           "float8", FN, cosine },
    { 2738, "cotd", "float8",           "float8", FN, cotangent },
    { 2735, "sind", "float8",           "float8", FN, sine },
    { 2737, "tand", "float8",           "float8", FN, tangent },
    { 0 }
};
/* clang-format on */
