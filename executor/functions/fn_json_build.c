/* fn_json_build.c - json and jsonb made of SQL values: to_json, json_build_object, json_agg and kin. The text is made
 * first, in PostgreSQL's spacing; jsonb is that text, parsed. */
#include <stdio.h>

#include "executor/functions/families.h"
#include "storage/types/type_array.h"
#include "storage/types/type_json.h"
#include "storage/types/type_record.h"

/* ---- values as json text ---- */

typedef struct JsonOut {
    const TypeEnv *env;
    Buf *text;
} JsonOut;

static void put_value(const JsonOut *o, Oid oid, Value v);

static bool is_number(Oid oid)
{
    return oid == OID_INT2 || oid == OID_INT4 || oid == OID_INT8 || oid == OID_FLOAT4 || oid == OID_FLOAT8 || oid == OID_NUMERIC;
}

/* NaN and Infinity are texts in json. */
static void put_number(const JsonOut *o, const TypeDef *type, Value v)
{
    Buf text = {0};
    type->out(type, o->env, v, &text);
    Slice number = buf_slice(&text);
    bool plain = number.size && number.data[number.size - 1] >= '0' && number.data[number.size - 1] <= '9';
    if (plain) buf_put_slice(o->text, number);
    else json_put_string(number, o->text);
    buf_finish(&text);
}

/* ISO 8601, whatever DateStyle says: a T between date and time, zones with minutes. */
static void put_moment(const JsonOut *o, const TypeDef *type, Value v)
{
    TypeEnv env = *o->env;
    Buf text = {0};
    env.date_style = DATE_ISO;
    type->out(type, &env, v, &text);
    Slice moment = buf_slice(&text);
    buf_put_u8(o->text, '"');
    for (size_t i = 0; i < moment.size; i++) buf_put_u8(o->text, moment.data[i] == ' ' && i < 12 ? 'T' : moment.data[i]);
    bool zoned = type->oid == OID_TIMESTAMPTZ && moment.size > 3 &&
                 (moment.data[moment.size - 3] == '+' || moment.data[moment.size - 3] == '-');
    buf_put_str(o->text, zoned ? ":00\"" : "\"");
    buf_finish(&text);
}

static void put_dimension(const JsonOut *o, const Array *array, int dimension, int *at)
{
    buf_put_u8(o->text, '[');
    for (int i = 0; i < array->lengths[dimension]; i++) {
        if (i) buf_put_u8(o->text, ',');
        if (dimension + 1 < array->dimension_count) put_dimension(o, array, dimension + 1, at);
        else put_value(o, array->element, array_element(array, (*at)++));
    }
    buf_put_u8(o->text, ']');
}

static void put_array(const JsonOut *o, Value v)
{
    Array array;
    int at = 0;
    array_open(v, &array);
    if (array.count == 0) buf_put_str(o->text, "[]");
    else put_dimension(o, &array, 0, &at);
}

static void put_record(const JsonOut *o, Value v)
{
    RecordReader reader;
    RecordField field;
    record_open(v, &reader);
    buf_put_u8(o->text, '{');
    while (record_next(&reader, &field)) {
        char number[16];
        int size = snprintf(number, sizeof number, "f%d", reader.read);
        if (reader.read > 1) buf_put_u8(o->text, ',');
        json_put_string(field.name.size ? field.name : slice_of(number, (size_t)size), o->text);
        buf_put_u8(o->text, ':');
        put_value(o, field.type, field.value);
    }
    buf_put_u8(o->text, '}');
}

static void put_value(const JsonOut *o, Oid oid, Value v)
{
    const TypeDef *type = type_find(oid);
    Buf text = {0};
    if (v.null || !type) buf_put_str(o->text, "null");
    else if (oid == OID_BOOL) buf_put_str(o->text, v.i ? "true" : "false");
    else if (is_number(oid)) put_number(o, type, v);
    else if (oid == OID_JSON) buf_put_slice(o->text, value_to_slice(v));
    else if (oid == OID_JSONB) jsonb_put_text(jsonb_root(v), o->text);
    else if (type_is_array(type)) put_array(o, v);
    else if (oid == OID_RECORD) put_record(o, v);
    else if (oid == OID_TIMESTAMP || oid == OID_TIMESTAMPTZ || oid == OID_DATE) put_moment(o, type, v);
    else {
        type->out(type, o->env, v, &text);
        json_put_string(buf_slice(&text), o->text);
        buf_finish(&text);
    }
}

static void put_argument(FnCtx *ctx, int argument, Value v, Buf *text)
{
    put_value(&(JsonOut){ctx->type.env, text}, ctx->arg_types[argument].oid, v);
}

/* The text as json or, parsed, as jsonb, whatever the function returns. */
static Status hand_out(FnCtx *ctx, Buf *text, Value *out)
{
    bool failed = text->failed;
    Slice made = failed ? (Slice){0} : buf_to_arena(text, ctx->type.arena);
    buf_finish(text);
    if (failed) return err_no_memory(ctx->type.err);
    if (ctx->result_type.oid == OID_JSONB) return jsonb_parse(&ctx->type, made, out);
    *out = value_slice(made);
    return ST_OK;
}

static Status to_json(FnCtx *ctx, const Value *args, Value *out)
{
    Buf text = {0};
    put_argument(ctx, 0, args[0], &text);
    return hand_out(ctx, &text, out);
}

/* row_to_json(row, true), array_to_json(array, true): a line feed between the members of the outermost. */
static Status to_json_pretty(FnCtx *ctx, const Value *args, Value *out)
{
    if (args[1].i)
        return err_unsupported(ctx->type.err, ctx->type.arena, "line feeds in row_to_json and array_to_json");
    return to_json(ctx, args, out);
}

/* ---- json_build_object, json_build_array ---- */

static Status invalid(FnCtx *ctx, const char *message)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "%s", message);
}

/* Keys are texts whatever their type. */
static void put_key(FnCtx *ctx, int argument, Value v, Buf *text)
{
    json_put_string(slice_str(type_text(ctx->arg_types[argument], ctx->type.env, v, ctx->type.arena)), text);
}

static Status build_object(FnCtx *ctx, const Value *args, Value *out)
{
    bool binary = ctx->result_type.oid == OID_JSONB;
    if (ctx->arg_count % 2) {
        invalid(ctx, "argument list must have even number of elements");
        err_hint(ctx->type.err, ctx->type.arena, "The arguments of %s() must consist of alternating keys and values.",
                 binary ? "jsonb_build_object" : "json_build_object");
        return ST_ERROR;
    }
    for (int i = 0; i < ctx->arg_count; i += 2) {
        if (!args[i].null) continue;
        invalid(ctx, arena_printf(ctx->type.arena, binary ? "argument %d: key must not be null" : "argument %d cannot be null", i + 1));
        if (!binary) err_hint(ctx->type.err, ctx->type.arena, "Object keys should be text.");
        return ST_ERROR;
    }
    Buf text = {0};
    buf_put_u8(&text, '{');
    for (int i = 0; i < ctx->arg_count; i += 2) {
        if (i) buf_put_str(&text, ", ");
        put_key(ctx, i, args[i], &text);
        buf_put_str(&text, " : ");
        put_argument(ctx, i + 1, args[i + 1], &text);
    }
    buf_put_u8(&text, '}');
    return hand_out(ctx, &text, out);
}

static Status build_array(FnCtx *ctx, const Value *args, Value *out)
{
    Buf text = {0};
    buf_put_u8(&text, '[');
    for (int i = 0; i < ctx->arg_count; i++) {
        if (i) buf_put_str(&text, ", ");
        put_argument(ctx, i, args[i], &text);
    }
    buf_put_u8(&text, ']');
    return hand_out(ctx, &text, out);
}

/* ---- aggregates ---- */

typedef struct JsonState {
    Buf *text; /* released with the group's arena */
} JsonState;

static Buf *state_text(AggCtx *ctx, JsonState *state, const char *open, const char *between)
{
    if (state->text) {
        buf_put_str(state->text, between);
        return state->text;
    }
    state->text = ARENA_NEW(ctx->fn.type.arena, Buf);
    arena_defer(ctx->fn.type.arena, buf_finish_deferred, state->text);
    buf_put_str(state->text, open);
    return state->text;
}

static Status json_agg_step(AggCtx *ctx, void *state, const Value *args)
{
    const TypeDef *type = type_find(ctx->fn.arg_types[0].oid);
    bool composite = type && (type->oid == OID_RECORD || type_is_array(type));
    Buf *text = state_text(ctx, state, "[", composite ? ", \n " : ", ");
    put_argument(&ctx->fn, 0, args[0], text);
    return text->failed ? err_no_memory(ctx->fn.type.err) : ST_OK;
}

static Status object_agg_step(AggCtx *ctx, void *state, const Value *args)
{
    if (args[0].null) return invalid(&ctx->fn, "field name must not be null");
    Buf *text = state_text(ctx, state, "{ ", ", ");
    put_key(&ctx->fn, 0, args[0], text);
    buf_put_str(text, " : ");
    put_argument(&ctx->fn, 1, args[1], text);
    return text->failed ? err_no_memory(ctx->fn.type.err) : ST_OK;
}

static Status agg_out(AggCtx *ctx, const JsonState *state, const char *close, Value *out)
{
    *out = VALUE_NULL;
    if (!state->text) return ST_OK;
    Buf whole = {0};
    buf_put_slice(&whole, buf_slice(state->text));
    buf_put_str(&whole, close);
    return hand_out(&ctx->fn, &whole, out);
}

static Status json_agg_final(AggCtx *ctx, void *state, Value *out)
{
    return agg_out(ctx, state, "]", out);
}

static Status object_agg_final(AggCtx *ctx, void *state, Value *out)
{
    return agg_out(ctx, state, " }", out);
}

/* clang-format off */
#define ANY_LIST FN_STABLE | FN_VARIADIC
const FuncDef fn_json_build_rows[] = {
    { 3176, "to_json",       "anyelement", "json",  FN_STRICT | FN_STABLE, to_json },
    { 3787, "to_jsonb",      "anyelement", "jsonb", FN_STRICT | FN_STABLE, to_json },
    { 3155, "row_to_json",   "record",     "json",  FN_STRICT | FN_STABLE, to_json },
    { 3156, "row_to_json",   "record, bool",   "json", FN_STRICT | FN_STABLE, to_json_pretty },
    { 3153, "array_to_json", "anyarray",   "json",  FN_STRICT | FN_STABLE, to_json },
    { 3154, "array_to_json", "anyarray, bool", "json", FN_STRICT | FN_STABLE, to_json_pretty },
    { 3200, "json_build_object",  "any", "json",  ANY_LIST, build_object },
    { 3201, "json_build_object",  "",    "json",  FN_STABLE, build_object },
    { 3273, "jsonb_build_object", "any", "jsonb", ANY_LIST, build_object },
    { 3274, "jsonb_build_object", "",    "jsonb", FN_STABLE, build_object },
    { 3198, "json_build_array",   "any", "json",  ANY_LIST, build_array },
    { 3199, "json_build_array",   "",    "json",  FN_STABLE, build_array },
    { 3271, "jsonb_build_array",  "any", "jsonb", ANY_LIST, build_array },
    { 3272, "jsonb_build_array",  "",    "jsonb", FN_STABLE, build_array },
    { 0 },
};

const AggDef fn_json_aggregate_rows[] = {
    { 3175, "json_agg",  "anyelement", "json",  AGG_ORDER_MATTERS, sizeof(JsonState), json_agg_step, json_agg_final },
    { 3267, "jsonb_agg", "anyelement", "jsonb", AGG_ORDER_MATTERS, sizeof(JsonState), json_agg_step, json_agg_final },
    { 3197, "json_object_agg",  "any, any", "json",  AGG_ORDER_MATTERS, sizeof(JsonState), object_agg_step, object_agg_final },
    { 3270, "jsonb_object_agg", "any, any", "jsonb", AGG_ORDER_MATTERS, sizeof(JsonState), object_agg_step, object_agg_final },
    { 0 },
};
/* clang-format on */
