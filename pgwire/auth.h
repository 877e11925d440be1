/* auth.h - proving who one is, between the startup packet and the session.
 *
 * An unknown user, a role without a password and a wrong password end alike: after the same messages and the same work, with
 * 28P01. What was really wrong is in the server's log only.
 */
#ifndef PGWIRE_AUTH_H
#define PGWIRE_AUTH_H

#include "pgwire/conn.h"

/* ST_OK: the client is who it says. Otherwise the error has been reported and the connection ends. */
Status auth_run(Conn *conn, const char *user, const char *database);

/* ---- auth_scram.c ---- */

/* login->password is a SCRAM verifier; NULL: the exchange runs as if there were one, and fails. ST_END: it failed. */
Status auth_scram(Conn *conn, const char *user, const LoginRole *login);

/* ---- for auth_scram.c ---- */

/* AuthenticationXXX with what belongs to it, sent. */
void auth_send(Conn *conn, int code, Slice bytes);
/* The client's next message of type p. */
Status auth_receive(Conn *conn, Frame *frame);
/* A fatal error of the exchange itself: reported. */
Status auth_broken(Conn *conn, const char *message);

#endif
