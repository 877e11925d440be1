/* finding.h - what a check of a store tells as it goes: what is wrong, and how far it has come.
 *
 * Whoever starts a check owns the Findings. A finding's texts and bytes live until `report` returns. Several threads
 * may not share one.
 */
#ifndef STORAGE_BASE_FINDING_H
#define STORAGE_BASE_FINDING_H

#include "storage/base/interrupt.h"

typedef struct Finding {
    const char *kind;                     /* "range", "catalog", "sequence", "row", "index", "constraint" */
    const char *database, *table, *index; /* NULL: it concerns none */
    Slice key;                            /* empty: it concerns none */
    const char *problem;
} Finding;

typedef struct Findings {
    void (*report)(void *argument, const Finding *finding);
    void (*progress)(void *argument, uint64_t pairs); /* now and then; NULL: nobody wants to know */
    void *argument;
    Interrupt *interrupt; /* NULL: none */
    uint64_t count, pairs;
} Findings;

/* where: everything but the problem, which is formatted. */
void finding_add(Findings *findings, const Finding *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Counts pairs that have been looked at. ST_ERROR: the check is to stop. */
Status findings_advance(Findings *findings, uint64_t pairs, Error *err);

#endif
