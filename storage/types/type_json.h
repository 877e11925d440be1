/* type_json.h - json, a checked text kept as it came, and jsonb, a parsed one.
 *
 * A jsonb value's bytes (little endian, not aligned) are one entry, then that entry's payload:
 *
 *   entry    4 bytes: kind (upper 4 bits, JsonKind), size of the payload (28 bits) for the outermost entry, or its
 *            end offset in the container for a member
 *   payload  null, false, true: none; string: its UTF-8 bytes; number: a numeric's bytes
 *            array: count (4), then count entries, then the payloads one after another
 *            object: count (4), then count entries of keys, then count entries of values, then the payloads, keys
 *            first. Keys are sorted by size, then bytes, and unique; so a look-up is a binary search
 *
 * End offsets count from behind the last entry of the container. Items borrow from the value's bytes.
 */
#ifndef STORAGE_TYPES_TYPE_JSON_H
#define STORAGE_TYPES_TYPE_JSON_H

#include "storage/base/list.h"
#include "storage/types/type.h"

typedef enum JsonKind {
    JSON_NULL, JSON_STRING, JSON_NUMBER, JSON_FALSE, JSON_TRUE, JSON_ARRAY, JSON_OBJECT
} JsonKind;

/* Any part of a document. */
typedef struct JsonItem {
    JsonKind kind;
    Slice payload; /* string: the text; number: a numeric's bytes; container: see above */
} JsonItem;

/* ---- reading ---- */

JsonItem jsonb_root(Value jsonb);
int jsonb_count(JsonItem container); /* elements, or pairs; 0 for a scalar */
JsonItem jsonb_element(JsonItem array, int index);
void jsonb_pair(JsonItem object, int index, Slice *key, JsonItem *value);
bool jsonb_get_field(JsonItem object, Slice key, JsonItem *value); /* false: not an object, or no such key */
bool jsonb_get_index(JsonItem array, int64_t index, JsonItem *value); /* negative counts from the end */
Value jsonb_numeric(JsonItem number);
int jsonb_compare_items(JsonItem a, JsonItem b);
/* @>: does a contain b? */
bool jsonb_contains(JsonItem a, JsonItem b);

/* PostgreSQL's spacing: {"a": 1, "b": [1, 2]}. */
void jsonb_put_text(JsonItem item, Buf *out);
void jsonb_put_pretty(JsonItem item, Buf *out); /* jsonb_pretty */
void json_put_string(Slice text, Buf *out);     /* quoted and escaped */
/* The item as ->> gives it: strings bare, others as jsonb text. */
void jsonb_put_bare_text(JsonItem item, Buf *out);
const char *jsonb_type_name(JsonItem item); /* object, array, string, number, boolean, null */

/* ---- building ---- */

/* An item as a value of its own. */
Status jsonb_from_item(TypeCtx *ctx, JsonItem item, Value *out);

/* Builds bottom up or top down: containers are begun and ended, everything between goes inside. One root. */
typedef struct JsonBuilder JsonBuilder;
JsonBuilder *jsonb_builder(TypeCtx *ctx);
void jsonb_begin_array(JsonBuilder *builder);
void jsonb_begin_object(JsonBuilder *builder);
void jsonb_key(JsonBuilder *builder, Slice key); /* before each value of an object; the last of equal keys wins */
void jsonb_item(JsonBuilder *builder, JsonItem item);
void jsonb_string(JsonBuilder *builder, Slice text);
void jsonb_number(JsonBuilder *builder, Value numeric);
void jsonb_bool(JsonBuilder *builder, bool value);
void jsonb_null(JsonBuilder *builder);
void jsonb_end(JsonBuilder *builder); /* of the innermost container */
Status jsonb_finish(JsonBuilder *builder, Value *out);

/* ---- json text ---- */

/* 22P02 with detail and context, as PostgreSQL. */
Status json_check(TypeCtx *ctx, Slice text);
Status jsonb_parse(TypeCtx *ctx, Slice text, Value *out);

#endif
