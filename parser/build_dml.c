/* build_dml.c - INSERT, UPSERT, UPDATE, DELETE. */
#include "parser/build.h"

#include <string.h>

AssignedColumn build_assigned_column(Parser *p, const Token *name, const IndirectionVec *steps)
{
    for (int i = 0; i < steps->count; i++)
        if (steps->items[i].kind == STEP_STAR)
            build_fail(p, ERR_SYNTAX_ERROR, steps->items[i].position, "syntax error at or near \"*\"");
    return (AssignedColumn){.name = *name, .indirection = steps->count > 0};
}

void build_assigned_add(Parser *p, NameList *list, const AssignedColumn *column)
{
    VEC_PUSH(p->arena, list->names, column->name.value);
    VEC_PUSH(p->arena, list->positions, column->name.position);
    list->indirection |= column->indirection;
}

/* ---- INSERT ---- */

AstInsert *build_insert_rest(Parser *p, const NameList *columns, AstOverriding overriding, AstSelect *query)
{
    AstInsert *insert = ARENA_NEW(p->arena, AstInsert);
    if (columns) {
        insert->has_columns = true;
        insert->columns = columns->names;
        insert->column_positions = columns->positions;
        if (columns->indirection) build_refuse(p, columns->positions.items[0], "INSERT into a subfield or an array element");
    }
    insert->overriding = overriding;
    insert->query = query;
    if (query) build_finish(p, &query->base);
    return insert;
}

AstInsert *build_conflict_target(Parser *p, const AstIndexElemVec *elems, AstExpr *where, const char *constraint)
{
    AstInsert *insert = ARENA_NEW(p->arena, AstInsert);
    if (elems) insert->conflict_target = *elems;
    insert->conflict_where = where;
    insert->conflict_constraint = constraint;
    return insert;
}

AstInsert *build_on_conflict(Parser *p, const Token *at, AstInsert *target, const AstAssignmentVec *set, AstExpr *where)
{
    AstInsert *insert = target ? target : ARENA_NEW(p->arena, AstInsert);
    insert->on_conflict = set ? AST_ON_CONFLICT_UPDATE : AST_ON_CONFLICT_NOTHING;
    insert->conflict_position = at->position;
    if (set) insert->set = *set;
    insert->set_where = where;
    return insert;
}

AstInsert *build_conflict(AstInsert *insert, const AstInsert *conflict)
{
    if (!conflict) return insert;
    insert->on_conflict = conflict->on_conflict;
    insert->conflict_position = conflict->conflict_position;
    insert->conflict_target = conflict->conflict_target;
    insert->conflict_where = conflict->conflict_where;
    insert->conflict_constraint = conflict->conflict_constraint;
    insert->set = conflict->set;
    insert->set_where = conflict->set_where;
    return insert;
}

/* A statement with WITH starts there. */
static void start_stmt(Parser *p, AstStmt *stmt, AstStmtKind kind, const AstWith *with, const Token *first)
{
    stmt->kind = kind;
    stmt->position = with ? with->position : first->position;
    stmt->source.data = (const uint8_t *)(with ? with->text : first->text);
    build_finish(p, stmt);
}

AstStmt *build_insert(Parser *p, AstWith *with, const Token *first, const InsertTarget *target, AstInsert *insert,
                      const Returning *returning)
{
    start_stmt(p, &insert->base, AST_INSERT, with, first);
    insert->upsert = strcmp(first->value, "upsert") == 0;
    insert->with = with;
    insert->table = target->name;
    insert->alias = target->alias;
    insert->has_returning = returning->present;
    insert->returning = returning->targets;
    return &insert->base;
}

/* ---- UPDATE, DELETE ---- */

/* What stands behind SET or USING is alike in both; it is collected in an AstUpdate. */
AstUpdate *build_update_tail(Parser *p, const FromClause *from, AstExpr *where, const AstSortVec *order, Limit limit,
                             const Returning *returning)
{
    AstUpdate *update = ARENA_NEW(p->arena, AstUpdate);
    if (from) update->from = from->items;
    if (from && from->as_of) build_fail(p, ERR_SYNTAX_ERROR, from->as_of->position, "AS OF SYSTEM TIME is not allowed here");
    if (limit.offset) build_fail(p, ERR_SYNTAX_ERROR, limit.offset->position, "OFFSET is not allowed here");
    update->where = where;
    update->order_by = *order;
    update->limit = limit.limit;
    update->has_returning = returning->present;
    update->returning = returning->targets;
    return update;
}

AstStmt *build_update(Parser *p, AstWith *with, const Token *first, AstFromTable *table, const AstAssignmentVec *set, AstUpdate *update)
{
    start_stmt(p, &update->base, AST_UPDATE, with, first);
    update->with = with;
    update->table = table;
    update->set = *set;
    return &update->base;
}

AstStmt *build_delete(Parser *p, AstWith *with, const Token *first, AstFromTable *table, const AstFromVec *items, const AstUpdate *tail)
{
    AstDelete *delete_ = ARENA_NEW(p->arena, AstDelete);
    start_stmt(p, &delete_->base, AST_DELETE, with, first);
    delete_->with = with;
    delete_->table = table;
    delete_->using_ = *items;
    delete_->where = tail->where;
    delete_->order_by = tail->order_by;
    delete_->limit = tail->limit;
    delete_->has_returning = tail->has_returning;
    delete_->returning = tail->returning;
    return &delete_->base;
}

AstAssignment build_assignment(Parser *p, const AssignedColumn *column, AstExpr *value)
{
    AstAssignment assignment = {.position = column->name.position, .indirection = column->indirection, .value = value};
    VEC_PUSH(p->arena, assignment.columns, column->name.value);
    VEC_PUSH(p->arena, assignment.positions, column->name.position);
    return assignment;
}

AstAssignment build_assignment_multi(const Token *at, const NameList *columns, AstExpr *value)
{
    return (AstAssignment){.position = at->position, .columns = columns->names, .positions = columns->positions,
                           .multiple = true, .indirection = columns->indirection, .value = value};
}
