/* build_session.c - transactions, settings, prepared statements, cursors, EXPLAIN, COPY, maintenance. SHOW: build_show.c. */
#include "parser/build.h"

/* ---- transactions ---- */

AstStmt *build_bare(Parser *p, AstStmtKind kind, const Token *first)
{
    return &NEW_STMT(p, AstBare, kind, first)->base;
}

AstStmt *build_begin(Parser *p, const Token *first, const AstOptionVec *modes)
{
    AstBegin *stmt = NEW_STMT(p, AstBegin, AST_BEGIN, first);
    stmt->modes = *modes;
    return &stmt->base;
}

AstStmt *build_end(Parser *p, AstStmtKind kind, const Token *first, bool chain)
{
    AstEndTxn *stmt = NEW_STMT(p, AstEndTxn, kind, first);
    stmt->chain = chain;
    return &stmt->base;
}

AstStmt *build_savepoint(Parser *p, AstStmtKind kind, const Token *first, const Token *name)
{
    AstSavepoint *stmt = NEW_STMT(p, AstSavepoint, kind, first);
    stmt->name = name->value;
    return &stmt->base;
}

AstStmt *build_set_transaction(Parser *p, const Token *first, AstTransactionScope scope, const AstOptionVec *modes, const char *snapshot)
{
    AstSetTransaction *stmt = NEW_STMT(p, AstSetTransaction, AST_SET_TRANSACTION, first);
    stmt->scope = scope;
    if (modes) stmt->modes = *modes;
    stmt->snapshot = snapshot;
    return &stmt->base;
}

AstStmt *build_set_constraints(Parser *p, const Token *first, const AstNameVec *names, bool deferred)
{
    AstSetConstraints *stmt = NEW_STMT(p, AstSetConstraints, AST_SET_CONSTRAINTS, first);
    stmt->all = !names;
    if (names) stmt->names = *names;
    stmt->deferred = deferred;
    return &stmt->base;
}

/* ---- settings ---- */

AstSet *build_set(Parser *p, const Token *name, const AstExprVec *values)
{
    AstSet *set = ARENA_NEW(p->arena, AstSet);
    set->name = name->value;
    set->is_default = !values;
    if (values) set->values = *values;
    return set;
}

AstSet *build_set_word(Parser *p, const Token *at, const char *name, AstExpr *value)
{
    Token named = *at;
    named.value = name;
    AstSet *set = build_set(p, &named, NULL);
    set->is_default = !value;
    if (value) VEC_PUSH(p->arena, set->values, value);
    return set;
}

AstSet *build_set_from_current(Parser *p, const Token *name)
{
    AstSet *set = build_set(p, name, NULL);
    set->is_default = false;
    set->from_current = true;
    return set;
}

AstSet *build_set_refused(Parser *p, const Token *at, const char *message)
{
    build_fail(p, ERR_FEATURE_NOT_SUPPORTED, at->position, "%s", message);
    return build_set(p, at, NULL);
}

AstStmt *build_set_scope(Parser *p, const Token *first, const AstSet *set, bool local, bool session)
{
    AstSet *stmt = NEW_STMT(p, AstSet, AST_SET, first);
    AstStmt base = stmt->base;
    *stmt = *set;
    stmt->base = base;
    stmt->local = local;
    stmt->session = session;
    return &stmt->base;
}

AstStmt *build_set_cluster(Parser *p, const Token *first, const Token *name, const AstExprVec *values)
{
    AstSet *set = build_set(p, name, values);
    set->cluster = true;
    return build_set_scope(p, first, set, false, false);
}

AstStmt *build_reset(Parser *p, const Token *first, const Token *name)
{
    AstReset *stmt = NEW_STMT(p, AstReset, AST_RESET, first);
    stmt->name = name->value;
    return &stmt->base;
}

AstStmt *build_reset_cluster(Parser *p, const Token *first, const Token *name)
{
    AstStmt *stmt = build_reset(p, first, name);
    ((AstReset *)stmt)->cluster = true;
    return stmt;
}

AstStmt *build_discard(Parser *p, const Token *first, const Token *what)
{
    AstDiscard *stmt = NEW_STMT(p, AstDiscard, AST_DISCARD, first);
    stmt->what = what->value;
    return &stmt->base;
}

/* ---- prepared statements, cursors ---- */

AstStmt *build_prepare(Parser *p, const Token *first, const Token *name, const AstTypeVec *types, AstStmt *inner)
{
    AstPrepare *stmt = NEW_STMT(p, AstPrepare, AST_PREPARE, first);
    stmt->name = name->value;
    stmt->types = *types;
    stmt->stmt = inner;
    return &stmt->base;
}

AstStmt *build_execute(Parser *p, const Token *first, const Token *name, const AstExprVec *params)
{
    AstExecute *stmt = NEW_STMT(p, AstExecute, AST_EXECUTE, first);
    stmt->name = name->value;
    if (params) stmt->params = *params;
    return &stmt->base;
}

AstStmt *build_deallocate(Parser *p, const Token *first, const char *name)
{
    AstDeallocate *stmt = NEW_STMT(p, AstDeallocate, AST_DEALLOCATE, first);
    stmt->name = name;
    return &stmt->base;
}

AstDeclare *build_cursor_options(Parser *p)
{
    return ARENA_NEW(p->arena, AstDeclare);
}

AstStmt *build_declare(Parser *p, const Token *first, const Token *name, const AstDeclare *options, bool hold, AstSelect *query)
{
    AstDeclare *stmt = NEW_STMT(p, AstDeclare, AST_DECLARE, first);
    AstStmt base = stmt->base;
    build_finish(p, &query->base);
    *stmt = *options;
    stmt->base = base;
    stmt->name = name->value;
    stmt->with_hold = hold;
    stmt->query = query;
    if (stmt->scroll && stmt->no_scroll)
        build_fail(p, ERR_INVALID_CURSOR_DEFINITION, 0, "cannot specify both SCROLL and NO SCROLL");
    if (stmt->insensitive && stmt->asensitive)
        build_fail(p, ERR_INVALID_CURSOR_DEFINITION, 0, "cannot specify both INSENSITIVE and ASENSITIVE");
    return &stmt->base;
}

AstFetch *build_fetch_from(Parser *p, const Token *cursor, AstFetchDirection direction, int64_t count)
{
    AstFetch *fetch = ARENA_NEW(p->arena, AstFetch);
    fetch->cursor = cursor->value;
    fetch->direction = direction;
    fetch->count = count;
    return fetch;
}

AstStmt *build_fetch(Parser *p, const Token *first, bool move, const AstFetch *fetch)
{
    AstFetch *stmt = NEW_STMT(p, AstFetch, AST_FETCH, first);
    stmt->move = move;
    stmt->cursor = fetch->cursor;
    stmt->direction = fetch->direction;
    stmt->count = fetch->count;
    return &stmt->base;
}

AstStmt *build_close(Parser *p, const Token *first, const char *name)
{
    AstClose *stmt = NEW_STMT(p, AstClose, AST_CLOSE, first);
    stmt->name = name;
    return &stmt->base;
}

/* ---- EXPLAIN ---- */

AstStmt *build_explain(Parser *p, const Token *first, const Token *word, const AstOptionVec *options, AstStmt *inner)
{
    AstExplain *stmt = NEW_STMT(p, AstExplain, AST_EXPLAIN, first);
    if (word) VEC_PUSH(p->arena, stmt->options, build_option(p, word, NULL));
    for (int i = 0; options && i < options->count; i++) VEC_PUSH(p->arena, stmt->options, options->items[i]);
    for (int i = 0; i < stmt->options.count; i++)
        if (strcmp(stmt->options.items[i].name, "analyse") == 0) stmt->options.items[i].name = "analyze";
    stmt->stmt = inner;
    return &stmt->base;
}

AstStmt *build_explain_both(Parser *p, const Token *first, const Token *analyze, const Token *verbose, AstStmt *inner)
{
    AstOptionVec options = {0};
    VEC_PUSH(p->arena, options, build_option(p, verbose, NULL));
    return build_explain(p, first, analyze, &options, inner);
}

/* ---- COPY ---- */

AstCopy *build_copy_file(Parser *p, const char *file, bool is_program)
{
    AstCopy *copy = ARENA_NEW(p->arena, AstCopy);
    copy->file = file;
    copy->is_program = is_program;
    return copy;
}

AstCopy *build_copy_direction(AstCopy *copy, bool from)
{
    copy->from = from;
    return copy;
}

AstCopy *build_copy_target(Parser *p, const AstName *table, const StrVec *columns)
{
    AstCopy *copy = ARENA_NEW(p->arena, AstCopy);
    copy->table = *table;
    copy->columns = *columns;
    return copy;
}

/* Options from before the table, before and in the list, in that order. */
AstOptionVec build_copy_options(Parser *p, const AstOptionVec *binary, const AstOptionVec *delimiters, const AstOptionVec *options)
{
    AstOptionVec all = {0};
    const AstOptionVec *lists[] = {binary, delimiters, options};
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < lists[l]->count; i++) VEC_PUSH(p->arena, all, lists[l]->items[i]);
    return all;
}

AstStmt *build_copy(Parser *p, const Token *first, const AstCopy *target, const AstCopy *direction, AstOptionVec options, AstExpr *where)
{
    AstCopy *stmt = NEW_STMT(p, AstCopy, AST_COPY, first);
    stmt->table = target->table;
    stmt->columns = target->columns;
    stmt->from = direction->from;
    stmt->file = direction->file;
    stmt->is_program = direction->is_program;
    stmt->options = options;
    stmt->where = where;
    if (where && !stmt->from) build_fail(p, ERR_SYNTAX_ERROR, where->position, "WHERE clause not allowed with COPY TO");
    return &stmt->base;
}

AstStmt *build_copy_query(Parser *p, const Token *first, AstStmt *query, const AstCopy *file, const AstOptionVec *options)
{
    AstCopy *stmt = NEW_STMT(p, AstCopy, AST_COPY, first);
    stmt->query = query;
    stmt->file = file->file;
    stmt->is_program = file->is_program;
    stmt->options = *options;
    return &stmt->base;
}

/* ---- maintenance and the rest ---- */

AstStmt *build_vacuum(Parser *p, AstStmtKind kind, const Token *first, const AstOptionVec *options, const AstVacuumTableVec *tables)
{
    AstVacuum *stmt = NEW_STMT(p, AstVacuum, kind, first);
    if (options) stmt->options = *options;
    stmt->tables = *tables;
    return &stmt->base;
}

AstStmt *build_analyze_verbose(Parser *p, const Token *first, const Token *verbose, const AstVacuumTableVec *tables)
{
    AstOptionVec options = {0};
    VEC_PUSH(p->arena, options, build_option(p, verbose, NULL));
    return build_vacuum(p, AST_ANALYZE, first, &options, tables);
}

AstStmt *build_reindex(Parser *p, const Token *first, const AstOptionVec *options, const Token *what, int concurrently, const AstName *name)
{
    AstReindex *stmt = NEW_STMT(p, AstReindex, AST_REINDEX, first);
    stmt->options = *options;
    stmt->what = what->value;
    stmt->concurrently = concurrently > 0;
    if (name) stmt->name = *name;
    return &stmt->base;
}

AstStmt *build_cluster(Parser *p, const Token *first, const AstName *table, const Token *index)
{
    AstReindex *stmt = NEW_STMT(p, AstReindex, AST_CLUSTER, first);
    if (table) stmt->name = *table;
    stmt->index = index ? index->value : NULL;
    return &stmt->base;
}

AstStmt *build_lock(Parser *p, const Token *first, const AstNameVec *tables, const char *mode, bool nowait)
{
    AstLock *stmt = NEW_STMT(p, AstLock, AST_LOCK, first);
    stmt->tables = *tables;
    stmt->mode = mode;
    stmt->nowait = nowait;
    return &stmt->base;
}

AstStmt *build_listen(Parser *p, AstStmtKind kind, const Token *first, const char *channel)
{
    AstListen *stmt = NEW_STMT(p, AstListen, kind, first);
    stmt->channel = channel;
    return &stmt->base;
}

AstStmt *build_notify(Parser *p, const Token *first, const char *channel, const char *payload)
{
    AstNotify *stmt = NEW_STMT(p, AstNotify, AST_NOTIFY, first);
    stmt->channel = channel;
    stmt->payload = payload;
    return &stmt->base;
}

AstDo *build_do_item(Parser *p, const char *language, const char *body)
{
    AstDo *item = ARENA_NEW(p->arena, AstDo);
    item->language = language;
    item->body = body;
    return item;
}

void build_do_merge(Parser *p, AstDo *all, const AstDo *item)
{
    if ((all->body && item->body) || (all->language && item->language))
        build_fail(p, ERR_SYNTAX_ERROR, 0, "conflicting or redundant options");
    if (item->body) all->body = item->body;
    if (item->language) all->language = item->language;
}

AstStmt *build_do(Parser *p, const Token *first, const AstDo *items)
{
    AstDo *stmt = NEW_STMT(p, AstDo, AST_DO, first);
    stmt->language = items->language;
    stmt->body = items->body;
    if (!stmt->body) build_fail(p, ERR_SYNTAX_ERROR, 0, "no inline code specified");
    return &stmt->base;
}
