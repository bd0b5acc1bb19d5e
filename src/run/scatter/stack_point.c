/* stack_point.c: one wavelength of a stack: its S-matrix, and what a recipe wants of it. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

enum { ATTEMPTS = 6 };

void poyi_stack_point_fini(poyi_stack_point *p)
{
    poy_smatrix_destroy(&p->whole);
    poy_basis_destroy(&p->stage.ports);
    poyi_free(&p->memory);
}

/* ---- the stack ---- */

static poy_status make_ports(poy_ctx *ctx, poyi_stack_point *p)
{
    poy_status status = POY_OK;
    const struct poyi_stack *a = p->s->array;
    void *memory = NULL;
    const size_t dim = (size_t)a->lattice.dim,
                 first = a->alignment == POY_ZX ? 1 : 0; /* a grating's orders move the second */
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.ports", 2 * (size_t)a->n_orders * sizeof(double), &memory));
    double *q = memory;
    for (size_t i = 0; i < (size_t)a->n_orders; i++) {
        memcpy(q + 2 * i, p->kpar, sizeof p->kpar);
        for (size_t c = 0; c < dim && a->periodic; c++) {
            double sum = 0;
            for (size_t row = 0; row < dim; row++)
                sum += (double)a->orders[2 * i + row] * a->dual.a[row * dim + c];
            q[2 * i + first + c] += sum;
        }
    }
    POYI_TO_DONE(ctx, poy_ports_default(ctx, a->alignment, (size_t)a->n_orders, q, &p->stage.ports));
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_stack_cell(poy_ctx *ctx, const poyi_stack_point *p, const poy_medium *medium, int lmax, poyi_cell *out)
{
    const int grating = p->s->array->alignment == POY_ZX;
    return poyi_cell_create(ctx, p->s, p->stage.k0, medium, p->kpar[0], p->kpar + (grating ? 1 : 0), lmax, 1, out);
}

static poy_status array_smatrix(poy_ctx *ctx, const poyi_stack_point *p, const poy_medium *medium, int lmax,
                                poy_smatrix **out)
{
    poyi_cell cell;
    POYI_TRY(ctx, poyi_stack_cell(ctx, p, medium, lmax, &cell));
    const poy_status status = poy_periodic_to_smatrix(ctx, cell.periodic, p->stage.ports, out);
    poyi_cell_fini(&cell);
    return status;
}

/* sum = part on sum; part is given back. */
static poy_status put_on(poy_ctx *ctx, poy_smatrix **sum, poy_smatrix **part)
{
    poy_status status = POY_OK;
    poy_smatrix *both = NULL;
    if (*sum)
        status = poy_smatrix_cascade(ctx, *sum, *part, &both);
    else
        both = poy_smatrix_retain(*part);
    poy_smatrix_destroy(part);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poy_smatrix_cascade", __func__, "stack_point.c", __LINE__);
    poy_smatrix_destroy(sum);
    *sum = both;
    return POY_OK;
}

/* The particles in their medium, with what it has below and above. */
static poy_status put_array(poy_ctx *ctx, poyi_stack_point *p, int i, int lmax)
{
    const poyi_stack_part *part = &p->s->array->parts[i];
    for (int step = 0; step < 3; step++) {
        double way[3] = {0};
        poy_smatrix *s = NULL;
        way[p->s->array->normal] = step ? part->above : part->below;
        if (step == 1) {
            POYI_TRY(ctx, array_smatrix(ctx, p, &p->media[i], lmax, &s));
        } else {
            POYI_TRY(ctx, poy_smatrix_propagation(ctx, &p->stage, &p->media[i], way, &s));
        }
        POYI_TRY(ctx, put_on(ctx, &p->whole, &s));
    }
    return POY_OK;
}

/* Plane layers between part first and part last, and the interfaces. */
static poy_status put_layers(poy_ctx *ctx, poyi_stack_point *p, int first, int last)
{
    poy_status status;
    const struct poyi_stack *a = p->s->array;
    const size_t n = (size_t)(last - first - 1);
    poy_smatrix *s = NULL;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.layers", (n + 1) * sizeof(double), &memory));
    double *thickness = memory;
    for (size_t i = 0; i < n; i++)
        thickness[i] = a->parts[(size_t)first + 1 + i].thickness;
    POYI_TO_DONE(ctx, poy_smatrix_layers(ctx, &p->stage, n, thickness, p->media + first, &s));
    POYI_TO_DONE(ctx, put_on(ctx, &p->whole, &s));
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_stack_point_create(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                                   int whole, poyi_stack_point *p)
{
    poy_status status;
    const struct poyi_stack *a = s->array;
    *p = (poyi_stack_point){.s = s, .light = light, .stage = {k0, POY_HELICITY, NULL}};
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.media", (size_t)a->n_parts * sizeof(poy_medium), &p->memory));
    p->media = p->memory;
    for (int i = 0; i < a->n_parts; i++)
        POYI_TO_DONE(ctx, poyi_matter_at(ctx, &a->parts[i].matter, k0, &p->media[i]));
    POYI_TO_DONE(ctx, poyi_stack_parallel(ctx, s, light, k0, p->kpar));
    POYI_TO_DONE(ctx, make_ports(ctx, p));
    for (int first = 0, i = 1; i < a->n_parts && whole; i++) {
        if (!a->parts[i].is_array && i + 1 < a->n_parts)
            continue;
        POYI_TO_DONE(ctx, put_layers(ctx, p, first, i));
        if (a->parts[i].is_array)
            POYI_TO_DONE(ctx, put_array(ctx, p, i, lmax));
        first = i;
    }
done:
    if (status != POY_OK)
        poyi_stack_point_fini(p);
    return status;
}

void poyi_stack_light(const poyi_stack_point *p, int exchanged, poy_c128 *a)
{
    memset(a, 0, poy_basis_size(p->stage.ports) * sizeof *a);
    for (int pol = 0; pol < 2; pol++) {
        const double *c = p->light->polarisation[exchanged ? 1 - pol : pol];
        a[1 - pol] = (poy_c128){c[0], c[1]}; /* helicity 1 first */
    }
}

/* ---- what is wanted of a light ---- */

/* Columns of all lights, one after the other, and the place of one light in the next of them. */
typedef struct writer {
    double *at;
    int lights, light;
} writer;

static double *next_column(writer *w, size_t width)
{
    double *here = w->at + (size_t)w->light * width;
    w->at += (size_t)w->lights * width;
    return here;
}

/* Shares T, R, A of both lights, then each order's: [light][order] of T, of R. */
static poy_status transmission(poy_ctx *ctx, const poyi_stack_point *p, poy_c128 *light, writer *w)
{
    const size_t n = (size_t)p->s->array->n_orders;
    double *share[3], *t, *r;
    for (int i = 0; i < 3; i++)
        share[i] = next_column(w, 2);
    t = next_column(w, 2 * n);
    r = next_column(w, 2 * n);
    for (int i = 0; i < 2; i++) {
        poy_power_shares power;
        poyi_stack_light(p, i, light);
        POYI_TRY(ctx, poy_smatrix_power(ctx, p->whole, POY_UP, light, &power));
        share[0][i] = power.transmission;
        share[1][i] = power.reflection;
        share[2][i] = power.absorption;
        POYI_TRY(ctx, poy_smatrix_order_powers(ctx, p->whole, POY_UP, light, t + (size_t)i * n, r + (size_t)i * n));
    }
    return POY_OK;
}

static poy_status dichroism(poy_ctx *ctx, const poyi_stack_point *p, poy_c128 *light, writer *w)
{
    poy_dichroism cd;
    poyi_stack_light(p, 0, light);
    POYI_TRY(ctx, poy_smatrix_circular_dichroism(ctx, p->whole, POY_UP, light, &cd));
    *next_column(w, 1) = cd.transmission;
    *next_column(w, 1) = cd.outgoing;
    *next_column(w, 1) = cd.absorption;
    return POY_OK;
}

static poy_status amplitudes(poy_ctx *ctx, const poyi_stack_point *p, poy_c128 *light, writer *w)
{
    const size_t m = poy_smatrix_size(p->whole);
    poyi_stack_light(p, 0, light);
    double *up = next_column(w, 2 * m), *down = next_column(w, 2 * m);
    return poy_smatrix_scatter(ctx, p->whole, light, NULL, (poy_c128 *)(void *)up, (poy_c128 *)(void *)down);
}

static poy_status bands(poy_ctx *ctx, const poyi_stack_point *p, writer *w)
{
    const struct poyi_stack *a = p->s->array;
    double period = 0, *out = next_column(w, 4 * poy_smatrix_size(p->whole));
    for (int i = 1; i + 1 < a->n_parts; i++)
        period += a->parts[i].is_array ? a->parts[i].below + a->parts[i].above : a->parts[i].thickness;
    return poy_smatrix_bands(ctx, p->whole, period, (poy_c128 *)(void *)out, NULL);
}

static poy_status fill_light(poy_ctx *ctx, const poyi_stack_point *p, writer w)
{
    poy_status status = POY_OK;
    const struct poyi_stack *a = p->s->array;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.light", poy_smatrix_size(p->whole) * sizeof(poy_c128), &memory));
    memcpy(next_column(&w, 2), p->kpar, sizeof p->kpar);
    if (a->transmission)
        POYI_TO_DONE(ctx, transmission(ctx, p, memory, &w));
    if (a->cd)
        POYI_TO_DONE(ctx, dichroism(ctx, p, memory, &w));
    if (a->amplitudes)
        POYI_TO_DONE(ctx, amplitudes(ctx, p, memory, &w));
    if (a->bands && !a->n_path)
        POYI_TO_DONE(ctx, bands(ctx, p, &w));
done:
    poyi_free(&memory);
    return status;
}

/* ---- a row ---- */

/* The numbers that tell whether degrees were enough: powers of all lights, widths, or singular values. */
static int64_t judged_count(const poyi_scatter *s)
{
    return s->array->kind == POYI_REPEATS_PLANE ? 6 * (int64_t)s->n_lights + s->array->n_path
                                                : 3 * (int64_t)s->n_lights + s->array->n_path;
}

static poy_status judged_light(poy_ctx *ctx, const poyi_stack_point *p, double out[6])
{
    poy_status status = POY_OK;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.light", poy_smatrix_size(p->whole) * sizeof(poy_c128), &memory));
    for (int i = 0; i < 2; i++) {
        poy_power_shares w;
        poyi_stack_light(p, i, memory);
        POYI_TO_DONE(ctx, poy_smatrix_power(ctx, p->whole, POY_UP, memory, &w));
        const double shares[3] = {w.transmission, w.reflection, w.absorption};
        memcpy(out + 3 * (size_t)i, shares, sizeof shares);
    }
done:
    poyi_free(&memory);
    return status;
}

/* One light of a plane: its columns of the row out (NULL: not wanted), all but kpar NaN in a gap, and its judged numbers [6]. */
static poy_status row_of_light(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, int light, double *out,
                               double *judged, poyi_gaps *gaps)
{
    poyi_stack_point p;
    const int before = gaps->n;
    poy_status status = poyi_stack_point_create(ctx, s, &s->lights[light], k0, lmax, 1, &p);
    POYI_TRY(ctx, poyi_gap_of_light(ctx, status, s, light, gaps));
    if (gaps->n > before)
        return out ? poyi_stack_parallel(ctx, s, &s->lights[light], k0, out + 2 * (size_t)light) : POY_OK;
    status = out ? fill_light(ctx, &p, (writer){out, s->n_lights, light}) : POY_OK;
    if (status == POY_OK && s->array->has_particles)
        status = judged_light(ctx, &p, judged);
    poyi_stack_point_fini(&p);
    return status;
}

/* A row of one degree into out (NULL: not wanted), and what is judged of it [judged_count], 0 in gaps; near: of a near field alone,
 * which is judged by the same numbers. */
static poy_status row_of(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, int near, double *out,
                         double *judged, poyi_gaps *gaps)
{
    const struct poyi_stack *a = s->array;
    const int plane = a->kind == POYI_REPEATS_PLANE, lights = s->n_lights;
    *gaps = (poyi_gaps){0};
    memset(judged, 0, (size_t)judged_count(s) * sizeof *judged);
    if (plane && out)
        poyi_gap_fill(poyi_stack_lit_width(s), out);
    for (int i = 0; plane && i < lights && (near || poyi_stack_needs_light(a)); i++)
        POYI_TRY(ctx, row_of_light(ctx, s, k0, lmax, i, out, judged + 6 * (size_t)i, gaps));
    if (plane && out) /* behind what the lights filled */
        out += poyi_stack_lit_width(s);
    if (!plane && (a->sections || near)) {
        POYI_TRY(ctx, poyi_chain_sections(ctx, s, k0, lmax, judged, gaps));
        const double scale = poy_lattice_measure(&a->lattice);
        if (out && a->sections)
            memcpy(out, judged, 3 * (size_t)lights * sizeof *out);
        for (int i = 0; i < 3 * lights; i++)
            judged[i] /= scale;
        out = out && a->sections ? out + 3 * (size_t)lights : out;
    }
    if (!a->n_path || near)
        return POY_OK;
    double *map = judged + (plane ? 6 : 3) * (size_t)lights;
    POYI_TRY(ctx, poyi_bands_map(ctx, s, k0, lmax, map, gaps));
    if (out)
        memcpy(out, map, (size_t)a->n_path * sizeof *out);
    return POY_OK;
}

/* The largest; NaN, of gaps, is passed over. */
static double difference(int64_t n, const double *a, const double *b)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Lights and Bloch vectors of a row: where all are gaps, nothing is known of it. */
static int asked(const poyi_scatter *s, int near)
{
    return (near || poyi_stack_needs_light(s->array) ? s->n_lights : 0) + (near ? 0 : s->array->n_path);
}

/* The row at the first degree whose judged numbers differ from those of the one before by less than tol. */
static poy_status converge(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, double k0, double *out, int *lmax,
                           double *change, poyi_gaps *gaps)
{
    poy_status status = POY_OK;
    void *memory = NULL;
    const int near = v->kind == POYI_VIEW_NEAR;
    const int64_t n = judged_count(s);
    const double tol = near ? sqrt(s->tol) : s->tol; /* powers go with the square of fields */
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.judged", 2 * (size_t)n * sizeof(double) + 1, &memory));
    double *then = memory, *now = then + n;
    POYI_TO_DONE(ctx, poyi_scatter_degree(ctx, s, k0, s->tol, lmax));
    *lmax = *lmax > POYI_STACK_DEGREE_MOST ? POYI_STACK_DEGREE_MOST : *lmax < 2 ? 2 : *lmax;
    POYI_TO_DONE(ctx, row_of(ctx, s, k0, *lmax - 1, near, NULL, then, gaps));
    for (int i = 0; i < ATTEMPTS; i++, ++*lmax) {
        POYI_TO_DONE(ctx, row_of(ctx, s, k0, *lmax, near, out, now, gaps));
        *change = difference(n, then, now);
        if (*change < tol || *lmax == POYI_STACK_DEGREE_MOST || i + 1 == ATTEMPTS ||
            !poyi_room_allows(s->room, *lmax + 1))
            break;
        POYI_TO_DONE(ctx, poyi_scatter_raise(ctx, s, v, *lmax + 1));
        memcpy(then, now, (size_t)n * sizeof *then);
    }
    if (gaps->n == asked(s, near))
        *change = (double)NAN;
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_stack_stand_still(poy_ctx *ctx, const poyi_scatter *s, double k0, int *lmax, double *change)
{
    poyi_gaps gaps;
    const poyi_view v = {.kind = POYI_VIEW_ARRAY, .n = 1};
    *lmax = 0;
    *change = 0;
    if (!s->array->has_particles)
        return POY_OK;
    POYI_TRY(ctx, converge(ctx, s, &v, k0, NULL, lmax, change, &gaps));
    if (isnan(*change))
        return POYI_FAIL(ctx, POY_ERR_THRESHOLD,
                         "all lights are on a diffraction threshold: choose another wavelength");
    return POY_OK;
}

static poy_status one_degree(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, poyi_gaps *gaps)
{
    void *memory = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.judged", (size_t)judged_count(s) * sizeof(double) + 1, &memory));
    const poy_status status = row_of(ctx, s, k0, lmax, 0, out, memory, gaps);
    poyi_free(&memory);
    return status;
}

poy_status poyi_stack_compute(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, int *degree,
                              double *change, poyi_gaps *gaps)
{
    const poyi_view v = {.kind = POYI_VIEW_ARRAY, .n = 1};
    *degree = lmax > 0 ? lmax : 0;
    *change = lmax != 0 ? (double)NAN : 0;
    if (lmax != 0 || !s->array->has_particles)
        return one_degree(ctx, s, k0, *degree, out, gaps);
    return converge(ctx, s, &v, k0, out, degree, change, gaps);
}

poy_status poyi_stack_near(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, double k0, int lmax, double *out,
                           int *degree, double *change, poyi_gaps *gaps)
{
    poy_c128 *E = (poy_c128 *)(void *)out, *H = E + 3 * v->n_points * s->n_lights;
    *degree = lmax > 0 ? lmax : 0;
    *change = lmax != 0 ? (double)NAN : 0;
    if (lmax == 0 && s->array->has_particles)
        POYI_TRY(ctx, converge(ctx, s, v, k0, NULL, degree, change, gaps));
    *gaps = (poyi_gaps){0};
    for (int i = 0; i < s->n_lights; i++, E += 3 * v->n_points, H += 3 * v->n_points) {
        const int before = gaps->n;
        const poy_status status = s->array->kind == POYI_REPEATS_PLANE
                                      ? poyi_stack_field(ctx, s, &s->lights[i], k0, *degree, v, E, H)
                                      : poyi_chain_field(ctx, s, &s->lights[i], k0, *degree, v, E, H);
        POYI_TRY(ctx, poyi_gap_of_light(ctx, status, s, i, gaps));
        for (int kind = 0; gaps->n > before && kind < 2; kind++)
            poyi_gap_fill(6 * v->n_points, (double *)(void *)(kind ? H : E));
    }
    return POY_OK;
}
