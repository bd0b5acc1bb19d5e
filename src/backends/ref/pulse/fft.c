/* fft.c: transforms of a program's columns by the reference's own transform. */
#include "backends/ref/pulse/rows.h"
#include "backends/ref/ref_fft.h"

typedef struct fft_plan {
    poy_fft_arg line;
    int64_t columns, in, out; /* doubles from column to column */
    poyi_ref_transform *transform;
} fft_plan;

/* The plan stands before the transform's tables, at the next multiple of their alignment. */
enum { HEAD = (sizeof(fft_plan) + 63) / 64 * 64 };

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const fft_plan *p = step->plan;
    double *out = poyi_ref_data(step, 0);
    const double *in = poyi_ref_data(step, 1);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < p->columns; c++)
        poyi_ref_transform_line(p->transform, &p->line, in + c * p->in, out + c * p->out);
    return POY_OK;
}

poy_status poyi_ref_prepare_fft(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                size_t *work_bytes)
{
    const poy_row_fft *arg = spec->arg;
    const poy_slot *out = &spec->slot[0], *in = &spec->slot[1];
    const int64_t n = arg->kind == POY_FFT_C2R ? out->len : in->len;

    (void)be;
    if (n > INT64_C(1) << 30)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "the reference transforms columns of up to 2^30 samples, not %lld",
                         (long long)n);
    step->run = run;
    *work_bytes = HEAD + poyi_ref_transform_bytes(n);
    if (work.mem) {
        unsigned char *mem = (unsigned char *)work.mem + work.offset;
        fft_plan *p = (fft_plan *)(void *)mem;
        *p = (fft_plan){.line = {.kind = arg->kind, .sign = arg->sign, .n = n, .scale = 1.0},
                        .columns = out->cols,
                        .in = in->len * (in->dtype == POY_C128 ? 2 : 1),
                        .out = out->len * (out->dtype == POY_C128 ? 2 : 1),
                        .transform = poyi_ref_transform_init(n, mem + HEAD)};
        step->plan = p;
    }
    return POY_OK;
}
