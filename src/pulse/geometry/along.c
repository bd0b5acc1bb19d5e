/* along.c: what follows a guide that changes along z: its coordinate, series over it, their integrals over a step. */
#include <math.h>

#include "pulse/geometry/along.h"

/* Section of the path that z lies in: -1 before the first point, n - 1 behind the last. */
static int64_t section_of(const poy_problem *p, double z)
{
    const double *path = POYI_F64(p->path);
    int64_t i = -1;
    while (i + 1 < p->n_path && path[2 * (i + 1)] <= z)
        i++;
    return i;
}

/* The coordinate at z by section i, which z may leave by rounding. */
static double coordinate_in(const poy_problem *p, int64_t i, double z)
{
    const double *path = POYI_F64(p->path);
    if (i < 0 || i >= p->n_path - 1)
        return path[i < 0 ? 1 : 2 * i + 1];
    const double *a = path + 2 * i, *b = a + 2, share = fmin(fmax((z - a[0]) / (b[0] - a[0]), 0.0), 1.0);
    if (p->path_square)
        return sqrt(fmax(a[1] * a[1] + share * (b[1] * b[1] - a[1] * a[1]), 0.0));
    return a[1] + share * (b[1] - a[1]);
}

double poyi_problem_coordinate(const poy_problem *problem, double z)
{
    return problem->n_path ? coordinate_in(problem, section_of(problem, z), z) : 0.0;
}

/* To [-1, 1]. */
static double reduced(const poy_problem *p, double coordinate)
{
    if (!p->n_path)
        return 0.0;
    return (2.0 * coordinate - p->coordinate_min - p->coordinate_max) / (p->coordinate_max - p->coordinate_min);
}

/* T_0(x) ... T_(n-1)(x). */
static void chebyshev_terms(double x, int64_t n, double *terms)
{
    for (int64_t k = 0; k < n; k++)
        terms[k] = k == 0 ? 1.0 : k == 1 ? x : 2.0 * x * terms[k - 1] - terms[k - 2];
}

void poyi_terms_at(const poy_problem *problem, double z, double *terms)
{
    chebyshev_terms(reduced(problem, poyi_problem_coordinate(problem, z)), poyi_terms_count(problem), terms);
}

double poyi_problem_along(const poy_problem *problem, const double *series, double z)
{
    const double x = reduced(problem, poyi_problem_coordinate(problem, z));
    double next = 0.0, after = 0.0; /* Clenshaw's recurrence */
    for (int64_t k = problem->n_along - 1; k > 0; k--) {
        const double b = series[k] + 2.0 * x * next - after;
        after = next;
        next = b;
    }
    return series[0] + x * next - after;
}

/* Where the square of the coordinate is linear in z, z is smooth in the coordinate but not the other way round where it
 * reaches 0: dz = 2 q dq/slope. Then the rule is over q, else over z; both are exact for polynomials of the terms. */
void poyi_terms_integral(const poyi_stage_program *sp, const poy_problem *p, double from, double to, double *out)
{
    const int64_t n = p->n_term;
    double terms[POYI_ALONG_MAX];

    for (int64_t k = 0; k < n; k++)
        out[k] = n == 1 ? to - from : 0.0;
    if (n == 1 || to == from)
        return;
    const int64_t i = section_of(p, 0.5 * (from + to));
    const double q_from = coordinate_in(p, i, from), q_to = coordinate_in(p, i, to);
    const double squares = q_to * q_to - q_from * q_from;
    for (int j = 0; j < POYI_RULE; j++) {
        const double share = 0.5 * (1.0 + sp->rule_x[j]);
        double q, weight = 0.5 * sp->rule_w[j] * (to - from);
        if (p->path_square && squares != 0.0) {
            q = q_from + share * (q_to - q_from);
            weight *= 2.0 * q * (q_to - q_from) / squares;
        } else {
            q = coordinate_in(p, i, from + share * (to - from));
        }
        chebyshev_terms(reduced(p, q), n, terms);
        for (int64_t k = 0; k < n; k++)
            out[k] += weight * terms[k];
    }
}
