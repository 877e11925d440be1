/* Relations of pg_catalog that tools join with and that hold nothing here: the features they describe do not exist. */
#include "executor/system/system.h"

static Status fill_nothing(SystemCtx *ctx)
{
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_empty_rows[] = {
    {2607, "pg_catalog", "pg_conversion",
     "oid oid, conname name, connamespace oid, conowner oid, conforencoding int4, contoencoding int4, "
     "conproc regproc, condefault bool",
     fill_nothing, NULL, NULL},
    {2964, "pg_catalog", "pg_db_role_setting",
     "setdatabase oid, setrole oid, setconfig text[]",
     fill_nothing, NULL, NULL},
    {3466, "pg_catalog", "pg_event_trigger",
     "oid oid, evtname name, evtevent name, evtowner oid, evtfoid oid, evtenabled \"char\", evttags text[]",
     fill_nothing, NULL, NULL},
    {2328, "pg_catalog", "pg_foreign_data_wrapper",
     "oid oid, fdwname name, fdwowner oid, fdwhandler oid, fdwvalidator oid, fdwacl aclitem[], fdwoptions "
     "text[]",
     fill_nothing, NULL, NULL},
    {1417, "pg_catalog", "pg_foreign_server",
     "oid oid, srvname name, srvowner oid, srvfdw oid, srvtype text, srvversion text, srvacl aclitem[], "
     "srvoptions text[]",
     fill_nothing, NULL, NULL},
    {3118, "pg_catalog", "pg_foreign_table",
     "ftrelid oid, ftserver oid, ftoptions text[]",
     fill_nothing, NULL, NULL},
    {2611, "pg_catalog", "pg_inherits",
     "inhrelid oid, inhparent oid, inhseqno int4, inhdetachpending bool",
     fill_nothing, NULL, NULL},
    {3394, "pg_catalog", "pg_init_privs",
     "objoid oid, classoid oid, objsubid int4, privtype \"char\", initprivs aclitem[]",
     fill_nothing, NULL, NULL},
    {2995, "pg_catalog", "pg_largeobject_metadata",
     "oid oid, lomowner oid, lomacl aclitem[]",
     fill_nothing, NULL, NULL},
    {3350, "pg_catalog", "pg_partitioned_table",
     "partrelid oid, partstrat \"char\", partnatts int2, partdefid oid, partattrs int2vector, partclass "
     "oidvector, partcollation oidvector, partexprs pg_node_tree",
     fill_nothing, NULL, NULL},
    {12018, "pg_catalog", "pg_policies",
     "schemaname name, tablename name, policyname name, permissive text, roles name[], cmd text, qual "
     "text, with_check text",
     fill_nothing, NULL, NULL},
    {3256, "pg_catalog", "pg_policy",
     "oid oid, polname name, polrelid oid, polcmd \"char\", polpermissive bool, polroles oid[], polqual "
     "pg_node_tree, polwithcheck pg_node_tree",
     fill_nothing, NULL, NULL},
    {12090, "pg_catalog", "pg_prepared_xacts",
     "transaction xid, gid text, prepared timestamptz, owner name, database name",
     fill_nothing, NULL, NULL},
    {6104, "pg_catalog", "pg_publication",
     "oid oid, pubname name, pubowner oid, puballtables bool, pubinsert bool, pubupdate bool, pubdelete "
     "bool, pubtruncate bool, pubviaroot bool",
     fill_nothing, NULL, NULL},
    {6237, "pg_catalog", "pg_publication_namespace",
     "oid oid, pnpubid oid, pnnspid oid",
     fill_nothing, NULL, NULL},
    {6106, "pg_catalog", "pg_publication_rel",
     "oid oid, prpubid oid, prrelid oid, prqual pg_node_tree, prattrs int2vector",
     fill_nothing, NULL, NULL},
    {12068, "pg_catalog", "pg_publication_tables",
     "pubname name, schemaname name, tablename name, attnames name[], rowfilter text",
     fill_nothing, NULL, NULL},
    {12257, "pg_catalog", "pg_replication_slots",
     "slot_name name, plugin name, slot_type text, datoid oid, database name, temporary bool, active bool, "
     "active_pid int4, xmin xid, catalog_xmin xid, restart_lsn pg_lsn, confirmed_flush_lsn pg_lsn, "
     "wal_status text, safe_wal_size int8, two_phase bool",
     fill_nothing, NULL, NULL},
    {12023, "pg_catalog", "pg_rules",
     "schemaname name, tablename name, rulename name, definition text",
     fill_nothing, NULL, NULL},
    {3596, "pg_catalog", "pg_seclabel",
     "objoid oid, classoid oid, objsubid int4, provider text, label text",
     fill_nothing, NULL, NULL},
    {1214, "pg_catalog", "pg_shdepend",
     "dbid oid, classid oid, objid oid, objsubid int4, refclassid oid, refobjid oid, deptype \"char\"",
     fill_nothing, NULL, NULL},
    {3592, "pg_catalog", "pg_shseclabel",
     "objoid oid, classoid oid, provider text, label text",
     fill_nothing, NULL, NULL},
    {12253, "pg_catalog", "pg_stat_gssapi",
     "pid int4, gss_authenticated bool, principal text, encrypted bool",
     fill_nothing, NULL, NULL},
    {12227, "pg_catalog", "pg_stat_replication",
     "pid int4, usesysid oid, usename name, application_name text, client_addr text, client_hostname text, "
     "client_port int4, backend_start timestamptz, backend_xmin xid, state text, sent_lsn pg_lsn, "
     "write_lsn pg_lsn, flush_lsn pg_lsn, replay_lsn pg_lsn, write_lag interval, flush_lag interval, "
     "replay_lag interval, sync_priority int4, sync_state text, reply_time timestamptz",
     fill_nothing, NULL, NULL},
    {12249, "pg_catalog", "pg_stat_ssl",
     "pid int4, ssl bool, version text, cipher text, bits int4, client_dn text, client_serial numeric, "
     "issuer_dn text",
     fill_nothing, NULL, NULL},
    {2619, "pg_catalog", "pg_statistic",
     "starelid oid, staattnum int2, stainherit bool, stanullfrac float4, stawidth int4, stadistinct "
     "float4, stakind1 int2, stakind2 int2, stakind3 int2, stakind4 int2, stakind5 int2, staop1 oid, "
     "staop2 oid, staop3 oid, staop4 oid, staop5 oid, stacoll1 oid, stacoll2 oid, stacoll3 oid, stacoll4 "
     "oid, stacoll5 oid, stanumbers1 float4[], stanumbers2 float4[], stanumbers3 float4[], stanumbers4 "
     "float4[], stanumbers5 float4[], stavalues1 anyarray, stavalues2 anyarray, stavalues3 anyarray, "
     "stavalues4 anyarray, stavalues5 anyarray",
     fill_nothing, NULL, NULL},
    {3381, "pg_catalog", "pg_statistic_ext",
     "oid oid, stxrelid oid, stxname name, stxnamespace oid, stxowner oid, stxstattarget int4, stxkeys "
     "int2vector, stxkind text[], stxexprs pg_node_tree",
     fill_nothing, NULL, NULL},
    {3429, "pg_catalog", "pg_statistic_ext_data",
     "stxoid oid, stxdinherit bool, stxdndistinct pg_ndistinct, stxddependencies pg_dependencies, stxdmcv "
     "pg_mcv_list, stxdexpr text[]",
     fill_nothing, NULL, NULL},
    {6100, "pg_catalog", "pg_subscription",
     "oid oid, subdbid oid, subskiplsn pg_lsn, subname name, subowner oid, subenabled bool, subbinary "
     "bool, substream bool, subtwophasestate \"char\", subdisableonerr bool, subconninfo text, subslotname "
     "name, subsynccommit text, subpublications text[]",
     fill_nothing, NULL, NULL},
    {12126, "pg_catalog", "pg_timezone_names",
     "name text, abbrev text, utc_offset interval, is_dst bool",
     fill_nothing, NULL, NULL},
    {3576, "pg_catalog", "pg_transform",
     "oid oid, trftype oid, trflang oid, trffromsql regproc, trftosql regproc",
     fill_nothing, NULL, NULL},
    {2620, "pg_catalog", "pg_trigger",
     "oid oid, tgrelid oid, tgparentid oid, tgname name, tgfoid oid, tgtype int2, tgenabled \"char\", "
     "tgisinternal bool, tgconstrrelid oid, tgconstrindid oid, tgconstraint oid, tgdeferrable bool, "
     "tginitdeferred bool, tgnargs int2, tgattr int2vector, tgargs bytea, tgqual pg_node_tree, tgoldtable "
     "name, tgnewtable name",
     fill_nothing, NULL, NULL},
    {3602, "pg_catalog", "pg_ts_config",
     "oid oid, cfgname name, cfgnamespace oid, cfgowner oid, cfgparser oid",
     fill_nothing, NULL, NULL},
    {3600, "pg_catalog", "pg_ts_dict",
     "oid oid, dictname name, dictnamespace oid, dictowner oid, dicttemplate oid, dictinitoption text",
     fill_nothing, NULL, NULL},
    {3601, "pg_catalog", "pg_ts_parser",
     "oid oid, prsname name, prsnamespace oid, prsstart regproc, prstoken regproc, prsend regproc, "
     "prsheadline regproc, prslextype regproc",
     fill_nothing, NULL, NULL},
    {3764, "pg_catalog", "pg_ts_template",
     "oid oid, tmplname name, tmplnamespace oid, tmplinit regproc, tmpllexize regproc",
     fill_nothing, NULL, NULL},
    {1418, "pg_catalog", "pg_user_mapping",
     "oid oid, umuser oid, umserver oid, umoptions text[]",
     fill_nothing, NULL, NULL},
    {12085, "pg_catalog", "pg_available_extension_versions",
     "name name, version text, installed bool, superuser bool, trusted bool, relocatable bool, schema "
     "name, requires name[], comment text",
     fill_nothing, NULL, NULL},
    {12138, "pg_catalog", "pg_backend_memory_contexts",
     "name text, ident text, parent text, level int4, total_bytes int8, total_nblocks int8, free_bytes "
     "int8, free_chunks int8, used_bytes int8",
     fill_nothing, NULL, NULL},
    {12130, "pg_catalog", "pg_config",
     "name text, setting text",
     fill_nothing, NULL, NULL},
    {12110, "pg_catalog", "pg_file_settings",
     "sourcefile text, sourceline int4, seqno int4, name text, setting text, applied bool, error text",
     fill_nothing, NULL, NULL},
    {12114, "pg_catalog", "pg_hba_file_rules",
     "line_number int4, type text, database text[], user_name text[], address text, netmask text, "
     "auth_method text, options text[], error text",
     fill_nothing, NULL, NULL},
    {12118, "pg_catalog", "pg_ident_file_mappings",
     "line_number int4, map_name text, sys_name text, pg_username text, error text",
     fill_nothing, NULL, NULL},
    {2613, "pg_catalog", "pg_largeobject",
     "loid oid, pageno int4, data bytea",
     fill_nothing, NULL, NULL},
    {6243, "pg_catalog", "pg_parameter_acl",
     "oid oid, parname text, paracl aclitem[]",
     fill_nothing, NULL, NULL},
    {6000, "pg_catalog", "pg_replication_origin",
     "roident oid, roname text",
     fill_nothing, NULL, NULL},
    {12332, "pg_catalog", "pg_replication_origin_status",
     "local_id oid, external_id text, remote_lsn pg_lsn, local_lsn pg_lsn",
     fill_nothing, NULL, NULL},
    {12099, "pg_catalog", "pg_seclabels",
     "objoid oid, classoid oid, objsubid int4, objtype text, objnamespace oid, objname text, provider "
     "text, label text",
     fill_nothing, NULL, NULL},
    {12134, "pg_catalog", "pg_shmem_allocations",
     "name text, off int8, size int8, allocated_size int8",
     fill_nothing, NULL, NULL},
    {12285, "pg_catalog", "pg_stat_archiver",
     "archived_count int8, last_archived_wal text, last_archived_time timestamptz, failed_count int8, "
     "last_failed_wal text, last_failed_time timestamptz, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12289, "pg_catalog", "pg_stat_bgwriter",
     "checkpoints_timed int8, checkpoints_req int8, checkpoint_write_time float8, checkpoint_sync_time "
     "float8, buffers_checkpoint int8, buffers_clean int8, maxwritten_clean int8, buffers_backend int8, "
     "buffers_backend_fsync int8, buffers_alloc int8, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12266, "pg_catalog", "pg_stat_database",
     "datid oid, datname name, numbackends int4, xact_commit int8, xact_rollback int8, blks_read int8, "
     "blks_hit int8, tup_returned int8, tup_fetched int8, tup_inserted int8, tup_updated int8, tup_deleted "
     "int8, conflicts int8, temp_files int8, temp_bytes int8, deadlocks int8, checksum_failures int8, "
     "checksum_last_failure timestamptz, blk_read_time float8, blk_write_time float8, session_time float8, "
     "active_time float8, idle_in_transaction_time float8, sessions int8, sessions_abandoned int8, "
     "sessions_fatal int8, sessions_killed int8, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12271, "pg_catalog", "pg_stat_database_conflicts",
     "datid oid, datname name, confl_tablespace int8, confl_lock int8, confl_snapshot int8, "
     "confl_bufferpin int8, confl_deadlock int8",
     fill_nothing, NULL, NULL},
    {12240, "pg_catalog", "pg_stat_recovery_prefetch",
     "stats_reset timestamptz, prefetch int8, hit int8, skip_init int8, skip_new int8, skip_fpw int8, "
     "skip_rep int8, wal_distance int4, block_distance int4, io_depth int4",
     fill_nothing, NULL, NULL},
    {12262, "pg_catalog", "pg_stat_replication_slots",
     "slot_name text, spill_txns int8, spill_count int8, spill_bytes int8, stream_txns int8, stream_count "
     "int8, stream_bytes int8, total_txns int8, total_bytes int8, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12232, "pg_catalog", "pg_stat_slru",
     "name text, blks_zeroed int8, blks_hit int8, blks_read int8, blks_written int8, blks_exists int8, "
     "flushes int8, truncates int8, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12244, "pg_catalog", "pg_stat_subscription",
     "subid oid, subname name, pid int4, relid oid, received_lsn pg_lsn, last_msg_send_time timestamptz, "
     "last_msg_receipt_time timestamptz, latest_end_lsn pg_lsn, latest_end_time timestamptz",
     fill_nothing, NULL, NULL},
    {12336, "pg_catalog", "pg_stat_subscription_stats",
     "subid oid, subname name, apply_error_count int8, sync_error_count int8, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12275, "pg_catalog", "pg_stat_user_functions",
     "funcid oid, schemaname name, funcname name, calls int8, total_time float8, self_time float8",
     fill_nothing, NULL, NULL},
    {12293, "pg_catalog", "pg_stat_wal",
     "wal_records int8, wal_fpi int8, wal_bytes numeric, wal_buffers_full int8, wal_write int8, wal_sync "
     "int8, wal_write_time float8, wal_sync_time float8, stats_reset timestamptz",
     fill_nothing, NULL, NULL},
    {12236, "pg_catalog", "pg_stat_wal_receiver",
     "pid int4, status text, receive_start_lsn pg_lsn, receive_start_tli int4, written_lsn pg_lsn, "
     "flushed_lsn pg_lsn, received_tli int4, last_msg_send_time timestamptz, last_msg_receipt_time "
     "timestamptz, latest_end_lsn pg_lsn, latest_end_time timestamptz, slot_name text, sender_host text, "
     "sender_port int4, conninfo text",
     fill_nothing, NULL, NULL},
    {12280, "pg_catalog", "pg_stat_xact_user_functions",
     "funcid oid, schemaname name, funcname name, calls int8, total_time float8, self_time float8",
     fill_nothing, NULL, NULL},
    {12058, "pg_catalog", "pg_stats_ext",
     "schemaname name, tablename name, statistics_schemaname name, statistics_name name, statistics_owner "
     "name, attnames name[], exprs text[], kinds \"char\"[], inherited bool, n_distinct pg_ndistinct, "
     "dependencies pg_dependencies, most_common_vals text[], most_common_val_nulls boolean[], "
     "most_common_freqs double precision[], most_common_base_freqs double precision[]",
     fill_nothing, NULL, NULL},
    {12063, "pg_catalog", "pg_stats_ext_exprs",
     "schemaname name, tablename name, statistics_schemaname name, statistics_name name, statistics_owner "
     "name, expr text, inherited bool, null_frac float4, avg_width int4, n_distinct float4, "
     "most_common_vals anyarray, most_common_freqs float4[], histogram_bounds anyarray, correlation "
     "float4, most_common_elems anyarray, most_common_elem_freqs float4[], elem_count_histogram float4[]",
     fill_nothing, NULL, NULL},
    {6102, "pg_catalog", "pg_subscription_rel",
     "srsubid oid, srrelid oid, srsubstate \"char\", srsublsn pg_lsn",
     fill_nothing, NULL, NULL},
    {3603, "pg_catalog", "pg_ts_config_map",
     "mapcfg oid, maptokentype int4, mapseqno int4, mapdict oid",
     fill_nothing, NULL, NULL},
    {12327, "pg_catalog", "pg_user_mappings",
     "umid oid, srvid oid, srvname name, umuser oid, usename name, umoptions text[]",
     fill_nothing, NULL, NULL},
    {0},
};
