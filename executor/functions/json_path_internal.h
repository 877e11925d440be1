/* json_path_internal.h - one run of a path, as json_path_run.c and json_path_test.c share it. */
#ifndef EXECUTOR_FUNCTIONS_JSON_PATH_INTERNAL_H
#define EXECUTOR_FUNCTIONS_JSON_PATH_INTERNAL_H

#include "executor/functions/json_path_run.h"

typedef struct PathRun {
    FnCtx *fn;
    JsonItem root, current, vars; /* $, @ */
    bool strict;
    bool lenient;       /* faults of structure find nothing instead of failing */
    int64_t array_size; /* of the innermost subscripted array; -1: none */
} PathRun;

typedef enum PathTruth { PATH_IS_FALSE, PATH_IS_TRUE, PATH_IS_UNKNOWN_TRUTH } PathTruth;

/* Appends to found. unwrap: an array is opened where the node wants its elements (lax mode). */
Status path_run_node(PathRun *run, const PathNode *node, JsonItem item, JsonItems *found, bool unwrap);
/* An operand: in lax mode arrays found are opened if unwrap says so. */
Status path_run_operand(PathRun *run, const PathNode *node, JsonItem item, bool unwrap, JsonItems *found);
/* A condition; faults inside make it unknown. */
Status path_test(PathRun *run, const PathNode *node, JsonItem item, PathTruth *truth);
Status path_error(PathRun *run, SqlState code, const char *message);

#endif
