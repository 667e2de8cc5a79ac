// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "fovea/base/error.h"
#include "fovea/base/temporary_file.h"

namespace fovea {
namespace {

std::filesystem::path follow_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path(path) : real;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) {
  const std::filesystem::path target = follow_links(path);
  struct stat old = {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (path.empty() || (exists && !S_ISREG(old.st_mode)))
    throw InputError({.file = path}, "is not a regular file and cannot be replaced", "Name a file to write");
  file_ = std::make_unique<TemporaryFile>(path, target.string());
  // Best effort: a file system without permissions still takes the file.
  if (exists && ::fchmod(file_->descriptor(), old.st_mode & 07777) != 0) errno = 0;
}

AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile::~AtomicFile() = default;

void AtomicFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_->descriptor(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) file_->fail("write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() { file_->replace_target(); }

void check_can_be_replaced(const std::string& path) { const AtomicFile file(path); }

void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces) {
  AtomicFile file(path);
  for (std::string_view piece : pieces) file.append(piece);
  file.commit();
}

}  // namespace fovea
