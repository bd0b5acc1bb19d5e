# The libraries that the system provides; scripts/setup.sh installs them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(FFTWF REQUIRED IMPORTED_TARGET fftw3f)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
find_path(SLEEF_INCLUDE_DIR sleef.h REQUIRED)
find_library(SLEEF_LIBRARY sleef REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
find_library(HDF5_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl HINTS ${HDF5_LIBRARY_DIRS} REQUIRED) # dimension scales
find_package(Threads REQUIRED)
if(POY_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS C)
endif()

# What every object of the library sees, and what a link of it needs.
add_library(poy_build INTERFACE)
target_include_directories(poy_build INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_include_directories(poy_build SYSTEM INTERFACE ${SLEEF_INCLUDE_DIR} ${TOMLPLUSPLUS_INCLUDE_DIR})
target_link_libraries(poy_build INTERFACE PkgConfig::FFTW PkgConfig::FFTWF PkgConfig::OPENBLAS PkgConfig::HDF5
  PkgConfig::NETTLE ${HDF5_HL_LIBRARY} ${SLEEF_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
if(POY_OPENMP)
  target_link_libraries(poy_build INTERFACE OpenMP::OpenMP_C)
endif()
