/* type_user.h - the types that users create, as type_find knows them: enums (type_enum.h) and domains.
 *
 * One registry for the whole process, filled by the catalog: when a store is opened, when a type is created, and when a
 * change of it is committed. OIDs are never reused, so an entry of a transaction that was rolled back is in nobody's way.
 * A definition is immutable and lives for ever, as a built-in type does; a newer one takes its place under the same OID, and
 * values keep their bytes. Any thread.
 */
#ifndef STORAGE_TYPES_TYPE_USER_H
#define STORAGE_TYPES_TYPE_USER_H

#include "storage/types/type.h"

typedef struct UserType UserType;
struct UserType {
    TypeDef def, array;
    const void *shape;        /* an EnumShape; NULL: no enum */
    TypeRef of;               /* a domain's base type, which is no domain; oid 0: no domain */
    Arena *arena;
    const UserType *previous; /* the definition that this one replaced: somebody may still hold it */
};

/* Of the type's or its array's OID; NULL: there is no such type. */
const UserType *user_type_find(Oid oid);
/* Names and the array type are filled in; the rest of `def` is for the caller, who publishes it. */
UserType *user_type_new(Oid oid, Oid array_oid, const char *schema, const char *name);
/* Takes the type over. 53200 if there is no memory. */
Status user_type_publish(UserType *type, Error *err);

typedef struct DomainShape {
    Oid oid, array_oid;
    const char *schema, *name;
    TypeRef of; /* may be a domain */
} DomainShape;
Status type_domain_define(const DomainShape *shape, Error *err);

#endif
