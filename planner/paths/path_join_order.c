/* path_join_order.c - the order and the methods of inner joins: dynamic programming for a few, greedy for many.
 *
 * A set of items is a bit mask. Its row count does not depend on how it is put together: the product of its items' rows
 * and of the shares of all conditions inside.
 */
#include "planner/paths/path_join.h"

#include <assert.h>
#include <math.h>

typedef enum JoinMethod { METHOD_ITEM, METHOD_HASH, METHOD_LOOKUP, METHOD_LOOP, METHOD_SYSTEM } JoinMethod;

typedef struct JoinSet JoinSet;
struct JoinSet {
    uint64_t items;
    double rows, cost;
    JoinMethod method;
    const JoinSet *left, *right;
    const LookupChoice *lookup;
    Plan *system; /* METHOD_SYSTEM: the right item as it is looked up */
};

typedef struct LookupMemo {
    uint64_t edges;
    LookupChoice *choice; /* NULL: none */
} LookupMemo;

typedef struct Orderer {
    JoinGraph *g;
    Paths *p;
    VEC(LookupMemo) memo[64]; /* per item, by the edges that can be used */
} Orderer;

/* ---- estimates ---- */

static double column_distinct(const Orderer *o, const Expr *e, double otherwise)
{
    while (e->kind == EXPR_CAST) e = e->args[0];
    if (e->kind != EXPR_COLUMN) return otherwise;
    ColId column = ((const ExprColumn *)e)->column;
    for (int i = 0; i < o->g->items.count; i++) {
        const JoinItem *item = &o->g->items.items[i];
        if (!colset_has(&item->columns, column)) continue;
        double rows = fmax(item->plan->rows_estimated, 1);
        if (!item->source) return rows;
        for (int c = 0; c < item->source->table->columns.count; c++) {
            if (item->source->spans.columns[c] != column) continue;
            double share = source_distinct(item->source, c) / item->source->rows_priced;
            return fmax(1, fmin(share * fmax(item->source->rows, 1), rows));
        }
        return rows;
    }
    return otherwise;
}

static void estimate_edges(Orderer *o)
{
    for (int i = 0; i < o->g->edges.count; i++) {
        JoinEdge *edge = &o->g->edges.items[i];
        const Expr *e = edge->condition;
        bool equal = e->kind == EXPR_COMPARE && ((const ExprCompare *)e)->op == COMPARE_EQ;
        double left = equal ? column_distinct(o, e->args[0], 10) : 0;
        double right = equal ? column_distinct(o, e->args[1], 10) : 0;
        edge->share = equal ? 1 / fmax(left, right) : selectivity_guess(e);
    }
}

static double join_rows(const Orderer *o, const JoinSet *left, const JoinSet *right, bool *connected)
{
    double rows = left->rows * right->rows;
    uint64_t both = left->items | right->items;
    *connected = false;
    for (int i = 0; i < o->g->edges.count; i++) {
        const JoinEdge *edge = &o->g->edges.items[i];
        if (!(edge->items & left->items) || !(edge->items & right->items) || (edge->items & ~both)) continue;
        rows *= edge->share;
        *connected = true;
    }
    return fmax(rows, 0.01);
}

/* ---- methods ---- */

static bool is_equality(const Expr *e)
{
    return (e->kind == EXPR_COMPARE && ((const ExprCompare *)e)->op == COMPARE_EQ) ||
           (e->kind == EXPR_DISTINCT && ((const ExprNegatable *)e)->negated);
}

static bool has_equal_keys(const Orderer *o, const JoinSet *left, const JoinSet *right)
{
    uint64_t both = left->items | right->items;
    for (int i = 0; i < o->g->edges.count; i++) {
        const JoinEdge *edge = &o->g->edges.items[i];
        if (!(edge->items & left->items) || !(edge->items & right->items) || (edge->items & ~both)) continue;
        if (is_equality(edge->condition)) return true;
    }
    return false;
}

/* The conditions that become testable by joining the two, and those of the right item itself if it is looked up. */
static void spec_of(const Orderer *o, uint64_t left, uint64_t right, const JoinItem *looked_up, JoinSpec *spec)
{
    ExprVec conditions = {0};
    uint64_t both = left | right;
    for (int i = 0; i < o->g->edges.count; i++) {
        const JoinEdge *edge = &o->g->edges.items[i];
        if ((edge->items & left) && (edge->items & right) && !(edge->items & ~both))
            VEC_PUSH(o->p->arena, conditions, edge->condition);
    }
    for (int i = 0; looked_up && i < looked_up->local.count; i++)
        VEC_PUSH(o->p->arena, conditions, looked_up->local.items[i]);
    *spec = (JoinSpec){.join = JOIN_INNER, .conditions = conditions.items, .count = conditions.count};
}

static const LookupChoice *lookup_into(Orderer *o, uint64_t left, int item)
{
    JoinItem *right = &o->g->items.items[item];
    uint64_t bit = UINT64_C(1) << item, usable = 0;
    if (!right->source) return NULL;
    for (int i = 0; i < o->g->edges.count && i < 64; i++) {
        const JoinEdge *edge = &o->g->edges.items[i];
        if ((edge->items & bit) && (edge->items & left) && !(edge->items & ~(left | bit))) usable |= UINT64_C(1) << i;
    }
    if (!usable) return NULL;
    bool memorable = o->g->edges.count <= 64;
    for (int i = 0; memorable && i < o->memo[item].count; i++)
        if (o->memo[item].items[i].edges == usable) return o->memo[item].items[i].choice;
    ColSet left_columns = {0};
    for (int i = 0; i < o->g->items.count; i++)
        if (left & UINT64_C(1) << i) colset_union(&left_columns, o->p->arena, &o->g->items.items[i].columns);
    JoinSpec spec;
    spec_of(o, left, bit, right, &spec);
    LookupChoice *choice = ARENA_NEW(o->p->arena, LookupChoice);
    if (!path_lookup_choose(o->p, right->source, &spec, &left_columns, &o->g->wanted, choice)) choice = NULL;
    if (memorable) VEC_PUSH(o->p->arena, o->memo[item], (LookupMemo){usable, choice});
    return choice;
}

/* A virtual table that is looked up by what the left side has; NULL: it is none, or cannot be. */
static Plan *system_lookup(Orderer *o, uint64_t left, int item)
{
    JoinItem *right = &o->g->items.items[item];
    if (right->source) return NULL;
    ColSet left_columns = {0};
    for (int i = 0; i < o->g->items.count; i++)
        if (left & UINT64_C(1) << i) colset_union(&left_columns, o->p->arena, &o->g->items.items[i].columns);
    JoinSpec spec;
    Plan *found;
    spec_of(o, left, UINT64_C(1) << item, right, &spec);
    if (path_system_lookup(o->p, right->rel, &spec, &left_columns, &o->g->wanted, &found) != ST_OK) return NULL;
    return found;
}

static void keep_cheaper(JoinSet *best, const JoinSet *candidate)
{
    if (!best->items || candidate->cost < best->cost) *best = *candidate;
}

static void consider_pair(Orderer *o, const JoinSet *left, const JoinSet *right, double rows, JoinSet *best)
{
    JoinSet c = {.items = left->items | right->items, .rows = rows, .left = left, .right = right};
    double both = left->cost + right->cost + rows * COST_OUTPUT;
    if (has_equal_keys(o, left, right)) {
        c.method = METHOD_HASH;
        if (!path_setting(o->p, SETTING_enable_hashjoin)) both += COST_DISABLED;
        c.cost = both + right->rows * COST_HASH_BUILD + left->rows * COST_HASH_PROBE;
    } else {
        c.method = METHOD_LOOP;
        if (!path_setting(o->p, SETTING_enable_nestloop)) both += COST_DISABLED;
        c.cost = both + (left->rows + 1) * (right->rows + 1) * COST_OUTPUT * 2;
    }
    keep_cheaper(best, &c);
    if (right->method != METHOD_ITEM) return;
    int item = __builtin_ctzll(right->items);
    c.system = system_lookup(o, left->items, item);
    if (c.system) {
        c.method = METHOD_SYSTEM;
        c.cost = left->cost + left->rows * c.system->cost + rows * COST_OUTPUT;
        keep_cheaper(best, &c);
    }
    const LookupChoice *lookup = lookup_into(o, left->items, item);
    if (!lookup) return;
    c.method = METHOD_LOOKUP;
    c.lookup = lookup;
    c.cost = left->cost + left->rows * lookup->cost_each + rows * COST_OUTPUT;
    keep_cheaper(best, &c);
}

/* ---- search ---- */

static JoinSet item_set(const Orderer *o, int i)
{
    const Plan *plan = o->g->items.items[i].plan;
    return (JoinSet){.items = UINT64_C(1) << i, .rows = fmax(plan->rows_estimated, 0.1), .cost = plan->cost};
}

static const JoinSet *search_all(Orderer *o)
{
    int n = o->g->items.count;
    uint64_t all = (UINT64_C(1) << n) - 1;
    JoinSet *sets = ARENA_ARRAY(o->p->arena, JoinSet, all + 1);
    for (int i = 0; i < n; i++) sets[UINT64_C(1) << i] = item_set(o, i);
    for (uint64_t mask = 1; mask <= all; mask++) {
        if ((mask & (mask - 1)) == 0) continue;
        /* Unconnected halves only where there is no other way. */
        for (int pass = 0; pass < 2 && !sets[mask].items; pass++) {
            for (uint64_t left = (mask - 1) & mask; left; left = (left - 1) & mask) {
                const JoinSet *l = &sets[left], *r = &sets[mask ^ left];
                bool connected;
                double rows = join_rows(o, l, r, &connected);
                if (connected || pass == 1) consider_pair(o, l, r, rows, &sets[mask]);
            }
        }
    }
    return &sets[all];
}

static const JoinSet *search_greedily(Orderer *o)
{
    int n = o->g->items.count;
    JoinSet **sets = ARENA_ARRAY(o->p->arena, JoinSet *, n);
    for (int i = 0; i < n; i++) {
        sets[i] = ARENA_NEW(o->p->arena, JoinSet);
        *sets[i] = item_set(o, i);
    }
    while (n > 1) {
        int best_left = -1, best_right = -1;
        bool best_connected = false;
        double best_rows = INFINITY;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                bool connected;
                double rows = join_rows(o, sets[i], sets[j], &connected);
                if (best_connected && !connected) continue;
                if (connected == best_connected && rows >= best_rows) continue;
                best_left = i;
                best_right = j;
                best_connected = connected;
                best_rows = rows;
            }
        }
        JoinSet *joined = ARENA_NEW(o->p->arena, JoinSet);
        consider_pair(o, sets[best_left], sets[best_right], best_rows, joined);
        consider_pair(o, sets[best_right], sets[best_left], best_rows, joined);
        sets[best_left] = joined;
        sets[best_right] = sets[--n];
    }
    return sets[0];
}

/* ---- the plan ---- */

static Status build(Orderer *o, const JoinSet *set, Plan **plan)
{
    if (set->method == METHOD_ITEM) {
        *plan = o->g->items.items[__builtin_ctzll(set->items)].plan;
        return ST_OK;
    }
    Plan *left, *right;
    JoinSpec spec;
    TRY(build(o, set->left, &left));
    if (set->method == METHOD_LOOKUP) {
        spec_of(o, set->left->items, set->right->items, &o->g->items.items[__builtin_ctzll(set->right->items)], &spec);
        spec.rows = set->rows;
        /* The memo's conditions are those of the first left side that could use them; they are the same here. */
        LookupChoice choice = *set->lookup;
        *plan = path_lookup_build(o->p, left, &spec, &choice, &o->g->wanted);
        (*plan)->estimate_known = left->estimate_known;
        return ST_OK;
    }
    if (set->method == METHOD_SYSTEM) {
        *plan = path_system_apply(o->p, left, set->system, &(JoinSpec){.join = JOIN_INNER, .rows = set->rows});
        return ST_OK;
    }
    TRY(build(o, set->right, &right));
    spec_of(o, set->left->items, set->right->items, NULL, &spec);
    spec.rows = set->rows;
    return path_join_plans(o->p, left, right, &spec, plan);
}

static const LookupChoice *next_lookup(Orderer *o, const JoinSet *set, int *item, double *rows)
{
    const LookupChoice *best = NULL;
    for (int i = 0; i < o->g->items.count; i++) {
        JoinSet right = item_set(o, i);
        bool connected;
        if (set->items & right.items) continue;
        const LookupChoice *lookup = lookup_into(o, set->items, i);
        double joined = join_rows(o, set, &right, &connected);
        if (!lookup || (best && joined >= *rows)) continue;
        best = lookup;
        *rows = joined;
        *item = i;
    }
    return best;
}

void path_join_chain(JoinGraph *graph, int first, Plan *first_plan, double rows, Plan **plan)
{
    Orderer o = {.g = graph, .p = graph->p};
    JoinSet set = {.items = UINT64_C(1) << first, .rows = fmax(first_plan->rows_estimated, 0.1)};
    double first_rows = set.rows, work = 0;
    Plan *joined = first_plan;
    *plan = NULL;
    estimate_edges(&o);
    for (int n = 1; n < graph->items.count; n++) {
        int item = 0;
        double result = 0;
        const LookupChoice *lookup = next_lookup(&o, &set, &item, &result);
        JoinSpec spec;
        if (!lookup) return;
        spec_of(&o, set.items, UINT64_C(1) << item, &graph->items.items[item], &spec);
        spec.rows = result;
        work += set.rows * lookup->cost_each;
        joined = path_lookup_build(o.p, joined, &spec, lookup, &graph->wanted);
        joined->estimate_known = first_plan->estimate_known;
        set.items |= UINT64_C(1) << item;
        set.rows = result;
    }
    double share = rows > 0 && rows < set.rows ? rows / set.rows : 1;
    joined->cost = first_plan->cost + work * fmax(share, 1 / fmax(first_rows, 1));
    *plan = joined;
}

Status path_join_order(JoinGraph *graph, Plan **plan)
{
    Orderer o = {.g = graph, .p = graph->p};
    assert(graph->items.count <= 64);
    estimate_edges(&o);
    const JoinSet *best = graph->items.count <= JOIN_DP_MAX ? search_all(&o) : search_greedily(&o);
    return build(&o, best, plan);
}
