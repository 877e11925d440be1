#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"
#include "planner/settings.h"
#include "storage/keys/yb_hash.h"

bool ddl_hash_by_default(Binder *b)
{
    return setting_bool(b->session->settings, SETTING_yb_use_hash_splitting_by_default);
}

IndexSpec ddl_spec_of_constraint(const AstConstraint *ast)
{
    return (IndexSpec){.position = ast->position, .name = ast->name, .unique = true, .is_constraint = true,
                       .primary = ast->kind == AST_CONSTRAINT_PRIMARY_KEY,
                       .deferrable = ast->deferrable || ast->initially_deferred, .initially_deferred = ast->initially_deferred, .key = &ast->key, .hash = &ast->hash,
                       .including = &ast->including, .options = &ast->options, .split = &ast->split,
                       .partition = &ast->partition, .where = ast->where, .nulls_not_distinct = ast->nulls_not_distinct};
}

/* ---- clauses that are accepted or refused ---- */

static bool one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}
#define ONE_OF(word, words) one_of((word), (words), sizeof(words) / sizeof *(words))

static Status check_method(Binder *b, const AstIndexDef *ast)
{
    static const char *const ordered[] = {"btree", "lsm", "prefix"};
    static const char *const others[] = {"gin", "gist", "spgist", "brin", "hash", "ivfflat", "hnsw", "inverted", "rum"};
    if (ast->inverted) return ddl_unsupported(b, ast->position, "INVERTED INDEX");
    if (ast->vector) return ddl_unsupported(b, ast->position, "VECTOR INDEX");
    if (!ast->method || ONE_OF(ast->method, ordered)) return ST_OK;
    if (ONE_OF(ast->method, others))
        return ddl_unsupported(b, ast->position, arena_printf(b->arena, "access method \"%s\"", ast->method));
    return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "access method \"%s\" does not exist", ast->method);
}

static Status check_tablespace(Binder *b, const char *name)
{
    if (!name || strcmp(name, "pg_default") == 0) return ST_OK;
    return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "tablespace \"%s\" does not exist", name);
}

static Status check_options(Binder *b, const AstOptionVec *options, bool hashed)
{
    /* Parameters that steer storage which rowkey lays out by itself. */
    static const char *const accepted[] = {"fillfactor", "deduplicate_items", "fastupdate", "buffering",
                                           "pages_per_range", "autosummarize", "gin_pending_list_limit"};
    static const char *const sharding[] = {"bucket_count", "shard_columns"};
    for (int i = 0; options && i < options->count; i++) {
        const AstOption *option = &options->items[i];
        if (ONE_OF(option->name, accepted)) continue;
        if (!ONE_OF(option->name, sharding))
            return ddl_fail(b, 0, ERR_INVALID_PARAMETER_VALUE, "unrecognized parameter \"%s\"", option->name);
        if (!hashed)
            return ddl_fail(b, option->position, ERR_INVALID_PARAMETER_VALUE,
                            "\"%s\" storage param should only be set with \"USING HASH\" for hash sharded index",
                            option->name);
    }
    return ST_OK;
}

Status ddl_spec_of_index(Binder *b, const AstIndexDef *ast, IndexSpec *spec)
{
    TRY(check_method(b, ast));
    TRY(check_tablespace(b, ast->tablespace));
    *spec = (IndexSpec){.position = ast->position, .name = ast->name, .unique = ast->unique, .key = &ast->key,
                        .hash = &ast->hash, .including = &ast->including, .options = &ast->options,
                        .split = &ast->split, .partition = &ast->partition, .where = ast->where,
                        .nulls_not_distinct = ast->nulls_not_distinct};
    return ST_OK;
}

/* Every index orders by bytes, as the pattern classes do: they are kept to be shown. The others are their types' own. */
static Status check_opclass(Binder *b, const AstIndexElem *elem, TypeRef type, const char **kept)
{
    static const char *const own[] = {
        "array_ops", "bit_ops", "bool_ops", "bpchar_ops", "bytea_ops", "char_ops", "cidr_ops", "date_ops", "enum_ops", "float4_ops",
        "float8_ops", "inet_ops", "int2_ops", "int4_ops", "int8_ops", "interval_ops", "jsonb_ops", "macaddr_ops", "macaddr8_ops",
        "money_ops", "multirange_ops", "name_ops", "numeric_ops", "oid_ops", "oidvector_ops", "pg_lsn_ops", "range_ops", "record_ops",
        "text_ops", "time_ops", "timestamp_ops", "timestamptz_ops", "timetz_ops", "tsquery_ops", "tsvector_ops", "uuid_ops",
        "varbit_ops", "xid8_ops"};
    static const char *const of_text[] = {"text_pattern_ops", "varchar_pattern_ops", "bpchar_pattern_ops", "varchar_ops"};
    const char *name = elem->opclass.name;
    *kept = NULL;
    if (!name || ONE_OF(name, own)) return ST_OK;
    if (!ONE_OF(name, of_text))
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "operator class \"%s\" does not exist for access method \"btree\"", name);
    bool fixed = type.oid == OID_BPCHAR && strcmp(name, "bpchar_pattern_ops") == 0;
    if (!fixed && type.oid != OID_TEXT && type.oid != OID_VARCHAR)
        return ddl_fail(b, 0, ERR_DATATYPE_MISMATCH, "operator class \"%s\" does not accept data type %s", name,
                        type_format((TypeRef){type.oid, -1}, b->arena));
    *kept = name;
    return ST_OK;
}

/* ---- key columns ---- */

typedef struct KeyBuilder {
    TableDraft *d;
    const IndexSpec *spec;
    IndexDesc *index;
    int32_t bucket_count;
} KeyBuilder;

static const char *purpose(const IndexSpec *spec)
{
    return spec->primary ? "primary key" : "unique";
}

static Status find_key_column(KeyBuilder *k, const char *name, int *ordinal)
{
    *ordinal = table_column_by_name(k->d->table, name);
    if (*ordinal >= 0) return ST_OK;
    if (k->spec->is_constraint)
        return ddl_fail(k->d->b, k->spec->position, ERR_UNDEFINED_COLUMN, "column \"%s\" named in key does not exist", name);
    return ddl_fail(k->d->b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" does not exist", name);
}

static Status check_key_type(KeyBuilder *k, const ColumnDesc *column, bool hash_mode)
{
    const TypeDef *type = type_find(column->type.oid);
    const char *name = type_format(column->type, k->d->b->arena);
    if (hash_mode && !yb_hash_supports(column->type.oid))
        return ddl_fail(k->d->b, k->spec->position, ERR_FEATURE_NOT_SUPPORTED,
                        k->spec->primary ? "PRIMARY KEY containing column of type '%s' not yet supported"
                                         : "INDEX on column of type '%s' not yet supported", name);
    if (type && type->key_class != KEY_CLASS_NONE) return ST_OK;
    ddl_fail(k->d->b, 0, ERR_UNDEFINED_OBJECT, "data type %s has no default operator class for access method \"btree\"", name);
    err_hint(k->d->b->err, k->d->b->arena,
             "You must specify an operator class for the index or define a default operator class for the data type.");
    return ST_ERROR;
}

static bool is_key_column(const KeyBuilder *k, const ColumnDesc *column)
{
    for (int i = 0; i < k->index->columns.count; i++)
        if (k->index->columns.items[i].column_id == column->id) return true;
    return false;
}

/* A column once more decides nothing in a key: PostgreSQL keeps it, here the key is made without. */
static Status repeated_column(KeyBuilder *k, const ColumnDesc *column)
{
    if (k->spec->is_constraint || k->spec->primary)
        return ddl_fail(k->d->b, k->spec->position, ERR_DUPLICATE_COLUMN, "column \"%s\" appears twice in %s constraint",
                        column->name, purpose(k->spec));
    ddl_notice(k->d->b, &k->d->notices, ERR_DUPLICATE_COLUMN, "column \"%s\" appears twice in the index, its first place counts",
               column->name);
    return ST_OK;
}

static Status add_key_column(KeyBuilder *k, int ordinal, const AstIndexElem *elem, bool hash_mode)
{
    ColumnDesc *column = &k->d->table->columns.items[ordinal];
    if (is_key_column(k, column)) return repeated_column(k, column);
    TRY(check_key_type(k, column, hash_mode));
    const char *opclass;
    TRY(check_opclass(k->d->b, elem, column->type, &opclass));
    TRY(ddl_check_collation(k->d->b, &elem->collation));
    if (k->spec->primary) {
        if (column->computed == COMPUTED_VIRTUAL && column->role == COLUMN_USER)
            return ddl_unsupported(k->d->b, elem->position, "a virtual computed column in a primary key");
        column->not_null = true;
    }
    bool descending = elem->mode == AST_KEY_DESC;
    IndexColumn key = {.column_id = column->id, .descending = descending, .hash_mode = hash_mode, .opclass = opclass,
                       .nulls_first = elem->nulls == AST_NULLS_DEFAULT ? descending : elem->nulls == AST_NULLS_FIRST};
    VEC_PUSH(k->d->b->arena, k->index->columns, key);
    return ST_OK;
}

static void add_implicit(KeyBuilder *k, int ordinal)
{
    uint32_t id = k->d->table->columns.items[ordinal].id;
    VEC_PUSH(k->d->b->arena, k->index->columns, (IndexColumn){.column_id = id, .implicit = true});
}

/* An indexed expression is a hidden virtual column; a table has one for each different text. */
static Status expression_column(KeyBuilder *k, const AstExpr *ast, int *ordinal)
{
    TableDraft *d = k->d;
    Binder *b = d->b;
    Expr *e;
    TRY(bind_standalone(b, ast, &(Standalone){CLAUSE_INDEX, d->table, bind_table_columns(b, d->table), (TypeRef){0, -1}, NULL}, &e));
    TRY(bind_resolve_unknown(b, e, &e));
    if (expr_volatility(e) != VOLATILITY_IMMUTABLE)
        return ddl_fail(b, 0, ERR_INVALID_OBJECT_DEFINITION, "functions in index expression must be marked IMMUTABLE");
    const char *text = ast_expr_text(ast, b->arena);
    for (int i = 0; i < d->table->columns.count; i++) {
        const ColumnDesc *column = &d->table->columns.items[i];
        if (column->role != COLUMN_EXPRESSION || strcmp(column->computed_expr, text) != 0) continue;
        *ordinal = i;
        return ST_OK;
    }
    const char *name = "crdb_internal_idx_expr";
    for (int n = 1; table_column_by_name(d->table, name) >= 0; n++)
        name = arena_printf(b->arena, "crdb_internal_idx_expr_%d", n);
    *ordinal = ddl_add_hidden_column(d, (ColumnDesc){.name = name, .type = e->type, .computed = COMPUTED_VIRTUAL,
                                                     .computed_expr = text, .role = COLUMN_EXPRESSION});
    return ST_OK;
}

static Status elem_ordinal(KeyBuilder *k, const AstIndexElem *elem, int *ordinal)
{
    if (elem->column) return find_key_column(k, elem->column, ordinal);
    if (elem->expr->kind == AST_COLUMN) {
        const AstColumn *column = (const AstColumn *)elem->expr;
        if (column->names.count == 1 && !column->star)
            return find_key_column(k, column->names.items[0], ordinal);
    }
    if (k->spec->primary || k->spec->is_constraint)
        return ddl_fail(k->d->b, elem->position, ERR_SYNTAX_ERROR, "expressions are not allowed in a %s constraint",
                        purpose(k->spec));
    return expression_column(k, elem->expr, ordinal);
}

/* The leading HASH group: the 16-bit code over its columns comes first, then the columns. */
static Status hash_group(KeyBuilder *k, const AstIndexElem *elem)
{
    Binder *b = k->d->b;
    IntVec ordinals = {0};
    int ordinal;
    if (elem->group.count == 0) {
        TRY(elem_ordinal(k, elem, &ordinal));
        VEC_PUSH(b->arena, ordinals, ordinal);
    }
    for (int i = 0; i < elem->group.count; i++) {
        TRY(find_key_column(k, elem->group.items[i], &ordinal));
        VEC_PUSH(b->arena, ordinals, ordinal);
    }
    if (elem->nulls != AST_NULLS_DEFAULT)
        return ddl_fail(b, elem->position, ERR_INVALID_OBJECT_DEFINITION, "Hash column can't have sorting order");
    int first = k->index->columns.count;
    for (int i = 0; i < ordinals.count; i++) TRY(add_key_column(k, ordinals.items[i], elem, true));
    int code = ddl_hash_code_column(k->d, &ordinals);
    add_implicit(k, code);
    IndexColumn implicit = VEC_LAST(k->index->columns);
    for (int i = k->index->columns.count - 1; i > first; i--)
        k->index->columns.items[i] = k->index->columns.items[i - 1];
    k->index->columns.items[first] = implicit;
    return ST_OK;
}

static Status plain_key(KeyBuilder *k)
{
    const AstIndexElemVec *key = k->spec->key;
    for (int i = 0; i < key->count; i++) {
        const AstIndexElem *elem = key->items[i];
        bool hash = elem->mode == AST_KEY_HASH || (i == 0 && elem->mode == AST_KEY_DEFAULT && ddl_hash_by_default(k->d->b));
        if (hash && i > 0)
            return ddl_fail(k->d->b, elem->position, ERR_INVALID_OBJECT_DEFINITION,
                            "Hash column not allowed after an ASC/DESC column");
        if (hash) {
            TRY(hash_group(k, elem));
            continue;
        }
        if (elem->group.count)
            return ddl_fail(k->d->b, elem->position, ERR_SYNTAX_ERROR, "a group of key columns must be followed by HASH");
        int ordinal;
        TRY(elem_ordinal(k, elem, &ordinal));
        TRY(add_key_column(k, ordinal, elem, false));
    }
    return ST_OK;
}

/* ---- USING HASH ---- */

static Status shard_columns(KeyBuilder *k, StrVec *names)
{
    Binder *b = k->d->b;
    const AstOption *option = ast_option(k->spec->options, "shard_columns");
    if (!option) return ST_OK;
    AstExprVec items = {0};
    if (option->value && option->value->kind == AST_ROW)
        items = ((const AstRow *)option->value)->items;
    else if (option->value)
        VEC_PUSH(b->arena, items, option->value);
    if (items.count == 0 || items.count > names->count) goto wrong;
    for (int i = 0; i < items.count; i++) {
        if (items.items[i]->kind != AST_LITERAL) goto wrong;
        if (strcmp(((const AstLiteral *)items.items[i])->text, names->items[i]) != 0) goto wrong;
    }
    names->count = items.count;
    return ST_OK;
wrong:
    return ddl_fail(b, option->position, ERR_INVALID_PARAMETER_VALUE,
                    "shard_columns must be a prefix of the index columns");
}

static Status sharded_key(KeyBuilder *k)
{
    const AstIndexElemVec *key = k->spec->key;
    Binder *b = k->d->b;
    StrVec names = {0};
    for (int i = 0; i < key->count; i++) {
        const AstIndexElem *elem = key->items[i];
        int ordinal;
        if (elem->mode == AST_KEY_HASH || elem->group.count)
            return ddl_fail(b, elem->position, ERR_SYNTAX_ERROR, "HASH columns and USING HASH exclude each other");
        if (!elem->column) goto computed;
        TRY(find_key_column(k, elem->column, &ordinal));
        if (k->d->table->columns.items[ordinal].computed != COMPUTED_NONE) goto computed;
        VEC_PUSH(b->arena, names, elem->column);
    }
    TRY(shard_columns(k, &names));
    add_implicit(k, ddl_bucket_column(k->d, &names, k->bucket_count));
    for (int i = 0; i < key->count; i++)
        TRY(add_key_column(k, table_column_by_name(k->d->table, key->items[i]->column), key->items[i], false));
    return ST_OK;
computed:
    return ddl_fail(b, 0, ERR_INVALID_TABLE_DEFINITION, "cannot create a sharded index on a computed column");
}

/* ---- the index as a whole ---- */

static const char *index_name(TableDraft *d, const IndexSpec *spec)
{
    const char *table = d->table->base.name;
    if (spec->name) {
        VEC_PUSH(d->b->arena, d->names_taken, spec->name);
        return spec->name;
    }
    if (spec->primary) return ddl_choose_relation_name(d, table, NULL, "pkey");
    const char *columns = ddl_index_columns_text(d, spec->key, spec->including);
    return ddl_choose_relation_name(d, table, columns, spec->is_constraint ? "key" : "idx");
}

static Status add_including(KeyBuilder *k)
{
    TableDraft *d = k->d;
    for (int i = 0; k->spec->including && i < k->spec->including->count; i++) {
        const char *name = k->spec->including->items[i];
        int ordinal;
        TRY(find_key_column(k, name, &ordinal));
        const ColumnDesc *column = &d->table->columns.items[ordinal];
        if (column->computed == COMPUTED_VIRTUAL)
            return ddl_unsupported(d->b, k->spec->position, "storing a virtual computed column");
        for (int c = 0; c < k->index->columns.count; c++)
            if (k->index->columns.items[c].column_id == column->id)
                return ddl_fail(d->b, k->spec->position, ERR_DUPLICATE_OBJECT,
                                "index \"%s\" already contains column \"%s\"", k->index->name, name);
        VEC_PUSH(d->b->arena, k->index->stored, (int)column->id);
    }
    return ST_OK;
}

static Status add_predicate(KeyBuilder *k)
{
    TableDraft *d = k->d;
    if (!k->spec->where) return ST_OK;
    Expr *e;
    RelColumn *columns = bind_table_columns(d->b, d->table);
    TRY(bind_standalone(d->b, k->spec->where, &(Standalone){CLAUSE_INDEX_PREDICATE, d->table, columns, (TypeRef){0, -1}, NULL}, &e));
    if (e->type.oid != OID_BOOL && e->type.oid != OID_UNKNOWN)
        return ddl_fail(d->b, k->spec->where->position, ERR_DATATYPE_MISMATCH,
                        "argument of WHERE must be type boolean, not type %s", type_format(e->type, d->b->arena));
    if (expr_volatility(e) != VOLATILITY_IMMUTABLE)
        return ddl_fail(d->b, 0, ERR_INVALID_OBJECT_DEFINITION, "functions in index predicate must be marked IMMUTABLE");
    k->index->predicate = ast_expr_text(k->spec->where, d->b->arena);
    return ST_OK;
}

static Status place(KeyBuilder *k, IndexDesc **out)
{
    TableDraft *d = k->d;
    if (k->index->primary) {
        d->table->indexes.items[0] = *k->index;
        *out = &d->table->indexes.items[0];
    } else {
        VEC_PUSH(d->b->arena, d->table->indexes, *k->index);
        *out = &VEC_LAST(d->table->indexes);
    }
    if (k->bucket_count) ddl_presplit_buckets(d, *out);
    if (k->spec->split && k->spec->split->present) TRY(ddl_split_clause(d, *out, k->spec->split));
    if (k->spec->partition && k->spec->partition->by != AST_PARTITION_NONE)
        TRY(ddl_partition_by(d, *out, k->spec->partition));
    return ST_OK;
}

Status ddl_add_index(TableDraft *d, const IndexSpec *spec, uint32_t id, IndexDesc **out)
{
    Binder *b = d->b;
    bool hashed = spec->hash && spec->hash->present;
    IndexDesc index = {.id = id ? id : d->table->next_index_id++, .unique = spec->unique, .primary = spec->primary && !spec->deferrable,
                       .logical_primary = spec->primary && spec->deferrable, .deferrable = spec->deferrable,
                       .initially_deferred = spec->initially_deferred,
                       .is_constraint = spec->is_constraint, .nulls_not_distinct = spec->nulls_not_distinct};
    KeyBuilder k = {.d = d, .spec = spec, .index = &index};
    TRY(check_options(b, spec->options, hashed));
    if (hashed) {
        TRY(ddl_bucket_count(b, spec->hash, spec->options, &k.bucket_count));
        if (spec->partition && spec->partition->by != AST_PARTITION_NONE)
            return ddl_fail(b, spec->position, ERR_FEATURE_NOT_SUPPORTED,
                            "hash sharded indexes cannot be explicitly partitioned");
    }
    index.bucket_count = k.bucket_count;
    index.legacy_hash_syntax = hashed && spec->hash->bucket_count;
    index.name = index_name(d, spec);
    TRY(hashed ? sharded_key(&k) : plain_key(&k));
    TRY(add_including(&k));
    TRY(add_predicate(&k));
    return place(&k, out);
}

static bool in_key(const IndexDesc *index, uint32_t column_id)
{
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == column_id) return true;
    for (int i = 0; i < index->suffix.count; i++)
        if ((uint32_t)index->suffix.items[i] == column_id) return true;
    return false;
}

void ddl_finish_indexes(TableDraft *d)
{
    const IndexDesc *primary = table_primary(d->table);
    for (int i = 1; i < d->table->indexes.count; i++) {
        IndexDesc *index = &d->table->indexes.items[i];
        index->suffix = (IntVec){0};
        for (int c = 0; c < primary->columns.count; c++) {
            uint32_t id = primary->columns.items[c].column_id;
            if (!in_key(index, id)) VEC_PUSH(d->b->arena, index->suffix, (int)id);
        }
        IntVec stored = {0};
        for (int c = 0; c < index->stored.count; c++)
            if (!in_key(index, (uint32_t)index->stored.items[c])) VEC_PUSH(d->b->arena, stored, index->stored.items[c]);
        index->stored = stored;
    }
}
