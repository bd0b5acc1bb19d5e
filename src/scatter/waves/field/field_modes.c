/* field_modes.c: the field of each mode of a basis at one point, in extended precision: what operators, derivatives and all
 * samples but those of spherical waves are made of. */
#include <stdlib.h>

#include "scatter/waves/angular_table.h"
#include "scatter/waves/field/field.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/vector_wave.h"

/* Functions of one origin, or of one origin and kz, and one wavenumber each. */
typedef struct tables {
    const poyi_field_call *call;
    int lmax;
    poyi_xcomplex *tau, *pi, *p;            /* spherical */
    poyi_xcomplex z[2][POY_DEGREE_MAX + 3]; /* radial functions of both wavenumbers */
    poyi_xcomplex radial[2];                /* k_rho */
    poyi_xcomplex turn;                     /* e^{i phi} */
    poyi_xcomplex along;                    /* e^{i kz z}, e^{i k.r} */
    poyi_xreal cosine, sine;                /* of theta */
} tables;

size_t poyi_mode_scratch(const poy_basis *basis)
{
    const size_t n = basis->kind == POY_BASIS_SPHERICAL ? (size_t)poyi_largest_degree(basis) + 1 : 0;
    return sizeof(tables) + 3 * n * n * sizeof(poyi_xcomplex) + 64;
}

static int spherical_tables(tables *t, const double d[3])
{
    const poyi_field_call *c = t->call;
    poyi_xreal r;
    const poyi_direction away = poyi_direction_of(d, &r);
    const poyi_direction at = r > 0.0L ? away : (poyi_direction){1.0L, 0.0L};
    if (r == 0.0L && c->singular)
        return 0;
    t->cosine = at.cosine;
    t->sine = cabsl(at.sine);
    t->turn = t->sine > 0.0L ? at.sine / t->sine : 1.0L;
    poyi_wave_angular_table(t->lmax, t->cosine, t->sine, t->tau, t->pi, t->p);
    poyi_wave_radial_table(c->singular, t->lmax + 1, poyi_x(c->ks[0]) * r, t->z[0]);
    if (c->ks[1] != c->ks[0])
        poyi_wave_radial_table(c->singular, t->lmax + 1, poyi_x(c->ks[1]) * r, t->z[1]);
    return 1;
}

static int cylindrical_tables(tables *t, double kz, const double d[3])
{
    const poyi_field_call *c = t->call;
    const poyi_xreal x = d[0], y = d[1], rho = sqrtl(x * x + y * y);
    t->turn = rho > 0.0L ? CMPLXL(x / rho, y / rho) : 1.0L;
    t->along = poyi_xphase((poyi_xreal)kz * (poyi_xreal)d[2]);
    for (int pol = 0; pol < 2; pol++) {
        t->radial[pol] = poyi_radial_wavenumber(kz, poyi_x(c->ks[pol]));
        const poyi_xcomplex argument = t->radial[pol] * rho;
        if ((double complex)argument == 0.0 && c->singular)
            return 0;
        if (pol == 0 || c->ks[1] != c->ks[0])
            poyi_cylindrical_table(c->singular, t->lmax + 1, argument, t->z[pol]);
    }
    return 1;
}

static poyi_xcomplex power_of(poyi_xcomplex turn, int n)
{
    poyi_xcomplex result = 1.0L, square = n < 0 ? conjl(turn) : turn;
    for (n = abs(n); n > 0; n /= 2) {
        if (n % 2)
            result = poyi_xmul(result, square);
        square = poyi_xmul(square, square);
    }
    return result;
}

/* a M + b N of a spherical mode, Cartesian. */
static void spherical_mode(const tables *t, const poy_wave_mode *m, const poyi_xcomplex *z, poyi_xcomplex a,
                           poyi_xcomplex b, poyi_xcomplex e[3])
{
    const int l = m->l, place = poyi_angular_place(l, m->m);
    const poyi_xreal over = 1.0L / (2 * l + 1);
    const poyi_xcomplex wave = over * ((l + 1) * z[l - 1] - l * z[l + 1]), ratio = over * (z[l - 1] + z[l + 1]);
    const poyi_xreal root = sqrtl((poyi_xreal)l * (l + 1));
    const poyi_xcomplex phase = power_of(t->turn, m->m);
    const poyi_xcomplex magnetic = poyi_xmul(a, z[l]) / root, electric = poyi_xmul(b, wave) / root;
    const poyi_xcomplex r = poyi_xmul(phase, poyi_xturn(poyi_xmul(t->p[place], poyi_xmul(b, ratio) * root), 1));
    const poyi_xcomplex theta =
        poyi_xmul(phase, poyi_xturn(poyi_xmul(t->tau[place], electric), 1) - poyi_xmul(t->pi[place], magnetic));
    const poyi_xcomplex phi =
        -poyi_xmul(phase, poyi_xturn(poyi_xmul(t->tau[place], magnetic), 1) + poyi_xmul(t->pi[place], electric));
    const poyi_xreal cp = creall(t->turn), sp = cimagl(t->turn);
    const poyi_xcomplex flat = t->sine * r + t->cosine * theta;
    e[0] = cp * flat - sp * phi;
    e[1] = sp * flat + cp * phi;
    e[2] = t->cosine * r - t->sine * theta;
}

static poyi_xcomplex order_of(const poyi_xcomplex *f, int m)
{
    return m >= 0 ? f[m] : m % 2 ? -f[-m] : f[-m];
}

static void cylindrical_mode(const tables *t, const poy_wave_mode *m, int pol, poyi_xcomplex a, poyi_xcomplex b,
                             poyi_xcomplex e[3])
{
    const poyi_xcomplex *f = t->call->ks[1] != t->call->ks[0] ? t->z[pol] : t->z[0];
    const poyi_xcomplex k = poyi_x(t->call->ks[pol]), below = order_of(f, m->m - 1), above = order_of(f, m->m + 1);
    const poyi_xcomplex ratio = 0.5L * (below + above), slope = 0.5L * (below - above); /* m F / x, F' */
    const poyi_xcomplex phase = poyi_xmul(t->along, power_of(t->turn, m->m)), axial = b * (poyi_xreal)m->kz / k;
    const poyi_xcomplex rho = poyi_xmul(phase, poyi_xturn(poyi_xmul(a, ratio) + poyi_xmul(axial, slope), 1));
    const poyi_xcomplex phi = -poyi_xmul(phase, poyi_xmul(a, slope) + poyi_xmul(axial, ratio));
    const poyi_xreal cp = creall(t->turn), sp = cimagl(t->turn);
    e[0] = cp * rho - sp * phi;
    e[1] = sp * rho + cp * phi;
    e[2] = poyi_xmul(phase, poyi_xmul(b, poyi_xmul(t->radial[pol], order_of(f, m->m)))) / k;
}

static void plane_mode(tables *t, size_t i, const double r[3], poyi_xcomplex a, poyi_xcomplex b, poyi_xcomplex e[3])
{
    poyi_xcomplex k[3], m[3], n[3], phase = 0.0L;
    for (size_t j = 0; j < 3; j++) {
        k[j] = poyi_x(poyi_c(t->call->vectors[3 * i + j]));
        phase += k[j] * (poyi_xreal)r[j];
    }
    const poy_c128 *v = t->call->vectors + 3 * i;
    int again = i > 0;
    for (int j = 0; again && j < 3; j++)
        again = poyi_c(v[j]) == poyi_c(v[j - 3]);
    if (!again)
        t->along = poyi_xphase(phase);
    (void)poyi_plane_polarisation(k, m, n);
    for (int j = 0; j < 3; j++)
        e[j] = poyi_xmul(t->along, poyi_xmul(a, m[j]) + poyi_xmul(b, n[j]));
}

static void one_mode(tables *t, size_t i, const double r[3], poyi_xcomplex e[3])
{
    const poyi_field_call *c = t->call;
    const poy_wave_mode *m = c->basis->modes + i;
    poyi_xcomplex total[3] = {0.0L, 0.0L, 0.0L};
    for (int p = 0; p < 2; p++) {
        const poyi_xcomplex x = poyi_x(c->mix.mix[p][m->pol]);
        const poyi_xreal half = sqrtl(0.5L);
        poyi_xcomplex a, b, part[3];
        if (x == 0.0L)
            continue;
        if (c->poltype == POY_HELICITY) {
            a = (poyi_xreal)poyi_pol_sign(p) * half * x;
            b = half * x;
        } else {
            a = p ? 0.0L : x;
            b = p ? x : 0.0L;
        }
        /* the wavenumber is that of the mode; parity has one only */
        if (c->basis->kind == POY_BASIS_SPHERICAL)
            spherical_mode(t, m, c->ks[1] != c->ks[0] ? t->z[m->pol] : t->z[0], a, b, part);
        else if (c->basis->kind == POY_BASIS_CYLINDRICAL)
            cylindrical_mode(t, m, m->pol, a, b, part);
        else
            plane_mode(t, i, r, a, b, part);
        for (int j = 0; j < 3; j++)
            total[j] += part[j];
    }
    for (int j = 0; j < 3; j++)
        e[j] = total[j];
}

int poyi_mode_fields(const poyi_field_call *c, const double r[3], void *scratch, poyi_xcomplex *value)
{
    tables *t = scratch;
    const poy_basis *b = c->basis;
    const poy_wave_mode *last = NULL;
    t->call = c;
    t->lmax = poyi_largest_degree(b);
    const size_t n = (size_t)(t->lmax + 1) * (size_t)(t->lmax + 1);
    t->tau = (poyi_xcomplex *)(void *)((unsigned char *)scratch + (sizeof(tables) + 63) / 64 * 64);
    t->pi = t->tau + n;
    t->p = t->pi + n;
    for (size_t i = 0; i < b->size; i++) {
        const poy_wave_mode *m = b->modes + i;
        if (!poyi_basis_is_plane(b) && (!last || m->particle != last->particle || m->kz != last->kz)) {
            const double *o = b->positions + 3 * (size_t)m->particle;
            const double d[3] = {r[0] - o[0], r[1] - o[1], r[2] - o[2]};
            if (!(b->kind == POY_BASIS_SPHERICAL ? spherical_tables(t, d) : cylindrical_tables(t, m->kz, d)))
                return 0;
        }
        last = m;
        poyi_xcomplex e[3];
        one_mode(t, i, r, e);
        for (size_t j = 0; j < 3; j++)
            value[j * b->size + i] = e[j];
    }
    return 1;
}
