/* record.h: derivative records: a function of arrays, its two derivatives, and between them a state of plain bytes.
 *
 * A record maps dense row-major arrays of f64 and c128 to such arrays. evaluate gives the value and, if wanted, a saved
 * state; pullback and pushforward take the saved state to gradients and tangents, as often as one likes.
 *
 *   pairing      dL = Re sum(conj(g) dx) for a real L: for y = A x, gx = A^H gy. A real input has a real gradient.
 *   first order  a record's derivatives have no derivative.
 *   purity       same inputs, same outputs; options are fixed and carry no gradient; no addresses in a state.
 *   threads      everything here may run concurrently on the same records and saved states, each thread with its own
 *                context. Records and saved states are immutable and counted.
 *
 * docs/records.md shows how to write one. */
#ifndef POYNTING_RECORD_H
#define POYNTING_RECORD_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POY_REC_ABI 1u

enum {
    POY_REC_ARRAYS_MAX = 32, /* inputs; outputs */
    POY_REC_BATCH_MAX = 8,   /* axes of a batch */
    POY_REC_STATE_HEAD = 64, /* bytes before the payload of each item's state */
};

/* Shape and element type without data: all that a tracing framework knows. */
typedef struct poy_rec_spec {
    poy_dtype dtype; /* POY_F64 or POY_C128 */
    int rank;
    int64_t dims[POY_RANK_MAX];
} poy_rec_spec;

POY_API int64_t poy_rec_count(const poy_rec_spec *spec); /* elements; 1 for rank 0 */
POY_API size_t poy_rec_bytes(const poy_rec_spec *spec);

/* An array for each item of a batch. Memory is the caller's, aligned as double; outputs do not overlap inputs. */
typedef struct poy_rec_array {
    poy_rec_spec spec;                       /* of one item */
    void *data;                              /* of the first item; NULL: absent, see each call */
    int64_t batch_stride[POY_REC_BATCH_MAX]; /* bytes to the next item along each axis of the batch; 0: shared by all */
} poy_rec_array;

/* Items of a batch, in row-major order of its axes. NULL where a batch is asked for, and rank 0: one item. An extent of
 * 0 is a batch without items. */
typedef struct poy_rec_batch {
    int rank;
    int64_t extent[POY_REC_BATCH_MAX];
} poy_rec_batch;

/* Strides of packed items of item_bytes, of which those along the axes k with bit k set in shared are one and the same;
 * returns the bytes of the whole. */
POY_API size_t poy_rec_pack(const poy_rec_batch *batch, uint32_t shared, size_t item_bytes,
                            int64_t stride[POY_REC_BATCH_MAX]);

/* ---- writing a record ---- */

/* Inputs and outputs are declared as text: "A:p[n,n] B:p[n,m]" -> "X:p[n,m]". Each array is name:kind[dimensions].
 *   kind        r  real, f64
 *               c  complex, c128: a real input is widened, its gradient is the real part
 *               p  all inputs of kind p, and the outputs, have one type: c128 if any of them is, else f64
 *               a  either, as it is
 *   # before it (inputs): compared or constant data: no tangent, and the gradient is 0
 *   dimensions  names, which have to agree wherever they stand; numbers; ? for one that infer sets (outputs);
 *               [...] for any shape (inputs), [*] for a shape that infer sets (outputs); [] for a scalar
 * The library checks shapes and types by it, so that a record sees only what fits. */

/* An option: fixed configuration, parsed once. In the canonical text, "axis=all;keep=no", every option stands in the
 * order of the table, so that equal configurations have equal text. */
typedef enum poy_rec_option_kind { POY_REC_WORD, POY_REC_INTEGER, POY_REC_REAL, POY_REC_TEXT } poy_rec_option_kind;
typedef struct poy_rec_option {
    const char *name;
    poy_rec_option_kind kind;
    const char *words;    /* of WORD: "backward|ortho|forward" */
    const char *fallback; /* as text; NULL: it has to be given */
    const char *text;     /* what it means */
} poy_rec_option;
typedef struct poy_rec_value {
    const char *text; /* canonical; valid during open only */
    int64_t integer;  /* of INTEGER; of WORD its index */
    double real;
} poy_rec_value;

/* What infer tells beside shapes. state: bytes that evaluate leaves for the derivatives, a function of shapes and
 * configuration alone. scratch: bytes that evaluate, pullback and pushforward may use while they run, aligned to 64. */
typedef struct poy_rec_size {
    size_t state, scratch;
} poy_rec_size;

/* One item of a call. Input slots of kind c and p come widened. */
typedef struct poy_rec_item {
    const void *config;      /* what open made; op->user where there is no open */
    const poy_rec_array *in; /* data: in evaluate; in derivatives only with POY_REC_NEEDS_INPUTS, else NULL */
    const poy_rec_array
        *out;          /* data: to be written by evaluate; in derivatives with POY_REC_NEEDS_OUTPUTS, else NULL */
    void *state;       /* evaluate: to be written, aligned to 8; NULL: the value alone is wanted */
    const void *saved; /* derivatives: what evaluate left in state */
    void *scratch;
} poy_rec_item;

enum {
    POY_REC_NEEDS_INPUTS = 1,  /* derivatives look at the inputs ... */
    POY_REC_NEEDS_OUTPUTS = 2, /* ... and at the outputs, which are kept beside the state */
    POY_REC_ONE_THREAD = 4,    /* a batch is not shared among threads (an interpreter's functions) */
};

/* Inputs with which the record is checked: "f64[3,3] c128[3,2]". */
typedef struct poy_rec_example {
    const char *options, *in;
} poy_rec_example;

/* What an author fills in, with designated initialisers; pointers have to stay valid. The functions may run on several
 * threads at once, on one config. They say why they fail by poy_ctx_fail and return the status. */
typedef struct poy_rec_op {
    uint32_t abi;           /* POY_REC_ABI */
    uint32_t size;          /* sizeof(poy_rec_op) of the header it was built with */
    const char *name;       /* "acme.grating": lower-case letters, digits, _ and at least one dot; the same for ever */
    const char *in, *out;   /* see above */
    const char *text;       /* one line: the formula */
    uint32_t state_version; /* another number for another layout of the state */
    uint32_t flags;         /* POY_REC_NEEDS_* ... */
    const poy_rec_option *options;
    int n_options;
    int n_examples;
    const poy_rec_example *examples;
    const void *user; /* for the author */
    /* values [n_options]. NULL: no options, and the config is user. */
    poy_status (*open)(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config);
    void (*close)(void *config);
    /* Reads no numbers. out: filled in as far as the declaration goes. NULL: the declaration says all, and there is
     * neither state nor scratch. */
    poy_status (*infer)(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                        poy_rec_size *size);
    poy_status (*evaluate)(poy_ctx *ctx, const poy_rec_item *item);
    /* cot[j].data NULL: zero; grad[i].data NULL: not wanted, so do not compute it; others are to be overwritten. */
    poy_status (*pullback)(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad);
    /* tan[i].data NULL: zero; every out_tan[j] is to be overwritten. NULL: the record is reverse-only. */
    poy_status (*pushforward)(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan);
    /* Fills in the inputs of an example, away from points without derivative. NULL: uniform in (-1, 1). */
    poy_status (*sample)(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in);
} poy_rec_op;

/* Makes a record known to the engine for as long as that lives; the struct is copied. The same record once more is no
 * failure. Errors: POY_ERR_CONFLICT (another one has the name), POY_ERR_ARGUMENT (what is wrong with the declaration),
 * POY_ERR_UNSUPPORTED (other abi). */
POY_API poy_status poy_record_register(poy_ctx *ctx, const poy_rec_op *op);
/* The same for all records of a shared object that exports poy_record_entry. Errors: also POY_ERR_IO. */
POY_API poy_status poy_record_load(poy_ctx *ctx, const char *path);
/* Returns *n records for the library's ABI; NULL: none for this one. */
typedef const poy_rec_op *const *poy_record_entry_fn(uint32_t abi, int *n);

/* ---- what there is ---- */

/* Names of the records that this engine knows; NULL past the end. The built-in ones, records.def, come first. */
POY_API const char *poy_record_known(poy_ctx *ctx, int index);

typedef struct poy_rec_slot {
    char name[24];
    char kind;    /* 'r', 'c', 'p', 'a' */
    int constant; /* marked # */
    int rank;     /* -1: any. Leading axes beyond it are a batch, to an adapter */
} poy_rec_slot;
typedef struct poy_rec_info {
    const char *name, *in, *out, *text;
    uint32_t state_version, flags;
    int n_in, n_out, n_options, n_examples;
    int reverse_only;
    const poy_rec_option *options;
    poy_rec_slot in_slot[POY_REC_ARRAYS_MAX], out_slot[POY_REC_ARRAYS_MAX];
} poy_rec_info;
/* Errors: POY_ERR_ARGUMENT (no such record; the account names the nearest). Pointers live as long as the engine. */
POY_API poy_status poy_record_describe(poy_ctx *ctx, const char *name, poy_rec_info *out);

/* ---- using a record ---- */

typedef struct poy_record poy_record; /* a record and its configuration */
typedef struct poy_saved poy_saved;   /* shapes, state, and the arrays that the derivatives need */

/* options: "name=value;name=value", NULL and "" for none; blanks around the parts do not count.
 * Errors: POY_ERR_ARGUMENT (no such record, no such option, a bad value). */
POY_API poy_status poy_record_open(poy_ctx *ctx, const char *name, const char *options, poy_record **out);
POY_API poy_record *poy_record_keep(poy_record *r); /* one more holder */
POY_API void poy_record_close(poy_record **r);
/* The canonical text of the options; and "name@state_version{options}". Valid as long as r. */
POY_API const char *poy_record_options(const poy_record *r);
POY_API const char *poy_record_identity(const poy_record *r);

/* in [n_in] -> out [n_out], without numbers. state_bytes (or NULL): bytes of one item's state with its head, a multiple
 * of 8; 0 where the derivatives need none. Errors: POY_ERR_SHAPE, POY_ERR_DTYPE, POY_ERR_COMPLEX_TO_REAL. */
POY_API poy_status poy_record_infer(poy_ctx *ctx, const poy_record *r, const poy_rec_spec *in, poy_rec_spec *out,
                                    size_t *state_bytes);

/* Writes out; its specs have to be those of infer. saved NULL: the value alone. A saved state copies what it needs, so
 * that the caller may change in and out at once. After a failure, out is undefined and nothing is saved; of a batch,
 * the failure told is that of the first item that fails, whatever the number of threads. Errors: those of infer;
 * POY_ERR_ARGUMENT (data that is missing, a shared output); POY_ERR_BUDGET, POY_ERR_MEMORY; what the record refuses:
 * POY_ERR_SINGULAR, POY_ERR_NO_CONVERGENCE, POY_ERR_NONFINITE, POY_ERR_MISMATCH (guards), ...; POY_ERR_CALLBACK (it
 * returned no status). */
POY_API poy_status poy_record_evaluate(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch,
                                       const poy_rec_array *in, const poy_rec_array *out, poy_saved **saved);

/* cot [n_out]: data NULL: zero. grad [n_in]: data NULL: not wanted. Specs are those of the outputs and of the inputs as
 * they were given. A gradient that is shared along an axis of the batch is summed over it, in order. Errors:
 * POY_ERR_SHAPE, POY_ERR_DTYPE; POY_ERR_NOT_DIFFERENTIABLE. The saved state stays good. */
POY_API poy_status poy_record_pullback(poy_ctx *ctx, const poy_saved *saved, const poy_rec_array *cot,
                                       const poy_rec_array *grad);
/* tan [n_in]: data NULL: zero. out_tan [n_out]: data NULL: not wanted. Errors: also POY_ERR_UNSUPPORTED (a record that
 * is reverse-only). */
POY_API poy_status poy_record_pushforward(poy_ctx *ctx, const poy_saved *saved, const poy_rec_array *tan,
                                          const poy_rec_array *out_tan);
POY_API poy_saved *poy_saved_keep(poy_saved *saved); /* one more holder */
POY_API void poy_saved_destroy(poy_saved **saved);

/* ---- the state as bytes: so that a framework can own it ----
 *
 * An item's state is a head of POY_REC_STATE_HEAD bytes (magic, layout, state version, digests of record, shapes and
 * payload, size) and the payload, in this machine's byte order: to be handed around in one process, not a file format.
 * Every item stands alone: a batch may be cut and joined. */

/* The states of a batch, strides as in poy_rec_array, size: bytes from the first to the end of the last. */
typedef struct poy_rec_state {
    void *data; /* aligned to 8 */
    size_t size;
    int64_t batch_stride[POY_REC_BATCH_MAX];
} poy_rec_state;

/* evaluate that leaves the state in the caller's memory. Errors: also POY_ERR_STATE (a size that is not infer's). */
POY_API poy_status poy_record_evaluate_into(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch,
                                            const poy_rec_array *in, const poy_rec_array *out,
                                            const poy_rec_state *state);

POY_API size_t poy_saved_bytes(const poy_saved *saved); /* of all items, packed; shared ones once */
POY_API poy_status poy_saved_write(poy_ctx *ctx, const poy_saved *saved, void *bytes, size_t size);

enum { POY_REC_BORROW = 1 }; /* state and arrays are the caller's, unchanged, until the saved state is destroyed */
/* A saved state from bytes, without evaluating again. batch and strides may differ from those it was made with: states
 * and arrays may be shared along new axes. in, out: data only where the record's flags need them (else NULL), specs
 * always. Errors: POY_ERR_STATE (cut short, of another record, version or shape, or changed: the account says so). */
POY_API poy_status poy_record_restore(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch,
                                      const poy_rec_array *in, const poy_rec_array *out, const poy_rec_state *state,
                                      unsigned flags, poy_saved **saved);

/* ---- checking a record ---- */

/* Relative errors of a record's derivatives at one point, in random directions; norms over all arrays. The error of a
 * difference that is above rounding has to fall 4 times with each halving of the step, within a factor of 1.5. */
typedef struct poy_rec_check {
    double adjoint;    /* |Re<g, J dx> - Re<J^H g, dx>| / (|g| |J dx| + |J^H g| |dx|); bound 1e-12 */
    double forward[3]; /* |central difference - J dx| / |J dx| at step, step / 2, step / 4 */
    double reverse[3]; /* |Re<g, central difference> - Re<J^H g, dx>| / (|g| |difference|), likewise */
    double rounding;   /* of the last difference: 64 eps (1 + |f| / |J dx|) / (step / 4) */
    double parts;      /* derivatives one array at a time against all at once; bound 1e-12 */
    double restored;   /* saved, written, restored against fresh; bound 1e-11 */
    double batch;      /* a batch, and one of shared inputs, against a loop; bound 1e-12 */
    int reverse_only;
    const char *fault; /* NULL: all within their bounds; else the name of the first that is not */
} poy_rec_check;

/* Checks r at in (one item; not written). step: relative to the inputs' largest modulus; 0: 2^-10. The check itself
 * fails only if the record does. */
POY_API poy_status poy_record_check(poy_ctx *ctx, const poy_record *r, const poy_rec_array *in, uint64_t seed,
                                    double step, poy_rec_check *out);
/* The same at example k of the record named. Errors: POY_ERR_INDEX (it has no such example). */
POY_API poy_status poy_record_check_example(poy_ctx *ctx, const char *name, int k, uint64_t seed, poy_rec_check *out);
/* Options (valid as long as the engine) and input specs of example k; the inputs themselves, into in[i].data. */
POY_API poy_status poy_record_example(poy_ctx *ctx, const char *name, int k, const char **options, poy_rec_spec *in);
POY_API poy_status poy_record_sample(poy_ctx *ctx, const poy_record *r, uint64_t seed, const poy_rec_array *in);

#ifdef __cplusplus
}
#endif
#endif
