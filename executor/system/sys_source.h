/* sys_source.h - what the system relations list: the relations of the session's database, the binary's own among them. */
#ifndef EXECUTOR_SYSTEM_SYS_SOURCE_H
#define EXECUTOR_SYSTEM_SYS_SOURCE_H

#include "executor/system/sys_row.h"

/* One relation of pg_class: a descriptor, an index of a table, or a system relation. */
typedef struct SysRelation {
    Oid oid;
    const Desc *desc;         /* table, view, sequence; of an index: its table */
    const IndexDesc *index;
    const SystemRelation *system;
} SysRelation;

typedef Status (*SysEach)(SystemCtx *ctx, const SysRelation *relation);
/* All of the current database, or with oid_column's filter only that one. */
Status sys_each_relation(SystemCtx *ctx, int oid_column, SysEach each);
/* Only tables, by the oid in that column if it is filtered; -1: there is no such column. */
typedef Status (*SysEachTable)(SystemCtx *ctx, const TableDesc *table);
Status sys_each_table(SystemCtx *ctx, int oid_column, SysEachTable each);
/* Descriptors of one kind in the current database (or of all, for database 0). */
typedef Status (*SysEachDesc)(SystemCtx *ctx, const Desc *desc);
Status sys_each_desc(SystemCtx *ctx, DescKind kind, DescId database, SysEachDesc each);

/* The hidden key of a table without PRIMARY KEY is no index that PostgreSQL's tools should see. */
bool sys_index_is_listed(const TableDesc *table, const IndexDesc *index);

/* A column of a system relation's list. */
typedef struct SysColumn {
    const char *name;
    TypeRef type;
} SysColumn;
int sys_columns(const char *list, SysColumn **columns, Arena *arena);

/* Numbers of what has no descriptor of its own. */
enum { OID_EXTENSION_ROWKEY = 9600 };
Oid sys_attrdef_oid(const TableDesc *table, const ColumnDesc *column);
Oid sys_rule_oid(const Desc *view); /* of pg_rewrite */

Oid sys_schema_oid(const char *schema); /* of a built-in one */
Oid sys_role_oid(const SystemCtx *ctx, const char *role);
const char *sys_schema_name(const SystemCtx *ctx, DescId schema);

#endif
