/* crc32c.h - the checksum of the redo log: CRC-32C (Castagnoli), with the processor's instruction where it has one. */
#ifndef STORAGE_KV_CRC32C_H
#define STORAGE_KV_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of the bytes behind those that gave `crc`; 0 at the start. */
uint32_t crc32c(uint32_t crc, const void *data, size_t size);

#endif
