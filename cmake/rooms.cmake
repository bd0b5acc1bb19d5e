# poy_room(file...): the sources of a folder of src/, compiled once.
function(poy_room)
  foreach(file ${ARGN})
    target_sources(poy_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
endfunction()

# poy_strict(file...): the same for sources that live by exact rounding (<name>_strict.c, the reference).
function(poy_strict)
  foreach(file ${ARGN})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    string(MAKE_C_IDENTIFIER ${name} name)
    poy_kernels(${name} ${file} STRICT)
  endforeach()
endfunction()

# poy_kernels(<name> <source> [STRICT] [DTYPES 0 1 ...] [FLAGS ...]): one more object of a source, for each dtype
# named (POY_DTYPE = value of poy_dtype), with its own flags.
function(poy_kernels name source)
  cmake_parse_arguments(ARG "STRICT" "" "DTYPES;FLAGS" ${ARGN})
  if(POY_SANITIZE)
    list(TRANSFORM ARG_FLAGS REPLACE "^-O3$" "-O2") # see flags.cmake
  endif()
  if(NOT DEFINED ARG_DTYPES)
    set(ARG_DTYPES none)
  endif()
  foreach(dtype ${ARG_DTYPES})
    set(objects poy_${name}_${dtype})
    add_library(${objects} OBJECT ${source})
    target_link_libraries(${objects} PRIVATE poy_build)
    if(NOT dtype STREQUAL none)
      target_compile_definitions(${objects} PRIVATE POY_DTYPE=${dtype})
    endif()
    if(ARG_STRICT)
      target_compile_options(${objects} PRIVATE ${POY_FLOATING_STRICT})
    endif()
    target_compile_options(${objects} PRIVATE ${ARG_FLAGS})
    set_property(GLOBAL APPEND PROPERTY POY_KERNEL_OBJECTS $<TARGET_OBJECTS:${objects}>)
    if(ARG_STRICT) # for the test that looks for fused multiply-adds
      set_property(GLOBAL APPEND PROPERTY POY_STRICT_OBJECTS $<TARGET_OBJECTS:${objects}>)
    elseif("-mfma" IN_LIST ARG_FLAGS)
      set_property(GLOBAL APPEND PROPERTY POY_AVX2_OBJECTS $<TARGET_OBJECTS:${objects}>)
    endif()
  endforeach()
endfunction()

# poy_simd(<name> <source> [DTYPES ...]): poy_kernels for each instruction set of this processor family.
# The source sees POY_ISA (base, avx2) and pastes it into its exported names.
function(poy_simd name source)
  poy_kernels(${name}_base ${source} FLAGS -DPOY_ISA=base ${ARGN})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    poy_kernels(${name}_avx2 ${source} FLAGS -DPOY_ISA=avx2 -mavx2 -mfma ${ARGN})
  endif()
endfunction()
