/* type.h - what a type can do: one TypeDef per type, read by everyone who asks.
 *
 * The rows are const and live for ever; they may be read by any thread. A function of a row never sees a NULL value:
 * callers deal with NULL. Texts and results live in ctx->arena, or borrow from the input when they are a part of it.
 * Errors carry PostgreSQL's message and SQLSTATE (22P02 for text that is no value, 22003 out of range, 22001 too long,
 * 22007/22008 for dates, 22P03 for binary).
 */
#ifndef STORAGE_TYPES_TYPE_H
#define STORAGE_TYPES_TYPE_H

#include "storage/base/buf.h"
#include "storage/types/value.h"

/* PostgreSQL's OIDs of the types that code names. The whole list is types.c. */
enum {
    OID_BOOL = 16, OID_BYTEA = 17, OID_CHAR = 18, OID_NAME = 19, OID_INT8 = 20, OID_INT2 = 21, OID_INT2VECTOR = 22,
    OID_INT4 = 23, OID_REGPROC = 24, OID_TEXT = 25, OID_OID = 26, OID_OIDVECTOR = 30, OID_JSON = 114,
    OID_FLOAT4 = 700, OID_FLOAT8 = 701, OID_UNKNOWN = 705, OID_BPCHAR = 1042, OID_VARCHAR = 1043, OID_DATE = 1082,
    OID_TIME = 1083, OID_TIMESTAMP = 1114, OID_TIMESTAMPTZ = 1184, OID_INTERVAL = 1186, OID_TIMETZ = 1266,
    OID_NUMERIC = 1700, OID_REGCLASS = 2205, OID_REGTYPE = 2206, OID_REGNAMESPACE = 4089, OID_REGROLE = 4096,
    OID_RECORD = 2249, OID_CSTRING = 2275, OID_ANY = 2276, OID_ANYARRAY = 2277, OID_VOID = 2278,
    OID_ANYELEMENT = 2283, OID_ANYNONARRAY = 2776, OID_UUID = 2950, OID_JSONB = 3802, OID_RECORD_ARRAY = 2287,
    OID_BOOL_ARRAY = 1000, OID_BYTEA_ARRAY = 1001, OID_CHAR_ARRAY = 1002, OID_NAME_ARRAY = 1003,
    OID_INT2_ARRAY = 1005, OID_INT4_ARRAY = 1007, OID_TEXT_ARRAY = 1009, OID_BPCHAR_ARRAY = 1014,
    OID_VARCHAR_ARRAY = 1015, OID_INT8_ARRAY = 1016, OID_FLOAT4_ARRAY = 1021, OID_FLOAT8_ARRAY = 1022,
    OID_OID_ARRAY = 1028, OID_TIMESTAMP_ARRAY = 1115, OID_DATE_ARRAY = 1182, OID_TIMESTAMPTZ_ARRAY = 1185,
    OID_NUMERIC_ARRAY = 1231, OID_UUID_ARRAY = 2951, OID_JSONB_ARRAY = 3807,
    OID_MONEY = 790, OID_CIDR = 650, OID_INET = 869, OID_MACADDR = 829, OID_MACADDR8 = 774, OID_BIT = 1560, OID_VARBIT = 1562,
    OID_PG_LSN = 3220, OID_TID = 27, OID_INT4RANGE = 3904, OID_NUMRANGE = 3906, OID_TSRANGE = 3908, OID_TSTZRANGE = 3910,
    OID_DATERANGE = 3912, OID_INT8RANGE = 3926, OID_INT4MULTIRANGE = 4451, OID_NUMMULTIRANGE = 4532,
    OID_TSMULTIRANGE = 4533, OID_TSTZMULTIRANGE = 4534, OID_DATEMULTIRANGE = 4535, OID_INT8MULTIRANGE = 4536,
    OID_ANYRANGE = 3831, OID_ANYMULTIRANGE = 4537
};

/* A column's or an expression's type. typmod as in PostgreSQL: -1 is none; varchar(n) is n + 4, numeric(p,s) is
 * (p << 16 | s) + 4, time(p) is p. */
typedef struct TypeRef {
    Oid oid;
    int32_t typmod;
    Oid domain; /* of a domain, or an array of one: its oid, and oid and typmod are those of the base type; 0: none */
} TypeRef;

typedef enum TypeRep { REP_INT, REP_FLOAT, REP_BYTES } TypeRep;

/* How a value becomes key bytes (reference: CockroachDB's encoding); the encoders are in storage/keys/ordered.c. */
typedef enum KeyClass {
    KEY_CLASS_NONE, /* not allowed in a key */
    KEY_CLASS_INT,
    KEY_CLASS_DATE, /* an int: days since 1970 */
    KEY_CLASS_FLOAT,
    KEY_CLASS_DECIMAL,
    KEY_CLASS_BYTES, /* also text, uuid */
    KEY_CLASS_TIMESTAMP,
    KEY_CLASS_TIMETZ,
    KEY_CLASS_INTERVAL,
    KEY_CLASS_BITS,
    KEY_CLASS_ARRAY,
    KEY_CLASS_RANGE, /* also lists of ranges */
    KEY_CLASS_JSON
} KeyClass;

typedef enum IntervalStyle { INTERVAL_POSTGRES, INTERVAL_POSTGRES_VERBOSE, INTERVAL_SQL_STANDARD, INTERVAL_ISO_8601 } IntervalStyle;
typedef enum DateStyle { DATE_ISO, DATE_SQL, DATE_POSTGRES, DATE_GERMAN } DateStyle;
typedef enum DateOrder { DATE_MDY, DATE_DMY, DATE_YMD } DateOrder;

typedef struct TimeZone TimeZone; /* type_timestamp.h */

/* How reg* types turn names into object numbers and back, for whoever has a catalog. */
typedef struct RegNames {
    /* False: no such object. The name may be qualified and quoted. */
    bool (*find)(void *argument, Oid reg_type, Slice name, Oid *oid);
    /* Appends the name as it reads back; false: no such object, the number is printed. */
    bool (*put)(void *argument, Oid reg_type, Oid oid, Buf *out);
    void *argument;
} RegNames;

/* The session settings that texts depend on. Owned by the session; read-only here. */
typedef struct TypeEnv {
    const TimeZone *time_zone; /* NULL is UTC */
    DateStyle date_style;
    DateOrder date_order;
    IntervalStyle interval_style;
    int extra_float_digits; /* 1 by default: shortest text that reads back the same */
    bool bytea_escape;
    int64_t transaction_start_us; /* what 'now' in a literal means */
    const RegNames *reg_names;    /* NULL: reg* types know numbers only */
} TypeEnv;

extern const TypeEnv type_env_default; /* UTC, ISO, MDY */

typedef struct TypeCtx {
    Arena *arena;
    const TypeEnv *env;
    Error *err;
} TypeCtx;

typedef struct TypeDef TypeDef;
struct TypeDef {
    Oid oid, array_oid, element_oid; /* 0 where there is none */
    const char *name;                /* pg_type.typname: int4 */
    const char *sql_name;            /* format_type: integer */
    const char *crdb_name;           /* SHOW COLUMNS, SHOW CREATE: INT4; see type_format_crdb for typmods */
    int16_t length;                  /* pg_type.typlen: -1 varies */
    char category;                   /* pg_type.typcategory: 'N' numeric, 'S' string, 'D' date/time, 'A' array ... */
    bool preferred;
    TypeRep rep;
    KeyClass key_class;
    /* Text in PostgreSQL's input syntax to a value, typmod applied as in an assignment. */
    Status (*in)(const TypeDef *type, TypeCtx *ctx, Slice text, int32_t typmod, Value *out);
    /* Appends the text form. Cannot fail but for memory (out->failed). */
    void (*out)(const TypeDef *type, const TypeEnv *env, Value value, Buf *out);
    /* The wire's binary form. */
    Status (*receive)(const TypeDef *type, TypeCtx *ctx, Slice bytes, int32_t typmod, Value *out);
    void (*send)(const TypeDef *type, const TypeEnv *env, Value value, Buf *out);
    /* Total order as ORDER BY has it; < 0, 0, > 0. NULL where the type has none (json). */
    int (*compare)(const TypeDef *type, Value a, Value b);
    /* Equal values hash alike. NULL where the type has no equality. */
    uint64_t (*hash)(const TypeDef *type, Value value);
    /* Fits a value to a typmod: rounds, pads, or fails; an explicit cast truncates where an assignment fails. NULL: none. */
    Status (*fit)(const TypeDef *type, TypeCtx *ctx, Value in, int32_t typmod, bool explicit_cast, Value *out);
    /* The typmod of `name(args...)`; -1 args are errors of 22023. NULL: the type takes none. */
    Status (*typmod_in)(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod);
    /* Appends "(10,2)" and the like. NULL: none. */
    void (*typmod_out)(int32_t typmod, Buf *out);
};

/* The type of that OID, built in or a user's (type_user.h); NULL if there is none. O(1). A domain's is for its names: values
 * are of the base type, as type_ref tells. */
const TypeDef *type_find(Oid oid);
/* A domain's OID, or that of an array of domains, with the type its values are of; any other OID as it is. */
TypeRef type_ref(Oid oid);
/* The OID that catalogs and descriptions show: the domain's, where it is one. */
static inline Oid type_ref_oid(TypeRef type)
{
    return type.domain ? type.domain : type.oid;
}
/* By any SQL name in lower case: typname, SQL name, alias (string, bytes, int8, serial is not a type). NULL if unknown.
 * "char" is the typname of the one-byte type; SQL's char is "character" or "bpchar" here. */
const TypeDef *type_find_name(const char *name);
int type_count(void); /* of the built-in ones */
const TypeDef *type_at(int index); /* sorted by oid */

static inline bool type_is_array(const TypeDef *type)
{
    return type->category == 'A';
}

/* "numeric(10,2)", "character varying(20)", "integer[]": what \d and format_type print. */
const char *type_format(TypeRef type, Arena *arena);
/* "DECIMAL(10,2)", "VARCHAR(20)", "INT8", "STRING": what CockroachDB's SHOW CREATE prints (INT4 for int4, STRING for text). */
const char *type_format_crdb(TypeRef type, Arena *arena);

/* Text in the arena, NUL-terminated. */
const char *type_text(TypeRef type, const TypeEnv *env, Value value, Arena *arena);

/* Comparison with SQL's total order for non-NULL values, and equality of two values of one type. */
static inline int type_compare(const TypeDef *type, Value a, Value b)
{
    return type->compare(type, a, b);
}

/* A copy whose bytes live in the arena. */
Value value_copy(const TypeDef *type, Value value, Arena *arena);

#endif
