//////////////////////// Names, types, literals of options ////////////////////////
colid(A) ::= ID(A).
colid(A) ::= col_name_word(A).
type_func_name(A) ::= ID(A).
type_func_name(A) ::= type_func_word(A).
nonreserved(A) ::= ID(A).
nonreserved(A) ::= col_name_word(A).
nonreserved(A) ::= type_func_word(A).
label(A) ::= ID(A).
label(A) ::= label_word(A).
bare_label(A) ::= ID(A).
bare_label(A) ::= bare_word(A).

%type name_list {StrVec}
name_list(A) ::= colid(N). { LIST(A, N.value); }
name_list(A) ::= name_list(A) COMMA colid(N). { PUSH(A, N.value); }
%type qualified {AstName}
qualified(A) ::= colid(N). { A = build_name(p, &N, NULL, NULL); }
qualified(A) ::= colid(N) indirection(I). { A = build_name_steps(p, &N, &I); }
// Where a subscript would belong to what is before the name: COLLATE c [1].
%type dotted {AstName}
dotted(A) ::= colid(N). { A = build_name(p, &N, NULL, NULL); }
dotted(A) ::= colid(S) DOT label(N). { A = build_name(p, &S, &N, NULL); }
dotted(A) ::= colid(D) DOT label(S) DOT label(N). { A = build_name(p, &D, &S, &N); }
%type qualified_list {AstNameVec}
qualified_list(A) ::= qualified(N). { LIST(A, N); }
qualified_list(A) ::= qualified_list(A) COMMA qualified(N). { PUSH(A, N); }

// t@i, or an index alone.
%type index_name {AstIndexName}
index_name(A) ::= qualified(N). { A = build_index_name(p, &N, NULL); }
index_name(A) ::= qualified(T) AT_SIGN label(I). { A = build_index_name(p, &T, &I); }
%type index_name_list {AstIndexNameVec}
index_name_list(A) ::= index_name(N). { LIST(A, N); }
index_name_list(A) ::= index_name_list(A) COMMA index_name(N). { PUSH(A, N); }

// ---- types ----
%type type {AstType *}
%type simple_type {AstType *}
%type const_type {AstType *}
%type generic_type {AstType *}
%type const_interval {AstType *}
%type array_bounds {int}
type(A) ::= simple_type(T) array_bounds(N). { A = build_array_type(p, T, N, false); }
type(A) ::= SETOF simple_type(T) array_bounds(N). { A = build_array_type(p, T, N, true); }
type(A) ::= simple_type(T) ARRAY LBRACKET INTEGER_LITERAL RBRACKET. { A = build_array_type(p, T, 1, false); }
type(A) ::= SETOF simple_type(T) ARRAY LBRACKET INTEGER_LITERAL RBRACKET. { A = build_array_type(p, T, 1, true); }
type(A) ::= simple_type(T) ARRAY. { A = build_array_type(p, T, 1, false); }
type(A) ::= SETOF simple_type(T) ARRAY. { A = build_array_type(p, T, 1, true); }
array_bounds(A) ::= . { A = 0; }
array_bounds(A) ::= array_bounds(A) LBRACKET RBRACKET. { A++; }
array_bounds(A) ::= array_bounds(A) LBRACKET INTEGER_LITERAL RBRACKET. { A++; }

simple_type(A) ::= generic_type(A).
simple_type(A) ::= const_type(A).
simple_type(A) ::= const_interval(T) interval_fields(F). { A = build_interval_type(p, T, &F, NULL); }
simple_type(A) ::= const_interval(T) LP INTEGER_LITERAL(N) RP. { A = build_interval_type(p, T, NULL, &N); }

%type type_name_parts {StrVec}
type_name_parts(A) ::= DOT label(N). { LIST(A, N.value); }
type_name_parts(A) ::= type_name_parts(A) DOT label(N). { PUSH(A, N.value); }
%type typmods {AstExprVec}
typmods(A) ::= . { NONE(A); }
typmods(A) ::= LP expr_list(L) RP. { A = L; }
generic_type(A) ::= type_func_name(N) typmods(M). { A = build_type(p, &N, NULL, &M); }
generic_type(A) ::= type_func_name(N) type_name_parts(L) typmods(M). { A = build_type(p, &N, &L, &M); }

const_type(A) ::= INT(N). { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= INTEGER(N). { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= SMALLINT(N). { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= BIGINT(N). { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= REAL(N). { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= BOOLEAN(N). { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= DOUBLE(N) PRECISION. { A = build_type(p, &N, NULL, NULL); }
const_type(A) ::= FLOAT(N). { A = build_float_type(p, &N, NULL); }
const_type(A) ::= FLOAT(N) LP INTEGER_LITERAL(L) RP. { A = build_float_type(p, &N, &L); }
const_type(A) ::= DECIMAL(N) typmods(M). { A = build_type(p, &N, NULL, &M); }
const_type(A) ::= DEC(N) typmods(M). { A = build_type(p, &N, NULL, &M); }
const_type(A) ::= NUMERIC(N) typmods(M). { A = build_type(p, &N, NULL, &M); }
const_type(A) ::= BIT(N) typmods(M). { A = build_bit_type(p, &N, false, &M); }
const_type(A) ::= BIT(N) VARYING typmods(M). { A = build_bit_type(p, &N, true, &M); }
const_type(A) ::= character(N). { A = build_character_type(p, &N, NULL); }
const_type(A) ::= character(N) LP INTEGER_LITERAL(L) RP. { A = build_character_type(p, &N, &L); }
const_type(A) ::= TIMESTAMP(N) time_zone(Z). { A = build_time_type(p, &N, NULL, Z); }
const_type(A) ::= TIMESTAMP(N) LP INTEGER_LITERAL(L) RP time_zone(Z). { A = build_time_type(p, &N, &L, Z); }
const_type(A) ::= TIME(N) time_zone(Z). { A = build_time_type(p, &N, NULL, Z); }
const_type(A) ::= TIME(N) LP INTEGER_LITERAL(L) RP time_zone(Z). { A = build_time_type(p, &N, &L, Z); }
const_interval(A) ::= INTERVAL(N). { A = build_type(p, &N, NULL, NULL); }

// The token's value becomes "varchar" or "bpchar".
character(A) ::= CHARACTER(A) varying(V). { build_character(&A, V); }
character(A) ::= CHAR(A) varying(V). { build_character(&A, V); }
character(A) ::= VARCHAR(A). { build_character(&A, true); }
character(A) ::= NATIONAL(A) CHARACTER varying(V). { build_character(&A, V); }
character(A) ::= NATIONAL(A) CHAR varying(V). { build_character(&A, V); }
character(A) ::= NCHAR(A) varying(V). { build_character(&A, V); }
%type varying {bool}
varying(A) ::= . { A = false; }
varying(A) ::= VARYING. { A = true; }
%type time_zone {bool}
time_zone(A) ::= . { A = false; }
time_zone(A) ::= WITH_LA TIME ZONE. { A = true; }
time_zone(A) ::= WITHOUT TIME ZONE. { A = false; }

%type interval_fields {IntervalFields}
interval_fields(A) ::= . { A = (IntervalFields){NULL, -1}; }
interval_fields(A) ::= YEAR. { A = (IntervalFields){"year", -1}; }
interval_fields(A) ::= MONTH. { A = (IntervalFields){"month", -1}; }
interval_fields(A) ::= DAY. { A = (IntervalFields){"day", -1}; }
interval_fields(A) ::= HOUR. { A = (IntervalFields){"hour", -1}; }
interval_fields(A) ::= MINUTE. { A = (IntervalFields){"minute", -1}; }
interval_fields(A) ::= interval_second(N). { A = (IntervalFields){"second", N}; }
interval_fields(A) ::= YEAR TO MONTH. { A = (IntervalFields){"year to month", -1}; }
interval_fields(A) ::= DAY TO HOUR. { A = (IntervalFields){"day to hour", -1}; }
interval_fields(A) ::= DAY TO MINUTE. { A = (IntervalFields){"day to minute", -1}; }
interval_fields(A) ::= DAY TO interval_second(N). { A = (IntervalFields){"day to second", N}; }
interval_fields(A) ::= HOUR TO MINUTE. { A = (IntervalFields){"hour to minute", -1}; }
interval_fields(A) ::= HOUR TO interval_second(N). { A = (IntervalFields){"hour to second", N}; }
interval_fields(A) ::= MINUTE TO interval_second(N). { A = (IntervalFields){"minute to second", N}; }
%type interval_second {int}
interval_second(A) ::= SECOND. { A = -1; }
interval_second(A) ::= SECOND LP INTEGER_LITERAL(N) RP. { A = build_int(p, &N); }

// ---- values of options and settings ----
%type signed_number {AstExpr *}
signed_number(A) ::= INTEGER_LITERAL(N). { A = build_literal(p, AST_LITERAL_INT, &N); }
signed_number(A) ::= DECIMAL_LITERAL(N). { A = build_literal(p, AST_LITERAL_DECIMAL, &N); }
signed_number(A) ::= PLUS signed_number(N). { A = N; }
signed_number(A) ::= MINUS(O) signed_number(N). { A = build_negate(p, &O, N); }
%type signed_int {int64_t}
signed_int(A) ::= INTEGER_LITERAL(N). { A = build_int64(p, &N, false); }
signed_int(A) ::= PLUS INTEGER_LITERAL(N). { A = build_int64(p, &N, false); }
signed_int(A) ::= MINUS INTEGER_LITERAL(N). { A = build_int64(p, &N, true); }

%type option_value {AstExpr *}
option_value(A) ::= signed_number(A).
option_value(A) ::= STRING_LITERAL(S). { A = build_literal(p, AST_LITERAL_STRING, &S); }
option_value(A) ::= PARAM(N). { A = build_param(p, &N); }
option_value(A) ::= option_word(W). { A = build_literal(p, AST_LITERAL_STRING, &W); }
option_value(A) ::= NULL(W). { A = build_literal(p, AST_LITERAL_NULL, &W); }
option_word(A) ::= nonreserved(A).
option_word(A) ::= TRUE(A).
option_word(A) ::= FALSE(A).
option_word(A) ::= ON(A).
option_word(A) ::= DEFAULT(A).
option_word(A) ::= ANALYZE(A).
option_word(A) ::= ANALYSE(A).
option_word(A) ::= USER(A).
option_word(A) ::= ALL(A).
option_word(A) ::= TABLE(A).
option_word(A) ::= COLUMN(A).
option_word(A) ::= CHECK(A).
option_word(A) ::= PLACING(A).

// WITH (a = 1, b, s.c = 'x', shard_columns = (a, b))
%type storage_params {AstOptionVec}
storage_params(A) ::= LP storage_param_list(L) RP. { A = L; }
%type with_params {AstOptionVec}
with_params(A) ::= . { NONE(A); }
with_params(A) ::= WITH storage_params(L). { A = L; }
%type storage_param_list {AstOptionVec}
storage_param_list(A) ::= storage_param(O). { LIST(A, O); }
storage_param_list(A) ::= storage_param_list(A) COMMA storage_param(O). { PUSH(A, O); }
%type storage_param {AstOption}
storage_param(A) ::= label(N). { A = build_option(p, &N, NULL); }
storage_param(A) ::= label(N) EQ storage_value(V). { A = build_option(p, &N, V); }
storage_param(A) ::= label(S) DOT label(N) EQ storage_value(V). { A = build_option_qualified(p, &S, &N, V); }
storage_param(A) ::= label(S) DOT label(N). { A = build_option_qualified(p, &S, &N, NULL); }
%type storage_value {AstExpr *}
storage_value(A) ::= option_value(A).
storage_value(A) ::= LP(O) option_value_list(L) RP. { A = build_row(p, &O, &L, false); }
%type option_value_list {AstExprVec}
option_value_list(A) ::= option_value(V). { LIST(A, V); }
option_value_list(A) ::= option_value_list(A) COMMA option_value(V). { PUSH(A, V); }

%type drop_behavior {AstDropBehavior}
drop_behavior(A) ::= . { A = AST_DROP_DEFAULT; }
drop_behavior(A) ::= CASCADE. { A = AST_DROP_CASCADE; }
drop_behavior(A) ::= RESTRICT. { A = AST_DROP_RESTRICT; }
%type if_exists {bool}
if_exists(A) ::= . { A = false; }
if_exists(A) ::= IF EXISTS. { A = true; }
%type if_not_exists {bool}
if_not_exists(A) ::= . { A = false; }
if_not_exists(A) ::= IF NOT EXISTS. { A = true; }
