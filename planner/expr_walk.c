/* expr_walk.c - walking and rebuilding expressions; sets of columns. */
#include "planner/expr.h"

#include "planner/rel.h"

/* ---- walking ---- */

static void walk_keys(const SortKey *keys, int count, bool (*visit)(const Expr *e, void *argument), void *argument)
{
    for (int i = 0; i < count; i++) expr_walk(keys[i].expr, visit, argument);
}

/* The parts of a window call beyond args. */
static void walk_window(const ExprWindow *window, bool (*visit)(const Expr *e, void *argument), void *argument)
{
    const WindowSpec *spec = window->spec;
    expr_walk(window->filter, visit, argument);
    for (int i = 0; i < spec->partition_count; i++) expr_walk(spec->partition[i], visit, argument);
    walk_keys(spec->order, spec->order_count, visit, argument);
    expr_walk(spec->start_offset, visit, argument);
    expr_walk(spec->end_offset, visit, argument);
}

void expr_walk(const Expr *e, bool (*visit)(const Expr *e, void *argument), void *argument)
{
    if (!e || !visit(e, argument)) return;
    for (int i = 0; i < e->arg_count; i++) expr_walk(e->args[i], visit, argument);
    if (e->kind == EXPR_AGGREGATE) {
        const ExprAggregate *aggregate = (const ExprAggregate *)e;
        expr_walk(aggregate->filter, visit, argument);
        walk_keys(aggregate->order, aggregate->order_count, visit, argument);
    } else if (e->kind == EXPR_WINDOW) {
        walk_window((const ExprWindow *)e, visit, argument);
    }
}

/* ---- rebuilding ---- */

typedef struct Rewrite {
    Arena *arena;
    Expr *(*before)(Arena *arena, Expr *e, void *argument); /* not NULL: stands for e, which is not entered */
    Expr *(*after)(Arena *arena, Expr *e, void *argument);
    void *argument;
} Rewrite;

static Expr *rewrite_tree(Rewrite *r, Expr *e);

static SortKey *copy_keys(Arena *arena, const SortKey *keys, int count)
{
    return count ? arena_copy(arena, keys, sizeof *keys * (size_t)count) : NULL;
}

static void rewrite_slot(Rewrite *r, Expr **slot, bool *changed)
{
    if (!*slot) return;
    Expr *fresh = rewrite_tree(r, *slot);
    if (fresh != *slot) *changed = true;
    *slot = fresh;
}

static void rewrite_keys(Rewrite *r, SortKey **keys, int count, bool *changed)
{
    SortKey *copy = copy_keys(r->arena, *keys, count);
    bool any = false;
    for (int i = 0; i < count; i++) rewrite_slot(r, &copy[i].expr, &any);
    if (any) *keys = copy;
    *changed |= any;
}

static Expr *rewrite_aggregate(Rewrite *r, Expr *e)
{
    ExprAggregate *copy = arena_copy(r->arena, e, sizeof *copy);
    bool changed = false;
    rewrite_slot(r, &copy->filter, &changed);
    rewrite_keys(r, &copy->order, copy->order_count, &changed);
    return changed ? &copy->base : e;
}

static Expr *rewrite_window(Rewrite *r, Expr *e)
{
    ExprWindow *copy = arena_copy(r->arena, e, sizeof *copy);
    WindowSpec *spec = arena_copy(r->arena, copy->spec, sizeof *spec);
    bool changed = false, spec_changed = false;
    rewrite_slot(r, &copy->filter, &changed);
    if (spec->partition_count) {
        spec->partition = arena_copy(r->arena, spec->partition, sizeof(Expr *) * (size_t)spec->partition_count);
        for (int i = 0; i < spec->partition_count; i++) rewrite_slot(r, &spec->partition[i], &spec_changed);
    }
    rewrite_keys(r, &spec->order, spec->order_count, &spec_changed);
    rewrite_slot(r, &spec->start_offset, &spec_changed);
    rewrite_slot(r, &spec->end_offset, &spec_changed);
    if (spec_changed) copy->spec = spec;
    return changed || spec_changed ? &copy->base : e;
}

static Expr *rewrite_tree(Rewrite *r, Expr *e)
{
    Expr *instead = r->before ? r->before(r->arena, e, r->argument) : NULL;
    if (instead) return instead;
    Expr **args = NULL;
    for (int i = 0; i < e->arg_count; i++) {
        Expr *fresh = rewrite_tree(r, e->args[i]);
        if (fresh == e->args[i]) continue;
        if (!args) args = arena_copy(r->arena, e->args, sizeof(Expr *) * (size_t)e->arg_count);
        args[i] = fresh;
    }
    if (args) e = expr_with_args(r->arena, e, args);
    if (e->kind == EXPR_AGGREGATE) e = rewrite_aggregate(r, e);
    if (e->kind == EXPR_WINDOW) e = rewrite_window(r, e);
    return r->after ? r->after(r->arena, e, r->argument) : e;
}

Expr *expr_rewrite(Arena *arena, Expr *e, Expr *(*rewrite)(Arena *arena, Expr *e, void *argument), void *argument)
{
    return e ? rewrite_tree(&(Rewrite){arena, NULL, rewrite, argument}, e) : NULL;
}

Expr *expr_replace(Arena *arena, Expr *e, Expr *(*replace)(Arena *arena, Expr *e, void *argument), void *argument)
{
    return e ? rewrite_tree(&(Rewrite){arena, replace, NULL, argument}, e) : NULL;
}

/* ---- substitution ---- */

typedef struct Substitution {
    const ColId *columns;
    Expr *const *replacements;
    int count;
} Substitution;

/* A plan reads its outer columns as they are called: what replaces one is handed in as its value. */
static Expr *bind_outer(Arena *arena, ExprSubquery *sub, const Substitution *s)
{
    int most = sub->base.arg_count + sub->outer_count;
    Expr **args = ARENA_ARRAY(arena, Expr *, most);
    ColId *bound = ARENA_ARRAY(arena, ColId, sub->bound_count + sub->outer_count);
    ColId *outer = ARENA_ARRAY(arena, ColId, sub->outer_count);
    int kept = 0;
    memcpy(args, sub->base.args, sizeof *args * (size_t)sub->base.arg_count);
    if (sub->bound_count) memcpy(bound, sub->bound, sizeof *bound * (size_t)sub->bound_count);
    for (int o = 0; o < sub->outer_count; o++) {
        int i = 0;
        while (i < s->count && s->columns[i] != sub->outer[o]) i++;
        if (i == s->count) {
            outer[kept++] = sub->outer[o];
            continue;
        }
        args[sub->base.arg_count++] = s->replacements[i];
        bound[sub->bound_count++] = sub->outer[o];
    }
    sub->base.args = args;
    sub->outer = outer;
    sub->outer_count = kept;
    sub->bound = bound;
    return &sub->base;
}

static Expr *substitute_node(Arena *arena, Expr *e, void *argument)
{
    const Substitution *s = argument;
    if (e->kind == EXPR_COLUMN) {
        ColId column = ((ExprColumn *)e)->column;
        for (int i = 0; i < s->count; i++)
            if (s->columns[i] == column) return s->replacements[i];
        return e;
    }
    if (e->kind != EXPR_SUBQUERY) return e;
    const ExprSubquery *sub = (const ExprSubquery *)e;
    bool used = false;
    for (int o = 0; o < sub->outer_count && !used; o++)
        for (int i = 0; i < s->count && !used; i++) used = sub->outer[o] == s->columns[i];
    if (!used) return e;
    ExprSubquery *copy = arena_copy(arena, e, sizeof *copy);
    if (sub->plan) return bind_outer(arena, copy, s);
    copy->rel = rel_substitute(arena, sub->rel, s->columns, s->replacements, s->count);
    copy->outer_count = rel_outer_columns(copy->rel, &copy->outer, arena);
    return &copy->base;
}

Expr *expr_substitute(Arena *arena, Expr *e, const ColId *columns, Expr *const *replacements, int count)
{
    return expr_rewrite(arena, e, substitute_node, &(Substitution){columns, replacements, count});
}

/* ---- sets of columns ---- */

void colset_add(ColSet *set, Arena *arena, ColId column)
{
    int word = column / 64;
    if (word >= set->word_count) {
        int count = word + 2;
        set->words =
            arena_grow(arena, set->words, sizeof(uint64_t) * (size_t)set->word_count, sizeof(uint64_t) * (size_t)count);
        set->word_count = count;
    }
    set->words[word] |= UINT64_C(1) << (column % 64);
}

void colset_union(ColSet *set, Arena *arena, const ColSet *other)
{
    if (other->word_count > set->word_count) {
        set->words = arena_grow(arena, set->words, sizeof(uint64_t) * (size_t)set->word_count,
                                sizeof(uint64_t) * (size_t)other->word_count);
        set->word_count = other->word_count;
    }
    for (int i = 0; i < other->word_count; i++) set->words[i] |= other->words[i];
}

bool colset_has(const ColSet *set, ColId column)
{
    int word = column / 64;
    return word < set->word_count && (set->words[word] >> (column % 64) & 1);
}

bool colset_empty(const ColSet *set)
{
    for (int i = 0; i < set->word_count; i++)
        if (set->words[i]) return false;
    return true;
}

bool colset_contains(const ColSet *set, const ColSet *part)
{
    for (int i = 0; i < part->word_count; i++)
        if (part->words[i] & ~(i < set->word_count ? set->words[i] : 0)) return false;
    return true;
}

bool colset_intersects(const ColSet *a, const ColSet *b)
{
    for (int i = 0; i < a->word_count && i < b->word_count; i++)
        if (a->words[i] & b->words[i]) return true;
    return false;
}

typedef struct Collect {
    ColSet *set;
    Arena *arena;
} Collect;

static bool collect_column(const Expr *e, void *argument)
{
    const Collect *c = argument;
    if (e->kind == EXPR_COLUMN) colset_add(c->set, c->arena, ((const ExprColumn *)e)->column);
    if (e->kind == EXPR_SUBQUERY) {
        const ExprSubquery *sub = (const ExprSubquery *)e;
        for (int i = 0; i < sub->outer_count; i++) colset_add(c->set, c->arena, sub->outer[i]);
    }
    return true;
}

void expr_columns(const Expr *e, ColSet *set, Arena *arena)
{
    expr_walk(e, collect_column, &(Collect){set, arena});
}

typedef struct UsesOnly {
    const ColSet *columns;
    bool outside;
} UsesOnly;

static bool check_column(const Expr *e, void *argument)
{
    UsesOnly *u = argument;
    if (e->kind == EXPR_COLUMN && !colset_has(u->columns, ((const ExprColumn *)e)->column)) u->outside = true;
    if (e->kind == EXPR_SUBQUERY) {
        const ExprSubquery *sub = (const ExprSubquery *)e;
        for (int i = 0; i < sub->outer_count; i++)
            if (!colset_has(u->columns, sub->outer[i])) u->outside = true;
    }
    return !u->outside;
}

bool expr_uses_only(const Expr *e, const ColSet *columns)
{
    UsesOnly u = {columns, false};
    expr_walk(e, check_column, &u);
    return !u.outside;
}

/* ---- volatility ---- */

/* Types whose text or value depends on the session's time zone or date style. */
static bool depends_on_session(Oid oid)
{
    return oid == OID_TIMESTAMPTZ || oid == OID_TIMETZ || oid == OID_TIMESTAMP || oid == OID_DATE ||
           oid == OID_INTERVAL;
}

static Volatility cast_volatility(const ExprCast *cast)
{
    Oid from = cast->path.source, to = cast->path.target;
    if (cast->path.method == CAST_IN_OUT || cast->path.method == CAST_ARRAY)
        return depends_on_session(from) || depends_on_session(to) || from == OID_REGCLASS || to == OID_REGCLASS
                   ? VOLATILITY_STABLE
                   : VOLATILITY_IMMUTABLE;
    bool zoned = from == OID_TIMESTAMPTZ || to == OID_TIMESTAMPTZ || from == OID_TIMETZ || to == OID_TIMETZ;
    return zoned && from != to ? VOLATILITY_STABLE : VOLATILITY_IMMUTABLE;
}

static bool find_volatility(const Expr *e, void *argument)
{
    Volatility *worst = argument, own = VOLATILITY_IMMUTABLE;
    if (e->kind == EXPR_CALL) {
        int flags = ((const ExprCall *)e)->function->flags;
        own = flags & FN_IMMUTABLE ? VOLATILITY_IMMUTABLE : flags & FN_STABLE ? VOLATILITY_STABLE : VOLATILITY_VOLATILE;
    } else if (e->kind == EXPR_CAST) {
        own = cast_volatility((const ExprCast *)e);
    } else if (e->kind == EXPR_SUBQUERY) {
        own = rel_volatility(((const ExprSubquery *)e)->rel);
        if (own == VOLATILITY_IMMUTABLE) own = VOLATILITY_STABLE; /* it reads tables */
    } else if (e->kind == EXPR_ANY_ARRAY && ((const ExprAnyArray *)e)->function) {
        int flags = ((const ExprAnyArray *)e)->function->flags;
        own = flags & FN_IMMUTABLE ? VOLATILITY_IMMUTABLE : flags & FN_STABLE ? VOLATILITY_STABLE : VOLATILITY_VOLATILE;
    }
    if (own > *worst) *worst = own;
    return *worst != VOLATILITY_VOLATILE;
}

Volatility expr_volatility(const Expr *e)
{
    Volatility worst = VOLATILITY_IMMUTABLE;
    expr_walk(e, find_volatility, &worst);
    return worst;
}

static bool find_subquery(const Expr *e, void *argument)
{
    bool *found = argument;
    if (e->kind == EXPR_SUBQUERY) *found = true;
    return !*found;
}

bool expr_has_subquery(const Expr *e)
{
    bool found = false;
    expr_walk(e, find_subquery, &found);
    return found;
}
