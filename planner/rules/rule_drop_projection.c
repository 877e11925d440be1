/* rule_drop_projection.c - projections that do nothing, and projections of projections.
 *
 *   project(a, b)                                     project(a, b + 1 AS c)
 *     project(a, b, c)          ->  project(a, b)       project(a, b)          ->  project(a, b + 1 AS c)
 *       scan                          scan                scan                       scan
 *
 * A projection that passes on exactly its input's columns, in their order and under their ids, goes away. One over
 * another is merged with it where the lower one's expressions are plain columns. The names of the upper one stay.
 */
#include "planner/rules/rules.h"

static bool passes(const RelProject *project, int i)
{
    const Expr *e = project->exprs[i];
    return e->kind == EXPR_COLUMN && ((const ExprColumn *)e)->column == project->base.columns[i].id;
}

static bool is_identity(const RelProject *project)
{
    const Rel *rel = &project->base, *input = rel->inputs[0];
    if (rel->column_count != input->column_count) return false;
    for (int i = 0; i < rel->column_count; i++)
        if (!passes(project, i) || rel->columns[i].id != input->columns[i].id) return false;
    return true;
}

static bool only_columns(const RelProject *project)
{
    for (int i = 0; i < project->base.column_count; i++)
        if (project->exprs[i]->kind != EXPR_COLUMN) return false;
    return true;
}

/* What renames columns is written into the node above it. */
static void merge(Rewriting *r, RelProject *upper, const RelProject *lower)
{
    int count = lower->base.column_count;
    ColId *columns = ARENA_ARRAY(r->arena, ColId, count);
    for (int i = 0; i < count; i++) columns[i] = lower->base.columns[i].id;
    for (int i = 0; i < upper->base.column_count; i++)
        upper->exprs[i] = expr_substitute(r->arena, upper->exprs[i], columns, lower->exprs, count);
    upper->base.inputs[0] = lower->base.inputs[0];
}

static Status drop_projection(Rewriting *r, Rel **rel)
{
    if ((*rel)->kind != REL_PROJECT) return ST_OK;
    RelProject *project = (RelProject *)*rel;
    while (project->base.inputs[0]->kind == REL_PROJECT && only_columns((const RelProject *)project->base.inputs[0]))
        merge(r, project, (const RelProject *)project->base.inputs[0]);
    if (!is_identity(project)) return ST_OK;
    Rel *input = project->base.inputs[0];
    bool renamed = false;
    for (int i = 0; i < input->column_count; i++) {
        renamed |= strcmp(input->columns[i].name, project->base.columns[i].name) != 0;
        renamed |= input->columns[i].hidden != project->base.columns[i].hidden;
    }
    if (!renamed) *rel = input;
    return ST_OK;
}

const Rule rule_drop_projection = {"drop_projection", drop_projection, false, SETTING_enable_rule_drop_projection};
