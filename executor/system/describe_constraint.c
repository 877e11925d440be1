/* describe_constraint.c - constraints by their OIDs, and foreign keys as SQL. */
#include "executor/functions/quote.h"
#include "executor/system/describe.h"
#include "planner/deparse.h"

static void put_identifier(Buf *out, const char *name)
{
    quote_identifier(slice_str(name), out);
}

/* Index ids take the lower half of an index OID's numbers. */
enum { CONSTRAINT_OID_LAST = 1023, CONSTRAINT_OIDS = 512 };

Oid describe_constraint_id(const TableDesc *table, uint32_t constraint_id)
{
    return index_oid(table->base.id, CONSTRAINT_OID_LAST - constraint_id % CONSTRAINT_OIDS);
}

/* ---- domains ---- */

Oid describe_domain_constraint_id(const TypeDesc *domain, uint32_t constraint_id)
{
    return index_oid(domain->base.id, CONSTRAINT_OID_LAST - constraint_id % CONSTRAINT_OIDS);
}

const char *describe_domain_check(Session *session, const TypeDesc *domain, const CheckDesc *check, bool pretty, Arena *arena)
{
    const char *text = deparse_domain_check(session, domain, check->expr, pretty, arena);
    return arena_printf(arena, "CHECK (%s)%s", text, check->validated ? "" : " NOT VALID");
}

const char *describe_domain_default(Session *session, const TypeDesc *domain, Arena *arena)
{
    ColumnDesc column = {.name = domain->base.name, .type = domain->of, .default_expr = domain->default_expr};
    if (!domain->default_expr) return NULL;
    return deparse_default(session, NULL, &column, describe_default(session, &column, arena), arena);
}

/* ---- foreign keys ---- */

static void put_columns(Buf *out, const TableDesc *table, const IntVec *ids)
{
    buf_put_str(out, "(");
    for (int i = 0; i < ids->count; i++) {
        int ordinal = table_column_by_id(table, (uint32_t)ids->items[i]);
        if (i) buf_put_str(out, ", ");
        if (ordinal >= 0) put_identifier(out, table->columns.items[ordinal].name);
    }
    buf_put_str(out, ")");
}

static const char *action_words(FkAction action)
{
    switch (action) {
    case FK_NO_ACTION: return NULL;
    case FK_RESTRICT: return "RESTRICT";
    case FK_CASCADE: return "CASCADE";
    case FK_SET_NULL: return "SET NULL";
    case FK_SET_DEFAULT: return "SET DEFAULT";
    }
    return NULL;
}

static void put_action(Buf *out, const char *when, FkAction action)
{
    if (action_words(action)) buf_printf(out, " ON %s %s", when, action_words(action));
}

void describe_put_deferrable(Buf *out, bool deferrable, bool initially_deferred)
{
    if (deferrable) buf_put_str(out, " DEFERRABLE");
    if (initially_deferred) buf_put_str(out, " INITIALLY DEFERRED");
}

bool describe_is_visible(const Session *session, const Desc *desc, Arena *arena)
{
    const DescId *path;
    int count = session_search_path(session, &path, arena);
    for (int i = 0; i < count; i++) {
        if (path[i] == desc->parent_schema) return true;
        if (catalog_find_object(session->catalog, path[i], desc->name)) return false;
    }
    return false;
}

static void put_schema(Buf *out, const CatalogView *view, const Desc *desc)
{
    const Desc *schema = catalog_find_id(view, desc->parent_schema);
    if (!schema) return;
    put_identifier(out, schema->name);
    buf_put_str(out, ".");
}

const char *describe_foreign_key(const Session *session, const ForeignKeyDesc *key, const TableDesc *table, Arena *arena)
{
    Buf text = {0};
    const Desc *parent = catalog_find_id(session->catalog, key->referenced_table);
    if (!parent) return NULL;
    buf_put_str(&text, "FOREIGN KEY ");
    put_columns(&text, table, &key->columns);
    buf_put_str(&text, " REFERENCES ");
    if (!describe_is_visible(session, parent, arena)) put_schema(&text, session->catalog, parent);
    put_identifier(&text, parent->name);
    put_columns(&text, (const TableDesc *)parent, &key->referenced_columns);
    if (key->match_full) buf_put_str(&text, " MATCH FULL");
    put_action(&text, "UPDATE", key->on_update);
    put_action(&text, "DELETE", key->on_delete);
    if (key->on_delete_columns.count) {
        buf_put_str(&text, " ");
        put_columns(&text, table, &key->on_delete_columns);
    }
    describe_put_deferrable(&text, key->deferrable, key->initially_deferred);
    if (!key->validated) buf_put_str(&text, " NOT VALID");
    const char *copy = buf_to_str(&text, arena);
    buf_finish(&text);
    return copy;
}

void describe_put_foreign_key(Buf *out, const CatalogView *view, const TableDesc *table, const ForeignKeyDesc *key, bool qualified)
{
    const Desc *parent = catalog_find_id(view, key->referenced_table);
    if (!parent) return;
    buf_put_str(out, "FOREIGN KEY ");
    put_columns(out, table, &key->columns);
    buf_put_str(out, " REFERENCES ");
    if (qualified) put_schema(out, view, parent);
    put_identifier(out, parent->name);
    put_columns(out, (const TableDesc *)parent, &key->referenced_columns);
    if (key->match_full) buf_put_str(out, " MATCH FULL");
    put_action(out, "DELETE", key->on_delete);
    put_action(out, "UPDATE", key->on_update);
    describe_put_deferrable(out, key->deferrable, key->initially_deferred);
    if (!key->validated) buf_put_str(out, " NOT VALID");
}

/* ---- by OID ---- */

const char *describe_constraint_oid(Session *session, Oid oid, bool pretty, Arena *arena)
{
    const IndexDesc *index;
    const TableDesc *table = catalog_find_index_oid(session->catalog, oid, &index);
    if (table) return describe_key_constraint(table, index, arena);
    const Desc **list;
    int count = catalog_list(session->catalog, DESC_TABLE, 0, 0, &list, arena);
    for (int t = 0; t < count; t++) {
        table = (const TableDesc *)list[t];
        for (int i = 0; i < table->checks.count; i++)
            if (describe_constraint_id(table, table->checks.items[i].id) == oid)
                return describe_check(session, table, &table->checks.items[i], pretty, arena);
        for (int i = 0; i < table->foreign_keys.count; i++)
            if (describe_constraint_id(table, table->foreign_keys.items[i].id) == oid)
                return describe_foreign_key(session, &table->foreign_keys.items[i], table, arena);
    }
    count = catalog_list(session->catalog, DESC_TYPE, 0, 0, &list, arena);
    for (int t = 0; t < count; t++) {
        const TypeDesc *domain = (const TypeDesc *)list[t];
        for (int i = 0; i < domain->checks.count; i++)
            if (describe_domain_constraint_id(domain, domain->checks.items[i].id) == oid)
                return describe_domain_check(session, domain, &domain->checks.items[i], pretty, arena);
    }
    return NULL;
}
