/* type_money.h - money: an int8 of cents. */
#ifndef STORAGE_TYPES_TYPE_MONEY_H
#define STORAGE_TYPES_TYPE_MONEY_H

#include "storage/types/type.h"

enum { MONEY_DECIMALS = 2, MONEY_UNIT = 100 };

#endif
