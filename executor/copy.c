#include "executor/copy.h"

Status copy_bind(Portal *portal, const UtilityCopy *copy, Error *err)
{
    return err_unsupported(err, state_error_arena(portal->session), "COPY");
}

void copy_close(Portal *portal)
{
    portal->copy_in = NULL;
    portal->copy_out = NULL;
}
