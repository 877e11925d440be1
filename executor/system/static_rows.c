#include "executor/system/static_rows.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "executor/builtins.h"
#include "executor/functions/quote.h"
#include "executor/system/sys_source.h"
#include "storage/base/map.h"

#include "static_rows.inc"

enum { PG_OIDS = 16384, NAME_COLUMN = 1 };

/* clang-format off */
static const struct {
    const char *text;
    Oid relation;
    int type_columns[4]; /* those that must name a type that exists here; ended by 0 */
} tables[STATIC_TABLES] = {
    [STATIC_PG_AGGREGATE] = {pg_aggregate_text, 2600, {0}},
    [STATIC_PG_AMOP] = {pg_amop_text, 2602, {2, 3}},
    [STATIC_PG_AMPROC] = {pg_amproc_text, 2603, {2, 3}},
    [STATIC_PG_CAST] = {pg_cast_text, 2605, {1, 2}},
    [STATIC_PG_OPCLASS] = {pg_opclass_text, 2616, {6}},
    [STATIC_PG_OPERATOR] = {pg_operator_text, 2617, {7, 8, 9}},
    [STATIC_PG_OPFAMILY] = {pg_opfamily_text, 2753, {0}},
    [STATIC_PG_PROC] = {pg_proc_text, 1255, {0}},
    [STATIC_PG_TYPE] = {pg_type_text, 1247, {0}},
    [STATIC_PG_TIMEZONE_ABBREVS] = {pg_timezone_abbrevs_text, 12122, {0}},
};
/* clang-format on */

static const SystemRelation *relation_of(StaticTable table)
{
    for (const SystemRelation *const *family = builtins.relation_families; *family; family++)
        for (const SystemRelation *row = *family; row->name; row++)
            if (row->oid == tables[table].relation) return row;
    return NULL;
}

/* ---- reading ---- */

typedef struct Reading {
    StaticTable table;
    TypeCtx type;
    SysColumn *columns;
    int column_count;
    const char **functions; /* by oid: what the program itself brings along */
} Reading;

/* COPY's text form knows the backslash before a backslash only, in these files. Names get a NUL. */
static Slice unescape(Arena *arena, const char *from, size_t size, bool name)
{
    if (!name && !memchr(from, '\\', size)) return slice_of((const uint8_t *)from, size);
    char *copy = arena_strndup(arena, from, size);
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        if (copy[i] == '\\' && i + 1 < size) i++;
        copy[n++] = copy[i];
    }
    return slice_of((const uint8_t *)copy, n);
}

static void read_field(Reading *r, int column, const char *from, size_t size, Value *out)
{
    *out = VALUE_NULL;
    if (size == 2 && memcmp(from, "\\N", 2) == 0) return;
    const TypeDef *type = type_find(r->columns[column].type.oid);
    Status status = type->in(type, &r->type, unescape(r->type.arena, from, size, type->oid == OID_NAME), -1, out);
    assert(status == ST_OK);
    (void)status;
}

static bool knows_type(Oid oid)
{
    return oid == 0 || type_find(oid);
}

static bool knows_types(Value list)
{
    Array array;
    if (list.null) return true;
    array_open(list, &array);
    for (int i = 0; i < array.count; i++)
        if (!knows_type((Oid)array_element(&array, i).i)) return false;
    return true;
}

/* Does the row speak of nothing that is unknown here? `used` is what stands after the last column: a function that a
 * type names is there in any case. */
static bool is_wanted(const Reading *r, const Value *row, char used)
{
    const int *types = tables[r->table].type_columns;
    for (int i = 0; i < 4 && types[i]; i++)
        if (!knows_type((Oid)row[types[i]].i)) return false;
    if (r->table == STATIC_PG_AGGREGATE) return r->functions[row[0].i] != NULL;
    if (r->table != STATIC_PG_PROC) return true;
    const char *own = r->functions[row[PROC_OID].i];
    if (own && slice_equal_str(value_to_slice(row[PROC_NAME]), own)) return true;
    return used == 'i' || (used == 't' && knows_type((Oid)row[PROC_RESULT].i) && knows_types(row[PROC_ARGUMENTS]));
}

/* One line; true if the row is to be kept. */
static bool read_line(Reading *r, const char *line, const char *end, Value *row)
{
    for (int c = 0; c < r->column_count; c++) {
        const char *stop = memchr(line, '\t', (size_t)(end - line));
        if (!stop) stop = end;
        read_field(r, c, line, (size_t)(stop - line), &row[c]);
        line = stop < end ? stop + 1 : end;
    }
    return is_wanted(r, row, *line);
}

static void name_function(const char **functions, Oid oid, const char *name)
{
    const char *dot = strchr(name, '.');
    if (oid < PG_OIDS) functions[oid] = dot && dot[1] ? dot + 1 : name;
}

static const char **own_functions(Arena *arena)
{
    const char **functions = ARENA_ARRAY(arena, const char *, PG_OIDS);
    for (const FuncDef *const *family = builtins.function_families; *family; family++)
        for (const FuncDef *row = *family; row->name; row++)
            if (!(row->flags & (FN_OPERATOR | FN_HIDDEN))) name_function(functions, row->oid, row->name);
    for (const AggDef *const *family = builtins.aggregate_families; *family; family++)
        for (const AggDef *row = *family; row->name; row++) name_function(functions, row->oid, row->name);
    for (const WindowDef *row = builtins.windows; row && row->name; row++) name_function(functions, row->oid, row->name);
    return functions;
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

/* Names as reg* types print them: one that several functions or operators have says its schema. */
static const char **print_names(const StaticRows *rows, bool quoted, Arena *arena, Arena *scratch)
{
    Map seen = {0}, twice = {0};
    const char **printed = ARENA_ARRAY(arena, const char *, rows->count + 1);
    for (int i = 0; i < rows->count; i++) {
        Slice name = value_to_slice(static_row(rows, i)[NAME_COLUMN]);
        if (map_put(&seen, scratch, name, printed)) map_put(&twice, scratch, name, printed);
    }
    for (int i = 0; i < rows->count; i++) {
        Slice name = value_to_slice(static_row(rows, i)[NAME_COLUMN]);
        Buf text = {0};
        if (map_get(&twice, name)) buf_put_str(&text, "pg_catalog.");
        if (quoted)
            quote_identifier(name, &text);
        else
            buf_put(&text, name.data, name.size);
        printed[i] = buf_to_str(&text, arena);
        buf_finish(&text);
    }
    return printed;
}

static StaticRows *read_rows(StaticTable table)
{
    static Error ignored;
    Arena *arena = arena_create(NULL, 0);
    Arena *scratch = arena_create(NULL, 0);
    Reading r = {.table = table, .type = {arena, &type_env_default, &ignored}, .functions = own_functions(scratch)};
    r.column_count = sys_columns(relation_of(table)->columns, &r.columns, scratch);
    Value *values = ARENA_ARRAY(arena, Value, count_lines(tables[table].text) * r.column_count);
    StaticRows *rows = ARENA_NEW(arena, StaticRows);
    *rows = (StaticRows){.columns = r.column_count, .values = values, .arena = arena};
    for (const char *line = tables[table].text; *line;) {
        const char *end = strchr(line, '\n');
        rows->count += read_line(&r, line, end, values + (size_t)rows->count * (size_t)r.column_count);
        line = end + 1;
    }
    if (table == STATIC_PG_PROC || table == STATIC_PG_OPERATOR)
        rows->printed = print_names(rows, table == STATIC_PG_PROC, arena, scratch);
    arena_destroy(scratch);
    return rows;
}

const StaticRows *static_rows(StaticTable table)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static StaticRows *read[STATIC_TABLES]; /* each is written once, under the lock */
    StaticRows *rows = __atomic_load_n(&read[table], __ATOMIC_ACQUIRE);
    if (rows) return rows;
    pthread_mutex_lock(&lock);
    if (!read[table]) __atomic_store_n(&read[table], read_rows(table), __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return read[table];
}

const Value *static_find(StaticTable table, Oid oid)
{
    const StaticRows *rows = static_rows(table);
    int low = 0, high = rows->count;
    while (low < high) {
        int middle = (low + high) / 2;
        const Value *row = static_row(rows, middle);
        if (row[0].i == oid) return row;
        if (row[0].i < oid)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- types ---- */

const char *static_type_name(TypeRef type, Arena *arena)
{
    const Value *row = type_find(type.oid) ? NULL : static_find(STATIC_PG_TYPE, type.oid);
    if (!row) return type_format(type, arena);
    if (slice_equal_str(value_to_slice(row[TYPE_CATEGORY]), "A"))
        return arena_printf(arena, "%s[]", static_type_name((TypeRef){(Oid)row[TYPE_ELEMENT].i, -1}, arena));
    const char *name = (const char *)row[NAME_COLUMN].p;
    if (strcmp(name, "varbit") == 0) return "bit varying";
    return row[TYPE_SCHEMA].i == OID_PG_CATALOG_SCHEMA ? name : arena_printf(arena, "information_schema.%s", name);
}

/* ---- names ---- */

enum { OID_REGPROCEDURE = 2202, OID_REGOPER = 2203, OID_REGOPERATOR = 2204 };

static bool named_table(Oid reg_type, StaticTable *table)
{
    if (reg_type == OID_REGPROC || reg_type == OID_REGPROCEDURE)
        *table = STATIC_PG_PROC;
    else if (reg_type == OID_REGOPER || reg_type == OID_REGOPERATOR)
        *table = STATIC_PG_OPERATOR;
    else
        return false;
    return true;
}

const char *static_reg_name(Oid reg_type, Oid oid)
{
    StaticTable table;
    const Value *row = named_table(reg_type, &table) ? static_find(table, oid) : NULL;
    if (!row) return NULL;
    const StaticRows *rows = static_rows(table);
    return rows->printed[(row - rows->values) / rows->columns];
}

Oid static_reg_find(Oid reg_type, const char *name)
{
    StaticTable table;
    if (!named_table(reg_type, &table)) return 0;
    const StaticRows *rows = static_rows(table);
    for (int i = 0; i < rows->count; i++)
        if (slice_equal_str(value_to_slice(static_row(rows, i)[NAME_COLUMN]), name)) return (Oid)static_row(rows, i)[0].i;
    return 0;
}
