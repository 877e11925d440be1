#include "parser/ast_print.h"
#include "planner/bind/bind_ddl_foreign_key.h"
#include "planner/bind/bind_ddl_like.h"

bool ddl_relation_exists(Binder *b, DescId schema, const char *name)
{
    const CatalogView *view = b->session->catalog;
    return catalog_find_object(view, schema, name) || catalog_find_index(view, schema, name, NULL);
}

Status ddl_check_schema_writable(Binder *b, DescId schema, const char *name)
{
    if (schema >= DESC_ID_FIRST_USER || catalog_find_id(b->session->catalog, schema)) return ST_OK;
    ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to create \"%s.%s\"",
             session_schema_name(b->session, schema), name);
    err_detail(b->err, b->arena, "System catalog modifications are currently disallowed.");
    return ST_ERROR;
}

TableDraft *ddl_draft_table(Binder *b, DescId schema, const char *name)
{
    TableDraft *d = ARENA_NEW(b->arena, TableDraft);
    d->b = b;
    d->table = ARENA_NEW(b->arena, TableDesc);
    *d->table = (TableDesc){.next_column_id = 1, .next_index_id = 2, .next_constraint_id = 1};
    d->table->temporary = ddl_is_temporary(b, schema);
    d->table->base = (Desc){.kind = DESC_TABLE, .parent_database = b->session->database_id, .parent_schema = schema,
                            .name = name, .owner = b->session->user};
    VEC_PUSH(b->arena, d->table->indexes, (IndexDesc){.id = 1, .unique = true, .primary = true});
    VEC_PUSH(b->arena, d->names_taken, name);
    return d;
}

/* ---- what the statement's clauses allow ---- */

static Status check_table_options(Binder *b, const AstOptionVec *options)
{
    static const char *const accepted[] = {
        "fillfactor", "parallel_workers", "toast_tuple_target", "user_catalog_table", "vacuum_truncate", "schema_locked",
        "exclude_data_from_backup", "sql_stats_automatic_collection_enabled", "oids"};
    for (int i = 0; i < options->count; i++) {
        const char *name = options->items[i].name;
        bool known;
        TRY(ddl_check_colocation(b, &options->items[i], &known));
        known |= strncmp(name, "autovacuum_", 11) == 0 || strncmp(name, "toast.", 6) == 0;
        for (size_t a = 0; a < sizeof accepted / sizeof *accepted; a++) known = known || strcmp(name, accepted[a]) == 0;
        if (!known) return ddl_fail(b, 0, ERR_INVALID_PARAMETER_VALUE, "unrecognized parameter \"%s\"", name);
    }
    return ST_OK;
}

static Status check_storage(Binder *b, const char *access_method, const char *tablespace)
{
    if (access_method && strcmp(access_method, "heap") != 0)
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "access method \"%s\" does not exist", access_method);
    if (tablespace && strcmp(tablespace, "pg_default") != 0)
        return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "tablespace \"%s\" does not exist", tablespace);
    return ST_OK;
}

static Status check_clauses(Binder *b, const AstCreateTable *ast)
{
    if (ast->inherits.count) return ddl_unsupported(b, ast->base.position, "INHERITS");
    if (ast->partition_of.name) return ddl_unsupported(b, ast->base.position, "PARTITION OF");
    if (ast->of_type.name) return ddl_unsupported(b, ast->base.position, "CREATE TABLE OF");
    if (ast->locality) return ddl_unsupported(b, ast->base.position, "LOCALITY");
    TRY(check_table_options(b, &ast->options));
    return check_storage(b, ast->access_method, ast->tablespace);
}

/* ---- columns ---- */

static const AstConstraint *column_key(const AstColumnDef *column)
{
    for (int i = 0; i < column->constraints.count; i++)
        if (column->constraints.items[i]->kind == AST_CONSTRAINT_PRIMARY_KEY) return column->constraints.items[i];
    return NULL;
}

/* `a INT PRIMARY KEY USING HASH` has its bucket in front of a. */
static Status add_leading_bucket(TableDraft *d, const AstColumnDef *column)
{
    const AstConstraint *key = column_key(column);
    if (!key || !key->hash.present) return ST_OK;
    int32_t count;
    StrVec names = {0};
    TRY(ddl_bucket_count(d->b, &key->hash, &key->options, &count));
    VEC_PUSH(d->b->arena, names, column->name);
    ddl_bucket_column(d, &names, count);
    return ST_OK;
}

static Status add_columns(TableDraft *d, const AstTableElemVec *elems)
{
    TRY(ddl_add_families(d, elems));
    for (int i = 0; i < elems->count; i++) {
        const AstColumnDef *column = elems->items[i].column;
        if (elems->items[i].like) TRY(ddl_like_columns(d, elems->items[i].like));
        if (!column) continue;
        TRY(add_leading_bucket(d, column));
        TRY(ddl_add_column(d, column));
    }
    TRY(ddl_assign_families(d, elems));
    return ddl_check_columns(d, 0);
}

/* ---- keys ---- */

/* The key of a column constraint is the column. */
static IndexSpec column_spec(Binder *b, const AstConstraint *c, const char *column)
{
    IndexSpec spec = ddl_spec_of_constraint(c);
    if (c->key.count) return spec;
    AstIndexElemVec *key = ARENA_NEW(b->arena, AstIndexElemVec);
    AstIndexElem *elem = ARENA_NEW(b->arena, AstIndexElem);
    elem->position = c->position;
    elem->column = column;
    VEC_PUSH(b->arena, *key, elem);
    spec.key = key;
    return spec;
}

typedef struct KeySource {
    const AstConstraint *constraint;
    const char *column; /* NULL: of the table */
} KeySource;

static Status find_primary(TableDraft *d, const AstTableElemVec *elems, KeySource *found)
{
    *found = (KeySource){0};
    for (int i = 0; i < elems->count; i++) {
        const AstTableElem *elem = &elems->items[i];
        KeySource key = {0};
        if (elem->column) key = (KeySource){column_key(elem->column), elem->column->name};
        if (elem->constraint && elem->constraint->kind == AST_CONSTRAINT_PRIMARY_KEY) key.constraint = elem->constraint;
        if (!key.constraint) continue;
        if (found->constraint)
            return ddl_fail(d->b, key.constraint->position, ERR_INVALID_TABLE_DEFINITION,
                            "multiple primary keys for table \"%s\" are not allowed", d->table->base.name);
        *found = key;
    }
    return ST_OK;
}

static Status check_constraint_clauses(Binder *b, const AstConstraint *c)
{
    if (c->without_index) return ddl_unsupported(b, c->position, "UNIQUE WITHOUT INDEX");
    if (c->using_index) return ddl_unsupported(b, c->position, "USING INDEX");
    if (c->tablespace) TRY(check_storage(b, NULL, c->tablespace));
    return ST_OK;
}

/* The clauses behind the table's parenthesis belong to the primary key. */
static Status add_primary(TableDraft *d, const AstCreateTable *ast, const KeySource *key)
{
    Binder *b = d->b;
    IndexDesc *index;
    if (!key->constraint) {
        IndexDesc *primary = &d->table->indexes.items[0];
        primary->name = ddl_choose_relation_name(d, d->table->base.name, NULL, "pkey");
        primary->is_constraint = true;
        if (ast->split.present && !ast->split.tablets)
            return ddl_fail(b, ast->split.position, ERR_INVALID_OBJECT_DEFINITION,
                            "cannot split table that does not have primary key");
        if (ast->partition.by != AST_PARTITION_NONE && ast->partition.by != AST_PARTITION_NOTHING)
            return ddl_partition_by(d, primary, &ast->partition);
        return ST_OK;
    }
    TRY(check_constraint_clauses(b, key->constraint));
    IndexSpec spec = column_spec(b, key->constraint, key->column);
    if (ast->split.present) spec.split = &ast->split;
    if (ast->partition.by != AST_PARTITION_NONE) spec.partition = &ast->partition;
    return ddl_add_index(d, &spec, 1, &index);
}

/* A key that may be there twice for a while cannot be where rows lie. */
static Status add_deferrable_primary(TableDraft *d, const AstCreateTable *ast, const KeySource *key)
{
    IndexDesc *index;
    if (ast->split.present || ast->partition.by != AST_PARTITION_NONE)
        return ddl_unsupported(d->b, key->constraint->position, "SPLIT or PARTITION BY of a table with a DEFERRABLE primary key");
    TRY(check_constraint_clauses(d->b, key->constraint));
    IndexSpec spec = column_spec(d->b, key->constraint, key->column);
    return ddl_add_index(d, &spec, 0, &index);
}

static Status add_constraint(TableDraft *d, const AstConstraint *c, const char *column)
{
    Binder *b = d->b;
    IndexDesc *index;
    IndexSpec spec;
    switch (c->kind) {
    case AST_CONSTRAINT_CHECK: return ddl_add_check(d, c);
    case AST_CONSTRAINT_UNIQUE:
        TRY(check_constraint_clauses(b, c));
        spec = column_spec(b, c, column);
        if (spec.where) spec.is_constraint = false;
        return ddl_add_index(d, &spec, 0, &index);
    case AST_CONSTRAINT_EXCLUDE: return ddl_unsupported(b, c->position, "EXCLUDE");
    case AST_CONSTRAINT_FOREIGN_KEY:  /* made last, as it may refer to any key of the table */
    case AST_CONSTRAINT_PRIMARY_KEY: /* made already, as the columns' own are */
    case AST_CONSTRAINT_NOT_NULL:
    case AST_CONSTRAINT_NULL:
    case AST_CONSTRAINT_DEFAULT:
    case AST_CONSTRAINT_GENERATED:
    case AST_CONSTRAINT_IDENTITY:
    case AST_CONSTRAINT_ON_UPDATE: break;
    }
    return ST_OK;
}

static Status add_constraints(TableDraft *d, const AstTableElemVec *elems)
{
    for (int i = 0; i < elems->count; i++) {
        const AstTableElem *elem = &elems->items[i];
        for (int c = 0; elem->column && c < elem->column->constraints.count; c++)
            TRY(add_constraint(d, elem->column->constraints.items[c], elem->column->name));
        if (elem->constraint) TRY(add_constraint(d, elem->constraint, NULL));
        if (!elem->index) continue;
        IndexSpec spec;
        IndexDesc *index;
        TRY(ddl_spec_of_index(d->b, elem->index, &spec));
        TRY(ddl_add_index(d, &spec, 0, &index));
    }
    return ST_OK;
}

static Status add_foreign_keys(TableDraft *d, const AstTableElemVec *elems)
{
    for (int i = 0; i < elems->count; i++) {
        const AstTableElem *elem = &elems->items[i];
        for (int c = 0; elem->column && c < elem->column->constraints.count; c++)
            if (elem->column->constraints.items[c]->kind == AST_CONSTRAINT_FOREIGN_KEY)
                TRY(ddl_add_foreign_key(d, elem->column->constraints.items[c], elem->column->name));
        if (elem->constraint && elem->constraint->kind == AST_CONSTRAINT_FOREIGN_KEY)
            TRY(ddl_add_foreign_key(d, elem->constraint, NULL));
    }
    return ST_OK;
}

/* SPLIT INTO on a table without a key hashes the hidden one, as YugabyteDB does. */
static Status hash_rowid(TableDraft *d, const AstSplit *split)
{
    IndexDesc *primary = &d->table->indexes.items[0];
    IntVec ordinals = {0};
    VEC_PUSH(d->b->arena, ordinals, d->table->columns.count - 1);
    int code = ddl_hash_code_column(d, &ordinals);
    IndexColumn rowid = primary->columns.items[0];
    rowid.hash_mode = true;
    primary->columns.items[0] = (IndexColumn){.column_id = d->table->columns.items[code].id, .implicit = true};
    VEC_PUSH(d->b->arena, primary->columns, rowid);
    return ddl_split_clause(d, primary, split);
}

static Status draft_table(TableDraft *d, const AstCreateTable *ast)
{
    KeySource key;
    TRY(find_primary(d, &ast->elems, &key));
    TRY(add_columns(d, &ast->elems));
    if (key.constraint && (key.constraint->deferrable || key.constraint->initially_deferred)) {
        TRY(add_deferrable_primary(d, ast, &key));
        key.constraint = NULL;
    }
    bool has_primary = key.constraint != NULL;
    TRY(ddl_like_primary(d, &ast->elems, &has_primary));
    if (key.constraint || !has_primary) TRY(add_primary(d, ast, &key));
    TRY(add_constraints(d, &ast->elems));
    TRY(ddl_like_rest(d, &ast->elems));
    if (!has_primary) {
        TRY(ddl_add_rowid(d));
        if (ast->split.present) TRY(hash_rowid(d, &ast->split));
    }
    ddl_finish_indexes(d);
    return add_foreign_keys(d, &ast->elems);
}

static Status existing_relation(Binder *b, DescId schema, const AstName *name, bool if_not_exists, const char *tag,
                                Plan **out)
{
    *out = NULL;
    if (!ddl_relation_exists(b, schema, name->name)) return ST_OK;
    if (!if_not_exists)
        return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", name->name);
    return ddl_skip(b, tag, ERR_DUPLICATE_TABLE, out, "relation \"%s\" already exists, skipping",
                        name->name);
}

static Status set_on_commit(TableDraft *d, AstOnCommit on_commit)
{
    if (on_commit != AST_ON_COMMIT_DEFAULT && !d->table->temporary)
        return ddl_fail(d->b, 0, ERR_INVALID_TABLE_DEFINITION, "ON COMMIT can only be used on temporary tables");
    d->table->on_commit = on_commit == AST_ON_COMMIT_DELETE ? ON_COMMIT_DELETE
                          : on_commit == AST_ON_COMMIT_DROP ? ON_COMMIT_DROP
                                                            : ON_COMMIT_PRESERVE;
    return ST_OK;
}

Status ddl_draft_create_table(Binder *b, DescId schema, const AstCreateTable *ast, TableDraft **out)
{
    TRY(check_clauses(b, ast));
    *out = ddl_draft_table(b, schema, ast->name.name);
    TRY(set_on_commit(*out, ast->on_commit));
    return draft_table(*out, ast);
}

Status bind_create_table(Binder *b, const AstCreateTable *ast, Plan **out)
{
    DescId schema;
    TRY(ddl_creation_schema(b, &ast->name, ast->persistence, &schema));
    TRY(ddl_check_schema_writable(b, schema, ast->name.name));
    TRY(existing_relation(b, schema, &ast->name, ast->if_not_exists, "CREATE TABLE", out));
    if (*out) return ST_OK;
    TableDraft *d;
    TRY(ddl_draft_create_table(b, schema, ast, &d));
    for (int i = 0; i < d->table->indexes.count; i++) ddl_advise(d, &d->table->indexes.items[i]);
    UtilityCreateTable *utility = bind_utility(b, UTILITY_CREATE_TABLE, "CREATE TABLE", sizeof *utility);
    utility->draft = d->table;
    utility->sequences = d->sequences;
    utility->splits = d->splits;
    utility->notices = d->notices;
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- CREATE TABLE AS ---- */

static Status add_query_columns(TableDraft *d, const AstCreateTableAs *ast, const PlannedStmt *query)
{
    Binder *b = d->b;
    if (ast->columns.count > query->column_count)
        return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "too many column names were specified");
    for (int i = 0; i < query->column_count; i++) {
        ColumnDesc column = {.id = d->table->next_column_id++, .type = query->columns[i].type};
        column.name = i < ast->columns.count ? ast->columns.items[i] : query->columns[i].name;
        if (column.type.oid == OID_UNKNOWN) column.type = (TypeRef){OID_TEXT, -1};
        if (table_column_by_name(d->table, column.name) >= 0)
            return ddl_fail(b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" specified more than once", column.name);
        VEC_PUSH(b->arena, d->table->columns, column);
        VEC_PUSH(b->arena, d->asts, NULL);
    }
    return ST_OK;
}

Status bind_create_table_as(Binder *b, const AstCreateTableAs *ast, Plan **out)
{
    DescId schema;
    const char *tag = ast->materialized_view ? "CREATE MATERIALIZED VIEW" : "CREATE TABLE AS";
    if (ast->elems.count) return ddl_unsupported(b, ast->base.position, "column definitions in CREATE TABLE AS");
    TRY(ddl_creation_schema(b, &ast->name, ast->persistence, &schema));
    TRY(ddl_check_schema_writable(b, schema, ast->name.name));
    TRY(existing_relation(b, schema, &ast->name, ast->if_not_exists, tag, out));
    if (*out) return ST_OK;
    TRY(check_table_options(b, &ast->options));
    TRY(check_storage(b, ast->access_method, ast->tablespace));
    UtilityCreateTableAs *utility = bind_utility(b, UTILITY_CREATE_TABLE_AS, "SELECT", sizeof *utility);
    TableDraft *d = ddl_draft_table(b, schema, ast->name.name);
    TRY(set_on_commit(d, ast->on_commit));
    if (ast->materialized_view) {
        if (ast->no_data) utility->base.tag = tag;
        TRY(ddl_matview_query(b, ast->query, d->table, &utility->query));
    } else {
        TRY(ddl_nested_query(b, ast->query, &utility->query));
    }
    static const AstTableElemVec no_elems;
    TRY(add_query_columns(d, ast, utility->query));
    TRY(ddl_assign_families(d, &no_elems));
    d->table->indexes.items[0].name = ddl_choose_relation_name(d, d->table->base.name, NULL, "pkey");
    d->table->indexes.items[0].is_constraint = true;
    TRY(ddl_add_rowid(d));
    utility->draft = d->table;
    utility->with_data = !ast->no_data;
    d->table->populated = ast->materialized_view && !ast->no_data;
    *out = &utility->base.base;
    return ST_OK;
}
