/* fft.c: transforms of a program's columns, one plan for all of them; threads share columns. */
#include "backends/cpu/cpu_fft_plan.h"
#include "backends/cpu/pulse/part.h"

typedef struct fft_plan {
    poyi_fft_plan *plan;
    int64_t columns, n; /* samples of a column in time */
    size_t in, out;     /* bytes from column to column */
} fft_plan;

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const fft_plan *p = step->plan;
    const int threads = p->columns > 1 ? poyi_cpu_threads(ctx, p->columns * p->n) : 1;
    unsigned char *out = (unsigned char *)step->buf[0].mem + step->buf[0].offset;
    unsigned char *in = (unsigned char *)step->buf[1].mem + step->buf[1].offset;

    (void)be, (void)scalars;
    if (threads == 1) {
        for (int64_t c = 0; c < p->columns; c++)
            poyi_fft_plan_run(p->plan, in + (size_t)c * p->in, out + (size_t)c * p->out);
        return POY_OK;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t c = 0; c < p->columns; c++)
        poyi_fft_plan_run(p->plan, in + (size_t)c * p->in, out + (size_t)c * p->out);
    return POY_OK;
}

poy_status poyi_cpu_prepare_fft(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                size_t *work_bytes)
{
    const poy_row_fft *arg = spec->arg;
    const poy_slot *out = &spec->slot[0], *in = &spec->slot[1];

    step->run = run;
    *work_bytes = sizeof(fft_plan);
    if (!work.mem)
        return POY_OK;
    fft_plan *p = (fft_plan *)(void *)((unsigned char *)work.mem + work.offset);
    *p = (fft_plan){.columns = out->cols,
                    .n = arg->kind == POY_FFT_C2R ? out->len : in->len,
                    .in = (size_t)in->len * poy_dtype_size(in->dtype),
                    .out = (size_t)out->len * poy_dtype_size(out->dtype)};
    unsigned char *from = (unsigned char *)step->buf[1].mem + step->buf[1].offset;
    unsigned char *to = (unsigned char *)step->buf[0].mem + step->buf[0].offset;
    poyi_fft_spec line = {.real = POY_F64,
                          .kind = arg->kind,
                          .sign = arg->sign,
                          .n = p->n,
                          .howmany = 1,
                          .in_dist = in->len,
                          .out_dist = out->len,
                          .in_place = from == to,
                          .may_destroy = arg->kind == POY_FFT_C2R};
    /* Planned on the second column, if there is one: where columns of odd length differ in alignment, it is the one
     * that is aligned less. */
    const size_t second = p->columns > 1;
    POYI_TRY(ctx, poyi_fft_plan_get(ctx, be, &line, from + second * p->in, to + second * p->out, &p->plan));
    step->plan = p;
    return POY_OK;
}

void poyi_cpu_release_fft(void *be, poy_step *step)
{
    fft_plan *p = step->plan;
    (void)be;
    if (p)
        poyi_fft_plan_release(&p->plan);
}
