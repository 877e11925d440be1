/* system.h - the virtual tables: pg_catalog, information_schema, crdb_internal, rowkey. One file per family. */
#ifndef EXECUTOR_SYSTEM_SYSTEM_H
#define EXECUTOR_SYSTEM_SYSTEM_H

#include "storage/catalog/builtin.h"

extern const SystemRelation *const system_families[]; /* system.c: ended by NULL */

/* Each ended by a row without a name. */
extern const SystemRelation sys_show_rows[], sys_store_rows[], sys_cluster_rows[], sys_ranges_rows[], sys_crdb_rows[], sys_pg_relation_rows[], sys_pg_type_rows[];
extern const SystemRelation sys_pg_object_rows[], sys_pg_activity_rows[], sys_pg_locks_rows[], sys_pg_empty_rows[], sys_view_rows[];
extern const SystemRelation sys_pg_constraint_rows[], sys_snapshots_rows[], sys_heat_rows[], sys_pg_progress_rows[], sys_pg_stats_rows[];
extern const SystemRelation sys_pg_static_rows[], sys_pg_depend_rows[], sys_stat_view_rows[], sys_information_rows[];

#endif
