/* key_print_part.h - one encoded value as text. Inside storage/keys only. */
#ifndef STORAGE_KEYS_KEY_PRINT_PART_H
#define STORAGE_KEYS_KEY_PRINT_PART_H

#include "storage/keys/key_print.h"

/* Takes one value off the key and prints it. false: undecodable, nothing printed. arena: scratch; NULL where the value
 * can only be an int. */
bool key_print_part(Slice *key, KeyPrintColumn column, Arena *arena, Buf *out);

#endif
