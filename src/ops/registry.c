/* registry.c: the backends that an engine knows, and those of them that are open: one for each spec, counted.
 *
 * An open backend holds a reference to the engine, so that the registry and the shared object that a plug-in came from
 * stay while it is open. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/dispatch.h"
#include "ops/row_check.h"

_Static_assert(sizeof(poy_cell) == sizeof(void (*)(void)), "one pointer a cell");

enum { KNOWN_MAX = 32, SPEC_MAX = 256 };

typedef struct known {
    poy_backend_api api; /* a copy: an older plug-in's is shorter, the rest is zero */
    void *library;       /* of a plug-in, else NULL */
} known;

typedef struct registry {
    known known[KNOWN_MAX];
    int n_known;
    struct poy_backend *open; /* a list */
} registry;

struct poy_backend {
    poyi_backend_head head; /* first: poyi_backend_head_of */
    const poy_backend_api *api;
    poy_backend *ref; /* see poyi_backend_ref; counted unless it is this one */
    _Atomic unsigned char told[POYI_OP_COUNT][POY_DTYPE_COUNT]; /* delegation has been logged */
    const poy_row_entry *rows;
    size_t n_rows;
    poyi_engine *engine;
    registry *registry;
    poy_backend *next;
    _Atomic int holders; /* falls to 0, or rises from it, only under the engine's lock */
    char spec[SPEC_MAX];
};

static const char registry_key[] = "backends";

/* ---- known backends: the first two are ref and cpu ---- */

static void destroy_registry(void *state)
{
    registry *r = state;
    for (int i = 0; i < r->n_known; i++)
        if (r->known[i].library)
            dlclose(r->known[i].library);
    free(r);
}

static int name_is_good(const char *name)
{
    size_t n = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") : 0;
    return n > 0 && n < 32 && name[n] == '\0' && name[0] >= 'a' && name[0] <= 'z';
}

static const char *missing_member(const poy_backend_api *api)
{
    return !api->open      ? "open"
           : !api->close   ? "close"
           : !api->alloc   ? "alloc"
           : !api->release ? "release"
           : !api->write   ? "write"
           : !api->read    ? "read"
                           : NULL;
}

static const known *find_known(const registry *r, const char *name, size_t length)
{
    for (int i = 0; i < r->n_known; i++)
        if (strlen(r->known[i].api.name) == length && !strncmp(r->known[i].api.name, name, length))
            return &r->known[i];
    return NULL;
}

static poy_status add_known(poy_ctx *ctx, registry *r, const poy_backend_api *api, void *library)
{
    poy_backend_api mine = {0};

    if (api->abi != POY_BACKEND_ABI)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "the backend is built for ABI %u, this library has ABI %u",
                         (unsigned)api->abi, POY_BACKEND_ABI);
    if (api->size < offsetof(poy_backend_api, ops))
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "the backend's api has %u bytes, needs %zu at least",
                         (unsigned)api->size, offsetof(poy_backend_api, ops));
    memcpy(&mine, api, api->size < sizeof mine ? api->size : sizeof mine);
    if (!name_is_good(mine.name))
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "a backend cannot be named '%s': a-z, then up to 30 of a-z 0-9 _ -",
                         mine.name ? mine.name : "");
    const char *missing = missing_member(&mine);
    if (missing)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "backend '%s' has no function '%s'", mine.name, missing);
    if (find_known(r, mine.name, strlen(mine.name)) || !strcmp(mine.name, "auto"))
        return POYI_FAIL(ctx, POY_ERR_CONFLICT, "the name of backend '%s' is taken", mine.name);
    if (r->n_known == KNOWN_MAX)
        return POYI_FAIL(ctx, POY_ERR_CONFLICT, "no room for backend '%s': %d are known", mine.name, KNOWN_MAX);
    r->known[r->n_known++] = (known){mine, library};
    return POY_OK;
}

static poy_status create_registry(poy_ctx *ctx, void **out)
{
    registry *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the registry of backends");
    poy_status status = add_known(ctx, r, &poyi_ref_api, NULL);
    if (status == POY_OK)
        status = add_known(ctx, r, &poyi_cpu_api, NULL);
    if (status != POY_OK) {
        free(r);
        return poyi_passed(ctx, status, "add_known", __func__, __FILE__, __LINE__);
    }
    *out = r;
    return POY_OK;
}

static poy_status get_registry(poy_ctx *ctx, registry **out)
{
    void *state = NULL;
    POYI_TRY(ctx, poyi_engine_shared(ctx, registry_key, create_registry, destroy_registry, &state));
    *out = state;
    return POY_OK;
}

static poy_status register_from(poy_ctx *ctx, const poy_backend_api *api, void *library)
{
    registry *r = NULL;
    POYI_TRY(ctx, get_registry(ctx, &r));
    poyi_engine *engine = poyi_ctx_engine(ctx);
    poyi_engine_lock(engine);
    poy_status status = add_known(ctx, r, api, library);
    poyi_engine_unlock(engine);
    return status;
}

poy_status poy_backend_register(poy_ctx *ctx, const poy_backend_api *api)
{
    POYI_TRY(ctx, register_from(ctx, api, NULL));
    return POY_OK;
}

poy_status poy_backend_load(poy_ctx *ctx, const char *path)
{
    poy_backend_entry_fn *entry = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return POYI_FAIL(ctx, POY_ERR_IO, "cannot load a backend from '%s': %s", path, dlerror());

    void *symbol = dlsym(library, "poy_backend_entry");
    memcpy(&entry, &symbol, sizeof entry); /* POSIX grants that this is a function; ISO C has no such cast */
    const poy_backend_api *api = entry ? entry(POY_BACKEND_ABI) : NULL;
    poy_status status;
    if (!entry)
        status = POYI_FAIL(ctx, POY_ERR_BACKEND, "'%s' does not export poy_backend_entry", path);
    else if (!api)
        status = POYI_FAIL(ctx, POY_ERR_BACKEND, "'%s' offers no backend for ABI %u", path, POY_BACKEND_ABI);
    else
        status = register_from(ctx, api, library);
    if (status != POY_OK)
        dlclose(library);
    return status;
}

const char *poy_backend_known(poy_ctx *ctx, int index)
{
    registry *r = NULL;
    if (get_registry(ctx, &r) != POY_OK || index < 0 || index >= r->n_known)
        return NULL;
    return r->known[index].api.name;
}

/* ---- opening ---- */

static poy_status fail_unknown(poy_ctx *ctx, const registry *r, const char *spec, size_t length)
{
    char names[512] = "";
    size_t used = 0;
    for (int i = 0; i < r->n_known && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", r->known[i].api.name);
    return POYI_FAIL(ctx, POY_ERR_BACKEND, "no backend named '%.*s'; there are: %s", (int)length, spec, names);
}

/* What is left out of a backend's list, and why: a later version of this library may know it. */
static void warn_of_entry(poy_ctx *ctx, const poy_backend *be, const poy_op_entry *entry, poyi_op op)
{
    const char *name = be->api->name;
    if (op == POYI_OP_COUNT)
        poyi_log(ctx, POY_LOG_WARNING, "backend '%s' offers '%s', which is not an operation of this library", name,
                 entry->name);
    else if (poyi_op_rows[op].family != entry->family)
        poyi_log(ctx, POY_LOG_WARNING, "backend '%s' offers '%s', which is of another family here, see ops.def", name,
                 entry->name);
    else if ((unsigned)entry->dtype >= POY_DTYPE_COUNT)
        poyi_log(ctx, POY_LOG_WARNING, "backend '%s' offers '%s' in element type %d, which there is not", name,
                 entry->name, (int)entry->dtype);
    else
        poyi_log(ctx, POY_LOG_WARNING, "backend '%s' offers '%s' in %s, in which it is never computed, see ops.def",
                 name, entry->name, poy_dtype_name(entry->dtype));
}

/* Every member of a cell is a function pointer, so one test serves for all. */
static int is_empty(poy_cell cell)
{
    return cell.unary == NULL;
}

/* Fills in the table of cells from the backend's list; what this library does not know is left out, what cannot be meant is
 * refused. */
static poy_status bind_ops(poy_ctx *ctx, poy_backend *be)
{
    size_t n = 0;
    const poy_op_entry *list = be->api->ops ? be->api->ops(be->head.state, &n) : NULL;
    n = list ? n : 0;
    poyi_at_once *const *at_once = NULL;
    if (be->head.is_own && be->api->open == poyi_cpu_api.open)
        at_once = poyi_cpu_at_once(be->head.state);
    for (size_t i = 0; i < n; i++) {
        const poy_op_entry *e = &list[i];
        poyi_op op = 0;
        if (!e->name)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "backend '%s': entry %zu of its operations has no name",
                             be->api->name, i);
        while (op < POYI_OP_COUNT && strcmp(poyi_op_rows[op].name, e->name) != 0)
            op++;
        if (op == POYI_OP_COUNT || poyi_op_rows[op].family != e->family || (unsigned)e->dtype >= POY_DTYPE_COUNT ||
            !poyi_op_takes(op, e->dtype)) {
            warn_of_entry(ctx, be, e, op);
            continue;
        }
        const char *fault = is_empty(e->cell)                         ? "without a function"
                            : !is_empty(be->head.cells[op][e->dtype]) ? "twice"
                                                                      : NULL;
        if (fault)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "backend '%s' offers '%s' in %s %s: entry %zu of its operations",
                             be->api->name, e->name, poy_dtype_name(e->dtype), fault, i);
        be->head.cells[op][e->dtype] = e->cell;
        be->head.at_once[op][e->dtype] = at_once ? at_once[i] : NULL;
    }
    return POY_OK;
}

/* The same of rows; those that this library does not know are never asked for. */
static poy_status bind_rows(poy_ctx *ctx, poy_backend *be)
{
    const poy_row_entry *list = be->api->rows ? be->api->rows(be->head.state, &be->n_rows) : NULL;
    be->rows = list;
    be->n_rows = list ? be->n_rows : 0;
    for (size_t i = 0; i < be->n_rows; i++) {
        size_t first = 0;
        if (!list[i].row)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "backend '%s': entry %zu of its rows has no name", be->api->name, i);
        while (strcmp(list[first].row, list[i].row) != 0)
            first++;
        const char *fault = !list[i].prepare ? "without prepare" : first < i ? "twice" : NULL;
        if (fault)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "backend '%s' offers row '%s' %s: entry %zu of its rows",
                             be->api->name, list[i].row, fault, i);
        if (!poyi_row_name(list[i].row))
            poyi_log(ctx, POY_LOG_WARNING, "backend '%s' offers row '%s', which is not a row of this library",
                     be->api->name, list[i].row);
    }
    return POY_OK;
}

static poy_status open_new(poy_ctx *ctx, registry *r, const poy_backend_api *api, const char *spec, poy_backend **out)
{
    const char *settings = spec[strcspn(spec, ":")] ? spec + strcspn(spec, ":") + 1 : "";
    poy_backend *be = calloc(1, sizeof *be);

    if (!be)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for backend '%s'", api->name);
    be->api = api;
    be->head.is_own = api == &r->known[0].api || api == &r->known[1].api;
    poy_ctx_clear(ctx); /* a bare code below is then seen as such */
    poy_status status = api->open(ctx, settings, &be->head.state);
    if (status != POY_OK) {
        char call[64];
        snprintf(call, sizeof call, "%s.open", api->name);
        free(be);
        return poyi_passed(ctx, status, call, "poy_backend_open", __FILE__, __LINE__);
    }
    status = bind_ops(ctx, be);
    status = status == POY_OK ? bind_rows(ctx, be) : status;
    if (status == POY_OK && api->flags & POY_BACKEND_HOST && strcmp(api->name, "ref") != 0)
        status = poy_backend_open(ctx, "ref", &be->ref);
    if (status != POY_OK) {
        api->close(be->head.state);
        free(be);
        return status;
    }
    snprintf(be->spec, sizeof be->spec, "%s", spec);
    be->engine = poyi_engine_ref(poyi_ctx_engine(ctx));
    be->registry = r;
    be->holders = 1;
    be->next = r->open;
    r->open = be;
    *out = be;
    return POY_OK;
}

static poy_status open_locked(poy_ctx *ctx, registry *r, const char *spec, poy_backend **out)
{
    size_t length = strcspn(spec, ":");

    for (poy_backend *be = r->open; be; be = be->next)
        if (!strcmp(be->spec, spec)) {
            *out = poyi_backend_keep(be);
            return POY_OK;
        }
    const known *found = find_known(r, spec, length);
    if (!found)
        return fail_unknown(ctx, r, spec, length);
    POYI_TRY(ctx, open_new(ctx, r, &found->api, spec, out));
    return POY_OK;
}

poy_status poy_backend_open(poy_ctx *ctx, const char *spec, poy_backend **out)
{
    registry *r = NULL;

    *out = NULL;
    if (strlen(spec) >= SPEC_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a backend's spec has %zu characters, %d at most", strlen(spec),
                         SPEC_MAX - 1);
    if (!strcmp(spec, "auto"))
        spec = "cpu";
    POYI_TRY(ctx, get_registry(ctx, &r));
    poyi_engine *engine = poyi_ctx_engine(ctx);
    poyi_engine_lock(engine);
    poy_status status = open_locked(ctx, r, spec, out);
    poyi_engine_unlock(engine);
    return status;
}

poy_backend *poyi_backend_keep(poy_backend *be)
{
    atomic_fetch_add(&be->holders, 1);
    return be;
}

static void unlink_open(poy_backend *be)
{
    poy_backend **link = &be->registry->open;
    while (*link != be)
        link = &(*link)->next;
    *link = be->next;
}

void poy_backend_close(poy_backend **be_)
{
    poy_backend *be = *be_;
    *be_ = NULL;
    if (!be)
        return;
    int holders = atomic_load(&be->holders);
    while (holders > 1)
        if (atomic_compare_exchange_weak(&be->holders, &holders, holders - 1))
            return;
    /* Perhaps the last one: decided under the lock, where open looks for backends. */
    poyi_engine *engine = poyi_engine_ref(be->engine);
    poyi_engine_lock(engine);
    if (atomic_fetch_sub(&be->holders, 1) == 1) {
        unlink_open(be);
        be->api->close(be->head.state);
        poy_backend_close(&be->ref);
        poyi_engine_unref(&be->engine);
        free(be);
    }
    poyi_engine_unlock(engine);
    poyi_engine_unref(&engine);
}

/* ---- what an open backend is and has ---- */

const char *poy_backend_name(const poy_backend *be)
{
    return be->api->name;
}

void poy_backend_describe(const poy_backend *be, size_t size, char *out)
{
    if (!size)
        return;
    int n = snprintf(out, size, "backend: %s\n", be->api->name);
    if (be->api->describe && n > 0 && (size_t)n < size)
        be->api->describe(be->head.state, size - (size_t)n, out + n);
}

void *poyi_backend_state(const poy_backend *be)
{
    return be->head.state;
}

poyi_engine *poyi_backend_engine(const poy_backend *be)
{
    return be->engine;
}

const poy_backend_api *poyi_backend_api(const poy_backend *be)
{
    return be->api;
}

int poyi_backend_is_host(const poy_backend *be)
{
    return (be->api->flags & POY_BACKEND_HOST) != 0;
}

int poyi_backend_is_foreign(const poy_backend *be)
{
    return !be->head.is_own;
}

poy_backend *poyi_backend_ref(poy_backend *be)
{
    return !poyi_backend_is_host(be) ? NULL : be->ref ? be->ref : be;
}

poy_status poyi_backend_alloc(poy_ctx *ctx, poy_backend *be, size_t bytes, void **mem)
{
    *mem = NULL;
    if (!be->head.is_own)
        poy_ctx_clear(ctx); /* a bare code is then seen as such */
    poy_status status = be->api->alloc(ctx, be->head.state, bytes, mem);
    if (status != POY_OK)
        return poyi_op_failed(ctx, status, be, "alloc", __func__, __FILE__, __LINE__);
    if (!poyi_backend_is_host(be))
        return POY_OK;
    if (bytes && !*mem)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "%s.alloc says that all is well, but gave no memory", be->api->name);
    if ((uintptr_t)*mem % POY_BACKEND_ALIGN) {
        status = POYI_FAIL(ctx, POY_ERR_BACKEND, "%s.alloc gave memory at %p, which is not aligned to %d bytes",
                           be->api->name, *mem, POY_BACKEND_ALIGN);
        be->api->release(be->head.state, *mem);
        *mem = NULL;
    }
    return status;
}

static const poy_row_entry *own_row(const poy_backend *be, const char *row)
{
    for (size_t i = 0; i < be->n_rows; i++)
        if (!strcmp(be->rows[i].row, row))
            return &be->rows[i];
    return NULL;
}

static poy_origin find_row(const poy_backend *be, const char *row, const poy_row_entry **entry)
{
    *entry = own_row(be, row);
    if (*entry)
        return POY_NATIVE;
    *entry = be->ref ? own_row(be->ref, row) : NULL;
    return *entry ? POY_DELEGATED : POY_ABSENT;
}

poy_origin poyi_backend_find_row(poy_backend *be, const char *row, const poy_row_entry **entry)
{
    return find_row(be, row, entry);
}

poy_origin poy_backend_row_origin(const poy_backend *be, const char *row)
{
    const poy_row_entry *entry = NULL;
    return find_row(be, row, &entry);
}

poy_origin poy_backend_origin(const poy_backend *be, const char *op, poy_dtype dtype)
{
    for (int i = 0; i < POYI_OP_COUNT; i++) {
        if (strcmp(poyi_op_rows[i].name, op) != 0)
            continue;
        if (!is_empty(be->head.cells[i][dtype]))
            return POY_NATIVE;
        return be->ref && !is_empty(be->ref->head.cells[i][dtype]) ? POY_DELEGATED : POY_ABSENT;
    }
    return POY_ABSENT;
}

/* The rare half of poyi_backend_cell. */
static poy_status delegate(poy_ctx *ctx, poy_backend *be, poyi_op op, poy_dtype dtype, poy_cell *cell, void **state)
{
    const char *name = poyi_op_rows[op].name;
    if (!be->ref || is_empty(be->ref->head.cells[op][dtype]))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: backend '%s' does not have it for %s", name, be->api->name,
                         poy_dtype_name(dtype));
    *cell = be->ref->head.cells[op][dtype];
    *state = be->ref->head.state;
    if (!atomic_exchange(&be->told[op][dtype], 1))
        poyi_log(ctx, POY_LOG_INFO, "backend '%s' has no '%s' for %s: the reference does it", be->api->name, name,
                 poy_dtype_name(dtype));
    return POY_OK;
}

poy_status poyi_backend_cell(poy_ctx *ctx, poy_backend *be, poyi_op op, poy_dtype dtype, poy_cell *cell, void **state)
{
    *cell = be->head.cells[op][dtype];
    *state = be->head.state;
    return is_empty(*cell) ? delegate(ctx, be, op, dtype, cell, state) : POY_OK;
}
