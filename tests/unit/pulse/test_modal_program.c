/* test_modal_program.c: the rows that a stage of several modes is made of: those that the problem needs, and no others. */
#include "ops/program.h"
#include "physics/hollow.h"
#include "pulse/geometry/geometry.h"

static poy_ctx *ctx;

/* Rows of a trial, which has six stages, by name; points: matrix products lead to them and back. */
typedef struct setting {
    const char *name;
    int columns, averaged, kind;
    int raman, plasma, held, taps, across, gases;
    int cube, ionise, electrons, score, points;
} setting;

static const setting settings[] = {
    {"an averaged mode", 1, .averaged = 1, .plasma = 1, .gases = 1, .electrons = 6},
    {"one mode at points", 1, .gases = 1, .cube = 6, .score = 1},
    {"three modes", 3, .gases = 1, .cube = 6, .score = 1},
    {"three modes, plasma", 3, .plasma = 1, .gases = 1, .cube = 6, .ionise = 6, .score = 1},
    {"three modes, plasma of two gases", 3, .plasma = 1, .gases = 2, .cube = 6, .ionise = 12, .score = 1},
    {"three modes, Raman", 3, .raman = 1, .gases = 1, .points = 1, .score = 1},
    {"three modes, Raman and plasma", 3, .raman = 1, .plasma = 1, .gases = 1, .electrons = 6, .points = 1, .score = 1},
    {"a held current", 3, .plasma = 1, .held = 1, .gases = 1, .electrons = 6, .points = 1, .score = 1},
    {"a band rule", 3, .plasma = 1, .taps = 2, .gases = 1, .electrons = 6, .points = 1, .score = 1},
    {"an analytic signal", 3, .kind = 1, .gases = 1, .points = 1, .score = 1},
    {"an envelope", 3, .kind = 3, .gases = 1, .points = 1, .score = 1},
    {"two polarisations", 3, .across = 1, .plasma = 1, .gases = 1, .electrons = 6, .points = 1, .score = 1},
};

static int rows_named(const poyi_stage_program *sp, const char *name)
{
    int n = 0;
    for (int i = 0; i < poyi_program_rows(sp->program, sp->seg_trial); i++)
        n += !strcmp(poyi_program_row_name(sp->program, sp->seg_trial, i), name);
    return n;
}

static hollow make(const setting *s)
{
    hollow h = hollow_make(s->raman ? "N2" : "Ar", 75e-6, s->columns);
    hollow_kind(&h, s->kind);
    h.gas.raman = s->raman;
    h.gas.plasma = s->plasma;
    h.gas.plasma_held = s->held;
    h.gas.plasma_taps = s->taps;
    h.gas.averaged = s->averaged;
    if (s->gases > 1) {
        h.guide.fill.n_gases = 2;
        h.gases[1] = "Ne";
        h.shares[0] = h.shares[1] = 0.5;
    }
    if (s->across)
        h.angles[0] = 0.5 * LAB_PI;
    return h;
}

static void check(const setting *s)
{
    hollow h = make(s);
    poyi_stage_program sp;
    poy_problem *p = hollow_problem(ctx, &h);
    must(ctx, poyi_modal_build(ctx, p, &sp), "a program");
    const int products = rows_named(&sp, "matmul"),
              responses = rows_named(&sp, "polarise") + rows_named(&sp, "response");
    const int parts = s->points ? sp.n_parts : 0;
    ok(rows_named(&sp, "cube") == s->cube && rows_named(&sp, "ionise") == s->ionise &&
           rows_named(&sp, "plasma") == s->electrons * (s->points ? parts : 1),
       "%s: sums that are made beforehand, or points", s->name);
    ok(products == 12 * parts + (s->held ? 6 * parts : 0) && responses == (s->cube     ? 0
                                                                           : s->points ? 6 * parts
                                                                                       : 6),
       "%s: %d products of matrices in %d parts", s->name, products, parts);
    ok(rows_named(&sp, "score") == s->score, "%s: the last stage alone is projected by both rules", s->name);
    poyi_stage_fini(&sp);
    poy_problem_destroy(&p);
}

int main(void)
{
    ctx = lab_context();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        check(&settings[i]);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
