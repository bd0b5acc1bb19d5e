/* test_einsum.c: sums of products by subscripts against loops over all indices, and subscripts that say nothing. */
#include <math.h>
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

static poy_ctx *ctx;
static poy_backend *be;

enum { A = 2, B = 3, C = 4, D = 5 };

/* Small whole numbers, so that sums are exact in any order. */
static poy_array *make(int rank, const int64_t *extent, double *host)
{
    poy_array *a = NULL;
    int64_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= extent[i];
    for (int64_t i = 0; i < n; i++)
        host[i] = (double)(i * 7 % 11 - 5);
    ok(poy_array_create(ctx, be, POY_F64, rank, extent, &a) == POY_OK && poy_array_write(ctx, a, host) == POY_OK,
       "an operand");
    return a;
}

static double ab[A * B], bc[B * C], cd[C * D], aab[A * A * B], cb[C * B];

static int gives(const char *subscripts, int n, const poy_array *const *operands, int rank, const int64_t *extent,
                 const double *want)
{
    poy_array *y = NULL;
    double got[128];
    int good = poy_einsum(ctx, subscripts, n, operands, &y) == POY_OK && poy_array_rank(y) == rank;
    if (!good)
        note("%s", poy_ctx_message(ctx));
    for (int i = 0; good && i < rank; i++)
        good = poy_array_extent(y, i) == extent[i];
    good = good && poy_array_read(ctx, y, got) == POY_OK;
    for (int64_t i = 0; good && i < poy_array_size(y); i++)
        good = got[i] == want[i];
    poy_array_destroy(&y);
    return good;
}

static void products(void)
{
    const int64_t sab[] = {A, B}, sbc[] = {B, C}, scd[] = {C, D}, saab[] = {A, A, B}, scb[] = {C, B}, sa[] = {A};
    const int64_t sad[] = {A, D}, sda[] = {D, A}, sba[] = {B, A}, sabc[] = {A, B, C};
    poy_array *pab = make(2, sab, ab), *pbc = make(2, sbc, bc), *pcd = make(2, scd, cd), *paab = make(3, saab, aab);
    poy_array *pcb = make(2, scb, cb);
    const poy_array *const chain[] = {pab, pbc, pcd}, *const pair[] = {pab, pbc}, *const turned[] = {pab, pcb};
    double want[128], wanted_da[128], sum = 0, total = 0;

    for (int a = 0; a < A; a++)
        for (int d = 0; d < D; d++) {
            sum = 0;
            for (int b = 0; b < B; b++)
                for (int c = 0; c < C; c++)
                    sum += ab[a * B + b] * bc[b * C + c] * cd[c * D + d];
            want[a * D + d] = wanted_da[d * A + a] = sum;
            total += sum;
        }
    ok(gives("ab,bc,cd->ad", 3, chain, 2, sad, want), "a chain");
    ok(gives("ab,bc,cd", 3, chain, 2, sad, want), "without an arrow");
    ok(gives("ab,bc,cd->da", 3, chain, 2, sda, wanted_da), "turned");
    ok(gives("ab, bc, cd ->", 3, chain, 0, NULL, &total), "summed up, with spaces");
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                want[(a * B + b) * C + c] = ab[a * B + b] * bc[b * C + c];
    ok(gives("ab,bc->abc", 2, pair, 3, sabc, want), "a product that sums over nothing");
    for (int a = 0; a < A; a++) {
        want[a] = 0;
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                want[a] += ab[a * B + b] * cb[c * B + b];
    }
    ok(gives("ab,cb->a", 2, turned, 1, sa, want), "a letter of one operand alone");
    const poy_array *const one[] = {paab}, *const single[] = {pab};
    for (int b = 0; b < B; b++)
        for (int a = 0; a < A; a++)
            want[b * A + a] = aab[(a * A + a) * B + b];
    ok(gives("iij->ji", 1, one, 2, sba, want), "a diagonal, turned");
    for (int b = 0; b < B; b++)
        want[b] = aab[b] + aab[(A + 1) * B + b];
    ok(gives("ii...->...", 1, one, 1, sab + 1, want), "a trace before an ellipsis");
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            want[b * A + a] = ab[a * B + b];
    ok(gives("ba", 1, single, 2, sba, want), "without an arrow in the order of the letters");
    poy_array *y = NULL;
    static const char *const wrong[] = {"ab->c", "ab->aa",   "a",  "abc",      "a.b",
                                        "ab,bc", "ab->a->b", "aa", "a...b...", "...->"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ok(poy_einsum(ctx, wrong[i], 1, single, &y) == POY_ERR_ARGUMENT && !y, "'%s' is refused", wrong[i]);
    ok(poy_einsum(ctx, "ab,ab->a", 2, pair, &y) == POY_ERR_ARGUMENT && !y, "and lengths that differ");
    poy_ctx_clear(ctx);
    poy_array *const all[] = {pab, pbc, pcd, paab, pcb};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
}

/* A batch and one matrix for all of it. */
static void ellipses(void)
{
    static double batch[2 * 3 * 2], one[2 * 2], want[2 * 3 * 2];
    const int64_t shape[] = {2, 3, 2}, square[] = {1, 2, 2};
    poy_array *x = make(3, shape, batch), *y = make(3, square, one);
    const poy_array *const both[] = {x, y};
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++) {
                want[(b * 3 + i) * 2 + j] = 0;
                for (int k = 0; k < 2; k++)
                    want[(b * 3 + i) * 2 + j] += batch[(b * 3 + i) * 2 + k] * one[k * 2 + j];
            }
    ok(gives("...ik,...kj->...ij", 2, both, 3, shape, want), "ellipses broadcast");
    poy_array_destroy(&x);
    poy_array_destroy(&y);
}

int main(void)
{
    static const char *const specs[] = {"ref", "cpu"};
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < 2; i++) {
        ok(poy_backend_open(ctx, specs[i], &be) == POY_OK, "on %s", specs[i]);
        products();
        ellipses();
        poy_backend_close(&be);
        ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    }
    poy_ctx_destroy(&ctx);
    return tap_done();
}
