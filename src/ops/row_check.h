/* row_check.h: the rows that programs may use, and what shapes they want. */
#ifndef POYI_ROW_CHECK_H
#define POYI_ROW_CHECK_H

#include "core/core.h"
#include "poynting/pulse_rows.h"

/* Checks a row before it is recorded: name, number and element types of its slots (by its signature), size of its
 * argument, shapes, number of scalars. An absent slot has no columns. Errors: POY_ERR_ARGUMENT, POY_ERR_DTYPE,
 * POY_ERR_SHAPE, naming the row and the slot. */
poy_status poyi_row_check(poy_ctx *ctx, const poy_row_spec *spec, size_t arg_bytes);
/* The name in static memory; NULL for an unknown row. */
const char *poyi_row_name(const char *row);

#endif
