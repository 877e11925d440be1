/* COPY's text forms: rows cut out of pieces of any size, fields, and back. */
#include "executor/copy.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static UtilityCopy text_copy = {.from = true, .format = COPY_TEXT, .delimiter = '\t', .null_text = "\\N", .column_count = 3};
static UtilityCopy csv_copy = {.from = true, .format = COPY_CSV, .delimiter = ',', .quote = '"', .escape = '"',
                               .null_text = "", .column_count = 3};

/* Feeds the bytes in pieces of `step`, and puts "row|row|" together, fields between brackets. */
static char *cut(const UtilityCopy *copy, const char *bytes, size_t step, Arena *arena)
{
    CopySplitter splitter = {.copy = copy};
    Error err = {0};
    Buf out = {0};
    size_t size = strlen(bytes);
    for (size_t at = 0; at <= size; at += step) {
        size_t n = size - at < step ? size - at : step;
        bool final = at + step > size;
        copy_splitter_add(&splitter, slice_of(bytes + at, n));
        Slice row;
        while (copy_splitter_next(&splitter, final, &row, arena, &err) == ST_OK) {
            CopyField *fields;
            int count;
            assert_int_equal(copy_parse_fields(copy, row, &fields, &count, arena, &err), ST_OK);
            for (int i = 0; i < count; i++) {
                buf_put_str(&out, fields[i].null ? "<NULL>" : "[");
                if (!fields[i].null) buf_put_slice(&out, fields[i].text);
                if (!fields[i].null) buf_put_str(&out, "]");
            }
            buf_put_str(&out, "|");
        }
    }
    char *text = buf_to_str(&out, arena);
    buf_finish(&out);
    buf_finish(&splitter.pending);
    return text;
}

static void check(const UtilityCopy *copy, const char *bytes, const char *wanted)
{
    for (size_t step = 1; step < 9; step++) {
        Arena *arena = arena_create(NULL, 0);
        assert_string_equal(cut(copy, bytes, step, arena), wanted);
        arena_destroy(arena);
    }
}

static void test_text(void **state)
{
    check(&text_copy, "1\ta\tb\n2\t\\N\t\n", "[1][a][b]|[2]<NULL>[]|");
    check(&text_copy, "1\ta\\tb\\\\\t\\x41\\102\n", "[1][a\tb\\][AB]|");
    check(&text_copy, "1\ta\\\nb\tc\n", "[1][a\nb][c]|");
    check(&text_copy, "1\ta\tb\r\n2\tc\td\r\n", "[1][a][b]|[2][c][d]|");
    check(&text_copy, "1\ta\tb\n\\.\n2\tc\td\n", "[1][a][b]|");
    check(&text_copy, "1\ta\tlast", "[1][a][last]|");
    check(&text_copy, "", "");
}

static void test_csv(void **state)
{
    check(&csv_copy, "1,\"a,b\",c\n2,,\"\"\n", "[1][a,b][c]|[2]<NULL>[]|");
    check(&csv_copy, "1,\"a\nb\",\"say \"\"x\"\"\"\n", "[1][a\nb][say \"x\"]|");
    check(&csv_copy, "1,a,b\r\n2,\"c\r\nd\",e\r\n", "[1][a][b]|[2][c\r\nd][e]|");
}

static void test_out(void **state)
{
    Buf out = {0};
    const TypeDef *types[] = {type_find(OID_INT4), type_find(OID_TEXT), type_find(OID_TEXT)};
    Value row[] = {value_int(1), value_str("a\tb\\c\n"), VALUE_NULL};
    copy_format_row(&text_copy, &type_env_default, types, row, &out);
    assert_true(slice_equal_str(buf_slice(&out), "1\ta\\tb\\\\c\\n\t\\N\n"));
    buf_clear(&out);
    Value csv_row[] = {value_int(1), value_str("say \"x\", y"), value_str("")};
    copy_format_row(&csv_copy, &type_env_default, types, csv_row, &out);
    assert_true(slice_equal_str(buf_slice(&out), "1,\"say \"\"x\"\", y\",\"\"\n"));
    buf_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_csv), cmocka_unit_test(test_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
