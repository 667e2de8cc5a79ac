# SPDX-License-Identifier: Apache-2.0
# Run by CPack on what it is about to pack: Debian wants manual pages compressed, without the time.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1")
if(pages)
  execute_process(COMMAND gzip -9 --no-name --force ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
