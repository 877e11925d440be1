#include "pgwire/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pgwire/conn.h"
#include "storage/base/clock.h"
#include "storage/base/log.h"

enum {
    BACKLOG = 1024,
    STACK_BYTES = 4 << 20,    /* a nested statement is bounded by 54001 long before */
    LOOK_MS = 500,            /* how often connections are looked at for clients that went away */
    GRACE_MS = 30000          /* how long statements may go on after SIGTERM */
};

struct Listener {
    Server *server;
    int tcp_fd, unix_fd, signal_fd;
    char address[300];
    char socket_path[sizeof((struct sockaddr_un){0}.sun_path)];
    int connections_max;
    const Options *options;
    uint8_t secret[32];
    _Atomic bool stopping;
    pthread_mutex_t access_mutex; /* guards the two pointers; what they point at is counted. Taken alone. */
    Hba *hba;
    TlsContext *tls;
    /* Guards the list, its records' interrupt and keys, and the count. Taken alone. */
    pthread_mutex_t mutex;
    pthread_cond_t gone; /* a connection left the list */
    ConnRecord *conns;
    int conn_count;
};

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return (ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24) == 127;
    if (a->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
    return false;
}

static Status could_not(Error *err, Arena *arena, const char *what, const char *where)
{
    return err_set(err, arena, ERR_SYSTEM_ERROR, "could not %s \"%s\": %s", what, where, strerror(errno));
}

static void name_address(Listener *l)
{
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    char host[INET6_ADDRSTRLEN], port[8];
    getsockname(l->tcp_fd, (struct sockaddr *)&bound, &size);
    getnameinfo((struct sockaddr *)&bound, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(l->address, sizeof l->address, bound.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

static Status open_tcp(Listener *l, const Options *options, Arena *arena, Error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found;
    int on = 1, rc = getaddrinfo(options->host, options->port, &hints, &found);
    if (rc != 0)
        return err_set(err, arena, ERR_SYSTEM_ERROR, "could not resolve \"%s\": %s", options->host, gai_strerror(rc));
    Status st = ST_OK;
    if (!is_loopback(found->ai_addr) && !options->hba_file) {
        st = err_set(err, arena, ERR_INVALID_AUTHORIZATION_SPECIFICATION,
                     "will not listen on \"%s\": without authentication only loopback addresses are served", options->host);
        err_hint(err, arena, "Say who may connect and how in %s/pg_hba.conf, or in a file named by --hba; for example: "
                 "hostssl all all all scram-sha-256", options->data_directory);
    } else {
        l->tcp_fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (l->tcp_fd >= 0) setsockopt(l->tcp_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (l->tcp_fd < 0 || bind(l->tcp_fd, found->ai_addr, found->ai_addrlen) != 0 || listen(l->tcp_fd, BACKLOG) != 0)
            st = err_set(err, arena, ERR_SYSTEM_ERROR, "could not listen on %s:%s: %s", options->host, options->port,
                         strerror(errno));
    }
    freeaddrinfo(found);
    if (st == ST_OK) name_address(l);
    return st;
}

static Status open_unix(Listener *l, const Options *options, Arena *arena, Error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *port = strrchr(l->address, ':') + 1;
    int n = snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.%s", options->socket_directory, port);
    if (n < 0 || (size_t)n >= sizeof address.sun_path)
        return err_set(err, arena, ERR_SYSTEM_ERROR, "path of the Unix socket in \"%s\" is too long",
                       options->socket_directory);
    l->unix_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (l->unix_fd < 0) return could_not(err, arena, "make a socket in", options->socket_directory);
    /* The port is ours, so a socket file of this name is what an earlier server left behind. */
    unlink(address.sun_path);
    if (bind(l->unix_fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(l->unix_fd, BACKLOG) != 0)
        return could_not(err, arena, "listen on", address.sun_path);
    memcpy(l->socket_path, address.sun_path, sizeof l->socket_path);
    return ST_OK;
}

/* Both files are good, or all stays as it is. */
static Status read_access(Listener *l, Arena *arena, Error *err)
{
    const Options *o = l->options;
    Hba *hba;
    TlsContext *tls = NULL;
    TRY(hba_open(o->hba_file, &hba, arena, err));
    Status st = o->tls_cert ? tls_context_open(o->tls_cert, o->tls_key, o->tls_ca, &tls, arena, err) : ST_OK;
    if (st != ST_OK) {
        hba_release(hba);
        return st;
    }
    pthread_mutex_lock(&l->access_mutex);
    Hba *old_hba = l->hba;
    TlsContext *old_tls = l->tls;
    l->hba = hba;
    l->tls = tls;
    pthread_mutex_unlock(&l->access_mutex);
    hba_release(old_hba);
    tls_context_release(old_tls);
    return ST_OK;
}

static void read_access_again(Listener *l)
{
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    if (read_access(l, arena, &err) == ST_OK)
        log_write(LOG_INFO, "received SIGHUP: rules of access and certificates were read again");
    else
        log_write(LOG_WARNING, "received SIGHUP, but what was read before stays in force: %s", err.message);
    arena_destroy(arena);
}

Hba *listener_hba(Listener *l)
{
    pthread_mutex_lock(&l->access_mutex);
    Hba *hba = hba_retain(l->hba);
    pthread_mutex_unlock(&l->access_mutex);
    return hba;
}

TlsContext *listener_tls(Listener *l)
{
    pthread_mutex_lock(&l->access_mutex);
    TlsContext *tls = tls_context_retain(l->tls);
    pthread_mutex_unlock(&l->access_mutex);
    return tls;
}

const uint8_t *listener_secret(const Listener *l)
{
    return l->secret;
}

Status listener_open(const Options *options, Server *server, Listener **listener, Arena *arena, Error *err)
{
    sigset_t signals;
    Listener *l = calloc(1, sizeof *l);
    if (!l) return err_no_memory(err);
    l->server = server;
    l->tcp_fd = l->unix_fd = l->signal_fd = -1;
    l->connections_max = options->connections_max;
    pthread_mutex_init(&l->mutex, NULL);
    pthread_cond_init(&l->gone, NULL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    l->options = options;
    pthread_mutex_init(&l->access_mutex, NULL);
    Status st = read_access(l, arena, err);
    if (st == ST_OK && getrandom(l->secret, sizeof l->secret, 0) != sizeof l->secret) st = could_not(err, arena, "get", "random bytes");
    if (st == ST_OK) st = open_tcp(l, options, arena, err);
    if (st == ST_OK && options->socket_directory) st = open_unix(l, options, arena, err);
    if (st == ST_OK) {
        l->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
        if (l->signal_fd < 0) st = could_not(err, arena, "watch for", "SIGTERM");
    }
    if (st != ST_OK) {
        listener_close(l);
        return st;
    }
    *listener = l;
    return ST_OK;
}

const char *listener_address(const Listener *l)
{
    return l->address;
}

Server *listener_server(Listener *l)
{
    return l->server;
}

bool listener_stopping(const Listener *l)
{
    return atomic_load(&l->stopping);
}

void listener_close(Listener *l)
{
    if (!l) return;
    if (l->tcp_fd >= 0) close(l->tcp_fd);
    if (l->unix_fd >= 0) close(l->unix_fd);
    if (l->signal_fd >= 0) close(l->signal_fd);
    if (l->socket_path[0]) unlink(l->socket_path);
    hba_release(l->hba);
    tls_context_release(l->tls);
    pthread_mutex_destroy(&l->access_mutex);
    pthread_cond_destroy(&l->gone);
    pthread_mutex_destroy(&l->mutex);
    free(l);
}

/* ---- the list ---- */

static bool list_add(Listener *l, ConnRecord *record)
{
    pthread_mutex_lock(&l->mutex);
    bool room = l->conn_count < l->connections_max;
    if (room) {
        record->next = l->conns;
        if (l->conns) l->conns->previous = record;
        l->conns = record;
        l->conn_count++;
    }
    pthread_mutex_unlock(&l->mutex);
    return room;
}

static void list_remove(ConnRecord *record)
{
    Listener *l = record->listener;
    pthread_mutex_lock(&l->mutex);
    if (record->previous)
        record->previous->next = record->next;
    else
        l->conns = record->next;
    if (record->next) record->next->previous = record->previous;
    l->conn_count--;
    close(record->fd); /* under the mutex: nobody shuts down a descriptor that has become another's */
    pthread_cond_signal(&l->gone);
    pthread_mutex_unlock(&l->mutex);
    free(record);
}

void listener_publish(ConnRecord *record, uint32_t process_id, uint32_t secret, Interrupt *interrupt)
{
    pthread_mutex_lock(&record->listener->mutex);
    record->proved = true;
    record->process_id = process_id;
    record->secret = secret;
    record->interrupt = interrupt;
    pthread_mutex_unlock(&record->listener->mutex);
}

void listener_withdraw(ConnRecord *record)
{
    listener_publish(record, 0, 0, NULL);
}

void listener_cancel(Listener *l, uint32_t process_id, uint32_t secret)
{
    pthread_mutex_lock(&l->mutex);
    for (ConnRecord *r = l->conns; r; r = r->next)
        if (r->interrupt && r->process_id == process_id && r->secret == secret)
            interrupt_raise(r->interrupt, INTERRUPT_CANCEL);
    pthread_mutex_unlock(&l->mutex);
}

/* A client that does not get through its authentication in time is cut off, wherever it is waited for. */
static void look_for_dawdlers(Listener *l)
{
    uint64_t now_ns = clock_monotonic_ns(), limit_ns = (uint64_t)l->options->auth_timeout_s * 1000000000;
    pthread_mutex_lock(&l->mutex);
    for (ConnRecord *r = l->conns; r; r = r->next) {
        if (r->proved || now_ns - r->began_ns < limit_ns) continue;
        log_write(LOG_INFO, "a connection is ended: authentication took too long");
        shutdown(r->fd, SHUT_RDWR);
        r->began_ns = now_ns;
    }
    pthread_mutex_unlock(&l->mutex);
}

/* A statement whose client has gone away is stopped: nobody will read its rows. */
static void look_for_lost_clients(Listener *l)
{
    pthread_mutex_lock(&l->mutex);
    for (ConnRecord *r = l->conns; r; r = r->next) {
        struct pollfd gone = {.fd = r->fd, .events = POLLRDHUP};
        /* One that is told to end has had its reading ended by us. */
        bool looked_at = r->interrupt && atomic_load(&r->interrupt->raised) < INTERRUPT_TERMINATE;
        if (looked_at && poll(&gone, 1, 0) > 0) interrupt_raise(r->interrupt, INTERRUPT_CLIENT_LOST);
    }
    pthread_mutex_unlock(&l->mutex);
}

/* ---- connections ---- */

static void *conn_thread(void *argument)
{
    ConnRecord *record = argument;
    conn_run(record);
    list_remove(record);
    return NULL;
}

static void refuse(int fd, const char *code, const char *message)
{
    uint8_t packet[256];
    int n = snprintf((char *)packet + 5, sizeof packet - 5, "SFATAL%cVFATAL%cC%s%cM%s%c", 0, 0, code, 0, message, 0) + 1;
    uint32_t length = htonl((uint32_t)n + 4);
    packet[0] = 'E';
    memcpy(packet + 1, &length, 4);
    (void)!send(fd, packet, (size_t)n + 5, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
}

static void accept_one(Listener *l, int listening)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
            log_write(LOG_WARNING, "could not accept a connection: %s", strerror(errno));
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
        return;
    }
    ConnRecord *record = calloc(1, sizeof *record);
    if (!record) {
        refuse(fd, "53200", "out of memory");
        return;
    }
    record->fd = fd;
    record->local = listening == l->unix_fd;
    record->began_ns = clock_monotonic_ns();
    record->listener = l;
    if (!list_add(l, record)) {
        free(record);
        refuse(fd, "53300", "sorry, too many clients already");
        return;
    }
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, conn_thread, record) != 0) {
        log_write(LOG_WARNING, "could not start a thread for a connection");
        list_remove(record);
    }
    pthread_attr_destroy(&attributes);
}

/* Idle connections wake up from their read and say goodbye; a running statement ends first and meets the end of its
 * input then. What is still running after the grace is told to stop. */
static void stop_connections(Listener *l)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += GRACE_MS / 1000;
    pthread_mutex_lock(&l->mutex);
    for (ConnRecord *r = l->conns; r; r = r->next) shutdown(r->fd, SHUT_RD);
    while (l->conn_count > 0)
        if (pthread_cond_timedwait(&l->gone, &l->mutex, &until) == ETIMEDOUT) break;
    for (ConnRecord *r = l->conns; r; r = r->next)
        if (r->interrupt) interrupt_raise(r->interrupt, INTERRUPT_TERMINATE);
    while (l->conn_count > 0) pthread_cond_wait(&l->gone, &l->mutex);
    pthread_mutex_unlock(&l->mutex);
}

static bool told_to_stop(Listener *l)
{
    struct signalfd_siginfo signal;
    if (read(l->signal_fd, &signal, sizeof signal) != sizeof signal) return false;
    if (signal.ssi_signo != SIGHUP) return true;
    read_access_again(l);
    return false;
}

void listener_run(Listener *l)
{
    struct pollfd fds[3] = {{.fd = l->signal_fd, .events = POLLIN},
                            {.fd = l->tcp_fd, .events = POLLIN},
                            {.fd = l->unix_fd, .events = POLLIN}};
    uint64_t looked_ns = clock_monotonic_ns();
    for (;;) {
        int n = poll(fds, 3, LOOK_MS);
        if (n < 0 && errno != EINTR) break;
        if (n > 0 && fds[0].revents && told_to_stop(l)) break;
        for (int i = 1; n > 0 && i < 3; i++)
            if (fds[i].revents & POLLIN) accept_one(l, fds[i].fd);
        uint64_t now_ns = clock_monotonic_ns();
        if (now_ns - looked_ns > (uint64_t)LOOK_MS * 1000000) {
            look_for_lost_clients(l);
            look_for_dawdlers(l);
            server_tell_of_old_snapshots(l->server);
            looked_ns = now_ns;
        }
    }
    atomic_store(&l->stopping, true);
    log_write(LOG_INFO, "stopping: running statements are finished first");
    stop_connections(l);
}
