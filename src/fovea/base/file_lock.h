// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fovea {

/// The right to write `path`, which one process at a time has: a lock on `path`.lock, which is there as long as the
/// lock is held. Where file systems have no locks, everybody has the right.
class FileLock {
 public:
  /// Throws InputError if another process holds the lock, or if the file cannot be made.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;

 private:
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace fovea
