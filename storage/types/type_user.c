#include "storage/types/type_user.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "storage/types/type_array.h"
#include "storage/types/type_defs.h"

/* An OID's place; its definition is replaced, the place stays. */
typedef struct Entry Entry;
struct Entry {
    Oid oid;
    _Atomic(const UserType *) type;
    Entry *next;
};

enum { BUCKETS = 4096 };
static _Atomic(Entry *) registry[BUCKETS];
static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER; /* of those who add; readers take none */

static Entry *find_entry(Oid oid)
{
    Entry *entry = atomic_load_explicit(&registry[oid % BUCKETS], memory_order_acquire);
    while (entry && entry->oid != oid) entry = entry->next;
    return entry;
}

const UserType *user_type_find(Oid oid)
{
    Entry *entry = find_entry(oid);
    return entry ? atomic_load_explicit(&entry->type, memory_order_acquire) : NULL;
}

/* As format_type has it: quoted where needed, with its schema where that is not public. */
static const char *printed_name(const char *schema, const char *type, Arena *arena)
{
    const char *parts[] = {strcmp(schema, "public") == 0 ? "" : schema, type};
    Buf text = {0};
    for (int i = 0; i < 2; i++) {
        bool plain = !(parts[i][0] >= '0' && parts[i][0] <= '9');
        if (!*parts[i]) continue;
        for (const char *c = parts[i]; *c; c++)
            plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
        if (i && text.size) buf_put_u8(&text, '.');
        if (!plain) buf_put_u8(&text, '"');
        for (const char *c = parts[i]; *c; c++) {
            if (*c == '"') buf_put_u8(&text, '"');
            buf_put_u8(&text, (uint8_t)*c);
        }
        if (!plain) buf_put_u8(&text, '"');
    }
    const char *name = buf_to_str(&text, arena);
    buf_finish(&text);
    return name;
}

UserType *user_type_new(Oid oid, Oid array_oid, const char *schema, const char *name)
{
    Arena *arena = arena_create(NULL, 0);
    UserType *type = ARENA_NEW(arena, UserType);
    const char *printed = printed_name(schema, name, arena), *array_printed = arena_printf(arena, "%s[]", printed);
    type->arena = arena;
    type->def = (TypeDef){.oid = oid, .array_oid = array_oid, .name = arena_strdup(arena, name), .sql_name = printed,
                          .crdb_name = printed};
    type->array = (TypeDef){.oid = array_oid, .element_oid = oid, .name = arena_printf(arena, "_%s", name),
                            .sql_name = array_printed, .crdb_name = array_printed, .length = -1, .category = 'A',
                            .rep = REP_BYTES, .key_class = KEY_CLASS_ARRAY, .in = array_in, .out = array_out,
                            .receive = array_receive, .send = array_send, .compare = array_compare, .hash = array_hash};
    return type;
}

static bool publish(Oid oid, const UserType *type)
{
    Entry *entry = find_entry(oid);
    if (entry) {
        atomic_store_explicit(&entry->type, type, memory_order_release);
        return true;
    }
    entry = calloc(1, sizeof *entry);
    if (!entry) return false;
    entry->oid = oid;
    entry->next = atomic_load_explicit(&registry[oid % BUCKETS], memory_order_relaxed);
    atomic_init(&entry->type, type);
    atomic_store_explicit(&registry[oid % BUCKETS], entry, memory_order_release);
    return true;
}

Status user_type_publish(UserType *type, Error *err)
{
    pthread_mutex_lock(&registry_mutex);
    type->previous = user_type_find(type->def.oid);
    bool done = publish(type->def.oid, type) && publish(type->def.array_oid, type);
    pthread_mutex_unlock(&registry_mutex);
    return done ? ST_OK : err_no_memory(err);
}

/* ---- domains ---- */

Status type_domain_define(const DomainShape *shape, Error *err)
{
    const TypeDef *base = type_find(shape->of.oid);
    assert(base); /* an older type */
    UserType *type = user_type_new(shape->oid, shape->array_oid, shape->schema, shape->name);
    TypeDef named = type->def;
    type->of = (TypeRef){shape->of.oid, shape->of.typmod};
    type->def = *base;
    type->def.oid = named.oid, type->def.array_oid = named.array_oid;
    type->def.name = named.name, type->def.sql_name = named.sql_name, type->def.crdb_name = named.crdb_name;
    type->def.preferred = false;
    return user_type_publish(type, err);
}

TypeRef type_ref(Oid oid)
{
    const UserType *type = user_type_find(oid);
    if (!type || !type->of.oid) return (TypeRef){oid, -1};
    if (oid == type->def.oid) return (TypeRef){type->of.oid, type->of.typmod, oid};
    return (TypeRef){type_find(type->of.oid)->array_oid, type->of.typmod, oid};
}
