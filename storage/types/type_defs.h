/* type_defs.h - what the files of one type each share: the rows they export to types.c, and the few phrases that
 * every input function needs. Inside storage/types only.
 */
#ifndef STORAGE_TYPES_TYPE_DEFS_H
#define STORAGE_TYPES_TYPE_DEFS_H

#include "storage/base/map.h"
#include "storage/types/type.h"

extern const TypeDef type_bool;
extern const TypeDef type_int2, type_int4, type_int8, type_oid, type_xid, type_cid, type_xid8;
extern const TypeDef type_regproc, type_regprocedure, type_regoper, type_regoperator, type_regclass, type_regtype,
    type_regconfig, type_regdictionary, type_regnamespace, type_regrole, type_regcollation;
extern const TypeDef type_float4, type_float8;
extern const TypeDef type_bytea, type_uuid;
extern const TypeDef type_text_def, type_varchar, type_bpchar, type_name_def, type_char, type_unknown, type_cstring,
    type_node_tree, type_aclitem, type_pg_lsn, type_pg_ndistinct, type_pg_dependencies, type_pg_mcv_list, type_refcursor;
extern const TypeDef type_numeric;
extern const TypeDef type_date, type_time, type_timetz, type_timestamp, type_timestamptz, type_interval;
extern const TypeDef type_json, type_jsonb;
extern const TypeDef type_int4range, type_int8range, type_numrange, type_daterange, type_tsrange, type_tstzrange;
extern const TypeDef type_citext, type_money;
extern const TypeDef type_int4multirange, type_int8multirange, type_nummultirange, type_datemultirange, type_tsmultirange,
    type_tstzmultirange;
extern const TypeDef type_bit, type_varbit, type_inet, type_cidr, type_macaddr, type_macaddr8;
extern const TypeDef type_record, type_int2vector, type_oidvector, type_anyarray;

/* 22P02: invalid input syntax for type X: "text". type_name is the words PostgreSQL uses for the type here. */
Status type_invalid_text(TypeCtx *ctx, const char *type_name_def, Slice text);
/* 22003: value "text" is out of range for type X. */
Status type_text_out_of_range(TypeCtx *ctx, const char *type_name_def, Slice text);
/* 22003: X out of range. */
Status type_out_of_range(TypeCtx *ctx, const char *type_name);
/* 22P03: incorrect binary data format, when size is not what the type wants. */
Status type_invalid_binary(TypeCtx *ctx);

static inline bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_alpha(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline uint8_t to_lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

/* Without the white space at both ends. */
Slice text_trim(Slice text);
/* ASCII letters compared without case; word is in lower case. */
bool text_is_word(Slice text, const char *word);

static inline uint64_t hash_int(int64_t i)
{
    uint64_t x = (uint64_t)i;
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

/* Compare and hash of every type held in Value.i. */
int type_int_compare(const TypeDef *type, Value a, Value b);
uint64_t type_int_hash(const TypeDef *type, Value value);
/* And of those that are plain bytes. */
int type_bytes_compare(const TypeDef *type, Value a, Value b);
uint64_t type_bytes_hash(const TypeDef *type, Value value);

#endif
