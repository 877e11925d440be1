/* Objects beside relations: databases, schemas, roles, sequences, comments, and the few fixed rows of
 * access methods, languages, tablespaces and collations. */
#include "executor/system/acl_text.h"
#include "executor/system/describe.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "planner/session.h"
#include "storage/catalog/extension.h"

enum { TABLESPACE_DEFAULT = 1663, TABLESPACE_GLOBAL = 1664, CLASS_PG_CLASS = 1259, CLASS_PG_AUTHID = 1260, CLASS_PG_DATABASE = 1262, CLASS_PG_TYPE = 1247, CLASS_PG_CONSTRAINT = 2606, CLASS_PG_NAMESPACE = 2615, CLASS_PG_EXTENSION = 3079 };

/* ---- pg_namespace, pg_database, pg_authid ---- */

/* desc NULL: built in. */
static Status namespace_row(SystemCtx *ctx, Oid oid, const char *name, const Desc *desc)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, oid);
    sys_text(&r, name);
    sys_int(&r, sys_role_oid(ctx, desc ? desc->owner : "postgres"));
    if (desc)
        TRY(sys_acl(&r, desc));
    else
        sys_null(&r);
    return sys_emit(&r);
}

static Status namespace_of(SystemCtx *ctx, const Desc *desc)
{
    return namespace_row(ctx, desc->id, desc->name, desc);
}

static Status fill_pg_namespace(SystemCtx *ctx)
{
    TRY(namespace_row(ctx, OID_PG_CATALOG_SCHEMA, "pg_catalog", NULL));
    TRY(namespace_row(ctx, OID_INFORMATION_SCHEMA, "information_schema", NULL));
    TRY(namespace_row(ctx, OID_CRDB_INTERNAL_SCHEMA, "crdb_internal", NULL));
    TRY(namespace_row(ctx, OID_ROWKEY_SCHEMA, "rowkey", NULL));
    return sys_each_desc(ctx, DESC_SCHEMA, ctx->fn.session->database_id, namespace_of);
}

static Status database_row(SystemCtx *ctx, const Desc *desc)
{
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->id);
    sys_text(&r, desc->name);
    sys_int(&r, sys_role_oid(ctx, desc->owner));
    sys_int(&r, 6); /* UTF8 */
    sys_char(&r, 'c');
    sys_bool(&r, false); /* datistemplate */
    sys_bool(&r, true);  /* datallowconn */
    sys_int(&r, -1);
    sys_int(&r, 0);
    sys_int(&r, 1);
    sys_int(&r, TABLESPACE_DEFAULT);
    sys_text(&r, "C.UTF-8");
    sys_text(&r, "C.UTF-8");
    sys_nulls(&r, 2);
    TRY(sys_acl(&r, desc));
    return sys_emit(&r);
}

static Status fill_pg_database(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_DATABASE, 0, database_row);
}

static Status sys_timestamp(SysRow *r, const char *text)
{
    Value v = VALUE_NULL;
    const TypeDef *type = type_find(OID_TIMESTAMPTZ);
    if (text) TRY(type->in(type, &r->ctx->fn.type, slice_of(text, strlen(text)), -1, &v));
    sys_value(r, v);
    return ST_OK;
}

static Status member_rows(SystemCtx *ctx, const Desc *desc)
{
    const RoleDesc *role = (const RoleDesc *)desc;
    for (int i = 0; i < role->member_of.count; i++) {
        const RoleMembership *m = &role->member_of.items[i];
        SysRow r = sys_begin(ctx);
        sys_int(&r, m->role);
        sys_int(&r, desc->id);
        sys_int(&r, m->grantor);
        sys_bool(&r, m->admin);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_auth_members(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_ROLE, 0, member_rows);
}

static Status role_row(SystemCtx *ctx, const Desc *desc)
{
    const RoleDesc *role = (const RoleDesc *)desc;
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->id);
    sys_text(&r, desc->name);
    sys_bool(&r, role->superuser);
    sys_bool(&r, !role->no_inherit);
    sys_bool(&r, role->create_role);
    sys_bool(&r, role->create_db);
    sys_bool(&r, role->login);
    sys_bool(&r, role->replication);
    sys_bool(&r, role->bypass_rls);
    sys_int(&r, role->connections_max - 1);
    sys_text(&r, session_is_superuser(ctx->fn.session) ? role->password : NULL); /* others are told of nobody's verifier */
    TRY(sys_timestamp(&r, role->valid_until));
    return sys_emit(&r);
}

static Status fill_pg_authid(SystemCtx *ctx)
{
    static const RoleDesc owner = {.base = {.kind = DESC_ROLE, .id = OID_ROLE_DATABASE_OWNER, .name = ROLE_DATABASE_OWNER}};
    TRY(role_row(ctx, &owner.base));
    return sys_each_desc(ctx, DESC_ROLE, 0, role_row);
}

static Status default_acl_rows(SystemCtx *ctx, const Desc *desc)
{
    const RoleDesc *role = (const RoleDesc *)desc;
    for (int i = 0; i < role->default_acls.count; i++) {
        const DefaultAcl *given = &role->default_acls.items[i];
        if (given->database != ctx->fn.session->database_id) continue;
        Value acl;
        TRY(acl_array(&ctx->fn.type, ctx->fn.session, &given->acl, &acl));
        if (acl.null) TRY(array_build(&ctx->fn.type, OID_ACLITEM, NULL, 0, &acl));
        char kind = given->kind == DESC_TABLE ? 'r' : given->kind == DESC_SEQUENCE ? 'S' : given->kind == DESC_TYPE ? 'T' : 'n';
        SysRow r = sys_begin(ctx);
        /* It has no id of its own: one made of those of the role and the schema does. */
        sys_int(&r, (int64_t)(((uint32_t)desc->id * 131071u + given->schema * 8u + given->kind) | 0x80000000u));
        sys_int(&r, desc->id);
        sys_int(&r, given->schema);
        sys_char(&r, kind);
        sys_value(&r, acl);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_default_acl(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_ROLE, 0, default_acl_rows);
}

/* ---- pg_sequence, pg_description ---- */

static Status sequence_row(SystemCtx *ctx, const Desc *desc)
{
    const SequenceDesc *s = (const SequenceDesc *)desc;
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->id);
    sys_int(&r, s->type);
    sys_int(&r, s->start);
    sys_int(&r, s->increment);
    sys_int(&r, s->maximum);
    sys_int(&r, s->minimum);
    sys_int(&r, s->cache);
    sys_bool(&r, s->cycle);
    return sys_emit(&r);
}

static Status fill_pg_sequence(SystemCtx *ctx)
{
    return sys_each_desc(ctx, DESC_SEQUENCE, ctx->fn.session->database_id, sequence_row);
}

static Status comment_row(SystemCtx *ctx, Oid object, Oid class, uint32_t part, const char *text)
{
    if (!text) return ST_OK;
    SysRow r = sys_begin(ctx);
    sys_int(&r, object);
    sys_int(&r, class);
    sys_int(&r, part);
    sys_text(&r, text);
    return sys_emit(&r);
}

static Status constraint_comments(SystemCtx *ctx, const TableDesc *table)
{
    for (int i = 0; i < table->checks.count; i++)
        TRY(comment_row(ctx, describe_constraint_id(table, table->checks.items[i].id), CLASS_PG_CONSTRAINT, 0, table->checks.items[i].comment));
    for (int i = 0; i < table->foreign_keys.count; i++)
        TRY(comment_row(ctx, describe_constraint_id(table, table->foreign_keys.items[i].id), CLASS_PG_CONSTRAINT, 0, table->foreign_keys.items[i].comment));
    return ST_OK;
}

static Status comments_of(SystemCtx *ctx, const SysRelation *relation)
{
    if (relation->system) return ST_OK;
    if (relation->index) {
        TRY(comment_row(ctx, relation->oid, CLASS_PG_CONSTRAINT, 0, relation->index->constraint_comment));
        return comment_row(ctx, relation->oid, CLASS_PG_CLASS, 0, relation->index->comment);
    }
    TRY(comment_row(ctx, relation->oid, CLASS_PG_CLASS, 0, relation->desc->comment));
    if (relation->desc->kind != DESC_TABLE) return ST_OK;
    const TableDesc *table = (const TableDesc *)relation->desc;
    for (int i = 0; i < table->columns.count; i++)
        TRY(comment_row(ctx, relation->oid, CLASS_PG_CLASS, table->columns.items[i].id, table->columns.items[i].comment));
    return constraint_comments(ctx, table);
}

static Status type_comments(SystemCtx *ctx, const Desc *desc)
{
    const TypeDesc *type = (const TypeDesc *)desc;
    TRY(comment_row(ctx, desc->id, CLASS_PG_TYPE, 0, desc->comment));
    for (int i = 0; i < type->checks.count; i++)
        TRY(comment_row(ctx, describe_domain_constraint_id(type, type->checks.items[i].id), CLASS_PG_CONSTRAINT, 0, type->checks.items[i].comment));
    return ST_OK;
}

static Status schema_comment(SystemCtx *ctx, const Desc *desc)
{
    const char *comment = !desc->comment && strcmp(desc->name, "public") == 0 ? "standard public schema" : desc->comment;
    return comment_row(ctx, desc->id, CLASS_PG_NAMESPACE, 0, comment);
}

static Status extension_comments(SystemCtx *ctx)
{
    const DatabaseDesc *database = (const DatabaseDesc *)catalog_find_id(sys_view(ctx), ctx->fn.session->database_id);
    for (int i = 0; i < extension_count(); i++) {
        const ExtensionDef *extension = extension_at(i);
        if (extension->always || extension_index(database, extension) >= 0)
            TRY(comment_row(ctx, extension->oid, CLASS_PG_EXTENSION, 0, extension->comment));
    }
    return ST_OK;
}

static Status fill_pg_description(SystemCtx *ctx)
{
    Value wanted;
    const IndexDesc *index;
    bool constraint = sys_wants(ctx, 0, &wanted) && wanted.i > INT32_MAX && !catalog_find_index_oid(sys_view(ctx), (Oid)wanted.i, &index);
    if (constraint) TRY(sys_each_table(ctx, -1, constraint_comments));
    TRY(extension_comments(ctx));
    TRY(sys_each_relation(ctx, 0, comments_of));
    TRY(sys_each_desc(ctx, DESC_TYPE, ctx->fn.session->database_id, type_comments));
    return sys_each_desc(ctx, DESC_SCHEMA, ctx->fn.session->database_id, schema_comment);
}

static Status shared_comment(SystemCtx *ctx, const Desc *desc)
{
    if (!desc->comment) return ST_OK;
    SysRow r = sys_begin(ctx);
    sys_int(&r, desc->id);
    sys_int(&r, desc->kind == DESC_ROLE ? CLASS_PG_AUTHID : CLASS_PG_DATABASE);
    sys_text(&r, desc->comment);
    return sys_emit(&r);
}

static Status fill_pg_shdescription(SystemCtx *ctx)
{
    TRY(sys_each_desc(ctx, DESC_DATABASE, 0, shared_comment));
    return sys_each_desc(ctx, DESC_ROLE, 0, shared_comment);
}

/* ---- fixed rows ---- */

static Status fill_pg_am(SystemCtx *ctx)
{
    static const struct {
        Oid oid;
        const char *name;
        char type;
    } rows[] = {{2, "heap", 't'}, {403, "btree", 'i'}, {9400, "lsm", 'i'}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SysRow r = sys_begin(ctx);
        sys_int(&r, rows[i].oid);
        sys_text(&r, rows[i].name);
        sys_int(&r, 0);
        sys_char(&r, rows[i].type);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_language(SystemCtx *ctx)
{
    static const struct {
        Oid oid;
        const char *name;
    } rows[] = {{12, "internal"}, {14, "sql"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SysRow r = sys_begin(ctx);
        sys_int(&r, rows[i].oid);
        sys_text(&r, rows[i].name);
        sys_int(&r, sys_role_oid(ctx, "postgres"));
        sys_bool(&r, false);
        sys_bool(&r, i == 1);
        for (int n = 0; n < 3; n++) sys_int(&r, 0);
        sys_null(&r);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_tablespace(SystemCtx *ctx)
{
    static const struct {
        Oid oid;
        const char *name;
    } rows[] = {{TABLESPACE_DEFAULT, "pg_default"}, {TABLESPACE_GLOBAL, "pg_global"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SysRow r = sys_begin(ctx);
        sys_int(&r, rows[i].oid);
        sys_text(&r, rows[i].name);
        sys_int(&r, sys_role_oid(ctx, "postgres"));
        sys_nulls(&r, 2);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_collation(SystemCtx *ctx)
{
    static const struct {
        Oid oid;
        const char *name;
        char provider;
    } rows[] = {{100, "default", 'd'}, {950, "C", 'c'}, {951, "POSIX", 'c'}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SysRow r = sys_begin(ctx);
        sys_int(&r, rows[i].oid);
        sys_text(&r, rows[i].name);
        sys_int(&r, OID_PG_CATALOG_SCHEMA);
        sys_int(&r, sys_role_oid(ctx, "postgres"));
        sys_char(&r, rows[i].provider);
        sys_bool(&r, true); /* collisdeterministic */
        sys_int(&r, -1);
        sys_text(&r, i ? rows[i].name : NULL);
        sys_text(&r, i ? rows[i].name : NULL);
        sys_nulls(&r, 2);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_object_rows[] = {
    {826, "pg_catalog", "pg_default_acl",
     "oid oid, defaclrole oid, defaclnamespace oid, defaclobjtype \"char\", defaclacl aclitem[]",
     fill_pg_default_acl, NULL, NULL},
    {2615, "pg_catalog", "pg_namespace",
     "oid oid, nspname name, nspowner oid, nspacl aclitem[]",
     fill_pg_namespace, NULL, NULL},
    {1262, "pg_catalog", "pg_database",
     "oid oid, datname name, datdba oid, encoding int4, datlocprovider \"char\", datistemplate bool, "
     "datallowconn bool, datconnlimit int4, datfrozenxid xid, datminmxid xid, dattablespace oid, "
     "datcollate text, datctype text, daticulocale text, datcollversion text, datacl aclitem[]",
     fill_pg_database, NULL, NULL},
    {1261, "pg_catalog", "pg_auth_members",
     "roleid oid, member oid, grantor oid, admin_option bool",
     fill_pg_auth_members, NULL, NULL},
    {1260, "pg_catalog", "pg_authid",
     "oid oid, rolname name, rolsuper bool, rolinherit bool, rolcreaterole bool, rolcreatedb bool, "
     "rolcanlogin bool, rolreplication bool, rolbypassrls bool, rolconnlimit int4, rolpassword text, "
     "rolvaliduntil timestamptz",
     fill_pg_authid, NULL, NULL},
    {2224, "pg_catalog", "pg_sequence",
     "seqrelid oid, seqtypid oid, seqstart int8, seqincrement int8, seqmax int8, seqmin int8, seqcache "
     "int8, seqcycle bool",
     fill_pg_sequence, NULL, NULL},
    {2396, "pg_catalog", "pg_shdescription",
     "objoid oid, classoid oid, description text",
     fill_pg_shdescription, NULL, NULL},
    {2609, "pg_catalog", "pg_description",
     "objoid oid, classoid oid, objsubid int4, description text",
     fill_pg_description, NULL, "objoid"},
    {2601, "pg_catalog", "pg_am",
     "oid oid, amname name, amhandler regproc, amtype \"char\"",
     fill_pg_am, NULL, NULL},
    {2612, "pg_catalog", "pg_language",
     "oid oid, lanname name, lanowner oid, lanispl bool, lanpltrusted bool, lanplcallfoid oid, laninline "
     "oid, lanvalidator oid, lanacl aclitem[]",
     fill_pg_language, NULL, NULL},
    {1213, "pg_catalog", "pg_tablespace",
     "oid oid, spcname name, spcowner oid, spcacl aclitem[], spcoptions text[]",
     fill_pg_tablespace, NULL, NULL},
    {3456, "pg_catalog", "pg_collation",
     "oid oid, collname name, collnamespace oid, collowner oid, collprovider \"char\", collisdeterministic "
     "bool, collencoding int4, collcollate text, collctype text, colliculocale text, collversion text",
     fill_pg_collation, NULL, NULL},
    {0},
};
