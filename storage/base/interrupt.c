#include "storage/base/interrupt.h"

#include "storage/base/clock.h"

void interrupt_raise(Interrupt *interrupt, InterruptKind kind)
{
    int seen = atomic_load(&interrupt->raised);
    while (seen < (int)kind && !atomic_compare_exchange_weak(&interrupt->raised, &seen, (int)kind)) continue;
}

void interrupt_clear(Interrupt *interrupt)
{
    int seen = atomic_load(&interrupt->raised);
    while (seen < INTERRUPT_TERMINATE && !atomic_compare_exchange_weak(&interrupt->raised, &seen, INTERRUPT_NONE))
        continue;
}

Status interrupt_poll(Interrupt *interrupt, Error *err)
{
    if (!interrupt) return ST_OK;
    int64_t deadline = atomic_load_explicit(&interrupt->deadline_ns, memory_order_relaxed);
    if (deadline && (int64_t)clock_monotonic_ns() >= deadline) interrupt_raise(interrupt, INTERRUPT_TIMEOUT);
    switch ((InterruptKind)atomic_load_explicit(&interrupt->raised, memory_order_relaxed)) {
    case INTERRUPT_NONE:
        return ST_OK;
    case INTERRUPT_CANCEL:
        *err = (Error){.sqlstate = ERR_QUERY_CANCELED, .message = "canceling statement due to user request"};
        return ST_ERROR;
    case INTERRUPT_TIMEOUT:
        *err = (Error){.sqlstate = ERR_QUERY_CANCELED, .message = "canceling statement due to statement timeout"};
        return ST_ERROR;
    case INTERRUPT_TERMINATE:
        *err = (Error){.sqlstate = ERR_ADMIN_SHUTDOWN,
                       .message = "terminating connection due to administrator command",
                       .fatal = true};
        return ST_ERROR;
    case INTERRUPT_CLIENT_LOST:
        break;
    }
    *err = (Error){.sqlstate = ERR_CONNECTION_FAILURE, .message = "connection to client lost", .fatal = true};
    return ST_ERROR;
}
