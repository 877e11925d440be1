/* parse.h - from text to tree: the entry of the parser.
 *
 * Texts are UTF-8 and NUL-terminated. Trees and error texts are in the given arena. Faults of the text are 42601 with
 * PostgreSQL's message and the position; nesting that is too deep is 54001. No state is kept between calls.
 */
#ifndef PARSER_PARSE_H
#define PARSER_PARSE_H

#include "parser/ast_session.h"
#include "storage/base/err.h"

/* Parses the statement at *text, a pointer into the text that starts at origin, and moves *text behind it and its
 * semicolon. ST_END: only blanks, comments and semicolons are left (*text is at the end). Positions count from origin.
 * After an error *text is not moved. */
Status parse_next(const char *origin, const char **text, AstStmt **stmt, Arena *arena, Error *err);

/* One expression, as the catalog keeps it: DEFAULT, CHECK, computed columns, predicates. */
Status parse_expr_text(const char *text, AstExpr **expr, Arena *arena, Error *err);

/* A type's name as SQL writes it: 'varchar(20)'::regtype, to_regtype. */
Status parse_type_text(const char *text, AstType **type, Arena *arena, Error *err);

#endif
