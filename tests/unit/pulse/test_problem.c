/* test_problem.c: the problem record: its numbers, its digest, reading its fields, and the checks of a spoiled one. */
#include "fibre_fixture.h"
#include "pulse/setup/setup.h"

static const double beta[2] = {-2e-26, 1e-40};
static const double planes[3] = {0.0, 0.25, 1.0};
static const double kinks[2] = {0.1, 0.5};
static const double schedule[4] = {0.1, 0.15, 0.25, 0.5};

/* With everything that a record can have. */
static poy_problem *full_problem(void)
{
    poy_grid *grid = grid_of_limits(1550e-9, 1000e-9, 2500e-9, 2e-12);
    const poy_fibre_options fibre = fibre_of(3e-3, 2, beta);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_LIN_AGRAWAL, POY_NOISE_SHOT);
    poy_solver_options solver;
    poy_problem *problem = NULL;
    poy_solver_options_init(&solver);
    solver.kinks = kinks;
    solver.n_kinks = 2;
    solver.schedule = schedule;
    solver.n_schedule = 4;
    if (poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, 1.0, planes, 3, &problem) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    poy_grid_destroy(&grid);
    return problem;
}

/* ---- numbers ---- */

static void check_defaults(void)
{
    poy_grid *grid = grid_of_samples(1550e-9, 4e-12, 1024);
    const poy_fibre_options fibre = fibre_of(3e-3, 2, beta);
    poy_problem *problem = NULL;
    ok(poy_problem_create_fibre(ctx, grid, &fibre, NULL, NULL, 1.0, planes, 3, &problem) == POY_OK,
       "with the defaults");
    ok(problem->kerr == 1 && problem->raman == 1 && problem->kerr_scale == 1.0 - 0.18 && problem->raman_scale == 0.18 &&
           problem->noise == POY_NOISE_OFF && problem->seed == 0,
       "Kerr, shock, Blow-Wood, no noise");
    ok(problem->rtol == 1e-6 && problem->atol == -1e-10 && problem->dz_first == 1e-4 && problem->dz_max == 0.5 &&
           problem->dz_min == 1e-14 && problem->steps_max == 0,
       "rtol 1e-6, atol 1e-10 of the launch, first step 1e-4 m, at most half the length");
    ok(problem->absorber == POY_ABSORBER_NONE && !problem->absorber_rate.data && !problem->window_to.data &&
           !problem->mask.data && !problem->error_weights.data && problem->windows == 0,
       "no windows, so no absorber and no mask");
    ok(problem->n_c == 1 && problem->n_term == 1 && problem->n_w == 1024 && problem->n_to == 1024 &&
           problem->dt == 4e-12 / 1024,
       "the grid's numbers");
    ok(poy_problem_grid(problem) == grid, "and the grid itself");
    poy_grid_destroy(&grid);
    ok(poy_grid_get(poy_problem_grid(problem))->n_t == 1024, "which it keeps");
    poy_problem *again = poy_problem_retain(problem);
    poy_problem_destroy(&problem);
    ok(again->n_w == 1024, "a retained problem outlives the first handle");
    poy_problem_destroy(&again);

    problem = full_problem();
    const double *rate = POYI_F64(problem->absorber_rate), *window = POYI_F64(problem->window_to);
    double worst = 0.0;
    for (int64_t i = 0; i < problem->n_to; i++)
        worst = fmax(worst, fabs(rate[i] + 2.0 * log(fmax(window[i], 1e-12)) / 0.02));
    ok(problem->absorber == POY_ABSORBER_IN_STAGE && worst < 1e-11 && rate[0] > 0.0 && rate[problem->n_to / 2] == 0.0,
       "in-stage absorber: -2 ln max(window, 1e-12) / (length / 50)");
    int same = 1;
    for (int64_t k = 0; k < problem->n_w; k++)
        same = same && POYI_F64(problem->mask)[k] == POYI_F64(problem->error_weights)[k] &&
               POYI_F64(problem->mask)[k] == poy_grid_mask(problem->grid)[k];
    ok(same, "the weak norm counts the bins of the signal band");
    poy_problem_destroy(&problem);
}

/* ---- reading ---- */

/* Arrays that a fibre does not have. */
static int of_guides(const char *name)
{
    static const char *const names[] = {
        "carrier",          "path",        "field_along",  "kerr_along", "raman_along", "plasma_along", "rate_first",
        "plasma_potential", "column_mode", "column_angle", "synthesis",  "projection",  "raman_t",      "rate_min",
        "rate_points",      "rate_step",   "rate_hold",    "rates",      "window_slope"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return 1;
    return 0;
}

static void check_get(void)
{
    poy_problem *problem = full_problem();
    poy_problem_field field;
    int fields = 0, right = 1;
#define POY_INT(name_, text_)                                                                                \
    right = right && poy_problem_get(ctx, problem, #name_, &field) == POY_OK && field.dtype == POY_I64 &&    \
            field.rank == 0 && *(const int64_t *)field.data == problem->name_ && !strcmp(field.text, text_); \
    fields++;
#define POY_REAL(name_, unit_, text_)                                                                         \
    right = right && poy_problem_get(ctx, problem, #name_, &field) == POY_OK && field.dtype == POY_F64 &&     \
            field.rank == 0 && *(const double *)field.data == problem->name_ && !strcmp(field.unit, unit_) && \
            !strcmp(field.text, text_);                                                                       \
    fields++;
#define POY_ARRAY(name_, dtype_, rows_, cols_, unit_, text_)                                                   \
    right = right && poy_problem_get(ctx, problem, #name_, &field) == POY_OK && field.dtype == POY_##dtype_ && \
            field.data == problem->name_.data && (field.data == NULL) == of_guides(#name_) &&                  \
            !strcmp(field.unit, unit_) && field.rank == (strcmp(#rows_, "1") ? 2 : 1) &&                       \
            field.extent[field.rank - 1] == problem->name_.cols && (field.extent[0] > 0 || !field.data);       \
    if (!right)                                                                                                \
        note("%s", #name_);                                                                                    \
    fields++;
    const poy_problem *p = problem;
    (void)p;
#include "pulse/problem.def"
#undef POY_INT
#undef POY_REAL
#undef POY_ARRAY
    ok(right, "all %d fields are read by name: dtype, shape, unit, text and data", fields);
    ok(poy_problem_get(ctx, problem, "phi", &field) == POY_OK && field.extent[0] == 1 &&
           field.extent[1] == problem->n_w,
       "phi has a row for each term and column");
    ok(poy_problem_get(ctx, problem, "gamma", &field) == POY_ERR_ARGUMENT &&
           strstr(poy_ctx_cause(ctx), "a problem has no field \"gamma\": there are schema, field, n_w") &&
           strstr(poy_ctx_cause(ctx), "kinks, schedule"),
       "an unknown one is answered by the list");
    poy_problem_destroy(&problem);

    poy_grid *grid = grid_of_samples(1550e-9, 4e-12, 1024);
    const poy_fibre_options fibre = fibre_of(3e-3, 2, beta);
    ok(poy_problem_create_fibre(ctx, grid, &fibre, NULL, NULL, 1.0, planes, 3, &problem) == POY_OK &&
           poy_problem_get(ctx, problem, "absorber_rate", &field) == POY_OK && !field.data && field.extent[0] == 0,
       "an absent array has no data");
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

/* ---- digest ---- */

static void check_digest(void)
{
    poy_problem *problem = full_problem();
    unsigned char first[32], changed[32], second[32];
    int right = 1, fields = 0;
    poyi_problem_hash(problem, first);
    poy_problem_digest(problem, second);
    ok(!memcmp(first, second, 32), "the stored digest is that of the fields");
#define CHECK(name_)                      \
    poyi_problem_hash(problem, changed);  \
    if (!memcmp(first, changed, 32)) {    \
        right = 0;                        \
        note("%s does not count", name_); \
    }                                     \
    fields++;
#define POY_INT(name_, text_) \
    problem->name_++;         \
    CHECK(#name_)             \
    problem->name_--;
#define POY_REAL(name_, unit_, text_)               \
    {                                               \
        const double kept = problem->name_;         \
        problem->name_ = nextafter(kept, INFINITY); \
        CHECK(#name_)                               \
        problem->name_ = kept;                      \
    }
#define POY_ARRAY(name_, dtype_, rows_, cols_, unit_, text_)                                               \
    if (problem->name_.data) { /* those of guides: tests of guides */                                      \
        double *last = (double *)problem->name_.data +                                                     \
                       problem->name_.rows * problem->name_.cols * (POY_##dtype_ == POY_C128 ? 2 : 1) - 1; \
        const double kept = *last;                                                                         \
        *last = nextafter(kept, INFINITY);                                                                 \
        CHECK(#name_)                                                                                      \
        *last = kept;                                                                                      \
    }
#include "pulse/problem.def"
#undef POY_INT
#undef POY_REAL
#undef POY_ARRAY
#undef CHECK
    ok(right, "the digest changes with each of the %d fields, by one bit", fields);
    poyi_problem_hash(problem, changed);
    ok(!memcmp(first, changed, 32), "and is itself again when they are put back");
    void *kept = problem->schedule.data;
    problem->schedule.data = NULL;
    poyi_problem_hash(problem, changed);
    ok(memcmp(first, changed, 32) != 0, "a missing array counts");
    problem->schedule.data = kept;

    poy_problem *again = full_problem();
    poy_problem_digest(again, second);
    ok(again->phi.data != problem->phi.data && !memcmp(first, second, 32),
       "equal options at other addresses: one digest");
    ((double *)again->phi.data)[0] = -((double *)again->phi.data)[0];
    poyi_problem_hash(again, second);
    ok(!memcmp(first, second, 32), "-0 counts as 0");
    atomic_fetch_add(&again->references, 1);
    poyi_problem_hash(again, second);
    ok(!memcmp(first, second, 32), "references do not count");
    atomic_fetch_sub(&again->references, 1);
    poy_problem_destroy(&again);
    poy_problem_destroy(&problem);
}

/* ---- a spoiled record ---- */

static void refuse(const poy_problem *problem, poy_status status, const char *text)
{
    const poy_status got = poyi_problem_check(ctx, problem);
    if (!ok(got == status && strstr(poy_ctx_cause(ctx), text), "%s", poy_ctx_cause(ctx)))
        note("wanted %s: %s", poy_status_name(status), text);
}

static void check_spoiled_numbers(poy_problem *p)
{
    const struct spoiled {
        int64_t *member, value;
        const char *text;
    } integers[] = {
        {&p->schema, 1, "problem.schema: 1 is outside 4 to 4"},
        {&p->field, 2, "problem.field: 2"},
        {&p->field, 1, "problem.n_w: 1024 is outside 513 to 513"},
        {&p->n_w, 3, "problem.n_w: 3"},
        {&p->n_t, p->n_to + 2, "problem.n_t:"},
        {&p->n_to, 0, "problem.n_to: 0"},
        {&p->n_c, 0, "problem.n_c: 0"},
        {&p->n_c, 2, "problem.phi: has 1 x"},
        {&p->n_term, 0, "problem.n_term: 0"},
        {&p->lossless, 2, "problem.lossless: 2"},
        {&p->kerr, -1, "problem.kerr: -1"},
        {&p->raman, 2, "problem.raman: 2"},
        {&p->raman, 0, "problem.raman_h: is given, but it goes with raman"},
        {&p->windows, 2, "problem.windows: 2"},
        {&p->absorber, 4, "problem.absorber: 4"},
        {&p->absorber, 0, "problem.absorber_rate: is given, but it goes with absorber"},
        {&p->noise, 9, "problem.noise: 9"},
        {&p->method, 1, "problem.method: 1"},
        {&p->propagators, 3, "problem.propagators: 3"},
        {&p->steps_max, -1, "problem.steps_max: -1"},
        {&p->n_planes, 1, "problem.n_planes: 1"},
        {&p->n_planes, 4, "problem.planes: has 1 x 3 elements, needs 1 x 4"},
        {&p->n_kinks, -1, "problem.n_kinks: -1"},
        {&p->n_kinks, 0, "problem.kinks: has 1 x 2 elements, needs 1 x 0"},
        {&p->n_schedule, -1, "problem.n_schedule: -1"},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        const int64_t kept = *integers[i].member;
        *integers[i].member = integers[i].value;
        refuse(p, strstr(integers[i].text, "has 1 x") ? POY_ERR_SHAPE : POY_ERR_ARGUMENT, integers[i].text);
        *integers[i].member = kept;
    }
    const struct real {
        double *member, value;
        const char *text;
    } reals[] = {
        {&p->length, 0.0, "problem.length: 0"},
        {&p->dt, 0.0, "problem.dt: 0"},
        {&p->dt_fine, -1.0, "problem.dt_fine: -1"},
        {&p->domega, 0.0, "problem.domega: 0"},
        {&p->omega0, -1.0, "problem.omega0: -1"},
        {&p->kerr_scale, 2.0, "problem.kerr_scale: 2"},
        {&p->raman_scale, -0.1, "problem.raman_scale: -0.1"},
        {&p->rtol, 1e-13, "problem.rtol: 1e-13"},
        {&p->rtol, 0.1, "problem.rtol: 0.1"},
        {&p->atol, 0.0, "problem.atol: 0"},
        {&p->dz_first, 0.9, "problem.dz_first: 0.9"},
        {&p->dz_max, 2.0, "problem.dz_max: 2"},
        {&p->dz_min, 0.6, "problem.dz_min: 0.6"},
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        const double kept = *reals[i].member;
        *reals[i].member = reals[i].value;
        refuse(p, POY_ERR_ARGUMENT, reals[i].text);
        *reals[i].member = (double)NAN;
        refuse(p, POY_ERR_NONFINITE, "is not finite");
        *reals[i].member = kept;
    }
}

static void check_spoiled_arrays(poy_problem *p)
{
    const struct spoiled {
        double *member, value;
        poy_status status;
        const char *text;
    } list[] = {
        {(double *)p->phi.data + 7, INFINITY, POY_ERR_NONFINITE, "problem.phi: element 3 is inf 1/m"},
        {(double *)p->phi.data + 8, -1.0, POY_ERR_ARGUMENT, "problem.lossless: is 1, but phi has the real part -1"},
        {(double *)p->prefactor.data + 1, (double)NAN, POY_ERR_NONFINITE, "problem.prefactor: element 1"},
        {(double *)p->omega.data + 2, 0.0, POY_ERR_ARGUMENT, "problem.omega: bin 2"},
        {(double *)p->mask.data + 2, 0.5, POY_ERR_ARGUMENT, "problem.mask: bin 2 is 0.5"},
        {(double *)p->window_w.data + 2, 1.5, POY_ERR_ARGUMENT, "problem.window_w: element 2 is 1.5"},
        {(double *)p->window_t.data + 2, -0.5, POY_ERR_ARGUMENT, "problem.window_t: element 2 is -0.5"},
        {(double *)p->window_to.data + 2, 1.5, POY_ERR_ARGUMENT, "problem.window_to: element 2 is 1.5"},
        {(double *)p->absorber_rate.data + 2, -1.0, POY_ERR_ARGUMENT, "problem.absorber_rate: element 2 is -1"},
        {(double *)p->error_weights.data + 2, -1.0, POY_ERR_ARGUMENT, "problem.error_weights: element 2 is -1"},
        {(double *)p->planes.data + 1, 1.0, POY_ERR_ARGUMENT, "problem.planes: element 2, 1, is not above"},
        {(double *)p->planes.data, -1.0, POY_ERR_ARGUMENT, "problem.planes: from -1 to 1 m"},
        {(double *)p->kinks.data, 0.5, POY_ERR_ARGUMENT, "problem.kinks: element 1, 0.5, is not above"},
        {(double *)p->kinks.data + 1, 1.0, POY_ERR_ARGUMENT, "problem.kinks: element 1 is 1, outside"},
        {(double *)p->schedule.data, 0.0, POY_ERR_ARGUMENT, "problem.schedule: element 0 is 0, outside"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const double kept = *list[i].member;
        *list[i].member = list[i].value;
        refuse(p, list[i].status, list[i].text);
        *list[i].member = kept;
    }
    double *weights = p->error_weights.data, kept = 0.0;
    for (int64_t k = 0; k < p->n_w; k++) {
        kept += weights[k];
        weights[k] = 0.0;
    }
    refuse(p, POY_ERR_ARGUMENT, "problem.error_weights: no bin of the signal band has a weight");
    memcpy(weights, p->mask.data, (size_t)p->n_w * sizeof *weights);
    ok(kept > 0.0 && poyi_problem_check(ctx, p) == POY_OK, "put back, the record is right again");
    void *data = p->planes.data;
    p->planes.data = NULL;
    refuse(p, POY_ERR_ARGUMENT, "problem.planes: is missing");
    p->planes.data = data;
}

int main(void)
{
    fixture_start();
    check_defaults();
    check_get();
    check_digest();
    poy_problem *problem = full_problem();
    ok(poyi_problem_check(ctx, problem) == POY_OK, "a whole record passes its checks");
    check_spoiled_numbers(problem);
    check_spoiled_arrays(problem);
    poy_problem_destroy(&problem);
    return fixture_end();
}
