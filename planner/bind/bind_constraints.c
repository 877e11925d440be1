/* bind_constraints.c - SET CONSTRAINTS. */
#include "planner/bind/bind_session.h"
#include "planner/utility_txn.h"

static Status take(Binder *binder, UtilitySetConstraints *u, const char *name, bool deferrable, ConstraintRef ref)
{
    if (!deferrable && u->deferred)
        return err_set(binder->err, binder->arena, ERR_WRONG_OBJECT_TYPE, "constraint \"%s\" is not deferrable", name);
    VEC_PUSH(binder->arena, u->constraints, ref);
    return ST_OK;
}

static Status take_from_table(Binder *binder, UtilitySetConstraints *u, const TableDesc *table, const char *name, bool *found)
{
    for (int i = 0; i < table->foreign_keys.count; i++) {
        const ForeignKeyDesc *key = &table->foreign_keys.items[i];
        if (strcmp(key->name, name) != 0) continue;
        *found = true;
        TRY(take(binder, u, name, key->deferrable, (ConstraintRef){table->base.id, key->id}));
    }
    for (int i = 0; i < table->indexes.count; i++) {
        const IndexDesc *index = &table->indexes.items[i];
        if (!index->is_constraint || strcmp(index->name, name) != 0) continue;
        *found = true;
        TRY(take(binder, u, name, index->deferrable, (ConstraintRef){table->base.id, CONSTRAINT_OF_INDEX | index->id}));
    }
    for (int i = 0; i < table->checks.count; i++) {
        if (table->checks.items[i].hidden || strcmp(table->checks.items[i].name, name) != 0) continue;
        *found = true;
        TRY(take(binder, u, name, false, (ConstraintRef){table->base.id, table->checks.items[i].id}));
    }
    return ST_OK;
}

/* The constraints of that name in the first schema of the path that has any. */
static Status take_named(Binder *binder, UtilitySetConstraints *u, const AstName *name)
{
    Session *session = binder->session;
    const DescId *path;
    int count = session_search_path(session, &path, binder->arena);
    DescId one = name->schema ? session_find_schema(session, name->schema) : 0;
    if (name->schema && !one)
        return err_set(binder->err, binder->arena, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name->schema);
    if (name->schema) path = &one, count = 1;
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        const Desc **tables;
        int table_count = catalog_list(session->catalog, DESC_TABLE, session->database_id, path[i], &tables, binder->arena);
        for (int t = 0; t < table_count; t++)
            TRY(take_from_table(binder, u, (const TableDesc *)tables[t], name->name, &found));
    }
    if (found) return ST_OK;
    return err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "constraint \"%s\" does not exist",
                   bind_qualified_text(binder, name));
}

Status bind_set_constraints(Binder *binder, const AstSetConstraints *ast, Plan **out)
{
    UtilitySetConstraints *u = bind_utility(binder, UTILITY_SET_CONSTRAINTS, "SET CONSTRAINTS", sizeof *u);
    u->all = ast->all;
    u->deferred = ast->deferred;
    for (int i = 0; i < ast->names.count; i++) TRY(take_named(binder, u, &ast->names.items[i]));
    *out = &u->base.base;
    return ST_OK;
}
