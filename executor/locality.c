#include "executor/locality.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- localities ---- */

/* The n-th of a list, which begins again after its last. */
static Slice locality_item(const char *localities, int n)
{
    int count = 1;
    for (const char *p = localities; *p; p++) count += *p == ';';
    const char *start = localities;
    for (int i = n % count; i > 0; i--) start = strchr(start, ';') + 1;
    return slice_of((const uint8_t *)start, strcspn(start, ";"));
}

static bool is_tier(Slice tier)
{
    const uint8_t *equals = memchr(tier.data, '=', tier.size);
    return equals && equals > tier.data && equals + 1 < tier.data + tier.size;
}

/* Takes what is before the separator off the front. */
static Slice take(Slice *rest, uint8_t separator)
{
    const uint8_t *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
    Slice item = slice_of(rest->data, end ? (size_t)(end - rest->data) : rest->size);
    size_t used = item.size + (end ? 1 : 0);
    *rest = slice_of(rest->data + used, rest->size - used);
    return item;
}

Status localities_check(const char *localities, Arena *arena, Error *err)
{
    if (!localities) return ST_OK;
    Slice list = slice_str(localities);
    do {
        Slice item = take(&list, ';');
        do {
            Slice tier = take(&item, ',');
            if (!is_tier(tier))
                return err_set(err, arena, ERR_INVALID_PARAMETER_VALUE, "a locality is tier=value,...: not \"%.*s\"", (int)tier.size,
                               (const char *)tier.data);
        } while (item.size);
    } while (list.size);
    return ST_OK;
}

const char *locality_of_node(const Server *server, int node, Arena *arena)
{
    const char *list = server->options.localities;
    bool simulated = directory_node_count(store_directory(server->store)) > 1;
    Slice item = list ? locality_item(list, node - 1) : (Slice){0};
    if (!simulated) return arena_strndup(arena, (const char *)item.data, item.size);
    return arena_printf(arena, "simulated=n%d%s%.*s", node, item.size ? "," : "", (int)item.size, item.size ? (const char *)item.data : "");
}

const char *locality_of_tier(const Server *server, int node, const char *tier, Arena *arena)
{
    Slice tiers = slice_str(locality_of_node(server, node, arena));
    size_t size = strlen(tier);
    while (tiers.size) {
        Slice one = take(&tiers, ',');
        if (one.size > size && memcmp(one.data, tier, size) == 0 && one.data[size] == '=')
            return arena_strndup(arena, one.data + size + 1, one.size - size - 1);
    }
    return NULL;
}

static NodeSet nodes_in(const Server *server, Slice wanted, Arena *arena)
{
    NodeSet found = 0;
    int count = directory_node_count(store_directory(server->store));
    for (int node = 1; node <= count; node++) {
        Slice tiers = slice_str(locality_of_node(server, node, arena));
        while (tiers.size)
            if (slice_equal(take(&tiers, ','), wanted)) found |= node_bit(node);
    }
    return found;
}

/* ---- reading constraints ---- */

typedef struct RuleText {
    const Server *server;
    const char *text, *at;
    Buf canonical;
    Arena *arena;
    Error *err;
} RuleText;

static Status bad_rules(RuleText *r)
{
    return err_set(r->err, r->arena, ERR_INVALID_PARAMETER_VALUE, "could not parse constraints: %s", r->text);
}

static void skip_blanks(RuleText *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

/* Takes the character if it comes next. */
static bool accept(RuleText *r, char wanted)
{
    skip_blanks(r);
    if (*r->at != wanted) return false;
    r->at++;
    return true;
}

/* A word, quoted or up to what ends it here. */
static Slice take_word(RuleText *r, const char *ends)
{
    skip_blanks(r);
    char quote = *r->at == '"' || *r->at == '\'' ? *r->at++ : 0;
    const char *start = r->at;
    while (*r->at && (quote ? *r->at != quote : !strchr(ends, *r->at))) r->at++;
    size_t size = (size_t)(r->at - start);
    if (quote && *r->at) r->at++;
    while (!quote && size && isspace((unsigned char)start[size - 1])) size--;
    return slice_of((const uint8_t *)start, size);
}

/* "+region=eu,-zone=a": the nodes that fit all of it. */
static Status read_conjunction(RuleText *r, Slice word, NodeSet *nodes)
{
    *nodes = UINT64_MAX;
    do {
        Slice one = take(&word, ',');
        while (one.size && isspace(one.data[0])) one = slice_of(one.data + 1, one.size - 1);
        char sign = one.size ? (char)one.data[0] : 0;
        Slice place = one.size ? slice_of(one.data + 1, one.size - 1) : one;
        if ((sign != '+' && sign != '-') || !place.size) return bad_rules(r);
        NodeSet in = nodes_in(r->server, place, r->arena);
        if (sign == '+' && !in)
            return err_set(r->err, r->arena, ERR_INVALID_PARAMETER_VALUE,
                           "constraint \"%.*s\" matches no existing nodes within the cluster - did you enter it correctly?",
                           (int)one.size, (const char *)one.data);
        *nodes &= sign == '+' ? in : ~in;
    } while (word.size);
    return ST_OK;
}

/* [+a=b, -c=d] */
static Status read_list(RuleText *r, NodeSet *nodes)
{
    NodeSet one;
    *nodes = 0;
    if (!accept(r, '[')) return bad_rules(r);
    buf_put_str(&r->canonical, "[");
    while (!accept(r, ']')) {
        if (*nodes && !accept(r, ',')) return bad_rules(r);
        Slice word = take_word(r, ",]");
        TRY(read_conjunction(r, word, &one));
        buf_printf(&r->canonical, "%s%.*s", *nodes ? ", " : "", (int)word.size, (const char *)word.data);
        *nodes = *nodes ? *nodes & one : one;
        if (!*nodes)
            return err_set(r->err, r->arena, ERR_INVALID_PARAMETER_VALUE, "no node fits the constraints: %s", r->text);
    }
    buf_put_str(&r->canonical, "]");
    return ST_OK;
}

/* {"+a=b,+c=d": 1, +e=f: 2} */
static Status read_counts(RuleText *r, PlacementRules *rules)
{
    buf_put_str(&r->canonical, "{");
    while (!accept(r, '}')) {
        if (rules->count && !accept(r, ',')) return bad_rules(r);
        if (rules->count == PLACEMENT_RULES_MAX)
            return err_set(r->err, r->arena, ERR_PROGRAM_LIMIT_EXCEEDED, "more than %d constraints", PLACEMENT_RULES_MAX);
        PlacementRule *rule = &rules->items[rules->count];
        Slice word = take_word(r, ":,}");
        if (!accept(r, ':')) return bad_rules(r);
        TRY(read_conjunction(r, word, &rule->nodes));
        skip_blanks(r);
        char *end;
        long count = strtol(r->at, &end, 10);
        if (end == r->at || count < 1 || count > RANGE_REPLICAS_MAX) return bad_rules(r);
        r->at = end;
        rule->count = (int)count;
        const char *quote = memchr(word.data, ',', word.size) ? "\"" : "";
        buf_printf(&r->canonical, "%s%s%.*s%s: %d", rules->count ? ", " : "", quote, (int)word.size, (const char *)word.data, quote,
                   rule->count);
        rules->count++;
    }
    buf_put_str(&r->canonical, "}");
    return ST_OK;
}

static Status finish(RuleText *r, Status st, const char **canonical)
{
    skip_blanks(r);
    if (st == ST_OK && *r->at) st = bad_rules(r);
    *canonical = buf_to_str(&r->canonical, r->arena);
    buf_finish(&r->canonical);
    return st;
}

Status constraints_parse(const Server *server, const char *text, PlacementRules *rules, const char **canonical, Arena *arena, Error *err)
{
    RuleText r = {.server = server, .text = text, .at = text, .arena = arena, .err = err};
    *rules = (PlacementRules){0};
    Status st = accept(&r, '{') ? read_counts(&r, rules) : read_list(&r, &rules->all_on);
    return finish(&r, st, canonical);
}

static Status read_preferences(RuleText *r, RangePlacement *placement)
{
    if (!accept(r, '[')) return bad_rules(r);
    buf_put_str(&r->canonical, "[");
    while (!accept(r, ']')) {
        if (placement->lease_count && !accept(r, ',')) return bad_rules(r);
        if (placement->lease_count == PLACEMENT_RULES_MAX)
            return err_set(r->err, r->arena, ERR_PROGRAM_LIMIT_EXCEEDED, "more than %d lease preferences", PLACEMENT_RULES_MAX);
        if (placement->lease_count) buf_put_str(&r->canonical, ", ");
        NodeSet *nodes = &placement->leases_on[placement->lease_count++];
        TRY(read_list(r, nodes));
        if (!*nodes) *nodes = UINT64_MAX;
    }
    buf_put_str(&r->canonical, "]");
    return ST_OK;
}

Status lease_preferences_parse(const Server *server, const char *text, RangePlacement *placement, const char **canonical, Arena *arena, Error *err)
{
    RuleText r = {.server = server, .text = text, .at = text, .arena = arena, .err = err};
    placement->lease_count = 0;
    return finish(&r, read_preferences(&r, placement), canonical);
}
