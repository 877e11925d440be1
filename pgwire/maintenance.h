/* maintenance.h - the commands of the program that look after a store while no server has it.
 *
 * Each takes what stands behind its name on the command line and returns the exit status: 0 done and well, 1 something
 * is wrong with the store, 2 it could not be done. Results go to stdout, everything else to stderr.
 */
#ifndef PGWIRE_MAINTENANCE_H
#define PGWIRE_MAINTENANCE_H

int maintenance_check(int argc, char **argv);
int maintenance_compact(int argc, char **argv);
int maintenance_restore(int argc, char **argv);

#endif
