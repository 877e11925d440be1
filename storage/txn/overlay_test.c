/* The overlay against a plain array: puts, deletes, adds, deleted spans, marks and views. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "storage/txn/overlay.h"

enum { KEYS = 40, STEPS = 4000, MARKS_MAX = 12, VIEWS_MAX = 4 };

typedef struct Cell {
    WriteKind kind;
    int64_t number; /* put: the value; add: the sum */
    bool hidden;    /* by a deleted span */
} Cell;

typedef struct Model {
    char names[KEYS][8];
    Cell now[KEYS];
    Cell marks[MARKS_MAX][KEYS];
    int mark_count;
} Model;

typedef struct View {
    OverlayCursor cursor;
    Cell cells[KEYS];
    bool open;
} View;

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 20) % n);
}

static Slice name(const Model *model, int i)
{
    return i < KEYS ? slice_str(model->names[i]) : (Slice){0};
}

static Slice number_value(int64_t number, uint8_t out[8])
{
    kv_counter_encode(number, out);
    return slice_of(out, 8);
}

static void assert_write(const Cell *cell, const Write *write)
{
    /* Of a key in a deleted span the overlay need not say more than that. */
    if (cell->kind == WRITE_NONE || (cell->kind == WRITE_DELETE && cell->hidden)) {
        assert_true(!write || write->kind == cell->kind);
        return;
    }
    assert_non_null(write);
    assert_int_equal(write->kind, cell->kind);
    if (cell->kind == WRITE_PUT) assert_int_equal(kv_counter_decode(write_value(write)), cell->number);
    if (cell->kind == WRITE_ADD) assert_int_equal(write->value.delta, cell->number);
}

static void change(Overlay *overlay, Model *model, uint64_t *seed)
{
    int i = (int)random_below(seed, KEYS);
    Cell *cell = &model->now[i];
    uint8_t bytes[8];
    int64_t number = random_below(seed, 1000);
    switch (random_below(seed, 12)) {
    case 0: {
        int end = i + (int)random_below(seed, (uint32_t)(KEYS - i) + 1);
        assert_true(overlay_delete_span(overlay, name(model, i), name(model, end)));
        if (end == i) return;
        for (int k = i; k < end; k++) {
            if (model->now[k].kind != WRITE_NONE) model->now[k].kind = WRITE_DELETE;
            model->now[k].hidden = true;
        }
        return;
    }
    case 1:
    case 2:
    case 3:
        assert_true(overlay_delete(overlay, name(model, i)));
        cell->kind = WRITE_DELETE;
        return;
    case 4:
    case 5:
        assert_true(overlay_add(overlay, name(model, i), number));
        if (cell->kind == WRITE_PUT || cell->kind == WRITE_ADD)
            cell->number += number;
        else
            cell->number = number;
        if (cell->kind == WRITE_DELETE || (cell->kind == WRITE_NONE && cell->hidden)) cell->kind = WRITE_PUT;
        if (cell->kind == WRITE_NONE) cell->kind = WRITE_ADD;
        return;
    default:
        assert_true(overlay_put(overlay, name(model, i), number_value(number, bytes)));
        *cell = (Cell){WRITE_PUT, number, cell->hidden};
    }
}

static bool may_be_absent(const Cell *cell, const OverlayCursor *cursor, Slice key)
{
    if (cell->kind == WRITE_DELETE && cell->hidden) return !cursor->write || !slice_equal(cursor->key, key);
    return cell->kind == WRITE_NONE;
}

/* Walks the view from a random key. */
static void check_view(View *view, const Model *model, uint64_t *seed)
{
    bool descending = view->cursor.descending;
    int step = descending ? -1 : 1, from = (int)random_below(seed, KEYS + (descending ? 1 : 0));
    int i = descending ? from - 1 : from;
    overlay_cursor_seek(&view->cursor, name(model, from));
    for (;; overlay_cursor_next(&view->cursor), i += step) {
        while (i >= 0 && i < KEYS && may_be_absent(&view->cells[i], &view->cursor, name(model, i))) i += step;
        if (i < 0 || i >= KEYS) break;
        assert_write(&view->cells[i], view->cursor.write);
        assert_true(slice_equal(view->cursor.key, name(model, i)));
    }
    assert_null(view->cursor.write);
}

static void view_toggle(View *view, Overlay *overlay, const Model *model, uint64_t *seed)
{
    if (view->open) {
        check_view(view, model, seed);
        overlay_cursor_end(&view->cursor);
    } else {
        overlay_cursor_begin(&view->cursor, overlay, random_below(seed, 2));
        memcpy(view->cells, model->now, sizeof view->cells);
    }
    view->open = !view->open;
}

/* spilling: the overlay goes to runs now and then, in between everything else. */
static void run(uint64_t seed, bool spilling)
{
    Arena *arena = arena_create(NULL, 0);
    Overlay overlay;
    Model *model = calloc(1, sizeof *model);
    View views[VIEWS_MAX] = {0};
    assert_non_null(model);
    overlay_init(&overlay, arena);
    if (spilling) overlay_allow_spill(&overlay, "/tmp", 1 << 30);
    for (int i = 0; i < KEYS; i++) snprintf(model->names[i], sizeof model->names[i], "k%02d", i);
    for (int step = 0; step < STEPS; step++) {
        uint32_t choice = random_below(&seed, 40);
        View *view = &views[random_below(&seed, VIEWS_MAX)];
        if (choice == 0 && model->mark_count < MARKS_MAX) {
            assert_int_equal(overlay_mark(&overlay), model->mark_count);
            memcpy(model->marks[model->mark_count++], model->now, sizeof model->now);
        } else if (choice == 1 && model->mark_count) {
            int mark = (int)random_below(&seed, (uint32_t)model->mark_count);
            for (int i = 0; i < VIEWS_MAX; i++)
                if (views[i].open) view_toggle(&views[i], &overlay, model, &seed);
            overlay_roll_back(&overlay, mark);
            memcpy(model->now, model->marks[mark], sizeof model->now);
            model->mark_count = mark + 1;
        } else if (choice == 39 && model->mark_count) {
            model->mark_count = (int)random_below(&seed, (uint32_t)model->mark_count);
            overlay_release(&overlay, model->mark_count);
        } else if (choice < 5) {
            view_toggle(view, &overlay, model, &seed);
        } else if (choice < 8 && view->open) {
            check_view(view, model, &seed);
        } else if (choice == 8 && spilling) {
            Error err;
            assert_int_equal(overlay_relieve(&overlay, &err), ST_OK);
        } else if (choice < 14) {
            int i = (int)random_below(&seed, KEYS);
            assert_write(&model->now[i], overlay_find(&overlay, name(model, i)));
            assert_int_equal(overlay_hides(&overlay, name(model, i), NULL), model->now[i].hidden);
        } else {
            change(&overlay, model, &seed);
        }
    }
    for (int i = 0; i < VIEWS_MAX; i++)
        if (views[i].open) view_toggle(&views[i], &overlay, model, &seed);
    assert_int_equal(overlay.spill.spills > 10, spilling);
    overlay_finish(&overlay);
    free(model);
    arena_destroy(arena);
}

static void test_against_model(void **state)
{
    for (uint64_t seed = 1; seed <= 40; seed++) run(seed * 0x9e3779b97f4a7c15, false);
}

static void test_spilling(void **state)
{
    for (uint64_t seed = 1; seed <= 40; seed++) run(seed * 0x9e3779b97f4a7c15, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_model), cmocka_unit_test(test_spilling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
