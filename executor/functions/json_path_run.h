/* json_path_run.h - SQL/JSON paths applied to documents. */
#ifndef EXECUTOR_FUNCTIONS_JSON_PATH_RUN_H
#define EXECUTOR_FUNCTIONS_JSON_PATH_RUN_H

#include "storage/base/list.h"
#include "storage/catalog/builtin.h"
#include "storage/types/json_path.h"
#include "storage/types/type_json.h"

typedef VEC(JsonItem) JsonItems;

/* Items in the order in which they are found; they borrow from the document, the path and the call's arena. vars is an
 * object, or of kind JSON_NULL: none. Errors are those of class 22 that PostgreSQL gives. */
Status json_path_run(FnCtx *ctx, const JsonPath *path, JsonItem document, JsonItem vars, JsonItems *found);

#endif
