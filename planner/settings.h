/* settings.h - every run-time setting: one row each (settings.c), read by SET, SHOW, RESET, pg_settings and start-up options.
 *
 * Values are kept as text and, for what code asks often, as a parsed value. SET LOCAL and SET inside a transaction are
 * undone by rollback: settings_mark and settings_rollback.
 */
#ifndef PLANNER_SETTINGS_H
#define PLANNER_SETTINGS_H

#include "storage/types/type.h"

typedef struct Settings Settings;
struct Session;

#define SETTING_IDS(X)                                                                                               \
    X(application_name) X(bytea_output) X(client_encoding) X(client_min_messages) X(database) X(DateStyle)           \
    X(IntervalStyle) X(TimeZone) X(extra_float_digits) X(search_path) X(standard_conforming_strings)                 \
    X(default_transaction_isolation) X(default_transaction_read_only) X(default_transaction_deferrable)              \
    X(transaction_isolation) X(transaction_read_only) X(transaction_deferrable) X(synchronous_commit)                \
    X(statement_timeout) X(lock_timeout) X(deadlock_timeout) X(results_buffer_size) X(force_savepoint_restart)              \
    X(inject_retry_errors_enabled) X(idle_in_transaction_session_timeout)                  \
    X(idle_session_timeout) X(work_mem) X(default_int_size) X(serial_normalization) X(null_ordered_last)             \
    X(server_version) X(server_version_num) X(server_encoding) X(integer_datetimes) X(is_superuser)                  \
    X(in_hot_standby) X(session_authorization) X(max_identifier_length) X(row_security) X(check_function_bodies)     \
    X(enable_hashjoin) X(enable_mergejoin) X(enable_lookupjoin) X(enable_skipscan) X(enable_bucketmerge)             \
    X(enable_indexscan) X(enable_seqscan) X(enable_hashagg) X(enable_sort) X(plan_cache_mode)                        \
    X(yb_use_hash_splitting_by_default) X(yb_enable_derived_saops) X(yb_enable_derived_equalities)                   \
    X(yb_max_merge_scan_streams) X(yb_max_saop_merge_streams) X(yb_enable_cbo)                                       \
    X(yb_explain_hide_non_deterministic_fields) X(experimental_enable_hash_sharded_indexes)                          \
    X(default_hash_sharded_index_bucket_count) X(version_style)                                                      \
    X(max_index_keys) X(default_tablespace) X(default_table_access_method) X(default_with_oids) X(xmloption)         \
    X(synchronize_seqscans) X(restrict_nonsystem_relation_kind) X(temp_tablespaces) X(default_text_search_config)    \
    X(lc_collate) X(lc_ctype) X(lc_messages) X(lc_monetary) X(lc_numeric) X(lc_time) X(jit) X(block_size)            \
    X(max_connections) X(max_prepared_transactions) X(wal_level) X(ssl) X(log_statement)                             \
    X(enable_experimental_alter_column_type_general) X(escape_string_warning) X(backslash_quote)                     \
    X(transform_null_equals) X(max_parallel_workers_per_gather) X(idle_in_session_timeout) X(geqo)                   \
    X(join_collapse_limit) X(from_collapse_limit) X(random_page_cost) X(seq_page_cost) X(enable_bitmapscan)          \
    X(enable_nestloop) X(enable_indexonlyscan) X(enable_material) X(maintenance_work_mem)                            \
    X(log_min_duration_statement) X(enable_rule_fold_constants) X(enable_rule_drop_projection)                       \
    X(enable_rule_decorrelate) X(enable_rule_outer_to_inner) X(enable_rule_push_filter) X(rowkey_advice)                                       \
    X(password_encryption) X(ssl_cert_file) X(ssl_key_file) X(ssl_ca_file) X(ssl_min_protocol_version) X(hba_file)   \
    X(authentication_timeout) X(role)

typedef enum SettingId {
#define SETTING_ID(name) SETTING_##name,
    SETTING_IDS(SETTING_ID)
#undef SETTING_ID
    SETTING_COUNT
} SettingId;

typedef enum SettingKind { SETTING_BOOL, SETTING_INT, SETTING_REAL, SETTING_STRING, SETTING_ENUM } SettingKind;

typedef struct SettingDef {
    const char *name;      /* as SHOW prints it */
    SettingKind kind;
    const char *unit;      /* "ms", "kB" or NULL */
    const char *boot;      /* the default's text */
    int64_t min, max;      /* SETTING_INT */
    const char *choices;   /* SETTING_ENUM: "off,on,..." */
    bool read_only;        /* SET fails with 55P02 */
    bool reported;         /* ParameterStatus is sent when it changes */
    const char *category, *description;
} SettingDef;

/* setting_int of the isolation settings: the order of their choices. */
enum { ISOLATION_SERIALIZABLE, ISOLATION_REPEATABLE_READ, ISOLATION_READ_COMMITTED, ISOLATION_READ_UNCOMMITTED };

Settings *settings_create(Arena *arena);
const SettingDef *setting_def(SettingId id);
int setting_find(const char *name); /* any case; -1 if unknown (custom names with a dot are kept too: settings_set_name) */

const char *setting_text(const Settings *settings, SettingId id);
bool setting_bool(const Settings *settings, SettingId id);
int64_t setting_int(const Settings *settings, SettingId id); /* enums: the index of the choice */

/* 42704 unknown name, 22023 bad value, 55P02 read-only. Value NULL: the default. is_local: until the transaction ends. */
Status settings_set_name(struct Session *session, const char *name, const char *value, bool is_local, Error *err);
/* The names of a list setting (search_path), unquoted. -1: the text is no list of identifiers. */
int setting_list(const char *text, const char ***names, Arena *arena);
/* NULL and 42704 if unknown. */
const char *settings_show(const struct Session *session, const char *name, Error *err);
/* At the session's start, read-only ones too: user, database, is_superuser. The value and what RESET goes back to. */
void settings_preset(struct Session *session, SettingId id, const char *text);
void settings_reset_all(struct Session *session); /* RESET ALL */
/* The value that RESET goes back to, as start-up parameters set it. */
void settings_make_default(Settings *settings);

int settings_mark(Settings *settings);                      /* for savepoints; transactions start at 0 */
void settings_rollback(struct Session *session, int mark);  /* undoes sets since the mark */
void settings_commit(struct Session *session);              /* undoes SET LOCAL, forgets marks */

/* Settings with `reported` that changed since the last call, by name; NULL when there is no more. */
const char *settings_next_report(Settings *settings, const char **value);

#endif
