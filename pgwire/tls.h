/* tls.h - encryption of connections by OpenSSL.
 *
 * A TlsContext is certificate, key and authorities as read from their files; it is immutable, shared by the connections that
 * began under it and counted by OpenSSL. A Tls is one connection's state, used on its thread only. The socket under it does
 * not block: reading waits in poll, writing says EAGAIN as send does, so that whoever writes can look whether it is to end.
 */
#ifndef PGWIRE_TLS_H
#define PGWIRE_TLS_H

#include <sys/types.h>

#include "storage/base/err.h"

typedef struct ssl_ctx_st TlsContext;
typedef struct ssl_st Tls;

/* TLS 1.2 and above, no renegotiation, no compression. ca NULL: client certificates are not asked for. */
Status tls_context_open(const char *cert, const char *key, const char *ca, TlsContext **context, Arena *arena, Error *err);
TlsContext *tls_context_retain(TlsContext *context);
void tls_context_release(TlsContext *context);

/* The handshake; waits for the client. NULL: it failed, and has been logged. */
Tls *tls_accept(TlsContext *context, int fd);
void tls_close(Tls *tls); /* says goodbye if that needs no waiting */

/* As recv and send: bytes, 0 at the end, -1 with errno. tls_write gives EAGAIN where it would wait. */
ssize_t tls_read(Tls *tls, void *at, size_t room);
ssize_t tls_write(Tls *tls, const void *bytes, size_t n);
/* Are there bytes that have left the socket but were not read yet? */
bool tls_pending(const Tls *tls);

/* tls-server-end-point (RFC 5929): the digest of the server's certificate. Its size; 0: there is none. out: 64 bytes. */
size_t tls_server_end_point(const Tls *tls, uint8_t *out);
/* The common name of the client's certificate, which an authority of ours has signed; NULL: there is none. */
const char *tls_client_name(const Tls *tls, Arena *arena);

#endif
