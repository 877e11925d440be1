/* fn_acl.c - access privileges as values: aclitem is held as its text, grantee=privileges/grantor. */
#include <stdlib.h>

#include "executor/functions/families.h"
#include "executor/system/acl_text.h"
#include "planner/session.h"
#include "storage/types/type_array.h"

/* In the order in which PostgreSQL prints them: its bits from the lowest up. */
static const struct Privilege {
    char letter;
    const char *name;
} privileges[] = {
    {'a', "INSERT"},  {'r', "SELECT"}, {'w', "UPDATE"}, {'d', "DELETE"}, {'D', "TRUNCATE"},  {'x', "REFERENCES"}, {'t', "TRIGGER"},
    {'X', "EXECUTE"}, {'U', "USAGE"},  {'C', "CREATE"}, {'T', "TEMPORARY"}, {'c', "CONNECT"}, {'s', "SET"},
    {'A', "ALTER SYSTEM"},
};
enum { PRIVILEGES = sizeof privileges / sizeof *privileges };

/* What an object's owner, and everybody, may do as long as nothing was granted or revoked. */
static const struct Default {
    char object;
    const char *owner, *everybody;
} defaults[] = {
    {'c', "", ""},     {'r', "arwdDxt", ""}, {'s', "rwU", ""}, {'d', "CTc", "Tc"}, {'f', "X", "X"}, {'l', "U", "U"}, {'L', "rw", ""},
    {'n', "UC", ""},   {'p', "sA", ""},      {'t', "C", ""},   {'F', "U", ""},     {'S', "U", ""},  {'T', "U", "U"},
};

static const char *role_name(FnCtx *ctx, Oid oid)
{
    return acl_role_text(ctx->session, oid, ctx->type.arena);
}

static Status acldefault(FnCtx *ctx, const Value *args, Value *out)
{
    char object = args[0].size ? (char)args[0].p[0] : 0;
    const char *owner = role_name(ctx, (Oid)args[1].i);
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const struct Default *d = &defaults[i];
        Value items[2];
        int count = 0;
        if (d->object != object) continue;
        if (*d->everybody) items[count++] = value_str(arena_printf(ctx->type.arena, "=%s/%s", d->everybody, owner));
        if (*d->owner) items[count++] = value_str(arena_printf(ctx->type.arena, "%s=%s/%s", owner, d->owner, owner));
        return array_build(&ctx->type, OID_ACLITEM, items, count, out);
    }
    return err_set(ctx->type.err, ctx->type.arena, ERR_INTERNAL_ERROR, "unrecognized objtype abbreviation: %c", object);
}

static Status makeaclitem(FnCtx *ctx, const Value *args, Value *out)
{
    Arena *arena = ctx->type.arena;
    const char *word = arena_strndup(arena, args[2].p, args[2].size);
    int found = 0;
    while (found < PRIVILEGES && strcasecmp(word, privileges[found].name) != 0) found++;
    for (int i = 0; i < PRIVILEGES && strcasecmp(word, "TEMP") == 0; i++)
        if (privileges[i].letter == 'T') found = i;
    if (found == PRIVILEGES)
        return err_set(ctx->type.err, arena, ERR_INVALID_PARAMETER_VALUE, "unrecognized privilege type: \"%s\"", word);
    Buf item = {0};
    buf_put_str(&item, args[0].i ? role_name(ctx, (Oid)args[0].i) : "");
    buf_put_u8(&item, '=');
    buf_put_u8(&item, (uint8_t)privileges[found].letter);
    if (args[3].i) buf_put_u8(&item, '*');
    buf_put_u8(&item, '/');
    buf_put_str(&item, role_name(ctx, (Oid)args[1].i));
    *out = value_bytes(arena_strndup(arena, item.data, item.size), item.size);
    buf_finish(&item);
    return ST_OK;
}

/* ---- aclexplode ---- */

typedef struct Explode {
    Array items;
    int at;            /* the item that is being taken apart, from 1 */
    const char *rest;  /* of its privileges */
    Oid grantee, grantor;
} Explode;

/* A role as it stands in an item, up to `stop`; its end in *end. */
static Oid role_of(FnCtx *ctx, const char *text, char stop, const char **end)
{
    Buf name = {0};
    bool quote = false;
    for (; *text && (quote || *text != stop); text++) {
        if (*text != '"') {
            buf_put_u8(&name, (uint8_t)*text);
        } else if (quote && text[1] == '"') {
            buf_put_u8(&name, '"');
            text++;
        } else {
            quote = !quote;
        }
    }
    *end = text;
    const char *key = arena_strndup(ctx->type.arena, name.data ? name.data : (const uint8_t *)"", name.size);
    buf_finish(&name);
    if (!*key) return 0;
    const Desc *role = catalog_find_role(ctx->session->catalog, key);
    return role ? role->id : (Oid)strtoul(key, NULL, 10);
}

static Status explode_start(FnCtx *ctx, void *state, const Value *args)
{
    Explode *e = state;
    array_open(args[0], &e->items);
    e->rest = "";
    return ST_OK;
}

static Status explode_next(FnCtx *ctx, void *state, Value *out)
{
    Explode *e = state;
    while (!*e->rest || *e->rest == '/') {
        const char *end;
        if (e->at == e->items.count) return ST_END;
        Value item = array_element(&e->items, e->at++);
        if (item.null) continue;
        const char *text = arena_strndup(ctx->type.arena, item.p, item.size);
        e->grantee = role_of(ctx, text, '=', &end);
        e->rest = *end ? end + 1 : end;
        const char *slash = strchr(e->rest, '/');
        e->grantor = slash ? role_of(ctx, slash + 1, 0, &end) : 0;
    }
    const char *name = "";
    for (int i = 0; i < PRIVILEGES; i++)
        if (privileges[i].letter == *e->rest) name = privileges[i].name;
    bool grantable = e->rest[1] == '*';
    e->rest += grantable ? 2 : 1;
    out[0] = value_int(e->grantor);
    out[1] = value_int(e->grantee);
    out[2] = value_str(name);
    out[3] = value_bool(grantable);
    return ST_OK;
}

static const FnRows explode_rows = {sizeof(Explode), explode_start, explode_next,
                                    "grantor oid, grantee oid, privilege_type text, is_grantable bool"};

/* clang-format off */
const FuncDef fn_acl_rows[] = {
    { 3943, "acldefault", "\"char\", oid", "_aclitem", FN_STRICT | FN_STABLE, acldefault },
    { 1689, "aclexplode", "_aclitem", "record", FN_STRICT | FN_STABLE | FN_SET, .rows = &explode_rows },
    { 1365, "makeaclitem", "oid, oid, text, bool", "aclitem", FN_STRICT | FN_STABLE, makeaclitem },
    { 0 }
};
/* clang-format on */
