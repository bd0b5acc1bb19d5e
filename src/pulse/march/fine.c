/* fine.c: the state of a real field as the field on the fine grid, where the response acts; for statistics. */
#include "core/core.h"
#include "poynting/pulse_rows.h"
#include "pulse/march/march.h"

static poy_status record(poy_ctx *ctx, const poy_problem *q, poyi_fine *f)
{
    const poy_row_combine pad = {.position = -1, .scale = 1.0 / (double)q->n_t, .layout = POY_LAYOUT_HALF};
    const poy_row_fft back = {POY_FFT_C2R, +1};
    int spectrum = -1;

    POYI_TRY(ctx, poyi_program_slot(ctx, f->program, "field.u", POY_C128, q->n_c, q->n_w, &f->slot_u));
    POYI_TRY(ctx, poyi_program_slot(ctx, f->program, "field.F", POY_C128, q->n_c, q->n_to / 2 + 1, &spectrum));
    POYI_TRY(ctx, poyi_program_slot(ctx, f->program, "field.time", POY_F64, q->n_c, q->n_to, &f->slot_time));
    POYI_TRY(ctx, poyi_program_segment(ctx, f->program, "fine", &f->segment));
    const int padded[] = {spectrum, f->slot_u, -1, -1, -1}, transformed[] = {f->slot_time, spectrum};
    POYI_TRY(ctx, poyi_program_row(ctx, f->program, "combine", 5, padded, &pad, sizeof pad, 0, 0));
    return poyi_program_row(ctx, f->program, "fft", 2, transformed, &back, sizeof back, 0, 0);
}

poy_status poyi_fine_create(poy_ctx *ctx, const poy_problem *problem, poy_backend *be, poyi_fine *out)
{
    poyi_fine f = {.slot_u = -1};
    void *host = NULL;
    poy_status status;

    POYI_TRY(ctx, poyi_program_create(ctx, "run.fine", &f.program));
    POYI_TO_DONE(ctx, record(ctx, problem, &f));
    POYI_TO_DONE(ctx, poyi_program_bind(ctx, f.program, be));
    if (!poyi_program_host(f.program, f.slot_time))
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "run.host", sizeof(double) * (size_t)(problem->n_c * problem->n_to), &host));
    f.host = host;
    *out = f;
    f.program = NULL;
done:
    poyi_program_destroy(&f.program);
    return status;
}

poy_status poyi_fine_bytes(poy_ctx *ctx, const poy_problem *problem, poy_backend *be, size_t *bytes)
{
    poyi_fine f = {.slot_u = -1};
    poy_ledger_entry groups[8];
    size_t n = 0;
    poy_status status;
    POYI_TRY(ctx, poyi_program_create(ctx, "run.fine", &f.program));
    POYI_TO_DONE(ctx, record(ctx, problem, &f));
    POYI_TO_DONE(ctx, poyi_program_bytes(ctx, f.program, be, 8, groups, &n, bytes));
done:
    poyi_program_destroy(&f.program);
    return status;
}

void poyi_fine_fini(poyi_fine *fine)
{
    void *host = fine->host;
    poyi_program_destroy(&fine->program);
    poyi_free(&host);
    *fine = (poyi_fine){.slot_u = -1};
}

poy_status poyi_fine_run(poy_ctx *ctx, poyi_fine *fine, const double *field, const double **out)
{
    static const double no_scalars[1];
    POYI_TRY(ctx, poyi_program_write(ctx, fine->program, fine->slot_u, field));
    POYI_TRY(ctx, poyi_program_run(ctx, fine->program, fine->segment, no_scalars));
    *out = poyi_program_host(fine->program, fine->slot_time);
    if (*out)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_read(ctx, fine->program, fine->slot_time, fine->host));
    *out = fine->host;
    return POY_OK;
}
