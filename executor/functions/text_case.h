/* text_case.h - case mapping for those beside lower() and upper() that need it (ILIKE). */
#ifndef EXECUTOR_FUNCTIONS_TEXT_CASE_H
#define EXECUTOR_FUNCTIONS_TEXT_CASE_H

#include "storage/types/type.h"

/* text is valid UTF-8; the result is in ctx->arena. 53200. */
Status text_case(TypeCtx *ctx, Slice text, bool upper, Slice *out);

#endif
