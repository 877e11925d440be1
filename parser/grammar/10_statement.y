//////////////////////// Statements, and where which may stand ////////////////////////
%type stmt {AstStmt *}
stmt(A) ::= preparable(A).

// What PREPARE, EXPLAIN and WITH take. SHOW in WITH is CockroachDB's.
%type preparable {AstStmt *}
preparable(A) ::= select(S). { A = build_top_select(p, S); }
preparable(A) ::= insert(A).
preparable(A) ::= update(A).
preparable(A) ::= delete(A).
preparable(A) ::= show(A).

// CockroachDB's [statement] as a table.
%type bracketed {AstStmt *}
bracketed(A) ::= stmt(A).
