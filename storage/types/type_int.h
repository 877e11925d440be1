/* type_int.h - integers as text, for everyone who prints or reads them. No allocation. */
#ifndef STORAGE_TYPES_TYPE_INT_H
#define STORAGE_TYPES_TYPE_INT_H

#include "storage/types/type.h"

void int_put_text(Buf *out, int64_t value);
void int_put_unsigned_text(Buf *out, uint64_t value);
/* Exactly `width` digits, with leading zeros; value must fit. */
void int_put_padded(Buf *out, uint64_t value, int width);

typedef enum IntParse { INT_PARSED, INT_MALFORMED, INT_OVERFLOW } IntParse;

/* Optional white space, sign and decimal digits; nothing else. */
IntParse int_parse(Slice text, int64_t *value);

/* 22003 "integer out of range" and its like when value does not fit int2, int4 or int8. */
Status int_fit(TypeCtx *ctx, Oid type, __int128 value, Value *out);

#endif
