/* ast_print.h - the tree back as SQL. Parsing what was printed gives the same tree, positions apart.
 *
 * Words are in upper case, names are quoted where they must be, parentheses stand only where they are needed. Buffers
 * that fail (out->failed) are the caller's to report.
 */
#ifndef PARSER_AST_PRINT_H
#define PARSER_AST_PRINT_H

#include "parser/ast_session.h"
#include "storage/base/buf.h"

void ast_print_stmt(const AstStmt *stmt, Buf *out);
void ast_print_expr(const AstExpr *expr, Buf *out);
void ast_print_type(const AstType *type, Buf *out);
void ast_print_name(const AstName *name, Buf *out);

/* Quoted if it is no plain lower-case identifier, or is a reserved word. */
void ast_print_identifier(const char *name, Buf *out);
/* '...' with quotes doubled; E'...' where there are backslashes is not needed: standard strings. */
void ast_print_string(const char *text, Buf *out);

/* As text in the arena. */
char *ast_expr_text(const AstExpr *expr, Arena *arena);
char *ast_stmt_text(const AstStmt *stmt, Arena *arena);

#endif
