/* room.h: memory beyond what a thread reserved for the degrees and the solver that are tried first. */
#ifndef POYI_SCATTER_ROOM_H
#define POYI_SCATTER_ROOM_H

#include <pthread.h>

#include "core/reserve.h"

/* Shared by the threads of a run. Each may take up to share bytes more than its base whenever it likes; what is beyond that one of them
 * has at a time, and the others wait for it: so a declared budget is never overrun, and no thread waits for what another one holds
 * while it waits itself. */
typedef struct poyi_room {
    size_t base, share; /* of each thread; share SIZE_MAX: no budget was declared */
    size_t most;     /* of a thread in which factors take over from an iteration, of the degrees that are tried first */
    int degree_most; /* degrees to which numerics.lmax = "auto" may rise in the budget */
    _Atomic int capped; /* points that had to stay below the degree that they want */
    pthread_mutex_t lock;
    pthread_cond_t freed;
    const poyi_reserve *holder; /* who is beyond its share; NULL: nobody */
} poyi_room;

void poyi_room_init(poyi_room *room, size_t base, size_t share, size_t most, int degree_most);
void poyi_room_fini(poyi_room *room);
/* Makes the reserve of the context hold so many bytes, before they are taken; waits while another thread has the room for it.
 * Nothing to do without a room or a reserve. Errors: POY_ERR_BUDGET. */
poy_status poyi_room_widen(poy_ctx *ctx, poyi_room *room, size_t bytes);
/* After a point: the reserve is its base again. */
void poyi_room_leave(poy_ctx *ctx, poyi_room *room);
/* May numerics.lmax = "auto" rise to a degree? It counts points that may not. */
int poyi_room_allows(poyi_room *room, int degree);

#endif
