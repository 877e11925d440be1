/* information_schema beyond its tables, columns and constraints: routines, array elements, what views and constraints
 * use; and the views of what does not exist here, which are empty. */
#include "executor/system/system.h"

static Status fill_nothing(SystemCtx *ctx)
{
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_information_rows[] = {
    {13245, "information_schema", "attributes",
     "udt_catalog name, udt_schema name, udt_name name, attribute_name name, ordinal_position int4, "
     "attribute_default varchar, is_nullable varchar, data_type varchar, character_maximum_length int4, "
     "character_octet_length int4, character_set_catalog name, character_set_schema name, "
     "character_set_name name, collation_catalog name, collation_schema name, collation_name name, "
     "numeric_precision int4, numeric_precision_radix int4, numeric_scale int4, datetime_precision int4, "
     "interval_type varchar, interval_precision int4, attribute_udt_catalog name, attribute_udt_schema "
     "name, attribute_udt_name name, scope_catalog name, scope_schema name, scope_name name, "
     "maximum_cardinality int4, dtd_identifier name, is_derived_reference_attribute varchar",
     fill_nothing, NULL, NULL},
    {13255, "information_schema", "check_constraint_routine_usage",
     "constraint_catalog name, constraint_schema name, constraint_name name, specific_catalog name, "
     "specific_schema name, specific_name name",
     fill_nothing, NULL, NULL},
    {13275, "information_schema", "column_column_usage",
     "table_catalog name, table_schema name, table_name name, column_name name, dependent_column name",
     fill_nothing, NULL, NULL},
    {13280, "information_schema", "column_domain_usage",
     "domain_catalog name, domain_schema name, domain_name name, table_catalog name, table_schema name, "
     "table_name name, column_name name",
     NULL,
     "SELECT current_database()::name AS domain_catalog, n.nspname AS domain_schema, t.typname AS domain_name, "
     "current_database()::name AS table_catalog, cn.nspname AS table_schema, c.relname AS table_name, a.attname "
     "AS column_name FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN "
     "pg_catalog.pg_namespace cn ON cn.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = a.atttypid JOIN "
     "pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype = 'd' AND a.attnum > 0 AND NOT "
     "a.attisdropped AND c.relkind IN ('r', 'v', 'p')", NULL},
    {13503, "information_schema", "column_options",
     "table_catalog name, table_schema name, table_name name, column_name name, option_name name, "
     "option_value varchar",
     fill_nothing, NULL, NULL},
    {13310, "information_schema", "domain_constraints",
     "constraint_catalog name, constraint_schema name, constraint_name name, domain_catalog name, "
     "domain_schema name, domain_name name, is_deferrable varchar, initially_deferred varchar",
     NULL,
     "SELECT current_database()::name AS constraint_catalog, cn.nspname AS constraint_schema, c.conname AS "
     "constraint_name, current_database()::name AS domain_catalog, n.nspname AS domain_schema, t.typname AS "
     "domain_name, 'NO'::varchar AS is_deferrable, 'NO'::varchar AS initially_deferred FROM "
     "pg_catalog.pg_constraint c JOIN pg_catalog.pg_type t ON t.oid = c.contypid JOIN pg_catalog.pg_namespace n "
     "ON n.oid = t.typnamespace JOIN pg_catalog.pg_namespace cn ON cn.oid = c.connamespace", NULL},
    {13315, "information_schema", "domain_udt_usage",
     "udt_catalog name, udt_schema name, udt_name name, domain_catalog name, domain_schema name, "
     "domain_name name",
     NULL,
     "SELECT current_database()::name AS udt_catalog, bn.nspname AS udt_schema, b.typname AS udt_name, "
     "current_database()::name AS domain_catalog, n.nspname AS domain_schema, t.typname AS domain_name FROM "
     "pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace JOIN pg_catalog.pg_type b ON "
     "b.oid = t.typbasetype JOIN pg_catalog.pg_namespace bn ON bn.oid = b.typnamespace WHERE t.typtype = 'd'", NULL},
    {13511, "information_schema", "foreign_data_wrapper_options",
     "foreign_data_wrapper_catalog name, foreign_data_wrapper_name name, option_name name, option_value "
     "varchar",
     fill_nothing, NULL, NULL},
    {13515, "information_schema", "foreign_data_wrappers",
     "foreign_data_wrapper_catalog name, foreign_data_wrapper_name name, authorization_identifier name, "
     "library_name varchar, foreign_data_wrapper_language varchar",
     fill_nothing, NULL, NULL},
    {13524, "information_schema", "foreign_server_options",
     "foreign_server_catalog name, foreign_server_name name, option_name name, option_value varchar",
     fill_nothing, NULL, NULL},
    {13528, "information_schema", "foreign_servers",
     "foreign_server_catalog name, foreign_server_name name, foreign_data_wrapper_catalog name, "
     "foreign_data_wrapper_name name, foreign_server_type varchar, foreign_server_version varchar, "
     "authorization_identifier name",
     fill_nothing, NULL, NULL},
    {13537, "information_schema", "foreign_table_options",
     "foreign_table_catalog name, foreign_table_schema name, foreign_table_name name, option_name name, "
     "option_value varchar",
     fill_nothing, NULL, NULL},
    {13541, "information_schema", "foreign_tables",
     "foreign_table_catalog name, foreign_table_schema name, foreign_table_name name, "
     "foreign_server_catalog name, foreign_server_name name",
     fill_nothing, NULL, NULL},
    {13348, "information_schema", "routine_column_usage",
     "specific_catalog name, specific_schema name, specific_name name, routine_catalog name, "
     "routine_schema name, routine_name name, table_catalog name, table_schema name, table_name name, "
     "column_name name",
     fill_nothing, NULL, NULL},
    {13362, "information_schema", "routine_routine_usage",
     "specific_catalog name, specific_schema name, specific_name name, routine_catalog name, "
     "routine_schema name, routine_name name",
     fill_nothing, NULL, NULL},
    {13367, "information_schema", "routine_sequence_usage",
     "specific_catalog name, specific_schema name, specific_name name, routine_catalog name, "
     "routine_schema name, routine_name name, sequence_catalog name, sequence_schema name, sequence_name "
     "name",
     fill_nothing, NULL, NULL},
    {13372, "information_schema", "routine_table_usage",
     "specific_catalog name, specific_schema name, specific_name name, routine_catalog name, "
     "routine_schema name, routine_name name, table_catalog name, table_schema name, table_name name",
     fill_nothing, NULL, NULL},
    {13430, "information_schema", "transforms",
     "udt_catalog name, udt_schema name, udt_name name, specific_catalog name, specific_schema name, "
     "specific_name name, group_name name, transform_type varchar",
     fill_nothing, NULL, NULL},
    {13435, "information_schema", "triggered_update_columns",
     "trigger_catalog name, trigger_schema name, trigger_name name, event_object_catalog name, "
     "event_object_schema name, event_object_table name, event_object_column name",
     fill_nothing, NULL, NULL},
    {13440, "information_schema", "triggers",
     "trigger_catalog name, trigger_schema name, trigger_name name, event_manipulation varchar, "
     "event_object_catalog name, event_object_schema name, event_object_table name, action_order int4, "
     "action_condition varchar, action_statement varchar, action_orientation varchar, action_timing "
     "varchar, action_reference_old_table name, action_reference_new_table name, action_reference_old_row "
     "name, action_reference_new_row name, created timestamptz",
     fill_nothing, NULL, NULL},
    {13463, "information_schema", "user_defined_types",
     "user_defined_type_catalog name, user_defined_type_schema name, user_defined_type_name name, "
     "user_defined_type_category varchar, is_instantiable varchar, is_final varchar, ordering_form "
     "varchar, ordering_category varchar, ordering_routine_catalog name, ordering_routine_schema name, "
     "ordering_routine_name name, reference_type varchar, data_type varchar, character_maximum_length "
     "int4, character_octet_length int4, character_set_catalog name, character_set_schema name, "
     "character_set_name name, collation_catalog name, collation_schema name, collation_name name, "
     "numeric_precision int4, numeric_precision_radix int4, numeric_scale int4, datetime_precision int4, "
     "interval_type varchar, interval_precision int4, source_dtd_identifier name, ref_dtd_identifier name",
     fill_nothing, NULL, NULL},
    {13550, "information_schema", "user_mapping_options",
     "authorization_identifier name, foreign_server_catalog name, foreign_server_name name, option_name "
     "name, option_value varchar",
     fill_nothing, NULL, NULL},
    {13555, "information_schema", "user_mappings",
     "authorization_identifier name, foreign_server_catalog name, foreign_server_name name",
     fill_nothing, NULL, NULL},
    {13473, "information_schema", "view_routine_usage",
     "table_catalog name, table_schema name, table_name name, specific_catalog name, specific_schema name, "
     "specific_name name",
     fill_nothing, NULL, NULL},
    {13320, "information_schema", "domains",
     "domain_catalog name, domain_schema name, domain_name name, data_type varchar, "
     "character_maximum_length int4, character_octet_length int4, character_set_catalog name, "
     "character_set_schema name, character_set_name name, collation_catalog name, collation_schema name, "
     "collation_name name, numeric_precision int4, numeric_precision_radix int4, numeric_scale int4, "
     "datetime_precision int4, interval_type varchar, interval_precision int4, domain_default varchar, "
     "udt_catalog name, udt_schema name, udt_name name, scope_catalog name, scope_schema name, scope_name "
     "name, maximum_cardinality int4, dtd_identifier name",
     NULL,
     "SELECT current_database()::name AS domain_catalog, n.nspname AS domain_schema, t.typname AS domain_name, "
     "(CASE WHEN bn.nspname = 'pg_catalog' THEN "
     "pg_catalog.format_type(t.typbasetype, NULL) ELSE 'USER-DEFINED' END)::varchar AS data_type, CASE WHEN "
     "b.oid IN (1042, 1043) AND t.typtypmod > 4 THEN t.typtypmod - 4 END AS character_maximum_length, CASE WHEN "
     "b.oid IN (1042, 1043) AND t.typtypmod > 4 THEN (t.typtypmod - 4) * 4 WHEN b.oid IN (25, 1042, 1043) THEN "
     "1073741824 END AS character_octet_length, NULL::name AS character_set_catalog, NULL::name AS "
     "character_set_schema, NULL::name AS character_set_name, NULL::name AS collation_catalog, NULL::name AS "
     "collation_schema, NULL::name AS collation_name, CASE b.oid WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 "
     "WHEN 700 THEN 24 WHEN 701 THEN 53 WHEN 1700 THEN CASE WHEN t.typtypmod > 4 THEN ((t.typtypmod - 4) >> 16) "
     "& 65535 END END AS numeric_precision, CASE WHEN b.oid IN (20, 21, 23, 700, 701) THEN 2 WHEN b.oid = 1700 "
     "THEN 10 END AS numeric_precision_radix, CASE WHEN b.oid IN (20, 21, 23) THEN 0 WHEN b.oid = 1700 AND "
     "t.typtypmod > 4 THEN (t.typtypmod - 4) & 65535 END AS numeric_scale, CASE WHEN b.oid IN (1083, 1114, 1184, "
     "1266) THEN CASE WHEN t.typtypmod < 0 THEN 6 ELSE t.typtypmod END WHEN b.oid = 1082 THEN 0 WHEN b.oid = "
     "1186 THEN 6 END AS datetime_precision, NULL::varchar AS interval_type, NULL::int4 AS interval_precision, "
     "t.typdefault::varchar AS domain_default, current_database()::name AS udt_catalog, bn.nspname AS "
     "udt_schema, b.typname AS udt_name, NULL::name AS scope_catalog, NULL::name AS scope_schema, NULL::name AS "
     "scope_name, NULL::int4 AS maximum_cardinality, '1'::name AS dtd_identifier FROM pg_catalog.pg_type t JOIN "
     "pg_catalog.pg_namespace n ON n.oid = t.typnamespace JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype "
     "JOIN pg_catalog.pg_namespace bn ON bn.oid = b.typnamespace WHERE t.typtype = 'd'", NULL},
    {13241, "information_schema", "administrable_role_authorizations",
     "grantee name, role_name name, is_grantable varchar",
     fill_nothing, NULL, NULL},
    {13227, "information_schema", "information_schema_catalog_name",
     "catalog_name name",
     NULL,
     "SELECT (current_database())::name AS catalog_name",
     NULL},
    {13325, "information_schema", "enabled_roles",
     "role_name name",
     NULL,
     "SELECT (rolname)::name AS role_name FROM pg_catalog.pg_authid WHERE rolname = current_user",
     NULL},
    {13478, "information_schema", "view_table_usage",
     "view_catalog name, view_schema name, view_name name, table_catalog name, table_schema name, "
     "table_name name",
     NULL,
     "SELECT (current_database())::name AS view_catalog, (vn.nspname)::name AS view_schema, "
     "(v.relname)::name AS view_name, (current_database())::name AS table_catalog, (tn.nspname)::name AS "
     "table_schema, (t.relname)::name AS table_name FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite "
     "r ON r.oid = d.objid JOIN pg_catalog.pg_class v ON v.oid = r.ev_class JOIN pg_catalog.pg_namespace "
     "vn ON vn.oid = v.relnamespace JOIN pg_catalog.pg_class t ON t.oid = d.refobjid JOIN "
     "pg_catalog.pg_namespace tn ON tn.oid = t.relnamespace WHERE d.classid = 2618 AND d.refclassid = 1259 "
     "AND d.deptype = 'n' AND t.oid <> v.oid AND t.relkind IN ('r', 'v', 'm')",
     NULL},
    {13305, "information_schema", "constraint_table_usage",
     "table_catalog name, table_schema name, table_name name, constraint_catalog name, constraint_schema "
     "name, constraint_name name",
     NULL,
     "SELECT (current_database())::name AS table_catalog, (n.nspname)::name AS table_schema, "
     "(t.relname)::name AS table_name, (current_database())::name AS constraint_catalog, "
     "(cn.nspname)::name AS constraint_schema, (c.conname)::name AS constraint_name FROM "
     "pg_catalog.pg_constraint c JOIN pg_catalog.pg_namespace cn ON cn.oid = c.connamespace JOIN "
     "pg_catalog.pg_class t ON t.oid = CASE c.contype WHEN 'f' THEN c.confrelid ELSE c.conrelid END JOIN "
     "pg_catalog.pg_namespace n ON n.oid = t.relnamespace WHERE c.contype IN ('f', 'p', 'u')",
     NULL},
    {13250, "information_schema", "character_sets",
     "character_set_catalog name, character_set_schema name, character_set_name name, character_repertoire "
     "name, form_of_use name, default_collate_catalog name, default_collate_schema name, "
     "default_collate_name name",
     NULL,
     "SELECT NULL::name AS character_set_catalog, NULL::name AS character_set_schema, ('UTF8')::name AS "
     "character_set_name, ('UCS')::name AS character_repertoire, ('UTF8')::name AS form_of_use, "
     "(current_database())::name AS default_collate_catalog, ('pg_catalog')::name AS "
     "default_collate_schema, ('default')::name AS default_collate_name",
     NULL},
    {13265, "information_schema", "collations",
     "collation_catalog name, collation_schema name, collation_name name, pad_attribute varchar",
     NULL,
     "SELECT (current_database())::name AS collation_catalog, (n.nspname)::name AS collation_schema, "
     "(c.collname)::name AS collation_name, ('NO PAD')::varchar AS pad_attribute FROM "
     "pg_catalog.pg_collation c JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace",
     NULL},
    {13270, "information_schema", "collation_character_set_applicability",
     "collation_catalog name, collation_schema name, collation_name name, character_set_catalog name, "
     "character_set_schema name, character_set_name name",
     NULL,
     "SELECT (current_database())::name AS collation_catalog, (n.nspname)::name AS collation_schema, "
     "(c.collname)::name AS collation_name, NULL::name AS character_set_catalog, NULL::name AS "
     "character_set_schema, ('UTF8')::name AS character_set_name FROM pg_catalog.pg_collation c JOIN "
     "pg_catalog.pg_namespace n ON n.oid = c.collnamespace",
     NULL},
    {13493, "information_schema", "element_types",
     "object_catalog name, object_schema name, object_name name, object_type varchar, "
     "collection_type_identifier name, data_type varchar, character_maximum_length int4, "
     "character_octet_length int4, character_set_catalog name, character_set_schema name, "
     "character_set_name name, collation_catalog name, collation_schema name, collation_name name, "
     "numeric_precision int4, numeric_precision_radix int4, numeric_scale int4, datetime_precision int4, "
     "interval_type varchar, interval_precision int4, domain_default varchar, udt_catalog name, udt_schema "
     "name, udt_name name, scope_catalog name, scope_schema name, scope_name name, maximum_cardinality "
     "int4, dtd_identifier name",
     NULL,
     "SELECT (current_database())::name AS object_catalog, (n.nspname)::name AS object_schema, "
     "(c.relname)::name AS object_name, ('TABLE')::varchar AS object_type, (a.attnum::text)::name AS "
     "collection_type_identifier, (pg_catalog.format_type(t.typelem, NULL))::varchar AS data_type, "
     "NULL::int4 AS character_maximum_length, NULL::int4 AS character_octet_length, NULL::name AS "
     "character_set_catalog, NULL::name AS character_set_schema, NULL::name AS character_set_name, "
     "NULL::name AS collation_catalog, NULL::name AS collation_schema, NULL::name AS collation_name, "
     "NULL::int4 AS numeric_precision, NULL::int4 AS numeric_precision_radix, NULL::int4 AS numeric_scale, "
     "NULL::int4 AS datetime_precision, NULL::varchar AS interval_type, NULL::int4 AS interval_precision, "
     "NULL::varchar AS domain_default, (current_database())::name AS udt_catalog, ('pg_catalog')::name AS "
     "udt_schema, (e.typname)::name AS udt_name, NULL::name AS scope_catalog, NULL::name AS scope_schema, "
     "NULL::name AS scope_name, NULL::int4 AS maximum_cardinality, ('a' || a.attnum::text)::name AS "
     "dtd_identifier FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN "
     "pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
     "JOIN pg_catalog.pg_type e ON e.oid = t.typelem WHERE a.attnum > 0 AND t.typcategory = 'A' AND "
     "c.relkind IN ('r', 'v', 'f', 'p')",
     NULL},
    {13290, "information_schema", "column_udt_usage",
     "udt_catalog name, udt_schema name, udt_name name, table_catalog name, table_schema name, table_name "
     "name, column_name name",
     NULL,
     "SELECT (current_database())::name AS udt_catalog, (nt.nspname)::name AS udt_schema, "
     "(t.typname)::name AS udt_name, (current_database())::name AS table_catalog, (n.nspname)::name AS "
     "table_schema, (c.relname)::name AS table_name, (a.attname)::name AS column_name FROM "
     "pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN "
     "pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
     "JOIN pg_catalog.pg_namespace nt ON nt.oid = t.typnamespace WHERE a.attnum > 0 AND c.relkind IN ('r', "
     "'v', 'f', 'p')",
     NULL},
    {13377, "information_schema", "routines",
     "specific_catalog name, specific_schema name, specific_name name, routine_catalog name, "
     "routine_schema name, routine_name name, routine_type varchar, module_catalog name, module_schema "
     "name, module_name name, udt_catalog name, udt_schema name, udt_name name, data_type varchar, "
     "character_maximum_length int4, character_octet_length int4, character_set_catalog name, "
     "character_set_schema name, character_set_name name, collation_catalog name, collation_schema name, "
     "collation_name name, numeric_precision int4, numeric_precision_radix int4, numeric_scale int4, "
     "datetime_precision int4, interval_type varchar, interval_precision int4, type_udt_catalog name, "
     "type_udt_schema name, type_udt_name name, scope_catalog name, scope_schema name, scope_name name, "
     "maximum_cardinality int4, dtd_identifier name, routine_body varchar, routine_definition varchar, "
     "external_name varchar, external_language varchar, parameter_style varchar, is_deterministic varchar, "
     "sql_data_access varchar, is_null_call varchar, sql_path varchar, schema_level_routine varchar, "
     "max_dynamic_result_sets int4, is_user_defined_cast varchar, is_implicitly_invocable varchar, "
     "security_type varchar, to_sql_specific_catalog name, to_sql_specific_schema name, "
     "to_sql_specific_name name, as_locator varchar, created timestamptz, last_altered timestamptz, "
     "new_savepoint_level varchar, is_udt_dependent varchar, result_cast_from_data_type varchar, "
     "result_cast_as_locator varchar, result_cast_char_max_length int4, result_cast_char_octet_length "
     "int4, result_cast_char_set_catalog name, result_cast_char_set_schema name, result_cast_char_set_name "
     "name, result_cast_collation_catalog name, result_cast_collation_schema name, "
     "result_cast_collation_name name, result_cast_numeric_precision int4, "
     "result_cast_numeric_precision_radix int4, result_cast_numeric_scale int4, "
     "result_cast_datetime_precision int4, result_cast_interval_type varchar, "
     "result_cast_interval_precision int4, result_cast_type_udt_catalog name, result_cast_type_udt_schema "
     "name, result_cast_type_udt_name name, result_cast_scope_catalog name, result_cast_scope_schema name, "
     "result_cast_scope_name name, result_cast_maximum_cardinality int4, result_cast_dtd_identifier name",
     NULL,
     "SELECT (current_database())::name AS specific_catalog, (n.nspname)::name AS specific_schema, "
     "(p.proname || '_' || p.oid::text)::name AS specific_name, (current_database())::name AS "
     "routine_catalog, (n.nspname)::name AS routine_schema, (p.proname)::name AS routine_name, (CASE "
     "p.prokind WHEN 'f' THEN 'FUNCTION' WHEN 'p' THEN 'PROCEDURE' END)::varchar AS routine_type, "
     "NULL::name AS module_catalog, NULL::name AS module_schema, NULL::name AS module_name, NULL::name AS "
     "udt_catalog, NULL::name AS udt_schema, NULL::name AS udt_name, (CASE WHEN p.prokind = 'p' THEN NULL "
     "WHEN t.typcategory = 'A' THEN 'ARRAY' ELSE pg_catalog.format_type(t.oid, NULL) END)::varchar AS "
     "data_type, NULL::int4 AS character_maximum_length, NULL::int4 AS character_octet_length, NULL::name "
     "AS character_set_catalog, NULL::name AS character_set_schema, NULL::name AS character_set_name, "
     "NULL::name AS collation_catalog, NULL::name AS collation_schema, NULL::name AS collation_name, "
     "NULL::int4 AS numeric_precision, NULL::int4 AS numeric_precision_radix, NULL::int4 AS numeric_scale, "
     "NULL::int4 AS datetime_precision, NULL::varchar AS interval_type, NULL::int4 AS interval_precision, "
     "(current_database())::name AS type_udt_catalog, ('pg_catalog')::name AS type_udt_schema, "
     "(t.typname)::name AS type_udt_name, NULL::name AS scope_catalog, NULL::name AS scope_schema, "
     "NULL::name AS scope_name, NULL::int4 AS maximum_cardinality, ('0')::name AS dtd_identifier, (CASE "
     "WHEN p.prolang = 14 THEN 'SQL' ELSE 'EXTERNAL' END)::varchar AS routine_body, (p.prosrc)::varchar AS "
     "routine_definition, NULL::varchar AS external_name, (upper(l.lanname::text))::varchar AS "
     "external_language, ('GENERAL')::varchar AS parameter_style, (CASE WHEN p.provolatile = 'i' THEN "
     "'YES' ELSE 'NO' END)::varchar AS is_deterministic, ('MODIFIES')::varchar AS sql_data_access, (CASE "
     "WHEN p.proisstrict THEN 'YES' ELSE 'NO' END)::varchar AS is_null_call, NULL::varchar AS sql_path, "
     "('YES')::varchar AS schema_level_routine, (0)::int4 AS max_dynamic_result_sets, NULL::varchar AS "
     "is_user_defined_cast, NULL::varchar AS is_implicitly_invocable, (CASE WHEN p.prosecdef THEN "
     "'DEFINER' ELSE 'INVOKER' END)::varchar AS security_type, NULL::name AS to_sql_specific_catalog, "
     "NULL::name AS to_sql_specific_schema, NULL::name AS to_sql_specific_name, ('NO')::varchar AS "
     "as_locator, NULL::timestamptz AS created, NULL::timestamptz AS last_altered, NULL::varchar AS "
     "new_savepoint_level, ('NO')::varchar AS is_udt_dependent, NULL::varchar AS "
     "result_cast_from_data_type, NULL::varchar AS result_cast_as_locator, NULL::int4 AS "
     "result_cast_char_max_length, NULL::int4 AS result_cast_char_octet_length, NULL::name AS "
     "result_cast_char_set_catalog, NULL::name AS result_cast_char_set_schema, NULL::name AS "
     "result_cast_char_set_name, NULL::name AS result_cast_collation_catalog, NULL::name AS "
     "result_cast_collation_schema, NULL::name AS result_cast_collation_name, NULL::int4 AS "
     "result_cast_numeric_precision, NULL::int4 AS result_cast_numeric_precision_radix, NULL::int4 AS "
     "result_cast_numeric_scale, NULL::int4 AS result_cast_datetime_precision, NULL::varchar AS "
     "result_cast_interval_type, NULL::int4 AS result_cast_interval_precision, NULL::name AS "
     "result_cast_type_udt_catalog, NULL::name AS result_cast_type_udt_schema, NULL::name AS "
     "result_cast_type_udt_name, NULL::name AS result_cast_scope_catalog, NULL::name AS "
     "result_cast_scope_schema, NULL::name AS result_cast_scope_name, NULL::int4 AS "
     "result_cast_maximum_cardinality, NULL::name AS result_cast_dtd_identifier FROM pg_catalog.pg_proc p "
     "JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_language l ON l.oid = "
     "p.prolang LEFT JOIN pg_catalog.pg_type t ON t.oid = p.prorettype",
     NULL},
    {13334, "information_schema", "parameters",
     "specific_catalog name, specific_schema name, specific_name name, ordinal_position int4, "
     "parameter_mode varchar, is_result varchar, as_locator varchar, parameter_name name, data_type "
     "varchar, character_maximum_length int4, character_octet_length int4, character_set_catalog name, "
     "character_set_schema name, character_set_name name, collation_catalog name, collation_schema name, "
     "collation_name name, numeric_precision int4, numeric_precision_radix int4, numeric_scale int4, "
     "datetime_precision int4, interval_type varchar, interval_precision int4, udt_catalog name, "
     "udt_schema name, udt_name name, scope_catalog name, scope_schema name, scope_name name, "
     "maximum_cardinality int4, dtd_identifier name, parameter_default varchar",
     NULL,
     "SELECT (current_database())::name AS specific_catalog, (p.nspname)::name AS specific_schema, "
     "(p.proname || '_' || p.oid::text)::name AS specific_name, (p.n)::int4 AS ordinal_position, (CASE "
     "coalesce(p.mode, 'i') WHEN 'o' THEN 'OUT' WHEN 't' THEN 'OUT' WHEN 'b' THEN 'INOUT' ELSE 'IN' "
     "END)::varchar AS parameter_mode, ('NO')::varchar AS is_result, ('NO')::varchar AS as_locator, "
     "(nullif(p.name, ''))::name AS parameter_name, (CASE WHEN t.typcategory = 'A' THEN 'ARRAY' ELSE "
     "pg_catalog.format_type(t.oid, NULL) END)::varchar AS data_type, NULL::int4 AS "
     "character_maximum_length, NULL::int4 AS character_octet_length, NULL::name AS character_set_catalog, "
     "NULL::name AS character_set_schema, NULL::name AS character_set_name, NULL::name AS "
     "collation_catalog, NULL::name AS collation_schema, NULL::name AS collation_name, NULL::int4 AS "
     "numeric_precision, NULL::int4 AS numeric_precision_radix, NULL::int4 AS numeric_scale, NULL::int4 AS "
     "datetime_precision, NULL::varchar AS interval_type, NULL::int4 AS interval_precision, "
     "(current_database())::name AS udt_catalog, ('pg_catalog')::name AS udt_schema, (t.typname)::name AS "
     "udt_name, NULL::name AS scope_catalog, NULL::name AS scope_schema, NULL::name AS scope_name, "
     "NULL::int4 AS maximum_cardinality, (p.n::text)::name AS dtd_identifier, NULL::varchar AS "
     "parameter_default FROM (SELECT p.oid, p.proname, n.nspname, "
     "generate_subscripts(coalesce(p.proallargtypes, p.proargtypes::oid[]), 1) + CASE WHEN "
     "p.proallargtypes IS NULL THEN 1 ELSE 0 END AS n, unnest(coalesce(p.proallargtypes, "
     "p.proargtypes::oid[])) AS type, unnest(p.proargmodes) AS mode, unnest(p.proargnames) AS name FROM "
     "pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace) p JOIN "
     "pg_catalog.pg_type t ON t.oid = p.type",
     NULL},
    {0},
};
