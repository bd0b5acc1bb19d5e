# make install: headers, library, command, pkg-config and CMake package files.
include(CMakePackageConfigHelpers)
# the command finds the library beside itself, wherever the tree is put
set_target_properties(poynting_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(TARGETS poynting EXPORT poynting LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS poynting_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/poynting DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT poynting NAMESPACE poynting:: FILE poyntingTargets.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poynting)
configure_package_config_file(cmake/poyntingConfig.cmake.in ${PROJECT_BINARY_DIR}/poyntingConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poynting)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/poyntingConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/poyntingConfig.cmake ${PROJECT_BINARY_DIR}/poyntingConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poynting)
# relative to the file itself, so that the tree may be moved or installed elsewhere than configured
file(RELATIVE_PATH POY_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" POY_PREFIX_FROM_PC "${POY_PREFIX_FROM_PC}")
configure_file(cmake/poynting.pc.in ${PROJECT_BINARY_DIR}/poynting.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/poynting.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
