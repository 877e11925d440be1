/* node_status.h - `rowkey node status`: asks a running server for its nodes, as a client of its own. */
#ifndef PGWIRE_NODE_STATUS_H
#define PGWIRE_NODE_STATUS_H

/* The arguments behind `rowkey node`. Returns the exit status: 0, 1 (no answer) or 2 (wrong arguments). */
int node_status(int argc, char **argv);

#endif
