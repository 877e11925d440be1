/* ast_print_query.c - SELECT, FROM, INSERT, UPDATE, DELETE. */
#include "parser/ast_print_internal.h"

static void print_from_item(const AstFrom *from, Buf *out);

/* ---- FROM ---- */

static void print_definitions(const AstColumnDefVec *columns, Buf *out)
{
    buf_put_u8(out, '(');
    for (int i = 0; i < columns->count; i++) {
        if (i) buf_put_str(out, ", ");
        print_column_def(columns->items[i], out);
    }
    buf_put_u8(out, ')');
}

static void print_alias(const AstAlias *alias, Buf *out)
{
    if (!alias->name && alias->definitions.count == 0) return;
    buf_put_str(out, " AS ");
    if (alias->name) ast_print_identifier(alias->name, out);
    if (alias->columns.count > 0) print_paren_names(&alias->columns, out);
    if (alias->definitions.count == 0) return;
    if (alias->name) buf_put_u8(out, ' ');
    print_definitions(&alias->definitions, out);
}

static void print_hints(const AstFromTable *table, Buf *out)
{
    const char *comma = "";
    if (!table->index && table->index_direction == AST_SORT_DEFAULT && !table->no_full_scan && !table->no_index_join) return;
    if (table->index && table->index_direction == AST_SORT_DEFAULT && !table->no_full_scan && !table->no_index_join) {
        buf_put_u8(out, '@');
        ast_print_identifier(table->index, out);
        return;
    }
    buf_put_str(out, "@{");
    if (table->index) {
        buf_put_str(out, "FORCE_INDEX=");
        ast_print_identifier(table->index, out);
        comma = ",";
    }
    if (table->index_direction != AST_SORT_DEFAULT) {
        buf_printf(out, "%s%s", comma, table->index_direction == AST_SORT_ASC ? "ASC" : "DESC");
        comma = ",";
    }
    if (table->no_full_scan) {
        buf_printf(out, "%sNO_FULL_SCAN", comma);
        comma = ",";
    }
    if (table->no_index_join) buf_printf(out, "%sNO_INDEX_JOIN", comma);
    buf_put_u8(out, '}');
}

static void print_table(const AstFromTable *table, Buf *out)
{
    if (table->only) buf_put_str(out, "ONLY ");
    if (table->found->schema && !table->name.schema) {
        ast_print_identifier(table->found->schema, out);
        buf_put_u8(out, '.');
    }
    ast_print_name(&table->name, out);
    print_hints(table, out);
    if (table->base.ordinality) buf_put_str(out, " WITH ORDINALITY");
    print_alias(&table->base.alias, out);
    if (!table->sample) return;
    buf_put_str(out, " TABLESAMPLE ");
    ast_print_identifier(table->sample, out);
    buf_put_u8(out, '(');
    print_exprs(&table->sample_args, out);
    buf_put_u8(out, ')');
    if (!table->sample_seed) return;
    buf_put_str(out, " REPEATABLE (");
    ast_print_expr(table->sample_seed, out);
    buf_put_u8(out, ')');
}

static void print_function(const AstFromFunction *from, Buf *out)
{
    if (from->rows_from) buf_put_str(out, "ROWS FROM (");
    for (int i = 0; i < from->items.count; i++) {
        const AstFunctionItem *item = &from->items.items[i];
        if (i) buf_put_str(out, ", ");
        print_function_call(item->call, out);
        if (item->definitions.count == 0) continue;
        buf_put_str(out, " AS ");
        print_definitions(&item->definitions, out);
    }
    if (from->rows_from) buf_put_u8(out, ')');
}

static void print_join_side(const AstFrom *side, bool parens, Buf *out)
{
    if (parens) buf_put_u8(out, '(');
    print_from_item(side, out);
    if (parens) buf_put_u8(out, ')');
}

static void print_join(const AstFromJoin *join, Buf *out)
{
    static const char *const words[] = {"JOIN ", "LEFT JOIN ", "RIGHT JOIN ", "FULL JOIN ", "CROSS JOIN "};
    bool named = join->base.alias.name != NULL;
    if (named) buf_put_u8(out, '(');
    print_join_side(join->left, false, out);
    buf_put_str(out, join->natural ? " NATURAL " : " ");
    buf_put_str(out, words[join->join]);
    /* A join on the right side with an alias has its parentheses already. */
    print_join_side(join->right, join->right->kind == AST_FROM_JOIN && !join->right->alias.name, out);
    if (join->on) {
        buf_put_str(out, " ON ");
        ast_print_expr(join->on, out);
    } else if (join->has_using) {
        buf_put_str(out, " USING");
        print_paren_names(&join->using_columns, out);
        if (join->using_alias) {
            buf_put_str(out, " AS ");
            ast_print_identifier(join->using_alias, out);
        }
    }
    if (named) buf_put_u8(out, ')');
    print_alias(&join->base.alias, out);
}

static void print_from_item(const AstFrom *from, Buf *out)
{
    if (from->lateral) buf_put_str(out, "LATERAL ");
    switch (from->kind) {
    case AST_FROM_TABLE: print_table((const AstFromTable *)from, out); return;
    case AST_FROM_JOIN: print_join((const AstFromJoin *)from, out); return;
    case AST_FROM_SUBQUERY:
        buf_put_u8(out, '(');
        print_select(((const AstFromSubquery *)from)->select, out);
        buf_put_u8(out, ')');
        break;
    case AST_FROM_FUNCTION: print_function((const AstFromFunction *)from, out); break;
    case AST_FROM_STATEMENT:
        buf_put_u8(out, '[');
        ast_print_stmt(((const AstFromStatement *)from)->stmt, out);
        buf_put_u8(out, ']');
        break;
    }
    if (from->ordinality) buf_put_str(out, " WITH ORDINALITY");
    print_alias(&from->alias, out);
}

static void print_from_list(const char *word, const AstFromVec *items, Buf *out)
{
    if (items->count == 0) return;
    print_word_if(true, word, out);
    for (int i = 0; i < items->count; i++) {
        buf_put_str(out, i ? ", " : " ");
        print_from_item(items->items[i], out);
    }
}

/* ---- SELECT ---- */

static void print_with(const AstWith *with, Buf *out)
{
    static const char *const words[] = {"", "MATERIALIZED ", "NOT MATERIALIZED "};
    if (!with) return;
    buf_put_str(out, with->recursive ? "WITH RECURSIVE " : "WITH ");
    for (int i = 0; i < with->ctes.count; i++) {
        const AstCte *cte = &with->ctes.items[i];
        if (i) buf_put_str(out, ", ");
        ast_print_identifier(cte->name, out);
        print_paren_names(&cte->columns, out);
        buf_printf(out, " AS %s(", words[cte->materialized]);
        ast_print_stmt(cte->stmt, out);
        buf_put_u8(out, ')');
    }
    buf_put_u8(out, ' ');
}

static void print_targets(const AstTargetVec *targets, Buf *out)
{
    for (int i = 0; i < targets->count; i++) {
        buf_put_str(out, i ? ", " : " ");
        ast_print_expr(targets->items[i].expr, out);
        if (!targets->items[i].alias) continue;
        buf_put_str(out, " AS ");
        ast_print_identifier(targets->items[i].alias, out);
    }
}

static void print_clause(const char *word, const AstExpr *expr, Buf *out)
{
    if (!expr) return;
    print_word_if(true, word, out);
    buf_put_u8(out, ' ');
    ast_print_expr(expr, out);
}

static void print_windows(const AstWindowVec *windows, Buf *out)
{
    for (int i = 0; i < windows->count; i++) {
        buf_put_str(out, i ? ", " : " WINDOW ");
        ast_print_identifier(windows->items[i]->name, out);
        buf_put_str(out, " AS ");
        print_window(windows->items[i], out);
    }
}

static void print_core(const AstSelect *select, Buf *out)
{
    buf_put_str(out, "SELECT");
    print_word_if(select->distinct, "DISTINCT", out);
    if (select->distinct_on.count > 0) {
        buf_put_str(out, " ON (");
        print_exprs(&select->distinct_on, out);
        buf_put_u8(out, ')');
    }
    print_targets(&select->targets, out);
    print_from_list("FROM", &select->from, out);
    print_clause("AS OF SYSTEM TIME", select->as_of, out);
    print_clause("WHERE", select->where, out);
    if (select->group_by.count > 0) {
        buf_put_str(out, select->group_distinct ? " GROUP BY DISTINCT " : " GROUP BY ");
        print_exprs(&select->group_by, out);
    }
    print_clause("HAVING", select->having, out);
    print_windows(&select->windows, out);
}

/* A side of a set operation is in parentheses if it has clauses of its own behind it, or binds less. */
static void print_operand(const AstSelect *side, bool weaker, Buf *out)
{
    bool tail = side->with || side->order_by.count > 0 || side->limit || side->offset || side->locking.count > 0;
    bool parens = tail || (side->op != AST_SET_OP_NONE && weaker);
    if (parens) buf_put_u8(out, '(');
    print_select(side, out);
    if (parens) buf_put_u8(out, ')');
}

static void print_set_op(const AstSelect *select, Buf *out)
{
    static const char *const words[] = {"", " UNION ", " INTERSECT ", " EXCEPT "};
    bool tight = select->op == AST_SET_OP_INTERSECT;
    print_operand(select->left, tight && select->left->op != AST_SET_OP_INTERSECT, out);
    buf_put_str(out, words[select->op]);
    if (select->all) buf_put_str(out, "ALL ");
    print_operand(select->right, tight || select->right->op != AST_SET_OP_INTERSECT, out);
}

static void print_limit(const AstSelect *select, Buf *out)
{
    if (select->with_ties) {
        print_clause("OFFSET", select->offset, out);
        buf_put_str(out, " FETCH FIRST (");
        ast_print_expr(select->limit, out);
        buf_put_str(out, ") ROWS WITH TIES");
        return;
    }
    print_clause("LIMIT", select->limit, out);
    print_clause("OFFSET", select->offset, out);
}

static void print_locking(const AstLocking *locking, Buf *out)
{
    static const char *const words[] = {"UPDATE", "NO KEY UPDATE", "SHARE", "KEY SHARE"};
    buf_printf(out, " FOR %s", words[locking->strength]);
    if (locking->of.count > 0) {
        buf_put_str(out, " OF ");
        print_name_list(&locking->of, out);
    }
    print_word_if(locking->wait == AST_LOCK_NOWAIT, "NOWAIT", out);
    print_word_if(locking->wait == AST_LOCK_SKIP, "SKIP LOCKED", out);
}

void print_select(const AstSelect *select, Buf *out)
{
    print_with(select->with, out);
    if (select->op != AST_SET_OP_NONE) {
        print_set_op(select, out);
    } else if (select->is_values) {
        buf_put_str(out, "VALUES ");
        print_rows(&select->values, out);
    } else {
        print_core(select, out);
    }
    print_order_by(&select->order_by, out);
    print_limit(select, out);
    for (int i = 0; i < select->locking.count; i++) print_locking(&select->locking.items[i], out);
}

/* ---- changes ---- */

static void print_returning(bool has_returning, const AstTargetVec *targets, Buf *out)
{
    if (!has_returning) return;
    buf_put_str(out, " RETURNING");
    print_targets(targets, out);
}

static void print_assignments(const AstAssignmentVec *set, Buf *out)
{
    for (int i = 0; i < set->count; i++) {
        const AstAssignment *assignment = &set->items[i];
        buf_put_str(out, i ? ", " : " SET ");
        if (assignment->multiple) buf_put_u8(out, '(');
        print_names(&assignment->columns, out);
        buf_put_str(out, assignment->multiple ? ") = " : " = ");
        ast_print_expr(assignment->value, out);
    }
}

static void print_on_conflict(const AstInsert *insert, Buf *out)
{
    if (insert->on_conflict == AST_ON_CONFLICT_NONE) return;
    buf_put_str(out, " ON CONFLICT");
    if (insert->conflict_target.count > 0) {
        buf_put_u8(out, ' ');
        print_index_elems(&insert->conflict_target, out);
    }
    print_clause("WHERE", insert->conflict_where, out);
    if (insert->conflict_constraint) {
        buf_put_str(out, " ON CONSTRAINT ");
        ast_print_identifier(insert->conflict_constraint, out);
    }
    if (insert->on_conflict == AST_ON_CONFLICT_NOTHING) {
        buf_put_str(out, " DO NOTHING");
        return;
    }
    buf_put_str(out, " DO UPDATE");
    print_assignments(&insert->set, out);
    print_clause("WHERE", insert->set_where, out);
}

void print_insert(const AstInsert *insert, Buf *out)
{
    print_with(insert->with, out);
    buf_put_str(out, insert->upsert ? "UPSERT INTO " : "INSERT INTO ");
    ast_print_name(&insert->table, out);
    if (insert->alias) {
        buf_put_str(out, " AS ");
        ast_print_identifier(insert->alias, out);
    }
    if (insert->has_columns) print_paren_names(&insert->columns, out);
    print_word_if(insert->overriding == AST_OVERRIDING_SYSTEM, "OVERRIDING SYSTEM VALUE", out);
    print_word_if(insert->overriding == AST_OVERRIDING_USER, "OVERRIDING USER VALUE", out);
    print_word_if(!insert->query, "DEFAULT VALUES", out);
    if (insert->query) {
        buf_put_u8(out, ' ');
        print_select(insert->query, out);
    }
    print_on_conflict(insert, out);
    print_returning(insert->has_returning, &insert->returning, out);
}

void print_update(const AstUpdate *update, Buf *out)
{
    print_with(update->with, out);
    buf_put_str(out, "UPDATE ");
    print_from_item(&update->table->base, out);
    print_assignments(&update->set, out);
    print_from_list("FROM", &update->from, out);
    print_clause("WHERE", update->where, out);
    print_order_by(&update->order_by, out);
    print_clause("LIMIT", update->limit, out);
    print_returning(update->has_returning, &update->returning, out);
}

void print_delete(const AstDelete *delete_, Buf *out)
{
    print_with(delete_->with, out);
    buf_put_str(out, "DELETE FROM ");
    print_from_item(&delete_->table->base, out);
    print_from_list("USING", &delete_->using_, out);
    print_clause("WHERE", delete_->where, out);
    print_order_by(&delete_->order_by, out);
    print_clause("LIMIT", delete_->limit, out);
    print_returning(delete_->has_returning, &delete_->returning, out);
}
