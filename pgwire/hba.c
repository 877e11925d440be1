#include "pgwire/hba.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "storage/base/list.h"

enum { LINE_BYTES_MAX = 8192, ADDRESS_BYTES = 16 };

typedef enum RuleType { RULE_LOCAL, RULE_HOST, RULE_HOSTSSL, RULE_HOSTNOSSL } RuleType;
typedef enum RuleAddress { ADDRESS_ALL, ADDRESS_SAMEHOST, ADDRESS_NETWORK } RuleAddress;

typedef struct Rule {
    RuleType type;
    StrVec databases, users; /* a word that was quoted begins with '"' and is nothing but a name */
    RuleAddress address;
    int family;
    uint8_t network[ADDRESS_BYTES], mask[ADDRESS_BYTES];
    HbaMethod method;
    bool client_certificate;
} Rule;

struct Hba {
    _Atomic int references;
    Arena *arena;
    VEC(Rule) rules;
};

/* ---- reading ---- */

typedef struct Parse {
    Hba *hba;
    const char *file;
    int line;
    Arena *arena; /* of the error */
    Error *err;
} Parse;

static Status wrong(Parse *p, const char *what, const char *word)
{
    return err_set(p->err, p->arena, ERR_CONFIG_FILE_ERROR, "line %d of \"%s\": %s%s%s%s", p->line, p->file, what, word ? " \"" : "",
                   word ? word : "", word ? "\"" : "");
}

/* The next list of words, separated by commas; blanks end it. Empty: the line has ended. */
static Status next_field(Parse *p, const char **at, StrVec *words)
{
    const char *c = *at;
    *words = (StrVec){0};
    while (*c == ' ' || *c == '\t' || *c == '\r') c++;
    while (*c && *c != '#' && *c != ' ' && *c != '\t' && *c != '\r') {
        char word[LINE_BYTES_MAX];
        size_t n = 0;
        bool quoted = *c == '"';
        if (quoted) {
            word[n++] = *c++;
            while (*c && *c != '"') word[n++] = *c++;
            if (!*c) return wrong(p, "unterminated quoted string", NULL);
            c++;
        } else {
            while (*c && !strchr(", \t\r#", *c)) word[n++] = *c++;
        }
        VEC_PUSH(p->hba->arena, *words, arena_strndup(p->hba->arena, word, n));
        while (*c == ',' || (*c == ' ' && c[-1] == ',')) c++;
    }
    *at = c;
    return ST_OK;
}

static Status one_word(Parse *p, const char **at, const char *missing, const char **word)
{
    StrVec words;
    TRY(next_field(p, at, &words));
    if (words.count == 0) return wrong(p, missing, NULL);
    if (words.count > 1) return wrong(p, "multiple values where one is wanted", NULL);
    *word = words.items[0];
    return ST_OK;
}

static void mask_of(uint8_t *mask, int bits)
{
    memset(mask, 0, ADDRESS_BYTES);
    for (int i = 0; i < bits; i++) mask[i / 8] |= (uint8_t)(0x80 >> i % 8);
}

static Status parse_address(Parse *p, const char **at, Rule *rule)
{
    const char *word, *mask;
    char host[INET6_ADDRSTRLEN];
    TRY(one_word(p, at, "end-of-line before IP address specification", &word));
    if (strcmp(word, "all") == 0) return ST_OK;
    rule->address = ADDRESS_SAMEHOST;
    if (strcmp(word, "samehost") == 0) return ST_OK;
    rule->address = ADDRESS_NETWORK;
    const char *slash = strchr(word, '/');
    size_t n = slash ? (size_t)(slash - word) : strlen(word);
    if (n >= sizeof host) return wrong(p, "invalid IP address", word);
    memcpy(host, word, n);
    host[n] = 0;
    rule->family = strchr(host, ':') ? AF_INET6 : AF_INET;
    if (inet_pton(rule->family, host, rule->network) != 1) return wrong(p, "invalid IP address (names of hosts are not supported)", word);
    int bits_max = rule->family == AF_INET6 ? 128 : 32;
    if (slash) {
        char *end;
        long bits = strtol(slash + 1, &end, 10);
        if (end == slash + 1 || *end || bits < 0 || bits > bits_max) return wrong(p, "invalid CIDR mask in address", word);
        mask_of(rule->mask, (int)bits);
        return ST_OK;
    }
    TRY(one_word(p, at, "end-of-line before netmask specification", &mask));
    return inet_pton(rule->family, mask, rule->mask) == 1 ? ST_OK : wrong(p, "invalid IP mask", mask);
}

static Status parse_method(Parse *p, const char **at, Rule *rule)
{
    static const struct {
        const char *name;
        HbaMethod method;
    } methods[] = {{"trust", HBA_TRUST}, {"reject", HBA_REJECT}, {"password", HBA_PASSWORD}, {"md5", HBA_MD5},
                   {"scram-sha-256", HBA_SCRAM}, {"peer", HBA_PEER}, {"cert", HBA_CERT}};
    const char *word;
    rule->method = HBA_NONE;
    TRY(one_word(p, at, "end-of-line before authentication method", &word));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(word, methods[i].name) == 0) rule->method = methods[i].method;
    if (rule->method == HBA_NONE) return wrong(p, "invalid authentication method", word);
    if (rule->method == HBA_PEER && rule->type != RULE_LOCAL) return wrong(p, "peer authentication is only supported on local sockets", NULL);
    if (rule->method == HBA_CERT && rule->type != RULE_HOSTSSL) return wrong(p, "cert authentication is only supported on hostssl connections", NULL);
    rule->client_certificate = rule->method == HBA_CERT;
    for (;;) {
        StrVec words;
        TRY(next_field(p, at, &words));
        if (words.count == 0) return ST_OK;
        if (strcmp(words.items[0], "clientcert=verify-full") != 0) return wrong(p, "unrecognized authentication option", words.items[0]);
        if (rule->type != RULE_HOSTSSL) return wrong(p, "clientcert can only be configured for \"hostssl\" rows", NULL);
        rule->client_certificate = true;
    }
}

static Status parse_line(Parse *p, const char *text)
{
    static const char *const types[] = {"local", "host", "hostssl", "hostnossl"};
    StrVec first;
    Rule rule = {0};
    int type = -1;
    TRY(next_field(p, &text, &first));
    if (first.count == 0) return ST_OK;
    for (int i = 0; i < 4; i++)
        if (first.count == 1 && strcmp(first.items[0], types[i]) == 0) type = i;
    if (type < 0) return wrong(p, "invalid connection type", first.items[0]);
    rule.type = (RuleType)type;
    TRY(next_field(p, &text, &rule.databases));
    if (!rule.databases.count) return wrong(p, "end-of-line before database specification", NULL);
    TRY(next_field(p, &text, &rule.users));
    if (!rule.users.count) return wrong(p, "end-of-line before role specification", NULL);
    if (rule.type != RULE_LOCAL) TRY(parse_address(p, &text, &rule));
    TRY(parse_method(p, &text, &rule));
    VEC_PUSH(p->hba->arena, p->hba->rules, rule);
    return ST_OK;
}

static Status parse_file(Parse *p, FILE *f)
{
    char line[LINE_BYTES_MAX];
    while (fgets(line, sizeof line, f)) {
        size_t n = strlen(line);
        p->line++;
        if (n == sizeof line - 1 && line[n - 1] != '\n') return wrong(p, "the line is too long", NULL);
        if (n && line[n - 1] == '\n') line[n - 1] = 0;
        TRY(parse_line(p, line));
    }
    return ST_OK;
}

static Status default_rules(Parse *p)
{
    TRY(parse_line(p, "local all all trust"));
    TRY(parse_line(p, "host all all 127.0.0.0/8 trust"));
    return parse_line(p, "host all all ::1/128 trust");
}

Status hba_open(const char *file, Hba **out, Arena *arena, Error *err)
{
    Arena *own = arena_create(NULL, 0);
    Hba *hba = ARENA_NEW(own, Hba);
    Parse p = {hba, file ? file : "", 0, arena, err};
    hba->arena = own;
    atomic_init(&hba->references, 1);
    FILE *f = file ? fopen(file, "re") : NULL;
    Status st = ST_OK;
    if (file && !f)
        st = err_set(err, arena, ERR_CONFIG_FILE_ERROR, "could not open authentication file \"%s\": %s", file, strerror(errno));
    else
        st = f ? parse_file(&p, f) : default_rules(&p);
    if (f) fclose(f);
    if (st == ST_OK)
        *out = hba;
    else
        hba_release(hba);
    return st;
}

Hba *hba_retain(Hba *hba)
{
    atomic_fetch_add(&hba->references, 1);
    return hba;
}

void hba_release(Hba *hba)
{
    if (hba && atomic_fetch_sub(&hba->references, 1) == 1) arena_destroy(hba->arena);
}

/* ---- deciding ---- */

/* An IPv4 address inside of IPv6 is the IPv4 address. */
static int address_of(const struct sockaddr *a, uint8_t *out)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    if (a->sa_family == AF_INET) {
        memcpy(out, &((const struct sockaddr_in *)(const void *)a)->sin_addr, 4);
        return AF_INET;
    }
    const uint8_t *six = (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr;
    if (memcmp(six, mapped, sizeof mapped) == 0) {
        memcpy(out, six + 12, 4);
        return AF_INET;
    }
    memcpy(out, six, ADDRESS_BYTES);
    return AF_INET6;
}

static bool address_fits(const Rule *rule, const HbaRequest *r)
{
    uint8_t peer[ADDRESS_BYTES], own[ADDRESS_BYTES];
    int family = address_of(r->peer, peer), size = family == AF_INET ? 4 : ADDRESS_BYTES;
    if (rule->address == ADDRESS_ALL) return true;
    if (rule->address == ADDRESS_SAMEHOST) return address_of(r->own, own) == family && memcmp(peer, own, (size_t)size) == 0;
    if (rule->family != family) return false;
    for (int i = 0; i < size; i++)
        if ((peer[i] ^ rule->network[i]) & rule->mask[i]) return false;
    return true;
}

static bool connection_fits(const Rule *rule, const HbaRequest *r)
{
    bool local = r->peer->sa_family == AF_UNIX;
    switch (rule->type) {
    case RULE_LOCAL: return local;
    case RULE_HOST: return !local && address_fits(rule, r);
    case RULE_HOSTSSL: return !local && r->encrypted && address_fits(rule, r);
    case RULE_HOSTNOSSL: return !local && !r->encrypted && address_fits(rule, r);
    }
    return false;
}

static bool database_fits(const Rule *rule, const HbaRequest *r)
{
    for (int i = 0; i < rule->databases.count; i++) {
        const char *word = rule->databases.items[i];
        if (strcmp(word, "all") == 0) return true;
        if (strcmp(word, "sameuser") == 0 && strcmp(r->database, r->user) == 0) return true;
        if ((strcmp(word, "samerole") == 0 || strcmp(word, "samegroup") == 0) && server_is_member(r->server, r->user, r->database))
            return true;
        if (strcmp(word + (*word == '"'), r->database) == 0) return true;
    }
    return false;
}

static bool user_fits(const Rule *rule, const HbaRequest *r)
{
    for (int i = 0; i < rule->users.count; i++) {
        const char *word = rule->users.items[i];
        if (strcmp(word, "all") == 0) return true;
        if (*word == '+' ? server_is_member(r->server, r->user, word + 1) : strcmp(word + (*word == '"'), r->user) == 0) return true;
    }
    return false;
}

HbaAnswer hba_find(const Hba *hba, const HbaRequest *r)
{
    for (int i = 0; i < hba->rules.count; i++) {
        const Rule *rule = &hba->rules.items[i];
        if (connection_fits(rule, r) && database_fits(rule, r) && user_fits(rule, r))
            return (HbaAnswer){rule->method, rule->client_certificate};
    }
    return (HbaAnswer){.method = HBA_NONE};
}
