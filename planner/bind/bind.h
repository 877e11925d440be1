/* bind.h - from the syntax tree to logical queries and bound utilities: what the files of bind/ share.
 *
 * A Binder serves one statement. It hands out ColIds and CTE numbers, collects the types of parameters, and carries the
 * scope that names are looked up in. Everything made is in its arena. Errors have positions of the statement's text.
 */
#ifndef PLANNER_BIND_BIND_H
#define PLANNER_BIND_BIND_H

#include "parser/ast_session.h"
#include "planner/rel.h"
#include "planner/session.h"
#include "planner/utility.h"

typedef struct Scope Scope; /* scope.h */

/* What an expression is part of: decides what it may contain and how errors call it (bind_clause.c). */
#define BIND_CLAUSES(X)                                                                                              \
    X(CLAUSE_SELECT, "SELECT") X(CLAUSE_WHERE, "WHERE") X(CLAUSE_ON, "JOIN conditions") X(CLAUSE_FROM, "functions in FROM") \
    X(CLAUSE_GROUP_BY, "GROUP BY") X(CLAUSE_HAVING, "HAVING") X(CLAUSE_ORDER_BY, "ORDER BY")                         \
    X(CLAUSE_DISTINCT_ON, "DISTINCT ON") X(CLAUSE_LIMIT, "LIMIT") X(CLAUSE_OFFSET, "OFFSET")                         \
    X(CLAUSE_WINDOW, "window definitions") X(CLAUSE_FILTER, "FILTER") X(CLAUSE_VALUES, "VALUES")                     \
    X(CLAUSE_RETURNING, "RETURNING") X(CLAUSE_UPDATE_SET, "UPDATE") X(CLAUSE_INSERT, "INSERT")                       \
    X(CLAUSE_DEFAULT, "DEFAULT expressions") X(CLAUSE_CHECK, "check constraints")                                    \
    X(CLAUSE_COMPUTED, "column generation expressions") X(CLAUSE_INDEX, "index expressions")                         \
    X(CLAUSE_INDEX_PREDICATE, "index predicates") X(CLAUSE_PARTITION, "partition bound") X(CLAUSE_EXECUTE, "EXECUTE parameters") \
    X(CLAUSE_ALTER_USING, "transform expressions") X(CLAUSE_SPLIT, "SPLIT AT") X(CLAUSE_COPY_WHERE, "COPY FROM WHERE conditions")

typedef enum BindClause {
#define BIND_CLAUSE(clause, words) clause,
    BIND_CLAUSES(BIND_CLAUSE)
#undef BIND_CLAUSE
} BindClause;

/* What the names in a query's text mean, for who wants to change the text (bind_ddl_view_text.c). */
typedef struct ColumnUse {
    const AstColumn *ast;
    Oid relation;
    uint32_t column_id;
} ColumnUse;
typedef struct RelationUse {
    const AstFromTable *ast;
    Oid relation;
} RelationUse;
typedef struct NameUses {
    VEC(ColumnUse) columns;
    VEC(RelationUse) tables;
    VEC(const AstTarget *) targets;
} NameUses;

/* A relation that the statement names, and what it does with it (bind_access.c). */
typedef struct Access {
    const Desc *desc;
    const char *role;           /* who must be allowed to: the owner of the view whose query names it; NULL: the current user */
    uint32_t wanted;            /* ACL_... */
    IntVec selected, inserted, updated; /* ids of columns */
    const RelColumn *columns;   /* its own in the query, to find it by theirs */
    int column_count;
} Access;

typedef struct Binder {
    Session *session;
    Arena *arena;
    Error *err;
    TypeCtx types;           /* arena, session's env, err: for literals */
    Scope *scope;            /* where names are looked up now; NULL: no columns at all */
    BindClause clause;
    ColId next_column;       /* the next to hand out */
    int next_cte;
    VEC(TypeRef) params;     /* $1 ...: as declared or inferred; oid 0: not known yet */
    bool params_fixed;       /* the texts of catalog expressions know no parameters */
    const Value *param_values;
    int depth;               /* of nested queries and views, against runaway recursion */
    bool modifies;           /* a part of the statement writes */
    TableUseVec tables;      /* that its queries use */
    AstLockingVec locks_from_above; /* FOR UPDATE of the query around, for the one that is bound next */
    IntVec *view_uses;       /* not NULL: a view's query, which is kept as text: names note what they are found to be,
                                and the relations that are named, by id, are listed here */
    VEC(Access *) accesses;
    const char *acting;      /* inside a view's query: its owner */
    bool trusted;            /* inside a query of rowkey's own: nothing is checked */
    const SystemRelation *denied_system; /* NULL: no system relation is named that the user may not read */
    NameUses *uses;          /* NULL: nobody wants to know */
    const char *text;        /* the statement's, for the printed form of subqueries; NULL: not at hand */
} Binder;

void binder_init(Binder *binder, Session *session, Arena *arena, Error *err);

/* Remembers that the statement uses a table, in this mode at least once. */
void binder_use_table(Binder *binder, const TableDesc *table, TableLockMode mode);

/* Notes that the statement uses the relation so. */
Access *bind_access(Binder *binder, const Desc *desc, uint32_t wanted);
/* Notes that it reads, inserts or updates (ACL_SELECT ...) a column. */
void bind_access_column(Binder *binder, Access *access, uint32_t privilege, uint32_t column_id);
/* Why the current user may not run the statement, once it is bound; NULL: it may. */
const Error *bind_denied(Binder *binder);

static inline ColId binder_new_column(Binder *binder)
{
    return binder->next_column++;
}

/* ---- names ---- */

typedef struct BoundName {
    const Desc *desc;               /* a table, view, sequence ..., or NULL */
    const SystemRelation *system;   /* or this */
    DescId schema;
} BoundName;
/* Looks a relation up, through search_path if it is not qualified. Not found: *found has neither; with an error only
 * when `required` (42P01 at the name's position). Another database than the session's: 0A000. */
Status bind_find_relation(Binder *binder, const AstName *name, bool required, BoundName *found);
/* 42P01, or 42809 `"v" is not a table`. */
Status bind_find_table(Binder *binder, const AstName *name, const TableDesc **table);
/* t@i, or i alone: 42704 / 42P01 if there is none. */
Status bind_find_index(Binder *binder, const AstIndexName *name, const TableDesc **table, const IndexDesc **index);
/* The schema that a CREATE of this name goes to: 3F000 if there is none. */
Status bind_creation_schema(Binder *binder, const AstName *name, DescId *schema);
Status bind_type(Binder *binder, const AstType *type, TypeRef *out); /* serial types: 42704, DDL looks at them before */
const char *bind_qualified_text(Binder *binder, const AstName *name); /* "s.t" as errors print it */

/* ---- expressions ---- */

/* In binder->scope and binder->clause. Literals that nothing gave a type to stay of type unknown. */
Status bind_expr(Binder *binder, const AstExpr *ast, Expr **out);
/* The same, made boolean: 42804 `argument of WHERE must be type boolean, not type integer`. */
Status bind_condition(Binder *binder, const AstExpr *ast, const char *construct, Expr **out);
/* Fits an expression to a type. An explicit cast: 42846 where there is none. */
Status bind_coerce(Binder *binder, Expr *e, TypeRef wanted, CastContext context, int position, Expr **out);
/* As the value of a column: 42804 `column "x" is of type integer but expression is of type text`. */
Status bind_coerce_assignment(Binder *binder, Expr *e, TypeRef wanted, const char *column, Expr **out);
/* A domain's CHECK over the column `value`. */
Status bind_domain_check(Binder *binder, const TypeDesc *domain, const char *text, ColId value, Expr **out);
/* unknown becomes text. */
Status bind_resolve_unknown(Binder *binder, Expr *e, Expr **out);

/* An expression over a table's columns alone, or over none (columns NULL): DEFAULT, CHECK, computed columns, predicates,
 * SPLIT AT values. */
typedef struct Standalone {
    BindClause clause;
    const TableDesc *table;
    const RelColumn *columns;
    TypeRef wanted;   /* oid 0: the expression's own; otherwise coerced as an assignment to column `name` */
    const char *name;
} Standalone;
Status bind_standalone(Binder *binder, const AstExpr *ast, const Standalone *how, Expr **out);
/* Fresh columns for a table, by ordinal. */
RelColumn *bind_table_columns(Binder *binder, const TableDesc *table);
/* Evaluates an expression without columns at once (volatile functions included): through a FuncDef's body. ST_ERROR with the
 * body's error. *known false: it holds something that only the executor can evaluate. */
Status bind_fold(Binder *binder, const Expr *e, Value *value, bool *known);

/* ---- queries ---- */

/* SELECT, INSERT, UPDATE, DELETE, in a scope of their own. */
Status bind_query_stmt(Binder *binder, const AstStmt *stmt, Rel **out);
Status bind_select(Binder *binder, const AstSelect *select, Rel **out);
Status bind_insert(Binder *binder, const AstInsert *insert, Rel **out);
Status bind_update(Binder *binder, const AstUpdate *update, Rel **out);
Status bind_delete(Binder *binder, const AstDelete *delete_, Rel **out);
/* The text of a SELECT, as views and the SHOW forms have it, bound in an empty scope. */
Status bind_query_text(Binder *binder, const char *text, Rel **out);

/* ---- by others ---- */

/* [SHOW TABLES], [SPLIT AT ...] in FROM, and SHOW as a statement: a relation (bind_show.c). */
Status bind_bracketed(Binder *binder, const AstStmt *stmt, Rel **out);
/* CREATE, ALTER, DROP, key space ...: everything that is neither a query nor bind_session.c's (bind_ddl.c). */
Status bind_ddl(Binder *binder, const AstStmt *stmt, Plan **out);
/* BEGIN, SET, PREPARE, EXPLAIN, COPY ... *handled false: not one of these. */
Status bind_session(Binder *binder, const AstStmt *stmt, Plan **out, bool *handled);

/* Plans a bound query that stands inside the statement: EXPLAIN, DECLARE, COPY, CREATE TABLE AS, SPLIT AT (plan.c). Its
 * parameters are the binder's. */
struct PlannedStmt;
Status plan_nested(Binder *binder, Rel *rel, struct PlannedStmt **planned);

/* A zeroed utility plan of that struct size. */
void *bind_utility(Binder *binder, UtilityKind kind, const char *tag, size_t size);
/* Gives a utility the rows it returns. */
void bind_utility_columns(Binder *binder, PlanUtility *utility, const RelColumn *columns, int count);

#endif
