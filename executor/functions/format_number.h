/* format_number.h - numbers by template: to_char and to_number. */
#ifndef EXECUTOR_FUNCTIONS_FORMAT_NUMBER_H
#define EXECUTOR_FUNCTIONS_FORMAT_NUMBER_H

#include "executor/functions/format_template.h"

typedef enum PictureFlag {
    PICTURE_DECIMAL = 1,  /* has a point */
    PICTURE_ZERO = 2,     /* has a 0 before the point */
    PICTURE_BLANK = 4,
    PICTURE_FILL = 8,     /* FM */
    PICTURE_SIGN = 16,    /* S */
    PICTURE_BRACKET = 32, /* PR */
    PICTURE_MINUS = 64,   /* MI, SG */
    PICTURE_PLUS = 128,   /* PL, SG */
    PICTURE_ROMAN = 256,
    PICTURE_SHIFT = 512,  /* V */
    PICTURE_EXPONENT = 1024
} PictureFlag;

/* What a number's template asks for as a whole. */
typedef struct NumberPicture {
    const FormatNode *nodes;
    int flags;
    int before, after, shift;  /* digit places before and behind the point, and behind V */
    int zero_first, zero_end;  /* the first 0 (from 1; 0: none), and the places up to the last */
    enum { SIGN_NOWHERE, SIGN_IN_FRONT, SIGN_BEHIND } sign_place;
    int before_sign;           /* digit places in front of S */
} NumberPicture;

/* 42601 for patterns that exclude each other. */
Status number_picture(TypeCtx *ctx, Slice text, NumberPicture *picture);

/* A number to be printed: its digits without a sign, as many behind the point as picture->after. */
typedef struct NumberText {
    const char *digits;
    bool negative;
    int padding; /* places before the point that the digits leave free */
} NumberText;

Status number_picture_put(TypeCtx *ctx, const NumberPicture *picture, NumberText number, Buf *out);

/* The digits of the input as a number's text, for numeric's input function; *scale: digits behind the point. */
Status number_picture_read(TypeCtx *ctx, const NumberPicture *picture, Slice input, char **number, int *scale);

#endif
