/* static_rows.h - the rows of pg_catalog that every database begins with: types, operators, casts, functions.
 *
 * They lie in rows/ as PostgreSQL 15 prints them (rows/export.sh) and are read once for the whole process, at first use;
 * afterwards they are const and may be read by any thread. Rows that name a type or a function which does not exist
 * here are left out: they come by themselves when it does.
 */
#ifndef EXECUTOR_SYSTEM_STATIC_ROWS_H
#define EXECUTOR_SYSTEM_STATIC_ROWS_H

#include "storage/catalog/builtin.h"

typedef enum StaticTable {
    STATIC_PG_AGGREGATE, STATIC_PG_AMOP, STATIC_PG_AMPROC, STATIC_PG_CAST, STATIC_PG_OPCLASS, STATIC_PG_OPERATOR,
    STATIC_PG_OPFAMILY, STATIC_PG_PROC, STATIC_PG_TYPE, STATIC_PG_TIMEZONE_ABBREVS, STATIC_TABLES
} StaticTable;

typedef struct StaticRows {
    int count, columns;
    const char **printed; /* of functions and operators: their names as reg* types print them */
    const Value *values; /* row after row; the first column, an oid, is sorted (of time zones it is a name) */
    Arena *arena; /* of all that; kept for as long as the process lives */
} StaticRows;

const StaticRows *static_rows(StaticTable table);
static inline const Value *static_row(const StaticRows *rows, int row)
{
    return rows->values + (size_t)row * (size_t)rows->columns;
}
/* The row with that number in its first column; NULL if there is none. O(log n). */
const Value *static_find(StaticTable table, Oid oid);

/* A type's name as format_type gives it, those included that nothing here can hold. */
const char *static_type_name(TypeRef type, Arena *arena);
/* What reg* types print and read: the name of a function or operator, quoted and qualified if need be. NULL and 0: none. */
const char *static_reg_name(Oid reg_type, Oid oid);
Oid static_reg_find(Oid reg_type, const char *name);
/* pg_proc's columns by number. */
enum {
    PROC_OID = 0, PROC_NAME = 1, PROC_SCHEMA = 2, PROC_LANGUAGE = 4, PROC_VARIADIC = 7, PROC_KIND = 9, PROC_STRICT = 12, PROC_SET = 13,
    PROC_VOLATILE = 14, PROC_PARALLEL = 15, PROC_ARGUMENT_COUNT = 16, PROC_DEFAULT_COUNT = 17, PROC_RESULT = 18, PROC_ARGUMENTS = 19,
    PROC_ALL_ARGUMENTS = 20, PROC_MODES = 21, PROC_NAMES = 22, PROC_DEFAULTS = 23, PROC_SOURCE = 25, PROC_COLUMNS = 30
};
/* pg_type's. */
enum { TYPE_NAME = 1, TYPE_SCHEMA = 2, TYPE_LENGTH = 4, TYPE_CATEGORY = 7, TYPE_ELEMENT = 13, TYPE_OUTPUT = 16, TYPE_SEND = 18, TYPE_ALIGN = 22, TYPE_STORAGE = 23 };

#endif
