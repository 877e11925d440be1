/* scram.h - passwords as they are stored: SCRAM-SHA-256 verifiers (RFC 5802, 7677), and md5 hashes made elsewhere.
 *
 *   SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>     salt and keys in base64
 *
 * Nothing here keeps a password. Comparisons take the same time wherever the bytes differ.
 */
#ifndef EXECUTOR_SCRAM_H
#define EXECUTOR_SCRAM_H

#include "storage/base/err.h"

enum { SCRAM_KEY_BYTES = 32, SCRAM_SALT_BYTES = 16, SCRAM_SALT_BYTES_MAX = 64, SCRAM_ITERATIONS = 4096 };

typedef struct ScramVerifier {
    int iterations, salt_size;
    uint8_t salt[SCRAM_SALT_BYTES_MAX], stored_key[SCRAM_KEY_BYTES], server_key[SCRAM_KEY_BYTES];
} ScramVerifier;

typedef enum PasswordKind { PASSWORD_PLAIN, PASSWORD_MD5, PASSWORD_SCRAM } PasswordKind;

/* What a string given as PASSWORD, or stored, is. */
PasswordKind password_kind(const char *text);
/* A stored verifier taken apart. False: it is none. */
bool scram_parse(const char *text, ScramVerifier *verifier);
/* What is stored for a password: a string that is a verifier already is kept as it is. */
Status password_verifier(const char *password, const char **verifier, Arena *arena, Error *err);
/* Is it the password that the stored text was made of? */
bool password_matches(const char *stored, const char *user, const char *password);
/* "md5" and 32 hexadecimal digits of md5(text, salt). out: 36 bytes. */
void password_md5(const char *text, const void *salt, size_t salt_size, char *out);

/* HMAC-SHA-256; the key has SCRAM_KEY_BYTES. */
void scram_hmac(const uint8_t *key, Slice text, uint8_t out[SCRAM_KEY_BYTES]);
void scram_hash(Slice bytes, uint8_t out[SCRAM_KEY_BYTES]);
/* NUL-terminated. */
const char *scram_base64(Slice bytes, Arena *arena);
/* Strict: -1 if it is no base64 or longer than size_max bytes. */
int scram_base64_decode(Slice text, uint8_t *out, int size_max);
/* Unpredictable bytes. */
bool scram_random(void *out, size_t n);

#endif
