/* common.c: options, labels, bases and samples of the records of scattering. */
#include "scatter/record/common.h"

#include <stddef.h>
#include <stdlib.h>

const int poyi_choices_count[POYI_CHOICES_MAX + 1] = {0, 1, 2, 3, 4, 5, 6};

poy_status poyi_choices_open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config)
{
    const int n = *(const int *)user;
    poyi_choices *c = calloc(1, sizeof *c);
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the options of a record");
    for (int i = 0; i < n; i++) {
        c->of[i] = values[i].integer;
        c->real[i] = values[i].real;
    }
    c->user = user;
    *config = c;
    return POY_OK;
}

/* ---- calls ---- */

typedef union call_memory {
    max_align_t align;
    unsigned char bytes[POYI_CALL_BYTES];
} call_memory;

static const poyi_calls *open_call(poy_ctx *ctx, const poy_rec_item *item, call_memory *x, poy_status *status)
{
    const poyi_calls *calls = ((const poyi_choices *)item->config)->user;
    memset(x, 0, sizeof *x);
    *status = calls->open(ctx, item, x);
    return calls;
}

static void close_call(const poyi_calls *calls, call_memory *x)
{
    if (calls->close)
        calls->close(x);
}

poy_status poyi_calls_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    call_memory x;
    poy_status status;
    const poyi_calls *calls = open_call(ctx, item, &x, &status);
    if (status == POY_OK)
        status = calls->value(ctx, item, &x, item->out);
    close_call(calls, &x);
    return status;
}

poy_status poyi_calls_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    call_memory x;
    poy_status status;
    const poyi_calls *calls = open_call(ctx, item, &x, &status);
    if (status == POY_OK)
        status = calls->pull(ctx, item, &x, cot, grad);
    close_call(calls, &x);
    return status;
}

poy_status poyi_calls_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan)
{
    call_memory x;
    poy_status status;
    const poyi_calls *calls = open_call(ctx, item, &x, &status);
    if (status == POY_OK)
        status = calls->push(ctx, item, &x, tan, out_tan);
    close_call(calls, &x);
    return status;
}

/* ---- labels ---- */

poy_status poyi_labels(poy_ctx *ctx, const char *who, const char *name, const poy_rec_array *a, int64_t *out)
{
    const double *x = a->data;
    char where[POYI_INDEX_TEXT];
    for (int64_t i = 0; i < poy_rec_count(&a->spec); i++) {
        if (!(fabs(x[i]) < 0x1p31) || x[i] != floor(x[i])) {
            poyi_rec_index(&a->spec, i, sizeof where, where);
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s of %s is %g, needs a whole number", who, where, name, x[i]);
        }
        out[i] = (int64_t)x[i];
    }
    return POY_OK;
}

poy_status poyi_real_ks(poy_ctx *ctx, const char *who, const double *ks)
{
    if (!(ks[0] > 0.0) || !(ks[1] > 0.0) || !isfinite(ks[0] * ks[1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: wavenumbers %g and %g, needs finite ones above 0", who, ks[0],
                         ks[1]);
    return POY_OK;
}

poy_status poyi_pols(poy_ctx *ctx, const char *who, const poy_rec_array *a, void **memory)
{
    const size_t n = (size_t)poy_rec_count(&a->spec);
    const double *x = a->data;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.record", (n + 1) * sizeof(int), memory));
    for (size_t i = 0; i < n; i++) {
        if (x[i] != 0.0 && x[i] != 1.0) {
            poyi_free(memory);
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: pol %zu is %g, needs 0 or 1", who, i, x[i]);
        }
        ((int *)*memory)[i] = (int)x[i];
    }
    return POY_OK;
}

/* ---- bases ---- */

static poy_status read_mode(poy_ctx *ctx, const char *who, int cylindrical, size_t i, const double *row,
                            const poy_rec_array *axial, poy_wave_mode *mode)
{
    static const char *const names[4] = {"particle", "l (of cylinders: the place of kz)", "m", "pol"};
    int32_t label[4] = {0};
    for (int k = 0; k < 4; k++) {
        if (k == 1 && cylindrical && !axial)
            continue;
        if (!(fabs(row[k]) < 0x1p31) || row[k] != floor(row[k]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s of mode %zu is %g, needs a whole number", who, names[k], i,
                             row[k]);
        label[k] = (int32_t)row[k];
    }
    *mode = (poy_wave_mode){.particle = label[0], .l = label[1], .m = label[2], .pol = label[3]};
    if (!cylindrical)
        return POY_OK;
    if (axial && (label[1] < 0 || label[1] >= axial->spec.dims[0]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: mode %zu has kz number %d, there are %lld", who, i, label[1],
                         (long long)axial->spec.dims[0]);
    mode->kz = axial ? ((const double *)axial->data)[label[1]] : row[1];
    return POY_OK;
}

poy_status poyi_record_basis(poy_ctx *ctx, const char *who, int cylindrical, const poy_rec_array *modes,
                             const poy_rec_array *axial, const poy_rec_array *positions, poy_basis **out)
{
    poy_status status = POY_OK;
    void *memory = NULL, *zeros = NULL;
    const size_t n = (size_t)modes->spec.dims[0];
    size_t places = positions ? (size_t)positions->spec.dims[0] : 1;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.record", (n ? n : 1) * sizeof(poy_wave_mode), &memory));
    poy_wave_mode *mode = memory;
    for (size_t i = 0; i < n; i++) {
        POYI_TO_DONE(ctx, read_mode(ctx, who, cylindrical, i, (const double *)modes->data + 4 * i, axial, mode + i));
        if (!positions && mode[i].particle >= 0 && (size_t)mode[i].particle >= places)
            places = (size_t)mode[i].particle + 1;
    }
    if (!positions)
        POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.record", 3 * places * sizeof(double), &zeros));
    const double *at = positions ? positions->data : zeros;
    POYI_TO_DONE(ctx, cylindrical ? poy_basis_cw_create(ctx, n, mode, places, at, out)
                                  : poy_basis_sw_create(ctx, n, mode, places, at, out));
done:
    poyi_free(&zeros);
    poyi_free(&memory);
    return status;
}

/* ---- samples ---- */

void poyi_sample_ranges(uint64_t seed, int n, const poyi_range *ranges, const poy_rec_array *in)
{
    double u[2];
    for (int i = 0; i < n; i++) {
        const poyi_range *r = ranges + i;
        const int rank = in[i].spec.rank;
        const int64_t count = poy_rec_count(&in[i].spec), last = rank ? in[i].spec.dims[rank - 1] : 1;
        for (int64_t k = 0; k < count; k++) {
            poy_random_uniform2(seed, (uint64_t)i, (uint64_t)k, u);
            poyi_rec_put(&in[i], k,
                         CMPLX(r->low + u[0] * (r->high - r->low) + r->apart * (double)(k % last),
                               r->imag_low + u[1] * (r->imag_high - r->imag_low)));
        }
    }
}

static void put_mode(double *row, int64_t particle, double second, int64_t m, int64_t pol)
{
    row[0] = (double)particle;
    row[1] = second;
    row[2] = (double)m;
    row[3] = (double)pol;
}

void poyi_sample_modes(int64_t particles, const poy_rec_array *modes)
{
    const int64_t n = modes->spec.dims[0];
    double *row = modes->data;
    for (int64_t p = 0; p < particles; p++) {
        const int64_t end = (p + 1) * n / particles;
        for (int64_t i = p * n / particles, l = 1; i < end; l++)
            for (int64_t m = -l; m <= l; m++)
                for (int64_t pol = 1; pol >= 0 && i < end; pol--, i++)
                    put_mode(row + 4 * i, p, (double)l, m, pol);
    }
}

void poyi_sample_axial_modes(int64_t particles, int64_t n_kz, const poy_rec_array *modes)
{
    const int64_t n = modes->spec.dims[0], each = n / (particles * n_kz);
    double *row = modes->data;
    for (int64_t i = 0; i < n; i++)
        put_mode(row + 4 * i, i / (each * n_kz), (double)(i / each % n_kz), (i % each) / 2 - each / 4, 1 - i % 2);
}
