/* fn_keyspace.c - keys, buckets and hash codes from SQL: CockroachDB's crdb_internal functions and YugabyteDB's yb_hash_code. */
#include "executor/functions/families.h"
#include "storage/keys/bucket.h"
#include "storage/keys/key_column.h"
#include "storage/keys/key_print.h"
#include "storage/keys/row_key.h"
#include "storage/keys/yb_hash.h"
#include "storage/types/type_record.h"

static Status finish(FnCtx *ctx, Status st, Buf *buf, Value *out)
{
    if (st == ST_OK && buf->failed) st = err_no_memory(ctx->type.err);
    if (st == ST_OK) *out = value_slice(buf_to_arena(buf, ctx->type.arena));
    buf_finish(buf);
    return st;
}

static Status put_datum(FnCtx *ctx, Oid oid, Value v, Buf *out)
{
    const TypeDef *type = type_find(oid);
    if (!type || (!v.null && type->key_class == KEY_CLASS_NONE))
        return err_set(ctx->type.err, ctx->type.arena, ERR_FEATURE_NOT_SUPPORTED,
                       "values of type %s have no key encoding", type ? type->sql_name : "unknown");
    KeyColumn column = key_column((TypeRef){oid, -1}, false);
    return key_column_encode(&column, v, out, ctx->type.err);
}

static Status datums_to_bytes(FnCtx *ctx, const Value *args, Value *out)
{
    Buf buf = {0};
    Status st = ST_OK;
    for (int i = 0; i < ctx->arg_count && st == ST_OK; i++) st = put_datum(ctx, ctx->arg_types[i].oid, args[i], &buf);
    return finish(ctx, st, &buf, out);
}

/* Several arguments are hashed as one stream; NULLs are skipped. */
static Status fnv32(FnCtx *ctx, const Value *args, Value *out)
{
    uint32_t hash = BUCKET_FNV32_START;
    for (int i = 0; i < ctx->arg_count; i++)
        if (!args[i].null) hash = bucket_fnv32(hash, value_to_slice(args[i]));
    *out = value_int(hash);
    return ST_OK;
}

static Status encode_key(FnCtx *ctx, const Value *args, Value *out)
{
    Buf buf = {0};
    RecordReader reader;
    RecordField field;
    Status st = ST_OK;
    if (args[0].i < 0 || args[0].i > UINT32_MAX || args[1].i < 0 || args[1].i > UINT32_MAX)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE,
                       "table id and index id must be between 0 and 4294967295");
    row_key_index_prefix((uint32_t)args[0].i, (uint32_t)args[1].i, &buf);
    record_open(args[2], &reader);
    while (st == ST_OK && record_next(&reader, &field)) st = put_datum(ctx, field.type, field.value, &buf);
    return finish(ctx, st, &buf, out);
}

static Status pretty_key(FnCtx *ctx, const Value *args, Value *out)
{
    KeyPrintStyle style = KEY_PRINT_WHOLE;
    if (ctx->arg_count > 1) style.skip = args[1].i < 0 ? -1 : args[1].i > 1000 ? 1000 : (int)args[1].i;
    *out = value_str(key_text(value_to_slice(args[0]), &style, ctx->type.arena));
    return ST_OK;
}

static Status yb_hash_code_of(FnCtx *ctx, const Value *args, Value *out)
{
    Buf image = {0};
    Status st = ST_OK;
    for (int i = 0; i < ctx->arg_count && st == ST_OK; i++) {
        Oid oid = ctx->arg_types[i].oid;
        if (oid == OID_UNKNOWN)
            st = err_set(ctx->type.err, ctx->type.arena, ERR_INDETERMINATE_DATATYPE,
                         "undefined datatype given to yb_hash_code");
        else if (!yb_hash_supports(oid)) {
            st = err_set(ctx->type.err, ctx->type.arena, ERR_FEATURE_NOT_SUPPORTED,
                         "unsupported datatype given to yb_hash_code");
            err_detail(ctx->type.err, ctx->type.arena, "Only types supported by HASH key columns are allowed.");
            err_hint(ctx->type.err, ctx->type.arena, "Use explicit casts to ensure input types are as desired.");
        } else {
            st = yb_hash_image(oid, args[i], &image, ctx->type.arena, ctx->type.err);
        }
    }
    if (st == ST_OK && image.failed) st = err_no_memory(ctx->type.err);
    if (st == ST_OK) *out = value_int(yb_hash_code(buf_slice(&image)));
    buf_finish(&image);
    return st;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_keyspace_rows[] = {
    { 9030, "crdb_internal.datums_to_bytes", "any",          "bytea", FN_IMMUTABLE | FN_VARIADIC, datums_to_bytes },
    { 9031, "crdb_internal.encode_key", "int8, int8, record", "bytea", FN, encode_key },
    { 9032, "crdb_internal.pretty_key", "bytea",              "text",  FN, pretty_key },
    { 9033, "crdb_internal.pretty_key", "bytea, int8",        "text",  FN, pretty_key },
    { 9034, "fnv32", "bytea",                                 "int8",  FN_IMMUTABLE | FN_VARIADIC, fnv32 },
    { 9035, "fnv32", "text",                                  "int8",  FN_IMMUTABLE | FN_VARIADIC, fnv32 },
    { 9036, "yb_hash_code", "any",                            "int4",  FN_IMMUTABLE | FN_VARIADIC, yb_hash_code_of },
    { 0 }
};
/* clang-format on */
