/* scope_hint.c - errors of names that are not there, with PostgreSQL's guesses at what was meant. */
#include <stdlib.h>

#include "planner/bind/scope.h"

enum { NAME_MAX_SIZE = 63, DISTANCE_MAX = 3, GUESSES_MAX = 2 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance of two identifiers; large for what is longer than an identifier can be. */
static int distance(const char *a, const char *b)
{
    int a_size = (int)strlen(a), b_size = (int)strlen(b);
    if (a_size > NAME_MAX_SIZE || b_size > NAME_MAX_SIZE) return 99;
    int row[NAME_MAX_SIZE + 1];
    for (int j = 0; j <= b_size; j++) row[j] = j;
    for (int i = 1; i <= a_size; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b_size; j++) {
            int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(replaced, smaller(row[j] + 1, row[j - 1] + 1));
        }
    }
    return row[b_size];
}

typedef struct Guesses {
    const ScopeItem *items[GUESSES_MAX];
    const char *columns[GUESSES_MAX];
    int count, best;
} Guesses;

static void guess(Guesses *g, const ScopeItem *item, const char *wanted, const char *qualifier)
{
    int penalty = qualifier && item->name ? distance(qualifier, item->name) : 0;
    if (penalty > DISTANCE_MAX) return;
    for (int i = 0; i < item->column_count; i++) {
        const char *name = item->columns[i].name;
        int d = distance(wanted, name);
        /* A guess that shares less than half of the name is none. */
        if (d > (int)strlen(wanted) / 2 || d + penalty > g->best) continue;
        if (d + penalty < g->best) g->count = 0;
        g->best = d + penalty;
        if (g->count < GUESSES_MAX) {
            g->items[g->count] = item;
            g->columns[g->count] = name;
        }
        g->count++;
    }
}

static void hint_near(Binder *binder, const char *qualifier, const char *column)
{
    Guesses g = {.best = DISTANCE_MAX};
    for (const Scope *scope = binder->scope; scope; scope = scope->outer)
        for (int i = 0; i < scope->items.count; i++)
            if (scope->items.items[i]->name) guess(&g, scope->items.items[i], column, qualifier);
    if (g.count == 1)
        err_hint(binder->err, binder->arena, "Perhaps you meant to reference the column \"%s.%s\".", g.items[0]->name,
                 g.columns[0]);
    else if (g.count == 2)
        err_hint(binder->err, binder->arena,
                 "Perhaps you meant to reference the column \"%s.%s\" or the column \"%s.%s\".", g.items[0]->name,
                 g.columns[0], g.items[1]->name, g.columns[1]);
}

/* An item that has the column but hides it, as the target of an INSERT hides its columns from the SELECT. */
static const ScopeItem *hidden_owner(const Binder *binder, const char *column)
{
    for (const Scope *scope = binder->scope; scope; scope = scope->outer)
        for (int i = 0; i < scope->items.count; i++) {
            const ScopeItem *item = scope->items.items[i];
            if (!item->name || (item->columns_visible && !item->lateral_only)) continue;
            for (int c = 0; c < item->column_count; c++)
                if (strcmp(item->columns[c].name, column) == 0) return item;
        }
    return NULL;
}

Status scope_no_column(Binder *binder, const char *table, const char *column, int position)
{
    if (table)
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_COLUMN, "column %s.%s does not exist", table, column);
    else
        (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_COLUMN, "column \"%s\" does not exist", column);
    const ScopeItem *hidden = table ? NULL : hidden_owner(binder, column);
    if (hidden)
        err_hint(
            binder->err, binder->arena,
            "There is a column named \"%s\" in table \"%s\", but it cannot be referenced from this part of the query.",
            column, hidden->name);
    else
        hint_near(binder, table, column);
    return err_at(binder->err, position);
}

Status scope_no_table(Binder *binder, const char *table, int position)
{
    const ScopeItem *hidden = NULL, *aliased = NULL;
    for (const Scope *scope = binder->scope; scope; scope = scope->outer)
        for (int i = 0; i < scope->items.count; i++) {
            const ScopeItem *item = scope->items.items[i];
            if (item->name && !item->name_visible && strcmp(item->name, table) == 0) hidden = item;
            if (item->table && item->name_visible && strcmp(item->table->table->base.name, table) == 0) aliased = item;
        }
    const char *words = hidden || aliased ? "invalid reference to" : "missing";
    (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_TABLE, "%s FROM-clause entry for table \"%s\"", words,
                  table);
    if (aliased)
        err_hint(binder->err, binder->arena, "Perhaps you meant to reference the table alias \"%s\".", aliased->name);
    else if (hidden)
        err_hint(binder->err, binder->arena,
                 "There is an entry for table \"%s\", but it cannot be referenced from this part of the query.", table);
    return err_at(binder->err, position);
}
