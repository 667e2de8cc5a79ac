// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/codec.h"

namespace fovea::io {
namespace {

bool is_written_in_place(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

[[noreturn]] void refuse(const std::string& name, std::string_view action, int error) {
  throw InputError({.file = name}, fmt::format("cannot {}: {}", action, std::generic_category().message(error)));
}

}  // namespace

/// Destination of the bytes: an unfinished file, memory or a descriptor, with an optional encoder in front of it.
struct OutputFile::State {
  std::string name;
  std::optional<AtomicFile> file;
  std::string* memory = nullptr;
  int descriptor = -1;
  bool owns_descriptor = false;
  std::unique_ptr<Codec> encoder;

  explicit State(std::string* bytes) : memory(bytes) {}
  explicit State(const std::string& path) : name(path) {
    if (path.empty() || path == "-") {
      name = "<stdout>";
      descriptor = STDOUT_FILENO;
    } else if (is_written_in_place(path)) {
      descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor < 0) refuse(name, "open", errno);
      owns_descriptor = true;
    } else {
      file.emplace(path);
      if (const Compression compression = compression_of_name(path); compression != Compression::kNone)
        encoder = make_encoder(compression);
    }
  }
  ~State() {
    if (owns_descriptor) ::close(descriptor);
  }

  void write_raw(std::string_view bytes) {
    if (file) return file->append(bytes);
    if (memory != nullptr) {
      memory->append(bytes);
      return;
    }
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno == EPIPE) throw OutputClosed();
      if (written < 0) refuse(name, "write", errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void write(std::string_view bytes, bool finish) {
    if (encoder == nullptr) return write_raw(bytes);
    std::array<char, 1 << 14> packed;
    while (!bytes.empty() || (finish && !encoder->is_complete())) {
      std::span<char> free = packed;
      encoder->run(bytes, free, finish);
      write_raw({packed.data(), packed.size() - free.size()});
    }
  }
};

OutputFile::OutputFile(const std::string& path) : state_(std::make_unique<State>(path)) {}
OutputFile::OutputFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;

OutputFile OutputFile::to_memory(std::string& bytes) { return OutputFile(std::make_unique<State>(&bytes)); }

OutputFile::~OutputFile() {
  if (state_ == nullptr || state_->file) return;
  try {
    flush();
  } catch (const std::exception&) {
    // The user gets the message of the failure that prevented finish(), not of this one.
  }
}

void OutputFile::flush() {
  FOVEA_CHECK(state_ != nullptr);
  state_->write(std::exchange(buffer_, {}), false);
}

void OutputFile::write_through(std::string_view bytes) {
  flush();
  state_->write(bytes, false);
}

void OutputFile::finish() {
  FOVEA_CHECK(state_ != nullptr);
  const std::unique_ptr<State> state = std::move(state_);
  state->write(buffer_, true);
  if (state->file) state->file->commit();
}

}  // namespace fovea::io
