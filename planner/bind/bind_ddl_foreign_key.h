/* bind_ddl_foreign_key.h - foreign keys in table drafts. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_DDL_FOREIGN_KEY_H
#define PLANNER_BIND_BIND_DDL_FOREIGN_KEY_H

#include "planner/bind/bind_ddl_alter.h"

/* FOREIGN KEY, or REFERENCES of a column; once all columns and keys of the draft are known. */
Status ddl_add_foreign_key(TableDraft *d, const AstConstraint *ast, const char *column);

/* NULL: there is none of that name. */
ForeignKeyDesc *alter_find_foreign_key(AlterDraft *a, const char *name);
void alter_remove_foreign_key(AlterDraft *a, uint32_t id);
/* The foreign keys that have the column go with it. */
void alter_drop_column_keys(AlterDraft *a, uint32_t column_id);

typedef struct DroppedPart {
    const char *dropped;  /* "constraint p_pkey on table p" */
    const char *standing; /* what others depend on: "index p_pkey" */
    bool cascade;
} DroppedPart;
/* The foreign keys that refer to the table through the index, or (index NULL) to the column: 2BP01, or they go too. */
Status alter_drop_referrers(AlterDraft *a, const IndexDesc *index, uint32_t column_id, const DroppedPart *part);
/* A column at either end of a foreign key has another type: 42804, or all rows are looked at again. */
Status alter_check_key_types(AlterDraft *a, uint32_t column_id);

#endif
