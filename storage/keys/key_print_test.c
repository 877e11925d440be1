#include "storage/keys/key_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/keys/row_key.h"
#include "storage/keys/vectors_test.h"

static const char *vectors_path;

static const char *print_vector(const Vector *v, Slice key, Arena *arena)
{
    KeyPrintColumn columns[16] = {0};
    KeyPrintStyle style = KEY_PRINT_WHOLE;
    size_t letters = strlen(v->direction);
    if (letters > 2) {
        for (size_t i = 2; i < letters; i++) columns[i - 2].descending = v->direction[i] == 'D';
        style.columns = columns;
        style.count = (int)letters - 2;
    }
    return key_text(key, &style, arena);
}

static void test_vectors(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    int run = 0, failed = 0;
    for (Vector *v = vectors_read(vectors_path, arena); v->kind; v++) {
        if (strcmp(v->kind, "key")) continue;
        Buf key = {0};
        vector_bytes(v->hex, &key);
        const char *text = print_vector(v, buf_slice(&key), arena);
        if (strcmp(text, v->value)) {
            print_error("line %d: want %s got %s\n", v->line, v->value, text);
            failed++;
        }
        buf_finish(&key);
        run++;
    }
    print_message("%d printed keys run\n", run);
    assert_int_equal(failed, 0);
    assert_true(run >= 90);
    arena_destroy(arena);
}

/* The key of a range record is an area's byte and the end key; both print alike. */
static void test_meta(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    int run = 0;
    for (Vector *v = vectors_read(vectors_path, arena); v->kind; v++) {
        if (strcmp(v->kind, "meta")) continue;
        Buf key = {0};
        vector_bytes(v->hex, &key);
        bool meta2 = strcmp(v->type, "meta2") == 0;
        const char *text = key_text(buf_slice(&key), NULL, arena);
        const char *address = meta2 ? v->value : v->value + strlen("/Meta2");
        assert_string_equal(text, arena_printf(arena, "%s%s", meta2 ? "/Meta2" : "/Meta1", address));
        if (meta2) {
            Buf again = {0};
            row_key_meta2(slice_of(key.data + 1, key.size - 1), &again);
            assert_true(slice_equal(buf_slice(&key), buf_slice(&again)));
            buf_finish(&again);
        }
        buf_finish(&key);
        run++;
    }
    assert_int_equal(run, 4);
    arena_destroy(arena);
}

static void test_skip(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Slice key = SLICE_LIT("\xbd\x89\xf7\x12\x6e\x88");
    assert_string_equal(key_text(key, &(KeyPrintStyle){.skip = 0}, arena), "/53/1/4718/0");
    assert_string_equal(key_text(key, &(KeyPrintStyle){.skip = 1}, arena), "/1/4718/0");
    assert_string_equal(key_text(key, &(KeyPrintStyle){.skip = 2}, arena), "/4718/0");
    assert_string_equal(key_text(key, &(KeyPrintStyle){.skip = 4}, arena), "");
    assert_string_equal(key_text(SLICE_LIT("\xbd"), &(KeyPrintStyle){.skip = 1}, arena), "");
    assert_string_equal(key_text(SLICE_LIT("\xff\xff"), &(KeyPrintStyle){.skip = 0}, arena), "");
    arena_destroy(arena);
}

static void test_columns(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    KeyPrintColumn columns[] = {{.hash_code = true}, {.descending = true}};
    KeyPrintStyle style = {.columns = columns, .count = 2, .skip = -1};
    /* 0x1210 is what 1 hashes to; 5 descending. */
    assert_string_equal(key_text(SLICE_LIT("\xf2\x89\xf7\x12\x10\x87\xfa\x88"), &style, arena), "/Table/106/1/0x1210/5/0");
    /* A boundary stops after any column. */
    assert_string_equal(key_text(SLICE_LIT("\xf2\x89\xf7\x12\x10"), &style, arena), "/Table/106/1/0x1210");
    arena_destroy(arena);
}

static void test_quoting(void **state)
{
    Buf out = {0};
    key_print_quoted(SLICE_LIT("a\"\\\a\x01\x7f\xc3\xa9\xe2\x80\x8b\xf0\x9f\x98\x80\xff"), &out);
    assert_true(slice_equal_str(buf_slice(&out), "\"a\\\"\\\\\\a\\x01\\x7f\xc3\xa9\\u200b\xf0\x9f\x98\x80\\xff\""));
    buf_finish(&out);
}

static void test_garbage(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    uint64_t seed = 12345;
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[20];
        for (size_t b = 0; b < sizeof bytes; b++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[b] = (uint8_t)(seed >> 56);
        }
        bytes[0] = (uint8_t)(i % 3 ? 0x88 + bytes[0] % 0x72 : bytes[0]);
        assert_non_null(key_text(slice_of(bytes, (size_t)(i % 20) + 1), NULL, arena));
        if (i % 100 == 0) arena_reset(arena);
    }
    arena_destroy(arena);
}

int main(int argc, char **argv)
{
    vectors_path = argc > 1 ? argv[1] : "key-vectors.tsv";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_meta), cmocka_unit_test(test_skip),
        cmocka_unit_test(test_columns), cmocka_unit_test(test_quoting), cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
