/* spheres.h: layered spheres as records take them: inputs k0, radii, epsilon, mu, kappa, positions, and the surroundings (epsilon, mu,
 * kappa), real or complex; option 0 is lmax. */
#ifndef POYI_RECORD_SPHERES_H
#define POYI_RECORD_SPHERES_H

#include "poynting/spheres.h"
#include "scatter/record/common.h"

enum {
    POYI_SPHERES_K0,
    POYI_SPHERES_RADII,
    POYI_SPHERES_EPSILON,
    POYI_SPHERES_MU,
    POYI_SPHERES_KAPPA,
    POYI_SPHERES_POSITIONS,
    POYI_SPHERES_MEDIUM,
    POYI_SPHERES_INPUTS
};

#define POYI_OPTION_LMAX                                         \
    {                                                            \
        "lmax", POY_REC_INTEGER, NULL, NULL, "degrees, 1 to 128" \
    }

/* Errors: POY_ERR_ARGUMENT (lmax), POY_ERR_EMPTY. */
poy_status poyi_spheres_check(poy_ctx *ctx, const void *config, const poy_rec_spec *in);
/* Bytes of memory below, of these inputs. */
size_t poyi_spheres_memory(const poy_rec_spec *in);
void poyi_spheres_read(const poy_rec_item *item, void *memory, poy_spheres *out);
/* Where a gradient is to be written, and what is wanted of it into grad. */
poy_spheres_gradient poyi_spheres_gradient_of(const poy_rec_item *item, void *memory, const poy_rec_array *grad);
void poyi_spheres_write(const poy_rec_item *item, const poy_spheres_gradient *g, const poy_rec_array *grad);
poy_spheres_gradient poyi_spheres_tangent_of(const poy_rec_item *item, void *memory, const poy_rec_array *tan);
/* What of the spheres' inputs has data: bits of cluster/spheres.h. */
unsigned poyi_spheres_wanted(const poy_rec_array *grad);
/* Spheres apart, of two different radii a layer. */
void poyi_spheres_sample(uint64_t seed, const poy_rec_array *in);

#endif
