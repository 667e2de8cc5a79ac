# SPDX-License-Identifier: Apache-2.0
# Finds every third-party package. docs/design/dependencies.md says why each was chosen.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(PNG REQUIRED)
find_package(EXPAT REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tsl-robin-map REQUIRED)
find_package(Boost REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(z3 REQUIRED IMPORTED_TARGET z3)
find_path(PCG_INCLUDE_DIR pcg_random.hpp REQUIRED)

# BLIS comes without a package description. Of Debian's builds we take the serial one, since our threads call it.
find_path(BLIS_INCLUDE_DIR cblas.h PATH_SUFFIXES blis-serial blis REQUIRED NO_DEFAULT_PATH
          PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} /usr/include /usr/local/include)
find_library(BLIS_LIBRARY blis PATH_SUFFIXES blis-serial REQUIRED)
if(NOT TARGET Fovea::blis)
  add_library(Fovea::blis INTERFACE IMPORTED)
  target_include_directories(Fovea::blis INTERFACE ${BLIS_INCLUDE_DIR})
  target_link_libraries(Fovea::blis INTERFACE ${BLIS_LIBRARY})
endif()

# The installed FoveaConfig.cmake includes this file; users of the library need only the packages above.
if(CMAKE_FIND_PACKAGE_NAME STREQUAL "Fovea")
  return()
endif()

find_package(CLI11 REQUIRED)
if(FOVEA_DEVELOPER_MODE)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
  find_package(rapidcheck REQUIRED)
  pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET hdf5)
endif()
