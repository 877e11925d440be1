#include "executor/builtins.h"

#include "executor/functions/functions.h"

static const SystemRelation *const relation_families[] = {NULL};

const Builtins builtins = {
    .function_families = function_families,
    .aggregate_families = aggregate_families,
    .windows = window_functions,
    .relation_families = relation_families,
};
