/* common.h: what the records of scattering share: typed data of items, labels given as numbers, bases, samples.
 *
 * Labels are constant inputs (#r): rows (particle, l, m, pol) of spherical modes, (particle, j, m, pol) of cylindrical ones, j
 * the place of kz in an array of their own, by which they have derivatives. */
#ifndef POYI_SCATTER_RECORD_H
#define POYI_SCATTER_RECORD_H

#include <stdlib.h>
#include <string.h>

#include "record/builtin.h"
#include "scatter/waves/basis.h"

/* ---- options ---- */

enum { POYI_CHOICES_MAX = 6 };

/* The values of a record's options in the order of its table: integers, indices of words, numbers. */
typedef struct poyi_choices {
    int64_t of[POYI_CHOICES_MAX];
    double real[POYI_CHOICES_MAX];
    const void *user; /* of the record */
} poyi_choices;
extern const int poyi_choices_count[POYI_CHOICES_MAX + 1]; /* 0, 1, 2, ...: user starts with the number of options */
poy_status poyi_choices_open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config);

#define POYI_CHOICES(table)                                        \
    .options = table, .n_options = sizeof table / sizeof table[0], \
    .user = &poyi_choices_count[sizeof table / sizeof table[0]], .open = poyi_choices_open, .close = free
#define POYI_EXAMPLES(table) .examples = table, .n_examples = sizeof table / sizeof table[0]

static inline int64_t poyi_choice(const void *config, int i)
{
    return ((const poyi_choices *)config)->of[i];
}

/* ---- records that open something for a call ---- */

enum { POYI_CALL_BYTES = 640 };
#define POYI_CALL_FITS(type) _Static_assert(sizeof(type) <= POYI_CALL_BYTES, "a larger POYI_CALL_BYTES")

/* Records whose three calls open the same (bases, labels, memory) from their inputs, work on it, and close it. x starts as zeros and is
 * closed after a failure, too. */
typedef struct poyi_calls {
    int options; /* how many; first, since user points here */
    poy_status (*open)(poy_ctx *ctx, const poy_rec_item *item, void *x);
    void (*close)(void *x); /* NULL: nothing to close */
    poy_status (*value)(poy_ctx *ctx, const poy_rec_item *item, void *x, const poy_rec_array *out);
    poy_status (*pull)(poy_ctx *ctx, const poy_rec_item *item, void *x, const poy_rec_array *cot,
                       const poy_rec_array *grad);
    poy_status (*push)(poy_ctx *ctx, const poy_rec_item *item, void *x, const poy_rec_array *tan,
                       const poy_rec_array *out_tan);
} poyi_calls;
poy_status poyi_calls_evaluate(poy_ctx *ctx, const poy_rec_item *item);
poy_status poyi_calls_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad);
poy_status poyi_calls_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                           const poy_rec_array *out_tan);

/* Of a record that keeps no state; calls: a poyi_calls, or a struct that starts with one. */
#define POYI_CALLS(calls)                                                                      \
    .flags = POY_REC_NEEDS_INPUTS, .user = &(calls), .open = poyi_choices_open, .close = free, \
    .evaluate = poyi_calls_evaluate, .pullback = poyi_calls_pull, .pushforward = poyi_calls_push
#define POYI_OPTIONS(table) .options = table, .n_options = sizeof table / sizeof table[0]

#define POYI_OPTION_POLTYPE                                                            \
    {                                                                                  \
        "poltype", POY_REC_WORD, "helicity|parity", "helicity", "what pol 0 and 1 are" \
    }
#define POYI_OPTION_ALIGNMENT                                                                            \
    {                                                                                                    \
        "alignment", POY_REC_WORD, "xy|yz|zx", "xy", "axes of the components q; the third is the normal" \
    }
#define POYI_OPTION_WAVES                                                                                          \
    {                                                                                                              \
        "waves", POY_REC_WORD, "spherical|cylindrical", "spherical", "columns of modes: particle, l or kz, m, pol" \
    }
#define POYI_OPTION_SINGULAR                                                          \
    {                                                                                 \
        "singular", POY_REC_WORD, "no|yes", "no", "outgoing waves, else regular ones" \
    }

/* ---- arrays ---- */

static inline double *poyi_real(const poy_rec_array *a, int i)
{
    return a[i].data;
}

static inline poy_c128 *poyi_complex(const poy_rec_array *a, int i)
{
    return a[i].data;
}

/* Extents. */
static inline size_t poyi_extent(const poy_rec_item *item, int input, int axis)
{
    return (size_t)item->in[input].spec.dims[axis];
}

static inline void poyi_clear(const poy_rec_array *a)
{
    if (a->data)
        memset(a->data, 0, poy_rec_bytes(&a->spec));
}

/* Whole numbers within -2^31 .. 2^31 of a constant input. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_labels(poy_ctx *ctx, const char *who, const char *name, const poy_rec_array *a, int64_t *out);

/* The wavenumbers [2] of lossless surroundings: finite and above 0. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_real_ks(poy_ctx *ctx, const char *who, const double *ks);

/* An array of pols 0 and 1, allocated into *memory. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_pols(poy_ctx *ctx, const char *who, const poy_rec_array *a, void **memory);

/* The basis with modes #r[n,4] at positions r[p,3]; cylindrical: their kz are places in axial r[k] or, where that is NULL, kz
 * itself. positions NULL: as many zeros as the particles need. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_record_basis(poy_ctx *ctx, const char *who, int cylindrical, const poy_rec_array *modes,
                             const poy_rec_array *axial, const poy_rec_array *positions, poy_basis **out);

/* ---- samples ---- */

/* Uniform in low .. high, and imaginary parts in imag_low .. imag_high; apart: element k along the last axis is that much
 * higher for each k. */
typedef struct poyi_range {
    double low, high, imag_low, imag_high, apart;
} poyi_range;
void poyi_sample_ranges(uint64_t seed, int n, const poyi_range *ranges, const poy_rec_array *in);
/* The default spherical modes (particle, l, m, pol) of degrees as the number of rows needs, for particles many origins. */
void poyi_sample_modes(int64_t particles, const poy_rec_array *modes);
/* Cylindrical ones of n_kz places, orders as the number of rows needs. */
void poyi_sample_axial_modes(int64_t particles, int64_t n_kz, const poy_rec_array *modes);

#endif
