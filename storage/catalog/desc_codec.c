#include "storage/catalog/desc_codec.h"

#include <assert.h>

/* One description of each struct serves both directions: a Codec either appends what the fields hold, or fills them. */
typedef struct Codec {
    Buf *out; /* NULL: reading */
    const uint8_t *p, *end;
    Arena *arena;
    int version;
    bool failed;
} Codec;

static void put_varint(Buf *out, uint64_t v)
{
    while (v >= 0x80) {
        buf_put_u8(out, (uint8_t)(v | 0x80));
        v >>= 7;
    }
    buf_put_u8(out, (uint8_t)v);
}

static uint64_t get_varint(Codec *c)
{
    uint64_t v = 0;
    for (int shift = 0; shift < 64 && c->p < c->end; shift += 7) {
        uint8_t byte = *c->p++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return v;
    }
    c->failed = true;
    return 0;
}

static void codec_u64(Codec *c, uint64_t *v)
{
    if (c->out)
        put_varint(c->out, *v);
    else
        *v = get_varint(c);
}

static void codec_i64(Codec *c, int64_t *v)
{
    uint64_t zigzag = (uint64_t)*v << 1 ^ (uint64_t)(*v >> 63);
    codec_u64(c, &zigzag);
    if (!c->out) *v = (int64_t)(zigzag >> 1) ^ -(int64_t)(zigzag & 1);
}

static void codec_u32(Codec *c, uint32_t *v)
{
    uint64_t wide = *v;
    codec_u64(c, &wide);
    if (!c->out) *v = (uint32_t)wide;
}

static void codec_i32(Codec *c, int32_t *v)
{
    int64_t wide = *v;
    codec_i64(c, &wide);
    if (!c->out) *v = (int32_t)wide;
}

static void codec_bool(Codec *c, bool *v)
{
    uint64_t wide = *v;
    codec_u64(c, &wide);
    if (!c->out) *v = wide != 0;
}

/* Enums are ints to the compiler in use; a value beyond `last` is damage. */
#define CODEC_ENUM(c, field, last)                                                                                   \
    do {                                                                                                             \
        uint64_t wide_ = (uint64_t)(field);                                                                          \
        codec_u64((c), &wide_);                                                                                      \
        if (wide_ > (uint64_t)(last)) (c)->failed = true;                                                            \
        else if (!(c)->out) (field) = wide_;                                                                         \
    } while (0)

static void codec_bytes(Codec *c, const uint8_t **data, size_t *size, bool *is_null)
{
    uint64_t length = *is_null ? 0 : *size + 1;
    codec_u64(c, &length);
    if (c->out) {
        if (!*is_null) buf_put(c->out, *data, *size);
        return;
    }
    *is_null = length == 0;
    *size = length ? length - 1 : 0;
    *data = NULL;
    if (length == 0) return;
    if (*size > (size_t)(c->end - c->p)) {
        c->failed = true;
        *size = 0;
        return;
    }
    *data = (const uint8_t *)arena_strndup(c->arena, c->p, *size);
    c->p += *size;
}

static void codec_str(Codec *c, const char **text)
{
    const uint8_t *data = (const uint8_t *)*text;
    size_t size = *text ? strlen(*text) : 0;
    bool is_null = !*text;
    codec_bytes(c, &data, &size, &is_null);
    if (!c->out) *text = (const char *)data;
}

static void codec_slice(Codec *c, Slice *bytes)
{
    bool is_null = false;
    codec_bytes(c, &bytes->data, &bytes->size, &is_null);
}

/* A count, then each item. Every item takes a byte at least, which bounds what damage can make us allocate. */
#define CODEC_VEC(c, vec, item)                                                                                      \
    do {                                                                                                             \
        uint64_t count_ = (uint64_t)(vec).count;                                                                     \
        codec_u64((c), &count_);                                                                                     \
        if (!(c)->out) {                                                                                             \
            if (count_ > (uint64_t)((c)->end - (c)->p)) {                                                            \
                (c)->failed = true;                                                                                  \
                count_ = 0;                                                                                          \
            }                                                                                                        \
            (vec).items = count_ ? arena_alloc((c)->arena, sizeof *(vec).items * count_) : NULL;                     \
            (vec).count = (vec).capacity = (int)count_;                                                              \
        }                                                                                                            \
        for (uint64_t i_ = 0; i_ < count_ && !(c)->failed; i_++) item((c), &(vec).items[i_]);                        \
    } while (0)

static void codec_base(Codec *c, Desc *d)
{
    codec_u32(c, &d->id);
    codec_u32(c, &d->parent_database);
    codec_u32(c, &d->parent_schema);
    codec_u64(c, &d->version);
    codec_str(c, &d->name);
    codec_str(c, &d->owner);
    codec_str(c, &d->comment);
    if (!d->name) c->failed = true;
}

static void codec_acl_item(Codec *c, AclItem *item)
{
    codec_u32(c, &item->grantee);
    codec_u32(c, &item->grantor);
    codec_u32(c, &item->privileges);
    codec_u32(c, &item->grantable);
}

static void codec_base_acl(Codec *c, Desc *d)
{
    if (c->version < 4) return;
    codec_bool(c, &d->acl_given);
    CODEC_VEC(c, d->acl, codec_acl_item);
}

static void codec_type_ref(Codec *c, TypeRef *type)
{
    codec_u32(c, &type->oid);
    codec_i32(c, &type->typmod);
    if (c->version >= 6) codec_u32(c, &type->domain);
}

static void codec_column(Codec *c, ColumnDesc *column)
{
    codec_u32(c, &column->id);
    codec_str(c, &column->name);
    codec_type_ref(c, &column->type);
    codec_bool(c, &column->not_null);
    codec_bool(c, &column->hidden);
    codec_str(c, &column->default_expr);
    codec_str(c, &column->absent_text);
    CODEC_ENUM(c, column->computed, COMPUTED_STORED);
    codec_str(c, &column->computed_expr);
    CODEC_ENUM(c, column->role, COLUMN_EXPRESSION);
    codec_i32(c, &column->bucket_count);
    CODEC_VEC(c, column->hashed_columns, codec_i32);
    CODEC_ENUM(c, column->identity, IDENTITY_BY_DEFAULT);
    codec_u32(c, &column->sequence_id);
    codec_u32(c, &column->family);
    codec_str(c, &column->comment);
    if (c->version >= 4) CODEC_VEC(c, column->acl, codec_acl_item);
    if (!column->name) c->failed = true;
}

static void codec_index_column(Codec *c, IndexColumn *column)
{
    codec_u32(c, &column->column_id);
    codec_bool(c, &column->descending);
    codec_bool(c, &column->nulls_first);
    codec_bool(c, &column->implicit);
    codec_bool(c, &column->hash_mode);
    if (c->version >= 6) codec_str(c, &column->opclass);
}

/* Sub-partitions nest as deep as the statement's parentheses did; the bound is the parser's. */
static void codec_partition(Codec *c, PartitionDesc *partition)
{
    codec_str(c, &partition->name);
    codec_bool(c, &partition->is_list);
    codec_bool(c, &partition->is_default);
    CODEC_VEC(c, partition->values, codec_str);
    CODEC_VEC(c, partition->children, codec_partition);
    codec_i32(c, &partition->child_columns);
}

static void codec_index(Codec *c, IndexDesc *index)
{
    codec_u32(c, &index->id);
    codec_str(c, &index->name);
    codec_bool(c, &index->unique);
    codec_bool(c, &index->primary);
    codec_bool(c, &index->is_constraint);
    CODEC_ENUM(c, index->state, INDEX_WRITE_ONLY);
    CODEC_VEC(c, index->columns, codec_index_column);
    CODEC_VEC(c, index->suffix, codec_i32);
    CODEC_VEC(c, index->stored, codec_i32);
    codec_str(c, &index->predicate);
    codec_i32(c, &index->bucket_count);
    codec_bool(c, &index->legacy_hash_syntax);
    codec_bool(c, &index->nulls_not_distinct);
    codec_str(c, &index->split_clause);
    codec_i32(c, &index->partition_columns);
    CODEC_VEC(c, index->partitions, codec_partition);
    codec_str(c, &index->comment);
    if (c->version >= 2) {
        codec_bool(c, &index->deferrable);
        codec_bool(c, &index->initially_deferred);
    }
    if (c->version >= 3) codec_bool(c, &index->logical_primary);
    if (c->version >= 6) codec_str(c, &index->constraint_comment);
    if (!index->name) c->failed = true;
}

static void codec_check(Codec *c, CheckDesc *check)
{
    codec_u32(c, &check->id);
    codec_str(c, &check->name);
    codec_str(c, &check->expr);
    codec_bool(c, &check->hidden);
    codec_bool(c, &check->validated);
    if (c->version >= 2) codec_bool(c, &check->no_inherit);
    if (c->version >= 6) codec_str(c, &check->comment);
    if (!check->name || !check->expr) c->failed = true;
}

static void codec_foreign_key(Codec *c, ForeignKeyDesc *key)
{
    codec_u32(c, &key->id);
    codec_str(c, &key->name);
    CODEC_VEC(c, key->columns, codec_i32);
    codec_u32(c, &key->referenced_table);
    CODEC_VEC(c, key->referenced_columns, codec_i32);
    CODEC_ENUM(c, key->on_delete, FK_SET_DEFAULT);
    CODEC_ENUM(c, key->on_update, FK_SET_DEFAULT);
    codec_bool(c, &key->match_full);
    codec_bool(c, &key->deferrable);
    codec_bool(c, &key->initially_deferred);
    codec_bool(c, &key->validated);
    if (c->version >= 2) CODEC_VEC(c, key->on_delete_columns, codec_i32);
    if (c->version >= 6) codec_str(c, &key->comment);
}

static void codec_family(Codec *c, FamilyDesc *family)
{
    codec_u32(c, &family->id);
    codec_str(c, &family->name);
}

static void codec_table(Codec *c, TableDesc *table)
{
    CODEC_VEC(c, table->columns, codec_column);
    CODEC_VEC(c, table->indexes, codec_index);
    CODEC_VEC(c, table->checks, codec_check);
    CODEC_VEC(c, table->foreign_keys, codec_foreign_key);
    CODEC_VEC(c, table->families, codec_family);
    codec_u32(c, &table->next_column_id);
    codec_u32(c, &table->next_index_id);
    codec_u32(c, &table->next_constraint_id);
    codec_u32(c, &table->next_family_id);
    codec_i64(c, &table->range_max_bytes);
    codec_bool(c, &table->temporary);
    if (c->version >= 5) CODEC_ENUM(c, table->on_commit, ON_COMMIT_DROP);
    if (c->version < 6) return;
    codec_str(c, &table->view_query);
    codec_bool(c, &table->populated);
    CODEC_VEC(c, table->depends_on, codec_i32);
}

static void codec_view(Codec *c, ViewDesc *view)
{
    codec_str(c, &view->query);
    CODEC_VEC(c, view->columns, codec_column);
    codec_bool(c, &view->materialized);
    CODEC_VEC(c, view->depends_on, codec_i32);
    if (c->version >= 6) CODEC_ENUM(c, view->check_option, VIEW_CHECK_CASCADED);
}

static void codec_sequence(Codec *c, SequenceDesc *sequence)
{
    codec_u32(c, &sequence->type);
    codec_i64(c, &sequence->start);
    codec_i64(c, &sequence->increment);
    codec_i64(c, &sequence->minimum);
    codec_i64(c, &sequence->maximum);
    codec_i64(c, &sequence->cache);
    codec_bool(c, &sequence->cycle);
    codec_u32(c, &sequence->owner_table);
    codec_u32(c, &sequence->owner_column);
}

static void codec_label(Codec *c, EnumLabel *label)
{
    codec_str(c, &label->label);
    codec_slice(c, &label->physical);
    codec_u32(c, &label->oid);
    codec_i64(c, &label->order);
}

static void codec_type(Codec *c, TypeDesc *type)
{
    codec_u32(c, &type->array_oid);
    CODEC_VEC(c, type->labels, codec_label);
    if (c->version < 6) return;
    CODEC_ENUM(c, type->form, TYPE_DOMAIN);
    codec_type_ref(c, &type->of);
    codec_bool(c, &type->not_null);
    codec_str(c, &type->default_expr);
    CODEC_VEC(c, type->checks, codec_check);
    codec_u32(c, &type->next_constraint_id);
}

static void codec_membership(Codec *c, RoleMembership *membership)
{
    codec_u32(c, &membership->role);
    codec_u32(c, &membership->grantor);
    codec_bool(c, &membership->admin);
}

static void codec_default_acl(Codec *c, DefaultAcl *given)
{
    codec_u32(c, &given->database);
    codec_u32(c, &given->schema);
    CODEC_ENUM(c, given->kind, DESC_ROLE);
    CODEC_VEC(c, given->acl, codec_acl_item);
}

static void codec_database_settings(Codec *c, DatabaseSettings *given)
{
    codec_u32(c, &given->database);
    CODEC_VEC(c, given->settings, codec_str);
}

static void codec_role(Codec *c, RoleDesc *role)
{
    codec_bool(c, &role->superuser);
    codec_bool(c, &role->login);
    codec_bool(c, &role->create_db);
    codec_bool(c, &role->create_role);
    codec_str(c, &role->password);
    if (c->version < 4) return;
    codec_bool(c, &role->no_inherit);
    codec_bool(c, &role->replication);
    codec_bool(c, &role->bypass_rls);
    codec_str(c, &role->valid_until);
    codec_i32(c, &role->connections_max);
    CODEC_VEC(c, role->member_of, codec_membership);
    CODEC_VEC(c, role->settings, codec_str);
    if (c->version < 5) return;
    CODEC_VEC(c, role->database_settings, codec_database_settings);
    CODEC_VEC(c, role->default_acls, codec_default_acl);
}

static void codec_database(Codec *c, DatabaseDesc *database)
{
    if (c->version >= 5) CODEC_VEC(c, database->settings, codec_str);
    if (c->version >= 7) CODEC_VEC(c, database->extensions, codec_str);
}

typedef union AnyDesc {
    Desc base;
    TableDesc table;
    ViewDesc view;
    SequenceDesc sequence;
    TypeDesc type;
    RoleDesc role;
    DatabaseDesc database;
} AnyDesc;

static size_t desc_size(DescKind kind)
{
    switch (kind) {
    case DESC_DATABASE: return sizeof(DatabaseDesc);
    case DESC_SCHEMA: return sizeof(SchemaDesc);
    case DESC_TABLE: return sizeof(TableDesc);
    case DESC_VIEW: return sizeof(ViewDesc);
    case DESC_SEQUENCE: return sizeof(SequenceDesc);
    case DESC_TYPE: return sizeof(TypeDesc);
    case DESC_ROLE: return sizeof(RoleDesc);
    }
    return 0;
}

static void codec_desc(Codec *c, AnyDesc *any)
{
    codec_base(c, &any->base);
    switch (any->base.kind) {
    case DESC_DATABASE: codec_database(c, &any->database); break;
    case DESC_SCHEMA: break;
    case DESC_TABLE: codec_table(c, &any->table); break;
    case DESC_VIEW: codec_view(c, &any->view); break;
    case DESC_SEQUENCE: codec_sequence(c, &any->sequence); break;
    case DESC_TYPE: codec_type(c, &any->type); break;
    case DESC_ROLE: codec_role(c, &any->role); break;
    }
    codec_base_acl(c, &any->base);
}

void desc_encode(const Desc *desc, Buf *out)
{
    AnyDesc any;
    memcpy(&any, desc, desc_size(desc->kind));
    buf_put_u8(out, DESC_CODEC_VERSION);
    buf_put_u8(out, (uint8_t)desc->kind);
    Codec c = {.out = out, .version = DESC_CODEC_VERSION};
    codec_desc(&c, &any);
    assert(!c.failed);
}

static Status damaged(Error *err)
{
    *err = (Error){.sqlstate = ERR_DATA_CORRUPTED, .message = "a catalog record cannot be read"};
    return ST_ERROR;
}

Status desc_decode(Slice bytes, Arena *arena, Desc **desc, Error *err)
{
    if (bytes.size < 2 || bytes.data[0] < 1 || bytes.data[0] > DESC_CODEC_VERSION || bytes.data[1] > DESC_ROLE)
        return damaged(err);
    AnyDesc any = {.base.kind = bytes.data[1]};
    Codec c = {.p = bytes.data + 2, .end = bytes.data + bytes.size, .arena = arena, .version = bytes.data[0]};
    codec_desc(&c, &any);
    if (c.failed || c.p != c.end) return damaged(err);
    *desc = arena_copy(arena, &any, desc_size(any.base.kind));
    return ST_OK;
}

/* ---- statistics ---- */

static void codec_double(Codec *c, double *v)
{
    uint64_t bits;
    memcpy(&bits, v, sizeof bits);
    codec_u64(c, &bits);
    memcpy(v, &bits, sizeof bits);
}

static void codec_int_value(Codec *c, Value *v)
{
    codec_i64(c, &v->i);
}

static void codec_float_value(Codec *c, Value *v)
{
    codec_double(c, &v->f);
}

static void codec_bytes_value(Codec *c, Value *v)
{
    Slice bytes = c->out ? value_to_slice(*v) : (Slice){0};
    codec_slice(c, &bytes);
    if (!c->out) *v = value_slice(bytes);
}

static void codec_column_stats(Codec *c, ColumnStats *stats, TypeRep rep)
{
    codec_u32(c, &stats->column_id);
    codec_double(c, &stats->distinct);
    codec_double(c, &stats->null_fraction);
    CODEC_ENUM(c, rep, REP_BYTES);
    void (*codec_value)(Codec *, Value *) = rep == REP_INT     ? codec_int_value
                                            : rep == REP_FLOAT ? codec_float_value
                                                               : codec_bytes_value;
    CODEC_VEC(c, stats->histogram, codec_value);
    CODEC_VEC(c, stats->common, codec_value);
    CODEC_VEC(c, stats->common_fraction, codec_double);
}

static void codec_stats(Codec *c, TableStats *stats, const TypeRep *reps)
{
    codec_i64(c, &stats->row_count);
    codec_i64(c, &stats->bytes);
    codec_i64(c, &stats->analyzed_at_us);
    uint32_t count = (uint32_t)stats->columns.count;
    codec_u32(c, &count);
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        ColumnStats column = {0};
        if (c->out) column = stats->columns.items[i];
        codec_column_stats(c, &column, reps ? reps[i] : REP_INT);
        if (!c->out) VEC_PUSH(c->arena, stats->columns, column);
    }
}

void stats_encode(const TableStats *stats, const TypeRep *reps, Buf *out)
{
    TableStats copy = *stats;
    buf_put_u8(out, DESC_CODEC_VERSION);
    Codec c = {.out = out, .version = DESC_CODEC_VERSION};
    codec_stats(&c, &copy, reps);
}

Status stats_decode(Slice bytes, Arena *arena, TableStats **stats, Error *err)
{
    if (bytes.size < 1 || bytes.data[0] < 1 || bytes.data[0] > DESC_CODEC_VERSION) return damaged(err);
    *stats = ARENA_NEW(arena, TableStats);
    Codec c = {.p = bytes.data + 1, .end = bytes.data + bytes.size, .arena = arena, .version = bytes.data[0]};
    codec_stats(&c, *stats, NULL);
    return c.failed || c.p != c.end ? damaged(err) : ST_OK;
}
