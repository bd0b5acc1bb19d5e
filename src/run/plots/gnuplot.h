/* gnuplot.h: running gnuplot; saving a text. */
#ifndef POYI_GNUPLOT_H
#define POYI_GNUPLOT_H

#include "core/core.h"

/* Runs a script that writes path. Errors: POY_ERR_UNSUPPORTED (gnuplot is not there), POY_ERR_IO (it failed: its own
 * words). */
poy_status poyi_gnuplot(poy_ctx *ctx, const char *path, const char *script, size_t length);
poy_status poyi_text_save(poy_ctx *ctx, const char *path, const char *text, size_t length);

#endif
