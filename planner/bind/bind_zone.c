/* CONFIGURE ZONE and SHOW ZONE CONFIGURATION. The variables that mean something here are those of range sizes and replicas. */
#include "planner/bind/bind_show.h"
#include "planner/utility_keyspace.h"

typedef struct ZoneName {
    char kind;
    DescId id;
    uint32_t index_id;
} ZoneName;

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
    } else if (strcmp(name->name, "default") == 0) {
        *zone = (ZoneName){.kind = 'r'};
    } else {
        return ddl_unsupported(b, name->position, arena_printf(b->arena, "the zone of RANGE %s", name->name));
    }
    return ST_OK;
}

static Status is_variable(Binder *b, const AstOption *option, bool *effective)
{
    static const char *const known[] = {"range_min_bytes", "range_max_bytes", "num_replicas", "gc.ttlseconds"};
    static const char *const without_effect[] = {"constraints", "voter_constraints", "lease_preferences", "num_voters",
                                                 "global_reads"};
    *effective = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(option->name, known[i]) == 0) return *effective = true, ST_OK;
    for (size_t i = 0; i < sizeof without_effect / sizeof *without_effect; i++)
        if (strcmp(option->name, without_effect[i]) == 0)
            return ddl_unsupported(b, option->position, arena_printf(b->arena, "the zone variable %s", option->name));
    return ddl_fail(b, option->position, ERR_INVALID_PARAMETER_VALUE, "unsupported zone config parameter: \"%s\"", option->name);
}

Status bind_configure_zone(Binder *b, const AstConfigureZone *ast, Plan **out)
{
    UtilityConfigureZone *u = bind_utility(b, UTILITY_CONFIGURE_ZONE, "CONFIGURE ZONE 1", sizeof *u);
    ZoneName zone;
    TRY(find_zone(b, ast->object, &ast->target, &ast->target.table, &zone));
    u->kind = zone.kind;
    u->id = zone.id;
    u->index_id = zone.index_id;
    u->discard = ast->discard;
    for (int i = 0; i < ast->options.count; i++) {
        const AstOption *option = &ast->options.items[i];
        ZoneAssignment assignment = {.variable = option->name};
        bool effective;
        TRY(is_variable(b, option, &effective));
        if (option->value)
            TRY(bind_standalone(b, option->value, &(Standalone){CLAUSE_SPLIT, NULL, NULL, (TypeRef){OID_INT8, -1}, option->name},
                                &assignment.value));
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
