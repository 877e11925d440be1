/* What one descriptor says: of itself, and of others that must be there. */
#include "storage/catalog/catalog_check_internal.h"

static void check_parent(CatalogCheck *check, CheckedDesc *of, DescId id, DescKind kind, const char *what)
{
    const Desc *parent = checked_find(check->catalog, id);
    if (!parent)
        catalog_complain(check, of, "it is in %s %u, which does not exist", what, id);
    else if (parent->kind != kind)
        catalog_complain(check, of, "it is in %s %u, which is none", what, id);
}

static void check_owner(CatalogCheck *check, CheckedDesc *of)
{
    if (!of->desc->owner || strncmp(of->desc->owner, "pg_", 3) == 0) return; /* the predefined ones have no records */
    for (int i = 0; i < check->catalog->list.count; i++) {
        const Desc *role = check->catalog->list.items[i].desc;
        if (role->kind == DESC_ROLE && strcmp(role->name, of->desc->owner) == 0) return;
    }
    catalog_complain(check, of, "its owner \"%s\" does not exist", of->desc->owner);
}

/* ---- tables ---- */

static void check_column(CatalogCheck *check, CheckedDesc *of, int ordinal)
{
    const TableDesc *table = (const TableDesc *)of->desc;
    const ColumnDesc *column = &table->columns.items[ordinal];
    if (column->id == 0 || column->id >= table->next_column_id)
        catalog_complain(check, of, "column \"%s\" has the id %u, which was not given out", column->name, column->id);
    if (table_column_by_id(table, column->id) != ordinal)
        catalog_complain(check, of, "two columns have the id %u", column->id);
    if (table_column_by_name(table, column->name) != ordinal)
        catalog_complain(check, of, "two columns have the name \"%s\"", column->name);
    bool family = column->family == 0;
    for (int i = 0; i < table->families.count; i++) family |= table->families.items[i].id == column->family;
    if (!family)
        catalog_complain(check, of, "column \"%s\" is in family %u, which does not exist", column->name,
                         column->family);
    for (int i = 0; i < column->hashed_columns.count; i++)
        if (table_column_by_id(table, (uint32_t)column->hashed_columns.items[i]) < 0)
            catalog_complain(check, of, "column \"%s\" hashes a column that does not exist", column->name);
    if (!type_find(column->type.oid) && !checked_find(check->catalog, column->type.oid))
        catalog_complain(check, of, "column \"%s\" has the type %u, which does not exist", column->name,
                         column->type.oid);
    if (!column->sequence_id) return;
    const Desc *sequence = checked_find(check->catalog, column->sequence_id);
    if (!sequence || sequence->kind != DESC_SEQUENCE)
        catalog_complain(check, of, "column \"%s\" takes its values from sequence %u, which does not exist",
                         column->name, column->sequence_id);
}

static bool columns_exist(const TableDesc *table, const IntVec *ids)
{
    for (int i = 0; i < ids->count; i++)
        if (table_column_by_id(table, (uint32_t)ids->items[i]) < 0) return false;
    return true;
}

static bool has_column(const IndexDesc *index, uint32_t id)
{
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].column_id == id) return true;
    for (int i = 0; i < index->suffix.count; i++)
        if ((uint32_t)index->suffix.items[i] == id) return true;
    return false;
}

/* An entry leads to its row: the primary key is in its key. */
static void check_index(CatalogCheck *check, CheckedDesc *of, int number)
{
    const TableDesc *table = (const TableDesc *)of->desc;
    const IndexDesc *index = &table->indexes.items[number], *primary = table_primary(table);
    if (index->id == 0 || index->id >= table->next_index_id)
        catalog_complain(check, of, "index \"%s\" has the id %u, which was not given out", index->name, index->id);
    if (table_index_by_id(table, index->id) != index)
        catalog_complain(check, of, "two indexes have the id %u", index->id);
    if (index->primary != (number == 0)) catalog_complain(check, of, "index \"%s\" is in the wrong place", index->name);
    bool exist = columns_exist(table, &index->suffix) && columns_exist(table, &index->stored);
    for (int i = 0; i < index->columns.count; i++)
        exist &= table_column_by_id(table, index->columns.items[i].column_id) >= 0;
    if (!exist) catalog_complain(check, of, "index \"%s\" has a column that does not exist", index->name);
    if (index->columns.count == 0) catalog_complain(check, of, "index \"%s\" has no columns", index->name);
    for (int i = 0; i < primary->columns.count; i++)
        if (!has_column(index, primary->columns.items[i].column_id))
            catalog_complain(check, of, "index \"%s\" lacks a column of the primary key", index->name);
}

static void check_foreign_key(CatalogCheck *check, CheckedDesc *of, const ForeignKeyDesc *key)
{
    const TableDesc *table = (const TableDesc *)of->desc;
    const Desc *referenced = checked_find(check->catalog, key->referenced_table);
    if (!referenced || referenced->kind != DESC_TABLE)
        catalog_complain(check, of, "foreign key \"%s\" refers to table %u, which does not exist", key->name,
                         key->referenced_table);
    else if (!columns_exist(table, &key->columns) ||
             !columns_exist((const TableDesc *)referenced, &key->referenced_columns))
        catalog_complain(check, of, "foreign key \"%s\" has a column that does not exist", key->name);
    else if (key->columns.count != key->referenced_columns.count)
        catalog_complain(check, of, "foreign key \"%s\" has more columns on one side", key->name);
}

static void check_table(CatalogCheck *check, CheckedDesc *of)
{
    const TableDesc *table = (const TableDesc *)of->desc;
    if (table->indexes.count == 0) {
        catalog_complain(check, of, "it has no primary index");
        return;
    }
    for (int i = 0; i < table->columns.count; i++) check_column(check, of, i);
    for (int i = 0; i < table->indexes.count; i++) check_index(check, of, i);
    for (int i = 0; i < table->foreign_keys.count; i++) check_foreign_key(check, of, &table->foreign_keys.items[i]);
}

/* ---- others ---- */

static void check_sequence_owner(CatalogCheck *check, CheckedDesc *of)
{
    const SequenceDesc *sequence = (const SequenceDesc *)of->desc;
    if (!sequence->owner_table) return;
    const Desc *table = checked_find(check->catalog, sequence->owner_table);
    if (!table || table->kind != DESC_TABLE)
        catalog_complain(check, of, "it is owned by a column of table %u, which does not exist", sequence->owner_table);
    else if (table_column_by_id((const TableDesc *)table, sequence->owner_column) < 0)
        catalog_complain(check, of, "it is owned by column %u of \"%s\", which does not exist", sequence->owner_column,
                         table->name);
}

static void check_view(CatalogCheck *check, CheckedDesc *of)
{
    const ViewDesc *view = (const ViewDesc *)of->desc;
    for (int i = 0; i < view->depends_on.count; i++) {
        DescId id = (DescId)view->depends_on.items[i];
        if (!checked_find(check->catalog, id))
            catalog_complain(check, of, "it reads object %u, which does not exist", id);
    }
}

void catalog_check_desc(CatalogCheck *check, CheckedDesc *of)
{
    const Desc *desc = of->desc;
    check_owner(check, of);
    switch (desc->kind) {
    case DESC_DATABASE:
    case DESC_ROLE:
        return;
    case DESC_SCHEMA:
        break;
    case DESC_TABLE:
        check_table(check, of);
        break;
    case DESC_VIEW:
        check_view(check, of);
        break;
    case DESC_SEQUENCE:
        check_sequence_owner(check, of);
        break;
    case DESC_TYPE:
        break;
    }
    check_parent(check, of, desc->parent_database, DESC_DATABASE, "database");
    if (desc->kind != DESC_SCHEMA) check_parent(check, of, desc->parent_schema, DESC_SCHEMA, "schema");
}
