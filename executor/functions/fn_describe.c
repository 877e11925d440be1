/* fn_describe.c - functions as SQL: their arguments, results and definitions; what indexes can do; reg* look-ups. */
#include "executor/functions/families.h"
#include "executor/functions/quote.h"
#include "executor/system/static_rows.h"
#include "executor/system/sys_source.h"
#include "planner/session.h"
#include "storage/types/type_array.h"

static const CatalogView *view_of(const FnCtx *ctx)
{
    return ctx->session->catalog;
}

static Status null(FnCtx *ctx, const Value *args, Value *out)
{
    *out = VALUE_NULL;
    return ST_OK;
}

static Status yes(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(true);
    return ST_OK;
}

static Status finish(FnCtx *ctx, Buf *text, Value *out)
{
    *out = value_slice(buf_to_arena(text, ctx->type.arena));
    buf_finish(text);
    return ST_OK;
}

/* ---- functions ---- */

typedef struct Signature {
    Value types, modes, names; /* arrays, or NULL */
    Array type_array, mode_array, name_array;
} Signature;

static Signature signature_of(const Value *row)
{
    Signature s = {row[PROC_ALL_ARGUMENTS], row[PROC_MODES], row[PROC_NAMES], {0}, {0}, {0}};
    if (s.types.null) s.types = row[PROC_ARGUMENTS];
    array_open(s.types, &s.type_array);
    if (!s.modes.null) array_open(s.modes, &s.mode_array);
    if (!s.names.null) array_open(s.names, &s.name_array);
    return s;
}

static char mode_of(const Signature *s, int i)
{
    return s->modes.null ? 'i' : (char)*array_element(&s->mode_array, i).p;
}

/* The n-th of "a, f(b, c)", from 0; empty if there are fewer. */
static Slice list_item(Slice list, int n)
{
    size_t start = 0, i = 0;
    int depth = 0;
    bool quoted = false;
    for (; i < list.size; i++) {
        uint8_t c = list.data[i];
        if (c == '\'') quoted = !quoted;
        if (quoted) continue;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c != ',' || depth) continue;
        if (n-- == 0) break;
        start = i + 2;
    }
    return n > 0 || start > list.size ? slice_str("") : slice_of(list.data + start, i - start);
}

typedef struct ArgumentStyle {
    bool table, defaults;
} ArgumentStyle;

static void put_argument(Buf *out, const Signature *s, int i, Arena *arena)
{
    char mode = mode_of(s, i);
    buf_put_str(out, mode == 'o' ? "OUT " : mode == 'b' ? "INOUT " : mode == 'v' ? "VARIADIC " : "");
    Value name = s->names.null || i >= s->name_array.count ? VALUE_NULL : array_element(&s->name_array, i);
    if (!name.null && name.size) {
        quote_identifier(value_to_slice(name), out);
        buf_put_str(out, " ");
    }
    buf_put_str(out, static_type_name((TypeRef){(Oid)array_element(&s->type_array, i).i, -1}, arena));
}

static void put_arguments(Buf *out, const Value *row, ArgumentStyle style, Arena *arena)
{
    Signature s = signature_of(row);
    int inputs = 0, first_default = (int)(row[PROC_ARGUMENT_COUNT].i - row[PROC_DEFAULT_COUNT].i);
    bool any = false;
    for (int i = 0; i < s.type_array.count; i++) {
        char mode = mode_of(&s, i);
        bool input = mode == 'i' || mode == 'b' || mode == 'v';
        int number = inputs;
        inputs += input;
        if ((mode == 't') != style.table) continue;
        if (any) buf_put_str(out, ", ");
        any = true;
        put_argument(out, &s, i, arena);
        if (!style.defaults || !input || number < first_default || row[PROC_DEFAULTS].null) continue;
        Slice text = list_item(value_to_slice(row[PROC_DEFAULTS]), number - first_default);
        buf_printf(out, " DEFAULT %.*s", (int)text.size, (const char *)text.data);
    }
}

static void put_result(Buf *out, const Value *row, Arena *arena)
{
    Buf table = {0};
    put_arguments(&table, row, (ArgumentStyle){.table = true}, arena);
    if (table.size)
        buf_printf(out, "TABLE(%.*s)", (int)table.size, (const char *)buf_slice(&table).data);
    else
        buf_printf(out, "%s%s", row[PROC_SET].i ? "SETOF " : "", static_type_name((TypeRef){(Oid)row[PROC_RESULT].i, -1}, arena));
    buf_finish(&table);
}

/* What is known of a function that PostgreSQL has not: the types of its arguments. */
static Status own_arguments(FnCtx *ctx, Oid oid, Value *out)
{
    const FuncDef *row = catalog_function_oid(view_of(ctx), oid);
    if (!row) return null(ctx, NULL, out);
    Buf text = {0};
    for (const char *p = row->arguments; *p;) {
        size_t size = strcspn(p, ",");
        const TypeDef *type = type_find_name(arena_strndup(ctx->type.arena, p, size));
        if (text.size) buf_put_str(&text, ", ");
        buf_put_str(&text, type ? type_format((TypeRef){type->oid, -1}, ctx->type.arena) : arena_strndup(ctx->type.arena, p, size));
        p += size;
        while (*p == ',' || *p == ' ') p++;
    }
    return finish(ctx, &text, out);
}

static Status arguments(FnCtx *ctx, const Value *args, bool defaults, Value *out)
{
    const Value *row = static_find(STATIC_PG_PROC, (Oid)args[0].i);
    Buf text = {0};
    if (!row) return own_arguments(ctx, (Oid)args[0].i, out);
    put_arguments(&text, row, (ArgumentStyle){.defaults = defaults}, ctx->type.arena);
    return finish(ctx, &text, out);
}

static Status pg_get_function_arguments(FnCtx *ctx, const Value *args, Value *out)
{
    return arguments(ctx, args, true, out);
}

static Status pg_get_function_identity_arguments(FnCtx *ctx, const Value *args, Value *out)
{
    return arguments(ctx, args, false, out);
}

static Status pg_get_function_result(FnCtx *ctx, const Value *args, Value *out)
{
    const Value *known = static_find(STATIC_PG_PROC, (Oid)args[0].i);
    Buf text = {0};
    if (known) {
        if (known[PROC_KIND].p[0] == 'p') return null(ctx, args, out);
        put_result(&text, known, ctx->type.arena);
        return finish(ctx, &text, out);
    }
    const FuncDef *row = catalog_function_oid(view_of(ctx), (Oid)args[0].i);
    const TypeDef *type = row ? type_find_name(row->result) : NULL;
    if (!row) return null(ctx, args, out);
    const char *name = type ? type_format((TypeRef){type->oid, -1}, ctx->type.arena) : row->result;
    *out = value_str(row->flags & FN_SET ? arena_printf(ctx->type.arena, "SETOF %s", name) : name);
    return ST_OK;
}

static Status pg_get_function_arg_default(FnCtx *ctx, const Value *args, Value *out)
{
    const Value *row = static_find(STATIC_PG_PROC, (Oid)args[0].i);
    *out = VALUE_NULL;
    if (!row || row[PROC_DEFAULTS].null || args[1].i < 1) return ST_OK;
    Signature s = signature_of(row);
    int input = 0, first = (int)(row[PROC_ARGUMENT_COUNT].i - row[PROC_DEFAULT_COUNT].i);
    for (int i = 0; i < s.type_array.count && i < args[1].i; i++) input += mode_of(&s, i) != 'o' && mode_of(&s, i) != 't';
    if (args[1].i > s.type_array.count || input - 1 < first) return ST_OK;
    *out = value_slice(list_item(value_to_slice(row[PROC_DEFAULTS]), input - 1 - first));
    return ST_OK;
}

static void put_properties(Buf *out, const Value *row)
{
    char volatility = (char)*row[PROC_VOLATILE].p, parallel = (char)*row[PROC_PARALLEL].p;
    Buf words = {0};
    if (row[PROC_KIND].p[0] == 'w') buf_put_str(&words, " WINDOW");
    buf_put_str(&words, volatility == 'i' ? " IMMUTABLE" : volatility == 's' ? " STABLE" : "");
    buf_put_str(&words, parallel == 's' ? " PARALLEL SAFE" : parallel == 'r' ? " PARALLEL RESTRICTED" : "");
    if (row[PROC_STRICT].i) buf_put_str(&words, " STRICT");
    if (row[11].i) buf_put_str(&words, " LEAKPROOF");
    if (words.size) buf_printf(out, "%.*s\n", (int)words.size, (const char *)buf_slice(&words).data);
    buf_finish(&words);
}

/* Only what is built in has a definition: no function can be created. */
static Status pg_get_functiondef(FnCtx *ctx, const Value *args, Value *out)
{
    const Value *row = static_find(STATIC_PG_PROC, (Oid)args[0].i);
    if (!row) return null(ctx, args, out);
    const char *name = (const char *)row[PROC_NAME].p;
    if (row[PROC_KIND].p[0] == 'a')
        return err_set(ctx->type.err, ctx->type.arena, ERR_WRONG_OBJECT_TYPE, "\"%s\" is an aggregate function", name);
    Buf text = {0};
    buf_put_str(&text, "CREATE OR REPLACE FUNCTION pg_catalog.");
    quote_identifier(slice_str(name), &text);
    buf_put_str(&text, "(");
    put_arguments(&text, row, (ArgumentStyle){.defaults = true}, ctx->type.arena);
    buf_put_str(&text, ")\n RETURNS ");
    put_result(&text, row, ctx->type.arena);
    buf_printf(&text, "\n LANGUAGE %s\n", row[PROC_LANGUAGE].i == 14 ? "sql" : "internal");
    put_properties(&text, row);
    buf_printf(&text, "AS $function$%.*s$function$\n", (int)row[PROC_SOURCE].size, (const char *)row[PROC_SOURCE].p);
    return finish(ctx, &text, out);
}

/* ---- what an index can do ---- */

typedef struct Property {
    const char *name;
    int value; /* 1 yes, 0 no, -1 depends on the column */
} Property;

static Status property(const Property *list, Slice name, int asked_of, Value *out)
{
    *out = VALUE_NULL;
    for (; list->name; list++)
        if (slice_equal_str(name, list->name)) *out = value_bool(list->value < 0 ? asked_of : list->value);
    return ST_OK;
}

static Status pg_indexam_has_property(FnCtx *ctx, const Value *args, Value *out)
{
    static const Property list[] = {{"can_order", 1}, {"can_unique", 1}, {"can_multi_col", 1}, {"can_exclude", 1}, {"can_include", 1}, {0}};
    if (args[0].i != 403) return null(ctx, args, out);
    return property(list, value_to_slice(args[1]), 0, out);
}

static Status pg_index_has_property(FnCtx *ctx, const Value *args, Value *out)
{
    static const Property list[] = {{"clusterable", 1}, {"index_scan", 1}, {"bitmap_scan", 1}, {"backward_scan", 1}, {0}};
    const IndexDesc *index;
    if (!catalog_find_index_oid(view_of(ctx), (Oid)args[0].i, &index)) return null(ctx, args, out);
    return property(list, value_to_slice(args[1]), 0, out);
}

/* The key column that is asked for; NULL for a stored one. False: there is none. */
static bool index_column(const IndexDesc *index, int64_t number, const IndexColumn **key)
{
    for (int i = 0; i < index->columns.count; i++) {
        *key = &index->columns.items[i];
        if (!(*key)->implicit && --number == 0) return true;
    }
    *key = NULL;
    return number > 0 && number <= index->stored.count;
}

static Status pg_index_column_has_property(FnCtx *ctx, const Value *args, Value *out)
{
    static const Property of_key[] = {{"orderable", 1}, {"distance_orderable", 0}, {"returnable", 1}, {"search_array", 1}, {"search_nulls", 1}, {0}};
    const IndexDesc *index;
    const IndexColumn *key;
    Slice name = value_to_slice(args[2]);
    if (!catalog_find_index_oid(view_of(ctx), (Oid)args[0].i, &index) || !index_column(index, args[1].i, &key)) return null(ctx, args, out);
    bool direction = slice_equal_str(name, "asc") || slice_equal_str(name, "desc") || slice_equal_str(name, "nulls_first") ||
                     slice_equal_str(name, "nulls_last");
    if (!key) {
        *out = value_bool(slice_equal_str(name, "returnable"));
        return ST_OK;
    }
    if (!direction) return property(of_key, name, 0, out);
    bool wanted = slice_equal_str(name, "desc") || slice_equal_str(name, "nulls_first");
    bool is = name.data[0] == 'n' ? key->nulls_first : key->descending;
    *out = value_bool(wanted == is);
    return ST_OK;
}

/* ---- reg* look-ups: NULL where the cast would fail ---- */

static Status to_reg(FnCtx *ctx, const Value *args, Value *out)
{
    const RegNames *names = ctx->session->type_env.reg_names;
    Slice text = value_to_slice(args[0]);
    const uint8_t *open = memchr(text.data, '(', text.size);
    Oid oid;
    *out = VALUE_NULL;
    if (open) text.size = (size_t)(open - text.data);
    if (text.size > 11 && memcmp(text.data, "pg_catalog.", 11) == 0) text = slice_of(text.data + 11, text.size - 11);
    if (names && names->find(names->argument, ctx->result_type.oid, text, &oid)) *out = value_int(oid);
    return ST_OK;
}

/* ---- options, keywords, encodings ---- */

typedef struct OptionRows {
    Array array;
    int next;
} OptionRows;

static Status options_start(FnCtx *ctx, void *state, const Value *args)
{
    array_open(args[0], &((OptionRows *)state)->array);
    return ST_OK;
}

static Status options_next(FnCtx *ctx, void *state, Value *out)
{
    OptionRows *s = state;
    if (s->next >= s->array.count) return ST_END;
    Value option = array_element(&s->array, s->next++);
    const uint8_t *equals = option.null ? NULL : memchr(option.p, '=', option.size);
    size_t size = equals ? (size_t)(equals - option.p) : option.size;
    out[0] = value_bytes(option.p, size);
    out[1] = equals ? value_bytes(equals + 1, option.size - size - 1) : VALUE_NULL;
    return ST_OK;
}

static const FnRows options_rows = {sizeof(OptionRows), options_start, options_next, "option_name text, option_value text"};

static Status no_start(FnCtx *ctx, void *state, const Value *args)
{
    return ST_OK;
}

static Status no_next(FnCtx *ctx, void *state, Value *out)
{
    return ST_END;
}

static const FnRows no_ancestors = {0, no_start, no_next, NULL};
static const FnRows no_partitions = {0, no_start, no_next, "relid regclass, parentrelid regclass, isleaf bool, level int4"};

static Status database_encoding(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_str("UTF8");
    return ST_OK;
}

static Status encoding_number(FnCtx *ctx, const Value *args, Value *out)
{
    Slice name = value_to_slice(args[0]);
    bool utf8 = slice_equal_str(name, "UTF8") || slice_equal_str(name, "utf8") || slice_equal_str(name, "UTF-8");
    *out = value_int(utf8 ? 6 : slice_equal_str(name, "SQL_ASCII") ? 0 : -1);
    return ST_OK;
}

static Status zero(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_int(0);
    return ST_OK;
}

/* A view is read only; whoever changes tables may insert, update and delete. */
enum { CAN_UPDATE = 4, CAN_INSERT = 8, CAN_DELETE = 16 };

static Status relation_is_updatable(FnCtx *ctx, const Value *args, Value *out)
{
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    *out = value_int(desc && desc->kind == DESC_TABLE ? CAN_UPDATE | CAN_INSERT | CAN_DELETE : 0);
    return ST_OK;
}

static Status column_is_updatable(FnCtx *ctx, const Value *args, Value *out)
{
    const Desc *desc = catalog_find_id(view_of(ctx), (DescId)args[0].i);
    int ordinal = desc && desc->kind == DESC_TABLE ? table_column_by_id((const TableDesc *)desc, (uint32_t)args[1].i) : -1;
    *out = value_bool(ordinal >= 0);
    return ST_OK;
}

#define STABLE (FN_STRICT | FN_STABLE)

/* clang-format off */
const FuncDef fn_describe_rows[] = {
    { 1039, "getdatabaseencoding", "",                 "name", STABLE, database_encoding },
    { 1264, "pg_char_to_encoding", "name",             "int4", STABLE, encoding_number },
    { 3843, "pg_column_is_updatable", "regclass, int2, bool", "bool", STABLE, column_is_updatable },
    { 3808, "pg_get_function_arg_default", "oid, int4", "text", STABLE, pg_get_function_arg_default },
    { 2162, "pg_get_function_arguments", "oid",        "text", STABLE, pg_get_function_arguments },
    { 2232, "pg_get_function_identity_arguments", "oid", "text", STABLE, pg_get_function_identity_arguments },
    { 2165, "pg_get_function_result", "oid",           "text", STABLE, pg_get_function_result },
    { 6197, "pg_get_function_sqlbody", "oid",          "text", STABLE, null },
    { 2098, "pg_get_functiondef", "oid",               "text", STABLE, pg_get_functiondef },
    { 3408, "pg_get_partition_constraintdef", "oid",   "text", STABLE, null },
    { 3415, "pg_get_statisticsobjdef", "oid",          "text", STABLE, null },
    { 6173, "pg_get_statisticsobjdef_expressions", "oid", "_text", STABLE, null },
    { 638, "pg_index_column_has_property", "regclass, int4, text", "bool", STABLE, pg_index_column_has_property },
    { 637, "pg_index_has_property", "regclass, text",  "bool", STABLE, pg_index_has_property },
    { 636, "pg_indexam_has_property", "oid, text",     "bool", STABLE, pg_indexam_has_property },
    { 3829, "pg_opfamily_is_visible", "oid",           "bool", STABLE, yes },
    { 2289, "pg_options_to_table", "_text",            "record", STABLE | FN_SET, NULL, NULL, &options_rows },
    { 3425, "pg_partition_ancestors", "regclass",      "regclass", FN_STRICT | FN_SET, NULL, NULL, &no_ancestors },
    { 3424, "pg_partition_root", "regclass",           "regclass", STABLE, null },
    { 3423, "pg_partition_tree", "regclass",           "record", FN_STRICT | FN_SET, NULL, NULL, &no_partitions },
    { 3842, "pg_relation_is_updatable", "regclass, bool", "int4", STABLE, relation_is_updatable },
    { 2322, "pg_tablespace_size", "oid",               "int8", FN_STRICT, zero },
    { 2323, "pg_tablespace_size", "name",              "int8", FN_STRICT, zero },
    { 3757, "pg_ts_dict_is_visible", "oid",            "bool", STABLE, yes },
    { 3756, "pg_ts_parser_is_visible", "oid",          "bool", STABLE, yes },
    { 3768, "pg_ts_template_is_visible", "oid",        "bool", STABLE, yes },
    { 4086, "to_regnamespace", "text",                 "regnamespace", STABLE, to_reg },
    { 3492, "to_regoper", "text",                      "regoper", STABLE, to_reg },
    { 3494, "to_regproc", "text",                      "regproc", STABLE, to_reg },
    { 3479, "to_regprocedure", "text",                 "regprocedure", STABLE, to_reg },
    { 4093, "to_regrole", "text",                      "regrole", STABLE, to_reg },
    {0},
};
