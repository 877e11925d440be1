/* type_record.h - anonymous rows: ROW(1, 'a', NULL).
 *
 * A value's bytes (little endian, not aligned): number of fields (4; the top bit says that they have names), then per field
 * the size of its name (4) and the name, if they have names; its type's oid (4), its size (4; 0xFFFFFFFF for NULL) and its
 * bytes: 8 for REP_INT and REP_FLOAT, the value's own otherwise. Rows of tables have names, ROW(1, 2) has none.
 */
#ifndef STORAGE_TYPES_TYPE_RECORD_H
#define STORAGE_TYPES_TYPE_RECORD_H

#include "storage/types/type.h"

typedef struct RecordField {
    Oid type;
    Value value; /* borrowed from the record */
    Slice name;  /* empty: none */
} RecordField;

typedef struct RecordReader {
    const uint8_t *next;
    int count, read;
    bool named;
} RecordReader;

void record_open(Value value, RecordReader *reader); /* reader->count: the number of fields */
bool record_next(RecordReader *reader, RecordField *field);
/* The i-th field; i must be less than the count. */
RecordField record_field(Value value, int index);

Status record_build(TypeCtx *ctx, const RecordField *fields, int count, Value *out);

#endif
