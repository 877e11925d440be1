/* yb_hash.h - YugabyteDB's 16-bit hash code of a row's hash columns, bit for bit.
 *
 * The columns' byte images (big-endian numbers, raw text, nothing for NULL) stand one after the other without anything
 * between them; a 64-bit hash of the whole is folded to 0..65535. The SQL type decides the image, so yb_hash_code(1) and
 * yb_hash_code(1::bigint) differ. Any thread.
 */
#ifndef STORAGE_KEYS_YB_HASH_H
#define STORAGE_KEYS_YB_HASH_H

#include "storage/base/buf.h"
#include "storage/types/type.h"

enum { YB_HASH_CODES = 65536 };

/* Is the type allowed as a hash column? */
bool yb_hash_supports(Oid type);
/* Appends the image of a value; NULL adds nothing. 0A000 for types without one, and for numeric NaN and infinity. */
Status yb_hash_image(Oid type, Value value, Buf *image, Arena *arena, Error *err);
/* hash64 and fold. */
uint32_t yb_hash_code(Slice image);
/* The code where the i-th of n tablets begins, 0 <= i < n. */
uint32_t yb_hash_tablet_start(uint32_t i, uint32_t n);
/* An enum's image: its sort order and pg_enum oid. */
void yb_hash_enum_image(float sort_order, Oid label_oid, Buf *image);
/* A decimal's image, order preserving: digits without leading and trailing zeros, value = 0.digits * 10^point. */
void yb_hash_decimal_image(bool negative, const char *digits, size_t count, int64_t point, Buf *image);

#endif
