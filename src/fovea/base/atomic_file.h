// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fovea {

/// Replaces the file `path` by the concatenation of `pieces`, atomically: writes a temporary file beside it
/// (`path.tmp-<process>-<n>`), fsyncs it, renames it over `path` and fsyncs the folder. Killed at any moment, it leaves
/// the old file or the new one whole; a failure (full disk, missing folder, no permission) leaves the old file and no
/// temporary one. A symbolic link is followed, and the permissions of a replaced file are kept.
/// Throws InputError with the system's reason. Refuses to replace what is not a regular file (a folder, a device).
void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace fovea
