/* random_state.h - where a session's sequence of random() stands; functions/fn_random.c reads and seeds it. */
#ifndef EXECUTOR_RANDOM_STATE_H
#define EXECUTOR_RANDOM_STATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RandomState {
    uint64_t words[2];
    bool seeded;
} RandomState;

#endif
