/* interrupt.h - how a running statement is stopped from outside.
 *
 * One Interrupt per session. Any thread raises it; the session's thread polls it in long loops and in each named
 * place where it may block (lock wait, commit, socket), and clears it when the statement has been ended.
 */
#ifndef STORAGE_BASE_INTERRUPT_H
#define STORAGE_BASE_INTERRUPT_H

#include <stdatomic.h>

#include "storage/base/err.h"

typedef enum InterruptKind {
    INTERRUPT_NONE,
    INTERRUPT_CANCEL,    /* 57014 canceling statement due to user request */
    INTERRUPT_TIMEOUT,   /* 57014 canceling statement due to statement timeout */
    INTERRUPT_TERMINATE, /* 57P01 terminating connection due to administrator command; fatal */
    INTERRUPT_CLIENT_LOST
} InterruptKind;

typedef struct Interrupt {
    _Atomic int raised; /* an InterruptKind; the highest raised wins */
    _Atomic int64_t deadline_ns; /* monotonic; 0 is none. A poll past it raises INTERRUPT_TIMEOUT */
} Interrupt;

void interrupt_raise(Interrupt *interrupt, InterruptKind kind);
/* Forgets cancel and time-out; a termination stays. */
void interrupt_clear(Interrupt *interrupt);
/* ST_OK, or the Error of what was raised. interrupt may be NULL. */
Status interrupt_poll(Interrupt *interrupt, Error *err);

#endif
