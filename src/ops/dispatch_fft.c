/* dispatch_fft.c: the public functions of fft: lengths by cropping and zeros, any axis, checks of kind and sign. */
#include <string.h>

#include "ops/dispatch.h"

void poy_fft_options_init(poy_fft_options *options)
{
    *options =
        (poy_fft_options){.size = sizeof *options, .kind = POY_FFT_C2C, .sign = -1, .axis = -1, .n = 0, .scale = 1};
}

/* A transform with what the options leave open filled in. */
typedef struct transform {
    poy_fft_arg arg;
    int axis;
    int64_t n_in, n_out; /* elements of a line of x that are used, of y */
} transform;

static poy_status read_options(const poyi_call *call, const poy_array *x, const poy_fft_options *o, transform *t)
{
    const poyi_shape_text shape = poyi_shape_print(x->rank, x->extent);

    if ((unsigned)o->kind > POY_FFT_C2R)
        return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "fft: there is no kind %d", (int)o->kind);
    int only_sign = o->kind == POY_FFT_R2C ? -1 : o->kind == POY_FFT_C2R ? 1 : o->sign;
    if ((o->sign != -1 && o->sign != 1) || o->sign != only_sign)
        return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "fft: the sign of the exponent is %d, needs %s", o->sign,
                            o->kind == POY_FFT_R2C   ? "-1 from real values"
                            : o->kind == POY_FFT_C2R ? "+1 to real values"
                                                     : "-1 or +1");
    t->axis = x->rank ? poyi_shape_axis(x->rank, o->axis) : -1;
    if (t->axis < 0)
        return POYI_OP_FAIL(call, POY_ERR_AXIS, "fft: no axis %d in shape %s", o->axis, shape.text);
    int64_t extent = x->extent[t->axis];
    int64_t n = o->n != 0 ? o->n : o->kind == POY_FFT_C2R ? 2 * (extent - 1) : extent;
    if (n < 1)
        return POYI_OP_FAIL(call, POY_ERR_EMPTY, "fft: the length is %lld (axis %d of shape %s), needs 1 at least",
                            (long long)n, t->axis, shape.text);
    if (o->kind == POY_FFT_R2C && poy_dtype_is_complex(x->dtype))
        return POYI_OP_FAIL(call, POY_ERR_COMPLEX_TO_REAL, "fft: x is %s, a transform from real values needs real ones",
                            poy_dtype_name(x->dtype));
    t->arg = (poy_fft_arg){.kind = o->kind, .sign = o->sign, .n = n, .scale = o->scale};
    t->n_in = o->kind == POY_FFT_C2R ? n / 2 + 1 : n;
    t->n_out = o->kind == POY_FFT_R2C ? n / 2 + 1 : n;
    return POY_OK;
}

/* *x with lines of exactly n_in elements: cropped by a view, lengthened with zeros in a copy. */
static poy_status fit_lines(poyi_call *call, const transform *t, const poy_array **x)
{
    int64_t extent[POY_RANK_MAX], have = (*x)->extent[t->axis];
    poy_array *view = NULL, *longer = NULL;

    if (have == t->n_in)
        return POY_OK;
    memcpy(extent, (*x)->extent, sizeof extent);
    extent[t->axis] = t->n_in;
    if (have > t->n_in) {
        POYI_TRY(call->ctx, poy_array_view(call->ctx, *x, (*x)->rank, extent, (*x)->stride, 0, &view));
        POYI_TRY(call->ctx, poyi_call_keep(call, view));
        *x = view;
        return POY_OK;
    }
    POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, (*x)->rank, extent, &longer));
    POYI_TRY(call->ctx, poyi_call_zero(call, longer));
    if (have > 0) {
        POYI_TRY(call->ctx, poy_array_view(call->ctx, longer, (*x)->rank, (*x)->extent, longer->stride, 0, &view));
        POYI_TRY(call->ctx, poyi_call_keep(call, view));
        POYI_TRY(call->ctx, poyi_call_copy(call, *x, view));
    }
    *x = longer;
    return POY_OK;
}

static poy_status run_fft(poyi_call *call, const transform *t, const poy_array *x, poy_array *out)
{
    poy_array *moved_x, *moved_out, *y;
    poyi_work work;

    POYI_TRY(call->ctx, poyi_call_find(call, call->op, call->dtype, &work));
    POYI_TRY(call->ctx, fit_lines(call, t, &x));
    POYI_TRY(call->ctx, poyi_call_axis_last(call, x, t->axis, &moved_x));
    POYI_TRY(call->ctx, poyi_call_axis_last(call, out, t->axis, &moved_out));
    x = moved_x;
    POYI_TRY(call->ctx, poyi_call_input(call, &x, moved_out, 0, x->rank, x->extent));
    POYI_TRY(call->ctx, poyi_call_stand_in(call, moved_out, &y));
    const poy_array *const both[2] = {x, y};
    poyi_call_line_tensors(2, both, work.t);
    work.arg.fft = t->arg;
    POYI_TRY(call->ctx, poyi_call_work(call, &work, 2, both));
    return poyi_call_deliver(call, y, moved_out);
}

static poy_status fft(poy_ctx *ctx, const poy_array *x, const poy_fft_options *options, poy_array *into,
                      poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_fft_options o;
    transform t = {0};
    poy_array *out;
    int64_t extent[POY_RANK_MAX];

    if (made)
        *made = NULL;
    poy_fft_options_init(&o);
    if (options)
        memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_fft, 1, &x, &call));
    POYI_TO_DONE(ctx, read_options(&call, x, &o, &t));
    int single = call.dtype == POY_F32 || call.dtype == POY_C64;
    poy_dtype complex = single ? POY_C64 : POY_C128;
    call.dtype = o.kind == POY_FFT_R2C ? poy_dtype_real(complex) : complex;
    memcpy(extent, x->extent, sizeof extent);
    extent[t.axis] = t.n_out;
    POYI_TO_DONE(ctx, poyi_call_output(&call, o.kind == POY_FFT_C2R ? poy_dtype_real(complex) : complex, x->rank,
                                       extent, into, made, &out));
    if (out->size)
        status = run_fft(&call, &t, x, out);
done:
    return poyi_call_end(&call, status, made);
}

poy_status poy_fft(poy_ctx *ctx, const poy_array *x, const poy_fft_options *options, poy_array **y)
{
    return fft(ctx, x, options, NULL, y);
}

poy_status poy_fft_into(poy_ctx *ctx, const poy_array *x, const poy_fft_options *options, poy_array *y)
{
    return fft(ctx, x, options, y, NULL);
}
