/* pulse.h: what is to be propagated: grids, fibres, pulses, and the problem that they make.
 *
 * Conventions (docs/physics.md 1): E = Re[... exp(i(w t - beta z))]; X[k] = sum_n x[n] exp(-2 pi i k n / N), unnormalised;
 * a positive phase phi(w) multiplies the field by exp(-i phi); |A(t)|^2 is the power in W. SI units throughout.
 * Option structs: fill with *_init, then set what differs; their first member is their size. */
#ifndef POYNTING_PULSE_H
#define POYNTING_PULSE_H

#include "poynting/base.h"
#include "poynting/guide.h"
#include "poynting/media.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- grid (docs/physics.md 2) ---- */

typedef enum poy_field { POY_FIELD_ENVELOPE, POY_FIELD_REAL } poy_field;

typedef struct poy_grid_options {
    size_t size;
    poy_field field;       /* [envelope] */
    int thg;               /* third harmonics: an envelope's grid has room for them, and they are made [0] */
    double reference;      /* wavelength lambda0 (m) of the carrier */
    double wavelength_min; /* m; both 0: no limits, samples and window are required; a real field needs limits */
    double wavelength_max;
    double window;   /* s */
    int64_t samples; /* 0: by the rules of 2.2; else dt = window / samples, N = samples exactly */
    double dt_max;   /* s; 0: none */
} poy_grid_options;
POY_API void poy_grid_options_init(poy_grid_options *o);

typedef struct poy_grid poy_grid; /* immutable, counted */
/* Errors: POY_ERR_ARGUMENT, naming the option, its value and the limit (all of 2.6). */
POY_API poy_status poy_grid_create(poy_ctx *ctx, const poy_grid_options *o, poy_grid **out);
POY_API poy_grid *poy_grid_retain(poy_grid *grid);
POY_API void poy_grid_destroy(poy_grid **grid);

typedef struct poy_grid_info {
    poy_field field;
    int64_t n_w;        /* bins of the state: n_t for an envelope, n_t/2 + 1 for a real field */
    int64_t n_t, n_to;  /* coarse and fine time samples */
    double dt, dt_fine; /* s */
    double domega;      /* rad/s */
    double omega0;      /* carrier, rad/s */
    double window;      /* T = n_t dt, s */
    int windows;        /* 1: spectral and temporal windows and a signal mask exist */
    int thg;            /* 1: third harmonics are made */
} poy_grid_info;
POY_API const poy_grid_info *poy_grid_get(const poy_grid *grid);
POY_API const double *poy_grid_omega(const poy_grid *grid);     /* [n_w] absolute, rad/s, FFT order or rising from 0 */
POY_API const double *poy_grid_time(const poy_grid *grid);      /* [n_t] s, (n - n_t/2) dt */
POY_API const double *poy_grid_window_w(const poy_grid *grid);  /* [n_w] spectral window; all 1 without windows */
POY_API const double *poy_grid_window_t(const poy_grid *grid);  /* [n_t] temporal window */
POY_API const double *poy_grid_window_to(const poy_grid *grid); /* [n_to] the same on the fine grid */
POY_API const unsigned char *poy_grid_mask(const poy_grid *grid); /* [n_w] bins of the signal; all 1 without windows */

/* ---- fibre (docs/physics.md 3) ---- */

typedef struct poy_fibre_options {
    size_t size;
    double gamma;                   /* 1/(W m); NaN where n2 and effective_area are given instead */
    double n2;                      /* m2/W; NaN */
    double effective_area;          /* m2; NaN */
    double dispersion_at;           /* wavelength (m) of beta, or of D and S; 0: the grid's reference */
    const double *beta;             /* beta_2, beta_3, ... (s^n/m) */
    int n_beta;                     /* any number; 0 with D, S NaN and no index: no dispersion */
    double D, S;                    /* s/m2 (dispersion parameter), s/m3 (slope); NaN: beta is used */
    const double *index_wavelength; /* tabulated n_eff: wavelengths (m), rising; NULL: none */
    const double *index_n;          /* and values; cubic spline in omega; the signal band must lie inside */
    int n_index;
    double attenuation; /* power attenuation alpha, 1/m */
} poy_fibre_options;
POY_API void poy_fibre_options_init(poy_fibre_options *o);

/* ---- gas in a guide (docs/physics.md 3) ---- */

typedef struct poy_gas_options {
    size_t size;
    int mode;            /* of the guide, from 0 [0] */
    int raman;           /* 0 off, 1 on; -1: on for the gases whose default model has it [-1] */
    int raman_rotation;  /* [1] */
    int raman_vibration; /* [1] */
    double rotation_lifetime, vibration_lifetime; /* s; NaN: from the linewidths of the data [NaN] */
    int plasma;      /* 0 off, 1 on: a real field alone; -1: on for a real field in a gas with known rates [-1] */
    int plasma_taps; /* K of the band rule, 1 to 4; 0: trapezoid; -1: 0, or 2 with preionised above 0 [-1] */
    int plasma_held; /* 1: the current of the free electrons acts by its spectrum over i omega, 0: its integral in time. They
                      * differ by what the window cuts off at its edges alone, and by the rule of that integral [0] */
    double preionised;               /* fraction of free electrons before the pulse, 0 to 1 [0] */
    poy_ionisation_options rate;     /* model auto; its wavelength NaN: that of the grid */
    poy_ionisation_above rate_above; /* [error] */
    double rate_field_max;           /* V/m, end of the tables; 0: twice the barrier field [0] */
    size_t rate_points;              /* [0]: 2^16 */
    int rate_cache;                  /* keep tables in the user's cache folder [1] */
    int fold; /* of an envelope with harmonics: negative frequencies count as positive ones [1] */
    /* The columns of the state: modes of the guide, each with its direction. NULL, 0: one column, of mode. Otherwise mode
     * is the one whose group velocity the frame has. Two columns of one mode with angles 0 and pi/2 are its two
     * polarisations, along y and along x. */
    int n_columns;
    const int *modes;       /* [n_columns] numbers of the guide's modes */
    const double *angles;   /* [n_columns] rad, as in poy_guide_field; NULL: all 0 */
    int averaged;           /* 1: one mode, whose effective area stands for its profile; 0: responses at points of the
                           * cross-section; -1: 1 where all columns are of one mode [-1] */
    int radii, directions;  /* of the rule of integration: Gauss-Legendre along the radius, uniform in the angle; 0: by
                              * itself, as in 10.3, twice as many radii with a plasma [0] */
    size_t node_bytes;      /* memory for fields and responses at points, which go through it in parts; 0: 1 MiB [0] */
    double quadrature_warn; /* distance of the embedded rule that is logged [1e-3] */
    double quadrature_fail; /* and that ends the run [0.1]; infinite: never */
    int prefactor_omega;    /* of points: omega/4 instead of omega^2/(4 c beta) [0] */
} poy_gas_options;
POY_API void poy_gas_options_init(poy_gas_options *o);

/* ---- pulses (docs/physics.md 9) ---- */

typedef enum poy_shape {
    POY_SHAPE_GAUSSIAN,
    POY_SHAPE_SECH2,
    POY_SHAPE_LORENTZIAN,
    POY_SHAPE_CW,
    POY_SHAPE_DATA, /* a spectrum */
    POY_SHAPE_STATE,
    POY_SHAPE_PROFILE /* a power in time */
} poy_shape;

/* The line of a constant wave. With random phases of its bins it is thermal light, whose power fluctuates: the line is
 * met exactly. Phase diffusion is that of a laser: its power is constant, the line Lorentzian. */
typedef enum poy_line {
    POY_LINE_SECH2, /* random phases */
    POY_LINE_GAUSSIAN,
    POY_LINE_LORENTZIAN,
    POY_LINE_PHASE_DIFFUSION
} poy_line;

/* What a pulse has gone through before it enters: each changes its spectrum, the energy or peak power of the pulse is that
 * after all of them. The delay that it makes at the pulse's wavelength is taken out. Where the data of a material, a gas
 * or a table end, the spectrum is cut; a share above 1e-6 of the energy is told. */
typedef enum poy_passage_kind {
    POY_PASSAGE_MATERIAL, /* exp(-i omega n length/c - omega k length/c) of material */
    POY_PASSAGE_GAS,      /* the same of a gas at a pressure and a temperature */
    POY_PASSAGE_PHASE,    /* times bounces off a mirror with (gdd, tod, fod) */
    POY_PASSAGE_MIRROR,   /* times bounces off a mirror with a table of power and group-delay dispersion */
    POY_PASSAGE_TABLE,    /* exp(-i phase) of a table, as it stands: its delay, too */
    POY_PASSAGE_GUIDE,    /* a length of the guide, as it is at z = 0, in the pulse's mode: phase and loss */
    POY_PASSAGE_BAND      /* a filter, with smooth edges beyond the band */
} poy_passage_kind;

typedef struct poy_passage {
    poy_passage_kind kind;
    double length; /* m; below 0: the phase is taken away, and of a guide the loss, too */
    poy_guide_material material;
    const char *gas;              /* a name, as in poy_gas_create */
    double pressure, temperature; /* Pa, K */
    int times;                    /* bounces; below 0: their phase is taken away */
    double gdd, tod, fod;         /* s2, s3, s4 of one bounce */
    int n;                        /* rows of the table */
    const double *frequency;      /* Hz, rising */
    const double *power;          /* share of the power that a bounce keeps, 0 to 1; NULL: all */
    const double *values;         /* gdd (s2) of a mirror, phase (rad) of a table */
    double band[2];               /* m */
    double edge;                  /* Hz: width of the edges of the band; 0: 64 bins */
} poy_passage;

/* The state of another run, from which this one starts: spectra S (sqrt(J s), as result files hold them) of its columns, at
 * equidistant frequencies, with phases about the middle of its window, which is 2 pi/domega long. On a grid with the same
 * frequencies it is taken as it is; on another one it is the Fourier transform of the same signal, which is periodic in
 * its window (a chirp z-transform). What lies outside the band or the window of the grid is left out: a share of the
 * energy above 1e-6 is told, one above 1e-3 refused. */
typedef struct poy_launch_state {
    int n_columns;
    const int *columns;     /* [n_columns] of the problem, that each goes into; -1: left out */
    int64_t n;              /* frequencies */
    double omega, domega;   /* rad/s: the first of them, their distance */
    const double *spectrum; /* c128 [n_columns][n] */
} poy_launch_state;

typedef struct poy_pulse_options {
    size_t size;
    poy_shape shape;                  /* [gaussian] */
    int order;                        /* of a super-Gaussian [1] */
    double wavelength;                /* m */
    double energy;                    /* J; NaN where peak_power is given */
    double peak_power;                /* W, after the phases; NaN where energy is given */
    double fwhm;                      /* s, of power; NaN where t0 is given */
    double t0;                        /* s, sech^2(t/t0) only; NaN */
    double cep, delay, gdd, tod, fod; /* phi_0 (rad), phi_1 (s, later), phi_2 (s2), phi_3, phi_4 */
    const double *coefficients;       /* phi_5, phi_6, ... */
    int n_coefficients;
    double sideband_offset; /* Hz, a bin of the grid; 0: none */
    double sideband_power;  /* r of A (1 + 2 sqrt(r) cos 2 pi f t) */
    /* POY_SHAPE_DATA: rising frequency (Hz), spectral energy density (any scale), phase (rad, exp(-i phi) of the
     * conventions above); energy is required. */
    const double *data_frequency, *data_density, *data_phase;
    int n_data;
    /* Where the pulse goes in a state of several columns: into a mode of the guide, or as a beam into all of them. */
    int mode;           /* number of the guide's mode; -1: the first column's [-1] */
    double direction;   /* rad from y towards x, of the larger half axis of the field [0] */
    double ellipticity; /* ratio of the half axes, -1 to 1: the smaller one, pi/2 towards x, has the phase +pi/2 of its
                           * sign: y ~ cos omega t, x ~ sin omega t of a positive one [0] */
    double waist;       /* m: a Gaussian beam, whose energy or power is that before the guide; 0: into the mode [0] */
    double beam_x, beam_y;       /* m: its centre [0] */
    const poy_passage *passages; /* what it has gone through, in this order; borrowed [NULL] */
    int n_passages;
    /* POY_SHAPE_STATE: has its energy, unless one is given, which all columns are scaled to; phases and passages are done
     * to every column, about wavelength (0: that of the grid). Borrowed [NULL] */
    const poy_launch_state *state;
    /* POY_SHAPE_CW: average_power instead of energy and peak_power, which lines with random phases refuse; within the time
     * window of a grid that has one. */
    double average_power; /* W [NaN] */
    double
        linewidth; /* Hz, full width at half maximum, a bin of the grid or more; 0: one bin, that of wavelength [0] */
    poy_line line; /* [sech2] */
    uint64_t line_seed; /* of its random numbers: other ones for each pulse, and than those of noise [0] */
    /* POY_SHAPE_PROFILE: rising time (s), power (any scale), phase (rad; NULL: none): sqrt(power) exp(-i phase) on the
     * carrier, 0 outside of the rows. Energy or peak power. Borrowed [NULL] */
    const double *profile_time, *profile_power, *profile_phase;
    int n_profile;
    /* Of a beam (poy_beam): energy and power are those before iris and aperture. */
    double beam_distance;           /* m: of its waist in front of the guide [0] */
    double iris;                    /* 0: none [0] */
    double aperture, aperture_edge; /* m; 0: none, hard [0] */
} poy_pulse_options;
POY_API void poy_pulse_options_init(poy_pulse_options *o);

/* ---- physics, solver ---- */

typedef enum poy_raman_model {
    POY_RAMAN_OFF,
    POY_RAMAN_BLOW_WOOD,
    POY_RAMAN_LIN_AGRAWAL,
    POY_RAMAN_HOLLENBECK_CANTRELL
} poy_raman_model;
/* Silica's response on the grid: its samples, with an error of (dt)^2, or its transform in closed form. */
typedef enum poy_raman_kernel { POY_RAMAN_SAMPLED, POY_RAMAN_ANALYTIC } poy_raman_kernel;
typedef enum poy_noise_model { POY_NOISE_OFF, POY_NOISE_SHOT, POY_NOISE_GAUSSIAN, POY_NOISE_MODIFIED } poy_noise_model;

typedef struct poy_physics_options {
    size_t size;
    int kerr, shock;               /* [1] [1] */
    poy_raman_model raman;         /* [blow_wood] */
    double raman_fraction;         /* NaN: the model's own; anything else with raman off: POY_ERR_ARGUMENT */
    int raman_start_full;          /* weight of the sample h(0): 0 half [0], 1 full */
    poy_noise_model noise;         /* [off] */
    uint64_t seed;                 /* [0] */
    poy_raman_kernel raman_kernel; /* [sampled]; raman_start_full is a matter of samples alone */
} poy_physics_options;
POY_API void poy_physics_options_init(poy_physics_options *o);

typedef enum poy_absorber {
    POY_ABSORBER_NONE,
    POY_ABSORBER_IN_STAGE,
    POY_ABSORBER_SPLIT_STEP,
    POY_ABSORBER_PER_STEP_WINDOW
} poy_absorber;
typedef enum poy_propagator_mode {
    POY_PROPAGATOR_AUTO,
    POY_PROPAGATOR_POWERS,
    POY_PROPAGATOR_DIRECT
} poy_propagator_mode;

typedef struct poy_solver_options {
    size_t size;
    double rtol;            /* [1e-6], 1e-13 < rtol <= 1e-2 */
    double atol;            /* absolute, in the unit of the norm of the state; NaN: 1e-10 times that of the launch */
    double dz_first;        /* m; 0: 1e-4 m, at most length / 100 */
    double dz_max;          /* m; 0: length / 2 */
    double dz_min;          /* m; 0: 1e-14 length */
    int64_t steps_max;      /* accepted; 0: no limit */
    const double *schedule; /* step lengths to replay (m), which end on every plane; NULL: adaptive */
    int64_t n_schedule;
    const double *kinks; /* positions that a step must end on (m), rising; NULL */
    int n_kinks;
    poy_absorber absorber;           /* [in_stage where the grid has windows, else none]: POY_ABSORBER_IN_STAGE */
    double absorber_length;          /* m; 0: length / 50 */
    const double *error_weights;     /* [n_w] of the weighted norm; NULL: the weak norm over the signal band */
    poy_propagator_mode propagators; /* [auto] */
} poy_solver_options;
POY_API void poy_solver_options_init(poy_solver_options *o);

/* ---- the problem: validated, immutable, counted; host arrays and scalars only (problem.def) ---- */

typedef struct poy_problem poy_problem;
/* A pulse in a fibre: the generalised nonlinear Schroedinger equation (docs/physics.md 3).
 * physics, solver NULL: the defaults. planes [n_planes] rising, first 0, last length: where the state is wanted.
 * Everything is checked here, before any backend exists. Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED, each naming the option. */
POY_API poy_status poy_problem_create_fibre(poy_ctx *ctx, poy_grid *grid, const poy_fibre_options *fibre,
                                            const poy_physics_options *physics, const poy_solver_options *solver,
                                            double length, const double *planes, int n_planes, poy_problem **out);
/* A pulse in one mode of a guide that a gas may fill: the unidirectional equation of the amplitude (docs/physics.md 3),
 *   dA/dz = (-i (beta - frame) - alpha/2) A - i omega^2 sqrt(A_eff)/(4 sqrt(eps0 c/2) c beta) P,
 * E = A/sqrt(eps0 c/2 A_eff) with the mode's area at the reference wavelength. Kerr: eps0 density gamma3 times E^3 of a
 * real field with thg, 3/4 |E_a|^2 E of its analytic signal without; 3/4 |A|^2 A of an envelope without thg, and with it
 * (3 |A|^2 A + A^3 exp(2 i omega0 t))/4. Without shock omega omega0 stands for omega^2. The frame moves with beta_1 at
 * the reference wavelength, everywhere along the guide.
 * With several columns, A_m of mode m with the field e_m (poy_guide_field), E = sum over m of e_m A_m:
 *   dA_m/dz = (-i (beta_m - frame) - alpha_m/2) A_m - i omega^2/(4 c beta_m) integral e_m . P dA,
 * at the points of a fixed rule of integration; every DA/dz at the end of a step is taken by an embedded coarser rule too,
 * and their distance is the statistic quadrature_error. A field with two components responds as an isotropic medium: Kerr
 * (E.E) E_i, of signals without third harmonics (2/3 |E|^2 E_i + 1/3 (E.E) E_i^*); ionisation by |E|.
 * A problem of several modes: poy_guide_create_capillary with the modes' names; poy_gas_options with n_columns and modes
 * = {0, 1, ...}; poy_launch_create with the mode of each pulse, into c128 [poy_problem_columns][n_w]; then a run as of one
 * mode, whose fields have the columns one after the other. "energy@2" is the energy of the third.
 * gas NULL: the defaults. physics NULL: the defaults without raman, which has to be off: it is that of silica.
 * Keeps the guide. Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED, POY_ERR_RANGE, each naming the option. */
POY_API poy_status poy_problem_create_guide(poy_ctx *ctx, poy_grid *grid, poy_guide *guide, const poy_gas_options *gas,
                                            const poy_physics_options *physics, const poy_solver_options *solver,
                                            double length, const double *planes, int n_planes, poy_problem **out);
/* A pulse in several modes of a glass fibre (poy_guide_create_step_index), or in one with its field at points of the
 * cross-section: the generalised nonlinear Schroedinger equation of every column,
 *   dA_m/dz = (-i (beta_m - frame) - alpha/2) A_m
 *             - i (n2 omega/c) integral F_m . [(1 - f_R) (2/3 |E|^2 E + 1/3 (E.E) E^*) + f_R E (h * |E|^2)] dA,
 * E = sum over m of F_m A_m, integral |F_m|^2 dA = 1, with the modes' fields at the reference wavelength (Poletti and
 * Horak, JOSA B 25, 1645, 2008). For one mode it is poy_problem_create_fibre with gamma = n2 omega/(c A_eff). fibre: n2, or
 * gamma of the frame's mode, and attenuation; columns: mode, n_columns, modes, angles, radii, directions, node_bytes and
 * quadrature_* of it. physics NULL: the defaults. Keeps the guide.
 * Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED, POY_ERR_RANGE, each naming the option. */
POY_API poy_status poy_problem_create_fibre_modes(poy_ctx *ctx, poy_grid *grid, poy_guide *guide,
                                                  const poy_fibre_options *fibre, const poy_gas_options *columns,
                                                  const poy_physics_options *physics, const poy_solver_options *solver,
                                                  double length, const double *planes, int n_planes, poy_problem **out);
POY_API poy_problem *poy_problem_retain(poy_problem *problem);
POY_API void poy_problem_destroy(poy_problem **problem);
POY_API poy_grid *poy_problem_grid(const poy_problem *problem); /* borrowed */
/* SHA-256 over every field: what a resumed run must share. */
POY_API void poy_problem_digest(const poy_problem *problem, unsigned char out[32]);
/* A field of problem.def by name, as the backend will see it; NULL data where the problem has none. Borrowed.
 * Errors: POY_ERR_ARGUMENT (no such field; the account lists them). */
typedef struct poy_problem_field {
    const char *name, *unit, *text;
    poy_dtype dtype;
    int rank;
    int64_t extent[2];
    const void *data;
} poy_problem_field;
POY_API poy_status poy_problem_get(poy_ctx *ctx, const poy_problem *problem, const char *name, poy_problem_field *out);

/* How many columns the state has: 1, or those of poy_gas_options. Spectra of the problem are c128 [columns][n_w]. */
POY_API int poy_problem_columns(const poy_problem *problem);

/* The launch spectrum, c128 [columns][n_w] in the grid's own order: pulses added coherently (and noise, for shot and gaussian).
 * Errors: POY_ERR_ARGUMENT (both or neither of energy and peak power, duration too long for the window ...). */
POY_API poy_status poy_launch_create(poy_ctx *ctx, const poy_problem *problem, const poy_pulse_options *pulses,
                                     int n_pulses, double *spectrum);
/* One draw of the noise model alone, c128 [columns][n_w]: the field that the modified model carries. */
POY_API poy_status poy_noise_create(poy_ctx *ctx, const poy_problem *problem, double *spectrum);

/* ---- derived numbers, for check ---- */

enum { POY_BETAS = 7, POY_WAVES_MAX = 8 };

/* What is known of a problem and a pulse before it runs. NaN: a number has no meaning, or is not known. */
typedef struct poy_problem_numbers {
    double z;               /* m: where a guide is looked at */
    double beta[POY_BETAS]; /* at the pulse's wavelength: beta_k in s^k/m. In a fibre from k = 2 on, of a table to 3 */
    double attenuation;     /* of power, 1/m */
    double n2, effective_area; /* m2/W, m2; NaN in a fibre */
    double gamma;              /* 1/(W m); 0 without Kerr and Raman response */
    double L_D, L_NL;          /* m: t0^2/|beta_2|, 1/(gamma P) */
    double N_soliton, L_fiss;  /* sqrt(L_D/L_NL) and L_D/N: anomalous dispersion alone */
    double soliton_power;      /* W: of the strongest soliton that the pulse breaks into (poy_soliton); 0: none */
    double P_critical; /* W: 1.86225 lambda^2/(4 pi n n2) of self-focusing, of a Gaussian beam; NaN in a fibre */
    double zdw[POY_WAVES_MAX]; /* zero-dispersion wavelengths inside the grid's band, m, rising */
    int n_zdw;                 /* how many there are, at most POY_WAVES_MAX */
    double
        waves[POY_WAVES_MAX]; /* and those of dispersive waves, phase matched to a soliton of no power at the pulse's */
    int n_waves;
    double soliton_waves[POY_WAVES_MAX]; /* those of the strongest soliton of the pulse with its own phase, in a gas
                                          * (poy_guide_soliton_waves) */
    int n_soliton_waves;
    double peak_power, energy; /* W, J of the pulse as launched; of a beam before the guide */
    double coupled; /* share of it in the guide's modes: 1, but for beams; what is in the first mode sets L_NL and N */
    double passed;  /* share of a beam that iris and aperture leave: 1 without them */
    double coherence_time; /* s, of a constant wave with a line: integral |g_1(tau)|^2 d tau */
} poy_problem_numbers;
/* z: in m, of no effect in a fibre. Errors: those of poy_launch_create, poy_guide_beta. */
POY_API poy_status poy_problem_describe(poy_ctx *ctx, const poy_problem *problem, const poy_pulse_options *pulse,
                                        double z, poy_problem_numbers *out);

#ifdef __cplusplus
}
#endif
#endif
