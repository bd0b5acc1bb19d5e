/* wave_fixture.h: what the tests of vector waves share: random bases, points and numbers from one seed, small matrices. */
#ifndef WAVE_FIXTURE_H
#define WAVE_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cmplx.h"
#include "math/batch.h"
#include "poynting/waves.h"
#include "tap.h"

static uint64_t fixture_counter;

/* The next of a fixed sequence of numbers in [-1, 1). */
static inline double draw(void)
{
    double u[2];
    poy_random_uniform2(20240611u, 7u, fixture_counter++, u);
    return 2.0 * u[0] - 1.0;
}

static inline poy_c128 draw_complex(void)
{
    const double re = draw();
    return (poy_c128){re, draw()};
}

static inline void draw_points(size_t n, double size, double *points)
{
    for (size_t i = 0; i < 3 * n; i++)
        points[i] = size * draw();
}

static inline poy_c128 *draw_coefficients(size_t n)
{
    poy_c128 *a = calloc(n ? n : 1, sizeof *a);
    for (size_t i = 0; a && i < n; i++)
        a[i] = draw_complex();
    return a;
}

static inline poy_c128 *matrix(size_t rows, size_t cols)
{
    const size_t n = rows * cols;
    return calloc(n > 0 ? n : 1, sizeof(poy_c128));
}

/* c[rows][cols] = a[rows][inner] b[inner][cols] */
static inline void multiply(size_t rows, size_t inner, size_t cols, const poy_c128 *a, const poy_c128 *b, poy_c128 *c)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) {
            double complex sum = 0.0;
            for (size_t k = 0; k < inner; k++)
                sum += poyi_c(a[i * inner + k]) * poyi_c(b[k * cols + j]);
            c[i * cols + j] = poyi_pair(sum);
        }
}

/* max |a - b| / max |b| */
static inline double apart(size_t n, const poy_c128 *a, const poy_c128 *b)
{
    double difference = 0.0, size = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double d = cabs(poyi_c(a[i]) - poyi_c(b[i]));
        difference = d > difference || isnan(d) ? d : difference;
        size = fmax(size, cabs(poyi_c(b[i])));
    }
    return size > 0.0 ? difference / size : difference;
}

static const poy_embedding vacuum = {1.4, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
static const poy_embedding vacuum_parity = {1.4, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY};
static const poy_embedding lossy_parity = {1.1, {{1.7, 0.3}, {1.2, 0.1}, {0.0, 0.0}}, POY_PARITY};
static const poy_embedding chiral = {1.2, {{2.1, 0.2}, {1.3, 0.05}, {0.15, 0.02}}, POY_HELICITY};

#endif
