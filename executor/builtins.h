/* builtins.h - all that the binary brings along, for catalog_open. */
#ifndef EXECUTOR_BUILTINS_H
#define EXECUTOR_BUILTINS_H

#include "storage/catalog/builtin.h"

extern const Builtins builtins;

#endif
