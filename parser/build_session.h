/* build_session.h - builders of transactions, settings, SHOW, cursors, COPY, maintenance; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_SESSION_H
#define PARSER_BUILD_SESSION_H

#include "parser/build.h"

/* build_session.c */
AstStmt *build_bare(Parser *p, AstStmtKind kind, const Token *first);
AstStmt *build_begin(Parser *p, const Token *first, const AstOptionVec *modes);
AstStmt *build_end(Parser *p, AstStmtKind kind, const Token *first, bool chain);
AstStmt *build_savepoint(Parser *p, AstStmtKind kind, const Token *first, const Token *name);
AstStmt *build_set_transaction(Parser *p, const Token *first, AstTransactionScope scope, const AstOptionVec *modes,
    const char *snapshot);
AstStmt *build_set_constraints(Parser *p, const Token *first, const AstNameVec *names, bool deferred);
AstSet *build_set(Parser *p, const Token *name, const AstExprVec *values);
AstSet *build_set_word(Parser *p, const Token *at, const char *name, AstExpr *value);
AstSet *build_set_from_current(Parser *p, const Token *name);
AstSet *build_set_refused(Parser *p, const Token *at, const char *message);
AstStmt *build_set_scope(Parser *p, const Token *first, const AstSet *set, bool local, bool session);
AstStmt *build_set_cluster(Parser *p, const Token *first, const Token *name, const AstExprVec *values);
AstStmt *build_reset(Parser *p, const Token *first, const Token *name);
AstStmt *build_reset_cluster(Parser *p, const Token *first, const Token *name);
AstStmt *build_discard(Parser *p, const Token *first, const Token *what);
AstStmt *build_prepare(Parser *p, const Token *first, const Token *name, const AstTypeVec *types, AstStmt *inner);
AstStmt *build_execute(Parser *p, const Token *first, const Token *name, const AstExprVec *params);
AstStmt *build_deallocate(Parser *p, const Token *first, const char *name);
AstDeclare *build_cursor_options(Parser *p);
AstStmt *build_declare(Parser *p, const Token *first, const Token *name, const AstDeclare *options, bool hold,
    AstSelect *query);
AstFetch *build_fetch_from(Parser *p, const Token *cursor, AstFetchDirection direction, int64_t count);
AstStmt *build_fetch(Parser *p, const Token *first, bool move, const AstFetch *fetch);
AstStmt *build_close(Parser *p, const Token *first, const char *name);
AstStmt *build_explain(Parser *p, const Token *first, const Token *word, const AstOptionVec *options, AstStmt *inner);
AstStmt *build_explain_both(Parser *p, const Token *first, const Token *analyze, const Token *verbose, AstStmt *inner);
AstCopy *build_copy_file(Parser *p, const char *file, bool is_program);
AstCopy *build_copy_direction(AstCopy *copy, bool from);
AstCopy *build_copy_target(Parser *p, const AstName *table, const StrVec *columns);
AstOptionVec build_copy_options(Parser *p, const AstOptionVec *binary, const AstOptionVec *delimiters,
    const AstOptionVec *options);
AstStmt *build_copy(Parser *p, const Token *first, const AstCopy *target, const AstCopy *direction,
    AstOptionVec options, AstExpr *where);
AstStmt *build_copy_query(Parser *p, const Token *first, AstStmt *query, const AstCopy *file,
    const AstOptionVec *options);
AstStmt *build_vacuum(Parser *p, AstStmtKind kind, const Token *first, const AstOptionVec *options,
    const AstVacuumTableVec *tables);
AstStmt *build_analyze_verbose(Parser *p, const Token *first, const Token *verbose, const AstVacuumTableVec *tables);
AstStmt *build_reindex(Parser *p, const Token *first, const AstOptionVec *options, const Token *what,
    int concurrently, const AstName *name);
AstStmt *build_cluster(Parser *p, const Token *first, const AstName *table, const Token *index);
AstStmt *build_lock(Parser *p, const Token *first, const AstNameVec *tables, const char *mode, bool nowait);
AstStmt *build_listen(Parser *p, AstStmtKind kind, const Token *first, const char *channel);
AstStmt *build_notify(Parser *p, const Token *first, const char *channel, const char *payload);
AstDo *build_do_item(Parser *p, const char *language, const char *body);
void build_do_merge(Parser *p, AstDo *all, const AstDo *item);
AstStmt *build_do(Parser *p, const Token *first, const AstDo *items);

/* build_show.c */
AstStmt *build_show(Parser *p, const Token *first, const AstShow *show);
AstShow *build_show_kind(Parser *p, AstShowKind kind, const AstName *name);
AstShow *build_show_setting(Parser *p, const char *setting);
AstShow *build_show_cluster_setting(Parser *p, const char *setting);
AstShow *build_show_comment(AstShow *show, bool with_comment);
AstShow *build_show_on_database(AstShow *show);
AstShow *build_show_tables(Parser *p, const AstName *name);
AstShow *build_show_object(Parser *p, AstShowKind kind, AstObject object, const AstName *name);
AstShow *build_show_index(Parser *p, AstShowKind kind, const AstIndexName *index);
AstShow *build_show_grants(Parser *p, AstObject object, const AstName *name, const char *role);
AstOption build_show_option(Parser *p, const Token *word);
AstShow *build_show_ranges(Parser *p, AstObject object, const AstIndexName *index, const AstOptionVec *options);
AstShow *build_show_range(Parser *p, AstObject object, const AstIndexName *index, const AstExprVec *row);

#endif
