# poy_test(<name> <source> [SHARED] [LABELS ...] [ARGS ...]): one test program and its ctest entry. It links the static
# library, where internal names are visible; with SHARED the shared one, as a user would. Exit 77 = skipped.
function(poy_test name source)
  cmake_parse_arguments(ARG "SHARED" "TIMEOUT" "LABELS;ARGS" ${ARGN})
  if(NOT TARGET ${name})
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${name} PRIVATE POY_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests")
    if(ARG_SHARED)
      target_link_libraries(${name} PRIVATE poynting m)
    else()
      target_link_libraries(${name} PRIVATE poynting_static)
    endif()
  endif()
  poy_test_case(${name} ${name} LABELS ${ARG_LABELS} ARGS ${ARG_ARGS} TIMEOUT ${ARG_TIMEOUT})
endfunction()

# poy_test_case(<ctest name> <program> [LABELS ...] [ARGS ...] [TIMEOUT s]): one more ctest entry of a test program.
function(poy_test_case case program)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;ARGS" ${ARGN})
  add_test(NAME ${case} COMMAND ${program} ${ARG_ARGS})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${case} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/cache) # FFT plans: not the user's
endfunction()

# poy_pytest(<ctest name> <file.py> [LABELS ...] [TIMEOUT s]): Python tests of the installed surface. They find the command
# as $POYNTING and the sources as $POY_SOURCE_DIR. The interpreter is that of scripts/setup.sh --tests; without
# pytest in it the entry is shown as skipped.
function(poy_pytest case file)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS" ${ARGN})
  add_test(NAME ${case} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/pytest.sh ${POY_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  set_tests_properties(${case} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${ARG_TIMEOUT} LABELS "python;${ARG_LABELS}"
    ENVIRONMENT "POYNTING=$<TARGET_FILE:poynting_cli>;POY_SOURCE_DIR=${PROJECT_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1")
endfunction()

if(EXISTS ${PROJECT_SOURCE_DIR}/build/venv/bin/python3)
  set(POY_PYTHON ${PROJECT_SOURCE_DIR}/build/venv/bin/python3)
else()
  find_program(POY_PYTHON python3 REQUIRED)
endif()
