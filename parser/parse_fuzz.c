/* parse_fuzz.c - fuzz target for the SQL text: whatever parses must print to a text that parses to the same. Build with
 * clang -fsanitize=fuzzer,address,undefined; parse_corpus.sql has statements to start from. */
#include <assert.h>
#include <stdlib.h>

#include "parser/ast_print.h"
#include "parser/parse.h"
#include "storage/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create(NULL, 0);
    const char *text = arena_strndup(arena, data, size), *rest = text;
    AstStmt *stmt;
    Error err = {0};
    /* Whoever reads from a client has refused what is no UTF-8. */
    size_t length = strlen(text);
    if (utf8_valid_prefix(slice_of(text, length)) != length) text = rest = "";
    while (parse_next(text, &rest, &stmt, arena, &err) == ST_OK) {
        if (stmt->kind == AST_UNSUPPORTED) continue;
        const char *once = ast_stmt_text(stmt, arena), *again = once;
        Status status = parse_next(once, &again, &stmt, arena, &err);
        assert(status == ST_OK || err.sqlstate == ERR_STATEMENT_TOO_COMPLEX);
        if (status == ST_OK) assert(strcmp(once, ast_stmt_text(stmt, arena)) == 0);
    }
    arena_destroy(arena);
    return 0;
}
