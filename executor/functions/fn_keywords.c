/* fn_keywords.c - pg_get_keywords: the words of this grammar, CockroachDB's and YugabyteDB's included. */
#include "executor/functions/families.h"
#include "planner/keyword_list.h"

static Status keywords_start(FnCtx *ctx, void *state, const Value *args)
{
    return ST_OK;
}

static const char *category_words(char category)
{
    switch (category) {
    case 'C': return "unreserved (cannot be function or type name)";
    case 'T': return "reserved (can be function or type name)";
    case 'R': return "reserved";
    }
    return "unreserved";
}

static Status keywords_next(FnCtx *ctx, void *state, Value *out)
{
    int *next = state;
    KeywordFacts facts;
    if (!keyword_facts((*next)++, &facts)) return ST_END;
    char *category = arena_alloc(ctx->type.arena, 2);
    category[0] = facts.category;
    out[0] = value_str(facts.word);
    out[1] = value_str(category);
    out[2] = value_bool(facts.bare);
    out[3] = value_str(category_words(facts.category));
    out[4] = value_str(facts.bare ? "can be bare label" : "requires AS");
    return ST_OK;
}

static const FnRows keyword_rows = {sizeof(int), keywords_start, keywords_next,
                                    "word text, catcode \"char\", barelabel bool, catdesc text, baredesc text"};

const FuncDef fn_keywords_rows[] = {
    {1686, "pg_get_keywords", "", "record", FN_STRICT | FN_STABLE | FN_SET, .rows = &keyword_rows},
    {0},
};
