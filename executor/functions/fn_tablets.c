/* fn_tablets.c - YugabyteDB's questions about the tablets of a relation, answered from the ranges of its index. */
#include "executor/ddl/ddl.h"
#include "executor/functions/families.h"
#include "executor/functions/quote.h"
#include "executor/locality.h"
#include "planner/session.h"
#include "storage/keys/key_column.h"
#include "storage/keys/row_key.h"
#include "storage/range/range.h"

/* A table by its primary index, or an index by itself. index NULL: a relation without keys, as a view is. */
typedef struct Relation {
    Oid oid;
    const TableDesc *table;
    const IndexDesc *index;
    Slice start, end; /* of the index's keys */
} Relation;

static Status find_relation(FnCtx *ctx, Value oid, Relation *relation)
{
    const CatalogView *view = ctx->session->catalog;
    const Desc *desc = catalog_find_id(view, (DescId)oid.i);
    *relation = (Relation){.oid = (Oid)oid.i};
    if (desc && desc->kind == DESC_TABLE) {
        relation->table = (const TableDesc *)desc;
        relation->index = table_primary(relation->table);
    } else if (!desc) {
        relation->table = catalog_find_index_oid(view, relation->oid, &relation->index);
        if (!relation->table && !catalog_find_system_oid(view, relation->oid))
            return err_set(ctx->type.err, ctx->type.arena, ERR_UNDEFINED_TABLE, "relation with OID %u does not exist",
                           relation->oid);
    }
    if (!relation->index) return ST_OK;
    Buf key = {0};
    row_key_index_prefix(relation->table->base.id, relation->index->id, &key);
    relation->start = arena_slice(ctx->type.arena, buf_slice(&key));
    buf_clear(&key);
    row_key_prefix_end(relation->start, &key);
    relation->end = arena_slice(ctx->type.arena, buf_slice(&key));
    bool failed = key.failed;
    buf_finish(&key);
    ddl_settle_boundaries(ctx->session);
    return failed ? err_no_memory(ctx->type.err) : ST_OK;
}

static const ColumnDesc *key_column_desc(const Relation *relation, int i)
{
    int ordinal = table_column_by_id(relation->table, relation->index->columns.items[i].column_id);
    return &relation->table->columns.items[ordinal];
}

/* ---- yb_table_properties ---- */

typedef struct Properties {
    Relation relation;
    bool done;
} Properties;

static Status properties_start(FnCtx *ctx, void *state, const Value *args)
{
    return find_relation(ctx, args[0], &((Properties *)state)->relation);
}

static Status properties_next(FnCtx *ctx, void *state, Value *out)
{
    Properties *p = state;
    const Relation *r = &p->relation;
    if (p->done) return ST_END;
    p->done = true;
    for (int i = 0; i < 5; i++) out[i] = VALUE_NULL;
    if (!r->index) return ST_OK;
    int hashed = 0;
    for (int i = 0; i < r->index->columns.count; i++) hashed += r->index->columns.items[i].hash_mode;
    out[0] = value_int(directory_count(store_directory(txn_store(ctx->txn)), r->start, r->end));
    out[1] = value_int(hashed);
    out[2] = value_bool(false); /* every table and index has ranges of its own */
    return ST_OK;
}

static const FnRows properties_rows = {sizeof(Properties), properties_start, properties_next,
                                       "num_tablets int8, num_hash_key_columns int8, is_colocated bool, "
                                       "tablegroup_oid oid, colocation_id oid"};

/* ---- yb_get_range_split_clause ---- */

/* Keys of rows are declared columns that a SPLIT AT could name: no hash code or bucket in front, no hidden row id. */
static bool is_range_partitioned(const Relation *relation)
{
    return !relation->index->columns.items[0].implicit && key_column_desc(relation, 0)->role != COLUMN_ROWID;
}

static void put_literal(const TypeDef *type, const TypeEnv *env, Value value, Buf *out)
{
    Buf text = {0};
    type->out(type, env, value, &text);
    if (type->oid == OID_BOOL)
        buf_put_str(out, value.i ? "true" : "false");
    else if (type->category == 'N' && text.size && strchr("-0123456789", text.data[0]))
        buf_put_slice(out, buf_slice(&text));
    else
        quote_string(buf_slice(&text), out);
    out->failed = out->failed || text.failed;
    buf_finish(&text);
}

/* Appends (1, 'a', MINVALUE). `rest` is written for the columns that the key does not reach. false: it has no such form. */
static bool put_point(FnCtx *ctx, const Relation *relation, Slice key, const char *rest, Buf *out)
{
    for (int i = 0; i < relation->index->columns.count; i++) {
        const ColumnDesc *desc = key_column_desc(relation, i);
        KeyColumn column = key_column(desc->type, relation->index->columns.items[i].descending);
        const TypeDef *type = type_find(desc->type.oid);
        Value value;
        buf_put_str(out, i ? ", " : "(");
        if (!key.size) {
            buf_put_str(out, rest);
            continue;
        }
        if (!type || !key_column_decode(&column, &key, ctx->type.arena, &value) || value.null) return false;
        put_literal(type, ctx->type.env, value, out);
    }
    buf_put_str(out, ")");
    return true;
}

/* The point of a range's start. One that was asked for with MAXVALUE lies behind all keys that start with its values: its
 * last byte is one more than theirs. */
static bool point_text(FnCtx *ctx, const Relation *relation, Slice start, Slice *text)
{
    Slice key = slice_of(start.data + relation->start.size, start.size - relation->start.size);
    Buf out = {0};
    bool good = put_point(ctx, relation, key, "MINVALUE", &out);
    if (!good) {
        uint8_t *bytes = arena_copy(ctx->type.arena, key.data, key.size);
        bytes[key.size - 1]--;
        buf_clear(&out);
        good = put_point(ctx, relation, slice_of(bytes, key.size), "MAXVALUE", &out);
    }
    *text = arena_slice(ctx->type.arena, buf_slice(&out));
    good = good && !out.failed;
    buf_finish(&out);
    return good;
}

/* What cannot be said as a clause - NULL in a point, two rows that differ only behind the declared key - is no clause. */
static Status split_clause(FnCtx *ctx, const Relation *relation, Buf *out)
{
    RangeDesc *ranges;
    Slice last = {0}, text;
    int count = directory_list(store_directory(txn_store(ctx->txn)), relation->start, relation->end, &ranges, ctx->type.arena);
    for (int i = 0; i < count; i++) {
        if (slice_compare(ranges[i].start, relation->start) <= 0) continue;
        bool good = point_text(ctx, relation, ranges[i].start, &text);
        bool again = good && last.size && slice_equal(text, last);
        if (again)
            session_notice(ctx->session, "WARNING", ERR_WARNING,
                           "duplicate split points in SPLIT AT VALUES clause of relation with oid %u", relation->oid);
        if (!good || again) {
            buf_clear(out);
            return ST_OK;
        }
        buf_put_str(out, last.size ? ", " : "SPLIT AT VALUES (");
        buf_put_slice(out, text);
        last = text;
    }
    if (last.size) buf_put_str(out, ")");
    return ST_OK;
}

static Status yb_get_range_split_clause(FnCtx *ctx, const Value *args, Value *out)
{
    Relation relation;
    TRY(find_relation(ctx, args[0], &relation));
    *out = VALUE_NULL;
    if (!relation.index || !is_range_partitioned(&relation)) {
        session_notice(ctx->session, "NOTICE", ERR_SUCCESSFUL_COMPLETION, "relation with oid %u is not %s", relation.oid,
                       relation.index ? "range-partitioned" : "backed by YB");
        return ST_OK;
    }
    Buf text = {0};
    Status st = split_clause(ctx, &relation, &text);
    if (st == ST_OK && text.failed) st = err_no_memory(ctx->type.err);
    if (st == ST_OK) *out = value_slice(buf_to_arena(&text, ctx->type.arena));
    buf_finish(&text);
    return st;
}

/* ---- where the server is: the first node, of those that are simulated ---- */

static const Server *server_of(const FnCtx *ctx)
{
    return state_of(ctx->session)->server;
}

static Value tier_of_node(FnCtx *ctx, int node, const char *tier)
{
    const char *text = locality_of_tier(server_of(ctx), node, tier, ctx->type.arena);
    return text ? value_str(text) : VALUE_NULL;
}

static Status yb_server_region(FnCtx *ctx, const Value *args, Value *out)
{
    *out = tier_of_node(ctx, 1, "region");
    return ST_OK;
}

static Status yb_server_zone(FnCtx *ctx, const Value *args, Value *out)
{
    *out = tier_of_node(ctx, 1, "zone");
    return ST_OK;
}

static Status yb_server_cloud(FnCtx *ctx, const Value *args, Value *out)
{
    *out = tier_of_node(ctx, 1, "cloud");
    return ST_OK;
}

static Status yb_is_local_table(FnCtx *ctx, const Value *args, Value *out)
{
    Relation relation;
    TRY(find_relation(ctx, args[0], &relation));
    *out = value_bool(true); /* there are no tablespaces that could be elsewhere */
    return ST_OK;
}

static Status yb_is_database_colocated(FnCtx *ctx, const Value *args, Value *out)
{
    *out = value_bool(false);
    return ST_OK;
}

typedef struct Servers {
    int next, count;
} Servers;

static Status servers_start(FnCtx *ctx, void *state, const Value *args)
{
    *(Servers *)state = (Servers){1, directory_node_count(store_directory(txn_store(ctx->txn)))};
    return ST_OK;
}

/* All sessions are the first node's. */
static int64_t count_sessions(const FnCtx *ctx)
{
    Server *server = state_of(ctx->session)->server;
    int64_t count = 0;
    pthread_mutex_lock(&server->sessions_lock);
    for (const SessionState *s = server->sessions; s; s = s->next) count++;
    pthread_mutex_unlock(&server->sessions_lock);
    return count;
}

static Status servers_next(FnCtx *ctx, void *state, Value *out)
{
    Servers *servers = state;
    if (servers->next > servers->count) return ST_END;
    int node = servers->next++;
    out[0] = value_str(servers->count > 1 ? arena_printf(ctx->type.arena, "n%d (simulated)", node) : "127.0.0.1");
    out[1] = value_int(5433);
    out[2] = value_int(node == 1 ? count_sessions(ctx) : 0);
    out[3] = value_str("primary");
    out[4] = tier_of_node(ctx, node, "cloud");
    out[5] = tier_of_node(ctx, node, "region");
    out[6] = tier_of_node(ctx, node, "zone");
    out[7] = value_str("");
    out[8] = value_str(arena_printf(ctx->type.arena, "%032x", (unsigned)node));
    return ST_OK;
}

static const FnRows servers_rows = {sizeof(Servers), servers_start, servers_next,
                                    "host text, port int8, num_connections int8, node_type text, cloud text, region text, "
                                    "zone text, public_ip text, uuid text"};

/* clang-format off */
const FuncDef fn_tablets_rows[] = {
    { 9053, "yb_table_properties", "regclass", "record", FN_STABLE | FN_SET | FN_STRICT, NULL, NULL, &properties_rows },
    { 9054, "yb_get_range_split_clause", "oid", "text", FN_STABLE | FN_STRICT, yb_get_range_split_clause },
    { 9055, "yb_is_local_table", "oid", "bool", FN_STABLE | FN_STRICT, yb_is_local_table },
    { 9056, "yb_is_database_colocated", "", "bool", FN_STABLE, yb_is_database_colocated },
    { 9057, "yb_server_region", "", "text", FN_STABLE, yb_server_region },
    { 9058, "yb_server_zone", "", "text", FN_STABLE, yb_server_zone },
    { 9059, "yb_server_cloud", "", "text", FN_STABLE, yb_server_cloud },
    { 9062, "yb_servers", "", "record", FN_STABLE | FN_SET, NULL, NULL, &servers_rows },
    { 0 }
};
/* clang-format on */
