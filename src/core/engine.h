/* engine.h: the engine as ctx.c, engine.c and ledger.c know it. */
#ifndef POYI_ENGINE_H
#define POYI_ENGINE_H

#include <stdatomic.h>

#include "core/core.h"

typedef struct poyi_settings {
    _Atomic size_t budget; /* 0: none */
    _Atomic int threads;   /* 0: all */
    _Atomic int deterministic;
} poyi_settings;

typedef struct poyi_ledger poyi_ledger;

poyi_engine *poyi_engine_create(void); /* NULL: no memory; one reference, the caller's */
poyi_settings *poyi_engine_settings(poyi_engine *engine);
poyi_ledger *poyi_engine_book(poyi_engine *engine);
int poyi_engine_processors(void); /* processors that this process may run on */

poyi_ledger *poyi_ledger_create(void);
void poyi_ledger_destroy(poyi_ledger **ledger);
size_t poyi_engine_bytes(poyi_engine *engine);
size_t poyi_engine_bytes_peak(poyi_engine *engine);
uint64_t poyi_engine_allocations(poyi_engine *engine);
size_t poyi_engine_ledger(poyi_engine *engine, size_t max, poy_ledger_entry *out);

#endif
