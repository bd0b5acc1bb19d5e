/* media.c: media of records from arrays and back. */
#include "scatter/record/media.h"

void poyi_media_join(size_t n, const poy_rec_array *arrays, poy_medium *media)
{
    const poy_c128 none = {0.0, 0.0};
    for (size_t i = 0; i < n; i++)
        media[i] = (poy_medium){arrays[0].data ? poyi_complex(arrays, 0)[i] : none,
                                arrays[1].data ? poyi_complex(arrays, 1)[i] : none,
                                arrays[2].data ? poyi_complex(arrays, 2)[i] : none};
}

void poyi_media_split(size_t n, const poy_medium *media, const poy_rec_array *arrays)
{
    for (size_t i = 0; i < n; i++) {
        if (arrays[0].data)
            poyi_complex(arrays, 0)[i] = media[i].epsilon;
        if (arrays[1].data)
            poyi_complex(arrays, 1)[i] = media[i].mu;
        if (arrays[2].data)
            poyi_complex(arrays, 2)[i] = media[i].kappa;
    }
}
