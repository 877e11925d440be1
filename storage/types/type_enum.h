/* type_enum.h - enum types: labels in their order. What a value holds is the label's place (EnumMember.physical).
 * Definitions live in the registry of type_user.h, as long and for the same threads.
 */
#ifndef STORAGE_TYPES_TYPE_ENUM_H
#define STORAGE_TYPES_TYPE_ENUM_H

#include "storage/types/type.h"

typedef struct EnumMember {
    Slice label;
    Slice physical;    /* the value: in keys and rows, and its order */
    Oid oid;           /* pg_enum.oid */
    float sort_order;  /* pg_enum.enumsortorder */
} EnumMember;

typedef struct EnumShape {
    Oid oid, array_oid;
    const char *schema, *name;
    const EnumMember *members; /* in order */
    int count;
} EnumShape;

enum { ENUM_LABEL_MAX = 63 };

/* Copies the shape. 53200 if there is no memory. */
Status type_enum_define(const EnumShape *shape, Error *err);
/* The newest definition of an enum type (not of its array); NULL: there is no such type. */
const EnumShape *type_enum_shape(Oid oid);
/* NULL: the bytes are no value of the type. */
const EnumMember *type_enum_member(Oid oid, Value value);

static inline bool type_is_enum(const TypeDef *type)
{
    return type->category == 'E';
}

/* Appends bytes that sort between two neighbours; an empty one is the end on that side. */
void enum_physical_between(Slice before, Slice after, Buf *out);
/* Appends the place of member `index` of `count` that are made together: spread evenly. */
void enum_physical_at(int index, int count, Buf *out);

#endif
