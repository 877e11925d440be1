//////////////////////// SELECT ////////////////////////
// As in PostgreSQL: a select in parentheses is told from an expression in parentheses by the weaker precedence [UMINUS].
%type select {AstSelect *}
%type select_in_parens {AstSelect *}
%type select_no_parens {AstSelect *}
%type select_clause {AstSelect *}
%type simple_select {AstSelect *}
select(A) ::= select_no_parens(A). [UMINUS]
select(A) ::= select_in_parens(A). [UMINUS]
select_in_parens(A) ::= LP(T) select_no_parens(S) RP. { A = build_select_enclosed(p, &T, S); }
select_in_parens(A) ::= LP(T) select_in_parens(S) RP. { A = build_select_enclosed(p, &T, S); }

select_no_parens(A) ::= simple_select(A).
select_no_parens(A) ::= select_clause(S) sort(O). { A = build_select_tail(p, NULL, S, &O, NULL, NULL); }
select_no_parens(A) ::= select_clause(S) sort_opt(O) locking(K) limit_opt(L). { A = build_select_tail(p, NULL, S, &O, &L, &K); }
select_no_parens(A) ::= select_clause(S) sort_opt(O) limit(L) locking_opt(K). { A = build_select_tail(p, NULL, S, &O, &L, &K); }
select_no_parens(A) ::= with(W) select_clause(S). { A = build_select_tail(p, W, S, NULL, NULL, NULL); }
select_no_parens(A) ::= with(W) select_clause(S) sort(O). { A = build_select_tail(p, W, S, &O, NULL, NULL); }
select_no_parens(A) ::= with(W) select_clause(S) sort_opt(O) locking(K) limit_opt(L). { A = build_select_tail(p, W, S, &O, &L, &K); }
select_no_parens(A) ::= with(W) select_clause(S) sort_opt(O) limit(L) locking_opt(K). { A = build_select_tail(p, W, S, &O, &L, &K); }
select_clause(A) ::= simple_select(A).
select_clause(A) ::= select_in_parens(A).

simple_select(A) ::= SELECT(T) all_opt targets_opt(L) into(I) from(F) query_tail(Q). { A = build_select(p, &T, &L, I, &F, Q); }
simple_select(A) ::= SELECT(T) distinct(D) targets(L) into(I) from(F) query_tail(Q). { A = build_select_distinct(p, D, build_select(p, &T, &L, I, &F, Q)); }
simple_select(A) ::= values(A).
simple_select(A) ::= TABLE(T) relation(R). { A = build_table_select(p, &T, R); }
simple_select(A) ::= select_clause(L) UNION(O) set_quantifier(Q) select_clause(R). { A = build_set_op(p, &O, AST_SET_OP_UNION, Q, L, R); }
simple_select(A) ::= select_clause(L) INTERSECT(O) set_quantifier(Q) select_clause(R). { A = build_set_op(p, &O, AST_SET_OP_INTERSECT, Q, L, R); }
simple_select(A) ::= select_clause(L) EXCEPT(O) set_quantifier(Q) select_clause(R). { A = build_set_op(p, &O, AST_SET_OP_EXCEPT, Q, L, R); }
all_opt ::= .
all_opt ::= ALL.
%type set_quantifier {bool}
set_quantifier(A) ::= . { A = false; }
set_quantifier(A) ::= ALL. { A = true; }
set_quantifier(A) ::= DISTINCT. { A = false; }
%type distinct {AstSelect *}
distinct(A) ::= DISTINCT. { A = build_distinct(p, NULL); }
distinct(A) ::= DISTINCT ON LP expr_list(L) RP. { A = build_distinct(p, &L); }
%type into {AstInto *}
into(A) ::= . { A = NULL; }
into(A) ::= INTO(T) into_words(W) qualified(N). { A = build_into(p, &T, W, &N); }
%type into_words {AstPersistence}
into_words(A) ::= . { A = AST_PERMANENT; }
into_words(A) ::= TEMPORARY table_opt. { A = AST_TEMPORARY; }
into_words(A) ::= TEMP table_opt. { A = AST_TEMPORARY; }
into_words(A) ::= LOCAL TEMPORARY table_opt. { A = AST_TEMPORARY; }
into_words(A) ::= LOCAL TEMP table_opt. { A = AST_TEMPORARY; }
into_words(A) ::= UNLOGGED table_opt. { A = AST_UNLOGGED; }
into_words(A) ::= TABLE. { A = AST_PERMANENT; }
table_opt ::= .
table_opt ::= TABLE.

%type query_tail {AstSelect *}
query_tail(A) ::= where(W) group_by(G) having(H) window_clause(L). { A = build_query_tail(p, W, G, H, &L); }
%type where {AstExpr *}
where(A) ::= . { A = NULL; }
where(A) ::= WHERE expr(E). { A = E; }
%type having {AstExpr *}
having(A) ::= . { A = NULL; }
having(A) ::= HAVING expr(E). { A = E; }
%type group_by {AstSelect *}
group_by(A) ::= . { A = NULL; }
group_by(A) ::= GROUP BY set_distinct(D) group_list(L). { A = build_group_by(p, D, &L); }
%type set_distinct {bool}
set_distinct(A) ::= . { A = false; }
set_distinct(A) ::= ALL. { A = false; }
set_distinct(A) ::= DISTINCT. { A = true; }
%type group_list {AstExprVec}
group_list(A) ::= group_item(E). { LIST(A, E); }
group_list(A) ::= group_list(A) COMMA group_item(E). { PUSH(A, E); }
%type group_item {AstExpr *}
group_item(A) ::= expr(A).
group_item(A) ::= LP(T) RP. { A = build_grouping_set(p, &T, AST_GROUPING_EMPTY, NULL); }
group_item(A) ::= CUBE(T) LP expr_list(L) RP. { A = build_grouping_set(p, &T, AST_GROUPING_CUBE, &L); }
group_item(A) ::= ROLLUP(T) LP expr_list(L) RP. { A = build_grouping_set(p, &T, AST_GROUPING_ROLLUP, &L); }
group_item(A) ::= GROUPING(T) SETS LP group_list(L) RP. { A = build_grouping_set(p, &T, AST_GROUPING_SETS, &L); }
%type window_clause {AstWindowVec}
window_clause(A) ::= . { NONE(A); }
window_clause(A) ::= WINDOW window_list(L). { A = L; }
%type window_list {AstWindowVec}
window_list(A) ::= named_window(W). { LIST(A, W); }
window_list(A) ::= window_list(A) COMMA named_window(W). { PUSH(A, W); }
%type named_window {AstWindow *}
named_window(A) ::= colid(N) AS window_definition(W). { A = build_named_window(&N, W); }

%type targets {AstTargetVec}
%type targets_opt {AstTargetVec}
%type target {AstTarget}
targets_opt(A) ::= . { NONE(A); }
targets_opt(A) ::= targets(A).
targets(A) ::= target(T). { LIST(A, T); }
targets(A) ::= targets(A) COMMA target(T). { PUSH(A, T); }
target(A) ::= expr(E) AS label(N). { A = (AstTarget){E->position, E, N.value}; }
target(A) ::= expr(E) bare_label(N). { A = (AstTarget){E->position, E, N.value}; }
target(A) ::= expr(E). { A = (AstTarget){E->position, E, NULL}; }
target(A) ::= STAR(T). { A = (AstTarget){T.position, build_star(p, &T), NULL}; }

%type values {AstSelect *}
values(A) ::= VALUES(T) LP expr_list(L) RP. { A = build_values(p, &T, &L); }
values(A) ::= values(A) COMMA LP expr_list(L) RP. { PUSH(A->values, L); }

// ---- ORDER BY's companions ----
%type limit {Limit}
%type limit_opt {Limit}
limit_opt(A) ::= . { NONE(A); }
limit_opt(A) ::= limit(A).
limit(A) ::= limit_clause(L) offset_clause(O). { A = build_limit(L, O); }
limit(A) ::= offset_clause(O) limit_clause(L). { A = build_limit(L, O); }
limit(A) ::= limit_clause(A).
limit(A) ::= offset_clause(O). { A = (Limit){.offset = O}; }
%type limit_clause {Limit}
limit_clause(A) ::= LIMIT expr(E). { A = (Limit){.limit = E}; }
limit_clause(A) ::= LIMIT ALL. { A = (Limit){0}; }
limit_clause(A) ::= LIMIT(T) expr COMMA expr. { A = build_refuse_limit(p, &T); }
limit_clause(A) ::= FETCH first_or_next fetch_count(E) row_or_rows ONLY. { A = (Limit){.limit = E}; }
limit_clause(A) ::= FETCH first_or_next fetch_count(E) row_or_rows WITH TIES. { A = (Limit){.limit = E, .with_ties = true}; }
limit_clause(A) ::= FETCH(T) first_or_next row_or_rows ONLY. { A = (Limit){.limit = build_one(p, &T)}; }
limit_clause(A) ::= FETCH(T) first_or_next row_or_rows WITH TIES. { A = (Limit){.limit = build_one(p, &T), .with_ties = true}; }
%type fetch_count {AstExpr *}
fetch_count(A) ::= simple(A).
fetch_count(A) ::= PLUS signed_number(N). { A = N; }
fetch_count(A) ::= MINUS(O) signed_number(N). { A = build_negate(p, &O, N); }
%type offset_clause {AstExpr *}
offset_clause(A) ::= OFFSET expr(E). { A = E; }
offset_clause(A) ::= OFFSET fetch_count(E) row_or_rows. { A = E; }
first_or_next ::= FIRST.
first_or_next ::= NEXT.
row_or_rows ::= ROW.
row_or_rows ::= ROWS.

%type locking {AstLockingVec}
%type locking_opt {AstLockingVec}
%type locking_item {AstLocking}
locking_opt(A) ::= . { NONE(A); }
locking_opt(A) ::= locking(A).
locking(A) ::= locking_item(K). { LIST(A, K); }
locking(A) ::= FOR READ ONLY. { NONE(A); }
locking(A) ::= locking(A) locking_item(K). { PUSH(A, K); }
locking_item(A) ::= FOR(T) lock_strength(S) lock_of(L) lock_wait(W). { A = (AstLocking){T.position, S, W, L}; }
%type lock_strength {AstLockStrength}
lock_strength(A) ::= UPDATE. { A = AST_LOCK_UPDATE; }
lock_strength(A) ::= NO KEY UPDATE. { A = AST_LOCK_NO_KEY_UPDATE; }
lock_strength(A) ::= SHARE. { A = AST_LOCK_SHARE; }
lock_strength(A) ::= KEY SHARE. { A = AST_LOCK_KEY_SHARE; }
%type lock_of {AstNameVec}
lock_of(A) ::= . { NONE(A); }
lock_of(A) ::= OF qualified_list(L). { A = L; }
%type lock_wait {AstLockWait}
lock_wait(A) ::= . { A = AST_LOCK_BLOCK; }
lock_wait(A) ::= NOWAIT. { A = AST_LOCK_NOWAIT; }
lock_wait(A) ::= SKIP LOCKED. { A = AST_LOCK_SKIP; }

// ---- WITH ----
%type with {AstWith *}
with(A) ::= WITH(T) cte_list(L). { A = build_with(p, &T, false, &L); }
with(A) ::= WITH_LA(T) cte_list(L). { A = build_with(p, &T, false, &L); }
with(A) ::= WITH(T) RECURSIVE cte_list(L). { A = build_with(p, &T, true, &L); }
%type with_opt {AstWith *}
with_opt(A) ::= . { A = NULL; }
with_opt(A) ::= with(A).
%type cte_list {AstCteVec}
cte_list(A) ::= cte(C). { LIST(A, C); }
cte_list(A) ::= cte_list(A) COMMA cte(C). { PUSH(A, C); }
%type cte {AstCte}
cte(A) ::= colid(N) cte_columns(L) AS materialized(M) LP preparable(S) RP cte_search(X). { A = (AstCte){N.position, N.value, L, M, S, X}; }
%type cte_columns {StrVec}
cte_columns(A) ::= . { NONE(A); }
cte_columns(A) ::= LP name_list(L) RP. { A = L; }
%type materialized {AstMaterialized}
materialized(A) ::= . { A = AST_MATERIALIZED_DEFAULT; }
materialized(A) ::= MATERIALIZED. { A = AST_MATERIALIZED_YES; }
materialized(A) ::= NOT MATERIALIZED. { A = AST_MATERIALIZED_NO; }
%type cte_search {bool}
cte_search(A) ::= . { A = false; }
cte_search(A) ::= SEARCH depth_or_breadth FIRST BY name_list SET colid. { A = true; }
cte_search(A) ::= CYCLE name_list SET colid USING colid. { A = true; }
cte_search(A) ::= CYCLE name_list SET colid TO constant DEFAULT constant USING colid. { A = true; }
depth_or_breadth ::= DEPTH.
depth_or_breadth ::= BREADTH.

// ---- FROM ----
%type from {FromClause}
from(A) ::= . { NONE(A); }
from(A) ::= FROM from_list(L) as_of(T). { A = (FromClause){L, T}; }
%type as_of {AstExpr *}
as_of(A) ::= . { A = NULL; }
as_of(A) ::= AS_LA OF SYSTEM TIME expr(E). { A = E; }
%type from_list {AstFromVec}
from_list(A) ::= table_ref(T). { LIST(A, T); }
from_list(A) ::= from_list(A) COMMA table_ref(T). { PUSH(A, T); }

%type table_ref {AstFrom *}
%type joined_table {AstFrom *}
table_ref(A) ::= relation(R) alias_opt(N). { A = build_table_ref(p, R, &N, NULL); }
table_ref(A) ::= relation(R) alias_opt(N) sample(S). { A = build_table_ref(p, R, &N, S); }
table_ref(A) ::= relation(R) WITH_LA ORDINALITY alias_opt(N). { A = build_ordinality(build_table_ref(p, R, &N, NULL)); }
table_ref(A) ::= function_table(F) function_alias(N). { A = build_from_alias(F, &N, false); }
table_ref(A) ::= LATERAL function_table(F) function_alias(N). { A = build_from_alias(F, &N, true); }
table_ref(A) ::= select_in_parens(S) alias_opt(N). { A = build_from_subquery(p, S, &N, false); }
table_ref(A) ::= select_in_parens(S) WITH_LA ORDINALITY alias_opt(N). { A = build_ordinality(build_from_subquery(p, S, &N, false)); }
table_ref(A) ::= LATERAL select_in_parens(S) alias_opt(N). { A = build_from_subquery(p, S, &N, true); }
table_ref(A) ::= joined_table(A).
table_ref(A) ::= LP joined_table(J) RP alias(N). { A = build_from_alias(J, &N, false); }
table_ref(A) ::= LBRACKET(T) bracketed(S) RBRACKET alias_opt(N). { A = build_from_statement(p, &T, S, &N); }

joined_table(A) ::= LP joined_table(J) RP. { A = J; }
joined_table(A) ::= table_ref(L) CROSS(T) JOIN table_ref(R). { A = build_join(p, &T, AST_JOIN_CROSS, L, R, NULL); }
joined_table(A) ::= table_ref(L) join_type(K) JOIN(T) table_ref(R) join_condition(C). { A = build_join(p, &T, K, L, R, &C); }
joined_table(A) ::= table_ref(L) JOIN(T) table_ref(R) join_condition(C). { A = build_join(p, &T, AST_JOIN_INNER, L, R, &C); }
joined_table(A) ::= table_ref(L) NATURAL(T) join_type(K) JOIN table_ref(R). { A = build_natural_join(p, &T, K, L, R); }
joined_table(A) ::= table_ref(L) NATURAL(T) JOIN table_ref(R). { A = build_natural_join(p, &T, AST_JOIN_INNER, L, R); }
%type join_type {AstJoinKind}
join_type(A) ::= FULL outer_opt. { A = AST_JOIN_FULL; }
join_type(A) ::= LEFT outer_opt. { A = AST_JOIN_LEFT; }
join_type(A) ::= RIGHT outer_opt. { A = AST_JOIN_RIGHT; }
join_type(A) ::= INNER. { A = AST_JOIN_INNER; }
outer_opt ::= .
outer_opt ::= OUTER.
%type join_condition {JoinCondition}
join_condition(A) ::= USING LP name_list(L) RP. { A = (JoinCondition){.using_columns = L}; }
join_condition(A) ::= USING LP name_list(L) RP AS colid(N). { A = (JoinCondition){.using_columns = L, .alias = N.value}; }
join_condition(A) ::= ON expr(E). { A = (JoinCondition){.on = E}; }
join_condition(A) ::= ON_LA expr(E). { A = (JoinCondition){.on = E}; }

%type relation {AstFromTable *}
relation(A) ::= qualified(N). { A = build_relation(p, &N, false); }
relation(A) ::= qualified(N) STAR. { A = build_relation(p, &N, false); }
relation(A) ::= ONLY qualified(N). { A = build_relation(p, &N, true); }
relation(A) ::= ONLY LP qualified(N) RP. { A = build_relation(p, &N, true); }
relation(A) ::= qualified(N) AT_SIGN label(I). { A = build_relation_index(p, &N, &I); }
relation(A) ::= qualified(N) AT_SIGN LBRACE hints(H) RBRACE. { A = build_relation_hints(p, &N, H); }
%type hints {AstFromTable *}
hints(A) ::= hint(A).
hints(A) ::= hints(A) COMMA hint(H). { build_hint_merge(p, A, H); }
%type hint {AstFromTable *}
hint(A) ::= FORCE_INDEX EQ label(N). { A = build_hint_index(p, &N); }
hint(A) ::= ASC. { A = build_hint_direction(p, AST_SORT_ASC); }
hint(A) ::= DESC. { A = build_hint_direction(p, AST_SORT_DESC); }
hint(A) ::= NO_FULL_SCAN. { A = build_hint_flag(p, true); }
hint(A) ::= NO_INDEX_JOIN. { A = build_hint_flag(p, false); }
%type sample {AstFromTable *}
sample(A) ::= TABLESAMPLE function_name(N) LP expr_list(L) RP sample_seed(S). { A = build_sample(p, &N, &L, S); }
%type sample_seed {AstExpr *}
sample_seed(A) ::= . { A = NULL; }
sample_seed(A) ::= REPEATABLE LP expr(E) RP. { A = E; }

%type function_table {AstFrom *}
function_table(A) ::= function_windowless(F) ordinality(O). { A = build_from_function(p, F, O); }
function_table(A) ::= ROWS(T) FROM LP rows_from_list(L) RP ordinality(O). { A = build_rows_from(p, &T, &L, O); }
%type ordinality {bool}
ordinality(A) ::= . { A = false; }
ordinality(A) ::= WITH_LA ORDINALITY. { A = true; }
%type rows_from_list {AstFunctionItemVec}
rows_from_list(A) ::= rows_from_item(I). { LIST(A, I); }
rows_from_list(A) ::= rows_from_list(A) COMMA rows_from_item(I). { PUSH(A, I); }
%type rows_from_item {AstFunctionItem}
rows_from_item(A) ::= function_windowless(F). { A = (AstFunctionItem){.call = F}; }
rows_from_item(A) ::= function_windowless(F) AS LP function_columns(L) RP. { A = (AstFunctionItem){.call = F, .definitions = L}; }

%type alias {AstAlias}
%type alias_opt {AstAlias}
%type function_alias {AstAlias}
alias_opt(A) ::= . { NONE(A); }
alias_opt(A) ::= alias(A).
alias(A) ::= AS colid(N) LP name_list(L) RP. { A = (AstAlias){.name = N.value, .columns = L}; }
alias(A) ::= AS colid(N). { A = (AstAlias){.name = N.value}; }
alias(A) ::= colid(N) LP name_list(L) RP. { A = (AstAlias){.name = N.value, .columns = L}; }
alias(A) ::= colid(N). { A = (AstAlias){.name = N.value}; }
function_alias(A) ::= . { NONE(A); }
function_alias(A) ::= alias(A).
function_alias(A) ::= AS LP function_columns(L) RP. { A = (AstAlias){.definitions = L}; }
function_alias(A) ::= AS colid(N) LP function_columns(L) RP. { A = (AstAlias){.name = N.value, .definitions = L}; }
function_alias(A) ::= colid(N) LP function_columns(L) RP. { A = (AstAlias){.name = N.value, .definitions = L}; }
%type function_columns {AstColumnDefVec}
function_columns(A) ::= function_column(C). { LIST(A, C); }
function_columns(A) ::= function_columns(A) COMMA function_column(C). { PUSH(A, C); }
%type function_column {AstColumnDef *}
function_column(A) ::= colid(N) type(T) collation(C). { A = build_column_def(p, &N, T, &C); }
%type collation {AstName}
collation(A) ::= . { NONE(A); }
collation(A) ::= COLLATE dotted(N). { A = N; }
