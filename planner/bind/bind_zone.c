/* CONFIGURE ZONE and SHOW ZONE CONFIGURATION. */
#include "planner/bind/bind_ddl_owner.h"
#include "planner/bind/bind_show.h"
#include "planner/utility_keyspace.h"

typedef struct ZoneName {
    char kind;
    DescId id;
    uint32_t index_id;
} ZoneName;

static Status find_range(Binder *b, const AstName *name, ZoneName *zone)
{
    static const struct {
        const char *name;
        char kind;
    } ranges[] = {{"default", 'r'}, {"meta", 'm'}, {"system", 's'}, {"liveness", 'l'}, {"timeseries", 'e'}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (strcmp(name->name, ranges[i].name) == 0) return *zone = (ZoneName){.kind = ranges[i].kind}, ST_OK;
    return ddl_fail(b, name->position, ERR_INVALID_PARAMETER_VALUE, "\"%s\" is not a built-in zone", name->name);
}

static Status find_zone(Binder *b, AstObject object, const AstIndexName *index_name, const AstName *name, ZoneName *zone)
{
    const TableDesc *table;
    const IndexDesc *index;
    if (object == AST_OBJECT_TABLE) {
        TRY(bind_find_table(b, name, &table));
        *zone = (ZoneName){'t', table->base.id, 0};
    } else if (object == AST_OBJECT_INDEX) {
        TRY(bind_find_index(b, index_name, &table, &index));
        *zone = (ZoneName){'i', table->base.id, index->id};
    } else if (object == AST_OBJECT_DATABASE) {
        const Desc *database = catalog_find_database(b->session->catalog, name->name);
        if (!database) return ddl_fail(b, 0, ERR_INVALID_CATALOG_NAME, "database \"%s\" does not exist", name->name);
        *zone = (ZoneName){'d', database->id, 0};
    } else {
        return find_range(b, name, zone);
    }
    return ST_OK;
}

static Status variable_type(Binder *b, const AstOption *option, TypeRef *type)
{
    static const struct {
        const char *name;
        Oid type;
    } known[] = {{"range_min_bytes", OID_INT8}, {"range_max_bytes", OID_INT8},   {"num_replicas", OID_INT8},
                 {"num_voters", OID_INT8},      {"gc.ttlseconds", OID_INT8},     {"constraints", OID_TEXT},
                 {"voter_constraints", OID_TEXT}, {"lease_preferences", OID_TEXT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(option->name, known[i].name) == 0) return *type = (TypeRef){known[i].type, -1}, ST_OK;
    /* Every read goes to the leaseholder here: there is nothing that it could change. */
    if (strcmp(option->name, "global_reads") == 0) return ddl_unsupported(b, option->position, "the zone variable global_reads");
    return ddl_fail(b, option->position, ERR_INVALID_PARAMETER_VALUE, "unsupported zone config parameter: \"%s\"", option->name);
}

Status bind_configure_zone(Binder *b, const AstConfigureZone *ast, Plan **out)
{
    UtilityConfigureZone *u = bind_utility(b, UTILITY_CONFIGURE_ZONE, "CONFIGURE ZONE 1", sizeof *u);
    ZoneName zone;
    TRY(find_zone(b, ast->object, &ast->target, &ast->target.table, &zone));
    const Desc *owned = zone.id ? catalog_find_id(b->session->catalog, zone.id) : NULL;
    if (owned) TRY(ddl_check_owner(b, owned));
    if (!owned && !session_is_superuser(b->session))
        return ddl_fail(b, 0, ERR_INSUFFICIENT_PRIVILEGE, "must be superuser to configure the default zone");
    u->kind = zone.kind;
    u->id = zone.id;
    u->index_id = zone.index_id;
    u->discard = ast->discard;
    for (int i = 0; i < ast->options.count; i++) {
        const AstOption *option = &ast->options.items[i];
        ZoneAssignment assignment = {.variable = option->name};
        TypeRef type;
        TRY(variable_type(b, option, &type));
        if (option->value)
            TRY(bind_standalone(b, option->value, &(Standalone){CLAUSE_SPLIT, NULL, NULL, type, option->name}, &assignment.value));
        VEC_PUSH(b->arena, u->assignments, assignment);
    }
    *out = &u->base.base;
    return ST_OK;
}

Status bind_show_zone(Binder *b, const AstShow *ast, const char **sql)
{
    ZoneName zone = {.kind = 'a'};
    bool all = !ast->name.name && !ast->index.table.name && !ast->index.index;
    if (!all) TRY(find_zone(b, ast->object, &ast->index, &ast->name, &zone));
    *sql = arena_printf(b->arena, "SELECT target, raw_config_sql FROM rowkey.show_zone_configuration WHERE request = '%c %u %u' "
                                  "ORDER BY ordinal", zone.kind, zone.id, zone.index_id);
    return ST_OK;
}
