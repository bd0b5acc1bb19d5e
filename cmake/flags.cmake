# Language, warnings, the floating-point licence, sanitizers: the same for every target.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(POY_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wvla -Wundef -Wcast-qual)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND POY_WARNINGS -Wdouble-promotion) # float to double by mistake; clang means long double by it, too
endif()
set(POY_WARNINGS_C -Wstrict-prototypes -Werror=missing-prototypes)
# The same licence everywhere: products and sums may contract to FMAs, nothing else may change a value.
set(POY_FLOATING -ffp-contract=fast -fno-math-errno -fno-trapping-math)
# Code that lives by exact rounding. Vectorised code is excluded too: gcc 12 forms FMAs in its vectoriser
# in spite of -ffp-contract=off.
set(POY_FLOATING_STRICT -ffp-contract=off -fno-tree-vectorize -fno-tree-slp-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND POY_FLOATING_STRICT -mno-fma)
endif()

add_compile_options(${POY_WARNINGS} "$<$<COMPILE_LANGUAGE:C>:${POY_WARNINGS_C}>" ${POY_FLOATING} -fopenmp-simd)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-pass-failed) # loops over pairs of floats: clang 14 cannot vectorise them
endif()
if(POY_WERROR)
  add_compile_options(-Werror)
endif()
if(NOT POY_OPENMP)
  add_compile_options(-Wno-unknown-pragmas) # the omp pragmas that need the run time
endif()
if(POY_SANITIZE)
  add_compile_options(-fsanitize=${POY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${POY_SANITIZE})
  foreach(language C CXX) # instrumented code takes several times as long to optimise, and is no faster for it
    set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
  endforeach()
endif()
if(POY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link) # coverage; the targets link libFuzzer itself
endif()
