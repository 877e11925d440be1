#include "storage/range/load.h"

#include <math.h>
#include <stdlib.h>

static const double HALF_LIFE_SECONDS = 30, LN2 = 0.6931471805599453;
static const uint64_t SECOND_NS = 1000000000u;
/* Below this no requests are sampled; above the other, one of several. */
static const double SAMPLED_RATE_MIN = 5, SAMPLED_RATE_MAX = 1000;

void work_add(RangeWork *to, const RangeWork *more)
{
    to->requests += more->requests;
    to->reads += more->reads;
    to->read_bytes += more->read_bytes;
    to->writes += more->writes;
    to->write_bytes += more->write_bytes;
    to->busy_ns += more->busy_ns;
}

/* ---- rates ---- */

static double fading(const LoadRates *rates, uint64_t now_ns)
{
    if (now_ns <= rates->at_ns) return 1;
    return exp2(-(double)(now_ns - rates->at_ns) * 1e-9 / HALF_LIFE_SECONDS);
}

double load_rates_factor(const LoadRates *rates, uint64_t now_ns)
{
    return fading(rates, now_ns) * LN2 / HALF_LIFE_SECONDS;
}

void load_rates_add(LoadRates *rates, const RangeWork *work, uint64_t now_ns)
{
    /* Fading the sums at each call would cost an exponential; a second's error does not show. */
    if (now_ns - rates->at_ns >= SECOND_NS) {
        double factor = rates->at_ns ? fading(rates, now_ns) : 0;
        rates->requests *= factor;
        rates->reads *= factor;
        rates->read_bytes *= factor;
        rates->writes *= factor;
        rates->write_bytes *= factor;
        rates->busy_ns *= factor;
        rates->at_ns = now_ns;
    }
    rates->requests += (double)work->requests;
    rates->reads += (double)work->reads;
    rates->read_bytes += (double)work->read_bytes;
    rates->writes += (double)work->writes;
    rates->write_bytes += (double)work->write_bytes;
    rates->busy_ns += (double)work->busy_ns;
}

/* ---- the finder ---- */

static uint64_t random_below(LoadFinder *finder, uint64_t bound)
{
    finder->random ^= finder->random << 13;
    finder->random ^= finder->random >> 7;
    finder->random ^= finder->random << 17;
    return finder->random % bound;
}

void load_finder_begin(LoadFinder *finder, uint64_t now_ns)
{
    for (int i = 0; i < LOAD_SAMPLES; i++) {
        buf_clear(&finder->samples[i].key);
        finder->samples[i].left = finder->samples[i].right = finder->samples[i].contained = 0;
    }
    finder->started_ns = now_ns;
    finder->requests = 0;
    if (!finder->random) finder->random = now_ns | 1;
}

void load_finder_finish(LoadFinder *finder)
{
    for (int i = 0; i < LOAD_SAMPLES; i++) buf_finish(&finder->samples[i].key);
}

static void take_sample(LoadSample *sample, Slice key)
{
    buf_clear(&sample->key);
    buf_put_slice(&sample->key, key);
    sample->left = sample->right = sample->contained = 0;
}

void load_finder_note(LoadFinder *finder, Slice start, Slice end)
{
    uint64_t count = finder->requests++;
    if (count < LOAD_SAMPLES) {
        take_sample(&finder->samples[count], start);
        return;
    }
    uint64_t place = random_below(finder, count);
    if (place < LOAD_SAMPLES) {
        take_sample(&finder->samples[place], start);
        return;
    }
    for (int i = 0; i < LOAD_SAMPLES; i++) {
        LoadSample *sample = &finder->samples[i];
        Slice key = buf_slice(&sample->key);
        if (slice_compare(key, start) <= 0) sample->right++;
        else if (end.size && slice_compare(key, end) <= 0) sample->contained++;
        else sample->left++;
    }
}

int load_finder_popular(const LoadFinder *finder, double *share)
{
    int best = -1, best_count = 0;
    *share = 0;
    if (finder->requests < LOAD_SAMPLES) return -1;
    for (int i = 0; i < LOAD_SAMPLES; i++) {
        int count = 0;
        for (int j = 0; j < LOAD_SAMPLES; j++)
            count += slice_equal(buf_slice(&finder->samples[i].key), buf_slice(&finder->samples[j].key));
        if (count <= best_count) continue;
        best = i;
        best_count = count;
    }
    *share = (double)best_count / LOAD_SAMPLES;
    return best;
}

double load_finder_direction(const LoadFinder *finder)
{
    double left = 0, right = 0;
    for (int i = 0; i < LOAD_SAMPLES; i++) {
        left += finder->samples[i].left;
        right += finder->samples[i].right;
    }
    return left + right > 0 ? (right - left) / (right + left) : 0;
}

static RangeRefusal why_not(const LoadFinder *finder)
{
    static const double POPULAR_SHARE = 0.25, CLEAR_DIRECTION = 0.8;
    double share, direction = load_finder_direction(finder);
    load_finder_popular(finder, &share);
    if (share >= POPULAR_SHARE) return REFUSAL_POPULAR_KEY;
    return fabs(direction) > CLEAR_DIRECTION ? REFUSAL_DIRECTION : REFUSAL_NO_KEY;
}

int load_finder_choose(const LoadFinder *finder, RangeRefusal *refusal)
{
    static const double COUNT_MIN = 100, BALANCE_MAX = 0.25, CONTAINED_MAX = 0.5;
    int best = -1;
    double best_score = 0;
    for (int i = 0; i < LOAD_SAMPLES; i++) {
        const LoadSample *sample = &finder->samples[i];
        double left = sample->left, right = sample->right, contained = sample->contained;
        if (left + right + contained < COUNT_MIN || left + right == 0) continue;
        double balance = fabs(left - right) / (left + right), share = contained / (left + right + contained);
        if (balance >= BALANCE_MAX || share >= CONTAINED_MAX) continue;
        if (best >= 0 && balance + share >= best_score) continue;
        best = i;
        best_score = balance + share;
    }
    *refusal = best < 0 ? why_not(finder) : REFUSAL_NONE;
    return best;
}

/* ---- the load of a range ---- */

void load_destroy(RangeLoad *load)
{
    if (!load) return;
    if (load->finder) load_finder_finish(load->finder);
    free(load->finder);
    buf_finish(&load->popular_key);
    free(load);
}

/* A second is over. */
static void end_window(RangeLoad *load, const LoadLimits *limits, uint64_t now_ns)
{
    double seconds = (double)(now_ns - load->window_ns) * 1e-9;
    double rate = (double)load->window_requests / seconds, cpu = (double)load->window_busy_ns * 1e-9 / seconds;
    bool hot = limits->by_cpu ? cpu >= limits->cpu_share : rate >= limits->requests_per_second;
    if (!hot) {
        load->hot_since_ns = 0;
    } else if (!load->hot_since_ns) {
        load->hot_since_ns = now_ns;
        if (load->finder) load_finder_begin(load->finder, now_ns);
    }
    if (!load->finder && (hot || rate >= SAMPLED_RATE_MIN)) {
        load->finder = calloc(1, sizeof *load->finder);
        if (load->finder) load_finder_begin(load->finder, now_ns);
    }
    load->feed_every = rate > SAMPLED_RATE_MAX ? (uint64_t)(rate / SAMPLED_RATE_MAX) : 1;
    load->window_ns = now_ns;
    load->window_requests = load->window_busy_ns = 0;
}

/* The requests have been sampled for long enough: what is to be said of them. */
static LoadVerdict end_sample(RangeLoad *load, const LoadLimits *limits, uint64_t now_ns, LoadAdvice *advice)
{
    LoadVerdict verdict = LOAD_NOTHING;
    LoadFinder *finder = load->finder;
    int popular = load_finder_popular(finder, &load->popular_share);
    buf_clear(&load->popular_key);
    if (popular >= 0) buf_put_slice(&load->popular_key, buf_slice(&finder->samples[popular].key));
    load->direction = load_finder_direction(finder);
    bool hot = load->hot_since_ns && load->hot_since_ns <= finder->started_ns;
    if (hot && (!load->offered_ns || now_ns - load->offered_ns >= limits->offer_ns)) {
        int chosen = load_finder_choose(finder, &advice->refusal);
        verdict = chosen >= 0 ? LOAD_CUT : LOAD_NO_CUT;
        if (chosen >= 0) {
            load->offered_ns = now_ns;
            buf_clear(&advice->key);
            buf_put_slice(&advice->key, buf_slice(&finder->samples[chosen].key));
        }
    }
    load_finder_begin(finder, now_ns);
    return verdict;
}

LoadVerdict load_note(RangeLoad *load, const LoadLimits *limits, const RangeWork *work, RangeRequests requests,
                      uint64_t now_ns, LoadAdvice *advice)
{
    LoadVerdict verdict = LOAD_NOTHING;
    load_rates_add(&load->rates, work, now_ns);
    work_add(&load->work, work);
    if (!load->window_ns) load->window_ns = now_ns;
    load->window_requests += work->requests;
    load->window_busy_ns += work->busy_ns;
    if (now_ns - load->window_ns >= SECOND_NS) end_window(load, limits, now_ns);
    if (!load->finder || !requests.items[0].start.size) return verdict;
    if (now_ns - load->finder->started_ns >= limits->sample_ns) verdict = end_sample(load, limits, now_ns, advice);
    for (int i = 0; i < requests.count; i++) {
        if (++load->feed_count < load->feed_every) continue;
        load->feed_count = 0;
        load_finder_note(load->finder, requests.items[i].start, requests.items[i].end);
    }
    return verdict;
}
