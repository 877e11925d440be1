/* bind_clause.c - what may stand in which clause. */
#include "planner/bind/bind_expr.h"

static const char *const clause_words[] = {
#define CLAUSE_WORDS(clause, words) words,
    BIND_CLAUSES(CLAUSE_WORDS)
#undef CLAUSE_WORDS
};

/* The clauses that are worked out behind grouping. */
static bool after_grouping(BindClause clause)
{
    return clause == CLAUSE_SELECT || clause == CLAUSE_ORDER_BY || clause == CLAUSE_DISTINCT_ON;
}

static bool allows(const Binder *binder, ClausePart part)
{
    BindClause clause = binder->clause;
    switch (part) {
    case PART_AGGREGATE:
        return after_grouping(clause) || clause == CLAUSE_HAVING || clause == CLAUSE_WINDOW;
    case PART_WINDOW:
        return after_grouping(clause);
    case PART_SET_CALL:
        return after_grouping(clause) || clause == CLAUSE_GROUP_BY;
    case PART_SUBQUERY:
        return clause != CLAUSE_DEFAULT && clause != CLAUSE_CHECK && clause != CLAUSE_COMPUTED &&
               clause != CLAUSE_INDEX && clause != CLAUSE_INDEX_PREDICATE && clause != CLAUSE_PARTITION &&
               clause != CLAUSE_EXECUTE && clause != CLAUSE_ALTER_USING && clause != CLAUSE_SPLIT &&
               clause != CLAUSE_COPY_WHERE;
    case PART_COLUMN:
        return clause != CLAUSE_DEFAULT && clause != CLAUSE_PARTITION;
    }
    return true;
}

/* "check constraint" of "check constraints": in the errors that speak of one. */
static const char *singular(Binder *binder, const char *words)
{
    size_t size = strlen(words);
    return size && words[size - 1] == 's' ? arena_strndup(binder->arena, words, size - 1) : words;
}

Status bind_check_part(Binder *binder, ClausePart part, int position)
{
    if (allows(binder, part)) return ST_OK;
    const char *words = clause_words[binder->clause];
    switch (part) {
    case PART_AGGREGATE:
        (void)err_set(binder->err, binder->arena, ERR_GROUPING_ERROR, "aggregate functions are not allowed in %s",
                      words);
        break;
    case PART_WINDOW:
        (void)err_set(binder->err, binder->arena, ERR_WINDOWING_ERROR, "window functions are not allowed in %s", words);
        break;
    case PART_SET_CALL:
        (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED,
                      "set-returning functions are not allowed in %s", words);
        break;
    case PART_SUBQUERY:
        (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot use subquery in %s",
                      singular(binder, words));
        break;
    case PART_COLUMN:
        (void)err_set(binder->err, binder->arena, ERR_FEATURE_NOT_SUPPORTED, "cannot use column reference in %s",
                      singular(binder, words));
        break;
    }
    return err_at(binder->err, position);
}
