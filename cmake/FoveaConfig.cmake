# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/FoveaDependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/FoveaTargets.cmake)
