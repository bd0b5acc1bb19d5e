/* capture.h: calls of the array layer as rows of a program: between poy_program_begin and poy_program_end a context's calls
 * are written down where they would reach the backend, with the tensors that they would give it. */
#ifndef POYI_CAPTURE_H
#define POYI_CAPTURE_H

#include "ops/dispatch.h"

/* Writes a call down: n arrays, whose memory the program holds from now on, as the tensors of work. */
poy_status poyi_capture_work(const poyi_call *call, const poyi_work *work, int n, const poy_array *const *a);
/* A failure of what cannot be written down: "program 'NAME' is being recorded: WHAT; HINT". Errors: POY_ERR_UNSUPPORTED. */
poy_status poyi_capture_refuse(poy_ctx *ctx, const char *what, const char *hint);
/* A call has failed: the program is not whole any more. Keeps the first account of such. */
void poyi_capture_spoil(poy_ctx *ctx, poy_status status);
/* What is done in between is done at once, not written down: reading the fixed parts of a sparse matrix. Returns what
 * poyi_capture_resume takes. */
poyi_ctx_first poyi_capture_pause(poy_ctx *ctx);
void poyi_capture_resume(poy_ctx *ctx, poyi_ctx_first before);

#endif
