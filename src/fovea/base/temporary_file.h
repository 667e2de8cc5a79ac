// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace fovea {

/// A new file next to `target` (`target.tmp-<host><random>`, both hexadecimal), which vanishes unless it is moved into
/// the place of `target`. A file that another process writes, or a planted link, is never opened. The file is locked as
/// long as it exists. Files of processes that were killed on this host are no longer locked; they are removed when the
/// next file for the same target is made.
class TemporaryFile {
 public:
  /// `wanted`: the target as the user gave it, for messages. Throws InputError with the system's reason.
  TemporaryFile(std::string wanted, std::string target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::string& name() const { return name_; }
  /// Descriptor of the file, open for writing.
  int descriptor() const { return descriptor_; }

  /// Makes the contents durable and replaces the target, durably too. Throws InputError.
  void replace_target();
  /// The same, unless the target exists by now: then it stays as it is, and the result is false.
  bool become_target();

  [[noreturn]] void fail(const char* action, int error) const;

 private:
  void open_new();
  void sync() const;
  void settle();

  std::string wanted_, target_, name_;
  std::size_t slot_;
  int descriptor_ = -1;
};

/// Removes the temporary files of this process. Async-signal-safe; for processes that end without running destructors.
void remove_temporary_files() noexcept;

}  // namespace fovea
