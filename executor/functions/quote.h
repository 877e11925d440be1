/* quote.h - names and strings as SQL text. */
#ifndef EXECUTOR_FUNCTIONS_QUOTE_H
#define EXECUTOR_FUNCTIONS_QUOTE_H

#include "storage/base/buf.h"

/* In double quotes unless it reads back as itself without. */
void quote_identifier(Slice name, Buf *out);
/* 'it''s', and E'a\\b' where a backslash is inside. */
void quote_string(Slice text, Buf *out);

#endif
