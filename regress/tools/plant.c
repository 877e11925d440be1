/* plant.c - edits the pairs of a store that no server has open, so that tests can plant inconsistencies.
 *
 * usage: plant [--uncounted] DIR, with commands on standard input, keys and values in hexadecimal ("-": empty):
 *   put KEY VALUE | delete KEY | scan PREFIX        scan prints `KEY VALUE` lines
 * --uncounted goes round the range directory, whose counters then no longer agree with the pairs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/base/buf.h"
#include "storage/kv/kv.h"
#include "storage/txn/txn.h"

static void die(const char *what)
{
    fprintf(stderr, "plant: %s\n", what);
    exit(2);
}

static Slice from_hex(const char *text, Arena *arena)
{
    if (strcmp(text, "-") == 0) return (Slice){0};
    size_t size = strlen(text) / 2;
    uint8_t *bytes = arena_alloc(arena, size + 1);
    for (size_t i = 0; i < size; i++) {
        unsigned int byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) die("not hexadecimal");
        bytes[i] = (uint8_t)byte;
    }
    return slice_of(bytes, size);
}

static void print_hex(Slice bytes)
{
    if (!bytes.size) putchar('-');
    for (size_t i = 0; i < bytes.size; i++) printf("%02x", bytes.data[i]);
}

static void scan(Kv *kv, Slice prefix)
{
    KvSnapshot *snapshot;
    KvScan *pairs;
    KvBlock block;
    Error err;
    if (kv_snapshot_open(kv, &snapshot, &err) != ST_OK) die(err.message);
    if (kv_scan_open(snapshot, prefix, (Slice){0}, false, 0, &pairs, &err) != ST_OK) die(err.message);
    bool inside = true;
    while (inside && kv_scan_next(pairs, &block, &err) == ST_OK) {
        for (int i = 0; i < block.count; i++) {
            inside = slice_starts_with(block.pairs[i].key, prefix);
            if (!inside) break;
            print_hex(block.pairs[i].key);
            putchar(' ');
            print_hex(block.pairs[i].value);
            putchar('\n');
        }
    }
    kv_scan_close(pairs);
    kv_snapshot_close(snapshot);
}

static void change(Kv *kv, KvOpKind kind, Slice key, Slice value)
{
    KvOp op = {.kind = kind, .key = key, .value = value};
    uint64_t version;
    Error err;
    if (kv_commit_ops(kv, &op, 1, &version, &err) != KV_COMMITTED) die("could not commit");
}

static void run(Kv *kv)
{
    static char line[1 << 20], word[16], key[1 << 19], value[1 << 19];
    while (fgets(line, sizeof line, stdin)) {
        Arena *arena = arena_create(NULL, 0);
        int words = sscanf(line, "%15s %524287s %524287s", word, key, value);
        if (words == 3 && strcmp(word, "put") == 0)
            change(kv, KV_PUT, from_hex(key, arena), from_hex(value, arena));
        else if (words == 2 && strcmp(word, "delete") == 0)
            change(kv, KV_DELETE, from_hex(key, arena), (Slice){0});
        else if (words == 2 && strcmp(word, "scan") == 0)
            scan(kv, from_hex(key, arena));
        else
            die("put KEY VALUE | delete KEY | scan PREFIX");
        arena_destroy(arena);
    }
}

int main(int argc, char **argv)
{
    bool uncounted = argc == 3 && strcmp(argv[1], "--uncounted") == 0;
    if (argc != 2 + uncounted) die("usage: plant [--uncounted] DIR");
    Arena *arena = arena_create(NULL, 0);
    Error err = {0};
    if (uncounted) {
        Kv *kv;
        KvOptions options = {.readers_max = 8};
        if (kv_open("lmdb", argv[2], &options, &kv, arena, &err) != ST_OK) die(err.message);
        run(kv);
        kv_close(kv);
    } else {
        Store *store;
        StoreOptions options = {.sessions_max = 8, .no_services = true};
        if (store_open(argv[1], &options, &store, arena, &err) != ST_OK) die(err.message);
        run(store_kv(store));
        store_close(store);
    }
    arena_destroy(arena);
    return 0;
}
