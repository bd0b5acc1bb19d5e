/* raman_silica.c: the three published Raman responses of fused silica, as functions of time. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
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
} model;

static double blow_wood(double t)
{
    const double t1 = 12.2e-15, t2 = 32e-15;
    return (t1 * t1 + t2 * t2) / (t1 * t2 * t2) * exp(-t / t2) * sin(t / t1);
}

static double lin_agrawal(double t)
{
    const double tb = 96e-15, fb = 0.21;
    return (1.0 - fb) * blow_wood(t) + fb * (2.0 * tb - t) / (tb * tb) * exp(-t / tb);
}

static double hollenbeck_cantrell(double t)
{
    const double rate = 100.0 * POYI_PI * POYI_C; /* a full width of 1/cm as a damping rate, 1/s */
    double sum = 0.0;
    for (size_t i = 0; i < sizeof hollenbeck_modes / sizeof *hollenbeck_modes; i++) {
        const mode *m = &hollenbeck_modes[i];
        double lorentzian = rate * m->lorentzian, gaussian = rate * m->gaussian;
        sum += m->amplitude * exp(-lorentzian * t - 0.25 * gaussian * gaussian * t * t) *
               sin(2.0 * rate * m->position * t);
    }
    return sum / HOLLENBECK_INTEGRAL;
}

static const model models[POYI_RAMAN_MODEL_COUNT] = {
    [POYI_RAMAN_BLOW_WOOD] = {"blow_wood", 0.18, blow_wood},
    [POYI_RAMAN_LIN_AGRAWAL] = {"lin_agrawal", 0.245, lin_agrawal},
    [POYI_RAMAN_HOLLENBECK_CANTRELL] = {"hollenbeck_cantrell", 0.2, hollenbeck_cantrell},
};

static int known(poyi_raman_model which)
{
    return (unsigned)which < POYI_RAMAN_MODEL_COUNT;
}

poy_status poyi_raman_silica(poy_ctx *ctx, poyi_raman_model which, double t, double *h)
{
    if (!known(which))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "silica Raman model %d: there are models 0 to %d", (int)which,
                         POYI_RAMAN_MODEL_COUNT - 1);
    if (!isfinite(t))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "silica Raman response at t = %g s: t must be finite", t);
    *h = t < 0.0 ? 0.0 : models[which].response(t);
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
