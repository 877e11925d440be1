/* span_domain.c - key columns whose values follow from elsewhere: from a known small set, or from other columns. */
#include "planner/paths/span_build.h"

#include "planner/rel.h"
#include "storage/types/type_citext.h"
#include "storage/types/type_enum.h"

enum { DOMAIN_MAX = 2048 };

static void fill_ints(const SpanTable *table, TypeRef type, int64_t count, SpanPart *part)
{
    *part = (SpanPart){.kind = SPAN_POINTS, .value_count = (int)count};
    part->values = ARENA_ARRAY(table->arena, Expr *, count);
    for (int i = 0; i < part->value_count; i++) part->values[i] = expr_const(table->arena, type, value_int(i));
}

/* The labels of an enum as of now. One that is added later makes the plan anew, and before that no row has it. */
static bool fill_labels(const SpanTable *table, TypeRef type, SpanPart *part)
{
    const EnumShape *shape = type_enum_shape(type.oid);
    if (!shape || shape->count == 0 || shape->count > DOMAIN_MAX) return false;
    *part = (SpanPart){.kind = SPAN_POINTS, .value_count = shape->count};
    part->values = ARENA_ARRAY(table->arena, Expr *, shape->count);
    for (int i = 0; i < shape->count; i++)
        part->values[i] = expr_const(table->arena, type, value_slice(shape->members[i].physical));
    return true;
}

static bool is_call_of(const Expr *e, const char *name)
{
    return e->kind == EXPR_CALL && strcmp(((const ExprCall *)e)->function->name, name) == 0;
}

static const Expr *below_casts(const Expr *e)
{
    while (e->kind == EXPR_CAST) e = e->args[0];
    return e;
}

/* yb_hash_code(...) % n and mod(fnv32(...), n): the left side is never NULL and never negative. 0 if it is neither. */
static int64_t modulus_of(const Expr *e)
{
    Value n;
    e = below_casts(e);
    if (!is_call_of(e, "%") && !is_call_of(e, "mod")) return 0;
    const Expr *hash = below_casts(e->args[0]);
    if (!is_call_of(hash, "yb_hash_code") && !is_call_of(hash, "fnv32")) return 0;
    const Expr *divisor = below_casts(e->args[1]);
    if (!expr_is_const(divisor, &n) || n.null || divisor->type.oid == OID_NUMERIC || n.i == 0) return 0;
    return n.i < 0 ? -n.i : n.i;
}

bool span_domain(const SpanTable *table, int ordinal, SpanPart *part)
{
    const ColumnDesc *column = &table->table->columns.items[ordinal];
    if (column->role == COLUMN_BUCKET && column->bucket_count > 0 && column->bucket_count <= DOMAIN_MAX) {
        fill_ints(table, column->type, column->bucket_count, part);
        return true;
    }
    const Expr *computed = table->computed ? table->computed[ordinal] : NULL;
    int64_t modulus = computed ? modulus_of(computed) : 0;
    if (modulus > 0 && modulus <= DOMAIN_MAX) {
        fill_ints(table, column->type, modulus, part);
        return true;
    }
    if (table->checked && table->checked[ordinal].value_count) {
        *part = table->checked[ordinal];
        part->or_null = !column->not_null;
        return true;
    }
    if (column->type.oid == OID_BOOL) {
        fill_ints(table, column->type, 2, part);
        part->or_null = !column->not_null;
        return true;
    }
    if (fill_labels(table, column->type, part)) {
        part->or_null = !column->not_null;
        return true;
    }
    return false;
}

bool span_inputs(const SpanTable *table, int ordinal, IntVec *inputs)
{
    const Expr *computed = table->computed ? table->computed[ordinal] : NULL;
    if (!computed || expr_volatility(computed) == VOLATILITY_VOLATILE) return false;
    ColSet used = {0};
    expr_columns(computed, &used, table->arena);
    for (int i = 0; i < table->table->columns.count; i++)
        if (colset_has(&used, table->columns[i])) VEC_PUSH(table->arena, *inputs, i);
    return inputs->count > 0;
}

/* Whether equal values of the column look alike to any expression: 0.5 and 0.50, 0 and -0, 'a' and 'a ' do not. A hash is
 * taken of a number whatever its trailing zeros, and both zeros of floats are tried (span.c).
 */
static bool equal_look_alike(const ColumnDesc *column, bool hashed)
{
    const TypeDef *type = type_find(column->type.oid);
    if (!type) return false;
    switch (type->key_class) {
    case KEY_CLASS_INT:
    case KEY_CLASS_DATE:
    case KEY_CLASS_TIMESTAMP: return true;
    case KEY_CLASS_BYTES: return type->oid != OID_CITEXT && (type->oid != OID_BPCHAR || column->type.typmod > 0);
    case KEY_CLASS_FLOAT:
    case KEY_CLASS_DECIMAL: return hashed;
    case KEY_CLASS_NONE:
    case KEY_CLASS_TIMETZ:
    case KEY_CLASS_INTERVAL:
    case KEY_CLASS_BITS:
    case KEY_CLASS_ARRAY:
    case KEY_CLASS_RANGE:
    case KEY_CLASS_JSON: return false;
    }
    return false;
}

bool span_follows(const SpanTable *table, int ordinal, IntVec *inputs)
{
    if (!span_inputs(table, ordinal, inputs)) return false;
    const ColumnDesc *column = &table->table->columns.items[ordinal];
    const Expr *computed = below_casts(table->computed[ordinal]);
    bool hashed = column->role == COLUMN_BUCKET || column->role == COLUMN_HASH_CODE || is_call_of(computed, "yb_hash_code") ||
                  modulus_of(computed) != 0;
    for (int i = 0; i < inputs->count; i++)
        if (!equal_look_alike(&table->table->columns.items[inputs->items[i]], hashed)) return false;
    return true;
}
