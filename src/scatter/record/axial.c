/* axial.c: kz of cylindrical modes as an input. */
#include "scatter/record/axial.h"

poy_status poyi_axial_open(poy_ctx *ctx, const char *who, const poyi_expansion *e, const poy_rec_array *axial,
                           poyi_axial *a)
{
    const size_t room = poy_basis_size(e->destination) + poy_basis_size(e->source);
    *a = (poyi_axial){.n = (size_t)axial->spec.dims[0], .axial = axial->data};
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < i; j++)
            if (a->axial[i] == a->axial[j])
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: axial[%zu] and axial[%zu] are %g both", who, j, i,
                                 a->axial[i]);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.record", (2 * room + 1) * sizeof(double), &a->memory));
    a->sorted = a->memory;
    a->values = a->sorted + room;
    a->n_sorted = poyi_expansion_axial(e, a->sorted);
    return POY_OK;
}

/* The place of axial[i] among the sorted ones, or n_sorted: no mode has it. */
static size_t place_of(const poyi_axial *a, size_t i)
{
    size_t k = 0;
    while (k < a->n_sorted && a->sorted[k] != a->axial[i])
        k++;
    return k;
}

void poyi_axial_pull(const poyi_axial *a, const poy_rec_array *grad)
{
    for (size_t i = 0; grad->data && i < a->n; i++) {
        const size_t k = place_of(a, i);
        ((double *)grad->data)[i] = k < a->n_sorted ? a->values[k] : 0.0;
    }
}

double *poyi_axial_push(poyi_axial *a, const poy_rec_array *tan)
{
    if (!tan->data || !a->n_sorted)
        return NULL;
    for (size_t i = 0; i < a->n; i++) {
        const size_t k = place_of(a, i);
        if (k < a->n_sorted)
            a->values[k] = ((const double *)tan->data)[i];
    }
    return a->values;
}
