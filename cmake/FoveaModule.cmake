# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)

# Developer builds fail on any warning; users' builds never do.
function(fovea_warnings target)
  if(FOVEA_DEVELOPER_MODE)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
  endif()
endfunction()

# fovea_module(<name> DEPENDS <modules...> PRIVATE <packages...> PUBLIC <packages...>)
# One folder, one target: fovea_<name> (alias fovea::<name>) from the folder's *.cc, and, in developer mode, one test
# binary fovea_<name>_test from its *_test.cc.
function(fovea_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PRIVATE;PUBLIC;TEST" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$")
  list(TRANSFORM arg_DEPENDS PREPEND fovea_)
  if(sources)
    add_library(fovea_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(fovea_${name} PRIVATE ${arg_PRIVATE})
    fovea_warnings(fovea_${name})
  else()
    add_library(fovea_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(fovea::${name} ALIAS fovea_${name})
  target_compile_features(fovea_${name} ${scope} cxx_std_20)
  target_include_directories(fovea_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                    $<INSTALL_INTERFACE:include>)
  target_link_libraries(fovea_${name} ${scope} ${arg_DEPENDS} ${arg_PUBLIC})
  set_target_properties(fovea_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY FOVEA_MODULES ${name})
  if(FOVEA_DEVELOPER_MODE AND tests)
    add_executable(fovea_${name}_test ${tests})
    target_link_libraries(fovea_${name}_test PRIVATE fovea_${name} ${arg_TEST} ${arg_PRIVATE} GTest::gtest_main
                                                     fovea_test_support)
    fovea_warnings(fovea_${name}_test)
    gtest_discover_tests(fovea_${name}_test TEST_PREFIX ${name}. PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
