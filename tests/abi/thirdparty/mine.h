/* mine.h: two backends by someone who has only the public headers: mine in host memory, far in memory that only it can
 * reach. */
#ifndef MINE_H
#define MINE_H

#include "poynting/backend.h"

extern const poy_backend_api mine_api, far_api;
extern int mine_calls, mine_open, mine_held; /* additions, open states, allocations not given back */

/* The entry of the plug-in that mine.c is, too. */
POY_API poy_backend_entry_fn poy_backend_entry;

#endif
