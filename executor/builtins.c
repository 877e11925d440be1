#include "executor/builtins.h"

#include "executor/functions/functions.h"
#include "executor/system/system.h"

const Builtins builtins = {
    .function_families = function_families,
    .aggregate_families = aggregate_families,
    .windows = window_functions,
    .relation_families = system_families,
};
