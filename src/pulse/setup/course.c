/* course.c: how operator, prefactor and responses of a gas-filled guide follow its pressure or radius: each sampled where
 * that coordinate has the values of Chebyshev points, then turned into series, of as many terms as double precision can
 * tell. With nothing that changes there is one sample, which is the only term. */
#include <string.h>

#include "core/warn.h"
#include "poynting/pulse_rows.h"
#include "pulse/response/response.h"
#include "pulse/setup/medium.h"

/* Samples: few first, as most guides change little; then more. So many less SPARE terms are believed. */
enum { FEW = 13, NODES = 33, MANY = 129, SPARE = 4 };

/* Rows of samples, then of terms. scales: 1: every column is judged by itself, 0: all together. */
typedef struct table {
    int64_t width;
    int by_column;
    double *rows;
} table;

enum { PHI, PREFACTOR, DELAY, DELAY_TENSOR, FACTORS, TABLES };
enum { FIELD, KERR, RAMAN, PLASMA }; /* columns of FACTORS; PLASMA: the first species */

typedef struct course {
    poy_problem *p;
    poyi_guide_path_points path;
    int n;
    poy_guide_place place[MANY];
    poy_guide_clamps clamps;
    unsigned char *dead; /* [n_c][n_w]: bins whose loss is held somewhere, so that little is left of them */
    table tables[TABLES];
} course;

/* ---- the coordinate ---- */

/* Its range, with 0 for a pressure that goes down to nothing. */
static void find_range(course *c)
{
    double low = c->path.values[0], high = low;
    for (int i = 1; i < c->path.n; i++) {
        low = fmin(low, c->path.values[i]);
        high = fmax(high, c->path.values[i]);
    }
    c->p->coordinate_min = low;
    c->p->coordinate_max = high;
}

static poy_status find_places(poy_ctx *ctx, course *c, int n)
{
    poy_problem *p = c->p;
    poy_guide *guide = p->medium->guide;

    POYI_TRY(ctx, poyi_guide_path(ctx, guide, &c->path));
    c->n = 1;
    if (c->path.coordinate == POYI_ALONG_NOTHING) {
        poy_guide_at(guide, 0.0, &c->place[0]);
        return POY_OK;
    }
    c->n = n;
    find_range(c);
    for (int j = 0; j < n; j++) {
        const double x = cos(POYI_PI * (j + 0.5) / n);
        const double value =
            0.5 * (p->coordinate_min + p->coordinate_max) + 0.5 * x * (p->coordinate_max - p->coordinate_min);
        POYI_TRY(ctx, poyi_guide_at_coordinate(ctx, guide, c->path.coordinate, value, &c->place[j]));
    }
    return POY_OK;
}

/* Its points into the record. */
static poy_status keep_path(poy_ctx *ctx, const course *c)
{
    poy_problem *p = c->p;
    if (c->path.coordinate == POYI_ALONG_NOTHING)
        return POY_OK;
    p->n_path = c->path.n;
    p->path_square = c->path.square;
    POYI_TRY(ctx, poyi_problem_array(ctx, "path", POY_F64, p->n_path, 2, &p->path));
    double *path = p->path.data;
    for (int64_t i = 0; i < c->path.n; i++) {
        path[2 * i] = c->path.z[i];
        path[2 * i + 1] = c->path.values[i];
    }
    return POY_OK;
}

/* ---- samples ---- */

/* What one frequency has at all samples of all columns: n - 1, alpha; frames: two numbers a sample. */
typedef struct indices {
    double complex *work;
    double *excess, *alpha, *frames;
} indices;

static poy_status allocate_indices(poy_ctx *ctx, const course *c, indices *at)
{
    const size_t n = (size_t)(c->n * c->p->n_c);
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.setup", n * sizeof *at->work, (void **)&at->work));
    POYI_TRY(ctx,
             poyi_alloc(ctx, "pulse.setup", (2 * n + 2 * (size_t)c->n) * sizeof *at->excess, (void **)&at->excess));
    at->alpha = at->excess + n;
    at->frames = at->alpha + n;
    return POY_OK;
}

/* -i (beta - frame) - alpha/2, and -omega^2/beta with windows and the ratio of the grids. The frame is that of an
 * envelope, beta_0 + beta_1 (omega - omega0), or where phases are absolute beta_1 omega; what vacuum has is taken out of
 * both by hand. */
static void set_bin(course *c, int64_t k, const indices *at, int shock)
{
    const poy_problem *p = c->p;
    const int absolute = p->response != POY_RESPONSE_ENVELOPE;
    const double omega = p->grid->omega[k], ratio = (double)p->n_t / (double)p->n_to;
    const double weight = -(shock ? omega : p->omega0) * POYI_C * p->grid->window_w[k] * ratio;
    for (int64_t i = 0; i < c->n * p->n_c; i++) {
        const double *frame = at->frames + 2 * (i / p->n_c);
        const double moving = absolute ? frame[1] * omega : frame[0] + frame[1] * (omega - p->omega0);
        double *phi = c->tables[PHI].rows + i * 2 * p->n_w;
        phi[2 * k] = -0.5 * at->alpha[i];
        phi[2 * k + 1] = -(omega / POYI_C * at->excess[i] - moving);
        c->tables[PREFACTOR].rows[i * p->n_w + k] =
            p->medium->prefactor_omega ? weight : weight / (1.0 + at->excess[i]);
    }
}

/* A bin that is held at some places and not at others would have a kink. */
static poy_status soften(poy_ctx *ctx, course *c, int64_t k, const indices *at)
{
    const poy_problem *p = c->p;
    const poyi_medium *m = p->medium;
    int dead[2 * POY_GUIDE_MODES_MAX] = {0};
    POYI_TRY(ctx, poyi_guide_soften(ctx, m->guide, c->n, c->place, m->n_columns, m->modes, p->grid->omega[k],
                                    at->excess, at->alpha, dead));
    for (int64_t i = 0; i < p->n_c; i++)
        c->dead[i * p->n_w + k] |= dead[i] != 0;
    return POY_OK;
}

static poy_status sample_operator(poy_ctx *ctx, course *c, int shock)
{
    const poy_problem *p = c->p;
    const poyi_medium *m = p->medium;
    indices at = {0};
    poy_status status;
    POYI_TO_DONE(ctx, allocate_indices(ctx, c, &at));
    for (int j = 0; j < c->n; j++)
        POYI_TO_DONE(
            ctx, poyi_guide_frame_at(ctx, m->guide, m->mode, &c->place[j], p->omega0, at.frames + 2 * (ptrdiff_t)j));
    for (int64_t k = 0; k < p->n_w; k++) {
        if (!p->grid->mask[k])
            continue;
        const poy_guide_clamps before = c->clamps;
        POYI_TO_DONE(ctx, poyi_guide_modes_at(ctx, m->guide, c->n, c->place, m->n_columns, m->modes, p->grid->omega[k],
                                              at.work, at.excess, at.alpha, &c->clamps));
        if (c->n > 1 && memcmp(&before, &c->clamps, sizeof before) != 0)
            POYI_TO_DONE(ctx, soften(ctx, c, k, &at));
        set_bin(c, k, &at, shock);
    }
done:
    poyi_free((void **)&at.work);
    poyi_free((void **)&at.excess);
    return status;
}

/* Field per amplitude, and what the responses of a real field (in C/m2) are in units of the prefactor, for the amplitude
 * as it is: s = sqrt(eps0 c/2), E = A/(s sqrt(A_eff)), P sqrt(A_eff)/(4 s c). At points the matrices have the fields; what
 * passes between them is in V/m and P/(4 c). In a core that is narrower by a factor, fields are higher by it, and weights
 * (area times field) are lower. */
static poy_status sample_factors(poy_ctx *ctx, course *c, int j)
{
    static const double kerr_of[] = {[POY_RESPONSE_ENVELOPE] = 0.75,
                                     [POY_RESPONSE_REAL] = 1.0,
                                     [POY_RESPONSE_ANALYTIC] = 0.75,
                                     [POY_RESPONSE_HARMONIC] = 0.25};
    const poy_problem *p = c->p;
    const poy_guide *guide = p->medium->guide;
    double *out = c->tables[FACTORS].rows + j * c->tables[FACTORS].width, area = 0.0, chi3 = 0.0;

    if (p->n_nodes == 0)
        POYI_TRY(ctx, poyi_guide_area_at(ctx, guide, p->medium->modes[0], &c->place[j], p->omega0, &area));
    for (int i = 0; p->kerr && i < c->place[j].n_gases; i++) {
        double gamma3 = 0.0;
        POYI_TRY(ctx, poy_gas_hyperpolarisability(ctx, poy_guide_gas(guide, i), &gamma3));
        chi3 += gamma3 * c->place[j].density[i];
    }
    const double s = sqrt(0.5 * POYI_EPS0 * POYI_C), radius = p->medium->node_radius / c->place[j].core_radius;
    const double scale = isnan(radius) ? 1.0 : radius; /* of the matrices */
    const double unit = (p->n_nodes ? 1.0 / scale : sqrt(area) / s) / (4.0 * POYI_C),
                 field = p->n_nodes ? scale : 1.0 / (s * sqrt(area));
    out[FIELD] = field;
    out[KERR] = kerr_of[p->response] * POYI_EPS0 * chi3 * unit * field * field * field;
    out[RAMAN] = p->raman ? (p->response == POY_RESPONSE_REAL ? 1.0 : 0.5) * unit * field * field * field : 0.0;
    for (int i = 0; i < p->n_plasma; i++)
        out[PLASMA + i] = unit * c->place[j].density[i];
    return POY_OK;
}

/* The whole of it, or of a tensor what goes with the sum of squares, or with their difference (response/gas.c). */
static poy_status sample_delay(poy_ctx *ctx, course *c, int j, int which)
{
    static const double all[2] = {1.0, 1.0}, sum[2] = {0.25, 1.0}, difference[2] = {0.75, 0.0};
    const poy_problem *p = c->p;
    const double *shares = which == DELAY_TENSOR ? difference : p->tensor ? sum : all;
    if (c->tables[which].width)
        POYI_TRY(ctx, poyi_gas_raman_spectrum(ctx, c->place[j].n_gases, p->medium->raman, c->place[j].density, shares,
                                              p->n_to, p->dt_fine, c->tables[which].rows + j * c->tables[which].width));
    return POY_OK;
}

static poy_status sample(poy_ctx *ctx, course *c, int shock)
{
    const poy_problem *p = c->p;
    const int64_t widths[TABLES] = {[PHI] = 2 * p->n_c * p->n_w,
                                    [PREFACTOR] = p->n_c * p->n_w,
                                    [DELAY] = p->raman ? p->n_delay + 2 : 0,
                                    [DELAY_TENSOR] = p->tensor ? p->n_delay + 2 : 0,
                                    [FACTORS] = PLASMA + p->n_plasma};
    for (int t = 0; t < TABLES; t++) {
        c->tables[t] = (table){.width = widths[t], .by_column = t == FACTORS};
        if (widths[t])
            POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.setup", (size_t)(c->n * widths[t]) * sizeof(double),
                                          (void **)&c->tables[t].rows));
    }
    POYI_TRY(ctx, sample_operator(ctx, c, shock));
    for (int j = 0; j < c->n; j++) {
        POYI_TRY(ctx, sample_factors(ctx, c, j));
        POYI_TRY(ctx, sample_delay(ctx, c, j, DELAY));
        POYI_TRY(ctx, sample_delay(ctx, c, j, DELAY_TENSOR));
    }
    return POY_OK;
}

/* ---- series ---- */

/* Samples to terms, in place: c_k = (2 - [k = 0])/n sum_j f_j cos(k pi (j + 1/2)/n). */
static void transform(const table *t, int n)
{
    double cosine[MANY][MANY], f[MANY];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            cosine[k][j] = cos(POYI_PI * ((2 * j + 1) * k % (4 * n)) / (2.0 * n)) * (k ? 2.0 : 1.0) / n;
    for (int64_t i = 0; i < t->width; i++) {
        for (int j = 0; j < n; j++)
            f[j] = t->rows[j * t->width + i];
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += cosine[k][j] * f[j];
            t->rows[k * t->width + i] = sum;
        }
    }
}

static double largest_of(const table *t, int first, int n)
{
    double all = 0.0;
    for (int64_t i = first * t->width; i < n * t->width; i++)
        all = fmax(all, fabs(t->rows[i]));
    return all;
}

/* Terms above a share of the largest, in each column or in all. dead: bins of the operator of which 1e-6 of the highest
 * loss is enough; NULL: none. */
static int terms_of(const table *t, int n, double share, const unsigned char *dead)
{
    const double all = t->by_column ? 0.0 : largest_of(t, 0, n);
    int terms = 1;
    for (int64_t i = 0; i < t->width; i++) {
        double least = share * all;
        for (int k = 0; t->by_column && k < n; k++)
            least = fmax(least, share * fabs(t->rows[k * t->width + i]));
        if (dead && dead[i / 2])
            least = fmax(least, 3e-3);
        for (int k = terms; k < n; k++)
            if (fabs(t->rows[k * t->width + i]) > least)
                terms = k + 1;
    }
    return terms;
}

/* Rounding, which the index (through 1 + chi) and the equation of state have; and what is left of the response of gases
 * whose lines widen where they are thin, as exp(-1/density): no series of powers converges fast there. */
static const double rounding = 1e-14, thin = 1e-8;

/* Terms that the operator and what goes with it need, and those of the Raman response. */
static void expand(course *c, int *along, int *delay)
{
    *along = *delay = 1;
    for (int t = 0; c->n > 1 && t < TABLES; t++) {
        const int is_delay = t == DELAY || t == DELAY_TENSOR;
        int *most = is_delay ? delay : along;
        if (!c->tables[t].width)
            continue;
        transform(&c->tables[t], c->n);
        const double share = is_delay && c->n == MANY ? thin : rounding;
        const int terms = terms_of(&c->tables[t], c->n, share, t == PHI ? c->dead : NULL);
        *most = terms > *most ? terms : *most;
    }
}

/* The last terms of the response, over the largest: what is left out is of that size. */
static double rest_of_delay(const course *c)
{
    double rest = 0.0;
    for (int t = DELAY; t <= DELAY_TENSOR; t++)
        if (c->tables[t].width)
            rest = fmax(rest, largest_of(&c->tables[t], c->n - SPARE, c->n) / largest_of(&c->tables[t], 0, c->n));
    return rest;
}

static void forget_samples(course *c)
{
    for (int t = 0; t < TABLES; t++)
        poyi_free((void **)&c->tables[t].rows);
    c->clamps = (poy_guide_clamps){0};
}

/* From few samples, or where they do not tell all from more. */
static poy_status make_series(poy_ctx *ctx, course *c, int shock)
{
    static const int counts[3] = {FEW, NODES, MANY};
    poy_problem *p = c->p;
    int along = 0, delay = 0;
    for (int i = 0; i < 3; i++) {
        forget_samples(c);
        POYI_TRY(ctx, find_places(ctx, c, counts[i]));
        POYI_TRY(ctx, sample(ctx, c, shock));
        expand(c, &along, &delay);
        if (c->n == 1 || (along <= c->n - SPARE && delay <= c->n - SPARE))
            break;
    }
    const double rest = c->n == MANY && delay > c->n - SPARE ? rest_of_delay(c) : 0.0;
    if (rest > 0.0 && rest < 1e-4)
        delay = c->n - SPARE;
    if (rest > 1e-6 && rest < 1e-4)
        poyi_warn(
            ctx,
            "gas.pressure: the Raman response changes fast where the gas is thin: it is kept to %.1g of its largest",
            rest);
    if (c->n > 1 && (along > c->n - SPARE || delay > c->n - SPARE))
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                         "%s: from %g to %g %s: that is too much for one series of %d terms: let it change by less",
                         c->path.coordinate == POYI_ALONG_PRESSURE ? "gas.pressure" : "geometry.core_radius",
                         p->coordinate_min, p->coordinate_max, c->path.coordinate == POYI_ALONG_PRESSURE ? "Pa" : "m",
                         MANY);
    p->n_along = p->n_term = along;
    p->n_delay_along = delay;
    return POY_OK;
}

/* ---- the record ---- */

/* rows terms of a table, each as blocks of so many columns. */
static poy_status keep(poy_ctx *ctx, const char *name, poy_dtype dtype, int64_t rows, int64_t blocks, const table *t,
                       poyi_data *a)
{
    const int64_t width = t->width / blocks;
    POYI_TRY(ctx, poyi_problem_array(ctx, name, dtype, rows * blocks, dtype == POY_C128 ? width / 2 : width, a));
    memcpy(a->data, t->rows, (size_t)(rows * t->width) * sizeof(double));
    return POY_OK;
}

/* Column first of FACTORS and those after it, each as a row of terms. */
static poy_status keep_columns(poy_ctx *ctx, const char *name, const course *c, int64_t first, int64_t columns,
                               poyi_data *a)
{
    const table *t = &c->tables[FACTORS];
    const int64_t n = c->p->n_along;
    POYI_TRY(ctx, poyi_problem_array(ctx, name, POY_F64, columns, n, a));
    for (int64_t i = 0; i < columns; i++)
        for (int64_t k = 0; k < n; k++)
            ((double *)a->data)[i * n + k] = t->rows[k * t->width + first + i];
    return POY_OK;
}

static poy_status keep_all(poy_ctx *ctx, course *c)
{
    poy_problem *p = c->p;
    POYI_TRY(ctx, keep(ctx, "phi", POY_C128, p->n_term, p->n_c, &c->tables[PHI], &p->phi));
    POYI_TRY(ctx, keep(ctx, "prefactor", POY_F64, p->n_along, p->n_c, &c->tables[PREFACTOR], &p->prefactor));
    if (p->raman)
        POYI_TRY(ctx, keep(ctx, "raman_h", POY_C128, p->n_delay_along, 1, &c->tables[DELAY], &p->raman_h));
    if (p->tensor)
        POYI_TRY(ctx, keep(ctx, "raman_t", POY_C128, p->n_delay_along, 1, &c->tables[DELAY_TENSOR], &p->raman_t));
    POYI_TRY(ctx, keep_columns(ctx, "field_along", c, FIELD, 1, &p->field_along));
    POYI_TRY(ctx, keep_columns(ctx, "kerr_along", c, KERR, 1, &p->kerr_along));
    POYI_TRY(ctx, keep_columns(ctx, "raman_along", c, RAMAN, 1, &p->raman_along));
    if (p->n_plasma)
        POYI_TRY(ctx, keep_columns(ctx, "plasma_along", c, PLASMA, p->n_plasma, &p->plasma_along));
    const double *phi = p->phi.data;
    p->lossless = 1;
    for (int64_t i = 0; i < p->n_term * p->n_c * p->n_w; i++)
        p->lossless &= phi[2 * i] == 0.0;
    return POY_OK;
}

static void warn_of_clamps(poy_ctx *ctx, const course *c)
{
    const poy_guide_clamps *n = &c->clamps;
    const struct {
        int64_t bins; /* at all places along z */
        const char *text;
    } told[] = {{n->index, "hold the index at 0.001"},
                {n->loss, "hold the loss at 3000/m"},
                {n->gain, "hold the loss at 0"},
                {n->resonance, "lie in a resonance of the wall"}};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        if (told[i].bins)
            poyi_warn(ctx, "guide: %lld of the signal's bins %s", (long long)((told[i].bins + c->n - 1) / c->n),
                      told[i].text);
}

poy_status poyi_medium_make_course(poy_ctx *ctx, poy_problem *p, int shock)
{
    course *c = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "pulse.setup", sizeof *c, (void **)&c));
    c->p = p;
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "pulse.setup", (size_t)(p->n_c * p->n_w), (void **)&c->dead));
    POYI_TO_DONE(ctx, make_series(ctx, c, shock));
    POYI_TO_DONE(ctx, keep_path(ctx, c));
    POYI_TO_DONE(ctx, keep_all(ctx, c));
    warn_of_clamps(ctx, c);
done:
    if (c) {
        forget_samples(c);
        poyi_free((void **)&c->dead);
    }
    poyi_free((void **)&c);
    return status;
}
