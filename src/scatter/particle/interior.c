/* interior.c: the waves inside of layered spheres and cylinders, for given waves that excite them, and their fields.
 *
 * From the core, where one regular wave of each helicity stands, the tangential fields are carried outwards interface by interface; all
 * coefficients are then divided by those of the regular waves outside. In extended precision, whose range holds what grows. */
#include <string.h>

#include "core/core.h"
#include "math/math.h"
#include "poynting/particle.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/waves.h"

enum { REGULAR, SINGULAR, KINDS };

typedef struct particle {
    const char *who;
    int cylinder, most; /* degrees 1 .. most, or orders -most .. most */
    size_t layers;
    double kz;
    const double *radii;
    poyi_optics *optics; /* [layers + 1], from the inside to the surroundings */
} particle;

/* Coefficients of a layer: regular and singular waves of both pols (rows) for both exciting pols (columns). */
typedef struct block {
    poyi_xcomplex c[KINDS][2][2];
} block;

static size_t labels(const particle *p)
{
    return p->cylinder ? 2 * (size_t)p->most + 1 : (size_t)p->most;
}

/* ---- tangential fields ----
 * Spheres: E_Y = sum g_p, E_X = sum s f_p, Z H_Y = sum s g_p, Z H_X = sum f_p with f = z_l and g = z_l' + z_l / z.
 * Cylinders: E_z = sum f_p, E_phi = sum g_p, and Z H likewise with s, f = (k_rho / k) F_m,
 * g = -kz m F_m / (k x) - s F_m', x = k_rho r. */

/* f and g of one pol for regular and singular waves, and the determinant f_r g_s - f_s g_r by their Wronskian. */
typedef struct radial {
    poyi_xcomplex f[KINDS], g[KINDS], determinant;
} radial;

/* Functions of orders 0 .. most at one side of an interface: [2 pols][KINDS][most + 1]. */
static void fill_tables(const particle *p, size_t medium, double r, poyi_xcomplex *tables)
{
    for (int pol = 0; pol < 2; pol++)
        for (int kind = 0; kind < KINDS; kind++) {
            const double complex k = p->optics[medium].ks[pol];
            const double complex wave = p->cylinder ? poyi_normal_wavenumber(p->kz, 0.0, k) : k;
            poyi_xcomplex *table = tables + (size_t)(KINDS * pol + kind) * ((size_t)p->most + 2);
            if (p->cylinder)
                poyi_cylindrical_table(kind, p->most + 1, poyi_x(wave) * (poyi_xreal)r, table);
            else
                poyi_wave_radial_table(kind, p->most + 1, poyi_x(wave) * (poyi_xreal)r, table);
        }
}

static radial radial_of(const particle *p, size_t medium, double r, const poyi_xcomplex *tables, int label, int pol)
{
    radial out;
    const poyi_xcomplex k = poyi_x(p->optics[medium].ks[pol]);
    const int order = label < 0 ? -label : label;
    const poyi_xreal sign = pol ? 1.0L : -1.0L, mirror = label < 0 && order % 2 ? -1.0L : 1.0L;
    for (int kind = 0; kind < KINDS; kind++) {
        const poyi_xcomplex *z = tables + (size_t)(KINDS * pol + kind) * ((size_t)p->most + 2) + order;
        if (!p->cylinder) {
            const poyi_xcomplex x = k * (poyi_xreal)r;
            out.f[kind] = z[0];
            out.g[kind] = (poyi_xreal)(order + 1) / x * z[0] - z[1];
            out.determinant = CMPLXL(0.0L, 1.0L) / (x * x);
            continue;
        }
        const poyi_xcomplex wave = poyi_x(poyi_normal_wavenumber(p->kz, 0.0, p->optics[medium].ks[pol]));
        const poyi_xcomplex x = wave * (poyi_xreal)r, slope = (poyi_xreal)order / x * z[0] - z[1];
        out.f[kind] = mirror * wave / k * z[0];
        out.g[kind] = mirror * (-(poyi_xreal)p->kz * (poyi_xreal)label / (k * x) * z[0] - sign * slope);
        out.determinant = -sign * wave / k * CMPLXL(0.0L, 2.0L) / (POYI_PIL * x);
    }
    return out;
}

/* Coefficients outside of an interface from those inside. */
static void cross(const particle *p, size_t face, int label, const poyi_xcomplex *in, const poyi_xcomplex *out,
                  block *b)
{
    const poyi_xcomplex t = poyi_x(p->optics[face + 1].impedance) / poyi_x(p->optics[face].impedance);
    const double r = p->radii[face];
    poyi_xcomplex f[2][2] = {{0}}, g[2][2] = {{0}};
    for (int q = 0; q < 2; q++) {
        const radial inner = radial_of(p, face, r, in, label, q);
        for (int pol = 0; pol < 2; pol++) {
            const poyi_xreal s = pol == q ? 1.0L : -1.0L;
            const poyi_xcomplex odd = 0.5L * (1.0L + s * t), even = p->cylinder ? odd : 0.5L * (t + s);
            for (int column = 0; column < 2; column++)
                for (int kind = 0; kind < KINDS; kind++) {
                    f[pol][column] += even * inner.f[kind] * b->c[kind][q][column];
                    g[pol][column] += odd * inner.g[kind] * b->c[kind][q][column];
                }
        }
    }
    for (int pol = 0; pol < 2; pol++) {
        const radial outer = radial_of(p, face + 1, r, out, label, pol);
        for (int column = 0; column < 2; column++) {
            b->c[REGULAR][pol][column] =
                (f[pol][column] * outer.g[SINGULAR] - g[pol][column] * outer.f[SINGULAR]) / outer.determinant;
            b->c[SINGULAR][pol][column] =
                (g[pol][column] * outer.f[REGULAR] - f[pol][column] * outer.g[REGULAR]) / outer.determinant;
        }
    }
}

/* b times the inverse of the regular coefficients outside. */
static void divide(block *b, const block *outside)
{
    const poyi_xcomplex(*a)[2] = outside->c[REGULAR];
    const poyi_xcomplex determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    for (int kind = 0; kind < KINDS; kind++)
        for (int pol = 0; pol < 2; pol++) {
            const poyi_xcomplex u = b->c[kind][pol][0], v = b->c[kind][pol][1];
            b->c[kind][pol][0] = (u * a[1][1] - v * a[1][0]) / determinant;
            b->c[kind][pol][1] = (v * a[0][0] - u * a[0][1]) / determinant;
        }
}

/* Of all layers and labels: blocks[layers][labels], and with the work of two tables. */
static poy_status solve(poy_ctx *ctx, const particle *p, poyi_xcomplex *tables, block *now, block *blocks)
{
    const size_t n = labels(p), width = (size_t)2 * KINDS * ((size_t)p->most + 2);
    for (size_t k = 0; k < n; k++)
        now[k] = (block){{{{1.0L, 0.0L}, {0.0L, 1.0L}}, {{0.0L, 0.0L}, {0.0L, 0.0L}}}};
    for (size_t face = 0; face < p->layers; face++) {
        fill_tables(p, face, p->radii[face], tables);
        fill_tables(p, face + 1, p->radii[face], tables + width);
        memcpy(blocks + face * n, now, n * sizeof *now);
        for (size_t k = 0; k < n; k++)
            cross(p, face, (int)k + (p->cylinder ? -p->most : 1), tables, tables + width, now + k);
    }
    for (size_t i = 0; i < p->layers * n; i++) {
        divide(blocks + i, now + i % n);
        for (int e = 0; e < KINDS * 4; e++) {
            const poyi_xcomplex v = blocks[i].c[e / 4][e / 2 % 2][e % 2];
            if (!isfinite(creall(v)) || !isfinite(cimagl(v)))
                return POYI_FAIL(ctx, POY_ERR_RANGE,
                                 "%s: waves in layer %zu leave the range of numbers: its losses are too large, or %s "
                                 "too high",
                                 p->who, i / n, p->cylinder ? "mmax" : "lmax");
        }
    }
    return POY_OK;
}

/* ---- fields ---- */

/* The exciting waves [waves][labels per kz][pol 1, 0] of one kz as waves of layer i, both kinds, in the same order. */
static void excite(const particle *p, const block *blocks, const poy_c128 *exciting, poy_c128 *inside[KINDS])
{
    size_t at = 0;
    for (size_t k = 0; k < labels(p); k++)
        for (size_t m = 0; m < (p->cylinder ? 1 : 2 * k + 3); m++, at += 2)
            for (int kind = 0; kind < KINDS; kind++)
                for (int pol = 0; pol < 2; pol++) {
                    const double complex v =
                        (double complex)(blocks[k].c[kind][pol][1] * poyi_x(poyi_c(exciting[at])) +
                                         blocks[k].c[kind][pol][0] * poyi_x(poyi_c(exciting[at + 1])));
                    inside[kind][at + 1 - (size_t)pol] = poyi_pair(v);
                }
}

typedef struct request {
    const double *center, *points;
    poy_wave_field field;
    int pol;
    size_t n;
    poy_c128 *out;
} request;

static double distance(const particle *p, const request *r, size_t i)
{
    const double *x = r->points + 3 * i, *c = r->center;
    return hypot(hypot(x[0] - c[0], x[1] - c[1]), p->cylinder ? 0.0 : x[2] - c[2]);
}

/* The layer of a point: 0 is the core; layers where it is outside. */
static size_t layer_of(const particle *p, const request *r, size_t i)
{
    size_t layer = 0;
    while (layer < p->layers && distance(p, r, i) > p->radii[layer])
        layer++;
    return layer;
}

/* Adds the field of the waves of one layer at its points. */
static poy_status add_layer(poy_ctx *ctx, const particle *p, const poy_embedding *e, const poy_basis *basis,
                            size_t layer, const request *r, poy_c128 *const inside[KINDS])
{
    poy_status status = POY_OK;
    void *memory = NULL;
    size_t count = 0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.interior", r->n * (3 * sizeof(poy_c128) + 3 * sizeof(double)), &memory));
    poy_c128 *values = memory;
    double *points = (double *)(void *)(values + 3 * r->n);
    for (size_t i = 0; i < r->n; i++)
        if (layer_of(p, r, i) == layer)
            memcpy(points + 3 * count++, r->points + 3 * i, 3 * sizeof *points);
    for (int kind = 0; kind < (layer ? KINDS : 1) && count; kind++) {
        POYI_TO_DONE(ctx, poy_wave_sample(ctx, e, basis, kind ? POY_SINGULAR : POY_REGULAR, inside[kind], r->field,
                                          r->pol, count, points, values));
        for (size_t i = 0, k = 0; i < r->n; i++)
            for (size_t d = 0; d < 3 && layer_of(p, r, i) == layer; d++, k++)
                r->out[3 * i + d] = poyi_pair(poyi_c(r->out[3 * i + d]) + poyi_c(values[k]));
    }
done:
    poyi_free(&memory);
    return status;
}

/* Of one kz: modes [size] of the basis start at exciting. */
static poy_status sample(poy_ctx *ctx, const particle *p, const poy_embedding *around, const poy_medium *media,
                         const poy_basis *basis, const poy_c128 *exciting, const request *r)
{
    poy_status status;
    void *memory = NULL;
    const size_t n = labels(p), width = (size_t)2 * KINDS * ((size_t)p->most + 2), size = poy_basis_size(basis);
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.interior",
                             2 * width * sizeof(poyi_xcomplex) + (p->layers + 1) * n * sizeof(block) +
                                 3 * size * sizeof(poy_c128),
                             &memory));
    poyi_xcomplex *tables = memory;
    block *now = (block *)(void *)(tables + 2 * width), *blocks = now + n;
    poy_c128 *a = (poy_c128 *)(void *)(blocks + p->layers * n), *inside[KINDS] = {a + size, a + 2 * size};
    for (size_t i = 0; i < size; i += 2) { /* pol 1 before pol 0; N = (A_1 + A_0) / sqrt 2, M = (A_1 - A_0) / sqrt 2 */
        const double complex one = poyi_c(exciting[i]), none = poyi_c(exciting[i + 1]);
        const int parity = around->poltype == POY_PARITY;
        a[i] = parity ? poyi_pair((one + none) * sqrt(0.5)) : exciting[i];
        a[i + 1] = parity ? poyi_pair((one - none) * sqrt(0.5)) : exciting[i + 1];
    }
    POYI_TO_DONE(ctx, solve(ctx, p, tables, now, blocks));
    for (size_t layer = 0; layer < p->layers; layer++) {
        const poy_embedding e = {around->k0, media[layer], POY_HELICITY};
        excite(p, blocks + layer * n, a, inside);
        POYI_TO_DONE(ctx, add_layer(ctx, p, &e, basis, layer, r, inside));
    }
done:
    poyi_free(&memory);
    return status;
}

/* ---- public ---- */

static poy_status check(poy_ctx *ctx, const particle *p, const poy_medium *media, const request *r)
{
    if (p->layers < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: no layers, needs at least 1", p->who);
    for (size_t i = 0; i < p->layers; i++) {
        if (!isfinite(p->radii[i]) || !(p->radii[i] > (i ? p->radii[i - 1] : 0.0)))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: radius[%zu] = %g, needs a finite number above %g", p->who, i,
                             p->radii[i], i ? p->radii[i - 1] : 0.0);
        POYI_TRY(ctx, poyi_medium_check_plane(ctx, media + i));
    }
    for (size_t i = 0; i < r->n; i++)
        if (layer_of(p, r, i) == p->layers)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: point %zu is %g from the centre, outside of the radius %g",
                             p->who, i, distance(p, r, i), p->radii[p->layers - 1]);
    return POY_OK;
}

/* Media as physics sees them: those of the layers, and around. */
static poy_status find_optics(poy_ctx *ctx, const poy_embedding *around, size_t layers, const poy_medium *media,
                              poyi_optics *out)
{
    POYI_TRY(ctx, poyi_embedding_optics(ctx, around, out + layers));
    for (size_t i = 0; i < layers; i++) {
        const poy_embedding e = {around->k0, media[i], POY_HELICITY};
        POYI_TRY(ctx, poyi_embedding_optics(ctx, &e, out + i));
    }
    return POY_OK;
}

poy_status poy_sphere_interior(poy_ctx *ctx, const poy_embedding *embedding, int lmax, size_t layers,
                               const double *radii, const poy_medium *media, const double center[3],
                               const poy_c128 *exciting, poy_wave_field field, int pol, size_t n_points,
                               const double *points, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    poy_basis *basis = NULL;
    particle p = {.who = "sphere_interior", .most = lmax, .layers = layers, .radii = radii};
    const request r = {center, points, field, pol, n_points, out};
    POYI_TRY(ctx, check(ctx, &p, media, &r));
    POYI_TO_DONE(ctx, poy_basis_sw_default(ctx, lmax, 1, center, &basis));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.media", (layers + 1) * sizeof(poyi_optics), &memory));
    p.optics = memory;
    POYI_TO_DONE(ctx, find_optics(ctx, embedding, layers, media, p.optics));
    memset(out, 0, 3 * n_points * sizeof *out);
    status = sample(ctx, &p, embedding, media, basis, exciting, &r);
done:
    poy_basis_destroy(&basis);
    poyi_free(&memory);
    return status;
}

poy_status poy_cylinder_interior(poy_ctx *ctx, const poy_embedding *embedding, size_t n_kz, const double *kz, int mmax,
                                 size_t layers, const double *radii, const poy_medium *media, const double center[3],
                                 const poy_c128 *exciting, poy_wave_field field, int pol, size_t n_points,
                                 const double *points, poy_c128 *out)
{
    poy_status status;
    void *memory = NULL;
    poy_basis *basis = NULL;
    particle p = {.who = "cylinder_interior", .cylinder = 1, .most = mmax, .layers = layers, .radii = radii};
    const request r = {center, points, field, pol, n_points, out};
    POYI_TRY(ctx, check(ctx, &p, media, &r));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.media", (layers + 1) * sizeof(poyi_optics), &memory));
    p.optics = memory;
    POYI_TO_DONE(ctx, find_optics(ctx, embedding, layers, media, p.optics));
    memset(out, 0, 3 * n_points * sizeof *out);
    for (size_t i = 0; i < n_kz; i++) {
        p.kz = kz[i];
        for (size_t k = 0; k < 2 * (layers + 1); k++)
            if (poyi_normal_wavenumber(kz[i], 0.0, p.optics[k / 2].ks[k % 2]) == 0.0) {
                status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                   "cylinder_interior: kz = %g is the wavenumber of medium %zu: a branch point", kz[i],
                                   k / 2);
                goto done;
            }
        poy_basis_destroy(&basis);
        POYI_TO_DONE(ctx, poy_basis_cw_default(ctx, 1, kz + i, mmax, 1, center, &basis));
        POYI_TO_DONE(ctx, sample(ctx, &p, embedding, media, basis, exciting + i * poy_basis_size(basis), &r));
    }
    status = POY_OK;
done:
    poy_basis_destroy(&basis);
    poyi_free(&memory);
    return status;
}
