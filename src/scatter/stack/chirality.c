/* chirality.c: densities of optical chirality of plane waves, mean by mean and mode by mode, with derivatives. */
#include "scatter/stack/chirality.h"

/* ---- means along the normal: e^{i w c} sinc(w h), c and h the middle and half the length ---- */

static double complex sinc(double complex x)
{
    const double complex square = x * x;
    return cabs(x) < 1e-2 ? 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)) : csin(x) / x;
}

/* d sinc: terms in the ratios -x^2 / (2 n (2 n + 3)); where they are left the closed form has lost a digit, they less than none. */
static double complex sinc_slope(double complex x)
{
    static const double ratio[] = {238.0, 180.0, 130.0, 88.0, 54.0, 28.0, 10.0};
    double complex sum = 1.0;
    if (cabs(x) >= 0.7)
        return (ccos(x) - csin(x) / x) / x;
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++)
        sum = 1.0 - x * x / ratio[i] * sum;
    return -x / 3.0 * sum;
}

double complex poyi_mean_phase(double complex w, const double z[2])
{
    return cexp(CMPLX(0.0, 1.0) * w * (0.5 * (z[0] + z[1]))) * sinc(0.5 * w * (z[1] - z[0]));
}

/* Derivatives of poyi_mean_phase by w, z[0] and z[1]. */
static void mean_phase_slopes(double complex w, const double z[2], double complex out[3])
{
    const double middle = 0.5 * (z[0] + z[1]), half = 0.5 * (z[1] - z[0]);
    const double complex phase = cexp(CMPLX(0.0, 1.0) * w * middle), slope = phase * sinc_slope(w * half);
    const double complex turn = CMPLX(0.0, 1.0) * phase * sinc(w * half);
    out[0] = middle * turn + half * slope;
    out[1] = 0.5 * w * (turn - slope);
    out[2] = 0.5 * w * (turn + slope);
}

/* ---- forms of one mode ---- */

static double squared(double complex x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

poyi_chirality_forms poyi_chirality_upright(const poyi_chirality_inputs *x)
{
    const double n2 = squared(x->kn), even = 1.0 + (n2 + x->q2) / x->k2;
    return (poyi_chirality_forms){even, even, 2.0 * (1.0 + (x->q2 - n2) / x->k2)};
}

void poyi_chirality_upright_pull(const poyi_chirality_inputs *x, const poyi_chirality_forms *g,
                                 poyi_chirality_inputs *to)
{
    const double n2 = squared(x->kn), even = g->up + g->down, odd = 2.0 * creal(g->cross);
    to->kn = 2.0 * x->kn * (even - odd) / x->k2;
    to->q2 = (even + odd) / x->k2;
    to->k2 = -(even * (n2 + x->q2) + odd * (x->q2 - n2)) / (x->k2 * x->k2);
}

poyi_chirality_forms poyi_chirality_upright_push(const poyi_chirality_inputs *x, const poyi_chirality_inputs *d)
{
    const double n2 = squared(x->kn), dn2 = 2.0 * creal(conj(x->kn) * d->kn);
    const double even = (dn2 + d->q2 - (n2 + x->q2) / x->k2 * d->k2) / x->k2;
    return (poyi_chirality_forms){even, even, 2.0 * (d->q2 - dn2 - (x->q2 - n2) / x->k2 * d->k2) / x->k2};
}

/* ---- their means: e^{-2 Im kn z} up, e^{2 Im kn z} down, e^{2 i Re kn z} between them ---- */

enum { UP, DOWN, CROSS, FORMS };

static double complex turns_of(double complex kn, int form)
{
    return form == UP ? CMPLX(0.0, 2.0 * cimag(kn)) : form == DOWN ? CMPLX(0.0, -2.0 * cimag(kn)) : 2.0 * creal(kn);
}

static double complex form_of(const poyi_chirality_forms *f, int form)
{
    return form == UP ? f->up : form == DOWN ? f->down : f->cross;
}

void poyi_chirality_mean(const poyi_chirality_forms *f, double complex kn, const double z[2], double complex out[3])
{
    for (int form = 0; form < FORMS; form++)
        out[form] = form_of(f, form) * poyi_mean_phase(turns_of(kn, form), z);
}

void poyi_chirality_mean_pull(const poyi_chirality_forms *f, double complex kn, const double z[2],
                              const double complex g[3], poyi_chirality_forms *g_f, double complex *g_kn, double g_z[2])
{
    double complex by[FORMS];
    for (int form = 0; form < FORMS; form++) {
        const double complex w = turns_of(kn, form), back = conj(form_of(f, form)) * g[form];
        double complex slopes[3];
        by[form] = conj(poyi_mean_phase(w, z)) * g[form];
        mean_phase_slopes(w, z, slopes);
        const double complex by_w = conj(slopes[0]) * back;
        if (form == CROSS)
            *g_kn += 2.0 * creal(by_w);
        else /* w = +-2 i Im kn */
            *g_kn += CMPLX(0.0, (form == UP ? 2.0 : -2.0) * cimag(by_w));
        for (int end = 0; end < 2; end++)
            g_z[end] += creal(conj(slopes[1 + end]) * back);
    }
    *g_f = (poyi_chirality_forms){creal(by[UP]), creal(by[DOWN]), by[CROSS]};
}

void poyi_chirality_mean_push(const poyi_chirality_forms *f, double complex kn, const double z[2],
                              const poyi_chirality_forms *d_f, double complex d_kn, const double d_z[2],
                              double complex out[3])
{
    for (int form = 0; form < FORMS; form++) {
        const double complex w = turns_of(kn, form);
        double complex slopes[3];
        mean_phase_slopes(w, z, slopes);
        out[form] = form_of(d_f, form) * poyi_mean_phase(w, z) +
                    form_of(f, form) * (slopes[0] * turns_of(d_kn, form) + slopes[1] * d_z[0] + slopes[2] * d_z[1]);
    }
}
