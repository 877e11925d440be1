/* Relations that are a SELECT over others: the views of pg_catalog and information_schema. Types of the columns are those
 * of PostgreSQL, but for information_schema's domains, which are their base types. */
#include "executor/system/system.h"

/* clang-format off */
const SystemRelation sys_view_rows[] = {
    {12000, "pg_catalog", "pg_roles",
     "rolname name, rolsuper bool, rolinherit bool, rolcreaterole bool, rolcreatedb bool, rolcanlogin "
     "bool, rolreplication bool, rolconnlimit int4, rolpassword text, rolvaliduntil timestamptz, "
     "rolbypassrls bool, rolconfig text[], oid oid",
     NULL,
     "SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, "
     "rolconnlimit, '********'::text AS rolpassword, rolvaliduntil, rolbypassrls, NULL::text[] AS rolconfig, "
     "oid FROM pg_catalog.pg_authid",
     NULL},
    {12014, "pg_catalog", "pg_user",
     "usename name, usesysid oid, usecreatedb bool, usesuper bool, userepl bool, usebypassrls bool, passwd "
     "text, valuntil timestamptz, useconfig text[]",
     NULL,
     "SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS usecreatedb, rolsuper AS usesuper, "
     "rolreplication AS userepl, rolbypassrls AS usebypassrls, '********'::text AS passwd, rolvaliduntil AS "
     "valuntil, NULL::text[] AS useconfig FROM pg_catalog.pg_authid WHERE rolcanlogin",
     NULL},
    {12005, "pg_catalog", "pg_shadow",
     "usename name, usesysid oid, usecreatedb bool, usesuper bool, userepl bool, usebypassrls bool, passwd "
     "text, valuntil timestamptz, useconfig text[]",
     NULL,
     "SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS usecreatedb, rolsuper AS usesuper, "
     "rolreplication AS userepl, rolbypassrls AS usebypassrls, rolpassword AS passwd, rolvaliduntil AS "
     "valuntil, NULL::text[] AS useconfig FROM pg_catalog.pg_authid WHERE rolcanlogin",
     NULL},
    {12010, "pg_catalog", "pg_group",
     "groname name, grosysid oid, grolist oid[]",
     NULL,
     "SELECT rolname AS groname, oid AS grosysid, NULL::oid[] AS grolist FROM pg_catalog.pg_authid WHERE NOT "
     "rolcanlogin",
     NULL},
    {12033, "pg_catalog", "pg_tables",
     "schemaname name, tablename name, tableowner name, tablespace name, hasindexes bool, hasrules bool, "
     "hastriggers bool, rowsecurity bool",
     NULL,
     "SELECT n.nspname AS schemaname, c.relname AS tablename, r.rolname AS tableowner, NULL::name AS "
     "tablespace, c.relhasindex AS hasindexes, c.relhasrules AS hasrules, c.relhastriggers AS hastriggers, "
     "c.relrowsecurity AS rowsecurity FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid "
     "= c.relnamespace LEFT JOIN pg_catalog.pg_authid r ON r.oid = c.relowner WHERE c.relkind IN ('r', 'p')",
     NULL},
    {12028, "pg_catalog", "pg_views",
     "schemaname name, viewname name, viewowner name, definition text",
     NULL,
     "SELECT n.nspname AS schemaname, c.relname AS viewname, r.rolname AS viewowner, "
     "pg_catalog.pg_get_viewdef(c.oid) AS definition FROM pg_catalog.pg_class c LEFT JOIN "
     "pg_catalog.pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_authid r ON r.oid = "
     "c.relowner WHERE c.relkind = 'v'",
     NULL},
    {12038, "pg_catalog", "pg_matviews",
     "schemaname name, matviewname name, matviewowner name, tablespace name, hasindexes bool, ispopulated "
     "bool, definition text",
     NULL,
     "SELECT n.nspname AS schemaname, c.relname AS matviewname, r.rolname AS matviewowner, NULL::name AS tablespace, "
     "EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid) AS hasindexes, c.relispopulated AS ispopulated, "
     "pg_catalog.pg_get_viewdef(c.oid) AS definition FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON "
     "n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_authid r ON r.oid = c.relowner WHERE c.relkind = 'm'",
     NULL},
    {12043, "pg_catalog", "pg_indexes",
     "schemaname name, tablename name, indexname name, tablespace name, indexdef text",
     NULL,
     "SELECT n.nspname AS schemaname, c.relname AS tablename, i.relname AS indexname, NULL::name AS "
     "tablespace, pg_catalog.pg_get_indexdef(i.oid) AS indexdef FROM pg_catalog.pg_index x JOIN "
     "pg_catalog.pg_class c ON c.oid = x.indrelid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid LEFT JOIN "
     "pg_catalog.pg_namespace n ON n.oid = c.relnamespace",
     NULL},
    {12048, "pg_catalog", "pg_sequences",
     "schemaname name, sequencename name, sequenceowner name, data_type regtype, start_value int8, "
     "min_value int8, max_value int8, increment_by int8, cycle bool, cache_size int8, last_value int8",
     NULL,
     "SELECT n.nspname AS schemaname, c.relname AS sequencename, r.rolname AS sequenceowner, "
     "s.seqtypid::regtype AS data_type, s.seqstart AS start_value, s.seqmin AS min_value, s.seqmax AS "
     "max_value, s.seqincrement AS increment_by, s.seqcycle AS cycle, s.seqcache AS cache_size, "
     "pg_catalog.pg_sequence_last_value(c.oid) AS last_value FROM pg_catalog.pg_sequence s JOIN "
     "pg_catalog.pg_class c ON c.oid = s.seqrelid LEFT JOIN pg_catalog.pg_namespace n ON n.oid = "
     "c.relnamespace LEFT JOIN pg_catalog.pg_authid r ON r.oid = c.relowner",
     NULL},
    {13382, "information_schema", "schemata",
     "catalog_name text, schema_name text, schema_owner text, default_character_set_catalog text, "
     "default_character_set_schema text, default_character_set_name text, sql_path text",
     NULL,
     "SELECT current_database()::text AS catalog_name, n.nspname::text AS schema_name, r.rolname::text AS "
     "schema_owner, NULL::text AS default_character_set_catalog, NULL::text AS default_character_set_schema, "
     "NULL::text AS default_character_set_name, NULL::text AS sql_path FROM pg_catalog.pg_namespace n LEFT "
     "JOIN pg_catalog.pg_authid r ON r.oid = n.nspowner",
     NULL},
    {13425, "information_schema", "tables",
     "table_catalog text, table_schema text, table_name text, table_type text, "
     "self_referencing_column_name text, reference_generation text, user_defined_type_catalog text, "
     "user_defined_type_schema text, user_defined_type_name text, is_insertable_into text, is_typed text, "
     "commit_action text",
     NULL,
     "SELECT current_database()::text AS table_catalog, n.nspname::text AS table_schema, c.relname::text AS "
     "table_name, CASE WHEN c.relkind = 'v' THEN 'VIEW' ELSE 'BASE TABLE' END AS table_type, NULL::text AS "
     "self_referencing_column_name, NULL::text AS reference_generation, NULL::text AS "
     "user_defined_type_catalog, NULL::text AS user_defined_type_schema, NULL::text AS user_defined_type_name, "
     "CASE WHEN c.relkind = 'r' THEN 'YES' ELSE 'NO' END AS is_insertable_into, 'NO'::text AS is_typed, "
     "NULL::text AS commit_action FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
     "c.relnamespace WHERE c.relkind IN ('r', 'v', 'p')",
     NULL},
    {13483, "information_schema", "views",
     "table_catalog text, table_schema text, table_name text, view_definition text, check_option text, "
     "is_updatable text, is_insertable_into text, is_trigger_updatable text, is_trigger_deletable text, "
     "is_trigger_insertable_into text",
     NULL,
     "SELECT current_database()::text AS table_catalog, n.nspname::text AS table_schema, c.relname::text AS "
     "table_name, pg_catalog.pg_get_viewdef(c.oid) AS view_definition, 'NONE'::text AS check_option, "
     "'NO'::text AS is_updatable, 'NO'::text AS is_insertable_into, 'NO'::text AS is_trigger_updatable, "
     "'NO'::text AS is_trigger_deletable, 'NO'::text AS is_trigger_insertable_into FROM pg_catalog.pg_class c "
     "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'v'",
     NULL},
    {13386, "information_schema", "sequences",
     "sequence_catalog text, sequence_schema text, sequence_name text, data_type text, numeric_precision "
     "int4, numeric_precision_radix int4, numeric_scale int4, start_value text, minimum_value text, "
     "maximum_value text, increment text, cycle_option text",
     NULL,
     "SELECT current_database()::text AS sequence_catalog, n.nspname::text AS sequence_schema, c.relname::text "
     "AS sequence_name, pg_catalog.format_type(s.seqtypid, NULL) AS data_type, 64::int4 AS numeric_precision, "
     "2::int4 AS numeric_precision_radix, 0::int4 AS numeric_scale, s.seqstart::text AS start_value, "
     "s.seqmin::text AS minimum_value, s.seqmax::text AS maximum_value, s.seqincrement::text AS increment, "
     "CASE WHEN s.seqcycle THEN 'YES' ELSE 'NO' END AS cycle_option FROM pg_catalog.pg_sequence s JOIN "
     "pg_catalog.pg_class c ON c.oid = s.seqrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace",
     NULL},
    {13295, "information_schema", "columns",
     "table_catalog text, table_schema text, table_name text, column_name text, ordinal_position int4, "
     "column_default text, is_nullable text, data_type text, character_maximum_length int4, "
     "character_octet_length int4, numeric_precision int4, numeric_precision_radix int4, numeric_scale "
     "int4, datetime_precision int4, interval_type text, interval_precision int4, character_set_catalog "
     "text, character_set_schema text, character_set_name text, collation_catalog text, collation_schema "
     "text, collation_name text, domain_catalog text, domain_schema text, domain_name text, udt_catalog "
     "text, udt_schema text, udt_name text, scope_catalog text, scope_schema text, scope_name text, "
     "maximum_cardinality int4, dtd_identifier text, is_self_referencing text, is_identity text, "
     "identity_generation text, identity_start text, identity_increment text, identity_maximum text, "
     "identity_minimum text, identity_cycle text, is_generated text, generation_expression text, "
     "is_updatable text",
     NULL,
     "SELECT current_database()::text AS table_catalog, n.nspname::text AS table_schema, c.relname::text AS "
     "table_name, a.attname::text AS column_name, a.attnum::int4 AS ordinal_position, CASE WHEN a.attgenerated "
     "= '' THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) END AS column_default, CASE WHEN a.attnotnull THEN "
     "'NO' ELSE 'YES' END AS is_nullable, CASE WHEN t.typcategory = 'A' THEN 'ARRAY' WHEN "
     "t.typtype = 'e' THEN 'USER-DEFINED' ELSE pg_catalog.format_type(CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END, NULL) END AS data_type, CASE WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END IN (1042, 1043) AND "
     "CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END > 4 THEN CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END - 4 WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END IN (1560, 1562) AND CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END > 0 THEN CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END END AS character_maximum_length, CASE WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END IN (25, 1042, "
     "1043) THEN 1073741824 END AS character_octet_length, CASE CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END WHEN 21 THEN 16 WHEN 23 THEN 32 "
     "WHEN 20 THEN 64 WHEN 700 THEN 24 WHEN 701 THEN 53 WHEN 1700 THEN CASE WHEN CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END > 4 THEN "
     "((CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END - 4) >> 16) & 65535 END END AS numeric_precision, CASE WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END IN (20, 21, 23, "
     "700, 701) THEN 2 WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END = 1700 THEN 10 END AS numeric_precision_radix, CASE WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END IN "
     "(20, 21, 23) THEN 0 WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END = 1700 AND CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END > 4 THEN (CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END - 4) & 65535 END AS "
     "numeric_scale, CASE WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END IN (1083, 1114, 1184, 1266) THEN CASE WHEN CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END < 0 THEN 6 "
     "ELSE CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END END WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END = 1082 THEN 0 WHEN CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE a.atttypid END = 1186 THEN 6 END AS "
     "datetime_precision, NULL::text AS interval_type, NULL::int4 AS interval_precision, NULL::text AS "
     "character_set_catalog, NULL::text AS character_set_schema, NULL::text AS character_set_name, NULL::text "
     "AS collation_catalog, NULL::text AS collation_schema, NULL::text AS collation_name, CASE WHEN t.typtype = 'd' THEN current_database()::text END AS "
     "domain_catalog, CASE WHEN t.typtype = 'd' THEN (SELECT n1.nspname::text FROM pg_catalog.pg_namespace n1 WHERE n1.oid = t.typnamespace) END AS "
     "domain_schema, CASE WHEN t.typtype = 'd' THEN t.typname::text END AS domain_name, current_database()::text AS "
     "udt_catalog, (SELECT n2.nspname::text FROM pg_catalog.pg_namespace n2 WHERE n2.oid = CASE t.typtype WHEN 'd' THEN (SELECT b2.typnamespace FROM "
     "pg_catalog.pg_type b2 WHERE b2.oid = t.typbasetype) ELSE t.typnamespace END) AS udt_schema, CASE t.typtype WHEN 'd' THEN (SELECT b3.typname::text FROM "
     "pg_catalog.pg_type b3 WHERE b3.oid = t.typbasetype) ELSE t.typname::text END AS udt_name, NULL::text AS scope_catalog, "
     "NULL::text AS scope_schema, NULL::text AS scope_name, NULL::int4 AS maximum_cardinality, a.attnum::text "
     "AS dtd_identifier, 'NO'::text AS is_self_referencing, CASE WHEN a.attidentity <> '' THEN 'YES' ELSE 'NO' "
     "END AS is_identity, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' END AS "
     "identity_generation, NULL::text AS identity_start, NULL::text AS identity_increment, NULL::text AS "
     "identity_maximum, NULL::text AS identity_minimum, 'NO'::text AS identity_cycle, CASE WHEN a.attgenerated "
     "<> '' THEN 'ALWAYS' ELSE 'NEVER' END AS is_generated, CASE WHEN a.attgenerated <> '' THEN "
     "pg_catalog.pg_get_expr(d.adbin, d.adrelid) END AS generation_expression, CASE WHEN c.relkind = 'r' THEN "
     "'YES' ELSE 'NO' END AS is_updatable FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = "
     "a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = "
     "a.atttypid LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE "
     "a.attnum > 0 AND c.relkind IN ('r', 'v', 'p')",
     NULL},
    {13411, "information_schema", "table_constraints",
     "constraint_catalog text, constraint_schema text, constraint_name text, table_catalog text, "
     "table_schema text, table_name text, constraint_type text, is_deferrable text, initially_deferred "
     "text, enforced text, nulls_distinct text",
     NULL,
     "SELECT current_database()::text AS constraint_catalog, n.nspname::text AS constraint_schema, "
     "k.conname::text AS constraint_name, current_database()::text AS table_catalog, n.nspname::text AS "
     "table_schema, c.relname::text AS table_name, CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN "
     "'UNIQUE' WHEN 'c' THEN 'CHECK' WHEN 'f' THEN 'FOREIGN KEY' END AS constraint_type, CASE WHEN "
     "k.condeferrable THEN 'YES' ELSE 'NO' END AS is_deferrable, CASE WHEN k.condeferred THEN 'YES' ELSE 'NO' END "
     "AS initially_deferred, 'YES'::text AS enforced, CASE WHEN k.contype = 'u' THEN "
     "'YES' END AS nulls_distinct FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = "
     "k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace",
     NULL},
    {13329, "information_schema", "key_column_usage",
     "constraint_catalog text, constraint_schema text, constraint_name text, table_catalog text, "
     "table_schema text, table_name text, column_name text, ordinal_position int4, "
     "position_in_unique_constraint int4",
     NULL,
     "SELECT current_database()::text AS constraint_catalog, n.nspname::text AS constraint_schema, "
     "k.conname::text AS constraint_name, current_database()::text AS table_catalog, n.nspname::text AS "
     "table_schema, c.relname::text AS table_name, a.attname::text AS column_name, k.position::int4 AS "
     "ordinal_position, CASE WHEN k.contype = 'f' THEN array_position(u.conkey, k.confkey[k.position])::int4 END AS "
     "position_in_unique_constraint FROM (SELECT oid, conname, conrelid, contype, confkey, conindid, "
     "unnest(conkey) AS attnum, generate_subscripts(conkey, 1) AS position FROM "
     "pg_catalog.pg_constraint WHERE contype IN ('p', 'u', 'f')) k LEFT JOIN pg_catalog.pg_constraint u ON "
     "k.contype = 'f' AND u.oid = k.conindid JOIN pg_catalog.pg_class c ON c.oid = "
     "k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute a ON "
     "a.attrelid = c.oid AND a.attnum = k.attnum",
     NULL},
    {13300, "information_schema", "constraint_column_usage",
     "table_catalog text, table_schema text, table_name text, column_name text, constraint_catalog text, "
     "constraint_schema text, constraint_name name",
     NULL,
     "SELECT current_database()::text AS table_catalog, n.nspname::text AS table_schema, c.relname::text AS "
     "table_name, a.attname::text AS column_name, current_database()::text AS constraint_catalog, "
     "n.nspname::text AS constraint_schema, k.conname::text AS constraint_name FROM (SELECT conname, conrelid, "
     "unnest(conkey) AS attnum FROM pg_catalog.pg_constraint WHERE contype IN ('p', 'u') UNION ALL SELECT conname, "
     "confrelid, unnest(confkey) FROM pg_catalog.pg_constraint WHERE contype = 'f') k JOIN "
     "pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
     "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum",
     NULL},
    {13339, "information_schema", "referential_constraints",
     "constraint_catalog text, constraint_schema text, constraint_name text, unique_constraint_catalog "
     "text, unique_constraint_schema text, unique_constraint_name text, match_option text, update_rule "
     "text, delete_rule text",
     NULL,
     "SELECT current_database()::text AS constraint_catalog, n.nspname::text AS constraint_schema, k.conname::text "
     "AS constraint_name, CASE WHEN u.oid IS NOT NULL THEN current_database()::text END AS "
     "unique_constraint_catalog, un.nspname::text AS unique_constraint_schema, u.conname::text AS "
     "unique_constraint_name, CASE k.confmatchtype WHEN 'f' THEN 'FULL' WHEN 's' THEN 'NONE' END AS match_option, "
     "CASE k.confupdtype WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN "
     "'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END AS update_rule, CASE k.confdeltype WHEN 'a' THEN 'NO ACTION' WHEN "
     "'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END AS "
     "delete_rule FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace LEFT JOIN "
     "pg_catalog.pg_constraint u ON u.oid = k.conindid LEFT JOIN pg_catalog.pg_namespace un ON un.oid = "
     "u.connamespace WHERE k.contype = 'f'",
     NULL},
    {13260, "information_schema", "check_constraints",
     "constraint_catalog text, constraint_schema text, constraint_name text, check_clause text",
     NULL,
     "SELECT current_database()::text AS constraint_catalog, n.nspname::text AS constraint_schema, "
     "k.conname::text AS constraint_name, k.conbin::text AS check_clause FROM pg_catalog.pg_constraint k JOIN "
     "pg_catalog.pg_namespace n ON n.oid = k.connamespace WHERE k.contype = 'c'",
     NULL},
    {0},
};
