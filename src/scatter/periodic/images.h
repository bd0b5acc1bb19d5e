/* images.h: what the images of a lattice do to one another. */
#ifndef POYI_IMAGES_H
#define POYI_IMAGES_H

#include "poynting/periodic.h"
#include "scatter/cluster/cluster.h"
#include "scatter/waves/expand/expand.h"

/* A lattice with a Bloch vector, checked. */
typedef struct poyi_bloch {
    poy_lattice lattice;
    double kpar[3], eta;
} poyi_bloch;

struct poy_periodic {
    _Atomic int references;
    poyi_bloch bloch;
    poy_factor *factor;
};

/* Errors: POY_ERR_ARGUMENT (dim for this family of waves, a singular cell, not finite). */
poy_status poyi_bloch_make(poy_ctx *ctx, const poy_lattice *lattice, const double *kpar, double eta,
                           poy_basis_kind family, poyi_bloch *out);

/* The tables of poyi_expand_call's image for a matrix between two bases, and their memory. */
typedef struct poyi_images {
    poyi_xcomplex *table[2];
    size_t elements; /* of a table */
    void *memory;
} poyi_images;
poy_status poyi_images_create(poy_ctx *ctx, const poyi_bloch *bloch, const poy_basis *destination,
                              const poy_basis *source, const double complex ks[2], poyi_images *out);
void poyi_images_destroy(poyi_images *images);

/* r = r_source - r_destination of a pair (row-major: destination, source); the first pair with the same r. */
void poyi_images_shift(const poy_basis *destination, const poy_basis *source, size_t pair, double r[3]);
size_t poyi_images_first_like(const poy_basis *destination, const poy_basis *source, size_t pair);

/* Singular source waves of all images in regular waves of the destination, of one family, in a medium of these ks. */
typedef struct poyi_bloch_expansion {
    const poyi_bloch *bloch;
    const poy_basis *destination, *source;
    double complex ks[2];
    poy_poltype poltype;
} poyi_bloch_expansion;
/* out[size of destination][size of source] */
poy_status poyi_bloch_value(poy_ctx *ctx, const poyi_bloch_expansion *e, poy_c128 *out);

/* The coupling C of a basis with its images. */
poy_status poyi_bloch_coupling(poy_ctx *ctx, const poy_embedding *embedding, const poyi_bloch *bloch,
                               const poy_basis *basis, poy_c128 *out);

#endif
