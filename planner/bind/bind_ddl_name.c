#include "planner/bind/bind_ddl.h"

#include "parser/ast_print.h"
#include "planner/privilege.h"
#include "storage/base/utf8.h"

enum { NAME_BYTES_MAX = 63 };

static size_t clip(const char *name, size_t bytes)
{
    /* Cuts between characters. */
    size_t size = strlen(name);
    if (size <= bytes) return size;
    while (bytes > 0 && ((unsigned char)name[bytes] & 0xc0) == 0x80) bytes--;
    return bytes;
}

/* The longer of the two names is shortened until everything fits, as PostgreSQL does. */
static char *make_name(Arena *arena, const char *name1, const char *name2, const char *label)
{
    size_t overhead = (name2 ? 1 : 0) + (label ? strlen(label) + 1 : 0);
    size_t room = NAME_BYTES_MAX - overhead;
    size_t size1 = strlen(name1), size2 = name2 ? strlen(name2) : 0;
    while (size1 + size2 > room) {
        if (size1 > size2)
            size1--;
        else
            size2--;
    }
    size1 = clip(name1, size1);
    if (name2) size2 = clip(name2, size2);
    return arena_printf(arena, "%.*s%s%.*s%s%s", (int)size1, name1, name2 ? "_" : "", (int)size2, name2 ? name2 : "",
                        label ? "_" : "", label ? label : "");
}

static bool relation_exists(TableDraft *d, const char *name)
{
    for (int i = 0; i < d->names_taken.count; i++)
        if (strcmp(d->names_taken.items[i], name) == 0) return true;
    const CatalogView *view = d->b->session->catalog;
    DescId schema = d->table->base.parent_schema;
    return catalog_find_object(view, schema, name) || catalog_find_index(view, schema, name, NULL);
}

static const char *numbered(Arena *arena, const char *label, int number)
{
    return number ? arena_printf(arena, "%s%d", label, number) : label;
}

bool ddl_is_temporary(const Binder *b, DescId schema)
{
    return schema && schema == b->session->temp_schema;
}

static Status check_temporary(Binder *b)
{
    const Desc *database = catalog_find_id(b->session->catalog, b->session->database_id);
    if (!database || (privileges_held(b->session, b->session->user, database) & ACL_TEMPORARY)) return ST_OK;
    return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied to create temporary tables in database \"%s\"", database->name);
}

Status ddl_creation_schema(Binder *b, const AstName *name, AstPersistence persistence, DescId *schema)
{
    const char *own = b->session->temp_schema_name;
    bool named = name->schema && (strcmp(name->schema, "pg_temp") == 0 || (own && strcmp(name->schema, own) == 0));
    if (persistence != AST_TEMPORARY && !named) return bind_creation_schema(b, name, schema);
    if (name->schema && !named)
        return ddl_fail(b, name->position, ERR_INVALID_TABLE_DEFINITION, "cannot create temporary relation in non-temporary schema");
    TRY(check_temporary(b));
    return session_reserve_temp_schema(b->session, schema, b->err);
}

const char *ddl_choose_relation_name(TableDraft *d, const char *name1, const char *name2, const char *label)
{
    Arena *arena = d->b->arena;
    for (int number = 0;; number++) {
        const char *name = make_name(arena, name1, name2, numbered(arena, label, number));
        if (relation_exists(d, name)) continue;
        VEC_PUSH(arena, d->names_taken, name);
        return name;
    }
}

bool ddl_constraint_exists(const TableDesc *table, const char *name)
{
    for (int i = 0; i < table->checks.count; i++)
        if (strcmp(table->checks.items[i].name, name) == 0) return true;
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (strcmp(table->foreign_keys.items[i].name, name) == 0) return true;
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].name && strcmp(table->indexes.items[i].name, name) == 0) return true;
    return false;
}

const char *ddl_choose_constraint_name(TableDraft *d, const char *column, const char *label)
{
    Arena *arena = d->b->arena;
    for (int number = 0;; number++) {
        const char *name = make_name(arena, d->table->base.name, column, numbered(arena, label, number));
        if (!ddl_constraint_exists(d->table, name)) return name;
    }
}

/* What PostgreSQL calls a column that is an expression: the function's name, or a cast's operand. */
static const char *expr_name(const AstExpr *e)
{
    if (e->kind == AST_CALL) return ((const AstCall *)e)->name.name;
    if (e->kind == AST_COLUMN) {
        const StrVec *names = &((const AstColumn *)e)->names;
        return names->count ? VEC_LAST(*names) : "expr";
    }
    if (e->kind == AST_CAST) {
        const AstCast *cast = (const AstCast *)e;
        const char *inner = expr_name(cast->arg);
        return strcmp(inner, "expr") != 0 ? inner : cast->type->name;
    }
    if (e->kind == AST_COLLATE) return expr_name(((const AstCollate *)e)->arg);
    if (e->kind == AST_COALESCE) return "coalesce";
    if (e->kind == AST_GREATEST) return "greatest";
    if (e->kind == AST_LEAST) return "least";
    return "expr";
}

static bool listed(const StrVec *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0) return true;
    return false;
}

/* Names that repeat get a number, as index columns need names of their own. */
static void add_distinct(Arena *arena, StrVec *names, const char *name)
{
    const char *candidate = name;
    for (int number = 1; listed(names, candidate); number++) candidate = arena_printf(arena, "%s%d", name, number);
    VEC_PUSH(arena, *names, candidate);
}

const char *ddl_index_columns_text(TableDraft *d, const AstIndexElemVec *key, const StrVec *including)
{
    Arena *arena = d->b->arena;
    StrVec names = {0};
    for (int i = 0; i < key->count; i++) {
        const AstIndexElem *elem = key->items[i];
        for (int g = 0; g < elem->group.count; g++) add_distinct(arena, &names, elem->group.items[g]);
        if (elem->column) add_distinct(arena, &names, elem->column);
        if (elem->expr) add_distinct(arena, &names, expr_name(elem->expr));
    }
    for (int i = 0; including && i < including->count; i++) add_distinct(arena, &names, including->items[i]);
    const char *text = names.count ? names.items[0] : "";
    for (int i = 1; i < names.count && strlen(text) < NAME_BYTES_MAX; i++)
        text = arena_printf(arena, "%s_%s", text, names.items[i]);
    return text;
}

const char *ddl_quoted(Binder *b, const char *name)
{
    Buf text = {0};
    ast_print_identifier(name, &text);
    const char *quoted = buf_to_str(&text, b->arena);
    buf_finish(&text);
    return quoted;
}

const char *ddl_qualified(Binder *b, DescId schema, const char *name)
{
    const Desc *desc = catalog_find_id(b->session->catalog, schema);
    return desc ? arena_printf(b->arena, "%s.%s", ddl_quoted(b, desc->name), ddl_quoted(b, name)) : ddl_quoted(b, name);
}
