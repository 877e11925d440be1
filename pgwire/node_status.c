/* A client in a few lines: start-up, one simple query, its rows as a table. It knows no authentication, as the server has
 * none on loopback; where it asks for a password, psql and rowkey.nodes are the way. */
#include "pgwire/node_status.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "storage/base/buf.h"

typedef struct Target {
    char host[256], port[16], user[64], database[64];
} Target;

static int complain(const char *what)
{
    fprintf(stderr, "rowkey: %s\n", what);
    return 1;
}

static void take(char *to, size_t room, const char *from, size_t size)
{
    if (size >= room) size = room - 1;
    memcpy(to, from, size);
    to[size] = 0;
}

/* postgresql://user@host:port/database, or HOST:PORT. What is missing keeps its default. */
static void parse_url(const char *url, Target *target)
{
    const char *scheme = strstr(url, "://");
    if (scheme) url = scheme + 3;
    size_t authority = strcspn(url, "/?");
    if (url[authority] == '/' && url[authority + 1] && url[authority + 1] != '?')
        take(target->database, sizeof target->database, url + authority + 1, strcspn(url + authority + 1, "?"));
    const char *at = memchr(url, '@', authority);
    if (at) {
        take(target->user, sizeof target->user, url, strcspn(url, ":@"));
        authority -= (size_t)(at + 1 - url);
        url = at + 1;
    }
    size_t host = strcspn(url, ":/?");
    if (host) take(target->host, sizeof target->host, url, host);
    if (host < authority && url[host] == ':') take(target->port, sizeof target->port, url + host + 1, authority - host - 1);
}

static int dial(const Target *target)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list, *a;
    int fd = -1;
    if (getaddrinfo(target->host, target->port, &hints, &list) != 0) return -1;
    for (a = list; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(list);
    return fd;
}

static bool send_all(int fd, const Buf *message)
{
    for (size_t sent = 0; sent < message->size;) {
        ssize_t n = write(fd, message->data + sent, message->size - sent);
        if (n <= 0) return false;
        sent += (size_t)n;
    }
    return true;
}

static bool send_query(int fd, const Target *target, const char *sql)
{
    Buf start = {0}, message = {0};
    buf_put_u32(&start, 196608); /* protocol 3.0 */
    const char *const words[] = {"user", target->user, "database", target->database};
    for (int i = 0; i < 4; i++) buf_put_slice(&start, slice_of(words[i], strlen(words[i]) + 1));
    buf_put_u8(&start, 0);
    buf_put_u32(&message, (uint32_t)start.size + 4);
    buf_put_slice(&message, buf_slice(&start));
    buf_put_u8(&message, 'Q');
    buf_put_u32(&message, (uint32_t)strlen(sql) + 5);
    buf_put_slice(&message, slice_of(sql, strlen(sql) + 1));
    bool sent = send_all(fd, &message);
    buf_finish(&start);
    buf_finish(&message);
    return sent;
}

static bool read_exactly(int fd, void *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t n = read(fd, (uint8_t *)to + got, size - got);
        if (n <= 0) return false;
        got += (size_t)n;
    }
    return true;
}

static unsigned u16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

/* Column names and values are right-aligned in columns of one width. */
static void print_names(const uint8_t *p)
{
    unsigned count = u16(p);
    p += 2;
    for (unsigned i = 0; i < count; i++) {
        printf("%s%12s", i ? "  " : "", (const char *)p);
        p += strlen((const char *)p) + 1 + 18;
    }
    printf("\n");
}

static void print_values(const uint8_t *p)
{
    unsigned count = u16(p);
    p += 2;
    for (unsigned i = 0; i < count; i++) {
        uint32_t size = load_u32(p);
        p += 4;
        printf("%s%12.*s", i ? "  " : "", size == UINT32_MAX ? 0 : (int)size, (const char *)p);
        if (size != UINT32_MAX) p += size;
    }
    printf("\n");
}

static const char *error_message(const uint8_t *p)
{
    for (; *p; p += strlen((const char *)p) + 1)
        if (*p == 'M') return (const char *)p + 1;
    return "the server reports an error";
}

/* Prints rows until the server is ready again. */
static int print_answer(int fd)
{
    uint8_t head[5];
    int status = 0;
    bool asked = false;
    while (read_exactly(fd, head, sizeof head)) {
        uint32_t size = load_u32(head + 1) - 4;
        if (size > 1 << 20) return complain("the answer makes no sense: is it a rowkey server?");
        uint8_t *body = calloc(1, (size_t)size + 1);
        if (!body || !read_exactly(fd, body, size)) {
            free(body);
            break;
        }
        if (head[0] == 'T') print_names(body);
        if (head[0] == 'D') print_values(body);
        if (head[0] == 'E') status = complain(error_message(body));
        bool password = head[0] == 'R' && size >= 4 && load_u32(body) != 0;
        free(body);
        if (password) return complain("the server asks for a password: use psql -c 'SELECT * FROM rowkey.nodes'");
        if (head[0] == 'Z' && (asked || status)) return status;
        asked |= head[0] == 'Z';
        if (head[0] == 'E' && !asked) return status;
    }
    return complain("the server closed the connection");
}

int node_status(int argc, char **argv)
{
    static const char plain[] =
        "SELECT node_id, simulated, leases, ranges, round(queries_per_second::numeric, 1) AS qps, "
        "round((cpu_share * 100)::numeric, 1) AS cpu_percent, bytes FROM rowkey.nodes ORDER BY node_id";
    static const char with_ranges[] =
        "SELECT n.node_id, n.simulated, n.leases, n.ranges, round(n.queries_per_second::numeric, 1) AS qps, "
        "round((n.cpu_share * 100)::numeric, 1) AS cpu_percent, n.bytes, n.pairs_read, n.pairs_written, "
        "round((n.write_share * 100)::numeric, 1) AS write_percent FROM rowkey.nodes n ORDER BY node_id";
    Target target = {"127.0.0.1", "5433", "root", "defaultdb"};
    bool ranges = false, wrong = argc < 1 || strcmp(argv[0], "status") != 0;
    for (int i = 1; i < argc && !wrong; i++) {
        if (strcmp(argv[i], "--ranges") == 0) ranges = true;
        else if (strcmp(argv[i], "--url") == 0 && i + 1 < argc) parse_url(argv[++i], &target);
        else if (strncmp(argv[i], "--url=", 6) == 0) parse_url(argv[i] + 6, &target);
        else wrong = true;
    }
    if (wrong) {
        fprintf(stderr, "rowkey: usage: rowkey node status [--ranges] [--url postgresql://USER@HOST:PORT/DATABASE]\n");
        return 2;
    }
    int fd = dial(&target);
    if (fd < 0) return complain("no server answers there");
    int status = send_query(fd, &target, ranges ? with_ranges : plain) ? print_answer(fd) : complain("the server closed the connection");
    close(fd);
    return status;
}
