// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "fovea/base/error.h"

namespace fovea {
namespace {

[[noreturn]] void fail(const std::string& path, std::string_view action, int error) {
  throw InputError({.file = path}, fmt::format("cannot {}: {}", action, std::generic_category().message(error)),
                   error == ENOSPC || error == EDQUOT || error == EFBIG
                       ? "Free some space or write elsewhere; nothing was replaced"
                       : "Check the folder and its permissions; nothing was replaced");
}

/// Makes the rename durable. File systems that cannot sync a folder say so with EINVAL; nothing more can be done there.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::filesystem::path follow_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path(path) : real;
}

}  // namespace

/// A temporary file that vanishes unless it is renamed into place.
class AtomicFile::TemporaryFile {
 public:
  TemporaryFile(std::string wanted, std::string target, mode_t mode)
      : wanted_(std::move(wanted)), target_(std::move(target)) {
    static std::atomic<unsigned> count = 0;
    name_ = fmt::format("{}.tmp-{}-{}", target_, ::getpid(), ++count);
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(wanted_, "create a file beside it", errno);
    // Best effort: a file system without permissions still takes the file.
    if (mode != 0 && ::fchmod(descriptor_, mode) != 0) errno = 0;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(wanted_, "write", errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void move_into_place() {
    if (::fsync(descriptor_) != 0) fail(wanted_, "write", errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(wanted_, "write", errno);
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail(wanted_, "replace", errno);
    name_.clear();
    const std::filesystem::path folder = std::filesystem::path(target_).parent_path();
    sync_folder(folder.empty() ? "." : folder);
  }

 private:
  std::string wanted_;  ///< the path as the user gave it, for messages
  std::string target_;  ///< the same with links followed
  std::string name_;
  int descriptor_ = -1;
};

AtomicFile::AtomicFile(const std::string& path) {
  const std::filesystem::path target = follow_links(path);
  struct stat old = {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (path.empty() || (exists && !S_ISREG(old.st_mode)))
    throw InputError({.file = path}, "is not a regular file and cannot be replaced", "Name a file to write");
  file_ = std::make_unique<TemporaryFile>(path, target.string(), exists ? old.st_mode & 07777 : 0);
}

AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile::~AtomicFile() = default;

void AtomicFile::append(std::string_view bytes) { file_->append(bytes); }
void AtomicFile::commit() { file_->move_into_place(); }

void write_file_atomically(const std::string& path, std::span<const std::string_view> pieces) {
  AtomicFile file(path);
  for (std::string_view piece : pieces) file.append(piece);
  file.commit();
}

}  // namespace fovea
