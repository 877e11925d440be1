/* type_time.h - times of day.
 *
 * time is Value.i, microseconds since midnight, 24:00:00 included. timetz is 12 bytes (little endian, not aligned):
 * microseconds since local midnight (8), seconds WEST of UTC (4), as PostgreSQL has it.
 */
#ifndef STORAGE_TYPES_TYPE_TIME_H
#define STORAGE_TYPES_TYPE_TIME_H

#include "storage/types/type.h"

typedef struct TimeTz {
    int64_t us;
    int32_t west; /* seconds */
} TimeTz;

enum { TIMETZ_BYTES = 12 };

TimeTz timetz_load(Value value);
Value timetz_store(TimeTz time, Arena *arena);

/* HH:MM:SS with a fraction of no trailing zeros. */
void time_put_text(int64_t us, Buf *out);
/* Rounds microseconds to a precision of 0..6 digits; others leave them as they are. */
int64_t time_round(int64_t us, int32_t precision);

/* +hh, +hh:mm or +hh:mm:ss. */
void zone_offset_put_text(int east_seconds, Buf *out);

/* typmod_in and typmod_out of the four types with a precision of seconds. */
Status time_typmod_in(const TypeDef *type, TypeCtx *ctx, const int32_t *args, int arg_count, int32_t *typmod);
void time_typmod_out(int32_t typmod, Buf *out);

#endif
