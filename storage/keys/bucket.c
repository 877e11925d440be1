#include "storage/keys/bucket.h"

#include <assert.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>

/* Looking the algorithm up costs more than the digest of a short key, so it is done once. Set under `fetch_once`,
 * read-only afterwards, never freed. */
static EVP_MD *md5_algorithm;
static pthread_once_t fetch_once = PTHREAD_ONCE_INIT;

static void fetch_md5(void)
{
    md5_algorithm = EVP_MD_fetch(NULL, "MD5", "-fips");
}

static void md5_digits(Slice bytes, char digits[BUCKET_DIGEST_DIGITS])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    pthread_once(&fetch_once, fetch_md5);
    int done = md5_algorithm ? EVP_Digest(bytes.data, bytes.size, digest, &size, md5_algorithm, NULL) : 0;
    /* Without memory: a wrong bucket would hide the row for good. */
    if (done != 1 || size * 2 != BUCKET_DIGEST_DIGITS) abort();
    for (unsigned i = 0; i < size; i++) {
        digits[2 * i] = hex[digest[i] >> 4];
        digits[2 * i + 1] = hex[digest[i] & 15];
    }
}

uint32_t bucket_fnv32(uint32_t hash, Slice bytes)
{
    for (size_t i = 0; i < bytes.size; i++) hash = hash * UINT32_C(16777619) ^ bytes.data[i];
    return hash;
}

uint32_t bucket_hash(Slice datums)
{
    char digits[BUCKET_DIGEST_DIGITS];
    md5_digits(datums, digits);
    return bucket_fnv32(BUCKET_FNV32_START, slice_of(digits, sizeof digits));
}

uint32_t bucket_of(Slice datums, uint32_t bucket_count)
{
    assert(bucket_count > 0);
    return bucket_hash(datums) % bucket_count;
}

uint32_t bucket_of_undigested(Slice datums, uint32_t bucket_count)
{
    assert(bucket_count > 0);
    return bucket_fnv32(BUCKET_FNV32_START, datums) % bucket_count;
}

uint32_t bucket_of_texts(const Slice *texts, int count, uint32_t bucket_count)
{
    assert(bucket_count > 0);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) sum += bucket_fnv32(BUCKET_FNV32_START, texts[i]);
    return (uint32_t)(sum % bucket_count);
}
