/* step_index.c: step-index fibres: options, effective index, modes that are cut off, fields. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "pulse/guide/kinds/step_index.h"

enum { N_LISTED = 16 }; /* azimuthal indices of groups that messages look at */

void poy_step_index_options_init(poy_step_index_options *o)
{
    *o = (poy_step_index_options){.size = sizeof *o, .n_modes = 1};
}

/* ak, V^2, r as series; ak and V as numbers. */
typedef struct fibre {
    poyi_cjet core2, cladding2, ak2, v2, r;
    double v;
} fibre;

static poy_status fibre_of(poy_ctx *ctx, const poy_guide *guide, const poy_guide_place *place, double omega, int order,
                           fibre *out)
{
    const double ak = omega / POYI_C * place->core_radius;
    poyi_cjet core, cladding;
    POYI_TRY(ctx, poyi_wall_index_real(ctx, &guide->core, omega, order, &core));
    POYI_TRY(ctx, poyi_wall_index_real(ctx, &guide->wall, omega, order, &cladding));
    poyi_cjet step = poyi_cjet_add_scaled(core, -1.0, cladding);
    if (!(creal(step.c[0]) > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "geometry.core_offset: the index of the core at %.5g nm, %.9g, is not above that of the "
                         "cladding, %.9g: nothing "
                         "is guided: raise it, or choose another core_material",
                         2e9 * POYI_PI * POYI_C / omega, creal(core.c[0]), creal(cladding.c[0]));
    out->core2 = poyi_cjet_mul(core, core);
    out->cladding2 = poyi_cjet_mul(cladding, cladding);
    out->ak2 = poyi_cjet_power_of_frequency(order, ak * ak, 2.0);
    out->v2 = poyi_cjet_mul(poyi_cjet_mul(step, poyi_cjet_add(core, cladding)), out->ak2);
    out->r = poyi_cjet_div(out->cladding2, out->core2);
    out->v = sqrt(creal(out->v2.c[0]));
    return POY_OK;
}

/* ---- what is guided ---- */

static const char *name_of(poy_mode_family family, int n, int m, char out[24])
{
    poy_mode_format((poy_mode){family, n, m}, 24, out);
    return out;
}

/* "HE11 (LP01); TE01, HE21, TM01 (LP11)": groups in the order of their cut-offs, those of one l with rising m; at most eight,
 * each with what of it is guided. */
static void list_guided(const fibre *f, size_t size, char *out)
{
    enum { GROUPS = 8 };
    const double r = creal(f->r.c[0]);
    int next[N_LISTED] = {0};
    size_t used = 0;
    out[0] = '\0';
    for (int count = 0; count <= GROUPS && used + 80 < size; count++) {
        char name[24], names[96] = "";
        int l = -1;
        double first = f->v;
        for (int i = 0; i < N_LISTED; i++) { /* cut-offs: zeros of J_{l-1}, of LP0m of J_1, from 0 on */
            const double at =
                i == 0 ? (next[0] ? poyi_bessel_zero(1, next[0]) : 0.0) : poyi_bessel_zero(i - 1, next[i] + 1);
            if (at < first) {
                first = at;
                l = i;
            }
        }
        if (l < 0)
            return;
        const int m = ++next[l];
        const poy_mode_family before = l == 1 ? POY_MODE_TE : POY_MODE_EH;
        if (l > 0 && m <= poyi_step_count(before, l - 1, f->v, r))
            snprintf(names, sizeof names, "%s", name_of(before, l - 1, m, name));
        if (m <= poyi_step_count(POY_MODE_HE, l + 1, f->v, r))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "",
                     name_of(POY_MODE_HE, l + 1, m, name));
        if (l == 1)
            snprintf(names + strlen(names), sizeof names - strlen(names), ", %s", name_of(POY_MODE_TM, 0, m, name));
        if (count == GROUPS)
            used += (size_t)snprintf(out + used, size - used, "; and more");
        else if (names[0])
            used += (size_t)snprintf(out + used, size - used, "%s%s (LP%d%d)", used ? "; " : "", names, l, m);
    }
}

/* A mode that is cut off is told with what it takes, and with those that are there. */
static poy_status check_guided(poy_ctx *ctx, const poyi_mode *mode, const fibre *f, double omega)
{
    const poy_mode m = mode->mode;
    const double r = creal(f->r.c[0]), wavelength = 2e9 * POYI_PI * POYI_C / omega;
    char guided[400];
    double needs = 0.0;
    if (m.m <= poyi_step_count(m.family, m.n, f->v, r))
        return POY_OK;
    POYI_TRY(ctx, poyi_step_cutoff(ctx, m, r, &needs));
    list_guided(f, sizeof guided, guided);
    return POYI_FAIL(
        ctx, POY_ERR_RANGE,
        "geometry.modes: mode %s is cut off at %.5g nm, where V = %.4g and it needs %.4g (below about %.4g nm, or "
        "with a core %.3g times as wide); guided there are %s: name those, or lower grid.wavelength_max",
        mode->name, wavelength, f->v, needs, wavelength * f->v / needs, needs / f->v, guided);
}

static poy_status index_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           int order, poyi_cjet *out)
{
    const poyi_mode *m = &guide->modes[mode];
    fibre f;
    double u = 0.0, w = 0.0;
    POYI_TRY(ctx, fibre_of(ctx, guide, place, omega, order, &f));
    POYI_TRY(ctx, check_guided(ctx, m, &f, omega));
    POYI_TRY(ctx, poyi_step_root(ctx, m->mode, f.v, creal(f.r.c[0]), &u, &w));
    poyi_cjet square = f.cladding2; /* n_eff^2 */
    if (w > 0.0 && w < u)
        square = poyi_cjet_add(square, poyi_cjet_div(poyi_step_series(m->mode, u, w, 1, f.v2, f.r), f.ak2));
    else if (w > 0.0)
        square =
            poyi_cjet_add_scaled(f.core2, -1.0, poyi_cjet_div(poyi_step_series(m->mode, u, w, 0, f.v2, f.r), f.ak2));
    *out = poyi_cjet_offset(poyi_cjet_sqrt(square), -1.0);
    return POY_OK;
}

static poy_status field_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                           double angle, poyi_profile *out)
{
    const poyi_mode *m = &guide->modes[mode];
    fibre f;
    double u = 0.0, w = 0.0;
    POYI_TRY(ctx, fibre_of(ctx, guide, place, omega, 0, &f));
    POYI_TRY(ctx, check_guided(ctx, m, &f, omega));
    POYI_TRY(ctx, poyi_step_root(ctx, m->mode, f.v, creal(f.r.c[0]), &u, &w));
    if (w < 1e-3)
        return POYI_FAIL(
            ctx, POY_ERR_RANGE,
            "mode %s at %.5g nm reaches %.3g core radii into the cladding (V = %.4g): it has no profile to "
            "work with",
            m->name, 2e9 * POYI_PI * POYI_C / omega, 1.0 / w, f.v);
    poyi_step_field(m->mode, u, w, creal(f.r.c[0]), place->core_radius, angle, out);
    return POY_OK;
}

static poy_status area_of(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                          double *area)
{
    poyi_profile field;
    POYI_TRY(ctx, field_of(ctx, guide, mode, place, omega, 0.0, &field));
    POYI_TRY(ctx, poyi_step_area(ctx, &field, area));
    return POY_OK;
}

static const poyi_kind step_index = {.name = "step_index", .index = index_of, .area = area_of, .field = field_of};

poy_status poy_guide_create_step_index(poy_ctx *ctx, const poy_step_index_options *options, poy_guide **out)
{
    poy_status status;
    poy_guide *guide = NULL;
    poy_step_index_options o;

    poy_step_index_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_step_index_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "geometry.attenuation", o.attenuation, "1/m"));
    POYI_TO_DONE(ctx, poyi_guide_new(ctx, &step_index, &guide));
    guide->attenuation = o.attenuation;
    POYI_TO_DONE(ctx, poyi_along_create(ctx, "geometry.core_radius", "m", POYI_BETWEEN_LINEAR, 0, &o.core_radius,
                                        &guide->radius));
    guide->has_radius = 1;
    POYI_TO_DONE(ctx, poyi_wall_create(ctx, "geometry.core", &o.core, &guide->core));
    POYI_TO_DONE(ctx, poyi_wall_create(ctx, "geometry.cladding", &o.cladding, &guide->wall));
    POYI_TO_DONE(ctx, poyi_guide_set_modes(ctx, guide, o.modes, o.n_modes, POY_MODE_HE, POYI_ROUND_MODES));
    *out = guide;
    guide = NULL;
done:
    poy_guide_destroy(&guide);
    return status;
}

static poy_status check_count(poy_ctx *ctx, const poy_guide *guide, double omega)
{
    if (guide->kind != &step_index)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "a guide of type %s has no count of guided modes: only step_index has", guide->kind->name);
    if (!(omega > 0.0) || !isfinite(omega))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "angular frequency %g rad/s: it must be above 0", omega);
    return POY_OK;
}

poy_status poy_guide_guided_count(poy_ctx *ctx, const poy_guide *guide, poy_mode_family family, int n, double z,
                                  double omega, int *count)
{
    poy_guide_place place;
    fibre f;
    const int transverse = family == POY_MODE_TE || family == POY_MODE_TM;
    POYI_TRY(ctx, check_count(ctx, guide, omega));
    if ((unsigned)family > POY_MODE_TM || (transverse ? n != 0 : n < 1 || n > 200))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "count of guided modes: azimuthal index %d: 0 for TE and TM, 1 to 200 for HE and EH", n);
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, fibre_of(ctx, guide, &place, omega, 0, &f));
    *count = poyi_step_count(family, n, f.v, creal(f.r.c[0]));
    return POY_OK;
}

poy_status poy_guide_guided(poy_ctx *ctx, const poy_guide *guide, double z, double omega, double *v, int *count)
{
    poy_guide_place place;
    fibre f;
    const double counted = 100.0;
    int all = 0;
    POYI_TRY(ctx, check_count(ctx, guide, omega));
    poy_guide_at(guide, z, &place);
    POYI_TRY(ctx, fibre_of(ctx, guide, &place, omega, 0, &f));
    const double r = creal(f.r.c[0]);
    for (int n = 1, more = f.v < counted; more; n++) { /* hybrid modes have two directions */
        const int he = poyi_step_count(POY_MODE_HE, n, f.v, r), eh = poyi_step_count(POY_MODE_EH, n, f.v, r);
        all += 2 * (he + eh);
        more = he > 0;
    }
    all += poyi_step_count(POY_MODE_TE, 0, f.v, r) + poyi_step_count(POY_MODE_TM, 0, f.v, r);
    *v = f.v;
    *count = f.v < counted ? all : (int)fmin(0.5 * f.v * f.v, INT_MAX);
    return POY_OK;
}
