// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fovea {

/// A file that takes the place of `path` when it is whole, or never: writes a temporary file beside it
/// (`path.tmp-<process>-<n>`); commit() fsyncs it, renames it over `path` and fsyncs the folder. Killed at any moment,
/// it leaves the old file or the new one whole; a failure (full disk, missing folder, no permission), or destruction
/// without commit(), leaves the old file and no temporary one. A symbolic link is followed, and the permissions of a
/// replaced file are kept. Every failure is an InputError with the system's reason.
class AtomicFile {
 public:
  /// Refuses to replace what is not a regular file (a folder, a device).
  explicit AtomicFile(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  ~AtomicFile();

  void append(std::string_view bytes);
  void commit();

 private:
  class TemporaryFile;
  std::unique_ptr<TemporaryFile> file_;
};

/// Replaces the file `path` by the concatenation of `pieces`, as AtomicFile does.
void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace fovea
