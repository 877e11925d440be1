/* build_object.c - databases, schemas, views, sequences, types, roles; DROP, TRUNCATE, COMMENT, GRANT. */
#include "parser/build.h"

AstStmt *build_unsupported(Parser *p, const Token *first, const char *what)
{
    AstUnsupported *stmt = NEW_STMT(p, AstUnsupported, AST_UNSUPPORTED, first);
    stmt->what = what;
    return &stmt->base;
}

AstStmt *build_unsupported_object(Parser *p, const Token *first, const char *verb, const Token *object)
{
    static const struct {
        const char *word, *words;
    } longer[] = {{"access", "ACCESS METHOD"}, {"event", "EVENT TRIGGER"}, {"text", "TEXT SEARCH"}};
    char *words = arena_strdup(p->arena, object->value);
    for (char *c = words; *c; c++) *c = *c >= 'a' && *c <= 'z' ? (char)(*c + 'A' - 'a') : *c;
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        if (strcmp(object->value, longer[i].word) == 0) return build_unsupported(p, first, arena_printf(p->arena, "%s %s", verb, longer[i].words));
    return build_unsupported(p, first, arena_printf(p->arena, "%s %s", verb, words));
}

/* ---- databases, schemas ---- */

AstStmt *build_create_database(Parser *p, const Token *first, bool if_not_exists, const Token *name, const AstOptionVec *options)
{
    AstCreateDatabase *stmt = NEW_STMT(p, AstCreateDatabase, AST_CREATE_DATABASE, first);
    stmt->if_not_exists = if_not_exists;
    stmt->name = name->value;
    stmt->options = *options;
    return &stmt->base;
}

AstStmt *build_create_schema(Parser *p, const Token *first, bool if_not_exists, const AstName *name, const char *authorization)
{
    AstCreateSchema *stmt = NEW_STMT(p, AstCreateSchema, AST_CREATE_SCHEMA, first);
    stmt->if_not_exists = if_not_exists;
    if (name) stmt->name = *name;
    stmt->authorization = authorization;
    return &stmt->base;
}

/* ---- views ---- */

AstCreateView *build_view(Parser *p, const AstName *name, const StrVec *columns, const AstOptionVec *options, AstSelect *query)
{
    AstCreateView *view = ARENA_NEW(p->arena, AstCreateView);
    build_finish(p, &query->base);
    view->name = *name;
    view->columns = *columns;
    view->options = *options;
    view->query = query;
    return view;
}

AstCreateView *build_view_check(AstCreateView *view, bool recursive, AstCheckOption check_option)
{
    view->recursive = recursive;
    view->check_option = check_option;
    return view;
}

AstCreateView *build_view_replace(AstCreateView *view)
{
    view->or_replace = true;
    return view;
}

AstStmt *build_create_view(Parser *p, const Token *first, AstPersistence persistence, bool if_not_exists, AstCreateView *view)
{
    AstCreateView *stmt = NEW_STMT(p, AstCreateView, AST_CREATE_VIEW, first);
    AstStmt base = stmt->base;
    *stmt = *view;
    stmt->base = base;
    stmt->persistence = persistence;
    stmt->if_not_exists = if_not_exists;
    return &stmt->base;
}

AstStmt *build_refresh(Parser *p, const Token *first, int concurrently, const AstName *name, bool with_data)
{
    AstRefresh *stmt = NEW_STMT(p, AstRefresh, AST_REFRESH, first);
    stmt->concurrently = concurrently > 0;
    stmt->name = *name;
    stmt->no_data = !with_data;
    return &stmt->base;
}

/* ---- sequences ---- */

/* AS type is kept apart from the other options. */
static AstType *take_type(Parser *p, const AstOptionVec *all, AstOptionVec *others)
{
    AstType *type = NULL;
    for (int i = 0; i < all->count; i++) {
        const AstOption *option = &all->items[i];
        for (int k = 0; k < i; k++)
            if (strcmp(all->items[k].name, option->name) == 0)
                build_fail(p, ERR_SYNTAX_ERROR, option->position, "conflicting or redundant options");
        if (strcmp(option->name, "as") == 0)
            type = ((AstLiteral *)option->value)->type;
        else
            VEC_PUSH(p->arena, *others, *option);
    }
    return type;
}

AstStmt *build_create_sequence(Parser *p, const Token *first, AstPersistence persistence, bool if_not_exists, const AstName *name,
                               const AstOptionVec *options)
{
    AstCreateSequence *stmt = NEW_STMT(p, AstCreateSequence, AST_CREATE_SEQUENCE, first);
    stmt->persistence = persistence;
    stmt->if_not_exists = if_not_exists;
    stmt->name = *name;
    stmt->type = take_type(p, options, &stmt->options);
    return &stmt->base;
}

AstStmt *build_alter_sequence(Parser *p, const Token *first, bool if_exists, const AstName *name, const AstOptionVec *options)
{
    AstAlterSequence *stmt = NEW_STMT(p, AstAlterSequence, AST_ALTER_SEQUENCE, first);
    stmt->if_exists = if_exists;
    stmt->name = *name;
    stmt->type = take_type(p, options, &stmt->options);
    return &stmt->base;
}

/* OWNED BY NONE owns nothing. */
AstExpr *build_owned_by(AstExpr *column)
{
    const AstColumn *named = (const AstColumn *)column;
    return named->names.count == 1 && strcmp(named->names.items[0], "none") == 0 ? NULL : column;
}

/* ---- types ---- */

AstStmt *build_create_enum(Parser *p, const Token *first, bool if_not_exists, const AstName *name, const StrVec *labels)
{
    AstCreateEnum *stmt = NEW_STMT(p, AstCreateEnum, AST_CREATE_ENUM, first);
    stmt->if_not_exists = if_not_exists;
    stmt->name = *name;
    stmt->labels = *labels;
    return &stmt->base;
}

AstStmt *build_enum_add(Parser *p, const Token *first, const AstName *name, bool if_not_exists, const Token *label, const EnumPlace *place)
{
    AstAlterEnum *stmt = NEW_STMT(p, AstAlterEnum, AST_ALTER_ENUM, first);
    stmt->name = *name;
    stmt->add = true;
    stmt->if_not_exists = if_not_exists;
    stmt->label = label->value;
    stmt->neighbor = place->neighbor;
    stmt->before = place->before;
    return &stmt->base;
}

AstStmt *build_enum_rename(Parser *p, const Token *first, const AstName *name, const Token *label, const Token *new_label)
{
    AstAlterEnum *stmt = NEW_STMT(p, AstAlterEnum, AST_ALTER_ENUM, first);
    stmt->name = *name;
    stmt->label = label->value;
    stmt->new_label = new_label->value;
    return &stmt->base;
}

AstStmt *build_enum_drop(Parser *p, const Token *first, const AstName *name, const Token *label)
{
    AstAlterEnum *stmt = NEW_STMT(p, AstAlterEnum, AST_ALTER_ENUM, first);
    stmt->name = *name;
    stmt->drop = true;
    stmt->label = label->value;
    return &stmt->base;
}

AstStmt *build_create_domain(Parser *p, const Token *first, const AstName *name, AstType *type, const AstColumnDef *options)
{
    AstCreateDomain *stmt = NEW_STMT(p, AstCreateDomain, AST_CREATE_DOMAIN, first);
    stmt->name = *name;
    stmt->type = type;
    stmt->collation = options->collation;
    stmt->constraints = options->constraints;
    return &stmt->base;
}

AstStmt *build_create_extension(Parser *p, const Token *first, bool if_not_exists, const Token *name, const AstOptionVec *options)
{
    AstCreateExtension *stmt = NEW_STMT(p, AstCreateExtension, AST_CREATE_EXTENSION, first);
    stmt->if_not_exists = if_not_exists;
    stmt->name = name->value;
    stmt->options = *options;
    return &stmt->base;
}

/* ---- roles ---- */

RoleFlags build_role_flags(bool user, bool if_not_exists)
{
    return (RoleFlags){user, if_not_exists};
}

AstStmt *build_role(Parser *p, AstStmtKind kind, const Token *first, RoleFlags flags, const Token *name, const AstOptionVec *options)
{
    AstCreateRole *stmt = NEW_STMT(p, AstCreateRole, kind, first);
    stmt->user = flags.user;
    stmt->if_not_exists = flags.if_not_exists;
    stmt->name = name->value;
    stmt->options = *options;
    return &stmt->base;
}

/* LOGIN, NOSUPERUSER ...: words that are no keywords. */
AstOption build_role_option(Parser *p, const Token *word)
{
    static const char *const known[] = {"login", "superuser", "createdb", "createrole", "inherit", "replication", "bypassrls"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(word->value, known[i]) == 0) return build_option_bool(p, word, known[i], true);
        if (strncmp(word->value, "no", 2) == 0 && strcmp(word->value + 2, known[i]) == 0)
            return build_option_bool(p, word, known[i], false);
    }
    build_fail(p, ERR_SYNTAX_ERROR, word->position, "unrecognized role option \"%s\"", word->value);
    return build_option_bool(p, word, word->value, true);
}

AstStmt *build_alter_object(Parser *p, const Token *first, AstObject object, bool if_exists, const AstName *name, const ObjectChange *change)
{
    AstAlterObject *stmt = NEW_STMT(p, AstAlterObject, AST_ALTER_OBJECT, first);
    stmt->object = object;
    stmt->change = change->change;
    stmt->if_exists = if_exists;
    stmt->name = *name;
    stmt->value = change->value;
    return &stmt->base;
}

AstStmt *build_rename_role(Parser *p, const Token *first, const Token *name, const Token *new_name)
{
    AstName role = {.position = name->position, .name = name->value};
    ObjectChange change = {AST_ALTER_OBJECT_RENAME, new_name->value};
    return build_alter_object(p, first, AST_OBJECT_ROLE, false, &role, &change);
}

AstStmt *build_alter_set(Parser *p, AstStmtKind kind, const Token *first, const char *name, const char *in_database, AstStmt *set)
{
    AstAlterSet *stmt = NEW_STMT(p, AstAlterSet, kind, first);
    stmt->name = name;
    stmt->in_database = in_database;
    stmt->set = set;
    return &stmt->base;
}

/* ---- DROP, TRUNCATE ---- */

AstStmt *build_drop(Parser *p, const Token *first, AstObject object, bool if_exists, const AstNameVec *names, AstDropBehavior behavior)
{
    AstDrop *stmt = NEW_STMT(p, AstDrop, AST_DROP, first);
    stmt->object = object;
    stmt->if_exists = if_exists;
    stmt->names = *names;
    stmt->behavior = behavior;
    return &stmt->base;
}

AstStmt *build_drop_index(Parser *p, const Token *first, int concurrently, bool if_exists, const AstIndexNameVec *indexes, AstDropBehavior behavior)
{
    AstDrop *stmt = NEW_STMT(p, AstDrop, AST_DROP, first);
    stmt->object = AST_OBJECT_INDEX;
    stmt->concurrently = concurrently > 0;
    stmt->if_exists = if_exists;
    stmt->indexes = *indexes;
    stmt->behavior = behavior;
    return &stmt->base;
}

AstStmt *build_drop_roles(Parser *p, const Token *first, bool if_exists, const StrVec *names)
{
    AstDrop *stmt = NEW_STMT(p, AstDrop, AST_DROP, first);
    stmt->object = AST_OBJECT_ROLE;
    stmt->if_exists = if_exists;
    for (int i = 0; i < names->count; i++) VEC_PUSH(p->arena, stmt->names, (AstName){.name = names->items[i]});
    return &stmt->base;
}

AstStmt *build_truncate(Parser *p, const Token *first, const AstNameVec *tables, bool restart, AstDropBehavior behavior)
{
    AstTruncate *stmt = NEW_STMT(p, AstTruncate, AST_TRUNCATE, first);
    stmt->tables = *tables;
    stmt->restart_identity = restart;
    stmt->behavior = behavior;
    return &stmt->base;
}

/* ---- COMMENT ---- */

AstStmt *build_comment(Parser *p, const Token *first, AstObject object, const AstName *name, const char *member, const char *text)
{
    AstComment *stmt = NEW_STMT(p, AstComment, AST_COMMENT, first);
    stmt->object = object;
    stmt->name = *name;
    stmt->member = member;
    stmt->text = text;
    return &stmt->base;
}

/* The last part names the column, those before it the table. */
AstStmt *build_comment_column(Parser *p, const Token *first, const AstExpr *path, const char *text)
{
    const StrVec *names = &((const AstColumn *)path)->names;
    int n = names->count;
    AstName table = {.position = path->position};
    if (n < 2 || n > 4) {
        build_fail(p, ERR_SYNTAX_ERROR, path->position, n < 2 ? "column name must be qualified" : "improper qualified name (too many dotted names)");
        n = 1;
    }
    if (n >= 2) table.name = names->items[n - 2];
    if (n >= 3) table.schema = names->items[n - 3];
    if (n >= 4) table.database = names->items[n - 4];
    return build_comment(p, first, AST_OBJECT_COLUMN, &table, names->items[n - 1], text);
}

AstStmt *build_comment_index(Parser *p, const Token *first, const AstIndexName *index, const char *text)
{
    AstStmt *stmt = build_comment(p, first, AST_OBJECT_INDEX, &index->table, NULL, text);
    ((AstComment *)stmt)->index = *index;
    return stmt;
}

/* ---- GRANT, REVOKE ---- */

AstPrivilege build_privilege(const Token *word, const StrVec *columns)
{
    return (AstPrivilege){.position = word->position, .name = word->value, .columns = columns ? *columns : (StrVec){0}};
}

Grantees build_grantees(const StrVec *roles, bool grant_option, const char *granted_by, AstDropBehavior behavior)
{
    return (Grantees){*roles, grant_option, granted_by, behavior};
}

AstStmt *build_grant(Parser *p, AstStmtKind kind, const Token *first, const AstPrivilegeVec *privileges, const GrantObject *object, Grantees grantees)
{
    AstGrant *stmt = NEW_STMT(p, AstGrant, kind, first);
    stmt->privileges = *privileges;
    stmt->of_roles = !object;
    if (object) {
        stmt->object = object->object;
        stmt->all_in_schema = object->all_in_schema;
        stmt->names = object->names;
    }
    stmt->grantees = grantees.roles;
    stmt->grant_option = grantees.grant_option;
    stmt->granted_by = grantees.granted_by;
    stmt->behavior = grantees.behavior;
    return &stmt->base;
}

AstStmt *build_default_privileges(Parser *p, const Token *first, const DefaultOptions *options, const AstStmt *grant)
{
    AstDefaultPrivileges *stmt = NEW_STMT(p, AstDefaultPrivileges, AST_ALTER_DEFAULT_PRIVILEGES, first);
    stmt->roles = options->roles;
    stmt->schemas = options->schemas;
    stmt->grant = (const AstGrant *)grant;
    return &stmt->base;
}

AstStmt *build_drop_owned(Parser *p, const Token *first, const StrVec *roles, AstDropBehavior behavior)
{
    AstOwned *stmt = NEW_STMT(p, AstOwned, AST_DROP_OWNED, first);
    stmt->roles = *roles;
    stmt->behavior = behavior;
    return &stmt->base;
}

AstStmt *build_reassign_owned(Parser *p, const Token *first, const StrVec *roles, const Token *new_owner)
{
    AstOwned *stmt = NEW_STMT(p, AstOwned, AST_REASSIGN_OWNED, first);
    stmt->roles = *roles;
    stmt->new_owner = new_owner->value;
    return &stmt->base;
}

const char *ast_object_words(AstObject object)
{
    static const char *const words[] = {
#define WORDS(kind, text) text,
        AST_OBJECTS(WORDS)
#undef WORDS
    };
    return words[object];
}

const char *ast_stmt_tag(const AstStmt *stmt)
{
    static const char *const tags[] = {
#define TAG(kind, type, tag) tag,
        AST_STMT_KINDS(TAG)
#undef TAG
    };
    return tags[stmt->kind];
}
