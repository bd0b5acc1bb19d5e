/* digest.c: SHA-256 (FIPS 180-4) of what identifies a problem or a file; the work is nettle's. */
#include "core/core.h"

void poyi_sha256_init(poyi_sha256 *s)
{
    nettle_sha256_init(&s->nettle);
}

void poyi_sha256_add(poyi_sha256 *s, const void *data, size_t bytes)
{
    nettle_sha256_update(&s->nettle, bytes, data);
}

void poyi_sha256_end(poyi_sha256 *s, unsigned char out[32])
{
    nettle_sha256_digest(&s->nettle, SHA256_DIGEST_SIZE, out); /* starts anew, too */
}

void poyi_sha256_hex(const unsigned char digest[32], char out[65])
{
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < 32; i++) {
        out[2 * i] = hex[digest[i] >> 4];
        out[2 * i + 1] = hex[digest[i] & 15];
    }
    out[64] = '\0';
}
