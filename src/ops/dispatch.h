/* dispatch.h: a call of an operation on its way from the public function to a backend's: checks, promotion, outputs,
 * copies of inputs that cannot be used as they are. */
#ifndef POYI_DISPATCH_H
#define POYI_DISPATCH_H

#include "ops/array.h"
#include "ops/program.h"

enum { POYI_CALL_TEMPS = 16 };

typedef struct poyi_call {
    poy_ctx *ctx;
    poyi_op op;
    const poyi_op_row *row;
    poy_backend *be;
    poy_dtype dtype; /* of the computation */
    int n_temps;
    poy_array *temps[POYI_CALL_TEMPS]; /* given back at the end */
} poyi_call;

/* A call as a backend's function gets it. */
enum { POYI_WORK_TENSORS = 6 };
typedef struct poyi_work {
    poyi_op op;
    poy_cell cell; /* poyi_backend_cell fills in these two */
    void *state;
    poyi_at_once *at_once; /* the same without tensors; NULL where there is no such */
    union {
        poy_scalar value; /* fill */
        int n_reduced;    /* reduce */
        struct {
            int conjugate, has_runs;
        } sparse;
        poy_fft_arg fft;
    } arg;
    poy_tensor t[POYI_WORK_TENSORS]; /* in the order of the function's arguments */
} poyi_work;

/* A failure of the operation, told in the name of its public function: POYI_OP_FAIL(call, status, "%s: ...", NAME...). */
#define POYI_OP_FAIL(call, status, ...) \
    poyi_fail((call)->ctx, (status), (call)->row->function, __FILE__, __LINE__, __VA_ARGS__)

/* The same for a code that a backend's function returned: a bare one becomes "<backend>.<what> failed: ...". */
poy_status poyi_op_failed(poy_ctx *ctx, poy_status status, const poy_backend *be, const char *what, const char *func,
                          const char *file, int line);

/* Looks up the function that does op in dtype. */
poy_status poyi_call_find(const poyi_call *call, poyi_op op, poy_dtype dtype, poyi_work *work);
/* Does the work of a call, whose n tensors are windows on a, or writes it down where a program is recorded. Not for linalg,
 * whose functions make their outputs. */
poy_status poyi_call_work(const poyi_call *call, const poyi_work *work, int n, const poy_array *const *a);
/* What does such work from a step of a program, whose arg it is. */
poyi_step_run *poyi_work_runner(const poyi_work *work);

/* Starts a call on n inputs: one backend, the promoted type. */
poy_status poyi_call_begin(poy_ctx *ctx, poyi_op op, int n, const poy_array *const *in, poyi_call *call);
/* The failure of a call whose array "what" is on another backend than x. */
poy_status poyi_call_two_backends(const poyi_call *call, const poy_backend *x, const char *what,
                                  const poy_backend *other);
/* Ends it: gives temporaries back; an output that was made goes with a failure. */
poy_status poyi_call_end(poyi_call *call, poy_status status, poy_array **made);

/* The output: *made where into is NULL, else into, checked. *out: the one. */
poy_status poyi_call_output(poyi_call *call, poy_dtype dtype, int rank, const int64_t *extent, poy_array *into,
                            poy_array **made, poy_array **out);
/* *x as the computation can use it: of its type; apart from out, unless it is the same window and in_place is allowed;
 * packed where the backend asks for it (broadcast to the shape given, then). *x is exchanged for a copy where needed. */
poy_status poyi_call_input(poyi_call *call, const poy_array **x, const poy_array *out, int in_place, int rank,
                           const int64_t *extent);
/* The same for an input whose type is not that of the computation. */
poy_status poyi_call_input_as(poyi_call *call, poy_dtype dtype, const poy_array **x, const poy_array *out, int in_place,
                              int rank, const int64_t *extent);
/* A temporary array of the call. */
poy_status poyi_call_temp(poyi_call *call, poy_dtype dtype, int rank, const int64_t *extent, poy_array **out);
/* A view that lives as long as the call. */
poy_status poyi_call_keep(poyi_call *call, poy_array *view);

/* The head of an opened backend: what a call in a loop needs of it. is_own: of this library; such ones work in host memory,
 * take any strides, and leave an account of each failure. */
typedef struct poyi_backend_head {
    void *state;
    int is_own;
    poy_cell cells[POYI_OP_COUNT][POY_DTYPE_COUNT];        /* a NULL where it has no function */
    poyi_at_once *at_once[POYI_OP_COUNT][POY_DTYPE_COUNT]; /* likewise; of backends of this library alone */
} poyi_backend_head;

static inline const poyi_backend_head *poyi_backend_head_of(const poy_backend *be)
{
    return (const poyi_backend_head *)(const void *)be;
}

/* Whether the backend's own function does op, and wants packed tensors. */
int poyi_call_wants_packed(const poyi_call *call, poyi_op op, poy_dtype dtype);
/* y = x by the one strided copy row; shapes are equal. */
poy_status poyi_call_copy(poyi_call *call, const poy_array *x, poy_array *y);
/* Where out cannot be written by the backend as it is, a packed stand-in, else out; after the work poyi_call_deliver
 * brings it home. */
poy_status poyi_call_stand_in(poyi_call *call, poy_array *out, poy_array **stand_in);
poy_status poyi_call_deliver(poyi_call *call, poy_array *stand_in, poy_array *out);

/* The type of the result, by the row. */
poy_dtype poyi_call_result_type(const poyi_call *call);
/* Tensors of n arrays broadcast to the last one's shape, in the normal form that it leads. */
void poyi_call_tensors(int n, const poy_array *const *a, poy_tensor *t);

/* The result's type, by the row. */
static inline poy_dtype poyi_call_result_of(poyi_out out, poy_dtype dtype)
{
    return out == POYI_OUT_BOOL      ? POY_B8
           : out == POYI_OUT_INDEX   ? POY_I64
           : out == POYI_OUT_REAL    ? (dtype == POY_C64    ? POY_F32
                                        : dtype == POY_C128 ? POY_F64
                                                            : dtype)
           : out == POYI_OUT_COMPLEX ? poy_dtype_complex(dtype)
                                     : dtype;
}

/* ---- the short way, for calls in loops: few elements, dense ones of the output's shape or single ones, and an input is
 * the output itself or lies apart from it, on a backend that does the operation at once. Nothing is made, promoted, copied,
 * broadcast or delegated then; what is not so goes the long way, which tells why where it fails. Inlined, so that what is
 * known of the operation is decided by the compiler. ---- */

/* Where bytes shift by. */
static inline int poyi_call_shift(poy_dtype dtype)
{
    static const unsigned char shift[POY_DTYPE_COUNT] = {
        [POY_F32] = 2, [POY_F64] = 3, [POY_C64] = 3, [POY_C128] = 4, [POY_I32] = 2, [POY_I64] = 3, [POY_B8] = 0};
    return shift[dtype]; /* without a call */
}

/* The operands as they are handed over, and where the output is. */
typedef struct poyi_call_short {
    void *p[4];
    int64_t stride[4];
    poyi_at_once *run;
    unsigned char *to, *end;
    const poy_array *out;
} poyi_call_short;

/* Looks at the output, of type to, of a computation in dtype; 0: the long way. */
static inline __attribute__((always_inline)) int poyi_call_short_to(const poy_ctx *ctx, poyi_op op, poy_dtype dtype,
                                                                    poy_dtype to, const poy_array *out,
                                                                    poyi_call_short *s)
{
    if (poyi_ctx_capture(ctx) || !out->contiguous || !out->distinct || out->dtype != to)
        return 0;
    s->run = poyi_backend_head_of(out->be)->at_once[op][dtype];
    s->to = (unsigned char *)out->mem + ((size_t)out->offset << poyi_call_shift(out->dtype));
    s->end = s->to + ((size_t)out->size << poyi_call_shift(out->dtype));
    s->out = out;
    return s->run != NULL;
}

/* Whether n elements from p of input k share no memory with the output. */
static inline __attribute__((always_inline)) int poyi_call_short_apart(poyi_call_short *s, int k, const poy_array *a,
                                                                       int shift)
{
    unsigned char *const at = (unsigned char *)a->mem + ((size_t)a->offset << shift);
    const uintptr_t from = (uintptr_t)at;
    s->p[k] = at;
    return (from + ((uintptr_t)a->size << shift) <= (uintptr_t)s->to) | ((uintptr_t)s->end <= from);
}

/* Input k, of this type, as one of an element-by-element operation; 0: the long way. */
static inline __attribute__((always_inline)) int poyi_call_short_each(poyi_call_short *s, int k, poy_dtype dtype,
                                                                      const poy_array *a)
{
    const poy_array *out = s->out;
    if (a->dtype != dtype || a->be != out->be || !a->contiguous)
        return 0;
    const int is_apart = poyi_call_short_apart(s, k, a, poyi_call_shift(dtype));
    s->stride[k] = 1;
    if (a->rank == out->rank) {
        for (int i = 0; i < a->rank - 1; i++)
            if (a->extent[i] != out->extent[i])
                return 0;
        return a->size == out->size && (is_apart || (s->p[k] == s->to && dtype == out->dtype));
    }
    s->stride[k] = 0;
    return !a->rank && is_apart;
}

/* An input that is read whole. */
static inline __attribute__((always_inline)) int poyi_call_short_whole(poyi_call_short *s, int k, poy_dtype dtype,
                                                                       const poy_array *a)
{
    s->stride[k] = 1;
    return a->dtype == dtype && a->be == s->out->be && a->contiguous &&
           poyi_call_short_apart(s, k, a, poyi_call_shift(dtype));
}

static inline int poyi_call_short_count(int64_t n)
{
    return (uint64_t)n - 1 < POYI_AT_ONCE_MAX;
}

/* Does n inputs of an element-by-element operation in dtype at once; 0: the long way. result: the row's rule; first: the type
 * of the first input, others: of those behind it. */
static inline __attribute__((always_inline)) int poyi_call_at_once(const poy_ctx *ctx, poyi_op op, poyi_out result,
                                                                   poy_dtype dtype, poy_dtype first, poy_dtype others,
                                                                   int n, const poy_array *const *in,
                                                                   const poy_array *out)
{
    poyi_call_short s;
    if (!poyi_call_short_count(out->size) ||
        !poyi_call_short_to(ctx, op, dtype, poyi_call_result_of(result, dtype), out, &s))
        return 0;
#pragma GCC unroll 3
    for (int k = 0; k < n; k++)
        if (!poyi_call_short_each(&s, k, k ? others : first, in[k]))
            return 0;
    s.p[n] = s.to;
    s.stride[n] = 1;
    s.run(s.p, s.stride, out->size);
    return 1;
}

/* The same for n inputs that are read whole, as many elements of each, into one number. */
static inline __attribute__((always_inline)) int poyi_call_at_once_whole(const poy_ctx *ctx, poyi_op op,
                                                                         poyi_out result, int n,
                                                                         const poy_array *const *in,
                                                                         const poy_array *out)
{
    const poy_dtype dtype = in[0]->dtype;
    const int64_t size = in[0]->size;
    poyi_call_short s;
    if (!poyi_call_short_count(size) || out->rank ||
        !poyi_call_short_to(ctx, op, dtype, poyi_call_result_of(result, dtype), out, &s))
        return 0;
#pragma GCC unroll 2
    for (int k = 0; k < n; k++)
        if (in[k]->size != size || !poyi_call_short_whole(&s, k, dtype, in[k]))
            return 0;
    s.p[n] = s.to;
    s.stride[n] = 1;
    s.run(s.p, s.stride, size);
    return 1;
}

/* a with an axis moved to the end: a view that lives as long as the call. */
poy_status poyi_call_axis_last(poyi_call *call, const poy_array *a, int axis, poy_array **out);
/* Tensors of n arrays that have all axes but the last in common, these in the normal form that the last array leads. */
void poyi_call_line_tensors(int n, const poy_array *const *a, poy_tensor *t);

/* The same value everywhere. */
poy_status poyi_call_fill(poyi_call *call, poy_scalar value, poy_array *out);
/* Zero everywhere. */
poy_status poyi_call_zero(poyi_call *call, poy_array *out);

#endif
