/* cast_run.h - the bodies that rows of cast.c name; inside storage/types only. All have the shape of CastDef.run. */
#ifndef STORAGE_TYPES_CAST_RUN_H
#define STORAGE_TYPES_CAST_RUN_H

#include "storage/types/cast.h"

#define CAST_BODY(name) Status name(TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out)

CAST_BODY(cast_same); /* the same payload under another type */
CAST_BODY(cast_to_int2);
CAST_BODY(cast_to_int4);
CAST_BODY(cast_int_to_bool);
CAST_BODY(cast_int4_to_oid); /* negative numbers wrap */
CAST_BODY(cast_int8_to_oid);
CAST_BODY(cast_oid_to_int4);
CAST_BODY(cast_int_to_float8);
CAST_BODY(cast_int_to_float4);
CAST_BODY(cast_float_to_int2);
CAST_BODY(cast_float_to_int4);
CAST_BODY(cast_float_to_int8);
CAST_BODY(cast_float8_to_float4);
CAST_BODY(cast_int_to_numeric);
CAST_BODY(cast_float4_to_numeric);
CAST_BODY(cast_float8_to_numeric);
CAST_BODY(cast_numeric_to_int2);
CAST_BODY(cast_numeric_to_int4);
CAST_BODY(cast_numeric_to_int8);
CAST_BODY(cast_numeric_to_float4);
CAST_BODY(cast_numeric_to_float8);

CAST_BODY(cast_bool_to_text);
CAST_BODY(cast_char_to_int4);
CAST_BODY(cast_char_to_text);
CAST_BODY(cast_int4_to_char);
CAST_BODY(cast_text_to_char);
CAST_BODY(cast_text_to_name);
CAST_BODY(cast_bpchar_to_text); /* blanks at the end go */
CAST_BODY(cast_bpchar_to_name);
CAST_BODY(cast_text_to_regclass);

CAST_BODY(cast_date_to_timestamp);
CAST_BODY(cast_date_to_timestamptz);
CAST_BODY(cast_timestamp_to_date);
CAST_BODY(cast_timestamp_to_time);
CAST_BODY(cast_timestamp_to_timestamptz);
CAST_BODY(cast_timestamptz_to_date);
CAST_BODY(cast_timestamptz_to_time);
CAST_BODY(cast_timestamptz_to_timetz);
CAST_BODY(cast_timestamptz_to_timestamp);
CAST_BODY(cast_time_to_interval);
CAST_BODY(cast_time_to_timetz);
CAST_BODY(cast_timetz_to_time);
CAST_BODY(cast_interval_to_time);

CAST_BODY(cast_int4range_to_set); /* a multirange of one */
CAST_BODY(cast_int8range_to_set);
CAST_BODY(cast_numrange_to_set);
CAST_BODY(cast_daterange_to_set);
CAST_BODY(cast_tsrange_to_set);
CAST_BODY(cast_tstzrange_to_set);
CAST_BODY(cast_money_to_numeric);
CAST_BODY(cast_numeric_to_money);
CAST_BODY(cast_int_to_money);
CAST_BODY(cast_inet_to_cidr);
CAST_BODY(cast_inet_to_text); /* with the prefix length always */
CAST_BODY(cast_macaddr_to_macaddr8);
CAST_BODY(cast_macaddr8_to_macaddr);
CAST_BODY(cast_int_to_bit);
CAST_BODY(cast_bit_to_int4);
CAST_BODY(cast_bit_to_int8);

CAST_BODY(cast_jsonb_to_bool);
CAST_BODY(cast_jsonb_to_int2);
CAST_BODY(cast_jsonb_to_int4);
CAST_BODY(cast_jsonb_to_int8);
CAST_BODY(cast_jsonb_to_float4);
CAST_BODY(cast_jsonb_to_float8);
CAST_BODY(cast_jsonb_to_numeric);

#endif
