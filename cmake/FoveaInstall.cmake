# SPDX-License-Identifier: Apache-2.0
# `cmake --install` lays out the program with man pages and completion, the library and the header of every module
# except the command line, and the files behind find_package(Fovea) (targets fovea::<module>, and fovea::fovea for all
# of them).
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY FOVEA_MODULES)
list(REMOVE_ITEM modules cli)

add_library(fovea_fovea INTERFACE)
add_library(fovea::fovea ALIAS fovea_fovea)
set_target_properties(fovea_fovea PROPERTIES EXPORT_NAME fovea)
foreach(module ${modules})
  target_link_libraries(fovea_fovea INTERFACE fovea_${module})
  install(TARGETS fovea_${module} EXPORT FoveaTargets ARCHIVE COMPONENT development)
endforeach()
install(TARGETS fovea_fovea EXPORT FoveaTargets COMPONENT development)

# The headers are made at installation, so that a change to one does not configure the build again.
install(CODE "
  set(FOVEA_SOURCE \"${PROJECT_SOURCE_DIR}/src\")
  set(FOVEA_HEADERS \"${PROJECT_BINARY_DIR}/include/fovea\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/FoveaHeaders.cmake\")" COMPONENT development)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/fovea DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")

if(TARGET fovea)
  install(TARGETS fovea COMPONENT program)
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES completions/fovea.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME fovea
          COMPONENT program)
  install(FILES completions/_fovea DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
  install(FILES completions/fovea.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Fovea)
install(EXPORT FoveaTargets NAMESPACE fovea:: DESTINATION ${package_folder} COMPONENT development)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FoveaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FoveaConfig.cmake cmake/FoveaDependencies.cmake ${PROJECT_BINARY_DIR}/FoveaConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT development)
# In no component that Debian's packages hold: these name the text that Debian has.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT license)

if(PROJECT_IS_TOP_LEVEL)
  include(FoveaPackages)
endif()
