/* cast.h - one row per cast between two types, as pg_cast has them.
 *
 * A cast that has no row may still exist: through text (explicit to and from string types), by array elements, or
 * not at all; cast_find_path says which. Functions never see NULL.
 */
#ifndef STORAGE_TYPES_CAST_H
#define STORAGE_TYPES_CAST_H

#include "storage/types/type.h"

typedef enum CastContext { CAST_IMPLICIT, CAST_ASSIGNMENT, CAST_EXPLICIT } CastContext; /* each allows those before it */
typedef enum CastMethod { CAST_FUNCTION, CAST_BINARY, CAST_IN_OUT, CAST_ARRAY } CastMethod;

typedef struct CastDef {
    Oid source, target;
    CastContext context; /* the least that must be asked for */
    CastMethod method;
    /* CAST_FUNCTION only. typmod of the target, -1 none; explicit_cast truncates instead of failing. */
    Status (*run)(TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out);
} CastDef;

int cast_count(void);
const CastDef *cast_at(int index);
/* A row of the table. NULL if there is none. */
const CastDef *cast_find(Oid source, Oid target);

/* Is there any way from source to target in this context? *path says how: a row, or a synthesised in/out or array
 * path (explicit casts to and from string types; assignment to string types). source == target is CAST_BINARY.
 * unknown casts to everything, implicitly, by the target's input function. */
bool cast_find_path(Oid source, Oid target, CastContext context, CastDef *path);

/* Runs a path found above, then fits the typmod. value must not be NULL. */
Status cast_run(TypeCtx *ctx, const CastDef *path, Value value, int32_t typmod, bool explicit_cast, Value *out);

#endif
