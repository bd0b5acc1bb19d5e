/* row_check.c: signatures and shape rules of the rows of programs, so that backends see only valid ones. */
#include "ops/row_check.h"

#include <inttypes.h>
#include <string.h>

typedef poy_status check_fn(poy_ctx *ctx, const poy_row_spec *spec);
static check_fn check_propagators, check_combine, check_drive, check_response, check_absorb, check_finish, check_accept,
    check_advance, check_taper, check_window, check_crop, check_polarise, check_plasma, check_expose, check_terms_sum,
    check_cube, check_ionise, check_fft, check_mul, check_copy, check_score, check_matmul;

typedef struct row_rule {
    const char *name, *signature;
    size_t arg_bytes;
    check_fn *check;
} row_rule;

#define ARG_propagators sizeof(poy_row_propagators)
#define ARG_combine sizeof(poy_row_combine)
#define ARG_drive sizeof(poy_row_drive)
#define ARG_response sizeof(poy_row_response)
#define ARG_polarise sizeof(poy_row_polarise)
#define ARG_plasma sizeof(poy_row_plasma)
#define ARG_cube 0
#define ARG_ionise sizeof(poy_row_ionise)
#define ARG_expose sizeof(poy_row_expose)
#define ARG_terms_sum 0
#define ARG_absorb 0
#define ARG_finish sizeof(poy_row_finish)
#define ARG_accept sizeof(poy_row_accept)
#define ARG_advance sizeof(poy_row_advance)
#define ARG_taper 0
#define ARG_window 0
#define ARG_crop sizeof(poy_row_crop)
#define ARG_score sizeof(poy_row_score)

static const row_rule rules[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) {#name, signature, ARG_##name, check_##name},
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    {"fft", "out in", sizeof(poy_row_fft), check_fft},
    {"mul", "z x y", 0, check_mul},
    {"copy", "y x", 0, check_copy},
    {"matmul", "Y X M:f64", sizeof(poy_row_matmul), check_matmul},
};

static const row_rule *find_rule(const char *row)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!strcmp(rules[i].name, row))
            return &rules[i];
    return NULL;
}

const char *poyi_row_name(const char *row)
{
    const row_rule *rule = find_rule(row);
    return rule ? rule->name : NULL;
}

/* ---- signatures ---- */

/* One "name:dtype?" of a signature. */
typedef struct token {
    char name[16];
    int optional, any;
    poy_dtype dtype;
} token;

/* Reads the token at *at and moves on; 0 at the end. */
static int next_token(const char **at, token *t)
{
    const char *text = *at + strspn(*at, " ");
    size_t length = strcspn(text, " "), name = strcspn(text, " :?");
    if (!length)
        return 0;
    memset(t, 0, sizeof *t);
    memcpy(t->name, text, name < sizeof t->name ? name : sizeof t->name - 1);
    t->optional = text[length - 1] == '?';
    t->any = text[name] != ':';
    t->dtype = !strncmp(text + name, ":f64", 4) ? POY_F64 : POY_C128;
    *at = text + length;
    return 1;
}

static int absent(const poy_row_spec *spec, int i)
{
    return spec->slot[i].cols == 0;
}

static poy_status check_signature(poy_ctx *ctx, const row_rule *rule, const poy_row_spec *spec)
{
    const char *at = rule->signature;
    token t;
    int n = 0;
    while (next_token(&at, &t))
        n++;
    if (n != spec->n_slots)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s takes %d slots (%s), got %d", rule->name, n, rule->signature,
                         spec->n_slots);
    at = rule->signature;
    for (n = 0; next_token(&at, &t); n++) {
        const poy_slot *slot = &spec->slot[n];
        if (absent(spec, n)) {
            if (!t.optional)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s: slot %s is missing", rule->name, t.name);
        } else if (t.any ? slot->dtype != POY_F64 && slot->dtype != POY_C128 : slot->dtype != t.dtype) {
            return POYI_FAIL(ctx, POY_ERR_DTYPE, "row %s: slot %s is %s, needs %s", rule->name, t.name,
                             poy_dtype_name(slot->dtype), t.any ? "f64 or c128" : poy_dtype_name(t.dtype));
        }
    }
    return POY_OK;
}

poy_status poyi_row_check(poy_ctx *ctx, const poy_row_spec *spec, size_t arg_bytes)
{
    const row_rule *rule = find_rule(spec->row);
    if (!rule)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no row named '%s'", spec->row);
    POYI_TRY(ctx, check_signature(ctx, rule, spec));
    if (arg_bytes != rule->arg_bytes)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s takes an argument of %zu bytes, got %zu", rule->name,
                         rule->arg_bytes, arg_bytes);
    POYI_TRY(ctx, rule->check(ctx, spec));
    return POY_OK;
}

/* ---- shapes ---- */

static poy_status want_shape(poy_ctx *ctx, const poy_row_spec *spec, int i, int64_t cols, int64_t len)
{
    const poy_slot *slot = &spec->slot[i];
    if (absent(spec, i) || (slot->cols == cols && slot->len == len))
        return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_SHAPE,
                     "row %s: slot %d has %" PRId64 " columns of %" PRId64 ", needs %" PRId64 " of %" PRId64, spec->row,
                     i, slot->cols, slot->len, cols, len);
}

static poy_status want_scalars(poy_ctx *ctx, const poy_row_spec *spec, int n)
{
    if (spec->n_scalars == n)
        return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s takes %d scalars, got %d", spec->row, n, spec->n_scalars);
}

/* Slot i is there if and only if a flag of the argument says so. */
static poy_status want_presence(poy_ctx *ctx, const poy_row_spec *spec, int i, int wanted)
{
    if (absent(spec, i) == !wanted)
        return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s: slot %d is %s, but its argument says otherwise", spec->row, i,
                     wanted ? "missing" : "given");
}

static poy_status want_range(poy_ctx *ctx, const poy_row_spec *spec, const char *what, int64_t value, int64_t low,
                             int64_t high)
{
    if (value >= low && value <= high)
        return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s: %s is %" PRId64 ", must be %" PRId64 " to %" PRId64, spec->row,
                     what, value, low, high);
}

/* A propagator of a position: five blocks, or none for position -1. */
static poy_status want_propagator(poy_ctx *ctx, const poy_row_spec *spec, int i, int position, int64_t n_c, int64_t n_w)
{
    POYI_TRY(ctx, want_range(ctx, spec, "position", position, -1, POY_POSITIONS - 1));
    POYI_TRY(ctx, want_presence(ctx, spec, i, position >= 0));
    POYI_TRY(ctx, want_shape(ctx, spec, i, POY_POSITIONS * n_c, n_w));
    return POY_OK;
}

/* E_h is the last block of one or more. */
static poy_status want_end(poy_ctx *ctx, const poy_row_spec *spec, int i, int64_t n_c, int64_t n_w)
{
    POYI_TRY(ctx, want_shape(ctx, spec, i, spec->slot[i].cols / n_c * n_c, n_w));
    return POY_OK;
}

static poy_status check_propagators(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_propagators *arg = spec->arg;
    POYI_TRY(ctx, want_range(ctx, spec, "n_term", arg->n_term, 1, INT16_MAX));
    POYI_TRY(ctx, want_range(ctx, spec, "positions", arg->positions, 1, POY_POSITIONS));
    if (arg->powers && (arg->n_term != 1 || arg->positions != POY_POSITIONS))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row propagators: powers need 1 term and %d positions, got %d and %d",
                         POY_POSITIONS, arg->n_term, arg->positions);
    const int64_t n_c = spec->slot[1].cols / arg->n_term, n_w = spec->slot[1].len;
    POYI_TRY(ctx, want_shape(ctx, spec, 1, n_c * arg->n_term, n_w));
    POYI_TRY(ctx, want_shape(ctx, spec, 0, n_c * arg->positions, n_w));
    return want_scalars(ctx, spec, arg->positions * arg->n_term);
}

static poy_status check_combine(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_combine *arg = spec->arg;
    const int64_t n_c = spec->slot[1].cols, n_w = spec->slot[1].len, n = spec->slot[0].len;
    POYI_TRY(ctx, want_range(ctx, spec, "m", arg->m, 0, POY_STAGES));
    for (int j = 0; j < arg->m; j++)
        POYI_TRY(ctx, want_range(ctx, spec, "a block", arg->k[j], 0, POY_STAGES - 1));
    POYI_TRY(ctx, want_shape(ctx, spec, 0, n_c, n >= n_w ? n : n_w));
    POYI_TRY(ctx, want_presence(ctx, spec, 2, arg->m > 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, POY_STAGES * n_c, n_w));
    POYI_TRY(ctx, want_propagator(ctx, spec, 3, arg->position, n_c, n_w));
    POYI_TRY(ctx, want_presence(ctx, spec, 4, arg->noise != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 4, n_c, n_w));
    return want_scalars(ctx, spec, arg->m);
}

/* Slot i has at least len elements in each of its columns. */
static poy_status want_length(poy_ctx *ctx, const poy_row_spec *spec, int i, int64_t cols, int64_t len)
{
    return want_shape(ctx, spec, i, cols, spec->slot[i].len > len ? spec->slot[i].len : len);
}

/* Columns of a slot that has a block for each of so many components. */
static poy_status want_components(poy_ctx *ctx, const poy_row_spec *spec, int i, int pol, int64_t *each)
{
    POYI_TRY(ctx, want_range(ctx, spec, "pol", pol, 1, 2));
    *each = spec->slot[i].cols / pol;
    return want_shape(ctx, spec, i, pol * *each, spec->slot[i].len);
}

static poy_status check_drive(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_drive *arg = spec->arg;
    int64_t points = 0;
    POYI_TRY(ctx, want_components(ctx, spec, 1, arg->pol, &points));
    POYI_TRY(ctx, want_range(ctx, spec, "tensor", arg->tensor, 0, arg->pol - 1));
    POYI_TRY(ctx, want_length(ctx, spec, 0, arg->tensor ? 3 * points : points, spec->slot[1].len));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_response(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_response *arg = spec->arg;
    POYI_TRY(ctx, want_presence(ctx, spec, 1, arg->raman != 0));
    POYI_TRY(ctx, want_length(ctx, spec, 1, spec->slot[0].cols, spec->slot[0].len));
    POYI_TRY(ctx, want_presence(ctx, spec, 2, arg->window != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, 1, spec->slot[0].len));
    return want_scalars(ctx, spec, 2);
}

static poy_status want_type(poy_ctx *ctx, const poy_row_spec *spec, int i, poy_dtype dtype)
{
    if (spec->slot[i].dtype == dtype)
        return POY_OK;
    return POYI_FAIL(ctx, POY_ERR_DTYPE, "row %s: slot %d is %s, needs %s", spec->row, i,
                     poy_dtype_name(spec->slot[i].dtype), poy_dtype_name(dtype));
}

static poy_status check_polarise(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_polarise *arg = spec->arg;
    const int64_t n_c = spec->slot[0].cols, n = spec->slot[0].len;
    const int real = arg->family == POY_RESPONSE_REAL || arg->family == POY_RESPONSE_ANALYTIC;
    int64_t points = 0;
    POYI_TRY(ctx, want_components(ctx, spec, 0, arg->pol, &points));
    POYI_TRY(ctx, want_range(ctx, spec, "family", arg->family, arg->pol > 1 ? POY_RESPONSE_ENVELOPE : POY_RESPONSE_REAL,
                             POY_RESPONSE_HARMONIC));
    POYI_TRY(ctx, want_range(ctx, spec, "tensor", arg->tensor, 0, arg->pol > 1 && arg->raman));
    POYI_TRY(ctx, want_type(ctx, spec, 0, real ? POY_F64 : POY_C128));
    POYI_TRY(ctx, want_type(ctx, spec, 1, arg->family == POY_RESPONSE_REAL ? POY_F64 : POY_C128));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, n_c, n));
    POYI_TRY(ctx, want_presence(ctx, spec, 2, arg->raman != 0));
    POYI_TRY(ctx, want_length(ctx, spec, 2, arg->tensor ? 3 * points : points, n));
    POYI_TRY(ctx, want_presence(ctx, spec, 3, arg->window != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 3, 1, n));
    POYI_TRY(ctx, want_presence(ctx, spec, 4, arg->family == POY_RESPONSE_HARMONIC));
    POYI_TRY(ctx, want_shape(ctx, spec, 4, 1, n));
    return want_scalars(ctx, spec, 2);
}

static poy_status check_plasma(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_plasma *arg = spec->arg;
    const int64_t n = spec->slot[0].len;
    int64_t points = 0;
    POYI_TRY(ctx, want_components(ctx, spec, 0, arg->pol, &points));
    POYI_TRY(ctx, want_range(ctx, spec, "taps", arg->taps, 0, POY_TAPS_MAX));
    POYI_TRY(ctx, want_range(ctx, spec, "held", arg->held, 0, arg->window ? 0 : 2));
    POYI_TRY(ctx, want_range(ctx, spec, "samples", n, arg->taps + 1, INT64_MAX));
    POYI_TRY(ctx, want_range(ctx, spec, "flag", arg->flag, 0, spec->slot[1].cols * spec->slot[1].len - 1));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, spec->slot[0].cols, n));
    POYI_TRY(ctx, want_range(ctx, spec, "points", arg->points, 2, INT64_MAX / 2));
    POYI_TRY(ctx, want_shape(ctx, spec, 3, 1, 2 * arg->points));
    POYI_TRY(ctx, want_presence(ctx, spec, 4, arg->window != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 4, 1, n));
    return want_scalars(ctx, spec, 3);
}

static poy_status check_cube(poy_ctx *ctx, const poy_row_spec *spec)
{
    const int64_t n = spec->slot[1].cols;
    POYI_TRY(ctx, want_shape(ctx, spec, 1, n, spec->slot[0].len));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, spec->slot[0].cols, n * (n + 1) * (n + 2) / 6));
    return want_scalars(ctx, spec, 1);
}

static poy_status check_ionise(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_ionise *arg = spec->arg;
    const poy_slot *P = &spec->slot[0], *A = &spec->slot[2], *S = &spec->slot[3];
    POYI_TRY(ctx, want_range(ctx, spec, "pol", arg->pol, 1, 1));
    POYI_TRY(ctx, want_range(ctx, spec, "taps", arg->taps, 0, 0));
    POYI_TRY(ctx, want_range(ctx, spec, "held", arg->held, 0, 0));
    POYI_TRY(ctx, want_range(ctx, spec, "window", arg->window, 0, 0));
    POYI_TRY(ctx, want_range(ctx, spec, "flag", arg->flag, 0, spec->slot[1].cols * spec->slot[1].len - 1));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, A->cols, P->len));
    POYI_TRY(ctx, want_shape(ctx, spec, 3, S->cols, A->cols));
    POYI_TRY(ctx, want_length(ctx, spec, 4, S->cols, P->cols));
    POYI_TRY(ctx, want_range(ctx, spec, "points", arg->points, 2, INT64_MAX / 2));
    POYI_TRY(ctx, want_shape(ctx, spec, 5, 1, 2 * arg->points));
    return want_scalars(ctx, spec, 3);
}

static poy_status check_expose(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_expose *arg = spec->arg;
    POYI_TRY(ctx, want_range(ctx, spec, "pol", arg->pol, 1, 2));
    POYI_TRY(ctx, want_range(ctx, spec, "flag", arg->flag, 0, spec->slot[0].cols * spec->slot[0].len - 2));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, arg->pol, spec->slot[1].len));
    POYI_TRY(ctx, want_range(ctx, spec, "points", arg->points, 2, INT64_MAX / 2));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, 1, 2 * arg->points));
    return want_scalars(ctx, spec, 1);
}

static poy_status check_terms_sum(poy_ctx *ctx, const poy_row_spec *spec)
{
    POYI_TRY(ctx, want_type(ctx, spec, 1, spec->slot[0].dtype));
    POYI_TRY(ctx, want_range(ctx, spec, "terms", spec->n_scalars, 1, INT16_MAX));
    return want_shape(ctx, spec, 1, spec->n_scalars * spec->slot[0].cols, spec->slot[0].len);
}

static poy_status check_absorb(poy_ctx *ctx, const poy_row_spec *spec)
{
    if (spec->slot[0].dtype == POY_C128)
        POYI_TRY(ctx, want_type(ctx, spec, 1, POY_C128));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, spec->slot[0].cols, spec->slot[0].len));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, 1, spec->slot[0].len));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_finish(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_finish *arg = spec->arg;
    const int64_t n_c = spec->slot[1].cols, n = spec->slot[1].len, n_w = spec->slot[0].len;
    POYI_TRY(ctx, want_range(ctx, spec, "stage", arg->stage, 0, POY_STAGES - 1));
    POYI_TRY(ctx, want_shape(ctx, spec, 0, POY_STAGES * n_c, n_w));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, n_c, n >= n_w ? n : n_w));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, n_c, n_w));
    if ((spec->slot[2].dtype == POY_C128) != (arg->complex_g != 0))
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "row finish: G is %s, but its argument says otherwise",
                         poy_dtype_name(spec->slot[2].dtype));
    POYI_TRY(ctx, want_propagator(ctx, spec, 3, arg->position, n_c, n_w));
    POYI_TRY(ctx, want_presence(ctx, spec, 4, arg->absorb != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 4, n_c, n));
    POYI_TRY(ctx, want_presence(ctx, spec, 5, arg->absorb != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 5, 1, n_w));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_accept(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_accept *arg = spec->arg;
    const int64_t n_c = spec->slot[0].cols, n_w = spec->slot[0].len;
    POYI_TRY(ctx, want_length(ctx, spec, 1, 1, POY_REPORT)); /* more may follow, of other rows */
    POYI_TRY(ctx, want_shape(ctx, spec, 2, n_c, n_w));
    POYI_TRY(ctx, want_shape(ctx, spec, 3, POY_STAGES * n_c, n_w));
    POYI_TRY(ctx, want_end(ctx, spec, 4, n_c, n_w));
    POYI_TRY(ctx, want_presence(ctx, spec, 5, arg->weights != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 5, 1, n_w));
    return want_scalars(ctx, spec, absent(spec, 3) ? 0 : 2 * POY_ERROR_BLOCKS);
}

static poy_status check_advance(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_advance *arg = spec->arg;
    const int64_t n_c = spec->slot[0].cols, n_w = spec->slot[0].len;
    POYI_TRY(ctx, want_shape(ctx, spec, 1, POY_STAGES * n_c, n_w));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, n_c, n_w));
    POYI_TRY(ctx, want_presence(ctx, spec, 3, !absent(spec, 1) || arg->noise));
    POYI_TRY(ctx, want_end(ctx, spec, 3, n_c, n_w));
    POYI_TRY(ctx, want_presence(ctx, spec, 4, arg->noise != 0));
    POYI_TRY(ctx, want_shape(ctx, spec, 4, n_c, n_w));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_taper(poy_ctx *ctx, const poy_row_spec *spec)
{
    POYI_TRY(ctx, want_shape(ctx, spec, 1, 1, spec->slot[0].len));
    return want_scalars(ctx, spec, 1);
}

static poy_status check_window(poy_ctx *ctx, const poy_row_spec *spec)
{
    POYI_TRY(ctx, want_shape(ctx, spec, 1, 1, spec->slot[0].len));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_crop(poy_ctx *ctx, const poy_row_spec *spec)
{
    const int64_t n_w = spec->slot[0].len, n = spec->slot[1].len;
    POYI_TRY(ctx, want_shape(ctx, spec, 1, spec->slot[0].cols, n >= n_w ? n : n_w));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, 1, n_w));
    return want_scalars(ctx, spec, 0);
}

/* Both blocks of P in one slot. */
static poy_status check_score(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_score *arg = spec->arg;
    const int64_t n_c = spec->slot[2].cols, n_w = spec->slot[2].len, n = spec->slot[1].len;
    POYI_TRY(ctx, want_range(ctx, spec, "at", arg->at, 0, spec->slot[0].cols * spec->slot[0].len - 2));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, 2 * n_c, n >= n_w ? n : n_w));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_matmul(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_matmul *arg = spec->arg;
    const poy_slot *Y = &spec->slot[0], *X = &spec->slot[1];
    POYI_TRY(ctx, want_type(ctx, spec, 1, Y->dtype));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, X->cols, Y->len));
    if (arg->transposed)
        POYI_TRY(ctx, want_length(ctx, spec, 2, X->cols, Y->cols));
    else
        POYI_TRY(ctx, want_shape(ctx, spec, 2, Y->cols, X->cols));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_fft(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_row_fft *arg = spec->arg;
    const poy_slot *out = &spec->slot[0], *in = &spec->slot[1];
    const poy_dtype from = arg->kind == POY_FFT_R2C ? POY_F64 : POY_C128,
                    to = arg->kind == POY_FFT_C2R ? POY_F64 : POY_C128;
    const int sign = arg->kind == POY_FFT_R2C ? -1 : arg->kind == POY_FFT_C2R ? 1 : arg->sign;

    POYI_TRY(ctx, want_range(ctx, spec, "kind", arg->kind, POY_FFT_C2C, POY_FFT_C2R));
    if (in->dtype != from || out->dtype != to)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "row fft: from %s to %s, needs %s to %s", poy_dtype_name(in->dtype),
                         poy_dtype_name(out->dtype), poy_dtype_name(from), poy_dtype_name(to));
    if ((sign != 1 && sign != -1) || sign != arg->sign)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row fft: sign is %d, needs %s", arg->sign,
                         arg->kind == POY_FFT_C2C   ? "-1 or +1"
                         : arg->kind == POY_FFT_R2C ? "-1 from real numbers"
                                                    : "+1 to real numbers");
    if (arg->kind == POY_FFT_R2C)
        POYI_TRY(ctx, want_shape(ctx, spec, 0, in->cols, in->len / 2 + 1));
    else
        POYI_TRY(ctx, want_shape(ctx, spec, 1, out->cols, arg->kind == POY_FFT_C2C ? out->len : out->len / 2 + 1));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_mul(poy_ctx *ctx, const poy_row_spec *spec)
{
    const poy_slot *z = &spec->slot[0], *x = &spec->slot[1], *y = &spec->slot[2];
    const poy_dtype product = x->dtype == POY_C128 || y->dtype == POY_C128 ? POY_C128 : POY_F64;
    if (z->dtype != product)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "row mul: z is %s, needs %s", poy_dtype_name(z->dtype),
                         poy_dtype_name(product));
    POYI_TRY(ctx, want_shape(ctx, spec, 0, x->cols, x->len));
    POYI_TRY(ctx, want_shape(ctx, spec, 2, y->cols == 1 ? 1 : x->cols, x->len));
    return want_scalars(ctx, spec, 0);
}

static poy_status check_copy(poy_ctx *ctx, const poy_row_spec *spec)
{
    if (spec->slot[0].dtype != spec->slot[1].dtype)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "row copy: from %s to %s", poy_dtype_name(spec->slot[1].dtype),
                         poy_dtype_name(spec->slot[0].dtype));
    POYI_TRY(ctx, want_shape(ctx, spec, 1, spec->slot[0].cols, spec->slot[0].len));
    return want_scalars(ctx, spec, 0);
}
