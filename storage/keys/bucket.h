/* bucket.h - which bucket of a hash-sharded index a row falls in.
 *
 * CockroachDB's rule: the hashed columns' ascending key encodings one after the other (NULL: 00), their MD5 as 32
 * lower-case hex digits, the FNV-1 hash of those digits, modulo the bucket count. Two older rules remain for tables
 * taken over from old versions. Any thread.
 */
#ifndef STORAGE_KEYS_BUCKET_H
#define STORAGE_KEYS_BUCKET_H

#include "storage/base/slice.h"

enum { BUCKET_COUNT_MIN = 2, BUCKET_COUNT_MAX = 2048, BUCKET_COUNT_DEFAULT = 16, BUCKET_DIGEST_DIGITS = 32 };

/* FNV-1, 32 bits: multiplies first. `hash` is BUCKET_FNV32_START, or what the bytes before gave. */
#define BUCKET_FNV32_START UINT32_C(2166136261)
uint32_t bucket_fnv32(uint32_t hash, Slice bytes);
/* fnv32(md5(datums)). datums: see key_column_encode. */
uint32_t bucket_hash(Slice datums);
uint32_t bucket_of(Slice datums, uint32_t bucket_count);

/* Until 23.1: without the digest. Until 21.1: the sum of the hashes of each column's text; NULL counts as ''. */
uint32_t bucket_of_undigested(Slice datums, uint32_t bucket_count);
uint32_t bucket_of_texts(const Slice *texts, int count, uint32_t bucket_count);

#endif
