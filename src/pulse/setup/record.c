/* record.c: the rows of problem.def as a list, and what follows from it: checks, the digest, reading a field. */
#include <stdio.h>
#include <string.h>

#include "poynting/guide.h"
#include "poynting/pulse_rows.h"
#include "pulse/setup/setup.h"

/* ---- the list ---- */

static poyi_field array_field(const char *name, poy_dtype dtype, int one_row, int64_t rows, int64_t cols,
                              const char *unit, const char *text, const poyi_data *data)
{
    return (poyi_field){.name = name,
                        .unit = unit,
                        .text = text,
                        .dtype = dtype,
                        .rank = one_row ? 1 : 2,
                        .rows = data->rows,
                        .cols = data->cols,
                        .needs_rows = rows,
                        .needs_cols = cols,
                        .data = data->data};
}

/* All rows of problem.def, in its order; returns how many. */
static int problem_fields(const poy_problem *p, poyi_field fields[POYI_FIELDS_MAX])
{
    int n = 0;
#define POY_INT(name_, text_) \
    fields[n++] = (poyi_field){.name = #name_, .unit = "1", .text = text_, .dtype = POY_I64, .data = &p->name_};
#define POY_REAL(name_, unit_, text_) \
    fields[n++] = (poyi_field){.name = #name_, .unit = unit_, .text = text_, .dtype = POY_F64, .data = &p->name_};
#define POY_ARRAY(name_, dtype_, rows_, cols_, unit_, text_) \
    fields[n++] = array_field(#name_, POY_##dtype_, !strcmp(#rows_, "1"), rows_, cols_, unit_, text_, &p->name_);
#include "pulse/problem.def"
#undef POY_INT
#undef POY_REAL
#undef POY_ARRAY
    return n;
}

/* Doubles of an array; the record has f64 and c128 alone. */
static int64_t doubles_of(const poyi_field *f)
{
    return f->rows * f->cols * (f->dtype == POY_C128 ? 2 : 1);
}

/* ---- reading a field ---- */

poy_status poy_problem_get(poy_ctx *ctx, const poy_problem *problem, const char *name, poy_problem_field *out)
{
    poyi_field fields[POYI_FIELDS_MAX];
    const int n = problem_fields(problem, fields);
    char names[2048] = "";
    size_t used = 0;

    for (int i = 0; i < n; i++) {
        const poyi_field *f = &fields[i];
        if (!strcmp(f->name, name)) {
            *out = (poy_problem_field){
                .name = f->name, .unit = f->unit, .text = f->text, .dtype = f->dtype, .rank = f->rank, .data = f->data};
            out->extent[0] = f->rank == 1 ? f->cols : f->rows;
            out->extent[1] = f->rank == 2 ? f->cols : 0;
            return POY_OK;
        }
        const int written = snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", f->name);
        used = written > 0 && used + (size_t)written < sizeof names ? used + (size_t)written : used;
    }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a problem has no field \"%s\": there are %s", name, names);
}

/* ---- digest ---- */

static void hash_word(poyi_sha256 *s, uint64_t word)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i & 0xff);
    poyi_sha256_add(s, bytes, sizeof bytes);
}

static void hash_double(poyi_sha256 *s, double value)
{
    uint64_t word;
    value = value == 0.0 ? 0.0 : value; /* -0 too */
    memcpy(&word, &value, sizeof word);
    hash_word(s, word);
}

void poyi_problem_hash(const poy_problem *problem, unsigned char out[32])
{
    poyi_field fields[POYI_FIELDS_MAX];
    const int n = problem_fields(problem, fields);
    poyi_sha256 s;

    poyi_sha256_init(&s);
    for (int i = 0; i < n; i++) {
        const poyi_field *f = &fields[i];
        poyi_sha256_add(&s, f->name, strlen(f->name) + 1);
        if (f->rank == 0 && f->dtype == POY_I64) {
            hash_word(&s, (uint64_t) * (const int64_t *)f->data);
        } else if (f->rank == 0) {
            hash_double(&s, *(const double *)f->data);
        } else {
            hash_word(&s, (uint64_t)f->rows);
            hash_word(&s, (uint64_t)f->cols);
            for (int64_t j = 0; f->data && j < doubles_of(f); j++)
                hash_double(&s, ((const double *)f->data)[j]);
        }
    }
    poyi_sha256_end(&s, out);
}

void poy_problem_digest(const poy_problem *problem, unsigned char out[32])
{
    memcpy(out, problem->digest, sizeof problem->digest);
}

/* ---- checks ---- */

static poy_status check_field(poy_ctx *ctx, const poyi_field *f)
{
    if (f->rank == 0 && f->dtype == POY_F64 && !isfinite(*(const double *)f->data))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "problem.%s: %g %s is not finite", f->name, *(const double *)f->data,
                         f->unit);
    if (f->rank == 0 || !f->data)
        return POY_OK;
    if (f->rows != f->needs_rows || f->cols != f->needs_cols)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "problem.%s: has %lld x %lld elements, needs %lld x %lld", f->name,
                         (long long)f->rows, (long long)f->cols, (long long)f->needs_rows, (long long)f->needs_cols);
    const double *x = f->data;
    for (int64_t i = 0; i < doubles_of(f); i++)
        if (!isfinite(x[i]))
            return POYI_FAIL(ctx, POY_ERR_NONFINITE, "problem.%s: element %lld is %g %s, not finite", f->name,
                             (long long)(f->dtype == POY_C128 ? i / 2 : i), x[i], f->unit);
    return POY_OK;
}

typedef struct range {
    const char *name;
    int64_t value, low, high;
} range;

static poy_status check_integers(poy_ctx *ctx, const poy_problem *p)
{
    const int64_t most = INT64_C(1) << 26, real = p->field == POY_FIELD_REAL,
                  guide = p->equation == POYI_EQUATION_GUIDE;
    const range ranges[] = {
        {"schema", p->schema, 4, 4},
        {"field", p->field, POY_FIELD_ENVELOPE, POY_FIELD_REAL},
        {"n_to", p->n_to, 2, most},
        {"n_t", p->n_t, 2, p->n_to},
        {"n_w", p->n_w, real ? p->n_t / 2 + 1 : p->n_t, real ? p->n_t / 2 + 1 : p->n_t},
        {"n_c", p->n_c, 1, INT32_MAX},
        {"n_pol", p->n_pol, 1, guide ? 2 : 1},
        {"n_nodes", p->n_nodes, 0, guide ? INT32_MAX : 0},
        {"n_chunk", p->n_chunk, p->n_nodes > 0, p->n_nodes},
        {"n_term", p->n_term, 1, INT32_MAX},
        {"lossless", p->lossless, 0, 1},
        {"equation", p->equation, real ? POYI_EQUATION_GUIDE : POYI_EQUATION_FIBRE, POYI_EQUATION_GUIDE},
        {"kerr", p->kerr, 0, 1},
        {"response", p->response, real ? POY_RESPONSE_REAL : POY_RESPONSE_ENVELOPE,
         real    ? POY_RESPONSE_ANALYTIC
         : guide ? POY_RESPONSE_HARMONIC
                 : POY_RESPONSE_ENVELOPE},
        {"fold", p->fold, 0, p->response == POY_RESPONSE_HARMONIC},
        {"raman", p->raman, 0, 1},
        {"tensor", p->tensor, 0, p->raman && p->n_pol > 1},
        {"n_delay", p->n_delay, p->n_to, 2 * p->n_to},
        {"n_plasma", p->n_plasma, 0, real ? POY_GUIDE_GASES_MAX : 0},
        {"n_rate", p->n_rate, 0, INT32_MAX},
        {"plasma_taps", p->plasma_taps, 0, POY_TAPS_MAX},
        {"plasma_held", p->plasma_held, 0, p->n_plasma > 0},
        {"n_path", p->n_path, 0, guide ? INT32_MAX : 0},
        {"path_square", p->path_square, 0, 1},
        {"n_along", p->n_along, 1, p->n_path ? INT32_MAX : 1},
        {"n_delay_along", p->n_delay_along, 1, p->n_path && p->raman ? INT32_MAX : 1},
        {"windows", p->windows, 0, 1},
        {"absorber", p->absorber, POY_ABSORBER_NONE, p->windows ? POY_ABSORBER_PER_STEP_WINDOW : POY_ABSORBER_NONE},
        {"noise", p->noise, POY_NOISE_OFF, POY_NOISE_MODIFIED},
        {"method", p->method, 0, 0},
        {"propagators", p->propagators, POY_PROPAGATOR_AUTO, POY_PROPAGATOR_DIRECT},
        {"steps_max", p->steps_max, 0, INT64_MAX},
        {"n_planes", p->n_planes, 2, INT32_MAX},
        {"n_kinks", p->n_kinks, 0, INT32_MAX},
        {"n_schedule", p->n_schedule, 0, INT64_MAX / 16},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].value < ranges[i].low || ranges[i].value > ranges[i].high)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.%s: %lld is outside %lld to %lld", ranges[i].name,
                             (long long)ranges[i].value, (long long)ranges[i].low, (long long)ranges[i].high);
    return POY_OK;
}

/* Every value of an array within [low, high]. */
static poy_status check_within(poy_ctx *ctx, const char *name, const poyi_data *a, double low, double high)
{
    const double *x = a->data;
    for (int64_t i = 0; x && i < a->rows * a->cols; i++)
        if (x[i] < low || x[i] > high)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.%s: element %lld is %g, outside %g to %g", name,
                             (long long)i, x[i], low, high);
    return POY_OK;
}

/* Strictly rising from first on. */
static poy_status check_rising(poy_ctx *ctx, const char *name, const poyi_data *a)
{
    const double *x = a->data;
    for (int64_t i = 1; x && i < a->cols; i++)
        if (x[i] <= x[i - 1])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.%s: element %lld, %g, is not above the one before, %g",
                             name, (long long)i, x[i], x[i - 1]);
    return POY_OK;
}

/* What must be there, and what only together with something else. */
static poy_status check_presence(poy_ctx *ctx, const poy_problem *p)
{
    const int guide = p->equation == POYI_EQUATION_GUIDE;
    const struct presence {
        const char *name, *why;
        const void *data;
        int wanted;
    } list[] = {
        {"omega", "every problem has one", p->omega.data, 1},
        {"phi", "every problem has one", p->phi.data, 1},
        {"prefactor", "every problem has one", p->prefactor.data, 1},
        {"planes", "every problem has them", p->planes.data, 1},
        {"raman_h", "it goes with raman", p->raman_h.data, p->raman != 0},
        {"raman_t", "it goes with tensor", p->raman_t.data, p->tensor != 0},
        {"carrier", "it goes with an envelope's harmonics", p->carrier.data, p->response == POY_RESPONSE_HARMONIC},
        {"column_mode", "it goes with a guide", p->column_mode.data, guide},
        {"column_angle", "it goes with a guide", p->column_angle.data, guide},
        {"synthesis", "it goes with n_nodes", p->synthesis.data, p->n_nodes > 0},
        {"projection", "it goes with n_nodes", p->projection.data, p->n_nodes > 0},
        {"path", "it goes with n_path", p->path.data, p->n_path > 0},
        {"field_along", "it goes with a guide", p->field_along.data, guide},
        {"kerr_along", "it goes with a guide", p->kerr_along.data, guide},
        {"raman_along", "it goes with a guide", p->raman_along.data, guide},
        {"plasma_along", "it goes with n_plasma", p->plasma_along.data, p->n_plasma > 0},
        {"plasma_potential", "it goes with n_plasma", p->plasma_potential.data, p->n_plasma > 0},
        {"rate_first", "it goes with n_plasma", p->rate_first.data, p->n_plasma > 0},
        {"rate_points", "it goes with n_plasma", p->rate_points.data, p->n_plasma > 0},
        {"rate_min", "it goes with n_plasma", p->rate_min.data, p->n_plasma > 0},
        {"rate_step", "it goes with n_plasma", p->rate_step.data, p->n_plasma > 0},
        {"rate_hold", "it goes with n_plasma", p->rate_hold.data, p->n_plasma > 0},
        {"rates", "it goes with n_plasma", p->rates.data, p->n_plasma > 0},
        {"window_to", "it goes with windows", p->window_to.data, p->windows != 0},
        {"window_slope", "it goes with windows and a held current", p->window_slope.data,
         p->windows != 0 && p->plasma_held != 0},
        {"window_t", "it goes with windows", p->window_t.data, p->windows != 0},
        {"window_w", "it goes with windows", p->window_w.data, p->windows != 0},
        {"mask", "it goes with windows", p->mask.data, p->windows != 0},
        {"absorber_rate", "it goes with absorber", p->absorber_rate.data, p->absorber != POY_ABSORBER_NONE},
        {"kinks", "it goes with n_kinks", p->kinks.data, p->n_kinks > 0},
        {"schedule", "it goes with n_schedule", p->schedule.data, p->n_schedule > 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if ((list[i].data != NULL) != list[i].wanted)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.%s: %s, but %s", list[i].name,
                             list[i].data ? "is given" : "is missing", list[i].why);
    return POY_OK;
}

static poy_status check_reals(poy_ctx *ctx, const poy_problem *p)
{
    const struct bound {
        const char *name;
        double value, low, high;
    } bounds[] = {
        {"length", p->length, 1e-300, 1e300},
        {"dt", p->dt, p->dt_fine, 1e300},
        {"dt_fine", p->dt_fine, 1e-300, p->dt},
        {"domega", p->domega, 1e-300, 1e300},
        {"omega0", p->omega0, 1e-300, 1e300},
        {"kerr_scale", p->kerr_scale, 0.0, 1.0},
        {"raman_scale", p->raman_scale, 0.0, p->raman ? 1.0 : 0.0},
        {"preionised", p->preionised, 0.0, p->n_plasma ? 1.0 : 0.0},
        {"coordinate_min", p->coordinate_min, 0.0, p->coordinate_max},
        {"coordinate_max", p->coordinate_max, p->n_path ? nextafter(p->coordinate_min, INFINITY) : 0.0, 1e300},
        {"quadrature_warn", p->quadrature_warn, 0.0, p->quadrature_fail},
        {"quadrature_fail", p->quadrature_fail, p->quadrature_warn, INFINITY},
        {"rtol", p->rtol, nextafter(1e-13, 1.0), 1e-2},
        {"dz_min", p->dz_min, 0.0, p->dz_max},
        {"dz_first", p->dz_first, p->dz_min, p->dz_max},
        {"dz_max", p->dz_max, p->dz_min, p->length},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (!(bounds[i].value >= bounds[i].low && bounds[i].value <= bounds[i].high))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.%s: %g is outside %g to %g", bounds[i].name,
                             bounds[i].value, bounds[i].low, bounds[i].high);
    if (p->atol == 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "problem.atol: 0 leaves a dark field without a tolerance: needs another");
    return POY_OK;
}

/* The tables of the rates lie inside rates, one after the other. */
static poy_status check_rates(poy_ctx *ctx, const poy_problem *p)
{
    double next = 0.0;
    for (int64_t j = 0; j < p->n_plasma; j++) {
        const double first = POYI_F64(p->rate_first)[j], points = POYI_F64(p->rate_points)[j];
        if (first != next || points < 2.0 || points != nearbyint(points) || first + 2.0 * points > (double)p->n_rate)
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "problem.rate_points: table %lld has %g points from number %g on, and the tables have %lld "
                "numbers",
                (long long)j, points, first, (long long)p->n_rate);
        next = first + 2.0 * points;
    }
    POYI_TRY(ctx, check_within(ctx, "rate_min", &p->rate_min, 0.0, INFINITY));
    POYI_TRY(ctx, check_within(ctx, "rate_step", &p->rate_step, nextafter(0.0, 1.0), INFINITY));
    POYI_TRY(ctx, check_within(ctx, "rate_hold", &p->rate_hold, 0.0, 1.0));
    return check_within(ctx, "plasma_potential", &p->plasma_potential, nextafter(0.0, 1.0), INFINITY);
}

/* The planes span the length, kinks lie inside it, steps of a schedule go forward. */
static poy_status check_positions(poy_ctx *ctx, const poy_problem *p)
{
    const double *planes = p->planes.data, inside = nextafter(p->length, 0.0);
    POYI_TRY(ctx, check_rising(ctx, "planes", &p->planes));
    if (planes[0] != 0.0 || planes[p->n_planes - 1] != p->length)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.planes: from %g to %g m, need to span 0 to the length, %g m",
                         planes[0], planes[p->n_planes - 1], p->length);
    POYI_TRY(ctx, check_rising(ctx, "kinks", &p->kinks));
    POYI_TRY(ctx, check_within(ctx, "kinks", &p->kinks, nextafter(0.0, 1.0), inside));
    return check_within(ctx, "schedule", &p->schedule, nextafter(0.0, 1.0), p->length);
}

static poy_status check_spectral(poy_ctx *ctx, const poy_problem *p)
{
    const double *omega = p->omega.data, *mask = p->mask.data, *weights = p->error_weights.data, *phi = p->phi.data;
    int64_t inside = 0;

    for (int64_t k = 1; k < p->n_w; k++)
        if ((k != p->n_w / 2 || p->field == POY_FIELD_REAL) && omega[k] <= omega[k - 1])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.omega: bin %lld, %g rad/s, is not above the one before",
                             (long long)k, omega[k]);
    for (int64_t k = 0; k < p->n_w; k++) {
        if (mask && mask[k] != 0.0 && mask[k] != 1.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.mask: bin %lld is %g, needs 0 or 1", (long long)k,
                             mask[k]);
        inside += (!mask || mask[k] != 0.0) && (!weights || weights[k] > 0.0);
    }
    if (inside == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "problem.%s: no bin of the signal band has a weight",
                         weights ? "error_weights" : "mask");
    for (int64_t k = 0; k < p->n_term * p->n_c * p->n_w; k++)
        if (p->lossless && phi[2 * k] != 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "problem.lossless: is 1, but phi has the real part %g at element %lld", phi[2 * k],
                             (long long)k);
    POYI_TRY(ctx, check_within(ctx, "error_weights", &p->error_weights, 0.0, INFINITY));
    POYI_TRY(ctx, check_within(ctx, "window_w", &p->window_w, 0.0, 1.0));
    POYI_TRY(ctx, check_within(ctx, "window_t", &p->window_t, 0.0, 1.0));
    POYI_TRY(ctx, check_within(ctx, "window_to", &p->window_to, 0.0, 1.0));
    return check_within(ctx, "absorber_rate", &p->absorber_rate, 0.0, INFINITY);
}

poy_status poyi_problem_check(poy_ctx *ctx, const poy_problem *p)
{
    poyi_field fields[POYI_FIELDS_MAX];

    POYI_TRY(ctx, check_integers(ctx, p)); /* first: shapes are made of them */
    const int n = problem_fields(p, fields);
    for (int i = 0; i < n; i++)
        POYI_TRY(ctx, check_field(ctx, &fields[i]));
    POYI_TRY(ctx, check_presence(ctx, p));
    POYI_TRY(ctx, check_reals(ctx, p));
    POYI_TRY(ctx, check_rates(ctx, p));
    POYI_TRY(ctx, check_positions(ctx, p));
    return check_spectral(ctx, p);
}
