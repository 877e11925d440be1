#include "planner/bind/bind_ddl_rename.h"

#include "parser/ast_print.h"
#include "parser/parse.h"

typedef struct Renaming {
    const char *old_name, *new_name; /* new_name NULL: only look */
    bool found;
} Renaming;

static void visit(Renaming *r, AstExpr *e);

static void visit_all(Renaming *r, const AstExprVec *items)
{
    for (int i = 0; i < items->count; i++) visit(r, items->items[i]);
}

static void visit_call(Renaming *r, AstCall *call)
{
    visit_all(r, &call->args);
    for (int i = 0; i < call->order.count; i++) visit(r, call->order.items[i].expr);
    visit(r, call->filter);
}

static void visit_case(Renaming *r, AstCase *c)
{
    visit(r, c->arg);
    for (int i = 0; i < c->whens.count; i++) {
        visit(r, c->whens.items[i].when);
        visit(r, c->whens.items[i].then);
    }
    visit(r, c->otherwise);
}

static void visit_subscript(Renaming *r, AstSubscript *s)
{
    visit(r, s->arg);
    for (int i = 0; i < s->items.count; i++) {
        visit(r, s->items.items[i].lower);
        visit(r, s->items.items[i].upper);
    }
}

static void visit_column(Renaming *r, AstColumn *column)
{
    if (!column->names.count || strcmp(VEC_LAST(column->names), r->old_name) != 0) return;
    r->found = true;
    if (r->new_name) VEC_LAST(column->names) = r->new_name;
}

/* Subqueries are not entered: the expressions of the catalog have none. */
static void visit(Renaming *r, AstExpr *e)
{
    if (!e) return;
    switch (e->kind) {
    case AST_COLUMN: visit_column(r, (AstColumn *)e); break;
    case AST_CALL: visit_call(r, (AstCall *)e); break;
    case AST_OP: visit(r, ((AstOp *)e)->left), visit(r, ((AstOp *)e)->right); break;
    case AST_AND:
    case AST_OR:
    case AST_ARRAY:
    case AST_COALESCE:
    case AST_NULLIF:
    case AST_GREATEST:
    case AST_LEAST:
    case AST_GROUPING: visit_all(r, &((AstList *)e)->items); break;
    case AST_NOT: visit(r, ((AstUnary *)e)->arg); break;
    case AST_LIKE:
        visit(r, ((AstLike *)e)->left), visit(r, ((AstLike *)e)->pattern), visit(r, ((AstLike *)e)->escape);
        break;
    case AST_BETWEEN:
        visit(r, ((AstBetween *)e)->arg), visit(r, ((AstBetween *)e)->low), visit(r, ((AstBetween *)e)->high);
        break;
    case AST_IN_LIST:
    case AST_IN_SUBQUERY: visit(r, ((AstIn *)e)->left), visit_all(r, &((AstIn *)e)->items); break;
    case AST_QUANTIFIED: visit(r, ((AstQuantified *)e)->left), visit(r, ((AstQuantified *)e)->array); break;
    case AST_IS: visit(r, ((AstIs *)e)->arg); break;
    case AST_DISTINCT_FROM: visit(r, ((AstDistinctFrom *)e)->left), visit(r, ((AstDistinctFrom *)e)->right); break;
    case AST_CASE: visit_case(r, (AstCase *)e); break;
    case AST_CAST: visit(r, ((AstCast *)e)->arg); break;
    case AST_COLLATE: visit(r, ((AstCollate *)e)->arg); break;
    case AST_SUBSCRIPT: visit_subscript(r, (AstSubscript *)e); break;
    case AST_FIELD: visit(r, ((AstField *)e)->arg); break;
    case AST_ROW: visit_all(r, &((AstRow *)e)->items); break;
    case AST_LITERAL:
    case AST_PARAM:
    case AST_SUBQUERY:
    case AST_SQL_VALUE:
    case AST_GROUPING_SET:
    case AST_CURRENT_OF:
    case AST_DEFAULT:
    case AST_MINVALUE:
    case AST_MAXVALUE: break;
    }
}

bool ddl_text_uses_column(Binder *b, const char *expr_text, const char *column)
{
    AstExpr *e;
    Error ignored; /* a text that does not parse cannot be checked: it counts as using everything */
    if (parse_expr_text(expr_text, &e, b->arena, &ignored) != ST_OK) return true;
    Renaming r = {.old_name = column};
    visit(&r, e);
    return r.found;
}

Status ddl_rename_column_in_text(Binder *b, const char **expr_text, const char *old_name, const char *new_name)
{
    AstExpr *e;
    TRY(parse_expr_text(*expr_text, &e, b->arena, b->err));
    Renaming r = {.old_name = old_name, .new_name = new_name};
    visit(&r, e);
    if (r.found) *expr_text = ast_expr_text(e, b->arena);
    return ST_OK;
}

bool ddl_query_uses_name(Binder *b, const char *query_text, const char *name)
{
    const char *word = ddl_quoted(b, name);
    size_t size = strlen(word);
    for (const char *p = strstr(query_text, word); p; p = strstr(p + 1, word)) {
        unsigned char before = p == query_text ? ' ' : (unsigned char)p[-1], after = (unsigned char)p[size];
        bool inside = before == '_' || (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9') ||
                      after == '_' || (after >= 'a' && after <= 'z') || (after >= '0' && after <= '9');
        if (!inside) return true;
    }
    return strstr(query_text, "*") != NULL;
}
