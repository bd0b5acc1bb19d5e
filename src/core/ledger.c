/* ledger.c: named memory. Counts are atomic, so that forked contexts may allocate in parallel;
 * a name once entered stays, with zero bytes, so that a reader sees every buffer there ever was. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/memory.h"
#include "core/reserve.h"

enum { NAMES_MAX = 256, ALIGN = POYI_BLOCK_ALIGN };

typedef struct account {
    char name[40];
    _Atomic size_t bytes, peak;
} account;

struct poyi_ledger {
    account accounts[NAMES_MAX];
    account other;                      /* all names beyond NAMES_MAX together; its bytes count in the sums */
    _Atomic int n;                      /* grows under the engine's lock; entries below n are complete */
    _Atomic size_t bytes, peak, recent; /* recent: the most since somebody began to watch */
    _Atomic uint64_t allocations;
};

struct poyi_reserve {
    poyi_engine *engine;
    account *account;
    _Atomic size_t bytes, used, peak;
    _Atomic int references, closed; /* of its owner and of every block in it */
};

/* Stands before every block, so that it can be given back without a context. */
typedef struct header {
    poyi_engine *engine;
    account *account;
    size_t bytes;
    poyi_reserve *reserve; /* of which the block is a part, or NULL */
} header;
_Static_assert(sizeof(header) <= ALIGN, "the header fits before an aligned block");

poyi_ledger *poyi_ledger_create(void)
{
    poyi_ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger)
        snprintf(ledger->other.name, sizeof ledger->other.name, "(other)");
    return ledger;
}

void poyi_ledger_destroy(poyi_ledger **ledger)
{
    free(*ledger);
    *ledger = NULL;
}

static account *find_account(poyi_ledger *ledger, const char *name)
{
    int n = atomic_load(&ledger->n);
    for (int i = 0; i < n; i++)
        if (!strncmp(ledger->accounts[i].name, name, sizeof ledger->accounts[i].name - 1))
            return &ledger->accounts[i];
    return NULL;
}

static account *open_account(poyi_engine *engine, const char *name)
{
    poyi_ledger *ledger = poyi_engine_book(engine);
    account *found = find_account(ledger, name);
    if (found)
        return found;
    poyi_engine_lock(engine);
    found = find_account(ledger, name);
    int n = atomic_load(&ledger->n);
    if (!found && n < NAMES_MAX) {
        found = &ledger->accounts[n];
        snprintf(found->name, sizeof found->name, "%s", name);
        atomic_store(&ledger->n, n + 1);
    }
    poyi_engine_unlock(engine);
    return found ? found : &ledger->other;
}

static void raise_to(_Atomic size_t *peak, size_t value)
{
    size_t old = atomic_load(peak);
    while (old < value && !atomic_compare_exchange_weak(peak, &old, value)) {
    }
}

/* Holds bytes if most allows it. Compare and exchange, so that a refused request is never counted: it could make a smaller one fail
 * on another thread. */
static int hold(_Atomic size_t *held, size_t bytes, size_t most, size_t *before)
{
    *before = atomic_load(held);
    do {
        if (*before > most || bytes > most - *before)
            return 0;
    } while (!atomic_compare_exchange_weak(held, before, *before + bytes));
    return 1;
}

static void enter(poyi_ledger *ledger, account *a, size_t bytes)
{
    raise_to(&a->peak, atomic_fetch_add(&a->bytes, bytes) + bytes);
    atomic_fetch_add(&ledger->allocations, 1);
}

static poy_status take(poy_ctx *ctx, account *a, size_t bytes)
{
    poyi_engine *engine = poyi_ctx_engine(ctx);
    poyi_ledger *ledger = poyi_engine_book(engine);
    size_t budget = atomic_load(&poyi_engine_settings(engine)->budget), before;

    if (!hold(&ledger->bytes, bytes, budget ? budget : SIZE_MAX, &before))
        return POYI_FAIL(ctx, POY_ERR_BUDGET, "%s needs %zu bytes; %zu of the budget of %zu are held", a->name, bytes,
                         before, budget);
    raise_to(&ledger->peak, before + bytes);
    raise_to(&ledger->recent, before + bytes);
    enter(ledger, a, bytes);
    return POY_OK;
}

static void give(poyi_ledger *ledger, account *a, size_t bytes)
{
    atomic_fetch_sub(&a->bytes, bytes);
    atomic_fetch_sub(&ledger->bytes, bytes);
}

/* ---- reserves ---- */

poy_status poyi_reserve_open(poy_ctx *ctx, const char *name, size_t bytes, poyi_reserve **out)
{
    poyi_engine *engine = poyi_ctx_engine(ctx);
    account *a = open_account(engine, name);
    *out = NULL;
    POYI_TRY(ctx, take(ctx, a, bytes));
    poyi_reserve *r = calloc(1, sizeof *r);
    if (!r) {
        give(poyi_engine_book(engine), a, bytes);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory", name);
    }
    r->engine = poyi_engine_ref(engine);
    r->account = a;
    r->bytes = bytes;
    r->references = 1;
    *out = r;
    return POY_OK;
}

static void unref(poyi_reserve *r)
{
    if (atomic_fetch_sub(&r->references, 1) > 1)
        return;
    poyi_engine_unref(&r->engine);
    free(r);
}

void poyi_reserve_close(poyi_reserve **reserve)
{
    poyi_reserve *r = *reserve;
    if (!r)
        return;
    atomic_store(&r->closed, 1);
    atomic_fetch_sub(&r->account->bytes, atomic_load(&r->bytes));
    atomic_fetch_sub(&poyi_engine_book(r->engine)->bytes, atomic_load(&r->bytes) - atomic_load(&r->used));
    unref(r);
    *reserve = NULL;
}

size_t poyi_reserve_most(const poyi_reserve *r)
{
    return atomic_load(&r->peak);
}

size_t poyi_reserve_used(const poyi_reserve *r)
{
    return atomic_load(&r->used);
}

size_t poyi_reserve_bytes(const poyi_reserve *r)
{
    return atomic_load(&r->bytes);
}

poy_status poyi_reserve_extend(poy_ctx *ctx, poyi_reserve *r, size_t more)
{
    POYI_TRY(ctx, take(ctx, r->account, more));
    atomic_fetch_add(&r->bytes, more);
    return POY_OK;
}

void poyi_reserve_shrink(poyi_reserve *r, size_t bytes)
{
    const size_t used = atomic_load(&r->used), all = atomic_load(&r->bytes), kept = bytes > used ? bytes : used;
    if (kept >= all)
        return;
    atomic_store(&r->bytes, kept);
    give(poyi_engine_book(r->engine), r->account, all - kept);
}

/* A part of the reserve of a context; 0 where it has none, or not so much. */
static int draw(poy_ctx *ctx, account *a, size_t bytes, poyi_reserve **out)
{
    poyi_reserve *r = poyi_ctx_reserve(ctx);
    size_t before;
    *out = NULL;
    if (!r || !hold(&r->used, bytes, atomic_load(&r->bytes), &before))
        return 0;
    raise_to(&r->peak, before + bytes);
    atomic_fetch_add(&r->references, 1);
    enter(poyi_engine_book(r->engine), a, bytes);
    *out = r;
    return 1;
}

static void give_back(poyi_reserve *r, account *a, size_t bytes)
{
    atomic_fetch_sub(&a->bytes, bytes);
    atomic_fetch_sub(&r->used, bytes);
    if (atomic_load(&r->closed))
        atomic_fetch_sub(&poyi_engine_book(r->engine)->bytes, bytes);
    unref(r);
}

/* ---- blocks ---- */

poy_status poyi_ledger_take(poy_ctx *ctx, const char *name, size_t bytes)
{
    POYI_TRY(ctx, take(ctx, open_account(poyi_ctx_engine(ctx), name), bytes));
    return POY_OK;
}

void poyi_ledger_give(poyi_engine *engine, const char *name, size_t bytes)
{
    give(poyi_engine_book(engine), open_account(engine, name), bytes);
}

poy_status poyi_alloc(poy_ctx *ctx, const char *name, size_t bytes, void **out)
{
    poyi_engine *engine = poyi_ctx_engine(ctx);
    account *a = open_account(engine, name);

    *out = NULL;
    if (bytes > SIZE_MAX - (size_t)2 * ALIGN)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: %zu bytes are more than memory can hold", name, bytes);
    poyi_reserve *reserve;
    if (!draw(ctx, a, bytes, &reserve))
        POYI_TRY(ctx, take(ctx, a, bytes));
    unsigned char *block = poyi_block_new((size_t)ALIGN + bytes);
    if (!block) {
        if (reserve)
            give_back(reserve, a, bytes);
        else
            give(poyi_engine_book(engine), a, bytes);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for %zu bytes (%zu held)", name, bytes,
                         poyi_engine_bytes(engine));
    }
    *(header *)block = (header){poyi_engine_ref(engine), a, bytes, reserve};
    *out = block + ALIGN;
    return POY_OK;
}

poy_status poyi_alloc_zero(poy_ctx *ctx, const char *name, size_t bytes, void **out)
{
    POYI_TRY(ctx, poyi_alloc(ctx, name, bytes, out));
    memset(*out, 0, bytes);
    return POY_OK;
}

void poyi_free(void **p)
{
    if (!*p)
        return;
    unsigned char *block = (unsigned char *)*p - ALIGN;
    header h = *(header *)block;
    free(block);
    *p = NULL;
    if (h.reserve)
        give_back(h.reserve, h.account, h.bytes);
    else
        give(poyi_engine_book(h.engine), h.account, h.bytes);
    poyi_engine_unref(&h.engine);
}

poy_status poyi_mul_size(poy_ctx *ctx, size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%zu times %zu bytes are more than memory can hold", a, b);
    *out = a * b;
    return POY_OK;
}

/* ---- reading the ledger ---- */

size_t poyi_engine_bytes(poyi_engine *engine)
{
    return atomic_load(&poyi_engine_book(engine)->bytes);
}

size_t poyi_engine_bytes_peak(poyi_engine *engine)
{
    return atomic_load(&poyi_engine_book(engine)->peak);
}

void poyi_ctx_watch_bytes(poy_ctx *ctx)
{
    poyi_ledger *ledger = poyi_engine_book(poyi_ctx_engine(ctx));
    atomic_store(&ledger->recent, atomic_load(&ledger->bytes));
}

size_t poyi_ctx_bytes_recent(const poy_ctx *ctx)
{
    return atomic_load(&poyi_engine_book(poyi_ctx_engine(ctx))->recent);
}

uint64_t poyi_engine_allocations(poyi_engine *engine)
{
    return atomic_load(&poyi_engine_book(engine)->allocations);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const poy_ledger_entry *)a)->name, ((const poy_ledger_entry *)b)->name);
}

static poy_ledger_entry entry_of(account *a)
{
    poy_ledger_entry entry = {.bytes = atomic_load(&a->bytes), .peak = atomic_load(&a->peak)};
    memcpy(entry.name, a->name, sizeof entry.name);
    return entry;
}

size_t poyi_engine_ledger(poyi_engine *engine, size_t max, poy_ledger_entry *out)
{
    poyi_ledger *ledger = poyi_engine_book(engine);
    size_t n = (size_t)atomic_load(&ledger->n), shown = n < max ? n : max;
    for (size_t i = 0; i < shown; i++)
        out[i] = entry_of(&ledger->accounts[i]);
    if (atomic_load(&ledger->other.peak) && n++ < max)
        out[shown++] = entry_of(&ledger->other);
    if (shown)
        qsort(out, shown, sizeof *out, by_name);
    return n;
}
