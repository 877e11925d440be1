/* fn_window.c - the window functions proper; their bodies are in executor/ops/op_window.c, which knows the frame. */
#include "executor/functions/functions.h"
#include "executor/functions/window_kinds.h"

/* clang-format off */
const WindowDef window_functions[] = {
    { 3104, "cume_dist",    "",                 "float8",     WINDOW_CUME_DIST },
    { 3102, "dense_rank",   "",                 "int8",       WINDOW_DENSE_RANK },
    { 3112, "first_value",  "anyelement",       "anyelement", WINDOW_FIRST_VALUE },
    { 3106, "lag",       "anyelement, int4, anyelement", "anyelement", WINDOW_LAG },
    { 3113, "last_value",   "anyelement",       "anyelement", WINDOW_LAST_VALUE },
    { 3109, "lead",      "anyelement, int4, anyelement", "anyelement", WINDOW_LEAD },
    { 3114, "nth_value",    "anyelement, int4", "anyelement", WINDOW_NTH_VALUE },
    { 3105, "ntile",        "int4",             "int4",       WINDOW_NTILE },
    { 3103, "percent_rank", "",                 "float8",     WINDOW_PERCENT_RANK },
    { 3101, "rank",         "",                 "int8",       WINDOW_RANK },
    { 3100, "row_number",   "",                 "int8",       WINDOW_ROW_NUMBER },
    { 0 }
};
/* clang-format on */
