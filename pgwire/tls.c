#include "pgwire/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>

#include "storage/base/log.h"

static Status failed(Error *err, Arena *arena, const char *what, const char *file)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    Status st = err_set(err, arena, ERR_CONFIG_FILE_ERROR, "could not load %s \"%s\": %s", what, file, reason ? reason : strerror(errno));
    ERR_clear_error();
    return st;
}

Status tls_context_open(const char *cert, const char *key, const char *ca, TlsContext **out, Arena *arena, Error *err)
{
    static const unsigned char name[] = "rowkey";
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    Status st = ST_OK;
    if (!context) return err_no_memory(err);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_session_id_context(context, name, sizeof name - 1);
    if (SSL_CTX_use_certificate_chain_file(context, cert) != 1)
        st = failed(err, arena, "server certificate file", cert);
    else if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(context) != 1)
        st = failed(err, arena, "private key file", key);
    else if (ca && SSL_CTX_load_verify_locations(context, ca, NULL) != 1)
        st = failed(err, arena, "root certificate file", ca);
    if (st == ST_OK && ca) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_CLIENT_ONCE, NULL);
        SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(ca));
    }
    if (st == ST_OK)
        *out = context;
    else
        SSL_CTX_free(context);
    return st;
}

TlsContext *tls_context_retain(TlsContext *context)
{
    if (context) SSL_CTX_up_ref(context);
    return context;
}

void tls_context_release(TlsContext *context)
{
    SSL_CTX_free(context);
}

/* After a call that did not do all it was to do: waits for the socket. False: there is no use in trying again. */
static bool wait_socket(Tls *tls, int result)
{
    int error = SSL_get_error(tls, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return false;
    struct pollfd socket = {.fd = SSL_get_fd(tls), .events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT};
    return poll(&socket, 1, -1) >= 0 || errno == EINTR;
}

Tls *tls_accept(TlsContext *context, int fd)
{
    Tls *tls = SSL_new(context);
    int flags = fcntl(fd, F_GETFL), rc = -1;
    if (!tls || flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 || SSL_set_fd(tls, fd) != 1) {
        SSL_free(tls);
        return NULL;
    }
    do {
        ERR_clear_error();
        rc = SSL_accept(tls);
    } while (rc != 1 && wait_socket(tls, rc));
    if (rc == 1) return tls;
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    log_write(LOG_INFO, "could not accept SSL connection: %s", reason ? reason : "the client went away");
    ERR_clear_error();
    SSL_free(tls);
    return NULL;
}

void tls_close(Tls *tls)
{
    if (!tls) return;
    ERR_clear_error();
    if (SSL_is_init_finished(tls)) SSL_shutdown(tls);
    SSL_free(tls);
}

ssize_t tls_read(Tls *tls, void *at, size_t room)
{
    for (;;) {
        size_t n = 0;
        ERR_clear_error();
        int rc = SSL_read_ex(tls, at, room, &n);
        if (rc == 1) return (ssize_t)n;
        if (SSL_get_error(tls, rc) == SSL_ERROR_ZERO_RETURN) return 0;
        if (wait_socket(tls, rc)) continue;
        /* A client that leaves without its goodbye is a client that has left. */
        if (SSL_get_error(tls, rc) == SSL_ERROR_SYSCALL || SSL_get_shutdown(tls)) return 0;
        unsigned long reason = ERR_peek_last_error();
        ERR_clear_error();
        if (ERR_GET_REASON(reason) == SSL_R_UNEXPECTED_EOF_WHILE_READING) return 0;
        errno = ECONNRESET;
        return -1;
    }
}

ssize_t tls_write(Tls *tls, const void *bytes, size_t n)
{
    size_t sent = 0;
    ERR_clear_error();
    int rc = SSL_write_ex(tls, bytes, n, &sent);
    if (rc == 1) return (ssize_t)sent;
    int error = SSL_get_error(tls, rc);
    errno = error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ ? EAGAIN : ECONNRESET;
    ERR_clear_error();
    return -1;
}

bool tls_pending(const Tls *tls)
{
    return tls && SSL_has_pending(tls);
}

size_t tls_server_end_point(const Tls *tls, uint8_t *out)
{
    X509 *certificate = SSL_get_certificate(tls);
    int digest_nid = NID_undef, ignored;
    unsigned int size = 0;
    if (!certificate || !OBJ_find_sigid_algs(X509_get_signature_nid(certificate), &digest_nid, &ignored)) return 0;
    /* The certificate's own digest, but nothing weaker than SHA-256. */
    const EVP_MD *digest = digest_nid == NID_md5 || digest_nid == NID_sha1 ? EVP_sha256() : EVP_get_digestbynid(digest_nid);
    if (!digest || X509_digest(certificate, digest, out, &size) != 1) return 0;
    return size;
}

const char *tls_client_name(const Tls *tls, Arena *arena)
{
    char name[256];
    X509 *certificate = SSL_get1_peer_certificate(tls);
    int n = -1;
    if (certificate && SSL_get_verify_result(tls) == X509_V_OK)
        n = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
    X509_free(certificate);
    /* A zero byte inside would make two different names look the same. */
    return n > 0 && strlen(name) == (size_t)n ? arena_strdup(arena, name) : NULL;
}
