/* bind_ddl_alter.h - an ALTER TABLE in the making: the draft, and what its actions need done to stored rows. */
#ifndef PLANNER_BIND_BIND_DDL_ALTER_H
#define PLANNER_BIND_BIND_DDL_ALTER_H

#include "planner/bind/bind_ddl.h"

typedef struct AlterDraft {
    Binder *b;
    TableDraft *d;
    const TableDesc *before;
    UtilityAlterTable *utility;
    bool rewrite; /* some action changes how rows are stored */
} AlterDraft;

AlterDraft *alter_begin(Binder *b, const TableDesc *before, const char *tag);
/* Works out what the steps are once all actions have been applied. */
void alter_finish(AlterDraft *a, Plan **out);
void alter_step(AlterDraft *a, AlterStepKind kind, uint32_t id);

/* Takes an index out of the draft, and the hidden columns that only it used. */
void alter_remove_index(AlterDraft *a, uint32_t index_id);
/* Takes a column out of the draft, and the hidden check of a bucket. */
void alter_remove_column(AlterDraft *a, int ordinal);
/* 42703 */
Status alter_find_column(AlterDraft *a, const char *name, int *ordinal);

/* bind_ddl_alter_column.c */
Status alter_add_column(AlterDraft *a, const AstAlterAction *action);
Status alter_drop_column(AlterDraft *a, const AstAlterAction *action);
Status alter_column_type(AlterDraft *a, const AstAlterAction *action);
Status alter_column_default(AlterDraft *a, const AstAlterAction *action);
Status alter_column_not_null(AlterDraft *a, const AstAlterAction *action);
Status alter_rename_column(AlterDraft *a, const AstAlterAction *action);

/* bind_ddl_identity.c */
Status alter_add_identity(AlterDraft *a, const AstAlterAction *action);
Status alter_set_identity(AlterDraft *a, const AstAlterAction *action);
Status alter_drop_identity(AlterDraft *a, const AstAlterAction *action);
Status alter_drop_expression(AlterDraft *a, const AstAlterAction *action);

/* bind_ddl_using_index.c */
Status alter_use_index(AlterDraft *a, const AstConstraint *c);

/* bind_ddl_alter_key.c */
Status alter_primary_key(AlterDraft *a, const AstAlterAction *action);
Status alter_add_constraint(AlterDraft *a, const AstAlterAction *action);
Status alter_drop_constraint(AlterDraft *a, const AstAlterAction *action);
Status alter_add_foreign_key(AlterDraft *a, const AstConstraint *c, const char *column);
Status alter_constraint(AlterDraft *a, const AstAlterAction *action);
Status alter_rename_constraint(AlterDraft *a, const AstAlterAction *action);
Status alter_validate_constraint(AlterDraft *a, const AstAlterAction *action);

#endif
