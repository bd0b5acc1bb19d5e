/* dialect.h: lets one kernel body compile as C17, OpenCL C 1.2 and CUDA C.
 *
 * A kernel is POY_KERNEL name(POY_RANGE, pointers and values) with one loop, POY_FOR (i). In C the caller says which
 * part of the elements it wants (begin, end), so that threads are its business and the loop stays plain and vectorised;
 * on a device each work item walks its share of n. Bodies call the r_ and t_ helpers of dtype.h and nothing else,
 * declare their variables inside the loop, include no headers, and know no size_t, no recursion, no function pointers
 * and no double literals where single precision is meant: (real)0.5.
 * clang's front end for OpenCL defines __OPENCL_C_VERSION__ only. */
#ifndef POYI_DIALECT_H
#define POYI_DIALECT_H

#if defined(__OPENCL_C_VERSION__)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef long poy_index;
#define POY_KERNEL __kernel void
#define POY_GLOBAL __global
#define POY_INLINE static inline
#define POY_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define POY_RANGE poy_index n
#define POY_FOR(i) for (poy_index i = (poy_index)get_global_id(0); i < n; i += (poy_index)get_global_size(0))

#elif defined(__CUDACC__)
typedef long long poy_index;
#define POY_KERNEL extern "C" __global__ void
#define POY_GLOBAL
#define POY_INLINE static __device__ inline
#define POY_ALIGNED(bytes) __align__(bytes) /* one load for a pair instead of two */
#define POY_RANGE poy_index n
#define POY_FOR(i) \
    for (poy_index i = (poy_index)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (poy_index)gridDim.x * blockDim.x)

#else
#include <math.h>
#include <stddef.h>
#include <stdint.h>
typedef int64_t poy_index;
/* Inlined where it is called: strides that are constants there make loops of their own. */
#define POY_KERNEL static inline __attribute__((always_inline)) void
#define POY_GLOBAL
#define POY_INLINE static inline __attribute__((always_inline))
#define POY_ALIGNED(bytes) /* host arrays come from others, aligned as their parts are */
#define POY_RANGE poy_index begin, poy_index end
#define POY_FOR(i) _Pragma("omp simd") for (poy_index i = begin; i < end; i++)
#endif

#endif
