/* pg_type and pg_proc: the registries of types and functions as rows. */
#include "executor/system/acl_text.h"
#include "executor/system/describe.h"
#include "executor/system/static_rows.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"
#include "storage/types/type_enum.h"
#include "storage/types/type_user.h"

/* ---- pg_type ---- */

static char type_kind(const TypeDef *type)
{
    if (type->category == 'P') return 'p';
    return type->category == 'E' ? 'e' : 'b';
}

/* input, output, receive and send of enums, of citext and of their arrays; others are among the static rows. */
static const Oid *io_functions(const TypeDef *type)
{
    static const Oid of_enum[4] = {3506, 3507, 3532, 3533}, of_array[4] = {750, 751, 2400, 2401}, none[4] = {0};
    static const Oid of_text[4] = {46, 47, 2414, 2415};
    if (type->category == 'S') return of_text;
    return type_is_enum(type) ? of_enum : type_is_array(type) ? of_array : none;
}

/* What a domain has beside what its base type gives it. */
static void domain_io(const TypeDesc *domain, Oid io[4])
{
    const Value *base = static_find(STATIC_PG_TYPE, domain->of.oid);
    const Oid *other = io_functions(type_find(domain->of.oid));
    io[0] = 2597, io[1] = base ? (Oid)base[TYPE_OUTPUT].i : other[1]; /* domain_in */
    io[2] = 2598, io[3] = base ? (Oid)base[TYPE_SEND].i : other[3];   /* domain_recv */
}

/* owner: of a user's type; NULL: built in. */
static Status type_row(SystemCtx *ctx, const TypeDef *type, const Desc *owner)
{
    const TypeDesc *domain = owner && owner->id == type->oid ? (const TypeDesc *)owner : NULL;
    Oid of_domain[4];
    if (domain && domain->form != TYPE_DOMAIN) domain = NULL;
    if (domain) domain_io(domain, of_domain);
    const Oid *io = domain ? of_domain : io_functions(type);
    int length = type->length;
    bool text = type->category == 'S' || (type_is_array(type) && type_find(type->element_oid) && type_find(type->element_oid)->category == 'S');
    SysRow r = sys_begin(ctx);
    sys_int(&r, type->oid);
    sys_text(&r, type->name);
    sys_int(&r, owner ? owner->parent_schema : OID_PG_CATALOG_SCHEMA);
    sys_int(&r, sys_role_oid(ctx, owner ? owner->owner : "postgres"));
    sys_int(&r, length);
    sys_bool(&r, length == 1 || length == 2 || length == 4 || length == 8);
    sys_char(&r, domain ? 'd' : type_kind(type));
    sys_char(&r, type->category);
    sys_bool(&r, type->preferred);
    sys_bool(&r, true); /* typisdefined */
    sys_char(&r, ',');
    sys_int(&r, 0); /* typrelid */
    sys_int(&r, type_is_array(type) && !domain ? 6179 : 0);
    sys_int(&r, domain ? 0 : type->element_oid);
    sys_int(&r, type->array_oid);
    for (int i = 0; i < 4; i++) sys_int(&r, io[i]); /* typinput, typoutput, typreceive, typsend */
    for (int i = 0; i < 3; i++) sys_int(&r, 0); /* typmodin, typmodout, typanalyze */
    sys_char(&r, length == 1 ? 'c' : length == 2 ? 's' : length == 8 ? 'd' : 'i');
    sys_char(&r, length < 0 ? 'x' : 'p');
    sys_bool(&r, domain && domain->not_null); /* typnotnull */
    sys_int(&r, domain ? type_ref_oid(domain->of) : 0);
    sys_int(&r, domain && !domain->of.domain ? domain->of.typmod : -1);
    sys_int(&r, 0); /* typndims */
    sys_int(&r, text ? 100 : 0);
    const char *value = domain ? describe_domain_default(ctx->fn.session, domain, sys_arena(ctx)) : NULL;
    sys_text(&r, value); /* typdefaultbin */
    sys_text(&r, value);
    if (owner)
        TRY(sys_acl(&r, owner));
    else
        sys_null(&r);
    return sys_emit(&r);
}

static Status one_type(SystemCtx *ctx, Oid oid)
{
    const Value *row = static_find(STATIC_PG_TYPE, oid);
    if (row) return system_row(ctx, row);
    const TypeDef *type = type_find(oid);
    if (!type || oid < DESC_ID_FIRST_USER) return type ? type_row(ctx, type, NULL) : ST_OK;
    const UserType *user = user_type_find(oid);
    const Desc *owner = user ? catalog_find_id(sys_view(ctx), user->def.oid) : NULL;
    return user && !owner ? ST_OK : type_row(ctx, type, owner);
}

static Status enum_type_rows(SystemCtx *ctx, const Desc *desc)
{
    const TypeDef *type = type_find(desc->id), *array = type ? type_find(type->array_oid) : NULL;
    if (!array) return ST_OK;
    TRY(type_row(ctx, type, desc));
    return type_row(ctx, array, desc);
}

static Status fill_pg_type(SystemCtx *ctx)
{
    Value wanted;
    if (sys_wants(ctx, 0, &wanted)) return one_type(ctx, (Oid)wanted.i);
    const StaticRows *rows = static_rows(STATIC_PG_TYPE);
    for (int i = 0; i < rows->count; i++) TRY(system_row(ctx, static_row(rows, i)));
    for (int i = 0, count = type_count(); i < count; i++)
        if (!static_find(STATIC_PG_TYPE, type_at(i)->oid)) TRY(type_row(ctx, type_at(i), NULL));
    return sys_each_desc(ctx, DESC_TYPE, ctx->fn.session->database_id, enum_type_rows);
}

/* ---- pg_enum ---- */

static Status enum_rows(SystemCtx *ctx, const Desc *desc)
{
    const TypeDesc *type = (const TypeDesc *)desc;
    for (int i = 0; i < type->labels.count; i++) {
        const EnumLabel *label = &type->labels.items[i];
        SysRow r = sys_begin(ctx);
        sys_int(&r, label->oid);
        sys_int(&r, desc->id);
        sys_float(&r, (double)label->order / 1e6);
        sys_text(&r, label->label);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

static Status fill_pg_enum(SystemCtx *ctx)
{
    Value wanted;
    if (!sys_wants(ctx, 1, &wanted)) return sys_each_desc(ctx, DESC_TYPE, ctx->fn.session->database_id, enum_rows);
    const Desc *desc = catalog_find_id(sys_view(ctx), (DescId)wanted.i);
    return desc && desc->kind == DESC_TYPE ? enum_rows(ctx, desc) : ST_OK;
}

/* ---- pg_range ---- */

/* rngtypid, rngsubtype, rngmultitypid, rngsubopc, rngcanonical, rngsubdiff, as PostgreSQL numbers them. */
static const Oid range_rows[][6] = {
    {3904, 23, 4451, 1978, 3914, 3922},   {3906, 1700, 4532, 3125, 0, 3924}, {3908, 1114, 4533, 3128, 0, 3929},
    {3910, 1184, 4534, 3127, 0, 3930},    {3912, 1082, 4535, 3122, 3915, 3925}, {3926, 20, 4536, 3124, 3928, 3923},
};

static Status fill_pg_range(SystemCtx *ctx)
{
    for (size_t i = 0; i < sizeof range_rows / sizeof range_rows[0]; i++) {
        SysRow r = sys_begin(ctx);
        for (int c = 0; c < 3; c++) sys_int(&r, range_rows[i][c]);
        sys_int(&r, 0); /* rngcollation */
        for (int c = 3; c < 6; c++) sys_int(&r, range_rows[i][c]);
        TRY(sys_emit(&r));
    }
    return ST_OK;
}

/* ---- pg_proc ---- */

typedef struct ProcFacts {
    Oid oid;
    const char *name, *arguments, *result;
    char kind, volatility;
    bool strict, set, variadic;
} ProcFacts;

/* "text, int4" as type oids. */
static int argument_types(const char *list, Value *oids, int room)
{
    int count = 0;
    while (*list && count < room) {
        size_t size = strcspn(list, ",");
        char name[64];
        if (size >= sizeof name) break;
        memcpy(name, list, size);
        name[size] = '\0';
        const TypeDef *type = strcmp(name, "any") == 0 ? type_find(OID_ANY) : type_find_name(name);
        oids[count++] = value_int(type ? type->oid : 0);
        list += size;
        while (*list == ',' || *list == ' ') list++;
    }
    return count;
}

static Status proc_row(SystemCtx *ctx, const ProcFacts *f)
{
    Value oids[16];
    const char *dot = strchr(f->name, '.');
    int count = strcmp(f->arguments, "*") == 0 ? 0 : argument_types(f->arguments, oids, 16);
    const TypeDef *result = type_find_name(f->result);
    SysRow r = sys_begin(ctx);
    sys_int(&r, f->oid);
    sys_text(&r, dot ? dot + 1 : f->name);
    sys_int(&r, dot ? sys_schema_oid(arena_strndup(sys_arena(ctx), f->name, (size_t)(dot - f->name))) : OID_PG_CATALOG_SCHEMA);
    sys_int(&r, sys_role_oid(ctx, "postgres"));
    sys_int(&r, 12); /* internal */
    sys_float(&r, 1);
    sys_float(&r, f->set ? 1000 : 0);
    sys_int(&r, f->variadic && count ? oids[count - 1].i : 0);
    sys_int(&r, 0); /* prosupport */
    sys_char(&r, f->kind);
    sys_bool(&r, false); /* prosecdef */
    sys_bool(&r, false); /* proleakproof */
    sys_bool(&r, f->strict);
    sys_bool(&r, f->set);
    sys_char(&r, f->volatility);
    sys_char(&r, 's');
    sys_int(&r, count);
    sys_int(&r, 0);
    sys_int(&r, result ? result->oid : OID_RECORD);
    TRY(sys_vector(&r, OID_OID, oids, count));
    sys_nulls(&r, 5); /* proallargtypes, proargmodes, proargnames, proargdefaults, protrftypes */
    sys_text(&r, f->name);
    sys_nulls(&r, 4); /* probin, prosqlbody, proconfig, proacl */
    return sys_emit(&r);
}

/* Is that function among those of which everything is known? */
static bool is_static(Oid oid, const char *name)
{
    const Value *row = static_find(STATIC_PG_PROC, oid);
    const char *dot = strchr(name, '.');
    return row && slice_equal_str(value_to_slice(row[PROC_NAME]), dot && dot[1] ? dot + 1 : name);
}

static Status function_row(SystemCtx *ctx, const FuncDef *row)
{
    if (row->flags & (FN_OPERATOR | FN_HIDDEN) || is_static(row->oid, row->name)) return ST_OK;
    ProcFacts f = {row->oid, row->name, row->arguments, row->result, 'f', 'v', row->flags & FN_STRICT, row->flags & FN_SET,
                   row->flags & FN_VARIADIC};
    f.volatility = row->flags & FN_IMMUTABLE ? 'i' : row->flags & FN_STABLE ? 's' : 'v';
    return proc_row(ctx, &f);
}

static Status fill_pg_proc(SystemCtx *ctx)
{
    Value wanted;
    const Builtins *b = catalog_builtins(catalog_view_catalog(ctx->fn.session->catalog));
    if (sys_wants(ctx, 0, &wanted)) {
        const Value *known = static_find(STATIC_PG_PROC, (Oid)wanted.i);
        if (known) return system_row(ctx, known);
        const FuncDef *row = catalog_function_oid(sys_view(ctx), (Oid)wanted.i);
        if (row) return function_row(ctx, row);
    }
    const StaticRows *rows = static_rows(STATIC_PG_PROC);
    for (int i = 0; i < rows->count; i++) TRY(system_row(ctx, static_row(rows, i)));
    for (const FuncDef *const *family = b->function_families; family && *family; family++)
        for (const FuncDef *row = *family; row->name; row++) TRY(function_row(ctx, row));
    for (const AggDef *const *family = b->aggregate_families; family && *family; family++)
        for (const AggDef *row = *family; row->name; row++)
            if (!is_static(row->oid, row->name)) TRY(proc_row(ctx, &(ProcFacts){row->oid, row->name, row->arguments, row->result, 'a', 'i', false, false, false}));
    for (const WindowDef *row = b->windows; row && row->name; row++)
        if (!is_static(row->oid, row->name)) TRY(proc_row(ctx, &(ProcFacts){row->oid, row->name, row->arguments, row->result, 'w', 'i', false, false, false}));
    return ST_OK;
}

/* clang-format off */
const SystemRelation sys_pg_type_rows[] = {
    {1247, "pg_catalog", "pg_type",
     "oid oid, typname name, typnamespace oid, typowner oid, typlen int2, typbyval bool, typtype \"char\", "
     "typcategory \"char\", typispreferred bool, typisdefined bool, typdelim \"char\", typrelid oid, "
     "typsubscript regproc, typelem oid, typarray oid, typinput regproc, typoutput regproc, typreceive "
     "regproc, typsend regproc, typmodin regproc, typmodout regproc, typanalyze regproc, typalign "
     "\"char\", typstorage \"char\", typnotnull bool, typbasetype oid, typtypmod int4, typndims int4, "
     "typcollation oid, typdefaultbin pg_node_tree, typdefault text, typacl aclitem[]",
     fill_pg_type, NULL, "oid"},
    {3501, "pg_catalog", "pg_enum", "oid oid, enumtypid oid, enumsortorder float4, enumlabel name", fill_pg_enum, NULL,
     "enumtypid"},
    {3541, "pg_catalog", "pg_range",
     "rngtypid oid, rngsubtype oid, rngmultitypid oid, rngcollation oid, rngsubopc oid, rngcanonical "
     "regproc, rngsubdiff regproc",
     fill_pg_range, NULL, NULL},
    {1255, "pg_catalog", "pg_proc",
     "oid oid, proname name, pronamespace oid, proowner oid, prolang oid, procost float4, prorows float4, "
     "provariadic oid, prosupport regproc, prokind \"char\", prosecdef bool, proleakproof bool, "
     "proisstrict bool, proretset bool, provolatile \"char\", proparallel \"char\", pronargs int2, "
     "pronargdefaults int2, prorettype oid, proargtypes oidvector, proallargtypes oid[], proargmodes "
     "\"char\"[], proargnames text[], proargdefaults pg_node_tree, protrftypes oid[], prosrc text, probin "
     "text, prosqlbody pg_node_tree, proconfig text[], proacl aclitem[]",
     fill_pg_proc, NULL, "oid"},
    {0},
};
