/* ast_print_session.c - transactions, settings, SHOW, prepared statements, cursors, EXPLAIN, COPY, maintenance. */
#include "parser/ast_print_internal.h"

static void print_upper(const char *word, Buf *out)
{
    for (; *word; word++) buf_put_u8(out, (uint8_t)(*word >= 'a' && *word <= 'z' ? *word - 32 : *word));
}

/* ---- transactions ---- */

static bool is_true(const AstOption *option)
{
    return strcmp(((const AstLiteral *)option->value)->text, "true") == 0;
}

static void print_modes(const AstOptionVec *modes, Buf *out)
{
    for (int i = 0; i < modes->count; i++) {
        const AstOption *mode = &modes->items[i];
        buf_put_str(out, i ? ", " : " ");
        if (strcmp(mode->name, "read_only") == 0) {
            buf_put_str(out, is_true(mode) ? "READ ONLY" : "READ WRITE");
        } else if (strcmp(mode->name, "deferrable") == 0) {
            buf_put_str(out, is_true(mode) ? "DEFERRABLE" : "NOT DEFERRABLE");
        } else if (strcmp(mode->name, "as_of") == 0) {
            buf_put_str(out, "AS OF SYSTEM TIME ");
            ast_print_expr(mode->value, out);
        } else {
            buf_put_str(out, strcmp(mode->name, "isolation") == 0 ? "ISOLATION LEVEL " : "PRIORITY ");
            print_upper(((const AstLiteral *)mode->value)->text, out);
        }
    }
}

static void print_begin(const AstBegin *stmt, Buf *out)
{
    buf_put_str(out, "BEGIN");
    print_modes(&stmt->modes, out);
}

static void print_end(const AstEndTxn *stmt, Buf *out)
{
    buf_put_str(out, stmt->base.kind == AST_COMMIT ? "COMMIT" : "ROLLBACK");
    print_word_if(stmt->chain, "AND CHAIN", out);
}

static void print_savepoint(const AstSavepoint *stmt, Buf *out)
{
    buf_put_str(out, stmt->base.kind == AST_SAVEPOINT ? "SAVEPOINT " : stmt->base.kind == AST_RELEASE ? "RELEASE " : "ROLLBACK TO ");
    ast_print_identifier(stmt->name, out);
}

static void print_set_transaction(const AstSetTransaction *stmt, Buf *out)
{
    buf_put_str(out, stmt->scope == AST_TRANSACTION_SESSION ? "SET SESSION CHARACTERISTICS AS TRANSACTION" : "SET TRANSACTION");
    if (stmt->snapshot) {
        buf_put_str(out, " SNAPSHOT ");
        ast_print_string(stmt->snapshot, out);
    }
    print_modes(&stmt->modes, out);
}

static void print_set_constraints(const AstSetConstraints *stmt, Buf *out)
{
    buf_put_str(out, stmt->all ? "SET CONSTRAINTS ALL" : "SET CONSTRAINTS ");
    print_name_list(&stmt->names, out);
    buf_put_str(out, stmt->deferred ? " DEFERRED" : " IMMEDIATE");
}

/* ---- settings ---- */

/* Each part between dots is a name of its own. */
static void print_setting(const char *name, Buf *out)
{
    const char *dot = strchr(name, '.');
    while (dot) {
        char part[128] = "";
        size_t length = (size_t)(dot - name) < sizeof part ? (size_t)(dot - name) : sizeof part - 1;
        memcpy(part, name, length);
        ast_print_identifier(part, out);
        buf_put_u8(out, '.');
        name = dot + 1;
        dot = strchr(name, '.');
    }
    ast_print_identifier(name, out);
}

static void print_set(const AstSet *stmt, Buf *out)
{
    buf_put_str(out, stmt->cluster ? "SET CLUSTER SETTING " : stmt->local ? "SET LOCAL " : stmt->session ? "SET SESSION " : "SET ");
    bool zone = strcmp(stmt->name, "timezone") == 0 && stmt->values.count == 1 &&
                ((const AstLiteral *)stmt->values.items[0])->literal == AST_LITERAL_TYPED;
    if (zone)
        buf_put_str(out, "TIME ZONE");
    else
        print_setting(stmt->name, out);
    if (stmt->from_current) {
        buf_put_str(out, " FROM CURRENT");
        return;
    }
    buf_put_str(out, zone ? " " : " = ");
    if (stmt->is_default) buf_put_str(out, "DEFAULT");
    print_exprs(&stmt->values, out);
}

static void print_reset(const AstReset *stmt, Buf *out)
{
    buf_put_str(out, stmt->cluster ? "RESET CLUSTER SETTING " : "RESET ");
    if (stmt->name)
        print_setting(stmt->name, out);
    else
        buf_put_str(out, "ALL");
}

static void print_discard(const AstDiscard *stmt, Buf *out)
{
    buf_put_str(out, "DISCARD ");
    print_upper(stmt->what, out);
}

/* ---- SHOW ---- */

static const char *show_words(AstShowKind kind)
{
    static const char *const words[] = {
#define WORDS(show, text) text,
        AST_SHOWS(WORDS)
#undef WORDS
    };
    return words[kind];
}

static void print_show_object(const AstShow *show, Buf *out)
{
    if (show->object == AST_OBJECT_OTHER) return;
    print_word_if(true, ast_object_words(show->object), out);
}

static void print_show_name(const char *word, const AstShow *show, Buf *out)
{
    if (!show->name.name && !show->index.index) return;
    print_word_if(true, word, out);
    if (show->show != AST_SHOW_CREATE || show->object != AST_OBJECT_OTHER) print_show_object(show, out);
    buf_put_u8(out, ' ');
    if (show->object == AST_OBJECT_INDEX)
        print_index_name(&show->index, out);
    else
        ast_print_name(&show->name, out);
}

static void print_show_tables(const AstShow *show, Buf *out)
{
    if (!show->name.schema) return;
    AstName name = {.schema = show->name.database, .name = show->name.schema};
    buf_put_str(out, " FROM ");
    ast_print_name(&name, out);
}

static void print_show_options(const AstOptionVec *options, Buf *out)
{
    for (int i = 0; i < options->count; i++) {
        buf_put_str(out, i ? ", " : " WITH ");
        print_upper(options->items[i].name, out);
    }
}

static void print_show_ranges(const AstShow *show, Buf *out)
{
    if (show->object == AST_OBJECT_ROLE) {
        buf_put_str(out, "SHOW CLUSTER RANGES");
    } else {
        buf_put_str(out, "SHOW RANGES");
        print_show_name("FROM", show, out);
    }
    print_show_options(&show->options, out);
}

static void print_show_row(const AstShow *show, Buf *out)
{
    buf_put_str(out, "SHOW RANGE");
    print_show_name("FROM", show, out);
    buf_put_str(out, " FOR ROW (");
    print_exprs(&show->row, out);
    buf_put_u8(out, ')');
}

static void print_show_setting(const AstShow *show, Buf *out)
{
    if (show->show == AST_SHOW_CLUSTER_SETTING && !show->setting) {
        buf_put_str(out, "SHOW CLUSTER SETTINGS");
        return;
    }
    buf_put_str(out, show_words(show->show));
    buf_put_u8(out, ' ');
    print_setting(show->setting, out);
}

void print_show(const AstShow *show, Buf *out)
{
    if (show->show == AST_SHOW_SETTING || show->show == AST_SHOW_CLUSTER_SETTING) {
        print_show_setting(show, out);
    } else if (show->show == AST_SHOW_RANGES) {
        print_show_ranges(show, out);
    } else if (show->show == AST_SHOW_RANGE_FOR_ROW) {
        print_show_row(show, out);
    } else if (show->show == AST_SHOW_ZONE_CONFIGURATION && !show->name.name && !show->index.index) {
        buf_put_str(out, "SHOW ZONE CONFIGURATIONS");
    } else {
        AstShow copy = *show;
        bool of_kind = show->show == AST_SHOW_CREATE || show->show == AST_SHOW_GRANTS || show->show == AST_SHOW_PARTITIONS ||
                       show->show == AST_SHOW_ZONE_CONFIGURATION;
        if (!of_kind) copy.object = show->on_database ? AST_OBJECT_DATABASE : AST_OBJECT_OTHER;
        buf_put_str(out, show_words(show->show));
        if (show->show == AST_SHOW_TABLES)
            print_show_tables(show, out);
        else if (show->show == AST_SHOW_ZONE_CONFIGURATION && show->object == AST_OBJECT_OTHER)
            print_show_name("FROM RANGE", &copy, out);
        else
            print_show_name(show->show == AST_SHOW_CREATE ? "" : show->show == AST_SHOW_GRANTS ? "ON" : show->show == AST_SHOW_STATISTICS ? "FOR TABLE" : "FROM", &copy, out);
        if (show->member) {
            buf_put_str(out, " FOR ");
            ast_print_identifier(show->member, out);
        }
        print_word_if(show->with_comment, "WITH COMMENT", out);
    }
}

/* ---- prepared statements, cursors ---- */

static void print_prepare(const AstPrepare *stmt, Buf *out)
{
    buf_put_str(out, "PREPARE ");
    ast_print_identifier(stmt->name, out);
    for (int i = 0; i < stmt->types.count; i++) {
        buf_put_str(out, i ? ", " : " (");
        ast_print_type(stmt->types.items[i], out);
    }
    if (stmt->types.count > 0) buf_put_u8(out, ')');
    buf_put_str(out, " AS ");
    ast_print_stmt(stmt->stmt, out);
}

static void print_execute(const AstExecute *stmt, Buf *out)
{
    buf_put_str(out, "EXECUTE ");
    ast_print_identifier(stmt->name, out);
    if (stmt->params.count == 0) return;
    buf_put_str(out, " (");
    print_exprs(&stmt->params, out);
    buf_put_u8(out, ')');
}

static void print_name_or_all(const char *word, const char *name, const char *all, Buf *out)
{
    buf_put_str(out, word);
    if (name)
        ast_print_identifier(name, out);
    else
        buf_put_str(out, all);
}

static void print_deallocate(const AstDeallocate *stmt, Buf *out)
{
    print_name_or_all("DEALLOCATE ", stmt->name, "ALL", out);
}

static void print_declare(const AstDeclare *stmt, Buf *out)
{
    buf_put_str(out, "DECLARE ");
    ast_print_identifier(stmt->name, out);
    print_word_if(stmt->binary, "BINARY", out);
    print_word_if(stmt->insensitive, "INSENSITIVE", out);
    print_word_if(stmt->asensitive, "ASENSITIVE", out);
    print_word_if(stmt->scroll, "SCROLL", out);
    print_word_if(stmt->no_scroll, "NO SCROLL", out);
    buf_put_str(out, " CURSOR");
    print_word_if(stmt->with_hold, "WITH HOLD", out);
    buf_put_str(out, " FOR ");
    print_select(stmt->query, out);
}

static void print_fetch(const AstFetch *stmt, Buf *out)
{
    static const char *const words[] = {" FORWARD ", " BACKWARD ", " ABSOLUTE ", " RELATIVE "};
    buf_put_str(out, stmt->move ? "MOVE" : "FETCH");
    buf_put_str(out, words[stmt->direction]);
    if (stmt->count == INT64_MAX)
        buf_put_str(out, "ALL");
    else
        print_int(stmt->count, out);
    buf_put_str(out, " FROM ");
    ast_print_identifier(stmt->cursor, out);
}

static void print_close(const AstClose *stmt, Buf *out)
{
    print_name_or_all("CLOSE ", stmt->name, "ALL", out);
}

/* ---- EXPLAIN, COPY, maintenance ---- */

/* (ANALYZE, FORMAT json). */
static void print_utility_options(const AstOptionVec *options, Buf *out)
{
    for (int i = 0; i < options->count; i++) {
        const AstOption *option = &options->items[i];
        buf_put_str(out, i ? ", " : " (");
        if (strcmp(option->name, "analyze") == 0)
            buf_put_str(out, "ANALYZE");
        else
            ast_print_identifier(option->name, out);
        if (!option->value) continue;
        buf_put_u8(out, ' ');
        print_option_value(option->value, out);
    }
    if (options->count > 0) buf_put_u8(out, ')');
}

static void print_explain(const AstExplain *stmt, Buf *out)
{
    buf_put_str(out, "EXPLAIN");
    print_utility_options(&stmt->options, out);
    buf_put_u8(out, ' ');
    ast_print_stmt(stmt->stmt, out);
}

static void print_copy_option(const AstOption *option, Buf *out)
{
    const AstExprVec *names = option->value && option->value->kind == AST_ROW ? &((const AstRow *)option->value)->items : NULL;
    buf_put_str(out, option->name);
    if (!option->value) return;
    buf_put_u8(out, ' ');
    if (!names) {
        const AstLiteral *value = (const AstLiteral *)option->value;
        if (value->literal == AST_LITERAL_STRING && strcmp(value->text, "*") == 0 && strncmp(option->name, "force", 5) == 0)
            buf_put_u8(out, '*');
        else
            ast_print_expr(option->value, out);
        return;
    }
    for (int i = 0; i < names->count; i++) {
        buf_put_str(out, i ? ", " : "(");
        ast_print_identifier(((const AstLiteral *)names->items[i])->text, out);
    }
    buf_put_u8(out, ')');
}

static void print_copy(const AstCopy *stmt, Buf *out)
{
    buf_put_str(out, "COPY ");
    if (stmt->query) {
        buf_put_u8(out, '(');
        ast_print_stmt(stmt->query, out);
        buf_put_u8(out, ')');
    } else {
        ast_print_name(&stmt->table, out);
        print_paren_names(&stmt->columns, out);
    }
    buf_put_str(out, stmt->from ? " FROM " : " TO ");
    if (stmt->is_program) buf_put_str(out, "PROGRAM ");
    if (stmt->file)
        ast_print_string(stmt->file, out);
    else
        buf_put_str(out, stmt->from ? "STDIN" : "STDOUT");
    for (int i = 0; i < stmt->options.count; i++) {
        buf_put_str(out, i ? ", " : " WITH (");
        print_copy_option(&stmt->options.items[i], out);
    }
    if (stmt->options.count > 0) buf_put_u8(out, ')');
    if (!stmt->where) return;
    buf_put_str(out, " WHERE ");
    ast_print_expr(stmt->where, out);
}

static void print_vacuum(const AstVacuum *stmt, Buf *out)
{
    buf_put_str(out, stmt->base.kind == AST_VACUUM ? "VACUUM" : "ANALYZE");
    print_utility_options(&stmt->options, out);
    for (int i = 0; i < stmt->tables.count; i++) {
        buf_put_str(out, i ? ", " : " ");
        ast_print_name(&stmt->tables.items[i].name, out);
        print_paren_names(&stmt->tables.items[i].columns, out);
    }
}

static void print_reindex(const AstReindex *stmt, Buf *out)
{
    bool cluster = stmt->base.kind == AST_CLUSTER;
    buf_put_str(out, cluster ? "CLUSTER" : "REINDEX");
    print_utility_options(&stmt->options, out);
    if (stmt->what) {
        buf_put_u8(out, ' ');
        print_upper(stmt->what, out);
    }
    print_word_if(stmt->concurrently, "CONCURRENTLY", out);
    if (stmt->name.name) {
        buf_put_u8(out, ' ');
        ast_print_name(&stmt->name, out);
    }
    if (!stmt->index) return;
    buf_put_str(out, " USING ");
    ast_print_identifier(stmt->index, out);
}

static void print_lock(const AstLock *stmt, Buf *out)
{
    buf_put_str(out, "LOCK TABLE ");
    print_name_list(&stmt->tables, out);
    buf_put_str(out, " IN ");
    print_upper(stmt->mode, out);
    buf_put_str(out, " MODE");
    print_word_if(stmt->nowait, "NOWAIT", out);
}

static void print_listen(const AstListen *stmt, Buf *out)
{
    print_name_or_all(stmt->base.kind == AST_LISTEN ? "LISTEN " : "UNLISTEN ", stmt->channel, "*", out);
}

static void print_notify(const AstNotify *stmt, Buf *out)
{
    print_name_or_all("NOTIFY ", stmt->channel, "", out);
    if (!stmt->payload) return;
    buf_put_str(out, ", ");
    ast_print_string(stmt->payload, out);
}

static void print_do(const AstDo *stmt, Buf *out)
{
    buf_put_str(out, "DO ");
    if (stmt->language) {
        print_name_or_all("LANGUAGE ", stmt->language, "", out);
        buf_put_u8(out, ' ');
    }
    ast_print_string(stmt->body, out);
}

static void print_checkpoint(const AstBare *stmt, Buf *out)
{
    (void)stmt;
    buf_put_str(out, "CHECKPOINT");
}

/* What rowkey has no tree for is printed as it was written. */
static void print_unsupported(const AstUnsupported *stmt, Buf *out)
{
    buf_put_slice(out, stmt->base.source);
}

#define SESSION_PRINTERS(X)                                                                                          \
    X(AST_BEGIN, print_begin, AstBegin) X(AST_COMMIT, print_end, AstEndTxn) X(AST_ROLLBACK, print_end, AstEndTxn)    \
    X(AST_SAVEPOINT, print_savepoint, AstSavepoint) X(AST_RELEASE, print_savepoint, AstSavepoint)                    \
    X(AST_ROLLBACK_TO, print_savepoint, AstSavepoint)                                                                \
    X(AST_SET_TRANSACTION, print_set_transaction, AstSetTransaction)                                                 \
    X(AST_SET_CONSTRAINTS, print_set_constraints, AstSetConstraints)                                                 \
    X(AST_SET, print_set, AstSet) X(AST_RESET, print_reset, AstReset) X(AST_SHOW, print_show, AstShow)               \
    X(AST_DISCARD, print_discard, AstDiscard) X(AST_PREPARE, print_prepare, AstPrepare)                              \
    X(AST_EXECUTE, print_execute, AstExecute) X(AST_DEALLOCATE, print_deallocate, AstDeallocate)                     \
    X(AST_DECLARE, print_declare, AstDeclare) X(AST_FETCH, print_fetch, AstFetch) X(AST_CLOSE, print_close, AstClose) \
    X(AST_EXPLAIN, print_explain, AstExplain) X(AST_COPY, print_copy, AstCopy)                                       \
    X(AST_VACUUM, print_vacuum, AstVacuum) X(AST_ANALYZE, print_vacuum, AstVacuum)                                   \
    X(AST_REINDEX, print_reindex, AstReindex) X(AST_CLUSTER, print_reindex, AstReindex)                              \
    X(AST_CHECKPOINT, print_checkpoint, AstBare) X(AST_LOCK, print_lock, AstLock)                                    \
    X(AST_LISTEN, print_listen, AstListen) X(AST_UNLISTEN, print_listen, AstListen)                                  \
    X(AST_NOTIFY, print_notify, AstNotify) X(AST_DO, print_do, AstDo)                                                \
    X(AST_UNSUPPORTED, print_unsupported, AstUnsupported)

bool print_session(const AstStmt *stmt, Buf *out)
{
#define PRINT(KIND, printer, Type)                                                                                   \
    if (stmt->kind == KIND) {                                                                                        \
        printer((const Type *)stmt, out);                                                                            \
        return true;                                                                                                 \
    }
    SESSION_PRINTERS(PRINT)
#undef PRINT
    return false;
}
