/* rotate_diff.c: derivatives of rotations by the angles, of permutations and plane phases by wavevectors and points. */
#include "math/angular/wigner.h"
#include "scatter/waves/coefficient.h"
#include "scatter/waves/diff.h"
#include "scatter/waves/expand/translation.h"
#include "scatter/waves/label.h"
#include "scatter/waves/rotate.h"
#include "scatter/waves/vector_wave.h"

/* ---- rotations ---- */

/* d/d theta d^l_{mk} = (sqrt((l + k)(l - k + 1)) d_{m,k-1} - sqrt((l - k)(l + k + 1)) d_{m,k+1}) / 2 */
static poyi_xcomplex theta_slope(int l, int m, int k, const double angles[3])
{
    const double flat[3] = {0.0, angles[1], 0.0};
    poyi_xcomplex sum = 0.0L;
    if (k > -l)
        sum += sqrtl((poyi_xreal)(l + k) * (l - k + 1)) * poyi_rotation_element(l, m, k - 1, flat);
    if (k < l)
        sum -= sqrtl((poyi_xreal)(l - k) * (l + k + 1)) * poyi_rotation_element(l, m, k + 1, flat);
    return 0.5L * poyi_xmul(sum, poyi_xphase(-(m * (poyi_xreal)angles[0] + k * (poyi_xreal)angles[2])));
}

static void rotation_slopes(const poy_basis *basis, const poy_wave_mode *a, const poy_wave_mode *b,
                            const double angles[3], poyi_xcomplex out[3])
{
    out[0] = out[1] = out[2] = 0.0L;
    if (!poyi_rotation_couples(basis, a, b))
        return;
    if (basis->kind == POY_BASIS_CYLINDRICAL) {
        const poyi_xcomplex v = poyi_xphase(-(b->m * ((poyi_xreal)angles[0] + (poyi_xreal)angles[2])));
        out[0] = out[2] = b->m * poyi_xturn(v, 3);
        return;
    }
    const poyi_xcomplex v = poyi_rotation_element(a->l, a->m, b->m, angles);
    out[0] = a->m * poyi_xturn(v, 3);
    out[1] = theta_slope(a->l, a->m, b->m, angles);
    out[2] = b->m * poyi_xturn(v, 3);
}

static poy_status check_rotation(poy_ctx *ctx, const double angles[3], const poy_basis *d, const poy_basis *s)
{
    POYI_TRY(ctx, poyi_rotation_check(ctx, angles, d, s));
    if (poyi_basis_is_plane(s))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "derivative of a rotation of %s waves: their directions turn, not they",
                         poyi_basis_kind_name(s->kind));
    return POY_OK;
}

poy_status poyi_rotate_pushforward(poy_ctx *ctx, const double angles[3], const poy_basis *destination,
                                   const poy_basis *source, const double d_angles[3], poy_c128 *d_out)
{
    POYI_TRY(ctx, check_rotation(ctx, angles, destination, source));
    if (source->kind == POY_BASIS_CYLINDRICAL && d_angles[1] != 0.0)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE, "rotation: cylindrical waves have no derivative by theta");
    for (size_t i = 0; i < destination->size; i++)
        for (size_t j = 0; j < source->size; j++) {
            poyi_xcomplex s[3], sum = 0.0L;
            rotation_slopes(source, destination->modes + i, source->modes + j, angles, s);
            for (int a = 0; a < 3; a++)
                sum += s[a] * (poyi_xreal)d_angles[a];
            d_out[i * source->size + j] = (poy_c128){(double)creall(sum), (double)cimagl(sum)};
        }
    return POY_OK;
}

poy_status poyi_rotate_pullback(poy_ctx *ctx, const double angles[3], const poy_basis *destination,
                                const poy_basis *source, const poy_c128 *g_out, double g_angles[3])
{
    poyi_xreal sum[3] = {0.0L, 0.0L, 0.0L};
    POYI_TRY(ctx, check_rotation(ctx, angles, destination, source));
    for (size_t i = 0; i < destination->size; i++)
        for (size_t j = 0; j < source->size; j++) {
            const poyi_xcomplex g = poyi_x(poyi_c(g_out[i * source->size + j]));
            poyi_xcomplex s[3];
            rotation_slopes(source, destination->modes + i, source->modes + j, angles, s);
            for (int a = 0; a < 3; a++)
                sum[a] += creall(poyi_xmul(conjl(s[a]), g));
        }
    for (int a = 0; a < 3; a++)
        g_angles[a] = (double)sum[a];
    return POY_OK;
}

/* ---- permutations ---- */

static void vector_at(const poy_c128 *vectors, size_t i, poyi_xcomplex k[3])
{
    for (size_t j = 0; j < 3; j++)
        k[j] = poyi_x(poyi_c(vectors[3 * i + j]));
}

static int turns_of(int n_turns)
{
    return (n_turns % 3 + 3) % 3;
}

static poyi_xcomplex permuted(poy_poltype poltype, int turns, int p, int q, const poyi_xcomplex k[3])
{
    return turns == 0 ? (p == q ? 1.0L : 0.0L) : poyi_permutation(poltype, p, q, turns == 2, k);
}

static poy_status check_vectors(poy_ctx *ctx, int turns, size_t n, const poy_c128 *vectors)
{
    static const char name[] = "plane permutation";
    for (size_t i = 0; i < n; i++) {
        const poy_c128 *k = vectors + 3 * i;
        POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, 1, k, k + 1, k + 2));
        if (turns == 1)
            POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, 1, k + 2, k, k + 1));
        if (turns == 2)
            POYI_TRY(ctx, poyi_check_wavevectors(ctx, name, 1, k + 1, k + 2, k));
    }
    return POY_OK;
}

poy_status poyi_plane_permutation(poy_ctx *ctx, poy_poltype poltype, int n_turns, size_t n, const poy_c128 *vectors,
                                  const int *pol, poy_c128 *out)
{
    const int turns = turns_of(n_turns);
    POYI_TRY(ctx, check_vectors(ctx, turns, n, vectors));
    for (size_t i = 0; i < n; i++)
        for (int p = 0; p < 2; p++) {
            poyi_xcomplex k[3];
            vector_at(vectors, i, k);
            out[(size_t)p * n + i] = poyi_pair((double complex)permuted(poltype, turns, p, pol[i], k));
        }
    return POY_OK;
}

/* Derivatives of the parts between equal (0) and different (1) parities: -ky kz / (b a) and -i k kx / (b a), with x for y
 * and the other sign of the second if inverse; b^2 = kx^2 + ky^2, a^2 = kz^2 + kx^2 (inverse: ky^2). 0: there are none. */
static int permutation_slopes(int inverse, const poyi_xcomplex k[3], poyi_xcomplex part[2][3])
{
    const int along = inverse ? 1 : 0, across = 1 - along; /* a^2 = kz^2 + k_along^2 */
    const poyi_xcomplex bb = poyi_xmul(k[0], k[0]) + poyi_xmul(k[1], k[1]);
    const poyi_xcomplex aa = poyi_xmul(k[2], k[2]) + poyi_xmul(k[along], k[along]);
    const poyi_xcomplex whole = bb + poyi_xmul(k[2], k[2]), length = poyi_principal_root(whole);
    if (bb == 0.0L || aa == 0.0L)
        return 0;
    const poyi_xcomplex ba = poyi_xmul(poyi_principal_root(bb), poyi_principal_root(aa));
    const poyi_xcomplex i = CMPLXL(0.0L, inverse ? 1.0L : -1.0L);
    const poyi_xcomplex same = -poyi_xmul(k[across], k[2]) / ba, cross = poyi_xmul(i, poyi_xmul(length, k[along])) / ba;
    for (int j = 0; j < 3; j++) {
        const poyi_xcomplex d_log = (j < 2 ? k[j] / bb : 0.0L) + (j == 2 || j == along ? k[j] / aa : 0.0L);
        part[0][j] = -poyi_xmul(same, d_log) - (j == across ? k[2] / ba : j == 2 ? k[across] / ba : 0.0L);
        part[1][j] = poyi_xmul(cross, k[j] / whole - d_log) + (j == along ? poyi_xmul(i, length) / ba : 0.0L);
    }
    return 1;
}

/* d out[p] / d k_j of a wave of pol q. */
static poyi_xcomplex permutation_slope(poy_poltype poltype, poyi_xcomplex part[2][3], int p, int q, int j)
{
    if (poltype == POY_PARITY)
        return part[p != q][j];
    return p == q ? part[0][j] + (poyi_xreal)poyi_pol_sign(p) * part[1][j] : 0.0L;
}

static poy_status undefined(poy_ctx *ctx, size_t i)
{
    return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                     "plane permutation: wavevector %zu is along an axis, where the polarisation has no derivative", i);
}

poy_status poyi_plane_permutation_pushforward(poy_ctx *ctx, poy_poltype poltype, int n_turns, size_t n,
                                              const poy_c128 *vectors, const int *pol, const poy_c128 *d_vectors,
                                              poy_c128 *d_out)
{
    const int turns = turns_of(n_turns);
    POYI_TRY(ctx, check_vectors(ctx, turns, n, vectors));
    for (size_t i = 0; i < n; i++) {
        poyi_xcomplex k[3], dk[3], part[2][3] = {{0.0L, 0.0L, 0.0L}, {0.0L, 0.0L, 0.0L}};
        vector_at(vectors, i, k);
        vector_at(d_vectors, i, dk);
        if (turns > 0 && !permutation_slopes(turns == 2, k, part) && (dk[0] != 0.0L || dk[1] != 0.0L || dk[2] != 0.0L))
            return undefined(ctx, i);
        for (int p = 0; p < 2; p++) {
            poyi_xcomplex sum = 0.0L;
            for (int j = 0; j < 3; j++)
                sum += poyi_xmul(permutation_slope(poltype, part, p, pol[i], j), dk[j]);
            d_out[(size_t)p * n + i] = poyi_pair((double complex)sum);
        }
    }
    return POY_OK;
}

poy_status poyi_plane_permutation_pullback(poy_ctx *ctx, poy_poltype poltype, int n_turns, size_t n,
                                           const poy_c128 *vectors, const int *pol, const poy_c128 *g_out,
                                           poy_c128 *g_vectors)
{
    const int turns = turns_of(n_turns);
    POYI_TRY(ctx, check_vectors(ctx, turns, n, vectors));
    for (size_t i = 0; i < n; i++) {
        const poyi_xcomplex g[2] = {poyi_x(poyi_c(g_out[i])), poyi_x(poyi_c(g_out[n + i]))};
        poyi_xcomplex k[3], part[2][3] = {{0.0L, 0.0L, 0.0L}, {0.0L, 0.0L, 0.0L}};
        vector_at(vectors, i, k);
        if (turns > 0 && !permutation_slopes(turns == 2, k, part) && (g[0] != 0.0L || g[1] != 0.0L))
            return undefined(ctx, i);
        for (int j = 0; j < 3; j++) {
            poyi_xcomplex sum = 0.0L;
            for (int p = 0; p < 2; p++)
                sum += poyi_xmul(conjl(permutation_slope(poltype, part, p, pol[i], j)), g[p]);
            g_vectors[3 * i + (size_t)j] = poyi_pair((double complex)sum);
        }
    }
    return POY_OK;
}

/* ---- phases ---- */

static poyi_xcomplex phase_of(const double *r, const poyi_xcomplex k[3])
{
    return poyi_xphase(k[0] * (poyi_xreal)r[0] + k[1] * (poyi_xreal)r[1] + k[2] * (poyi_xreal)r[2]);
}

static poy_status check_phases(poy_ctx *ctx, size_t n_points, const double *points, size_t n, const poy_c128 *vectors)
{
    POYI_TRY(ctx, poyi_batch_finite_real(ctx, "plane phases", "points", 3 * n_points, points));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "plane phases", "vectors", 3 * n, vectors));
    return POY_OK;
}

static poy_status too_large(poy_ctx *ctx)
{
    return POYI_FAIL(ctx, POY_ERR_RANGE, "plane phases: e^{i k.r} is beyond the largest double");
}

poy_status poyi_plane_phases(poy_ctx *ctx, size_t n_points, const double *points, size_t n, const poy_c128 *vectors,
                             poy_c128 *out)
{
    int beyond = 0;
    POYI_TRY(ctx, check_phases(ctx, n_points, points, n, vectors));
    for (size_t i = 0; i < n_points; i++)
        for (size_t j = 0; j < n; j++) {
            poyi_xcomplex k[3];
            vector_at(vectors, j, k);
            out[i * n + j] = poyi_round(phase_of(points + 3 * i, k), &beyond);
        }
    return beyond ? too_large(ctx) : POY_OK;
}

poy_status poyi_plane_phases_pushforward(poy_ctx *ctx, size_t n_points, const double *points, size_t n,
                                         const poy_c128 *vectors, const double *d_points, const poy_c128 *d_vectors,
                                         poy_c128 *d_out)
{
    int beyond = 0;
    POYI_TRY(ctx, check_phases(ctx, n_points, points, n, vectors));
    for (size_t i = 0; i < n_points; i++)
        for (size_t j = 0; j < n; j++) {
            poyi_xcomplex k[3], turns = 0.0L;
            vector_at(vectors, j, k);
            for (size_t a = 0; a < 3; a++) {
                if (d_points)
                    turns += k[a] * (poyi_xreal)d_points[3 * i + a];
                if (d_vectors)
                    turns += poyi_x(poyi_c(d_vectors[3 * j + a])) * (poyi_xreal)points[3 * i + a];
            }
            const poyi_xcomplex d = poyi_xmul(poyi_xturn(turns, 1), phase_of(points + 3 * i, k));
            d_out[i * n + j] = poyi_round(d, &beyond);
        }
    return beyond ? too_large(ctx) : POY_OK;
}

poy_status poyi_plane_phases_pullback(poy_ctx *ctx, size_t n_points, const double *points, size_t n,
                                      const poy_c128 *vectors, const poy_c128 *g_out, double *g_points,
                                      poy_c128 *g_vectors)
{
    POYI_TRY(ctx, check_phases(ctx, n_points, points, n, vectors));
    for (size_t a = 0; g_points && a < 3 * n_points; a++)
        g_points[a] = 0.0;
    for (size_t a = 0; g_vectors && a < 3 * n; a++)
        g_vectors[a] = (poy_c128){0.0, 0.0};
    for (size_t i = 0; i < n_points; i++)
        for (size_t j = 0; j < n; j++) {
            poyi_xcomplex k[3];
            vector_at(vectors, j, k);
            /* dL = Re(back d(k.r)) */
            const poyi_xcomplex g = conjl(poyi_x(poyi_c(g_out[i * n + j])));
            const poyi_xcomplex back = poyi_xturn(poyi_xmul(g, phase_of(points + 3 * i, k)), 1);
            for (size_t a = 0; a < 3; a++) {
                if (g_points)
                    g_points[3 * i + a] += (double)creall(poyi_xmul(back, k[a]));
                if (g_vectors) {
                    const poyi_xcomplex by_k = conjl(back) * (poyi_xreal)points[3 * i + a];
                    g_vectors[3 * j + a].re += (double)creall(by_k);
                    g_vectors[3 * j + a].im += (double)cimagl(by_k);
                }
            }
        }
    POYI_TRY(ctx, poyi_check_gradient(ctx, "plane phases", 3 * n_points, g_points));
    POYI_TRY(ctx, poyi_check_complex_gradient(ctx, "plane phases", 3 * n, g_vectors));
    return POY_OK;
}
