#include "storage/types/type_enum.h"

#include "storage/types/type_defs.h"
#include "storage/types/type_user.h"

const EnumShape *type_enum_shape(Oid oid)
{
    const UserType *type = user_type_find(oid);
    return type && type->shape && type->def.oid == oid ? type->shape : NULL;
}

const EnumMember *type_enum_member(Oid oid, Value value)
{
    const EnumShape *shape = type_enum_shape(oid);
    int low = 0, high = shape ? shape->count : 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = slice_compare(shape->members[middle].physical, value_to_slice(value));
        if (order == 0) return &shape->members[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

/* ---- what the type can do ---- */

static Status enum_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    const EnumShape *shape = type_enum_shape(type->oid); /* the newest labels, however old the plan is */
    for (int i = 0; i < shape->count; i++)
        if (slice_equal(shape->members[i].label, text)) {
            *out = value_slice(shape->members[i].physical);
            return ST_OK;
        }
    return err_set(ctx->err, ctx->arena, ERR_INVALID_TEXT_REPRESENTATION, "invalid input value for enum %s: \"%.*s\"",
                   type->sql_name, (int)text.size, (const char *)text.data);
}

static void enum_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const EnumMember *member = type_enum_member(type->oid, value);
    if (member) buf_put_slice(out, member->label);
}

static Status enum_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    return enum_in(type, ctx, bytes, typmod, out);
}

/* ---- defining ---- */

Status type_enum_define(const EnumShape *from, Error *err)
{
    UserType *type = user_type_new(from->oid, from->array_oid, from->schema, from->name);
    EnumShape *shape = ARENA_NEW(type->arena, EnumShape);
    EnumMember *members = ARENA_ARRAY(type->arena, EnumMember, from->count + 1);
    for (int i = 0; i < from->count; i++) {
        members[i] = from->members[i];
        members[i].label = arena_slice(type->arena, members[i].label);
        members[i].physical = arena_slice(type->arena, members[i].physical);
    }
    *shape = (EnumShape){from->oid, from->array_oid, arena_strdup(type->arena, from->schema), type->def.name, members,
                         from->count};
    type->shape = shape;
    TypeDef *def = &type->def;
    def->length = 4, def->category = 'E', def->rep = REP_BYTES, def->key_class = KEY_CLASS_BYTES;
    def->in = enum_in, def->out = enum_out, def->receive = enum_receive, def->send = enum_out;
    def->compare = type_bytes_compare, def->hash = type_bytes_hash;
    return user_type_publish(type, err);
}

/* ---- places in the order ---- */

void enum_physical_at(int index, int count, Buf *out)
{
    if (count < 255) {
        buf_put_u8(out, (uint8_t)(256 * (index + 1) / (count + 1)));
        return;
    }
    buf_put_u16(out, (uint16_t)(65536 * ((int64_t)index + 1) / (count + 1)));
}

void enum_physical_between(Slice before, Slice after, Buf *out)
{
    bool below_after = after.size > 0;
    for (size_t i = 0;; i++) {
        int low = i < before.size ? before.data[i] : 0;
        int high = below_after ? (i < after.size ? after.data[i] : 0) : 256;
        if (high - low > 1) {
            buf_put_u8(out, (uint8_t)(low + (high - low) / 2));
            return;
        }
        buf_put_u8(out, (uint8_t)low);
        if (low < high) below_after = false;
    }
}
