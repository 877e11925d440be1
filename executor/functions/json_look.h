/* json_look.h - what the functions that take json and jsonb apart begin and end with. */
#ifndef EXECUTOR_FUNCTIONS_JSON_LOOK_H
#define EXECUTOR_FUNCTIONS_JSON_LOOK_H

#include "storage/catalog/builtin.h"
#include "storage/types/type_json.h"

/* The call's first argument as a document, parsed first if it is a json text. 22P02. */
Status json_open(FnCtx *ctx, Value v, JsonItem *root);
/* A part of it: as text (null is NULL then), or as json or jsonb, whichever the first argument is. */
Status json_hand_out(FnCtx *ctx, JsonItem item, bool as_text, Value *out);

/* A step of a path as an index: an integer, which may be negative. */
bool json_path_index(Slice text, int64_t *index);

#endif
