/* bench_modes.c: stages in several modes of a gas-filled capillary, and where their time goes; one thread.
 * bench_modes [backend] [seconds a line]. */
#include <stdio.h>
#include <stdlib.h>

#include "poynting/bench.h"

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cpu";
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 2.0;
    poy_ctx *ctx = NULL;

    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    printf("%s, one thread, us: six stages; their rows alone; ratio: stages / (transforms + products), bar 1.6\n",
           backend);
    printf("modes points samples plasma   stages  transforms  products  Kerr effect  electrons    rest  ratio  load\n");
    for (int modes = 1; modes <= 4; modes *= 4)
        for (int plasma = 0; plasma < 2; plasma++) {
            poy_bench_modes_result r;
            if (poy_bench_modes(ctx, backend, modes, plasma, seconds, &r) != POY_OK) {
                fprintf(stderr, "%s\n", poy_ctx_message(ctx));
                poy_ctx_destroy(&ctx);
                return 1;
            }
            printf("%5d %6d %7lld %6d %8.0f  %10.0f  %8.0f  %11.0f  %9.0f  %6.0f  %5.2f  %4.1f\n", modes, r.points,
                   (long long)r.samples, plasma, 1e6 * r.stages, 1e6 * r.transforms, 1e6 * r.products, 1e6 * r.response,
                   1e6 * r.ionisation, 1e6 * r.rest, r.ratio, r.load);
            fflush(stdout);
        }
    poy_ctx_destroy(&ctx);
    return 0;
}
