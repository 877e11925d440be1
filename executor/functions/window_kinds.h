/* window_kinds.h - WindowDef.kind. lag and lead may leave out their last one or two arguments. */
#ifndef EXECUTOR_FUNCTIONS_WINDOW_KINDS_H
#define EXECUTOR_FUNCTIONS_WINDOW_KINDS_H

typedef enum WindowKind {
    WINDOW_ROW_NUMBER, WINDOW_RANK, WINDOW_DENSE_RANK, WINDOW_PERCENT_RANK, WINDOW_CUME_DIST, WINDOW_NTILE,
    WINDOW_LAG, WINDOW_LEAD, WINDOW_FIRST_VALUE, WINDOW_LAST_VALUE, WINDOW_NTH_VALUE
} WindowKind;

#endif
