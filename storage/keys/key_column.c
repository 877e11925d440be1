#include "storage/keys/key_column.h"

#include <assert.h>
#include <math.h>

#include "storage/base/list.h"
#include "storage/base/utf8.h"
#include "storage/keys/key_column_parts.h"
#include "storage/keys/ordered.h"
#include "storage/types/type_array.h"
#include "storage/types/type_bit.h"
#include "storage/types/type_citext.h"
#include "storage/types/type_numeric.h"
#include "storage/types/type_text.h"
#include "storage/types/type_time.h"
#include "storage/types/type_timestamp.h"

static const int64_t UNIX_SECONDS_OF_2000 = 946684800;
/* Where keys put the infinities of a timestamp: outside the range of the finite ones. */
static const int64_t INFINITY_SECONDS = 9224318102399, INFINITY_NANOSECONDS = 999999000,
                     MINUS_INFINITY_SECONDS = -210898425600;

KeyColumn key_column(TypeRef type, bool descending)
{
    const TypeDef *def = type_find(type.oid);
    return (KeyColumn){.type = type, .key_class = def ? def->key_class : KEY_CLASS_BYTES, .descending = descending};
}

static Status refuse(Error *err, SqlState code, const char *message)
{
    *err = (Error){.sqlstate = code, .message = message};
    return ST_ERROR;
}

/* ---- encoding ---- */

static int64_t date_to_key(int64_t days)
{
    if (days == DATE_INFINITY) return INT64_MAX;
    if (days == DATE_MINUS_INFINITY) return INT64_MIN;
    return days - UNIX_EPOCH_DAYS;
}

static void put_timestamp(int64_t us, bool descending, Buf *out)
{
    if (us == TIMESTAMP_INFINITY) {
        ordered_put_time(out, INFINITY_SECONDS, INFINITY_NANOSECONDS, descending);
    } else if (us == TIMESTAMP_MINUS_INFINITY) {
        ordered_put_time(out, MINUS_INFINITY_SECONDS, 0, descending);
    } else {
        int64_t seconds = us / US_PER_SECOND, rest = us % US_PER_SECOND;
        if (rest < 0) {
            rest += US_PER_SECOND;
            seconds--;
        }
        ordered_put_time(out, seconds + UNIX_SECONDS_OF_2000, rest * 1000, descending);
    }
}

static Status put_interval(Value value, bool descending, Buf *out, Error *err)
{
    Interval interval = interval_load(value);
    OrderedInterval ordered = {.months = interval.months, .days = interval.days};
    if (__builtin_mul_overflow(interval.us, INT64_C(1000), &ordered.nanoseconds) ||
        !ordered_put_interval(out, ordered, descending))
        return refuse(err, ERR_DATETIME_FIELD_OVERFLOW, "interval out of range for a key");
    return ST_OK;
}

static Slice key_text_of(const KeyColumn *column, Value value)
{
    Slice text = value_to_slice(value);
    return column->type.oid == OID_BPCHAR ? text_without_padding(text) : text;
}

static void put_text(const KeyColumn *column, Value value, Buf *out)
{
    if (column->type.oid != OID_CITEXT) {
        ordered_put_bytes(out, key_text_of(column, value), column->descending);
        return;
    }
    Buf folded = {0};
    citext_fold(value_to_slice(value), &folded);
    ordered_put_bytes(out, buf_slice(&folded), column->descending);
    out->failed |= folded.failed;
    buf_finish(&folded);
}

static KeyColumn element_column(const KeyColumn *column, Oid element)
{
    return key_column((TypeRef){element, column->type.typmod}, column->descending);
}

static Status put_array(const KeyColumn *column, Value value, Buf *out, Error *err)
{
    Array array;
    array_open(value, &array);
    if (array.dimension_count > 1)
        return refuse(err, ERR_FEATURE_NOT_SUPPORTED, "a multi-dimensional array as a key column is not supported");
    KeyColumn element = element_column(column, array.element);
    size_t start = out->size;
    ordered_put_array_start(out, column->descending);
    for (int i = 0; i < array.count; i++) {
        Value item = array_element(&array, i);
        if (item.null) {
            ordered_put_array_null(out, column->descending);
        } else if (key_column_encode(&element, item, out, err) != ST_OK) {
            out->size = start;
            return ST_ERROR;
        }
    }
    ordered_put_array_end(out, column->descending);
    return ST_OK;
}

static void put_bits(Value value, bool descending, Buf *out)
{
    Bits bits = bits_open(value);
    ordered_put_bits(out, bits.bytes, bits.count, descending);
}

Status key_column_encode(const KeyColumn *column, Value value, Buf *out, Error *err)
{
    bool descending = column->descending;
    if (value.null) {
        ordered_put_null(out, descending);
        return ST_OK;
    }
    switch (column->key_class) {
    case KEY_CLASS_INT: ordered_put_int(out, value.i, descending); return ST_OK;
    case KEY_CLASS_DATE: ordered_put_int(out, date_to_key(value.i), descending); return ST_OK;
    case KEY_CLASS_FLOAT: ordered_put_float(out, value.f, descending); return ST_OK;
    case KEY_CLASS_DECIMAL: key_numeric_put(value, descending, out); return ST_OK;
    case KEY_CLASS_BYTES: put_text(column, value, out); return ST_OK;
    case KEY_CLASS_TIMESTAMP: put_timestamp(value.i, descending, out); return ST_OK;
    case KEY_CLASS_TIMETZ: {
        TimeTz time = timetz_load(value);
        ordered_put_timetz(out, time.us, time.west, descending);
        return ST_OK;
    }
    case KEY_CLASS_INTERVAL: return put_interval(value, descending, out, err);
    case KEY_CLASS_ARRAY: return put_array(column, value, out, err);
    case KEY_CLASS_RANGE: key_range_put(column, value, out); return ST_OK;
    case KEY_CLASS_JSON: key_json_put(value, descending, out); return ST_OK;
    case KEY_CLASS_BITS: put_bits(value, descending, out); return ST_OK;
    case KEY_CLASS_NONE: break;
    }
    return refuse(err, ERR_FEATURE_NOT_SUPPORTED, "a key column of this type is not supported");
}

/* ---- decoding ---- */

static bool get_date(Slice *key, bool descending, Value *value)
{
    int64_t days;
    if (!ordered_get_int(key, descending, &days)) return false;
    if (days == INT64_MAX) *value = value_int(DATE_INFINITY);
    else if (days == INT64_MIN) *value = value_int(DATE_MINUS_INFINITY);
    else if (days < INT32_MIN || days > INT32_MAX) return false;
    else *value = value_int(days + UNIX_EPOCH_DAYS);
    return true;
}

static bool get_timestamp(Slice *key, bool descending, Value *value)
{
    int64_t seconds, nanoseconds;
    if (!ordered_get_time(key, descending, &seconds, &nanoseconds)) return false;
    if (seconds >= INFINITY_SECONDS) *value = value_int(TIMESTAMP_INFINITY);
    else if (seconds <= MINUS_INFINITY_SECONDS) *value = value_int(TIMESTAMP_MINUS_INFINITY);
    else *value = value_int((seconds - UNIX_SECONDS_OF_2000) * US_PER_SECOND + nanoseconds / 1000);
    return true;
}

static bool get_interval(Slice *key, bool descending, Arena *arena, Value *value)
{
    OrderedInterval ordered;
    if (!ordered_get_interval(key, descending, &ordered)) return false;
    Interval interval = {.us = ordered.nanoseconds / 1000, .days = (int32_t)ordered.days,
                         .months = (int32_t)ordered.months};
    *value = interval_store(interval, arena);
    return true;
}

static bool get_timetz(Slice *key, bool descending, Arena *arena, Value *value)
{
    int64_t us, west;
    if (!ordered_get_timetz(key, descending, &us, &west)) return false;
    *value = timetz_store((TimeTz){.us = us, .west = (int32_t)west}, arena);
    return true;
}

/* Keys hold a char(n) without its padding. */
static Slice pad(Slice text, int32_t typmod, Arena *arena)
{
    size_t length = typmod >= 4 ? (size_t)(typmod - 4) : 0, characters = utf8_count(text);
    if (characters >= length) return text;
    size_t size = text.size + length - characters;
    uint8_t *padded = arena_alloc(arena, size);
    if (text.size) memcpy(padded, text.data, text.size);
    memset(padded + text.size, ' ', length - characters);
    return slice_of(padded, size);
}

static bool get_bytes(const KeyColumn *column, Slice *key, Arena *arena, Value *value)
{
    Slice bytes;
    if (!ordered_get_bytes(key, column->descending, arena, &bytes)) return false;
    if (column->type.oid == OID_BPCHAR) bytes = pad(bytes, column->type.typmod, arena);
    *value = value_slice(bytes);
    return true;
}

static bool get_array(const KeyColumn *column, Slice *key, Arena *arena, Value *value)
{
    const TypeDef *def = type_find(column->type.oid);
    VEC(Value) items = {0};
    Slice rest = *key;
    uint8_t end = column->descending ? ORDERED_NULL_DESC : ORDERED_NULL;
    uint8_t null = column->descending ? ORDERED_NOT_NULL_DESC : ORDERED_NOT_NULL;
    if (!def || !def->element_oid || rest.size == 0) return false;
    if (rest.data[0] != (column->descending ? ORDERED_ARRAY_DESC : ORDERED_ARRAY)) return false;
    KeyColumn element = element_column(column, def->element_oid);
    rest = slice_of(rest.data + 1, rest.size - 1);
    while (rest.size && rest.data[0] != end) {
        Value item = VALUE_NULL;
        if (rest.data[0] == null) rest = slice_of(rest.data + 1, rest.size - 1);
        else if (!key_column_decode(&element, &rest, arena, &item)) return false;
        VEC_PUSH(arena, items, item);
    }
    if (rest.size == 0) return false;
    Error err;
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    if (array_build(&ctx, def->element_oid, items.items, items.count, value) != ST_OK) return false;
    *key = slice_of(rest.data + 1, rest.size - 1);
    return true;
}

static int column_scale(const KeyColumn *column)
{
    int precision, scale;
    return numeric_typmod(column->type.typmod, &precision, &scale) ? (scale > 0 ? scale : 0) : -1;
}

static bool get_float(Slice *key, bool descending, Value *value)
{
    double f;
    if (!ordered_get_float(key, descending, &f)) return false;
    *value = value_float(f);
    return true;
}

static bool get_int(Slice *key, bool descending, Value *value)
{
    int64_t i;
    if (!ordered_get_int(key, descending, &i)) return false;
    *value = value_int(i);
    return true;
}

static bool get_bits(Slice *key, bool descending, Arena *arena, Value *value)
{
    Buf bytes = {0};
    uint64_t count;
    Error err;
    TypeCtx ctx = {.arena = arena, .env = &type_env_default, .err = &err};
    bool found = ordered_get_bits(key, descending, &bytes, &count) && count <= BIT_LENGTH_MAX &&
                 bits_build(&ctx, bytes.data, (uint32_t)count, value) == ST_OK;
    buf_finish(&bytes);
    return found;
}

bool key_column_decode(const KeyColumn *column, Slice *key, Arena *arena, Value *value)
{
    bool descending = column->descending;
    if (key->size == 0) return false;
    if (key->data[0] == (descending ? ORDERED_NULL_DESC : ORDERED_NULL)) {
        *key = slice_of(key->data + 1, key->size - 1);
        *value = VALUE_NULL;
        return true;
    }
    switch (column->key_class) {
    case KEY_CLASS_INT: return get_int(key, descending, value);
    case KEY_CLASS_DATE: return get_date(key, descending, value);
    case KEY_CLASS_FLOAT: return get_float(key, descending, value);
    case KEY_CLASS_DECIMAL: return key_numeric_get(key, descending, column_scale(column), arena, value);
    case KEY_CLASS_BYTES: return get_bytes(column, key, arena, value);
    case KEY_CLASS_TIMESTAMP: return get_timestamp(key, descending, value);
    case KEY_CLASS_TIMETZ: return get_timetz(key, descending, arena, value);
    case KEY_CLASS_INTERVAL: return get_interval(key, descending, arena, value);
    case KEY_CLASS_ARRAY: return get_array(column, key, arena, value);
    case KEY_CLASS_RANGE: return key_range_get(column, key, arena, value);
    case KEY_CLASS_JSON: return key_json_get(key, descending, arena, value);
    case KEY_CLASS_BITS: return get_bits(key, descending, arena, value);
    case KEY_CLASS_NONE: break;
    }
    return false;
}

/* ---- what is lost ---- */

static bool array_loses(const KeyColumn *column, Value value)
{
    Array array;
    array_open(value, &array);
    if (array.dimension_count && array.lower_bounds[0] != 1) return true;
    KeyColumn element = element_column(column, array.element);
    for (int i = 0; i < array.count; i++)
        if (key_column_loses(&element, array_element(&array, i))) return true;
    return false;
}

static bool text_loses(const KeyColumn *column, Value value)
{
    if (column->type.oid == OID_CITEXT) return !citext_is_folded(value_to_slice(value));
    return column->type.oid == OID_BPCHAR && column->type.typmod < 0 && value.size && value.p[value.size - 1] == ' ';
}

bool key_column_loses(const KeyColumn *column, Value value)
{
    if (value.null) return false;
    switch (column->key_class) {
    case KEY_CLASS_FLOAT: return value.f == 0 && signbit(value.f);
    case KEY_CLASS_DECIMAL: return key_numeric_loses(value, column_scale(column));
    case KEY_CLASS_BYTES: return text_loses(column, value);
    case KEY_CLASS_ARRAY: return array_loses(column, value);
    case KEY_CLASS_RANGE: return key_range_loses(column, value);
    case KEY_CLASS_JSON: return key_json_loses(value);
    case KEY_CLASS_INT:
    case KEY_CLASS_DATE:
    case KEY_CLASS_TIMESTAMP:
    case KEY_CLASS_TIMETZ:
    case KEY_CLASS_INTERVAL:
    case KEY_CLASS_BITS:
    case KEY_CLASS_NONE: break;
    }
    return false;
}
