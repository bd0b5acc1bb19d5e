/* ref_rows.c: the rows of programs that the reference has: all of them. */
#include "backends/ref/pulse/rows.h"
#include "backends/ref/ref.h"

/* clang-format off */
static const poy_row_entry rows[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) {#name, poyi_ref_prepare_##name, NULL},
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    {"fft", poyi_ref_prepare_fft, NULL},
    {"mul", poyi_ref_prepare_mul, NULL},
    {"copy", poyi_ref_prepare_copy, NULL},
    {"matmul", poyi_ref_prepare_matmul, NULL},
};
/* clang-format on */

const poy_row_entry *poyi_ref_rows(size_t *n)
{
    *n = sizeof rows / sizeof *rows;
    return rows;
}
