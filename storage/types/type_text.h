/* type_text.h - rules of the string types that others need too: validity, lengths, the padding of char(n). */
#ifndef STORAGE_TYPES_TYPE_TEXT_H
#define STORAGE_TYPES_TYPE_TEXT_H

#include "storage/types/type.h"

enum { NAME_BYTES_MAX = 63 };

/* 22021 if the bytes are not UTF-8 (a NUL is not). */
Status text_check_utf8(TypeCtx *ctx, Slice text);
/* The first NAME_BYTES_MAX bytes, cut at a character. */
Slice text_cut_name(Slice text);
/* Without blanks at the end: what a char(n) compares by and what it is as text. */
Slice text_without_padding(Slice text);
/* Fits text to varchar(n) or char(n); as TypeDef.fit. typmod < 0: unchanged. */
Status text_fit(Oid type, TypeCtx *ctx, Slice text, int32_t typmod, bool explicit_cast, Value *out);

#endif
