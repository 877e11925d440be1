/* keyword_list.h - the grammar's words, for whoever tells users of them. */
#ifndef PLANNER_KEYWORD_LIST_H
#define PLANNER_KEYWORD_LIST_H

#include <stdbool.h>

typedef struct KeywordFacts {
    const char *word;
    char category; /* pg_get_keywords().catcode: U, C, T, R */
    bool bare;     /* may stand as an alias without AS */
} KeywordFacts;

/* By name; false: there are not so many. */
bool keyword_facts(int index, KeywordFacts *facts);

#endif
