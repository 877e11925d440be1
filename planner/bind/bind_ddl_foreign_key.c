/* bind_ddl_foreign_key.c - FOREIGN KEY and REFERENCES: checked as PostgreSQL checks them, in its order. */
#include "planner/bind/bind_ddl_foreign_key.h"
#include "planner/bind/bind_ddl_owner.h"

/* ---- columns ---- */

static Status no_column(Binder *b, const char *name)
{
    return ddl_fail(b, 0, ERR_UNDEFINED_COLUMN, "column \"%s\" referenced in foreign key constraint does not exist", name);
}

static Status column_ids(Binder *b, const TableDesc *table, const StrVec *names, IntVec *ids)
{
    for (int i = 0; i < names->count; i++) {
        int ordinal = table_column_by_name(table, names->items[i]);
        if (ordinal < 0 || (table->columns.items[ordinal].hidden && table->columns.items[ordinal].role != COLUMN_USER))
            return no_column(b, names->items[i]);
        VEC_PUSH(b->arena, *ids, (int)table->columns.items[ordinal].id);
    }
    return ST_OK;
}

static bool listed(const IntVec *ids, int id)
{
    for (int i = 0; i < ids->count; i++)
        if (ids->items[i] == id) return true;
    return false;
}

static Status no_primary_key(Binder *b, const TableDesc *referenced)
{
    for (int i = 0; i < referenced->indexes.count; i++)
        if (referenced->indexes.items[i].logical_primary)
            return ddl_fail(b, 0, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                            "cannot use a deferrable primary key for referenced table \"%s\"", referenced->base.name);
    return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "there is no primary key for referenced table \"%s\"", referenced->base.name);
}

/* Without a list of columns the primary key is meant. */
static Status primary_columns(Binder *b, const TableDesc *referenced, IntVec *ids)
{
    const IndexDesc *primary = table_primary(referenced);
    for (int i = 0; i < primary->columns.count; i++) {
        const IndexColumn *column = &primary->columns.items[i];
        if (column->implicit) continue;
        int ordinal = table_column_by_id(referenced, column->column_id);
        if (referenced->columns.items[ordinal].role == COLUMN_ROWID) return no_primary_key(b, referenced);
        VEC_PUSH(b->arena, *ids, (int)column->column_id);
    }
    return primary->columns.count ? ST_OK : no_primary_key(b, referenced);
}

static Status check_unique(Binder *b, const TableDesc *referenced, const ForeignKeyDesc *key)
{
    for (int i = 0; i < key->referenced_columns.count; i++)
        for (int j = i + 1; j < key->referenced_columns.count; j++)
            if (key->referenced_columns.items[i] == key->referenced_columns.items[j])
                return ddl_fail(b, 0, ERR_INVALID_FOREIGN_KEY, "foreign key referenced-columns list must not contain duplicates");
    if (table_referenced_index(referenced, key)) return ST_OK;
    TableDesc promised = *referenced; /* would it do if it were not deferrable? */
    promised.indexes.items = arena_copy(b->arena, referenced->indexes.items, sizeof(IndexDesc) * (size_t)referenced->indexes.count);
    for (int i = 0; i < promised.indexes.count; i++) promised.indexes.items[i].deferrable = false;
    if (table_referenced_index(&promised, key))
        return ddl_fail(b, 0, ERR_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "cannot use a deferrable unique constraint for referenced table \"%s\"", referenced->base.name);
    return ddl_fail(b, 0, ERR_INVALID_FOREIGN_KEY, "there is no unique constraint matching given keys for referenced table \"%s\"",
                    referenced->base.name);
}

/* ---- what the clauses allow ---- */

static Status check_generated(Binder *b, const TableDesc *table, const ForeignKeyDesc *key)
{
    for (int i = 0; i < key->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, (uint32_t)key->columns.items[i])];
        if (column->computed == COMPUTED_NONE) continue;
        if (column->computed == COMPUTED_VIRTUAL) return ddl_unsupported(b, 0, "FOREIGN KEY of a virtual computed column");
        bool writes_update = key->on_update != FK_NO_ACTION && key->on_update != FK_RESTRICT;
        bool writes_delete = key->on_delete == FK_SET_NULL || key->on_delete == FK_SET_DEFAULT;
        if (writes_update || writes_delete)
            return ddl_fail(b, 0, ERR_SYNTAX_ERROR, "invalid %s action for foreign key constraint containing generated column",
                            writes_update ? "ON UPDATE" : "ON DELETE");
    }
    return ST_OK;
}

static Status check_delete_columns(Binder *b, const TableDesc *table, const AstConstraint *ast, ForeignKeyDesc *key)
{
    TRY(column_ids(b, table, &ast->on_delete_columns, &key->on_delete_columns));
    for (int i = 0; i < key->on_delete_columns.count; i++)
        if (!listed(&key->columns, key->on_delete_columns.items[i]))
            return ddl_fail(b, 0, ERR_INVALID_COLUMN_REFERENCE,
                            "column \"%s\" referenced in ON DELETE SET action must be part of foreign key",
                            ast->on_delete_columns.items[i]);
    return ST_OK;
}

static bool is_date_and_time(Oid oid)
{
    return oid == OID_DATE || oid == OID_TIMESTAMP || oid == OID_TIMESTAMPTZ;
}

static bool comparable(Oid child, Oid parent)
{
    CastDef path;
    bool integers = (child == OID_INT2 || child == OID_INT4 || child == OID_INT8) &&
                    (parent == OID_INT2 || parent == OID_INT4 || parent == OID_INT8);
    bool floats = (child == OID_FLOAT4 || child == OID_FLOAT8) && (parent == OID_FLOAT4 || parent == OID_FLOAT8);
    if (child == parent || integers || floats || (is_date_and_time(child) && is_date_and_time(parent))) return true;
    return cast_find_path(child, parent, CAST_IMPLICIT, &path);
}

static Status check_types(Binder *b, const TableDesc *table, const TableDesc *referenced, const ForeignKeyDesc *key)
{
    for (int i = 0; i < key->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[table_column_by_id(table, (uint32_t)key->columns.items[i])];
        const ColumnDesc *other =
            &referenced->columns.items[table_column_by_id(referenced, (uint32_t)key->referenced_columns.items[i])];
        if (comparable(column->type.oid, other->type.oid)) continue;
        ddl_fail(b, 0, ERR_DATATYPE_MISMATCH, "foreign key constraint \"%s\" cannot be implemented", key->name);
        err_detail(b->err, b->arena, "Key columns \"%s\" and \"%s\" are of incompatible types: %s and %s.", column->name, other->name,
                   type_format(column->type, b->arena), type_format(other->type, b->arena));
        return ST_ERROR;
    }
    return ST_OK;
}

/* ---- the constraint ---- */

static FkAction action_of(AstFkAction ast)
{
    switch (ast) {
    case AST_FK_NO_ACTION: return FK_NO_ACTION;
    case AST_FK_RESTRICT: return FK_RESTRICT;
    case AST_FK_CASCADE: return FK_CASCADE;
    case AST_FK_SET_NULL: return FK_SET_NULL;
    case AST_FK_SET_DEFAULT: return FK_SET_DEFAULT;
    }
    return FK_NO_ACTION;
}

static Status find_referenced(TableDraft *d, const AstName *name, const TableDesc **referenced)
{
    Binder *b = d->b;
    BoundName found;
    DescId schema = d->table->base.parent_schema;
    bool here = !name->schema || session_find_schema(b->session, name->schema) == schema;
    if (!d->table->base.id && here && strcmp(name->name, d->table->base.name) == 0) {
        *referenced = d->table;
        return ST_OK;
    }
    TRY(ddl_find_relation(b, name, true, &found));
    if (found.system)
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "permission denied: \"%s\" is a system catalog", name->name);
    if (found.desc->kind != DESC_TABLE)
        return ddl_fail(b, 0, ERR_WRONG_OBJECT_TYPE, "referenced relation \"%s\" is not a table", name->name);
    *referenced = found.desc->id == d->table->base.id ? d->table : (const TableDesc *)found.desc;
    if (d->table->temporary != (*referenced)->temporary) {
        const char *word = d->table->temporary ? "temporary" : "permanent";
        return ddl_fail(b, 0, ERR_INVALID_TABLE_DEFINITION, "constraints on %s tables may reference only %s tables", word, word);
    }
    return ST_OK;
}

static const char *columns_text(Binder *b, const StrVec *names)
{
    const char *text = names->items[0];
    for (int i = 1; i < names->count; i++) text = arena_printf(b->arena, "%s_%s", text, names->items[i]);
    return text;
}

static Status check_name(TableDraft *d, const AstConstraint *ast, const StrVec *columns, ForeignKeyDesc *key)
{
    key->name = ast->name ? ast->name : ddl_choose_constraint_name(d, columns_text(d->b, columns), "fkey");
    if (!ast->name || !ddl_constraint_exists(d->table, key->name)) return ST_OK;
    return ddl_fail(d->b, 0, ERR_DUPLICATE_OBJECT, "constraint \"%s\" for relation \"%s\" already exists", key->name,
                    d->table->base.name);
}

/* REFERENCES on the table, or on each of the columns. */
static Status check_referenced(Binder *b, const TableDesc *referenced, const ForeignKeyDesc *key)
{
    const char *user = b->session->user;
    if (!referenced->base.id || (privileges_held(b->session, user, &referenced->base) & ACL_REFERENCES)) return ST_OK;
    for (int i = 0; i < key->referenced_columns.count; i++)
        if (!(privileges_of_column(b->session, user, &referenced->base, (uint32_t)key->referenced_columns.items[i]) & ACL_REFERENCES))
            return privilege_denied(&referenced->base, b->arena, b->err);
    return ST_OK;
}

Status ddl_add_foreign_key(TableDraft *d, const AstConstraint *ast, const char *column)
{
    Binder *b = d->b;
    const TableDesc *referenced = NULL;
    StrVec own = {0};
    const StrVec *columns = column ? &own : &ast->columns;
    if (column) VEC_PUSH(b->arena, own, column);
    ForeignKeyDesc key = {.on_delete = action_of(ast->on_delete), .on_update = action_of(ast->on_update),
                          .match_full = ast->match_full, .deferrable = ast->deferrable || ast->initially_deferred,
                          .initially_deferred = ast->initially_deferred, .validated = !ast->not_valid || !d->table->base.id};
    TRY(check_name(d, ast, columns, &key));
    TRY(find_referenced(d, &ast->referenced, &referenced));
    key.referenced_table = referenced->base.id;
    TRY(column_ids(b, d->table, columns, &key.columns));
    TRY(check_delete_columns(b, d->table, ast, &key));
    if (ast->referenced_columns.count == 0) {
        TRY(primary_columns(b, referenced, &key.referenced_columns));
    } else {
        TRY(column_ids(b, referenced, &ast->referenced_columns, &key.referenced_columns));
        TRY(check_unique(b, referenced, &key));
    }
    TRY(check_referenced(b, referenced, &key));
    TRY(check_generated(b, d->table, &key));
    if (key.columns.count != key.referenced_columns.count)
        return ddl_fail(b, 0, ERR_INVALID_FOREIGN_KEY, "number of referencing and referenced columns for foreign key disagree");
    TRY(check_types(b, d->table, referenced, &key));
    key.id = d->table->next_constraint_id++;
    VEC_PUSH(b->arena, d->table->foreign_keys, key);
    return ST_OK;
}

/* ---- ALTER TABLE ---- */

ForeignKeyDesc *alter_find_foreign_key(AlterDraft *a, const char *name)
{
    for (int i = 0; i < a->d->table->foreign_keys.count; i++)
        if (strcmp(a->d->table->foreign_keys.items[i].name, name) == 0) return &a->d->table->foreign_keys.items[i];
    return NULL;
}

static void remove_foreign_key(TableDesc *table, uint32_t id)
{
    int kept = 0;
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (table->foreign_keys.items[i].id != id) table->foreign_keys.items[kept++] = table->foreign_keys.items[i];
    table->foreign_keys.count = kept;
}

void alter_remove_foreign_key(AlterDraft *a, uint32_t id)
{
    remove_foreign_key(a->d->table, id);
}

void alter_drop_column_keys(AlterDraft *a, uint32_t column_id)
{
    TableDesc *table = a->d->table;
    int kept = 0;
    for (int i = 0; i < table->foreign_keys.count; i++)
        if (!listed(&table->foreign_keys.items[i].columns, (int)column_id))
            table->foreign_keys.items[kept++] = table->foreign_keys.items[i];
    table->foreign_keys.count = kept;
}

/* The change of another table that this statement makes too. */
static TableDesc *other_table(AlterDraft *a, const TableDesc *table)
{
    for (UtilityAlterTable *u = a->utility->next; u; u = u->next)
        if (u->before->base.id == table->base.id) return u->after;
    UtilityAlterTable *u = bind_utility(a->b, UTILITY_ALTER_TABLE, a->utility->base.tag, sizeof *u);
    u->before = table;
    u->after = table_desc_copy(table, a->b->arena);
    u->next = a->utility->next;
    a->utility->next = u;
    return u->after;
}

static void validate_again(AlterDraft *a, UtilityAlterTable *utility, uint32_t key_id)
{
    for (int i = 0; i < utility->steps.count; i++)
        if (utility->steps.items[i].kind == ALTER_STEP_VALIDATE_FOREIGN_KEY && utility->steps.items[i].id == key_id) return;
    VEC_PUSH(a->b->arena, utility->steps, (AlterStep){ALTER_STEP_VALIDATE_FOREIGN_KEY, key_id});
}

static Status check_referrer(AlterDraft *a, const Referrer *r)
{
    TRY(check_types(a->b, r->table, a->d->table, r->key));
    if (!r->key->validated) return ST_OK;
    TableDesc *after = other_table(a, r->table);
    for (UtilityAlterTable *u = a->utility->next; u; u = u->next)
        if (u->after == after) validate_again(a, u, r->key->id);
    return ST_OK;
}

Status alter_check_key_types(AlterDraft *a, uint32_t column_id)
{
    Binder *b = a->b;
    Referrer *list;
    for (int i = 0; i < a->d->table->foreign_keys.count; i++) {
        const ForeignKeyDesc *key = &a->d->table->foreign_keys.items[i];
        bool own = key->referenced_table == a->before->base.id;
        if (!listed(&key->columns, (int)column_id) && !(own && listed(&key->referenced_columns, (int)column_id))) continue;
        const Desc *parent = own ? &a->d->table->base : catalog_find_id(b->session->catalog, key->referenced_table);
        if (!parent) continue;
        TRY(check_types(b, a->d->table, (const TableDesc *)parent, key));
        if (key->validated) validate_again(a, a->utility, key->id);
    }
    int count = depend_referrers(b->session->catalog, a->before->base.id, &list, b->arena);
    for (int i = 0; i < count; i++)
        if (list[i].table->base.id != a->before->base.id && listed(&list[i].key->referenced_columns, (int)column_id))
            TRY(check_referrer(a, &list[i]));
    return ST_OK;
}

static bool is_dropped(AlterDraft *a, const Referrer *r)
{
    const TableDesc *now = r->table->base.id == a->before->base.id ? a->d->table : NULL;
    for (UtilityAlterTable *u = a->utility->next; u && !now; u = u->next)
        if (u->before->base.id == r->table->base.id) now = u->after;
    if (!now) return false;
    for (int i = 0; i < now->foreign_keys.count; i++)
        if (now->foreign_keys.items[i].id == r->key->id) return false;
    return true;
}

static bool stands_on(const AlterDraft *a, const Referrer *r, const IndexDesc *index, uint32_t column_id)
{
    if (!index) return listed(&r->key->referenced_columns, (int)column_id);
    const IndexDesc *used = table_referenced_index(a->d->table, r->key);
    return used && used->id == index->id;
}

Status alter_drop_referrers(AlterDraft *a, const IndexDesc *index, uint32_t column_id, const DroppedPart *part)
{
    Binder *b = a->b;
    Referrer *list;
    StrVec blocked = {0}, going = {0};
    int count = depend_referrers(b->session->catalog, a->before->base.id, &list, b->arena);
    for (int i = 0; i < count; i++) {
        const Referrer *r = &list[i];
        bool own = r->table->base.id == a->before->base.id;
        if (is_dropped(a, r) || !stands_on(a, r, index, column_id)) continue;
        const char *table = ddl_shown_name(b, &r->table->base);
        /* A key of the column itself goes with it. */
        if (own && !index && listed(&r->key->columns, (int)column_id)) continue;
        VEC_PUSH(b->arena, blocked, arena_printf(b->arena, "constraint %s on table %s depends on %s", r->key->name, table, part->standing));
        VEC_PUSH(b->arena, going, arena_printf(b->arena, "drop cascades to constraint %s on table %s", r->key->name, table));
        if (part->cascade) remove_foreign_key(own ? a->d->table : other_table(a, r->table), r->key->id);
    }
    if (blocked.count == 0) return ST_OK;
    if (part->cascade) {
        if (going.count == 1) ddl_notice(b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION, "%s", going.items[0]);
        else ddl_notice(b, &a->d->notices, ERR_SUCCESSFUL_COMPLETION, "drop cascades to %d other objects", going.count);
        const char *detail = going.items[0];
        for (int i = 1; i < going.count; i++) detail = arena_printf(b->arena, "%s\n%s", detail, going.items[i]);
        if (going.count > 1) VEC_LAST(a->d->notices).detail = detail;
        return ST_OK;
    }
    const char *detail = blocked.items[0];
    for (int i = 1; i < blocked.count; i++) detail = arena_printf(b->arena, "%s\n%s", detail, blocked.items[i]);
    ddl_fail(b, 0, ERR_DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop %s because other objects depend on it", part->dropped);
    b->err->detail = detail;
    err_hint(b->err, b->arena, "Use DROP ... CASCADE to drop the dependent objects too.");
    return ST_ERROR;
}
