/* media.h: media of records, whose epsilon, mu and kappa are three arrays one after the other. */
#ifndef POYI_RECORD_MEDIA_H
#define POYI_RECORD_MEDIA_H

#include "scatter/record/common.h"

/* media [n] from arrays[0..2]; one without data is 0. */
void poyi_media_join(size_t n, const poy_rec_array *arrays, poy_medium *media);
/* media [n] into arrays[0..2], as far as they have data. */
void poyi_media_split(size_t n, const poy_medium *media, const poy_rec_array *arrays);

#endif
