#include "executor/system/describe.h"

#include "executor/functions/quote.h"
#include "planner/deparse.h"
#include "planner/session.h"

/* ---- parts ---- */

static void put_identifier(Buf *out, const char *name)
{
    quote_identifier(slice_str(name), out);
}

static const char *finish(Buf *text, Arena *arena)
{
    const char *copy = buf_to_str(text, arena);
    buf_finish(text);
    return copy;
}

const char *describe_identifier(const char *name, Arena *arena)
{
    Buf text = {0};
    put_identifier(&text, name);
    return finish(&text, arena);
}

static const ColumnDesc *column_of(const TableDesc *table, uint32_t id)
{
    int ordinal = table_column_by_id(table, id);
    return ordinal < 0 ? NULL : &table->columns.items[ordinal];
}

/* PostgreSQL puts an expression in parentheses unless it is a function call. */
static bool is_call(const char *expr)
{
    const char *p = expr;
    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_' || *p == '.') p++;
    if (p == expr || *p != '(') return false;
    int depth = 0;
    for (; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (depth == 0) return p[1] == '\0';
    }
    return false;
}

static void put_key_name(Buf *out, const TableDesc *table, const IndexColumn *key)
{
    const ColumnDesc *column = column_of(table, key->column_id);
    if (column->role != COLUMN_EXPRESSION)
        put_identifier(out, column->name);
    else if (is_call(column->computed_expr))
        buf_put_str(out, column->computed_expr);
    else
        buf_printf(out, "(%s)", column->computed_expr);
}

const char *describe_key_name(const TableDesc *table, const IndexColumn *key, Arena *arena)
{
    Buf text = {0};
    put_key_name(&text, table, key);
    return finish(&text, arena);
}

/* ---- PostgreSQL's manner ---- */

static bool has_hash_group(const IndexDesc *index)
{
    for (int i = 0; i < index->columns.count; i++)
        if (index->columns.items[i].hash_mode) return true;
    return false;
}

/* (h1, h2) HASH: the group stands in parentheses of its own when it has several columns. */
static int put_hash_group(Buf *out, const TableDesc *table, const IndexDesc *index)
{
    int first = 0, end;
    while (!index->columns.items[first].hash_mode) first++;
    for (end = first; end < index->columns.count && index->columns.items[end].hash_mode; end++) continue;
    if (end - first > 1) buf_put_str(out, "(");
    for (int i = first; i < end; i++) {
        if (i > first) buf_put_str(out, ", ");
        put_key_name(out, table, &index->columns.items[i]);
    }
    buf_put_str(out, end - first > 1 ? ") HASH" : " HASH");
    return end;
}

static void put_direction(Buf *out, const IndexColumn *key, bool always)
{
    if (key->descending)
        buf_put_str(out, " DESC");
    else if (always)
        buf_put_str(out, " ASC");
    if (key->descending && !key->nulls_first) buf_put_str(out, " NULLS LAST");
    if (!key->descending && key->nulls_first) buf_put_str(out, " NULLS FIRST");
}

static void put_key(Buf *out, const TableDesc *table, const IndexDesc *index, bool directions, bool always)
{
    int i = 0;
    bool first = true, classes = directions && !always;
    if (has_hash_group(index)) {
        i = put_hash_group(out, table, index);
        first = false;
        always = directions;
    }
    for (; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        if (key->implicit) continue;
        if (!first) buf_put_str(out, ", ");
        first = false;
        put_key_name(out, table, key);
        if (classes && key->opclass) buf_printf(out, " %s", key->opclass);
        if (directions) put_direction(out, key, always);
    }
}

static void put_stored(Buf *out, const TableDesc *table, const IndexDesc *index, const char *word)
{
    for (int i = 0; i < index->stored.count; i++) {
        buf_put_str(out, i ? ", " : word);
        put_identifier(out, column_of(table, (uint32_t)index->stored.items[i])->name);
    }
    if (index->stored.count) buf_put_str(out, ")");
}

static void put_sharding(Buf *out, const IndexDesc *index)
{
    if (index->bucket_count) buf_printf(out, " USING HASH WITH (bucket_count=%d)", index->bucket_count);
}

static void put_qualified(Buf *out, const CatalogView *view, const Desc *desc)
{
    const Desc *schema = catalog_find_id(view, desc->parent_schema);
    if (schema) {
        put_identifier(out, schema->name);
        buf_put_str(out, ".");
    }
    put_identifier(out, desc->name);
}

/* The table with its indexed expressions as PostgreSQL prints them. */
static const TableDesc *with_shown_expressions(Session *session, const TableDesc *table, bool pretty, Arena *arena)
{
    TableDesc *shown = NULL;
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->role != COLUMN_EXPRESSION) continue;
        if (!shown) {
            shown = arena_copy(arena, table, sizeof *table);
            shown->columns.items = arena_copy(arena, table->columns.items, sizeof *column * (size_t)table->columns.count);
        }
        shown->columns.items[i].computed_expr = deparse_table_expr(session, table, column->computed_expr, pretty, arena);
    }
    return shown ? shown : table;
}

const char *describe_index(Session *session, const TableDesc *table, const IndexDesc *index, bool pretty, Arena *arena)
{
    const CatalogView *view = session->catalog;
    const char *predicate = index->predicate ? deparse_table_expr(session, table, index->predicate, pretty, arena) : NULL;
    table = with_shown_expressions(session, table, pretty, arena);
    Buf text = {0};
    buf_printf(&text, "CREATE %sINDEX ", index->unique ? "UNIQUE " : "");
    put_identifier(&text, index->name);
    buf_put_str(&text, " ON ");
    if (pretty && describe_is_visible(session, &table->base, arena))
        put_identifier(&text, table->base.name);
    else
        put_qualified(&text, view, &table->base);
    buf_printf(&text, " USING %s (", has_hash_group(index) ? "lsm" : "btree");
    put_key(&text, table, index, true, false);
    buf_put_str(&text, ")");
    put_sharding(&text, index);
    put_stored(&text, table, index, " INCLUDE (");
    if (index->nulls_not_distinct) buf_put_str(&text, " NULLS NOT DISTINCT");
    if (predicate) buf_printf(&text, " WHERE %s", predicate);
    return finish(&text, arena);
}

const char *describe_index_column(Session *session, const TableDesc *table, const IndexDesc *index, const DescribePart *part, Arena *arena)
{
    int number = part->number;
    table = with_shown_expressions(session, table, part->pretty, arena);
    for (int i = 0; i < index->columns.count; i++)
        if (!index->columns.items[i].implicit && --number == 0)
            return describe_key_name(table, &index->columns.items[i], arena);
    for (int i = 0; i < index->stored.count; i++)
        if (--number == 0)
            return describe_identifier(column_of(table, (uint32_t)index->stored.items[i])->name, arena);
    return NULL;
}

const char *describe_key_constraint(const TableDesc *table, const IndexDesc *index, Arena *arena)
{
    Buf text = {0};
    buf_put_str(&text, index->primary || index->logical_primary ? "PRIMARY KEY " : "UNIQUE ");
    if (index->nulls_not_distinct) buf_put_str(&text, "NULLS NOT DISTINCT ");
    buf_put_str(&text, "(");
    put_key(&text, table, index, has_hash_group(index), true);
    buf_put_str(&text, ")");
    put_sharding(&text, index);
    put_stored(&text, table, index, " INCLUDE (");
    describe_put_deferrable(&text, index->deferrable, index->initially_deferred);
    return finish(&text, arena);
}

const char *describe_check(Session *session, const TableDesc *table, const CheckDesc *check, bool pretty, Arena *arena)
{
    const char *text = deparse_table_expr(session, table, check->expr, pretty, arena);
    return arena_printf(arena, "CHECK (%s)%s%s", text, check->no_inherit ? " NO INHERIT" : "", check->validated ? "" : " NOT VALID");
}

static bool is_string_constant(const char *text)
{
    if (*text++ != '\'') return false;
    for (; *text; text++) {
        if (*text != '\'') continue;
        if (text[1] != '\'') return text[1] == '\0';
        text++;
    }
    return false;
}

const Desc *describe_nextval_sequence(const Session *session, const char *text, Arena *arena)
{
    static const char call[] = "nextval('";
    const RegNames *names = session->type_env.reg_names;
    Oid oid;
    if (!text || !names || strncmp(text, call, sizeof call - 1) != 0) return NULL;
    char *name = arena_strdup(arena, text + sizeof call - 1);
    char *end = strstr(name, "'::regclass)");
    if (!end || end[12] != '\0') return NULL;
    *end = '\0';
    size_t n = 0; /* quotes inside are doubled */
    for (const char *p = name; *p; p += 1 + (p[0] == '\'' && p[1] == '\'')) name[n++] = *p;
    if (!names->find(names->argument, OID_REGCLASS, slice_of((const uint8_t *)name, n), &oid)) return NULL;
    const Desc *desc = catalog_find_id(session->catalog, oid);
    return desc && desc->kind == DESC_SEQUENCE ? desc : NULL;
}

const char *describe_default(const Session *session, const ColumnDesc *column, Arena *arena)
{
    const char *text = column->default_expr;
    if (text && is_string_constant(text))
        return arena_printf(arena, "%s::%s", text, session_type_name(session, (TypeRef){column->type.oid, -1}, arena));
    const Desc *sequence = describe_nextval_sequence(session, text, arena);
    if (!sequence) return text;
    const DescId *path;
    for (int i = session_search_path(session, &path, arena) - 1; i >= 0; i--) {
        if (path[i] != sequence->parent_schema) continue;
        return arena_printf(arena, "nextval('%s'::regclass)", describe_identifier(sequence->name, arena));
    }
    return text;
}

/* ---- CockroachDB's manner ---- */

const char *describe_generation(const TableDesc *table, const ColumnDesc *column, bool with_types, Arena *arena)
{
    if (column->role != COLUMN_BUCKET || !with_types) return column->computed_expr;
    size_t size = strlen(column->computed_expr); /* mod(fnv32(...), n): the count is the last thing before ")" */
    return arena_printf(arena, "%.*s:::INT8)", (int)size - 1, column->computed_expr);
}

static bool is_number(const char *text)
{
    if (*text == '-') text++;
    if (!*text) return false;
    for (; *text; text++)
        if (*text < '0' || *text > '9') return false;
    return true;
}

/* A constant says its type, as CockroachDB prints it. */
static void put_default(Buf *out, const ColumnDesc *column, Arena *arena)
{
    const char *text = column->default_expr;
    bool string = is_string_constant(text);
    buf_printf(out, " DEFAULT %s", text);
    if (is_number(text) || string) buf_printf(out, ":::%s", type_format_crdb(column->type, arena));
}

static void put_column(Buf *out, const TableDesc *table, const ColumnDesc *column, Arena *arena)
{
    put_identifier(out, column->name);
    buf_printf(out, " %s", type_format_crdb(column->type, arena));
    if (column->hidden) buf_put_str(out, " NOT VISIBLE");
    buf_put_str(out, column->not_null ? " NOT NULL" : " NULL");
    if (column->identity != IDENTITY_NONE)
        buf_printf(out, " GENERATED %s AS IDENTITY", column->identity == IDENTITY_ALWAYS ? "ALWAYS" : "BY DEFAULT");
    else if (column->default_expr)
        put_default(out, column, arena);
    if (column->computed != COMPUTED_NONE)
        buf_printf(out, " AS (%s) %s", describe_generation(table, column, true, arena),
                   column->computed == COMPUTED_STORED ? "STORED" : "VIRTUAL");
}

static void put_tabs(Buf *out, int n)
{
    while (n-- > 0) buf_put_u8(out, '\t');
}

typedef struct PartitionPrint {
    const TableDesc *table;
    const IndexDesc *index;
    int first; /* key columns used by enclosing partitionings */
    int indent;
} PartitionPrint;

static void put_partition_list(Buf *out, const PartitionPrint *p, int columns, const PartitionDesc *list, int count);

static void put_partition(Buf *out, const PartitionPrint *p, int columns, const PartitionDesc *partition)
{
    buf_put_str(out, "PARTITION ");
    put_identifier(out, partition->name);
    if (partition->is_list) {
        buf_put_str(out, " VALUES IN (");
        for (int v = 0; v < partition->values.count; v++) buf_printf(out, "%s%s", v ? ", " : "", partition->values.items[v]);
        if (partition->is_default) buf_printf(out, "%s(DEFAULT)", partition->values.count ? ", " : "");
        buf_put_str(out, ")");
    } else {
        buf_printf(out, " VALUES FROM %s TO %s", partition->values.items[0], partition->values.items[1]);
    }
    if (!partition->children.count) return;
    PartitionPrint inner = {p->table, p->index, p->first + columns, p->indent + 1};
    put_partition_list(out, &inner, partition->child_columns, partition->children.items, partition->children.count);
}

static void put_partition_list(Buf *out, const PartitionPrint *p, int columns, const PartitionDesc *list, int count)
{
    buf_printf(out, " PARTITION BY %s (", list[0].is_list ? "LIST" : "RANGE");
    for (int i = 0; i < columns; i++) {
        if (i) buf_put_str(out, ", ");
        put_key_name(out, p->table, &p->index->columns.items[p->first + i]);
    }
    buf_put_str(out, ") (");
    for (int i = 0; i < count; i++) {
        buf_put_str(out, i ? ",\n" : "\n");
        put_tabs(out, p->indent + 1);
        put_partition(out, p, columns, &list[i]);
    }
    buf_put_str(out, "\n");
    put_tabs(out, p->indent);
    buf_put_str(out, ")");
}

static void put_partitions(Buf *out, const TableDesc *table, const IndexDesc *index, int indent)
{
    PartitionPrint print = {table, index, 0, indent};
    if (index->partitions.count)
        put_partition_list(out, &print, index->partition_columns, index->partitions.items, index->partitions.count);
}

static void put_index(Buf *out, const TableDesc *table, const IndexDesc *index)
{
    if (index->primary) {
        buf_put_str(out, "CONSTRAINT ");
        put_identifier(out, index->name);
        buf_put_str(out, " PRIMARY KEY (");
    } else {
        buf_put_str(out, index->unique ? "UNIQUE INDEX " : "INDEX ");
        put_identifier(out, index->name);
        buf_put_str(out, " (");
    }
    put_key(out, table, index, true, true);
    buf_put_str(out, ")");
    if (index->bucket_count) put_sharding(out, index);
    put_stored(out, table, index, " STORING (");
    if (!index->primary) put_partitions(out, table, index, 1);
    if (index->predicate) buf_printf(out, " WHERE %s", index->predicate);
    if (index->split_clause && !index->primary) buf_printf(out, " %s", index->split_clause);
}

static void put_families(Buf *out, const TableDesc *table)
{
    if (table->families.count < 2 && strcmp(table->families.items[0].name, "primary") == 0) return;
    for (int f = 0; f < table->families.count; f++) {
        buf_put_str(out, ",\n\tFAMILY ");
        put_identifier(out, table->families.items[f].name);
        buf_put_str(out, " (");
        bool first = true;
        for (int i = 0; i < table->columns.count; i++) {
            const ColumnDesc *column = &table->columns.items[i];
            if (column->family != table->families.items[f].id || column->computed == COMPUTED_VIRTUAL) continue;
            if (!first) buf_put_str(out, ", ");
            first = false;
            put_identifier(out, column->name);
        }
        buf_put_str(out, ")");
    }
}

static void put_checks(Buf *out, const TableDesc *table)
{
    for (int i = 0; i < table->checks.count; i++) {
        const CheckDesc *check = &table->checks.items[i];
        if (check->hidden) continue;
        buf_put_str(out, ",\n\tCONSTRAINT ");
        put_identifier(out, check->name);
        buf_printf(out, " CHECK (%s)%s", check->expr, check->validated ? "" : " NOT VALID");
    }
}

static void put_foreign_keys(Buf *out, const CatalogView *view, const TableDesc *table)
{
    for (int i = 0; i < table->foreign_keys.count; i++) {
        buf_put_str(out, ",\n\tCONSTRAINT ");
        put_identifier(out, table->foreign_keys.items[i].name);
        buf_put_str(out, " ");
        describe_put_foreign_key(out, view, table, &table->foreign_keys.items[i], true);
    }
}

static const char *create_table(const CatalogView *view, const TableDesc *table, Arena *arena)
{
    Buf text = {0};
    const IndexDesc *primary = table_primary(table);
    buf_put_str(&text, "CREATE TABLE ");
    put_qualified(&text, view, &table->base);
    buf_put_str(&text, " (");
    bool first = true;
    for (int i = 0; i < table->columns.count; i++) {
        const ColumnDesc *column = &table->columns.items[i];
        if (column->role == COLUMN_EXPRESSION || column->role == COLUMN_HASH_CODE) continue;
        buf_put_str(&text, first ? "\n\t" : ",\n\t");
        first = false;
        put_column(&text, table, column, arena);
    }
    for (int i = 0; i < table->indexes.count; i++) {
        buf_put_str(&text, ",\n\t");
        put_index(&text, table, &table->indexes.items[i]);
        if (i == 0) put_foreign_keys(&text, view, table);
    }
    put_families(&text, table);
    put_checks(&text, table);
    buf_put_str(&text, "\n)");
    put_partitions(&text, table, primary, 0);
    if (primary->split_clause) buf_printf(&text, " %s", primary->split_clause);
    return finish(&text, arena);
}

static const char *create_view(const CatalogView *view, const ViewDesc *desc, Arena *arena)
{
    Buf text = {0};
    buf_put_str(&text, "CREATE VIEW ");
    put_qualified(&text, view, &desc->base);
    buf_put_str(&text, " (");
    for (int i = 0; i < desc->columns.count; i++) {
        buf_put_str(&text, i ? ",\n\t" : "\n\t");
        put_identifier(&text, desc->columns.items[i].name);
    }
    buf_printf(&text, "\n) AS %s", desc->query);
    return finish(&text, arena);
}

static const char *create_sequence(const CatalogView *view, const SequenceDesc *s, Arena *arena)
{
    Buf text = {0};
    buf_put_str(&text, "CREATE SEQUENCE ");
    put_qualified(&text, view, &s->base);
    buf_printf(&text, " MINVALUE %lld MAXVALUE %lld INCREMENT %lld START %lld", (long long)s->minimum,
               (long long)s->maximum, (long long)s->increment, (long long)s->start);
    if (s->cycle) buf_put_str(&text, " CYCLE");
    return finish(&text, arena);
}

const char *describe_create(const CatalogView *view, const Desc *desc, Arena *arena)
{
    switch (desc->kind) {
    case DESC_TABLE: return create_table(view, (const TableDesc *)desc, arena);
    case DESC_VIEW: return create_view(view, (const ViewDesc *)desc, arena);
    case DESC_SEQUENCE: return create_sequence(view, (const SequenceDesc *)desc, arena);
    case DESC_DATABASE:
    case DESC_SCHEMA:
    case DESC_TYPE:
    case DESC_ROLE: break;
    }
    return NULL;
}
