/* oid and the types that are object numbers. A reg type reads numbers and "-" here; names need a catalog, and whoever
 * has one resolves them before they come here. regtype is the exception: the built-in types are known here. */
#include "storage/types/type_defs.h"
#include "storage/types/type_int.h"
#include "storage/types/type_user.h"

static Status oid_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    int64_t value;
    IntParse parsed = int_parse(text, &value);
    if (parsed == INT_MALFORMED) return type_invalid_text(ctx, type->sql_name, text);
    /* Negative numbers of four bytes wrap around, as they always did in PostgreSQL. */
    if (type->length == 4 && (parsed == INT_OVERFLOW || value < INT32_MIN || value > UINT32_MAX))
        return type_text_out_of_range(ctx, type->sql_name, text);
    if (parsed == INT_OVERFLOW) return type_text_out_of_range(ctx, type->sql_name, text);
    *out = value_int(type->length == 4 ? (int64_t)(uint32_t)value : value);
    return ST_OK;
}

static void oid_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    int_put_text(out, value.i);
}

static Status oid_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (bytes.size != (size_t)type->length) return type_invalid_binary(ctx);
    *out = value_int(type->length == 4 ? (int64_t)load_u32(bytes.data) : (int64_t)load_u64(bytes.data));
    return ST_OK;
}

static void oid_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    if (type->length == 4)
        buf_put_u32(out, (uint32_t)value.i);
    else
        buf_put_u64(out, (uint64_t)value.i);
}

static Status reg_unknown_name(const TypeDef *type, TypeCtx *ctx, Slice text)
{
    const char *kind = "object";
    SqlState code = ERR_UNDEFINED_OBJECT;
    if (type->oid == OID_REGCLASS) {
        kind = "relation";
        code = ERR_UNDEFINED_TABLE;
    } else if (type->oid == OID_REGTYPE) {
        kind = "type";
    } else if (type->oid == OID_REGNAMESPACE) {
        kind = "schema";
        code = ERR_INVALID_SCHEMA_NAME;
    } else if (type->oid == OID_REGROLE) {
        kind = "role";
    } else if (type->oid == OID_REGPROC) {
        kind = "function";
        code = ERR_UNDEFINED_FUNCTION;
    }
    return err_set(ctx->err, ctx->arena, code, "%s \"%.*s\" does not exist", kind, (int)text.size,
                   (const char *)text.data);
}

static Status reg_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    if (slice_equal_str(text, "-")) {
        *out = value_int(0);
        return ST_OK;
    }
    if (text.size && is_digit(text.data[0])) return oid_in(type, ctx, text, typmod, out);
    if (type->oid == OID_REGTYPE) {
        Slice t = text_trim(text);
        char *name = arena_strndup(ctx->arena, t.data, t.size);
        for (char *c = name; *c; c++) *c = (char)to_lower((uint8_t)*c);
        const TypeDef *found = type_find_name(strncmp(name, "pg_catalog.", 11) == 0 ? name + 11 : name);
        if (found) {
            *out = value_int(found->oid);
            return ST_OK;
        }
    }
    Oid oid;
    const RegNames *names = ctx->env ? ctx->env->reg_names : NULL;
    if (!names || !names->find(names->argument, type->oid, text, &oid)) return reg_unknown_name(type, ctx, text);
    *out = value_int(oid);
    return ST_OK;
}

static void reg_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    const TypeDef *named = type->oid == OID_REGTYPE ? type_find((Oid)value.i) : NULL;
    const RegNames *names = env ? env->reg_names : NULL;
    bool known = named && !user_type_find(named->oid);
    if (names && !known && value.i && names->put(names->argument, type->oid, (Oid)value.i, out)) return;
    if (value.i == 0)
        buf_put_u8(out, '-');
    else if (named)
        buf_put_str(out, named->sql_name);
    else
        int_put_text(out, value.i);
}

#define OID_TYPE(oid_, array, bytes, name_, crdb, category_, in_, out_)                                              \
    {                                                                                                                \
        .oid = (oid_), .array_oid = (array), .name = (name_), .sql_name = (name_), .crdb_name = (crdb),              \
        .length = (bytes), .category = (category_), .preferred = (oid_) == OID_OID, .rep = REP_INT,                  \
        .key_class = KEY_CLASS_INT, .in = (in_), .out = (out_), .receive = oid_receive, .send = oid_send,            \
        .compare = type_int_compare, .hash = type_int_hash                                                           \
    }
#define REG_TYPE(oid_, array, name_, crdb) OID_TYPE(oid_, array, 4, name_, crdb, 'N', reg_in, reg_out)

const TypeDef type_oid = OID_TYPE(OID_OID, OID_OID_ARRAY, 4, "oid", "OID", 'N', oid_in, oid_out);
const TypeDef type_xid = OID_TYPE(28, 1011, 4, "xid", "XID", 'U', oid_in, oid_out);
const TypeDef type_cid = OID_TYPE(29, 1012, 4, "cid", "CID", 'U', oid_in, oid_out);
const TypeDef type_xid8 = OID_TYPE(5069, 271, 8, "xid8", "XID8", 'U', oid_in, oid_out);
const TypeDef type_regproc = REG_TYPE(OID_REGPROC, 1008, "regproc", "REGPROC");
const TypeDef type_regprocedure = REG_TYPE(2202, 2207, "regprocedure", "REGPROCEDURE");
const TypeDef type_regoper = REG_TYPE(2203, 2208, "regoper", "REGOPER");
const TypeDef type_regoperator = REG_TYPE(2204, 2209, "regoperator", "REGOPERATOR");
const TypeDef type_regclass = REG_TYPE(OID_REGCLASS, 2210, "regclass", "REGCLASS");
const TypeDef type_regtype = REG_TYPE(OID_REGTYPE, 2211, "regtype", "REGTYPE");
const TypeDef type_regconfig = REG_TYPE(3734, 3735, "regconfig", "REGCONFIG");
const TypeDef type_regdictionary = REG_TYPE(3769, 3770, "regdictionary", "REGDICTIONARY");
const TypeDef type_regnamespace = REG_TYPE(OID_REGNAMESPACE, 4090, "regnamespace", "REGNAMESPACE");
const TypeDef type_regrole = REG_TYPE(OID_REGROLE, 4097, "regrole", "REGROLE");
const TypeDef type_regcollation = REG_TYPE(4191, 4192, "regcollation", "REGCOLLATION");
