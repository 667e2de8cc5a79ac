// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "fovea/base/error.h"

namespace fovea {
namespace {

/// Makes the rename durable. File systems that cannot sync a folder return EINVAL; nothing more can be done there.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

constexpr std::string_view kMark = ".tmp-";
constexpr std::size_t kHexDigits = 8;  // digits of a name's host, and of its random part

/// Distinguishes hosts that share a folder: a file is dead if nobody on its host locks it, and other hosts cannot tell.
std::string host_mark() {
  std::array<char, 256> name = {};
  (void)::gethostname(name.data(), name.size() - 1);
  return fmt::format("{:08x}", static_cast<std::uint32_t>(XXH3_64bits(name.data(), ::strlen(name.data()))));
}

std::string new_name(const std::string& target) {
  std::uint32_t number = 0;
  if (::getrandom(&number, sizeof(number), 0) != sizeof(number)) {
    static std::atomic<std::uint32_t> count = 0;
    number = static_cast<std::uint32_t>(::getpid()) * 65599U + ++count;  // good enough: O_EXCL does the rest
  }
  return fmt::format("{}{}{}{:08x}", target, kMark, host_mark(), number);
}

/// Removes the temporary files that killed processes of this host left when they tried to write `target`.
void remove_dead(const std::string& target) {
  const std::filesystem::path path(target), folder = path.parent_path();
  const std::string start = path.filename().string() + std::string(kMark) + host_mark();
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder.empty() ? "." : folder, error), end; !error && file != end;
       file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (name.size() != start.size() + kHexDigits || !name.starts_with(start)) continue;
    const int descriptor = ::open(file->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(file->path().c_str());
    ::close(descriptor);
  }
}

/// Names of temporary files where a signal handler can read them: it may neither lock nor allocate.
struct Remembered {
  enum State { kFree, kBusy, kKept };
  std::atomic<int> state = kFree;
  std::array<char, 4096> name = {};
};
std::array<Remembered, 16> remembered;

constexpr std::size_t kNoSlot = remembered.size();

/// Stores a name and returns its slot, or kNoSlot if there is room for no more: the file is still removed, except when
/// the process ends without running destructors.
std::size_t remember(const std::string& name) {
  for (std::size_t i = 0; i < remembered.size(); ++i) {
    Remembered& slot = remembered[i];
    int free = Remembered::kFree;
    if (name.size() >= slot.name.size() || !slot.state.compare_exchange_strong(free, Remembered::kBusy)) continue;
    slot.name[name.copy(slot.name.data(), name.size())] = '\0';
    slot.state = Remembered::kKept;
    return i;
  }
  return kNoSlot;
}

void forget(std::size_t slot) {
  if (slot != kNoSlot) remembered[slot].state = Remembered::kFree;
}

}  // namespace

TemporaryFile::TemporaryFile(std::string wanted, std::string target)
    : wanted_(std::move(wanted)), target_(std::move(target)), slot_(kNoSlot) {
  remove_dead(target_);
  while (descriptor_ < 0) open_new();
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
  forget(slot_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

/// Makes one attempt: another process that finds the file before it is locked may take it for a dead one, lock it
/// itself and then remove it.
void TemporaryFile::open_new() {
  name_ = new_name(target_);
  slot_ = remember(name_);
  descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    const int error = errno;
    name_.clear();
    forget(std::exchange(slot_, kNoSlot));
    if (error == EEXIST) return;
    fail("create a file next to it", error);
  }
  struct stat status = {};
  // On file systems without locks nobody can lock it, so nobody takes it for dead.
  const bool is_taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!is_taken && ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return;
  ::close(std::exchange(descriptor_, -1));
  forget(std::exchange(slot_, kNoSlot));
}

void TemporaryFile::fail(const char* action, int error) const {
  throw InputError({.file = wanted_}, fmt::format("cannot {}: {}", action, std::generic_category().message(error)),
                   error == ENOSPC || error == EDQUOT || error == EFBIG
                       ? "Free some space or write elsewhere; nothing was replaced"
                       : "Check the folder and its permissions; nothing was replaced");
}

void TemporaryFile::sync() const {
  if (::fsync(descriptor_) != 0) fail("write", errno);
}

void TemporaryFile::settle() {
  forget(std::exchange(slot_, kNoSlot));
  name_.clear();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("write", errno);
  const std::filesystem::path folder = std::filesystem::path(target_).parent_path();
  sync_folder(folder.empty() ? "." : folder);
}

void TemporaryFile::replace_target() {
  sync();
  if (::rename(name_.c_str(), target_.c_str()) != 0) fail("replace", errno);
  settle();
}

bool TemporaryFile::become_target() {
  sync();
  if (::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) return false;
    if (errno != EINVAL && errno != ENOSYS) fail("create", errno);
    if (::link(name_.c_str(), target_.c_str()) != 0) {  // the file system does not support such a rename
      if (errno == EEXIST) return false;
      fail("create", errno);
    }
    ::unlink(name_.c_str());
  }
  settle();
  return true;
}

void remove_temporary_files() noexcept {
  for (Remembered& slot : remembered)
    if (slot.state == Remembered::kKept) ::unlink(slot.name.data());
}

}  // namespace fovea
