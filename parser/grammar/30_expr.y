//////////////////////// Expressions ////////////////////////
// `simple` is PostgreSQL's c_expr, `plain` its b_expr: what may stand where AND, IN or NOT would be ambiguous.
%type expr {AstExpr *}
%type plain {AstExpr *}
%type simple {AstExpr *}
%type expr_list {AstExprVec}
expr_list(A) ::= expr(E). { LIST(A, E); }
expr_list(A) ::= expr_list(A) COMMA expr(E). { PUSH(A, E); }
%type expr_opt {AstExpr *}
expr_opt(A) ::= . { A = NULL; }
expr_opt(A) ::= expr(A).

expr(A) ::= simple(A).
expr(A) ::= DEFAULT(T). { A = build_default(p, &T); }
expr(A) ::= expr(E) TYPECAST(O) type(T). { A = build_cast(p, &O, E, T, false); }
expr(A) ::= expr(E) ANNOTATE(O) type(T). { A = build_cast(p, &O, E, T, true); }
expr(A) ::= expr(E) COLLATE(O) dotted(N). { A = build_collate(p, &O, E, &N); }
expr(A) ::= expr(E) AT_LA(O) TIME ZONE expr(Z). [AT_LA] { A = build_at_time_zone(p, &O, E, Z); }
expr(A) ::= PLUS(O) expr(E). [UMINUS] { A = build_op(p, &O, NULL, E); }
expr(A) ::= MINUS(O) expr(E). [UMINUS] { A = build_negate(p, &O, E); }
expr(A) ::= expr(L) PLUS(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) MINUS(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) STAR(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) SLASH(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) PERCENT(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) CARET(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) LT(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) GT(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) EQ(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) LE(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) GE(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) NE(O) expr(R). { A = build_op(p, &O, L, R); }
expr(A) ::= expr(L) qual_op(O) expr(R). [OP] { A = build_qualified_op(p, &O, L, R); }
expr(A) ::= qual_op(O) expr(R). [OP] { A = build_qualified_op(p, &O, NULL, R); }
expr(A) ::= expr(L) AND(O) expr(R). { A = build_bool(p, AST_AND, &O, L, R); }
expr(A) ::= expr(L) OR(O) expr(R). { A = build_bool(p, AST_OR, &O, L, R); }
expr(A) ::= NOT(O) expr(E). { A = build_not(p, &O, E); }

expr(A) ::= expr(L) LIKE(O) expr(R). [LIKE] { A = build_like(p, &O, AST_LIKE_LIKE, L, R, NULL); }
expr(A) ::= expr(L) LIKE(O) expr(R) ESCAPE expr(E). [LIKE] { A = build_like(p, &O, AST_LIKE_LIKE, L, R, E); }
expr(A) ::= expr(L) NOT_LA(O) LIKE expr(R). [NOT_LA] { A = build_like(p, &O, AST_LIKE_LIKE, L, R, NULL); }
expr(A) ::= expr(L) NOT_LA(O) LIKE expr(R) ESCAPE expr(E). [NOT_LA] { A = build_like(p, &O, AST_LIKE_LIKE, L, R, E); }
expr(A) ::= expr(L) ILIKE(O) expr(R). [ILIKE] { A = build_like(p, &O, AST_LIKE_ILIKE, L, R, NULL); }
expr(A) ::= expr(L) ILIKE(O) expr(R) ESCAPE expr(E). [ILIKE] { A = build_like(p, &O, AST_LIKE_ILIKE, L, R, E); }
expr(A) ::= expr(L) NOT_LA(O) ILIKE expr(R). [NOT_LA] { A = build_like(p, &O, AST_LIKE_ILIKE, L, R, NULL); }
expr(A) ::= expr(L) NOT_LA(O) ILIKE expr(R) ESCAPE expr(E). [NOT_LA] { A = build_like(p, &O, AST_LIKE_ILIKE, L, R, E); }
expr(A) ::= expr(L) SIMILAR(O) TO expr(R). [SIMILAR] { A = build_like(p, &O, AST_LIKE_SIMILAR, L, R, NULL); }
expr(A) ::= expr(L) SIMILAR(O) TO expr(R) ESCAPE expr(E). [SIMILAR] { A = build_like(p, &O, AST_LIKE_SIMILAR, L, R, E); }
expr(A) ::= expr(L) NOT_LA(O) SIMILAR TO expr(R). [NOT_LA] { A = build_like(p, &O, AST_LIKE_SIMILAR, L, R, NULL); }
expr(A) ::= expr(L) NOT_LA(O) SIMILAR TO expr(R) ESCAPE expr(E). [NOT_LA] { A = build_like(p, &O, AST_LIKE_SIMILAR, L, R, E); }

expr(A) ::= expr(E) IS(O) NULL. [IS] { A = build_is(p, &O, AST_IS_NULL, false, E); }
expr(A) ::= expr(E) ISNULL(O). [IS] { A = build_is(p, &O, AST_IS_NULL, false, E); }
expr(A) ::= expr(E) IS(O) NOT NULL. [IS] { A = build_is(p, &O, AST_IS_NULL, true, E); }
expr(A) ::= expr(E) NOTNULL(O). [IS] { A = build_is(p, &O, AST_IS_NULL, true, E); }
expr(A) ::= expr(E) IS(O) TRUE. [IS] { A = build_is(p, &O, AST_IS_TRUE, false, E); }
expr(A) ::= expr(E) IS(O) NOT TRUE. [IS] { A = build_is(p, &O, AST_IS_TRUE, true, E); }
expr(A) ::= expr(E) IS(O) FALSE. [IS] { A = build_is(p, &O, AST_IS_FALSE, false, E); }
expr(A) ::= expr(E) IS(O) NOT FALSE. [IS] { A = build_is(p, &O, AST_IS_FALSE, true, E); }
expr(A) ::= expr(E) IS(O) UNKNOWN. [IS] { A = build_is(p, &O, AST_IS_UNKNOWN, false, E); }
expr(A) ::= expr(E) IS(O) NOT UNKNOWN. [IS] { A = build_is(p, &O, AST_IS_UNKNOWN, true, E); }
expr(A) ::= expr(E) IS(O) NORMALIZED. [IS] { A = build_is_normalized(p, &O, E, NULL); }
expr(A) ::= expr(E) IS(O) unicode_form(F) NORMALIZED. [IS] { A = build_is_normalized(p, &O, E, &F); }
expr(A) ::= expr(E) IS(O) NOT NORMALIZED. [IS] { A = build_not(p, &O, build_is_normalized(p, &O, E, NULL)); }
expr(A) ::= expr(E) IS(O) NOT unicode_form(F) NORMALIZED. [IS] { A = build_not(p, &O, build_is_normalized(p, &O, E, &F)); }
expr(A) ::= expr(L) IS(O) DISTINCT FROM expr(R). [IS] { A = build_distinct_from(p, &O, false, L, R); }
expr(A) ::= expr(L) IS(O) NOT DISTINCT FROM expr(R). [IS] { A = build_distinct_from(p, &O, true, L, R); }

expr(A) ::= expr(E) BETWEEN(O) asymmetric plain(L) AND expr(H). [BETWEEN] { A = build_between(p, &O, false, E, L, H); }
expr(A) ::= expr(E) NOT_LA(O) BETWEEN asymmetric plain(L) AND expr(H). [NOT_LA] { A = build_between(p, &O, false, E, L, H); }
expr(A) ::= expr(E) BETWEEN(O) SYMMETRIC plain(L) AND expr(H). [BETWEEN] { A = build_between(p, &O, true, E, L, H); }
expr(A) ::= expr(E) NOT_LA(O) BETWEEN SYMMETRIC plain(L) AND expr(H). [NOT_LA] { A = build_between(p, &O, true, E, L, H); }
asymmetric ::= .
asymmetric ::= ASYMMETRIC.
expr(A) ::= expr(L) IN(O) select_in_parens(S). [IN] { A = build_in_subquery(p, &O, L, S); }
expr(A) ::= expr(L) NOT_LA(O) IN select_in_parens(S). [NOT_LA] { A = build_in_subquery(p, &O, L, S); }
expr(A) ::= expr(L) IN(O) LP expr_list(I) RP. [IN] { A = build_in_list(p, &O, L, &I); }
expr(A) ::= expr(L) NOT_LA(O) IN LP expr_list(I) RP. [NOT_LA] { A = build_in_list(p, &O, L, &I); }
expr(A) ::= expr(L) any_op(O) quantifier(Q) select_in_parens(S). [OP] { A = build_quantified(p, &O, Q, L, NULL, S); }
expr(A) ::= expr(L) any_op(O) quantifier(Q) LP expr(R) RP. [OP] { A = build_quantified(p, &O, Q, L, R, NULL); }
%type quantifier {bool}
quantifier(A) ::= ANY. { A = false; }
quantifier(A) ::= SOME. { A = false; }
quantifier(A) ::= ALL. { A = true; }
expr(A) ::= row(L) OVERLAPS(O) row(R). { A = build_overlaps(p, &O, L, R); }

plain(A) ::= simple(A).
plain(A) ::= plain(E) TYPECAST(O) type(T). { A = build_cast(p, &O, E, T, false); }
plain(A) ::= plain(E) ANNOTATE(O) type(T). { A = build_cast(p, &O, E, T, true); }
plain(A) ::= PLUS(O) plain(E). [UMINUS] { A = build_op(p, &O, NULL, E); }
plain(A) ::= MINUS(O) plain(E). [UMINUS] { A = build_negate(p, &O, E); }
plain(A) ::= plain(L) PLUS(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) MINUS(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) STAR(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) SLASH(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) PERCENT(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) CARET(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) LT(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) GT(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) EQ(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) LE(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) GE(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) NE(O) plain(R). { A = build_op(p, &O, L, R); }
plain(A) ::= plain(L) qual_op(O) plain(R). [OP] { A = build_qualified_op(p, &O, L, R); }
plain(A) ::= qual_op(O) plain(R). [OP] { A = build_qualified_op(p, &O, NULL, R); }
plain(A) ::= plain(L) IS(O) DISTINCT FROM plain(R). [IS] { A = build_distinct_from(p, &O, false, L, R); }
plain(A) ::= plain(L) IS(O) NOT DISTINCT FROM plain(R). [IS] { A = build_distinct_from(p, &O, true, L, R); }

// ---- operators by name ----
%type qual_op {Operator}
qual_op(A) ::= OP(O). { A = build_operator(NULL, &O); }
qual_op(A) ::= AT_SIGN(O). { A = build_operator(NULL, &O); }
qual_op(A) ::= OPERATOR(T) LP operator_name(O) RP. { A = build_operator_at(&T, O); }
%type operator_name {Operator}
operator_name(A) ::= all_op(O). { A = build_operator(NULL, &O); }
operator_name(A) ::= colid(S) DOT all_op(O). { A = build_operator(&S, &O); }
all_op(A) ::= OP(A).
all_op(A) ::= AT_SIGN(A).
all_op(A) ::= math_op(A).
math_op(A) ::= PLUS(A).
math_op(A) ::= MINUS(A).
math_op(A) ::= STAR(A).
math_op(A) ::= SLASH(A).
math_op(A) ::= PERCENT(A).
math_op(A) ::= CARET(A).
math_op(A) ::= LT(A).
math_op(A) ::= GT(A).
math_op(A) ::= EQ(A).
math_op(A) ::= LE(A).
math_op(A) ::= GE(A).
math_op(A) ::= NE(A).
%type any_op {Operator}
any_op(A) ::= all_op(O). { A = build_operator(NULL, &O); }
any_op(A) ::= OPERATOR(T) LP operator_name(O) RP. { A = build_operator_at(&T, O); }
any_op(A) ::= LIKE(O). { A = build_operator_word(&O, "~~"); }
any_op(A) ::= NOT_LA(O) LIKE. { A = build_operator_word(&O, "!~~"); }
any_op(A) ::= ILIKE(O). { A = build_operator_word(&O, "~~*"); }
any_op(A) ::= NOT_LA(O) ILIKE. { A = build_operator_word(&O, "!~~*"); }

// ---- primaries ----
simple(A) ::= column(A).
simple(A) ::= constant(A).
simple(A) ::= PARAM(N) indirection_opt(I). { A = build_indirection(p, build_param(p, &N), &I); }
simple(A) ::= LP expr(E) RP indirection_opt(I). { A = build_parens(p, E, &I); }
simple(A) ::= case(A).
simple(A) ::= function(A).
simple(A) ::= select_in_parens(S). [UMINUS] { A = build_subquery(p, NULL, AST_SUBQUERY_SCALAR, S); }
simple(A) ::= select_in_parens(S) indirection(I). { A = build_indirection(p, build_subquery(p, NULL, AST_SUBQUERY_SCALAR, S), &I); }
simple(A) ::= EXISTS(T) select_in_parens(S). { A = build_subquery(p, &T, AST_SUBQUERY_EXISTS, S); }
simple(A) ::= ARRAY(T) select_in_parens(S). { A = build_subquery(p, &T, AST_SUBQUERY_ARRAY, S); }
simple(A) ::= ARRAY(T) array(L). { A = build_array(p, &T, L); }
simple(A) ::= explicit_row(A).
simple(A) ::= implicit_row(A).
simple(A) ::= GROUPING(T) LP expr_list(L) RP. { A = build_expr_list(p, AST_GROUPING, &T, &L); }

%type column {AstExpr *}
column(A) ::= colid(N). { A = build_column(p, &N, NULL); }
column(A) ::= colid(N) indirection(I). { A = build_column(p, &N, &I); }

%type row {AstExpr *}
%type explicit_row {AstExpr *}
%type implicit_row {AstExpr *}
row(A) ::= explicit_row(A).
row(A) ::= implicit_row(A).
explicit_row(A) ::= ROW(T) LP expr_list(L) RP. { A = build_row(p, &T, &L, true); }
explicit_row(A) ::= ROW(T) LP RP. { A = build_row(p, &T, NULL, true); }
implicit_row(A) ::= LP(T) expr_list(L) COMMA expr(E) RP. { A = build_implicit_row(p, &T, &L, E); }
implicit_row(A) ::= LP(T) expr_list(L) COMMA RP. { A = build_implicit_row(p, &T, &L, NULL); }

%type array {AstExpr *}
array(A) ::= LBRACKET(T) expr_list(L) RBRACKET. { A = build_expr_list(p, AST_ARRAY, &T, &L); }
array(A) ::= LBRACKET(T) array_list(L) RBRACKET. { A = build_expr_list(p, AST_ARRAY, &T, &L); }
array(A) ::= LBRACKET(T) RBRACKET. { A = build_expr_list(p, AST_ARRAY, &T, NULL); }
%type array_list {AstExprVec}
array_list(A) ::= array(E). { LIST(A, E); }
array_list(A) ::= array_list(A) COMMA array(E). { PUSH(A, E); }

%type indirection {IndirectionVec}
%type indirection_opt {IndirectionVec}
%type indirection_elem {Indirection}
indirection_elem(A) ::= DOT(T) label(N). { A = build_field_step(&T, &N); }
indirection_elem(A) ::= DOT(T) STAR. { A = build_field_step(&T, NULL); }
indirection_elem(A) ::= LBRACKET(T) expr(E) RBRACKET. { A = build_subscript_step(&T, NULL, E, false); }
indirection_elem(A) ::= LBRACKET(T) expr_opt(L) COLON expr_opt(U) RBRACKET. { A = build_subscript_step(&T, L, U, true); }
indirection(A) ::= indirection_elem(E). { LIST(A, E); }
indirection(A) ::= indirection(A) indirection_elem(E). { PUSH(A, E); }
indirection_opt(A) ::= . { NONE(A); }
indirection_opt(A) ::= indirection_opt(A) indirection_elem(E). { PUSH(A, E); }

%type case {AstExpr *}
case(A) ::= CASE(T) expr_opt(E) when_list(W) else(F) END. { A = build_case(p, &T, E, &W, F); }
%type when_list {AstWhenVec}
when_list(A) ::= when(W). { LIST(A, W); }
when_list(A) ::= when_list(A) when(W). { PUSH(A, W); }
%type when {AstWhen}
when(A) ::= WHEN(T) expr(C) THEN expr(E). { A = (AstWhen){C, E, T.position}; }
%type else {AstExpr *}
else(A) ::= . { A = NULL; }
else(A) ::= ELSE expr(E). { A = E; }

// ---- constants ----
%type constant {AstExpr *}
constant(A) ::= INTEGER_LITERAL(T). { A = build_literal(p, AST_LITERAL_INT, &T); }
constant(A) ::= DECIMAL_LITERAL(T). { A = build_literal(p, AST_LITERAL_DECIMAL, &T); }
constant(A) ::= STRING_LITERAL(T). { A = build_literal(p, AST_LITERAL_STRING, &T); }
constant(A) ::= BIT_LITERAL(T). { A = build_literal(p, AST_LITERAL_BIT, &T); }
constant(A) ::= TRUE(T). { A = build_literal(p, AST_LITERAL_BOOL, &T); }
constant(A) ::= FALSE(T). { A = build_literal(p, AST_LITERAL_BOOL, &T); }
constant(A) ::= NULL(T). { A = build_literal(p, AST_LITERAL_NULL, &T); }
constant(A) ::= function_name(N) STRING_LITERAL(S). { A = build_typed_literal(p, build_type_of_name(p, &N, NULL), &S); }
constant(A) ::= function_name(N) LP args(L) sort_opt RP STRING_LITERAL(S). { A = build_typed_literal(p, build_type_of_name(p, &N, &L), &S); }
constant(A) ::= const_type(T) STRING_LITERAL(S). { A = build_typed_literal(p, T, &S); }
constant(A) ::= const_interval(T) STRING_LITERAL(S) interval_fields(F). { A = build_typed_literal(p, build_interval_type(p, T, &F, NULL), &S); }
constant(A) ::= const_interval(T) LP INTEGER_LITERAL(N) RP STRING_LITERAL(S). { A = build_typed_literal(p, build_interval_type(p, T, NULL, &N), &S); }

// ---- functions ----
%type function_name {AstName}
function_name(A) ::= type_func_name(N). { A = build_name(p, &N, NULL, NULL); }
function_name(A) ::= colid(N) indirection(I). { A = build_name_steps(p, &N, &I); }

%type arg {CallArg}
arg(A) ::= expr(E). { A = (CallArg){NULL, E}; }
arg(A) ::= type_func_name(N) COLON_EQ expr(E). { A = (CallArg){N.value, E}; }
arg(A) ::= type_func_name(N) ARROW expr(E). { A = (CallArg){N.value, E}; }
%type args {CallArgVec}
args(A) ::= arg(E). { LIST(A, E); }
args(A) ::= args(A) COMMA arg(E). { PUSH(A, E); }

%type call {AstExpr *}
call(A) ::= function_name(N) LP RP. { A = build_call(p, &N, NULL, NULL, 0); }
call(A) ::= function_name(N) LP STAR RP. { A = build_call(p, &N, NULL, NULL, CALL_STAR); }
call(A) ::= function_name(N) LP args(L) sort_opt(O) RP. { A = build_call(p, &N, &L, &O, 0); }
call(A) ::= function_name(N) LP ALL args(L) sort_opt(O) RP. { A = build_call(p, &N, &L, &O, 0); }
call(A) ::= function_name(N) LP DISTINCT args(L) sort_opt(O) RP. { A = build_call(p, &N, &L, &O, CALL_DISTINCT); }
call(A) ::= function_name(N) LP VARIADIC arg(E) sort_opt(O) RP. { A = build_call_variadic(p, &N, NULL, E, &O); }
call(A) ::= function_name(N) LP args(L) COMMA VARIADIC arg(E) sort_opt(O) RP. { A = build_call_variadic(p, &N, &L, E, &O); }

%type function {AstExpr *}
%type function_windowless {AstExpr *}
function(A) ::= call(C) within_group(G) filter(F) over(W). { A = build_call_clauses(p, C, &G, F, W); }
function(A) ::= special_function(A).
function_windowless(A) ::= call(A).
function_windowless(A) ::= special_function(A).
%type within_group {AstSortVec}
within_group(A) ::= . { NONE(A); }
within_group(A) ::= WITHIN GROUP LP sort(O) RP. { A = O; }
%type filter {AstExpr *}
filter(A) ::= . { A = NULL; }
filter(A) ::= FILTER LP WHERE expr(E) RP. { A = E; }
%type over {AstWindow *}
over(A) ::= . { A = NULL; }
over(A) ::= OVER window_definition(W). { A = W; }
over(A) ::= OVER(T) colid(N). { A = build_window_reference(p, &T, &N); }

%type special_function {AstExpr *}
special_function(A) ::= COLLATION(T) FOR LP expr(E) RP. { A = build_special1(p, &T, "pg_collation_for", AST_CALL_COLLATION_FOR, E); }
special_function(A) ::= CURRENT_DATE(T). { A = build_sql_value(p, &T, AST_CURRENT_DATE, NULL); }
special_function(A) ::= CURRENT_TIME(T). { A = build_sql_value(p, &T, AST_CURRENT_TIME, NULL); }
special_function(A) ::= CURRENT_TIME(T) LP INTEGER_LITERAL(N) RP. { A = build_sql_value(p, &T, AST_CURRENT_TIME, &N); }
special_function(A) ::= CURRENT_TIMESTAMP(T). { A = build_sql_value(p, &T, AST_CURRENT_TIMESTAMP, NULL); }
special_function(A) ::= CURRENT_TIMESTAMP(T) LP INTEGER_LITERAL(N) RP. { A = build_sql_value(p, &T, AST_CURRENT_TIMESTAMP, &N); }
special_function(A) ::= LOCALTIME(T). { A = build_sql_value(p, &T, AST_LOCALTIME, NULL); }
special_function(A) ::= LOCALTIME(T) LP INTEGER_LITERAL(N) RP. { A = build_sql_value(p, &T, AST_LOCALTIME, &N); }
special_function(A) ::= LOCALTIMESTAMP(T). { A = build_sql_value(p, &T, AST_LOCALTIMESTAMP, NULL); }
special_function(A) ::= LOCALTIMESTAMP(T) LP INTEGER_LITERAL(N) RP. { A = build_sql_value(p, &T, AST_LOCALTIMESTAMP, &N); }
special_function(A) ::= CURRENT_ROLE(T). { A = build_sql_value(p, &T, AST_CURRENT_ROLE, NULL); }
special_function(A) ::= CURRENT_USER(T). { A = build_sql_value(p, &T, AST_CURRENT_USER, NULL); }
special_function(A) ::= SESSION_USER(T). { A = build_sql_value(p, &T, AST_SESSION_USER, NULL); }
special_function(A) ::= USER(T). { A = build_sql_value(p, &T, AST_USER, NULL); }
special_function(A) ::= CURRENT_CATALOG(T). { A = build_sql_value(p, &T, AST_CURRENT_CATALOG, NULL); }
special_function(A) ::= CURRENT_SCHEMA(T). { A = build_sql_value(p, &T, AST_CURRENT_SCHEMA, NULL); }
special_function(A) ::= CAST(T) LP expr(E) AS type(Y) RP. { A = build_cast(p, &T, E, Y, false); }
special_function(A) ::= EXTRACT(T) LP extract_field(F) FROM expr(E) RP. { A = build_extract(p, &T, &F, E); }
special_function(A) ::= NORMALIZE(T) LP expr(E) RP. { A = build_normalize(p, &T, E, NULL); }
special_function(A) ::= NORMALIZE(T) LP expr(E) COMMA unicode_form(F) RP. { A = build_normalize(p, &T, E, &F); }
unicode_form(A) ::= NFC(A).
unicode_form(A) ::= NFD(A).
unicode_form(A) ::= NFKC(A).
unicode_form(A) ::= NFKD(A).
special_function(A) ::= OVERLAY(T) LP expr(E) PLACING expr(N) FROM expr(F) RP. { A = build_overlay(p, &T, E, N, F, NULL); }
special_function(A) ::= OVERLAY(T) LP expr(E) PLACING expr(N) FROM expr(F) FOR expr(L) RP. { A = build_overlay(p, &T, E, N, F, L); }
special_function(A) ::= OVERLAY(T) LP args_opt(L) RP. { A = build_word_call(p, &T, &L); }
special_function(A) ::= POSITION(T) LP plain(S) IN plain(E) RP. { A = build_special2(p, &T, "position", AST_CALL_POSITION, E, S); }
special_function(A) ::= SUBSTRING(T) LP expr(E) FROM expr(F) FOR expr(L) RP. { A = build_substring3(p, &T, AST_CALL_SUBSTRING, E, F, L); }
special_function(A) ::= SUBSTRING(T) LP expr(E) FOR expr(L) FROM expr(F) RP. { A = build_substring3(p, &T, AST_CALL_SUBSTRING, E, F, L); }
special_function(A) ::= SUBSTRING(T) LP expr(E) FROM expr(F) RP. { A = build_special2(p, &T, "substring", AST_CALL_SUBSTRING, E, F); }
special_function(A) ::= SUBSTRING(T) LP expr(E) FOR expr(L) RP. { A = build_substring_for(p, &T, E, L); }
special_function(A) ::= SUBSTRING(T) LP expr(E) SIMILAR expr(F) ESCAPE expr(L) RP. { A = build_substring3(p, &T, AST_CALL_SUBSTRING_SIMILAR, E, F, L); }
special_function(A) ::= SUBSTRING(T) LP args_opt(L) RP. { A = build_word_call(p, &T, &L); }
special_function(A) ::= TRIM(T) LP BOTH trim_list(L) RP. { A = build_special(p, &T, "btrim", AST_CALL_TRIM, &L); }
special_function(A) ::= TRIM(T) LP LEADING trim_list(L) RP. { A = build_special(p, &T, "ltrim", AST_CALL_TRIM, &L); }
special_function(A) ::= TRIM(T) LP TRAILING trim_list(L) RP. { A = build_special(p, &T, "rtrim", AST_CALL_TRIM, &L); }
special_function(A) ::= TRIM(T) LP trim_list(L) RP. { A = build_special(p, &T, "btrim", AST_CALL_TRIM, &L); }
special_function(A) ::= NULLIF(T) LP expr(L) COMMA expr(R) RP. { A = build_nullif(p, &T, L, R); }
special_function(A) ::= COALESCE(T) LP expr_list(L) RP. { A = build_expr_list(p, AST_COALESCE, &T, &L); }
special_function(A) ::= GREATEST(T) LP expr_list(L) RP. { A = build_expr_list(p, AST_GREATEST, &T, &L); }
special_function(A) ::= LEAST(T) LP expr_list(L) RP. { A = build_expr_list(p, AST_LEAST, &T, &L); }
%type args_opt {CallArgVec}
args_opt(A) ::= . { NONE(A); }
args_opt(A) ::= args(A).
extract_field(A) ::= ID(A).
extract_field(A) ::= STRING_LITERAL(A).
%type trim_list {AstExprVec}
trim_list(A) ::= expr(E) FROM expr_list(L). { A = build_trim(p, E, &L); }
trim_list(A) ::= FROM expr_list(L). { A = L; }
trim_list(A) ::= expr_list(A).

// ---- windows ----
%type window_definition {AstWindow *}
window_definition(A) ::= LP(T) window_base(N) partition_by_exprs(P) sort_opt(O) frame(F). { A = build_window(p, &T, &N, &P, &O, F); }
window_base(A) ::= . [OP] { NONE(A); }
window_base(A) ::= colid(A).
%type partition_by_exprs {AstExprVec}
partition_by_exprs(A) ::= . { NONE(A); }
partition_by_exprs(A) ::= PARTITION BY expr_list(L). { A = L; }
// The frame ends with the parenthesis, so that its rules can be told from the definition's.
%type frame {AstWindow *}
frame(A) ::= RP. { A = NULL; }
frame(A) ::= frame_unit(U) frame_extent(F) frame_exclude(X) RP. { A = build_frame(F, U, X); }
%type frame_unit {AstFrameUnit}
frame_unit(A) ::= RANGE. { A = AST_FRAME_RANGE; }
frame_unit(A) ::= ROWS. { A = AST_FRAME_ROWS; }
frame_unit(A) ::= GROUPS. { A = AST_FRAME_GROUPS; }
%type frame_extent {AstWindow *}
frame_extent(A) ::= frame_bound(S). { A = build_frame_extent(p, &S, NULL); }
frame_extent(A) ::= BETWEEN frame_bound(S) AND frame_bound(E). { A = build_frame_extent(p, &S, &E); }
%type frame_bound {FrameEdge}
frame_bound(A) ::= UNBOUNDED(T) PRECEDING. { A = (FrameEdge){AST_FRAME_UNBOUNDED_PRECEDING, NULL, T}; }
frame_bound(A) ::= UNBOUNDED(T) FOLLOWING. { A = (FrameEdge){AST_FRAME_UNBOUNDED_FOLLOWING, NULL, T}; }
frame_bound(A) ::= CURRENT(T) ROW. { A = (FrameEdge){AST_FRAME_CURRENT_ROW, NULL, T}; }
frame_bound(A) ::= expr(E) PRECEDING(T). { A = (FrameEdge){AST_FRAME_PRECEDING, E, T}; }
frame_bound(A) ::= expr(E) FOLLOWING(T). { A = (FrameEdge){AST_FRAME_FOLLOWING, E, T}; }
%type frame_exclude {AstFrameExclude}
frame_exclude(A) ::= . { A = AST_EXCLUDE_NONE; }
frame_exclude(A) ::= EXCLUDE CURRENT ROW. { A = AST_EXCLUDE_CURRENT_ROW; }
frame_exclude(A) ::= EXCLUDE GROUP. { A = AST_EXCLUDE_GROUP; }
frame_exclude(A) ::= EXCLUDE TIES. { A = AST_EXCLUDE_TIES; }
frame_exclude(A) ::= EXCLUDE NO OTHERS. { A = AST_EXCLUDE_NONE; }

// ---- ORDER BY ----
%type sort {AstSortVec}
%type sort_opt {AstSortVec}
%type sort_list {AstSortVec}
%type sort_item {AstSort}
sort_opt(A) ::= . { NONE(A); }
sort_opt(A) ::= sort(A).
sort(A) ::= ORDER BY sort_list(L). { A = L; }
sort_list(A) ::= sort_item(S). { LIST(A, S); }
sort_list(A) ::= sort_list(A) COMMA sort_item(S). { PUSH(A, S); }
sort_item(A) ::= expr(E) USING sort_operator(O) nulls(N). { A = (AstSort){E, AST_SORT_USING, O.schema, O.op, N}; }
sort_item(A) ::= expr(E) direction(D) nulls(N). { A = (AstSort){E, D, NULL, NULL, N}; }
%type sort_operator {Operator}
sort_operator(A) ::= all_op(O). { A = build_operator(NULL, &O); }
sort_operator(A) ::= OPERATOR LP operator_name(O) RP. { A = O; }
%type direction {AstSortDirection}
direction(A) ::= . { A = AST_SORT_DEFAULT; }
direction(A) ::= ASC. { A = AST_SORT_ASC; }
direction(A) ::= DESC. { A = AST_SORT_DESC; }
%type nulls {AstNulls}
nulls(A) ::= . { A = AST_NULLS_DEFAULT; }
nulls(A) ::= NULLS_LA FIRST. { A = AST_NULLS_FIRST; }
nulls(A) ::= NULLS_LA LAST. { A = AST_NULLS_LAST; }
