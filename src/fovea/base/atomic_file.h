// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"

namespace fovea {

class TemporaryFile;

/// A file that takes the place of `path` once it is complete, or never. Writes a TemporaryFile next to `path`; commit()
/// fsyncs it, renames it over `path` and fsyncs the folder. If the process is killed at any moment, either the old file
/// or the new one remains, whole. A failure (full disk, missing folder, no permission), or destruction without
/// commit(), leaves the old file and no temporary one. A symbolic link is followed, and the permissions of a replaced
/// file are kept. Every failure is an InputError with the system's reason.
class AtomicFile {
 public:
  /// Refuses to replace what is not a regular file (a folder, a device).
  explicit AtomicFile(const std::string& path);
  AtomicFile(AtomicFile&&) noexcept;
  ~AtomicFile();

  void append(std::string_view bytes);
  void commit();

 private:
  std::unique_ptr<TemporaryFile> file_;
};

/// Throws at once what AtomicFile would throw, say for a folder that is missing or read-only. Leaves nothing behind.
void check_can_be_replaced(const std::string& path);

/// Replaces the file `path` by the concatenation of `pieces`, as AtomicFile does.
void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces);

/// Calls `save`, which writes a checkpoint. If that fails, calls `warn` and goes on: the job itself is worth more.
/// Without `warn` the InputError goes to the caller.
template <class Save>
void save_or_warn(const Save& save, const WarningFunction& warn) {
  try {
    save();
  } catch (const InputError& error) {
    if (!warn) throw;
    warn(std::string("no checkpoint was written, and the job goes on: ") + error.what());
  }
}

}  // namespace fovea
