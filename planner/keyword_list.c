#include "planner/keyword_list.h"

#include "parser/keywords.h"

bool keyword_facts(int index, KeywordFacts *facts)
{
    static const char categories[] = {
        [KEYWORD_UNRESERVED] = 'U', [KEYWORD_COL_NAME] = 'C', [KEYWORD_TYPE_FUNC] = 'T', [KEYWORD_RESERVED] = 'R'};
    const Keyword *keyword = keyword_at(index);
    if (!keyword) return false;
    *facts = (KeywordFacts){keyword->word, categories[keyword->category], keyword->bare_label};
    return true;
}
