/* err.h - the outcome of a call, and the one description of what went wrong.
 *
 * A function that can fail returns a Status and takes an Error *. The Error is filled once, where the fact is known;
 * those above pass the Status on (TRY) and add nothing but detail, hint or position that only they know.
 * Texts live in the arena given to err_set, or are literals. A broken invariant is an assert, never an Error.
 */
#ifndef STORAGE_BASE_ERR_H
#define STORAGE_BASE_ERR_H

#include "storage/base/arena.h"

#define MUST_USE __attribute__((warn_unused_result))

typedef enum SqlState {
#define SQLSTATE(code, constant, name) constant,
#include "storage/base/sqlstate.def"
#undef SQLSTATE
    SQLSTATE_COUNT
} SqlState;

typedef enum Status { ST_OK, ST_END, ST_ERROR } Status; /* ST_END: no further row */

/* The fields of ErrorResponse. position counts characters from 1; 0 is none. fatal ends the session. */
typedef struct Error {
    SqlState sqlstate;
    const char *message, *detail, *hint, *context;
    const char *schema, *table, *column, *datatype, *constraint;
    uint32_t table_id; /* of `table`, where the schema's name is not at hand; 0: none */
    int position;
    bool fatal;
} Error;

/* Always ST_ERROR, so that `return err_set(...)` reads well. A filled Error is overwritten. */
Status err_set(Error *err, Arena *arena, SqlState code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void err_detail(Error *err, Arena *arena, const char *format, ...) __attribute__((format(printf, 3, 4)));
void err_hint(Error *err, Arena *arena, const char *format, ...) __attribute__((format(printf, 3, 4)));
Status err_at(Error *err, int position); /* sets the position if none is set yet; ST_ERROR */
Status err_no_memory(Error *err);        /* 53200, no allocation */
/* 0A000: «X is not supported». */
Status err_unsupported(Error *err, Arena *arena, const char *what);

const char *sqlstate_code(SqlState state); /* five characters */
const char *sqlstate_name(SqlState state);
/* SQLSTATE_COUNT if the code is not in the list. */
SqlState sqlstate_find(const char *code);

/* Returns what is not ST_OK. Only where everything held is in an arena; otherwise `goto done`. */
#define TRY(call)                                                                                                    \
    do {                                                                                                             \
        Status try_status_ = (call);                                                                                 \
        if (try_status_ != ST_OK) return try_status_;                                                                \
    } while (0)

#endif
