/* Reads on their way to the directory. To book a request costs a search, and a mutex that all threads share; so each reader
 * collects its requests, and they are booked many at a time: when there is no room left, at a round of the service, and
 * before anybody is shown what has been booked. Each is booked to the range that holds its keys then.
 *
 * Lock order: notes_mutex, a RangeNotes' mutex, the directory's mutex. The commit thread takes none but the last. */
#include <assert.h>
#include <stdlib.h>

#include "storage/range/directory_internal.h"

enum { NOTES_MAX = BOOKED_MAX, NOTES_BYTES = 4096 };

struct RangeNotes {
    Directory *directory;
    RangeNotes *next, *previous; /* guarded by the directory's notes_mutex */
    pthread_mutex_t mutex; /* guards what follows: the owner writes, others empty it */
    atomic_int count;      /* read without the mutex to see whether there is anything */
    size_t bytes_used;
    RangeRequest requests[NOTES_MAX]; /* keys in bytes */
    uint8_t bytes[NOTES_BYTES];
};

RangeNotes *range_notes_create(Directory *directory)
{
    RangeNotes *notes = malloc(sizeof *notes);
    if (!notes) abort();
    notes->directory = directory;
    notes->bytes_used = 0;
    notes->previous = NULL;
    atomic_init(&notes->count, 0);
    pthread_mutex_init(&notes->mutex, NULL);
    pthread_mutex_lock(&directory->notes_mutex);
    notes->next = directory->notes;
    if (notes->next) notes->next->previous = notes;
    directory->notes = notes;
    pthread_mutex_unlock(&directory->notes_mutex);
    return notes;
}

/* With its mutex held. */
static void book(RangeNotes *notes)
{
    int count = atomic_load_explicit(&notes->count, memory_order_relaxed);
    if (count > 0) directory_book_reads(notes->directory, (RangeRequests){notes->requests, count});
    atomic_store_explicit(&notes->count, 0, memory_order_relaxed);
    notes->bytes_used = 0;
}

void range_notes_destroy(RangeNotes *notes)
{
    if (!notes) return;
    Directory *directory = notes->directory;
    pthread_mutex_lock(&directory->notes_mutex);
    if (notes->previous) notes->previous->next = notes->next;
    else directory->notes = notes->next;
    if (notes->next) notes->next->previous = notes->previous;
    pthread_mutex_unlock(&directory->notes_mutex);
    book(notes);
    pthread_mutex_destroy(&notes->mutex);
    free(notes);
}

static Slice keep(RangeNotes *notes, Slice key)
{
    uint8_t *copy = notes->bytes + notes->bytes_used;
    if (!key.size) return (Slice){0};
    memcpy(copy, key.data, key.size);
    notes->bytes_used += key.size;
    return slice_of(copy, key.size);
}

static void add(RangeNotes *notes, const RangeRequest *request)
{
    size_t size = request->start.size + request->end.size;
    int count = atomic_load_explicit(&notes->count, memory_order_relaxed);
    if (count == NOTES_MAX || notes->bytes_used + size > NOTES_BYTES) {
        book(notes);
        count = 0;
    }
    if (size > NOTES_BYTES) {
        directory_book_reads(notes->directory, (RangeRequests){request, 1});
        return;
    }
    RangeRequest *copy = &notes->requests[count];
    *copy = *request;
    copy->start = keep(notes, request->start);
    copy->end = keep(notes, request->end);
    atomic_store_explicit(&notes->count, count + 1, memory_order_relaxed);
}

void range_notes_add(RangeNotes *notes, RangeRequests requests)
{
    pthread_mutex_lock(&notes->mutex);
    for (int i = 0; i < requests.count; i++) add(notes, &requests.items[i]);
    pthread_mutex_unlock(&notes->mutex);
}

void directory_collect_notes(Directory *directory)
{
    pthread_mutex_lock(&directory->notes_mutex);
    for (RangeNotes *notes = directory->notes; notes; notes = notes->next) {
        if (!atomic_load_explicit(&notes->count, memory_order_relaxed)) continue;
        pthread_mutex_lock(&notes->mutex);
        book(notes);
        pthread_mutex_unlock(&notes->mutex);
    }
    pthread_mutex_unlock(&directory->notes_mutex);
}
