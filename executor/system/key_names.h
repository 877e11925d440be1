/* key_names.h - what a key-value pair is to a person: table, index, and its columns with their values. */
#ifndef EXECUTOR_SYSTEM_KEY_NAMES_H
#define EXECUTOR_SYSTEM_KEY_NAMES_H

#include "planner/session.h"
#include "storage/table/row.h"

/* Names keys; remembers the table of the last one. Lives in its arena, for one statement. */
typedef struct KeyNamer {
    const Session *session;
    Arena *arena;
    TableAccess *access;
    const TableDesc *table;
} KeyNamer;

typedef struct KeyName {
    const TableDesc *table; /* NULL: not in a table that exists */
    const IndexDesc *index; /* NULL: not in an index that exists */
    PairContents contents;  /* empty without an index */
    const char *pretty;     /* /Table/104/1/4718/0 */
} KeyName;

/* value NULL: the key alone. Texts live in the namer's arena. */
void key_name(KeyNamer *namer, Slice key, const Slice *value, KeyName *name);
/* "id=4718, email='a@x'"; NULL for no columns. */
const char *key_name_columns(const KeyNamer *namer, const TableDesc *table, const PairColumn *columns, int count);
/* The same as the text of a JSON object, in order. */
const char *key_name_json(const KeyNamer *namer, const TableDesc *table, const PairColumn *columns, int count);

#endif
