/* listener.h - sockets to accept from, connections by thread, cancel keys, orderly end.
 *
 * A Listener owns the listening sockets and a record of each running connection. One mutex guards the list of
 * connections; nothing else is taken while it is held.
 */
#ifndef PGWIRE_LISTENER_H
#define PGWIRE_LISTENER_H

#include "executor/stmt.h"
#include "pgwire/options.h"

#include "pgwire/hba.h"
#include "pgwire/tls.h"

typedef struct Listener Listener;

/* Reads certificate and rules of access, binds and listens. Refuses an address beyond loopback without such rules. */
Status listener_open(const Options *options, Server *server, Listener **listener, Arena *arena, Error *err);
/* "127.0.0.1:5433", with the port that was picked. */
const char *listener_address(const Listener *listener);
/* Accepts until SIGTERM or SIGINT (blocked in every thread by main); then lets running statements end. */
void listener_run(Listener *listener);
void listener_close(Listener *listener);

/* ---- for connections ---- */

typedef struct ConnRecord {
    struct ConnRecord *next, *previous;
    int fd;
    bool local, proved; /* over the Unix socket; authenticated */
    uint64_t began_ns;
    uint32_t process_id, secret;
    Interrupt *interrupt; /* of the session; NULL before it is open and after it is closed */
    Listener *listener;
} ConnRecord;

/* As they are now: read again on SIGHUP. To be released. NULL: no encryption. */
Hba *listener_hba(Listener *listener);
TlsContext *listener_tls(Listener *listener);
const uint8_t *listener_secret(const Listener *listener); /* 32 random bytes */
Server *listener_server(Listener *listener);
void listener_publish(ConnRecord *record, uint32_t process_id, uint32_t secret, Interrupt *interrupt);
void listener_withdraw(ConnRecord *record);
/* Raises a cancel at the session that has this key; wrong keys are ignored, as the protocol wants. */
void listener_cancel(Listener *listener, uint32_t process_id, uint32_t secret);
bool listener_stopping(const Listener *listener);

#endif
