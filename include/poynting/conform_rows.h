/* conform_rows.h: conformance of a backend's rows of programs: every row of pulse_rows.def in every variant, and fft, mul
 * and copy, on shapes from one element to above the size from which threads take part, odd ones among them.
 *
 * Every backend but "ref" is held to "ref" within the row's tolerance times eps times the sum of |terms| of an element; the
 * reference's own rows are held to closed forms by the library's tests. Of each case also: inputs unchanged, the same
 * bits for any number of threads, no allocation while it runs, the ledger balanced. */
#ifndef POYNTING_CONFORM_ROWS_H
#define POYNTING_CONFORM_ROWS_H

#include "poynting/conform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of one row. */
typedef struct poy_conform_row {
    const char *row;
    poy_origin origin; /* DELEGATED and ABSENT rows have no cases */
    int cases, failed;
    int absent_variants; /* cases that the backend leaves to the reference, or refuses */
    double worst;        /* largest error in units of the bound */
    double tolerance;    /* of the row */
    char worst_case[96]; /* where that was */
    char failure[512];   /* the first failure; "" */
    int crashed, hung;   /* of the failed: as in poy_conform_cell */
} poy_conform_row;
typedef void poy_conform_row_fn(void *user, const poy_conform_row *row);

/* All cases of the rows whose name matches the shell pattern (NULL: all), telling of each row when it is done. A failed
 * case is a finding, not an error: *failed counts them. Errors: as poy_conform_run's (no such row, no such case). */
POY_API poy_status poy_conform_rows(poy_ctx *ctx, const poy_conform_options *options, const char *rows,
                                    poy_conform_row_fn *fn, void *user, int *failed);

#ifdef __cplusplus
}
#endif
#endif
