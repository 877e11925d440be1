//////////////////////// Transactions ////////////////////////
stmt(A) ::= BEGIN(T) transaction_word modes_opt(M). { A = build_begin(p, &T, &M); }
stmt(A) ::= START(T) TRANSACTION modes_opt(M). { A = build_begin(p, &T, &M); }
stmt(A) ::= COMMIT(T) transaction_word chain(C). { A = build_end(p, AST_COMMIT, &T, C); }
stmt(A) ::= END(T) transaction_word chain(C). { A = build_end(p, AST_COMMIT, &T, C); }
stmt(A) ::= ROLLBACK(T) transaction_word chain(C). { A = build_end(p, AST_ROLLBACK, &T, C); }
stmt(A) ::= ABORT(T) transaction_word chain(C). { A = build_end(p, AST_ROLLBACK, &T, C); }
stmt(A) ::= SAVEPOINT(T) colid(N). { A = build_savepoint(p, AST_SAVEPOINT, &T, &N); }
stmt(A) ::= RELEASE(T) SAVEPOINT colid(N). { A = build_savepoint(p, AST_RELEASE, &T, &N); }
stmt(A) ::= RELEASE(T) SAVEPOINT(N). { A = build_savepoint(p, AST_RELEASE, &T, &N); }
stmt(A) ::= RELEASE(T) colid(N). { A = build_savepoint(p, AST_RELEASE, &T, &N); }
stmt(A) ::= ROLLBACK(T) transaction_word TO SAVEPOINT colid(N). { A = build_savepoint(p, AST_ROLLBACK_TO, &T, &N); }
stmt(A) ::= ROLLBACK(T) transaction_word TO colid(N). { A = build_savepoint(p, AST_ROLLBACK_TO, &T, &N); }
stmt(A) ::= PREPARE(T) TRANSACTION STRING_LITERAL. { A = build_unsupported(p, &T, "PREPARE TRANSACTION"); }
stmt(A) ::= COMMIT(T) PREPARED STRING_LITERAL. { A = build_unsupported(p, &T, "COMMIT PREPARED"); }
stmt(A) ::= ROLLBACK(T) PREPARED STRING_LITERAL. { A = build_unsupported(p, &T, "ROLLBACK PREPARED"); }
transaction_word ::= .
transaction_word ::= WORK.
transaction_word ::= TRANSACTION.
%type chain {bool}
chain(A) ::= . { A = false; }
chain(A) ::= AND CHAIN. { A = true; }
chain(A) ::= AND NO CHAIN. { A = false; }
%type modes_opt {AstOptionVec}
%type modes {AstOptionVec}
modes_opt(A) ::= . { NONE(A); }
modes_opt(A) ::= modes(A).
modes(A) ::= mode(O). { LIST(A, O); }
modes(A) ::= modes(A) COMMA mode(O). { PUSH(A, O); }
modes(A) ::= modes(A) mode(O). { PUSH(A, O); }
%type mode {AstOption}
mode(A) ::= ISOLATION(T) LEVEL isolation(L). { A = build_option(p, &T, build_string(p, &T, L)); }
mode(A) ::= READ(T) ONLY. { A = build_option_bool(p, &T, "read_only", true); }
mode(A) ::= READ(T) WRITE. { A = build_option_bool(p, &T, "read_only", false); }
mode(A) ::= DEFERRABLE(T). { A = build_option_bool(p, &T, "deferrable", true); }
mode(A) ::= NOT(T) DEFERRABLE. { A = build_option_bool(p, &T, "deferrable", false); }
mode(A) ::= PRIORITY(T) ID(W). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &W)); }
mode(A) ::= AS_LA(T) OF SYSTEM TIME expr(E). { A = build_option_word(p, &T, "as_of", E); }
%type isolation {const char *}
isolation(A) ::= READ UNCOMMITTED. { A = "read uncommitted"; }
isolation(A) ::= READ COMMITTED. { A = "read committed"; }
isolation(A) ::= REPEATABLE READ. { A = "repeatable read"; }
isolation(A) ::= SNAPSHOT. { A = "repeatable read"; }
isolation(A) ::= SERIALIZABLE. { A = "serializable"; }

//////////////////////// Settings ////////////////////////
stmt(A) ::= SET(T) set_value(S). { A = build_set_scope(p, &T, S, false, false); }
stmt(A) ::= SET(T) LOCAL set_value(S). { A = build_set_scope(p, &T, S, true, false); }
stmt(A) ::= SET(T) SESSION set_value(S). { A = build_set_scope(p, &T, S, false, true); }
stmt(A) ::= SET(T) CLUSTER SETTING setting_name(N) to_or_eq set_values(L). { A = build_set_cluster(p, &T, &N, &L); }
stmt(A) ::= SET(T) CLUSTER SETTING setting_name(N) to_or_eq DEFAULT. { A = build_set_cluster(p, &T, &N, NULL); }
stmt(A) ::= SET(T) TRANSACTION modes(M). { A = build_set_transaction(p, &T, AST_TRANSACTION_THIS, &M, NULL); }
stmt(A) ::= SET(T) LOCAL TRANSACTION modes(M). { A = build_set_transaction(p, &T, AST_TRANSACTION_THIS, &M, NULL); }
stmt(A) ::= SET(T) TRANSACTION SNAPSHOT STRING_LITERAL(S). { A = build_set_transaction(p, &T, AST_TRANSACTION_THIS, NULL, S.value); }
stmt(A) ::= SET(T) SESSION CHARACTERISTICS AS TRANSACTION modes(M). { A = build_set_transaction(p, &T, AST_TRANSACTION_SESSION, &M, NULL); }
stmt(A) ::= SET(T) CONSTRAINTS ALL deferred(D). { A = build_set_constraints(p, &T, NULL, D); }
stmt(A) ::= SET(T) CONSTRAINTS qualified_list(L) deferred(D). { A = build_set_constraints(p, &T, &L, D); }
%type deferred {bool}
deferred(A) ::= DEFERRED. { A = true; }
deferred(A) ::= IMMEDIATE. { A = false; }
%type set_value {AstSet *}
set_value(A) ::= setting_name(N) to_or_eq set_values(L). { A = build_set(p, &N, &L); }
set_value(A) ::= setting_name(N) to_or_eq DEFAULT. { A = build_set(p, &N, NULL); }
set_value(A) ::= setting_name(N) FROM CURRENT. { A = build_set_from_current(p, &N); }
set_value(A) ::= TIME(T) ZONE zone_value(V). { A = build_set_word(p, &T, "timezone", V); }
set_value(A) ::= NAMES(T). { A = build_set_word(p, &T, "client_encoding", NULL); }
set_value(A) ::= NAMES(T) STRING_LITERAL(S). { A = build_set_word(p, &T, "client_encoding", build_literal(p, AST_LITERAL_STRING, &S)); }
set_value(A) ::= NAMES(T) DEFAULT. { A = build_set_word(p, &T, "client_encoding", NULL); }
set_value(A) ::= ROLE(T) role_word(W). { A = build_set_word(p, &T, "role", build_literal(p, AST_LITERAL_STRING, &W)); }
set_value(A) ::= SESSION(T) AUTHORIZATION role_word(W). { A = build_set_word(p, &T, "session_authorization", build_literal(p, AST_LITERAL_STRING, &W)); }
set_value(A) ::= SESSION(T) AUTHORIZATION DEFAULT. { A = build_set_word(p, &T, "session_authorization", NULL); }
set_value(A) ::= SCHEMA(T) STRING_LITERAL(S). { A = build_set_word(p, &T, "search_path", build_literal(p, AST_LITERAL_STRING, &S)); }
set_value(A) ::= CATALOG(T) STRING_LITERAL. { A = build_set_refused(p, &T, "current database cannot be changed"); }
set_value(A) ::= XML(T) OPTION colid(W). { A = build_set_word(p, &T, "xmloption", build_literal(p, AST_LITERAL_STRING, &W)); }
role_word(A) ::= nonreserved(A).
role_word(A) ::= STRING_LITERAL(A).
%type zone_value {AstExpr *}
zone_value(A) ::= STRING_LITERAL(S). { A = build_literal(p, AST_LITERAL_STRING, &S); }
zone_value(A) ::= ID(W). { A = build_literal(p, AST_LITERAL_STRING, &W); }
zone_value(A) ::= const_interval(T) STRING_LITERAL(S) interval_fields(F). { A = build_typed_literal(p, build_interval_type(p, T, &F, NULL), &S); }
zone_value(A) ::= const_interval(T) LP INTEGER_LITERAL(N) RP STRING_LITERAL(S). { A = build_typed_literal(p, build_interval_type(p, T, NULL, &N), &S); }
zone_value(A) ::= signed_number(A).
zone_value(A) ::= DEFAULT. { A = NULL; }
zone_value(A) ::= LOCAL. { A = NULL; }
setting_name(A) ::= setting_word(A).
setting_name(A) ::= setting_name(A) DOT label(N). { build_dotted(p, &A, &N); }
setting_word(A) ::= colid(A).
setting_word(A) ::= ROLE(A).
setting_word(A) ::= NAMES(A).
setting_word(A) ::= SCHEMA(A).
setting_word(A) ::= XML(A).
to_or_eq ::= TO.
to_or_eq ::= EQ.
%type set_values {AstExprVec}
set_values(A) ::= set_item(V). { LIST(A, V); }
set_values(A) ::= set_values(A) COMMA set_item(V). { PUSH(A, V); }
%type set_item {AstExpr *}
set_item(A) ::= signed_number(A).
set_item(A) ::= STRING_LITERAL(S). { A = build_literal(p, AST_LITERAL_STRING, &S); }
set_item(A) ::= PARAM(N). { A = build_param(p, &N); }
set_item(A) ::= set_item_word(W). { A = build_literal(p, AST_LITERAL_STRING, &W); }
set_item_word(A) ::= nonreserved(A).
set_item_word(A) ::= TRUE(A).
set_item_word(A) ::= FALSE(A).
set_item_word(A) ::= ON(A).

stmt(A) ::= RESET(T) reset_name(N). { A = build_reset(p, &T, &N); }
stmt(A) ::= RESET(T) CLUSTER SETTING setting_name(N). { A = build_reset_cluster(p, &T, &N); }
reset_name(A) ::= setting_name(A).
reset_name(A) ::= TIME(A) ZONE. { A.value = "timezone"; }
reset_name(A) ::= TRANSACTION(A) ISOLATION LEVEL. { A.value = "transaction_isolation"; }
reset_name(A) ::= SESSION(A) AUTHORIZATION. { A.value = "session_authorization"; }
reset_name(A) ::= ALL(A). { A.value = NULL; }
stmt(A) ::= DISCARD(T) discard_what(W). { A = build_discard(p, &T, &W); }
discard_what(A) ::= ALL(A).
discard_what(A) ::= TEMP(A).
discard_what(A) ::= TEMPORARY(A). { A.value = "temp"; }
discard_what(A) ::= PLANS(A).
discard_what(A) ::= SEQUENCES(A).

//////////////////////// SHOW ////////////////////////
%type show {AstStmt *}
show(A) ::= SHOW(T) show_what(S). { A = build_show(p, &T, S); }
%type show_what {AstShow *}
show_what(A) ::= setting_name(N). { A = build_show_setting(p, N.value); }
show_what(A) ::= TIME ZONE. { A = build_show_setting(p, "timezone"); }
show_what(A) ::= TRANSACTION ISOLATION LEVEL. { A = build_show_setting(p, "transaction_isolation"); }
show_what(A) ::= SESSION AUTHORIZATION. { A = build_show_setting(p, "session_authorization"); }
show_what(A) ::= SESSION setting_name(N). { A = build_show_setting(p, N.value); }
show_what(A) ::= ALL. { A = build_show_kind(p, AST_SHOW_ALL, NULL); }
show_what(A) ::= SESSION ALL. { A = build_show_kind(p, AST_SHOW_ALL, NULL); }
show_what(A) ::= TABLES show_from(N) with_comment(C). { A = build_show_comment(build_show_tables(p, &N), C); }
show_what(A) ::= COLUMNS FROM qualified(N) with_comment(C). { A = build_show_comment(build_show_kind(p, AST_SHOW_COLUMNS, &N), C); }
show_what(A) ::= index_words FROM qualified(N) with_comment(C). { A = build_show_comment(build_show_kind(p, AST_SHOW_INDEXES, &N), C); }
show_what(A) ::= index_words FROM DATABASE qualified(N) with_comment(C). { A = build_show_comment(build_show_on_database(build_show_kind(p, AST_SHOW_INDEXES, &N)), C); }
show_what(A) ::= constraint_words FROM qualified(N) with_comment(C). { A = build_show_comment(build_show_kind(p, AST_SHOW_CONSTRAINTS, &N), C); }
show_what(A) ::= CREATE qualified(N). { A = build_show_object(p, AST_SHOW_CREATE, AST_OBJECT_OTHER, &N); }
show_what(A) ::= CREATE droppable(K) qualified(N). { A = build_show_object(p, AST_SHOW_CREATE, K, &N); }
show_what(A) ::= CREATE ALL TABLES. { A = build_show_kind(p, AST_SHOW_CREATE_ALL, NULL); }
show_what(A) ::= DATABASES with_comment(C). { A = build_show_comment(build_show_kind(p, AST_SHOW_DATABASES, NULL), C); }
show_what(A) ::= SCHEMAS show_from(N) with_comment(C). { A = build_show_comment(build_show_kind(p, AST_SHOW_SCHEMAS, &N), C); }
show_what(A) ::= SEQUENCES show_from(N). { A = build_show_kind(p, AST_SHOW_SEQUENCES, &N); }
show_what(A) ::= TYPES. { A = build_show_kind(p, AST_SHOW_TYPES, NULL); }
show_what(A) ::= ENUMS show_from(N). { A = build_show_kind(p, AST_SHOW_ENUMS, &N); }
show_what(A) ::= ROLES. { A = build_show_kind(p, AST_SHOW_ROLES, NULL); }
show_what(A) ::= USERS. { A = build_show_kind(p, AST_SHOW_USERS, NULL); }
show_what(A) ::= GRANTS show_for(R). { A = build_show_grants(p, AST_OBJECT_OTHER, NULL, R); }
show_what(A) ::= GRANTS ON droppable(K) qualified(N) show_for(R). { A = build_show_grants(p, K, &N, R); }
show_what(A) ::= GRANTS ON qualified(N) show_for(R). { A = build_show_grants(p, AST_OBJECT_TABLE, &N, R); }
show_what(A) ::= RANGES show_options(L). { A = build_show_ranges(p, AST_OBJECT_OTHER, NULL, &L); }
show_what(A) ::= CLUSTER RANGES show_options(L). { A = build_show_ranges(p, AST_OBJECT_ROLE, NULL, &L); }
show_what(A) ::= RANGES FROM CURRENT_CATALOG show_options(L). { A = build_show_ranges(p, AST_OBJECT_OTHER, NULL, &L); }
show_what(A) ::= RANGES FROM DATABASE qualified(N) show_options(L). { A = build_show_ranges(p, AST_OBJECT_DATABASE, &(AstIndexName){.table = N}, &L); }
show_what(A) ::= RANGES FROM TABLE qualified(N) show_options(L). { A = build_show_ranges(p, AST_OBJECT_TABLE, &(AstIndexName){.position = N.position, .table = N}, &L); }
show_what(A) ::= RANGES FROM INDEX index_name(N) show_options(L). { A = build_show_ranges(p, AST_OBJECT_INDEX, &N, &L); }
show_what(A) ::= RANGE FROM TABLE qualified(N) FOR ROW LP expr_list(L) RP. { A = build_show_range(p, AST_OBJECT_TABLE, &(AstIndexName){.position = N.position, .table = N}, &L); }
show_what(A) ::= RANGE FROM INDEX index_name(N) FOR ROW LP expr_list(L) RP. { A = build_show_range(p, AST_OBJECT_INDEX, &N, &L); }
show_what(A) ::= PARTITIONS FROM TABLE qualified(N). { A = build_show_object(p, AST_SHOW_PARTITIONS, AST_OBJECT_TABLE, &N); }
show_what(A) ::= PARTITIONS FROM DATABASE qualified(N). { A = build_show_object(p, AST_SHOW_PARTITIONS, AST_OBJECT_DATABASE, &N); }
show_what(A) ::= PARTITIONS FROM INDEX index_name(N). { A = build_show_index(p, AST_SHOW_PARTITIONS, &N); }
show_what(A) ::= ZONE CONFIGURATION zone_from TABLE qualified(N). { A = build_show_object(p, AST_SHOW_ZONE_CONFIGURATION, AST_OBJECT_TABLE, &N); }
show_what(A) ::= ZONE CONFIGURATION zone_from DATABASE qualified(N). { A = build_show_object(p, AST_SHOW_ZONE_CONFIGURATION, AST_OBJECT_DATABASE, &N); }
show_what(A) ::= ZONE CONFIGURATION zone_from RANGE zone_range(N). { A = build_show_object(p, AST_SHOW_ZONE_CONFIGURATION, AST_OBJECT_OTHER, &N); }
show_what(A) ::= ZONE CONFIGURATION zone_from INDEX index_name(N). { A = build_show_index(p, AST_SHOW_ZONE_CONFIGURATION, &N); }
show_what(A) ::= ZONE CONFIGURATIONS. { A = build_show_kind(p, AST_SHOW_ZONE_CONFIGURATION, NULL); }
show_what(A) ::= show_scope SESSIONS. { A = build_show_kind(p, AST_SHOW_SESSIONS, NULL); }
show_what(A) ::= SESSIONS. { A = build_show_kind(p, AST_SHOW_SESSIONS, NULL); }
show_what(A) ::= show_scope statement_words. { A = build_show_kind(p, AST_SHOW_STATEMENTS, NULL); }
show_what(A) ::= statement_words. { A = build_show_kind(p, AST_SHOW_STATEMENTS, NULL); }
show_what(A) ::= JOBS. { A = build_show_kind(p, AST_SHOW_JOBS, NULL); }
show_what(A) ::= CLUSTER SETTING setting_name(N). { A = build_show_cluster_setting(p, N.value); }
show_what(A) ::= CLUSTER SETTINGS. { A = build_show_cluster_setting(p, NULL); }
show_what(A) ::= ALL CLUSTER SETTINGS. { A = build_show_cluster_setting(p, NULL); }
show_what(A) ::= PUBLIC CLUSTER SETTINGS. { A = build_show_cluster_setting(p, NULL); }
show_what(A) ::= STATISTICS FOR TABLE qualified(N). { A = build_show_kind(p, AST_SHOW_STATISTICS, &N); }
show_what(A) ::= SAVEPOINT STATUS. { A = build_show_kind(p, AST_SHOW_SAVEPOINT_STATUS, NULL); }
show_what(A) ::= TRANSACTION STATUS. { A = build_show_kind(p, AST_SHOW_TRANSACTION_STATUS, NULL); }
index_words ::= INDEX.
index_words ::= INDEXES.
index_words ::= KEYS.
constraint_words ::= CONSTRAINT.
constraint_words ::= CONSTRAINTS.
statement_words ::= STATEMENTS.
statement_words ::= QUERIES.
show_scope ::= ALL.
show_scope ::= CLUSTER.
show_scope ::= LOCAL.
zone_from ::= FROM.
zone_from ::= FOR.
%type show_from {AstName}
show_from(A) ::= . { NONE(A); }
show_from(A) ::= FROM qualified(N). { A = N; }
%type show_for {const char *}
show_for(A) ::= . { A = NULL; }
show_for(A) ::= FOR role(N). { A = N.value; }
%type with_comment {bool}
with_comment(A) ::= . { A = false; }
with_comment(A) ::= WITH COMMENT. { A = true; }
%type show_options {AstOptionVec}
show_options(A) ::= . { NONE(A); }
show_options(A) ::= WITH show_option_list(L). { A = L; }
%type show_option_list {AstOptionVec}
show_option_list(A) ::= ID(N). { LIST(A, build_show_option(p, &N)); }
show_option_list(A) ::= show_option_list(A) COMMA ID(N). { PUSH(A, build_show_option(p, &N)); }

//////////////////////// PREPARE, cursors ////////////////////////
stmt(A) ::= PREPARE(T) colid(N) type_list_opt(L) AS preparable(S). { A = build_prepare(p, &T, &N, &L, S); }
%type type_list_opt {AstTypeVec}
%type type_list {AstTypeVec}
type_list_opt(A) ::= . { NONE(A); }
type_list_opt(A) ::= LP type_list(L) RP. { A = L; }
type_list(A) ::= type(Y). { LIST(A, Y); }
type_list(A) ::= type_list(A) COMMA type(Y). { PUSH(A, Y); }
stmt(A) ::= execute(A).
%type execute {AstStmt *}
execute(A) ::= EXECUTE(T) colid(N). { A = build_execute(p, &T, &N, NULL); }
execute(A) ::= EXECUTE(T) colid(N) LP expr_list(L) RP. { A = build_execute(p, &T, &N, &L); }
stmt(A) ::= DEALLOCATE(T) prepare_opt colid(N). { A = build_deallocate(p, &T, N.value); }
stmt(A) ::= DEALLOCATE(T) prepare_opt ALL. { A = build_deallocate(p, &T, NULL); }
prepare_opt ::= .
prepare_opt ::= PREPARE.

stmt(A) ::= DECLARE(T) colid(N) cursor_options(O) CURSOR cursor_hold(H) FOR select(S). { A = build_declare(p, &T, &N, O, H, S); }
%type cursor_options {AstDeclare *}
cursor_options(A) ::= . { A = build_cursor_options(p); }
cursor_options(A) ::= cursor_options(A) BINARY. { A->binary = true; }
cursor_options(A) ::= cursor_options(A) INSENSITIVE. { A->insensitive = true; }
cursor_options(A) ::= cursor_options(A) ASENSITIVE. { A->asensitive = true; }
cursor_options(A) ::= cursor_options(A) SCROLL. { A->scroll = true; }
cursor_options(A) ::= cursor_options(A) NO SCROLL. { A->no_scroll = true; }
%type cursor_hold {bool}
cursor_hold(A) ::= . { A = false; }
cursor_hold(A) ::= WITH HOLD. { A = true; }
cursor_hold(A) ::= WITHOUT HOLD. { A = false; }
stmt(A) ::= FETCH(T) fetch(F). { A = build_fetch(p, &T, false, F); }
stmt(A) ::= MOVE(T) fetch(F). { A = build_fetch(p, &T, true, F); }
%type fetch {AstFetch *}
fetch(A) ::= colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, 1); }
fetch(A) ::= from_or_in colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, 1); }
fetch(A) ::= NEXT from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, 1); }
fetch(A) ::= PRIOR from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_BACKWARD, 1); }
fetch(A) ::= FIRST from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_ABSOLUTE, 1); }
fetch(A) ::= LAST from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_ABSOLUTE, -1); }
fetch(A) ::= ABSOLUTE signed_int(I) from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_ABSOLUTE, I); }
fetch(A) ::= RELATIVE signed_int(I) from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_RELATIVE, I); }
fetch(A) ::= signed_int(I) from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, I); }
fetch(A) ::= ALL from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, INT64_MAX); }
fetch(A) ::= FORWARD from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, 1); }
fetch(A) ::= FORWARD signed_int(I) from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, I); }
fetch(A) ::= FORWARD ALL from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_FORWARD, INT64_MAX); }
fetch(A) ::= BACKWARD from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_BACKWARD, 1); }
fetch(A) ::= BACKWARD signed_int(I) from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_BACKWARD, I); }
fetch(A) ::= BACKWARD ALL from_in_opt colid(N). { A = build_fetch_from(p, &N, AST_FETCH_BACKWARD, INT64_MAX); }
from_in_opt ::= .
from_in_opt ::= from_or_in.
from_or_in ::= FROM.
from_or_in ::= IN.
stmt(A) ::= CLOSE(T) colid(N). { A = build_close(p, &T, N.value); }
stmt(A) ::= CLOSE(T) ALL. { A = build_close(p, &T, NULL); }

//////////////////////// EXPLAIN, COPY ////////////////////////
stmt(A) ::= EXPLAIN(T) explained(S). { A = build_explain(p, &T, NULL, NULL, S); }
stmt(A) ::= EXPLAIN(T) analyze(W) explained(S). { A = build_explain(p, &T, &W, NULL, S); }
stmt(A) ::= EXPLAIN(T) VERBOSE(W) explained(S). { A = build_explain(p, &T, &W, NULL, S); }
stmt(A) ::= EXPLAIN(T) analyze(W) VERBOSE(V) explained(S). { A = build_explain_both(p, &T, &W, &V, S); }
stmt(A) ::= EXPLAIN(T) LP explain_options(L) RP explained(S). { A = build_explain(p, &T, NULL, &L, S); }
stmt(A) ::= EXPLAIN(T) analyze(W) LP explain_options(L) RP explained(S). { A = build_explain(p, &T, &W, &L, S); }
analyze(A) ::= ANALYZE(A).
analyze(A) ::= ANALYSE(A).
%type explain_options {AstOptionVec}
explain_options(A) ::= explain_option(O). { LIST(A, O); }
explain_options(A) ::= explain_options(A) COMMA explain_option(O). { PUSH(A, O); }
%type explain_option {AstOption}
explain_option(A) ::= explain_word(N). { A = build_option(p, &N, NULL); }
explain_option(A) ::= explain_word(N) option_value(V). { A = build_option(p, &N, V); }
explain_word(A) ::= nonreserved(A).
explain_word(A) ::= ANALYZE(A).
explain_word(A) ::= ANALYSE(A).
%type explained {AstStmt *}
explained(A) ::= preparable(A).
explained(A) ::= execute(A).
explained(A) ::= DECLARE(T) colid(N) cursor_options(O) CURSOR cursor_hold(H) FOR select(S). { A = build_declare(p, &T, &N, O, H, S); }
explained(A) ::= CREATE(T) persistence(P) TABLE if_not_exists(I) qualified(N) as_tail(X) AS create_as_query(Q) with_data(D). { A = build_create_table_as(p, &T, &N, X, Q, build_as_flags(P, I, D)); }
explained(A) ::= ALTER(T) key_space_target(K) SPLIT AT select(S). { A = build_split_at(p, &T, &K, S, NULL); }
explained(A) ::= ALTER(T) key_space_target(K) SPLIT AT select(S) WITH EXPIRATION expr(E). { A = build_split_at(p, &T, &K, S, E); }

stmt(A) ::= COPY(T) copy_binary(B) qualified(N) cte_columns(L) copy_direction(D) copy_delimiters(X) copy_options(O) where(W). { A = build_copy(p, &T, build_copy_target(p, &N, &L), D, build_copy_options(p, &B, &X, &O), W); }
stmt(A) ::= COPY(T) LP preparable(Q) RP TO copy_file(F) copy_options(O). { A = build_copy_query(p, &T, Q, F, &O); }
%type copy_binary {AstOptionVec}
copy_binary(A) ::= . { NONE(A); }
copy_binary(A) ::= BINARY(T). { LIST(A, build_option_word(p, &T, "format", build_string(p, &T, "binary"))); }
%type copy_direction {AstCopy *}
copy_direction(A) ::= FROM copy_file(F). { A = build_copy_direction(F, true); }
copy_direction(A) ::= TO copy_file(F). { A = build_copy_direction(F, false); }
%type copy_file {AstCopy *}
copy_file(A) ::= STRING_LITERAL(S). { A = build_copy_file(p, S.value, false); }
copy_file(A) ::= PROGRAM STRING_LITERAL(S). { A = build_copy_file(p, S.value, true); }
copy_file(A) ::= STDIN. { A = build_copy_file(p, NULL, false); }
copy_file(A) ::= STDOUT. { A = build_copy_file(p, NULL, false); }
%type copy_delimiters {AstOptionVec}
copy_delimiters(A) ::= . { NONE(A); }
copy_delimiters(A) ::= DELIMITERS(T) STRING_LITERAL(S). { LIST(A, build_option_word(p, &T, "delimiter", build_literal(p, AST_LITERAL_STRING, &S))); }
copy_delimiters(A) ::= USING DELIMITERS(T) STRING_LITERAL(S). { LIST(A, build_option_word(p, &T, "delimiter", build_literal(p, AST_LITERAL_STRING, &S))); }
%type copy_options {AstOptionVec}
%type copy_old_options {AstOptionVec}
%type copy_new_options {AstOptionVec}
%type copy_old_option {AstOption}
%type copy_new_option {AstOption}
copy_options(A) ::= copy_old_options(A).
copy_options(A) ::= WITH copy_old_options(L). { A = L; }
copy_options(A) ::= WITH LP copy_new_options(L) RP. { A = L; }
copy_options(A) ::= LP copy_new_options(L) RP. { A = L; }
copy_old_options(A) ::= . { NONE(A); }
copy_old_options(A) ::= copy_old_options(A) copy_old_option(O). { PUSH(A, O); }
copy_old_option(A) ::= BINARY(T). { A = build_option_word(p, &T, "format", build_string(p, &T, "binary")); }
copy_old_option(A) ::= FREEZE(T). { A = build_option(p, &T, NULL); }
copy_old_option(A) ::= DELIMITER(T) as_opt STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
copy_old_option(A) ::= NULL(T) as_opt STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
copy_old_option(A) ::= CSV(T). { A = build_option_word(p, &T, "format", build_string(p, &T, "csv")); }
copy_old_option(A) ::= HEADER(T). { A = build_option(p, &T, NULL); }
copy_old_option(A) ::= QUOTE(T) as_opt STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
copy_old_option(A) ::= ESCAPE(T) as_opt STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
copy_old_option(A) ::= FORCE(T) QUOTE name_list(L). { A = build_option_names(p, &T, "force_quote", &L); }
copy_old_option(A) ::= FORCE(T) QUOTE STAR. { A = build_option_word(p, &T, "force_quote", build_string(p, &T, "*")); }
copy_old_option(A) ::= FORCE(T) NOT NULL name_list(L). { A = build_option_names(p, &T, "force_not_null", &L); }
copy_old_option(A) ::= FORCE(T) NULL name_list(L). { A = build_option_names(p, &T, "force_null", &L); }
copy_old_option(A) ::= ENCODING(T) STRING_LITERAL(S). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &S)); }
copy_new_options(A) ::= copy_new_option(O). { LIST(A, O); }
copy_new_options(A) ::= copy_new_options(A) COMMA copy_new_option(O). { PUSH(A, O); }
copy_new_option(A) ::= label(N). { A = build_option(p, &N, NULL); }
copy_new_option(A) ::= label(N) option_value(V). { A = build_option(p, &N, V); }
copy_new_option(A) ::= label(N) STAR(S). { A = build_option(p, &N, build_string(p, &S, "*")); }
copy_new_option(A) ::= label(N) LP name_list(L) RP. { A = build_option_names(p, &N, N.value, &L); }

//////////////////////// Maintenance and the rest ////////////////////////
stmt(A) ::= VACUUM(T) vacuum_words(L) vacuum_tables_opt(V). { A = build_vacuum(p, AST_VACUUM, &T, &L, &V); }
stmt(A) ::= VACUUM(T) LP explain_options(L) RP vacuum_tables_opt(V). { A = build_vacuum(p, AST_VACUUM, &T, &L, &V); }
stmt(A) ::= analyze(T) vacuum_tables_opt(V). { A = build_vacuum(p, AST_ANALYZE, &T, NULL, &V); }
stmt(A) ::= analyze(T) VERBOSE(W) vacuum_tables_opt(V). { A = build_analyze_verbose(p, &T, &W, &V); }
stmt(A) ::= analyze(T) LP explain_options(L) RP vacuum_tables_opt(V). { A = build_vacuum(p, AST_ANALYZE, &T, &L, &V); }
%type vacuum_words {AstOptionVec}
vacuum_words(A) ::= . { NONE(A); }
vacuum_words(A) ::= vacuum_words(A) vacuum_word(W). { PUSH(A, build_option(p, &W, NULL)); }
vacuum_word(A) ::= FULL(A).
vacuum_word(A) ::= FREEZE(A).
vacuum_word(A) ::= VERBOSE(A).
vacuum_word(A) ::= ANALYZE(A).
vacuum_word(A) ::= ANALYSE(A).
%type vacuum_tables_opt {AstVacuumTableVec}
%type vacuum_tables {AstVacuumTableVec}
vacuum_tables_opt(A) ::= . { NONE(A); }
vacuum_tables_opt(A) ::= vacuum_tables(A).
vacuum_tables(A) ::= qualified(N) cte_columns(L). { LIST(A, ((AstVacuumTable){N, L})); }
vacuum_tables(A) ::= vacuum_tables(A) COMMA qualified(N) cte_columns(L). { PUSH(A, (AstVacuumTable){N, L}); }

stmt(A) ::= REINDEX(T) reindex_options(O) reindex_what(W) concurrently(C) qualified(N). { A = build_reindex(p, &T, &O, &W, C, &N); }
stmt(A) ::= REINDEX(T) reindex_options(O) reindex_whole(W) concurrently(C). { A = build_reindex(p, &T, &O, &W, C, NULL); }
stmt(A) ::= REINDEX(T) reindex_options(O) reindex_whole(W) concurrently(C) qualified(N). { A = build_reindex(p, &T, &O, &W, C, &N); }
%type reindex_options {AstOptionVec}
reindex_options(A) ::= . { NONE(A); }
reindex_options(A) ::= LP explain_options(L) RP. { A = L; }
reindex_what(A) ::= TABLE(A).
reindex_what(A) ::= INDEX(A).
reindex_what(A) ::= SCHEMA(A).
reindex_whole(A) ::= DATABASE(A).
reindex_whole(A) ::= SYSTEM(A).
stmt(A) ::= CLUSTER(T) LP explain_options RP qualified(N). { A = build_cluster(p, &T, &N, NULL); }
stmt(A) ::= CLUSTER(T) LP explain_options RP qualified(N) USING colid(I). { A = build_cluster(p, &T, &N, &I); }
stmt(A) ::= CLUSTER(T) verbose. { A = build_cluster(p, &T, NULL, NULL); }
stmt(A) ::= CLUSTER(T) verbose qualified(N). { A = build_cluster(p, &T, &N, NULL); }
stmt(A) ::= CLUSTER(T) verbose qualified(N) USING colid(I). { A = build_cluster(p, &T, &N, &I); }
verbose ::= .
verbose ::= VERBOSE.
stmt(A) ::= CHECKPOINT(T). { A = build_bare(p, AST_CHECKPOINT, &T); }
stmt(A) ::= LOCK(T) table_opt relation_list(L) lock_mode(M) nowait(W). { A = build_lock(p, &T, &L, M, W); }
%type lock_mode {const char *}
lock_mode(A) ::= . { A = "access exclusive"; }
lock_mode(A) ::= IN lock_name(M) MODE. { A = M; }
%type lock_name {const char *}
lock_name(A) ::= ACCESS SHARE. { A = "access share"; }
lock_name(A) ::= ROW SHARE. { A = "row share"; }
lock_name(A) ::= ROW EXCLUSIVE. { A = "row exclusive"; }
lock_name(A) ::= SHARE UPDATE EXCLUSIVE. { A = "share update exclusive"; }
lock_name(A) ::= SHARE. { A = "share"; }
lock_name(A) ::= SHARE ROW EXCLUSIVE. { A = "share row exclusive"; }
lock_name(A) ::= EXCLUSIVE. { A = "exclusive"; }
lock_name(A) ::= ACCESS EXCLUSIVE. { A = "access exclusive"; }
%type nowait {bool}
nowait(A) ::= . { A = false; }
nowait(A) ::= NOWAIT. { A = true; }
stmt(A) ::= LISTEN(T) colid(N). { A = build_listen(p, AST_LISTEN, &T, N.value); }
stmt(A) ::= UNLISTEN(T) colid(N). { A = build_listen(p, AST_UNLISTEN, &T, N.value); }
stmt(A) ::= UNLISTEN(T) STAR. { A = build_listen(p, AST_UNLISTEN, &T, NULL); }
stmt(A) ::= NOTIFY(T) colid(N). { A = build_notify(p, &T, N.value, NULL); }
stmt(A) ::= NOTIFY(T) colid(N) COMMA STRING_LITERAL(S). { A = build_notify(p, &T, N.value, S.value); }
stmt(A) ::= DO(T) do_items(D). { A = build_do(p, &T, D); }
%type do_items {AstDo *}
do_items(A) ::= do_item(A).
do_items(A) ::= do_items(A) do_item(D). { build_do_merge(p, A, D); }
%type do_item {AstDo *}
do_item(A) ::= STRING_LITERAL(S). { A = build_do_item(p, NULL, S.value); }
do_item(A) ::= LANGUAGE nonreserved(N). { A = build_do_item(p, N.value, NULL); }
do_item(A) ::= LANGUAGE STRING_LITERAL(S). { A = build_do_item(p, S.value, NULL); }
