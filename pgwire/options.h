/* options.h - the command line. Wrong flags say what is wrong. */
#ifndef PGWIRE_OPTIONS_H
#define PGWIRE_OPTIONS_H

#include "storage/base/log.h"
#include "storage/base/slice.h"

typedef struct Options {
    const char *data_directory;
    const char *host; /* numeric or a name that resolves to a loopback address */
    const char *port; /* "0" picks a free one */
    const char *socket_directory; /* NULL: no Unix socket */
    const char *hba_file;  /* NULL: none, and only loopback addresses and the Unix socket are served */
    const char *tls_cert, *tls_key, *tls_ca; /* NULL: no encryption; no certificates of clients */
    int auth_timeout_s;
    int connections_max;
    int nodes; /* simulated */
    const char *localities; /* theirs; NULL: none */
    LogLevel log_level;
    bool no_sync, no_auto_analyze;
} Options;

/* Parses what stands behind `rowkey serve`. False: *problem says what is wrong, for exit status 2. */
bool options_parse(int argc, char **argv, Options *options, const char **problem);
extern const char options_help[];

#endif
