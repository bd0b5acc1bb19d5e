/* body.c: the bodies of a scattering recipe: their sizes, surfaces and T-matrices. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/recipe/csv.h"
#include "run/scatter/scatter.h"

/* ---- from the recipe ---- */

typedef struct reader {
    poy_ctx *ctx;
    poy_recipe *r;
    poyi_arena *arena;
    const poyi_node *node; /* [[particle]], resolved */
    char path[24];         /* "particle.0" */
    poyi_body *body;
} reader;

static poy_status refuse(const reader *x, const char *key, const char *text)
{
    return POYI_FAIL(x->ctx, POY_ERR_ARGUMENT, "%s.%s: %s", x->path, key, text);
}

static double number(const reader *x, const char *key)
{
    const poyi_node *node = poyi_node_child(x->node, key);
    return node ? node->real : (double)NAN;
}

static double length(const reader *x, const char *key)
{
    return poyi_node_quantity(x->ctx, poyi_node_child(x->node, key), POY_DIM_LENGTH);
}

/* radius and material, or radii and materials, from inside to outside. */
static poy_status read_layers(const reader *x)
{
    poyi_body *b = x->body;
    char key[64];
    const poyi_node *radii = poyi_node_child(x->node, "radii"), *materials = poyi_node_child(x->node, "materials");
    const int many = radii && (!poyi_node_child(x->node, "radius") || !strcmp(b->word, "core_shell"));
    if (many && !materials)
        return refuse(x, "materials", "missing: give a material for each of the radii");
    b->layers = many ? radii->count : 1;
    b->radii = poyi_arena_alloc(x->arena, (size_t)b->layers * sizeof *b->radii);
    b->matter = poyi_arena_alloc(x->arena, (size_t)b->layers * sizeof *b->matter);
    if (!b->radii || !b->matter)
        return POYI_FAIL(x->ctx, POY_ERR_MEMORY, "%s: no memory for its layers", x->path);
    for (int i = 0; i < b->layers; i++) {
        const poyi_node *material = many ? poyi_node_element(materials, i) : poyi_node_child(x->node, "material");
        b->radii[i] =
            many ? poyi_node_quantity(x->ctx, poyi_node_element(radii, i), POY_DIM_LENGTH) : length(x, "radius");
        if (!(b->radii[i] > (i ? b->radii[i - 1] : 0)))
            return refuse(x, many ? "radii" : "radius",
                          many ? "do not rise: list them from inside to outside" : "missing: give it, e.g. \"40 nm\"");
        snprintf(key, sizeof key, "%s.%s", x->path, many ? "materials" : "material");
        POYI_TRY(x->ctx, poyi_matter_create(x->ctx, x->r, material, key, &b->matter[i]));
    }
    b->around = b->radii[b->layers - 1];
    return POY_OK;
}

static poy_status read_axes(const reader *x, double out[2])
{
    const poyi_node *axes = poyi_node_child(x->node, "semi_axes");
    double a[3] = {0};
    const int n = axes ? axes->count : 0;
    for (int i = 0; i < n && i < 3; i++)
        a[i] = poyi_node_quantity(x->ctx, poyi_node_element(axes, i), POY_DIM_LENGTH);
    if (n != 2 && n != 3)
        return refuse(x, "semi_axes", "needs two: across and along the axis, e.g. [\"40 nm\", \"60 nm\"]");
    if (n == 3 && a[0] != a[1])
        return refuse(x, "semi_axes",
                      "three different ones: bodies without an axis of revolution are not built yet: make two equal");
    out[0] = a[0];
    out[1] = a[n - 1];
    return POY_OK;
}

static void from_curve(void *user, double theta, double *r, double *slope)
{
    const poyi_jet at = poyi_curve_at(user, (poyi_jet){1, {theta, theta}});
    *r = at.c[0];
    *slope = at.c[1] / theta; /* c[1] is theta dr / dtheta */
}

static poy_status read_curve(const reader *x)
{
    poyi_body *b = x->body;
    const poyi_node *file = poyi_node_child(x->node, "file");
    const double *theta, *radius;
    int n = 0;
    if (!file)
        return refuse(x, "file", "missing: name a table of theta [deg] and r [nm]");
    if (!poyi_csv_profile(x->ctx, x->r, file, &n, &theta, &radius))
        return POYI_FAIL(x->ctx, POY_ERR_RECIPE, "%s: cannot be read", file->text);
    POYI_TRY(x->ctx, poyi_curve_create(x->ctx, file->text, POYI_TABLE_SPLINE, (size_t)n, theta, radius, &b->curve));
    b->profile = (poy_profile){.kind = POY_PROFILE_FUNCTION, .function = from_curve, .user = b->curve};
    return POY_OK;
}

static poy_status read_profile(const reader *x)
{
    poyi_body *b = x->body;
    double *p = b->profile.parameter;
    char key[64];
    if (!strcmp(b->word, "profile")) {
        POYI_TRY(x->ctx, read_curve(x));
    } else if (!strcmp(b->word, "chebyshev")) {
        b->profile.kind = POY_PROFILE_CHEBYSHEV;
        p[0] = length(x, "radius");
        p[1] = number(x, "ripple");
        p[2] = number(x, "waves");
    } else {
        const int spheroid = !strcmp(b->word, "spheroid");
        b->profile.kind = spheroid ? POY_PROFILE_SPHEROID : POY_PROFILE_SUPERELLIPSOID;
        POYI_TRY(x->ctx, read_axes(x, p));
        p[2] = spheroid ? 1 : number(x, "exponent");
    }
    b->matter = poyi_arena_alloc(x->arena, sizeof *b->matter);
    if (!b->matter)
        return POYI_FAIL(x->ctx, POY_ERR_MEMORY, "%s: no memory for it", x->path);
    b->layers = 1;
    snprintf(key, sizeof key, "%s.material", x->path);
    return poyi_matter_create(x->ctx, x->r, poyi_node_child(x->node, "material"), key, b->matter);
}

/* Every point of the sweep, about one origin. */
static poy_status read_tmatrices(const reader *x)
{
    poyi_body *b = x->body;
    const poyi_node *file = poyi_node_child(x->node, "file");
    const char *path = file ? poyi_source_path(x->r, file->text) : NULL;
    size_t n = 0;
    if (!path)
        return refuse(x, "file", "missing: name a T-matrix file");
    b->file = file->text;
    b->around = length(x, "radius");
    poy_status status = poy_tmatrix_load(x->ctx, path, 1.0, 0, NULL, &n);
    b->tmatrices = status == POY_OK ? poyi_arena_alloc(x->arena, n * sizeof(poy_tmatrix *)) : NULL;
    if (b->tmatrices)
        status = poy_tmatrix_load(x->ctx, path, 1.0, n, b->tmatrices, &n);
    if (status == POY_OK && !b->tmatrices)
        return POYI_FAIL(x->ctx, POY_ERR_MEMORY, "%s: no memory for its T-matrices", x->path);
    if (status != POY_OK) {
        char cause[512];
        snprintf(cause, sizeof cause, "%s", poy_ctx_cause(x->ctx));
        return POYI_FAIL(x->ctx, POY_ERR_ARGUMENT, "%s.file: %s", x->path, cause);
    }
    b->n_tmatrices = n;
    poy_basis *basis = poy_tmatrix_basis(b->tmatrices[0]);
    if (poy_basis_position_count(basis) != 1)
        return POYI_FAIL(x->ctx, POY_ERR_ARGUMENT,
                         "%s.file: %s has %zu origins: a particle has one: expand it about one first", x->path, b->file,
                         poy_basis_position_count(basis));
    for (size_t i = 0; i < poy_basis_size(basis); i++)
        b->lmax = poy_basis_modes(basis)[i].l > b->lmax ? poy_basis_modes(basis)[i].l : b->lmax;
    return POY_OK;
}

static void read_angles(const reader *x)
{
    const poyi_node *list = poyi_node_child(x->node, "rotation");
    for (int i = 0; list && i < 3; i++) {
        x->body->angles[i] = poyi_node_quantity(x->ctx, poyi_node_element(list, i), POY_DIM_ANGLE);
        x->body->turned |= x->body->angles[i] != 0;
    }
}

/* The largest radius of a profile. */
static double profile_radius(const poyi_body *b)
{
    enum { POINTS = 720 };
    const double *p = b->profile.parameter;
    double largest = 0, r = 0, slope;
    if (b->profile.kind == POY_PROFILE_SPHEROID)
        return fmax(p[0], p[1]);
    if (b->profile.kind == POY_PROFILE_CHEBYSHEV)
        return p[0] * (1 + fabs(p[1]));
    if (b->profile.kind == POY_PROFILE_SUPERELLIPSOID && p[2] >= 1)
        return fmax(p[0], p[1]);
    for (int i = 0; i <= POINTS; i++) {
        const double theta = fmax(POYI_PI * i / POINTS, 1e-9);
        if (b->profile.kind == POY_PROFILE_FUNCTION)
            b->profile.function(b->profile.user, theta, &r, &slope);
        else
            r = pow(pow(sin(theta) / p[0], 2 / p[2]) + pow(fabs(cos(theta)) / p[1], 2 / p[2]), -p[2] / 2);
        largest = fmax(largest, r);
    }
    return largest;
}

poy_status poyi_body_create(poy_ctx *ctx, poy_recipe *r, poyi_arena *arena, int index, poyi_body *out)
{
    reader x = {.ctx = ctx, .r = r, .arena = arena, .body = out};
    *out = (poyi_body){.around = (double)NAN};
    snprintf(x.path, sizeof x.path, "particle.%d", index);
    x.node = poyi_recipe_at(r, x.path);
    out->word = poyi_node_child(x.node, "shape")->text;
    read_angles(&x);
    if (!strcmp(out->word, "sphere") || !strcmp(out->word, "core_shell") || !strcmp(out->word, "cylinder")) {
        out->shape = !strcmp(out->word, "cylinder") ? POYI_SHAPE_CYLINDER : POYI_SHAPE_SPHERE;
        if (out->shape == POYI_SHAPE_CYLINDER && out->angles[1] != 0)
            return refuse(&x, "rotation", "cylinders lie along z: turn the light, or choose a spheroid");
        out->turned &= out->shape != POYI_SHAPE_CYLINDER;
        return read_layers(&x);
    }
    if (!strcmp(out->word, "tmatrix_file")) {
        out->shape = POYI_SHAPE_FILE;
        return read_tmatrices(&x);
    }
    out->shape = POYI_SHAPE_AXISYMMETRIC;
    POYI_TRY(ctx, read_profile(&x));
    out->around = profile_radius(out);
    return POY_OK;
}

void poyi_body_fini(poyi_body *b)
{
    for (int i = 0; b->matter && i < b->layers; i++)
        poyi_matter_fini(&b->matter[i]);
    poyi_curve_destroy(&b->curve);
    for (size_t i = 0; b->tmatrices && i < b->n_tmatrices; i++)
        poy_tmatrix_destroy(&b->tmatrices[i]);
}

/* ---- T-matrices ---- */

/* That of the file at k0, if the surroundings are those of the recipe. */
static poy_status from_file(poy_ctx *ctx, const poyi_body *b, const poy_embedding *e, poy_tmatrix **out)
{
    size_t nearest = 0;
    for (size_t i = 1; i < b->n_tmatrices; i++)
        if (fabs(poy_tmatrix_embedding(b->tmatrices[i])->k0 - e->k0) <
            fabs(poy_tmatrix_embedding(b->tmatrices[nearest])->k0 - e->k0))
            nearest = i;
    poy_tmatrix *t = b->tmatrices[nearest];
    const poy_embedding *f = poy_tmatrix_embedding(t);
    const double there = 2e9 * POYI_PI / f->k0, here = 2e9 * POYI_PI / e->k0;
    if (fabs(f->k0 - e->k0) > 1e-9 * e->k0)
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "%s has no T-matrix at %.6g nm, the nearest is at %.6g nm: sweep its points", b->file, here,
                         there);
    const poy_medium *m = &f->medium, *n = &e->medium;
    const double off = hypot(m->epsilon.re - n->epsilon.re, m->epsilon.im - n->epsilon.im) +
                       hypot(m->mu.re - n->mu.re, m->mu.im - n->mu.im) +
                       hypot(m->kappa.re - n->kappa.re, m->kappa.im - n->kappa.im);
    if (off > 1e-9 * hypot(n->epsilon.re, n->epsilon.im))
        return POYI_FAIL(
            ctx, POY_ERR_RANGE,
            "%s was computed in a medium of epsilon %g%+gi, the recipe has %g%+gi at %.6g nm: they have to "
            "agree",
            b->file, m->epsilon.re, m->epsilon.im, n->epsilon.re, n->epsilon.im, here);
    poy_tmatrix *helicity = NULL;
    if (f->poltype == POY_HELICITY)
        helicity = poy_tmatrix_retain(t);
    else
        POYI_TRY(ctx, poy_tmatrix_changepoltype(ctx, t, POY_HELICITY, &helicity));
    /* k0 and medium of the point, to the last bit: the bodies of a cluster have to agree */
    poy_status status = poy_tmatrix_create(ctx, e, poy_tmatrix_basis(helicity), poy_tmatrix_size(helicity),
                                           poy_tmatrix_size(helicity), poy_tmatrix_values(helicity), out);
    poy_tmatrix_destroy(&helicity);
    return status;
}

poy_status poyi_body_tmatrix(poy_ctx *ctx, const poyi_body *b, const poy_embedding *e, int lmax, size_t n_kz,
                             const double *kz, poy_tmatrix **out)
{
    poy_status status;
    poy_medium media[64], *m = media;
    poy_tmatrix *t = NULL;
    if (b->layers > (int)(sizeof media / sizeof *media))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%d layers: at most %zu", b->layers, sizeof media / sizeof *media);
    for (int i = 0; i < b->layers; i++)
        POYI_TRY(ctx, poyi_matter_at(ctx, &b->matter[i], e->k0, &m[i]));
    switch (b->shape) {
    case POYI_SHAPE_SPHERE: POYI_TRY(ctx, poy_tmatrix_sphere(ctx, e, lmax, (size_t)b->layers, b->radii, m, &t)); break;
    case POYI_SHAPE_CYLINDER:
        POYI_TRY(ctx, poy_tmatrix_cylinder(ctx, e, n_kz, kz, lmax, (size_t)b->layers, b->radii, m, &t));
        break;
    case POYI_SHAPE_AXISYMMETRIC: POYI_TRY(ctx, poy_tmatrix_axisymmetric(ctx, e, lmax, -1, &b->profile, m, &t)); break;
    case POYI_SHAPE_FILE: POYI_TRY(ctx, from_file(ctx, b, e, &t)); break;
    }
    *out = t;
    if (!b->turned)
        return POY_OK;
    status = poy_tmatrix_rotate(ctx, t, b->angles, out);
    poy_tmatrix_destroy(&t);
    return status;
}

/* ---- surfaces ---- */

double poyi_body_surface(const poyi_body *b, const double direction[3])
{
    const double size = hypot(hypot(direction[0], direction[1]), direction[2]), *p = b->profile.parameter;
    const double beta = b->angles[1], alpha = b->angles[0];
    double r = b->around, slope;
    if (b->shape != POYI_SHAPE_AXISYMMETRIC || !(size > 0))
        return b->around;
    /* the axis, z turned by z-y-z angles: the third turn, about the axis itself, changes nothing */
    const double axis[3] = {sin(beta) * cos(alpha), sin(beta) * sin(alpha), cos(beta)};
    const double cosine = (direction[0] * axis[0] + direction[1] * axis[1] + direction[2] * axis[2]) / size;
    const double theta = fmin(fmax(acos(fmin(fmax(cosine, -1), 1)), 1e-9), POYI_PI - 1e-9), s = sin(theta);
    switch (b->profile.kind) {
    case POY_PROFILE_SPHEROID: return 1 / hypot(s / p[0], cosine / p[1]);
    case POY_PROFILE_CHEBYSHEV: return p[0] * (1 + p[1] * cos(p[2] * theta));
    case POY_PROFILE_SUPERELLIPSOID:
        return pow(pow(s / p[0], 2 / p[2]) + pow(fabs(cosine) / p[1], 2 / p[2]), -p[2] / 2);
    case POY_PROFILE_FUNCTION: b->profile.function(b->profile.user, theta, &r, &slope); break;
    }
    return r;
}

/* ---- inside ---- */

poy_status poyi_body_lets_in(poy_ctx *ctx, const poyi_body *b, double k0, int *out)
{
    enum { FALL_MAX = 300 };
    *out = b->shape == POYI_SHAPE_SPHERE || b->shape == POYI_SHAPE_CYLINDER;
    for (int i = 0; *out && i < b->layers; i++) {
        poy_medium m;
        poy_c128 n[2];
        POYI_TRY(ctx, poyi_matter_at(ctx, &b->matter[i], k0, &m));
        POYI_TRY(ctx, poy_medium_indices(ctx, &m, n));
        if (fmax(n[0].im, n[1].im) * k0 * b->radii[i] > FALL_MAX)
            *out = 0;
    }
    return POY_OK;
}

poy_status poyi_body_interior(poy_ctx *ctx, const poyi_body *b, const poy_embedding *e, const poy_basis *basis, int k,
                              const poy_c128 *exciting, poy_wave_field kind, size_t n, const double *points,
                              poy_c128 *out)
{
    enum { KZ_MAX = 256 };
    poy_medium media[64];
    double kz[KZ_MAX];
    const poy_wave_mode *modes = poy_basis_modes(basis);
    const double *centre = poy_basis_positions(basis) + 3 * (ptrdiff_t)k;
    size_t first = 0, size = 0, n_kz = 0;
    int most = 0;
    for (int i = 0; i < b->layers; i++)
        POYI_TRY(ctx, poyi_matter_at(ctx, &b->matter[i], e->k0, &media[i]));
    for (size_t i = 0; i < poy_basis_size(basis); i++) {
        if (modes[i].particle != k)
            continue;
        first = size ? first : i;
        size++;
        most = modes[i].l > most ? modes[i].l : modes[i].m > most ? modes[i].m : most;
        if (b->shape == POYI_SHAPE_CYLINDER && (!n_kz || kz[n_kz - 1] != modes[i].kz)) {
            if (n_kz == KZ_MAX)
                return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                                 "near_field inside of cylinders: more than %d axial wavenumbers: use fewer lights",
                                 KZ_MAX);
            kz[n_kz++] = modes[i].kz;
        }
    }
    const size_t layers = (size_t)b->layers;
    if (b->shape == POYI_SHAPE_CYLINDER)
        return poy_cylinder_interior(ctx, e, n_kz, kz, most, layers, b->radii, media, centre, exciting + first, kind, 0,
                                     n, points, out);
    return poy_sphere_interior(ctx, e, most, layers, b->radii, media, centre, exciting + first, kind, 0, n, points,
                               out);
}
