/* json_path.h - SQL/JSON path expressions: text to a tree and back.
 *
 * A value of type jsonpath is the text that the tree prints as. A tree is in the arena it was parsed into; it borrows nothing.
 */
#ifndef STORAGE_TYPES_JSON_PATH_H
#define STORAGE_TYPES_JSON_PATH_H

#include "storage/types/type.h"

typedef enum PathKind {
    PATH_NULL, PATH_TRUE, PATH_FALSE, PATH_STRING, PATH_NUMBER,
    PATH_ROOT, PATH_CURRENT, PATH_LAST, PATH_VARIABLE,                                          /* $ @ last $name */
    PATH_KEY, PATH_ANY_KEY, PATH_ANY_LEVEL, PATH_ANY_ELEMENT, PATH_SUBSCRIPTS, PATH_FILTER,     /* .a .* .** [*] [1 to 2] ?() */
    PATH_TYPE, PATH_SIZE, PATH_DOUBLE, PATH_CEILING, PATH_FLOOR, PATH_ABS, PATH_KEYVALUE, PATH_DATETIME,
    PATH_ADD, PATH_SUB, PATH_MUL, PATH_DIV, PATH_MOD, PATH_PLUS, PATH_MINUS,                    /* the last two: of one operand */
    PATH_OR, PATH_AND, PATH_NOT, PATH_EQ, PATH_NE, PATH_LT, PATH_LE, PATH_GT, PATH_GE,
    PATH_STARTS_WITH, PATH_LIKE_REGEX, PATH_EXISTS, PATH_IS_UNKNOWN
} PathKind;

typedef struct PathNode PathNode;
struct PathNode {
    PathKind kind;
    PathNode *next;         /* what is applied to its result: .a[1].size() */
    PathNode *left, *right; /* operands; a filter's condition is left */
    PathNode *sibling;      /* PATH_SUBSCRIPTS: left is the first of a list; of each item left TO right */
    Slice text;             /* string, key, variable, pattern */
    Slice flags;            /* PATH_LIKE_REGEX */
    Value number;           /* PATH_NUMBER: a numeric */
    int64_t level_first, level_last; /* PATH_ANY_LEVEL; -1: the deepest */
    void *site;             /* for who runs it: kept between runs */
};

typedef struct JsonPath {
    bool strict;
    PathNode *root;
} JsonPath;

extern const TypeDef type_jsonpath;

/* 42601 and 22P02. */
Status json_path_parse(TypeCtx *ctx, Slice text, JsonPath *path);
void json_path_put(const JsonPath *path, Buf *out);
bool json_path_is_predicate(PathKind kind);
const char *json_path_word(PathKind kind); /* the operator or method as it is written */

#endif
