/* expand_spherical.c: matrices of spherical from spherical waves for all pairs of origins, and their derivatives. Eight pairs
 * go side by side through a plan; each entry is written once, by one thread, so the bits do not depend on their number. */
#include <float.h>
#include <string.h>

#include "scatter/waves/expand/expand.h"
#include "scatter/waves/expand/expand_side.h"
#include "scatter/waves/thread.h"

#define LANES ((size_t)POYI_LANES)

/* What a thread works with. */
typedef struct scratch {
    double *table, *sums;           /* [places][2][LANES], [cols][4][LANES] */
    poyi_xcomplex *exact, *tangent; /* D to pmax + 1; one table to pmax */
    poyi_xcomplex *gradient[3];     /* to pmax */
    int suspect, beyond;            /* a table, a coefficient is beyond the range */
} scratch;

/* What an origin pair gets back in a pullback. */
typedef struct pair_gradient {
    double d[3];
    double complex k[2];
} pair_gradient;

typedef struct job {
    const poyi_expand_call *call;
    const poyi_side *rows, *cols;
    const poyi_harmonic_plan *harmonics;
    const poyi_plan *plan;
    size_t pairs;
    int pmax;
    int pol_mask; /* columns of this pass: bit pol */
    double complex k;
    scratch *scratch;
    pair_gradient *pair;
} job;

static void displacement(const job *j, size_t pair, double d[3])
{
    const double *to = j->rows->basis->positions + 3 * (pair / j->cols->particles);
    const double *from = j->cols->basis->positions + 3 * (pair % j->cols->particles);
    for (int i = 0; i < 3; i++)
        d[i] = to[i] - from[i];
}

static int same_origin(const job *j, size_t pair)
{
    double d[3];
    displacement(j, pair, d);
    return d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0;
}

/* dD = k dd . grad D + dk d . grad D, gradients with respect to k d. */
static void tangent_table(const job *j, size_t pair, const double d[3], scratch *s)
{
    const poyi_expand_call *c = j->call;
    const double *to = c->d_destination ? c->d_destination + 3 * (pair / j->cols->particles) : NULL;
    const double *from = c->d_source ? c->d_source + 3 * (pair % j->cols->particles) : NULL;
    const poyi_xcomplex dk = c->d_ks ? poyi_x(c->d_ks[j->pol_mask == 2]) : 0.0L, k = poyi_x(j->k);
    poyi_translation_table(j->harmonics, j->pmax + 1, c->singular, j->k, d, s->exact);
    poyi_translation_gradient(j->pmax, s->exact, s->gradient);
    poyi_xcomplex along[3];
    for (int i = 0; i < 3; i++)
        along[i] = k * (poyi_xreal)((to ? to[i] : 0.0) - (from ? from[i] : 0.0)) + dk * (poyi_xreal)d[i];
    for (size_t p = 0; p < poyi_table_size(j->pmax); p++)
        s->tangent[p] = poyi_xmul(along[0], s->gradient[0][p]) + poyi_xmul(along[1], s->gradient[1][p]) +
                        poyi_xmul(along[2], s->gradient[2][p]);
}

/* What stands in the place of D of a pair: itself, its tangent, or the sum over images. */
static const poyi_xcomplex *table_of(const job *j, size_t pair, scratch *s)
{
    double d[3];
    const poyi_xcomplex *image = j->call->image[j->pol_mask == 2];
    if (image)
        return image + pair * poyi_table_size(j->pmax);
    displacement(j, pair, d);
    if (j->call->task == POYI_EXPAND_PUSHFORWARD) {
        tangent_table(j, pair, d, s);
        return s->tangent;
    }
    poyi_translation_table(j->harmonics, j->pmax, j->call->singular, j->k, d, s->exact);
    return s->exact;
}

/* Tables of the pairs first .. first + LANES - 1 as lanes; lanes without a pair are 0. */
static void fill_tables(const job *j, size_t first, scratch *s)
{
    const size_t size = poyi_table_size(j->pmax);
    for (size_t lane = 0; lane < LANES; lane++) {
        const poyi_xcomplex *from = first + lane < j->pairs ? table_of(j, first + lane, s) : NULL;
        double largest = 0.0;
        for (size_t p = 0; p < size; p++) {
            const poyi_xcomplex v = from ? from[p] : 0.0L;
            const double re = (double)creall(v), im = (double)cimagl(v);
            s->table[(2 * p) * LANES + lane] = re;
            s->table[(2 * p + 1) * LANES + lane] = im;
            largest = fmax(largest, fmax(fabs(re), fabs(im)));
            s->suspect |= isnan(re) || isnan(im); /* which fmax passes over */
        }
        s->suspect |= !(largest < DBL_MAX / 1e8);
    }
}

/* The coefficient of one pair of modes from A and B' (B = i B'). */
static poy_c128 entry(poy_poltype poltype, int pol, int qol, double ar, double ai, double br, double bi)
{
    if (poltype == POY_PARITY)
        return pol == qol ? (poy_c128){ar, ai} : (poy_c128){-bi, br};
    if (pol != qol)
        return (poy_c128){0.0, 0.0};
    return pol ? (poy_c128){ar - bi, ai + br} : (poy_c128){ar + bi, ai - br};
}

static int is_same(const job *j, size_t set_row, int pol, const poyi_side_mode *m)
{
    return j->rows->set.l[set_row] == j->cols->set.l[m->place] && j->rows->set.m[set_row] == j->cols->set.m[m->place] &&
           pol == m->pol;
}

static void write_row(const job *j, int row, size_t pair, size_t lane, scratch *s)
{
    const double *sums = s->sums;
    const size_t to = pair / j->cols->particles, from = pair % j->cols->particles;
    const size_t set_row = (size_t)j->plan->first_row + (size_t)row, stride = j->cols->basis->size;
    const int32_t *target = j->rows->lookup + 2 * (to * (size_t)j->rows->set.count + set_row);
    const poyi_side_mode *modes = j->cols->mode;
    const poy_poltype poltype = j->call->poltype;
    const int identity = j->call->task == POYI_EXPAND_VALUE && !j->call->singular && same_origin(j, pair);
    for (int pol = 0; pol < 2; pol++) {
        if (target[pol] < 0)
            continue;
        poy_c128 *out = j->call->out + (size_t)target[pol] * stride;
        for (size_t m = j->cols->start[from]; m < j->cols->start[from + 1]; m++) {
            if (!(j->pol_mask >> modes[m].pol & 1))
                continue;
            const double *v = sums + (size_t)modes[m].place * 4 * LANES + lane;
            poy_c128 *x = out + modes[m].index;
            *x = entry(poltype, pol, modes[m].pol, v[0], v[LANES], v[2 * LANES], v[3 * LANES]);
            if (identity)
                *x = (poy_c128){is_same(j, set_row, pol, &modes[m]), 0.0};
            if (s->suspect && (!isfinite(x->re) || !isfinite(x->im))) {
                *x = (poy_c128){(double)INFINITY, (double)INFINITY};
                s->beyond = 1;
            }
        }
    }
}

/* The cotangents of A and B' from those of a row's entries: dL = Re sum conj(g) dx. */
static void read_row(const job *j, int row, size_t pair, size_t lane, double *sums)
{
    const size_t to = pair / j->cols->particles, from = pair % j->cols->particles;
    const size_t set_row = (size_t)j->plan->first_row + (size_t)row, stride = j->cols->basis->size;
    const int32_t *target = j->rows->lookup + 2 * (to * (size_t)j->rows->set.count + set_row);
    const poyi_side_mode *modes = j->cols->mode;
    for (int pol = 0; pol < 2; pol++) {
        if (target[pol] < 0)
            continue;
        const poy_c128 *g = j->call->g_out + (size_t)target[pol] * stride;
        for (size_t m = j->cols->start[from]; m < j->cols->start[from + 1]; m++) {
            const int qol = modes[m].pol;
            double *v = sums + (size_t)modes[m].place * 4 * LANES + lane;
            const poy_c128 x = g[modes[m].index];
            if (!(j->pol_mask >> qol & 1) || (j->call->poltype == POY_HELICITY && pol != qol))
                continue;
            const double sign = j->call->poltype == POY_PARITY || pol ? 1.0 : -1.0;
            if (j->call->poltype == POY_HELICITY || pol == qol) {
                v[0] += x.re;
                v[LANES] += x.im;
            }
            if (j->call->poltype == POY_HELICITY || pol != qol) { /* conj(i s) g */
                v[2 * LANES] += sign * x.im;
                v[3 * LANES] -= sign * x.re;
            }
        }
    }
}

/* From the cotangent of D to those of the displacement and of k, or to the caller's. */
static void contract(const job *j, size_t pair, size_t lane, scratch *s)
{
    double d[3];
    const poyi_expand_call *c = j->call;
    poyi_xcomplex *image = c->g_image[j->pol_mask == 2];
    for (size_t p = 0; image && p < poyi_table_size(j->pmax); p++)
        image[pair * poyi_table_size(j->pmax) + p] +=
            CMPLXL(s->table[(2 * p) * LANES + lane], s->table[(2 * p + 1) * LANES + lane]);
    if (image)
        return;
    displacement(j, pair, d);
    poyi_translation_table(j->harmonics, j->pmax + 1, c->singular, j->k, d, s->exact);
    poyi_translation_gradient(j->pmax, s->exact, s->gradient);
    for (int i = 0; i < 3; i++) {
        poyi_xcomplex sum = 0.0L; /* sum conj(g) grad_i D */
        for (size_t p = 0; p < poyi_table_size(j->pmax); p++) {
            const poyi_xcomplex g = CMPLXL(s->table[(2 * p) * LANES + lane], -s->table[(2 * p + 1) * LANES + lane]);
            sum += poyi_xmul(g, s->gradient[i][p]);
        }
        j->pair[pair].d[i] += (double)creall(poyi_xmul(poyi_x(j->k), sum));
        j->pair[pair].k[j->pol_mask == 2] += (double complex)(conjl(sum) * (poyi_xreal)d[i]);
    }
}

static void run_group(const job *j, size_t first, scratch *s)
{
    const poyi_waves_kernels *kernels = j->call->kernels;
    const size_t last = first + LANES < j->pairs ? first + LANES : j->pairs;
    if (j->call->task == POYI_EXPAND_PULLBACK) {
        memset(s->table, 0, poyi_table_size(j->pmax) * 2 * LANES * sizeof *s->table);
        for (int row = 0; row < j->plan->rows; row++) {
            memset(s->sums, 0, (size_t)j->plan->cols * 4 * LANES * sizeof *s->sums);
            for (size_t pair = first; pair < last; pair++)
                read_row(j, row, pair, pair - first, s->sums);
            kernels->plan_row_transposed(j->plan, row, s->sums, s->table);
        }
        for (size_t pair = first; pair < last; pair++)
            contract(j, pair, pair - first, s);
        return;
    }
    fill_tables(j, first, s);
    for (int row = 0; row < j->plan->rows; row++) {
        kernels->plan_row(j->plan, row, s->table, s->sums);
        for (size_t pair = first; pair < last; pair++)
            write_row(j, row, pair, pair - first, s);
    }
}

static void run_pass(poy_ctx *ctx, job *j)
{
    const size_t groups = (j->pairs + LANES - 1) / LANES;
    (void)ctx; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (groups > 1)
    for (size_t g = 0; g < groups; g++)
        run_group(j, g * LANES, j->scratch + poyi_thread_number());
}

/* One pass where both helicities have one wavenumber, else one for each; derivatives tell the wavenumbers apart. */
static void run_passes(poy_ctx *ctx, job *j)
{
    const double complex *ks = j->call->ks;
    if (j->call->task == POYI_EXPAND_VALUE && ks[0] == ks[1] && j->call->image[0] == j->call->image[1]) {
        j->pol_mask = 3;
        j->k = ks[0];
        run_pass(ctx, j);
        return;
    }
    for (int pol = 0; pol < 2; pol++) {
        j->pol_mask = 1 << pol;
        j->k = ks[pol];
        run_pass(ctx, j);
    }
}

/* bytes of each thread's part of memory; where memory is there, also the part's pointers */
static size_t lay_out(const job *j, unsigned char *memory, scratch *s)
{
    const size_t size = poyi_table_size(j->pmax), larger = poyi_table_size(j->pmax + 1);
    const size_t exact = (larger + 4 * size) * sizeof(poyi_xcomplex);
    const size_t doubles = (2 * size + 4 * (size_t)j->cols->set.count) * LANES * sizeof(double);
    if (memory) {
        poyi_xcomplex *x = (poyi_xcomplex *)(void *)memory;
        *s = (scratch){.exact = x, .tangent = x + larger, .table = (double *)(void *)(memory + exact)};
        for (size_t i = 0; i < 3; i++)
            s->gradient[i] = x + larger + (i + 1) * size;
        s->sums = s->table + 2 * size * LANES;
    }
    return (exact + doubles + 63) / 64 * 64;
}

static void add_gradients(const job *j)
{
    const poyi_expand_call *c = j->call;
    for (size_t pair = 0; pair < j->pairs; pair++) {
        const size_t to = pair / j->cols->particles, from = pair % j->cols->particles;
        for (size_t i = 0; i < 3; i++) {
            if (c->g_destination)
                c->g_destination[3 * to + i] += j->pair[pair].d[i];
            if (c->g_source)
                c->g_source[3 * from + i] -= j->pair[pair].d[i];
        }
        for (int pol = 0; c->g_ks && pol < 2; pol++)
            c->g_ks[pol] += j->pair[pair].k[pol];
    }
}

static poy_status run_panels(poy_ctx *ctx, job *j)
{
    for (int row = 0; row < j->rows->set.count;) {
        const poyi_plan *plan = NULL;
        POYI_TRY(ctx, poyi_plan_create(ctx, &j->rows->set, &j->cols->set, row, &plan));
        j->plan = plan;
        run_passes(ctx, j);
        row += plan->rows;
        poyi_plan_destroy(&plan);
    }
    return POY_OK;
}

static poy_status run_job(poy_ctx *ctx, job *j)
{
    poy_status status;
    const size_t threads = (size_t)poy_ctx_threads(ctx), each = lay_out(j, NULL, NULL);
    void *memory = NULL, *heads = NULL, *pair_memory = NULL;
    int beyond = 0;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", threads * each, &memory));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", threads * sizeof(scratch), &heads));
    j->scratch = heads;
    for (size_t t = 0; t < threads; t++)
        (void)lay_out(j, (unsigned char *)memory + t * each, j->scratch + t);
    if (j->call->task == POYI_EXPAND_PULLBACK)
        POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.expand", j->pairs * sizeof(pair_gradient), &pair_memory));
    j->pair = pair_memory;
    POYI_TO_DONE(ctx, run_panels(ctx, j));
    if (j->pair)
        add_gradients(j);
    for (size_t t = 0; t < threads; t++)
        beyond |= j->scratch[t].beyond;
    if (beyond)
        status = POYI_FAIL(ctx, POY_ERR_RANGE,
                           "translation: coefficients of origins so close are beyond the largest double");
done:
    poyi_free(&pair_memory);
    poyi_free(&heads);
    poyi_free(&memory);
    return status;
}

poy_status poyi_expand_spherical(poy_ctx *ctx, const poyi_expand_call *call)
{
    poy_status status;
    poyi_side *rows = NULL, *cols = NULL;
    poyi_harmonic_plan *harmonics = NULL;
    POYI_TO_DONE(ctx, poyi_side_create(ctx, call->destination, &rows));
    POYI_TO_DONE(ctx, poyi_side_create(ctx, call->source, &cols));
    if (rows->set.count == 0 || cols->set.count == 0)
        goto done;
    const int pmax = rows->set.lmax + cols->set.lmax;
    POYI_TO_DONE(ctx, poyi_harmonic_plan_create(ctx, pmax + 1, &harmonics));
    job j = {.call = call, .rows = rows, .cols = cols, .harmonics = harmonics, .pmax = pmax};
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, rows->particles, cols->particles, &j.pairs));
    POYI_TO_DONE(ctx, run_job(ctx, &j));
done:
    poyi_harmonic_plan_destroy(&harmonics);
    poyi_side_destroy(&cols);
    poyi_side_destroy(&rows);
    return status;
}
