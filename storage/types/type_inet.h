/* type_inet.h - inet and cidr: IP addresses with the length of their network's prefix; macaddr and macaddr8 are plain bytes.
 *
 * A value's bytes: family (4 or 6), the network (the address with zeros behind the prefix), the prefix length, the address.
 * So memcmp is the order: families, then networks, then longer prefixes later, then addresses.
 */
#ifndef STORAGE_TYPES_TYPE_INET_H
#define STORAGE_TYPES_TYPE_INET_H

#include "storage/types/type.h"

enum { INET_V4 = 4, INET_V6 = 6, INET_BYTES_MAX = 16 };

typedef struct Inet {
    int family, bits;
    uint8_t address[INET_BYTES_MAX]; /* inet_size bytes are used, the others are zero */
} Inet;

static inline int inet_size(const Inet *inet)
{
    return inet->family == INET_V4 ? 4 : 16;
}

Inet inet_load(Value value);
Value inet_store(const Inet *inet, Arena *arena);
/* Zeros behind the prefix. */
Inet inet_network(const Inet *inet);
/* Without the prefix length if it is the whole address, unless always. */
void inet_put_text(const Inet *inet, bool always_bits, Buf *out);
void inet_put_address(const Inet *inet, Buf *out);
/* Does the network of `outer` hold `inner`? A prefix holds itself. */
bool inet_holds(const Inet *outer, const Inet *inner);

enum { MACADDR_BYTES = 6, MACADDR8_BYTES = 8 };

#endif
