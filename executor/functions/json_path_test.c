/* json_path_test.c - conditions of paths, in three truth values. */
#include "executor/functions/json_path_internal.h"
#include "executor/functions/regex.h"
#include "storage/types/type_numeric.h"

/* A fault inside a condition is forgotten; running out of memory or being cancelled is not. */
static Status forgive(PathRun *run, Status status, bool *failed)
{
    Error *err = run->fn->type.err;
    *failed = status == ST_ERROR;
    if (!*failed) return ST_OK;
    const char *code = sqlstate_code(err->sqlstate);
    if (strncmp(code, "22", 2) != 0) return ST_ERROR;
    *err = (Error){0};
    return ST_OK;
}

static PathTruth truth_of(bool value)
{
    return value ? PATH_IS_TRUE : PATH_IS_FALSE;
}

static bool ordered(PathKind op, int order)
{
    switch ((int)op) {
    case PATH_EQ: return order == 0;
    case PATH_NE: return order != 0;
    case PATH_LT: return order < 0;
    case PATH_LE: return order <= 0;
    case PATH_GT: return order > 0;
    default: return order >= 0;
    }
}

static bool is_bool(JsonItem item)
{
    return item.kind == JSON_TRUE || item.kind == JSON_FALSE;
}

static PathTruth compare_items(PathKind op, JsonItem a, JsonItem b)
{
    if (is_bool(a) && is_bool(b)) return truth_of(ordered(op, (a.kind == JSON_TRUE) - (b.kind == JSON_TRUE)));
    if (a.kind != b.kind) {
        bool null = a.kind == JSON_NULL || b.kind == JSON_NULL;
        return null ? truth_of(op == PATH_NE) : PATH_IS_UNKNOWN_TRUTH;
    }
    if (a.kind == JSON_NULL) return truth_of(ordered(op, 0));
    if (a.kind == JSON_NUMBER) return truth_of(ordered(op, numeric_compare(jsonb_numeric(a), jsonb_numeric(b))));
    if (a.kind == JSON_STRING) return truth_of(ordered(op, slice_compare(a.payload, b.payload)));
    return PATH_IS_UNKNOWN_TRUTH;
}

static Status match_regex(PathRun *run, const PathNode *node, JsonItem item, PathTruth *truth)
{
    FnCtx *fn = run->fn;
    void *outer = fn->site;
    int options = REGEX_PARTIAL;
    Regex *regex;
    const RegexSpan *spans;
    bool found = false;
    *truth = PATH_IS_UNKNOWN_TRUTH;
    if (item.kind != JSON_STRING) return ST_OK;
    for (size_t i = 0; i < node->flags.size; i++) {
        if (node->flags.data[i] == 'i') options |= REGEX_IGNORE_CASE;
        if (node->flags.data[i] == 's') options &= ~REGEX_PARTIAL;
        if (node->flags.data[i] == 'm') options |= REGEX_WEIRD;
        if (node->flags.data[i] == 'q') options |= REGEX_LITERAL;
    }
    fn->site = node->site; /* each pattern has a place of its own */
    Status status = regex_at_site(fn, node->text, options, &regex);
    if (status == ST_OK) status = regex_match(fn, regex, item.payload, 0, &found, &spans);
    fn->site = outer;
    *truth = truth_of(found);
    return status;
}

static Status test_pair(PathRun *run, const PathNode *node, JsonItem a, JsonItem b, PathTruth *truth)
{
    if (node->kind == PATH_LIKE_REGEX) return match_regex(run, node, a, truth);
    if (node->kind != PATH_STARTS_WITH) {
        *truth = compare_items(node->kind, a, b);
        return ST_OK;
    }
    bool strings = a.kind == JSON_STRING && b.kind == JSON_STRING;
    *truth = strings ? truth_of(slice_starts_with(a.payload, b.payload)) : PATH_IS_UNKNOWN_TRUTH;
    return ST_OK;
}

/* Any pair of what both sides find. Lax mode takes the first that is true; strict mode looks at all for one that fails. */
static Status test_pairs(PathRun *run, const PathNode *node, JsonItem item, PathTruth *truth)
{
    JsonItems left = {0}, right = {0};
    bool failed, unknown = false, any = false;
    *truth = PATH_IS_UNKNOWN_TRUTH;
    TRY(forgive(run, path_run_operand(run, node->left, item, true, &left), &failed));
    if (failed) return ST_OK;
    if (node->right) TRY(forgive(run, path_run_operand(run, node->right, item, node->kind != PATH_STARTS_WITH, &right), &failed));
    if (failed) return ST_OK;
    if (!node->right) VEC_PUSH(run->fn->type.arena, right, ((JsonItem){JSON_NULL, {0}}));
    for (int l = 0; l < left.count; l++) {
        for (int r = 0; r < right.count; r++) {
            PathTruth one;
            TRY(test_pair(run, node, left.items[l], right.items[r], &one));
            if (one == PATH_IS_UNKNOWN_TRUTH && run->strict) return ST_OK;
            unknown |= one == PATH_IS_UNKNOWN_TRUTH;
            any |= one == PATH_IS_TRUE;
            if (any && !run->strict) break;
        }
        if (any && !run->strict) break;
    }
    *truth = any ? PATH_IS_TRUE : unknown ? PATH_IS_UNKNOWN_TRUTH : PATH_IS_FALSE;
    return ST_OK;
}

static Status test_both(PathRun *run, const PathNode *node, JsonItem item, PathTruth *truth)
{
    PathTruth decides = node->kind == PATH_AND ? PATH_IS_FALSE : PATH_IS_TRUE, second;
    TRY(path_test(run, node->left, item, truth));
    if (*truth == decides) return ST_OK;
    TRY(path_test(run, node->right, item, &second));
    if (second == decides || *truth != PATH_IS_UNKNOWN_TRUTH) *truth = second;
    return ST_OK;
}

static Status test_exists(PathRun *run, const PathNode *node, JsonItem item, PathTruth *truth)
{
    JsonItems found = {0};
    bool failed;
    TRY(forgive(run, path_run_node(run, node->left, item, &found, !run->strict), &failed));
    bool enough = found.count > 0 && !run->strict; /* lax mode is done with the first item */
    *truth = failed && !enough ? PATH_IS_UNKNOWN_TRUTH : truth_of(found.count > 0);
    return ST_OK;
}

Status path_test(PathRun *run, const PathNode *node, JsonItem item, PathTruth *truth)
{
    switch ((int)node->kind) {
    case PATH_AND:
    case PATH_OR: return test_both(run, node, item, truth);
    case PATH_NOT:
        TRY(path_test(run, node->left, item, truth));
        if (*truth != PATH_IS_UNKNOWN_TRUTH) *truth = truth_of(*truth == PATH_IS_FALSE);
        return ST_OK;
    case PATH_IS_UNKNOWN:
        TRY(path_test(run, node->left, item, truth));
        *truth = truth_of(*truth == PATH_IS_UNKNOWN_TRUTH);
        return ST_OK;
    case PATH_EXISTS: return test_exists(run, node, item, truth);
    default: return test_pairs(run, node, item, truth);
    }
}
