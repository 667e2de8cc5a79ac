# SPDX-License-Identifier: Apache-2.0
# `cmake --install` runs this file. It writes one header for each module, fovea/<module>.h, and users may include only
# these.
#
# In the tree a front header, src/fovea/<module>.h, includes the public headers of its module. This file gathers all
# that the front headers include, directly or not, and joins the files of one module in the order in which they include
# each other. An include from another module becomes an include of that module's header. Modules do not include each
# other in circles, so neither do these headers.
#
# FOVEA_SOURCE: the folder src.  FOVEA_HEADERS: the folder to write to, which ends in `fovea`.

cmake_policy(VERSION 3.22)

# fovea_gather(<header>): appends the header (a path below FOVEA_SOURCE) to <module>_files, after all that it includes
# from its own module; the other modules that it includes to <module>_needs; and system headers to <module>_system.
function(fovea_gather header)
  get_property(known GLOBAL PROPERTY FOVEA_GATHERED)
  if(header IN_LIST known)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY FOVEA_GATHERED ${header})
  string(REGEX REPLACE "^fovea/([a-z]+)[/.].*$" "\\1" module ${header})
  file(STRINGS ${FOVEA_SOURCE}/${header} lines REGEX "^#include ")
  foreach(line ${lines})
    if(line MATCHES "^#include \"(fovea/([a-z]+)/.*)\"")
      set(other ${CMAKE_MATCH_2})
      fovea_gather(${CMAKE_MATCH_1})
      if(NOT other STREQUAL module)
        set_property(GLOBAL APPEND PROPERTY FOVEA_${module}_NEEDS ${other})
      endif()
    else()
      set_property(GLOBAL APPEND PROPERTY FOVEA_${module}_SYSTEM ${line})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY FOVEA_MODULES_WITH_HEADERS ${module})
  set_property(GLOBAL APPEND PROPERTY FOVEA_${module}_FILES ${header})
endfunction()

# fovea_join(<module>): writes the header of the module.
function(fovea_join module)
  foreach(what FILES NEEDS SYSTEM)
    get_property(${what} GLOBAL PROPERTY FOVEA_${module}_${what})
    list(REMOVE_DUPLICATES ${what})
  endforeach()
  list(SORT NEEDS)
  list(SORT SYSTEM)
  set(text "// SPDX-License-Identifier: Apache-2.0\n// Joined from the files named below. Change those, not this one.\n#pragma once\n\n")
  foreach(line ${SYSTEM})
    string(APPEND text "${line}\n")
  endforeach()
  string(APPEND text "\n")
  foreach(other ${NEEDS})
    string(APPEND text "#include \"fovea/${other}.h\"\n")
  endforeach()
  foreach(file ${FILES})
    file(READ ${FOVEA_SOURCE}/${file} content)
    string(REGEX REPLACE "(^|\n)// SPDX-License-Identifier:[^\n]*" "" content "${content}")
    string(REGEX REPLACE "(^|\n)#pragma once[^\n]*" "" content "${content}")
    string(REGEX REPLACE "(^|\n)#include [^\n]*" "" content "${content}")
    string(REGEX REPLACE "^\n+" "" content "${content}")
    string(APPEND text "\n// ---- ${file}\n\n${content}")
  endforeach()
  file(WRITE ${FOVEA_HEADERS}/${module}.h "${text}")
endfunction()

file(REMOVE_RECURSE ${FOVEA_HEADERS})  # of an earlier installation
file(GLOB fronts RELATIVE ${FOVEA_SOURCE} ${FOVEA_SOURCE}/fovea/*.h)
foreach(front ${fronts})
  fovea_gather(${front})
endforeach()
get_property(modules GLOBAL PROPERTY FOVEA_MODULES_WITH_HEADERS)
list(REMOVE_DUPLICATES modules)
foreach(module ${modules})
  fovea_join(${module})
endforeach()
