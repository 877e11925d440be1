/* build.h - what the grammar calls: the parser's state, and the values that stand on its stack between a production and
 * the tree. The builders themselves are declared by family in build_expr.h, build_select.h, build_dml.h, build_ddl.h,
 * build_object.h, build_keyspace.h and build_session.h, which this header includes for the grammar.
 *
 * A builder allocates in the statement's arena, checks what the grammar cannot, and never returns NULL for a tree: after
 * build_fail the parser is stopped before the next token, and what was built is thrown away.
 */
#ifndef PARSER_BUILD_H
#define PARSER_BUILD_H

#include "parser/ast_session.h"
#include "parser/lexer.h"

typedef struct Parser {
    Arena *arena;
    Error *err;
    bool failed;
    const char *previous_end; /* behind the last token that was taken: where a finished statement's text ends */
    int deepest;              /* AstExpr.depth and its like: the largest so far */
    AstStmt *stmt;            /* results, by what was asked for */
    AstExpr *expr;
    AstType *type;
} Parser;

/* In the grammar's file. */
int grammar_depth(const void *parser);

void parser_syntax_error(Parser *p, const Token *token);
/* The first fault counts. */
void build_fail(Parser *p, SqlState state, int position, const char *format, ...) __attribute__((format(printf, 4, 5)));
void build_refuse(Parser *p, int position, const char *what); /* 0A000: `what` is not supported */
/* Bounds a depth and notes it in p->deepest. */
int build_depth(Parser *p, int depth);

/* Names with where they stand; indirection: one of them was a.b or a[1]. */
typedef struct NameList {
    StrVec names;
    IntVec positions;
    bool indirection;
} NameList;
typedef struct AssignedColumn { Token name; bool indirection; } AssignedColumn;

typedef struct IntervalFields { const char *fields; int precision; /* -1: none */ } IntervalFields;
typedef struct Operator { const char *schema, *op; int position; } Operator;
typedef struct CallArg { const char *name; AstExpr *expr; } CallArg;
typedef VEC(CallArg) CallArgVec;
enum { CALL_STAR = 1, CALL_DISTINCT = 2, CALL_VARIADIC = 4 };

typedef enum StepKind { STEP_FIELD, STEP_STAR, STEP_SUBSCRIPT } StepKind;
typedef struct Indirection {
    StepKind kind;
    int position;
    const char *name;
    AstSubscriptItem item;
} Indirection;
typedef VEC(Indirection) IndirectionVec;

typedef struct FrameEdge { AstFrameBound bound; AstExpr *offset; Token token; } FrameEdge;
typedef struct Limit { AstExpr *limit, *offset; bool with_ties; } Limit;
typedef struct FromClause { AstFromVec items; AstExpr *as_of; } FromClause;
typedef struct JoinCondition { AstExpr *on; StrVec using_columns; const char *alias; } JoinCondition;
typedef struct InsertTarget { AstName name; const char *alias; } InsertTarget;
typedef struct Returning { bool present; AstTargetVec targets; } Returning;

typedef struct RelationName { AstName name; bool only; } RelationName;
typedef struct CreateAsFlags { AstPersistence persistence; bool if_not_exists, no_data; } CreateAsFlags;
/* One clause behind the columns of a key or an index; what is not set is empty. */
typedef struct IndexClause {
    Token token;
    AstHash hash;
    AstOptionVec options;
    StrVec including;
    AstSplit split;
} IndexClause;
typedef struct ObjectChange { AstAlterObjectKind change; const char *value; } ObjectChange;
typedef struct EnumPlace { const char *neighbor; bool before; } EnumPlace;
typedef struct GrantObject { AstObject object; bool all_in_schema; AstNameVec names; } GrantObject;
typedef struct RoleFlags { bool user, if_not_exists; } RoleFlags;
typedef struct Grantees { StrVec roles; bool grant_option; const char *granted_by; AstDropBehavior behavior; } Grantees;
typedef struct DefaultOptions { StrVec roles, schemas; } DefaultOptions;
typedef struct KeySpaceTarget { bool of_index; AstIndexName name; } KeySpaceTarget;

/* A zeroed statement that starts with `first` and ends with the last token taken. */
void *build_stmt(Parser *p, AstStmtKind kind, size_t size, const Token *first);
#define NEW_STMT(p, Type, kind, first) ((Type *)build_stmt((p), (kind), sizeof(Type), (first)))
/* The statement's text ends with the last token taken. */
void build_finish(Parser *p, AstStmt *stmt);

#include "parser/build_ddl.h"
#include "parser/build_dml.h"
#include "parser/build_expr.h"
#include "parser/build_keyspace.h"
#include "parser/build_names.h"
#include "parser/build_object.h"
#include "parser/build_select.h"
#include "parser/build_session.h"

#endif
