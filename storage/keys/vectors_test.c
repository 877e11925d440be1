#include "storage/keys/vectors_test.h"

#include <arpa/inet.h>
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "storage/keys/ordered.h"

static char *take_field(char **line)
{
    if (!*line) return NULL;
    char *field = *line, *tab = strchr(field, '\t');
    *line = tab ? tab + 1 : NULL;
    if (tab) *tab = 0;
    return field;
}

Vector *vectors_read(const char *path, Arena *arena)
{
    FILE *file = fopen(path, "r");
    assert(file);
    Vector *rows = ARENA_ARRAY(arena, Vector, 2000);
    char line[4096];
    int count = 0;
    for (int n = 1; fgets(line, sizeof line, file); n++) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || strncmp(line, "kind\t", 5) == 0) continue;
        char *rest = arena_strdup(arena, line);
        Vector *v = &rows[count++];
        char **fields[] = {&v->kind, &v->type, &v->direction, &v->value, &v->hex, &v->origin, &v->note};
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            char *field = take_field(&rest);
            *fields[i] = field ? field : arena_strdup(arena, "");
        }
        v->line = n;
        assert(count < 1999);
    }
    fclose(file);
    return rows;
}

static int hex_digit(char c)
{
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

void vector_bytes(const char *hex, Buf *out)
{
    for (; hex[0] && hex[1]; hex += 2) buf_put_u8(out, (uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1])));
}

Slice vector_unquote(const char *text, Arena *arena)
{
    uint8_t *to = arena_alloc(arena, strlen(text) + 1), *start = to;
    assert(*text == '"');
    for (const char *p = text + 1; *p && *p != '"'; p++) {
        if (*p != '\\') {
            *to++ = (uint8_t)*p;
            continue;
        }
        p++;
        if (*p == 'x') {
            *to++ = (uint8_t)(hex_digit(p[1]) << 4 | hex_digit(p[2]));
            p += 2;
        } else {
            *to++ = (uint8_t)(*p == 'n' ? '\n' : *p == 't' ? '\t' : *p);
        }
    }
    return slice_of(start, (size_t)(to - start));
}

int vector_split(const char *text, char **parts, int parts_max, Arena *arena)
{
    char *copy = arena_strdup(arena, text + 1);
    copy[strlen(copy) - 1] = 0;
    int count = 0, depth = 0;
    bool quoted = false;
    if (!*copy) return 0;
    parts[count++] = copy;
    for (char *p = copy; *p; p++) {
        if (*p == '\\') p++;
        else if (*p == '"') quoted = !quoted;
        else if (*p == '[' || *p == '(') depth++;
        else if (*p == ']' || *p == ')') depth--;
        else if (*p == ',' && !quoted && depth == 0) {
            *p = 0;
            assert(count < parts_max);
            parts[count++] = p + 1;
        }
    }
    return count;
}

static int64_t days_from_civil(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, yoe = year - era * 400;
    int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static int64_t parse_date(const char *text)
{
    long year = 0;
    int month = 0, day = 0;
    if (strcmp(text, "infinity") == 0) return INT64_MAX;
    if (strcmp(text, "-infinity") == 0) return INT64_MIN;
    sscanf(text, "%ld-%d-%d", &year, &month, &day);
    return days_from_civil(strstr(text, "BC") ? 1 - year : year, month, day);
}

/* Nanoseconds since midnight. */
static int64_t parse_clock(const char *text)
{
    int hour = 0, minute = 0, second = 0;
    sscanf(text, "%d:%d:%d", &hour, &minute, &second);
    int64_t nanoseconds = 0, unit = 100000000;
    const char *dot = strchr(text, '.');
    for (const char *p = dot ? dot + 1 : ""; *p >= '0' && *p <= '9'; p++, unit /= 10) nanoseconds += (*p - '0') * unit;
    return ((int64_t)hour * 3600 + minute * 60 + second) * 1000000000 + nanoseconds;
}

static void encode_timestamp(const char *text, bool descending, Buf *out)
{
    if (strstr(text, "infinity")) {
        bool minus = text[0] == '-';
        ordered_put_time(out, minus ? INT64_C(-210898425600) : INT64_C(9224318102399), minus ? 0 : 999999000, descending);
        return;
    }
    int64_t clock = parse_clock(strchr(text, ' ') + 1);
    ordered_put_time(out, parse_date(text) * 86400 + clock / 1000000000, clock % 1000000000, descending);
}

static void encode_timetz(const char *text, bool descending, Buf *out)
{
    const char *sign = strpbrk(text, "+-");
    int hour = 0, minute = 0;
    sscanf(sign + 1, "%d:%d", &hour, &minute);
    int64_t west = (hour * 3600 + minute * 60) * (*sign == '+' ? -1 : 1);
    ordered_put_timetz(out, parse_clock(text) / 1000, west, descending);
}

static void encode_decimal(const char *text, bool descending, Buf *out)
{
    char digits[512];
    OrderedDecimal d = {.form = ORDERED_FINITE, .digits = digits};
    if (*text == '-') {
        d.negative = true;
        text++;
    }
    if (strcmp(text, "NaN") == 0) d.form = ORDERED_NAN;
    if (strcmp(text, "Infinity") == 0) d.form = ORDERED_INFINITE;
    bool point = false;
    for (; d.form == ORDERED_FINITE && *text; text++) {
        if (*text == '.') point = true;
        else if (*text == 'E') break;
        else {
            digits[d.count++] = *text;
            d.exponent -= point;
        }
    }
    if (*text == 'E') d.exponent += strtoll(text + 1, NULL, 10);
    ordered_put_decimal(out, &d, descending);
}

static void encode_bits(const char *text, bool descending, Buf *out)
{
    uint8_t bits[64] = {0};
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) bits[i / 8] |= (uint8_t)((text[i] - '0') << (7 - i % 8));
    ordered_put_bits(out, bits, n, descending);
}

static void encode_uuid(const char *text, bool descending, Buf *out)
{
    char hex[33];
    size_t n = 0;
    for (; *text; text++)
        if (*text != '-') hex[n++] = *text;
    hex[n] = 0;
    Buf bytes = {0};
    vector_bytes(hex, &bytes);
    ordered_put_bytes(out, buf_slice(&bytes), descending);
    buf_finish(&bytes);
}

static void encode_hex(const char *text, bool descending, Buf *out)
{
    Buf bytes = {0};
    vector_bytes(text + 2, &bytes);
    ordered_put_bytes(out, buf_slice(&bytes), descending);
    buf_finish(&bytes);
}

static void encode_string(const char *text, bool descending, Buf *out)
{
    Arena *arena = arena_create(NULL, 0);
    ordered_put_bytes(out, vector_unquote(text, arena), descending);
    arena_destroy(arena);
}

static void encode_interval(const char *text, bool descending, Buf *out)
{
    OrderedInterval interval;
    int n = sscanf(text, "mon=%" SCNd64 " day=%" SCNd64 " ns=%" SCNd64, &interval.months, &interval.days,
                   &interval.nanoseconds);
    assert(n == 3);
    (void)n;
    bool fits = ordered_put_interval(out, interval, descending);
    assert(fits);
    (void)fits;
}

static void encode_int(const char *text, bool descending, Buf *out)
{
    ordered_put_int(out, strtoll(text, NULL, 10), descending);
}

static void encode_bool(const char *text, bool descending, Buf *out)
{
    ordered_put_int(out, *text == 't', descending);
}

static void encode_float(const char *text, bool descending, Buf *out)
{
    ordered_put_float(out, strtod(text, NULL), descending);
}

static void encode_date(const char *text, bool descending, Buf *out)
{
    ordered_put_int(out, parse_date(text), descending);
}

static void encode_time(const char *text, bool descending, Buf *out)
{
    ordered_put_int(out, parse_clock(text) / 1000, descending);
}

static void encode_lsn(const char *text, bool descending, Buf *out)
{
    unsigned high = 0, low = 0;
    sscanf(text, "%X/%X", &high, &low);
    ordered_put_uvarint(out, (uint64_t)high << 32 | low, descending);
}

/* Family, prefix length, address. */
static void encode_inet(const char *text, bool descending, Buf *out)
{
    uint8_t bytes[18];
    char address[64];
    snprintf(address, sizeof address, "%.*s", (int)strcspn(text, "/"), text);
    bool v6 = strchr(address, ':') != NULL;
    size_t size = v6 ? 16 : 4;
    const char *slash = strchr(text, '/');
    bytes[0] = v6;
    bytes[1] = (uint8_t)(slash ? strtoul(slash + 1, NULL, 10) : size * 8);
    int parsed = inet_pton(v6 ? AF_INET6 : AF_INET, address, bytes + 2);
    assert(parsed == 1);
    (void)parsed;
    ordered_put_bytes(out, slice_of(bytes, size + 2), descending);
}

static void encode_fixed(uint64_t value, int size, bool descending, Buf *out)
{
    if (descending) value = ~value;
    for (int i = size - 1; i >= 0; i--) buf_put_u8(out, (uint8_t)(value >> (8 * i)));
}

static void encode_uint32(const char *text, bool descending, Buf *out)
{
    encode_fixed(strtoull(text, NULL, 10), 4, descending, out);
}

static void encode_uint64(const char *text, bool descending, Buf *out)
{
    encode_fixed(strtoull(text, NULL, 10), 8, descending, out);
}

static void encode_void(const char *text, bool descending, Buf *out)
{
    buf_put_u8(out, ORDERED_VOID);
}

static void encode_uvarint(const char *text, bool descending, Buf *out)
{
    ordered_put_uvarint(out, strtoull(text, NULL, 10), descending);
}

static bool encode_list(const char *type, const char *text, bool descending, Buf *out)
{
    Arena *arena = arena_create(NULL, 0);
    char *parts[16], *types[16];
    int count = vector_split(text, parts, 16, arena);
    bool array = text[0] == '[', known = true;
    if (array) {
        char *element = arena_strndup(arena, type, strlen(type) - 2);
        for (int i = 0; i < 16; i++) types[i] = element;
        ordered_put_array_start(out, descending);
    } else {
        vector_split(strchr(type, '('), types, 16, arena);
    }
    for (int i = 0; i < count && known; i++) {
        if (array && strcmp(parts[i], "NULL") == 0) ordered_put_array_null(out, descending);
        else known = vector_encode(types[i], parts[i], descending, out);
    }
    if (array) ordered_put_array_end(out, descending);
    arena_destroy(arena);
    return known;
}

typedef struct TypeEncoder {
    const char *type;
    void (*encode)(const char *text, bool descending, Buf *out);
} TypeEncoder;

static const TypeEncoder encoders[] = {
    {"int", encode_int}, {"oid", encode_int}, {"bool", encode_bool}, {"string", encode_string}, {"bytes", encode_hex},
    {"enum", encode_hex}, {"collatedkey", encode_hex}, {"float", encode_float}, {"decimal", encode_decimal},
    {"date", encode_date}, {"time", encode_time}, {"timetz", encode_timetz}, {"timestamp", encode_timestamp},
    {"timestamptz", encode_timestamp}, {"interval", encode_interval}, {"uuid", encode_uuid}, {"varbit", encode_bits},
    {"pg_lsn", encode_lsn}, {"void", encode_void}, {"uvarint", encode_uvarint},
    {"inet", encode_inet}, {"uint32", encode_uint32}, {"uint64", encode_uint64}
};

bool vector_encode(const char *type, const char *text, bool descending, Buf *out)
{
    if (strcmp(text, "NULL") == 0) {
        ordered_put_null(out, descending);
        return true;
    }
    if (strcmp(text, "NOT NULL") == 0) {
        ordered_put_not_null(out, descending);
        return true;
    }
    if (strncmp(type, "tuple(", 6) == 0 || strstr(type, "[]")) return encode_list(type, text, descending, out);
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        if (strcmp(encoders[i].type, type)) continue;
        encoders[i].encode(text, descending, out);
        return true;
    }
    return false;
}
