/* test_pulse_rows.c: the reference's rows of programs against their formulas in extended precision, in every variant of
 * the conformance cases; the propagators of every backend against the exponential itself. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cmplx.h"
#include "ops/ops.h"
#include "pulse_row_formulas.h"
#include "tap.h"

static poy_ctx *ctx;

/* ---- running ---- */

/* The case on a backend: buffer b of it into out. */
static int run(poy_backend *be, const poyi_pulse_case *c, double *out[POY_STEP_BUFFERS])
{
    poyi_program *p = NULL;
    int slots[POY_STEP_BUFFERS], segment, good = poyi_program_create(ctx, "test", &p) == POY_OK;
    for (int i = 0; i < c->n_slots && good; i++) {
        char name[16];
        snprintf(name, sizeof name, "slot.%d", i);
        slots[i] = c->same[i] >= 0 ? slots[c->same[i]] : -1;
        if (c->slot[i].cols && c->same[i] < 0)
            good =
                poyi_program_slot(ctx, p, name, c->slot[i].dtype, c->slot[i].cols, c->slot[i].len, &slots[i]) == POY_OK;
    }
    good = good && poyi_program_segment(ctx, p, "row", &segment) == POY_OK &&
           poyi_program_row(ctx, p, c->row, c->n_slots, slots, c->arg, c->arg_bytes, 0, c->n_scalars) == POY_OK &&
           poyi_program_bind(ctx, p, be) == POY_OK;
    for (int i = 0; i < c->n_slots && good; i++)
        good = !c->data[i] || poyi_program_write(ctx, p, slots[i], c->data[i]) == POY_OK;
    good = good && poyi_program_run(ctx, p, segment, c->scalars) == POY_OK;
    for (int i = 0; i < c->n_slots && good; i++)
        if (c->data[i]) {
            out[i] = calloc((size_t)poyi_pulse_parts(&c->slot[i]) + 1, sizeof(double));
            good = out[i] && poyi_program_read(ctx, p, slots[i], out[i]) == POY_OK;
        }
    if (!good)
        note("%s: %s", c->name, poy_ctx_message(ctx));
    poyi_program_destroy(&p);
    return good;
}

static int is_small(const poyi_pulse_case *c)
{
    int64_t most = 0;
    for (int i = 0; i < c->n_slots; i++)
        most = c->slot[i].len > most ? c->slot[i].len : most;
    return most <= 128;
}

/* The largest error of a case in units of the row's bound; not a number where something is not as it should be. */
static double error_of(int row, const poyi_pulse_case *c, double *const got[POY_STEP_BUFFERS])
{
    const reader values = {c, 0}, moduli = {c, 1};
    double worst = 0.0;
    for (int b = 0; b < c->n_slots; b++) {
        const int pair = c->slot[b].dtype == POY_C128 ? 2 : 1;
        if (!c->data[b] || !(c->outputs >> b & 1u))
            continue;
        for (int64_t i = 0; i < c->slot[b].cols * c->slot[b].len; i++) {
            const extended want = row_formula(row, &values, b, i);
            const long double re = got[b][pair * i], im = pair == 2 ? (long double)got[b][pair * i + 1] : 0;
            const long double bound =
                (long double)DBL_EPSILON * poyi_pulse_row_tolerance(row) * cabsl(row_formula(row, &moduli, b, i));
            const long double error = cabsl(want - CMPLXL(re, im));
            const int both_not_finite = !isfinite(cabsl(want)) && !(isfinite(re) && isfinite(im));
            if (both_not_finite || error == 0)
                continue;
            if (!(error <= bound))
                return NAN;
            worst = fmax(worst, (double)(error / bound));
        }
    }
    return worst;
}

static void check_row(poy_backend *be, int row)
{
    int cases = 0, failed = 0, made = 1;
    double worst = 0.0;
    char first[96] = "";
    for (int index = 0; made; index++) {
        poyi_pulse_case c;
        double *got[POY_STEP_BUFFERS] = {NULL};
        if (poyi_pulse_case_make(ctx, row, index, 7, &c, &made) != POY_OK)
            break;
        if (made && is_small(&c)) {
            const double error = run(be, &c, got) ? error_of(row, &c, got) : (double)NAN;
            cases++;
            if (isnan(error) && !failed++)
                snprintf(first, sizeof first, "%s", c.name);
            worst = fmax(worst, error);
        }
        for (int i = 0; i < POY_STEP_BUFFERS; i++)
            free(got[i]);
        poyi_pulse_case_fini(&c);
    }
    ok(cases > 0 && failed == 0, "ref: %s: %d cases within %g eps of the formula", poyi_pulse_row_name(row), cases,
       poyi_pulse_row_tolerance(row));
    note("largest error %.3f of the bound%s%s", worst, failed ? "; fails: " : "", first);
}

/* ---- propagators ---- */

/* exp of a single exponent on every backend: |error| <= 4u (1 + |exponent|) directly, and, as powers of one exponential,
 * 10 times the 2u of that and the 10 products of 2u on the way more. */
static void check_propagators(const char *spec, int powers)
{
    enum { N = 4099 };
    static const double c[] = {1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0};
    const double h = 1.9e-3, u = 0.5 * DBL_EPSILON;
    poy_backend *be = NULL;
    poyi_pulse_case k = {.row = "propagators",
                         .name = "propagators",
                         .n_slots = 2,
                         .slot = {{POY_C128, 5, N}, {POY_C128, 1, N}},
                         .same = {-1, -1, -1, -1, -1, -1, -1, -1},
                         .outputs = 1,
                         .n_scalars = POY_POSITIONS};
    double *got[POY_STEP_BUFFERS] = {NULL}, worst[2] = {0.0, 0.0};

    if (poy_backend_open(ctx, spec, &be) != POY_OK) {
        ok(poy_ctx_status(ctx) == POY_ERR_UNSUPPORTED, "%s: skipped", spec);
        return;
    }
    k.data[0] = calloc(2 * POY_POSITIONS * N, sizeof(double));
    k.data[1] = calloc(2 * N, sizeof(double));
    for (int p = 0; p < POY_POSITIONS; p++)
        k.scalars[p] = c[p] * h;
    for (int lossless = 0; lossless < 2; lossless++) {
        const poy_row_propagators arg = {1, POY_POSITIONS, powers, lossless};
        memcpy(k.arg, &arg, sizeof arg);
        k.arg_bytes = sizeof arg;
        for (int i = 0; i < N; i++) {
            k.data[1][2 * i] = lossless ? 0.0 : -1.0 * i;
            k.data[1][2 * i + 1] = (i % 2 ? 1.0 : -1.0) * pow(1.004, i);
        }
        int good = run(be, &k, got);
        for (int p = 0; p < POY_POSITIONS && good; p++)
            for (int i = 0; i < N; i++) {
                const extended phi = CMPLXL((long double)k.data[1][2 * i], (long double)k.data[1][2 * i + 1]);
                const extended want = cexpl((long double)k.scalars[p] * phi);
                const double *e = got[0] + 2 * (p * N + i);
                const long double error = cabsl(want - CMPLXL((long double)e[0], (long double)e[1]));
                worst[lossless] =
                    fmax(worst[lossless], (double)(error / (u * (1 + cabsl(k.scalars[p] * phi)) * cabsl(want))));
            }
        free(got[0]);
        free(got[1]);
        got[0] = got[1] = NULL;
        const double bound = powers ? 40.0 : 4.0;
        ok(good && worst[lossless] <= bound && worst[lossless] > 0.0,
           "%s: %s propagators%s within %g u (1 + |exponent|)", spec, powers ? "powers as" : "direct",
           lossless ? ", lossless," : "", bound);
        note("%.2f", worst[lossless]);
    }
    free(k.data[0]);
    free(k.data[1]);
    poy_backend_close(&be);
}

int main(void)
{
    poy_backend *ref = NULL;
    poy_ctx_create(&ctx);
    ok(poy_backend_open(ctx, "ref", &ref) == POY_OK, "the reference opens");
    for (int row = 0; row < poyi_pulse_row_count(); row++)
        check_row(ref, row);
    poy_backend_close(&ref);
    for (int powers = 0; powers < 2; powers++) {
        check_propagators("ref", powers);
        check_propagators("cpu:isa=base", powers);
        check_propagators("cpu:isa=avx2", powers);
    }
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
