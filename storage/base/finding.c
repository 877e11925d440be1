#include "storage/base/finding.h"

#include <stdarg.h>

enum { PROGRESS_PAIRS = 1 << 20 };

void finding_add(Findings *findings, const Finding *where, const char *format, ...)
{
    Arena *arena = arena_create(NULL, 0);
    Finding finding = *where;
    va_list args;
    va_start(args, format);
    finding.problem = arena_vprintf(arena, format, args);
    va_end(args);
    findings->count++;
    findings->report(findings->argument, &finding);
    arena_destroy(arena);
}

Status findings_advance(Findings *findings, uint64_t pairs, Error *err)
{
    uint64_t before = findings->pairs;
    findings->pairs += pairs;
    if (findings->progress && before / PROGRESS_PAIRS != findings->pairs / PROGRESS_PAIRS)
        findings->progress(findings->argument, findings->pairs);
    return interrupt_poll(findings->interrupt, err);
}
