# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# Under sanitizers, modules whose own code, or whose tests, take longer to optimise than to run.
set(FOVEA_QUICK_LIBRARIES cli)
set(FOVEA_QUICK_TESTS base cli gestures io optimize regress synthesis tagging)

# fovea_precompile(<target> <group> <headers...>)
# Reads these headers once for all targets of the group: they cost more than most of the code that includes them. Every
# file still names what it uses: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DFOVEA_BATCHES=OFF shows it.
function(fovea_precompile target group)
  get_property(owner GLOBAL PROPERTY FOVEA_PRECOMPILED_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY FOVEA_PRECOMPILED_${group} ${target})
  endif()
endfunction()

# fovea_batch(<target>)
# Compiles the files of a folder together, tests apart: a third of a file's time goes to what others include and
# instantiate too. The cut is the same in every preset, so that names in anonymous namespaces need to differ within a folder
# and nowhere else. Those that compile themselves once for each instruction set (Highway's foreach_target.h) stay alone.
# Without FOVEA_BATCHES each file is compiled alone.
function(fovea_batch target)
  if(NOT FOVEA_BATCHES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} many_targets REGEX "foreach_target\\.h" LIMIT_COUNT 1)
    if(NOT many_targets)
      get_filename_component(path ${source} ABSOLUTE)
      get_filename_component(folder ${path} DIRECTORY)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# fovea_read_modules(<document>)
# Reads the table of modules, which tools/check_includes.py enforces: FOVEA_MODULES lists them from the bottom up,
# FOVEA_DEPENDS_<module> what each may include and so links.
function(fovea_read_modules document)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${document})
  file(STRINGS ${document} rows REGEX "^\\| `[a-z]+` \\|.*\\|$")
  set(modules)
  foreach(row ${rows})
    string(REGEX MATCH "^\\| `([a-z]+)` \\|" matched "${row}")
    set(module ${CMAKE_MATCH_1})
    string(REGEX MATCH "\\| ([^|]*) \\|$" matched "${row}")
    string(REPLACE ", " ";" depends "${CMAKE_MATCH_1}")
    if(depends STREQUAL "-")
      set(depends)
    elseif(depends STREQUAL "all above")
      set(depends ${modules})
    endif()
    set_property(GLOBAL PROPERTY FOVEA_DEPENDS_${module} ${depends})
    list(APPEND modules ${module})
  endforeach()
  set_property(GLOBAL PROPERTY FOVEA_MODULES ${modules})
endfunction()

# fovea_module(<name> PRIVATE <packages...> PUBLIC <packages...> TEST <packages...>)
# One folder, one target: fovea_<name> (alias fovea::<name>) from the *.cc in it and below it, linked with the modules
# that the table of modules names, and, in developer mode, one test binary fovea_<name>_test from its *_test.cc and one
# benchmark fovea_<name>_bench (not in `all`) from its *_bench.cc. A main.cc is left to the module's own CMakeLists.txt.
function(fovea_module name)
  cmake_parse_arguments(arg "" "" "PRIVATE;PUBLIC;TEST" ${ARGN})
  get_property(depends GLOBAL PROPERTY FOVEA_DEPENDS_${name})
  list(TRANSFORM depends PREPEND fovea_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$|/main\\.cc$")
  if(sources)
    add_library(fovea_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(fovea_${name} PRIVATE ${arg_PRIVATE})
    fovea_warnings(fovea_${name})
    fovea_batch(fovea_${name})
    set(group library)
    if(name IN_LIST FOVEA_QUICK_LIBRARIES)
      target_compile_options(fovea_${name} PRIVATE $<$<CONFIG:Sanitize>:-O0>)
      set(group quick_library)  # precompiled headers are of one optimisation
    endif()
    fovea_precompile(fovea_${name} ${group} <fmt/format.h> <algorithm> <cmath> <functional> <memory> <numeric>
                     <optional> <span> <string> <string_view> <vector>)
  else()
    add_library(fovea_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(fovea::${name} ALIAS fovea_${name})
  target_compile_features(fovea_${name} ${scope} cxx_std_20)
  target_include_directories(fovea_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(fovea_${name} ${scope} ${depends} ${arg_PUBLIC})
  set_target_properties(fovea_${name} PROPERTIES EXPORT_NAME ${name})
  if(FOVEA_DEVELOPER_MODE AND tests)
    fovea_unit_test(fovea_${name}_test ${name} SOURCES ${tests} LIBRARIES fovea_${name} ${arg_TEST} ${arg_PRIVATE})
  endif()
  if(FOVEA_DEVELOPER_MODE AND benches)
    add_executable(fovea_${name}_bench EXCLUDE_FROM_ALL ${benches})
    target_link_libraries(fovea_${name}_bench PRIVATE fovea_${name} ${arg_PRIVATE} benchmark::benchmark_main
                                                      fovea_test_support)
    fovea_warnings(fovea_${name}_bench)
  endif()
endfunction()

# fovea_unit_test(<target> <prefix> SOURCES <files...> LIBRARIES <targets...>)
# A GoogleTest program; each of its tests is one ctest named <prefix>.<Suite>.<Test> with the label `unit`.
function(fovea_unit_test target prefix)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} GTest::gtest_main GTest::gmock PkgConfig::hwy
                                          fovea_test_support)
  add_dependencies(unit_tests ${target})
  fovea_warnings(${target})
  fovea_batch(${target})
  # What is tested is optimised in its own module; the tests' own code is run once, so it pays to compile it quickly.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  set(group test)
  if(prefix IN_LIST FOVEA_QUICK_TESTS)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Sanitize>:-O0>)
    set(group quick_test)
  endif()
  fovea_precompile(${target} ${group} <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)
  gtest_discover_tests(${target} TEST_PREFIX ${prefix}. NO_PRETTY_VALUES PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
endfunction()
