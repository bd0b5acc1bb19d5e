/* coupling.c: the coupling of a cluster as tables of radial functions and harmonics of each pair, (2 lmax + 1)^2 numbers,
 * from which a plan makes the coefficients on the way. Memory grows with the pairs, not with the square of their modes. */
#include "scatter/cluster/coupling.h"

#include <float.h>
#include <string.h>

#include "scatter/waves/thread.h"

#define LANES ((size_t)POYI_LANES)

struct poyi_coupling {
    const poy_cluster *cluster;
    const poyi_waves_kernels *kernels;
    poyi_couple_row *couple;
    int helicity, passes; /* parity is turned into helicity and back; passes: wavenumbers that differ */
    size_t particles, groups, places, table; /* groups of sources; places: (l, m); doubles of a group's table */
    size_t n_plans;
    const poyi_plan **plans; /* panels of rows */
    int32_t *place;          /* [n]: 2 (l, m) + pol */
    size_t *partner;         /* parity: [n] */
    double *tables;          /* [particles][groups][passes][table] */
    double *sources;         /* [groups][places][2][re, im][LANES] */
    double *scratch;         /* [threads][places][4][LANES] */
    poy_c128 *work;          /* [n] */
    void *memory, *table_memory;
};

static poyi_couple_row *best_row(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return poyi_waves_avx2_couple_row;
#endif
    return poyi_waves_base_couple_row;
}

static void full_set(int lmax, poyi_mode_set *set)
{
    *set = (poyi_mode_set){.lmax = lmax};
    for (int l = 1; l <= lmax; l++)
        for (int m = -l; m <= l; m++) {
            set->l[set->count] = l;
            set->m[set->count++] = m;
        }
}

static poy_status make_plans(poy_ctx *ctx, poyi_coupling *c, const poyi_mode_set *set)
{
    for (int row = 0; row < set->count;) {
        POYI_TRY(ctx, poyi_plan_create(ctx, set, set, row, c->plans + c->n_plans));
        row += c->plans[c->n_plans++]->rows;
    }
    return POY_OK;
}

/* The table of one pair as a lane of its group; nonzero: beyond the range. */
static int fill_lane(const poyi_coupling *c, const poyi_harmonic_plan *harmonics, int pmax, double complex k, size_t to,
                     size_t from, poyi_xcomplex *exact, double *table)
{
    const double *p = c->cluster->basis->positions + 3 * to, *q = c->cluster->basis->positions + 3 * from;
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    const size_t lane = from % LANES, size = poyi_table_size(pmax);
    double largest = 0.0;
    if (to == from)
        return 0;
    poyi_translation_table(harmonics, pmax, 1, k, d, exact);
    for (size_t i = 0; i < size; i++) {
        const double re = (double)creall(exact[i]), im = (double)cimagl(exact[i]);
        table[2 * i * LANES + lane] = re;
        table[(2 * i + 1) * LANES + lane] = im;
        largest = fmax(largest, fmax(fabs(re), fabs(im)));
    }
    return !(largest < DBL_MAX / 1e8);
}

static poy_status fill_tables(poy_ctx *ctx, poyi_coupling *c, int pmax, const poyi_optics *optics)
{
    poy_status status;
    poyi_harmonic_plan *harmonics = NULL;
    void *memory = NULL;
    int beyond = 0;
    const size_t threads = (size_t)poy_ctx_threads(ctx), size = poyi_table_size(pmax);
    POYI_TO_DONE(ctx, poyi_harmonic_plan_create(ctx, pmax, &harmonics));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.coupling", threads * size * sizeof(poyi_xcomplex), &memory));
    poyi_xcomplex *exact = memory;
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) reduction(| : beyond) if (c->particles > 4)
    for (size_t to = 0; to < c->particles; to++)
        for (size_t from = 0; from < c->particles; from++)
            for (int pass = 0; pass < c->passes; pass++)
                beyond |= fill_lane(
                    c, harmonics, pmax, optics->ks[pass], to, from, exact + (size_t)poyi_thread_number() * size,
                    c->tables + ((to * c->groups + from / LANES) * (size_t)c->passes + (size_t)pass) * c->table);
    if (beyond)
        status =
            POYI_FAIL(ctx, POY_ERR_RANGE, "cluster: coefficients of origins so close are beyond the largest double");
done:
    poyi_free(&memory);
    poyi_harmonic_plan_destroy(&harmonics);
    return status;
}

static poy_status take_memory(poy_ctx *ctx, poyi_coupling *c, size_t n)
{
    size_t doubles, bytes;
    const size_t threads = (size_t)poy_ctx_threads(ctx);
    POYI_TRY(ctx, poyi_mul_size(ctx, c->particles * c->groups, (size_t)c->passes * c->table * sizeof(double), &bytes));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.coupling", bytes, &c->table_memory));
    c->tables = c->table_memory;
    doubles = (c->groups + threads) * c->places * 4 * LANES;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.coupling",
                                  doubles * sizeof(double) + n * (sizeof(poy_c128) + sizeof(size_t) + sizeof(int32_t)) +
                                      c->places * sizeof(poyi_plan *),
                                  &c->memory));
    c->sources = c->memory;
    c->scratch = c->sources + c->groups * c->places * 4 * LANES;
    c->work = (poy_c128 *)(void *)(c->scratch + threads * c->places * 4 * LANES);
    c->partner = (size_t *)(void *)(c->work + n);
    c->plans = (const poyi_plan **)(void *)(c->partner + n);
    c->place = (int32_t *)(void *)(c->plans + c->places);
    return POY_OK;
}

poy_status poyi_coupling_create(poy_ctx *ctx, const poy_cluster *cluster, poyi_coupling **out)
{
    poy_status status;
    poyi_optics optics;
    void *memory = NULL, *set_memory = NULL;
    int lmax = 1;
    *out = NULL;
    if (cluster->basis->kind != POY_BASIS_SPHERICAL)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "iterative solution of %s waves; needs spherical ones",
                         poyi_basis_kind_name(cluster->basis->kind));
    POYI_TRY(ctx, poyi_embedding_optics(ctx, &cluster->embedding, &optics));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.coupling", sizeof(poyi_coupling), &memory));
    poyi_coupling *c = memory;
    for (size_t i = 0; i < cluster->n; i++)
        lmax = cluster->basis->modes[i].l > lmax ? cluster->basis->modes[i].l : lmax;
    c->cluster = cluster;
    c->kernels = poyi_waves_best();
    c->couple = best_row();
    c->helicity = cluster->embedding.poltype == POY_HELICITY;
    c->passes = optics.ks[0] == optics.ks[1] ? 1 : 2;
    c->particles = cluster->particles;
    c->groups = (c->particles + LANES - 1) / LANES;
    c->places = (size_t)lmax * ((size_t)lmax + 2);
    c->table = 2 * poyi_table_size(2 * lmax) * LANES;
    POYI_TO_DONE(ctx, take_memory(ctx, c, cluster->n));
    for (size_t i = 0; i < cluster->n; i++) {
        const poy_wave_mode *m = cluster->basis->modes + i;
        c->place[i] = 2 * (m->l * (m->l + 1) + m->m - 1) + m->pol;
    }
    if (!c->helicity)
        POYI_TO_DONE(ctx, poyi_pol_partners(ctx, cluster->basis, c->partner));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.coupling", sizeof(poyi_mode_set), &set_memory));
    full_set(lmax, set_memory);
    POYI_TO_DONE(ctx, make_plans(ctx, c, set_memory));
    POYI_TO_DONE(ctx, fill_tables(ctx, c, 2 * lmax, &optics));
done:
    poyi_free(&set_memory);
    if (status == POY_OK)
        *out = c;
    else
        poyi_coupling_destroy(&c);
    return status;
}

void poyi_coupling_destroy(poyi_coupling **c)
{
    poyi_coupling *object = *c;
    *c = NULL;
    if (!object)
        return;
    void *memory = object;
    for (size_t i = 0; i < object->n_plans; i++)
        poyi_plan_destroy(object->plans + i);
    poyi_free(&object->memory);
    poyi_free(&object->table_memory);
    poyi_free(&memory);
}

/* The place of mode i, or of its mirror image -m; the sign that goes with it. */
static int32_t place_of(const poyi_coupling *c, size_t i, int mirrored)
{
    const int32_t m = c->cluster->basis->modes[i].m;
    return c->place[i] - (mirrored ? 4 * m : 0);
}

static double sign_of(const poyi_coupling *c, size_t i, int mirrored)
{
    return mirrored && c->cluster->basis->modes[i].m % 2 ? -1.0 : 1.0;
}

/* All sources of one destination, each row of the plan. */
static void one_destination(const poyi_coupling *c, size_t to, int adjoint, double *sums, poy_c128 *y)
{
    const size_t *offset = c->cluster->offset;
    for (size_t plan = 0; plan < c->n_plans; plan++)
        for (int row = 0; row < c->plans[plan]->rows; row++) {
            double sum[4] = {0.0, 0.0, 0.0, 0.0};
            const int32_t place = 2 * (c->plans[plan]->first_row + row);
            for (size_t group = 0; group < c->groups; group++)
                for (int pass = 0; pass < c->passes; pass++) {
                    const double *table =
                        c->tables + ((to * c->groups + group) * (size_t)c->passes + (size_t)pass) * c->table;
                    c->kernels->plan_row(c->plans[plan], row, table, sums);
                    c->couple(c->plans[plan]->cols, pass, 3 - c->passes, sums,
                              c->sources + group * c->places * 4 * LANES, sum);
                }
            for (size_t i = offset[to]; i < offset[to + 1]; i++) {
                const int32_t own = place_of(c, i, adjoint);
                const double s = sign_of(c, i, adjoint);
                if (own - own % 2 == place) {
                    const size_t pol = (size_t)(own % 2);
                    y[i] = (poy_c128){s * sum[2 * pol], (adjoint ? -s : s) * sum[2 * pol + 1]};
                }
            }
        }
}

void poyi_coupling_apply(poy_ctx *ctx, poyi_coupling *c, int adjoint, const poy_c128 *x, poy_c128 *y)
{
    const size_t n = c->cluster->n, each = c->places * 4 * LANES;
    (void)ctx; /* without OpenMP */
    memcpy(c->work, x, n * sizeof *x);
    if (!c->helicity)
        poyi_change_pol_columns(n, 1, c->cluster->basis, c->partner, c->work);
    memset(c->sources, 0, c->groups * each * sizeof(double));
    for (size_t p = 0; p < c->particles; p++)
        for (size_t i = c->cluster->offset[p]; i < c->cluster->offset[p + 1]; i++) {
            double *at = c->sources + p / LANES * each + (size_t)place_of(c, i, adjoint) * 2 * LANES + p % LANES;
            const double s = sign_of(c, i, adjoint);
            at[0] = s * c->work[i].re;
            at[LANES] = (adjoint ? -s : s) * c->work[i].im;
        }
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (c->particles > 4)
    for (size_t to = 0; to < c->particles; to++)
        one_destination(c, to, adjoint, c->scratch + (size_t)poyi_thread_number() * each, y);
    if (!c->helicity)
        poyi_change_pol_columns(n, 1, c->cluster->basis, c->partner, y);
}
