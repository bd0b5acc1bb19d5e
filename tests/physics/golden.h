/* golden.h: what the tests of golden propagations share: tables of tests/golden/propagation read line by line, their grids,
 * and how numbers are compared. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdio.h>

#include "lab.h"

/* Each line but comments goes to read_line, which returns 0 for one that it does not know. 1: all are known. */
static inline int golden_read(const char *name, int (*read_line)(void *golden, const char *line), void *golden)
{
    char path[1024], line[256];
    snprintf(path, sizeof path, "%s/golden/propagation/%s.txt", POY_TESTS_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    int good = 1;
    while (good && fgets(line, sizeof line, file))
        good = line[0] == '#' || read_line(golden, line);
    fclose(file);
    return good;
}

/* Up to n numbers; returns how many. */
static inline int golden_numbers(const char *at, int n, double *x)
{
    int count = 0;
    for (char *end = NULL; count < n; count++, at = end) {
        x[count] = strtod(at, &end);
        if (end == at)
            break;
    }
    return count;
}

/* A key of a table: n numbers into real, or one into integer. */
typedef struct golden_key {
    const char *key;
    double *real;
    int n, *integer;
} golden_key;

/* A line "key x ..." into where the key says; returns its number, -1: not known, or another count of numbers. */
static inline int golden_line(const golden_key *keys, size_t n_keys, const char *line)
{
    char key[32];
    double x[8];
    int length = 0;
    if (sscanf(line, "%31s%n", key, &length) != 1)
        return -1;
    for (size_t i = 0; i < n_keys; i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        if (golden_numbers(line + length, 8, x) != keys[i].n)
            return -1;
        if (keys[i].integer)
            *keys[i].integer = (int)x[0];
        else
            memcpy(keys[i].real, x, (size_t)keys[i].n * sizeof *x);
        return (int)i;
    }
    return -1;
}

/* limits: the shortest and the longest wavelength. */
static inline poy_grid *golden_grid(poy_ctx *ctx, int real, int thg, double reference, const double limits[2],
                                    double window)
{
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.field = real ? POY_FIELD_REAL : POY_FIELD_ENVELOPE;
    o.thg = thg;
    o.reference = reference;
    o.wavelength_min = limits[0];
    o.wavelength_max = limits[1];
    o.window = window;
    must(ctx, poy_grid_create(ctx, &o, &grid), "a grid");
    return grid;
}

static inline int golden_agrees(double got, double want, double rtol)
{
    return fabs(got - want) <= rtol * fabs(want);
}

/* S = A dt / sqrt(2 pi), twice that of a real field, at omega: of the column that spectrum starts with. */
static inline void golden_sample(const poy_grid_info *info, const double *spectrum, double omega, double s[2])
{
    const int real = info->field == POY_FIELD_REAL;
    const double scale = (real ? 2.0 : 1.0) * info->dt / sqrt(2.0 * LAB_PI);
    int64_t k = llround((omega - (real ? 0.0 : info->omega0)) / info->domega);
    k = k < 0 ? k + info->n_w : k;
    s[0] = spectrum[2 * k] * scale;
    s[1] = spectrum[2 * k + 1] * scale;
}

/* |S exp(i phase) - want|^2 */
static inline double golden_distance2(const double s[2], double phase, const double want[2])
{
    const double re = s[0] * cos(phase) - s[1] * sin(phase) - want[0];
    const double im = s[1] * cos(phase) + s[0] * sin(phase) - want[1];
    return re * re + im * im;
}

static inline double golden_statistic(poy_ctx *ctx, poy_run *run, const char *name)
{
    double value = (double)NAN;
    must(ctx, poy_run_stats(ctx, run, &name, 1, &value), name);
    return value;
}

#endif
