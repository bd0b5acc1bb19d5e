/* simd.h: names of functions that are compiled per instruction set, and the choice among the sets. */
#ifndef POYI_WAVES_SIMD_H
#define POYI_WAVES_SIMD_H

#define POYI_PASTE_(isa, name) poyi_waves_##isa##_##name
#define POYI_PASTE(isa, name) POYI_PASTE_(isa, name)
#ifdef POY_ISA
#define POYI_ISA_NAME(name) POYI_PASTE(POY_ISA, name)
#endif

#endif
