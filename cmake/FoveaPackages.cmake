# SPDX-License-Identifier: Apache-2.0
# Packages of what `cmake --install` lays out: fovea (the program) and libfovea-dev (the library) for Debian, and both in
# one tar file. scripts/package.sh makes and checks them.
set(doc_folder ${PROJECT_BINARY_DIR}/packages)
set(maintainer "The Fovea contributors <fovea@example.org>")

# Debian wants its copyright format and a changelog of its own; both name the version that is built.
file(WRITE ${doc_folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Fovea

Files: *
Copyright: 2026 The Fovea contributors
License: Apache-2.0
 On Debian systems, the full text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
string(TIMESTAMP built "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(package fovea libfovea-dev)
  file(WRITE ${doc_folder}/${package}.changelog "${package} (${PROJECT_VERSION}) unstable; urgency=low

  * Built from source; the project's CHANGELOG.md tells what is new.

 -- ${maintainer}  ${built}
")
endforeach()
# For Debian's packages alone, not for every installation. gzip --no-name leaves the time out.
install(CODE "execute_process(COMMAND gzip -9 --no-name --force --keep ${doc_folder}/fovea.changelog
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program EXCLUDE_FROM_ALL)
install(CODE "execute_process(COMMAND gzip -9 --no-name --force --keep ${doc_folder}/libfovea-dev.changelog
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT development EXCLUDE_FROM_ALL)
install(FILES ${doc_folder}/fovea.changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fovea RENAME changelog.gz
        COMPONENT program EXCLUDE_FROM_ALL)
install(FILES ${doc_folder}/libfovea-dev.changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libfovea-dev
        RENAME changelog.gz COMPONENT development EXCLUDE_FROM_ALL)
install(FILES ${doc_folder}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fovea COMPONENT program EXCLUDE_FROM_ALL)
install(FILES ${doc_folder}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libfovea-dev COMPONENT development EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME fovea)
set(CPACK_PACKAGE_VENDOR "The Fovea contributors")
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DIRECTORY ${doc_folder})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/CompressManuals.cmake)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fovea)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Tags text, solves graphical models under a deadline, links and deduplicates
records, finds loop invariants and fits models with factors of one's own, by
sampling where it changes the answer.")

# A program that links the library compiles against the headers of these packages.
file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/packages.txt build_packages REGEX "^build .*-dev$")
list(TRANSFORM build_packages REPLACE "^build " "")
string(REPLACE ";" ", " build_packages "${build_packages}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libfovea-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${build_packages}, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Static libraries and headers of Fovea, for find_package(Fovea): taggers,
discrete graphical models, record linkage, rules and invariants, and
posteriors with factors of one's own.")
include(CPack)
