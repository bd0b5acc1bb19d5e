/* test_record.c: the contract of records: declarations, options, registering, shapes, widening, refusals, failures of authors. */
#include "record_fixture.h"

#include "record/record.h"

static poy_status read(poy_ctx *ctx, const char *in, const char *out)
{
    static poyi_signature s;
    return poyi_signature_read(ctx, "test", in, out, &s);
}

static void declarations(poy_ctx *ctx)
{
    static const char *const bad[][2] = {{"A[n]", "y:p[]"},
                                         {"A:q[n]", "y:p[]"},
                                         {"A:p", "y:p[]"},
                                         {"A:p[n", "y:p[]"},
                                         {"A:p[n,]", "y:p[]"},
                                         {"A:p[?]", "y:p[]"},
                                         {"A:p[*]", "y:p[]"},
                                         {"", "y:p[]"},
                                         {"A:p[n]", ""},
                                         {"A:p[n]", "y:#p[n]"},
                                         {"A:p[n]", "y:p[m]"},
                                         {"A:p[n]", "y:p[...]"},
                                         {"A:p[n]B:p[n]", "y:p[]"},
                                         {"3:p[n]", "y:p[]"},
                                         {"A:p[n n]", "y:p[]"},
                                         {"A:p[a,b,c,d,e,f,g,h,i]", "y:p[]"},
                                         {"A_name_that_is_rather_long:p[]", "y:p[]"}};

    ok(read(ctx, "A:p[n,n] B:#c[n,3]  s:r[] any:a[...]", "X:p[n,?] y:c[...] z:a[*]") == POY_OK, "a declaration: %s",
       poy_ctx_cause(ctx));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(read(ctx, bad[i][0], bad[i][1]) == POY_ERR_ARGUMENT, "\"%s\" -> \"%s\" is none: %s", bad[i][0], bad[i][1],
           poy_ctx_cause(ctx));
}

static void binding(poy_ctx *ctx)
{
    poyi_signature s;
    poy_rec_spec given[3] = {{POY_C128, 2, {2, 3}}, {POY_F64, 1, {3}}, {POY_F64, 0, {0}}}, in[3], out[2];

    poyi_signature_read(ctx, "test", "A:p[m,n] b:p[n] c:c[]", "y:p[m] s:r[2,?]", &s);
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_OK && in[0].dtype == POY_C128 &&
           in[1].dtype == POY_C128 && in[2].dtype == POY_C128 && out[0].dtype == POY_C128 && out[0].rank == 1 &&
           out[0].dims[0] == 2,
       "kind p takes the common type, c is complex");
    ok(out[1].dtype == POY_F64 && out[1].rank == 2 && out[1].dims[0] == 2 && out[1].dims[1] == -1,
       "what is free is left to infer");
    given[1].dims[0] = 4;
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_SHAPE &&
           !strcmp(poy_ctx_cause(ctx), "test: n = 4 on axis 0 of b, but 3 from A"),
       "names agree: %s", poy_ctx_cause(ctx));
    given[1] = (poy_rec_spec){POY_F32, 1, {3}};
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_DTYPE &&
           !strcmp(poy_ctx_cause(ctx), "test: b is f32, needs f64 or c128"),
       "single precision is widened elsewhere: %s", poy_ctx_cause(ctx));
    given[1] = (poy_rec_spec){POY_F64, 2, {3, 1}};
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_SHAPE, "ranks: %s", poy_ctx_cause(ctx));
    given[1] = (poy_rec_spec){POY_F64, 1, {-3}};
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_SHAPE, "extents: %s", poy_ctx_cause(ctx));
    given[1] = (poy_rec_spec){POY_F64, 1, {3}};
    given[0] = (poy_rec_spec){POY_C128, 2, {INT64_C(1) << 40, INT64_C(1) << 40}};
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_SHAPE, "sizes: %s", poy_ctx_cause(ctx));
    poyi_signature_read(ctx, "test", "x:r[3]", "y:r[3]", &s);
    given[0] = (poy_rec_spec){POY_C128, 1, {3}};
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_COMPLEX_TO_REAL, "kind r: %s",
       poy_ctx_cause(ctx));
    given[0] = (poy_rec_spec){POY_F64, 1, {2}};
    ok(poyi_signature_bind(ctx, "test", &s, given, in, out) == POY_ERR_SHAPE, "numbers: %s", poy_ctx_cause(ctx));
}

static const poy_rec_option table[] = {
    {.name = "axis", .kind = POY_REC_INTEGER, .fallback = "0"},
    {.name = "norm", .kind = POY_REC_WORD, .words = "backward|ortho", .fallback = "ortho"},
    {.name = "tol", .kind = POY_REC_REAL, .fallback = "1e-3"},
    {.name = "basis", .kind = POY_REC_TEXT, .text = "modes"}};

static int canonical(poy_ctx *ctx, const char *text, const char *want)
{
    poy_rec_value v[4];
    char *block = NULL, *got = NULL;
    const poy_status status = poyi_options_parse(ctx, "test", table, 4, text, v, &block, &got);
    const int same = want ? status == POY_OK && !strcmp(got, want) : status == POY_ERR_ARGUMENT && !got && !block;
    if (!same)
        note("%s -> %s (%s)", text, got ? got : "refused", poy_ctx_cause(ctx));
    free(block);
    free(got);
    return same;
}

static void options(poy_ctx *ctx)
{
    poy_rec_value v[4];
    char *block = NULL, *text = NULL;

    ok(canonical(ctx, "basis=1,2,-1", "axis=0;norm=ortho;tol=0.001;basis=1,2,-1"), "defaults are written out");
    ok(canonical(ctx, " tol = 1.0e-3 ;basis= 1,2,-1;; norm=ortho;axis=+0 ", "axis=0;norm=ortho;tol=0.001;basis=1,2,-1"),
       "order, blanks and ways to write a number do not count");
    ok(canonical(ctx, "basis=a=b", "axis=0;norm=ortho;tol=0.001;basis=a=b"), "a value may hold =");
    static const char *const bad[] = {"",
                                      "axis=1",
                                      "basis=x;axis=1.5",
                                      "basis=x;norm=orth",
                                      "basis=x;tol=small",
                                      "basis=x;axis=1;axis=1",
                                      "basis=x;ax",
                                      "basis=x;ay=1",
                                      "basis=x;axis=",
                                      "basis=x;axis=99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(canonical(ctx, bad[i], NULL), "'%s' is refused: %s", bad[i], poy_ctx_cause(ctx));
    ok(poyi_options_parse(ctx, "test", table, 4, "basis=x;norm=backward;axis=-2;tol=0.1", v, &block, &text) == POY_OK &&
           v[0].integer == -2 && v[1].integer == 0 && !strcmp(v[1].text, "backward") && v[2].real == 0.1 &&
           !strcmp(v[3].text, "x"),
       "values are parsed");
    free(block);
    free(text);
}

static void never_sample(void)
{
    ok(0, "a member beyond the end of the struct is read");
}

static void registering(poy_ctx *ctx)
{
    poy_rec_op op = scale_op;
    poy_record *r = NULL;

    ok(poy_record_register(ctx, &op) == POY_OK, "a record of one's own");
    ok(poy_record_register(ctx, &op) == POY_OK, "the same once more is no failure");
    op.state_version = 4;
    ok(poy_record_register(ctx, &op) == POY_ERR_CONFLICT, "another one of the name is: %s", poy_ctx_cause(ctx));
    op.name = "poy.solve";
    ok(poy_record_register(ctx, &op) == POY_ERR_CONFLICT, "the built-in names are taken");
    static const char *const bad[] = {"scale", "Test.scale", ".scale", "test.", "test scale", "", "a."};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        op.name = bad[i];
        ok(poy_record_register(ctx, &op) == POY_ERR_ARGUMENT, "'%s' is no name: %s", bad[i], poy_ctx_cause(ctx));
    }
    op = scale_op;
    op.name = "test.other";
    op.abi++;
    ok(poy_record_register(ctx, &op) == POY_ERR_UNSUPPORTED, "another ABI: %s", poy_ctx_cause(ctx));
    op.abi--;
    op.size = 24;
    ok(poy_record_register(ctx, &op) == POY_ERR_UNSUPPORTED, "too short a struct: %s", poy_ctx_cause(ctx));
    op = scale_op;
    op.name = "test.other";
    op.pullback = NULL;
    ok(poy_record_register(ctx, &op) == POY_ERR_ARGUMENT, "no pullback: %s", poy_ctx_cause(ctx));
    op = scale_op;
    op.name = "test.other";
    op.open = NULL;
    ok(poy_record_register(ctx, &op) == POY_ERR_ARGUMENT, "options without open: %s", poy_ctx_cause(ctx));
    op = scale_op;
    op.name = "test.other";
    op.in = "A:p[n";
    ok(poy_record_register(ctx, &op) == POY_ERR_ARGUMENT &&
           poy_record_open(ctx, "test.other", NULL, &r) == POY_ERR_ARGUMENT,
       "a bad declaration: %s", poy_ctx_cause(ctx));
    op = scale_op;
    op.name = "test.older";
    op.size = offsetof(poy_rec_op, pushforward); /* members that a later header added are not read */
    op.sample = (poy_status(*)(poy_ctx *, const void *, uint64_t, const poy_rec_array *))never_sample;
    poy_rec_info info;
    double x = 0.0;
    poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &x), array(POY_F64, 0, 0, 0, &x)};
    ok(poy_record_register(ctx, &op) == POY_OK && poy_record_describe(ctx, "test.older", &info) == POY_OK &&
           info.reverse_only && poy_record_open(ctx, "test.older", NULL, &r) == POY_OK &&
           poy_record_sample(ctx, r, 1, in) == POY_OK && x != 0.0,
       "an older, shorter struct is not read beyond its end");
    poy_record_close(&r);
}

static void describing(poy_ctx *ctx)
{
    poy_rec_info info;
    poy_record *r = NULL;

    ok(poy_record_describe(ctx, "test.scale", &info) == POY_OK && info.n_in == 2 && info.n_out == 1 &&
           info.n_options == 2 && info.state_version == 3 && !info.reverse_only && info.in_slot[0].rank == 0 &&
           info.in_slot[0].kind == 'p' && info.in_slot[1].rank == -1 && !strcmp(info.in_slot[1].name, "x") &&
           !strcmp(info.out_slot[0].name, "y"),
       "a record says what it takes");
    ok(poy_record_describe(ctx, "poy.guard", &info) == POY_OK && !info.in_slot[0].constant &&
           info.in_slot[1].constant && info.in_slot[1].rank == 1,
       "and what is constant");
    ok(poy_record_open(ctx, "solve", NULL, &r) == POY_ERR_ARGUMENT && !r &&
           !strcmp(poy_ctx_cause(ctx), "no record is named 'solve': did you mean 'poy.solve'?"),
       "an unknown name: %s", poy_ctx_cause(ctx));
    ok(poy_record_open(ctx, "poy.fft", "norm=ortho", &r) == POY_OK &&
           !strcmp(poy_record_options(r), "direction=forward;norm=ortho") &&
           !strcmp(poy_record_identity(r), "poy.fft@1{direction=forward;norm=ortho}"),
       "an opened record says what it is: %s", r ? poy_record_identity(r) : poy_ctx_cause(ctx));
    poy_record_close(&r);
    poy_record_close(&r);
    ok(poy_record_open(ctx, "poy.solve", "fast=1", &r) == POY_ERR_ARGUMENT && !r, "a record without options: %s",
       poy_ctx_cause(ctx));
}

static void opening(poy_ctx *ctx)
{
    poy_record *r = NULL, *again = NULL;
    scale_opened = scale_closed = 0;
    ok(poy_record_open(ctx, "test.scale", "factor=0", &r) == POY_ERR_ARGUMENT && !r &&
           !strcmp(poy_ctx_cause(ctx), "factor is 0, needs another number"),
       "an author refuses: %s", poy_ctx_cause(ctx));
    ok(poy_record_open(ctx, "test.scale", "factor=13", &r) == POY_ERR_RANGE && !r &&
           !strcmp(poy_ctx_cause(ctx), "test.scale.open failed: a result that is not representable"),
       "by a bare code: %s", poy_ctx_cause(ctx));
    ok(poy_record_open(ctx, "test.scale", "factor=3", &r) == POY_OK && scale_opened == 1, "or accepts");
    again = poy_record_keep(r);
    poy_record_close(&r);
    ok(scale_closed == 0 && again, "it is open as long as somebody holds it");
    poy_record_close(&again);
    ok(scale_closed == 1, "and no longer");
}

/* ---- calls ---- */

static void widening(poy_ctx *ctx)
{
    double a = 3.0, x[4] = {1, 2, -1, 4}, y[4] = {0}, gy[4] = {1, 2, 3, 4}, ga = 0, gx[4] = {0}, dy[4] = {0};
    double da = 1.0;
    poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &a), array(POY_C128, 1, 2, 0, x)};
    poy_rec_array out = array(POY_C128, 1, 2, 0, y), cot = out, grad[2] = {in[0], in[1]}, tan[2] = {in[0], absent()};
    poy_record *r = NULL;
    poy_saved *s = NULL;

    cot.data = gy;
    grad[0].data = &ga;
    grad[1].data = gx;
    tan[0].data = &da;
    poy_record_open(ctx, "test.scale", "", &r);
    const double want_y[4] = {6, 12, -6, 24}, want_gx[4] = {6, 12, 18, 24};
    ok(poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_OK && off(y, want_y, 4) == 0.0,
       "a real a beside a complex x is widened: %s", poy_ctx_cause(ctx));
    /* ga = Re sum conj(2 x) gy = 2 Re((1-2i)(1+2i) + (-1-4i)(3+4i)) = 2 (5 + 13) */
    ok(poy_record_pullback(ctx, s, &cot, grad) == POY_OK && ga == 36.0 && off(gx, want_gx, 4) == 0.0,
       "its gradient is the real part: %g", ga);
    out.data = dy;
    ok(poy_record_pushforward(ctx, s, tan, &out) == POY_OK && dy[0] == 2.0 && dy[1] == 4.0 && dy[2] == -2.0 &&
           dy[3] == 8.0,
       "its tangent is widened, an absent one is 0");
    grad[1].data = NULL;
    ga = 0.0;
    ok(poy_record_pullback(ctx, s, &cot, grad) == POY_OK && ga == 36.0, "a gradient that is not wanted is left out");
    cot.data = NULL;
    ok(poy_record_pullback(ctx, s, &cot, grad) == POY_OK && ga == 0.0, "an absent cotangent is 0");
    tan[0].data = NULL;
    ok(poy_record_pushforward(ctx, s, tan, &out) == POY_OK && dy[0] == 0.0 && dy[3] == 0.0, "so are absent tangents");
    out.data = NULL;
    tan[0].data = &da;
    ok(poy_record_pushforward(ctx, s, tan, &out) == POY_OK, "a tangent of an output may be left out");
    poy_saved_destroy(&s);
    poy_record_close(&r);
}

static void wrong_arrays(poy_ctx *ctx)
{
    double a = 3.0, x[4] = {1, 2, -1, 4}, y[4], g[4] = {0};
    poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &a), array(POY_F64, 1, 4, 0, x)};
    poy_rec_array out = array(POY_F64, 1, 4, 0, y), bad, grad[2] = {absent(), array(POY_F64, 1, 4, 0, g)};
    poy_record *r = NULL;
    poy_saved *s = NULL;
    const poy_rec_batch batch = {1, {2}}, deep = {9, {0}}, negative = {1, {-1}};

    poy_record_open(ctx, "test.scale", "", &r);
    bad = array(POY_F64, 1, 3, 0, y);
    ok(poy_record_evaluate(ctx, r, NULL, in, &bad, &s) == POY_ERR_SHAPE && !s &&
           strstr(poy_ctx_cause(ctx), "y is f64[3], needs f64[4]"),
       "an output of another shape: %s", poy_ctx_cause(ctx));
    bad = array(POY_C128, 1, 4, 0, y);
    ok(poy_record_evaluate(ctx, r, NULL, in, &bad, NULL) == POY_ERR_DTYPE, "of another type: %s", poy_ctx_cause(ctx));
    bad = array(POY_F64, 1, 4, 0, NULL);
    ok(poy_record_evaluate(ctx, r, NULL, in, &bad, NULL) == POY_ERR_ARGUMENT, "without memory: %s", poy_ctx_cause(ctx));
    in[1].data = NULL;
    ok(poy_record_evaluate(ctx, r, NULL, in, &out, NULL) == POY_ERR_ARGUMENT, "an input without: %s",
       poy_ctx_cause(ctx));
    in[1].data = x;
    ok(poy_record_evaluate(ctx, r, &batch, in, &out, NULL) == POY_ERR_ARGUMENT, "a shared output: %s",
       poy_ctx_cause(ctx));
    ok(poy_record_evaluate(ctx, r, &deep, in, &out, NULL) == POY_ERR_ARGUMENT, "a deep batch: %s", poy_ctx_cause(ctx));
    ok(poy_record_evaluate(ctx, r, &negative, in, &out, NULL) == POY_ERR_ARGUMENT, "a negative one: %s",
       poy_ctx_cause(ctx));
    ok(poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_OK, "good arrays");
    bad = array(POY_F64, 1, 3, 0, y);
    ok(poy_record_pullback(ctx, s, &bad, grad) == POY_ERR_SHAPE, "a cotangent of another shape: %s",
       poy_ctx_cause(ctx));
    bad = array(POY_C128, 1, 4, 0, y);
    ok(poy_record_pullback(ctx, s, &bad, grad) == POY_ERR_DTYPE, "of another type: %s", poy_ctx_cause(ctx));
    grad[1] = array(POY_C128, 1, 2, 0, g);
    ok(poy_record_pullback(ctx, s, &out, grad) == POY_ERR_DTYPE, "a complex gradient of a real input: %s",
       poy_ctx_cause(ctx));
    ok(poy_record_pushforward(ctx, s, grad, &out) == POY_ERR_DTYPE, "a complex tangent: %s", poy_ctx_cause(ctx));
    grad[1] = array(POY_F64, 1, 4, 0, g);
    ok(poy_record_pullback(ctx, s, &out, grad) == POY_OK && off(g, (const double[]){36, 72, -36, 144}, 4) == 0.0,
       "after refusals the saved state is good");
    poy_saved_destroy(&s);
    poy_record_close(&r);
}

static poy_status evaluate_fault(poy_ctx *ctx, int fault)
{
    char text[32];
    double a = 3.0, x = 1.0, y;
    poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &a), array(POY_F64, 0, 0, 0, &x)}, out = array(POY_F64, 0, 0, 0, &y);
    poy_record *r = NULL;
    poy_saved *s = NULL;
    snprintf(text, sizeof text, "fault=%d", fault);
    poy_record_open(ctx, "test.scale", text, &r);
    const poy_status status = poy_record_evaluate(ctx, r, NULL, in, &out, &s);
    ok(status == POY_OK || s == NULL, "nothing is saved after a failure");
    poy_saved_destroy(&s);
    poy_record_close(&r);
    return status;
}

static void failing(poy_ctx *ctx)
{
    poy_ctx_fail(ctx, POY_ERR_THRESHOLD, "an old text");
    ok(evaluate_fault(ctx, FAULT_BARE) == POY_ERR_THRESHOLD &&
           !strcmp(poy_ctx_cause(ctx), "test.scale.evaluate failed: a point at which the answer diverges"),
       "a bare code does not show an old text: %s", poy_ctx_cause(ctx));
    ok(evaluate_fault(ctx, FAULT_NO_STATUS) == POY_ERR_CALLBACK &&
           !strcmp(poy_ctx_cause(ctx), "test.scale.evaluate returned 12345, which is no status"),
       "nor does what is no status: %s", poy_ctx_cause(ctx));
}

/* ---- the self-check finds faults ---- */

static void finds(poy_ctx *ctx, const char *options, const char *fault, const char *what)
{
    double a[2] = {0.5, -1.5}, x[6] = {1, 2, -1, 4, 0.5, 1};
    const poy_rec_array in[2] = {array(POY_C128, 0, 0, 0, a), array(POY_C128, 1, 3, 0, x)};
    poy_record *r = NULL;
    poy_rec_check c = {0};
    poy_record_open(ctx, "test.scale", options, &r);
    const poy_status status = poy_record_check(ctx, r, in, 7, 0.0, &c);
    ok(status == POY_OK && (fault ? c.fault && !strcmp(c.fault, fault) : !c.fault), "%s: %s", what,
       status != POY_OK ? poy_ctx_cause(ctx)
       : c.fault        ? c.fault
                        : "no fault");
    poy_record_close(&r);
}

static void checking(poy_ctx *ctx)
{
    char text[32];
    finds(ctx, "", NULL, "a good record passes");
    snprintf(text, sizeof text, "fault=%d", FAULT_PULL);
    finds(ctx, text, "adjoint", "a pullback without a conjugation fails");
    snprintf(text, sizeof text, "fault=%d", FAULT_PUSH);
    finds(ctx, text, "adjoint", "a pushforward off by 1e-6 fails");
    snprintf(text, sizeof text, "fault=%d", FAULT_PARTS);
    finds(ctx, text, "parts", "a gradient that comes only with another fails");
    snprintf(text, sizeof text, "fault=%d", FAULT_BOTH);
    finds(ctx, text, "forward", "derivatives that agree with each other, but not with the value, fail");
    snprintf(text, sizeof text, "fault=%d", FAULT_GLOBAL);
    finds(ctx, text, "parts", "a record that remembers beside its state fails");
    poy_rec_check c;
    poy_record *r = NULL;
    poy_record_open(ctx, "test.scale", "", &r);
    const poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, NULL), array(POY_F64, 0, 0, 0, NULL)};
    ok(poy_record_check(ctx, r, in, 1, 0.0, &c) == POY_ERR_ARGUMENT, "a check needs inputs: %s", poy_ctx_cause(ctx));
    ok(poy_record_check_example(ctx, "test.scale", 0, 1, &c) == POY_ERR_INDEX, "or an example: %s", poy_ctx_cause(ctx));
    poy_record_close(&r);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    declarations(ctx);
    binding(ctx);
    options(ctx);
    registering(ctx);
    describing(ctx);
    opening(ctx);
    widening(ctx);
    wrong_arrays(ctx);
    failing(ctx);
    checking(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
