# SPDX-License-Identifier: Apache-2.0
# Only developers of Fovea need this: sanitizers, warnings as errors, a compiler cache.
set(FOVEA_SANITIZE "" CACHE STRING "Sanitizers for all code, as in -fsanitize=: address,undefined or thread")

# The build type of the sanitizer presets has line numbers in reports and assertions, and is fast enough for every test.
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer")
if(FOVEA_SANITIZE)
  add_compile_options(-fsanitize=${FOVEA_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FOVEA_SANITIZE})
endif()
if(FOVEA_SANITIZE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-msse4.2 -maes -mpclmul)  # else one of the copies of vector code is a loop over each lane
endif()
if(FOVEA_SANITIZE MATCHES undefined)
  # Checking every sum of pointers doubles the time to compile vector code; what it would find, the address sanitizer does.
  add_compile_options(-fno-sanitize=pointer-overflow)
endif()
if(FOVEA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Developer builds fail on any warning; users' builds never do.
function(fovea_warnings target)
  if(FOVEA_DEVELOPER_MODE)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
  endif()
endfunction()

find_program(FOVEA_CCACHE ccache)
if(FOVEA_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The base directory lets checkouts in different places share entries; precompiled headers need the sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${FOVEA_CCACHE})
endif()
