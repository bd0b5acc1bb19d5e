/* wave_table.h: reading the reference tables of vector waves (tools/wave_reference) and keeping the worst error of each
 * function. */
#ifndef WAVE_TABLE_H
#define WAVE_TABLE_H

#include <float.h>

#include "unit/scatter/wave_fixture.h"
#include "unit/special_table.h"

enum { LINE_LABELS = 8, LINE_INPUTS = 12, LINE_OUTPUTS = 3 };

/* One point: a function's labels and inputs, what comes out, in the tables of derivatives by which input. */
typedef struct wave_line {
    char name[24];
    int n_labels, n_inputs, n_outputs, index;
    int64_t label[LINE_LABELS];
    poy_c128 in[LINE_INPUTS];
    poyi_big want[LINE_OUTPUTS];
} wave_line;

static inline int wave_line_read(char *text, int derivative, wave_line *w)
{
    char *rest = strchr(text, ' ');
    memset(w, 0, sizeof *w);
    if (!rest || rest - text >= (long)sizeof w->name)
        return 0;
    memcpy(w->name, text, (size_t)(rest - text));
    w->n_labels = (int)table_number(&rest);
    if (w->n_labels < 0 || w->n_labels > LINE_LABELS)
        return 0;
    for (int i = 0; i < w->n_labels; i++)
        w->label[i] = (int64_t)table_number(&rest);
    w->n_inputs = (int)table_number(&rest);
    if (w->n_inputs < 1 || w->n_inputs > LINE_INPUTS)
        return 0;
    for (int i = 0; i < w->n_inputs; i++)
        w->in[i] = poyi_pair(table_complex(&rest));
    w->index = derivative ? (int)table_number(&rest) : -1;
    while (w->n_outputs < LINE_OUTPUTS && *rest == ' ')
        w->want[w->n_outputs++] = table_big(&rest);
    return w->n_outputs > 0;
}

/* |got - want| / |want| of the vector of outputs. Of two outputs the second is the largest term of the sum that is the first:
 * with of_terms it counts where it is larger. Beyond the range of a double: 0 if the status says so; a matrix may say so for
 * values above 1e250, whose factors are beyond it. Below the range: 0 if what is left is as small. */
static inline double wave_line_error(const wave_line *w, int of_terms, poy_status status, const poy_c128 *got)
{
    const int n = w->n_outputs == 2 ? 1 : w->n_outputs;
    double size = 0.0, error = 0.0;
    int beyond = 0;
    for (int i = 0; i < n; i++) {
        double complex want;
        beyond |= poyi_big_round(w->want[i], &want);
        size = hypot(size, cabs(want));
        error = hypot(error, cabs(poyi_c(got[i]) - want));
    }
    if (beyond || status != POY_OK)
        return (beyond || (of_terms && size > 1e250)) && status == POY_ERR_RANGE ? 0.0 : (double)INFINITY;
    double complex term = 0.0;
    if (of_terms && n < w->n_outputs)
        (void)poyi_big_round(w->want[1], &term);
    size = fmax(size, cabs(term));
    if (size < 1e-290)
        return error <= 1e-290 ? 0.0 : (double)INFINITY;
    return error / size;
}

/* Errors by function; a table has few of them. */
typedef struct wave_errors {
    int count;
    worst_error row[32];
} wave_errors;

static inline worst_error *wave_errors_of(wave_errors *e, const char *name, double bar)
{
    for (int i = 0; i < e->count; i++)
        if (!strcmp(e->row[i].name, name))
            return e->row + i;
    if (e->count == (int)(sizeof e->row / sizeof e->row[0]))
        return NULL;
    e->row[e->count] = (worst_error){.name = name, .bar = bar};
    return e->row + e->count++;
}

/* The table of that name in the folder of argv[1], else in that of the tests. */
static inline FILE *wave_table_open(int argc, char **argv, const char *name)
{
    char path[512];
    if (argc > 1)
        (void)snprintf(path, sizeof path, "%s/%s.txt", argv[1], name);
    else
        (void)snprintf(path, sizeof path, "%s/golden/waves/%s.txt", POY_TESTS_DIR, name);
    FILE *file = fopen(path, "r");
    ok(file != NULL, "the table %s is there", name);
    return file;
}

/* A basis of one mode at one place (NULL: the origin). */
static inline poy_basis *lone_spherical(poy_ctx *ctx, int64_t l, int64_t m, int64_t pol, const double *place)
{
    const poy_wave_mode mode = {.l = (int32_t)l, .m = (int32_t)m, .pol = (int32_t)pol};
    poy_basis *b = NULL;
    (void)poy_basis_sw_create(ctx, 1, &mode, 1, place, &b);
    return b;
}

static inline poy_basis *lone_cylindrical(poy_ctx *ctx, double kz, int64_t m, int64_t pol, const double *place)
{
    const poy_wave_mode mode = {.m = (int32_t)m, .pol = (int32_t)pol, .kz = kz};
    poy_basis *b = NULL;
    (void)poy_basis_cw_create(ctx, 1, &mode, 1, place, &b);
    return b;
}

/* A real input as the reference has it. */
static inline double real_input(const wave_line *w, int i)
{
    return w->in[i].re;
}

static inline void real_inputs(const wave_line *w, int first, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = w->in[first + i].re;
}

/* Helicity modes to lmax with the small integers that the reference's sums have as coefficients. */
static inline poy_basis *counted_modes(poy_ctx *ctx, int lmax, poy_c128 *coefficients)
{
    poy_basis *b = NULL;
    (void)poy_basis_sw_default(ctx, lmax, 0, NULL, &b);
    for (size_t i = 0; b && i < poy_basis_size(b); i++) {
        const poy_wave_mode *m = poy_basis_modes(b) + i;
        coefficients[i] = (poy_c128){(7 * m->l + 3 * m->m + 5 * m->pol + 2000) % 11 - 5,
                                     (5 * m->l + 2 * m->m + 3 * m->pol + 2000) % 7 - 3};
    }
    return b;
}

enum { COUNTED_LMAX = 24, COUNTED_MODES = 2 * COUNTED_LMAX * (COUNTED_LMAX + 2) };

#endif
