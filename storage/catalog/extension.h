/* extension.h - extensions of PostgreSQL whose content the binary brings along, so that CREATE EXTENSION of one works.
 *
 * What such an extension has (functions, types) is in the binary's own lists and may be used without it, too; a database's
 * descriptor keeps those that were created in it, for pg_extension and pg_dump. Const; any thread.
 */
#ifndef STORAGE_CATALOG_EXTENSION_H
#define STORAGE_CATALOG_EXTENSION_H

#include "storage/catalog/desc.h"

typedef struct ExtensionDef {
    Oid oid;
    const char *name, *version, *comment;
    const char *names; /* its functions and types, "citext, digest": those that a schema may stand before */
    bool always;       /* in every database from the start */
} ExtensionDef;

int extension_count(void);
const ExtensionDef *extension_at(int index);
const ExtensionDef *extension_find(const char *name); /* NULL: not known */
/* The one that brings a function or type along; NULL: none does. */
const ExtensionDef *extension_of(const char *name);

/* Its place among database->extensions; -1: not created. */
int extension_index(const DatabaseDesc *database, const ExtensionDef *extension);
/* The schema it was created in. */
const char *extension_schema(const DatabaseDesc *database, int index);

#endif
