/* ast_print_internal.h - what the printers of one family need from another. */
#ifndef PARSER_AST_PRINT_INTERNAL_H
#define PARSER_AST_PRINT_INTERNAL_H

#include "parser/ast_print.h"

/* ---- ast_print.c ---- */
void print_names(const StrVec *names, Buf *out);           /* a, b */
void print_paren_names(const StrVec *names, Buf *out);     /* (a, b), or nothing if there are none; a blank before */
void print_name_list(const AstNameVec *names, Buf *out);
void print_index_name(const AstIndexName *name, Buf *out);
/* A word that a blank separates from what is before it; nothing if the condition is false. */
void print_word_if(bool condition, const char *word, Buf *out);
void print_int(int64_t number, Buf *out);
/* (a = 1, b), a blank before; nothing if there are none. */
void print_params(const char *word, const AstOptionVec *options, Buf *out);
void print_option_value(const AstExpr *value, Buf *out);
void print_drop_behavior(AstDropBehavior behavior, Buf *out);

/* The type in front of a literal, without an interval's fields; and those fields. */
void print_type_before_literal(const AstType *type, Buf *out);
void print_interval_fields(const AstType *type, Buf *out);

/* ---- ast_print_expr.c ---- */
/* An expression where AND, IN, NOT and the like would be misread: in parentheses unless it has none of them. */
void print_plain(const AstExpr *expr, Buf *out);
void print_exprs(const AstExprVec *exprs, Buf *out); /* a, b */
void print_rows(const AstExprRows *rows, Buf *out);  /* (a, b), (c, d) */
void print_order_by(const AstSortVec *order, Buf *out);
void print_window(const AstWindow *window, Buf *out);
void print_function_call(const AstExpr *expr, Buf *out); /* as FROM and an index take it */

/* ---- ast_print_query.c ---- */
void print_select(const AstSelect *select, Buf *out);
void print_insert(const AstInsert *insert, Buf *out);
void print_update(const AstUpdate *update, Buf *out);
void print_delete(const AstDelete *delete_, Buf *out);

/* ---- ast_print_ddl.c, ast_print_alter.c, ast_print_object.c, ast_print_session.c ---- */
void print_index_elems(const AstIndexElemVec *elems, Buf *out); /* (a ASC, lower(b)) */
void print_column_def(const AstColumnDef *column, Buf *out);
void print_constraint(const AstConstraint *constraint, Buf *out);
void print_key_clauses(const AstHash *hash, const AstOptionVec *options, const StrVec *including, const AstSplit *split, Buf *out);
void print_partition_by(const AstPartitionBy *partition, Buf *out);
void print_partition_bound(const AstPartitionBound *bound, Buf *out);
void print_sequence_options(const AstOptionVec *options, Buf *out);
void print_alter_table(const AstAlterTable *stmt, Buf *out);
/* False: the statement is of another family. */
bool print_ddl(const AstStmt *stmt, Buf *out);
bool print_object(const AstStmt *stmt, Buf *out);
bool print_session(const AstStmt *stmt, Buf *out);
void print_show(const AstShow *show, Buf *out);

#endif
