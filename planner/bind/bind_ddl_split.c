/* YugabyteDB's SPLIT clauses and CockroachDB's PARTITION BY: which ranges and which named parts an index starts with. */
#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_session.h"
#include "storage/keys/yb_hash.h"

enum { TABLETS_MAX = 5000 };

/* ---- SPLIT ---- */

typedef enum BoundKind { BOUND_MIN, BOUND_VALUE, BOUND_MAX } BoundKind;

/* One value of a split row. Min and max are below and above everything in key order, whatever the column's direction. */
typedef struct SplitBound {
    BoundKind kind;
    Value value;
} SplitBound;

static Status split_into(TableDraft *d, IndexDesc *index, const AstSplit *split)
{
    Binder *b = d->b;
    Expr *e;
    Value n;
    bool known;
    if (index->columns.count == 0 || !index->columns.items[0].implicit || index->bucket_count)
        return ddl_fail(b, split->position, ERR_INVALID_OBJECT_DEFINITION,
                        "HASH columns must be present to split by number of tablets");
    TRY(bind_standalone(b, split->tablets, &(Standalone){CLAUSE_SPLIT, NULL, NULL, (TypeRef){OID_INT8, -1}, "tablets"}, &e));
    TRY(bind_fold(b, e, &n, &known));
    if (!known || n.null || n.i < 1)
        return ddl_fail(b, split->position, ERR_INVALID_OBJECT_DEFINITION, "invalid split options");
    if (n.i > TABLETS_MAX)
        return ddl_fail(b, split->position, ERR_INVALID_OBJECT_DEFINITION, "num_tablets exceeds system limit");
    for (uint32_t i = 1; i < (uint32_t)n.i; i++) {
        IndexSplit at = {.index_id = index->id, .values = ARENA_NEW(b->arena, Value), .count = 1, .lasting = true};
        at.values[0] = value_int(yb_hash_tablet_start(i, (uint32_t)n.i));
        VEC_PUSH(b->arena, d->splits, at);
    }
    index->split_clause = arena_printf(b->arena, "SPLIT INTO %lld TABLETS", (long long)n.i);
    return ST_OK;
}

static Status split_value(TableDraft *d, const AstExpr *ast, const ColumnDesc *column, SplitBound *out)
{
    Binder *b = d->b;
    Expr *e;
    bool known = false;
    *out = (SplitBound){.kind = ast->kind == AST_MINVALUE ? BOUND_MIN : ast->kind == AST_MAXVALUE ? BOUND_MAX : BOUND_VALUE};
    if (out->kind != BOUND_VALUE) return ST_OK;
    Status st = bind_standalone(b, ast, &(Standalone){CLAUSE_SPLIT, NULL, NULL, column->type, column->name}, &e);
    if (st != ST_OK && b->err->sqlstate == ERR_DATATYPE_MISMATCH)
        return ddl_fail(b, ast->position, ERR_DATATYPE_MISMATCH,
                        "specified value cannot be cast to type %s for column \"%s\"",
                        type_format(column->type, b->arena), column->name);
    TRY(st);
    if (expr_volatility(e) == VOLATILITY_IMMUTABLE) TRY(bind_fold(b, e, &out->value, &known));
    if (!known) {
        ddl_fail(b, ast->position, ERR_DATATYPE_MISMATCH, "specified value cannot be cast to type %s for column \"%s\"",
                 type_format(column->type, b->arena), column->name);
        err_detail(b->err, b->arena, "The cast requires a non-immutable conversion.");
        err_hint(b->err, b->arena, "Try putting the literal value in single quotes.");
        return ST_ERROR;
    }
    if (out->value.null)
        return ddl_fail(b, ast->position, ERR_INVALID_OBJECT_DEFINITION, "cannot specify NULL in range bound");
    return ST_OK;
}

/* A split point as a whole key: what is missing behind is MINVALUE. */
static Status split_row(TableDraft *d, const IndexDesc *index, const AstExprVec *row, SplitBound **out)
{
    *out = ARENA_ARRAY(d->b->arena, SplitBound, index->columns.count);
    if (row->count > index->columns.count)
        return ddl_fail(d->b, row->items[0]->position, ERR_INVALID_OBJECT_DEFINITION,
                        "Number of SPLIT values cannot be greater than number of SPLIT columns");
    for (int i = 0; i < row->count; i++) {
        int ordinal = table_column_by_id(d->table, index->columns.items[i].column_id);
        TRY(split_value(d, row->items[i], &d->table->columns.items[ordinal], &(*out)[i]));
    }
    return ST_OK;
}

static int compare_points(TableDraft *d, const IndexDesc *index, const SplitBound *a, const SplitBound *b)
{
    for (int i = 0; i < index->columns.count; i++) {
        if (a[i].kind != b[i].kind) return a[i].kind < b[i].kind ? -1 : 1;
        if (a[i].kind != BOUND_VALUE) continue;
        int ordinal = table_column_by_id(d->table, index->columns.items[i].column_id);
        const TypeDef *type = type_find(d->table->columns.items[ordinal].type.oid);
        int order = type_compare(type, a[i].value, b[i].value);
        if (order) return index->columns.items[i].descending ? -order : order;
    }
    return 0;
}

static void add_point(TableDraft *d, const IndexDesc *index, const SplitBound *point)
{
    IndexSplit at = {.index_id = index->id, .lasting = true};
    at.values = ARENA_ARRAY(d->b->arena, Value, index->columns.count);
    while (at.count < index->columns.count && point[at.count].kind == BOUND_VALUE) {
        at.values[at.count] = point[at.count].value;
        at.count++;
    }
    at.behind = at.count < index->columns.count && point[at.count].kind == BOUND_MAX;
    if (at.count) VEC_PUSH(d->b->arena, d->splits, at); /* the very start and end are boundaries already */
}

static void note_points(TableDraft *d, IndexDesc *index, const AstSplit *split)
{
    Buf text = {0};
    buf_put_str(&text, "SPLIT AT VALUES (");
    for (int r = 0; r < split->points.count; r++) {
        buf_put_str(&text, r ? ", (" : "(");
        for (int i = 0; i < split->points.items[r].count; i++) {
            if (i) buf_put_str(&text, ", ");
            ast_print_expr(split->points.items[r].items[i], &text);
        }
        buf_put_str(&text, ")");
    }
    buf_put_str(&text, ")");
    index->split_clause = buf_to_str(&text, d->b->arena);
    buf_finish(&text);
}

static Status split_at(TableDraft *d, IndexDesc *index, const AstSplit *split)
{
    Binder *b = d->b;
    if (index->columns.count && index->columns.items[0].implicit) {
        Status st = ddl_fail(b, split->position, ERR_INVALID_OBJECT_DEFINITION,
                             "SPLIT AT option is not yet supported for hash partitioned %s",
                             index->primary ? "tables" : "indexes");
        if (!index->bucket_count) err_hint(b->err, b->arena, "Use SPLIT INTO n TABLETS, which cuts the hash codes evenly.");
        return st;
    }
    SplitBound *last = NULL, *point;
    for (int i = 0; i < split->points.count; i++) {
        TRY(split_row(d, index, &split->points.items[i], &point));
        int order = last ? compare_points(d, index, last, point) : -1;
        if (order == 0)
            return ddl_fail(b, split->position, ERR_INVALID_OBJECT_DEFINITION, "Cannot have duplicate split rows");
        if (order > 0)
            return ddl_fail(b, split->position, ERR_INVALID_OBJECT_DEFINITION,
                            "Split rows ordering does not match column ordering");
        add_point(d, index, point);
        last = point;
    }
    note_points(d, index, split);
    return ST_OK;
}

Status ddl_split_clause(TableDraft *d, IndexDesc *index, const AstSplit *split)
{
    return split->tablets ? split_into(d, index, split) : split_at(d, index, split);
}

/* ---- colocation ---- */

/* Each table and index has ranges of its own: not to be colocated is all that can be asked for. */
Status ddl_check_colocation(Binder *b, const AstOption *option, bool *known)
{
    bool colocated = false;
    *known = strcmp(option->name, "colocation") == 0 || strcmp(option->name, "colocated") == 0;
    if (strcmp(option->name, "colocation_id") == 0) return ddl_unsupported(b, option->position, "colocation_id");
    if (!*known) return ST_OK;
    TRY(option_bool(b, option, &colocated));
    return colocated ? ddl_unsupported(b, option->position, "COLOCATION = true") : ST_OK;
}

/* ---- PARTITION BY ---- */

typedef struct PartitionScope {
    TableDraft *d;
    const IndexDesc *index;
    int first;   /* key columns that enclosing partitionings have used */
    StrVec names;
} PartitionScope;

static const char *row_text(Binder *b, const AstExprVec *row)
{
    Buf text = {0};
    buf_put_str(&text, "(");
    for (int i = 0; i < row->count; i++) {
        if (i) buf_put_str(&text, ", ");
        ast_print_expr(row->items[i], &text);
    }
    buf_put_str(&text, ")");
    const char *copy = buf_to_str(&text, b->arena);
    buf_finish(&text);
    return copy;
}

static const char *columns_text(PartitionScope *s, const AstPartitionBy *ast, int count)
{
    const char *text = "";
    for (int i = 0; i < count; i++) {
        const char *name;
        if (ast) {
            name = ast->keys.items[i]->column ? ast->keys.items[i]->column : "expr";
        } else {
            int ordinal = table_column_by_id(s->d->table, s->index->columns.items[s->first + i].column_id);
            name = s->d->table->columns.items[ordinal].name;
        }
        text = arena_printf(s->d->b->arena, "%s%s%s", text, i ? ", " : "", name);
    }
    return text;
}

/* The columns must be, in order, the first of the key behind those that enclosing partitions used. */
static Status check_prefix(PartitionScope *s, const AstPartitionBy *ast)
{
    Binder *b = s->d->b;
    int n = ast->keys.count, left = s->index->columns.count - s->first;
    if (n > left)
        return ddl_fail(b, ast->position, ERR_SYNTAX_ERROR,
                        "declared partition columns (%s) exceed the number of columns in index being partitioned (%s)",
                        columns_text(s, ast, n), columns_text(s, NULL, left));
    for (int i = 0; i < n; i++) {
        int ordinal = table_column_by_id(s->d->table, s->index->columns.items[s->first + i].column_id);
        const char *name = ast->keys.items[i]->column;
        if (name && strcmp(name, s->d->table->columns.items[ordinal].name) == 0) continue;
        return ddl_fail(b, ast->position, ERR_SYNTAX_ERROR,
                        "declared partition columns (%s) do not match first %d columns in index being partitioned (%s)",
                        columns_text(s, ast, n), n, columns_text(s, NULL, n));
    }
    return ST_OK;
}

/* Each value must be one of its column's type; the text is kept as written. */
static Status check_row(PartitionScope *s, const AstExprVec *row, int columns)
{
    Binder *b = s->d->b;
    if (row->count != columns)
        return ddl_fail(b, row->count ? row->items[0]->position : 0, ERR_SYNTAX_ERROR,
                        "partition has %d columns but %d values were supplied", columns, row->count);
    for (int i = 0; i < row->count; i++) {
        const AstExpr *e = row->items[i];
        if (e->kind == AST_DEFAULT || e->kind == AST_MINVALUE || e->kind == AST_MAXVALUE) continue;
        int ordinal = table_column_by_id(s->d->table, s->index->columns.items[s->first + i].column_id);
        const ColumnDesc *column = &s->d->table->columns.items[ordinal];
        Expr *bound;
        TRY(bind_standalone(b, e, &(Standalone){CLAUSE_PARTITION, NULL, NULL, column->type, column->name}, &bound));
    }
    return ST_OK;
}

static Status check_partition_name(PartitionScope *s, const AstPartition *ast)
{
    for (int i = 0; i < s->names.count; i++)
        if (strcmp(s->names.items[i], ast->name) == 0)
            return ddl_fail(s->d->b, ast->position, ERR_INVALID_OBJECT_DEFINITION,
                            "PARTITION %s: name must be unique (used twice in index \"%s\")", ast->name, s->index->name);
    VEC_PUSH(s->d->b->arena, s->names, ast->name);
    return ST_OK;
}

typedef VEC(PartitionDesc) PartitionVec;
static Status partition_list(PartitionScope *s, const AstPartitionBy *ast, PartitionVec *out);

static Status partition_values(PartitionScope *s, const AstPartition *ast, int columns, PartitionDesc *out)
{
    Binder *b = s->d->b;
    if (ast->is_range) {
        TRY(check_row(s, &ast->from, columns));
        TRY(check_row(s, &ast->to, columns));
        VEC_PUSH(b->arena, out->values, row_text(b, &ast->from));
        VEC_PUSH(b->arena, out->values, row_text(b, &ast->to));
        return ST_OK;
    }
    for (int i = 0; i < ast->values.count; i++) {
        const AstExprVec *row = &ast->values.items[i];
        if (row->count == 1 && row->items[0]->kind == AST_DEFAULT) {
            out->is_default = true;
            continue;
        }
        TRY(check_row(s, row, columns));
        VEC_PUSH(b->arena, out->values, row_text(b, row));
    }
    return ST_OK;
}

static Status partition_one(PartitionScope *s, const AstPartition *ast, int columns, PartitionDesc *out)
{
    *out = (PartitionDesc){.name = ast->name, .is_list = !ast->is_range};
    TRY(check_partition_name(s, ast));
    TRY(partition_values(s, ast, columns, out));
    if (ast->sub.by == AST_PARTITION_NONE || ast->sub.by == AST_PARTITION_NOTHING) return ST_OK;
    PartitionVec children = {0};
    s->first += columns;
    TRY(partition_list(s, &ast->sub, &children));
    s->first -= columns;
    out->children.items = children.items;
    out->children.count = out->children.capacity = children.count;
    out->child_columns = ast->sub.keys.count;
    return ST_OK;
}

static Status partition_list(PartitionScope *s, const AstPartitionBy *ast, PartitionVec *out)
{
    TRY(check_prefix(s, ast));
    for (int i = 0; i < ast->partitions.count; i++) {
        PartitionDesc partition;
        TRY(partition_one(s, ast->partitions.items[i], ast->keys.count, &partition));
        VEC_PUSH(s->d->b->arena, *out, partition);
    }
    return ST_OK;
}

Status ddl_partition_by(TableDraft *d, IndexDesc *index, const AstPartitionBy *ast)
{
    Binder *b = d->b;
    if (ast->by == AST_PARTITION_NOTHING) return ST_OK;
    if (!ast->has_partitions || ast->by == AST_PARTITION_HASH)
        return ddl_unsupported(b, ast->position, "PARTITION BY without a list of partitions");
    if (index->columns.count && index->columns.items[0].implicit) {
        return ddl_fail(b, ast->position, ERR_FEATURE_NOT_SUPPORTED,
                        "hash sharded indexes cannot be explicitly partitioned");
    }
    PartitionScope scope = {.d = d, .index = index};
    PartitionVec partitions = {0};
    TRY(partition_list(&scope, ast, &partitions));
    index->partitions.items = partitions.items;
    index->partitions.count = index->partitions.capacity = partitions.count;
    index->partition_columns = ast->keys.count;
    return ST_OK;
}
