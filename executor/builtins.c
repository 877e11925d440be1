#include "executor/builtins.h"

#include "executor/functions/functions.h"
#include "executor/system/static_rows.h"
#include "executor/system/system.h"

const Builtins builtins = {
    .function_families = function_families,
    .aggregate_families = aggregate_families,
    .windows = window_functions,
    .relation_families = system_families,
    .reg_name = static_reg_name,
    .reg_find = static_reg_find,
};
