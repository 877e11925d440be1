/* type_array.h - arrays of any element type, of up to six dimensions.
 *
 * A value's bytes (little endian, not aligned):
 *
 *   0..3   number of dimensions; 0 is the empty array, and then only the element type follows
 *   4..7   element type's oid
 *   8..11  1 if there are NULLs, else 0
 *   then   per dimension: length (4), lower bound (4)
 *   then   with NULLs: one bit per element, set where it is NULL, rounded up to bytes
 *   then   fixed-size elements (REP_INT, REP_FLOAT): 8 bytes each; others: the end offset of each (4 bytes, from the
 *          start of the bytes that follow), then their bytes
 *
 * int2vector and oidvector are arrays whose lower bound is 0. Element values borrow from the array's bytes.
 */
#ifndef STORAGE_TYPES_TYPE_ARRAY_H
#define STORAGE_TYPES_TYPE_ARRAY_H

#include "storage/types/type.h"

enum { ARRAY_DIMENSIONS_MAX = 6 };

/* An array opened for reading. */
typedef struct Array {
    Oid element;
    int dimension_count, count; /* count: elements in all */
    int32_t lengths[ARRAY_DIMENSIONS_MAX], lower_bounds[ARRAY_DIMENSIONS_MAX];
    bool has_nulls;
    TypeRep rep;
    const uint8_t *nulls, *values; /* inside the value's bytes */
} Array;

void array_open(Value value, Array *array);
/* The i-th element in storage order (the last subscript varies fastest); NULL elements have null set. */
Value array_element(const Array *array, int index);
/* By subscripts, one per dimension; a NULL Value if outside. */
Value array_at(const Array *array, const int32_t *subscripts, int subscript_count);

/* One dimension, lower bound 1; elements with null set are NULL. 53200 or 54000. */
Status array_build(TypeCtx *ctx, Oid element, const Value *elements, int count, Value *out);

typedef struct ArrayShape {
    int dimension_count;
    const int32_t *lengths, *lower_bounds; /* lengths multiply to the number of elements; lower_bounds NULL: all 1 */
} ArrayShape;

Status array_build_shaped(TypeCtx *ctx, Oid element, const Value *elements, ArrayShape shape, Value *out);
/* int2vector and oidvector: lower bound 0. */
Status array_build_vector(TypeCtx *ctx, Oid element, const Value *elements, int count, Value *out);

/* The functions of every array's TypeDef. */
Status array_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out);
void array_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out);
Status array_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out);
void array_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out);
int array_compare(const TypeDef *type, Value a, Value b);
uint64_t array_hash(const TypeDef *type, Value value);
Status array_fit(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out);
Status array_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod);

#endif
