#include "executor/scram.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unicode/usprep.h>
#include <unicode/ustring.h>

enum { PASSWORD_BYTES_MAX = 4096, ITERATIONS_MAX = 100000000 };
static const char PREFIX[] = "SCRAM-SHA-256$";

void scram_hmac(const uint8_t *key, Slice text, uint8_t out[SCRAM_KEY_BYTES])
{
    unsigned int size = SCRAM_KEY_BYTES;
    HMAC(EVP_sha256(), key, SCRAM_KEY_BYTES, text.data, text.size, out, &size);
}

void scram_hash(Slice bytes, uint8_t out[SCRAM_KEY_BYTES])
{
    SHA256(bytes.data, bytes.size, out);
}

bool scram_random(void *out, size_t n)
{
    return getrandom(out, n, 0) == (ssize_t)n;
}

const char *scram_base64(Slice bytes, Arena *arena)
{
    char *text = arena_alloc(arena, (bytes.size + 2) / 3 * 4 + 1);
    EVP_EncodeBlock((unsigned char *)text, bytes.data, (int)bytes.size);
    return text;
}

int scram_base64_decode(Slice text, uint8_t *out, int size_max)
{
    uint8_t decoded[1024];
    int padding = 0;
    if (text.size == 0 || text.size % 4 || text.size > sizeof decoded / 3 * 4) return -1;
    while (padding < 2 && text.data[text.size - 1 - (size_t)padding] == '=') padding++;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
        if (!letter && i < text.size - (size_t)padding) return -1;
    }
    int n = EVP_DecodeBlock(decoded, text.data, (int)text.size) - padding;
    if (n < 0 || n > size_max) return -1;
    memcpy(out, decoded, (size_t)n);
    return n;
}

/* RFC 4013. A password that it does not allow, or that is no UTF-8, is used as it is, as PostgreSQL does. */
static size_t prepare(const char *password, char *out, size_t size_max)
{
    UChar wide[PASSWORD_BYTES_MAX], prepared[PASSWORD_BYTES_MAX];
    UErrorCode status = U_ZERO_ERROR;
    int32_t n = 0, size = 0;
    u_strFromUTF8(wide, PASSWORD_BYTES_MAX, &n, password, -1, &status);
    UStringPrepProfile *profile = usprep_openByType(USPREP_RFC4013_SASLPREP, &status);
    if (U_SUCCESS(status)) n = usprep_prepare(profile, wide, n, prepared, PASSWORD_BYTES_MAX, USPREP_DEFAULT, NULL, &status);
    if (U_SUCCESS(status)) u_strToUTF8(out, (int32_t)size_max, &size, prepared, n, &status);
    if (profile) usprep_close(profile);
    if (U_SUCCESS(status) && size > 0 && (size_t)size <= size_max) return (size_t)size;
    size_t length = strnlen(password, size_max);
    memcpy(out, password, length);
    return length;
}

static void derive(const char *password, ScramVerifier *v)
{
    char prepared[PASSWORD_BYTES_MAX];
    uint8_t salted[SCRAM_KEY_BYTES], client_key[SCRAM_KEY_BYTES];
    size_t n = prepare(password, prepared, sizeof prepared);
    PKCS5_PBKDF2_HMAC(prepared, (int)n, v->salt, v->salt_size, v->iterations, EVP_sha256(), SCRAM_KEY_BYTES, salted);
    scram_hmac(salted, slice_of("Client Key", 10), client_key);
    scram_hash(slice_of(client_key, SCRAM_KEY_BYTES), v->stored_key);
    scram_hmac(salted, slice_of("Server Key", 10), v->server_key);
    OPENSSL_cleanse(prepared, sizeof prepared);
    OPENSSL_cleanse(salted, sizeof salted);
    OPENSSL_cleanse(client_key, sizeof client_key);
}

static bool is_md5(const char *text)
{
    return strlen(text) == 35 && strncmp(text, "md5", 3) == 0 && strspn(text + 3, "0123456789abcdef") == 32;
}

bool scram_parse(const char *text, ScramVerifier *v)
{
    if (strncmp(text, PREFIX, sizeof PREFIX - 1) != 0) return false;
    char *end;
    long iterations = strtol(text + sizeof PREFIX - 1, &end, 10);
    if (iterations < 1 || iterations > ITERATIONS_MAX || *end != ':') return false;
    const char *salt = end + 1, *stored = strchr(salt, '$'), *server = stored ? strchr(stored, ':') : NULL;
    if (!server) return false;
    *v = (ScramVerifier){.iterations = (int)iterations};
    v->salt_size = scram_base64_decode(slice_of(salt, (size_t)(stored - salt)), v->salt, sizeof v->salt);
    return v->salt_size > 0 &&
           scram_base64_decode(slice_of(stored + 1, (size_t)(server - stored - 1)), v->stored_key, SCRAM_KEY_BYTES) == SCRAM_KEY_BYTES &&
           scram_base64_decode(slice_of(server + 1, strlen(server + 1)), v->server_key, SCRAM_KEY_BYTES) == SCRAM_KEY_BYTES;
}

PasswordKind password_kind(const char *text)
{
    ScramVerifier ignored;
    return is_md5(text) ? PASSWORD_MD5 : scram_parse(text, &ignored) ? PASSWORD_SCRAM : PASSWORD_PLAIN;
}

Status password_verifier(const char *password, const char **verifier, Arena *arena, Error *err)
{
    *verifier = password;
    if (password_kind(password) != PASSWORD_PLAIN) return ST_OK;
    ScramVerifier v = {.iterations = SCRAM_ITERATIONS, .salt_size = SCRAM_SALT_BYTES};
    if (!scram_random(v.salt, SCRAM_SALT_BYTES))
        return err_set(err, arena, ERR_INTERNAL_ERROR, "could not generate random salt");
    derive(password, &v);
    *verifier = arena_printf(arena, "%s%d:%s$%s:%s", PREFIX, v.iterations, scram_base64(slice_of(v.salt, SCRAM_SALT_BYTES), arena),
                             scram_base64(slice_of(v.stored_key, SCRAM_KEY_BYTES), arena),
                             scram_base64(slice_of(v.server_key, SCRAM_KEY_BYTES), arena));
    return ST_OK;
}

void password_md5(const char *text, const void *salt, size_t salt_size, char *out)
{
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    EVP_DigestInit_ex(md, EVP_md5(), NULL);
    EVP_DigestUpdate(md, text, strlen(text));
    EVP_DigestUpdate(md, salt, salt_size);
    EVP_DigestFinal_ex(md, digest, &size);
    EVP_MD_CTX_free(md);
    memcpy(out, "md5", 4);
    for (int i = 0; i < 16; i++) snprintf(out + 3 + 2 * i, 3, "%02x", digest[i]);
}

bool password_matches(const char *stored, const char *user, const char *password)
{
    ScramVerifier kept, given;
    if (scram_parse(stored, &kept)) {
        given = kept;
        derive(password, &given);
        return CRYPTO_memcmp(kept.stored_key, given.stored_key, SCRAM_KEY_BYTES) == 0;
    }
    char hash[36];
    password_md5(password, user, strlen(user), hash);
    return is_md5(stored) && CRYPTO_memcmp(hash, stored, 35) == 0;
}
