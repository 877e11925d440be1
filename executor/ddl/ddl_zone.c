/* CONFIGURE ZONE: a record of the target's own variables, written by the transaction. */
#include <inttypes.h>

#include "executor/ddl/ddl_internal.h"
#include "executor/range_control.h"
#include "storage/range/range.h"

static int variable_of(const char *name)
{
    int i = 0;
    while (strcmp(zone_variable_names[i], name) != 0) i++;
    return i;
}

static Status assign(Exec *exec, const ZoneAssignment *assignment, ZoneConfig *config)
{
    Value value = VALUE_NULL;
    int variable = variable_of(assignment->variable);
    config->has[variable] = assignment->value != NULL;
    if (!assignment->value) return ST_OK;
    TRY(eval_single(exec, assignment->value, &value, exec->arena));
    if (value.null)
        return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "unsupported NULL value for \"%s\"", assignment->variable);
    config->values[variable] = value.i;
    if (variable == ZONE_GC_TTL)
        session_notice(exec->session, "NOTICE", ERR_SUCCESSFUL_COMPLETION,
                       "gc.ttlseconds has no effect: old versions of rows are not kept");
    return ST_OK;
}

/* Small tables on small machines want small ranges: CockroachDB's least maximum, 64 MiB, would hide them all. */
enum { MAX_BYTES_LEAST = 1024 };

static Status check(Exec *exec, const ZoneConfig *config)
{
    const int64_t *v = config->values;
    const char *problem = NULL;
    bool min = config->has[ZONE_MIN_BYTES], max = config->has[ZONE_MAX_BYTES];
    if (min != max)
        problem = "range_min_bytes and range_max_bytes must be set together";
    else if (max && v[ZONE_MAX_BYTES] < MAX_BYTES_LEAST)
        problem = arena_printf(exec->arena, "RangeMaxBytes %" PRId64 " less than minimum allowed %d", v[ZONE_MAX_BYTES], MAX_BYTES_LEAST);
    else if (min && v[ZONE_MIN_BYTES] < 0)
        problem = arena_printf(exec->arena, "RangeMinBytes %" PRId64 " less than minimum allowed 0", v[ZONE_MIN_BYTES]);
    else if (min && v[ZONE_MIN_BYTES] >= v[ZONE_MAX_BYTES])
        problem = arena_printf(exec->arena, "RangeMinBytes %" PRId64 " is greater than or equal to RangeMaxBytes %" PRId64,
                               v[ZONE_MIN_BYTES], v[ZONE_MAX_BYTES]);
    else if (config->has[ZONE_REPLICAS] && (v[ZONE_REPLICAS] < 1 || v[ZONE_REPLICAS] > RANGE_REPLICAS_MAX))
        problem = arena_printf(exec->arena, "num_replicas must be from 1 to %d", RANGE_REPLICAS_MAX);
    else if (config->has[ZONE_GC_TTL] && v[ZONE_GC_TTL] < 1)
        problem = arena_printf(exec->arena, "GC.TTLSeconds %" PRId64 " less than minimum allowed 1", v[ZONE_GC_TTL]);
    if (!problem) return ST_OK;
    return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "could not validate zone config: %s", problem);
}

Status ddl_configure_zone(Exec *exec, const UtilityConfigureZone *u)
{
    ZoneTarget target = {(ZoneKind)u->kind, u->id, u->index_id};
    ZoneConfig config;
    bool found;
    Server *server = state_of(exec->session)->server;
    TRY(zone_read(exec->txn, target, &config, &found, exec->err));
    if (u->discard && u->kind == ZONE_DEFAULT)
        return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "cannot remove default zone");
    if (u->discard) return found ? zone_write(exec->txn, server, target, NULL, exec->err) : ST_OK;
    for (int i = 0; i < u->assignments.count; i++) TRY(assign(exec, &u->assignments.items[i], &config));
    TRY(check(exec, &config));
    return zone_write(exec->txn, server, target, &config, exec->err);
}
