#include "storage/base/err.h"

#include <assert.h>

typedef struct SqlStateRow {
    const char *code, *name;
} SqlStateRow;

static const SqlStateRow rows[SQLSTATE_COUNT] = {
#define SQLSTATE(code, constant, name) [constant] = {code, name},
#include "storage/base/sqlstate.def"
#undef SQLSTATE
};

Status err_set(Error *err, Arena *arena, SqlState code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *err = (Error){.sqlstate = code, .message = arena_vprintf(arena, format, args)};
    va_end(args);
    return ST_ERROR;
}

void err_detail(Error *err, Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err->detail = arena_vprintf(arena, format, args);
    va_end(args);
}

void err_hint(Error *err, Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err->hint = arena_vprintf(arena, format, args);
    va_end(args);
}

Status err_at(Error *err, int position)
{
    if (!err->position) err->position = position;
    return ST_ERROR;
}

Status err_no_memory(Error *err)
{
    *err = (Error){.sqlstate = ERR_OUT_OF_MEMORY, .message = "out of memory"};
    return ST_ERROR;
}

Status err_unsupported(Error *err, Arena *arena, const char *what)
{
    return err_set(err, arena, ERR_FEATURE_NOT_SUPPORTED, "%s is not supported", what);
}

const char *sqlstate_code(SqlState state)
{
    assert(state < SQLSTATE_COUNT);
    return rows[state].code;
}

const char *sqlstate_name(SqlState state)
{
    assert(state < SQLSTATE_COUNT);
    return rows[state].name;
}

SqlState sqlstate_find(const char *code)
{
    for (int i = 0; i < SQLSTATE_COUNT; i++)
        if (strcmp(rows[i].code, code) == 0) return (SqlState)i;
    return SQLSTATE_COUNT;
}
