//////////////////////// INSERT, UPSERT, UPDATE, DELETE ////////////////////////
%type insert {AstStmt *}
insert(A) ::= with_opt(W) INSERT(T) INTO insert_target(N) insert_rest(R) on_conflict(C) returning(L). { A = build_insert(p, W, &T, &N, build_conflict(R, C), &L); }
insert(A) ::= with_opt(W) UPSERT(T) INTO insert_target(N) insert_rest(R) returning(L). { A = build_insert(p, W, &T, &N, R, &L); }
%type insert_target {InsertTarget}
insert_target(A) ::= qualified(N). { A = (InsertTarget){N, NULL}; }
insert_target(A) ::= qualified(N) AS colid(X). { A = (InsertTarget){N, X.value}; }
%type insert_rest {AstInsert *}
insert_rest(A) ::= select(S). { A = build_insert_rest(p, NULL, AST_OVERRIDING_NONE, S); }
insert_rest(A) ::= OVERRIDING overriding(O) VALUE select(S). { A = build_insert_rest(p, NULL, O, S); }
insert_rest(A) ::= LP insert_columns(L) RP select(S). { A = build_insert_rest(p, &L, AST_OVERRIDING_NONE, S); }
insert_rest(A) ::= LP insert_columns(L) RP OVERRIDING overriding(O) VALUE select(S). { A = build_insert_rest(p, &L, O, S); }
insert_rest(A) ::= DEFAULT VALUES. { A = build_insert_rest(p, NULL, AST_OVERRIDING_NONE, NULL); }
insert_rest(A) ::= LP insert_columns(L) RP DEFAULT VALUES. { A = build_insert_rest(p, &L, AST_OVERRIDING_NONE, NULL); }
%type overriding {AstOverriding}
overriding(A) ::= USER. { A = AST_OVERRIDING_USER; }
overriding(A) ::= SYSTEM. { A = AST_OVERRIDING_SYSTEM; }
%type insert_columns {NameList}
insert_columns(A) ::= assigned_column(C). { NONE(A); build_assigned_add(p, &A, &C); }
insert_columns(A) ::= insert_columns(A) COMMA assigned_column(C). { build_assigned_add(p, &A, &C); }
%type assigned_column {AssignedColumn}
assigned_column(A) ::= colid(N) indirection_opt(I). { A = build_assigned_column(p, &N, &I); }

%type on_conflict {AstInsert *}
on_conflict(A) ::= . { A = NULL; }
on_conflict(A) ::= ON(T) CONFLICT conflict_target(C) DO NOTHING. { A = build_on_conflict(p, &T, C, NULL, NULL); }
on_conflict(A) ::= ON(T) CONFLICT conflict_target(C) DO UPDATE SET assignments(L) where(W). { A = build_on_conflict(p, &T, C, &L, W); }
%type conflict_target {AstInsert *}
conflict_target(A) ::= . { A = NULL; }
conflict_target(A) ::= LP index_elems(L) RP where(W). { A = build_conflict_target(p, &L, W, NULL); }
conflict_target(A) ::= ON CONSTRAINT colid(N). { A = build_conflict_target(p, NULL, NULL, N.value); }

%type returning {Returning}
returning(A) ::= . { NONE(A); }
returning(A) ::= RETURNING targets(L). { A = (Returning){true, L}; }
returning(A) ::= RETURNING NOTHING. { NONE(A); }

%type update {AstStmt *}
update(A) ::= with_opt(W) UPDATE(T) target_table(R) SET assignments(L) update_tail(X). { A = build_update(p, W, &T, R, &L, X); }
%type update_tail {AstUpdate *}
update_tail(A) ::= from(F) where_or_current(W) sort_opt(O) limit_opt(L) returning(R). { A = build_update_tail(p, &F, W, &O, L, &R); }
%type delete {AstStmt *}
delete(A) ::= with_opt(W) DELETE(T) FROM target_table(R) delete_using(U) delete_tail(X). { A = build_delete(p, W, &T, R, &U, X); }
%type delete_using {AstFromVec}
delete_using(A) ::= . { NONE(A); }
delete_using(A) ::= USING from_list(L). { A = L; }
%type delete_tail {AstUpdate *}
delete_tail(A) ::= where_or_current(W) sort_opt(O) limit_opt(L) returning(R). { A = build_update_tail(p, NULL, W, &O, L, &R); }
%type target_table {AstFromTable *}
target_table(A) ::= relation(A).
target_table(A) ::= relation(R) colid(N). { A = build_relation_alias(R, &N); }
target_table(A) ::= relation(R) AS colid(N). { A = build_relation_alias(R, &N); }
%type where_or_current {AstExpr *}
where_or_current(A) ::= where(A).
where_or_current(A) ::= WHERE CURRENT(T) OF colid(N). { A = build_current_of(p, &T, &N); }

%type assignments {AstAssignmentVec}
assignments(A) ::= assignment(S). { LIST(A, S); }
assignments(A) ::= assignments(A) COMMA assignment(S). { PUSH(A, S); }
%type assignment {AstAssignment}
assignment(A) ::= assigned_column(C) EQ expr(E). { A = build_assignment(p, &C, E); }
assignment(A) ::= LP(T) insert_columns(L) RP EQ expr(E). { A = build_assignment_multi(&T, &L, E); }
