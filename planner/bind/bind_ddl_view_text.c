/* bind_ddl_view_text.c - a view is kept as text: what it reads gets another name, and the text follows.
 *
 * The text is bound once more while the binder notes what its names mean. Where that is not enough (a star in a subquery, a column
 * that a join is made on) the executor finds that the new text cannot be bound, and refuses the renaming.
 */
#include "parser/ast_print.h"
#include "parser/parse.h"
#include "planner/bind/bind_ddl_alter.h"
#include "storage/catalog/depend.h"

/* The trees here are the caller's own, made to be changed. */
#define OWN(Type, node) ((Type *)(uintptr_t)(node))

static void rename_columns(const NameUses *uses, const Renamed *r)
{
    for (int i = 0; i < uses->columns.count; i++) {
        const ColumnUse *use = &uses->columns.items[i];
        if (use->relation != r->object->id || use->column_id != r->column_id) continue;
        AstColumn *column = OWN(AstColumn, use->ast);
        if (strcmp(VEC_LAST(column->names), r->old_name) != 0) continue;
        /* What it is called outside stays. */
        for (int t = 0; t < uses->targets.count; t++) {
            AstTarget *target = OWN(AstTarget, uses->targets.items[t]);
            if (target->expr == &column->base && !target->alias) target->alias = r->old_name;
        }
        VEC_LAST(column->names) = r->new_name;
    }
}

static void rename_tables(const NameUses *uses, const Renamed *r)
{
    for (int i = 0; i < uses->tables.count; i++) {
        if (uses->tables.items[i].relation != r->object->id) continue;
        AstFromTable *from = OWN(AstFromTable, uses->tables.items[i].ast);
        if (!from->base.alias.name) from->base.alias.name = from->name.name;
        from->name.name = r->new_name;
        if (r->new_schema) from->name.schema = r->new_schema;
    }
}

static Status new_text(Binder *b, const char *text, const Renamed *r, const char **out)
{
    AstStmt *stmt;
    Rel *rel;
    const char *rest = text;
    Binder inner;
    NameUses uses = {0};
    TRY(parse_next(text, &rest, &stmt, b->arena, b->err));
    binder_init(&inner, b->session, b->arena, b->err);
    inner.uses = &uses;
    TRY(bind_query_stmt(&inner, stmt, &rel));
    if (r->column_id) rename_columns(&uses, r);
    else rename_tables(&uses, r);
    *out = ast_stmt_text(stmt, b->arena);
    return ST_OK;
}

Status ddl_rename_in_views(Binder *b, const Renamed *r, ViewChangeVec *changes)
{
    Dependent *list;
    int count = depend_list(b->session->catalog, r->object->id, &list, b->arena);
    for (int i = 0; i < count; i++) {
        if (list[i].desc->kind == DESC_TABLE && ((const TableDesc *)list[i].desc)->view_query)
            return ddl_unsupported(b, 0, arena_printf(b->arena, "renaming what materialized view \"%s\" reads", list[i].desc->name));
        if (list[i].desc->kind != DESC_VIEW) continue;
        ViewDesc *after = arena_copy(b->arena, list[i].desc, sizeof *after);
        TRY(new_text(b, after->query, r, &after->query));
        VEC_PUSH(b->arena, *changes, (DescChange){list[i].desc, &after->base});
    }
    return ST_OK;
}
