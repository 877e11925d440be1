/* bind_types.h - the type rules of SQL: coercion, common types, choosing among overloads. Inside bind/ only. */
#ifndef PLANNER_BIND_BIND_TYPES_H
#define PLANNER_BIND_BIND_TYPES_H

#include "planner/bind/bind.h"

/* ---- literals (bind_literal.c) ---- */

/* The value of a text in a type's input syntax; the error's position is set. Names of the catalog (regclass ...) are
 * looked up. */
Status bind_literal(Binder *binder, const char *text, TypeRef type, bool explicit_cast, int position, Expr **out);
Status bind_number(Binder *binder, const AstLiteral *literal, Expr **out);
/* 'public.users'::regclass and kin, as a constant. *handled false: not such a type. */
Status bind_reg_literal(Binder *binder, const char *text, Oid type, int position, Value *value, bool *handled);

/* ---- coercion (bind_coerce.c) ---- */

bool type_can_coerce(Oid from, Oid to, CastContext context);
bool expr_is_unknown(const Expr *e); /* of type unknown: a plain string, NULL, or a parameter not yet typed */
/* To a domain, or an array of one: to its base type, and past its constraints (bind_domain.c). */
Status bind_coerce_domain(Binder *binder, Expr *e, TypeRef wanted, CastContext context, int position, Expr **out);
const char *type_words(TypeRef type, Arena *arena); /* "integer": without the typmod, as errors name it */
/* Makes e a boolean, or 42804 with the construct's name: "WHERE", "AND", "CASE/WHEN" ... */
Status bind_boolean(Binder *binder, Expr *e, const char *construct, Expr **out);
/* A type that all items fit implicitly (UNION, CASE, VALUES ...); context is the word for the error. */
Status bind_common_type(Binder *binder, Expr *const *items, int count, const char *context, TypeRef *type);
Status bind_common_type_of(Binder *binder, const TypeRef *types, const int *positions, int count, const char *context,
                           TypeRef *type);
/* The same, and coerces them to it in place. */
Status bind_to_common_type(Binder *binder, Expr **items, int count, const char *context, TypeRef *type);
bool type_is_text_like(Oid oid);

/* ---- comparison (bind_compare.c) ---- */

/* The type two sides are compared in; false: there is none. */
bool compare_common_type(const Expr *left, const Expr *right, Oid *type);
/* left op right; *out is an EXPR_COMPARE, an EXPR_ROW_COMPARE or a call. */
Status bind_compare(Binder *binder, CompareOp op, Expr *left, Expr *right, int position, Expr **out);
typedef struct RowPair { Expr **left, **right; int count; } RowPair;
Status bind_row_compare(Binder *binder, CompareOp op, const RowPair *rows, int position, Expr **out);
bool compare_op_find(const char *symbol, CompareOp *op);

/* ---- overloads (bind_resolve.c) ---- */

typedef struct Signature {
    const void *def; /* FuncDef, AggDef or WindowDef */
    const char *arguments, *result;
    bool variadic, optional_tail;
} Signature;

typedef struct Resolution {
    int chosen;        /* -1: none */
    bool ambiguous;
    bool undetermined; /* a polymorphic type that only literals without a type stand for */
    Oid *args;         /* what each argument is to be coerced to; 0: as it is */
    Oid result;
} Resolution;
enum { ARGUMENTS_MAX = 100 };

/* Chooses among signatures for arguments of these types (OID_UNKNOWN for literals). */
typedef struct Overloads { const Signature *items; int count; bool operators; } Overloads;
void bind_resolve(Binder *binder, const Overloads *overloads, const Oid *types, int type_count, Resolution *resolution);
/* Coerces arguments to what was resolved. */
Status bind_fit_arguments(Binder *binder, const Resolution *resolution, Expr **args, int count);
/* An operator by symbol over bound arguments (one or two): a FuncDef's call. left NULL: prefix. */
Status bind_operator(Binder *binder, const char *symbol, Expr *left, Expr *right, int position, Expr **out);
/* 42883 or 42725. */
Status bind_no_function(Binder *binder, const char *name, Expr *const *args, int count, bool ambiguous, int position);
/* 42809 or 0A000 where WITHIN GROUP is missing, or is there and may not be (bind_ordered_set.c). */
Status bind_check_within_group(Binder *binder, const AstCall *call, const AggDef *aggregate);
/* Brings the direct and the ordered arguments of rank and kin to common types; for others it does nothing. */
Status bind_hypothetical(Binder *binder, const AstCall *call, const char *name, Expr **args, int count);
/* A function by name over bound arguments, of FuncDefs only; 42883 if there is none. */
Status bind_function(Binder *binder, const char *name, Expr **args, int count, int position, Expr **out);
/* A type as it stands in a signature: "int4", "text[]", "anyelement"; 0 if unknown. */
Oid signature_type(Slice name);

#endif
