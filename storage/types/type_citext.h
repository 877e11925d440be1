/* type_citext.h - text that is equal to any other way of writing it in capitals: compared in lower case. */
#ifndef STORAGE_TYPES_TYPE_CITEXT_H
#define STORAGE_TYPES_TYPE_CITEXT_H

#include "storage/types/type.h"

enum { OID_CITEXT = 9750 };

/* Appends the text in lower case: what is compared, hashed and put into keys. */
void citext_fold(Slice text, Buf *out);
bool citext_is_folded(Slice text);

#endif
