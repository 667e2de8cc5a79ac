# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMPILER=... -DINCLUDE=... -DSOURCE=... -P compile_fail.cmake
function(compile misuse)
  execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} -DFOVEA_MISUSE=${misuse} ${SOURCE}
                  RESULT_VARIABLE status OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
  set(status ${status} PARENT_SCOPE)
  set(messages "${messages}" PARENT_SCOPE)
endfunction()

file(STRINGS ${SOURCE} pattern REGEX "^// refused: ")
string(REPLACE "// refused: " "" pattern "${pattern}")
if(pattern STREQUAL "")
  message(FATAL_ERROR "${SOURCE} has no line `// refused: PATTERN`")
endif()

compile(0)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must compile without its misuse:\n${messages}")
endif()
compile(1)
if(status EQUAL 0)
  message(FATAL_ERROR "misuse-accepted: ${SOURCE} compiles but must not")
endif()
if(NOT messages MATCHES "${pattern}")
  message(FATAL_ERROR "${SOURCE} is refused for another reason than `${pattern}`:\n${messages}")
endif()
