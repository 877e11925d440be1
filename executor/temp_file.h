/* temp_file.h - a file without a name, for what exceeds work_mem: appended to, read by offset, gone when closed. */
#ifndef EXECUTOR_TEMP_FILE_H
#define EXECUTOR_TEMP_FILE_H

#include "storage/base/err.h"

typedef struct TempFile TempFile;

/* directory NULL: the system's. Closed when the arena is reset. 53100 disk full, 58030 otherwise. */
Status temp_file_create(const char *directory, TempFile **file, Arena *arena, Error *err);
Status temp_file_append(TempFile *file, Slice bytes, uint64_t *offset, Error *err);
Status temp_file_read(TempFile *file, uint64_t offset, void *to, size_t size, Error *err);
uint64_t temp_file_size(const TempFile *file);
void temp_file_clear(TempFile *file);

#endif
