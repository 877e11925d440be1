#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_ddl_owner.h"
#include "storage/catalog/depend.h"

/* ---- what goes ---- */

typedef struct DropSet {
    Binder *b;
    UtilityDrop *utility;
    bool cascade;
    VEC(const Desc *) named; /* by the statement: they do not stand in each other's way */
    StrVec blocked;  /* what stands in the way, for the error's detail */
    StrVec cascaded; /* what goes along, for the notice */
    StrVec columns;  /* of the types that go: what CASCADE would have to take out of tables */
} DropSet;

static bool is_going(const DropSet *set, DescId id)
{
    for (int i = 0; i < set->utility->objects.count; i++)
        if (set->utility->objects.items[i]->id == id) return true;
    return false;
}

static bool is_named(const DropSet *set, DescId id)
{
    for (int i = 0; i < set->named.count; i++)
        if (set->named.items[i]->id == id) return true;
    return false;
}

static const char *kind_word(const Desc *desc)
{
    switch (desc->kind) {
    case DESC_DATABASE: return "database";
    case DESC_SCHEMA: return "schema";
    case DESC_TABLE: return ((const TableDesc *)desc)->view_query ? "materialized view" : "table";
    case DESC_VIEW: return "view";
    case DESC_SEQUENCE: return "sequence";
    case DESC_TYPE: return "type";
    case DESC_ROLE: return "role";
    }
    return "object";
}

static TableDesc *changed_copy(DropSet *set, const TableDesc *table)
{
    for (int i = 0; i < set->utility->changes.count; i++)
        if (set->utility->changes.items[i].before == &table->base) return (TableDesc *)set->utility->changes.items[i].after;
    TableDesc *copy = table_desc_copy(table, set->b->arena);
    VEC_PUSH(set->b->arena, set->utility->changes, (DescChange){&table->base, &copy->base});
    return copy;
}

static void drop_foreign_key(DropSet *set, const Dependent *dependent)
{
    TableDesc *table = changed_copy(set, (const TableDesc *)dependent->desc);
    int kept = 0;
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (table->foreign_keys.items[i].id != dependent->foreign_key->id)
            table->foreign_keys.items[kept++] = table->foreign_keys.items[i];
    table->foreign_keys.count = kept;
}

static void note_cascade(DropSet *set, const Desc *desc)
{
    VEC_PUSH(set->b->arena, set->cascaded,
             arena_printf(set->b->arena, "drop cascades to %s %s", kind_word(desc), ddl_shown_name(set->b, desc)));
}

/* One object is named in the message; of several the message tells the number and the detail the names. */
static void report_cascade(DropSet *set)
{
    Binder *b = set->b;
    if (set->cascaded.count == 0) return;
    if (set->cascaded.count == 1) {
        ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "%s", set->cascaded.items[0]);
        return;
    }
    ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "drop cascades to %d other objects", set->cascaded.count);
    const char *detail = set->cascaded.items[0];
    for (int i = 1; i < set->cascaded.count; i++) detail = arena_printf(b->arena, "%s\n%s", detail, set->cascaded.items[i]);
    VEC_LAST(set->utility->notices).detail = detail;
}

/* Adds the object behind what depends on it, so that nothing is ever left without what it stands on. */
static void add_object(DropSet *set, const Desc *desc)
{
    if (is_going(set, desc->id)) return;
    Binder *b = set->b;
    VEC_PUSH(b->arena, set->utility->objects, desc);
    Dependent *list;
    int count = depend_list(b->session->catalog, desc->id, &list, b->arena);
    for (int i = 0; i < count; i++) {
        const Dependent *d = &list[i];
        if (is_going(set, d->desc->id) || is_named(set, d->desc->id)) continue;
        if (d->kind == DEPEND_AUTO) {
            add_object(set, d->desc);
        } else if (d->column) {
            StrVec *list_of = set->cascade ? &set->columns : &set->blocked;
            VEC_PUSH(b->arena, *list_of,
                     arena_printf(b->arena, "column %s of table %s depends on %s %s", d->column->name,
                                  ddl_shown_name(b, d->desc), kind_word(desc), ddl_shown_name(b, desc)));
        } else if (!set->cascade) {
            const char *what = d->foreign_key
                                   ? arena_printf(b->arena, "constraint %s on table %s depends on %s %s", d->foreign_key->name,
                                                  d->desc->name, kind_word(desc), desc->name)
                                   : arena_printf(b->arena, "%s %s depends on %s %s", kind_word(d->desc),
                                                  ddl_shown_name(b, d->desc), kind_word(desc), ddl_shown_name(b, desc));
            VEC_PUSH(b->arena, set->blocked, what);
        } else if (d->foreign_key) {
            VEC_PUSH(b->arena, set->cascaded, arena_printf(b->arena, "drop cascades to constraint %s on table %s",
                                                             d->foreign_key->name, ddl_shown_name(b, d->desc)));
            drop_foreign_key(set, d);
        } else {
            note_cascade(set, d->desc);
            add_object(set, d->desc);
        }
    }
}

static Status check_blocked(DropSet *set, const Desc *desc)
{
    Binder *b = set->b;
    if (set->columns.count) return ddl_unsupported(b, 0, "DROP TYPE ... CASCADE of a type that columns have");
    if (set->blocked.count == 0) return ST_OK;
    ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop %s %s because other objects depend on it",
             kind_word(desc), ddl_shown_name(b, desc));
    const char *detail = set->blocked.items[0];
    for (int i = 1; i < set->blocked.count; i++) detail = arena_printf(b->arena, "%s\n%s", detail, set->blocked.items[i]);
    b->err->detail = detail;
    err_hint(b->err, b->arena, "Use DROP ... CASCADE to drop the dependent objects too.");
    return ST_ERROR;
}

/* ---- finding the objects by kind ---- */

static DescKind wanted_kind(AstObject object)
{
    return object == AST_OBJECT_VIEW                                           ? DESC_VIEW
           : object == AST_OBJECT_SEQUENCE                                     ? DESC_SEQUENCE
           : object == AST_OBJECT_TYPE || object == AST_OBJECT_DOMAIN          ? DESC_TYPE
                                                                               : DESC_TABLE;
}

static const char *drop_word(const Desc *desc)
{
    if (desc->kind == DESC_TABLE) return ((const TableDesc *)desc)->view_query ? "MATERIALIZED VIEW" : "TABLE";
    return desc->kind == DESC_VIEW ? "VIEW" : "SEQUENCE";
}

static const char *wanted_word(AstObject object)
{
    switch (wanted_kind(object)) {
    case DESC_VIEW: return "view";
    case DESC_SEQUENCE: return "sequence";
    case DESC_TYPE: return "type";
    case DESC_TABLE:
    case DESC_DATABASE:
    case DESC_SCHEMA:
    case DESC_ROLE: break;
    }
    return object == AST_OBJECT_MATERIALIZED_VIEW ? "materialized view" : "table";
}

static Status wrong_kind(Binder *b, const char *name, AstObject wanted, const Desc *found)
{
    ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a %s", name, wanted_word(wanted));
    err_hint(b->err, b->arena, "Use DROP %s to remove a %s.", drop_word(found), kind_word(found));
    return ST_ERROR;
}

/* An unqualified name that nothing has, or one in a schema that is not there. */
static Status missing(DropSet *set, const AstDrop *ast, const AstName *name, DescKind kind)
{
    Binder *b = set->b;
    const char *word = wanted_word(ast->object);
    if (name->schema && !session_find_schema(b->session, name->schema)) {
        if (!ast->if_exists)
            return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name->schema);
        ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "schema \"%s\" does not exist, skipping", name->schema);
        return ST_OK;
    }
    if (!ast->if_exists)
        return ddl_fail(b, 0, kind == DESC_TYPE ? ERR_UNDEFINED_OBJECT : ERR_UNDEFINED_TABLE, "%s \"%s\" does not exist",
                        word, bind_qualified_text(b, name));
    ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "%s \"%s\" does not exist, skipping", word, name->name);
    return ST_OK;
}

static Status drop_relation(DropSet *set, const AstDrop *ast, const AstName *name)
{
    Binder *b = set->b;
    DescKind kind = wanted_kind(ast->object);
    BoundName found = {0};
    if (kind == DESC_TYPE) found.desc = session_find_type(b->session, name->schema, name->name, b->arena);
    else if (!name->schema || session_find_schema(b->session, name->schema)) TRY(ddl_find_relation(b, name, false, &found));
    if (found.system)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied: \"%s\" is a system catalog", name->name);
    if (!found.desc) return missing(set, ast, name, kind);
    if (ast->object == AST_OBJECT_DOMAIN && ((const TypeDesc *)found.desc)->form != TYPE_DOMAIN)
        return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a domain", ddl_shown_name(b, found.desc));
    bool kept = found.desc->kind == DESC_TABLE && ((const TableDesc *)found.desc)->view_query;
    if (found.desc->kind != kind || kept != (ast->object == AST_OBJECT_MATERIALIZED_VIEW))
        return wrong_kind(b, name->name, ast->object, found.desc);
    TRY(ddl_check_drop(b, found.desc));
    add_object(set, found.desc);
    return check_blocked(set, found.desc);
}

static void drop_contents(DropSet *set, DescId database, DescId schema)
{
    static const DescKind kinds[] = {DESC_VIEW, DESC_TABLE, DESC_SEQUENCE, DESC_TYPE};
    const Desc **list;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int count = catalog_list(set->b->session->catalog, kinds[k], database, schema, &list, set->b->arena);
        for (int i = 0; i < count; i++) {
            if (kinds[k] != DESC_SEQUENCE || !((const SequenceDesc *)list[i])->owner_table) note_cascade(set, list[i]);
            add_object(set, list[i]);
        }
    }
}

static bool schema_is_empty(Binder *b, DescId schema, const Desc **first)
{
    static const DescKind kinds[] = {DESC_TABLE, DESC_VIEW, DESC_SEQUENCE, DESC_TYPE};
    const Desc **list;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (catalog_list(b->session->catalog, kinds[k], 0, schema, &list, b->arena)) {
            *first = list[0];
            return false;
        }
    return true;
}

static Status drop_schema(DropSet *set, const AstDrop *ast, const AstName *name)
{
    Binder *b = set->b;
    const Desc *schema = catalog_find_schema(b->session->catalog, b->session->database_id, name->name), *first;
    if (!schema) {
        if (!ast->if_exists)
            return ddl_fail(b, 0, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name->name);
        ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "schema \"%s\" does not exist, skipping", name->name);
        return ST_OK;
    }
    TRY(ddl_check_owner(b, schema));
    if (!set->cascade && !schema_is_empty(b, schema->id, &first)) {
        VEC_PUSH(b->arena, set->blocked,
                 arena_printf(b->arena, "%s %s depends on schema %s", kind_word(first), ddl_shown_name(b, first), schema->name));
        return check_blocked(set, schema);
    }
    drop_contents(set, 0, schema->id);
    VEC_PUSH(b->arena, set->utility->objects, schema);
    return ST_OK;
}

static Status drop_database(DropSet *set, const AstDrop *ast, const AstName *name)
{
    Binder *b = set->b;
    const Desc *database = catalog_find_database(b->session->catalog, name->name);
    if (!database) {
        if (!ast->if_exists)
            return ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", name->name);
        ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "database \"%s\" does not exist, skipping", name->name);
        return ST_OK;
    }
    TRY(ddl_check_owner(b, database));
    if (database->id == b->session->database_id)
        return ddl_fail(b, 0, ERR_OBJECT_IN_USE, "cannot drop the currently open database");
    set->cascade = true;
    drop_contents(set, database->id, 0);
    const Desc **schemas;
    int count = catalog_list(b->session->catalog, DESC_SCHEMA, database->id, 0, &schemas, b->arena);
    for (int i = 0; i < count; i++) VEC_PUSH(b->arena, set->utility->objects, schemas[i]);
    VEC_PUSH(b->arena, set->utility->objects, database);
    set->cascaded.count = 0;
    return ST_OK;
}

static bool may_drop_roles(Binder *b)
{
    const RoleDesc *self = (const RoleDesc *)catalog_find_role(b->session->catalog, b->session->user);
    return self && (self->superuser || self->create_role);
}

/* A copy of the descriptor as the statement leaves it. */
static Desc *changed_desc(DropSet *set, const Desc *desc)
{
    for (int i = 0; i < set->utility->changes.count; i++)
        if (set->utility->changes.items[i].before == desc) return set->utility->changes.items[i].after;
    Desc *copy = ddl_desc_copy(set->b, desc);
    VEC_PUSH(set->b->arena, set->utility->changes, (DescChange){desc, copy});
    return copy;
}

static void end_memberships(DropSet *set, DescId role)
{
    Binder *b = set->b;
    const Desc **roles;
    int count = catalog_list(b->session->catalog, DESC_ROLE, 0, 0, &roles, b->arena);
    for (int r = 0; r < count; r++) {
        const RoleDesc *member = (const RoleDesc *)roles[r];
        bool is_member = false;
        for (int i = 0; i < member->member_of.count; i++) is_member |= member->member_of.items[i].role == role;
        if (!is_member || is_named(set, roles[r]->id)) continue;
        RoleDesc *after = (RoleDesc *)changed_desc(set, roles[r]);
        __typeof__(after->member_of) rest = {0};
        for (int i = 0; i < after->member_of.count; i++)
            if (after->member_of.items[i].role != role) VEC_PUSH(b->arena, rest, after->member_of.items[i]);
        after->member_of = rest;
    }
}

static Status drop_role(DropSet *set, const AstDrop *ast, const AstName *name)
{
    Binder *b = set->b;
    const Desc *role = catalog_find_role(b->session->catalog, name->name);
    if (!role && ddl_role_name(b, name->name) != name->name)
        return ddl_fail(b, 0, ERR_INVALID_PARAMETER_VALUE, "cannot use special role specifier in DROP ROLE");
    if (!may_drop_roles(b)) return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to drop role");
    if (!role) {
        if (!ast->if_exists) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name->name);
        ddl_notice(b, &set->utility->notices, ERR_SUCCESSFUL_COMPLETION, "role \"%s\" does not exist, skipping", name->name);
        return ST_OK;
    }
    const RoleDesc *self = (const RoleDesc *)catalog_find_role(b->session->catalog, b->session->user);
    if (strcmp(role->name, b->session->user) == 0)
        return ddl_fail(b, 0, ERR_OBJECT_IN_USE, "current user cannot be dropped");
    if (strcmp(role->name, b->session->session_user) == 0)
        return ddl_fail(b, 0, ERR_OBJECT_IN_USE, "session user cannot be dropped");
    if (!self || (!self->superuser && ((const RoleDesc *)role)->superuser))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to drop superusers");
    TRY(ddl_check_role_unused(b, (const RoleDesc *)role));
    end_memberships(set, role->id);
    VEC_PUSH(b->arena, set->utility->objects, role);
    return ST_OK;
}

static Status drop_named(DropSet *set, const AstDrop *ast, const AstName *name)
{
    switch (ast->object) {
    case AST_OBJECT_TABLE:
    case AST_OBJECT_VIEW:
    case AST_OBJECT_MATERIALIZED_VIEW:
    case AST_OBJECT_SEQUENCE:
    case AST_OBJECT_DOMAIN:
    case AST_OBJECT_TYPE: return drop_relation(set, ast, name);
    case AST_OBJECT_SCHEMA: return drop_schema(set, ast, name);
    case AST_OBJECT_DATABASE: return drop_database(set, ast, name);
    case AST_OBJECT_ROLE: return drop_role(set, ast, name);
    case AST_OBJECT_INDEX:
    case AST_OBJECT_COLUMN:
    case AST_OBJECT_CONSTRAINT:
    case AST_OBJECT_EXTENSION:
    case AST_OBJECT_FUNCTION:
    case AST_OBJECT_TRIGGER:
    case AST_OBJECT_LANGUAGE:
    case AST_OBJECT_OTHER: break;
    }
    const char *words = ast->words ? ast->words : ast_object_words(ast->object);
    return ddl_unsupported(set->b, ast->base.position, arena_printf(set->b->arena, "DROP %s", words));
}

static void note_named(DropSet *set, const AstDrop *ast)
{
    Binder *b = set->b;
    bool relations = ast->object == AST_OBJECT_TABLE || ast->object == AST_OBJECT_VIEW || ast->object == AST_OBJECT_SEQUENCE ||
                     ast->object == AST_OBJECT_MATERIALIZED_VIEW;
    for (int i = 0; i < ast->names.count && ast->object == AST_OBJECT_ROLE; i++) {
        const Desc *role = catalog_find_role(b->session->catalog, ddl_role_name(b, ast->names.items[i].name));
        if (role) VEC_PUSH(b->arena, set->named, role);
    }
    for (int i = 0; i < ast->names.count && relations; i++) {
        const AstName *name = &ast->names.items[i];
        BoundName found = {0};
        if (name->schema && !session_find_schema(b->session, name->schema)) continue;
        if (ddl_find_relation(b, name, false, &found) == ST_OK && found.desc) VEC_PUSH(b->arena, set->named, found.desc);
    }
}

Status bind_drop(Binder *b, const AstDrop *ast, Plan **out)
{
    if (ast->object == AST_OBJECT_INDEX) return bind_drop_index(b, ast, out);
    if (ast->object == AST_OBJECT_EXTENSION) return bind_drop_extension(b, ast, out);
    const char *tag = arena_printf(b->arena, "DROP %s", ast_object_words(ast->object));
    UtilityDrop *utility = bind_utility(b, UTILITY_DROP, tag, sizeof *utility);
    DropSet set = {.b = b, .utility = utility, .cascade = ast->behavior == AST_DROP_CASCADE};
    note_named(&set, ast);
    for (int i = 0; i < ast->names.count; i++) TRY(drop_named(&set, ast, &ast->names.items[i]));
    report_cascade(&set);
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- DROP OWNED ---- */

/* What was granted to the role, or by it, is not any more. */
static void forget_grants(DropSet *set, const Desc *desc, DescId role)
{
    int count;
    bool names = acl_names_role(&desc->acl, role);
    const ColumnDesc *columns = privilege_columns(desc, &count);
    for (int i = 0; i < count; i++) names |= acl_names_role(&columns[i].acl, role);
    if (!names) return;
    Desc *after = changed_desc(set, desc);
    ColumnDesc *changed = ddl_columns(after, &count);
    after->acl = acl_copy(&after->acl, set->b->arena);
    (void)acl_forget_role(&after->acl, role);
    for (int i = 0; i < count; i++) {
        changed[i].acl = acl_copy(&changed[i].acl, set->b->arena);
        (void)acl_forget_role(&changed[i].acl, role);
    }
}

static void forget_defaults(DropSet *set, DescId role)
{
    Binder *b = set->b;
    const Desc **roles;
    int count = catalog_list(b->session->catalog, DESC_ROLE, 0, 0, &roles, b->arena);
    for (int r = 0; r < count; r++) {
        if (((const RoleDesc *)roles[r])->default_acls.count == 0) continue;
        RoleDesc *after = (RoleDesc *)changed_desc(set, roles[r]);
        __typeof__(after->default_acls) rest = {0};
        for (int i = 0; i < after->default_acls.count; i++) {
            DefaultAcl given = after->default_acls.items[i];
            bool here = given.database == b->session->database_id;
            if (here && roles[r]->id == role) continue;
            given.acl = acl_copy(&given.acl, b->arena);
            if (here) (void)acl_forget_role(&given.acl, role);
            VEC_PUSH(b->arena, rest, given);
        }
        after->default_acls = rest;
    }
}

static Status check_owned(DropSet *set)
{
    if (set->blocked.count == 0) return ST_OK;
    ddl_fail(set->b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop desired object(s) because other objects depend on them");
    const char *detail = set->blocked.items[0];
    for (int i = 1; i < set->blocked.count; i++) detail = arena_printf(set->b->arena, "%s\n%s", detail, set->blocked.items[i]);
    set->b->err->detail = detail;
    err_hint(set->b->err, set->b->arena, "Use DROP ... CASCADE to drop the dependent objects too.");
    return ST_ERROR;
}

static Status drop_owned_by(DropSet *set, const Desc *role, const DescVec *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i]->kind != DESC_DATABASE && strcmp(list->items[i]->owner, role->name) == 0)
            VEC_PUSH(set->b->arena, set->named, list->items[i]);
    for (int i = 0; i < set->named.count; i++) {
        const Desc *desc = set->named.items[i];
        if (desc->kind == DESC_SCHEMA || is_going(set, desc->id)) continue;
        add_object(set, desc);
    }
    for (int i = 0; i < set->named.count; i++) { /* schemas last: they are empty then, or CASCADE empties them */
        const Desc *schema = set->named.items[i];
        if (schema->kind != DESC_SCHEMA || is_going(set, schema->id)) continue;
        for (int k = 0; k < list->count; k++) {
            const Desc *inside = list->items[k];
            if (inside->parent_schema != schema->id || is_going(set, inside->id)) continue;
            if (set->cascade) note_cascade(set, inside);
            else
                VEC_PUSH(set->b->arena, set->blocked,
                         arena_printf(set->b->arena, "%s %s depends on schema %s", kind_word(inside),
                                      ddl_shown_name(set->b, inside), schema->name));
            if (set->cascade) add_object(set, inside);
        }
        VEC_PUSH(set->b->arena, set->utility->objects, schema);
    }
    TRY(set->named.count == 1 ? check_blocked(set, set->named.items[0]) : check_owned(set));
    for (int i = 0; i < list->count; i++)
        if (!is_going(set, list->items[i]->id)) forget_grants(set, list->items[i], role->id);
    forget_defaults(set, role->id);
    return ST_OK;
}

Status bind_drop_owned(Binder *b, const AstOwned *ast, Plan **out)
{
    UtilityDrop *utility = bind_utility(b, UTILITY_DROP, "DROP OWNED", sizeof *utility);
    DropSet set = {.b = b, .utility = utility, .cascade = ast->behavior == AST_DROP_CASCADE};
    DescVec list;
    ddl_list_objects(b, b->session->database_id, &list);
    for (int i = 0; i < ast->roles.count; i++) {
        const char *name = ddl_role_name(b, ast->roles.items[i]);
        const Desc *role = catalog_find_role(b->session->catalog, name);
        if (!role) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name);
        if (!session_has_role(b->session, name))
            return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to drop objects");
        TRY(drop_owned_by(&set, role, &list));
    }
    if (set.columns.count) return ddl_unsupported(b, ast->base.position, "DROP OWNED of a type that columns have");
    report_cascade(&set);
    *out = &utility->base.base;
    return ST_OK;
}

/* ---- TRUNCATE ---- */

static void restart_owned(Binder *b, UtilityTruncate *utility, const TableDesc *table)
{
    const Desc **list;
    int count = catalog_list(b->session->catalog, DESC_SEQUENCE, 0, table->base.parent_schema, &list, b->arena);
    for (int i = 0; i < count; i++) {
        const SequenceDesc *sequence = (const SequenceDesc *)list[i];
        if (sequence->owner_table == table->base.id) VEC_PUSH(b->arena, utility->restart, sequence);
    }
}

static bool is_truncated(const UtilityTruncate *utility, DescId table)
{
    for (int i = 0; i < utility->tables.count; i++)
        if (utility->tables.items[i]->base.id == table) return true;
    return false;
}

/* No table may be emptied under those that refer to it. */
static Status truncate_referrers(Binder *b, UtilityTruncate *utility, bool cascade)
{
    for (int i = 0; i < utility->tables.count; i++) { /* grows */
        Referrer *list;
        const TableDesc *table = utility->tables.items[i];
        int count = depend_referrers(b->session->catalog, table->base.id, &list, b->arena);
        for (int r = 0; r < count; r++) {
            const TableDesc *other = list[r].table;
            if (is_truncated(utility, other->base.id)) continue;
            if (cascade) {
                ddl_notice(b, &utility->notices, ERR_SUCCESSFUL_COMPLETION, "truncate cascades to table \"%s\"", other->base.name);
                VEC_PUSH(b->arena, utility->tables, other);
                continue;
            }
            ddl_fail(b, 0, ERR_FEATURE_NOT_SUPPORTED, "cannot truncate a table referenced in a foreign key constraint");
            err_detail(b->err, b->arena, "Table \"%s\" references \"%s\".", other->base.name, table->base.name);
            err_hint(b->err, b->arena, "Truncate table \"%s\" at the same time, or use TRUNCATE ... CASCADE.", other->base.name);
            return ST_ERROR;
        }
    }
    return ST_OK;
}

Status bind_truncate(Binder *b, const AstTruncate *ast, Plan **out)
{
    UtilityTruncate *utility = bind_utility(b, UTILITY_TRUNCATE, "TRUNCATE TABLE", sizeof *utility);
    for (int i = 0; i < ast->tables.count; i++) {
        const TableDesc *table;
        TRY(ddl_find_table(b, &ast->tables.items[i], &table));
        if (table->view_query) return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "\"%s\" is not a table", table->base.name);
        VEC_PUSH(b->arena, utility->tables, table);
    }
    TRY(truncate_referrers(b, utility, ast->behavior == AST_DROP_CASCADE));
    for (int i = 0; i < utility->tables.count; i++)
        TRY(privilege_check(b->session, &utility->tables.items[i]->base, ACL_TRUNCATE, b->arena, b->err));
    for (int i = 0; i < utility->tables.count && ast->restart_identity; i++) restart_owned(b, utility, utility->tables.items[i]);
    *out = &utility->base.base;
    return ST_OK;
}
