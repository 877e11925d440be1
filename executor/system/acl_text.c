#include "executor/system/acl_text.h"

#include "planner/privilege.h"

static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_')) return false;
    return true;
}

const char *acl_role_text(const Session *session, DescId role, Arena *arena)
{
    const char *name = session ? privilege_role_name(session, role, arena) : arena_printf(arena, "%u", role);
    if (is_plain(name)) return name;
    Buf out = {0};
    buf_put_u8(&out, '"');
    for (const char *c = name; *c; c++) {
        if (*c == '"') buf_put_u8(&out, '"');
        buf_put_u8(&out, (uint8_t)*c);
    }
    buf_put_u8(&out, '"');
    const char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}

static const char *item_text(const Session *session, const AclItem *item, Arena *arena)
{
    Buf out = {0};
    buf_put_str(&out, acl_role_text(session, item->grantee, arena));
    buf_put_u8(&out, '=');
    for (int bit = 0; bit < ACL_COUNT; bit++) {
        if (item->privileges & (1u << bit)) buf_put_u8(&out, (uint8_t)acl_letter(bit));
        if (item->grantable & (1u << bit)) buf_put_u8(&out, '*');
    }
    buf_put_u8(&out, '/');
    buf_put_str(&out, acl_role_text(session, item->grantor, arena));
    const char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    return text;
}

Status acl_array(TypeCtx *ctx, const Session *session, const AclVec *acl, Value *out)
{
    *out = VALUE_NULL;
    if (acl->count == 0) return ST_OK;
    Value *items = ARENA_ARRAY(ctx->arena, Value, acl->count);
    for (int i = 0; i < acl->count; i++) items[i] = value_str(item_text(session, &acl->items[i], ctx->arena));
    return array_build(ctx, OID_ACLITEM, items, acl->count, out);
}

Status sys_acl(SysRow *r, const Desc *desc)
{
    Value out;
    const Session *session = r->ctx->fn.session;
    AclVec acl = desc->acl;
    if (desc->kind == DESC_SCHEMA && strcmp(desc->name, "public") == 0) /* told from the start, as PostgreSQL does */
        acl = acl_of(desc, privilege_role_id(session, desc->owner), sys_arena(r->ctx));
    if (desc->acl_given && acl.count == 0) { /* everything was revoked: an empty list, not the default */
        TRY(array_build(&r->ctx->fn.type, OID_ACLITEM, NULL, 0, &out));
    } else {
        TRY(acl_array(&r->ctx->fn.type, session, &acl, &out));
    }
    sys_value(r, out);
    return ST_OK;
}
