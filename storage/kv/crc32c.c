#include "storage/kv/crc32c.h"

#include <string.h>

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
    uint64_t state = crc;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        state = __builtin_ia32_crc32di(state, word);
    }
    for (; size; size--, p++) state = __builtin_ia32_crc32qi((uint32_t)state, *p);
    return (uint32_t)state;
}

static int has_instruction(void)
{
    return __builtin_cpu_supports("sse4.2");
}

#else

static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
    return crc;
}

static int has_instruction(void)
{
    return 0;
}

#endif

/* Four bits at a time: the table is small enough to be written down. */
static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t size)
{
    static const uint32_t table[16] = {
        0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
        0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
    };
    for (; size; size--, p++) {
        crc = table[(crc ^ *p) & 15] ^ (crc >> 4);
        crc = table[(crc ^ (uint32_t)(*p >> 4)) & 15] ^ (crc >> 4);
    }
    return crc;
}

uint32_t crc32c(uint32_t crc, const void *data, size_t size)
{
    return ~(has_instruction() ? by_instruction(~crc, data, size) : by_table(~crc, data, size));
}
