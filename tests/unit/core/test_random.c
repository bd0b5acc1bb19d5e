/* test_random.c: Philox4x32-10 against the known answers of Random123 (kat_vectors, D. E. Shaw Research), and its doubles. */
#include <math.h>
#include <string.h>

#include "poynting/base.h"
#include "tap.h"

static void answers(const char *name, const uint32_t counter[4], const uint32_t key[2], const uint32_t want[4])
{
    uint32_t got[4];
    uint64_t i = (uint64_t)counter[0] | (uint64_t)counter[1] << 32;
    uint64_t stream = (uint64_t)counter[2] | (uint64_t)counter[3] << 32;
    poy_random_words((uint64_t)key[0] | (uint64_t)key[1] << 32, stream, i, got);
    if (!ok(!memcmp(got, want, sizeof got), "known answer: %s", name))
        note("%08x %08x %08x %08x", got[0], got[1], got[2], got[3]);
}

int main(void)
{
    const uint32_t m = UINT32_MAX;
    answers("zeros", (uint32_t[]){0, 0, 0, 0}, (uint32_t[]){0, 0},
            (uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    answers("ones", (uint32_t[]){m, m, m, m}, (uint32_t[]){m, m},
            (uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    answers("digits of pi", (uint32_t[]){0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
            (uint32_t[]){0xa4093822, 0x299f31d0}, (uint32_t[]){0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

    /* (w1:w0 >> 11) 2^-53 of the words above, with zeros: 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c */
    double u[2];
    poy_random_uniform2(0, 0, 0, u);
    ok(u[0] == 0x1c2d38b1acc4fdp-53 && u[1] == 0x13601b7b178af5p-53, "the top 53 bits of two words each: %a %a", u[0],
       u[1]);
    poy_random_uniform2(UINT64_MAX, UINT64_MAX, UINT64_MAX, u);
    ok(u[0] >= 0 && u[0] < 1 && u[1] >= 0 && u[1] < 1, "in [0, 1)");

    /* Mean 1/2 and variance 1/12 of 2^17 uniform numbers; 5 standard deviations of the estimates: sqrt(1/12 / n),
     * sqrt(1/180 / n). The numbers are fixed, so this holds always or never. */
    double sum = 0, squares = 0, n = 1 << 17;
    for (uint64_t i = 0; i < UINT64_C(1) << 16; i++) {
        poy_random_uniform2(1, 2, i, u);
        for (int k = 0; k < 2; k++) {
            sum += u[k];
            squares += (u[k] - 0.5) * (u[k] - 0.5);
        }
    }
    ok(fabs(sum / n - 0.5) < 5 * sqrt(1 / 12.0 / n), "mean of 2^17 is 1/2: %.6f", sum / n);
    ok(fabs(squares / n - 1 / 12.0) < 5 * sqrt(1 / 180.0 / n), "variance of 2^17 is 1/12: %.6f", squares / n);
    return tap_done();
}
