/* extent.c: the bytes of a result file that wait in memory. */
#include "run/store/extent.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first extent that ends behind at. */
static size_t first_behind(const poyi_extents *e, haddr_t at)
{
    size_t low = 0, high = e->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (e->list[middle].at + e->list[middle].size > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int make_room(poyi_extents *e)
{
    if (e->n < e->capacity)
        return 0;
    size_t capacity = e->capacity ? 2 * e->capacity : 64;
    poyi_extent *list = realloc(e->list, capacity * sizeof *list);
    if (!list)
        return -1;
    e->list = list;
    e->capacity = capacity;
    return 0;
}

int poyi_extents_put(poyi_extents *e, haddr_t at, size_t size, H5FD_mem_t type, const void *data)
{
    size_t first = first_behind(e, at), last = first;
    haddr_t begin = at, end = at + size;
    if (!size)
        return 0;
    for (; last < e->n && e->list[last].at < at + size; last++) {
        const poyi_extent *old = &e->list[last];
        begin = old->at < begin ? old->at : begin;
        end = old->at + old->size > end ? old->at + old->size : end;
    }
    if (last == first && make_room(e))
        return -1;
    poyi_extent joined = {begin, (size_t)(end - begin), type, malloc((size_t)(end - begin))};
    if (!joined.data)
        return -1;
    for (size_t i = first; i < last; i++) {
        memcpy(joined.data + (e->list[i].at - begin), e->list[i].data, e->list[i].size);
        free(e->list[i].data);
    }
    memcpy(joined.data + (at - begin), data, size);
    memmove(&e->list[first + 1], &e->list[last], (e->n - last) * sizeof e->list[0]);
    e->n = e->n + 1 - (last - first);
    e->list[first] = joined;
    return 0;
}

void poyi_extents_overlay(const poyi_extents *e, haddr_t at, size_t size, unsigned char *buffer)
{
    for (size_t i = first_behind(e, at); i < e->n && e->list[i].at < at + size; i++) {
        const poyi_extent *x = &e->list[i];
        haddr_t begin = x->at > at ? x->at : at, end = x->at + x->size < at + size ? x->at + x->size : at + size;
        memcpy(buffer + (begin - at), x->data + (begin - x->at), (size_t)(end - begin));
    }
}

haddr_t poyi_extents_end(const poyi_extents *e)
{
    return e->n ? e->list[e->n - 1].at + e->list[e->n - 1].size : 0;
}

void poyi_extents_drop(poyi_extents *e)
{
    for (size_t i = 0; i < e->n; i++)
        free(e->list[i].data);
    e->n = 0;
}

void poyi_extents_fini(poyi_extents *e)
{
    poyi_extents_drop(e);
    free(e->list);
    *e = (poyi_extents){0};
}

/* ---- their order ---- */

/* The superblock holds the end of the file, without which nothing new can be read; object headers hold the lengths. */
static int rank(const poyi_extent *x)
{
    switch (x->type) {
    case H5FD_MEM_SUPER: return 0;
    case H5FD_MEM_BTREE: return 2;
    case H5FD_MEM_OHDR: return 3;
    default: return 1;
    }
}

/* Of a version 1 B-tree: "TREE", type, level (HDF5 file format, III.A.1). Where a node was split, its parent goes first:
 * it leads to the new half, and the old one still holds everything. */
static int level(const poyi_extent *x)
{
    return x->type == H5FD_MEM_BTREE && x->size > 5 && !memcmp(x->data, "TREE", 4) ? x->data[5] : 0;
}

typedef struct sort_key {
    int rank, level, backwards;
    haddr_t at;
    size_t index;
} sort_key;

static int by_order(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->level != y->level)
        return y->level - x->level;
    int rising = x->at < y->at ? -1 : x->at > y->at;
    return x->backwards ? -rising : rising;
}

size_t *poyi_extents_order(const poyi_extents *e)
{
    sort_key *keys = malloc((e->n + 1) * sizeof *keys);
    size_t *order = malloc((e->n + 1) * sizeof *order);
    if (keys && order) {
        for (size_t i = 0; i < e->n; i++) {
            const poyi_extent *x = &e->list[i];
            /* headers backwards: those of axes, whose lengths count, were made before those of what lies on them */
            keys[i] = (sort_key){rank(x), level(x), x->type == H5FD_MEM_OHDR, x->at, i};
        }
        qsort(keys, e->n, sizeof *keys, by_order);
        for (size_t i = 0; i < e->n; i++)
            order[i] = keys[i].index;
    } else {
        free(order);
        order = NULL;
    }
    free(keys);
    return order;
}
