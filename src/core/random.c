/* random.c: Philox4x32-10, a counter-based generator: every block is a pure function of its key and counter, so that
 * random numbers do not depend on threads, order or backend.
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3, table 2. */
#include "core/core.h"

enum { ROUNDS = 10 };

static const uint64_t multiplier[2] = {UINT32_C(0xD2511F53), UINT32_C(0xCD9E8D57)};
/* Weyl sequence of the key: the golden ratio and sqrt(3) - 1, in units of 2^-32. */
static const uint32_t key_step[2] = {UINT32_C(0x9E3779B9), UINT32_C(0xBB67AE85)};

static uint32_t low(uint64_t x)
{
    return (uint32_t)(x & UINT32_MAX);
}

static uint32_t high(uint64_t x)
{
    return (uint32_t)(x >> 32);
}

void poy_random_words(uint64_t seed, uint64_t stream, uint64_t i, uint32_t out[4])
{
    uint32_t c[4] = {low(i), high(i), low(stream), high(stream)};
    uint32_t key[2] = {low(seed), high(seed)};

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t p0 = multiplier[0] * c[0], p1 = multiplier[1] * c[2];
        uint32_t next[4] = {high(p1) ^ c[1] ^ key[0], low(p1), high(p0) ^ c[3] ^ key[1], low(p0)};
        for (int k = 0; k < 4; k++)
            c[k] = next[k];
        key[0] += key_step[0];
        key[1] += key_step[1];
    }
    for (int k = 0; k < 4; k++)
        out[k] = c[k];
}

void poy_random_uniform2(uint64_t seed, uint64_t stream, uint64_t i, double out[2])
{
    uint32_t words[4];
    poy_random_words(seed, stream, i, words);
    for (size_t k = 0; k < 2; k++) {
        uint64_t bits = (uint64_t)words[2 * k] | (uint64_t)words[2 * k + 1] << 32;
        out[k] = (double)(bits >> 11) * 0x1p-53; /* exact: 53 bits fit a double */
    }
}
