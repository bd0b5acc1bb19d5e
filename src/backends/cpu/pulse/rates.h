/* rates.h: ionisation rates along one point's field, as the rows of plasmas read them: a field of one or two components, the
 * largest of it in each strip, and which strips have rates worth the name. */
#ifndef POYI_CPU_RATES_H
#define POYI_CPU_RATES_H

#include "backends/cpu/cpu_vector.h"
#include "backends/cpu/pulse/lanes.h"
#include "backends/cpu/pulse/part.h"

#include "kernels/pulse/plasma.clh"

/* One point, and what of its row it needs. */
typedef struct column {
    const poy_row_plasma *arg;
    double scale, density, free; /* scalars */
    const double *T, *W, *x[2];  /* of each component */
    double *y[2];
    int pol;
    int pairs;    /* x is complex */
    int64_t base; /* the sample that x and y start with */
} column;

static inline double largest_of(int64_t n, const double *field)
{
    double largest = 0;
    int64_t first = 0;
#if defined(__AVX2__)
    first = n / 16 * 16;
    largest = four_largest(first, field);
#endif
#pragma omp simd reduction(max : largest)
    for (int64_t i = first; i < n; i++) {
        const double a = fabs(field[i]);
        largest = a > largest ? a : largest;
    }
    return largest;
}

static inline void fields(const column *c, int component, int64_t from, int64_t n, double *field)
{
    if (c->pairs)
        k_field_part(0, n, c->scale, c->x[component] + 2 * from, field);
    else
        k_field(0, n, c->scale, c->x[component] + from, field);
}

#if defined(__AVX2__)
/* Of the last ones as of the others: a value does not depend on its place. */
static inline void log_rates(const poy_row_plasma *arg, const double *table, int64_t n, const double *field,
                             double *rate)
{
    const double inverse = 1.0 / arg->step;
    const int points = (int)arg->points;
    double last[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        _mm256_storeu_pd(rate + i,
                         four_log_rate(points, arg->foot, arg->field_min, inverse, table, _mm256_loadu_pd(field + i)));
    if (i < n) {
        memcpy(last, field + i, (size_t)(n - i) * sizeof *last);
        _mm256_storeu_pd(last, four_log_rate(points, arg->foot, arg->field_min, inverse, table, _mm256_loadu_pd(last)));
        memcpy(rate + i, last, (size_t)(n - i) * sizeof *last);
    }
}
#else
static inline void log_rates(const poy_row_plasma *arg, const double *table, int64_t n, const double *field,
                             double *rate)
{
    k_log_rate(0, n, (int)arg->points, arg->foot, arg->field_min, 1.0 / arg->step, table, field, rate);
}
#endif

/* The least logarithm of a rate that is one. */
static const double LEAST_RATE = -999.0;

/* Rates of |E|; those below the floor, a logarithm, may be 0. */
#if defined(__AVX2__)
/* 0 where all four are below it, for which an exponential is too much. */
static inline void rates(const column *c, double floor, int64_t n, const double *field, double *rate)
{
    const __m256d least = _mm256_set1_pd(floor);
    log_rates(c->arg, c->T, n, field, rate);
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m256d x = _mm256_loadu_pd(rate + i);
        const int any = _mm256_movemask_pd(_mm256_cmp_pd(x, least, _CMP_GE_OQ));
        _mm256_storeu_pd(rate + i, any ? vector_exp(x) : _mm256_setzero_pd());
    }
    vector_map(vector_exp, (size_t)(n - i), rate + i, rate + i);
}
#else
static inline void rates(const column *c, double floor, int64_t n, const double *field, double *rate)
{
    (void)floor;
    log_rates(c->arg, c->T, n, field, rate);
    vector_map(vector_exp, (size_t)n, rate, rate);
}
#endif

static inline int64_t strips_of(int64_t n)
{
    return (n + STRIP - 1) / STRIP;
}

/* The largest |E| of n samples from one on. */
static inline double largest_in(const column *c, int64_t from, int64_t n)
{
    double x[STRIP], y[STRIP];
    if (c->pol == 1 && !c->pairs) /* rounding keeps the order */
        return fabs(c->scale) * largest_of(n, c->x[0] + (from - c->base));
    fields(c, 0, from, n, x);
    if (c->pol > 1) {
        fields(c, 1, from, n, y);
        k_modulus(0, n, x, y, x);
    }
    return largest_of(n, x);
}

/* That of each strip. */
static inline void find_largest(const column *c, int64_t n, double *largest)
{
    for (int64_t from = 0; from < n; from += STRIP)
        largest[from / STRIP] = largest_in(c, from, n - from < STRIP ? n - from : STRIP);
}

/* Rates below it, a logarithm, are not worth a strip: 2^-70 of the largest of all points; where there is none, all. */
static inline double rate_floor(const poy_row_plasma *arg, const double *table, double largest)
{
    static const double negligible = 70 * 0.6931471805599453;
    double top;
    log_rates(arg, table, 1, &largest, &top);
    return top - negligible > LEAST_RATE ? top - negligible : LEAST_RATE;
}

#endif
