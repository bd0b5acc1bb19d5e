/* bench_stage.c: stages of a fibre against their Fourier transforms, with and without Raman, for three sizes.
 * bench_stage [backend] [seconds a line]. */
#include <stdio.h>
#include <stdlib.h>

#include "poynting/bench.h"

/* Ratios to reach, on a quiet machine (AVX2). */
static double bar(int64_t samples, int raman)
{
    return samples > 1 << 16 ? 1.6 : raman ? 1.45 : 1.35;
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cpu";
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 2.0;
    poy_ctx *ctx = NULL;

    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    printf("%s, one thread: six stages / their transforms\n", backend);
    printf("samples raman  bar  ratio (median)  transforms   stages  propagators  accept     step us  load\n");
    for (int64_t samples = 1 << 13; samples <= 1 << 17; samples *= 4)
        for (int raman = 0; raman < 2; raman++) {
            poy_bench_stage_result r;
            if (poy_bench_stage(ctx, backend, samples, raman, seconds, &r) != POY_OK) {
                fprintf(stderr, "%s\n", poy_ctx_message(ctx));
                poy_ctx_destroy(&ctx);
                return 1;
            }
            printf("%7lld %5d %4.2f  %5.3f (%5.3f)  %10.1f %8.1f  %11.1f  %6.1f  %10.1f  %4.1f\n", (long long)samples,
                   raman, bar(samples, raman), r.ratio, r.ratio_median, 1e6 * r.transforms, 1e6 * r.stages,
                   1e6 * r.propagators, 1e6 * r.accept, 1e6 * r.step, r.load);
            fflush(stdout);
        }
    poy_ctx_destroy(&ctx);
    return 0;
}
