/* Statements about the key space: SPLIT AT, UNSPLIT AT, SCATTER, SHOW RANGES. */
#include "parser/ast_print.h"
#include "planner/bind/bind_ddl_owner.h"
#include "planner/bind/bind_show.h"
#include "planner/utility_keyspace.h"
#include "storage/keys/bucket.h"
#include "storage/keys/key_column.h"
#include "storage/keys/row_key.h"
#include "storage/keys/yb_hash.h"

/* ---- the index that a statement names ---- */

static Status find_target(Binder *b, const AstIndexName *target, bool of_index, const TableDesc **table, const IndexDesc **index)
{
    if (of_index) return bind_find_index(b, target, table, index);
    TRY(bind_find_table(b, &target->table, table));
    *index = table_primary(*table);
    return ST_OK;
}

/* The columns of an index's keys: the declared ones, then the primary key's rest unless the index is unique. */
static int key_columns(const TableDesc *table, const IndexDesc *index, const ColumnDesc **columns, bool *descending)
{
    int count = 0;
    for (int i = 0; i < index->columns.count; i++) {
        columns[count] = &table->columns.items[table_column_by_id(table, index->columns.items[i].column_id)];
        descending[count++] = index->columns.items[i].descending;
    }
    for (int i = 0; i < index->suffix.count && !index_is_unique(index); i++) {
        columns[count] = &table->columns.items[table_column_by_id(table, (uint32_t)index->suffix.items[i])];
        descending[count++] = false;
    }
    return count;
}

/* Type names as CockroachDB's texts have them: int, string, decimal. */
static const char *type_word(Binder *b, TypeRef type)
{
    if (type.oid == OID_INT2 || type.oid == OID_INT4 || type.oid == OID_INT8) return "int";
    if (type.oid == OID_TEXT || type.oid == OID_VARCHAR || type.oid == OID_UNKNOWN) return "string";
    if (type.oid == OID_NUMERIC) return "decimal";
    if (type.oid == OID_FLOAT8 || type.oid == OID_FLOAT4) return "float";
    if (type.oid == OID_BYTEA) return "bytes";
    if (type.oid == OID_INT8_ARRAY || type.oid == OID_INT4_ARRAY) return "int[]";
    const TypeDef *def = type_find(type.oid);
    return def ? def->name : type_format(type, b->arena);
}

/* ---- SPLIT AT, UNSPLIT AT ---- */

typedef struct SplitRows {
    Binder *b;
    const TableDesc *table;
    const IndexDesc *index;
    const char *what; /* "SPLIT AT" */
    Oid lead;         /* of a column in front of the key's: where to; 0: none */
} SplitRows;

/* What column number i is to be. */
static const ColumnDesc *split_column(const SplitRows *s, int i)
{
    static const ColumnDesc nodes = {.name = "relocation array", .type = {OID_INT8_ARRAY, -1}}, lease = {.name = "node", .type = {OID_INT8, -1}};
    if (s->lead && i == 0) return s->lead == OID_INT8 ? &lease : &nodes;
    i -= s->lead != 0;
    return &s->table->columns.items[table_column_by_id(s->table, s->index->columns.items[i].column_id)];
}

static Status check_width(const SplitRows *s, int width, int position)
{
    if (s->lead && width < 2) return ddl_fail(s->b, position, ERR_SYNTAX_ERROR, "less than 2 columns in %s data", s->what);
    if (width == 0) return ddl_fail(s->b, position, ERR_SYNTAX_ERROR, "no columns in %s data", s->what);
    int given = width - (s->lead != 0), columns = s->index->columns.count;
    if (given > columns + s->index->suffix.count)
        return ddl_fail(s->b, position, ERR_SYNTAX_ERROR, "too many columns in %s data", s->what);
    if (given > columns) /* those of the primary key that follow are none to split at */
        return ddl_fail(s->b, position, ERR_SYNTAX_ERROR, "excessive number of values provided: expected %d, got %d", columns, given);
    return ST_OK;
}

static Status wrong_type(const SplitRows *s, int i, TypeRef found, int position)
{
    const ColumnDesc *column = split_column(s, i);
    return ddl_fail(s->b, position, ERR_SYNTAX_ERROR, "%s data column %d (%s) must be of type %s, not type %s", s->what,
                    i + 1, column->name, type_word(s->b, column->type), type_word(s->b, found));
}

/* Integers are one family; anything else must be the column's own type, or text that has none. */
static bool equivalent(TypeRef a, TypeRef b)
{
    if (a.oid == b.oid || a.oid == OID_UNKNOWN) return true;
    const TypeDef *x = type_find(a.oid), *y = type_find(b.oid);
    return x && y && (x->category == y->category) && x->category != 'D' && x->rep == y->rep;
}

/* A number written down has no type of its own yet: 3 is as good a decimal or float as 3.0. */
static bool number_fits(const Expr *e, TypeRef column)
{
    bool whole = e->type.oid == OID_INT4 || e->type.oid == OID_INT8, decimal = e->type.oid == OID_NUMERIC;
    bool to_float = column.oid == OID_FLOAT8 || column.oid == OID_FLOAT4;
    return (whole && (to_float || column.oid == OID_NUMERIC)) || (decimal && to_float);
}

static Status split_cell(const SplitRows *s, const AstExpr *ast, int i, Expr **out)
{
    Expr *e;
    const ColumnDesc *column = split_column(s, i);
    TRY(bind_standalone(s->b, ast, &(Standalone){CLAUSE_SPLIT, NULL, NULL, (TypeRef){0, -1}, NULL}, &e));
    bool untyped = e->type.oid == OID_UNKNOWN;
    if (!equivalent(e->type, column->type) && !number_fits(e, column->type)) return wrong_type(s, i, e->type, ast->position);
    if (bind_coerce(s->b, e, column->type, CAST_ASSIGNMENT, ast->position, out) == ST_OK) return ST_OK;
    /* An untyped constant that is none of the column's type counts as text. */
    return untyped ? wrong_type(s, i, (TypeRef){OID_TEXT, -1}, ast->position) : ST_ERROR;
}

/* VALUES: each constant takes its column's type. */
static Status split_values(const SplitRows *s, const AstSelect *ast, Rel **out)
{
    Binder *b = s->b;
    int width = ast->values.items[0].count;
    TRY(check_width(s, width, ast->base.position));
    RelValues *values = ARENA_NEW(b->arena, RelValues);
    values->base.kind = REL_VALUES;
    values->base.columns = ARENA_ARRAY(b->arena, RelColumn, width);
    values->base.column_count = width;
    for (int c = 0; c < width; c++)
        values->base.columns[c] = (RelColumn){.id = binder_new_column(b), .name = split_column(s, c)->name,
                                              .type = split_column(s, c)->type};
    values->rows = ARENA_ARRAY(b->arena, Expr **, ast->values.count);
    values->row_count = ast->values.count;
    for (int r = 0; r < ast->values.count; r++) {
        const AstExprVec *row = &ast->values.items[r];
        if (row->count != width)
            return ddl_fail(b, ast->base.position, ERR_SYNTAX_ERROR, "VALUES lists must all be the same length");
        values->rows[r] = ARENA_ARRAY(b->arena, Expr *, width);
        for (int c = 0; c < width; c++) TRY(split_cell(s, row->items[c], c, &values->rows[r][c]));
    }
    *out = &values->base;
    return ST_OK;
}

static Status split_query(const SplitRows *s, const AstSelect *ast, Rel **out)
{
    Binder *b = s->b;
    Rel *query;
    TRY(bind_select(b, ast, &query));
    TRY(check_width(s, query->column_count, ast->base.position));
    RelProject *project = ARENA_NEW(b->arena, RelProject);
    project->base = (Rel){.kind = REL_PROJECT, .column_count = query->column_count, .input_count = 1};
    project->base.columns = ARENA_ARRAY(b->arena, RelColumn, query->column_count);
    project->base.inputs = ARENA_ARRAY(b->arena, Rel *, 1);
    project->base.inputs[0] = query;
    project->exprs = ARENA_ARRAY(b->arena, Expr *, query->column_count);
    for (int c = 0; c < query->column_count; c++) {
        const ColumnDesc *column = split_column(s, c);
        Expr *e = expr_column(b->arena, query->columns[c].id, query->columns[c].type, query->columns[c].name);
        if (!equivalent(e->type, column->type)) return wrong_type(s, c, e->type, ast->base.position);
        TRY(bind_coerce(b, e, column->type, CAST_ASSIGNMENT, ast->base.position, &project->exprs[c]));
        project->base.columns[c] = (RelColumn){.id = binder_new_column(b), .name = column->name, .type = column->type};
    }
    *out = &project->base;
    return ST_OK;
}

static Status split_rows(const SplitRows *s, const AstSelect *ast, PlannedStmt **out)
{
    Rel *rel = NULL;
    bool plain = ast->is_values && !ast->with && !ast->order_by.count && !ast->limit;
    TRY(plain ? split_values(s, ast, &rel) : split_query(s, ast, &rel));
    return plan_nested(s->b, rel, out);
}

static void split_result(Binder *b, UtilitySplitAt *utility, bool split)
{
    RelColumn columns[] = {{.name = "key", .type = {OID_BYTEA, -1}}, {.name = "pretty", .type = {OID_TEXT, -1}},
                           {.name = "split_enforced_until", .type = {OID_TIMESTAMP, -1}}};
    for (int i = 0; i < 3; i++) columns[i].id = binder_new_column(b);
    bind_utility_columns(b, &utility->base, columns, split ? 3 : 2);
}

Status bind_split_at(Binder *b, const AstSplitAt *ast, Plan **out)
{
    bool split = ast->base.kind == AST_SPLIT_AT;
    UtilitySplitAt *utility = bind_utility(b, split ? UTILITY_SPLIT_AT : UTILITY_UNSPLIT_AT, split ? "SPLIT" : "UNSPLIT",
                                           sizeof *utility);
    TRY(find_target(b, &ast->target, ast->of_index, &utility->table, &utility->index));
    TRY(ddl_check_owner(b, &utility->table->base));
    utility->all = !ast->rows;
    if (ast->rows) {
        SplitRows rows = {b, utility->table, utility->index, split ? "SPLIT AT" : "UNSPLIT AT", 0};
        TRY(split_rows(&rows, ast->rows, &utility->query));
    }
    if (ast->expiration) {
        if (ast->expiration->kind == AST_SUBQUERY || ast->expiration->kind == AST_COLUMN)
            return ddl_fail(b, ast->expiration->position, ERR_UNCATEGORIZED,
                            "SPLIT AT: only constant expressions are allowed for expiration");
        TRY(bind_standalone(b, ast->expiration, &(Standalone){CLAUSE_SPLIT, NULL, NULL, (TypeRef){0, -1}, NULL}, &utility->expiration));
        TRY(bind_resolve_unknown(b, utility->expiration, &utility->expiration));
    }
    split_result(b, utility, split);
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- SCATTER ---- */

static Status scatter_bound(Binder *b, const UtilityScatter *u, const AstExprVec *row, const char *word, Expr ***out)
{
    *out = ARENA_ARRAY(b->arena, Expr *, row->count);
    if (row->count == 0) return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "no columns in SCATTER %s expression", word);
    if (row->count > u->index->columns.count)
        return ddl_fail(b, row->items[0]->position, ERR_SYNTAX_ERROR, "too many columns in SCATTER %s expression", word);
    for (int i = 0; i < row->count; i++) {
        int ordinal = table_column_by_id(u->table, u->index->columns.items[i].column_id);
        const ColumnDesc *column = &u->table->columns.items[ordinal];
        TRY(bind_standalone(b, row->items[i], &(Standalone){CLAUSE_SPLIT, NULL, NULL, column->type, column->name}, &(*out)[i]));
    }
    return ST_OK;
}

Status bind_scatter(Binder *b, const AstScatter *ast, Plan **out)
{
    UtilityScatter *utility = bind_utility(b, UTILITY_SCATTER, "SCATTER", sizeof *utility);
    TRY(find_target(b, &ast->target, ast->of_index, &utility->table, &utility->index));
    TRY(ddl_check_owner(b, &utility->table->base));
    utility->from_count = ast->from.count;
    utility->to_count = ast->to.count;
    if (ast->bounded) {
        TRY(scatter_bound(b, utility, &ast->from, "FROM", &utility->from));
        TRY(scatter_bound(b, utility, &ast->to, "TO", &utility->to));
    }
    RelColumn columns[] = {{.name = "key", .type = {OID_BYTEA, -1}}, {.name = "pretty", .type = {OID_TEXT, -1}}};
    for (int i = 0; i < 2; i++) columns[i].id = binder_new_column(b);
    bind_utility_columns(b, &utility->base, columns, 2);
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- RELOCATE ---- */

static Status relocate_target(Binder *b, const AstRelocate *ast, Plan **out)
{
    bool lease = ast->what == AST_RELOCATE_LEASE;
    UtilityRelocate *utility = bind_utility(b, UTILITY_RELOCATE, "RELOCATE", sizeof *utility);
    TRY(find_target(b, &ast->target, ast->object == AST_OBJECT_INDEX, &utility->table, &utility->index));
    TRY(ddl_check_owner(b, &utility->table->base));
    SplitRows rows = {b, utility->table, utility->index, lease ? "RELOCATE LEASE" : "RELOCATE", lease ? OID_INT8 : OID_INT8_ARRAY};
    utility->lease = lease;
    utility->non_voters = ast->what == AST_RELOCATE_NONVOTERS;
    TRY(split_rows(&rows, ast->rows, &utility->query));
    RelColumn columns[] = {{.name = "key", .type = {OID_BYTEA, -1}}, {.name = "pretty", .type = {OID_TEXT, -1}}};
    for (int i = 0; i < 2; i++) columns[i].id = binder_new_column(b);
    bind_utility_columns(b, &utility->base, columns, 2);
    *out = &utility->base.base;
    return ST_OK;
}

static Status node_expr(Binder *b, const AstExpr *ast, Expr **out)
{
    if (!ast) return ST_OK;
    return bind_standalone(b, ast, &(Standalone){CLAUSE_SPLIT, NULL, NULL, (TypeRef){OID_INT8, -1}, "node"}, out);
}

static Status relocate_range(Binder *b, const AstRelocate *ast, Plan **out)
{
    UtilityRelocateRange *utility = bind_utility(b, UTILITY_RELOCATE_RANGE, "RELOCATE RANGE", sizeof *utility);
    utility->lease = ast->what == AST_RELOCATE_LEASE;
    utility->non_voters = ast->what == AST_RELOCATE_NONVOTERS;
    TRY(node_expr(b, ast->range_id, &utility->range_id));
    TRY(node_expr(b, ast->from, &utility->from));
    TRY(node_expr(b, ast->to, &utility->to));
    if (ast->rows) {
        Rel *rel;
        TRY(bind_select(b, ast->rows, &rel));
        if (rel->column_count != 1 || !equivalent(rel->columns[0].type, (TypeRef){OID_INT8, -1}))
            return ddl_fail(b, ast->rows->base.position, ERR_SYNTAX_ERROR, "RELOCATE RANGE FOR needs one column of range ids");
        TRY(plan_nested(b, rel, &utility->query));
    }
    RelColumn columns[] = {{.name = "range_id", .type = {OID_INT8, -1}}, {.name = "pretty", .type = {OID_TEXT, -1}},
                           {.name = "result", .type = {OID_TEXT, -1}}};
    for (int i = 0; i < 3; i++) columns[i].id = binder_new_column(b);
    bind_utility_columns(b, &utility->base, columns, 3);
    *out = &utility->base.base;
    return ST_OK;
}

Status bind_relocate(Binder *b, const AstRelocate *ast, Plan **out)
{
    return ast->object == AST_OBJECT_OTHER ? relocate_range(b, ast, out) : relocate_target(b, ast, out);
}

/* ---- SHOW RANGES ---- */

typedef enum RangeOption { OPTION_TABLES = 1, OPTION_INDEXES = 2, OPTION_KEYS = 4, OPTION_DETAILS = 8, OPTION_EXPLAIN = 16 } RangeOption;

static Status range_options(Binder *b, const AstOptionVec *options, int *set)
{
    static const struct {
        const char *name;
        int bit;
    } words[] = {{"tables", OPTION_TABLES}, {"indexes", OPTION_INDEXES}, {"keys", OPTION_KEYS},
                 {"details", OPTION_DETAILS}, {"explain", OPTION_EXPLAIN}};
    *set = 0;
    for (int i = 0; i < options->count; i++) {
        int bit = 0;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (strcmp(words[w].name, options->items[i].name) == 0) bit = words[w].bit;
        if (!bit)
            return ddl_unsupported(b, options->items[i].position,
                                   arena_printf(b->arena, "SHOW RANGES WITH %s", options->items[i].name));
        if (*set & bit)
            return ddl_fail(b, options->items[i].position, ERR_SYNTAX_ERROR, "syntax error at or near \"%s\"",
                            options->items[i].name);
        *set |= bit;
    }
    return ST_OK;
}

static Status check_range_options(Binder *b, AstObject object, int set)
{
    bool table = object == AST_OBJECT_TABLE, index = object == AST_OBJECT_INDEX;
    if (index && (set & OPTION_INDEXES))
        return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "cannot use WITH INDEXES with SHOW RANGES FROM INDEX");
    if ((table || index) && (set & OPTION_TABLES))
        return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "cannot use WITH TABLES with SHOW RANGES FROM [INDEX|TABLE]");
    if ((set & OPTION_TABLES) && (set & OPTION_INDEXES))
        return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "cannot use TABLES together with INDEXES in SHOW RANGES");
    return ST_OK;
}

/* The result's columns, in CockroachDB's order. */
static const char *range_columns(Binder *b, AstObject object, int set)
{
    bool cluster = object == AST_OBJECT_ROLE, table = object == AST_OBJECT_TABLE;
    bool tables = set & OPTION_TABLES, indexes = set & OPTION_INDEXES, keys = set & OPTION_KEYS, details = set & OPTION_DETAILS;
    return arena_printf(
        b->arena, "start_key, end_key%s, range_id%s%s%s%s%s%s%s%s, replicas, replica_localities, voting_replicas, "
        "non_voting_replicas, learner_replicas, split_enforced_until%s",
        keys ? ", raw_start_key, raw_end_key" : "",
        cluster && (tables || indexes) ? ", database_name" : "",
        tables || (indexes && !table) ? ", schema_name, table_name, table_id" : "",
        indexes ? ", index_name, index_id" : "",
        indexes ? ", index_start_key, index_end_key" : "",
        tables ? ", table_start_key, table_end_key" : "",
        keys && indexes ? ", raw_index_start_key, raw_index_end_key" : "",
        keys && tables ? ", raw_table_start_key, raw_table_end_key" : "",
        details ? ", range_size_mb, lease_holder, lease_holder_locality" : "",
        details ? ", range_size, span_stats" : "");
}

static Status refuse_virtual(Binder *b, const AstIndexName *target, const char *what)
{
    BoundName found;
    if (!target->table.name) return ST_OK;
    TRY(bind_find_relation(b, &target->table, true, &found));
    if (found.system) return ddl_fail(b, 0, ERR_UNCATEGORIZED, "%s may not be called on a virtual table", what);
    return ST_OK;
}

static Status range_request(Binder *b, const AstShow *ast, int set, const char **request)
{
    const char *flags = arena_printf(b->arena, "%s%s", (set & OPTION_TABLES) ? "t" : (set & OPTION_INDEXES) ? "i" : "-",
                                     (set & OPTION_DETAILS) ? "d" : "");
    if (ast->object == AST_OBJECT_TABLE || ast->object == AST_OBJECT_INDEX) {
        const TableDesc *table;
        const IndexDesc *index;
        TRY(refuse_virtual(b, &ast->index, "SHOW RANGES"));
        TRY(find_target(b, &ast->index, ast->object == AST_OBJECT_INDEX, &table, &index));
        TRY(privilege_check(b->session, &table->base, ACL_SELECT, b->arena, b->err)); /* where ranges start is what rows hold */
        *request = arena_printf(b->arena, "%c %u %u %s", ast->object == AST_OBJECT_TABLE ? 't' : 'i', table->base.id,
                                index->id, flags);
        return ST_OK;
    }
    DescId database = b->session->database_id;
    if (ast->object == AST_OBJECT_DATABASE) {
        const Desc *desc = catalog_find_database(b->session->catalog, ast->name.name);
        if (!desc) return ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", ast->name.name);
        database = desc->id;
    }
    *request = ast->object == AST_OBJECT_ROLE ? arena_printf(b->arena, "c 0 0 %s", flags)
                                              : arena_printf(b->arena, "d %u 0 %s", database, flags);
    return ST_OK;
}

Status bind_show_ranges(Binder *b, const AstShow *ast, Rel **out)
{
    int set;
    const char *request = NULL;
    TRY(range_options(b, &ast->options, &set));
    TRY(check_range_options(b, ast->object, set));
    TRY(range_request(b, ast, set, &request));
    /* The relation has its rows in key order. */
    const char *sql = arena_printf(b->arena, "SELECT %s FROM rowkey.show_ranges WHERE request = '%s'",
                                   range_columns(b, ast->object, set), request);
    if (set & OPTION_EXPLAIN) {
        Buf quoted = {0};
        ast_print_string(sql, &quoted);
        sql = arena_printf(b->arena, "SELECT %s AS query", buf_to_str(&quoted, b->arena));
        buf_finish(&quoted);
    }
    return bind_query_text(b, sql, out);
}

/* ---- SHOW RANGE ... FOR ROW ---- */

typedef struct RowKeyValues {
    Binder *b;
    const TableDesc *table;
    const ColumnDesc *columns[128];
    bool descending[128];
    Value values[128];
    bool known[128];
    int count;
} RowKeyValues;

static bool is_derived(const ColumnDesc *column)
{
    return column->role == COLUMN_BUCKET || column->role == COLUMN_HASH_CODE;
}

static Status row_value(RowKeyValues *r, const AstExpr *ast, int i)
{
    Expr *e;
    bool known;
    TRY(bind_standalone(r->b, ast, &(Standalone){CLAUSE_SPLIT, NULL, NULL, r->columns[i]->type, r->columns[i]->name}, &e));
    TRY(bind_fold(r->b, e, &r->values[i], &known));
    if (!known) return ddl_unsupported(r->b, ast->position, "FOR ROW with values that are not constant");
    r->known[i] = true;
    return ST_OK;
}

static int find_value(const RowKeyValues *r, uint32_t column_id)
{
    for (int i = 0; i < r->count; i++)
        if (r->columns[i]->id == column_id && r->known[i]) return i;
    return -1;
}

/* A bucket or hash code that was not given follows from its members. */
static Status derive_value(RowKeyValues *r, int i)
{
    const ColumnDesc *column = r->columns[i];
    Buf bytes = {0};
    Status st = ST_OK;
    for (int h = 0; h < column->hashed_columns.count && st == ST_OK; h++) {
        int v = find_value(r, (uint32_t)column->hashed_columns.items[h]);
        if (v < 0) {
            st = ddl_unsupported(r->b, 0, "FOR ROW without the columns that the bucket is made from");
            break;
        }
        KeyColumn key = key_column(r->columns[v]->type, false);
        st = column->role == COLUMN_BUCKET
                 ? key_column_encode(&key, r->values[v], &bytes, r->b->err)
                 : yb_hash_image(r->columns[v]->type.oid, r->values[v], &bytes, r->b->arena, r->b->err);
    }
    if (st == ST_OK) {
        Slice whole = buf_slice(&bytes);
        r->values[i] = value_int(column->role == COLUMN_BUCKET ? bucket_of(whole, (uint32_t)column->bucket_count)
                                                               : yb_hash_code(whole));
        r->known[i] = true;
    }
    buf_finish(&bytes);
    return st;
}

static Status row_values(RowKeyValues *r, const AstExprVec *row, const IndexDesc *index)
{
    int visible = 0;
    for (int i = 0; i < r->count; i++) visible += !is_derived(r->columns[i]);
    bool all = row->count == r->count;
    if (!all && row->count != visible)
        return ddl_fail(r->b, row->count ? row->items[0]->position : 0, ERR_SYNTAX_ERROR,
                        "number of values must equal number of columns in index \"%s\"", index->name);
    for (int i = 0, next = 0; i < r->count; i++)
        if (all || !is_derived(r->columns[i])) TRY(row_value(r, row->items[next++], i));
    for (int i = 0; i < r->count; i++)
        if (!r->known[i]) TRY(derive_value(r, i));
    return ST_OK;
}

static Status row_key_hex(RowKeyValues *r, const IndexDesc *index, const char **hex)
{
    Buf key = {0}, text = {0};
    Status st = ST_OK;
    row_key_index_prefix(r->table->base.id, index->id, &key);
    for (int i = 0; i < r->count && st == ST_OK; i++) {
        KeyColumn column = key_column(r->columns[i]->type, r->descending[i]);
        st = key_column_encode(&column, r->values[i], &key, r->b->err);
    }
    for (size_t i = 0; i < key.size; i++) buf_printf(&text, "%02x", key.data[i]);
    *hex = buf_to_str(&text, r->b->arena);
    buf_finish(&key);
    buf_finish(&text);
    return st;
}

Status bind_show_range_for_row(Binder *b, const AstShow *ast, Rel **out)
{
    const TableDesc *table;
    const IndexDesc *index;
    const char *hex = NULL;
    bool of_index = ast->object == AST_OBJECT_INDEX;
    TRY(refuse_virtual(b, &ast->index, "SHOW RANGE FOR ROW"));
    TRY(find_target(b, &ast->index, of_index, &table, &index));
    RowKeyValues *r = ARENA_NEW(b->arena, RowKeyValues);
    r->b = b;
    r->table = table;
    if (index->columns.count + index->suffix.count > 128)
        return ddl_fail(b, 0, ERR_TOO_MANY_COLUMNS, "too many columns in index \"%s\"", index->name);
    r->count = key_columns(table, index, r->columns, r->descending);
    TRY(row_values(r, &ast->row, index));
    TRY(row_key_hex(r, index, &hex));
    const char *sql = arena_printf(
        b->arena, "SELECT start_key, end_key, range_id, lease_holder, lease_holder_locality, replicas, replica_localities, "
        "voting_replicas, non_voting_replicas FROM rowkey.show_range_for_row WHERE request = '%c %u %u %s'",
        of_index ? 'i' : 't', table->base.id, index->id, hex);
    return bind_query_text(b, sql, out);
}
