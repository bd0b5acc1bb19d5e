/* conform_records.h: conformance of derivative records, of this library's and of others': the self-check of poynting/record.h at
 * every example that a record declares, for three seeds. */
#ifndef POYNTING_CONFORM_RECORDS_H
#define POYNTING_CONFORM_RECORDS_H

#include "poynting/conform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of one record. */
typedef struct poy_conform_record {
    char record[64];
    int cases, failed;
    double adjoint, restored, batch; /* the worst of all cases, see poy_rec_check */
    char failure[1024];              /* the first failure; "" */
    int crashed, hung;               /* of the failed: as in poy_conform_cell */
} poy_conform_record;
typedef void poy_conform_record_fn(void *user, const poy_conform_record *record);

/* All records whose name matches the shell pattern, with or without what stands before its first dot (NULL: all), telling of each
 * when it is done. A failed case is a finding, not an error, as is a record without examples: *failed counts them. Errors:
 * as poy_conform_run's (no such record, no such case), but that no backend is opened. */
POY_API poy_status poy_conform_records(poy_ctx *ctx, const poy_conform_options *options, const char *records,
                                       poy_conform_record_fn *fn, void *user, int *failed);

#ifdef __cplusplus
}
#endif
#endif
