//////////////////////// Head: interface, precedence, start ////////////////////////
// Sections are joined in the order of their numbers. A rule is a production and one call of a builder; lists grow by
// LIST (first item) and PUSH. There are no conflicts, and none may be added.
%name Grammar
%token_prefix TK_
%token_type {Token}
%default_type {Token}
%extra_argument {Parser *p}
%stack_size 0
%include {
#include <assert.h>
#include <stdlib.h>

#include "parser/build.h"

#define PUSH(list, ...) VEC_PUSH(p->arena, list, __VA_ARGS__)
#define LIST(list, ...) do { memset(&(list), 0, sizeof(list)); PUSH(list, __VA_ARGS__); } while (0)
#define NONE(value) memset(&(value), 0, sizeof(value))
}
%syntax_error { parser_syntax_error(p, &TOKEN); }
%code {
/* Entries on the parser's stack, for the bound on nesting. */
int grammar_depth(const void *parser)
{
    const yyParser *state = parser;
    return (int)(state->yytos - state->yystack);
}
}

// PostgreSQL's precedences, the weakest first.
%left UNION EXCEPT.
%left INTERSECT.
%left OR.
%left AND.
%right NOT.
%nonassoc IS ISNULL NOTNULL.
%nonassoc LT GT EQ LE GE NE.
%nonassoc BETWEEN IN LIKE ILIKE SIMILAR NOT_LA.
%nonassoc ESCAPE.
%nonassoc UNBOUNDED.
%nonassoc ID PARTITION RANGE ROWS GROUPS PRECEDING FOLLOWING CUBE ROLLUP.
%left OP OPERATOR AT_SIGN.
%left PLUS MINUS.
%left STAR SLASH PERCENT.
%left CARET.
%left AT_LA.
%left COLLATE.
%right UMINUS.
%left LBRACKET RBRACKET.
%left LP RP.
%left TYPECAST ANNOTATE.
%left JOIN CROSS LEFT FULL RIGHT INNER NATURAL.

// Tokens that no rule accepts: what starts with them is a syntax error.
%token ILLEGAL DOT_DOT.
%wildcard ANYTHING.

%start_symbol start
start ::= START_STMT stmt(S). { p->stmt = S; }
start ::= START_EXPR expr(E). { p->expr = E; }
start ::= START_TYPE type(T). { p->type = T; }
