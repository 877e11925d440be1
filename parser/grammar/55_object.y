//////////////////////// Databases, schemas, views, sequences, types, roles ////////////////////////
stmt(A) ::= CREATE(T) DATABASE if_not_exists(I) colid(N) database_options(L). { A = build_create_database(p, &T, I, &N, &L); }
%type database_options {AstOptionVec}
database_options(A) ::= . { NONE(A); }
database_options(A) ::= WITH database_option_list(L). { A = L; }
database_options(A) ::= database_option_list(A).
%type database_option_list {AstOptionVec}
database_option_list(A) ::= database_option(O). { LIST(A, O); }
database_option_list(A) ::= database_option_list(A) database_option(O). { PUSH(A, O); }
%type database_option {AstOption}
database_option(A) ::= database_option_name(N) eq_opt option_value(V). { A = build_option(p, &N, V); }
database_option(A) ::= CONNECTION(T) LIMIT eq_opt signed_number(V). { A = build_option_word(p, &T, "connection_limit", V); }
database_option_name(A) ::= ID(A).
eq_opt ::= .
eq_opt ::= EQ.

stmt(A) ::= CREATE(T) SCHEMA if_not_exists(I) schema_name(N). { A = build_create_schema(p, &T, I, &N, NULL); }
stmt(A) ::= CREATE(T) SCHEMA if_not_exists(I) schema_name(N) AUTHORIZATION role(R). { A = build_create_schema(p, &T, I, &N, R.value); }
stmt(A) ::= CREATE(T) SCHEMA if_not_exists(I) AUTHORIZATION role(R). { A = build_create_schema(p, &T, I, NULL, R.value); }
%type schema_name {AstName}
schema_name(A) ::= dotted(A).

stmt(A) ::= CREATE(T) persistence(P) view_word(R) if_not_exists(I) view_definition(V) check_option(C). { A = build_create_view(p, &T, P, I, build_view_check(V, R, C)); }
stmt(A) ::= CREATE(T) OR REPLACE persistence(P) view_word(R) view_definition(V) check_option(C). { A = build_create_view(p, &T, P, false, build_view_replace(build_view_check(V, R, C))); }
%type view_word {bool}
view_word(A) ::= VIEW. { A = false; }
view_word(A) ::= RECURSIVE VIEW. { A = true; }
%type view_definition {AstCreateView *}
view_definition(A) ::= qualified(N) cte_columns(L) with_params(O) AS select(S). { A = build_view(p, &N, &L, &O, S); }
%type check_option {AstCheckOption}
check_option(A) ::= . { A = AST_CHECK_OPTION_NONE; }
check_option(A) ::= WITH CHECK OPTION. { A = AST_CHECK_OPTION_CASCADED; }
check_option(A) ::= WITH CASCADED CHECK OPTION. { A = AST_CHECK_OPTION_CASCADED; }
check_option(A) ::= WITH LOCAL CHECK OPTION. { A = AST_CHECK_OPTION_LOCAL; }
stmt(A) ::= CREATE(T) persistence(P) MATERIALIZED VIEW if_not_exists(I) qualified(N) cte_columns(L) as_tail(X) AS select(S) with_data(D). { A = build_materialized(build_create_table_as(p, &T, &N, build_as_columns(X, &L), build_inner_select(p, S), build_as_flags(P, I, D))); }
stmt(A) ::= REFRESH(T) MATERIALIZED VIEW concurrently(C) qualified(N) with_data(D). { A = build_refresh(p, &T, C, &N, D); }

stmt(A) ::= CREATE(T) persistence(P) SEQUENCE if_not_exists(I) qualified(N) sequence_options_opt(L). { A = build_create_sequence(p, &T, P, I, &N, &L); }
stmt(A) ::= ALTER(T) SEQUENCE if_exists(I) qualified(N) sequence_options(L). { A = build_alter_sequence(p, &T, I, &N, &L); }
%type sequence_options_opt {AstOptionVec}
%type sequence_options {AstOptionVec}
sequence_options_opt(A) ::= . { NONE(A); }
sequence_options_opt(A) ::= sequence_options(A).
sequence_options(A) ::= sequence_option(O). { LIST(A, O); }
sequence_options(A) ::= sequence_options(A) sequence_option(O). { PUSH(A, O); }
%type sequence_option {AstOption}
sequence_option(A) ::= AS(T) simple_type(Y). { A = build_option_type(p, &T, Y); }
sequence_option(A) ::= CACHE(T) signed_number(N). { A = build_option(p, &T, N); }
sequence_option(A) ::= CYCLE(T). { A = build_option_bool(p, &T, "cycle", true); }
sequence_option(A) ::= NO(T) CYCLE. { A = build_option_bool(p, &T, "cycle", false); }
sequence_option(A) ::= INCREMENT(T) by_opt signed_number(N). { A = build_option(p, &T, N); }
sequence_option(A) ::= MAXVALUE(T) signed_number(N). { A = build_option(p, &T, N); }
sequence_option(A) ::= MINVALUE(T) signed_number(N). { A = build_option(p, &T, N); }
sequence_option(A) ::= NO(T) MAXVALUE. { A = build_option_word(p, &T, "maxvalue", NULL); }
sequence_option(A) ::= NO(T) MINVALUE. { A = build_option_word(p, &T, "minvalue", NULL); }
sequence_option(A) ::= OWNED(T) BY column_path(C). { A = build_option_word(p, &T, "owned_by", build_owned_by(C)); }
sequence_option(A) ::= SEQUENCE(T) NAME column_path(C). { A = build_option_word(p, &T, "sequence_name", C); }
sequence_option(A) ::= START(T) with_word signed_number(N). { A = build_option(p, &T, N); }
sequence_option(A) ::= RESTART(T). { A = build_option(p, &T, NULL); }
sequence_option(A) ::= RESTART(T) with_word signed_number(N). { A = build_option(p, &T, N); }
sequence_option(A) ::= VIRTUAL(T). { A = build_option(p, &T, NULL); }
by_opt ::= .
by_opt ::= BY.
%type column_path {AstExpr *}
column_path(A) ::= colid(N). { A = build_column_ref(p, &N, NULL); }
column_path(A) ::= colid(N) type_name_parts(L). { A = build_column_ref(p, &N, &L); }

stmt(A) ::= CREATE(T) TYPE if_not_exists(I) qualified(N) AS ENUM LP strings_opt(L) RP. { A = build_create_enum(p, &T, I, &N, &L); }
%type strings_opt {StrVec}
%type strings {StrVec}
strings_opt(A) ::= . { NONE(A); }
strings_opt(A) ::= strings(A).
strings(A) ::= STRING_LITERAL(S). { LIST(A, S.value); }
strings(A) ::= strings(A) COMMA STRING_LITERAL(S). { PUSH(A, S.value); }
stmt(A) ::= ALTER(T) TYPE qualified(N) ADD VALUE if_not_exists(I) STRING_LITERAL(L) enum_place(E). { A = build_enum_add(p, &T, &N, I, &L, &E); }
stmt(A) ::= ALTER(T) TYPE qualified(N) RENAME VALUE STRING_LITERAL(O) TO STRING_LITERAL(L). { A = build_enum_rename(p, &T, &N, &O, &L); }
stmt(A) ::= ALTER(T) TYPE qualified(N) DROP VALUE STRING_LITERAL(L). { A = build_enum_drop(p, &T, &N, &L); }
%type enum_place {EnumPlace}
enum_place(A) ::= . { NONE(A); }
enum_place(A) ::= BEFORE STRING_LITERAL(S). { A = (EnumPlace){S.value, true}; }
enum_place(A) ::= AFTER STRING_LITERAL(S). { A = (EnumPlace){S.value, false}; }
stmt(A) ::= CREATE(T) DOMAIN qualified(N) as_opt type(Y) column_options(L). { A = build_create_domain(p, &T, &N, Y, L); }
as_opt ::= .
as_opt ::= AS.
stmt(A) ::= CREATE(T) EXTENSION if_not_exists(I) extension_name(N) extension_options(L). { A = build_create_extension(p, &T, I, &N, &L); }
extension_name(A) ::= colid(A).
extension_name(A) ::= STRING_LITERAL(A).
%type extension_options {AstOptionVec}
extension_options(A) ::= . { NONE(A); }
extension_options(A) ::= WITH. { NONE(A); }
extension_options(A) ::= extension_options(A) SCHEMA(T) colid(N). { PUSH(A, build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &N))); }
extension_options(A) ::= extension_options(A) VERSION(T) option_value(V). { PUSH(A, build_option(p, &T, V)); }
extension_options(A) ::= extension_options(A) CASCADE(T). { PUSH(A, build_option(p, &T, NULL)); }

// ---- roles ----
%type role_kind {bool}
role_kind(A) ::= ROLE. { A = false; }
role_kind(A) ::= USER. { A = true; }
role_kind(A) ::= GROUP. { A = false; }
stmt(A) ::= CREATE(T) role_kind(K) if_not_exists(I) role(N) role_options(L). { A = build_role(p, AST_CREATE_ROLE, &T, build_role_flags(K, I), &N, &L); }
stmt(A) ::= ALTER(T) role_kind(K) role(N) alter_role_options(L). { A = build_role(p, AST_ALTER_ROLE, &T, build_role_flags(K, false), &N, &L); }
%type role_options {AstOptionVec}
role_options(A) ::= . { NONE(A); }
role_options(A) ::= role_options(A) WITH. { (void)A; }
role_options(A) ::= role_options(A) role_option(O). { PUSH(A, O); }
role_options(A) ::= role_options(A) create_role_option(O). { PUSH(A, O); }
%type alter_role_options {AstOptionVec}
alter_role_options(A) ::= . { NONE(A); }
alter_role_options(A) ::= alter_role_options(A) WITH. { (void)A; }
alter_role_options(A) ::= alter_role_options(A) role_option(O). { PUSH(A, O); }
%type role_option {AstOption}
%type create_role_option {AstOption}
role_option(A) ::= PASSWORD(T) STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
role_option(A) ::= PASSWORD(T) NULL. { A = build_option(p, &T, NULL); }
role_option(A) ::= ENCRYPTED PASSWORD(T) STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
role_option(A) ::= INHERIT(T). { A = build_option_bool(p, &T, "inherit", true); }
role_option(A) ::= CONNECTION(T) LIMIT signed_number(N). { A = build_option_word(p, &T, "connection_limit", N); }
role_option(A) ::= VALID(T) UNTIL STRING_LITERAL(S). { A = build_option_word(p, &T, "valid_until", build_literal(p, AST_LITERAL_STRING, &S)); }
create_role_option(A) ::= SYSID(T) INTEGER_LITERAL(N). { A = build_option(p, &T, build_literal(p, AST_LITERAL_INT, &N)); }
create_role_option(A) ::= IN(T) role_or_group role_list(L). { A = build_option_names(p, &T, "in_role", &L); }
create_role_option(A) ::= ROLE(T) role_list(L). { A = build_option_names(p, &T, "role", &L); }
create_role_option(A) ::= USER(T) role_list(L). { A = build_option_names(p, &T, "role", &L); }
create_role_option(A) ::= ADMIN(T) role_list(L). { A = build_option_names(p, &T, "admin", &L); }
role_option(A) ::= ID(T). { A = build_role_option(p, &T); }
role_or_group ::= ROLE.
role_or_group ::= GROUP.
role(A) ::= nonreserved(A).
role(A) ::= CURRENT_USER(A).
role(A) ::= SESSION_USER(A).
role(A) ::= CURRENT_ROLE(A).
role(A) ::= STRING_LITERAL(A).
%type role_list {StrVec}
role_list(A) ::= role(N). { LIST(A, N.value); }
role_list(A) ::= role_list(A) COMMA role(N). { PUSH(A, N.value); }

// ---- RENAME, OWNER, SET SCHEMA; SET of databases and roles ----
%type object_change {ObjectChange}
object_change(A) ::= RENAME TO colid(V). { A = (ObjectChange){AST_ALTER_OBJECT_RENAME, V.value}; }
object_change(A) ::= OWNER TO role(V). { A = (ObjectChange){AST_ALTER_OBJECT_OWNER, V.value}; }
object_change(A) ::= SET SCHEMA colid(V). { A = (ObjectChange){AST_ALTER_OBJECT_SCHEMA, V.value}; }
stmt(A) ::= ALTER(T) SEQUENCE if_exists(I) qualified(N) object_change(C). { A = build_alter_object(p, &T, AST_OBJECT_SEQUENCE, I, &N, &C); }
stmt(A) ::= ALTER(T) TYPE qualified(N) object_change(C). { A = build_alter_object(p, &T, AST_OBJECT_TYPE, false, &N, &C); }
stmt(A) ::= ALTER(T) DOMAIN qualified(N) domain_change(C). { A = build_alter_domain(p, &T, &N, C); }
%type domain_change {AstAlterAction *}
domain_change(A) ::= SET DEFAULT expr(E). { A = build_column_change(p, AST_ALTER_COLUMN_DEFAULT, E); }
domain_change(A) ::= DROP DEFAULT. { A = build_column_change(p, AST_ALTER_COLUMN_DROP_DEFAULT, NULL); }
domain_change(A) ::= SET NOT NULL. { A = build_column_change(p, AST_ALTER_COLUMN_SET_NOT_NULL, NULL); }
domain_change(A) ::= DROP NOT NULL. { A = build_column_change(p, AST_ALTER_COLUMN_DROP_NOT_NULL, NULL); }
domain_change(A) ::= ADD(T) table_constraint(C). { A = build_add_constraint(p, &T, false, C); }
domain_change(A) ::= DROP(T) CONSTRAINT if_exists(I) colid(N) drop_behavior(B). { A = build_drop_member(p, &T, AST_ALTER_DROP_CONSTRAINT, I, &N, B); }
domain_change(A) ::= VALIDATE(T) CONSTRAINT colid(N). { A = build_alter_name(p, &T, AST_ALTER_VALIDATE_CONSTRAINT, &N, NULL); }
domain_change(A) ::= RENAME(T) CONSTRAINT colid(O) TO colid(N). { A = build_alter_name(p, &T, AST_ALTER_RENAME_CONSTRAINT, &O, &N); }
stmt(A) ::= ALTER(T) DOMAIN qualified(N) object_change(C). { A = build_alter_object(p, &T, AST_OBJECT_DOMAIN, false, &N, &C); }
stmt(A) ::= ALTER(T) SCHEMA qualified(N) object_change(C). { A = build_alter_object(p, &T, AST_OBJECT_SCHEMA, false, &N, &C); }
stmt(A) ::= ALTER(T) DATABASE qualified(N) object_change(C). { A = build_alter_object(p, &T, AST_OBJECT_DATABASE, false, &N, &C); }
stmt(A) ::= ALTER(T) EXTENSION qualified(N) object_change(C). { A = build_alter_object(p, &T, AST_OBJECT_EXTENSION, false, &N, &C); }
stmt(A) ::= ALTER(T) role_kind role(N) RENAME TO colid(V). { A = build_rename_role(p, &T, &N, &V); }
stmt(A) ::= ALTER(T) DATABASE qualified(N) setting_change(S). { A = build_alter_set(p, AST_ALTER_DATABASE_SET, &T, N.name, NULL, S); }
stmt(A) ::= ALTER(T) DATABASE qualified database_option_list. { A = build_unsupported(p, &T, "ALTER DATABASE ... WITH options"); }
stmt(A) ::= ALTER(T) DATABASE qualified WITH database_option_list. { A = build_unsupported(p, &T, "ALTER DATABASE ... WITH options"); }
stmt(A) ::= ALTER(T) role_kind role(N) in_database(D) setting_change(S). { A = build_alter_set(p, AST_ALTER_ROLE_SET, &T, N.value, D, S); }
stmt(A) ::= ALTER(T) role_kind ALL in_database(D) setting_change(S). { A = build_alter_set(p, AST_ALTER_ROLE_SET, &T, NULL, D, S); }
%type in_database {const char *}
in_database(A) ::= . { A = NULL; }
in_database(A) ::= IN DATABASE colid(N). { A = N.value; }
%type setting_change {AstStmt *}
setting_change(A) ::= SET(T) set_value(S). { A = build_set_scope(p, &T, S, false, false); }
setting_change(A) ::= RESET(T) reset_name(N). { A = build_reset(p, &T, &N); }

// ---- DROP, TRUNCATE, COMMENT, GRANT ----
stmt(A) ::= DROP(T) droppable(K) if_exists(I) qualified_list(L) drop_tail(B). { A = build_drop(p, &T, K, I, &L, B); }
stmt(A) ::= DROP(T) INDEX concurrently(C) if_exists(I) index_name_list(L) drop_behavior(B). { A = build_drop_index(p, &T, C, I, &L, B); }
stmt(A) ::= DROP(T) role_kind if_exists(I) role_list(L). { A = build_drop_roles(p, &T, I, &L); }
%type droppable {AstObject}
droppable(A) ::= TABLE. { A = AST_OBJECT_TABLE; }
droppable(A) ::= VIEW. { A = AST_OBJECT_VIEW; }
droppable(A) ::= MATERIALIZED VIEW. { A = AST_OBJECT_MATERIALIZED_VIEW; }
droppable(A) ::= SEQUENCE. { A = AST_OBJECT_SEQUENCE; }
droppable(A) ::= DATABASE. { A = AST_OBJECT_DATABASE; }
droppable(A) ::= SCHEMA. { A = AST_OBJECT_SCHEMA; }
droppable(A) ::= TYPE. { A = AST_OBJECT_TYPE; }
droppable(A) ::= DOMAIN. { A = AST_OBJECT_DOMAIN; }
droppable(A) ::= EXTENSION. { A = AST_OBJECT_EXTENSION; }
%type drop_tail {AstDropBehavior}
drop_tail(A) ::= drop_behavior(A).
drop_tail(A) ::= WITH LP FORCE RP. { A = AST_DROP_DEFAULT; }
drop_tail(A) ::= LP FORCE RP. { A = AST_DROP_DEFAULT; }
stmt(A) ::= TRUNCATE(T) table_opt relation_list(L) restart(R) drop_behavior(B). { A = build_truncate(p, &T, &L, R, B); }
%type relation_list {AstNameVec}
relation_list(A) ::= relation_name(R). { LIST(A, R.name); }
relation_list(A) ::= relation_list(A) COMMA relation_name(R). { PUSH(A, R.name); }
%type restart {bool}
restart(A) ::= . { A = false; }
restart(A) ::= CONTINUE IDENTITY. { A = false; }
restart(A) ::= RESTART IDENTITY. { A = true; }

stmt(A) ::= COMMENT(T) ON droppable(K) qualified(N) IS comment_text(C). { A = build_comment(p, &T, K, &N, NULL, C); }
stmt(A) ::= COMMENT(T) ON COLUMN column_path(N) IS comment_text(C). { A = build_comment_column(p, &T, N, C); }
stmt(A) ::= COMMENT(T) ON INDEX index_name(N) IS comment_text(C). { A = build_comment_index(p, &T, &N, C); }
stmt(A) ::= COMMENT(T) ON CONSTRAINT colid(M) ON qualified(N) IS comment_text(C). { A = build_comment(p, &T, AST_OBJECT_CONSTRAINT, &N, M.value, C); }
stmt(A) ::= COMMENT(T) ON CONSTRAINT colid(M) ON DOMAIN qualified(N) IS comment_text(C). { A = build_comment(p, &T, AST_OBJECT_DOMAIN, &N, M.value, C); }
stmt(A) ::= COMMENT(T) ON ROLE role(N) IS comment_text(C). { A = build_comment(p, &T, AST_OBJECT_ROLE, &(AstName){N.position, NULL, NULL, N.value}, NULL, C); }
stmt(A) ::= COMMENT(T) ON FUNCTION anything. { A = build_unsupported(p, &T, "COMMENT ON FUNCTION"); }
stmt(A) ::= COMMENT(T) ON TRIGGER anything. { A = build_unsupported(p, &T, "COMMENT ON TRIGGER"); }
%type comment_text {const char *}
comment_text(A) ::= STRING_LITERAL(S). { A = S.value; }
comment_text(A) ::= NULL. { A = NULL; }

stmt(A) ::= grant(A).
stmt(A) ::= GRANT(T) privileges(L) TO grantees(R) grant_option(G) granted_by(Y). { A = build_grant(p, AST_GRANT, &T, &L, NULL, build_grantees(&R, G, Y, AST_DROP_DEFAULT)); }
stmt(A) ::= REVOKE(T) revoke_option(G) privileges(L) FROM grantees(R) granted_by(Y) drop_behavior(B). { A = build_grant(p, AST_REVOKE, &T, &L, NULL, build_grantees(&R, G, Y, B)); }
%type grant {AstStmt *}
grant(A) ::= GRANT(T) privileges(L) ON grant_object(O) TO grantees(R) grant_option(G) granted_by(Y). { A = build_grant(p, AST_GRANT, &T, &L, &O, build_grantees(&R, G, Y, AST_DROP_DEFAULT)); }
grant(A) ::= REVOKE(T) revoke_option(G) privileges(L) ON grant_object(O) FROM grantees(R) granted_by(Y) drop_behavior(B). { A = build_grant(p, AST_REVOKE, &T, &L, &O, build_grantees(&R, G, Y, B)); }
%type grantees {StrVec}
grantees(A) ::= grantee(N). { LIST(A, N.value); }
grantees(A) ::= grantees(A) COMMA grantee(N). { PUSH(A, N.value); }
grantee(A) ::= role(A).
grantee(A) ::= GROUP role(N). { A = N; }
%type granted_by {const char *}
granted_by(A) ::= . { A = NULL; }
granted_by(A) ::= GRANTED BY role(N). { A = N.value; }

stmt(A) ::= ALTER(T) DEFAULT PRIVILEGES default_options(O) default_grant(G). { A = build_default_privileges(p, &T, &O, G); }
%type default_options {DefaultOptions}
default_options(A) ::= . { NONE(A); }
default_options(A) ::= default_options(O) IN SCHEMA name_list(L). { A = (DefaultOptions){O.roles, L}; }
default_options(A) ::= default_options(O) FOR role_kind role_list(L). { A = (DefaultOptions){L, O.schemas}; }
%type default_grant {AstStmt *}
default_grant(A) ::= GRANT(T) privileges(L) ON default_object(O) TO grantees(R) grant_option(G). { A = build_grant(p, AST_GRANT, &T, &L, &(GrantObject){.object = O}, build_grantees(&R, G, NULL, AST_DROP_DEFAULT)); }
default_grant(A) ::= REVOKE(T) revoke_option(G) privileges(L) ON default_object(O) FROM grantees(R) drop_behavior(B). { A = build_grant(p, AST_REVOKE, &T, &L, &(GrantObject){.object = O}, build_grantees(&R, G, NULL, B)); }
%type default_object {AstObject}
default_object(A) ::= TABLES. { A = AST_OBJECT_TABLE; }
default_object(A) ::= SEQUENCES. { A = AST_OBJECT_SEQUENCE; }
default_object(A) ::= FUNCTIONS. { A = AST_OBJECT_FUNCTION; }
default_object(A) ::= ROUTINES. { A = AST_OBJECT_FUNCTION; }
default_object(A) ::= TYPES. { A = AST_OBJECT_TYPE; }
default_object(A) ::= SCHEMAS. { A = AST_OBJECT_SCHEMA; }
stmt(A) ::= DROP(T) OWNED BY role_list(L) drop_behavior(B). { A = build_drop_owned(p, &T, &L, B); }
stmt(A) ::= REASSIGN(T) OWNED BY role_list(L) TO role(N). { A = build_reassign_owned(p, &T, &L, &N); }
%type grant_option {bool}
grant_option(A) ::= . { A = false; }
grant_option(A) ::= WITH GRANT OPTION. { A = true; }
grant_option(A) ::= WITH ADMIN OPTION. { A = true; }
%type revoke_option {bool}
revoke_option(A) ::= . { A = false; }
revoke_option(A) ::= GRANT OPTION FOR. { A = true; }
revoke_option(A) ::= ADMIN OPTION FOR. { A = true; }
%type privileges {AstPrivilegeVec}
privileges(A) ::= ALL(T). { LIST(A, build_privilege(&T, NULL)); }
privileges(A) ::= ALL(T) PRIVILEGES. { LIST(A, build_privilege(&T, NULL)); }
privileges(A) ::= ALL(T) LP name_list(L) RP. { LIST(A, build_privilege(&T, &L)); }
privileges(A) ::= ALL(T) PRIVILEGES LP name_list(L) RP. { LIST(A, build_privilege(&T, &L)); }
privileges(A) ::= privilege_list(A).
%type privilege_list {AstPrivilegeVec}
privilege_list(A) ::= privilege(V). { LIST(A, V); }
privilege_list(A) ::= privilege_list(A) COMMA privilege(V). { PUSH(A, V); }
%type privilege {AstPrivilege}
privilege(A) ::= privilege_word(W) cte_columns(L). { A = build_privilege(&W, &L); }
privilege_word(A) ::= SELECT(A).
privilege_word(A) ::= REFERENCES(A).
privilege_word(A) ::= CREATE(A).
privilege_word(A) ::= colid(A).
%type grant_object {GrantObject}
grant_object(A) ::= qualified_list(L). { A = (GrantObject){AST_OBJECT_TABLE, false, L}; }
grant_object(A) ::= TABLE qualified_list(L). { A = (GrantObject){AST_OBJECT_TABLE, false, L}; }
grant_object(A) ::= SEQUENCE qualified_list(L). { A = (GrantObject){AST_OBJECT_SEQUENCE, false, L}; }
grant_object(A) ::= DATABASE qualified_list(L). { A = (GrantObject){AST_OBJECT_DATABASE, false, L}; }
grant_object(A) ::= SCHEMA qualified_list(L). { A = (GrantObject){AST_OBJECT_SCHEMA, false, L}; }
grant_object(A) ::= TYPE qualified_list(L). { A = (GrantObject){AST_OBJECT_TYPE, false, L}; }
grant_object(A) ::= DOMAIN qualified_list(L). { A = (GrantObject){AST_OBJECT_DOMAIN, false, L}; }
grant_object(A) ::= LANGUAGE qualified_list(L). { A = (GrantObject){AST_OBJECT_LANGUAGE, false, L}; }
grant_object(A) ::= FUNCTION function_signatures(L). { A = (GrantObject){AST_OBJECT_FUNCTION, false, L}; }
grant_object(A) ::= ALL TABLES IN SCHEMA qualified_list(L). { A = (GrantObject){AST_OBJECT_TABLE, true, L}; }
grant_object(A) ::= ALL SEQUENCES IN SCHEMA qualified_list(L). { A = (GrantObject){AST_OBJECT_SEQUENCE, true, L}; }
grant_object(A) ::= ALL FUNCTIONS IN SCHEMA qualified_list(L). { A = (GrantObject){AST_OBJECT_FUNCTION, true, L}; }
%type function_signatures {AstNameVec}
function_signatures(A) ::= function_signature(N). { LIST(A, N); }
function_signatures(A) ::= function_signatures(A) COMMA function_signature(N). { PUSH(A, N); }
%type function_signature {AstName}
function_signature(A) ::= qualified(A).
function_signature(A) ::= qualified(N) LP RP. { A = N; }
function_signature(A) ::= qualified(N) LP type_list RP. { A = N; }

// ---- known, not supported: refused by name ----
stmt(A) ::= CREATE(T) OR REPLACE refused_object(W) anything_opt. { A = build_unsupported_object(p, &T, "CREATE", &W); }
stmt(A) ::= CREATE(T) refused_object(W) anything_opt. { A = build_unsupported_object(p, &T, "CREATE", &W); }
stmt(A) ::= ALTER(T) refused_object(W) anything_opt. { A = build_unsupported_object(p, &T, "ALTER", &W); }
stmt(A) ::= DROP(T) refused_object(W) anything_opt. { A = build_unsupported_object(p, &T, "DROP", &W); }
refused_object(A) ::= FUNCTION(A).
refused_object(A) ::= PROCEDURE(A).
refused_object(A) ::= TRIGGER(A).
refused_object(A) ::= RULE(A).
refused_object(A) ::= AGGREGATE(A).
refused_object(A) ::= CAST(A).
refused_object(A) ::= OPERATOR(A).
refused_object(A) ::= COLLATION(A).
refused_object(A) ::= CONVERSION(A).
refused_object(A) ::= LANGUAGE(A).
refused_object(A) ::= POLICY(A).
refused_object(A) ::= PUBLICATION(A).
refused_object(A) ::= SUBSCRIPTION(A).
refused_object(A) ::= SERVER(A).
refused_object(A) ::= STATISTICS(A).
refused_object(A) ::= TABLESPACE(A).
refused_object(A) ::= TRANSFORM(A).
refused_object(A) ::= ACCESS(A) METHOD.
refused_object(A) ::= EVENT(A) TRIGGER.
refused_object(A) ::= FOREIGN(A).
refused_object(A) ::= TEXT(A) SEARCH.
stmt(A) ::= CREATE(T) CONSTRAINT TRIGGER anything. { A = build_unsupported(p, &T, "CREATE CONSTRAINT TRIGGER"); }
stmt(A) ::= CREATE(T) TYPE if_not_exists qualified. { A = build_unsupported(p, &T, "CREATE TYPE of a shell type"); }
stmt(A) ::= CREATE(T) TYPE if_not_exists qualified AS LP anything. { A = build_unsupported(p, &T, "CREATE TYPE of a composite type"); }
stmt(A) ::= CREATE(T) TYPE if_not_exists qualified AS RANGE anything. { A = build_unsupported(p, &T, "CREATE TYPE of a range type"); }
stmt(A) ::= CREATE(T) TYPE if_not_exists qualified LP anything. { A = build_unsupported(p, &T, "CREATE TYPE of a base type"); }
stmt(A) ::= ALTER(T) SYSTEM anything. { A = build_unsupported(p, &T, "ALTER SYSTEM"); }
stmt(A) ::= CALL(T) anything. { A = build_unsupported(p, &T, "CALL"); }
stmt(A) ::= LOAD(T) anything. { A = build_unsupported(p, &T, "LOAD"); }
stmt(A) ::= MERGE(T) anything. { A = build_unsupported(p, &T, "MERGE"); }
stmt(A) ::= SECURITY(T) anything. { A = build_unsupported(p, &T, "SECURITY LABEL"); }
stmt(A) ::= IMPORT(T) anything. { A = build_unsupported(p, &T, "IMPORT FOREIGN SCHEMA"); }
anything_opt ::= .
anything_opt ::= anything.
anything ::= ANYTHING.
anything ::= anything ANYTHING.
