#include <stdlib.h>

#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"
#include "planner/settings.h"
#include "storage/keys/bucket.h"

enum { PRESPLIT_RANGES_MAX = 16 };

static Status count_not_constant(Binder *b, int position)
{
    return ddl_fail(b, position, ERR_SYNTAX_ERROR, "variable sub-expressions are not allowed in BUCKET_COUNT");
}

/* A constant integer expression; *null tells a NULL. */
static Status count_value(Binder *b, const AstExpr *ast, int64_t *count, bool *null)
{
    Expr *e;
    Value value;
    bool known;
    if (ast->kind == AST_COLUMN || ast->kind == AST_SUBQUERY) return count_not_constant(b, ast->position);
    TRY(bind_standalone(b, ast, &(Standalone){CLAUSE_DEFAULT, NULL, NULL, (TypeRef){0, -1}, NULL}, &e));
    TRY(bind_fold(b, e, &value, &known));
    if (!known) return count_not_constant(b, ast->position);
    *null = value.null;
    if (value.null) return ST_OK;
    if (e->type.oid != OID_INT2 && e->type.oid != OID_INT4 && e->type.oid != OID_INT8) {
        const TypeDef *type = type_find(e->type.oid);
        const char *name = e->type.oid == OID_NUMERIC ? "decimal" : type->category == 'S' || e->type.oid == OID_UNKNOWN ? "string" : type->name;
        return ddl_fail(b, ast->position, ERR_DATATYPE_MISMATCH,
                        "expected BUCKET_COUNT expression to have type int, but '%s' has type %s",
                        ast_expr_text(ast, b->arena), name);
    }
    *count = value.i;
    return ST_OK;
}

Status ddl_bucket_count(Binder *b, const AstHash *hash, const AstOptionVec *options, int32_t *count)
{
    const AstOption *option = options ? ast_option(options, "bucket_count") : NULL;
    const AstExpr *ast = option ? option->value : hash->bucket_count;
    int position = ast ? ast->position : hash->position;
    int64_t value = setting_int(b->session->settings, SETTING_default_hash_sharded_index_bucket_count);
    bool null = false;
    if (option && hash->bucket_count)
        return ddl_fail(b, position, ERR_INVALID_PARAMETER_VALUE,
                        "\"bucket_count\" storage parameter and \"BUCKET_COUNT\" cannot be set at the same time");
    if (ast) TRY(count_value(b, ast, &value, &null));
    if (!null && value >= BUCKET_COUNT_MIN && value <= BUCKET_COUNT_MAX) {
        *count = (int32_t)value;
        return ST_OK;
    }
    const char *got = null ? "NULL" : arena_printf(b->arena, "%lld", (long long)value);
    return ddl_fail(b, position, ERR_INVALID_PARAMETER_VALUE,
                    "hash sharded index bucket count must be in range [%d, %d], got %s", BUCKET_COUNT_MIN,
                    BUCKET_COUNT_MAX, got);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *joined(Binder *b, const StrVec *names, const char *separator, bool quoted)
{
    const char *text = "";
    for (int i = 0; i < names->count; i++)
        text = arena_printf(b->arena, "%s%s%s", text, i ? separator : "",
                            quoted ? ddl_quoted(b, names->items[i]) : names->items[i]);
    return text;
}

/* The values that a bucket column can have, as a constraint the planner may read and nobody is shown. */
CheckDesc ddl_describe_bucket_check(Binder *b, const ColumnDesc *column)
{
    Buf expr = {0};
    buf_printf(&expr, "%s IN (", ddl_quoted(b, column->name));
    for (int i = 0; i < column->bucket_count; i++) buf_printf(&expr, "%s%d", i ? ", " : "", i);
    buf_put_str(&expr, ")");
    CheckDesc check = {.name = arena_printf(b->arena, "check_%s", column->name),
                       .expr = buf_to_str(&expr, b->arena), .hidden = true, .validated = true};
    buf_finish(&expr);
    return check;
}

/* Members are sorted by name, in the column's name and in the hash alike, whatever their order in the index. */
ColumnDesc ddl_describe_bucket(Binder *b, const StrVec *columns, int32_t bucket_count)
{
    StrVec names = {0};
    for (int i = 0; i < columns->count; i++) VEC_PUSH(b->arena, names, columns->items[i]);
    qsort(names.items, (size_t)names.count, sizeof *names.items, compare_names);
    ColumnDesc column = {.type = {OID_INT8, -1}, .not_null = true, .computed = COMPUTED_VIRTUAL, .role = COLUMN_BUCKET,
                         .bucket_count = bucket_count};
    column.name = arena_printf(b->arena, "crdb_internal_%s_shard_%d", joined(b, &names, "_", false), bucket_count);
    column.computed_expr = arena_printf(b->arena, "mod(fnv32(md5(crdb_internal.datums_to_bytes(%s))), %d)",
                                        joined(b, &names, ", ", true), bucket_count);
    return column;
}

/* A member that is not in the table yet is the column that comes right behind this one. */
int ddl_bucket_column(TableDraft *d, const StrVec *columns, int32_t bucket_count)
{
    Binder *b = d->b;
    ColumnDesc column = ddl_describe_bucket(b, columns, bucket_count);
    int known = table_column_by_name(d->table, column.name);
    if (known >= 0 && d->table->columns.items[known].role == COLUMN_BUCKET) return known;
    StrVec names = {0};
    for (int i = 0; i < columns->count; i++) VEC_PUSH(b->arena, names, columns->items[i]);
    qsort(names.items, (size_t)names.count, sizeof *names.items, compare_names);
    for (int i = 0; i < names.count; i++) {
        int ordinal = table_column_by_name(d->table, names.items[i]);
        uint32_t id = ordinal >= 0 ? d->table->columns.items[ordinal].id : d->table->next_column_id + 1;
        VEC_PUSH(b->arena, column.hashed_columns, (int)id);
    }
    CheckDesc check = ddl_describe_bucket_check(b, &column);
    check.id = d->table->next_constraint_id++;
    VEC_PUSH(b->arena, d->table->checks, check);
    return ddl_add_hidden_column(d, column);
}

static bool hashes_same(const ColumnDesc *column, const IntVec *ids)
{
    if (column->role != COLUMN_HASH_CODE || column->hashed_columns.count != ids->count) return false;
    for (int i = 0; i < ids->count; i++)
        if (column->hashed_columns.items[i] != ids->items[i]) return false;
    return true;
}

int ddl_hash_code_column(TableDraft *d, const IntVec *ordinals)
{
    Binder *b = d->b;
    IntVec ids = {0};
    StrVec names = {0};
    for (int i = 0; i < ordinals->count; i++) {
        VEC_PUSH(b->arena, ids, (int)d->table->columns.items[ordinals->items[i]].id);
        VEC_PUSH(b->arena, names, d->table->columns.items[ordinals->items[i]].name);
    }
    for (int i = 0; i < d->table->columns.count; i++)
        if (hashes_same(&d->table->columns.items[i], &ids)) return i;
    const char *base = arena_printf(b->arena, "yb_hash_code_%s", joined(b, &names, "_", false)), *name = base;
    for (int n = 1; table_column_by_name(d->table, name) >= 0; n++) name = arena_printf(b->arena, "%s_%d", base, n);
    ColumnDesc column = {.name = name, .type = {OID_INT4, -1}, .not_null = true, .computed = COMPUTED_VIRTUAL,
                         .role = COLUMN_HASH_CODE, .hashed_columns = ids};
    column.computed_expr = arena_printf(b->arena, "yb_hash_code(%s)", joined(b, &names, ", ", true));
    return ddl_add_hidden_column(d, column);
}

void ddl_presplit_buckets(TableDraft *d, const IndexDesc *index)
{
    int32_t n = index->bucket_count, ranges = n < PRESPLIT_RANGES_MAX ? n : PRESPLIT_RANGES_MAX;
    for (int32_t i = 0; i < ranges; i++) {
        IndexSplit split = {.index_id = index->id, .values = ARENA_NEW(d->b->arena, Value), .count = 1};
        split.values[0] = value_int((int64_t)i * n / ranges);
        VEC_PUSH(d->b->arena, d->splits, split);
    }
}
