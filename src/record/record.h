/* record.h: records as the library holds them: declarations read, options parsed, states with their heads. */
#ifndef POYI_RECORD_H
#define POYI_RECORD_H

#include "core/core.h"
#include "poynting/record.h"

/* ---- declarations: signature.c ---- */

enum { POYI_DIM_NAMED, POYI_DIM_FIXED, POYI_DIM_FREE }; /* [n], [3], [?] */
enum { POYI_REC_NAMES_MAX = 32, POYI_REC_NAME = 24 };

typedef struct poyi_dim {
    int kind;
    int name;       /* of NAMED: index in the signature's names */
    int64_t extent; /* of FIXED */
} poyi_dim;

typedef struct poyi_slot {
    char name[POYI_REC_NAME];
    char kind;    /* r c p a */
    int constant; /* # */
    int any;      /* [...] or [*]: rank and dim say nothing */
    int follows;  /* outputs: [...], the shape of the first such input */
    int rank;
    poyi_dim dim[POY_RANK_MAX];
} poyi_slot;

typedef struct poyi_signature {
    int n_in, n_out, n_names;
    poyi_slot in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX];
    char name[POYI_REC_NAMES_MAX][POYI_REC_NAME];
} poyi_signature;

/* Reads a declaration. Errors: POY_ERR_ARGUMENT. who: the record's name, for messages. */
poy_status poyi_signature_read(poy_ctx *ctx, const char *who, const char *in, const char *out, poyi_signature *s);
/* Checks given [n_in]; in [n_in]: the specs after widening; out [n_out]: as far as the declaration goes, extents that
 * it leaves open are -1, and so is the rank of [*]. */
poy_status poyi_signature_bind(poy_ctx *ctx, const char *who, const poyi_signature *s, const poy_rec_spec *given,
                               poy_rec_spec *in, poy_rec_spec *out);
/* Checks what the author's infer has made of out. Errors: POY_ERR_CALLBACK. */
poy_status poyi_signature_check(poy_ctx *ctx, const char *who, const poyi_signature *s, const poy_rec_spec *bound,
                                const poy_rec_spec *out);
/* "f64[3,3] c128[3]" into spec [n]. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_specs_read(poy_ctx *ctx, const char *who, const char *text, int n, poy_rec_spec *spec);
/* "c128[3,2]", for messages; size 128 is enough. */
void poyi_spec_text(const poy_rec_spec *spec, size_t size, char *out);
enum { POYI_SPEC_TEXT = 200 };
int poyi_spec_equal(const poy_rec_spec *a, const poy_rec_spec *b);

/* ---- options: options.c ---- */

/* Parses text by the table; values [n], their texts in a block of memory that is to be freed by free(*block).
 * canonical: the text of all options, likewise. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_options_parse(poy_ctx *ctx, const char *who, const poy_rec_option *table, int n, const char *text,
                              poy_rec_value *values, char **block, char **canonical);
enum { POYI_OPTIONS_MAX = 32 };

/* ---- known records: registry.c ---- */

typedef struct poyi_known {
    poy_rec_op op; /* a copy: an older one is shorter, the rest is zero */
    poyi_signature signature;
} poyi_known;

/* Errors: POY_ERR_ARGUMENT (names the nearest). */
poy_status poyi_record_find(poy_ctx *ctx, const char *name, const poyi_known **out);

/* ---- records and saved states ---- */

struct poy_record {
    _Atomic int holders;
    const poyi_known *known;
    const void *config;
    void *opened; /* the same, where open made it */
    char *options, *identity;
    uint64_t digest; /* of name and options */
    poyi_engine *engine;
};

/* What infer knows of a call. */
typedef struct poyi_shapes {
    int n_in, n_out;
    poy_rec_spec given[POY_REC_ARRAYS_MAX]; /* the caller's inputs */
    poy_rec_spec in[POY_REC_ARRAYS_MAX];    /* after widening */
    poy_rec_spec out[POY_REC_ARRAYS_MAX];
    poy_rec_size size;
    size_t item_bytes; /* of the state with its head; 0: none */
} poyi_shapes;

poy_status poyi_record_shapes(poy_ctx *ctx, const poy_record *r, const poy_rec_spec *given, poyi_shapes *out);

struct poy_saved {
    _Atomic int holders;
    poy_record *record;
    poyi_shapes shapes;
    poy_rec_batch batch;
    int64_t items;
    poy_rec_array in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX]; /* data NULL: not needed */
    poy_rec_state state;                                           /* data NULL: none */
    void *owned_state, *owned_arrays;
};

/* ---- batches: batch.c ---- */

/* NULL: one item. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_batch_read(poy_ctx *ctx, const char *who, const poy_rec_batch *batch, poy_rec_batch *out,
                           int64_t *items);
/* Byte offset of an item (row-major index). */
int64_t poyi_batch_offset(const poy_rec_batch *batch, const int64_t *stride, int64_t item);
/* Is the array shared along an axis longer than 1? */
int poyi_batch_is_shared(const poy_rec_batch *batch, const int64_t *stride);
/* Bit k: stride[k] is 0. */
uint32_t poyi_batch_shared_axes(const poy_rec_batch *batch, const int64_t *stride);
/* The batch without the axes along which stride is 0: its distinct items; returns how many. */
int64_t poyi_batch_distinct(const poy_rec_batch *batch, const int64_t *stride, poy_rec_batch *out);
/* Bytes from the first to the end of the last item. Errors: POY_ERR_ARGUMENT (negative strides, overflow). */
poy_status poyi_batch_extent(poy_ctx *ctx, const char *who, const poy_rec_batch *batch, const int64_t *stride,
                             size_t item_bytes, size_t *out);

/* ---- calls: call.c ---- */

/* What one evaluation, pullback or pushforward works on. */
typedef struct poyi_call {
    const poy_record *record;
    const poyi_shapes *shapes;
    poy_rec_batch batch;
    int64_t items;
    const poy_rec_array *in, *out;
    poy_rec_state state;            /* data NULL: none */
    int seal;                       /* evaluate: the heads are written, too */
    const poy_rec_array *direction; /* cotangents, tangents; NULL in evaluate */
    const poy_rec_array *result;    /* gradients, tangents of the outputs */
    enum { POYI_EVALUATE, POYI_PULLBACK, POYI_PUSHFORWARD } kind;
} poyi_call;

poy_status poyi_call_run(poy_ctx *ctx, const poyi_call *call);

/* ---- bytes: state.c ---- */

/* Writes the head before the payload at item (POY_REC_STATE_HEAD + payload bytes). */
void poyi_state_seal(const poy_record *r, const poyi_shapes *shapes, unsigned char *item);
/* Errors: POY_ERR_STATE. */
poy_status poyi_state_check(poy_ctx *ctx, const poy_record *r, const poyi_shapes *shapes, const unsigned char *item);

#endif
