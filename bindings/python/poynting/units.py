"""Multipliers to SI: 800 * units.nm."""
m, cm, mm, um, nm, pm = 1.0, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12
s, ms, us, ns, ps, fs, as_ = 1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-18
J, mJ, uJ, nJ, pJ = 1.0, 1e-3, 1e-6, 1e-9, 1e-12
W, kW, MW, GW, TW = 1.0, 1e3, 1e6, 1e9, 1e12
Pa, hPa, kPa, mbar, bar = 1.0, 1e2, 1e3, 1e2, 1e5
Hz, kHz, MHz, GHz, THz, PHz = 1.0, 1e3, 1e6, 1e9, 1e12, 1e15
eV = 1.602176634e-19
