/* load.h - the load of one range: decayed rates, and a sample of its requests that tells where a cut would part them.
 *
 * Plain memory without locks: the caller has one. Rates halve every half minute, so a rate is a sum times a constant.
 *
 * The finder keeps 20 keys of requests (reservoir sampling) and counts, for each, how many later requests lie to its left, to
 * its right or span it. A key is a good place to cut if it was compared a hundred times, both sides differ by less than
 * a quarter, and less than half of the requests span it. Appends never qualify: all of them lie to the right.
 */
#ifndef STORAGE_RANGE_LOAD_H
#define STORAGE_RANGE_LOAD_H

#include "storage/base/buf.h"
#include "storage/range/range.h"

typedef struct LoadRates {
    double requests, reads, read_bytes, writes, write_bytes, busy_ns;
    uint64_t at_ns;
} LoadRates;

void load_rates_add(LoadRates *rates, const RangeWork *work, uint64_t now_ns);
/* A decayed sum times this is a rate per second. */
double load_rates_factor(const LoadRates *rates, uint64_t now_ns);
void work_add(RangeWork *to, const RangeWork *more);

enum { LOAD_SAMPLES = 20 };

typedef struct LoadSample {
    Buf key;
    uint32_t left, right, contained;
} LoadSample;

typedef struct LoadFinder {
    LoadSample samples[LOAD_SAMPLES];
    uint64_t started_ns, requests, random;
} LoadFinder;

void load_finder_begin(LoadFinder *finder, uint64_t now_ns);
void load_finder_finish(LoadFinder *finder);
/* end empty: a request of one key; else the last key of it. */
void load_finder_note(LoadFinder *finder, Slice start, Slice end);
/* The best sample; -1 and why if none is good. */
int load_finder_choose(const LoadFinder *finder, RangeRefusal *refusal);
/* The most frequent key of the samples and its share of them. -1: too few requests yet. */
int load_finder_popular(const LoadFinder *finder, double *share);
double load_finder_direction(const LoadFinder *finder);

/* When a range is hot. */
typedef struct LoadLimits {
    bool by_cpu;
    double requests_per_second, cpu_share;
    uint64_t sample_ns, offer_ns;
} LoadLimits;

typedef struct RangeLoad {
    LoadRates rates;
    RangeWork work;
    uint64_t window_ns; /* when the second at hand began */
    uint64_t window_requests, window_busy_ns;
    uint64_t hot_since_ns; /* over the limit in each second since; 0: not */
    uint64_t feed_every, feed_count; /* where requests come thick, one of so many is sampled */
    LoadFinder *finder;    /* NULL where there is next to no load */
    /* A request looks at nothing behind this: three cache lines. */
    uint64_t offered_ns;
    Buf popular_key;       /* of the sample before, like: */
    double popular_share, direction;
} RangeLoad;

typedef enum LoadVerdict { LOAD_NOTHING, LOAD_CUT, LOAD_NO_CUT } LoadVerdict;

typedef struct LoadAdvice {
    Buf key;              /* LOAD_CUT: where */
    RangeRefusal refusal; /* LOAD_NO_CUT: the range is hot, but no key is good */
} LoadAdvice;

/* work: of all the requests. Of these only the spans matter, and none is sampled without a start. */
LoadVerdict load_note(RangeLoad *load, const LoadLimits *limits, const RangeWork *work, RangeRequests requests,
                      uint64_t now_ns, LoadAdvice *advice);
void load_destroy(RangeLoad *load);

/* Keys at which the service is asked to cut. */
enum { WANTED_CUTS_MAX = 16 };
typedef struct WantedCuts {
    Buf keys[WANTED_CUTS_MAX];
    int count;
} WantedCuts;

/* What the group of commits in flight did to a range, with one key of it picked evenly. */
typedef struct GroupWrites {
    uint64_t pairs, bytes;
    size_t key_offset, key_size; /* in the directory's sampled_keys */
} GroupWrites;

#endif
