/* bind_locks.c - FOR UPDATE, SHARE and their kin: which tables of a SELECT they are about. */
#include "planner/bind/bind_query.h"
#include "storage/catalog/acl.h"

enum { FROM_ABOVE = -1 }; /* a position: the clause stands in a query around */

static LockMode lock_mode(AstLockStrength strength)
{
    switch (strength) {
    case AST_LOCK_UPDATE:
        return LOCK_UPDATE;
    case AST_LOCK_NO_KEY_UPDATE:
        return LOCK_NO_KEY_UPDATE;
    case AST_LOCK_SHARE:
        return LOCK_SHARE;
    case AST_LOCK_KEY_SHARE:
        return LOCK_KEY_SHARE;
    }
    return LOCK_UPDATE;
}

static const char *lock_words(const AstLocking *ast)
{
    switch (ast->strength) {
    case AST_LOCK_UPDATE:
        return "FOR UPDATE";
    case AST_LOCK_NO_KEY_UPDATE:
        return "FOR NO KEY UPDATE";
    case AST_LOCK_SHARE:
        return "FOR SHARE";
    case AST_LOCK_KEY_SHARE:
        break;
    }
    return "FOR KEY SHARE";
}

Status bind_locks_refused(Binder *binder, const AstSelect *select, const char *what)
{
    return err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED, "%s is not allowed with %s",
                   lock_words(&select->locking.items[0]), what);
}

typedef VEC(LockItem) LockItemVec;

static void add_lock(Binder *binder, const ScopeItem *item, const AstLocking *ast, LockItemVec *locks)
{
    LockWait wait = ast->wait == AST_LOCK_NOWAIT ? LOCK_NOWAIT : ast->wait == AST_LOCK_SKIP ? LOCK_SKIP : LOCK_WAIT;
    if (item->access) item->access->wanted |= ACL_UPDATE;
    LockItem lock = {item->table->table, item->table, lock_mode(ast->strength), wait};
    for (int i = 0; i < locks->count; i++) {
        if (locks->items[i].from != item->table) continue;
        if (lock.mode > locks->items[i].mode) locks->items[i].mode = lock.mode;
        /* What fails at once comes before what skips, and that before waiting. */
        if (lock.wait > locks->items[i].wait) locks->items[i].wait = lock.wait;
        return;
    }
    binder_use_table(binder, lock.table, TABLE_ROW_SHARE);
    VEC_PUSH(binder->arena, *locks, lock);
}

static Status bind_locking(Binder *binder, const AstLocking *ast, LockItemVec *locks)
{
    const Scope *scope = binder->scope;
    for (int i = 0; ast->of.count == 0 && i < scope->items.count; i++)
        if (scope->items.items[i]->table) add_lock(binder, scope->items.items[i], ast, locks);
    for (int i = 0; i < ast->of.count; i++) {
        const AstName *name = &ast->of.items[i];
        const ScopeItem *item = scope_find_item(scope, name->name);
        if (!item) {
            (void)err_set(binder->err, binder->arena, ERR_UNDEFINED_TABLE,
                          "relation \"%s\" in %s clause not found in FROM clause", name->name, lock_words(ast));
            return err_at(binder->err, name->position);
        }
        if (item->table) add_lock(binder, item, ast, locks);
    }
    return ST_OK;
}

Status bind_locks(Binder *binder, const AstSelect *select, Rel **rel)
{
    const Block *block = binder->scope->block;
    if (select->locking.count == 0) return ST_OK;
    const char *refused = select->distinct          ? "DISTINCT clause"
                          : select->group_by.count  ? "GROUP BY clause"
                          : select->having          ? "HAVING clause"
                          : block->aggregates.count ? "aggregate functions"
                          : block->windows.count    ? "window functions"
                          : block->set_calls.count  ? "set-returning functions in the target list"
                                                    : NULL;
    if (refused)
        return bind_locks_refused(binder, select, refused);
    LockItemVec locks = {0};
    for (int i = 0; i < select->locking.count; i++) TRY(bind_locking(binder, &select->locking.items[i], &locks));
    if (locks.count == 0) return ST_OK;
    RelLock *node = rel_new_over(binder->arena, REL_LOCK, sizeof *node, *rel);
    node->items = locks.items;
    node->item_count = locks.count;
    node->from_above = true;
    for (int i = 0; i < select->locking.count; i++) node->from_above &= select->locking.items[i].position == FROM_ABOVE;
    *rel = &node->base;
    return ST_OK;
}

/* ---- subqueries and views in FROM: a lock on one is a lock on the tables in it ---- */

static bool is_about(const AstLocking *ast, const char *name)
{
    for (int i = 0; i < ast->of.count; i++)
        if (name && strcmp(ast->of.items[i].name, name) == 0) return true;
    return ast->of.count == 0;
}

void bind_locks_pass_down(Binder *binder, const char *name)
{
    const Block *block = binder->scope ? binder->scope->block : NULL;
    memset(&binder->locks_from_above, 0, sizeof binder->locks_from_above);
    for (int i = 0; block && i < block->select->locking.count; i++) {
        AstLocking below = block->select->locking.items[i];
        if (!is_about(&below, name)) continue;
        memset(&below.of, 0, sizeof below.of);
        below.position = FROM_ABOVE;
        VEC_PUSH(binder->arena, binder->locks_from_above, below);
    }
}

const AstSelect *bind_locks_from_above(Binder *binder, const AstSelect *select)
{
    AstLockingVec above = binder->locks_from_above;
    memset(&binder->locks_from_above, 0, sizeof binder->locks_from_above);
    if (above.count == 0 || select->is_values) return select;
    AstSelect *copy = arena_copy(binder->arena, select, sizeof *select);
    memset(&copy->locking, 0, sizeof copy->locking);
    for (int i = 0; i < select->locking.count; i++) VEC_PUSH(binder->arena, copy->locking, select->locking.items[i]);
    for (int i = 0; i < above.count; i++) VEC_PUSH(binder->arena, copy->locking, above.items[i]);
    return copy;
}
