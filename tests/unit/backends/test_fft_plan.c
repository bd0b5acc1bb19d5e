/* test_fft_plan.c: FFTW plans: right transforms, inputs kept, data never touched by planning, the cache, the stored
 * wisdom and what damages it. */
#define _DEFAULT_SOURCE /* setenv, mkdtemp, M_PI */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu_fft_plan.h"
#include "tap.h"

enum { N = 18, LINES = 3, ROOM = 2 * LINES * (N + 2) };

static char warning[1024];

static void log_warning(void *user, poy_log_level level, const char *text)
{
    (void)user;
    if (level == POY_LOG_WARNING)
        snprintf(warning, sizeof warning, "%s", text);
}

static void sample(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = cos(1.7 * i) + 0.3 * sin(0.1 * i * i);
}

/* Largest error of a C2C plan on LINES lines, against the sum itself; rounding allows 2 (log2 18 + 1) eps 2-norm. */
static double error_of_c2c(const double *x, const double *y, int sign)
{
    double worst = 0;
    for (int line = 0; line < LINES; line++)
        for (int k = 0; k < N; k++) {
            double re = 0, im = 0;
            for (int j = 0; j < N; j++) {
                double a = sign * 2 * M_PI * (j * k % N) / N;
                const double *z = x + 2 * (line * N + j);
                re += z[0] * cos(a) - z[1] * sin(a);
                im += z[0] * sin(a) + z[1] * cos(a);
            }
            worst = fmax(worst, hypot(y[2 * (line * N + k)] - re, y[2 * (line * N + k) + 1] - im));
        }
    return worst;
}

static void transforms(poy_ctx *ctx, const poyi_cpu *cpu)
{
    _Alignas(64) double x[ROOM], y[ROOM], kept[ROOM];
    poyi_fft_plan *plan = NULL, *again = NULL;
    poyi_fft_spec c2c = {POY_F64, POY_FFT_C2C, -1, N, LINES, N, N, 0, 0};
    poyi_fft_spec c2r = {POY_F64, POY_FFT_C2R, +1, N, LINES, N / 2 + 1, N, 0, 0};
    poyi_fft_spec r2c = {POY_F64, POY_FFT_R2C, -1, N, LINES, N, N / 2 + 1, 0, 0};

    sample(x, ROOM);
    memcpy(kept, x, sizeof x);
    ok(poyi_fft_plan_get(ctx, cpu, &c2c, NULL, NULL, &plan) == POY_OK && !memcmp(x, kept, sizeof x),
       "a plan is made without touching data");
    poyi_fft_plan_run(plan, x, y);
    double worst = error_of_c2c(x, y, -1);
    ok(worst < 2 * 5.2 * 2.3e-16 * 5, "forward: error %.2g", worst);
    ok(poyi_fft_plan_get(ctx, cpu, &c2c, NULL, NULL, &again) == POY_OK && again == plan, "it is made once");
    poyi_fft_plan_release(&again);
    poyi_fft_plan_release(&plan);
    c2c.sign = +1;
    c2c.in_place = 1;
    ok(poyi_fft_plan_get(ctx, cpu, &c2c, NULL, NULL, &plan) == POY_OK, "backward, in place");
    memcpy(y, x, sizeof x);
    poyi_fft_plan_run(plan, y, y);
    worst = error_of_c2c(x, y, +1);
    ok(worst < 2 * 5.2 * 2.3e-16 * 5, "error %.2g", worst);
    poyi_fft_plan_release(&plan);

    ok(poyi_fft_plan_get(ctx, cpu, &c2r, NULL, NULL, &plan) == POY_OK, "complex to real");
    poyi_fft_plan_run(plan, x, y);
    ok(!memcmp(x, kept, sizeof x), "keeps its input, bit for bit");
    poyi_fft_plan_release(&plan);

    for (int i = 0; i < N * LINES; i++)
        x[i] = 1;
    ok(poyi_fft_plan_get(ctx, cpu, &r2c, NULL, NULL, &plan) == POY_OK && x[0] == 1 && x[N - 1] == 1,
       "planning after the data is loaded");
    poyi_fft_plan_run(plan, x, y);
    ok(y[0] == 18 && y[1] == 0, "bin 0 of ones is 18: %.17g", y[0]);
    poyi_fft_plan_release(&plan);

    /* A plan for memory that is aligned to 8 only is another one. */
    ok(poyi_fft_plan_get(ctx, cpu, &r2c, NULL, NULL, &plan) == POY_OK &&
           poyi_fft_plan_get(ctx, cpu, &r2c, x + 1, y, &again) == POY_OK && again != plan,
       "alignment is part of the key");
    poyi_fft_plan_release(&again);
    poyi_fft_plan_release(&plan);
    ok(poy_ctx_bytes(ctx) == 0, "no scratch is left");
}

static void many(poy_ctx *ctx, const poyi_cpu *cpu)
{
    poyi_fft_plan *held = NULL, *plan = NULL;
    poyi_fft_spec spec = {POY_F32, POY_FFT_C2C, -1, 7, 1, 7, 7, 0, 0};
    float x[14] = {1}, y[14];
    int failures = 0;

    failures += poyi_fft_plan_get(ctx, cpu, &spec, NULL, NULL, &held) != POY_OK;
    for (int n = 2; n < 150; n++) {
        spec.n = spec.in_dist = spec.out_dist = n;
        failures += poyi_fft_plan_get(ctx, cpu, &spec, NULL, NULL, &plan) != POY_OK;
        poyi_fft_plan_release(&plan);
    }
    poyi_fft_plan_run(held, x, y);
    ok(!failures && y[0] == 1.0f && y[12] == 1.0f, "a plan that is held outlives many others");
    poyi_fft_plan_release(&held);
}

static int find_wisdom(const char *folder, char *path, size_t size)
{
    char sub[512];
    snprintf(sub, sizeof sub, "%s/poynting", folder);
    DIR *d = opendir(sub);
    int found = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        if (strstr(e->d_name, ".wisdom")) {
            snprintf(path, size, "%s/%s", sub, e->d_name);
            found++;
        }
    if (d)
        closedir(d);
    return found;
}

static void spoil(const char *path, long at, const char *with)
{
    FILE *f = fopen(path, "r+b");
    if (f) {
        fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
        fputs(with, f);
        fclose(f);
    }
}

static void copy_file(const char *from, const char *to)
{
    char buffer[4096];
    FILE *f = fopen(from, "rb"), *g = fopen(to, "wb");
    for (size_t n; f && g && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        fwrite(buffer, 1, n, g);
    if (f)
        fclose(f);
    if (g)
        fclose(g);
}

/* The wisdom of folder is damaged in the way named and read again from another folder (a path is read once). */
static void damaged(poy_ctx *ctx, const char *path, const char *what, long at, const char *with)
{
    char folder[] = "/tmp/poynting-test-XXXXXX", copy[1600], sub[512];
    poyi_cpu cpu = {0};
    poyi_fft_plan *plan = NULL;
    poyi_fft_spec spec = {POY_F64, POY_FFT_C2C, -1, 20, 1, 20, 20, 0, 0};

    if (!mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1) != 0)
        return;
    warning[0] = '\0';
    poyi_fft_wisdom_load(ctx);
    ok(warning[0] == '\0', "no file, no warning (%s)", what);
    snprintf(sub, sizeof sub, "%s/poynting", folder);
    snprintf(copy, sizeof copy, "%s%s", sub, strrchr(path, '/'));
    copy_file(path, copy);
    spoil(copy, at, with);
    setenv("XDG_CACHE_HOME", "/nonexistent", 1);
    poyi_fft_wisdom_load(ctx);
    setenv("XDG_CACHE_HOME", folder, 1);
    poyi_fft_wisdom_load(ctx);
    ok(strstr(warning, "are ignored") != NULL, "%s: %s", what, warning);
    spec.n += (long)strlen(what) * 7; /* one that no other case has planned */
    ok(poyi_fft_plan_get(ctx, &cpu, &spec, NULL, NULL, &plan) == POY_OK, "plans are made all the same");
    poyi_fft_plan_release(&plan);
    remove(copy);
    rmdir(sub);
    rmdir(folder);
}

static void wisdom(poy_ctx *ctx)
{
    char folder[] = "/tmp/poynting-test-XXXXXX", path[1024], sub[512], text[512];
    poyi_cpu cpu = {0};
    poyi_fft_plan *plan = NULL;
    poyi_fft_spec spec = {POY_F64, POY_FFT_C2C, -1, 96, 1, 96, 96, 0, 0};

    ok(mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0, "a cache folder of our own: %s", folder);
    poy_ctx_set_deterministic(ctx, 1);
    ok(poyi_fft_plan_get(ctx, &cpu, &spec, NULL, NULL, &plan) == POY_OK && find_wisdom(folder, path, sizeof path) == 0,
       "deterministic plans store nothing");
    poyi_fft_plan_release(&plan);
    poy_ctx_set_deterministic(ctx, 0);
    ok(poyi_fft_plan_get(ctx, &cpu, &spec, NULL, NULL, &plan) == POY_OK && find_wisdom(folder, path, sizeof path) == 1,
       "measured plans are stored: %s", path);
    poyi_fft_plan_release(&plan);
    poyi_fft_describe(&cpu, sizeof text, text);
    ok(strstr(text, "(measure)") && !strstr(text, "none"), "and described: %s", text);
    damaged(ctx, path, "random bytes", 0, "\x01\xff#$%(((((");
    damaged(ctx, path, "a changed text", -20, "(((((");
    damaged(ctx, path, "a longer text", 0, "poynting-wisdom 1 99999999 7 ");
    damaged(ctx, path, "more behind it", 1000000, "x");
    snprintf(sub, sizeof sub, "%s/poynting", folder);
    remove(path);
    rmdir(sub);
    rmdir(folder);
}

/* A long line's plan is chosen among several: what FFTW knew before stays known, and the choice is known afterwards. */
static void chosen(void)
{
    enum { SHORT = 1000, LONG = 1 << 16 };
    const poyi_fftw *fftw = &poyi_fftw_f64;
    const poyi_fft_spec brief = {POY_F64, POY_FFT_C2C, -1, SHORT, 1, SHORT, SHORT, 0, 0};
    const poyi_fft_spec spec = {POY_F64, POY_FFT_C2C, -1, LONG, 1, LONG, LONG, 0, 0};
    poyi_fft_memory m = {.bytes = {LONG * 2 * sizeof(double), LONG * 2 * sizeof(double)}};
    double *x = m.in = aligned_alloc(64, m.bytes[0]), *y = m.out = aligned_alloc(64, m.bytes[1]);
    void *plan[4] = {NULL};

    poyi_fft_planner_lock();
    fftw->forget_wisdom();
    plan[0] = poyi_fft_choose(fftw, &brief, &m, 0);
    plan[1] = fftw->plan(&spec, x, y, POYI_FFTW_KNOWN, 0);
    ok(plan[0] && !plan[1], "a length is not known before it is measured");
    plan[1] = poyi_fft_choose(fftw, &spec, &m, 0);
    plan[2] = fftw->plan(&spec, x, y, POYI_FFTW_KNOWN, 0);
    plan[3] = fftw->plan(&brief, x, y, POYI_FFTW_KNOWN, 0);
    ok(plan[1] && plan[2], "and is known after");
    ok(plan[3] != NULL, "as are those of before");
    for (int p = 1; p <= 2; p++) { /* exp(2 pi i 3 j / n): n at bin 3, and rounding of at most 2 (log2 n + 1) eps n */
        double worst = 0;
        for (int j = 0; j < LONG; j++) {
            x[2 * j] = cos(2 * M_PI * 3 * j / LONG);
            x[2 * j + 1] = sin(2 * M_PI * 3 * j / LONG);
        }
        fftw->run(plan[p], &spec, x, y);
        for (int k = 0; k < LONG; k++)
            worst = fmax(worst, hypot(y[2 * k] - (k == 3 ? LONG : 0), y[2 * k + 1]));
        ok(worst < 2 * 17 * 2.3e-16 * LONG, "a right plan: error %.2g", worst);
    }
    for (int p = 0; p < 4; p++)
        fftw->destroy(plan[p]);
    poyi_fft_planner_unlock();
    free(x);
    free(y);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poyi_cpu cpu = {0}, quick = {.fft_estimate = 1};

    ok(poy_ctx_create(&ctx) == POY_OK, "context");
    poy_ctx_set_log(ctx, log_warning, NULL, POY_LOG_WARNING);
    wisdom(ctx);
    chosen();
    setenv("XDG_CACHE_HOME", "/nonexistent", 1);
    transforms(ctx, &cpu);
    transforms(ctx, &quick);
    poy_ctx_set_deterministic(ctx, 1);
    transforms(ctx, &cpu);
    many(ctx, &quick);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
