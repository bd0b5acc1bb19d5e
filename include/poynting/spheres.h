/* spheres.h: clusters of layered spheres as functions of all their parameters: cross sections and gradients.
 *
 * Conventions as in tmatrix.h. Gradients follow dL = Re sum conj(g) dx: those of real numbers are real, of a complex one the real
 * part is d / d Re and the imaginary part d / d Im. */
#ifndef POYNTING_SPHERES_H
#define POYNTING_SPHERES_H

#include "poynting/tmatrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n spheres of as many layers each: radii [n][layers] rising, media [n][layers] from the inside, positions [3 n], in one
 * expansion up to degree lmax about each centre. */
typedef struct poy_spheres {
    poy_embedding embedding;
    int lmax;
    size_t n, layers;
    const double *radii;
    const poy_medium *media;
    const double *positions;
} poy_spheres;

/* A plane wave of amplitude 1: direction (any length), pol of the embedding's poltype. */
typedef struct poy_plane_incidence {
    double direction[3];
    int pol;
} poy_plane_incidence;

/* Shapes as above; medium: of the surroundings. */
typedef struct poy_spheres_gradient {
    double k0;
    poy_medium medium;
    double *radii;
    poy_medium *media;
    double *positions;
} poy_spheres_gradient;

/* Cross sections, and the gradient of weight[0] scattering + weight[1] extinction + weight[2] absorption (gradient NULL: the
 * values alone; its arrays have to be there and are written). Errors: those of poy_tmatrix_sphere, poy_cluster_create and
 * poy_tmatrix_cross_sections; POY_ERR_ARGUMENT (no direction); POY_ERR_NOT_DIFFERENTIABLE (an index at a branch point). */
POY_API poy_status poy_spheres_cross_sections(poy_ctx *ctx, const poy_spheres *s, const poy_plane_incidence *wave,
                                              poy_cross_sections *out, const double weight[3],
                                              poy_spheres_gradient *gradient);

#ifdef __cplusplus
}
#endif
#endif
