/* axial.h: the kz that cylindrical modes share, between an input of their own and the sorted ones of an expansion. */
#ifndef POYI_AXIAL_H
#define POYI_AXIAL_H

#include "scatter/record/common.h"
#include "scatter/waves/diff.h"

typedef struct poyi_axial {
    size_t n, n_sorted;
    const double *axial;     /* [n], the input */
    double *sorted, *values; /* [n_sorted]: the kz in use, rising, and what belongs to them */
    void *memory;
} poyi_axial;

/* The caller frees a->memory. Errors: POY_ERR_ARGUMENT (a kz twice). */
poy_status poyi_axial_open(poy_ctx *ctx, const char *who, const poyi_expansion *e, const poy_rec_array *axial,
                           poyi_axial *a);
/* Where an expansion is to write its gradient by kz; NULL: there are none. */
static inline double *poyi_axial_values(poyi_axial *a)
{
    return a->n_sorted ? a->values : NULL;
}
/* From there into the gradient of the input. */
void poyi_axial_pull(const poyi_axial *a, const poy_rec_array *grad);
/* The tangents of the kz in use, NULL: 0. */
double *poyi_axial_push(poyi_axial *a, const poy_rec_array *tan);

#endif
