/* common.h: what the records of scattering share: typed data of items, labels given as numbers, bases, samples.
 *
 * Labels are constant inputs (#r): rows (particle, l, m, pol) of spherical modes, (particle, j, m, pol) of cylindrical ones, j
 * the place of kz in an array of their own, by which they have derivatives. */
#ifndef POYI_SCATTER_RECORD_H
#define POYI_SCATTER_RECORD_H

#include <string.h>

#include "record/builtin.h"
#include "scatter/waves/basis.h"

/* ---- options ---- */

enum { POYI_CHOICES_MAX = 6 };

/* The values of a record's options in the order of its table: integers, indices of words, numbers. */
typedef struct poyi_choices {
    int64_t of[POYI_CHOICES_MAX];
    double real[POYI_CHOICES_MAX];
} poyi_choices;
extern const int poyi_choices_count[POYI_CHOICES_MAX + 1]; /* 0, 1, 2, ...: user says how many options there are */
poy_status poyi_choices_open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config);

#define POYI_CHOICES(table)                                        \
    .options = table, .n_options = sizeof table / sizeof table[0], \
    .user = &poyi_choices_count[sizeof table / sizeof table[0]], .open = poyi_choices_open, .close = free
#define POYI_EXAMPLES(table) .examples = table, .n_examples = sizeof table / sizeof table[0]

static inline int64_t poyi_choice(const void *config, int i)
{
    return ((const poyi_choices *)config)->of[i];
}

#define POYI_OPTION_POLTYPE                                                            \
    {                                                                                  \
        "poltype", POY_REC_WORD, "helicity|parity", "helicity", "what pol 0 and 1 are" \
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
