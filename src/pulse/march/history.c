/* history.c: lists of records that grow by doubling between steps and are drained by whoever observes the run. */
#include <string.h>

#include "core/core.h"
#include "pulse/march/march.h"

static unsigned char *item(const poyi_list *list, int64_t i)
{
    return (unsigned char *)list->items + list->size * (size_t)i;
}

poy_status poyi_list_init(poy_ctx *ctx, poyi_list *list, const char *name, size_t size, int64_t capacity)
{
    size_t bytes = 0;
    void *items = NULL;
    POYI_TRY(ctx, poyi_mul_size(ctx, size, (size_t)capacity, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, name, bytes, &items));
    *list = (poyi_list){.name = name, .items = items, .size = size, .capacity = capacity};
    return POY_OK;
}

void poyi_list_fini(poyi_list *list)
{
    poyi_free(&list->items);
    *list = (poyi_list){0};
}

poy_status poyi_list_reserve(poy_ctx *ctx, poyi_list *list)
{
    if (list->n < list->capacity)
        return POY_OK;
    poyi_list grown = {0};
    POYI_TRY(ctx, poyi_list_init(ctx, &grown, list->name, list->size, 2 * list->capacity));
    memcpy(grown.items, list->items, list->size * (size_t)list->n);
    grown.n = list->n;
    grown.first = list->first;
    poyi_list_fini(list);
    *list = grown;
    return POY_OK;
}

void *poyi_list_add(poyi_list *list)
{
    return item(list, list->n++);
}

const void *poyi_list_observe(poyi_list *list, int64_t *n)
{
    const void *items = item(list, list->first);
    *n = list->n - list->first;
    list->first = list->n;
    return items;
}

void poyi_list_drop(poyi_list *list, int all)
{
    int64_t kept = all ? 0 : list->n - list->first;
    if (kept && list->first)
        memmove(list->items, item(list, list->first), list->size * (size_t)kept);
    list->n = kept;
    list->first = 0;
}
