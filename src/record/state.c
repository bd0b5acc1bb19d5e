/* state.c: the bytes of a state: the head that tells it from others, and its checksums. */
#include <string.h>

#include "record/record.h"

/* "POYS", read in this machine's order; the number of this layout of the head. */
enum { MAGIC = 0x53594F50, LAYOUT = 1 };

typedef struct head {
    uint32_t magic, layout;
    uint32_t state_version, reserved;
    uint64_t record;  /* digest of name and options */
    uint64_t shapes;  /* of the specs of inputs and outputs */
    uint64_t payload; /* bytes that follow, a multiple of 8 */
    uint64_t digest;  /* of the payload */
    uint64_t spare;
    uint64_t seal; /* digest of the head before this */
} head;
_Static_assert(sizeof(head) == POY_REC_STATE_HEAD, "the size that record.h promises");

/* ---- checksum ---- */

/* One to one in h for any word and in word for any h, so that a change of a single word always shows. The multiplier is
 * odd: 2^64 over the golden ratio, as in Fibonacci hashing (Knuth, The Art of Computer Programming 3, sec. 6.4). */
static uint64_t stir(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

/* A 64-bit checksum that any change within one 8-byte word alters. Not cryptographic. */
static uint64_t digest_of(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t lane[4] = {seed, seed + 1, seed + 2, seed + 3}, word[4]; /* four chains: one waits for each product */

    for (size_t n = bytes / sizeof word; n > 0; n--, at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int k = 0; k < 4; k++)
            lane[k] = stir(lane[k], word[k]);
    }
    memset(word, 0, sizeof word);
    memcpy(word, at, bytes % sizeof word);
    for (int k = 0; k < 4; k++)
        lane[k] = stir(lane[k], word[k]);
    uint64_t h = stir(seed, bytes);
    for (int k = 0; k < 4; k++)
        h = stir(h, lane[k]);
    return h;
}

static uint64_t digest_specs(uint64_t h, const poy_rec_spec *spec, int n)
{
    for (int i = 0; i < n; i++) {
        h = stir(h, (uint64_t)spec[i].dtype << 32 | (uint64_t)spec[i].rank);
        for (int k = 0; k < spec[i].rank; k++)
            h = stir(h, (uint64_t)spec[i].dims[k]);
    }
    return h;
}

/* Of the inputs after widening: the state of a real input in a complex slot is that of the same complex one. */
static head expected(const poy_record *r, const poyi_shapes *shapes)
{
    return (head){.magic = MAGIC,
                  .layout = LAYOUT,
                  .state_version = r->known->op.state_version,
                  .record = r->digest,
                  .shapes = digest_specs(digest_specs(0, shapes->in, shapes->n_in), shapes->out, shapes->n_out),
                  .payload = shapes->item_bytes - sizeof(head)};
}

void poyi_state_seal(const poy_record *r, const poyi_shapes *shapes, unsigned char *item)
{
    head h = expected(r, shapes);
    h.digest = digest_of(h.record, item + sizeof h, h.payload);
    h.seal = digest_of(0, &h, offsetof(head, seal));
    memcpy(item, &h, sizeof h);
}

poy_status poyi_state_check(poy_ctx *ctx, const poy_record *r, const poyi_shapes *shapes, const unsigned char *item)
{
    const head want = expected(r, shapes);
    head h;

    memcpy(&h, item, sizeof h);
    if (h.magic != want.magic || h.layout != want.layout)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: these bytes are not a saved state of this library", r->identity);
    if (h.seal != digest_of(0, &h, offsetof(head, seal)))
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: the head of the saved state was changed", r->identity);
    if (h.record != want.record)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: the saved state is that of another record or other options",
                         r->identity);
    if (h.state_version != want.state_version)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: the saved state has version %u, this record reads version %u",
                         r->identity, (unsigned)h.state_version, (unsigned)want.state_version);
    if (h.shapes != want.shapes || h.payload != want.payload)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: the saved state is that of other shapes", r->identity);
    if (h.digest != digest_of(h.record, item + sizeof h, h.payload))
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: the saved state was changed since it was saved", r->identity);
    return POY_OK;
}
