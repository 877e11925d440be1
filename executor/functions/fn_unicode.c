/* fn_unicode.c - Unicode's normal forms and escapes; texts in other encodings. */
#include <unicode/ucnv.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "executor/functions/families.h"
#include "storage/base/utf8.h"
#include "storage/types/type_defs.h"

static Status no_memory(FnCtx *ctx)
{
    return err_no_memory(ctx->type.err);
}

static Status to_utf16(FnCtx *ctx, Slice text, UChar **out, int32_t *count)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t room = (int32_t)text.size + 1;
    *out = arena_try_alloc(ctx->type.arena, (size_t)room * sizeof(UChar));
    if (!*out) return no_memory(ctx);
    u_strFromUTF8(*out, room, count, (const char *)text.data, (int32_t)text.size, &status);
    return U_FAILURE(status) ? no_memory(ctx) : ST_OK;
}

static Status from_utf16(FnCtx *ctx, const UChar *text, int32_t count, Value *out)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t room = count * 3 + 1, size;
    char *bytes = arena_try_alloc(ctx->type.arena, (size_t)room);
    if (!bytes) return no_memory(ctx);
    u_strToUTF8(bytes, room, &size, text, count, &status);
    if (U_FAILURE(status)) return no_memory(ctx);
    *out = value_bytes(bytes, (size_t)size);
    return ST_OK;
}

/* ---- normal forms ---- */

static Status normalizer(FnCtx *ctx, Value form, const UNormalizer2 **out)
{
    Slice name = value_to_slice(form);
    UErrorCode status = U_ZERO_ERROR;
    *out = NULL;
    if (text_is_word(name, "nfc")) *out = unorm2_getNFCInstance(&status);
    else if (text_is_word(name, "nfd")) *out = unorm2_getNFDInstance(&status);
    else if (text_is_word(name, "nfkc")) *out = unorm2_getNFKCInstance(&status);
    else if (text_is_word(name, "nfkd")) *out = unorm2_getNFKDInstance(&status);
    if (*out) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid normalization form: %.*s",
                   (int)name.size, (const char *)name.data);
}

static Value form_of(const FnCtx *ctx, const Value *args)
{
    return ctx->arg_count > 1 ? args[1] : value_bytes("NFC", 3);
}

static Status normalize(FnCtx *ctx, const Value *args, Value *out)
{
    const UNormalizer2 *form;
    UErrorCode status = U_ZERO_ERROR;
    UChar *text, *normal;
    int32_t count;
    TRY(normalizer(ctx, form_of(ctx, args), &form));
    TRY(to_utf16(ctx, value_to_slice(args[0]), &text, &count));
    int32_t needed = unorm2_normalize(form, text, count, NULL, 0, &status);
    normal = arena_try_alloc(ctx->type.arena, ((size_t)needed + 1) * sizeof(UChar));
    if (!normal) return no_memory(ctx);
    status = U_ZERO_ERROR;
    needed = unorm2_normalize(form, text, count, normal, needed + 1, &status);
    return U_FAILURE(status) ? no_memory(ctx) : from_utf16(ctx, normal, needed, out);
}

static Status is_normalized(FnCtx *ctx, const Value *args, Value *out)
{
    const UNormalizer2 *form;
    UErrorCode status = U_ZERO_ERROR;
    UChar *text;
    int32_t count;
    TRY(normalizer(ctx, form_of(ctx, args), &form));
    TRY(to_utf16(ctx, value_to_slice(args[0]), &text, &count));
    *out = value_bool(unorm2_isNormalized(form, text, count, &status));
    return ST_OK;
}

/* ---- unistr ---- */

static Status bad_escape(FnCtx *ctx)
{
    err_set(ctx->type.err, ctx->type.arena, ERR_SYNTAX_ERROR, "invalid Unicode escape");
    err_hint(ctx->type.err, ctx->type.arena,
             "Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.");
    return ST_ERROR;
}

/* `digits` hexadecimal digits; -1 if there are not so many. */
static int64_t hex_number(Slice text, size_t at, size_t digits)
{
    int64_t value = 0;
    if (at + digits > text.size) return -1;
    for (size_t i = at; i < at + digits; i++) {
        uint8_t c = to_lower(text.data[i]);
        if (!is_digit(c) && (c < 'a' || c > 'f')) return -1;
        value = value * 16 + (is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return value;
}

/* The escape that begins at the backslash text.data[*at]; *at is moved behind it. */
static int64_t escaped_character(Slice text, size_t *at)
{
    static const struct { uint8_t letter; size_t digits; } forms[] = {{'+', 6}, {'u', 4}, {'U', 8}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (*at + 1 >= text.size || text.data[*at + 1] != forms[i].letter) continue;
        int64_t value = hex_number(text, *at + 2, forms[i].digits);
        *at += 2 + forms[i].digits;
        return value;
    }
    int64_t value = hex_number(text, *at + 1, 4);
    *at += 5;
    return value;
}

static Status pair_fault(FnCtx *ctx)
{
    return err_set(ctx->type.err, ctx->type.arena, ERR_SYNTAX_ERROR, "invalid Unicode surrogate pair");
}

static Status unistr_into(FnCtx *ctx, Slice text, Buf *buf)
{
    int64_t high = 0; /* the first half of a pair */
    for (size_t i = 0; i < text.size;) {
        bool escape = text.data[i] == '\\' && !(i + 1 < text.size && text.data[i + 1] == '\\');
        if (!escape) {
            if (high) return pair_fault(ctx);
            i += text.data[i] == '\\';
            buf_put_u8(buf, text.data[i++]);
            continue;
        }
        int64_t code = escaped_character(text, &i);
        uint8_t bytes[4];
        if (code < 0) return bad_escape(ctx);
        if (code == 0 || code > 0x10ffff)
            return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid Unicode code point: %04llX", (long long)code);
        bool low = code >= 0xdc00 && code <= 0xdfff;
        if (low != (high != 0)) return pair_fault(ctx);
        if (low) code = 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00);
        high = code >= 0xd800 && code <= 0xdbff ? code : 0;
        if (!high) buf_put(buf, bytes, (size_t)utf8_encode((int32_t)code, bytes));
    }
    return high ? pair_fault(ctx) : ST_OK;
}

static Status unistr(FnCtx *ctx, const Value *args, Value *out)
{
    Buf buf = {0};
    Status status = unistr_into(ctx, value_to_slice(args[0]), &buf);
    if (status == ST_OK && buf.failed) status = no_memory(ctx);
    if (status == ST_OK) *out = value_slice(buf_to_arena(&buf, ctx->type.arena));
    buf_finish(&buf);
    return status;
}

/* ---- encodings ---- */

/* clang-format off */
typedef struct Encoding { const char *name, *icu, *aliases; } Encoding;
static const Encoding encodings[] = {
    { "UTF8", "UTF-8", " utf8 unicode " },
    { "SQL_ASCII", "US-ASCII", " sqlascii " },
    { "LATIN1", "ISO-8859-1", " latin1 iso88591 " },     { "LATIN2", "ISO-8859-2", " latin2 iso88592 " },
    { "LATIN3", "ISO-8859-3", " latin3 iso88593 " },     { "LATIN4", "ISO-8859-4", " latin4 iso88594 " },
    { "LATIN5", "ISO-8859-9", " latin5 iso88599 " },     { "LATIN6", "ISO-8859-10", " latin6 iso885910 " },
    { "LATIN7", "ISO-8859-13", " latin7 iso885913 " },   { "LATIN8", "ISO-8859-14", " latin8 iso885914 " },
    { "LATIN9", "ISO-8859-15", " latin9 iso885915 " },   { "ISO_8859_5", "ISO-8859-5", " iso88595 " },
    { "ISO_8859_6", "ISO-8859-6", " iso88596 " },        { "ISO_8859_7", "ISO-8859-7", " iso88597 " },
    { "ISO_8859_8", "ISO-8859-8", " iso88598 " },        { "WIN1250", "windows-1250", " win1250 windows1250 " },
    { "WIN1251", "windows-1251", " win1251 win windows1251 " }, { "WIN1252", "windows-1252", " win1252 windows1252 " },
    { "WIN1253", "windows-1253", " win1253 windows1253 " }, { "WIN1254", "windows-1254", " win1254 windows1254 " },
    { "WIN1255", "windows-1255", " win1255 windows1255 " }, { "WIN1256", "windows-1256", " win1256 windows1256 " },
    { "WIN1257", "windows-1257", " win1257 windows1257 " }, { "WIN1258", "windows-1258", " win1258 windows1258 abc tcvn " },
    { "WIN866", "IBM866", " win866 alt windows866 " },   { "KOI8R", "KOI8-R", " koi8r koi8 " },
    { "KOI8U", "KOI8-U", " koi8u " },                    { "EUC_JP", "EUC-JP", " eucjp " },
    { "EUC_KR", "EUC-KR", " euckr " },                   { "EUC_CN", "GB2312", " euccn " },
    { "SJIS", "Shift_JIS", " sjis mskanji shiftjis win932 windows932 " }, { "BIG5", "Big5", " big5 win950 windows950 " },
    { "GBK", "GBK", " gbk win936 windows936 " },         { "GB18030", "gb18030", " gb18030 " },
    { "UHC", "windows-949", " uhc win949 windows949 " },
};
/* clang-format on */

/* Letters and digits only, without case. */
static const Encoding *encoding_find(Arena *arena, Slice name)
{
    char *word = arena_alloc(arena, name.size + 3), *end = word;
    *end++ = ' ';
    for (size_t i = 0; i < name.size; i++)
        if (is_alpha(name.data[i]) || is_digit(name.data[i])) *end++ = (char)to_lower(name.data[i]);
    *end++ = ' ';
    *end = 0;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
        if (end - word > 2 && strstr(encodings[i].aliases, word)) return &encodings[i];
    return NULL;
}

static Status find_encoding(FnCtx *ctx, Value name, const char *role, const Encoding **out)
{
    *out = encoding_find(ctx->type.arena, value_to_slice(name));
    if (*out) return ST_OK;
    return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid %s encoding name \"%.*s\"", role,
                   (int)name.size, (const char *)name.p);
}

static const char *hex_bytes(Arena *arena, Slice bytes)
{
    const char *text = "";
    for (size_t i = 0; i < bytes.size && i < 8; i++)
        text = arena_printf(arena, "%s%s0x%02x", text, i ? " " : "", bytes.data[i]);
    return text;
}

static Status invalid_bytes(FnCtx *ctx, const Encoding *encoding, Slice rest)
{
    size_t n = rest.size && encoding == &encodings[0] ? (size_t)utf8_length(rest.data[0]) : 1;
    return err_set(ctx->type.err, ctx->type.arena, ERR_CHARACTER_NOT_IN_REPERTOIRE,
                   "invalid byte sequence for encoding \"%s\": %s", encoding->name,
                   hex_bytes(ctx->type.arena, slice_of(rest.data, n < rest.size ? n : rest.size)));
}

/* Bytes of any encoding as UTF-16; bytes that are none of it stop the conversion. */
static Status decode_bytes(FnCtx *ctx, const Encoding *from, Slice bytes, UChar **text, int32_t *count)
{
    UErrorCode status = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(from->icu, &status);
    size_t room = bytes.size * 2 + 8;
    const char *source = (const char *)bytes.data, *end = source + bytes.size;
    UChar *target = *text = arena_try_alloc(ctx->type.arena, room * sizeof(UChar));
    if (U_FAILURE(status) || !target) return no_memory(ctx);
    ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
    ucnv_toUnicode(converter, &target, target + room, &source, end, NULL, true, &status);
    char bad[16];
    int8_t bad_count = sizeof bad;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter, bad, &bad_count, &ignored);
    ucnv_close(converter);
    *count = (int32_t)(target - *text);
    if (U_SUCCESS(status)) return ST_OK;
    const uint8_t *at = (const uint8_t *)source - (U_SUCCESS(ignored) ? bad_count : 0);
    return invalid_bytes(ctx, from, slice_of(at, (size_t)((const uint8_t *)end - at)));
}

static Status encode_text(FnCtx *ctx, const Encoding *to, const UChar *text, int32_t count, Value *out)
{
    UErrorCode status = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(to->icu, &status);
    size_t room = (size_t)count * 4 + 16;
    char *bytes = arena_try_alloc(ctx->type.arena, room), *target = bytes;
    const UChar *source = text;
    if (U_FAILURE(status) || !bytes) return no_memory(ctx);
    ucnv_setFromUCallBack(converter, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
    ucnv_fromUnicode(converter, &target, bytes + room, &source, text + count, NULL, true, &status);
    UChar bad[8] = {0};
    int8_t bad_count = 8;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidUChars(converter, bad, &bad_count, &ignored);
    ucnv_close(converter);
    *out = value_bytes(bytes, (size_t)(target - bytes));
    if (U_SUCCESS(status)) return ST_OK;
    Value character = value_bytes("", 0);
    if (U_SUCCESS(ignored)) TRY(from_utf16(ctx, bad, bad_count, &character));
    return err_set(ctx->type.err, ctx->type.arena, ERR_UNTRANSLATABLE_CHARACTER,
                   "character with byte sequence %s in encoding \"UTF8\" has no equivalent in encoding \"%s\"",
                   hex_bytes(ctx->type.arena, value_to_slice(character)), to->name);
}

static Status convert_between(FnCtx *ctx, Value bytes, const Encoding *from, const Encoding *to, Value *out)
{
    UChar *text;
    int32_t count = 0;
    Slice input = value_to_slice(bytes);
    if (from == &encodings[0]) {
        size_t valid = utf8_valid_prefix(input);
        if (valid < input.size) return invalid_bytes(ctx, from, slice_of(input.data + valid, input.size - valid));
    }
    *out = bytes;
    if (from == to) return ST_OK;
    TRY(decode_bytes(ctx, from, input, &text, &count));
    return encode_text(ctx, to, text, count, out);
}

static Status convert(FnCtx *ctx, const Value *args, Value *out)
{
    const Encoding *from, *to;
    TRY(find_encoding(ctx, args[1], "source", &from));
    TRY(find_encoding(ctx, args[2], "destination", &to));
    return convert_between(ctx, args[0], from, to, out);
}

static Status convert_from(FnCtx *ctx, const Value *args, Value *out)
{
    const Encoding *from;
    TRY(find_encoding(ctx, args[1], "source", &from));
    return convert_between(ctx, args[0], from, &encodings[0], out);
}

static Status convert_to(FnCtx *ctx, const Value *args, Value *out)
{
    const Encoding *to;
    TRY(find_encoding(ctx, args[1], "destination", &to));
    return convert_between(ctx, args[0], &encodings[0], to, out);
}

static Status length_in(FnCtx *ctx, const Value *args, Value *out)
{
    const Encoding *from = encoding_find(ctx->type.arena, value_to_slice(args[1]));
    Value text;
    if (!from)
        return err_set(ctx->type.err, ctx->type.arena, ERR_INVALID_PARAMETER_VALUE, "invalid encoding name \"%.*s\"",
                       (int)args[1].size, (const char *)args[1].p);
    TRY(convert_between(ctx, args[0], from, &encodings[0], &text));
    *out = value_int((int64_t)utf8_count(value_to_slice(text)));
    return ST_OK;
}

/* clang-format off */
#define FN FN_STRICT | FN_IMMUTABLE
const FuncDef fn_unicode_rows[] = {
    { 1813, "convert", "bytea, name, name", "bytea", FN, convert },
    { 1714, "convert_from", "bytea, name",  "text",  FN, convert_from },
    { 1717, "convert_to", "text, name",     "bytea", FN, convert_to },
    { 9650, "is_normalized", "text",        "bool",  FN | FN_HIDDEN, is_normalized },
    { 4351, "is_normalized", "text, text",  "bool",  FN, is_normalized },
    { 1713, "length", "bytea, name",        "int4",  FN, length_in },
    { 9651, "normalize", "text",            "text",  FN | FN_HIDDEN, normalize },
    { 4350, "normalize", "text, text",      "text",  FN, normalize },
    { 6198, "unistr", "text",               "text",  FN, unistr },
    { 0 }
};
/* clang-format on */
