/* raman_silica.c: the three published Raman responses of fused silica, as functions of time and of frequency. */
#include <math.h>
#include <string.h>

#include "core/cmplx.h"
#include "core/constants.h"
#include "math/gamma/gamma.h"
#include "media/media.h"

/* One damped vibration: angular frequency and the two damping rates, in 1/cm as published. */
typedef struct mode {
    double position, amplitude, gaussian, lorentzian;
} mode;

#define MODE(position, amplitude, gaussian, lorentzian) {position, amplitude, gaussian, lorentzian},
static const mode hollenbeck_modes[] = {
#include "media/data/raman_silica.def"
};
#undef MODE

/* The sum over the modes integrated over 0 ... 3 ps, in s (30-digit quadrature; test_raman_silica repeats it). */
#define HOLLENBECK_INTEGRAL 3.7525867626175868e-12

typedef struct model {
    const char *name;
    double fraction;
    double (*response)(double t);
    double complex (*transform)(double omega);
} model;

static const double BW_T1 = 12.2e-15, BW_T2 = 32e-15; /* Blow and Wood */
static const double LA_TB = 96e-15, LA_FB = 0.21;     /* Lin and Agrawal: the boson peak and its share */

static double blow_wood(double t)
{
    const double t1 = BW_T1, t2 = BW_T2;
    return (t1 * t1 + t2 * t2) / (t1 * t2 * t2) * exp(-t / t2) * sin(t / t1);
}

static double complex blow_wood_transform(double omega)
{
    const double square = 1.0 / (BW_T1 * BW_T1);
    const double complex rate = CMPLX(1.0 / BW_T2, omega);
    return (square + 1.0 / (BW_T2 * BW_T2)) / (rate * rate + square);
}

static double lin_agrawal(double t)
{
    return (1.0 - LA_FB) * blow_wood(t) + LA_FB * (2.0 * LA_TB - t) / (LA_TB * LA_TB) * exp(-t / LA_TB);
}

static double complex lin_agrawal_transform(double omega)
{
    const double complex y = 1.0 / CMPLX(1.0, omega * LA_TB);
    return (1.0 - LA_FB) * blow_wood_transform(omega) + LA_FB * (2.0 - y) * y;
}

/* A full width of 1/cm as a damping rate, 1/s; twice that is the angular frequency of 1/cm. */
static const double HC_RATE = 100.0 * POYI_PI * POYI_C;

static double hollenbeck_cantrell(double t)
{
    double sum = 0.0;
    for (size_t i = 0; i < sizeof hollenbeck_modes / sizeof *hollenbeck_modes; i++) {
        const mode *m = &hollenbeck_modes[i];
        double lorentzian = HC_RATE * m->lorentzian, gaussian = HC_RATE * m->gaussian;
        sum += m->amplitude * exp(-lorentzian * t - 0.25 * gaussian * gaussian * t * t) *
               sin(2.0 * HC_RATE * m->position * t);
    }
    return sum / HOLLENBECK_INTEGRAL;
}

static double complex hollenbeck_cantrell_transform(double omega)
{
    double complex sum = 0.0;
    for (size_t i = 0; i < sizeof hollenbeck_modes / sizeof *hollenbeck_modes; i++) {
        const mode *m = &hollenbeck_modes[i];
        const double gaussian = HC_RATE * m->gaussian, damping = m->lorentzian / m->gaussian,
                     below = (omega - 2.0 * HC_RATE * m->position) / gaussian,
                     above = (omega + 2.0 * HC_RATE * m->position) / gaussian;
        sum +=
            m->amplitude / gaussian * (poyi_faddeeva(CMPLX(-below, damping)) - poyi_faddeeva(CMPLX(-above, damping)));
    }
    return CMPLX(0.0, -0.5) * sqrt(POYI_PI) * sum / HOLLENBECK_INTEGRAL;
}

static const model models[POYI_RAMAN_MODEL_COUNT] = {
    [POYI_RAMAN_BLOW_WOOD] = {"blow_wood", 0.18, blow_wood, blow_wood_transform},
    [POYI_RAMAN_LIN_AGRAWAL] = {"lin_agrawal", 0.245, lin_agrawal, lin_agrawal_transform},
    [POYI_RAMAN_HOLLENBECK_CANTRELL] = {"hollenbeck_cantrell", 0.2, hollenbeck_cantrell, hollenbeck_cantrell_transform},
};

static int known(poyi_raman_model which)
{
    return (unsigned)which < POYI_RAMAN_MODEL_COUNT;
}

static poy_status check_known(poy_ctx *ctx, poyi_raman_model which)
{
    return known(which) ? POY_OK
                        : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "silica Raman model %d: there are models 0 to %d",
                                    (int)which, POYI_RAMAN_MODEL_COUNT - 1);
}

poy_status poyi_raman_silica(poy_ctx *ctx, poyi_raman_model which, double t, double *h)
{
    POYI_TRY(ctx, check_known(ctx, which));
    if (!isfinite(t))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "silica Raman response at t = %g s: t must be finite", t);
    *h = t < 0.0 ? 0.0 : models[which].response(t);
    return POY_OK;
}

poy_status poyi_raman_silica_transform(poy_ctx *ctx, poyi_raman_model which, double omega, double H[2])
{
    POYI_TRY(ctx, check_known(ctx, which));
    if (!isfinite(omega))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "silica Raman response at omega = %g rad/s: omega must be finite",
                         omega);
    const double complex value = models[which].transform(omega);
    H[0] = creal(value);
    H[1] = cimag(value);
    return POY_OK;
}

double poyi_raman_fraction(poyi_raman_model which)
{
    return known(which) ? models[which].fraction : (double)NAN;
}

const char *poyi_raman_model_name(poyi_raman_model which)
{
    return known(which) ? models[which].name : "unknown";
}

poy_status poyi_raman_model_find(poy_ctx *ctx, const char *name, poyi_raman_model *which)
{
    for (int i = 0; i < POYI_RAMAN_MODEL_COUNT; i++)
        if (!strcmp(name, models[i].name)) {
            *which = (poyi_raman_model)i;
            return POY_OK;
        }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                     "silica Raman model \"%s\" is unknown: blow_wood, lin_agrawal or hollenbeck_cantrell", name);
}
