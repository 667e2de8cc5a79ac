// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "fovea/base/error.h"

namespace fovea {

FileLock::FileLock(const std::string& path) : name_(path + ".lock") {
  for (;;) {
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw InputError({.file = path}, fmt::format("cannot be locked: {}", std::generic_category().message(errno)),
                       "Check the folder and its permissions");
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor_);
      throw InputError({.file = path}, "another process is writing it", "End that one first, or name another file");
    }
    struct stat status = {};
    // The holder before may have removed the file between the two calls: then it locks nobody out.
    if (::fstat(descriptor_, &status) != 0 || status.st_nlink > 0) return;
    ::close(descriptor_);
  }
}

FileLock::~FileLock() {
  ::unlink(name_.c_str());
  ::close(descriptor_);
}

}  // namespace fovea
