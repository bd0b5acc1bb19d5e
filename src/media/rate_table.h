/* rate_table.h: what a rate table holds, its view for kernels, and the cache of tables. */
#ifndef POYI_RATE_TABLE_H
#define POYI_RATE_TABLE_H

#include "core/core.h"
#include "media/ionisation.h"
#include "media/media.h"

struct poy_ionisation_table {
    char species[16], model[8];
    poy_ionisation_above above;
    double field_min, field_max, step; /* V/m */
    size_t points;
    double *nodes; /* points pairs: ln W and step d ln W/dE */
};

/* Reads the table whose parameters have this digest from the cache into table (field_min, step, points, nodes).
 * Returns 0 if there is none, or if it is damaged or of another build: then it is computed again. */
int poyi_rate_cache_read(poy_ctx *ctx, const char digest[65], poy_ionisation_table *table);
/* Writes it there; a folder that cannot be written to is told to the log, and nothing else. */
void poyi_rate_cache_write(poy_ctx *ctx, const char digest[65], const poy_ionisation_table *table);
/* The path of the file in the cache. Returns 0 if the user has no folder for it. */
int poyi_rate_cache_path(const char digest[65], size_t size, char *path);
/* The digest under which the table of these parameters is kept. */
void poyi_rate_digest(const poy_ionisation *ionisation, double field_max, size_t points, char digest[65]);

#endif
