/* keywords.h - words with a meaning in the grammar. The list is keywords.def. */
#ifndef PARSER_KEYWORDS_H
#define PARSER_KEYWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum KeywordCategory { KEYWORD_UNRESERVED, KEYWORD_COL_NAME, KEYWORD_TYPE_FUNC, KEYWORD_RESERVED } KeywordCategory;

typedef struct Keyword {
    const char *word; /* lower case */
    uint16_t token;   /* TK_... of grammar.h */
    KeywordCategory category;
    bool bare_label;  /* may be an alias without AS */
} Keyword;

/* word must be in lower case. NULL: no keyword. */
const Keyword *keyword_find(const char *word, size_t length);
/* All of them by name; NULL behind the last. */
const Keyword *keyword_at(int index);

#endif
