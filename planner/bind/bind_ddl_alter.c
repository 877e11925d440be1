#include "planner/bind/bind_ddl_alter.h"
#include "planner/bind/bind_ddl_owner.h"

#include "parser/ast_print.h"
#include "storage/catalog/depend.h"

/* ---- the draft ---- */

AlterDraft *alter_begin(Binder *b, const TableDesc *before, const char *tag)
{
    AlterDraft *a = ARENA_NEW(b->arena, AlterDraft);
    a->b = b;
    a->before = before;
    a->d = ARENA_NEW(b->arena, TableDraft);
    a->d->b = b;
    a->d->table = table_desc_copy(before, b->arena);
    for (int i = 0; i < before->columns.count; i++) VEC_PUSH(b->arena, a->d->asts, NULL);
    a->utility = bind_utility(b, UTILITY_ALTER_TABLE, tag, sizeof *a->utility);
    return a;
}

void alter_step(AlterDraft *a, AlterStepKind kind, uint32_t id)
{
    VEC_PUSH(a->b->arena, a->utility->steps, (AlterStep){kind, id});
}

/* A rewrite writes every row once, into indexes that all have new ids; the old ones are cleared as a whole. So the steps
 * that fill or clear single indexes fall away. */
static void renumber_indexes(AlterDraft *a)
{
    TableDesc *table = a->d->table;
    for (int i = 0; i < table->indexes.count; i++) {
        IndexDesc *index = &table->indexes.items[i];
        bool is_new = !table_index_by_id(a->before, index->id);
        uint32_t old_id = index->id;
        if (!is_new) index->id = table->next_index_id++;
        for (int s = 0; s < a->d->splits.count && !is_new; s++)
            if (a->d->splits.items[s].index_id == old_id) a->d->splits.items[s].index_id = index->id;
        if (!is_new && index->bucket_count) ddl_presplit_buckets(a->d, index);
    }
    int kept = 0;
    for (int i = 0; i < a->utility->steps.count; i++) {
        AlterStep step = a->utility->steps.items[i];
        if (step.kind != ALTER_STEP_BACKFILL_INDEX && step.kind != ALTER_STEP_CLEAR_INDEX && step.kind != ALTER_STEP_VALIDATE_UNIQUE)
            a->utility->steps.items[kept++] = step;
    }
    a->utility->steps.count = kept;
    alter_step(a, ALTER_STEP_REWRITE, 0);
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].deferrable) alter_step(a, ALTER_STEP_VALIDATE_UNIQUE, table->indexes.items[i].id);
}

void alter_finish(AlterDraft *a, Plan **out)
{
    ddl_finish_indexes(a->d);
    if (a->rewrite) renumber_indexes(a);
    a->utility->before = a->before;
    a->utility->after = a->d->table;
    a->utility->sequences = a->d->sequences;
    a->utility->splits = a->d->splits;
    a->utility->notices = a->d->notices;
    *out = &a->utility->base.base;
}

Status alter_find_column(AlterDraft *a, const char *name, int *ordinal)
{
    *ordinal = table_column_by_name(a->d->table, name);
    if (*ordinal >= 0) return ST_OK;
    return ddl_fail(a->b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist", name,
                    a->before->base.name);
}

static bool column_in_use(const TableDesc *table, uint32_t column_id)
{
    for (int i = 0; i < table->indexes.count; i++)
        for (int c = 0; c < table->indexes.items[i].columns.count; c++)
            if (table->indexes.items[i].columns.items[c].column_id == column_id) return true;
    return false;
}

static void remove_column_at(AlterDraft *a, int ordinal)
{
    TableDesc *table = a->d->table;
    const ColumnDesc *column = &table->columns.items[ordinal];
    if (column->role == COLUMN_BUCKET) {
        const char *check = arena_printf(a->b->arena, "check_%s", column->name);
        int kept = 0;
        for (int i = 0; i < table->checks.count; i++)
            if (!table->checks.items[i].hidden || strcmp(table->checks.items[i].name, check) != 0)
                table->checks.items[kept++] = table->checks.items[i];
        table->checks.count = kept;
    }
    for (int i = ordinal; i + 1 < table->columns.count; i++) {
        table->columns.items[i] = table->columns.items[i + 1];
        a->d->asts.items[i] = a->d->asts.items[i + 1];
    }
    table->columns.count--;
    a->d->asts.count--;
}

void alter_remove_column(AlterDraft *a, int ordinal)
{
    remove_column_at(a, ordinal);
}

void alter_remove_index(AlterDraft *a, uint32_t index_id)
{
    TableDesc *table = a->d->table;
    int kept = 0;
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].id != index_id) table->indexes.items[kept++] = table->indexes.items[i];
    table->indexes.count = kept;
    for (int i = table->columns.count - 1; i >= 0; i--) {
        ColumnRole role = table->columns.items[i].role;
        bool derived = role == COLUMN_BUCKET || role == COLUMN_HASH_CODE || role == COLUMN_EXPRESSION;
        if (derived && !column_in_use(table, table->columns.items[i].id)) remove_column_at(a, i);
    }
    if (table_index_by_id(a->before, index_id)) alter_step(a, ALTER_STEP_CLEAR_INDEX, index_id);
}

/* ---- CREATE INDEX ---- */

Status bind_create_index(Binder *b, const AstCreateIndex *ast, Plan **out)
{
    const TableDesc *table;
    const char *name = ast->index->name;
    TRY(ddl_find_table(b, &ast->table, &table));
    TRY(ddl_check_owner(b, &table->base));
    if (name && ddl_relation_exists(b, table->base.parent_schema, name)) {
        if (!ast->if_not_exists) return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", name);
        return ddl_skip(b, "CREATE INDEX", ERR_DUPLICATE_TABLE, out, "relation \"%s\" already exists, skipping",
                        name);
    }
    IndexSpec spec;
    IndexDesc *index;
    TRY(ddl_spec_of_index(b, ast->index, &spec));
    AlterDraft *a = alter_begin(b, table, "CREATE INDEX");
    TRY(ddl_add_index(a->d, &spec, 0, &index));
    alter_step(a, ALTER_STEP_BACKFILL_INDEX, index->id);
    ddl_advise(a->d, index);
    alter_finish(a, out);
    return ST_OK;
}

/* ---- DROP INDEX ---- */

static Status find_index_if_any(Binder *b, const AstIndexName *name, const TableDesc **table, const IndexDesc **index)
{
    *table = NULL;
    if (name->table.name) {
        BoundName found;
        TRY(ddl_find_relation(b, &name->table, false, &found));
        if (!found.desc || found.desc->kind != DESC_TABLE) return ST_OK;
        *index = table_index_by_name((const TableDesc *)found.desc, name->index);
        if (*index) *table = (const TableDesc *)found.desc;
        return ST_OK;
    }
    const DescId *path;
    int count = session_search_path(b->session, &path, b->arena);
    DescId one = name->table.schema ? session_find_schema(b->session, name->table.schema) : 0;
    if (name->table.schema) path = &one, count = one ? 1 : 0;
    for (int i = 0; i < count && !*table; i++) *table = catalog_find_index(b->session->catalog, path[i], name->index, index);
    return ST_OK;
}

static Status drop_one_index(Binder *b, const AstDrop *ast, const AstIndexName *name, NoticeVec *notices, UtilityAlterTable **out)
{
    const TableDesc *table;
    const IndexDesc *index;
    *out = NULL;
    TRY(find_index_if_any(b, name, &table, &index));
    if (!table) {
        if (!ast->if_exists)
            return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "index \"%s\" does not exist", name->index);
        ddl_notice(b, notices, ERR_SUCCESSFUL_COMPLETION, "index \"%s\" does not exist, skipping", name->index);
        return ST_OK;
    }
    TRY(ddl_check_index_owner(b, table, index));
    if (index->is_constraint) {
        ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop index %s because constraint %s on table %s requires it",
                 index->name, index->name, table->base.name);
        err_hint(b->err, b->arena, "You can drop constraint %s on table %s instead.", index->name, table->base.name);
        return ST_ERROR;
    }
    AlterDraft *a = alter_begin(b, table, "DROP INDEX");
    Plan *plan;
    alter_remove_index(a, index->id);
    alter_finish(a, &plan);
    *out = (UtilityAlterTable *)plan;
    return ST_OK;
}

Status bind_drop_index(Binder *b, const AstDrop *ast, Plan **out)
{
    UtilityAlterTable *first = NULL, *one;
    NoticeVec notices = {0};
    for (int i = 0; i < ast->indexes.count; i++) {
        TRY(drop_one_index(b, ast, &ast->indexes.items[i], &notices, &one));
        for (UtilityAlterTable *other = first; one && other; other = other->next)
            if (other->before == one->before)
                return ddl_unsupported(b, ast->base.position, "dropping several indexes of one table in one statement");
        if (one) one->next = first, first = one;
    }
    if (!first) {
        UtilityDrop *nothing = bind_utility(b, UTILITY_DROP, "DROP INDEX", sizeof *nothing);
        nothing->notices = notices;
        *out = &nothing->base.base;
        return ST_OK;
    }
    first->notices = notices;
    *out = &first->base.base;
    return ST_OK;
}

/* ---- ALTER TABLE ---- */

static Status rename_table(AlterDraft *a, const AstAlterAction *action)
{
    if (ddl_relation_exists(a->b, a->before->base.parent_schema, action->new_name))
        return ddl_fail(a->b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", action->new_name);
    a->d->table->base.name = action->new_name;
    return ddl_rename_in_views(a->b, &(Renamed){.object = &a->before->base, .new_name = action->new_name}, &a->utility->views);
}

static Status set_schema(AlterDraft *a, const AstAlterAction *action)
{
    const Desc *schema = catalog_find_schema(a->b->session->catalog, a->before->base.parent_database, action->new_name);
    if (!schema) return ddl_fail(a->b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", action->new_name);
    TRY(ddl_check_move(a->b, a->before->base.parent_schema, schema->id));
    TRY(privilege_check(a->b->session, schema, ACL_CREATE, a->b->arena, a->b->err));
    a->d->table->base.parent_schema = schema->id;
    Renamed renamed = {.object = &a->before->base, .new_name = a->d->table->base.name, .new_schema = action->new_name};
    return ddl_rename_in_views(a->b, &renamed, &a->utility->views);
}

static Status set_owner(AlterDraft *a, const AstAlterAction *action)
{
    Binder *b = a->b;
    const Desc **list;
    TRY(ddl_change_owner(b, &a->before->base, &a->d->table->base, action->new_name));
    int count = catalog_list(b->session->catalog, DESC_SEQUENCE, a->before->base.parent_database, 0, &list, b->arena);
    for (int i = 0; i < count; i++) { /* the sequences of its columns go along */
        if (((const SequenceDesc *)list[i])->owner_table != a->before->base.id) continue;
        SequenceDesc *after = arena_copy(b->arena, list[i], sizeof *after);
        TRY(ddl_change_owner(b, list[i], &after->base, action->new_name));
        VEC_PUSH(b->arena, a->utility->sequence_changes, (SequenceChange){.after = after});
    }
    return ST_OK;
}

static const char *const alter_words[] = {
#define AST_ALTER_KIND(kind) #kind,
    AST_ALTER_KINDS(AST_ALTER_KIND)
#undef AST_ALTER_KIND
};

/* "AST_ALTER_DETACH_PARTITION" as "ALTER TABLE ... DETACH PARTITION". */
static Status unsupported_action(AlterDraft *a, const AstAlterAction *action)
{
    char *words = arena_printf(a->b->arena, "ALTER TABLE ... %s", alter_words[action->kind] + strlen("AST_ALTER_"));
    for (char *p = words; *p; p++)
        if (*p == '_') *p = ' ';
    return ddl_unsupported(a->b, action->position, words);
}

static Status apply_action(AlterDraft *a, const AstAlterAction *action)
{
    switch (action->kind) {
    case AST_ALTER_ADD_COLUMN: return alter_add_column(a, action);
    case AST_ALTER_DROP_COLUMN: return alter_drop_column(a, action);
    case AST_ALTER_COLUMN_TYPE: return alter_column_type(a, action);
    case AST_ALTER_COLUMN_DEFAULT:
    case AST_ALTER_COLUMN_DROP_DEFAULT: return alter_column_default(a, action);
    case AST_ALTER_COLUMN_SET_NOT_NULL:
    case AST_ALTER_COLUMN_DROP_NOT_NULL: return alter_column_not_null(a, action);
    case AST_ALTER_COLUMN_DROP_EXPRESSION: return alter_drop_expression(a, action);
    case AST_ALTER_COLUMN_ADD_IDENTITY: return alter_add_identity(a, action);
    case AST_ALTER_COLUMN_SET_IDENTITY: return alter_set_identity(a, action);
    case AST_ALTER_COLUMN_DROP_IDENTITY: return alter_drop_identity(a, action);
    case AST_ALTER_ADD_CONSTRAINT: return alter_add_constraint(a, action);
    case AST_ALTER_DROP_CONSTRAINT: return alter_drop_constraint(a, action);
    case AST_ALTER_ALTER_CONSTRAINT: return alter_constraint(a, action);
    case AST_ALTER_VALIDATE_CONSTRAINT: return alter_validate_constraint(a, action);
    case AST_ALTER_RENAME: return rename_table(a, action);
    case AST_ALTER_RENAME_COLUMN: return alter_rename_column(a, action);
    case AST_ALTER_RENAME_CONSTRAINT: return alter_rename_constraint(a, action);
    case AST_ALTER_SET_SCHEMA: return set_schema(a, action);
    case AST_ALTER_OWNER: return set_owner(a, action);
    case AST_ALTER_PRIMARY_KEY: return alter_primary_key(a, action);
    case AST_ALTER_COLUMN_VISIBLE: {
        int ordinal;
        TRY(alter_find_column(a, action->name, &ordinal));
        a->d->table->columns.items[ordinal].hidden = !action->visible;
        return ST_OK;
    }
    /* Hints about storage and planning that rowkey decides by itself. */
    case AST_ALTER_COLUMN_STATISTICS:
    case AST_ALTER_COLUMN_STORAGE:
    case AST_ALTER_COLUMN_OPTIONS:
    case AST_ALTER_SET_OPTIONS:
    case AST_ALTER_RESET_OPTIONS:
    case AST_ALTER_SET_LOGGED:
    case AST_ALTER_SET_UNLOGGED:
    case AST_ALTER_REPLICA_IDENTITY:
    case AST_ALTER_CLUSTER_ON: return ST_OK;
    case AST_ALTER_COLUMN_ON_UPDATE:
    case AST_ALTER_PARTITION_BY:
    case AST_ALTER_ATTACH_PARTITION:
    case AST_ALTER_DETACH_PARTITION:
    case AST_ALTER_SET_TABLESPACE:
    case AST_ALTER_ROW_SECURITY:
    case AST_ALTER_TRIGGER:
    case AST_ALTER_INHERIT:
    case AST_ALTER_ADD_FAMILY:
    case AST_ALTER_INDEX_VISIBLE: break;
    }
    return unsupported_action(a, action);
}

/* ---- ALTER INDEX, ALTER VIEW ---- */

static Status alter_index(Binder *b, const AstAlterTable *ast, Plan **out)
{
    const TableDesc *table;
    const IndexDesc *index;
    TRY(find_index_if_any(b, &ast->index, &table, &index));
    if (!table) {
        if (!ast->if_exists)
            return ddl_fail(b, 0, ERR_UNDEFINED_TABLE, "relation \"%s\" does not exist", ast->index.index);
        return ddl_skip(b, "ALTER INDEX", ERR_SUCCESSFUL_COMPLETION, out, "relation \"%s\" does not exist, skipping",
                        ast->index.index);
    }
    TRY(ddl_check_index_owner(b, table, index));
    AlterDraft *a = alter_begin(b, table, "ALTER INDEX");
    for (int i = 0; i < ast->actions.count; i++) {
        const AstAlterAction *action = ast->actions.items[i];
        if (action->kind == AST_ALTER_SET_OPTIONS || action->kind == AST_ALTER_RESET_OPTIONS) continue;
        if (action->kind != AST_ALTER_RENAME) return unsupported_action(a, action);
        if (ddl_relation_exists(b, table->base.parent_schema, action->new_name))
            return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", action->new_name);
        for (int x = 0; x < a->d->table->indexes.count; x++)
            if (a->d->table->indexes.items[x].id == index->id) a->d->table->indexes.items[x].name = action->new_name;
    }
    alter_finish(a, out);
    return ST_OK;
}

/* What ALTER TABLE does to a sequence too. */
static Status alter_sequence_named(Binder *b, const AstAlterTable *ast, const Desc *before, Plan **out)
{
    Desc *after = arena_copy(b->arena, before, sizeof(SequenceDesc));
    const char *tag = arena_printf(b->arena, "ALTER %s", ast_object_words(ast->object));
    for (int i = 0; i < ast->actions.count; i++) {
        const AstAlterAction *action = ast->actions.items[i];
        if (action->kind == AST_ALTER_RENAME) {
            if (ddl_relation_exists(b, before->parent_schema, action->new_name))
                return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", action->new_name);
            after->name = action->new_name;
        } else if (action->kind == AST_ALTER_OWNER) {
            TRY(ddl_change_owner(b, before, after, action->new_name));
        } else {
            return ddl_unsupported(b, action->position, "this form of ALTER SEQUENCE");
        }
    }
    UtilityChange *utility = bind_utility(b, UTILITY_ALTER_OTHER, tag, sizeof *utility);
    VEC_PUSH(b->arena, utility->changes, (DescChange){before, after});
    *out = &utility->base.base;
    return ST_OK;
}

static Status rename_view(Binder *b, const AstAlterAction *action, const Desc *view, ViewDesc *after, ViewChangeVec *views)
{
    if (ddl_relation_exists(b, view->parent_schema, action->new_name))
        return ddl_fail(b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", action->new_name);
    after->base.name = action->new_name;
    return ddl_rename_in_views(b, &(Renamed){.object = view, .new_name = action->new_name}, views);
}

static Status rename_view_column(Binder *b, const AstAlterAction *action, const Desc *view, ViewDesc *after, ViewChangeVec *views)
{
    ColumnDesc *found = NULL;
    after->columns.items = arena_copy(b->arena, after->columns.items, sizeof(ColumnDesc) * (size_t)after->columns.count);
    for (int i = 0; i < after->columns.count; i++) {
        if (strcmp(after->columns.items[i].name, action->new_name) == 0)
            return ddl_fail(b, 0, ERR_DUPLICATE_COLUMN, "column \"%s\" of relation \"%s\" already exists", action->new_name, view->name);
        if (strcmp(after->columns.items[i].name, action->name) == 0) found = &after->columns.items[i];
    }
    if (!found) return ddl_fail(b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" does not exist", action->name);
    found->name = action->new_name;
    Renamed renamed = {.object = view, .column_id = found->id, .old_name = action->name, .new_name = action->new_name};
    return ddl_rename_in_views(b, &renamed, views);
}

static Status alter_view(Binder *b, const AstAlterTable *ast, const Desc *view, const char *tag, Plan **out)
{
    ViewDesc *after = (ViewDesc *)ddl_desc_copy(b, view);
    UtilityChange *utility = bind_utility(b, UTILITY_ALTER_OTHER, tag, sizeof *utility);
    for (int i = 0; i < ast->actions.count; i++) {
        const AstAlterAction *action = ast->actions.items[i];
        if (action->kind == AST_ALTER_RENAME) TRY(rename_view(b, action, view, after, &utility->views));
        else if (action->kind == AST_ALTER_RENAME_COLUMN) TRY(rename_view_column(b, action, view, after, &utility->views));
        else if (action->kind == AST_ALTER_OWNER) TRY(ddl_change_owner(b, view, &after->base, action->new_name));
        else return ddl_unsupported(b, action->position, "this form of ALTER VIEW");
    }
    VEC_PUSH(b->arena, utility->changes, (DescChange){view, &after->base});
    *out = &utility->base.base;
    return ST_OK;
}

/* ALTER TABLE also takes sequences and views, to rename them or change their owner. */
static Status alter_other(Binder *b, const AstAlterTable *ast, const Desc *desc, const char *tag, Plan **out)
{
    if (desc->kind == DESC_VIEW) return alter_view(b, ast, desc, tag, out);
    if (desc->kind == DESC_SEQUENCE) return alter_sequence_named(b, ast, desc, out);
    ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a table", desc->name);
    return ST_ERROR;
}

/* As errors call what an action does. */
static const char *action_words(AstAlterKind kind)
{
    static const struct {
        AstAlterKind kind;
        const char *words;
    } rows[] = {{AST_ALTER_ADD_COLUMN, "ADD COLUMN"}, {AST_ALTER_DROP_COLUMN, "DROP COLUMN"},
                {AST_ALTER_COLUMN_TYPE, "ALTER COLUMN ... SET DATA TYPE"}, {AST_ALTER_COLUMN_DEFAULT, "ALTER COLUMN ... SET DEFAULT"},
                {AST_ALTER_COLUMN_DROP_DEFAULT, "ALTER COLUMN ... SET DEFAULT"},
                {AST_ALTER_COLUMN_SET_NOT_NULL, "ALTER COLUMN ... SET NOT NULL"},
                {AST_ALTER_COLUMN_DROP_NOT_NULL, "ALTER COLUMN ... DROP NOT NULL"}, {AST_ALTER_ADD_CONSTRAINT, "ADD CONSTRAINT"},
                {AST_ALTER_DROP_CONSTRAINT, "DROP CONSTRAINT"}, {AST_ALTER_VALIDATE_CONSTRAINT, "VALIDATE CONSTRAINT"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind) return rows[i].words;
    return NULL;
}

static Status check_matview_actions(Binder *b, const AstAlterTable *ast, const TableDesc *view)
{
    for (int i = 0; i < ast->actions.count; i++) {
        AstAlterKind kind = ast->actions.items[i]->kind;
        bool fits = kind == AST_ALTER_RENAME || kind == AST_ALTER_RENAME_COLUMN || kind == AST_ALTER_OWNER ||
                    kind == AST_ALTER_SET_SCHEMA || kind == AST_ALTER_COLUMN_STATISTICS || kind == AST_ALTER_COLUMN_STORAGE ||
                    kind == AST_ALTER_SET_OPTIONS || kind == AST_ALTER_RESET_OPTIONS || kind == AST_ALTER_CLUSTER_ON ||
                    kind == AST_ALTER_SET_TABLESPACE;
        if (fits) continue;
        const char *words = action_words(kind);
        ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "%s%s cannot be performed on relation \"%s\"", words ? "ALTER action " : "this action",
                 words ? words : "", view->base.name);
        err_detail(b->err, b->arena, "This operation is not supported for materialized views.");
        return ST_ERROR;
    }
    return ST_OK;
}

Status bind_alter_table(Binder *b, const AstAlterTable *ast, Plan **out)
{
    if (ast->object == AST_OBJECT_INDEX) return alter_index(b, ast, out);
    if (ast->object == AST_OBJECT_DOMAIN) return bind_alter_domain(b, ast, out);
    BoundName found;
    const char *tag = arena_printf(b->arena, "ALTER %s", ast_object_words(ast->object));
    TRY(ddl_find_relation(b, &ast->name, !ast->if_exists, &found));
    if (found.system)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied: \"%s\" is a system catalog", ast->name.name);
    if (!found.desc)
        return ddl_skip(b, tag, ERR_SUCCESSFUL_COMPLETION, out, "relation \"%s\" does not exist, skipping",
                        ast->name.name);
    TRY(ddl_check_owner(b, found.desc));
    if (found.desc->kind != DESC_TABLE) return alter_other(b, ast, found.desc, tag, out);
    if (ast->object == AST_OBJECT_MATERIALIZED_VIEW || ((const TableDesc *)found.desc)->view_query) {
        const TableDesc *view;
        TRY(ddl_find_matview(b, &ast->name, ERR_WRONG_OBJECT_TYPE, &view));
        TRY(check_matview_actions(b, ast, view));
    }
    AlterDraft *a = alter_begin(b, (const TableDesc *)found.desc, tag);
    for (int i = 0; i < ast->actions.count; i++) TRY(apply_action(a, ast->actions.items[i]));
    alter_finish(a, out);
    return ST_OK;
}
