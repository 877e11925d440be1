/* bind_ddl_advice.c - NOTICE about an index whose keys come in order, so that all inserts go to one end of it. */
#include <ctype.h>

#include "planner/bind/bind_ddl.h"
#include "planner/settings.h"

/* What a DEFAULT must call for its values to come in order, and how that is said. */
static const struct OrderedSource {
    const char *function, *says;
} ordered_sources[] = {
    {"nextval", "comes from a sequence"},
    {"unique_rowid", "comes from unique_rowid(), which grows with time"},
    {"now", "defaults to the time of the insert"},
    {"current_timestamp", "defaults to the time of the insert"},
    {"localtimestamp", "defaults to the time of the insert"},
    {"transaction_timestamp", "defaults to the time of the insert"},
    {"statement_timestamp", "defaults to the time of the insert"},
    {"clock_timestamp", "defaults to the time of the insert"},
    {"current_date", "defaults to the day of the insert"},
    {"cluster_logical_timestamp", "defaults to the time of the insert"},
    {"uuidv7", "comes from uuidv7(), which grows with time"},
    {"uuid_generate_v7", "comes from uuid_generate_v7(), which grows with time"},
    {"gen_random_ulid", "comes from gen_random_ulid(), which grows with time"},
};

const char *ddl_called_function(Binder *b, const char *expr, bool *bare)
{
    while (*expr == '(' || *expr == ' ') expr++;
    size_t size = 0;
    while (isalnum((unsigned char)expr[size]) || expr[size] == '_' || expr[size] == '.') size++;
    const char *end = strchr(expr, ')');
    *bare = expr[size] == '\0' || (expr[size] == '(' && end && end[1] == '\0' && !memchr(expr + size + 1, '(', (size_t)(end - expr) - size - 1));
    char *name = arena_strndup(b->arena, expr, size);
    for (char *p = name; *p; p++) *p = (char)tolower((unsigned char)*p);
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* NULL: the column's values come in no order that is known. */
static const char *order_of(Binder *b, const ColumnDesc *column)
{
    if (column->role != COLUMN_USER) return NULL;
    if (column->identity != IDENTITY_NONE) return "is an identity column";
    if (!column->default_expr) return NULL;
    bool bare;
    const char *function = ddl_called_function(b, column->default_expr, &bare);
    for (size_t i = 0; i < sizeof ordered_sources / sizeof *ordered_sources; i++)
        if (strcmp(function, ordered_sources[i].function) == 0) return ordered_sources[i].says;
    return NULL;
}

/* "ts, id DESC", or "ts HASH, id DESC". */
static const char *key_text(TableDraft *d, const IndexDesc *index, bool hash)
{
    Binder *b = d->b;
    const char *text = "";
    for (int i = 0; i < index->columns.count; i++) {
        const IndexColumn *key = &index->columns.items[i];
        const ColumnDesc *column = &d->table->columns.items[table_column_by_id(d->table, key->column_id)];
        const char *name = column->role == COLUMN_EXPRESSION ? arena_printf(b->arena, "(%s)", column->computed_expr)
                                                             : ddl_quoted(b, column->name);
        const char *mode = hash && i == 0 ? " HASH" : key->descending ? " DESC" : "";
        text = arena_printf(b->arena, "%s%s%s%s", text, i ? ", " : "", name, mode);
    }
    return text;
}

/* The two statements that would spread the keys. */
static const char *ways_out(TableDraft *d, const IndexDesc *index, const ColumnDesc *column)
{
    Binder *b = d->b;
    const char *table = ddl_quoted(b, d->table->base.name), *name = ddl_quoted(b, column->name);
    const char *unique = index->unique ? "UNIQUE " : "";
    if (!index->primary)
        return arena_printf(b->arena, "CREATE %sINDEX ON %s (%s) USING HASH, or CREATE %sINDEX ON %s (%s)", unique, table,
                            key_text(d, index, false), unique, table, key_text(d, index, true));
    const TypeDef *type = type_find(column->type.oid);
    bool is_time = type && type->category == 'D';
    const char *other = is_time ? arena_printf(b->arena, "CREATE TABLE %s (..., PRIMARY KEY (%s))", table, key_text(d, index, true))
                                : arena_printf(b->arena, "CREATE TABLE %s (%s UUID DEFAULT gen_random_uuid() ...)", table, name);
    return arena_printf(b->arena, "CREATE TABLE %s (..., PRIMARY KEY (%s) USING HASH), or %s", table,
                        key_text(d, index, false), other);
}

static const char *price(TableDraft *d, const IndexDesc *index, const ColumnDesc *column)
{
    Binder *b = d->b;
    const TypeDef *type = type_find(column->type.oid);
    long long buckets = (long long)setting_int(b->session->settings, SETTING_default_hash_sharded_index_bucket_count);
    const char *other = !index->primary || (type && type->category == 'D')
                            ? "With HASH reads of one key cost the same, and ordered reads read all keys and sort them."
                            : "With random keys reads of one key cost the same, and the order of the inserts is lost.";
    return arena_printf(b->arena,
                        "USING HASH spreads them over %lld buckets: reads of one key cost the same, ordered reads merge "
                        "%lld streams. %s",
                        buckets, buckets, other);
}

void ddl_advise(TableDraft *d, const IndexDesc *index)
{
    Binder *b = d->b;
    const IndexColumn *first = &index->columns.items[0];
    if (!setting_bool(b->session->settings, SETTING_rowkey_advice) || index->columns.count == 0 || first->implicit) return;
    const ColumnDesc *column = &d->table->columns.items[table_column_by_id(d->table, first->column_id)];
    const char *says = order_of(b, column);
    if (!says) return;
    DdlNotice notice = {.code = ERR_SUCCESSFUL_COMPLETION};
    notice.text = arena_printf(b->arena, "all inserts into index \"%s\" go to its %s range: \"%s\" %s", index->name,
                               first->descending ? "first" : "last", column->name, says);
    notice.detail = price(d, index, column);
    notice.hint = arena_printf(b->arena, "%s. SET rowkey.advice = off turns this off.", ways_out(d, index, column));
    VEC_PUSH(b->arena, d->notices, notice);
}
