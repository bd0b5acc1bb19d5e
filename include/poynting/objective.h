/* objective.h: the [objective] of a recipe: one number of what it computes, and its gradient by keys of the recipe.
 *
 * A number is a cross section of layered spheres in a plane wave, or a share of the power of light on a stack with arrays of layered
 * spheres, at one wavelength, or its mean over the points of the sweep in a band; keys are radii, positions and constant materials of
 * particles, the wavelength, and of stacks their lattice, thicknesses and constant materials. The derivatives are those of records
 * (docs/records.md). */
#ifndef POYNTING_OBJECTIVE_H
#define POYNTING_OBJECTIVE_H

#include "poynting/recipe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_objective poy_objective;

/* The objective of a checked recipe. The degree of the waves is numerics.lmax, else the one at which a run of the recipe stands
 * still, which the first evaluation looks for; it does not change with the parameters. Errors: POY_ERR_RECIPE, POY_ERR_ARGUMENT (no [objective], a quantity or a key that
 * it cannot have, "key: problem: hint"), POY_ERR_UNSUPPORTED (a pulse: names the rows of its program that have no derivative;
 * particles that are no spheres; chains and crystals), POY_ERR_NOT_DIFFERENTIABLE (a key without a derivative: tabulated materials, whole
 * numbers, words). */
POY_API poy_status poy_objective_open(poy_ctx *ctx, poy_recipe *recipe, poy_objective **out);
POY_API void poy_objective_close(poy_objective **objective);

typedef enum poy_objective_mode {
    POY_OBJECTIVE_VALUE,
    POY_OBJECTIVE_REVERSE, /* one pullback for all keys */
    POY_OBJECTIVE_FORWARD  /* a pushforward for each number of the keys */
} poy_objective_mode;
/* The value, and the gradient for poy_objective_part. Tells the context's progress function. Errors: those of the records,
 * POY_ERR_INTERRUPTED; POY_ERR_BUDGET (before anything is computed: what is needed, what is allowed, where it goes). */
POY_API poy_status poy_objective_evaluate(poy_ctx *ctx, poy_objective *objective, poy_objective_mode mode,
                                          double *value);

/* What an evaluation takes of memory, with checks poy_objective_check: the peak of the ledger, all of it taken before its first point;
 * most (or NULL): where factors have to take over from iterations that do not converge. */
POY_API poy_status poy_objective_bytes(poy_ctx *ctx, poy_objective *objective, int checks, size_t *bytes, size_t *most);

/* "cross_sections.absorption"; its units, "m2" or "1"; 1 where it is to be maximised; degree (0 before it is known, and where none is
 * needed) and wavelength (m) of point i, 0 beyond the last, else 1. */
POY_API const char *poy_objective_quantity(const poy_objective *objective);
POY_API const char *poy_objective_units(const poy_objective *objective);
POY_API int poy_objective_maximises(const poy_objective *objective);
POY_API int poy_objective_point(const poy_objective *objective, int i, double *wavelength, int *lmax);

/* The gradient by one key of objective.wrt, after an evaluation with one. */
typedef struct poy_gradient_part {
    const char *key;
    const char *units; /* of the objective over SI: "m", "m2", "1/m", "1" */
    const char
        *axes; /* what the numbers are: "", "layer", "position axis", "vector axis", "n k", "re im", "layer n k" */
    int rank;
    int64_t extent[2];
    const double *gradient;
} poy_gradient_part;
/* Part i into out; 0 beyond the last, else 1. Pointers are valid until close. */
POY_API int poy_objective_part(const poy_objective *objective, int i, poy_gradient_part *out);

/* Relative errors of the gradient. */
typedef struct poy_gradient_check {
    double adjoint; /* |g . t - J t| / (|g| |t|) of a random direction t, reverse against forward; bound 1e-11 */
    double modes;   /* the whole gradient, reverse against forward; bound 1e-11 */
    double
        difference; /* the largest of all keys: five-point differences of what a run computes, over the largest number of
                        * the key's gradient; bound 1e-6 */
    const char *worst; /* its key */
    int passed;
} poy_gradient_check;
/* Evaluates in both modes, and four runs for each number of the keys; finer steps, up to four times as many, where a resonance is
 * narrower than they are. The reverse gradient stays. */
POY_API poy_status poy_objective_check(poy_ctx *ctx, poy_objective *objective, uint64_t seed, poy_gradient_check *out);

/* The value and the gradient as /gradient/<key> of a result file of the same recipe; what is there of an earlier one is replaced.
 * Errors: POY_ERR_IO. */
POY_API poy_status poy_objective_store(poy_ctx *ctx, const poy_objective *objective, const char *path);

#ifdef __cplusplus
}
#endif
#endif
