#include "storage/keys/bucket.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/keys/ordered.h"
#include "storage/keys/vectors_test.h"

static const char *vectors_path;

static uint32_t vector_bucket(const Vector *v, Arena *arena)
{
    char *types[8], *values[8];
    char *colon = strchr(v->type, ':');
    uint32_t count = (uint32_t)strtoul(v->direction, NULL, 10);
    int type_count = vector_split(arena_printf(arena, "(%s)", colon + 1), types, 8, arena);
    int n = vector_split(v->value, values, 8, arena);
    if (strncmp(v->type, "string-cast", 11) == 0) {
        Slice text = n ? slice_str(values[0]) : SLICE_LIT("");
        return bucket_of_texts(&text, 1, count);
    }
    assert_int_equal(n, type_count);
    Buf datums = {0};
    for (int i = 0; i < n; i++) assert_true(vector_encode(types[i], values[i], false, &datums));
    uint32_t bucket = strncmp(v->type, "md5", 3) == 0 ? bucket_of(buf_slice(&datums), count)
                                                     : bucket_of_undigested(buf_slice(&datums), count);
    buf_finish(&datums);
    return bucket;
}

static void test_vectors(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    int run = 0;
    for (Vector *v = vectors_read(vectors_path, arena); v->kind; v++) {
        if (strcmp(v->kind, "bucket")) continue;
        uint32_t got = vector_bucket(v, arena);
        if (got != strtoul(v->hex, NULL, 10)) print_error("line %d: %s %s\n", v->line, v->type, v->value);
        assert_int_equal(got, strtoul(v->hex, NULL, 10));
        run++;
    }
    print_message("%d bucket vectors run\n", run);
    assert_true(run >= 50);
    arena_destroy(arena);
}

static void test_distribution(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    int run = 0;
    for (Vector *v = vectors_read(vectors_path, arena); v->kind; v++) {
        if (strcmp(v->kind, "bucketdist")) continue;
        int64_t last = strtoll(strstr(v->value, "..") + 2, NULL, 10), counts[8] = {0};
        bool digested = strncmp(v->type, "md5", 3) == 0;
        Buf datums = {0};
        for (int64_t i = 0; i <= last; i++) {
            buf_clear(&datums);
            ordered_put_int(&datums, i, false);
            counts[digested ? bucket_of(buf_slice(&datums), 8) : bucket_of_undigested(buf_slice(&datums), 8)]++;
        }
        char *p = v->hex;
        for (int b = 0; b < 8; b++, p++) assert_int_equal(counts[b], strtoll(p, &p, 10));
        buf_finish(&datums);
        run++;
    }
    assert_int_equal(run, 2);
    arena_destroy(arena);
}

/* fnv32 of the tuple (INT 1, FLOAT 1, STRING '1', DECIMAL 1), a published value. */
static void test_tuple(void **state)
{
    Slice datums = SLICE_LIT("\x89\x05\x3f\xf0\x00\x00\x00\x00\x00\x00\x12\x31\x00\x01\x2a\x02\x00");
    assert_int_equal(bucket_fnv32(BUCKET_FNV32_START, datums), 2651793876u);
    assert_int_equal(bucket_hash(SLICE_LIT("\xf7\x12\x6e")), 1003735223u);
}

int main(int argc, char **argv)
{
    vectors_path = argc > 1 ? argv[1] : "key-vectors.tsv";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_distribution),
        cmocka_unit_test(test_tuple),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
