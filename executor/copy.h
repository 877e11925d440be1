/* copy.h - COPY FROM STDIN and TO STDOUT: between a portal and the formats.
 *
 * Bytes come and go in pieces of any size. copy.c runs the statement; copy_split.c cuts rows out of what has come so far,
 * copy_parse.c cuts a row into fields, copy_format.c writes rows.
 */
#ifndef EXECUTOR_COPY_H
#define EXECUTOR_COPY_H

#include "executor/stmt_internal.h"
#include "planner/utility_session.h"

/* Makes portal->copy_in or portal->copy_out; nothing is read or run yet. */
Status copy_bind(Portal *portal, const UtilityCopy *copy, Error *err);
void copy_close(Portal *portal); /* nothing open: nothing done */

/* ---- cutting rows (copy_split.c) ---- */

typedef enum CopyEol { EOL_UNKNOWN, EOL_NL, EOL_CR, EOL_CRNL } CopyEol;

typedef struct CopySplitter {
    const UtilityCopy *copy;
    Buf pending;      /* what has come and was not used */
    size_t start;     /* of the row in progress */
    size_t scanned;   /* bytes of pending that were looked at */
    bool in_quotes, after_escape, header_seen;
    CopyEol eol;
    bool ended;       /* the end marker has come: what follows is ignored */
} CopySplitter;

void copy_splitter_add(CopySplitter *splitter, Slice bytes);
/* The next whole row, without its end of line; valid until the next call. final: no more bytes will come. ST_END. */
Status copy_splitter_next(CopySplitter *splitter, bool final, Slice *row, Arena *arena, Error *err);

/* ---- fields of a row (copy_parse.c) ---- */

typedef struct CopyField {
    Slice text;
    bool null;
    bool quoted;
} CopyField;
/* Cuts a text or CSV row; fields in the arena. */
Status copy_parse_fields(const UtilityCopy *copy, Slice row, CopyField **fields, int *count, Arena *arena, Error *err);

/* ---- writing rows (copy_format.c) ---- */

void copy_format_header(const UtilityCopy *copy, Buf *out);
void copy_format_row(const UtilityCopy *copy, const TypeEnv *env, const TypeDef *const *types, const Value *row, Buf *out);
void copy_format_end(const UtilityCopy *copy, Buf *out);

#endif
