/* cpu_fftw.c: FFTW's calls under one name for both precisions; compiled once with POY_DTYPE 0 (f32) and once with 1. */
#include <fftw3.h>

#include "backends/cpu/cpu_fft_plan.h"

#ifndef POY_DTYPE
#define POY_DTYPE 1 /* for editors that open this file by itself */
#endif
#if POY_DTYPE == 0
#define X(name) FFTW_MANGLE_FLOAT(name)
#define CALLS poyi_fftw_f32
#else
#define X(name) FFTW_MANGLE_DOUBLE(name)
#define CALLS poyi_fftw_f64
#endif

static void *plan(const poyi_fft_spec *spec, void *in, void *out, poyi_fftw_effort effort, int unaligned)
{
    const X(iodim64) line = {.n = spec->n, .is = 1, .os = 1};
    const X(iodim64) batch = {.n = spec->howmany, .is = spec->in_dist, .os = spec->out_dist};
    unsigned flags = effort == POYI_FFTW_ESTIMATE ? FFTW_ESTIMATE : FFTW_MEASURE;
    if (effort == POYI_FFTW_KNOWN)
        flags |= FFTW_WISDOM_ONLY;
    if (unaligned)
        flags |= FFTW_UNALIGNED;
    if (!spec->in_place)
        flags |= spec->may_destroy ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT;
    switch (spec->kind) {
    case POY_FFT_C2C: return X(plan_guru64_dft)(1, &line, 1, &batch, in, out, spec->sign, flags);
    case POY_FFT_R2C: return X(plan_guru64_dft_r2c)(1, &line, 1, &batch, in, out, flags);
    case POY_FFT_C2R: return X(plan_guru64_dft_c2r)(1, &line, 1, &batch, in, out, flags);
    }
    return NULL;
}

static void run(void *p, const poyi_fft_spec *spec, void *in, void *out)
{
    switch (spec->kind) {
    case POY_FFT_C2C: X(execute_dft)(p, in, out); break;
    case POY_FFT_R2C: X(execute_dft_r2c)(p, in, out); break;
    case POY_FFT_C2R: X(execute_dft_c2r)(p, in, out); break;
    }
}

static void destroy(void *p)
{
    X(destroy_plan)(p);
}

const poyi_fftw CALLS = {
    .plan = plan,
    .run = run,
    .destroy = destroy,
    .export_wisdom = X(export_wisdom_to_string),
    .import_wisdom = X(import_wisdom_from_string),
    .forget_wisdom = X(forget_wisdom),
    .version = X(version),
};
