//////////////////////// Tables and indexes ////////////////////////
stmt(A) ::= CREATE(T) persistence(P) TABLE if_not_exists(I) qualified(N) LP table_elems_opt(L) RP table_tail(X). { A = build_create_table(p, &T, P, I, &N, build_table_elems(X, &L)); }
stmt(A) ::= CREATE(T) persistence(P) TABLE if_not_exists(I) qualified(N) PARTITION OF qualified(O) typed_elems(L) partition_bound(B) table_tail(X). { A = build_create_table(p, &T, P, I, &N, build_table_partition_of(build_table_elems(X, &L), &O, &B)); }
stmt(A) ::= CREATE(T) persistence(P) TABLE if_not_exists(I) qualified(N) OF qualified(O) typed_elems(L) table_tail(X). { A = build_create_table(p, &T, P, I, &N, build_table_of_type(build_table_elems(X, &L), &O)); }
%type persistence {AstPersistence}
persistence(A) ::= . { A = AST_PERMANENT; }
persistence(A) ::= TEMPORARY. { A = AST_TEMPORARY; }
persistence(A) ::= TEMP. { A = AST_TEMPORARY; }
persistence(A) ::= LOCAL TEMPORARY. { A = AST_TEMPORARY; }
persistence(A) ::= LOCAL TEMP. { A = AST_TEMPORARY; }
persistence(A) ::= GLOBAL TEMPORARY. { A = AST_TEMPORARY; }
persistence(A) ::= GLOBAL TEMP. { A = AST_TEMPORARY; }
persistence(A) ::= UNLOGGED. { A = AST_UNLOGGED; }

%type table_elems_opt {AstTableElemVec}
%type table_elems {AstTableElemVec}
%type typed_elems {AstTableElemVec}
%type table_elem {AstTableElem}
table_elems_opt(A) ::= . { NONE(A); }
table_elems_opt(A) ::= table_elems(A).
table_elems(A) ::= table_elem(E). { LIST(A, E); }
table_elems(A) ::= table_elems(A) COMMA table_elem(E). { PUSH(A, E); }
typed_elems(A) ::= . { NONE(A); }
typed_elems(A) ::= LP typed_elem_list(L) RP. { A = L; }
%type typed_elem_list {AstTableElemVec}
typed_elem_list(A) ::= typed_elem(E). { LIST(A, E); }
typed_elem_list(A) ::= typed_elem_list(A) COMMA typed_elem(E). { PUSH(A, E); }
%type typed_elem {AstTableElem}
typed_elem(A) ::= colid(N) column_options(L). { A = (AstTableElem){.column = build_column_definition(p, &N, NULL, L)}; }
typed_elem(A) ::= colid(N) WITH OPTIONS column_options(L). { A = (AstTableElem){.column = build_column_definition(p, &N, NULL, L)}; }
typed_elem(A) ::= table_constraint(C). { A = (AstTableElem){.constraint = C}; }
table_elem(A) ::= column_definition(C). { A = (AstTableElem){.column = C}; }
table_elem(A) ::= table_constraint(C). { A = (AstTableElem){.constraint = C}; }
table_elem(A) ::= inline_index(I). { A = (AstTableElem){.index = I}; }
table_elem(A) ::= family(F). { A = (AstTableElem){.family = F}; }
table_elem(A) ::= LIKE(T) qualified(N) like_options(L). { A = (AstTableElem){.like = build_table_like(p, &T, &N, L)}; }
%type like_options {AstTableLike *}
like_options(A) ::= . { A = build_like_options(p); }
like_options(A) ::= like_options(A) INCLUDING like_word(W). { build_like_option(p, A, &W, false); }
like_options(A) ::= like_options(A) EXCLUDING like_word(W). { build_like_option(p, A, &W, true); }
like_word(A) ::= ID(A).
like_word(A) ::= ALL(A).
%type family {AstFamilyDef *}
family(A) ::= FAMILY(T) LP name_list(L) RP. { A = build_family(p, &T, NULL, &L); }
family(A) ::= FAMILY(T) colid(N) LP name_list(L) RP. { A = build_family(p, &T, &N, &L); }

// ---- columns ----
%type column_definition {AstColumnDef *}
column_definition(A) ::= colid(N) type(T) column_options(L). { A = build_column_definition(p, &N, T, L); }
column_definition(A) ::= EXCLUDE(N) type(T) column_options(L). { A = build_column_definition(p, &N, T, L); }
%type column_options {AstColumnDef *}
column_options(A) ::= . { A = build_column_options(p); }
column_options(A) ::= column_options(A) CONSTRAINT colid(N) column_constraint(C). { build_column_constraint(p, A, &N, C); }
column_options(A) ::= column_options(A) column_constraint(C). { build_column_constraint(p, A, NULL, C); }
column_options(A) ::= column_options(A) constraint_attribute(W). { build_column_attribute(p, A, W); }
column_options(A) ::= column_options(A) COLLATE dotted(N). { A->collation = N; }
column_options(A) ::= column_options(A) NOT VISIBLE. { A->not_visible = true; }
column_options(A) ::= column_options(A) FAMILY colid(N). { build_column_family(A, &N, false, false); }
column_options(A) ::= column_options(A) CREATE FAMILY. { build_column_family(A, NULL, true, false); }
column_options(A) ::= column_options(A) CREATE FAMILY colid(N). { build_column_family(A, &N, true, false); }
column_options(A) ::= column_options(A) CREATE IF NOT EXISTS FAMILY colid(N). { build_column_family(A, &N, true, true); }
column_options(A) ::= column_options(A) COMPRESSION colid(N). { A->compression = N.value; }
column_options(A) ::= column_options(A) COMPRESSION DEFAULT. { A->compression = "default"; }
%type column_constraint {AstConstraint *}
column_constraint(A) ::= NOT(T) NULL. { A = build_constraint(p, &T, AST_CONSTRAINT_NOT_NULL, NULL); }
column_constraint(A) ::= NULL(T). { A = build_constraint(p, &T, AST_CONSTRAINT_NULL, NULL); }
column_constraint(A) ::= UNIQUE(T) null_treatment(N) key_tail(K). { A = build_key_constraint(p, &T, AST_CONSTRAINT_UNIQUE, NULL, N, K); }
column_constraint(A) ::= PRIMARY(T) KEY key_tail(K). { A = build_key_constraint(p, &T, AST_CONSTRAINT_PRIMARY_KEY, NULL, false, K); }
column_constraint(A) ::= CHECK(T) LP expr(E) RP no_inherit(N). { A = build_check(p, &T, E, N); }
column_constraint(A) ::= DEFAULT(T) plain(E). { A = build_constraint(p, &T, AST_CONSTRAINT_DEFAULT, E); }
column_constraint(A) ::= ON_LA(T) UPDATE plain(E). { A = build_constraint(p, &T, AST_CONSTRAINT_ON_UPDATE, E); }
column_constraint(A) ::= GENERATED(T) ALWAYS AS IDENTITY identity_options(L). { A = build_identity(p, &T, true, &L); }
column_constraint(A) ::= GENERATED(T) BY DEFAULT AS IDENTITY identity_options(L). { A = build_identity(p, &T, false, &L); }
column_constraint(A) ::= GENERATED(T) ALWAYS AS LP expr(E) RP stored(S). { A = build_generated(p, &T, E, S); }
column_constraint(A) ::= AS(T) LP expr(E) RP stored(S). { A = build_generated(p, &T, E, S); }
column_constraint(A) ::= REFERENCES(T) qualified(N) referenced_columns(L) references_tail(R). { A = build_references(p, &T, &N, &L, R); }
%type stored {bool}
stored(A) ::= STORED. { A = true; }
stored(A) ::= VIRTUAL. { A = false; }
%type null_treatment {bool}
null_treatment(A) ::= . { A = false; }
null_treatment(A) ::= NULLS DISTINCT. { A = false; }
null_treatment(A) ::= NULLS NOT DISTINCT. { A = true; }
%type no_inherit {bool}
no_inherit(A) ::= . { A = false; }
no_inherit(A) ::= NO INHERIT. { A = true; }
%type constraint_attribute {AstConstraint *}
constraint_attribute(A) ::= DEFERRABLE(T). { A = build_deferrable(p, &T, true); }
constraint_attribute(A) ::= NOT(T) DEFERRABLE. { A = build_deferrable(p, &T, false); }
constraint_attribute(A) ::= INITIALLY(T) DEFERRED. { A = build_initially(p, &T, true); }
constraint_attribute(A) ::= INITIALLY(T) IMMEDIATE. { A = build_initially(p, &T, false); }
%type identity_options {AstOptionVec}
identity_options(A) ::= . { NONE(A); }
identity_options(A) ::= LP sequence_options(L) RP. { A = L; }

// ---- constraints of the table ----
%type table_constraint {AstConstraint *}
table_constraint(A) ::= CONSTRAINT colid(N) bare_constraint(C). { A = build_named_constraint(&N, C); }
table_constraint(A) ::= bare_constraint(A).
%type bare_constraint {AstConstraint *}
bare_constraint(A) ::= CHECK(T) LP expr(E) RP attributes(W). { A = build_with_attributes(p, build_check(p, &T, E, false), W); }
bare_constraint(A) ::= UNIQUE(T) null_treatment(N) LP index_elems(L) RP key_tail(K) attributes(W). { A = build_with_attributes(p, build_key_constraint(p, &T, AST_CONSTRAINT_UNIQUE, &L, N, K), W); }
bare_constraint(A) ::= UNIQUE(T) WITHOUT INDEX LP index_elems(L) RP key_tail(K) attributes(W). { A = build_with_attributes(p, build_without_index(build_key_constraint(p, &T, AST_CONSTRAINT_UNIQUE, &L, false, K)), W); }
bare_constraint(A) ::= UNIQUE(T) USING INDEX colid(N) attributes(W). { A = build_with_attributes(p, build_using_index(p, &T, AST_CONSTRAINT_UNIQUE, &N), W); }
bare_constraint(A) ::= PRIMARY(T) KEY LP index_elems(L) RP key_tail(K) attributes(W). { A = build_with_attributes(p, build_key_constraint(p, &T, AST_CONSTRAINT_PRIMARY_KEY, &L, false, K), W); }
bare_constraint(A) ::= PRIMARY(T) KEY USING INDEX colid(N) attributes(W). { A = build_with_attributes(p, build_using_index(p, &T, AST_CONSTRAINT_PRIMARY_KEY, &N), W); }
bare_constraint(A) ::= FOREIGN(T) KEY LP name_list(L) RP REFERENCES qualified(N) referenced_columns(R) references_tail(X) attributes(W). { A = build_with_attributes(p, build_foreign_key(&L, build_references(p, &T, &N, &R, X)), W); }
bare_constraint(A) ::= EXCLUDE(T) exclude_method LP exclude_list RP key_tail where attributes. { A = build_exclude(p, &T); }
exclude_method ::= .
exclude_method ::= USING colid.
exclude_list ::= index_elem WITH sort_operator.
exclude_list ::= exclude_list COMMA index_elem WITH sort_operator.
%type attributes {AstConstraint *}
attributes(A) ::= . { A = NULL; }
attributes(A) ::= attributes(A) constraint_attribute(W). { A = build_merge_attributes(p, A, W); }
attributes(A) ::= attributes(A) NOT VALID. { A = build_merge_attributes(p, A, build_not_valid(p)); }
attributes(A) ::= attributes(A) NO INHERIT. { A = build_merge_attributes(p, A, build_no_inherit(p)); }

%type referenced_columns {StrVec}
referenced_columns(A) ::= . { NONE(A); }
referenced_columns(A) ::= LP name_list(L) RP. { A = L; }
%type references_tail {AstConstraint *}
references_tail(A) ::= . { A = build_references_tail(p); }
references_tail(A) ::= references_tail(A) MATCH FULL. { A->match_full = true; }
references_tail(A) ::= references_tail(A) MATCH PARTIAL. { A->match_partial = true; }
references_tail(A) ::= references_tail(A) MATCH SIMPLE. { A->match_full = false; }
references_tail(A) ::= references_tail(A) ON DELETE fk_action(F). { A->on_delete = F; }
references_tail(A) ::= references_tail(A) ON DELETE SET NULL LP name_list(L) RP. { build_delete_columns(A, AST_FK_SET_NULL, &L); }
references_tail(A) ::= references_tail(A) ON DELETE SET DEFAULT LP name_list(L) RP. { build_delete_columns(A, AST_FK_SET_DEFAULT, &L); }
references_tail(A) ::= references_tail(A) ON UPDATE fk_action(F). { A->on_update = F; }
%type fk_action {AstFkAction}
fk_action(A) ::= NO ACTION. { A = AST_FK_NO_ACTION; }
fk_action(A) ::= RESTRICT. { A = AST_FK_RESTRICT; }
fk_action(A) ::= CASCADE. { A = AST_FK_CASCADE; }
fk_action(A) ::= SET NULL. { A = AST_FK_SET_NULL; }
fk_action(A) ::= SET DEFAULT. { A = AST_FK_SET_DEFAULT; }

// ---- what stands behind a table's parenthesis, in any order ----
%type table_tail {AstCreateTable *}
table_tail(A) ::= . { A = build_table_tail(p); }
table_tail(A) ::= table_tail(A) INHERITS(T) LP qualified_list(L) RP. { build_once(p, &T, A->inherits.count > 0); A->inherits = L; }
table_tail(A) ::= table_tail(A) partition_by(B). { build_table_partition(p, A, &B); }
table_tail(A) ::= table_tail(A) USING(T) colid(N). { build_once(p, &T, A->access_method != NULL); A->access_method = N.value; }
table_tail(A) ::= table_tail(A) WITH(T) storage_params(L). { build_once(p, &T, A->options.count > 0); A->options = L; }
table_tail(A) ::= table_tail(A) WITHOUT OIDS. { (void)A; }
table_tail(A) ::= table_tail(A) ON(T) COMMIT on_commit(C). { build_once(p, &T, A->on_commit != AST_ON_COMMIT_DEFAULT); A->on_commit = C; }
table_tail(A) ::= table_tail(A) TABLESPACE(T) colid(N). { build_once(p, &T, A->tablespace != NULL); A->tablespace = N.value; }
table_tail(A) ::= table_tail(A) split(S). { build_table_split(p, A, &S); }
table_tail(A) ::= table_tail(A) LOCALITY(T) locality. { build_once(p, &T, A->locality != NULL); A->locality = build_text_since(p, &T); }
%type on_commit {AstOnCommit}
on_commit(A) ::= DROP. { A = AST_ON_COMMIT_DROP; }
on_commit(A) ::= DELETE ROWS. { A = AST_ON_COMMIT_DELETE; }
on_commit(A) ::= PRESERVE ROWS. { A = AST_ON_COMMIT_PRESERVE; }
locality ::= GLOBAL.
locality ::= REGIONAL.
locality ::= REGIONAL BY TABLE.
locality ::= REGIONAL BY ROW.
locality ::= REGIONAL IN locality_region.
locality ::= REGIONAL BY TABLE IN locality_region.
locality ::= REGIONAL BY ROW AS colid.
locality_region ::= STRING_LITERAL.
locality_region ::= PRIMARY REGION.

stmt(A) ::= CREATE(T) persistence(P) TABLE if_not_exists(I) qualified(N) as_tail(X) AS create_as_query(Q) with_data(D). { A = build_create_table_as(p, &T, &N, X, Q, build_as_flags(P, I, D)); }
stmt(A) ::= CREATE(T) persistence(P) TABLE if_not_exists(I) qualified(N) LP name_list(L) RP as_tail(X) AS create_as_query(Q) with_data(D). { A = build_create_table_as(p, &T, &N, build_as_columns(X, &L), Q, build_as_flags(P, I, D)); }
%type as_tail {AstCreateTableAs *}
as_tail(A) ::= . { A = build_as_tail(p); }
as_tail(A) ::= as_tail(A) USING(T) colid(N). { build_once(p, &T, A->access_method != NULL); A->access_method = N.value; }
as_tail(A) ::= as_tail(A) WITH(T) storage_params(L). { build_once(p, &T, A->options.count > 0); A->options = L; }
as_tail(A) ::= as_tail(A) ON(T) COMMIT on_commit(C). { build_once(p, &T, A->on_commit != AST_ON_COMMIT_DEFAULT); A->on_commit = C; }
as_tail(A) ::= as_tail(A) TABLESPACE(T) colid(N). { build_once(p, &T, A->tablespace != NULL); A->tablespace = N.value; }
%type create_as_query {AstStmt *}
create_as_query(A) ::= select(S). { A = build_inner_select(p, S); }
create_as_query(A) ::= execute(A).
%type with_data {bool}
with_data(A) ::= . { A = true; }
with_data(A) ::= WITH DATA. { A = true; }
with_data(A) ::= WITH NO DATA. { A = false; }

// ---- indexes ----
stmt(A) ::= CREATE(T) index_kind(K) INDEX concurrently(C) ON only(O) qualified(N) index_rest(R). { A = build_create_index(p, &T, K, C, build_index_target(p, NULL, O, &N), R); }
stmt(A) ::= CREATE(T) index_kind(K) INDEX concurrently(C) colid(I) ON only(O) qualified(N) index_rest(R). { A = build_create_index(p, &T, K, C, build_index_target(p, &I, O, &N), R); }
stmt(A) ::= CREATE(T) index_kind(K) INDEX concurrently(C) IF NOT EXISTS colid(I) ON only(O) qualified(N) index_rest(R). { A = build_create_index(p, &T, K, C, build_if_not_exists(build_index_target(p, &I, O, &N)), R); }
%type index_kind {AstIndexDef *}
index_kind(A) ::= . { A = build_index_kind(p, false, false, false); }
index_kind(A) ::= UNIQUE. { A = build_index_kind(p, true, false, false); }
index_kind(A) ::= INVERTED. { A = build_index_kind(p, false, true, false); }
index_kind(A) ::= VECTOR. { A = build_index_kind(p, false, false, true); }
%type concurrently {int}
concurrently(A) ::= . { A = 0; }
concurrently(A) ::= CONCURRENTLY. { A = 1; }
concurrently(A) ::= NONCONCURRENTLY. { A = -1; }
%type only {bool}
only(A) ::= . { A = false; }
only(A) ::= ONLY. { A = true; }
%type inline_index {AstIndexDef *}
inline_index(A) ::= index_kind_word(K) INDEX(T) index_rest(R). { A = build_inline_index(p, &T, K, NULL, R); }
inline_index(A) ::= index_kind_word(K) INDEX(T) colid(I) index_rest(R). { A = build_inline_index(p, &T, K, &I, R); }
inline_index(A) ::= index_kind_word(K) INDEX(T) IF NOT EXISTS colid(I) index_rest(R). { A = build_inline_index(p, &T, K, &I, R); }
inline_index(A) ::= INDEX(T) index_rest(R). { A = build_inline_index(p, &T, NULL, NULL, R); }
inline_index(A) ::= INDEX(T) colid(I) index_rest(R). { A = build_inline_index(p, &T, NULL, &I, R); }
inline_index(A) ::= INDEX(T) IF NOT EXISTS colid(I) index_rest(R). { A = build_inline_index(p, &T, NULL, &I, R); }
%type index_kind_word {AstIndexDef *}
index_kind_word(A) ::= UNIQUE. { A = build_index_kind(p, true, false, false); }
index_kind_word(A) ::= INVERTED. { A = build_index_kind(p, false, true, false); }
index_kind_word(A) ::= VECTOR. { A = build_index_kind(p, false, false, true); }
// What key constraints and indexes have behind their columns is one list of clauses, in any order, each at most once.
%type index_rest {AstIndexDef *}
index_rest(A) ::= index_method(M) LP index_elems(L) RP index_tail(T). { A = build_index_rest(T, M, &L); }
%type index_method {const char *}
index_method(A) ::= . { A = NULL; }
index_method(A) ::= USING colid(N). { A = N.value; }
%type index_tail {AstIndexDef *}
index_tail(A) ::= . { A = build_index_kind(p, false, false, false); }
index_tail(A) ::= index_tail(A) index_clause(C). { build_merge_clause(p, A, &C); }
index_tail(A) ::= index_tail(A) WHERE(T) expr(E). { build_once(p, &T, A->where != NULL); A->where = E; }
index_tail(A) ::= index_tail(A) NULLS NOT DISTINCT. { A->nulls_not_distinct = true; }
index_tail(A) ::= index_tail(A) NULLS DISTINCT. { A->nulls_not_distinct = false; }
index_tail(A) ::= index_tail(A) partition_by(B). { build_index_partition(p, A, &B); }
index_tail(A) ::= index_tail(A) TABLESPACE colid(N). { A->tablespace = N.value; }
index_tail(A) ::= index_tail(A) visibility(V). { A->not_visible = V; }
%type key_tail {AstIndexDef *}
key_tail(A) ::= . { A = build_index_kind(p, false, false, false); }
key_tail(A) ::= key_tail(A) index_clause(C). { build_merge_clause(p, A, &C); }
key_tail(A) ::= key_tail(A) partition_by(B). { build_index_partition(p, A, &B); }
key_tail(A) ::= key_tail(A) USING INDEX TABLESPACE colid(N). { A->tablespace = N.value; }
%type index_clause {IndexClause}
index_clause(A) ::= USING(T) HASH. { A = build_clause_hash(&T, NULL); }
index_clause(A) ::= USING(T) HASH WITH_LA BUCKET_COUNT EQ plain(E). { A = build_clause_hash(&T, E); }
index_clause(A) ::= WITH(T) storage_params(L). { A = (IndexClause){.token = T, .options = L}; }
index_clause(A) ::= INCLUDE(T) LP name_list(L) RP. { A = (IndexClause){.token = T, .including = L}; }
index_clause(A) ::= STORING(T) LP name_list(L) RP. { A = (IndexClause){.token = T, .including = L}; }
index_clause(A) ::= COVERING(T) LP name_list(L) RP. { A = (IndexClause){.token = T, .including = L}; }
index_clause(A) ::= split(S). { A = (IndexClause){.split = S}; }
%type visibility {bool}
visibility(A) ::= NOT VISIBLE. { A = true; }
visibility(A) ::= INVISIBLE. { A = true; }
visibility(A) ::= VISIBLE. { A = false; }
visibility(A) ::= VISIBILITY signed_number(N). { A = build_visibility(N); }

%type index_elems {AstIndexElemVec}
index_elems(A) ::= index_elem(E). { LIST(A, E); }
index_elems(A) ::= index_elems(A) COMMA index_elem(E). { PUSH(A, E); }
%type index_elem {AstIndexElem *}
index_elem(A) ::= colid(N) index_elem_options(O). { A = build_index_column(p, &N, O); }
index_elem(A) ::= function_windowless(E) index_elem_options(O). { A = build_index_expr(p, E, O); }
index_elem(A) ::= LP expr(E) RP index_elem_options(O). { A = build_index_parens(p, E, O); }
index_elem(A) ::= LP(T) expr_list(L) COMMA expr(E) RP HASH. { A = build_index_group(p, &T, &L, E); }
%type index_elem_options {AstIndexElem *}
index_elem_options(A) ::= collation(C) opclass(O) key_mode(M) nulls(N). { A = build_index_elem_options(p, &C, O, M, N); }
%type opclass {AstIndexElem *}
opclass(A) ::= . { A = NULL; }
opclass(A) ::= dotted(N). { A = build_opclass(p, &N, NULL); }
opclass(A) ::= dotted(N) storage_params(L). { A = build_opclass(p, &N, &L); }
%type key_mode {AstKeyMode}
key_mode(A) ::= . { A = AST_KEY_DEFAULT; }
key_mode(A) ::= ASC. { A = AST_KEY_ASC; }
key_mode(A) ::= DESC. { A = AST_KEY_DESC; }
key_mode(A) ::= HASH. { A = AST_KEY_HASH; }

//////////////////////// ALTER TABLE ////////////////////////
stmt(A) ::= ALTER(T) TABLE if_exists(I) relation_name(N) alter_actions(L). { A = build_alter_table(p, &T, AST_OBJECT_TABLE, I, &N, &L); }
stmt(A) ::= ALTER(T) VIEW if_exists(I) qualified(N) alter_actions(L). { A = build_alter_table(p, &T, AST_OBJECT_VIEW, I, &(RelationName){N, false}, &L); }
stmt(A) ::= ALTER(T) MATERIALIZED VIEW if_exists(I) qualified(N) alter_actions(L). { A = build_alter_table(p, &T, AST_OBJECT_MATERIALIZED_VIEW, I, &(RelationName){N, false}, &L); }
stmt(A) ::= ALTER(T) INDEX if_exists(I) index_name(N) alter_actions(L). { A = build_alter_index(p, &T, I, &N, &L); }
%type relation_name {RelationName}
relation_name(A) ::= qualified(N). { A = (RelationName){N, false}; }
relation_name(A) ::= qualified(N) STAR. { A = (RelationName){N, false}; }
relation_name(A) ::= ONLY qualified(N). { A = (RelationName){N, true}; }
relation_name(A) ::= ONLY LP qualified(N) RP. { A = (RelationName){N, true}; }
%type alter_actions {AstAlterActionVec}
alter_actions(A) ::= alter_action(C). { LIST(A, C); }
alter_actions(A) ::= alter_actions(A) COMMA alter_action(C). { PUSH(A, C); }
%type alter_action {AstAlterAction *}
alter_action(A) ::= ADD(T) column_definition(C). { A = build_add_column(p, &T, false, C); }
alter_action(A) ::= ADD(T) IF NOT EXISTS column_definition(C). { A = build_add_column(p, &T, true, C); }
alter_action(A) ::= ADD(T) COLUMN if_not_exists(I) column_definition(C). { A = build_add_column(p, &T, I, C); }
alter_action(A) ::= ADD(T) table_constraint(C). { A = build_add_constraint(p, &T, false, C); }
alter_action(A) ::= ADD(T) CONSTRAINT IF NOT EXISTS colid(N) bare_constraint(C). { A = build_add_constraint(p, &T, true, build_named_constraint(&N, C)); }
alter_action(A) ::= ADD(T) family(F). { A = build_add_family(p, &T, F); }
alter_action(A) ::= DROP(T) column_word if_exists(I) colid(N) drop_behavior(B). { A = build_drop_member(p, &T, AST_ALTER_DROP_COLUMN, I, &N, B); }
alter_action(A) ::= DROP(T) CONSTRAINT if_exists(I) colid(N) drop_behavior(B). { A = build_drop_member(p, &T, AST_ALTER_DROP_CONSTRAINT, I, &N, B); }
alter_action(A) ::= VALIDATE(T) CONSTRAINT colid(N). { A = build_alter_name(p, &T, AST_ALTER_VALIDATE_CONSTRAINT, &N, NULL); }
alter_action(A) ::= ALTER(T) CONSTRAINT colid(N) attributes(W). { A = build_alter_constraint(p, &T, &N, W); }
column_word ::= .
column_word ::= COLUMN.

alter_action(A) ::= ALTER(T) column_word colid(N) column_change(C). { A = build_alter_column(&T, &N, C); }
%type column_change {AstAlterAction *}
column_change(A) ::= SET DATA TYPE type(Y) collation(C) using(E). { A = build_column_type(p, Y, &C, E); }
column_change(A) ::= TYPE type(Y) collation(C) using(E). { A = build_column_type(p, Y, &C, E); }
column_change(A) ::= SET DEFAULT expr(E). { A = build_column_change(p, AST_ALTER_COLUMN_DEFAULT, E); }
column_change(A) ::= DROP DEFAULT. { A = build_column_change(p, AST_ALTER_COLUMN_DROP_DEFAULT, NULL); }
column_change(A) ::= SET ON_LA UPDATE expr(E). { A = build_column_change(p, AST_ALTER_COLUMN_ON_UPDATE, E); }
column_change(A) ::= DROP ON_LA UPDATE. { A = build_column_change(p, AST_ALTER_COLUMN_ON_UPDATE, NULL); }
column_change(A) ::= SET NOT NULL. { A = build_column_change(p, AST_ALTER_COLUMN_SET_NOT_NULL, NULL); }
column_change(A) ::= DROP NOT NULL. { A = build_column_change(p, AST_ALTER_COLUMN_DROP_NOT_NULL, NULL); }
column_change(A) ::= DROP EXPRESSION if_exists(I). { A = build_column_drop(p, AST_ALTER_COLUMN_DROP_EXPRESSION, I); }
column_change(A) ::= DROP STORED. { A = build_column_drop(p, AST_ALTER_COLUMN_DROP_EXPRESSION, false); }
column_change(A) ::= ADD column_constraint(C). { A = build_column_add_identity(p, C); }
column_change(A) ::= DROP IDENTITY if_exists(I). { A = build_column_drop(p, AST_ALTER_COLUMN_DROP_IDENTITY, I); }
column_change(A) ::= identity_changes(L). { A = build_column_options_change(p, AST_ALTER_COLUMN_SET_IDENTITY, &L); }
column_change(A) ::= SET STATISTICS signed_number(N). { A = build_column_change(p, AST_ALTER_COLUMN_STATISTICS, N); }
column_change(A) ::= SET STORAGE colid(N). { A = build_column_word(p, AST_ALTER_COLUMN_STORAGE, &N); }
column_change(A) ::= SET COMPRESSION colid(N). { A = build_column_word(p, AST_ALTER_COLUMN_STORAGE, &N); }
column_change(A) ::= SET storage_params(L). { A = build_column_options_change(p, AST_ALTER_COLUMN_OPTIONS, &L); }
column_change(A) ::= RESET storage_params(L). { A = build_column_options_change(p, AST_ALTER_COLUMN_OPTIONS, &L); }
column_change(A) ::= SET VISIBLE. { A = build_column_visible(p, true); }
column_change(A) ::= SET NOT VISIBLE. { A = build_column_visible(p, false); }
%type using {AstExpr *}
using(A) ::= . { A = NULL; }
using(A) ::= USING expr(E). { A = E; }
%type identity_changes {AstOptionVec}
identity_changes(A) ::= identity_change(O). { LIST(A, O); }
identity_changes(A) ::= identity_changes(A) identity_change(O). { PUSH(A, O); }
%type identity_change {AstOption}
identity_change(A) ::= RESTART(T). { A = build_option(p, &T, NULL); }
identity_change(A) ::= RESTART(T) with_word signed_number(N). { A = build_option(p, &T, N); }
identity_change(A) ::= SET sequence_option(O). { A = O; }
identity_change(A) ::= SET GENERATED(T) ALWAYS(W). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &W)); }
identity_change(A) ::= SET GENERATED(T) BY DEFAULT(W). { A = build_option(p, &T, build_literal(p, AST_LITERAL_STRING, &W)); }
with_word ::= .
with_word ::= WITH.

alter_action(A) ::= RENAME(T) TO colid(N). { A = build_alter_name(p, &T, AST_ALTER_RENAME, NULL, &N); }
alter_action(A) ::= RENAME(T) column_word colid(O) TO colid(N). { A = build_alter_name(p, &T, AST_ALTER_RENAME_COLUMN, &O, &N); }
alter_action(A) ::= RENAME(T) CONSTRAINT colid(O) TO colid(N). { A = build_alter_name(p, &T, AST_ALTER_RENAME_CONSTRAINT, &O, &N); }
alter_action(A) ::= SET(T) SCHEMA colid(N). { A = build_alter_name(p, &T, AST_ALTER_SET_SCHEMA, NULL, &N); }
alter_action(A) ::= OWNER(T) TO role(N). { A = build_alter_name(p, &T, AST_ALTER_OWNER, NULL, &N); }
alter_action(A) ::= ALTER(T) PRIMARY KEY USING COLUMNS LP index_elems(L) RP key_tail(K). { A = build_alter_primary_key(p, &T, &L, K); }
alter_action(A) ::= partition_by(B). { A = build_alter_partition(p, &B); }
alter_action(A) ::= ATTACH(T) PARTITION qualified(N) partition_bound(B). { A = build_attach(p, &T, AST_ALTER_ATTACH_PARTITION, &N, &B); }
alter_action(A) ::= ATTACH(T) PARTITION qualified(N). { A = build_attach(p, &T, AST_ALTER_ATTACH_PARTITION, &N, NULL); }
alter_action(A) ::= DETACH(T) PARTITION qualified(N) detach_mode. { A = build_attach(p, &T, AST_ALTER_DETACH_PARTITION, &N, NULL); }
detach_mode ::= .
detach_mode ::= CONCURRENTLY.
detach_mode ::= FINALIZE.
alter_action(A) ::= SET(T) storage_params(L). { A = build_alter_options(p, &T, AST_ALTER_SET_OPTIONS, &L); }
alter_action(A) ::= RESET(T) storage_params(L). { A = build_alter_options(p, &T, AST_ALTER_RESET_OPTIONS, &L); }
alter_action(A) ::= SET(T) TABLESPACE colid(N). { A = build_alter_name(p, &T, AST_ALTER_SET_TABLESPACE, NULL, &N); }
alter_action(A) ::= SET(T) LOGGED. { A = build_alter_name(p, &T, AST_ALTER_SET_LOGGED, NULL, NULL); }
alter_action(A) ::= SET(T) UNLOGGED. { A = build_alter_name(p, &T, AST_ALTER_SET_UNLOGGED, NULL, NULL); }
alter_action(A) ::= CLUSTER(T) ON colid(N). { A = build_alter_name(p, &T, AST_ALTER_CLUSTER_ON, NULL, &N); }
alter_action(A) ::= SET(T) WITHOUT CLUSTER. { A = build_alter_name(p, &T, AST_ALTER_CLUSTER_ON, NULL, NULL); }
alter_action(A) ::= REPLICA(T) IDENTITY nonreserved(N). { A = build_alter_name(p, &T, AST_ALTER_REPLICA_IDENTITY, &N, NULL); }
alter_action(A) ::= REPLICA(T) IDENTITY DEFAULT(N). { A = build_alter_name(p, &T, AST_ALTER_REPLICA_IDENTITY, &N, NULL); }
alter_action(A) ::= REPLICA(T) IDENTITY USING INDEX colid(N). { A = build_alter_name(p, &T, AST_ALTER_REPLICA_IDENTITY, NULL, &N); }
alter_action(A) ::= row_security_word(T) ROW LEVEL SECURITY. { A = build_alter_name(p, &T, AST_ALTER_ROW_SECURITY, &T, NULL); }
alter_action(A) ::= NO(T) FORCE ROW LEVEL SECURITY. { A = build_alter_name(p, &T, AST_ALTER_ROW_SECURITY, &T, NULL); }
row_security_word(A) ::= ENABLE(A).
row_security_word(A) ::= DISABLE(A).
row_security_word(A) ::= FORCE(A).
alter_action(A) ::= enable_word(T) trigger_mode trigger_or_rule trigger_name(N). { A = build_alter_name(p, &T, AST_ALTER_TRIGGER, &T, &N); }
enable_word(A) ::= ENABLE(A).
enable_word(A) ::= DISABLE(A).
trigger_mode ::= .
trigger_mode ::= ALWAYS.
trigger_mode ::= REPLICA.
trigger_or_rule ::= TRIGGER.
trigger_or_rule ::= RULE.
trigger_name(A) ::= colid(A).
trigger_name(A) ::= ALL(A).
trigger_name(A) ::= USER(A).
alter_action(A) ::= INHERIT(T) qualified(N). { A = build_attach(p, &T, AST_ALTER_INHERIT, &N, NULL); }
alter_action(A) ::= NO(T) INHERIT qualified(N). { A = build_attach(p, &T, AST_ALTER_INHERIT, &N, NULL); }
alter_action(A) ::= visibility(V). { A = build_index_visible(p, !V); }
