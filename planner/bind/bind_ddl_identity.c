/* bind_ddl_identity.c - ALTER COLUMN ... ADD GENERATED AS IDENTITY, SET GENERATED, DROP IDENTITY, DROP EXPRESSION. */
#include "planner/bind/bind_ddl_alter.h"

static bool is_integer(Oid type)
{
    return type == OID_INT2 || type == OID_INT4 || type == OID_INT8;
}

static Status refuse(AlterDraft *a, const ColumnDesc *column, const char *what)
{
    return ddl_fail(a->b, 0, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE, "column \"%s\" of relation \"%s\" %s", column->name,
                    a->before->base.name, what);
}

Status alter_add_identity(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    const AstConstraint *c = action->constraint;
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (!is_integer(column->type.oid))
        return ddl_fail(a->b, 0, ERR_INVALID_PARAMETER_VALUE, "identity column type must be smallint, integer, or bigint");
    if (!column->not_null) return refuse(a, column, "must be declared NOT NULL before identity can be added");
    if (column->identity != IDENTITY_NONE) return refuse(a, column, "is already an identity column");
    if (column->default_expr) return refuse(a, column, "already has a default value");
    TRY(ddl_own_sequence(a->d, column, column->type.oid, &c->sequence_options));
    column->identity = c->always ? IDENTITY_ALWAYS : IDENTITY_BY_DEFAULT;
    return ST_OK;
}

static Status change_sequence(AlterDraft *a, const AstOptionVec *options, DescId sequence_id)
{
    Binder *b = a->b;
    const Desc *before = catalog_find_id(b->session->catalog, sequence_id);
    if (!before || before->kind != DESC_SEQUENCE) return ST_OK;
    SequenceDesc *after = arena_copy(b->arena, before, sizeof *after);
    SequenceChange change = {.after = after};
    TRY(ddl_sequence_options(b, options, after, false));
    TRY(ddl_restart_value(b, options, after, &change.restart, &change.restart_value));
    VEC_PUSH(b->arena, a->utility->sequence_changes, change);
    return ST_OK;
}

Status alter_set_identity(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (column->identity == IDENTITY_NONE) return refuse(a, column, "is not an identity column");
    const AstOption *generated = ast_option(&action->options, "generated");
    if (generated)
        column->identity = strcmp(((const AstLiteral *)generated->value)->text, "always") == 0 ? IDENTITY_ALWAYS : IDENTITY_BY_DEFAULT;
    return change_sequence(a, &action->options, column->sequence_id);
}

Status alter_drop_identity(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (column->identity == IDENTITY_NONE) {
        if (!action->if_exists) return refuse(a, column, "is not an identity column");
        ddl_notice(a->b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION, "column \"%s\" of relation \"%s\" is not an identity column, skipping",
                   column->name, a->before->base.name);
        return ST_OK;
    }
    if (column->sequence_id) alter_step(a, ALTER_STEP_DROP_SEQUENCE, column->sequence_id);
    column->identity = IDENTITY_NONE;
    column->sequence_id = 0;
    column->default_expr = NULL;
    return ST_OK;
}

/* What has been computed stays. */
Status alter_drop_expression(AlterDraft *a, const AstAlterAction *action)
{
    int ordinal;
    TRY(alter_find_column(a, action->name, &ordinal));
    ColumnDesc *column = &a->d->table->columns.items[ordinal];
    if (column->computed != COMPUTED_STORED) {
        if (!action->if_exists) return refuse(a, column, "is not a stored generated column");
        ddl_notice(a->b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION,
                   "column \"%s\" of relation \"%s\" is not a stored generated column, skipping", column->name, a->before->base.name);
        return ST_OK;
    }
    column->computed = COMPUTED_NONE;
    column->computed_expr = NULL;
    return ST_OK;
}
