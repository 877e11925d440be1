/* utf8.h - UTF-8 as PostgreSQL takes it: at most four bytes, no surrogates, no overlong forms, no NUL. */
#ifndef STORAGE_BASE_UTF8_H
#define STORAGE_BASE_UTF8_H

#include "storage/base/slice.h"

/* Bytes of valid text before the first fault; text.size if there is none. A NUL byte is a fault. */
size_t utf8_valid_prefix(Slice text);
/* Length of the character that starts with this byte, 1 to 4; 1 for a byte that starts none. */
int utf8_length(uint8_t first);
/* The code point at p, of at most n bytes; *length gets its size. -1 if it is not valid. */
int32_t utf8_decode(const uint8_t *p, size_t n, int *length);
int utf8_encode(int32_t code_point, uint8_t out[4]); /* returns the length */
size_t utf8_count(Slice text);                       /* characters in valid text */
size_t utf8_offset(Slice text, size_t characters);   /* byte offset of the n-th character, at most text.size */

#endif
