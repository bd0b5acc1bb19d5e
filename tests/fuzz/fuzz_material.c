/* fuzz_material.c: any text as a file of refractiveindex.info. What is read answers with a number or a refusal. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "poynting/media.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    poy_ctx *ctx = fuzz_ctx();
    poy_material *m = NULL;
    poy_material_row row;
    char *text = fuzz_text(data, size);
    double n[8];
    if (poy_material_parse(ctx, "a.yml", text, size, &m) == POY_OK) {
        poy_material_info(m, &row);
        for (double lambda = 1e-7; lambda < 2e-5; lambda *= 1.5)
            if (poy_material_index(ctx, m, 6.283185307179586 * 299792458.0 / lambda, 2, n) == POY_OK)
                for (int i = 0; i < 6; i++)
                    if (!isfinite(n[i]))
                        fuzz_fail("index %d at %g m is %g", i, lambda, n[i]);
    }
    poy_material_destroy(&m);
    poy_ctx_clear(ctx);
    free(text);
    return 0;
}
