/* Descriptors as bytes: what is written reads back the same; damage is an error, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "storage/catalog/desc_codec.h"

static TableDesc *sample_table(Arena *arena)
{
    TableDesc *t = ARENA_NEW(arena, TableDesc);
    t->base = (Desc){DESC_TABLE, 106, 104, 105, 7, "events", "postgres", "what happened"};
    ColumnDesc id = {.id = 1, .name = "id", .type = {OID_INT4, -1}, .not_null = true};
    ColumnDesc bucket = {.id = 2, .name = "b", .type = {OID_INT8, -1}, .hidden = true, .computed = COMPUTED_VIRTUAL,
                         .computed_expr = "mod(id, 8)", .role = COLUMN_BUCKET, .bucket_count = 8};
    VEC_PUSH(arena, bucket.hashed_columns, 1);
    VEC_PUSH(arena, t->columns, id);
    VEC_PUSH(arena, t->columns, bucket);
    IndexDesc primary = {.id = 1, .name = "events_pkey", .unique = true, .primary = true, .bucket_count = 8};
    VEC_PUSH(arena, primary.columns, (IndexColumn){.column_id = 2, .implicit = true});
    VEC_PUSH(arena, primary.columns, (IndexColumn){.column_id = 1, .descending = true});
    PartitionDesc part = {.name = "eu", .is_list = true};
    VEC_PUSH(arena, part.values, "('eu')");
    VEC_PUSH(arena, part.children, (PartitionDesc){.name = "inner", .is_default = true});
    VEC_PUSH(arena, primary.partitions, part);
    VEC_PUSH(arena, t->indexes, primary);
    VEC_PUSH(arena, t->checks, (CheckDesc){3, "c", "id > 0", false, true});
    VEC_PUSH(arena, t->families, (FamilyDesc){0, "primary"});
    t->next_column_id = 3;
    t->range_max_bytes = -5;
    return t;
}

static void test_round_trip(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Buf first = {0}, second = {0};
    Error err;
    Desc *copy = NULL;
    desc_encode(&sample_table(arena)->base, &first);
    assert_int_equal(desc_decode(buf_slice(&first), arena, &copy, &err), ST_OK);
    const TableDesc *t = (const TableDesc *)copy;
    assert_string_equal(t->base.name, "events");
    assert_string_equal(t->base.comment, "what happened");
    assert_int_equal(t->base.version, 7);
    assert_int_equal(t->columns.items[1].hashed_columns.items[0], 1);
    assert_null(t->columns.items[0].default_expr);
    assert_true(t->indexes.items[0].columns.items[1].descending);
    assert_true(t->indexes.items[0].partitions.items[0].children.items[0].is_default);
    assert_int_equal(t->range_max_bytes, -5);
    desc_encode(copy, &second);
    assert_true(slice_equal(buf_slice(&first), buf_slice(&second)));
    buf_finish(&first);
    buf_finish(&second);
    arena_destroy(arena);
}

/* Cut short anywhere, or with any one byte changed, a record is refused or read, but nothing breaks. */
static void test_damage(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    Buf bytes = {0};
    Error err;
    Desc *copy;
    desc_encode(&sample_table(arena)->base, &bytes);
    for (size_t size = 0; size < bytes.size; size++)
        assert_int_equal(desc_decode(slice_of(bytes.data, size), arena, &copy, &err), ST_ERROR);
    for (size_t i = 0; i < bytes.size; i++) {
        uint8_t kept = bytes.data[i];
        for (int change = 1; change < 256; change += 37) {
            bytes.data[i] = (uint8_t)(kept ^ change);
            (void)!desc_decode(buf_slice(&bytes), arena, &copy, &err);
        }
        bytes.data[i] = kept;
    }
    buf_finish(&bytes);
    arena_destroy(arena);
}

static void test_stats_round_trip(void **state)
{
    Arena *arena = arena_create(NULL, 0);
    TableStats stats = {.row_count = 12, .analyzed_at_us = 99}, *copy;
    ColumnStats ints = {.column_id = 1, .distinct = 6.5}, texts = {.column_id = 2, .null_fraction = 0.25};
    VEC_PUSH(arena, ints.histogram, value_int(-3));
    VEC_PUSH(arena, texts.common, value_str("abc"));
    VEC_PUSH(arena, texts.common_fraction, 0.5);
    VEC_PUSH(arena, stats.columns, ints);
    VEC_PUSH(arena, stats.columns, texts);
    TypeRep reps[] = {REP_INT, REP_BYTES};
    Buf bytes = {0};
    Error err;
    stats_encode(&stats, reps, &bytes);
    assert_int_equal(stats_decode(buf_slice(&bytes), arena, &copy, &err), ST_OK);
    assert_int_equal(copy->columns.items[0].histogram.items[0].i, -3);
    assert_true(copy->columns.items[0].distinct == 6.5);
    assert_memory_equal(copy->columns.items[1].common.items[0].p, "abc", 3);
    buf_finish(&bytes);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_stats_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
