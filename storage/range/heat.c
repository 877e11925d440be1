/* Work per range: sums that halve every half minute, so that a rate is the sum times a constant. A note that finds the
 * directory busy is dropped: heat is a sample. */
#include <math.h>

#include "storage/base/clock.h"
#include "storage/range/directory_internal.h"

static const double HALF_LIFE_SECONDS = 30, LN2 = 0.6931471805599453;

static double fading(const Heat *heat, uint64_t now_ns)
{
    if (now_ns <= heat->at_ns) return 1;
    return exp2(-(double)(now_ns - heat->at_ns) * 1e-9 / HALF_LIFE_SECONDS);
}

void heat_rates(const Heat *heat, uint64_t now_ns, RangeDesc *range)
{
    double rate = fading(heat, now_ns) * LN2 / HALF_LIFE_SECONDS;
    range->reads_per_second = heat->reads * rate;
    range->writes_per_second = heat->writes * rate;
    range->read_bytes_per_second = heat->read_bytes * rate;
    range->write_bytes_per_second = heat->write_bytes * rate;
}

/* Fading the sums at each note would cost an exponential; a second's error does not show. */
static void fade(Heat *heat, uint64_t now_ns)
{
    if (now_ns - heat->at_ns < 1000000000u) return;
    double factor = heat->at_ns ? fading(heat, now_ns) : 0;
    heat->reads *= factor;
    heat->writes *= factor;
    heat->read_bytes *= factor;
    heat->write_bytes *= factor;
    heat->at_ns = now_ns;
}

static Heat *heat_of(Directory *directory, Slice key)
{
    if (!directory || pthread_mutex_trylock(&directory->mutex) != 0) return NULL;
    Heat *heat = &directory->ranges.items[range_list_find(&directory->ranges, key)]->heat;
    fade(heat, clock_monotonic_ns());
    return heat;
}

void directory_note_read(Directory *directory, Slice key, uint64_t pairs, uint64_t bytes)
{
    Heat *heat = heat_of(directory, key);
    if (!heat) return;
    heat->reads += (double)pairs;
    heat->read_bytes += (double)bytes;
    pthread_mutex_unlock(&directory->mutex);
}

void directory_note_write(Directory *directory, Slice key, uint64_t pairs, uint64_t bytes)
{
    Heat *heat = heat_of(directory, key);
    if (!heat) return;
    heat->writes += (double)pairs;
    heat->write_bytes += (double)bytes;
    pthread_mutex_unlock(&directory->mutex);
}
