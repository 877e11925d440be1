/* do_block.h - the part of PL/pgSQL that a DO block may be written in: BEGIN ... EXCEPTION ... END around SQL statements,
 * IF, NULL, PERFORM, EXECUTE of a text and RAISE. What else PL/pgSQL has answers 0A000 and is named.
 *
 * The text is parsed as a whole before anything runs. Everything lies in the arena and borrows from the text.
 */
#ifndef EXECUTOR_DO_BLOCK_H
#define EXECUTOR_DO_BLOCK_H

#include "storage/base/list.h"
#include "storage/types/type.h"

typedef struct DoStmt DoStmt;
typedef VEC(DoStmt *) DoStmtVec;

typedef struct DoHandler {
    StrVec conditions; /* condition names in lower case, or 'xxxxx' of SQLSTATE */
    DoStmtVec body;
} DoHandler;

typedef struct DoBlock {
    DoStmtVec body;
    VEC(DoHandler) handlers;
} DoBlock;

typedef struct DoBranch {
    const char *condition; /* an expression; NULL: ELSE */
    DoStmtVec body;
} DoBranch;

typedef enum DoKind { DO_NULL, DO_SQL, DO_PERFORM, DO_EXECUTE, DO_RAISE, DO_IF, DO_BLOCK } DoKind;

struct DoStmt {
    DoKind kind;
    const char *text;      /* DO_SQL: the statement; DO_PERFORM: behind the word; DO_EXECUTE: an expression; DO_RAISE: the message */
    const char *level;     /* DO_RAISE: NOTICE, WARNING ...; EXCEPTION */
    VEC(DoBranch) branches; /* DO_IF */
    DoBlock *block;        /* DO_BLOCK */
};

/* 42601 for what is malformed, 0A000 for what is not there. */
Status do_block_parse(const char *body, Arena *arena, DoBlock **block, Error *err);

#endif
