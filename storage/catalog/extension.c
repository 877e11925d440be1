#include "storage/catalog/extension.h"

/* clang-format off */
static const ExtensionDef extensions[] = {
    {16385, "citext", "1.6", "data type for case-insensitive character strings", "citext", false},
    {16386, "pgcrypto", "1.3", "cryptographic functions", "crypt, digest, gen_random_bytes, gen_random_uuid, gen_salt, hmac", false},
    {13666, "plpgsql", "1.0", "PL/pgSQL procedural language", "", true},
    {16387, "uuid-ossp", "1.1", "generate universally unique identifiers (UUIDs)",
     "uuid_generate_v1, uuid_generate_v1mc, uuid_generate_v3, uuid_generate_v4, uuid_generate_v5, uuid_nil, uuid_ns_dns, "
     "uuid_ns_oid, uuid_ns_url, uuid_ns_x500", false},
};
/* clang-format on */

enum { EXTENSION_COUNT = sizeof extensions / sizeof extensions[0] };

int extension_count(void)
{
    return EXTENSION_COUNT;
}

const ExtensionDef *extension_at(int index)
{
    return &extensions[index];
}

const ExtensionDef *extension_find(const char *name)
{
    for (int i = 0; i < EXTENSION_COUNT; i++)
        if (strcmp(extensions[i].name, name) == 0) return &extensions[i];
    return NULL;
}

static bool lists(const char *names, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = names; *at;) {
        size_t n = strcspn(at, ",");
        if (n == size && memcmp(at, name, n) == 0) return true;
        at += n;
        at += strspn(at, ", ");
    }
    return false;
}

const ExtensionDef *extension_of(const char *name)
{
    for (int i = 0; i < EXTENSION_COUNT; i++)
        if (lists(extensions[i].names, name)) return &extensions[i];
    return NULL;
}

/* An entry is "name=schema". */
int extension_index(const DatabaseDesc *database, const ExtensionDef *extension)
{
    size_t size = strlen(extension->name);
    for (int i = 0; i < database->extensions.count; i++) {
        const char *entry = database->extensions.items[i];
        if (strncmp(entry, extension->name, size) == 0 && entry[size] == '=') return i;
    }
    return -1;
}

const char *extension_schema(const DatabaseDesc *database, int index)
{
    return strchr(database->extensions.items[index], '=') + 1;
}
