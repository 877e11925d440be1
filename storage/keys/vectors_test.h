/* vectors_test.h - reading key-vectors.tsv, for the tests of this folder. */
#ifndef STORAGE_KEYS_VECTORS_TEST_H
#define STORAGE_KEYS_VECTORS_TEST_H

#include "storage/base/buf.h"

typedef struct Vector {
    char *kind, *type, *direction, *value, *hex, *origin, *note; /* note may be "" */
    int line;
} Vector;

/* All rows; the array ends with a row whose kind is NULL. Fails the test if the file cannot be read. */
Vector *vectors_read(const char *path, Arena *arena);
/* Appends the bytes that the hex digits say. */
void vector_bytes(const char *hex, Buf *out);
/* Encodes a value given in the file's notation with the functions of ordered.h. false: no type of theirs. */
bool vector_encode(const char *type, const char *text, bool descending, Buf *out);
/* Cuts "(a,b)" or "[a,b]" at the commas outside quotes. Returns the count. */
int vector_split(const char *text, char **parts, int parts_max, Arena *arena);
/* The text between double quotes with its escapes resolved. */
Slice vector_unquote(const char *text, Arena *arena);

#endif
