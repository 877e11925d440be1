/* ast_print_ddl.c - tables and indexes. ALTER TABLE is in ast_print_alter.c. */
#include "parser/ast_print_internal.h"

/* ---- keys and their clauses ---- */

static void print_index_elem(const AstIndexElem *elem, Buf *out)
{
    bool bare_call = elem->expr && elem->expr->kind == AST_CALL && ((const AstCall *)elem->expr)->syntax == AST_CALL_PLAIN &&
                     !((const AstCall *)elem->expr)->over && !((const AstCall *)elem->expr)->filter &&
                     !((const AstCall *)elem->expr)->within_group;
    if (elem->group.count > 0) {
        buf_put_u8(out, '(');
        print_names(&elem->group, out);
        buf_put_u8(out, ')');
    } else if (elem->column) {
        ast_print_identifier(elem->column, out);
    } else {
        if (!bare_call) buf_put_u8(out, '(');
        ast_print_expr(elem->expr, out);
        if (!bare_call) buf_put_u8(out, ')');
    }
    if (elem->collation.name) {
        buf_put_str(out, " COLLATE ");
        ast_print_name(&elem->collation, out);
    }
    if (elem->opclass.name) {
        buf_put_u8(out, ' ');
        ast_print_name(&elem->opclass, out);
        print_params(NULL, &elem->opclass_options, out);
    }
    print_word_if(elem->mode == AST_KEY_ASC, "ASC", out);
    print_word_if(elem->mode == AST_KEY_DESC, "DESC", out);
    print_word_if(elem->mode == AST_KEY_HASH, "HASH", out);
    print_word_if(elem->nulls == AST_NULLS_FIRST, "NULLS FIRST", out);
    print_word_if(elem->nulls == AST_NULLS_LAST, "NULLS LAST", out);
}

void print_index_elems(const AstIndexElemVec *elems, Buf *out)
{
    buf_put_u8(out, '(');
    for (int i = 0; i < elems->count; i++) {
        if (i) buf_put_str(out, ", ");
        print_index_elem(elems->items[i], out);
    }
    buf_put_u8(out, ')');
}

static void print_split(const AstSplit *split, Buf *out)
{
    if (!split->present) return;
    if (split->tablets) {
        buf_put_str(out, " SPLIT INTO ");
        print_plain(split->tablets, out);
        buf_put_str(out, " TABLETS");
        return;
    }
    buf_put_str(out, " SPLIT AT VALUES (");
    print_rows(&split->points, out);
    buf_put_u8(out, ')');
}

void print_key_clauses(const AstHash *hash, const AstOptionVec *options, const StrVec *including, const AstSplit *split, Buf *out)
{
    if (hash->present) buf_put_str(out, " USING HASH");
    if (hash->bucket_count) {
        buf_put_str(out, " WITH BUCKET_COUNT = ");
        print_plain(hash->bucket_count, out);
    }
    print_params("WITH", options, out);
    if (including->count > 0) {
        buf_put_str(out, " INCLUDE");
        print_paren_names(including, out);
    }
    print_split(split, out);
}

/* ---- partitions ---- */

static void print_bound_list(const char *word, const AstExprVec *values, Buf *out)
{
    print_word_if(true, word, out);
    buf_put_str(out, " (");
    print_exprs(values, out);
    buf_put_u8(out, ')');
}

static void print_partition_value(const AstExprVec *row, Buf *out)
{
    if (row->count > 1) buf_put_u8(out, '(');
    print_exprs(row, out);
    if (row->count > 1) buf_put_u8(out, ')');
}

static void print_partition(const AstPartition *partition, Buf *out)
{
    buf_put_str(out, "PARTITION ");
    ast_print_identifier(partition->name, out);
    buf_put_str(out, " VALUES");
    if (partition->is_range) {
        print_bound_list("FROM", &partition->from, out);
        print_bound_list("TO", &partition->to, out);
    } else {
        buf_put_str(out, " IN (");
        for (int i = 0; i < partition->values.count; i++) {
            if (i) buf_put_str(out, ", ");
            print_partition_value(&partition->values.items[i], out);
        }
        buf_put_u8(out, ')');
    }
    print_partition_by(&partition->sub, out);
}

void print_partition_by(const AstPartitionBy *partition, Buf *out)
{
    static const char *const words[] = {"", "LIST ", "RANGE ", "HASH ", "NOTHING"};
    if (partition->by == AST_PARTITION_NONE) return;
    buf_put_str(out, partition->all ? " PARTITION ALL BY " : " PARTITION BY ");
    buf_put_str(out, words[partition->by]);
    if (partition->by == AST_PARTITION_NOTHING) return;
    print_index_elems(&partition->keys, out);
    if (!partition->has_partitions) return;
    buf_put_str(out, " (");
    for (int i = 0; i < partition->partitions.count; i++) {
        if (i) buf_put_str(out, ", ");
        print_partition(partition->partitions.items[i], out);
    }
    buf_put_u8(out, ')');
}

void print_partition_bound(const AstPartitionBound *bound, Buf *out)
{
    if (!bound->present) return;
    if (bound->is_default) {
        buf_put_str(out, " DEFAULT");
        return;
    }
    buf_put_str(out, " FOR VALUES");
    if (bound->by == AST_PARTITION_LIST) print_bound_list("IN", &bound->values, out);
    if (bound->by == AST_PARTITION_RANGE) {
        print_bound_list("FROM", &bound->from, out);
        print_bound_list("TO", &bound->to, out);
    }
    if (bound->by != AST_PARTITION_HASH) return;
    buf_put_str(out, " WITH (");
    for (int i = 0; i < bound->modulus.count; i++) {
        buf_printf(out, i ? ", %s " : "%s ", bound->modulus.items[i].name);
        ast_print_expr(bound->modulus.items[i].value, out);
    }
    buf_put_u8(out, ')');
}

/* ---- constraints ---- */

static void print_fk_action(const char *word, AstFkAction action, Buf *out)
{
    static const char *const words[] = {"NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"};
    if (action == AST_FK_NO_ACTION) return;
    print_word_if(true, word, out);
    print_word_if(true, words[action], out);
}

static void print_references(const AstConstraint *constraint, Buf *out)
{
    if (constraint->columns.count > 0) {
        buf_put_str(out, "FOREIGN KEY");
        print_paren_names(&constraint->columns, out);
        buf_put_u8(out, ' ');
    }
    buf_put_str(out, "REFERENCES ");
    ast_print_name(&constraint->referenced, out);
    print_paren_names(&constraint->referenced_columns, out);
    print_word_if(constraint->match_full, "MATCH FULL", out);
    print_fk_action("ON DELETE", constraint->on_delete, out);
    print_paren_names(&constraint->on_delete_columns, out);
    print_fk_action("ON UPDATE", constraint->on_update, out);
}

static void print_key(const AstConstraint *constraint, Buf *out)
{
    buf_put_str(out, constraint->kind == AST_CONSTRAINT_PRIMARY_KEY ? "PRIMARY KEY" : "UNIQUE");
    print_word_if(constraint->nulls_not_distinct, "NULLS NOT DISTINCT", out);
    print_word_if(constraint->without_index, "WITHOUT INDEX", out);
    if (constraint->using_index) {
        buf_put_str(out, " USING INDEX ");
        ast_print_identifier(constraint->using_index, out);
    }
    if (constraint->key.count > 0) {
        buf_put_u8(out, ' ');
        print_index_elems(&constraint->key, out);
    }
    print_key_clauses(&constraint->hash, &constraint->options, &constraint->including, &constraint->split, out);
    print_partition_by(&constraint->partition, out);
    if (!constraint->tablespace) return;
    buf_put_str(out, " USING INDEX TABLESPACE ");
    ast_print_identifier(constraint->tablespace, out);
}

static void print_identity(const AstConstraint *constraint, Buf *out)
{
    buf_put_str(out, constraint->always ? "GENERATED ALWAYS AS IDENTITY" : "GENERATED BY DEFAULT AS IDENTITY");
    if (constraint->sequence_options.count == 0) return;
    buf_put_str(out, " (");
    print_sequence_options(&constraint->sequence_options, out);
    buf_put_u8(out, ')');
}

static void print_constraint_expr(const char *before, const AstExpr *expr, const char *after, Buf *out)
{
    buf_put_str(out, before);
    ast_print_expr(expr, out);
    buf_put_str(out, after);
}

static void print_constraint_body(const AstConstraint *constraint, Buf *out)
{
    switch (constraint->kind) {
    case AST_CONSTRAINT_NOT_NULL: buf_put_str(out, "NOT NULL"); break;
    case AST_CONSTRAINT_NULL: buf_put_str(out, "NULL"); break;
    case AST_CONSTRAINT_DEFAULT:
        buf_put_str(out, "DEFAULT ");
        print_plain(constraint->expr, out);
        break;
    case AST_CONSTRAINT_ON_UPDATE:
        buf_put_str(out, "ON UPDATE ");
        print_plain(constraint->expr, out);
        break;
    case AST_CONSTRAINT_CHECK: print_constraint_expr("CHECK (", constraint->expr, ")", out); break;
    case AST_CONSTRAINT_GENERATED:
        print_constraint_expr("GENERATED ALWAYS AS (", constraint->expr, constraint->stored ? ") STORED" : ") VIRTUAL", out);
        break;
    case AST_CONSTRAINT_IDENTITY: print_identity(constraint, out); break;
    case AST_CONSTRAINT_PRIMARY_KEY:
    case AST_CONSTRAINT_UNIQUE: print_key(constraint, out); break;
    case AST_CONSTRAINT_FOREIGN_KEY: print_references(constraint, out); break;
    case AST_CONSTRAINT_EXCLUDE: buf_put_str(out, "EXCLUDE"); break; /* refused by the binder; its elements are not kept */
    }
}

void print_constraint(const AstConstraint *constraint, Buf *out)
{
    if (constraint->name) {
        buf_put_str(out, "CONSTRAINT ");
        ast_print_identifier(constraint->name, out);
        buf_put_u8(out, ' ');
    }
    print_constraint_body(constraint, out);
    print_word_if(constraint->deferrable && !constraint->initially_deferred, "DEFERRABLE", out);
    print_word_if(constraint->not_deferrable, "NOT DEFERRABLE", out);
    print_word_if(constraint->initially_deferred, "INITIALLY DEFERRED", out);
    print_word_if(constraint->no_inherit, "NO INHERIT", out);
    print_word_if(constraint->not_valid, "NOT VALID", out);
}

/* ---- columns and other elements ---- */

void print_column_def(const AstColumnDef *column, Buf *out)
{
    ast_print_identifier(column->name, out);
    if (column->type) {
        buf_put_u8(out, ' ');
        ast_print_type(column->type, out);
    }
    if (column->collation.name) {
        buf_put_str(out, " COLLATE ");
        ast_print_name(&column->collation, out);
    }
    print_word_if(column->not_visible, "NOT VISIBLE", out);
    if (column->family) {
        print_word_if(column->create_family, "CREATE", out);
        print_word_if(column->family_if_not_exists, "IF NOT EXISTS", out);
        buf_put_str(out, " FAMILY");
        if (*column->family) {
            buf_put_u8(out, ' ');
            ast_print_identifier(column->family, out);
        }
    }
    for (int i = 0; i < column->constraints.count; i++) {
        buf_put_u8(out, ' ');
        print_constraint(column->constraints.items[i], out);
    }
}

static void print_index_tail(const AstIndexDef *index, Buf *out)
{
    if (index->method) {
        buf_put_str(out, " USING ");
        ast_print_identifier(index->method, out);
    }
    buf_put_u8(out, ' ');
    print_index_elems(&index->key, out);
    print_key_clauses(&index->hash, &index->options, &index->including, &index->split, out);
    print_word_if(index->nulls_not_distinct, "NULLS NOT DISTINCT", out);
    print_partition_by(&index->partition, out);
    if (index->tablespace) {
        buf_put_str(out, " TABLESPACE ");
        ast_print_identifier(index->tablespace, out);
    }
    if (index->where) {
        buf_put_str(out, " WHERE ");
        ast_print_expr(index->where, out);
    }
    print_word_if(index->not_visible, "NOT VISIBLE", out);
}

static void print_index_kind(const AstIndexDef *index, Buf *out)
{
    if (index->unique) buf_put_str(out, "UNIQUE ");
    if (index->inverted) buf_put_str(out, "INVERTED ");
    if (index->vector) buf_put_str(out, "VECTOR ");
    buf_put_str(out, "INDEX");
}

static void print_inline_index(const AstIndexDef *index, Buf *out)
{
    print_index_kind(index, out);
    if (index->name) {
        buf_put_u8(out, ' ');
        ast_print_identifier(index->name, out);
    }
    print_index_tail(index, out);
}

static void print_family(const AstFamilyDef *family, Buf *out)
{
    buf_put_str(out, "FAMILY");
    if (family->name) {
        buf_put_u8(out, ' ');
        ast_print_identifier(family->name, out);
    }
    print_paren_names(&family->columns, out);
}

static void print_like(const AstTableLike *like, Buf *out)
{
    buf_put_str(out, "LIKE ");
    ast_print_name(&like->table, out);
    for (int i = 0; i < like->options.count; i++)
        buf_printf(out, " %s %s", like->options.items[i].excluding ? "EXCLUDING" : "INCLUDING", like->options.items[i].name);
}

static void print_elem(const AstTableElem *elem, Buf *out)
{
    if (elem->column) print_column_def(elem->column, out);
    if (elem->constraint) print_constraint(elem->constraint, out);
    if (elem->index) print_inline_index(elem->index, out);
    if (elem->family) print_family(elem->family, out);
    if (elem->like) print_like(elem->like, out);
}

static void print_elems(const AstTableElemVec *elems, bool always, Buf *out)
{
    if (elems->count == 0 && !always) return;
    buf_put_str(out, " (");
    for (int i = 0; i < elems->count; i++) {
        if (i) buf_put_str(out, ", ");
        print_elem(&elems->items[i], out);
    }
    buf_put_u8(out, ')');
}

/* ---- statements ---- */

static void print_create(AstPersistence persistence, const char *what, bool if_not_exists, const AstName *name, Buf *out)
{
    static const char *const words[] = {"CREATE ", "CREATE TEMPORARY ", "CREATE UNLOGGED "};
    buf_put_str(out, words[persistence]);
    buf_put_str(out, what);
    print_word_if(if_not_exists, "IF NOT EXISTS", out);
    buf_put_u8(out, ' ');
    ast_print_name(name, out);
}

static void print_named_clause(const char *word, const char *name, Buf *out)
{
    if (!name) return;
    print_word_if(true, word, out);
    buf_put_u8(out, ' ');
    ast_print_identifier(name, out);
}

static void print_on_commit(AstOnCommit on_commit, Buf *out)
{
    static const char *const words[] = {"", " ON COMMIT PRESERVE ROWS", " ON COMMIT DELETE ROWS", " ON COMMIT DROP"};
    buf_put_str(out, words[on_commit]);
}

/* All that stands behind the name. */
static void print_table_body(const AstCreateTable *stmt, Buf *out)
{
    bool typed = stmt->partition_of.name || stmt->of_type.name;
    if (stmt->partition_of.name) {
        buf_put_str(out, " PARTITION OF ");
        ast_print_name(&stmt->partition_of, out);
    }
    if (stmt->of_type.name) {
        buf_put_str(out, " OF ");
        ast_print_name(&stmt->of_type, out);
    }
    print_elems(&stmt->elems, !typed, out);
    print_partition_bound(&stmt->bound, out);
    if (stmt->inherits.count > 0) {
        buf_put_str(out, " INHERITS (");
        print_name_list(&stmt->inherits, out);
        buf_put_u8(out, ')');
    }
    print_partition_by(&stmt->partition, out);
    print_named_clause("USING", stmt->access_method, out);
    print_params("WITH", &stmt->options, out);
    print_on_commit(stmt->on_commit, out);
    print_named_clause("TABLESPACE", stmt->tablespace, out);
    print_split(&stmt->split, out);
    print_word_if(stmt->locality != NULL, stmt->locality, out);
}

static void print_create_table(const AstCreateTable *stmt, Buf *out)
{
    print_create(stmt->persistence, "TABLE", stmt->if_not_exists, &stmt->name, out);
    print_table_body(stmt, out);
}

static void print_forecast(const AstForecast *stmt, Buf *out)
{
    const AstCreateTable *table = (const AstCreateTable *)stmt->table;
    buf_put_str(out, "FORECAST TABLE ");
    ast_print_name(&table->name, out);
    print_table_body(table, out);
    buf_put_str(out, " FROM (");
    ast_print_stmt(stmt->query, out);
    buf_put_u8(out, ')');
    for (int i = 0; i < stmt->options.count; i++) {
        buf_put_u8(out, ' ');
        ast_print_identifier(stmt->options.items[i].name, out);
        buf_put_u8(out, ' ');
        ast_print_expr(stmt->options.items[i].value, out);
    }
}

static void print_create_table_as(const AstCreateTableAs *stmt, Buf *out)
{
    print_create(stmt->persistence, stmt->materialized_view ? "MATERIALIZED VIEW" : "TABLE", stmt->if_not_exists, &stmt->name, out);
    print_paren_names(&stmt->columns, out);
    print_named_clause("USING", stmt->access_method, out);
    print_params("WITH", &stmt->options, out);
    print_on_commit(stmt->on_commit, out);
    print_named_clause("TABLESPACE", stmt->tablespace, out);
    buf_put_str(out, " AS ");
    ast_print_stmt(stmt->query, out);
    print_word_if(stmt->no_data, "WITH NO DATA", out);
}

static void print_create_index(const AstCreateIndex *stmt, Buf *out)
{
    buf_put_str(out, "CREATE ");
    print_index_kind(stmt->index, out);
    print_word_if(stmt->concurrently, "CONCURRENTLY", out);
    print_word_if(stmt->nonconcurrently, "NONCONCURRENTLY", out);
    print_word_if(stmt->if_not_exists, "IF NOT EXISTS", out);
    if (stmt->index->name) {
        buf_put_u8(out, ' ');
        ast_print_identifier(stmt->index->name, out);
    }
    buf_put_str(out, stmt->only ? " ON ONLY " : " ON ");
    ast_print_name(&stmt->table, out);
    print_index_tail(stmt->index, out);
}

bool print_ddl(const AstStmt *stmt, Buf *out)
{
    if (stmt->kind == AST_CREATE_TABLE)
        print_create_table((const AstCreateTable *)stmt, out);
    else if (stmt->kind == AST_FORECAST)
        print_forecast((const AstForecast *)stmt, out);
    else if (stmt->kind == AST_CREATE_TABLE_AS)
        print_create_table_as((const AstCreateTableAs *)stmt, out);
    else if (stmt->kind == AST_CREATE_INDEX)
        print_create_index((const AstCreateIndex *)stmt, out);
    else if (stmt->kind == AST_ALTER_TABLE)
        print_alter_table((const AstAlterTable *)stmt, out);
    else
        return false;
    return true;
}
