/* Enum types: CREATE TYPE ... AS ENUM, and ALTER TYPE's changes of the labels. */
#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"
#include "planner/bind/bind_ddl_owner.h"
#include "storage/types/type_enum.h"

enum { ORDER_UNIT = 1000000 };

static Status check_label(Binder *b, const char *label)
{
    if (strlen(label) <= ENUM_LABEL_MAX) return ST_OK;
    (void)err_set(b->err, b->arena, ERR_INVALID_NAME, "invalid enum label \"%s\"", label);
    err_detail(b->err, b->arena, "Labels must be %d bytes or less.", ENUM_LABEL_MAX);
    return ST_ERROR;
}

static int find_label(const TypeDesc *type, const char *label)
{
    for (int i = 0; i < type->labels.count; i++)
        if (strcmp(type->labels.items[i].label, label) == 0) return i;
    return -1;
}

static Slice physical_bytes(Binder *b, Buf *bytes)
{
    Slice result = buf_to_arena(bytes, b->arena);
    buf_finish(bytes);
    return result;
}

static Status add_labels(Binder *b, const StrVec *labels, TypeDesc *draft)
{
    for (int i = 0; i < labels->count; i++) {
        const char *label = labels->items[i];
        TRY(check_label(b, label));
        if (find_label(draft, label) >= 0)
            return ddl_fail(b, 0, ERR_UNIQUE_VIOLATION, "enum label \"%s\" used more than once", label);
        Buf bytes = {0};
        enum_physical_at(i, labels->count, &bytes);
        VEC_PUSH(b->arena, draft->labels,
                 (EnumLabel){.label = label, .physical = physical_bytes(b, &bytes), .order = (int64_t)(i + 1) * ORDER_UNIT});
    }
    return ST_OK;
}

Status bind_create_enum(Binder *b, const AstCreateEnum *ast, Plan **out)
{
    DescId schema;
    TRY(ddl_creation_schema(b, &ast->name, AST_PERMANENT, &schema));
    TRY(ddl_check_schema_writable(b, schema, ast->name.name));
    const Desc *existing = catalog_find_object(b->session->catalog, schema, ast->name.name);
    if (existing) {
        if (!ast->if_not_exists || existing->kind != DESC_TYPE)
            return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "type \"%s\" already exists", ast->name.name);
        return ddl_skip(b, "CREATE TYPE", ERR_DUPLICATE_OBJECT, out, "type \"%s\" already exists, skipping", ast->name.name);
    }
    TypeDesc *draft = ARENA_NEW(b->arena, TypeDesc);
    draft->base = (Desc){.kind = DESC_TYPE, .parent_database = b->session->database_id, .parent_schema = schema,
                         .name = ast->name.name, .owner = b->session->user};
    TRY(add_labels(b, &ast->labels, draft));
    *out = ddl_create_utility(b, UTILITY_CREATE_TYPE, "CREATE TYPE", &draft->base);
    return ST_OK;
}

/* ---- ALTER TYPE ---- */

/* Defaults, constraints, indexes and views are kept as SQL texts: one that has these words would not be understood, or mean
 * something else, once they are gone. */
static bool table_says(const TableDesc *table, const char *words)
{
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->default_expr && strstr(column->default_expr, words)) return true;
        if (column->computed_expr && strstr(column->computed_expr, words)) return true;
        size_t size = column->absent_text ? strlen(column->absent_text) : 0;
        if (size && strlen(words) == size + 2 && memcmp(words + 1, column->absent_text, size) == 0) return true;
    }
    for (int i = 0; i < table->checks.count; i++)
        if (strstr(table->checks.items[i].expr, words)) return true;
    for (int i = 0; i < table->indexes.count; i++)
        if (table->indexes.items[i].predicate && strstr(table->indexes.items[i].predicate, words)) return true;
    return false;
}

Status ddl_check_unsaid(Binder *b, const Desc *type, const char *words, const char *change)
{
    static const DescKind kinds[] = {DESC_TABLE, DESC_VIEW};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const Desc **list;
        int count = catalog_list(b->session->catalog, kinds[k], type->parent_database, 0, &list, b->arena);
        for (int i = 0; i < count; i++) {
            bool says = kinds[k] == DESC_VIEW ? strstr(((const ViewDesc *)list[i])->query, words) != NULL
                                              : table_says((const TableDesc *)list[i], words);
            if (says)
                return ddl_unsupported(b, 0, arena_printf(b->arena, "%s of what a default, constraint, index or view of \"%s\" names",
                                                          change, list[i]->name));
        }
    }
    return ST_OK;
}

/* Where the new label goes: before this position. */
static Status place_of(Binder *b, const AstAlterEnum *ast, const TypeDesc *type, int *place)
{
    *place = type->labels.count;
    if (!ast->neighbor) return ST_OK;
    int neighbor = find_label(type, ast->neighbor);
    if (neighbor < 0)
        return ddl_fail(b, 0, ERR_INVALID_PARAMETER_VALUE, "\"%s\" is not an existing enum label", ast->neighbor);
    *place = ast->before ? neighbor : neighbor + 1;
    return ST_OK;
}

static EnumLabel label_at(Binder *b, const TypeDesc *type, int place, const char *label)
{
    const EnumLabel *before = place > 0 ? &type->labels.items[place - 1] : NULL;
    const EnumLabel *after = place < type->labels.count ? &type->labels.items[place] : NULL;
    Buf bytes = {0};
    enum_physical_between(before ? before->physical : (Slice){0}, after ? after->physical : (Slice){0}, &bytes);
    int64_t order = before && after ? (before->order + after->order) / 2
                    : before        ? before->order + ORDER_UNIT
                    : after         ? after->order - ORDER_UNIT
                                    : ORDER_UNIT;
    return (EnumLabel){.label = label, .physical = physical_bytes(b, &bytes), .order = order};
}

static Status add_value(Binder *b, const AstAlterEnum *ast, const TypeDesc *before, TypeDesc *after)
{
    int place;
    TRY(check_label(b, ast->label));
    TRY(place_of(b, ast, before, &place));
    after->labels.items = NULL;
    after->labels.count = after->labels.capacity = 0;
    for (int i = 0; i <= before->labels.count; i++) {
        if (i == place) VEC_PUSH(b->arena, after->labels, label_at(b, before, place, ast->label));
        if (i < before->labels.count) VEC_PUSH(b->arena, after->labels, before->labels.items[i]);
    }
    return ST_OK;
}

static Status rename_value(Binder *b, const AstAlterEnum *ast, TypeDesc *after)
{
    int at = find_label(after, ast->label);
    TRY(check_label(b, ast->new_label));
    if (at < 0) return ddl_fail(b, 0, ERR_INVALID_PARAMETER_VALUE, "\"%s\" is not an existing enum label", ast->label);
    if (find_label(after, ast->new_label) >= 0)
        return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "enum label \"%s\" already exists", ast->new_label);
    Buf words = {0};
    ast_print_string(ast->label, &words);
    const char *literal = buf_to_str(&words, b->arena);
    buf_finish(&words);
    TRY(ddl_check_unsaid(b, &after->base, literal, "ALTER TYPE ... RENAME VALUE"));
    EnumLabel *labels = ARENA_ARRAY(b->arena, EnumLabel, after->labels.count);
    memcpy(labels, after->labels.items, sizeof *labels * (size_t)after->labels.count);
    labels[at].label = ast->new_label;
    after->labels.items = labels;
    return ST_OK;
}

Status bind_alter_enum(Binder *b, const AstAlterEnum *ast, Plan **out)
{
    const TypeDesc *before =
        (const TypeDesc *)session_find_type(b->session, ast->name.schema, ast->name.name, b->arena);
    if (!before) return ddl_fail(b, 0, ERR_UNDEFINED_OBJECT, "type \"%s\" does not exist", ast->name.name);
    TRY(ddl_check_owner(b, &before->base));
    if (ast->drop) return ddl_unsupported(b, ast->base.position, "ALTER TYPE ... DROP VALUE");
    if (ast->add && find_label(before, ast->label) >= 0) {
        if (!ast->if_not_exists)
            return ddl_fail(b, 0, ERR_DUPLICATE_OBJECT, "enum label \"%s\" already exists", ast->label);
        return ddl_skip(b, "ALTER TYPE", ERR_DUPLICATE_OBJECT, out, "enum label \"%s\" already exists, skipping", ast->label);
    }
    TypeDesc *after = arena_copy(b->arena, before, sizeof *before);
    TRY(ast->add ? add_value(b, ast, before, after) : rename_value(b, ast, after));
    *out = ddl_change_utility(b, "ALTER TYPE", &before->base, &after->base);
    return ST_OK;
}
