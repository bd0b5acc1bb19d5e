/* record_use.h: one call of a record, given as text and numbers, for the tests of records of scattering. */
#ifndef RECORD_USE_H
#define RECORD_USE_H

#include "poynting/record.h"
#include "record/record.h"
#include "wave_fixture.h"

enum { ARRAYS = 12 };

/* Inputs by the text of their specs, numbers one after the other; outputs by infer. */
typedef struct use {
    poy_record *record;
    poy_rec_info info;
    poy_rec_array in[ARRAYS], out[4], grad[ARRAYS];
    poy_saved *saved;
} use;

static inline poy_status use_start(poy_ctx *ctx, const char *name, const char *options, const char *specs,
                                   const double *numbers, use *u)
{
    poy_rec_spec in[ARRAYS], out[4];
    memset(u, 0, sizeof *u);
    poy_status status = poy_record_describe(ctx, name, &u->info);
    if (status == POY_OK)
        status = poyi_specs_read(ctx, name, specs, u->info.n_in, in);
    if (status == POY_OK)
        status = poy_record_open(ctx, name, options, &u->record);
    if (status == POY_OK)
        status = poy_record_infer(ctx, u->record, in, out, NULL);
    for (int i = 0; status == POY_OK && i < u->info.n_in; i++) {
        const size_t bytes = poy_rec_bytes(&in[i]);
        u->in[i] = (poy_rec_array){.spec = in[i], .data = calloc(1, bytes + 8)};
        u->grad[i] = (poy_rec_array){.spec = in[i], .data = calloc(1, bytes + 8)};
        memcpy(u->in[i].data, numbers, bytes);
        numbers += bytes / sizeof(double);
    }
    for (int i = 0; status == POY_OK && i < u->info.n_out; i++)
        u->out[i] = (poy_rec_array){.spec = out[i], .data = calloc(1, poy_rec_bytes(&out[i]) + 8)};
    return status == POY_OK ? poy_record_evaluate(ctx, u->record, NULL, u->in, u->out, &u->saved) : status;
}

static inline void use_end(use *u)
{
    for (int i = 0; i < ARRAYS; i++) {
        free(u->in[i].data);
        free(u->grad[i].data);
    }
    for (int i = 0; i < 4; i++)
        free(u->out[i].data);
    poy_saved_destroy(&u->saved);
    poy_record_close(&u->record);
}

/* Doubles one after the other into to; their number. */
static inline size_t put(double *to, const void *from, size_t doubles)
{
    memcpy(to, from, doubles * sizeof(double));
    return doubles;
}

#endif
