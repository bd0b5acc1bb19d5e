/* fuzz_units.c: any text as a quantity. What is read is a number that, written out, is read back. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"

static void check_round_trip(poy_ctx *ctx, const char *text, const poy_quantity *q)
{
    char written[128];
    poy_quantity again;
    if (!isfinite(q->value))
        fuzz_fail("'%s' is %g", text, q->value);
    if (q->order) /* the unit of a coefficient of any order is not known from its dimension */
        return;
    poy_quantity_format(q->value, q->dimension, 0, sizeof written, written);
    if (poy_quantity_parse_as(ctx, written, q->dimension, &again) != POY_OK)
        fuzz_fail("'%s' is written '%s', which is refused: %s", text, written, poy_ctx_cause(ctx));
    if (fabs(again.value - q->value) > 4e-16 * fabs(q->value) + 5e-324)
        fuzz_fail("'%s' is %.17g, written '%s', read %.17g", text, q->value, written, again.value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    poy_ctx *ctx = fuzz_ctx();
    char *text = fuzz_text(data, size);
    poy_quantity q;
    if (poy_quantity_parse(ctx, text, &q) == POY_OK)
        check_round_trip(ctx, text, &q);
    const poy_dimension wanted = (poy_dimension)(size % POY_DIM_COUNT);
    if (poy_quantity_parse_as(ctx, text, wanted, &q) == POY_OK && !isfinite(q.value))
        fuzz_fail("'%s' as %s is %g", text, poy_dimension_name(wanted), q.value);
    poy_ctx_clear(ctx);
    free(text);
    return 0;
}
