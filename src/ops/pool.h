/* pool.h: arrays of a composition that go when its work is done. */
#ifndef POYI_OPS_POOL_H
#define POYI_OPS_POOL_H

#include "ops/array.h"

enum { POYI_POOL = 24 };
typedef struct poyi_pool {
    int n;
    poy_array *a[POYI_POOL];
} poyi_pool;

/* A place for one more. */
static inline poy_array **poyi_pool_next(poyi_pool *p)
{
    return &p->a[p->n++];
}

static inline void poyi_pool_fini(poyi_pool *p)
{
    while (p->n > 0)
        poy_array_destroy(&p->a[--p->n]);
}

#endif
