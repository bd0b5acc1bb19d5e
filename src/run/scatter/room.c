/* room.c: who may take more than what was reserved for it, and when. */
#define _POSIX_C_SOURCE 200809L
#include "run/scatter/room.h"

#include <stdint.h>

void poyi_room_init(poyi_room *room, size_t base, size_t share, size_t most, int degree_most)
{
    *room = (poyi_room){.base = base, .share = share, .most = most, .degree_most = degree_most};
    pthread_mutex_init(&room->lock, NULL);
    pthread_cond_init(&room->freed, NULL);
}

void poyi_room_fini(poyi_room *room)
{
    pthread_cond_destroy(&room->freed);
    pthread_mutex_destroy(&room->lock);
}

static void wait_for_turn(poyi_room *room, const poyi_reserve *r)
{
    pthread_mutex_lock(&room->lock);
    while (room->holder && room->holder != r)
        pthread_cond_wait(&room->freed, &room->lock);
    room->holder = r;
    pthread_mutex_unlock(&room->lock);
}

poy_status poyi_room_widen(poy_ctx *ctx, poyi_room *room, size_t bytes)
{
    poyi_reserve *r = poyi_ctx_reserve(ctx);
    const size_t now = r ? poyi_reserve_bytes(r) : SIZE_MAX;
    if (!room || bytes <= now)
        return POY_OK;
    if (bytes - room->base > room->share)
        wait_for_turn(room, r);
    POYI_TRY(ctx, poyi_reserve_extend(ctx, r, bytes - now));
    return POY_OK;
}

void poyi_room_leave(poy_ctx *ctx, poyi_room *room)
{
    poyi_reserve *r = poyi_ctx_reserve(ctx);
    if (!room || !r)
        return;
    poyi_reserve_shrink(r, room->base);
    pthread_mutex_lock(&room->lock);
    if (room->holder == r) {
        room->holder = NULL;
        pthread_cond_broadcast(&room->freed);
    }
    pthread_mutex_unlock(&room->lock);
}

int poyi_room_allows(poyi_room *room, int degree)
{
    if (!room || degree <= room->degree_most)
        return 1;
    room->capped++;
    return 0;
}
