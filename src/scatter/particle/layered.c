/* layered.c: scattering coefficients of layered spheres and cylinders from pairs of radial functions.
 *
 * With P = v F_{k+1} - e F_k and H = v S_{k+1} - e S_k (F, S: of the medium outside an interface) the coefficients outside are
 * a = -H / omega and b = P / omega. The quotient R = b / a is carried from one interface to the next in units of the functions
 * there, so that only factors of A / A' occur, which fall with the thickness where fields grow. */
#include "scatter/particle/layered.h"

#include <string.h>

typedef poyi_matrix2 mat;

static mat mat_times(mat a, mat b)
{
    mat c;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c.m[i][j] = poyi_times(a.m[i][0], b.m[0][j]) + poyi_times(a.m[i][1], b.m[1][j]);
    return c;
}

/* a b^-1 */
static mat mat_over(mat a, mat b)
{
    /* rows of b^T x^T = a^T, by the pivot that is larger in the first column of b^T */
    mat x;
    const int p = poyi_size(b.m[0][0]) >= poyi_size(b.m[0][1]) ? 0 : 1, q = 1 - p;
    const double complex factor = poyi_over(b.m[0][q], b.m[0][p]);
    const double complex last = b.m[1][q] - poyi_times(factor, b.m[1][p]);
    for (int i = 0; i < 2; i++) {
        x.m[i][1] = poyi_over(a.m[i][q] - poyi_times(factor, a.m[i][p]), last);
        x.m[i][0] = poyi_over(a.m[i][p] - poyi_times(b.m[1][p], x.m[i][1]), b.m[0][p]);
    }
    return x;
}

size_t poyi_layered_bytes(size_t layers, int64_t orders, size_t tangents)
{
    const size_t one = layers * (sizeof(double) + sizeof(poyi_interface)) + 2 * (layers + 1) * sizeof(poyi_xcomplex);
    return (one + sizeof(poyi_layered_tangent)) * (tangents + 1) +
           4 * layers * (size_t)(orders + 1) * sizeof(poyi_wave_pair) + 64;
}

/* The next n of elements of 16 bytes alignment from a memory. */
static void *carve(unsigned char **at, size_t bytes)
{
    void *here = *at;
    *at += (bytes + 15) / 16 * 16;
    return here;
}

void poyi_layered_place(poyi_layered *l, void *memory, poyi_wave_family family, size_t layers, int64_t orders,
                        size_t tangents)
{
    unsigned char *at = memory;
    *l = (poyi_layered){.family = family, .layers = layers, .orders = orders, .tangents = tangents};
    l->k = carve(&at, 2 * (layers + 1) * sizeof *l->k);
    l->faces = carve(&at, layers * sizeof *l->faces);
    l->pairs = carve(&at, 4 * layers * (size_t)(orders + 1) * sizeof *l->pairs);
    l->tangent = carve(&at, tangents * sizeof *l->tangent);
    for (size_t t = 0; t < tangents; t++) {
        l->tangent[t].k = carve(&at, 2 * (layers + 1) * sizeof *l->tangent[t].k);
        l->tangent[t].faces = carve(&at, layers * sizeof *l->faces);
    }
    l->x = carve(&at, layers * sizeof *l->x);
    for (size_t t = 0; t < tangents; t++, at += layers * sizeof(double))
        l->tangent[t].x = (double *)(void *)at;
}

void poyi_layered_pairs(poyi_layered *l, int pols)
{
    const size_t stride = (size_t)(l->orders + 1);
    for (size_t face = 0; face < l->layers; face++)
        for (size_t side = 0; side < 2; side++)
            for (int pol = 0; pol < 2; pol++) {
                poyi_wave_pair *pair = l->pairs + ((face * 2 + side) * 2 + (size_t)pol) * stride;
                if (pol < pols)
                    poyi_wave_pairs(l->family, l->k[2 * (face + side) + (size_t)pol] * l->x[face], l->orders, pair);
            }
}

/* ---- coupled helicities ---- */

/* A field at one side of an interface, and its tangents. below: 2 k / z v - e of helicities that are near. */
typedef struct state {
    mat v, e, below;
} state;

static double complex tangent_z(const poyi_layered *l, size_t t, size_t face, size_t side, int pol)
{
    const size_t at = 2 * (face + side) + (size_t)pol;
    return (double complex)l->k[at] * l->tangent[t].x[face] + l->tangent[t].k[at] * l->x[face];
}

/* d(F_k, F_{k+1}) / dz of either function, in the units of the pair. */
static void slopes(double edge_over_z_re, double edge_over_z_im, double complex lower_edge, double complex f,
                   double complex fp, double complex out[2])
{
    out[0] = poyi_times(CMPLX(edge_over_z_re, edge_over_z_im), f) - fp;
    out[1] = f - poyi_times(lower_edge, fp);
}

/* Slopes of (u, up) and (s, sp). F_{k+1}' = F_k - (edge' / z) F_{k+1}: edge' is k + 1 in both families. */
static void pair_slopes(const poyi_layered *l, int64_t k, const poyi_wave_pair *p, double complex z,
                        double complex regular[2], double complex singular[2])
{
    const double complex edge = poyi_pair_edge(l->family, k) / z, lower = (double)(k + 1) / z;
    slopes(creal(edge), cimag(edge), lower, p->u, p->up, regular);
    slopes(creal(edge), cimag(edge), lower, p->s, p->sp, singular);
}

/* v' = alpha v, e' = edge beta v + gamma e */
static state cross(const poyi_interface *f, double edge, const state *s)
{
    mat alpha, beta, gamma;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            alpha.m[i][j] = f->alpha[i][j];
            beta.m[i][j] = edge * f->beta[i][j];
            gamma.m[i][j] = f->gamma[i][j];
        }
    state out = {.v = mat_times(alpha, s->v), .e = mat_times(gamma, s->e)};
    const mat more = mat_times(beta, s->v);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            out.e.m[i][j] += more.m[i][j];
    return out;
}

static void add_state(state *a, const state *b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            a->v.m[i][j] += b->v.m[i][j];
            a->e.m[i][j] += b->e.m[i][j];
        }
}

/* The below of helicities that are near, from the field inside. */
static void cross_near(const poyi_interface *f, double edge, const state *before, state *after)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 && f->near[i]; j++) {
            after->below.m[i][j] = 0.0;
            for (int q = 0; q < 2; q++)
                after->below.m[i][j] += edge * poyi_times(f->below[i][q], before->v.m[q][j]) -
                                        poyi_times(f->gamma[i][q], before->e.m[q][j]);
        }
}

/* The regular column of an innermost medium, or the field at the outer side of a layer with quotient r. */
static state inside(const poyi_wave_pair *const p[2], const mat *r)
{
    state s;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            s.v.m[i][j] = (i == j ? p[i]->u : 0.0) + (r ? poyi_times(p[i]->s, r->m[i][j]) : 0.0);
            s.e.m[i][j] = (i == j ? p[i]->up : 0.0) + (r ? poyi_times(p[i]->sp, r->m[i][j]) : 0.0);
        }
    return s;
}

static state inside_tangent(const poyi_layered *l, int64_t k, size_t t, size_t face, const poyi_wave_pair *const p[2],
                            const mat *r, const mat *d_r)
{
    state s;
    for (int i = 0; i < 2; i++) {
        double complex f[2], g[2];
        const double complex z = poyi_layered_z(l, face, 0, i), dz = tangent_z(l, t, face, 0, i);
        pair_slopes(l, k, p[i], z, f, g);
        for (int j = 0; j < 2; j++) {
            s.v.m[i][j] = i == j ? f[0] * dz : 0.0;
            s.e.m[i][j] = i == j ? f[1] * dz : 0.0;
            if (!r)
                continue;
            s.v.m[i][j] += poyi_times(g[0] * dz, r->m[i][j]) + poyi_times(p[i]->s, d_r->m[i][j]);
            s.e.m[i][j] += poyi_times(g[1] * dz, r->m[i][j]) + poyi_times(p[i]->sp, d_r->m[i][j]);
        }
    }
    return s;
}

/* P and H of a field against the functions of the outside. */
static void project(const poyi_wave_pair *const p[2], const state *s, mat *regular, mat *singular)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            regular->m[i][j] = poyi_times(s->v.m[i][j], p[i]->up) - poyi_times(s->e.m[i][j], p[i]->u);
            singular->m[i][j] = poyi_times(s->v.m[i][j], p[i]->sp) - poyi_times(s->e.m[i][j], p[i]->s);
        }
}

/* The same of helicities that are near, by the functions of order k - 1: P = below F_k - v F_{k-1}. Of F_{k-1}, the largest of three, the
 * recurrence loses nothing; S_{k-1}, the smallest, comes from its own pair. */
static void project_near(const poyi_layered *l, int64_t k, size_t face, const poyi_wave_pair *const p[2],
                         const state *s, mat *regular, mat *singular)
{
    for (int i = 0; i < 2 && k > 0; i++) {
        if (!l->faces[face].near[i])
            continue;
        const poyi_wave_pair *lower = poyi_layered_pair(l, face, 1, i, k - 1);
        const double complex twice = 2.0 * (double)k / poyi_layered_z(l, face, 1, i);
        const double complex f = poyi_times(twice, p[i]->u) - p[i]->up;
        const double complex g = poyi_size(lower->sp) > 0.5 ? poyi_times(p[i]->s, poyi_over(lower->s, lower->sp))
                                                            : poyi_times(twice, p[i]->s) - p[i]->sp;
        for (int j = 0; j < 2; j++) {
            regular->m[i][j] = poyi_times(s->below.m[i][j], p[i]->u) - poyi_times(s->v.m[i][j], f);
            singular->m[i][j] = poyi_times(s->below.m[i][j], p[i]->s) - poyi_times(s->v.m[i][j], g);
        }
    }
}

static void project_tangent(const poyi_layered *l, int64_t k, size_t t, size_t face, const poyi_wave_pair *const p[2],
                            const state *s, const state *d_s, mat *regular, mat *singular)
{
    project(p, d_s, regular, singular);
    for (int i = 0; i < 2; i++) {
        double complex f[2], g[2];
        const double complex z = poyi_layered_z(l, face, 1, i), dz = tangent_z(l, t, face, 1, i);
        pair_slopes(l, k, p[i], z, f, g);
        for (int j = 0; j < 2; j++) {
            regular->m[i][j] += dz * (poyi_times(s->v.m[i][j], f[1]) - poyi_times(s->e.m[i][j], f[0]));
            singular->m[i][j] += dz * (poyi_times(s->v.m[i][j], g[1]) - poyi_times(s->e.m[i][j], g[0]));
        }
    }
}

/* R in units of the functions at the next interface per R here: -(omega'_p / omega_p) (w_q / w'_p) (A_p / A'_p)
 * (A_q / A'_q), omega = -c or i c. */
static mat carry(const poyi_layered *l, size_t face, const poyi_wave_pair *const at[2],
                 const poyi_wave_pair *const to[2])
{
    double complex ratio[2], omega[2], next[2];
    int64_t e[2] = {0, 0};
    mat f;
    for (int p = 0; p < 2; p++) {
        const poyi_xcomplex k = l->k[2 * face + 2 + (size_t)p];
        const double complex turn = poyi_pair_is_real(k) ? -1.0 : CMPLX(0.0, 1.0);
        ratio[p] = poyi_pair_ratio(at[p], to[p], poyi_layered_step(l, face, p), e + p);
        omega[p] = turn * poyi_pair_c(l->family, poyi_layered_z(l, face, 1, p));
        next[p] = turn * poyi_pair_c(l->family, poyi_layered_z(l, face + 1, 0, p));
    }
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            f.m[p][q] =
                -poyi_pair_ldexp(poyi_times(poyi_over(poyi_times(next[p], at[q]->w), poyi_times(omega[p], to[p]->w)),
                                            poyi_times(ratio[p], ratio[q])),
                                 e[p] + e[q]);
    return f;
}

static mat by_entries(const mat *a, const mat *b)
{
    mat c;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c.m[i][j] = poyi_times(a->m[i][j], b->m[i][j]);
    return c;
}

/* With cylinders omega moves with z: d ln omega = -dz / z, in rows of P and H alike. */
static void add_omega_tangent(const poyi_layered *l, size_t t, size_t face, const mat *r, mat *d_r)
{
    if (l->family != POYI_WAVES_OF_CYLINDERS)
        return;
    double complex d[2];
    for (int p = 0; p < 2; p++)
        d[p] = tangent_z(l, t, face, 1, p) / poyi_layered_z(l, face, 1, p);
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            d_r->m[p][q] += r->m[p][q] * (d[p] - d[q]);
}

/* i A_p A_q w_q without exp(-i z), as a number and a power of 2. */
static double complex outer_scale(const poyi_wave_pair *p, const poyi_wave_pair *q, int64_t *e)
{
    *e = p->e + q->e;
    return CMPLX(0.0, 1.0) * poyi_times(poyi_times(p->a, q->a), q->w);
}

/* N = c H - i g P where z is real (g = A^2 w), else c H: T = i A_p / c_p
 * (P N^-1)_pq c_q A_q w_q. */
static mat denominator(const poyi_layered *l, const poyi_wave_pair *const p[2], const mat *regular, const mat *singular)
{
    mat n;
    for (int i = 0; i < 2; i++) {
        const double complex c = poyi_pair_c(l->family, poyi_layered_z(l, l->layers - 1, 1, i));
        int64_t e;
        const double complex g = outer_scale(p[i], p[i], &e);
        const double complex ig = poyi_pair_is_real(l->k[2 * l->layers + (size_t)i]) ? poyi_pair_ldexp(g, e) : 0.0;
        for (int j = 0; j < 2; j++)
            n.m[i][j] = poyi_times(c, singular->m[i][j]) - poyi_times(ig, regular->m[i][j]);
    }
    return n;
}

/* exp(-i z) */
static double complex phase_back(poyi_xcomplex z)
{
    return (double complex)cexpl(poyi_xturn(z, -1));
}

static mat scales_outside(const poyi_layered *l, const poyi_wave_pair *const p[2])
{
    mat f;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            int64_t e;
            const double complex c = poyi_over(poyi_pair_c(l->family, poyi_layered_z(l, l->layers - 1, 1, j)),
                                               poyi_pair_c(l->family, poyi_layered_z(l, l->layers - 1, 1, i)));
            const double complex scale = poyi_times(c, outer_scale(p[i], p[j], &e));
            poyi_xcomplex z = 0.0L; /* z_p + z_q of those that are not real */
            for (int q = 0; q < 2; q++) {
                const poyi_xcomplex k = l->k[2 * l->layers + (size_t)(q ? j : i)];
                if (!poyi_pair_is_real(k))
                    z += k * (poyi_xreal)l->x[l->layers - 1];
            }
            f.m[i][j] = poyi_pair_ldexp(z == 0.0L ? scale : poyi_times(scale, phase_back(z)), e);
        }
    return f;
}

static mat difference(const mat *a, mat b)
{
    mat c;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c.m[i][j] = a->m[i][j] - b.m[i][j];
    return c;
}

static void scale_state(state *s)
{
    /* columns are free */
    for (int j = 0; j < 2; j++) {
        double size = 0.0;
        for (int i = 0; i < 2; i++)
            size = fmax(size, fmax(poyi_size(s->v.m[i][j]), poyi_size(s->e.m[i][j])));
        if (size > 0.0 && isfinite(size))
            for (int i = 0; i < 2; i++) {
                s->v.m[i][j] /= size;
                s->e.m[i][j] /= size;
                s->below.m[i][j] /= size;
            }
    }
}

void poyi_layered_coupled(const poyi_layered *l, int64_t k, poyi_matrix2 *t, poyi_matrix2 *d_t)
{
    const double edge = poyi_pair_edge(l->family, k);
    const size_t last = l->layers - 1;
    mat r = {{{0.0}}};
    for (size_t face = 0; face < l->layers; face++) {
        const poyi_wave_pair *in[2], *out[2], *next[2];
        for (int p = 0; p < 2; p++) {
            in[p] = poyi_layered_pair(l, face, 0, p, k);
            out[p] = poyi_layered_pair(l, face, 1, p, k);
            next[p] = face < last ? poyi_layered_pair(l, face + 1, 0, p, k) : NULL;
        }
        const state before = inside(in, face ? &r : NULL);
        state after = cross(l->faces + face, edge, &before);
        cross_near(l->faces + face, edge, &before, &after);
        if (l->tangents == 0)
            scale_state(&after);
        mat regular, singular;
        project(out, &after, &regular, &singular);
        project_near(l, k, face, out, &after, &regular, &singular);
        const mat n = face < last ? singular : denominator(l, out, &regular, &singular);
        const mat scale = face < last ? carry(l, face, out, next) : scales_outside(l, out);
        const mat quotient = mat_over(regular, n);
        for (size_t i = 0; i < l->tangents; i++) { /* d_t holds the tangents of r */
            state d_after = inside_tangent(l, k, i, face, in, face ? &r : NULL, d_t + i);
            d_after = cross(l->faces + face, edge, &d_after);
            const state more = cross(l->tangent[i].faces + face, edge, &before);
            mat d_regular, d_singular;
            add_state(&d_after, &more);
            project_tangent(l, k, i, face, out, &after, &d_after, &d_regular, &d_singular);
            const mat d_n = face < last ? d_singular : denominator(l, out, &d_regular, &d_singular);
            mat d_quotient = mat_over(difference(&d_regular, mat_times(quotient, d_n)), n);
            add_omega_tangent(l, i, face, &quotient, &d_quotient);
            d_t[i] = by_entries(&scale, &d_quotient);
        }
        r = by_entries(&scale, &quotient);
    }
    *t = r;
}

/* ---- one channel ---- */

double complex poyi_layered_single(const poyi_layered *l, int channel, int64_t k, double *absorbed)
{
    const double edge = poyi_pair_edge(l->family, k);
    double complex v = 0.0, e = 0.0;
    for (size_t face = 0;; face++) {
        const poyi_interface *f = l->faces + face;
        const poyi_wave_pair *in = poyi_layered_pair(l, face, 0, 0, k), *out = poyi_layered_pair(l, face, 1, 0, k);
        if (face == 0) {
            v = in->u;
            e = in->up;
        }
        e = edge * poyi_times(f->beta[channel][channel], v) + poyi_times(f->gamma[channel][channel], e);
        v = poyi_times(f->alpha[channel][channel], v);
        const double size = fmax(poyi_size(v), poyi_size(e));
        v /= size;
        e /= size;
        const double complex regular = poyi_times(v, out->up) - poyi_times(e, out->u);
        const double complex singular = poyi_times(v, out->sp) - poyi_times(e, out->s);
        const int real = poyi_pair_is_real(l->k[2 * (face + 1)]);
        int64_t power = 0;
        if (face + 1 < l->layers) { /* a u + b s with b / a = R; scaled by H */
            const poyi_wave_pair *next = poyi_layered_pair(l, face + 1, 0, 0, k);
            const double complex ratio = poyi_pair_ratio(out, next, poyi_layered_step(l, face, 0), &power);
            const double complex c = poyi_over(poyi_pair_c(l->family, poyi_layered_z(l, face + 1, 0, 0)),
                                               poyi_pair_c(l->family, poyi_layered_z(l, face, 1, 0)));
            const double complex theta =
                poyi_pair_ldexp(poyi_times(poyi_times(ratio, ratio), c * poyi_over(out->w, next->w)), 2 * power);
            const double complex b = -poyi_times(theta, regular);
            v = poyi_times(next->u, singular) + poyi_times(next->s, b);
            e = poyi_times(next->up, singular) + poyi_times(next->sp, b);
            continue;
        }
        const double complex c = poyi_pair_c(l->family, poyi_layered_z(l, face, 1, 0));
        double complex ig = outer_scale(out, out, &power); /* T = i g P / N */
        if (!real)
            ig = poyi_times(ig, phase_back(2.0L * l->k[2 * (face + 1)] * (poyi_xreal)l->x[face]));
        ig = poyi_pair_ldexp(ig, power);
        const double complex n = poyi_times(c, singular) - (real ? poyi_times(ig, regular) : 0.0);
        if (absorbed) /* with g, c real: -Re T - |T|^2 = g c Im(P conj H) / |N|^2 */
            *absorbed = cimag(ig) * creal(c) * (cimag(regular) * creal(singular) - creal(regular) * cimag(singular)) /
                        (creal(n) * creal(n) + cimag(n) * cimag(n));
        return poyi_times(ig, poyi_over(regular, n));
    }
}
