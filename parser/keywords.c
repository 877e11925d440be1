/* keywords.c - look-up of keywords in the table that keywords.py makes. */
#include "parser/keywords.h"

#include <string.h>

#include "parser/grammar.h"
#include "parser/keyword_table.inc"

enum { KEYWORD_SLOTS = sizeof keyword_slots / sizeof keyword_slots[0], KEYWORD_COUNT = sizeof keywords / sizeof keywords[0] };

const Keyword *keyword_find(const char *word, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)word[i]) * 16777619u;
    for (uint32_t at = hash % KEYWORD_SLOTS; keyword_slots[at]; at = (at + 1) % KEYWORD_SLOTS) {
        const Keyword *keyword = &keywords[keyword_slots[at] - 1];
        if (strncmp(keyword->word, word, length) == 0 && keyword->word[length] == '\0') return keyword;
    }
    return NULL;
}

const Keyword *keyword_at(int index)
{
    return index >= 0 && index < (int)KEYWORD_COUNT ? &keywords[index] : NULL;
}
