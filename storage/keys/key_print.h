/* key_print.h - keys as people read them: /Table/53/2/"alice@example.com"/4718/0.
 *
 * Reads the bytes, not the schema: every part says by its marker what it is. What it cannot say - which ints are stored
 * complemented because their column is descending, which are hash codes - comes from a list of columns; a key printed
 * without it shows the ascending reading. Works on keys cut short, as boundaries of ranges are, and on keys that are the
 * end of a prefix (`.../"washington dc"/PrefixEnd`). Any thread.
 */
#ifndef STORAGE_KEYS_KEY_PRINT_H
#define STORAGE_KEYS_KEY_PRINT_H

#include "storage/base/buf.h"

/* One column of an index key, table id and index id not counted. */
typedef struct KeyPrintColumn {
    bool descending;
    bool hash_code; /* 0x1210 instead of 4624 */
} KeyPrintColumn;

typedef struct KeyPrintStyle {
    const KeyPrintColumn *columns; /* NULL: not known; parts behind the last one are read ascending */
    int count;
    /* -1: nothing is left out. n >= 0: without /Table and n more parts; what is left may be empty. */
    int skip;
} KeyPrintStyle;

#define KEY_PRINT_WHOLE ((KeyPrintStyle){.skip = -1})

/* style NULL: KEY_PRINT_WHOLE. */
void key_print(Slice key, const KeyPrintStyle *style, Buf *out);
/* "/Table/53/1/4718/0" in the arena. */
const char *key_text(Slice key, const KeyPrintStyle *style, Arena *arena);
/* Bytes in double quotes with Go's escapes, as every bytes-like part prints. */
void key_print_quoted(Slice bytes, Buf *out);

#endif
