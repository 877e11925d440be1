/* hba.h - who may connect from where and how they prove who they are: PostgreSQL's pg_hba.conf.
 *
 *   local      DATABASE USER         METHOD [OPTION=VALUE ...]
 *   host       DATABASE USER ADDRESS METHOD [OPTION=VALUE ...]     also hostssl, hostnossl
 *
 * The first line that fits decides; where none fits nobody connects. A Hba is immutable and counted: a connection keeps the one
 * that it began with. Without a file everybody is trusted who comes over a Unix socket or from a loopback address.
 */
#ifndef PGWIRE_HBA_H
#define PGWIRE_HBA_H

#include <sys/socket.h>

#include "executor/stmt.h"

typedef struct Hba Hba;

typedef enum HbaMethod {
    HBA_TRUST, HBA_REJECT, HBA_PASSWORD, HBA_MD5, HBA_SCRAM, HBA_PEER, HBA_CERT, HBA_NONE /* no line fits */
} HbaMethod;

/* file NULL: the rules without a file. A wrong line: F0000 with its number. */
Status hba_open(const char *file, Hba **hba, Arena *arena, Error *err);
Hba *hba_retain(Hba *hba);
void hba_release(Hba *hba);

typedef struct HbaRequest {
    Server *server; /* knows the members of roles */
    const char *user, *database;
    const struct sockaddr *peer, *own; /* AF_UNIX: local */
    bool encrypted;
} HbaRequest;

typedef struct HbaAnswer {
    HbaMethod method;
    bool client_certificate; /* clientcert=verify-full: its common name must be the user's */
} HbaAnswer;

HbaAnswer hba_find(const Hba *hba, const HbaRequest *request);

#endif
