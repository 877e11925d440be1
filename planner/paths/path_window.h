/* path_window.h - window functions that only count, and how far the counting has to go. */
#ifndef PLANNER_PATHS_PATH_WINDOW_H
#define PLANNER_PATHS_PATH_WINDOW_H

#include "planner/paths/path.h"

typedef struct WindowStop {
    Expr *limit;  /* rows for which the function exceeds it are not needed; NULL: all are */
    int function; /* among the relation's */
    bool is_row_number;
} WindowStop;

/* Are all functions row_number, rank or dense_rank? No row counts for those before it. */
bool path_window_runs(const RelWindow *rel);
/* What a filter above says of one of them: row_number <= 3, 3 > rank, dense_rank = 1. */
WindowStop path_window_stop(Paths *p, const RelWindow *rel, Expr *const *conjuncts, int count);
/* Tells the input how few of its rows are needed. */
void path_window_ask(Paths *p, const RelWindow *rel, const WindowStop *stop, Wanted *below);
/* An estimate of the rows before the stop. */
double path_window_rows(Paths *p, const RelWindow *rel, const WindowStop *stop, double rows);

#endif
