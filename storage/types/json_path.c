/* json_path.c - SQL/JSON paths as text: words, operators, how they print. */
#include "storage/types/json_path.h"
#include "storage/types/type_defs.h"
#include "storage/types/type_json.h"
#include "storage/types/type_numeric.h"

/* clang-format off */
static const char *const words[] = {
    [PATH_NULL] = "null", [PATH_TRUE] = "true", [PATH_FALSE] = "false", [PATH_ROOT] = "$", [PATH_CURRENT] = "@",
    [PATH_LAST] = "last", [PATH_ANY_KEY] = ".*", [PATH_ANY_ELEMENT] = "[*]",
    [PATH_TYPE] = "type", [PATH_SIZE] = "size", [PATH_DOUBLE] = "double", [PATH_CEILING] = "ceiling",
    [PATH_FLOOR] = "floor", [PATH_ABS] = "abs", [PATH_KEYVALUE] = "keyvalue", [PATH_DATETIME] = "datetime",
    [PATH_ADD] = "+", [PATH_SUB] = "-", [PATH_MUL] = "*", [PATH_DIV] = "/", [PATH_MOD] = "%", [PATH_PLUS] = "+",
    [PATH_MINUS] = "-", [PATH_OR] = "||", [PATH_AND] = "&&", [PATH_EQ] = "==", [PATH_NE] = "!=", [PATH_LT] = "<",
    [PATH_LE] = "<=", [PATH_GT] = ">", [PATH_GE] = ">=", [PATH_STARTS_WITH] = "starts with",
    [PATH_IS_UNKNOWN] = "is unknown", /* longest index: gives the table its size */
};
/* clang-format on */

const char *json_path_word(PathKind kind)
{
    return words[kind];
}

bool json_path_is_predicate(PathKind kind)
{
    return kind >= PATH_OR;
}

/* How tightly an operator binds; operands that bind no tighter stand in parentheses. */
static int priority(PathKind kind)
{
    if (kind == PATH_OR) return 0;
    if (kind == PATH_AND) return 1;
    if ((kind >= PATH_EQ && kind <= PATH_GE) || kind == PATH_STARTS_WITH) return 2;
    if (kind == PATH_ADD || kind == PATH_SUB) return 3;
    if (kind == PATH_MUL || kind == PATH_DIV || kind == PATH_MOD) return 4;
    return kind == PATH_PLUS || kind == PATH_MINUS ? 5 : 6;
}

static void put_node(const PathNode *node, bool brackets, Buf *out);

static void put_operand(const PathNode *operand, const PathNode *of, Buf *out)
{
    put_node(operand, priority(operand->kind) <= priority(of->kind), out);
}

static void put_operator(const PathNode *node, bool brackets, Buf *out)
{
    if (brackets) buf_put_u8(out, '(');
    if (node->kind == PATH_PLUS || node->kind == PATH_MINUS) {
        buf_put_str(out, words[node->kind]);
        put_operand(node->left, node, out);
    } else {
        put_operand(node->left, node, out);
        buf_printf(out, " %s ", words[node->kind]);
        put_operand(node->right, node, out);
    }
    if (brackets) buf_put_u8(out, ')');
}

static void put_level(int64_t level, Buf *out)
{
    if (level < 0)
        buf_put_str(out, "last");
    else
        buf_printf(out, "%lld", (long long)level);
}

static void put_levels(const PathNode *node, Buf *out)
{
    buf_put_str(out, ".**");
    if (node->level_first == 0 && node->level_last < 0) return;
    buf_put_u8(out, '{');
    put_level(node->level_first, out);
    if (node->level_first != node->level_last) {
        buf_put_str(out, " to ");
        put_level(node->level_last, out);
    }
    buf_put_u8(out, '}');
}

static void put_subscripts(const PathNode *node, Buf *out)
{
    buf_put_u8(out, '[');
    for (const PathNode *item = node->left; item; item = item->sibling) {
        if (item != node->left) buf_put_u8(out, ',');
        put_node(item->left, false, out);
        if (!item->right) continue;
        buf_put_str(out, " to ");
        put_node(item->right, false, out);
    }
    buf_put_u8(out, ']');
}

static void put_enclosed(const char *before, const PathNode *node, const char *after, Buf *out)
{
    buf_put_str(out, before);
    put_node(node, false, out);
    buf_put_str(out, after);
}

static void put_like_regex(const PathNode *node, bool brackets, Buf *out)
{
    if (brackets) buf_put_u8(out, '(');
    put_operand(node->left, node, out);
    buf_put_str(out, " like_regex ");
    json_put_string(node->text, out);
    if (node->flags.size) {
        buf_put_str(out, " flag ");
        json_put_string(node->flags, out);
    }
    if (brackets) buf_put_u8(out, ')');
}

static void put_one(const PathNode *node, bool brackets, Buf *out)
{
    switch (node->kind) {
    case PATH_NULL:
    case PATH_TRUE:
    case PATH_FALSE:
    case PATH_ROOT:
    case PATH_CURRENT:
    case PATH_LAST:
    case PATH_ANY_KEY:
    case PATH_ANY_ELEMENT: buf_put_str(out, words[node->kind]); break;
    case PATH_STRING: json_put_string(node->text, out); break;
    case PATH_NUMBER:
        if (node->next) buf_put_u8(out, '(');
        numeric_put_text(node->number, out);
        if (node->next) buf_put_u8(out, ')');
        break;
    case PATH_VARIABLE: buf_put_u8(out, '$'); json_put_string(node->text, out); break;
    case PATH_KEY: buf_put_u8(out, '.'); json_put_string(node->text, out); break;
    case PATH_ANY_LEVEL: put_levels(node, out); break;
    case PATH_SUBSCRIPTS: put_subscripts(node, out); break;
    case PATH_FILTER: put_enclosed("?(", node->left, ")", out); break;
    case PATH_TYPE:
    case PATH_SIZE:
    case PATH_DOUBLE:
    case PATH_CEILING:
    case PATH_FLOOR:
    case PATH_ABS:
    case PATH_KEYVALUE: buf_printf(out, ".%s()", words[node->kind]); break;
    case PATH_DATETIME:
        buf_put_str(out, ".datetime(");
        if (node->text.data) json_put_string(node->text, out);
        buf_put_u8(out, ')');
        break;
    case PATH_ADD:
    case PATH_SUB:
    case PATH_MUL:
    case PATH_DIV:
    case PATH_MOD:
    case PATH_PLUS:
    case PATH_MINUS:
    case PATH_OR:
    case PATH_AND:
    case PATH_EQ:
    case PATH_NE:
    case PATH_LT:
    case PATH_LE:
    case PATH_GT:
    case PATH_GE:
    case PATH_STARTS_WITH: put_operator(node, brackets, out); break;
    case PATH_NOT: put_enclosed("!(", node->left, ")", out); break;
    case PATH_LIKE_REGEX: put_like_regex(node, brackets, out); break;
    case PATH_EXISTS: put_enclosed("exists (", node->left, ")", out); break;
    case PATH_IS_UNKNOWN: put_enclosed("(", node->left, ") is unknown", out); break;
    }
}

static void put_node(const PathNode *node, bool brackets, Buf *out)
{
    for (; node; node = node->next) {
        put_one(node, brackets || node->next, out);
        brackets = true;
    }
}

void json_path_put(const JsonPath *path, Buf *out)
{
    if (path->strict) buf_put_str(out, "strict ");
    put_node(path->root, true, out);
}

/* ---- the type ---- */

static Status jsonpath_in(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out)
{
    JsonPath path;
    Buf buf = {0};
    TRY(json_path_parse(ctx, text, &path));
    json_path_put(&path, &buf);
    bool failed = buf.failed;
    if (!failed) *out = value_slice(buf_to_arena(&buf, ctx->arena));
    buf_finish(&buf);
    return failed ? err_no_memory(ctx->err) : ST_OK;
}

static void jsonpath_out(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put(out, value.p, value.size);
}

/* The wire's form: a version, 1, and the text. */
static Status jsonpath_receive(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out)
{
    if (!bytes.size || bytes.data[0] != 1) return type_invalid_binary(ctx);
    return jsonpath_in(type, ctx, slice_of(bytes.data + 1, bytes.size - 1), typmod, out);
}

static void jsonpath_send(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    buf_put_u8(out, 1);
    buf_put(out, value.p, value.size);
}

const TypeDef type_jsonpath = {
    .oid = 4072, .array_oid = 4073, .name = "jsonpath", .sql_name = "jsonpath", .crdb_name = "JSONPATH", .length = -1,
    .category = 'U', .rep = REP_BYTES, .key_class = KEY_CLASS_NONE, .in = jsonpath_in, .out = jsonpath_out,
    .receive = jsonpath_receive, .send = jsonpath_send,
};
