/* tabulated.c: guides given by tables: n_eff by cubic splines in omega, linear in z, area, and an optional profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pulse/guide/kind.h"

void poy_tabulated_options_init(poy_tabulated_options *o)
{
    *o = (poy_tabulated_options){
        .size = sizeof *o, .n_modes = 1, .n_z = 1, .area_constant = 1, .fill.temperature = 293.15};
}

enum { PLANES_MAX = 200 };

typedef struct column {
    poyi_spline *spline;
} column;

typedef struct table {
    int n_modes, n_z;
    double first, last;       /* m: wavelengths */
    double *z;                /* [n_z] */
    column *n, *k;            /* [n_modes n_z]; k NULL: no loss */
    column *area;             /* [n_modes], or NULL: constant */
    double *constant;         /* [n_modes] */
    column *profile;          /* [n_modes], or NULL */
    double *amplitude, reach; /* [n_modes] sqrt(V/A)/m per unit of the table; m */
} table;

static void table_fini(void *own)
{
    table *t = own;
    for (int i = 0; i < t->n_modes * t->n_z; i++) {
        if (t->n)
            poyi_spline_destroy(&t->n[i].spline);
        if (t->k)
            poyi_spline_destroy(&t->k[i].spline);
    }
    for (int i = 0; i < t->n_modes; i++) {
        if (t->area)
            poyi_spline_destroy(&t->area[i].spline);
        if (t->profile)
            poyi_spline_destroy(&t->profile[i].spline);
    }
    free(t->z);
    free(t->n);
    free(t->k);
    free(t->area);
    free(t->constant);
    free(t->profile);
    free(t->amplitude);
    free(t);
}

/* ---- use ---- */

static poy_status check_wavelength(poy_ctx *ctx, const table *t, double wavelength)
{
    if (wavelength < t->first * (1.0 - 1e-12) || wavelength > t->last * (1.0 + 1e-12))
        return POYI_FAIL(ctx, POY_ERR_RANGE, "the guide's table covers %.6g to %.6g nm, not %.6g nm: extend it",
                         t->first * 1e9, t->last * 1e9, wavelength * 1e9);
    return POY_OK;
}

/* A cubic as a series about omega; derivatives beyond the third are 0. */
static poyi_jet series_of(const poyi_spline *spline, double omega, int order)
{
    poyi_jet out = poyi_jet_constant(order, poyi_spline_eval(spline, omega));
    if (order > 0)
        out.c[1] = poyi_spline_slope(spline, omega) * omega;
    if (order > 1)
        out.c[2] = poyi_spline_derivative(spline, 2, omega) * omega * omega / 2.0;
    if (order > 2)
        out.c[3] = poyi_spline_derivative(spline, 3, omega) * omega * omega * omega / 6.0;
    return out;
}

/* The planes before and after z, and the share of the second. */
static double between(const table *t, double z, int *before, int *after)
{
    int i = 0;
    while (i < t->n_z - 1 && z >= t->z[i + 1])
        i++;
    *before = i;
    *after = i < t->n_z - 1 ? i + 1 : i;
    return *after == i || z <= t->z[i] ? 0.0 : (z - t->z[i]) / (t->z[i + 1] - t->z[i]);
}

static poy_status index_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           int order, poyi_cjet *out)
{
    const table *t = guide->own;
    int before = 0, after = 0;
    POYI_TRY(ctx, check_wavelength(ctx, t, 2.0 * POYI_PI * POYI_C / omega));
    const double share = between(t, place->z, &before, &after);
    const size_t first = (size_t)mode * (size_t)t->n_z;
    poyi_cjet sum = poyi_cjet_constant(order, -1.0);
    for (int i = before; i <= after; i++) {
        const double weight = before == after ? 1.0 : i == before ? 1.0 - share : share;
        poyi_jet n = series_of(t->n[first + (size_t)i].spline, omega, order), k = poyi_jet_constant(order, 0.0);
        if (t->k)
            k = series_of(t->k[first + (size_t)i].spline, omega, order);
        sum = poyi_cjet_add_scaled(sum, weight, poyi_cjet_from(&n, &k));
    }
    *out = sum;
    return POY_OK;
}

static int planes_of(const poy_guide *guide, const double **z)
{
    const table *t = guide->own;
    if (z)
        *z = t->z;
    return t->n_z;
}

static poy_status area_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                          double *area)
{
    const table *t = guide->own;
    (void)place;
    if (t->area) {
        POYI_TRY(ctx, check_wavelength(ctx, t, 2.0 * POYI_PI * POYI_C / omega));
        *area = poyi_spline_eval(t->area[mode].spline, omega);
    } else {
        *area = t->constant[mode];
    }
    return POY_OK;
}

static void field_at(const poyi_profile *f, double x, double y, double e[2])
{
    const double r = hypot(x, y);
    e[0] = 0.0;
    e[1] = r < f->extent ? f->amplitude * poyi_spline_eval(f->table, r) : 0.0;
}

static poy_status field_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           double angle, poyi_profile *out)
{
    const table *t = guide->own;
    (void)place;
    (void)omega;
    (void)angle;
    if (!t->profile)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "mode %s: the guide's table has no profile: give r and amplitude",
                         guide->modes[mode].name);
    *out = (poyi_profile){.at = field_at,
                          .amplitude = t->amplitude[mode],
                          .radius = t->reach,
                          .extent = t->reach,
                          .mode = guide->modes[mode].mode,
                          .table = t->profile[mode].spline};
    return POY_OK;
}

static poy_status check_range(poy_ctx *ctx, const poy_guide *guide, double wavelength_min, double wavelength_max)
{
    const table *t = guide->own;
    POYI_TRY(ctx, check_wavelength(ctx, t, wavelength_min));
    POYI_TRY(ctx, check_wavelength(ctx, t, wavelength_max));
    return POY_OK;
}

static const poyi_kind tabulated = {.name = "tabulated",
                                    .index = index_of,
                                    .area = area_of,
                                    .field = field_of,
                                    .planes = planes_of,
                                    .check_range = check_range,
                                    .fini = table_fini};

/* ---- making ---- */

static poy_status check_rising(poy_ctx *ctx, const char *key, const double *x, int n, int positive)
{
    POYI_TRY(ctx, poyi_check_list(ctx, key, x, n, "m"));
    for (int i = 0; i < n; i++)
        if ((i > 0 && x[i] <= x[i - 1]) || (positive && x[i] <= 0.0))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: number %d, %g m, is not above %s: sort the table", key, i,
                             x[i], i > 0 ? "the one before it" : "0");
    return POY_OK;
}

/* A row over rising wavelengths as a spline over rising frequencies. */
static poy_status over_omega(poy_ctx *ctx, const poy_tabulated_options *o, const double *row, double *work,
                             poyi_spline **out)
{
    const size_t n = (size_t)o->n_wavelengths;
    for (size_t i = 0; i < n; i++) {
        work[i] = 2.0 * POYI_PI * POYI_C / o->wavelengths[n - 1 - i];
        work[n + i] = row[n - 1 - i];
    }
    POYI_TRY(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, work, work + n, out));
    return POY_OK;
}

static poy_status rows_over_omega(poy_ctx *ctx, const char *key, const poy_tabulated_options *o, const double *rows,
                                  int count, int least_is_zero, column *out)
{
    poy_status status = POY_OK;
    const int64_t n = o->n_wavelengths, all = n * count;
    POYI_TRY(ctx, poyi_check_list(ctx, key, rows, all, ""));
    for (int64_t i = 0; i < all; i++)
        if (least_is_zero ? rows[i] < 0.0 : rows[i] <= 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: number %lld is %g: it must be %s", key, (long long)i, rows[i],
                             least_is_zero ? "0 or above" : "above 0");
    double *work = malloc(2 * (size_t)n * sizeof *work);
    if (!work)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for %lld numbers", key, (long long)(2 * n));
    for (int i = 0; i < count; i++)
        POYI_TO_DONE(ctx, over_omega(ctx, o, rows + n * i, work, &out[i].spline));
done:
    free(work);
    return status;
}

/* (1/2) sqrt(eps0/mu0) 2 pi integral f^2 r dr = 1, exactly for a cubic between the points: f^2 r has degree 7. */
static poy_status normalise(poy_ctx *ctx, const poy_tabulated_options *o, const poyi_spline *profile, double *amplitude)
{
    double x[4], w[4], sum = 0.0;
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, 4, x, w));
    for (int i = 0; i + 1 < o->n_r; i++) {
        const double half = 0.5 * (o->r[i + 1] - o->r[i]), middle = 0.5 * (o->r[i + 1] + o->r[i]);
        for (int j = 0; j < 4; j++) {
            const double r = middle + half * x[j], f = poyi_spline_eval(profile, r);
            sum += half * w[j] * f * f * r;
        }
    }
    if (!(sum > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.profile: it is 0 everywhere: give an amplitude");
    *amplitude = sqrt(POYI_Z0 / (POYI_PI * sum));
    return POY_OK;
}

static poy_status set_profile(poy_ctx *ctx, const poy_tabulated_options *o, table *t)
{
    if (o->n_r == 0)
        return POY_OK;
    if (o->n_r < 4)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.profile: %d radii: a cubic spline needs 4", o->n_r);
    POYI_TRY(ctx, check_rising(ctx, "geometry.profile", o->r, o->n_r, 0));
    POYI_TRY(ctx, poyi_check_list(ctx, "geometry.profile", o->amplitude, (int64_t)o->n_r * o->n_modes, ""));
    if (o->r[0] != 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.profile: the first radius is %g m: start at 0", o->r[0]);
    t->profile = calloc((size_t)o->n_modes, sizeof *t->profile);
    t->amplitude = calloc((size_t)o->n_modes, sizeof *t->amplitude);
    if (!t->profile || !t->amplitude)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.profile: no memory for %d profiles", o->n_modes);
    t->reach = o->r[o->n_r - 1];
    for (int i = 0; i < o->n_modes; i++) {
        POYI_TRY(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, (size_t)o->n_r, o->r,
                                         o->amplitude + (ptrdiff_t)i * o->n_r, &t->profile[i].spline));
        POYI_TRY(ctx, normalise(ctx, o, t->profile[i].spline, &t->amplitude[i]));
    }
    return POY_OK;
}

static poy_status set_area(poy_ctx *ctx, const poy_tabulated_options *o, table *t)
{
    const char *key = "geometry.effective_area";
    t->constant = calloc((size_t)o->n_modes, sizeof *t->constant);
    t->area = o->area_constant ? NULL : calloc((size_t)o->n_modes, sizeof *t->area);
    if (!t->constant || (!o->area_constant && !t->area))
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for %d modes", key, o->n_modes);
    if (!o->area_constant)
        return rows_over_omega(ctx, key, o, o->area, o->n_modes, 0, t->area);
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->area, o->n_modes, "m2"));
    for (int i = 0; i < o->n_modes; i++) {
        POYI_TRY(ctx, poyi_check_positive(ctx, key, o->area[i], "m2"));
        t->constant[i] = o->area[i];
    }
    return POY_OK;
}

static poy_status set_index(poy_ctx *ctx, const poy_tabulated_options *o, table *t)
{
    const size_t rows = (size_t)o->n_modes * (size_t)o->n_z;
    t->z = calloc((size_t)o->n_z, sizeof *t->z);
    t->n = calloc(rows, sizeof *t->n);
    t->k = o->k ? calloc(rows, sizeof *t->k) : NULL;
    t->n_modes = o->n_modes;
    t->n_z = o->n_z;
    t->first = o->wavelengths[0];
    t->last = o->wavelengths[o->n_wavelengths - 1];
    if (!t->z || !t->n || (o->k && !t->k))
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.index: no memory for %zu rows", rows);
    for (int i = 0; i < o->n_z; i++)
        t->z[i] = o->n_z > 1 ? o->z[i] : 0.0;
    POYI_TRY(ctx, rows_over_omega(ctx, "geometry.index", o, o->n, (int)rows, 0, t->n));
    if (o->k)
        POYI_TRY(ctx, rows_over_omega(ctx, "geometry.index", o, o->k, (int)rows, 1, t->k));
    return POY_OK;
}

static poy_status check_options(poy_ctx *ctx, const poy_tabulated_options *o)
{
    if (o->n_modes < 1 || o->n_modes > POY_GUIDE_MODES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: %d modes: 1 to %d", o->n_modes, POY_GUIDE_MODES_MAX);
    if (o->n_wavelengths < 4 || o->n_z < 1 || o->n_z > PLANES_MAX)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "geometry.index_file: %d wavelengths, %d planes: a cubic spline needs 4 wavelengths, on 1 to %d "
            "planes",
            o->n_wavelengths, o->n_z, PLANES_MAX);
    POYI_TRY(ctx, check_rising(ctx, "geometry.index", o->wavelengths, o->n_wavelengths, 1));
    if (o->n_z > 1)
        POYI_TRY(ctx, check_rising(ctx, "geometry.index", o->z, o->n_z, 0));
    return POY_OK;
}

static poy_status set_names(poy_ctx *ctx, const poy_tabulated_options *o, poy_guide *guide)
{
    guide->modes = calloc((size_t)o->n_modes, sizeof *guide->modes);
    if (!guide->modes)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.modes: no memory for %d modes", o->n_modes);
    guide->n_modes = o->n_modes;
    for (int i = 0; i < o->n_modes; i++) {
        poyi_mode *mode = &guide->modes[i];
        mode->mode = (poy_mode){POY_MODE_OTHER, 0, i + 1};
        snprintf(mode->name, sizeof mode->name, "%d", i + 1);
        if (!o->names)
            continue;
        if (!o->names[i] || !*o->names[i] || strlen(o->names[i]) >= sizeof mode->name)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: mode %d needs a name of 1 to %zu characters",
                             i + 1, sizeof mode->name - 1);
        snprintf(mode->name, sizeof mode->name, "%s", o->names[i]);
        for (int j = 0; j < i; j++)
            if (!strcmp(guide->modes[j].name, mode->name))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.modes: %s stands twice, as modes %d and %d: keep one",
                                 mode->name, j + 1, i + 1);
    }
    return POY_OK;
}

poy_status poy_guide_create_tabulated(poy_ctx *ctx, const poy_tabulated_options *options, poy_guide **out)
{
    poy_status status;
    poy_guide *guide = NULL;
    poy_tabulated_options o;

    poy_tabulated_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_tabulated_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, check_options(ctx, &o));
    POYI_TO_DONE(ctx, poyi_guide_new(ctx, &tabulated, &guide));
    table *own = calloc(1, sizeof *own);
    guide->own = own;
    if (!own) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.type: no memory for a tabulated guide");
        goto done;
    }
    POYI_TO_DONE(ctx, set_names(ctx, &o, guide));
    POYI_TO_DONE(ctx, set_index(ctx, &o, own));
    POYI_TO_DONE(ctx, set_area(ctx, &o, own));
    POYI_TO_DONE(ctx, set_profile(ctx, &o, own));
    POYI_TO_DONE(ctx, poyi_fill_create(ctx, &o.fill, &guide->fill));
    *out = guide;
    guide = NULL;
done:
    poy_guide_destroy(&guide);
    return status;
}
