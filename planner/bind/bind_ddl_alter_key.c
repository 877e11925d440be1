/* ALTER TABLE on constraints and the primary key. */
#include "planner/bind/bind_ddl_foreign_key.h"

/* ---- the primary key ---- */

static bool is_hidden_key(const TableDesc *table)
{
    const IndexDesc *primary = table_primary(table);
    for (int i = 0; i < primary->columns.count; i++) {
        int ordinal = table_column_by_id(table, primary->columns.items[i].column_id);
        if (table->columns.items[ordinal].role == COLUMN_ROWID) return true;
    }
    return false;
}

static const char *key_columns_text(AlterDraft *a, const IndexDesc *index)
{
    const char *text = "";
    for (int i = 0; i < index->columns.count; i++) {
        if (index->columns.items[i].implicit) continue;
        int ordinal = table_column_by_id(a->d->table, index->columns.items[i].column_id);
        const char *name = a->d->table->columns.items[ordinal].name;
        text = *text ? arena_printf(a->b->arena, "%s_%s", text, name) : name;
    }
    return text;
}

static Status check_key_nullable(AlterDraft *a, const AstIndexElemVec *key)
{
    for (int i = 0; i < key->count; i++) {
        const char *name = key->items[i]->column;
        int ordinal = name ? table_column_by_name(a->d->table, name) : -1;
        if (ordinal >= 0 && !a->d->table->columns.items[ordinal].not_null)
            return ddl_fail(a->b, key->items[i]->position, ERR_INVALID_TABLE_DEFINITION,
                            "cannot use nullable column \"%s\" in primary key", name);
    }
    return ST_OK;
}

static void remove_rowid(AlterDraft *a)
{
    TableDesc *table = a->d->table;
    for (int i = table->columns.count - 1; i >= 0; i--)
        if (table->columns.items[i].role == COLUMN_ROWID) alter_remove_column(a, i);
}

/* Puts a new primary index in front. The rows move, so everything gets new index ids; the old key, unless it was the hidden
 * one, may stay as a unique index. */
static Status replace_primary(AlterDraft *a, const IndexSpec *spec, bool keep_old)
{
    TableDraft *d = a->d;
    IndexDesc old = *table_primary(d->table), *index;
    bool hidden = is_hidden_key(d->table);
    IndexSpec named = *spec;
    named.primary = true;
    if (!named.name) named.name = old.name;
    TRY(ddl_add_index(d, &named, d->table->next_index_id++, &index));
    ddl_advise(d, index);
    if (keep_old && !hidden) {
        old.id = d->table->next_index_id++;
        old.primary = false;
        old.is_constraint = true;
        old.name = ddl_choose_relation_name(d, d->table->base.name, key_columns_text(a, &old), "key");
        VEC_PUSH(a->b->arena, d->table->indexes, old);
    }
    if (hidden) remove_rowid(a);
    a->rewrite = true;
    return ST_OK;
}

Status alter_primary_key(AlterDraft *a, const AstAlterAction *action)
{
    IndexSpec spec = ddl_spec_of_constraint(action->constraint);
    spec.name = NULL;
    TRY(check_key_nullable(a, spec.key));
    return replace_primary(a, &spec, true);
}

static bool has_logical_primary(const TableDesc *table)
{
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].logical_primary) return true;
    return false;
}

/* A deferrable key: the rows stay under the hidden one. */
static Status add_logical_primary(AlterDraft *a, const IndexSpec *spec)
{
    IndexDesc *index;
    for (int i = 0; i < spec->key->count; i++) {
        const char *name = spec->key->items[i]->column;
        int ordinal = name ? table_column_by_name(a->d->table, name) : -1;
        if (ordinal >= 0 && !a->d->table->columns.items[ordinal].not_null)
            alter_step(a, ALTER_STEP_VALIDATE_NOT_NULL, a->d->table->columns.items[ordinal].id);
    }
    TRY(ddl_add_index(a->d, spec, 0, &index));
    alter_step(a, ALTER_STEP_BACKFILL_INDEX, index->id);
    alter_step(a, ALTER_STEP_VALIDATE_UNIQUE, index->id);
    return ST_OK;
}

static Status add_primary(AlterDraft *a, const AstConstraint *c)
{
    if (!is_hidden_key(a->d->table) || has_logical_primary(a->d->table))
        return ddl_fail(a->b, 0, ERR_INVALID_TABLE_DEFINITION,
                        "multiple primary keys for table \"%s\" are not allowed", a->before->base.name);
    IndexSpec spec = ddl_spec_of_constraint(c);
    if (spec.deferrable) return add_logical_primary(a, &spec);
    return replace_primary(a, &spec, false);
}

/* ---- ADD CONSTRAINT ---- */

static Status check_name_free(AlterDraft *a, const char *name)
{
    if (!name || !ddl_constraint_exists(a->d->table, name)) return ST_OK;
    return ddl_fail(a->b, 0, ERR_DUPLICATE_OBJECT, "constraint \"%s\" for relation \"%s\" already exists", name,
                    a->before->base.name);
}

static Status add_unique(AlterDraft *a, const AstConstraint *c)
{
    IndexDesc *index;
    IndexSpec spec = ddl_spec_of_constraint(c);
    if (c->name && ddl_relation_exists(a->b, a->before->base.parent_schema, c->name))
        return ddl_fail(a->b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", c->name);
    TRY(ddl_add_index(a->d, &spec, 0, &index));
    alter_step(a, ALTER_STEP_BACKFILL_INDEX, index->id);
    if (index->deferrable) alter_step(a, ALTER_STEP_VALIDATE_UNIQUE, index->id);
    ddl_advise(a->d, index);
    return ST_OK;
}

Status alter_add_constraint(AlterDraft *a, const AstAlterAction *action)
{
    const AstConstraint *c = action->constraint;
    if (c->without_index) return ddl_unsupported(a->b, c->position, "UNIQUE WITHOUT INDEX");
    if (c->using_index) return alter_use_index(a, c);
    if (c->kind != AST_CONSTRAINT_PRIMARY_KEY) {
        if (c->name && action->if_not_exists && ddl_constraint_exists(a->d->table, c->name)) {
            ddl_notice(a->b, &a->d->notices, ERR_DUPLICATE_OBJECT, "constraint \"%s\" already exists, skipping", c->name);
            return ST_OK;
        }
        TRY(check_name_free(a, c->name));
    }
    switch (c->kind) {
    case AST_CONSTRAINT_PRIMARY_KEY: return add_primary(a, c);
    case AST_CONSTRAINT_UNIQUE: return add_unique(a, c);
    case AST_CONSTRAINT_CHECK:
        TRY(ddl_add_check(a->d, c));
        if (!c->not_valid) alter_step(a, ALTER_STEP_VALIDATE_CHECK, VEC_LAST(a->d->table->checks).id);
        return ST_OK;
    case AST_CONSTRAINT_FOREIGN_KEY: return alter_add_foreign_key(a, c, NULL);
    case AST_CONSTRAINT_EXCLUDE: return ddl_unsupported(a->b, c->position, "EXCLUDE");
    case AST_CONSTRAINT_NOT_NULL:
    case AST_CONSTRAINT_NULL:
    case AST_CONSTRAINT_DEFAULT:
    case AST_CONSTRAINT_GENERATED:
    case AST_CONSTRAINT_IDENTITY:
    case AST_CONSTRAINT_ON_UPDATE: break;
    }
    return ddl_unsupported(a->b, c->position, "this constraint in ALTER TABLE");
}

Status alter_add_foreign_key(AlterDraft *a, const AstConstraint *c, const char *column)
{
    TRY(ddl_add_foreign_key(a->d, c, column));
    if (!c->not_valid) alter_step(a, ALTER_STEP_VALIDATE_FOREIGN_KEY, VEC_LAST(a->d->table->foreign_keys).id);
    return ST_OK;
}

/* ---- DROP, RENAME, VALIDATE CONSTRAINT ---- */

static CheckDesc *find_check(AlterDraft *a, const char *name)
{
    for (int i = 0; i < a->d->table->checks.count; i++)
        if (strcmp(a->d->table->checks.items[i].name, name) == 0) return &a->d->table->checks.items[i];
    return NULL;
}

static Status no_constraint(AlterDraft *a, const char *name)
{
    return ddl_fail(a->b, 0, ERR_UNDEFINED_OBJECT, "constraint \"%s\" of relation \"%s\" does not exist", name,
                    a->before->base.name);
}

/* Without a key of its own the table goes back to the hidden one. */
static Status drop_primary(AlterDraft *a)
{
    IndexDesc *primary = &a->d->table->indexes.items[0];
    if (is_hidden_key(a->d->table)) return no_constraint(a, primary->name);
    *primary = (IndexDesc){.id = a->d->table->next_index_id++, .name = primary->name, .unique = true, .primary = true,
                           .is_constraint = true};
    TRY(ddl_add_rowid(a->d));
    RewriteColumn rowid = {VEC_LAST(a->d->table->columns).id, "unique_rowid()"};
    VEC_PUSH(a->b->arena, a->utility->rewrite, rowid);
    a->rewrite = true;
    return ST_OK;
}

Status alter_drop_constraint(AlterDraft *a, const AstAlterAction *action)
{
    TableDesc *table = a->d->table;
    Arena *arena = a->b->arena;
    const IndexDesc *index = table_index_by_name(table, action->name);
    if (index && index->is_constraint && !(index->primary && is_hidden_key(table))) {
        DroppedPart part = {arena_printf(arena, "constraint %s on table %s", index->name, ddl_shown_name(a->b, &table->base)),
                            arena_printf(arena, "index %s", index->name), action->behavior == AST_DROP_CASCADE};
        TRY(alter_drop_referrers(a, index, 0, &part));
    }
    if (index && index->primary) return drop_primary(a);
    if (index && index->is_constraint) {
        alter_remove_index(a, index->id);
        return ST_OK;
    }
    CheckDesc *check = find_check(a, action->name);
    if (check && !check->hidden) {
        for (CheckDesc *last = &VEC_LAST(table->checks); check < last; check++) *check = check[1];
        table->checks.count--;
        return ST_OK;
    }
    const ForeignKeyDesc *key = alter_find_foreign_key(a, action->name);
    if (key) {
        alter_remove_foreign_key(a, key->id);
        return ST_OK;
    }
    if (!action->if_exists) return no_constraint(a, action->name);
    ddl_notice(a->b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION, "constraint \"%s\" of relation \"%s\" does not exist, skipping", action->name,
               table->base.name);
    return ST_OK;
}

Status alter_rename_constraint(AlterDraft *a, const AstAlterAction *action)
{
    CheckDesc *check = find_check(a, action->name);
    TRY(check_name_free(a, action->new_name));
    ForeignKeyDesc *key = alter_find_foreign_key(a, action->name);
    if (key) {
        key->name = action->new_name;
        return ST_OK;
    }
    if (check && !check->hidden) {
        check->name = action->new_name;
        return ST_OK;
    }
    for (int i = 0; i < a->d->table->indexes.count; i++) {
        IndexDesc *index = &a->d->table->indexes.items[i];
        if (!index->is_constraint || strcmp(index->name, action->name) != 0) continue;
        if (ddl_relation_exists(a->b, a->before->base.parent_schema, action->new_name))
            return ddl_fail(a->b, 0, ERR_DUPLICATE_TABLE, "relation \"%s\" already exists", action->new_name);
        index->name = action->new_name;
        return ST_OK;
    }
    return ddl_fail(a->b, 0, ERR_UNDEFINED_OBJECT, "constraint \"%s\" for table \"%s\" does not exist", action->name,
                    a->before->base.name);
}

Status alter_validate_constraint(AlterDraft *a, const AstAlterAction *action)
{
    CheckDesc *check = find_check(a, action->name);
    ForeignKeyDesc *key = alter_find_foreign_key(a, action->name);
    if (key) {
        if (!key->validated) alter_step(a, ALTER_STEP_VALIDATE_FOREIGN_KEY, key->id);
        key->validated = true;
        return ST_OK;
    }
    if (!check) {
        const IndexDesc *index = table_index_by_name(a->d->table, action->name);
        if (!index || !index->is_constraint) return no_constraint(a, action->name);
        return ddl_fail(a->b, 0, ERR_WRONG_OBJECT_TYPE,
                        "constraint \"%s\" of relation \"%s\" is not a foreign key or check constraint", action->name,
                        a->before->base.name);
    }
    if (!check->validated) alter_step(a, ALTER_STEP_VALIDATE_CHECK, check->id);
    check->validated = true;
    return ST_OK;
}

/* ---- ALTER CONSTRAINT ---- */

Status alter_constraint(AlterDraft *a, const AstAlterAction *action)
{
    ForeignKeyDesc *key = alter_find_foreign_key(a, action->name);
    if (!key) {
        const IndexDesc *index = table_index_by_name(a->d->table, action->name);
        if (!find_check(a, action->name) && !(index && index->is_constraint)) return no_constraint(a, action->name);
        return ddl_fail(a->b, 0, ERR_WRONG_OBJECT_TYPE, "constraint \"%s\" of relation \"%s\" is not a foreign key constraint",
                        action->name, a->before->base.name);
    }
    const AstConstraint *c = action->constraint;
    key->deferrable = c->deferrable || c->initially_deferred;
    key->initially_deferred = c->initially_deferred;
    return ST_OK;
}
