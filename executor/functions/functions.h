/* functions.h - the families of built-in functions, operators and aggregates. Each is an array ended by a row without name. */
#ifndef EXECUTOR_FUNCTIONS_FUNCTIONS_H
#define EXECUTOR_FUNCTIONS_FUNCTIONS_H

#include "storage/catalog/builtin.h"

extern const FuncDef *const function_families[];   /* functions.c: the list, ended by NULL */
extern const AggDef *const aggregate_families[];
extern const WindowDef window_functions[];

#endif
