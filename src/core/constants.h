/* constants.h: CODATA 2018 values and the units made from them, all SI.
 * Source: E. Tiesinga, P. J. Mohr, D. B. Newell, B. N. Taylor, Rev. Mod. Phys. 93, 025010 (2021). */
#ifndef POYI_CONSTANTS_H
#define POYI_CONSTANTS_H

#define POYI_PI 3.14159265358979323846

/* ---- exact by the definition of the SI ---- */
#define POYI_C 299792458.0                        /* speed of light, m/s */
#define POYI_E 1.602176634e-19                    /* elementary charge, C */
#define POYI_PLANCK 6.62607015e-34                /* h, J s */
#define POYI_KB 1.380649e-23                      /* Boltzmann constant, J/K */
#define POYI_NA 6.02214076e23                     /* Avogadro constant, 1/mol */
#define POYI_HBAR (POYI_PLANCK / (2.0 * POYI_PI)) /* J s */
#define POYI_GAS_R (POYI_KB * POYI_NA)            /* molar gas constant, J/(mol K) */

/* ---- measured ---- */
#define POYI_EPS0 8.8541878128e-12                     /* electric constant, F/m */
#define POYI_ME 9.1093837015e-31                       /* electron mass, kg */
#define POYI_A0 5.29177210903e-11                      /* Bohr radius, m */
#define POYI_ALPHA 7.2973525693e-3                     /* fine-structure constant */
#define POYI_MU 1.66053906660e-27                      /* atomic mass constant, kg */
#define POYI_MU0 (1.0 / (POYI_EPS0 * POYI_C * POYI_C)) /* magnetic constant, H/m: consistent with eps0 and c */
#define POYI_Z0 (1.0 / (POYI_EPS0 * POYI_C))           /* impedance of vacuum, ohm */

/* ---- atomic units ---- */
#define POYI_HARTREE (POYI_HBAR * POYI_C * POYI_ALPHA / POYI_A0)                    /* E_h, J */
#define POYI_TIME_AU (POYI_HBAR / POYI_HARTREE)                                     /* s */
#define POYI_FIELD_AU (POYI_HARTREE / (POYI_E * POYI_A0))                           /* V/m */
#define POYI_POLARISABILITY_AU (POYI_E * POYI_E * POYI_A0 * POYI_A0 / POYI_HARTREE) /* C^2 m^2/J */

/* ---- pressure, number density, temperature ---- */
#define POYI_ATM 101325.0                                      /* Pa */
#define POYI_BAR 1e5                                           /* Pa */
#define POYI_TORR (POYI_ATM / 760.0)                           /* Pa */
#define POYI_ZERO_CELSIUS 273.15                               /* K */
#define POYI_ROOM_TEMPERATURE 293.15                           /* K: the default wherever a temperature is not given */
#define POYI_AMAGAT (POYI_ATM / (POYI_KB * POYI_ZERO_CELSIUS)) /* ideal gas at 0 degC and 1 atm, 1/m^3 */

#endif
