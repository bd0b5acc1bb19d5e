/* expand_axial.c: matrices with cylindrical waves on a side: a coefficient of the direction (1 between cylindrical waves)
 * times the translation F_M(k_rho rho) e^{i (M phi + kz z)}, M = m of the source - m of the destination. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "math/math.h"
#include "scatter/waves/angular_table.h"
#include "scatter/waves/expand/expand.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/thread.h"
#include "scatter/waves/vector_wave.h"

enum { ORDERS = 4 * POY_DEGREE_MAX + 3 }; /* M = -257 .. 257 */

/* Directions of one kz and pol. */
typedef struct axial {
    poyi_xcomplex k, kz, radial, cosine;
    poyi_xcomplex *tau, *pi, *d_tau, *d_pi;
} axial;

typedef struct pair_gradient {
    double d[3], period;
    double complex k[2];
} pair_gradient;

typedef struct job {
    const poyi_expand_call *call;
    const poy_basis *spherical; /* the spherical side, NULL: none */
    int degree, periodic, turns, differentiate;
    axial *axial;                      /* [n_axial][pol] */
    size_t *row_start, *col_start;     /* by particle */
    int32_t *row, *col, *axial_of_row; /* modes by particle; the axial label of cylindrical rows or columns */
    int32_t *axial_of_col;
    size_t pairs;
    pair_gradient *pair;
    double *pair_axial; /* [pairs][n_axial] */
} job;

static int compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

size_t poyi_axial_labels(const poy_basis *a, const poy_basis *b, double *out)
{
    size_t n = 0, distinct = 0;
    for (int side = 0; side < 2; side++) {
        const poy_basis *basis = side ? b : a;
        for (size_t i = 0; basis->kind == POY_BASIS_CYLINDRICAL && i < basis->size; i++)
            out[n++] = basis->modes[i].kz;
    }
    qsort(out, n, sizeof *out, compare);
    for (size_t i = 0; i < n; i++)
        if (distinct == 0 || out[i] > out[distinct - 1])
            out[distinct++] = out[i];
    return distinct;
}

/* ---- translations ---- */

/* S_M = F_M(k_rho rho) e^{i M phi} for |M| <= last, at s[M + last]. On the axis singular waves do not couple. */
static void translations(int last, int singular, poyi_xcomplex radial, const double d[3], poyi_xcomplex *s)
{
    const poyi_xreal x = d[0], y = d[1], rho = sqrtl(x * x + y * y);
    const poyi_xcomplex argument = radial * rho;
    if ((double complex)argument == 0.0) {
        for (int m = -last; m <= last; m++)
            s[m + last] = m == 0 && !singular ? 1.0L : 0.0L;
        return;
    }
    const poyi_xcomplex turn = CMPLXL(x / rho, y / rho);
    poyi_xcomplex power = 1.0L, f[ORDERS / 2 + 1];
    poyi_cylindrical_table(singular, last, argument, f);
    for (int m = 0; m <= last; m++) {
        s[last + m] = poyi_xmul(f[m], power);
        s[last - m] = poyi_xmul(m % 2 ? -f[m] : f[m], conjl(power));
        power = poyi_xmul(power, turn);
    }
}

/* ---- one entry ---- */

/* Coefficient c and its derivative by the angle. */
static void direction(const job *j, const axial *a, const poy_wave_mode *row, const poy_wave_mode *col,
                      poyi_xcomplex *c, poyi_xcomplex *slope)
{
    *c = row->pol == col->pol ? 1.0L : 0.0L;
    *slope = 0.0L;
    if (!j->spherical)
        return;
    const poy_wave_mode *m = j->periodic ? col : row; /* the spherical one */
    const int place = poyi_angular_place(m->l, m->m), both = j->call->poltype == POY_HELICITY;
    const int tau = row->pol == col->pol;
    const poyi_xreal sign = (poyi_xreal)poyi_pol_sign(row->pol);
    poyi_xcomplex factor = 2.0L * POYI_PIL / sqrtl((poyi_xreal)m->l * (m->l + 1));
    if (both && !tau) {
        *c = 0.0L;
        return;
    }
    factor = j->periodic ? poyi_xturn(0.5L * factor, m->m - m->l) / ((poyi_xreal)j->call->period * a->k)
                         : poyi_xturn(2.0L * factor, m->l - m->m);
    *c = poyi_xmul(factor, (tau ? a->tau[place] : 0.0L) + (both ? sign * a->pi[place] : tau ? 0.0L : a->pi[place]));
    if (j->differentiate)
        *slope = poyi_xmul(factor, (tau ? a->d_tau[place] : 0.0L) + (both  ? sign * a->d_pi[place]
                                                                     : tau ? 0.0L
                                                                           : a->d_pi[place]));
}

/* The derivatives of an entry with respect to the displacement, k and kz. */
typedef struct slopes {
    poyi_xcomplex d[3], k, kz;
} slopes;

static slopes differentiate(const job *j, const axial *a, const poyi_xcomplex *s, poyi_xcomplex c,
                            poyi_xcomplex c_theta, const double d[3], poyi_xcomplex phase)
{
    slopes o;
    const poyi_xcomplex full = poyi_xmul(c, phase), here = s[0];
    o.d[0] = poyi_xmul(full, 0.5L * poyi_xmul(a->radial, s[-1] - s[1]));
    o.d[1] = poyi_xmul(full, 0.5L * poyi_xturn(poyi_xmul(a->radial, s[1] + s[-1]), 1));
    o.d[2] = poyi_xmul(full, poyi_xturn(poyi_xmul(a->kz, here), 1));
    o.k = o.kz = 0.0L;
    if (a->radial == 0.0L) /* refused before, if it matters */
        return o;
    const poyi_xcomplex radially =
        (o.d[0] * (poyi_xreal)d[0] + o.d[1] * (poyi_xreal)d[1]) / poyi_xmul(a->radial, a->radial);
    o.k = poyi_xmul(radially, a->k);
    o.kz = -poyi_xmul(radially, a->kz) + poyi_xmul(full, poyi_xturn(here * (poyi_xreal)d[2], 1));
    if (j->spherical) { /* theta = arccos(kz / k) */
        const poyi_xcomplex by_theta = poyi_xmul(c_theta, poyi_xmul(phase, here)) / a->radial;
        o.k += poyi_xmul(by_theta, a->cosine);
        o.kz -= by_theta;
    }
    if (j->periodic)
        o.k -= poyi_xmul(full, here) / a->k;
    return o;
}

/* The same where sums over images stand for the translation: e^{i kz z} alone is left. */
static slopes differentiate_phase(const axial *a, poyi_xcomplex value, const double d[3])
{
    return (slopes){{0.0L, 0.0L, poyi_xturn(a->kz * value, 1)}, 0.0L, poyi_xturn((poyi_xreal)d[2] * value, 1)};
}

static poyi_xcomplex tangent(const job *j, const slopes *o, size_t to, size_t from, size_t label, int pol,
                             poyi_xcomplex value)
{
    const poyi_expand_call *c = j->call;
    poyi_xcomplex sum = 0.0L;
    for (size_t i = 0; i < 3; i++)
        sum += o->d[i] * (poyi_xreal)((c->d_destination ? c->d_destination[3 * to + i] : 0.0) -
                                      (c->d_source ? c->d_source[3 * from + i] : 0.0));
    if (c->d_ks)
        sum += poyi_xmul(o->k, poyi_x(c->d_ks[pol]));
    if (c->d_axial)
        sum += o->kz * (poyi_xreal)c->d_axial[label];
    if (j->periodic)
        sum -= value * (poyi_xreal)(c->d_period / c->period);
    return sum;
}

static void pull(const job *j, const slopes *o, size_t pair, size_t label, int pol, poyi_xcomplex value, poy_c128 g)
{
    pair_gradient *to = j->pair + pair;
    const poyi_xcomplex back = CMPLXL(g.re, -g.im); /* dL = Re(back dT) */
    for (int i = 0; i < 3; i++)
        to->d[i] += (double)creall(poyi_xmul(back, o->d[i]));
    to->k[pol] += (double complex)conjl(poyi_xmul(back, o->k));
    j->pair_axial[pair * j->call->n_axial + label] += (double)creall(poyi_xmul(back, o->kz));
    if (j->periodic)
        to->period -= (double)creall(poyi_xmul(back, value)) / j->call->period;
}

/* ---- one pair of origins ---- */

/* A pair of origins, a label and a pol of the source. s: S_M around M = 0; images: their tangents and cotangents likewise. */
typedef struct place {
    size_t pair, label;
    int pol;
    double d[3];
    const poyi_xcomplex *s, *d_image;
    poyi_xcomplex *g_image;
} place;

/* One derivative: of entry at with these factors, turns = m of the source - m of the destination. */
static void run_derivative(const job *j, const place *p, size_t at, poyi_xcomplex factor, poyi_xcomplex slope,
                           poyi_xcomplex phase, int turns, int *beyond)
{
    const poyi_expand_call *c = j->call;
    const axial *a = j->axial + 2 * p->label + (size_t)p->pol;
    const size_t to = p->pair / c->source->n_positions, from = p->pair % c->source->n_positions;
    const poyi_xcomplex full = poyi_xmul(factor, phase), value = poyi_xmul(full, p->s[turns]);
    const slopes o = c->image[p->pol] ? differentiate_phase(a, value, p->d)
                                      : differentiate(j, a, p->s + turns, factor, slope, p->d, phase);
    if (j->pair) { /* a pullback */
        pull(j, &o, p->pair, p->label, p->pol, value, c->g_out[at]);
        if (p->g_image)
            p->g_image[turns] += poyi_xmul(conjl(full), poyi_x(poyi_c(c->g_out[at])));
        return;
    }
    poyi_xcomplex t = tangent(j, &o, to, from, p->label, p->pol, value);
    if (p->d_image)
        t += poyi_xmul(full, p->d_image[turns]);
    c->out[at] = poyi_round(t, beyond);
}

/* All entries of a place. */
static int run_label(const job *j, const place *p)
{
    const poyi_expand_call *c = j->call;
    const size_t to = p->pair / c->source->n_positions, from = p->pair % c->source->n_positions;
    const axial *a = j->axial + 2 * p->label + (size_t)p->pol;
    const poyi_xcomplex phase = poyi_xphase(a->kz * (poyi_xreal)p->d[2]);
    int beyond = 0;
    for (size_t r = j->row_start[to]; r < j->row_start[to + 1]; r++)
        for (size_t q = j->col_start[from]; q < j->col_start[from + 1]; q++) {
            const size_t row = (size_t)j->row[r], col = (size_t)j->col[q], at = row * c->source->size + col;
            const poy_wave_mode *m = c->destination->modes + row, *n = c->source->modes + col;
            poyi_xcomplex factor, slope;
            if (n->pol != p->pol || (j->axial_of_row[row] >= 0 && (size_t)j->axial_of_row[row] != p->label) ||
                (j->axial_of_col[col] >= 0 && (size_t)j->axial_of_col[col] != p->label))
                continue;
            direction(j, a, m, n, &factor, &slope);
            const int turns = n->m - m->m;
            if (c->task == POYI_EXPAND_VALUE)
                c->out[at] = poyi_round(poyi_xmul(poyi_xmul(factor, phase), p->s[turns]), &beyond);
            else
                run_derivative(j, p, at, factor, slope, phase, turns, &beyond);
        }
    return beyond;
}

static int run_pair(const job *j, size_t pair)
{
    const poyi_expand_call *c = j->call;
    const double *to = c->destination->positions + 3 * (pair / c->source->n_positions);
    const double *from = c->source->positions + 3 * (pair % c->source->n_positions);
    poyi_xcomplex s[ORDERS];
    int beyond = 0;
    for (size_t label = 0; label < c->n_axial; label++)
        for (int pol = 0; pol < 2; pol++) {
            const axial *a = j->axial + 2 * label;
            const size_t image = (pair * c->n_axial + label) * (2 * (size_t)j->turns + 1) + (size_t)j->turns;
            place p = {pair, label, pol, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, s + j->turns, NULL, NULL};
            if (c->image[pol]) {
                p.s = c->image[pol] + image;
                p.d_image = c->d_image[pol] ? c->d_image[pol] + image : NULL;
                p.g_image = c->g_image[pol] ? c->g_image[pol] + image : NULL;
            } else if (pol == 0 || a[0].k != a[1].k) {
                translations(j->turns, c->singular && !j->periodic, a[pol].radial, p.d, s);
            }
            beyond |= run_label(j, &p);
        }
    return beyond;
}

/* ---- preparation ---- */

static int largest_order(const poy_basis *b)
{
    int largest = 0;
    for (size_t i = 0; i < b->size; i++)
        largest = abs(b->modes[i].m) > largest ? abs(b->modes[i].m) : largest;
    return largest;
}

int poyi_axial_turns(const poy_basis *a, const poy_basis *b)
{
    return largest_order(a) + largest_order(b) + 1;
}

static void list_modes(const job *j, const poy_basis *b, size_t *start, int32_t *list, int32_t *label)
{
    for (size_t i = 0; i < b->size; i++)
        start[b->modes[i].particle + 1]++;
    for (size_t p = 0; p < b->n_positions; p++)
        start[p + 1] += start[p];
    for (size_t i = 0; i < b->size; i++) {
        list[start[b->modes[i].particle]++] = (int32_t)i;
        label[i] = -1;
        for (size_t k = 0; b->kind == POY_BASIS_CYLINDRICAL && k < j->call->n_axial; k++)
            if (b->modes[i].kz == j->call->axial[k])
                label[i] = (int32_t)k;
    }
    for (size_t p = b->n_positions; p > 0; p--)
        start[p] = start[p - 1];
    start[0] = 0;
}

static void prepare_axial(const job *j, poyi_xcomplex *tables)
{
    const size_t size = j->spherical ? (size_t)(j->degree + 1) * (size_t)(j->degree + 1) : 0;
    for (size_t i = 0; i < 2 * j->call->n_axial; i++) {
        axial *a = j->axial + i;
        a->k = poyi_x(j->call->ks[i % 2]);
        a->kz = (poyi_xreal)j->call->axial[i / 2];
        a->radial = poyi_radial_wavenumber(a->kz, a->k);
        a->cosine = a->kz / a->k;
        if (!j->spherical)
            continue;
        a->tau = tables + 4 * i * size;
        a->pi = a->tau + size;
        a->d_tau = a->pi + size;
        a->d_pi = a->d_tau + size;
        poyi_wave_angular_table(j->degree, a->cosine, a->radial / a->k, a->tau, a->pi, NULL);
        if (j->differentiate)
            poyi_wave_angular_table_slope(j->degree, a->tau, a->d_tau, a->d_pi);
    }
}

static poy_status check_branch(poy_ctx *ctx, const job *j)
{
    const poyi_expand_call *c = j->call;
    const int moves = c->task == POYI_EXPAND_PUSHFORWARD ? c->d_ks || c->d_axial
                                                         : c->task == POYI_EXPAND_PULLBACK && (c->g_ks || c->g_axial);
    for (size_t i = 0; i < 2 * c->n_axial; i++) {
        if (j->axial[i].radial != 0.0L)
            continue;
        if (c->singular && !j->periodic)
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "cylindrical waves: kz = %g is the wavenumber itself, where singular waves have a branch point",
                c->axial[i / 2]);
        if (moves)
            return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                             "cylindrical waves: kz = %g is the wavenumber itself, where k_rho has a branch point",
                             c->axial[i / 2]);
    }
    return POY_OK;
}

static void add_gradients(const job *j)
{
    const poyi_expand_call *c = j->call;
    for (size_t pair = 0; pair < j->pairs; pair++) {
        const size_t to = pair / c->source->n_positions, from = pair % c->source->n_positions;
        for (size_t i = 0; i < 3; i++) {
            if (c->g_destination)
                c->g_destination[3 * to + i] += j->pair[pair].d[i];
            if (c->g_source)
                c->g_source[3 * from + i] -= j->pair[pair].d[i];
        }
        for (int pol = 0; c->g_ks && pol < 2; pol++)
            c->g_ks[pol] += j->pair[pair].k[pol];
        for (size_t k = 0; c->g_axial && k < c->n_axial; k++)
            c->g_axial[k] += j->pair_axial[pair * c->n_axial + k];
        if (c->g_period)
            *c->g_period += j->pair[pair].period;
    }
}

static poy_status run_job(poy_ctx *ctx, job *j, poyi_xcomplex *tables)
{
    const poyi_expand_call *c = j->call;
    int beyond = 0;
    prepare_axial(j, tables);
    list_modes(j, c->destination, j->row_start, j->row, j->axial_of_row);
    list_modes(j, c->source, j->col_start, j->col, j->axial_of_col);
    POYI_TRY(ctx, check_branch(ctx, j));
    if (c->task != POYI_EXPAND_PULLBACK && c->destination->size > 0)
        memset(c->out, 0, c->destination->size * c->source->size * sizeof *c->out);
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) reduction(| : beyond) if (j->pairs > 1)
    for (size_t pair = 0; pair < j->pairs; pair++)
        beyond |= run_pair(j, pair);
    if (c->task == POYI_EXPAND_PULLBACK)
        add_gradients(j);
    if (beyond)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "cylindrical waves: a coefficient is beyond the largest double");
    return POY_OK;
}

poy_status poyi_expand_axial(poy_ctx *ctx, const poyi_expand_call *c)
{
    poy_status status;
    const poy_basis *d = c->destination, *s = c->source;
    job j = {.call = c,
             .periodic = s->kind == POY_BASIS_SPHERICAL,
             .differentiate = c->task != POYI_EXPAND_VALUE,
             .turns = poyi_axial_turns(d, s),
             .pairs = d->n_positions * s->n_positions};
    j.spherical = j.periodic ? s : d->kind == POY_BASIS_SPHERICAL ? d : NULL;
    for (size_t i = 0; j.spherical && i < j.spherical->size; i++)
        j.degree = j.spherical->modes[i].l > j.degree ? j.spherical->modes[i].l : j.degree;
    const size_t size = j.spherical ? 8 * c->n_axial * (size_t)(j.degree + 1) * (size_t)(j.degree + 1) : 0;
    void *tables = NULL, *axials = NULL, *starts = NULL, *lists = NULL, *pairs = NULL, *labels = NULL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", size * sizeof(poyi_xcomplex), &tables));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.expand", 2 * c->n_axial * sizeof(axial), &axials));
    POYI_TO_DONE(ctx,
                 poyi_alloc_zero(ctx, "waves.expand", (d->n_positions + s->n_positions + 2) * sizeof(size_t), &starts));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "waves.expand", 2 * (d->size + s->size) * sizeof(int32_t), &lists));
    if (c->task == POYI_EXPAND_PULLBACK) {
        POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.expand", j.pairs * sizeof(pair_gradient), &pairs));
        POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.expand", j.pairs * c->n_axial * sizeof(double), &labels));
    }
    j.axial = axials;
    j.row_start = starts;
    j.col_start = j.row_start + d->n_positions + 1;
    j.row = lists;
    j.col = j.row + d->size;
    j.axial_of_row = j.col + s->size;
    j.axial_of_col = j.axial_of_row + d->size;
    j.pair = pairs;
    j.pair_axial = labels;
    POYI_TO_DONE(ctx, run_job(ctx, &j, tables));
done:
    poyi_free(&labels);
    poyi_free(&pairs);
    poyi_free(&lists);
    poyi_free(&starts);
    poyi_free(&axials);
    poyi_free(&tables);
    return status;
}
