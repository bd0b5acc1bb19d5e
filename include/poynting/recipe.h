/* recipe.h: recipes: what is to be computed, as a TOML text; their faults, their resolved form, running them.
 *
 * A key is a path, the same everywhere: "pulse.0.energy". A value in a recipe carries its unit: "120 uJ". */
#ifndef POYNTING_RECIPE_H
#define POYNTING_RECIPE_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_recipe poy_recipe;

/* Reads a file. Faults of its text are no failure here: poy_recipe_check tells them. Errors: POY_ERR_IO, POY_ERR_MEMORY. */
POY_API poy_status poy_recipe_load(poy_ctx *ctx, const char *path, poy_recipe **out);
/* The same from a text; file names it in messages, and its stem is the default of the key name. */
POY_API poy_status poy_recipe_parse(poy_ctx *ctx, const char *text, const char *file, poy_recipe **out);
POY_API void poy_recipe_destroy(poy_recipe **recipe);

/* Puts a value in the place of the recipe's own (-s key=value). value: as in TOML, or a bare word, or a quantity without
 * quotes ("150 uJ"). Errors: POY_ERR_ARGUMENT (no such place: an index beyond the list, a key inside a plain value). */
POY_API poy_status poy_recipe_set(poy_ctx *ctx, poy_recipe *recipe, const char *key, const char *value);

/* ---- faults ---- */

typedef struct poy_fault {
    const char *file; /* "override" for a value that was set */
    int line, column; /* 0: none */
    const char *key;  /* "pulse.0.fwhm" */
    const char *code; /* "E_DIM" */
    const char *problem, *hint;
    int warning; /* 1: the recipe may run all the same */
} poy_fault;

/* Checks everything that can be known without computing; all faults in one pass, sorted by line. Errors: POY_ERR_RECIPE
 * where there are any that are no warnings; the account holds the first. */
POY_API poy_status poy_recipe_check(poy_ctx *ctx, poy_recipe *recipe);
POY_API int poy_recipe_fault_count(const poy_recipe *recipe); /* after a check; warnings count */
POY_API const poy_fault *poy_recipe_fault(const poy_recipe *recipe, int i);
/* "FILE:LINE: KEY: problem: hint", at most size bytes. */
POY_API void poy_fault_format(const poy_fault *fault, size_t size, char *out);

/* ---- what it says ---- */

POY_API const char *poy_recipe_text(const poy_recipe *recipe);
/* After a check without faults, until the recipe changes: */
POY_API const char *poy_recipe_name(const poy_recipe *recipe);     /* "pcf-sc"; NULL before */
POY_API const char *poy_recipe_resolved(const poy_recipe *recipe); /* TOML with every default filled in; NULL before */
/* The value of a key as TOML text, defaults filled in. Errors: POY_ERR_ARGUMENT (no such key, or it has no value),
 * POY_ERR_STATE (not checked). Valid until the recipe changes. */
POY_API poy_status poy_recipe_get(poy_ctx *ctx, poy_recipe *recipe, const char *key, const char **out);

/* The keys in which two checked recipes differ, one line each, "key: a -> b"; valid until a changes. *n: how many. */
POY_API poy_status poy_recipe_diff(poy_ctx *ctx, poy_recipe *a, const poy_recipe *b, const char **out, int *n);

/* What a checked recipe rests on, one source a line: the program, its methods, the models and data that it uses. Valid
 * until the recipe changes. */
POY_API poy_status poy_recipe_cite(poy_ctx *ctx, poy_recipe *recipe, const char **out);

/* ---- derived numbers ---- */

typedef struct poy_number {
    const char *key;  /* "zdw.0" */
    const char *unit; /* SI; "" for none */
    const char *text; /* one line: what it is */
    poy_dimension dimension;
    double value; /* NaN where it has no meaning */
} poy_number;

/* What follows from a checked recipe before any computing: grid, dispersion, soliton numbers, bytes. Up to max into out;
 * *n: how many there are. Errors: POY_ERR_RECIPE (the physics refuses it: one more fault), POY_ERR_UNSUPPORTED. */
POY_API poy_status poy_recipe_describe(poy_ctx *ctx, poy_recipe *recipe, size_t max, poy_number *out, size_t *n);

/* ---- running ---- */

typedef struct poy_recipe_options {
    size_t size;
    const char *output; /* [NAME.h5 in the working folder] */
    int force;          /* write over an existing file */
    int dry;            /* everything but computing: nothing is written */
    int grad;           /* the caller takes the gradient of [objective], too: it is not left unused */
} poy_recipe_options;
POY_API void poy_recipe_options_init(poy_recipe_options *o);

typedef struct poy_recipe_report {
    char output[1024];
    char backend[64];
    double z, length; /* m: where it stands */
    int64_t planes, accepted, rejected;
    double energy, energy_start; /* J */
    double wall, cpu;            /* s */
    size_t bytes;                /* most memory that the run takes, as estimated before it starts */
    int warnings;                /* stored in the file, and sent to the log */
    int complete;
    int64_t points, points_total; /* of scattering: computations, those of fields and convergence, too; 0: a pulse */
    double energy_launch;         /* J: at z = 0; energy_start is that where this run or resume began */
    double z_start;               /* m: where that was */
    int64_t wavelengths;          /* of the sweep of a scattering recipe */
} poy_recipe_report;

/* Checks, computes, writes the result file. report may be NULL. Stops when the context's progress function asks to:
 * POY_ERR_INTERRUPTED, the file can be resumed. Errors: POY_ERR_RECIPE, POY_ERR_UNSUPPORTED (names what is not built),
 * POY_ERR_BUDGET, POY_ERR_IO (exists, not writable, locked, disk full), and those of the computation. */
POY_API poy_status poy_recipe_run(poy_ctx *ctx, poy_recipe *recipe, const poy_recipe_options *o,
                                  poy_recipe_report *report);

/* Continues a run from its result file alone. Errors: POY_ERR_MISMATCH (the configuration differs; nothing is left to
 * do; a newer format), POY_ERR_IO; as above. */
typedef struct poy_resume_options {
    size_t size;
    const char *backend; /* [that of the recipe] */
    int threads;         /* [those of the recipe] */
    double extend;       /* length to be added (m); 0: none */
    int check;           /* only tell whether it could be */
    /* Keys and values, [n_set][2]. One that changes what is computed is refused by its name. */
    const char *const *set;
    int n_set;
} poy_resume_options;
POY_API void poy_resume_options_init(poy_resume_options *o);
POY_API poy_status poy_result_resume(poy_ctx *ctx, const char *path, const poy_resume_options *o,
                                     poy_recipe_report *report);

/* ---- the schema: every key that a recipe may have ---- */

typedef struct poy_recipe_key {
    const char *path;              /* "pulse.N.energy" */
    const char *kind;              /* "", "pulse", "scatter" */
    const char *types;             /* geometries for which it has a meaning, separated by blanks; "": all */
    const char *form;              /* "a quantity" */
    const char *dimension;         /* "energy"; "" */
    const char *range;             /* "> 0", in SI */
    const char *words;             /* accepted words */
    const char *need;              /* why it has to be there; "" */
    const char *value;             /* default as TOML; "" none; "=" worked out */
    const char *good, *bad, *code; /* examples, and the fault of the bad one */
    const char *text;
} poy_recipe_key;
/* Row i into out; 0 beyond the last, else 1. */
POY_API int poy_recipe_key_at(int i, poy_recipe_key *out);
/* What runs today: NULL if word is built for the key, else the advice that the refusal gives. */
POY_API const char *poy_recipe_unbuilt(const char *key, const char *word);

#ifdef __cplusplus
}
#endif
#endif
