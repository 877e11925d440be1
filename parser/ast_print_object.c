/* ast_print_object.c - databases, schemas, views, sequences, types, roles; DROP, COMMENT, GRANT; the key space. */
#include "parser/ast_print_internal.h"

static void print_head(const char *words, bool condition, const char *conditional, Buf *out)
{
    buf_put_str(out, words);
    print_word_if(condition, conditional, out);
    buf_put_u8(out, ' ');
}

static void print_text_or_null(const char *text, Buf *out)
{
    if (text)
        ast_print_string(text, out);
    else
        buf_put_str(out, "NULL");
}

/* ---- databases, schemas, views ---- */

static void print_create_database(const AstCreateDatabase *stmt, Buf *out)
{
    print_head("CREATE DATABASE", stmt->if_not_exists, "IF NOT EXISTS", out);
    ast_print_identifier(stmt->name, out);
    for (int i = 0; i < stmt->options.count; i++) {
        const AstOption *option = &stmt->options.items[i];
        buf_put_u8(out, ' ');
        buf_put_str(out, strcmp(option->name, "connection_limit") == 0 ? "CONNECTION LIMIT" : option->name);
        buf_put_str(out, " = ");
        ast_print_expr(option->value, out);
    }
}

static void print_create_schema(const AstCreateSchema *stmt, Buf *out)
{
    print_head("CREATE SCHEMA", stmt->if_not_exists, "IF NOT EXISTS", out);
    if (stmt->name.name) ast_print_name(&stmt->name, out);
    if (!stmt->authorization) return;
    buf_put_str(out, stmt->name.name ? " AUTHORIZATION " : "AUTHORIZATION ");
    ast_print_identifier(stmt->authorization, out);
}

static void print_create_view(const AstCreateView *stmt, Buf *out)
{
    buf_put_str(out, stmt->or_replace ? "CREATE OR REPLACE" : "CREATE");
    print_word_if(stmt->persistence == AST_TEMPORARY, "TEMPORARY", out);
    print_word_if(stmt->recursive, "RECURSIVE", out);
    print_head(" VIEW", stmt->if_not_exists, "IF NOT EXISTS", out);
    ast_print_name(&stmt->name, out);
    print_paren_names(&stmt->columns, out);
    print_params("WITH", &stmt->options, out);
    buf_put_str(out, " AS ");
    print_select(stmt->query, out);
    print_word_if(stmt->check_option == AST_CHECK_OPTION_CASCADED, "WITH CASCADED CHECK OPTION", out);
    print_word_if(stmt->check_option == AST_CHECK_OPTION_LOCAL, "WITH LOCAL CHECK OPTION", out);
}

static void print_refresh(const AstRefresh *stmt, Buf *out)
{
    print_head("REFRESH MATERIALIZED VIEW", stmt->concurrently, "CONCURRENTLY", out);
    ast_print_name(&stmt->name, out);
    print_word_if(stmt->no_data, "WITH NO DATA", out);
}

/* ---- sequences, types ---- */

static void print_sequence_option(const AstOption *option, Buf *out)
{
    static const struct {
        const char *name, *words;
    } words[] = {{"increment", "INCREMENT BY "}, {"minvalue", "MINVALUE "}, {"maxvalue", "MAXVALUE "}, {"start", "START WITH "},
                 {"cache", "CACHE "}, {"owned_by", "OWNED BY "}, {"sequence_name", "SEQUENCE NAME "}};
    if (strcmp(option->name, "restart") == 0) {
        buf_put_str(out, option->value ? "RESTART WITH " : "RESTART");
    } else if (strcmp(option->name, "cycle") == 0) {
        buf_put_str(out, strcmp(((const AstLiteral *)option->value)->text, "true") == 0 ? "CYCLE" : "NO CYCLE");
        return;
    } else if (strcmp(option->name, "virtual") == 0) {
        buf_put_str(out, "VIRTUAL");
    } else if (strcmp(option->name, "as") == 0) {
        buf_put_str(out, "AS ");
        ast_print_type(((const AstLiteral *)option->value)->type, out);
        return;
    } else if (!option->value && strcmp(option->name, "owned_by") == 0) {
        buf_put_str(out, "OWNED BY NONE");
    } else if (!option->value) {
        buf_put_str(out, strcmp(option->name, "minvalue") == 0 ? "NO MINVALUE" : "NO MAXVALUE");
    }
    for (size_t i = 0; option->value && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(option->name, words[i].name) == 0) buf_put_str(out, words[i].words);
    if (option->value) ast_print_expr(option->value, out);
}

void print_sequence_options(const AstOptionVec *options, Buf *out)
{
    for (int i = 0; i < options->count; i++) {
        if (i) buf_put_u8(out, ' ');
        print_sequence_option(&options->items[i], out);
    }
}

static void print_sequence_tail(const AstType *type, const AstOptionVec *options, Buf *out)
{
    if (type) {
        buf_put_str(out, " AS ");
        ast_print_type(type, out);
    }
    if (options->count > 0) buf_put_u8(out, ' ');
    print_sequence_options(options, out);
}

static void print_create_sequence(const AstCreateSequence *stmt, Buf *out)
{
    print_head(stmt->persistence == AST_TEMPORARY ? "CREATE TEMPORARY SEQUENCE" : "CREATE SEQUENCE", stmt->if_not_exists, "IF NOT EXISTS", out);
    ast_print_name(&stmt->name, out);
    print_sequence_tail(stmt->type, &stmt->options, out);
}

static void print_alter_sequence(const AstAlterSequence *stmt, Buf *out)
{
    print_head("ALTER SEQUENCE", stmt->if_exists, "IF EXISTS", out);
    ast_print_name(&stmt->name, out);
    print_sequence_tail(stmt->type, &stmt->options, out);
}

static void print_create_enum(const AstCreateEnum *stmt, Buf *out)
{
    print_head("CREATE TYPE", stmt->if_not_exists, "IF NOT EXISTS", out);
    ast_print_name(&stmt->name, out);
    buf_put_str(out, " AS ENUM (");
    for (int i = 0; i < stmt->labels.count; i++) {
        if (i) buf_put_str(out, ", ");
        ast_print_string(stmt->labels.items[i], out);
    }
    buf_put_u8(out, ')');
}

static void print_alter_enum(const AstAlterEnum *stmt, Buf *out)
{
    buf_put_str(out, "ALTER TYPE ");
    ast_print_name(&stmt->name, out);
    buf_put_str(out, stmt->add ? " ADD VALUE " : stmt->drop ? " DROP VALUE " : " RENAME VALUE ");
    if (stmt->if_not_exists) buf_put_str(out, "IF NOT EXISTS ");
    ast_print_string(stmt->label, out);
    if (stmt->neighbor) {
        buf_put_str(out, stmt->before ? " BEFORE " : " AFTER ");
        ast_print_string(stmt->neighbor, out);
    }
    if (!stmt->new_label) return;
    buf_put_str(out, " TO ");
    ast_print_string(stmt->new_label, out);
}

static void print_create_domain(const AstCreateDomain *stmt, Buf *out)
{
    buf_put_str(out, "CREATE DOMAIN ");
    ast_print_name(&stmt->name, out);
    buf_put_str(out, " AS ");
    ast_print_type(stmt->type, out);
    if (stmt->collation.name) {
        buf_put_str(out, " COLLATE ");
        ast_print_name(&stmt->collation, out);
    }
    for (int i = 0; i < stmt->constraints.count; i++) {
        buf_put_u8(out, ' ');
        print_constraint(stmt->constraints.items[i], out);
    }
}

static void print_create_extension(const AstCreateExtension *stmt, Buf *out)
{
    print_head("CREATE EXTENSION", stmt->if_not_exists, "IF NOT EXISTS", out);
    ast_print_identifier(stmt->name, out);
    for (int i = 0; i < stmt->options.count; i++) {
        const AstOption *option = &stmt->options.items[i];
        bool is_schema = strcmp(option->name, "schema") == 0;
        print_word_if(true, is_schema ? "SCHEMA" : option->value ? "VERSION" : "CASCADE", out);
        if (!option->value) continue;
        buf_put_u8(out, ' ');
        if (is_schema)
            ast_print_identifier(((const AstLiteral *)option->value)->text, out);
        else
            ast_print_expr(option->value, out);
    }
}

/* ---- roles ---- */

static void print_role_names(const AstExpr *value, Buf *out)
{
    const AstExprVec *names = &((const AstRow *)value)->items;
    for (int i = 0; i < names->count; i++) {
        buf_put_str(out, i ? ", " : " ");
        ast_print_identifier(((const AstLiteral *)names->items[i])->text, out);
    }
}

static void print_role_option(const AstOption *option, Buf *out)
{
    const AstLiteral *value = (const AstLiteral *)option->value;
    if (strcmp(option->name, "password") == 0) {
        buf_put_str(out, " PASSWORD ");
        print_text_or_null(value ? value->text : NULL, out);
    } else if (option->value && option->value->kind == AST_ROW) {
        print_word_if(true, strcmp(option->name, "in_role") == 0 ? "IN ROLE" : option->name, out);
        print_role_names(option->value, out);
    } else if (value && value->literal == AST_LITERAL_BOOL) {
        buf_printf(out, " %s%s", strcmp(value->text, "true") == 0 ? "" : "no", option->name);
    } else if (value) {
        bool limit = strcmp(option->name, "connection_limit") == 0, until = strcmp(option->name, "valid_until") == 0;
        print_word_if(true, limit ? "CONNECTION LIMIT" : until ? "VALID UNTIL" : "SYSID", out);
        buf_put_u8(out, ' ');
        ast_print_expr(option->value, out);
    }
}

static void print_role(const AstCreateRole *stmt, Buf *out)
{
    buf_put_str(out, stmt->base.kind == AST_CREATE_ROLE ? "CREATE" : "ALTER");
    print_head(stmt->user ? " USER" : " ROLE", stmt->if_not_exists, "IF NOT EXISTS", out);
    ast_print_identifier(stmt->name, out);
    for (int i = 0; i < stmt->options.count; i++) print_role_option(&stmt->options.items[i], out);
}

static void print_alter_object(const AstAlterObject *stmt, Buf *out)
{
    static const char *const words[] = {" RENAME TO ", " OWNER TO ", " SET SCHEMA "};
    buf_printf(out, "ALTER %s", ast_object_words(stmt->object));
    print_head("", stmt->if_exists, "IF EXISTS", out);
    ast_print_name(&stmt->name, out);
    buf_put_str(out, words[stmt->change]);
    ast_print_identifier(stmt->value, out);
}

static void print_alter_set(const AstAlterSet *stmt, Buf *out)
{
    buf_put_str(out, stmt->base.kind == AST_ALTER_DATABASE_SET ? "ALTER DATABASE " : "ALTER ROLE ");
    if (stmt->name)
        ast_print_identifier(stmt->name, out);
    else
        buf_put_str(out, "ALL");
    if (stmt->in_database) {
        buf_put_str(out, " IN DATABASE ");
        ast_print_identifier(stmt->in_database, out);
    }
    buf_put_u8(out, ' ');
    ast_print_stmt(stmt->set, out);
}

/* ---- DROP, TRUNCATE, COMMENT, GRANT ---- */

static void print_drop(const AstDrop *stmt, Buf *out)
{
    buf_printf(out, "DROP %s", ast_object_words(stmt->object));
    print_word_if(stmt->concurrently, "CONCURRENTLY", out);
    print_head("", stmt->if_exists, "IF EXISTS", out);
    print_name_list(&stmt->names, out);
    for (int i = 0; i < stmt->indexes.count; i++) {
        if (i) buf_put_str(out, ", ");
        print_index_name(&stmt->indexes.items[i], out);
    }
    print_drop_behavior(stmt->behavior, out);
}

static void print_truncate(const AstTruncate *stmt, Buf *out)
{
    buf_put_str(out, "TRUNCATE TABLE ");
    print_name_list(&stmt->tables, out);
    print_word_if(stmt->restart_identity, "RESTART IDENTITY", out);
    print_drop_behavior(stmt->behavior, out);
}

static void print_comment(const AstComment *stmt, Buf *out)
{
    if (stmt->object == AST_OBJECT_DOMAIN && stmt->member) {
        buf_put_str(out, "COMMENT ON CONSTRAINT ");
        ast_print_identifier(stmt->member, out);
        buf_put_str(out, " ON DOMAIN ");
    } else {
        buf_printf(out, "COMMENT ON %s ", ast_object_words(stmt->object));
    }
    if (stmt->object == AST_OBJECT_CONSTRAINT) {
        ast_print_identifier(stmt->member, out);
        buf_put_str(out, " ON ");
    }
    if (stmt->object == AST_OBJECT_INDEX)
        print_index_name(&stmt->index, out);
    else
        ast_print_name(&stmt->name, out);
    if (stmt->object == AST_OBJECT_COLUMN) {
        buf_put_u8(out, '.');
        ast_print_identifier(stmt->member, out);
    }
    buf_put_str(out, " IS ");
    print_text_or_null(stmt->text, out);
}

static void print_named_after(const char *words, const char *name, Buf *out)
{
    if (!name) return;
    buf_put_str(out, words);
    ast_print_identifier(name, out);
}

static void print_privileges(const AstGrant *stmt, Buf *out)
{
    for (int i = 0; i < stmt->privileges.count; i++) {
        const AstPrivilege *privilege = &stmt->privileges.items[i];
        if (i) buf_put_str(out, ", ");
        if (stmt->of_roles && strcmp(privilege->name, "all") != 0)
            ast_print_identifier(privilege->name, out);
        else
            buf_put_str(out, privilege->name);
        print_paren_names(&privilege->columns, out);
    }
}

static void print_grant_object(const AstGrant *stmt, Buf *out)
{
    buf_put_str(out, " ON ");
    if (stmt->names.count == 0) /* of ALTER DEFAULT PRIVILEGES */
        buf_printf(out, "%sS", ast_object_words(stmt->object));
    else if (stmt->all_in_schema)
        buf_printf(out, "ALL %sS IN SCHEMA ", ast_object_words(stmt->object));
    else
        buf_printf(out, "%s ", ast_object_words(stmt->object));
    print_name_list(&stmt->names, out);
}

static void print_grant(const AstGrant *stmt, Buf *out)
{
    bool revoke = stmt->base.kind == AST_REVOKE;
    buf_put_str(out, revoke ? "REVOKE " : "GRANT ");
    if (revoke && stmt->grant_option) buf_put_str(out, stmt->of_roles ? "ADMIN OPTION FOR " : "GRANT OPTION FOR ");
    print_privileges(stmt, out);
    if (!stmt->of_roles) print_grant_object(stmt, out);
    buf_put_str(out, revoke ? " FROM " : " TO ");
    print_names(&stmt->grantees, out);
    if (!revoke && stmt->grant_option) buf_put_str(out, stmt->of_roles ? " WITH ADMIN OPTION" : " WITH GRANT OPTION");
    print_named_after(" GRANTED BY ", stmt->granted_by, out);
    print_drop_behavior(stmt->behavior, out);
}

static void print_default_privileges(const AstDefaultPrivileges *stmt, Buf *out)
{
    buf_put_str(out, "ALTER DEFAULT PRIVILEGES ");
    if (stmt->roles.count) {
        buf_put_str(out, "FOR ROLE ");
        print_names(&stmt->roles, out);
        buf_put_u8(out, ' ');
    }
    if (stmt->schemas.count) {
        buf_put_str(out, "IN SCHEMA ");
        print_names(&stmt->schemas, out);
        buf_put_u8(out, ' ');
    }
    print_grant(stmt->grant, out);
}

static void print_owned(const AstOwned *stmt, Buf *out)
{
    buf_put_str(out, stmt->new_owner ? "REASSIGN OWNED BY " : "DROP OWNED BY ");
    print_names(&stmt->roles, out);
    print_named_after(" TO ", stmt->new_owner, out);
    print_drop_behavior(stmt->behavior, out);
}

/* ---- key space ---- */

static void print_target(AstObject object, const AstIndexName *target, Buf *out)
{
    buf_put_str(out, "ALTER ");
    buf_put_str(out, object == AST_OBJECT_OTHER ? "RANGE" : ast_object_words(object));
    buf_put_u8(out, ' ');
    if (object == AST_OBJECT_INDEX)
        print_index_name(target, out);
    else if (target->table.name && strcmp(target->table.name, "default") == 0)
        buf_put_str(out, "DEFAULT"); /* the range of that name, a reserved word */
    else if (target->table.name)
        ast_print_name(&target->table, out);
}

static void print_split_at(const AstSplitAt *stmt, Buf *out)
{
    print_target(stmt->of_index ? AST_OBJECT_INDEX : AST_OBJECT_TABLE, &stmt->target, out);
    buf_put_str(out, stmt->base.kind == AST_SPLIT_AT ? " SPLIT AT " : stmt->rows ? " UNSPLIT AT " : " UNSPLIT ALL");
    if (stmt->rows) print_select(stmt->rows, out);
    if (!stmt->expiration) return;
    buf_put_str(out, " WITH EXPIRATION ");
    ast_print_expr(stmt->expiration, out);
}

static void print_scatter(const AstScatter *stmt, Buf *out)
{
    print_target(stmt->of_index ? AST_OBJECT_INDEX : AST_OBJECT_TABLE, &stmt->target, out);
    buf_put_str(out, " SCATTER");
    if (stmt->from.count == 0) return;
    buf_put_str(out, " FROM (");
    print_exprs(&stmt->from, out);
    buf_put_str(out, ") TO (");
    print_exprs(&stmt->to, out);
    buf_put_u8(out, ')');
}

static void print_relocate(const AstRelocate *stmt, Buf *out)
{
    static const char *const words[] = {"VOTERS", "NONVOTERS", "LEASE"};
    print_target(stmt->object, &stmt->target, out);
    if (stmt->range_id) ast_print_expr(stmt->range_id, out);
    buf_printf(out, stmt->object == AST_OBJECT_OTHER && !stmt->range_id ? "RELOCATE %s" : " RELOCATE %s", words[stmt->what]);
    if (stmt->from) {
        buf_put_str(out, " FROM ");
        ast_print_expr(stmt->from, out);
    }
    if (stmt->to) {
        buf_put_str(out, " TO ");
        ast_print_expr(stmt->to, out);
    }
    if (!stmt->rows) return;
    buf_put_str(out, stmt->object == AST_OBJECT_OTHER ? " FOR " : " ");
    print_select(stmt->rows, out);
}

static void print_configure_zone(const AstConfigureZone *stmt, Buf *out)
{
    print_target(stmt->object, &stmt->target, out);
    buf_put_str(out, stmt->discard ? " CONFIGURE ZONE DISCARD" : " CONFIGURE ZONE USING ");
    for (int i = 0; i < stmt->options.count; i++) {
        const AstOption *option = &stmt->options.items[i];
        buf_printf(out, i ? ", %s = " : "%s = ", option->name);
        if (option->value)
            ast_print_expr(option->value, out);
        else
            buf_put_str(out, "COPY FROM PARENT");
    }
}

static bool print_key_space(const AstStmt *stmt, Buf *out)
{
    if (stmt->kind == AST_SPLIT_AT || stmt->kind == AST_UNSPLIT_AT)
        print_split_at((const AstSplitAt *)stmt, out);
    else if (stmt->kind == AST_SCATTER)
        print_scatter((const AstScatter *)stmt, out);
    else if (stmt->kind == AST_RELOCATE)
        print_relocate((const AstRelocate *)stmt, out);
    else if (stmt->kind == AST_CONFIGURE_ZONE)
        print_configure_zone((const AstConfigureZone *)stmt, out);
    else
        return false;
    return true;
}

#define OBJECT_PRINTERS(X)                                                                                           \
    X(AST_CREATE_DATABASE, print_create_database, AstCreateDatabase)                                                 \
    X(AST_CREATE_SCHEMA, print_create_schema, AstCreateSchema)                                                       \
    X(AST_CREATE_VIEW, print_create_view, AstCreateView) X(AST_REFRESH, print_refresh, AstRefresh)                   \
    X(AST_CREATE_SEQUENCE, print_create_sequence, AstCreateSequence)                                                 \
    X(AST_ALTER_SEQUENCE, print_alter_sequence, AstAlterSequence)                                                    \
    X(AST_CREATE_ENUM, print_create_enum, AstCreateEnum) X(AST_ALTER_ENUM, print_alter_enum, AstAlterEnum)           \
    X(AST_CREATE_DOMAIN, print_create_domain, AstCreateDomain)                                                       \
    X(AST_CREATE_EXTENSION, print_create_extension, AstCreateExtension)                                              \
    X(AST_CREATE_ROLE, print_role, AstCreateRole) X(AST_ALTER_ROLE, print_role, AstCreateRole)                       \
    X(AST_ALTER_OBJECT, print_alter_object, AstAlterObject)                                                          \
    X(AST_ALTER_DATABASE_SET, print_alter_set, AstAlterSet) X(AST_ALTER_ROLE_SET, print_alter_set, AstAlterSet)      \
    X(AST_DROP, print_drop, AstDrop) X(AST_TRUNCATE, print_truncate, AstTruncate)                                    \
    X(AST_COMMENT, print_comment, AstComment) X(AST_GRANT, print_grant, AstGrant) X(AST_REVOKE, print_grant, AstGrant)    \
    X(AST_ALTER_DEFAULT_PRIVILEGES, print_default_privileges, AstDefaultPrivileges)                                  \
    X(AST_DROP_OWNED, print_owned, AstOwned) X(AST_REASSIGN_OWNED, print_owned, AstOwned)

bool print_object(const AstStmt *stmt, Buf *out)
{
#define PRINT(KIND, printer, Type)                                                                                   \
    if (stmt->kind == KIND) {                                                                                        \
        printer((const Type *)stmt, out);                                                                            \
        return true;                                                                                                 \
    }
    OBJECT_PRINTERS(PRINT)
#undef PRINT
    return print_key_space(stmt, out);
}
