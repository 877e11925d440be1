#include "pgwire/auth.h"

#include <netdb.h>
#include <openssl/crypto.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdio.h>

#include "executor/scram.h"
#include "pgwire/hba.h"
#include "pgwire/tls.h"
#include "storage/base/log.h"

enum { AUTH_CLEARTEXT = 3, AUTH_MD5 = 5, MD5_SALT_BYTES = 4 };

void auth_send(Conn *conn, int code, Slice bytes)
{
    Error ignored;
    writer_begin(&conn->out, 'R');
    writer_i32(&conn->out, code);
    buf_put_slice(&conn->out.buffer, bytes);
    (void)!writer_end(&conn->out, &ignored);
    writer_flush(&conn->out);
}

static Status refuse(Conn *conn, SqlState code, const char *message)
{
    conn->err = (Error){.sqlstate = code, .message = message, .fatal = true};
    report_error(conn, &conn->err);
    return ST_ERROR;
}

Status auth_broken(Conn *conn, const char *message)
{
    return refuse(conn, ERR_PROTOCOL_VIOLATION, message);
}

Status auth_receive(Conn *conn, Frame *frame)
{
    Status st = reader_next(&conn->in, false, frame, &conn->err);
    if (st == ST_END) return ST_ERROR; /* it asks its user for the password first, and comes back */
    if (st == ST_ERROR) {
        report_error(conn, &conn->err);
        return st;
    }
    return frame->type == 'p' ? ST_OK : auth_broken(conn, "expected password response, got another message type");
}

static Status receive_password(Conn *conn, const char **password)
{
    Frame frame;
    TRY(auth_receive(conn, &frame));
    *password = arena_strdup(conn->message_arena, frame_str(&frame));
    if (frame_end(&frame, &conn->err) != ST_OK) return auth_broken(conn, "invalid password packet size");
    return **password ? ST_OK : refuse(conn, ERR_INVALID_PASSWORD, "empty password returned by client");
}

/* ST_END: wrong. Somebody without a password costs as much time as somebody with one. */
static Status cleartext(Conn *conn, const char *user, const LoginRole *login)
{
    static const char nobody[] = "SCRAM-SHA-256$4096:AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                                 ":AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    const char *password;
    auth_send(conn, AUTH_CLEARTEXT, slice_of(NULL, 0));
    TRY(receive_password(conn, &password));
    bool right = password_matches(login->password ? login->password : nobody, user, password);
    return right && login->password ? ST_OK : ST_END;
}

static Status md5(Conn *conn, const LoginRole *login)
{
    char expected[36];
    uint8_t salt[MD5_SALT_BYTES];
    const char *password;
    if (!scram_random(salt, sizeof salt)) return auth_broken(conn, "could not generate random MD5 salt");
    auth_send(conn, AUTH_MD5, slice_of(salt, sizeof salt));
    TRY(receive_password(conn, &password));
    password_md5(login->password + 3, salt, sizeof salt, expected);
    return strlen(password) == 35 && CRYPTO_memcmp(password, expected, 35) == 0 ? ST_OK : ST_END;
}

/* A role with a SCRAM verifier can only be asked by SCRAM, whatever the file says; so is who is not there. */
static Status hashed(Conn *conn, const char *user, const LoginRole *login, HbaMethod method)
{
    bool is_md5 = login->password && password_kind(login->password) == PASSWORD_MD5;
    return is_md5 && method == HBA_MD5 ? md5(conn, login) : auth_scram(conn, user, login);
}

static Status peer(Conn *conn, const char *user)
{
    struct ucred credentials;
    struct passwd entry, *found = NULL;
    socklen_t size = sizeof credentials;
    char *names = arena_alloc(conn->message_arena, 4096);
    if (getsockopt(conn->in.fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return ST_END;
    if (getpwuid_r(credentials.uid, &entry, names, 4096, &found) != 0 || !found) return ST_END;
    return strcmp(found->pw_name, user) == 0 ? ST_OK : ST_END;
}

static Status certificate(Conn *conn, const char *user)
{
    const char *name = conn->in.tls ? tls_client_name(conn->in.tls, conn->message_arena) : NULL;
    if (!name) return refuse(conn, ERR_INVALID_AUTHORIZATION_SPECIFICATION, "connection requires a valid client certificate");
    return strcmp(name, user) == 0 ? ST_OK : ST_END;
}

/* "no pg_hba.conf entry for host ..., no encryption": who may not connect at all hears from where he came. */
static Status not_allowed(Conn *conn, const HbaRequest *r, const char *format)
{
    char host[NI_MAXHOST] = "[local]";
    socklen_t size = r->peer->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (r->peer->sa_family != AF_UNIX) getnameinfo(r->peer, size, host, sizeof host, NULL, 0, NI_NUMERICHOST);
    const char *message = arena_printf(conn->arena, "%s \"%s\", user \"%s\", database \"%s\", %s", format, host, r->user, r->database,
                                       r->encrypted ? "SSL encryption" : "no encryption");
    log_write(LOG_WARNING, "%s", message);
    return refuse(conn, ERR_INVALID_AUTHORIZATION_SPECIFICATION, message);
}

static Status failed(Conn *conn, const char *user, HbaMethod method)
{
    bool by_password = method == HBA_PASSWORD || method == HBA_MD5 || method == HBA_SCRAM;
    const char *what = by_password ? "password" : method == HBA_PEER ? "Peer" : "certificate";
    const char *message = arena_printf(conn->arena, "%s authentication failed for user \"%s\"", what, user);
    log_write(LOG_WARNING, "%s", message);
    return refuse(conn, by_password ? ERR_INVALID_PASSWORD : ERR_INVALID_AUTHORIZATION_SPECIFICATION, message);
}

static Status prove(Conn *conn, const HbaRequest *r, HbaAnswer answer)
{
    LoginRole login;
    server_find_login(r->server, r->user, &login, conn->message_arena);
    if (answer.client_certificate) TRY(certificate(conn, r->user));
    switch (answer.method) {
    case HBA_TRUST:
    case HBA_CERT: return ST_OK;
    case HBA_REJECT: return not_allowed(conn, r, "pg_hba.conf rejects connection for host");
    case HBA_PASSWORD: return cleartext(conn, r->user, &login);
    case HBA_MD5:
    case HBA_SCRAM: return hashed(conn, r->user, &login, answer.method);
    case HBA_PEER: return peer(conn, r->user);
    case HBA_NONE: return not_allowed(conn, r, "no pg_hba.conf entry for host");
    }
    return ST_ERROR;
}

Status auth_run(Conn *conn, const char *user, const char *database)
{
    struct sockaddr_storage peer_address = {0}, own = {0};
    socklen_t peer_size = sizeof peer_address, own_size = sizeof own;
    getpeername(conn->in.fd, (struct sockaddr *)&peer_address, &peer_size);
    getsockname(conn->in.fd, (struct sockaddr *)&own, &own_size);
    HbaRequest request = {.server = listener_server(conn->record->listener), .user = user, .database = database,
                          .peer = (struct sockaddr *)&peer_address, .own = (struct sockaddr *)&own, .encrypted = conn->in.tls != NULL};
    Hba *hba = listener_hba(conn->record->listener);
    HbaAnswer answer = hba_find(hba, &request);
    hba_release(hba);
    Status st = prove(conn, &request, answer);
    return st == ST_END ? failed(conn, user, answer.client_certificate && answer.method == HBA_TRUST ? HBA_CERT : answer.method) : st;
}
