/* bind_ddl_using_index.c - ADD CONSTRAINT ... USING INDEX: an index that is there becomes a constraint's. */
#include "planner/bind/bind_ddl_alter.h"

static Status unfit(AlterDraft *a, const AstConstraint *c, const char *message)
{
    ddl_fail(a->b, c->position, ERR_WRONG_OBJECT_TYPE, "%s", message);
    err_detail(a->b->err, a->b->arena, "Cannot create a primary key or unique constraint using such an index.");
    return ST_ERROR;
}

static Status check_columns(AlterDraft *a, const AstConstraint *c, const IndexDesc *index)
{
    Arena *arena = a->b->arena;
    int number = 0;
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *column = &index->columns.items[i];
        if (column->implicit) continue;
        number++;
        int ordinal = table_column_by_id(a->d->table, column->column_id);
        if (a->d->table->columns.items[ordinal].role == COLUMN_EXPRESSION)
            return unfit(a, c, arena_printf(arena, "index \"%s\" contains expressions", index->name));
    }
    if (index->predicate) return unfit(a, c, arena_printf(arena, "\"%s\" is a partial index", index->name));
    number = 0;
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *column = &index->columns.items[i];
        number += !column->implicit;
        if (column->descending || column->nulls_first)
            return unfit(a, c, arena_printf(arena, "index \"%s\" column number %d does not have default sorting behavior", index->name,
                                            number));
    }
    return ST_OK;
}

static Status find_index(AlterDraft *a, const AstConstraint *c, IndexDesc **index)
{
    const char *name = c->using_index;
    *index = NULL;
    for (int i = 0; i < a->d->table->indexes.count; i++)
        if (strcmp(a->d->table->indexes.items[i].name, name) == 0) *index = &a->d->table->indexes.items[i];
    if (!*index) {
        const IndexDesc *other;
        if (catalog_find_index(a->b->session->catalog, a->before->base.parent_schema, name, &other))
            return ddl_fail(a->b, c->position, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "index \"%s\" does not belong to table \"%s\"",
                            name, a->before->base.name);
        return ddl_fail(a->b, c->position, ERR_UNDEFINED_OBJECT, "index \"%s\" does not exist", name);
    }
    if ((*index)->is_constraint || (*index)->primary)
        return ddl_fail(a->b, c->position, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "index \"%s\" is already associated with a constraint", name);
    if (!(*index)->unique) return unfit(a, c, arena_printf(a->b->arena, "\"%s\" is not a unique index", name));
    return check_columns(a, c, *index);
}

static Status rename_index(AlterDraft *a, const AstConstraint *c, const char **name)
{
    if (!c->name || strcmp(c->name, *name) == 0) return ST_OK;
    ddl_notice(a->b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION, "ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index \"%s\" to \"%s\"",
               *name, c->name);
    *name = c->name;
    return ST_OK;
}

/* The rows move under the index's key, and the index goes. */
static Status become_primary(AlterDraft *a, const AstConstraint *c, const IndexDesc *index)
{
    AstIndexElemVec *key = ARENA_NEW(a->b->arena, AstIndexElemVec);
    const char *name = index->name;
    uint32_t id = index->id;
    if (index->bucket_count) return ddl_unsupported(a->b, c->position, "PRIMARY KEY USING INDEX of a hash-sharded index");
    for (int i = 0; i < index->columns.count; i++) {
        int ordinal = table_column_by_id(a->d->table, index->columns.items[i].column_id);
        AstIndexElem *elem = ARENA_NEW(a->b->arena, AstIndexElem);
        if (index->columns.items[i].implicit) continue;
        elem->column = a->d->table->columns.items[ordinal].name;
        elem->mode = index->columns.items[i].hash_mode ? AST_KEY_HASH : AST_KEY_ASC;
        VEC_PUSH(a->b->arena, *key, elem);
    }
    TRY(rename_index(a, c, &name));
    alter_remove_index(a, id);
    AstConstraint primary = *c;
    primary.using_index = NULL;
    primary.name = name;
    primary.key = *key;
    AstAlterAction action = {.kind = AST_ALTER_ADD_CONSTRAINT, .constraint = arena_copy(a->b->arena, &primary, sizeof primary)};
    return alter_add_constraint(a, &action);
}

Status alter_use_index(AlterDraft *a, const AstConstraint *c)
{
    IndexDesc *index;
    TRY(find_index(a, c, &index));
    if (c->deferrable || c->initially_deferred)
        return ddl_unsupported(a->b, c->position, "a DEFERRABLE constraint USING INDEX");
    if (c->kind == AST_CONSTRAINT_PRIMARY_KEY) return become_primary(a, c, index);
    index->is_constraint = true;
    return rename_index(a, c, &index->name);
}
