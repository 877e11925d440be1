#include "executor/constraint/fk.h"

/* "(a, b)=(1, x)" */
static const char *key_text(FkLink *link, const TableDesc *table, const int *ordinals, const Value *tuple)
{
    Arena *arena = link->run->exec->arena;
    Buf names = {0}, values = {0};
    for (int i = 0; i < link->count; i++) {
        const ColumnDesc *column = &table->columns.items[ordinals[i]];
        if (i) {
            buf_put_str(&names, ", ");
            buf_put_str(&values, ", ");
        }
        buf_put_str(&names, column->name);
        const TypeDef *type = exec_type(column->type.oid);
        if (tuple[i].null) buf_put_str(&values, "null");
        else type->out(type, exec_type_env(link->run->exec), tuple[i], &values);
    }
    const char *text = arena_printf(arena, "(%s)=(%s)", buf_to_str(&names, arena), buf_to_str(&values, arena));
    buf_finish(&names);
    buf_finish(&values);
    return text;
}

/* The fields name the constraint and the table that has it. */
static Status violated(FkLink *link, const FkRow *row)
{
    const Exec *exec = link->run->exec;
    link->run->failed = row->number;
    const TableDesc *child = link->child->table;
    Error *err = exec->err;
    err->schema = session_schema_name(exec->session, child->base.parent_schema);
    err->table = child->base.name;
    err->table_id = child->base.id;
    err->constraint = link->key->name;
    return ST_ERROR;
}

static void inserted_or_updated(FkLink *link)
{
    const Exec *exec = link->run->exec;
    (void)err_set(exec->err, exec->arena, ERR_FOREIGN_KEY_VIOLATION,
                  "insert or update on table \"%s\" violates foreign key constraint \"%s\"", link->child->table->base.name,
                  link->key->name);
}

Status fk_not_present(FkLink *link, const FkRow *row)
{
    const Exec *exec = link->run->exec;
    inserted_or_updated(link);
    err_detail(exec->err, exec->arena, "Key %s is not present in table \"%s\".",
               key_text(link, link->child->table, link->child_ordinals, row->key), link->parent->table->base.name);
    return violated(link, row);
}

Status fk_mixed_nulls(FkLink *link, const FkRow *row)
{
    const Exec *exec = link->run->exec;
    inserted_or_updated(link);
    err_detail(exec->err, exec->arena, "MATCH FULL does not allow mixing of null and nonnull key values.");
    return violated(link, row);
}

Status fk_still_referenced(FkLink *link, const FkRow *row)
{
    const Exec *exec = link->run->exec;
    (void)err_set(exec->err, exec->arena, ERR_FOREIGN_KEY_VIOLATION,
                  "update or delete on table \"%s\" violates foreign key constraint \"%s\" on table \"%s\"",
                  link->parent->table->base.name, link->key->name, link->child->table->base.name);
    err_detail(exec->err, exec->arena, "Key %s is still referenced from table \"%s\".",
               key_text(link, link->parent->table, link->parent_ordinals, row->key), link->child->table->base.name);
    return violated(link, row);
}
