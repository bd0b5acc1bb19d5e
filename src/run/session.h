/* session.h: one run of a pulse recipe, from its settings to its file. */
#ifndef POYI_SESSION_H
#define POYI_SESSION_H

#include "core/warn.h"
#include "poynting/array.h"
#include "poynting/run.h"
#include "run/recipe/settings.h"
#include "run/store/store.h"

enum { POYI_WARNINGS_MAX = 32 };
typedef struct poyi_warnings {
    const char *list[POYI_WARNINGS_MAX];
    int n;
} poyi_warnings;

typedef struct poyi_session {
    poy_ctx *ctx;
    poy_recipe *recipe;
    const char *path, *backend;
    poyi_settings settings;
    poyi_store_head head;
    poy_run *run;
    poyi_store *store;
    double *field, *spectrum, *noise;  /* c128 [columns][n_w]: state, S with rising omega, modified noise (or NULL) */
    double *omega;                     /* rising */
    const char *stats[POYI_STATS_MAX]; /* names for poy_run_select_stats, one for each column of a statistic */
    int n_selected;
    poyi_arena arena;
    poyi_warnings warnings;
    double edge_t, edge_w; /* largest share of the energy at the edges of a plane */
    double folded;         /* largest share of the response that folds back, at planes */
    double ionised;        /* largest share of the gas, at planes */
    int64_t rejected, planes;
    double energy, energy_start, energy_launch; /* J: now, where this session began, at z = 0 */
    double z_start;                             /* m: where it began */
    double wall_start, cpu_start;
    double kept, keeping; /* when the last state was safe on the disk, and how long that took (s) */
    int pause;            /* the march stands because a state is to be stored, not on request */
} poyi_session;

/* Grid, problem, head, buffers; no backend yet. Errors: those of the settings, POY_ERR_BUDGET, POY_ERR_MEMORY. */
poy_status poyi_session_prepare(poy_ctx *ctx, poy_recipe *recipe, const char *path, poyi_session *s);
/* Memory against the budget (the recipe's, the context's, else that of budget.h), before the backend takes any; a budget
 * that the user declared is then in force, the default (budget.h) only warns. The estimate into *bytes. Errors:
 * POY_ERR_BUDGET, POY_ERR_IO (the disk is too small for the file), POY_ERR_ARGUMENT (POYNTING_MEMORY is no size). */
poy_status poyi_session_admit(poyi_session *s, size_t *bytes);
/* The same number without a session: most memory that a run of settings takes. */
poy_status poyi_session_estimate(poy_ctx *ctx, const poy_recipe *recipe, const poyi_settings *settings, size_t *bytes);
/* Bytes of fields, resume slots and axes in the file, before compression; statistics add little. */
double poyi_session_file_bytes(const poy_recipe *recipe, const poyi_settings *settings);
/* Is noise carried beside the state? */
int poyi_session_carries_noise(const poy_recipe *recipe);
/* From the launch, into a new file. */
poy_status poyi_session_start(poyi_session *s, int force);
/* From a slot of the file. */
poy_status poyi_session_resume(poyi_session *s, const poyi_slot *slot);
/* To the end, or until it is stopped; writes the end of the file in any case. */
poy_status poyi_session_march(poyi_session *s);
/* The pieces of a march, for who marches several sessions at once (together.c): the state where it is, as a plane or only to
 * go on from; the end of a whole run; the end of one that failed or was stopped with status, which is told with the run's name. */
poy_status poyi_session_keep(poyi_session *s, int is_plane, int must);
poy_status poyi_session_end(poyi_session *s);
poy_status poyi_session_end_early(poyi_session *s, poy_status status);
void poyi_session_report(const poyi_session *s, poy_recipe_report *out);
void poyi_session_fini(poyi_session *s);

/* ---- several at once (together.c) ---- */

/* Runs n pulse recipes in lockstep (poynting/batch.h), each with a session, a file and numbers of its own, to the bit those of
 * poy_recipe_run with force. They have one solver.schedule, one length and the same planes; how they are run is that of the
 * first. Errors: POY_ERR_UNSUPPORTED (no schedule, or not pulses), POY_ERR_MISMATCH (of those three, or the planes), those of a
 * run; POY_ERR_INTERRUPTED: every file can be resumed. After another failure none of the files is one. */
poy_status poyi_recipe_run_together(poy_ctx *ctx, int n, poy_recipe *const *recipes, const char *const *paths);

/* ---- what a recipe says about the context: put in force, and put back (run.c) ---- */

typedef struct poyi_surroundings {
    int threads, deterministic;
    size_t budget;
} poyi_surroundings;
/* Those of the context, and over them what the recipe says; the budget only where budget is not 0. */
poyi_surroundings poyi_surroundings_asked(poy_ctx *ctx, const poy_recipe *r, int budget);
/* Puts others in force; those that were. */
poyi_surroundings poyi_surroundings_change(poy_ctx *ctx, const poyi_surroundings *to);
poyi_surroundings poyi_surroundings_enter(poy_ctx *ctx, const poy_recipe *r);
void poyi_surroundings_leave(poy_ctx *ctx, const poyi_surroundings *old);

/* Work (s) that a power cut may cost between planes; tests change it. */
extern double poyi_session_unsafe;

/* Adds a warning: to the log, and to the file at the end. */
void poyi_session_warn(poyi_session *s, const char *format, ...) POY_PRINTF(2, 3);

/* Keeps what the physics warns of from here on; who listened to the context before. */
poyi_listener poyi_session_listen(poyi_session *s);

/* ---- what a run looks out for (watch.c) ---- */

/* Of the launch alone: a warning of a beam that focuses itself. */
poy_status poyi_session_judge_launch(poyi_session *s);
/* Of the state that spectrum holds, at each plane; and the warnings, at the end. */
poy_status poyi_session_watch(poyi_session *s);
void poyi_session_judge(poyi_session *s);
/* Is the response of the grid watched for what folds back? One without room beyond its band, of an envelope. */
int poyi_session_may_fold(const poy_recipe *recipe, const poy_grid *grid);

/* ---- fields (fields.c) ---- */

/* S of the raw spectrum A of a state (docs/physics.md 1), omega rising: S = A dt / sqrt(2 pi), of a real field twice that,
 * so that it is the analytic signal's. */
void poyi_field_to_spectrum(const poy_grid_info *g, const double *A, double *S);
/* omega [n_w] of the grid, rising. */
void poyi_field_omega(const poy_grid *grid, double *omega);
/* Bins of S [n_w] with rising omega as those of a transform of n_t samples: of the envelope, or (n_w = n_t/2 + 1) of the
 * analytic signal, without the bins of 0 and of the Nyquist frequency. */
void poyi_field_bins(int64_t n_w, int64_t n_t, const double *S, double *A);
/* data c128 [n] into scale times its transform of that sign. */
poy_status poyi_field_transform(poy_ctx *ctx, poy_backend *be, int64_t n, int sign, double scale, double *data);
/* The sum over columns of |A(t)|^2 (W) [n_t] of S [columns][n_w] with rising omega, in the order of t. */
poy_status poyi_field_power(poy_ctx *ctx, int64_t columns, int64_t n_w, int64_t n_t, double domega, const double *S,
                            double *power);

#endif
