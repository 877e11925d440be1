/* Views of pg_catalog that count what happens to relations: those of single kinds of relations, over sys_pg_stats.c and
 * sys_pg_activity.c. Reads of pages are not counted, nor what a transaction has done so far: zeros. */
#include "executor/system/system.h"

/* clang-format off */
const SystemRelation sys_stat_view_rows[] = {
    {12183, "pg_catalog", "pg_stat_sys_indexes",
     "relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_scan int8, "
     "idx_tup_read int8, idx_tup_fetch int8",
     NULL,
     "SELECT * FROM pg_catalog.pg_stat_all_indexes WHERE schemaname IN ('pg_catalog', "
     "'information_schema')",
     NULL},
    {12152, "pg_catalog", "pg_stat_sys_tables",
     "relid oid, schemaname name, relname name, seq_scan int8, seq_tup_read int8, idx_scan int8, "
     "idx_tup_fetch int8, n_tup_ins int8, n_tup_upd int8, n_tup_del int8, n_tup_hot_upd int8, n_live_tup "
     "int8, n_dead_tup int8, n_mod_since_analyze int8, n_ins_since_vacuum int8, last_vacuum timestamptz, "
     "last_autovacuum timestamptz, last_analyze timestamptz, last_autoanalyze timestamptz, vacuum_count "
     "int8, autovacuum_count int8, analyze_count int8, autoanalyze_count int8",
     NULL,
     "SELECT * FROM pg_catalog.pg_stat_all_tables WHERE schemaname IN ('pg_catalog', 'information_schema')",
     NULL},
    {12147, "pg_catalog", "pg_stat_xact_all_tables",
     "relid oid, schemaname name, relname name, seq_scan int8, seq_tup_read int8, idx_scan int8, "
     "idx_tup_fetch int8, n_tup_ins int8, n_tup_upd int8, n_tup_del int8, n_tup_hot_upd int8",
     NULL,
     "SELECT relid, schemaname, relname, 0::int8 AS seq_scan, 0::int8 AS seq_tup_read, 0::int8 AS "
     "idx_scan, 0::int8 AS idx_tup_fetch, 0::int8 AS n_tup_ins, 0::int8 AS n_tup_upd, 0::int8 AS "
     "n_tup_del, 0::int8 AS n_tup_hot_upd FROM pg_catalog.pg_stat_all_tables",
     NULL},
    {12157, "pg_catalog", "pg_stat_xact_sys_tables",
     "relid oid, schemaname name, relname name, seq_scan int8, seq_tup_read int8, idx_scan int8, "
     "idx_tup_fetch int8, n_tup_ins int8, n_tup_upd int8, n_tup_del int8, n_tup_hot_upd int8",
     NULL,
     "SELECT relid, schemaname, relname, 0::int8 AS seq_scan, 0::int8 AS seq_tup_read, 0::int8 AS "
     "idx_scan, 0::int8 AS idx_tup_fetch, 0::int8 AS n_tup_ins, 0::int8 AS n_tup_upd, 0::int8 AS "
     "n_tup_del, 0::int8 AS n_tup_hot_upd FROM pg_catalog.pg_stat_all_tables WHERE schemaname IN "
     "('pg_catalog', 'information_schema')",
     NULL},
    {12166, "pg_catalog", "pg_stat_xact_user_tables",
     "relid oid, schemaname name, relname name, seq_scan int8, seq_tup_read int8, idx_scan int8, "
     "idx_tup_fetch int8, n_tup_ins int8, n_tup_upd int8, n_tup_del int8, n_tup_hot_upd int8",
     NULL,
     "SELECT relid, schemaname, relname, 0::int8 AS seq_scan, 0::int8 AS seq_tup_read, 0::int8 AS "
     "idx_scan, 0::int8 AS idx_tup_fetch, 0::int8 AS n_tup_ins, 0::int8 AS n_tup_upd, 0::int8 AS "
     "n_tup_del, 0::int8 AS n_tup_hot_upd FROM pg_catalog.pg_stat_all_tables WHERE schemaname NOT IN "
     "('pg_catalog', 'information_schema')",
     NULL},
    {12196, "pg_catalog", "pg_statio_all_indexes",
     "relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_blks_read int8, "
     "idx_blks_hit int8",
     NULL,
     "SELECT relid, indexrelid, schemaname, relname, indexrelname, 0::int8 AS idx_blks_read, 0::int8 AS "
     "idx_blks_hit FROM pg_catalog.pg_stat_all_indexes",
     NULL},
    {12209, "pg_catalog", "pg_statio_all_sequences",
     "relid oid, schemaname name, relname name, blks_read int8, blks_hit int8",
     NULL,
     "SELECT c.oid AS relid, n.nspname AS schemaname, c.relname, 0::int8 AS blks_read, 0::int8 AS blks_hit "
     "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind "
     "= 'S'",
     NULL},
    {12170, "pg_catalog", "pg_statio_all_tables",
     "relid oid, schemaname name, relname name, heap_blks_read int8, heap_blks_hit int8, idx_blks_read "
     "int8, idx_blks_hit int8, toast_blks_read int8, toast_blks_hit int8, tidx_blks_read int8, "
     "tidx_blks_hit int8",
     NULL,
     "SELECT relid, schemaname, relname, 0::int8 AS heap_blks_read, 0::int8 AS heap_blks_hit, 0::int8 AS "
     "idx_blks_read, 0::int8 AS idx_blks_hit, 0::int8 AS toast_blks_read, 0::int8 AS toast_blks_hit, "
     "0::int8 AS tidx_blks_read, 0::int8 AS tidx_blks_hit FROM pg_catalog.pg_stat_all_tables",
     NULL},
    {12201, "pg_catalog", "pg_statio_sys_indexes",
     "relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_blks_read int8, "
     "idx_blks_hit int8",
     NULL,
     "SELECT relid, indexrelid, schemaname, relname, indexrelname, 0::int8 AS idx_blks_read, 0::int8 AS "
     "idx_blks_hit FROM pg_catalog.pg_stat_all_indexes WHERE schemaname IN ('pg_catalog', "
     "'information_schema')",
     NULL},
    {12214, "pg_catalog", "pg_statio_sys_sequences",
     "relid oid, schemaname name, relname name, blks_read int8, blks_hit int8",
     NULL,
     "SELECT c.oid AS relid, n.nspname AS schemaname, c.relname, 0::int8 AS blks_read, 0::int8 AS blks_hit "
     "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind "
     "= 'S' AND n.nspname IN ('pg_catalog', 'information_schema')",
     NULL},
    {12175, "pg_catalog", "pg_statio_sys_tables",
     "relid oid, schemaname name, relname name, heap_blks_read int8, heap_blks_hit int8, idx_blks_read "
     "int8, idx_blks_hit int8, toast_blks_read int8, toast_blks_hit int8, tidx_blks_read int8, "
     "tidx_blks_hit int8",
     NULL,
     "SELECT relid, schemaname, relname, 0::int8 AS heap_blks_read, 0::int8 AS heap_blks_hit, 0::int8 AS "
     "idx_blks_read, 0::int8 AS idx_blks_hit, 0::int8 AS toast_blks_read, 0::int8 AS toast_blks_hit, "
     "0::int8 AS tidx_blks_read, 0::int8 AS tidx_blks_hit FROM pg_catalog.pg_stat_all_tables WHERE "
     "schemaname IN ('pg_catalog', 'information_schema')",
     NULL},
    {12205, "pg_catalog", "pg_statio_user_indexes",
     "relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_blks_read int8, "
     "idx_blks_hit int8",
     NULL,
     "SELECT relid, indexrelid, schemaname, relname, indexrelname, 0::int8 AS idx_blks_read, 0::int8 AS "
     "idx_blks_hit FROM pg_catalog.pg_stat_all_indexes WHERE schemaname NOT IN ('pg_catalog', "
     "'information_schema')",
     NULL},
    {12218, "pg_catalog", "pg_statio_user_sequences",
     "relid oid, schemaname name, relname name, blks_read int8, blks_hit int8",
     NULL,
     "SELECT c.oid AS relid, n.nspname AS schemaname, c.relname, 0::int8 AS blks_read, 0::int8 AS blks_hit "
     "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind "
     "= 'S' AND n.nspname NOT IN ('pg_catalog', 'information_schema')",
     NULL},
    {12179, "pg_catalog", "pg_statio_user_tables",
     "relid oid, schemaname name, relname name, heap_blks_read int8, heap_blks_hit int8, idx_blks_read "
     "int8, idx_blks_hit int8, toast_blks_read int8, toast_blks_hit int8, tidx_blks_read int8, "
     "tidx_blks_hit int8",
     NULL,
     "SELECT relid, schemaname, relname, 0::int8 AS heap_blks_read, 0::int8 AS heap_blks_hit, 0::int8 AS "
     "idx_blks_read, 0::int8 AS idx_blks_hit, 0::int8 AS toast_blks_read, 0::int8 AS toast_blks_hit, "
     "0::int8 AS tidx_blks_read, 0::int8 AS tidx_blks_hit FROM pg_catalog.pg_stat_all_tables WHERE "
     "schemaname NOT IN ('pg_catalog', 'information_schema')",
     NULL},
    {0},
};
