/* auth_scram.c - SCRAM-SHA-256 and SCRAM-SHA-256-PLUS, the server's side (RFC 5802, 7677). */
#include <openssl/crypto.h>

#include "executor/scram.h"
#include "pgwire/auth.h"
#include "pgwire/tls.h"

enum { SASL_START = 10, SASL_CONTINUE = 11, SASL_FINAL = 12, NONCE_BYTES = 18, BINDING_BYTES_MAX = 64 };

typedef struct Scram {
    Conn *conn;
    Arena *arena;
    ScramVerifier verifier;
    bool known; /* false: the verifier was made up, and nothing fits it */
    bool plus;  /* the client chose the mechanism that binds to the channel */
    const char *gs2_header, *client_first, *client_nonce, *nonce, *server_first; /* client_first: without the header */
} Scram;

/* What an unknown user's verifier looks like: the salt is the same at every try, as a real one is. */
static Status mock_verifier(Scram *s, const char *user)
{
    uint8_t salt[SCRAM_KEY_BYTES];
    const uint8_t *secret = listener_secret(s->conn->record->listener);
    scram_hmac(secret, slice_of(user, strlen(user)), salt);
    s->verifier = (ScramVerifier){.iterations = SCRAM_ITERATIONS, .salt_size = SCRAM_SALT_BYTES};
    memcpy(s->verifier.salt, salt, SCRAM_SALT_BYTES);
    return ST_OK;
}

static Status offer(Scram *s)
{
    Buf names = {0};
    if (s->conn->in.tls) buf_put(&names, "SCRAM-SHA-256-PLUS", 19);
    buf_put(&names, "SCRAM-SHA-256", 14);
    buf_put_u8(&names, 0);
    auth_send(s->conn, SASL_START, buf_slice(&names));
    buf_finish(&names);
    return ST_OK;
}

/* SASLInitialResponse: the mechanism's name, and the client's first message. */
static Status read_first(Scram *s, const char **message)
{
    Frame frame;
    TRY(auth_receive(s->conn, &frame));
    const char *mechanism = frame_str(&frame);
    s->plus = strcmp(mechanism, "SCRAM-SHA-256-PLUS") == 0 && s->conn->in.tls;
    if (!s->plus && strcmp(mechanism, "SCRAM-SHA-256") != 0)
        return auth_broken(s->conn, "client selected an invalid SASL authentication mechanism");
    int32_t size = frame_i32(&frame);
    if (size < 0) return auth_broken(s->conn, "malformed SCRAM message");
    Slice bytes = frame_bytes(&frame, (size_t)size);
    if (frame_end(&frame, &s->conn->err) != ST_OK || memchr(bytes.data, 0, bytes.size))
        return auth_broken(s->conn, "malformed SCRAM message");
    *message = arena_strndup(s->arena, bytes.data, bytes.size);
    return ST_OK;
}

static bool printable(const char *text)
{
    for (; *text; text++)
        if (*text < 0x21 || *text > 0x7e || *text == ',') return false;
    return true;
}

/* gs2-cbind-flag "," [authzid] "," "n=" name ",r=" nonce. The name is not looked at: the startup packet has it. */
static Status parse_first(Scram *s, const char *message)
{
    const char *comma = strchr(message, ',');
    const char *rest = comma ? strchr(comma + 1, ',') : NULL;
    if (!rest) return auth_broken(s->conn, "malformed SCRAM message");
    s->gs2_header = arena_strndup(s->arena, message, (size_t)(rest + 1 - message));
    s->client_first = rest + 1;
    if (s->plus ? strncmp(message, "p=tls-server-end-point,", 23) != 0 : (*message != 'n' && *message != 'y') || message[1] != ',')
        return auth_broken(s->conn, s->plus || *message == 'p' ? "unsupported SCRAM channel-binding type" : "malformed SCRAM message");
    if (*message == 'y' && s->conn->in.tls) return auth_broken(s->conn, "SCRAM channel binding negotiation error");
    if (comma + 1 != rest) return auth_broken(s->conn, "client uses authorization identity, but it is not supported");
    if (strncmp(s->client_first, "m=", 2) == 0) return auth_broken(s->conn, "client requires an unsupported SCRAM extension");
    const char *nonce = strncmp(s->client_first, "n=", 2) == 0 ? strstr(s->client_first, ",r=") : NULL;
    if (!nonce) return auth_broken(s->conn, "malformed SCRAM message");
    nonce += 3;
    s->client_nonce = arena_strndup(s->arena, nonce, strcspn(nonce, ","));
    if (!*s->client_nonce || !printable(s->client_nonce)) return auth_broken(s->conn, "non-printable characters in SCRAM nonce");
    return ST_OK;
}

static Status challenge(Scram *s)
{
    uint8_t random[NONCE_BYTES];
    if (!scram_random(random, sizeof random)) return auth_broken(s->conn, "could not generate random nonce");
    s->nonce = arena_printf(s->arena, "%s%s", s->client_nonce, scram_base64(slice_of(random, sizeof random), s->arena));
    Slice salt = slice_of(s->verifier.salt, (size_t)s->verifier.salt_size);
    s->server_first = arena_printf(s->arena, "r=%s,s=%s,i=%d", s->nonce, scram_base64(salt, s->arena), s->verifier.iterations);
    auth_send(s->conn, SASL_CONTINUE, slice_of(s->server_first, strlen(s->server_first)));
    return ST_OK;
}

/* What c= must be: the header, and with PLUS the digest of our certificate, which somebody in between does not have. */
static const char *expected_binding(Scram *s)
{
    Buf bytes = {0};
    uint8_t digest[BINDING_BYTES_MAX];
    buf_put_str(&bytes, s->gs2_header);
    if (s->plus) buf_put(&bytes, digest, tls_server_end_point(s->conn->in.tls, digest));
    const char *text = scram_base64(buf_slice(&bytes), s->arena);
    buf_finish(&bytes);
    return text;
}

/* ClientKey = proof XOR HMAC(StoredKey, messages); it must hash to StoredKey. */
static bool proof_fits(const Scram *s, const char *messages, const uint8_t *proof)
{
    uint8_t signature[SCRAM_KEY_BYTES], client_key[SCRAM_KEY_BYTES], stored[SCRAM_KEY_BYTES];
    scram_hmac(s->verifier.stored_key, slice_of(messages, strlen(messages)), signature);
    for (int i = 0; i < SCRAM_KEY_BYTES; i++) client_key[i] = proof[i] ^ signature[i];
    scram_hash(slice_of(client_key, sizeof client_key), stored);
    bool equal = CRYPTO_memcmp(stored, s->verifier.stored_key, SCRAM_KEY_BYTES) == 0;
    return equal && s->known;
}

/* c=binding,r=nonce,...,p=proof. */
static Status finish(Scram *s)
{
    Frame frame;
    uint8_t proof[SCRAM_KEY_BYTES], signature[SCRAM_KEY_BYTES];
    TRY(auth_receive(s->conn, &frame));
    if (memchr(frame.body.data, 0, frame.body.size)) return auth_broken(s->conn, "malformed SCRAM message");
    const char *message = arena_strndup(s->arena, frame.body.data, frame.body.size);
    const char *proof_at = NULL;
    for (const char *c = message; (c = strstr(c, ",p=")); c++) proof_at = c;
    const char *nonce = strncmp(message, "c=", 2) == 0 ? strchr(message, ',') : NULL;
    if (!proof_at || !nonce || strncmp(nonce, ",r=", 3) != 0) return auth_broken(s->conn, "malformed SCRAM message");
    const char *binding = arena_strndup(s->arena, message + 2, (size_t)(nonce - message - 2));
    size_t nonce_size = strcspn(nonce + 3, ",");
    if (nonce_size != strlen(s->nonce) || memcmp(nonce + 3, s->nonce, nonce_size) != 0)
        return auth_broken(s->conn, "invalid SCRAM response");
    if (strcmp(binding, expected_binding(s)) != 0) return auth_broken(s->conn, "SCRAM channel binding check failed");
    if (scram_base64_decode(slice_of(proof_at + 3, strlen(proof_at + 3)), proof, sizeof proof) != SCRAM_KEY_BYTES)
        return auth_broken(s->conn, "malformed SCRAM message");
    const char *messages = arena_printf(s->arena, "%s,%s,%s", s->client_first, s->server_first,
                                        arena_strndup(s->arena, message, (size_t)(proof_at - message)));
    if (!proof_fits(s, messages, proof)) return ST_END;
    scram_hmac(s->verifier.server_key, slice_of(messages, strlen(messages)), signature);
    const char *final = arena_printf(s->arena, "v=%s", scram_base64(slice_of(signature, sizeof signature), s->arena));
    auth_send(s->conn, SASL_FINAL, slice_of(final, strlen(final)));
    return ST_OK;
}

Status auth_scram(Conn *conn, const char *user, const LoginRole *login)
{
    Scram s = {.conn = conn, .arena = conn->message_arena};
    const char *message = NULL;
    s.known = login->password && scram_parse(login->password, &s.verifier);
    if (!s.known) TRY(mock_verifier(&s, user));
    TRY(offer(&s));
    TRY(read_first(&s, &message));
    TRY(parse_first(&s, message));
    TRY(challenge(&s));
    return finish(&s);
}
