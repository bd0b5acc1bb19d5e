/* along.h: integrals and values of the Chebyshev terms of a guide that changes along z. */
#ifndef POYI_GEOMETRY_ALONG_H
#define POYI_GEOMETRY_ALONG_H

#include "pulse/geometry/geometry.h"

enum { POYI_ALONG_MAX = 129 };

/* Terms that any series of the problem has. */
static inline int64_t poyi_terms_count(const poy_problem *problem)
{
    return problem->n_along > problem->n_delay_along ? problem->n_along : problem->n_delay_along;
}
/* [poyi_terms_count] at z. */
void poyi_terms_at(const poy_problem *problem, double z, double *terms);
/* out [n_term]: their integrals from one place to another, with no point of the path between them. */
void poyi_terms_integral(const poyi_stage_program *sp, const poy_problem *problem, double from, double to, double *out);

#endif
