/* geometry.c: where bodies may not be, where there is no far field, and how many degrees sizes and gaps ask for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/scatter.h"

enum { DEGREE_MAX = 100 };

/* ---- bodies that are too close ---- */

static double distance(const poyi_scatter *s, int i, int j)
{
    const double *a = s->positions + 3 * (ptrdiff_t)i, *b = s->positions + 3 * (ptrdiff_t)j;
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), s->cylinders ? 0 : a[2] - b[2]);
}

/* At the positions of the second, as the recipe has them. */
static const poyi_node *place_of(const poy_recipe *r, int body, size_t size, char *key)
{
    snprintf(key, size, "particle.%d.positions", body);
    const poyi_node *node = poyi_node_find(r->root, key);
    if (node)
        return node;
    char table[32];
    snprintf(table, sizeof table, "particle.%d", body);
    return poyi_node_find(r->root, table);
}

static int check_pair(poy_recipe *r, const poyi_scatter *s, int i, int j)
{
    char key[64], overlap[48];
    const poyi_body *a = &s->bodies[s->owner[i]], *b = &s->bodies[s->owner[j]];
    const double d = distance(s, i, j), least = a->around + b->around;
    const poyi_node *node = place_of(r, s->owner[j], sizeof key, key);
    const int spheres = a->shape == POYI_SHAPE_SPHERE && b->shape == POYI_SHAPE_SPHERE;
    if (!(d > 0)) {
        poyi_fault(r, node, key, "E_GEOMETRY", "%ss %d and %d have the same centre\nmove them apart",
                   spheres ? "sphere" : "particle", i, j);
        return 1;
    }
    if (!(d < least * (1 - 1e-12))) /* also where a radius is not known */
        return 0;
    poy_quantity_format(least - d, POY_DIM_LENGTH, 3, sizeof overlap, overlap);
    if (spheres || s->cylinders)
        poyi_fault(r, node, key, "E_GEOMETRY", "%s %d and %d overlap by %s\nmove them apart",
                   spheres ? "spheres" : "cylinders", i, j, overlap);
    else
        poyi_fault(
            r, node, key, "E_GEOMETRY",
            "the spheres around particles %d and %d overlap by %s, where their expansions do not hold\nmove them "
            "apart",
            i, j, overlap);
    return 1;
}

int poyi_scatter_overlaps(poy_recipe *r, const poyi_scatter *s)
{
    enum { FAULTS_MAX = 20 };
    int faults = 0;
    for (int j = 1; j < s->n && faults < FAULTS_MAX; j++)
        for (int i = 0; i < j && faults < FAULTS_MAX; i++)
            faults += check_pair(r, s, i, j);
    return faults;
}

/* ---- media and files over the whole sweep ---- */

static int fault_of(poy_ctx *ctx, poy_recipe *r, const char *key, const char *code)
{
    const poyi_node *node = poyi_node_find(r->root, key);
    poyi_fault_from_ctx(ctx, r, node ? node : r->root, key, code);
    return 1;
}

static const char *sweep_key(const poy_recipe *r)
{
    static const char *const keys[] = {"sweep.wavelength", "sweep.frequency", "sweep.photon_energy"};
    for (int i = 0; i < 3; i++)
        if (poyi_recipe_at(r, keys[i]))
            return keys[i];
    return keys[0];
}

static int check_medium(poy_ctx *ctx, poy_recipe *r, const poyi_scatter *s, const poyi_view *v, double k0)
{
    poy_medium m;
    char at[48];
    const poyi_node *node = poyi_node_find(r->root, "medium.material");
    const int far =
        v->kind == POYI_VIEW_FAR || ((v->kind == POYI_VIEW_SWEEP || v->kind == POYI_VIEW_ARRAY) && s->cross_sections);
    if (poyi_matter_at(ctx, &s->medium, k0, &m) != POY_OK)
        return fault_of(ctx, r, sweep_key(r), "E_RANGE");
    if (!far || !poyi_matter_absorbs(&m))
        return 0;
    poy_quantity_format(2 * POYI_PI / k0, POY_DIM_LENGTH, 5, sizeof at, at);
    poyi_fault(r, node ? node : r->root, "medium.material", "E_PHYSICS",
               "absorbing medium (epsilon %.4g%+.4gi at %s) has no far-field cross section\nask for near_field or "
               "tmatrix, or take a medium with k = 0",
               m.epsilon.re, m.epsilon.im, at);
    return 1;
}

static int check_bodies(poy_ctx *ctx, poy_recipe *r, const poyi_scatter *s, double k0)
{
    char key[48];
    poy_embedding e = {.k0 = k0, .poltype = POY_HELICITY};
    poy_medium inside;
    if (poyi_matter_at(ctx, &s->medium, k0, &e.medium) != POY_OK)
        return 0; /* told already */
    for (int i = 0; i < s->n_bodies; i++) {
        const poyi_body *b = &s->bodies[i];
        poy_tmatrix *t = NULL;
        for (int layer = 0; layer < b->layers; layer++)
            if (poyi_matter_at(ctx, &b->matter[layer], k0, &inside) != POY_OK)
                return fault_of(ctx, r, sweep_key(r), "E_RANGE");
        if (b->shape != POYI_SHAPE_FILE)
            continue;
        snprintf(key, sizeof key, "particle.%d.file", i);
        if (poyi_body_tmatrix(ctx, b, &e, b->lmax, 0, NULL, &t) != POY_OK)
            return fault_of(ctx, r, key, "E_RANGE");
        poy_tmatrix_destroy(&t);
    }
    return 0;
}

int poyi_scatter_faults(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    int faults = 0;
    for (int i = 0; i < s->n_views; i++) {
        const poyi_view *v = &s->views[i];
        int told = 0;
        for (int k = 0; k < v->n && !told; k++) {
            told = check_medium(ctx, r, s, v, v->k0[k]);
            told = told || check_bodies(ctx, r, s, v->k0[k]);
        }
        if (told)
            return faults + told;
    }
    return faults;
}

/* ---- degrees ---- */

poy_status poyi_scatter_size(poy_ctx *ctx, const poyi_scatter *s, double k0, double *out)
{
    poy_medium m;
    poy_c128 n;
    POYI_TRY(ctx, poyi_matter_at(ctx, &s->medium, k0, &m));
    POYI_TRY(ctx, poy_medium_index(ctx, &m, &n));
    *out = 0;
    for (int i = 0; i < s->n_bodies; i++)
        if (s->bodies[i].around > 0)
            *out = fmax(*out, k0 * hypot(n.re, n.im) * s->bodies[i].around);
    return POY_OK;
}

/* ln |j_l(x) / h_l(x)| for l + 1/2 above x (Debye; Abramowitz and Stegun 9.3.7), 0 below. */
static double log_coefficient(int l, double x)
{
    const double nu = l + 0.5;
    if (nu <= x)
        return 0;
    const double alpha = acosh(nu / x);
    return -2 * nu * (alpha - tanh(alpha));
}

/* The closest pair's exp(-2 mu): in bispherical coordinates the multipoles of a sphere of radius a fall as exp(-mu l), with
 * sinh mu = c / a, c half the distance of the foci. Cross sections go with the square of amplitudes. */
double poyi_scatter_ratio(const poyi_scatter *s)
{
    double largest = 0;
    for (int j = 1; j < s->n; j++)
        for (int i = 0; i < j; i++) {
            const double a = s->bodies[s->owner[i]].around, b = s->bodies[s->owner[j]].around, d = distance(s, i, j);
            const double square = (d - a - b) * (d + a + b) * (d - a + b) * (d + a - b);
            const double mu = square > 0 ? asinh(sqrt(square) / (2 * d) / fmax(a, b)) : 1e-3;
            if (!isnan(mu))
                largest = fmax(largest, exp(-2 * mu));
        }
    return largest;
}

poy_status poyi_scatter_degree(poy_ctx *ctx, const poyi_scatter *s, double k0, double tol, int *out)
{
    double x;
    const double ratio = poyi_scatter_ratio(s);
    int l = 1;
    POYI_TRY(ctx, poyi_scatter_size(ctx, s, k0, &x));
    x = fmax(x, 1e-6);
    const double first = log_coefficient(1, x);
    while (l < DEGREE_MAX && (l < x || log_coefficient(l, x) - first + log(2 * l + 1) > log(tol)))
        l++;
    if (ratio > 0) {
        const double more = ceil(log(tol) / log(ratio));
        l = more > l ? (int)fmin(more, DEGREE_MAX) : l;
    }
    *out = l;
    return POY_OK;
}
