/* mem_table.h - committed pairs that are in the redo log and not yet in the store's file: an ordered table in memory.
 *
 *   - One writer at a time: the thread that leads a commit group. Any number of readers, who wait for nobody.
 *   - A key has a chain of values, the newest first, each with the version of its commit. A reader sees the newest whose
 *     version is not above its own; what the writer adds meanwhile has a greater one.
 *   - Nothing is freed before the last holder lets go, so bytes handed out stay as long as the table is held.
 *   - A table belongs to one segment of the log and goes down into the file as a whole.
 */
#ifndef STORAGE_KV_MEM_TABLE_H
#define STORAGE_KV_MEM_TABLE_H

#include "storage/base/slice.h"

typedef struct MemTable MemTable;
typedef struct MemNode MemNode;

/* What a table knows of a key: nothing, its value, or that it was deleted. */
typedef enum MemFound { MEM_NOTHING, MEM_VALUE, MEM_DELETED } MemFound;

MemTable *mem_table_create(uint64_t segment); /* held once; NULL: no memory */
void mem_table_hold(MemTable *table);
void mem_table_release(MemTable *table); /* NULL is allowed */
uint64_t mem_table_segment(const MemTable *table);
size_t mem_table_bytes(const MemTable *table);
bool mem_table_is_empty(const MemTable *table);

/* ---- for the writer ---- */

/* value NULL: the key is deleted. Both are copied. False: no memory. */
bool mem_table_put(MemTable *table, Slice key, const Slice *value, uint64_t version);
/* The puts since the last of these two stay for good, or are taken back as if they had never been. */
void mem_table_keep(MemTable *table);
void mem_table_undo(MemTable *table);

/* ---- for all ---- */

MemFound mem_table_get(const MemTable *table, Slice key, uint64_t version, Slice *value);
/* NULL: there is none. Nodes may have nothing that the reader's version sees. */
MemNode *mem_table_seek(const MemTable *table, Slice key);        /* the first >= key */
MemNode *mem_table_seek_before(const MemTable *table, Slice key); /* the last < key; of all if key is empty */
MemNode *mem_node_next(const MemNode *node);
MemNode *mem_node_previous(const MemNode *node);
Slice mem_node_key(const MemNode *node);
MemFound mem_node_read(const MemNode *node, uint64_t version, Slice *value);

#endif
