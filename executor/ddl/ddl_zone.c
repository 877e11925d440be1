/* CONFIGURE ZONE: a record of the target's own variables, written by the transaction. */
#include <inttypes.h>

#include "executor/ddl/ddl_internal.h"
#include "executor/locality.h"
#include "executor/zones.h"
#include "storage/range/range.h"

static int variable_of(const char *name)
{
    int i = 0;
    while (strcmp(zone_variable_names[i], name) != 0) i++;
    return i;
}

static Status assign_text(Exec *exec, int variable, const char *text, const char **canonical)
{
    const Server *server = state_of(exec->session)->server;
    PlacementRules rules;
    RangePlacement placement;
    if (variable == ZONE_LEASE_PREFERENCES) return lease_preferences_parse(server, text, &placement, canonical, exec->arena, exec->err);
    return constraints_parse(server, text, &rules, canonical, exec->arena, exec->err);
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
    if (variable >= ZONE_NUMBERS)
        return assign_text(exec, variable, arena_strndup(exec->arena, value.p, value.size), &config->texts[variable - ZONE_NUMBERS]);
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
    else if (config->has[ZONE_VOTERS] && v[ZONE_VOTERS] < 1)
        problem = "at least one voting replica is required";
    if (!problem) return ST_OK;
    return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "could not validate zone config: %s", problem);
}

static int replicas_counted(const PlacementRules *rules)
{
    int sum = 0;
    for (int i = 0; i < rules->count; i++) sum += rules->items[i].count;
    return sum;
}

/* What the variables ask for together, those of the default included: no more than there is. */
static Status check_placement(Exec *exec, const ZoneConfig *own)
{
    RangePlacement placement;
    ZoneConfig config = *own;
    zone_inherit(&config, &zone_config_default);
    TRY(zone_placement(state_of(exec->session)->server, &config, &placement, exec->arena, exec->err));
    int64_t replicas = config.values[ZONE_REPLICAS], voters = placement.voters ? placement.voters : replicas;
    int replicas_asked = replicas_counted(&placement.replica_rules), voters_asked = replicas_counted(&placement.voter_rules);
    const char *problem = NULL;
    if (voters > replicas)
        problem = "num_voters cannot be greater than num_replicas";
    else if (replicas_asked > replicas)
        problem = arena_printf(exec->arena, "the number of replicas specified in constraints (%d) cannot be greater than the number of "
                               "replicas configured for the zone (%" PRId64 ")", replicas_asked, replicas);
    else if (voters_asked > voters)
        problem = arena_printf(exec->arena, "the number of voters specified in voter_constraints (%d) cannot be greater than the number "
                               "of voters configured for the zone (%" PRId64 ")", voters_asked, voters);
    if (!problem) return ST_OK;
    return err_set(exec->err, exec->arena, ERR_INVALID_PARAMETER_VALUE, "could not validate zone config: %s", problem);
}

/* No keys of this server belong to these. */
static void tell_of_no_keys(Exec *exec, ZoneKind kind)
{
    if (kind == ZONE_LIVENESS || kind == ZONE_TIMESERIES)
        session_notice(exec->session, "NOTICE", ERR_SUCCESSFUL_COMPLETION, "the zone of RANGE %s has no effect: there are no such keys here",
                       zone_range_name(kind));
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
    TRY(check_placement(exec, &config));
    tell_of_no_keys(exec, target.kind);
    return zone_write(exec->txn, server, target, &config, exec->err);
}
