/* light.c: the plane waves that a scattering recipe shines on its particles: directions, polarisations, fields. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/scatter.h"

enum { LIGHTS_MAX = 10000 };

void poyi_light_frame(const double k[3], double theta[3], double phi[3])
{
    const double q = hypot(k[0], k[1]), c = q > 0 ? k[0] / q : 1, s = q > 0 ? k[1] / q : 0;
    theta[0] = k[2] * c;
    theta[1] = k[2] * s;
    theta[2] = -q;
    phi[0] = -s;
    phi[1] = c;
    phi[2] = 0;
}

/* ---- directions ---- */

/* A value, a list, or { start, stop, num, scale } in radians, into out[n]; NULL: missing alone. */
static poy_status read_angles(poy_ctx *ctx, const poyi_node *node, poyi_arena *arena, int *n, double **out)
{
    const int is_range = node && node->kind == POYI_TABLE, is_list = node && node->kind == POYI_ARRAY;
    const int64_t count = is_range ? poyi_node_child(node, "num")->integer : is_list ? node->count : 1;
    if (count > LIGHTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "illumination.angles: %lld of them: at most %d", (long long)count,
                         LIGHTS_MAX);
    *n = (int)count;
    *out = poyi_arena_alloc(arena, (size_t)count * sizeof **out);
    if (!*out)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "illumination.angles: no memory for them");
    (*out)[0] = 0;
    if (is_range) {
        const double start = poyi_node_quantity(ctx, poyi_node_child(node, "start"), POY_DIM_ANGLE);
        const double stop = poyi_node_quantity(ctx, poyi_node_child(node, "stop"), POY_DIM_ANGLE);
        const poyi_node *scale = poyi_node_child(node, "scale");
        if (scale && poyi_is_word(scale, "log"))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "illumination.angles: scale = \"log\" of angles: leave it out");
        for (int i = 0; i < *n; i++)
            (*out)[i] = i && i == *n - 1 ? stop : start + (stop - start) * (i ? (double)i / (*n - 1) : 0);
    } else if (is_list) {
        int i = 0;
        for (const poyi_node *x = node->first; x; x = x->next)
            (*out)[i++] = poyi_node_quantity(ctx, x, POY_DIM_ANGLE);
    } else if (node) {
        (*out)[0] = poyi_node_quantity(ctx, node, POY_DIM_ANGLE);
    }
    return POY_OK;
}

static void turn_to(poyi_light *l, double theta, double phi)
{
    l->angles[0] = theta;
    l->angles[1] = phi;
    l->direction[0] = theta == 0 ? 0 : sin(theta) * cos(phi);
    l->direction[1] = theta == 0 ? 0 : sin(theta) * sin(phi);
    l->direction[2] = cos(theta);
}

/* A vector, or along the normal; the angles that go with it. */
static poy_status point_along(poy_ctx *ctx, const poyi_node *vector, int normal, poyi_light *l)
{
    double size = 0, *k = l->direction;
    for (int i = 0; i < 3; i++) {
        k[i] = vector ? poyi_node_element(vector, i)->real : i == normal;
        size = hypot(size, k[i]);
    }
    if (!(size > 0) || !isfinite(size))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "illumination.direction: has no length: give the way the light goes");
    for (int i = 0; i < 3; i++)
        k[i] /= size;
    l->angles[0] = atan2(hypot(k[0], k[1]), k[2]);
    l->angles[1] = hypot(k[0], k[1]) > 0 ? atan2(k[1], k[0]) : 0;
    return POY_OK;
}

/* ---- polarisations ---- */

/* E in helicity waves: its products with their unit polarisation vectors. */
static poy_status polarise(poy_ctx *ctx, const poyi_node *node, poyi_light *l)
{
    const char *word = node && node->kind == POYI_STRING ? node->text : "";
    const double *k = l->direction, zero[2] = {0, 0};
    const poy_c128 kx[2] = {{k[0], 0}, {k[0], 0}}, ky[2] = {{k[1], 0}, {k[1], 0}}, kz[2] = {{k[2], 0}, {k[2], 0}};
    const int64_t pol[2] = {0, 1};
    poy_c128 e[2][3];
    double theta[3], phi[3], field[3] = {0};
    if (node && (poyi_node_is_number(node) || !strcmp(word, "left") || !strcmp(word, "right"))) {
        const int positive = poyi_node_is_number(node) ? node->real > 0 : !strcmp(word, "left");
        l->polarisation[positive][0] = 1;
        l->word = positive ? "left" : "right";
        return POY_OK;
    }
    l->word = *word ? word : "x";
    poyi_light_frame(k, theta, phi);
    const int of_frame = !strcmp(word, "s") || !strcmp(word, "p"), along = !strcmp(word, "y");
    double size = 0;
    for (int i = 0; i < 3; i++) {
        field[i] = of_frame ? (*word == 's' ? phi[i] : theta[i]) : (i == along) - k[along] * k[i];
        size = hypot(size, field[i]);
    }
    if (size < 1e-6)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "illumination.polarisation: \"%s\" is along the direction of the light: choose another",
                         l->word);
    POYI_TRY(ctx, poy_sf_vpw_A(ctx, 2, kx, ky, kz, zero, zero, zero, pol, &e[0][0]));
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 3; i++) {
            l->polarisation[p][0] += e[p][i].re * field[i] / size;
            l->polarisation[p][1] -= e[p][i].im * field[i] / size;
        }
    return POY_OK;
}

/* ---- all ---- */

static poy_status check_cylinders(poy_ctx *ctx, const poyi_light *l, const char *key)
{
    if (hypot(l->direction[0], l->direction[1]) >= 1e-9)
        return POY_OK;
    return POYI_FAIL(
        ctx, POY_ERR_ARGUMENT,
        "illumination.%s: along the axis of infinite cylinders, z: choose another, e.g. direction = [1, 0, 0]", key);
}

poy_status poyi_lights_create(poy_ctx *ctx, const poy_recipe *r, poyi_arena *arena, int normal, int cylinders, int *n,
                              poyi_light **out)
{
    const poyi_node *vector = poyi_recipe_at(r, "illumination.direction"),
                    *angles = poyi_recipe_at(r, "illumination.angles");
    const poyi_node *pol = poyi_recipe_at(r, "illumination.polarisation");
    const int n_pol = pol && pol->kind == POYI_ARRAY ? pol->count : 1;
    int n_theta = 1, n_phi = 1;
    double *theta = NULL, *phi = NULL;
    if (angles) {
        POYI_TRY(ctx, read_angles(ctx, poyi_recipe_at(r, "illumination.angles.theta"), arena, &n_theta, &theta));
        POYI_TRY(ctx, read_angles(ctx, poyi_recipe_at(r, "illumination.angles.phi"), arena, &n_phi, &phi));
    }
    if ((double)n_theta * n_phi * n_pol > LIGHTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "illumination.angles: %d x %d with %d polarisations: at most %d lights",
                         n_theta, n_phi, n_pol, LIGHTS_MAX);
    *n = n_theta * n_phi * n_pol;
    *out = poyi_arena_alloc(arena, (size_t)*n * sizeof **out);
    if (!*out)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "illumination: no memory for %d lights", *n);
    for (int i = 0; i < *n; i++) {
        poyi_light *l = *out + i;
        *l = (poyi_light){.word = "x"};
        if (theta && phi)
            turn_to(l, theta[i / n_pol / n_phi], phi[i / n_pol % n_phi]);
        else
            POYI_TRY(ctx, point_along(ctx, vector, normal, l));
        if (cylinders)
            POYI_TRY(ctx, check_cylinders(ctx, l, angles ? "angles" : "direction"));
        POYI_TRY(ctx, polarise(ctx, pol && pol->kind == POYI_ARRAY ? poyi_node_element(pol, i % n_pol) : pol, l));
    }
    return POY_OK;
}

/* ---- in a medium ---- */

/* The two plane waves of a direction, and the light's amplitudes of them: helicity 1 first. */
static poy_status waves_of(poy_ctx *ctx, const poyi_light *light, poy_c128 amplitude[2], poy_basis **out)
{
    const double *d = light->direction;
    const poy_c128 q[3] = {{d[0], 0}, {d[1], 0}, {d[2], 0}};
    for (int pol = 0; pol < 2; pol++)
        amplitude[1 - pol] = (poy_c128){light->polarisation[pol][0], light->polarisation[pol][1]};
    return poy_basis_pw_default(ctx, 1, q, out);
}

poy_status poyi_light_sample(poy_ctx *ctx, const poy_embedding *e, const poyi_light *light, poy_wave_field kind,
                             size_t n, const double *points, poy_c128 *out)
{
    poy_basis *wave = NULL;
    poy_c128 a[2];
    POYI_TRY(ctx, waves_of(ctx, light, a, &wave));
    const poy_status status = poy_wave_sample(ctx, e, wave, POY_REGULAR, a, kind, 0, n, points, out);
    poy_basis_destroy(&wave);
    return status;
}

poy_status poyi_light_expand(poy_ctx *ctx, const poy_embedding *e, const poyi_light *light, const poy_basis *basis,
                             poy_c128 *out)
{
    poy_status status;
    poy_basis *wave = NULL;
    void *columns = NULL;
    const size_t n = poy_basis_size(basis);
    poy_c128 a[2];
    POYI_TRY(ctx, waves_of(ctx, light, a, &wave));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.incident", 2 * n * sizeof(poy_c128), &columns));
    const poy_c128 *c = columns;
    POYI_TO_DONE(ctx, poy_op_expand(ctx, e, basis, POY_REGULAR, wave, POY_REGULAR, columns));
    for (size_t i = 0; i < n; i++) {
        const poy_c128 u = c[2 * i], v = c[2 * i + 1];
        out[i] = (poy_c128){u.re * a[0].re - u.im * a[0].im + v.re * a[1].re - v.im * a[1].im,
                            u.re * a[0].im + u.im * a[0].re + v.re * a[1].im + v.im * a[1].re};
    }
done:
    poy_basis_destroy(&wave);
    poyi_free(&columns);
    return status;
}
