/* special_table.h: what the tests of special functions share: reading reference tables and keeping the worst error of
 * each function. */
#ifndef SPECIAL_TABLE_H
#define SPECIAL_TABLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/extended.h"
#include "poynting/special.h"
#include "tap.h"

/* The worst error of one function and where it was met. */
typedef struct worst_error {
    const char *name;
    double bar;
    int count;
    double error;
    char where[600];
} worst_error;

static inline void worst_add(worst_error *w, double error, const char *where)
{
    w->count++;
    if (!(error <= w->error)) { /* NaN too */
        w->error = isnan(error) ? (double)INFINITY : error;
        (void)snprintf(w->where, sizeof w->where, "%.*s", (int)strcspn(where, "\n"), where);
    }
}

/* One check and one row of a table in docs/ (tools/error_tables.sh) for each function. */
static inline void worst_report(const worst_error *w, int rows, int least)
{
    for (int i = 0; i < rows; i++) {
        ok(w[i].count >= least && w[i].error <= w[i].bar, "%s: worst error %.1e of %d points", w[i].name, w[i].error,
           w[i].count);
        note("| %s | %d | %.1e | %.0e |", w[i].name, w[i].count, w[i].error, w[i].bar);
        if (!(w[i].error <= w[i].bar))
            note("at %s", w[i].where);
    }
}

static inline double table_number(char **rest)
{
    return strtod(*rest, rest);
}

static inline double complex table_complex(char **rest)
{
    const double re = table_number(rest);
    return CMPLX(re, table_number(rest));
}

/* "re im e" */
static inline poyi_big table_big(char **rest)
{
    const double complex m = table_complex(rest);
    return poyi_big_make(poyi_x(m), strtol(*rest, rest, 10));
}

/* |got - want| / |want| */
static inline double relative_big(poyi_big got, poyi_big want)
{
    const poyi_big difference = poyi_big_add(got, poyi_big_times(want, -1.0L));
    double complex ratio;
    if (poyi_xsize(difference.m) == 0.0L)
        return 0.0;
    if (poyi_xsize(want.m) == 0.0L)
        return (double)INFINITY;
    (void)poyi_big_round(poyi_big_div(difference, want), &ratio);
    return cabs(ratio);
}

static inline double relative(double complex got, double complex want)
{
    return got == want ? 0.0 : cabs(got - want) / cabs(want);
}

/* The next line of a table that is not a comment; 0 at the end. */
static inline int table_line(FILE *file, char *line, int size)
{
    while (fgets(line, size, file))
        if (line[0] != '#' && line[0] != '\n')
            return 1;
    return 0;
}

static inline FILE *table_open(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/golden/%s", POY_TESTS_DIR, name);
    FILE *file = fopen(path, "r");
    ok(file != NULL, "the table %s is there", name);
    return file;
}

/* A line of golden/scattering/special.txt. */
typedef struct published_case {
    char op[32];
    double rel, abs, in[16], out[16];
    int inputs, outputs;
} published_case;

static inline int published_read(char *line, published_case *c)
{
    char *rest = strchr(line, ' ');
    if (!rest || rest - line >= (long)sizeof c->op)
        return 0;
    (void)snprintf(c->op, sizeof c->op, "%.*s", (int)(rest - line), line);
    c->rel = table_number(&rest);
    c->abs = table_number(&rest);
    c->inputs = (int)table_number(&rest);
    for (int i = 0; i < c->inputs; i++)
        c->in[i] = table_number(&rest);
    c->outputs = (int)table_number(&rest);
    for (int i = 0; i < c->outputs; i++)
        c->out[i] = table_number(&rest);
    return 1;
}

/* The case's pass rule for one complex output (or a real one). */
static inline int published_pass(const published_case *c, double complex got)
{
    const double complex want = CMPLX(c->out[0], c->outputs > 1 ? c->out[1] : 0.0);
    return cabs(got - want) <= c->abs + c->rel * cabs(want);
}

#endif
