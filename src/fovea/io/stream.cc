// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "fovea/base/container.h"
#include "fovea/io/codec.h"

namespace fovea {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 16;

}  // namespace

/// A file descriptor, or bytes in memory (all of them read already), behind a decoder or none.
struct ByteSource::State {
  std::string name;
  int descriptor = -1;
  bool owns_descriptor = false;

  bool is_detected = false;
  std::unique_ptr<Codec> decoder;  // none: as it is
  std::vector<char> packed_buffer;
  std::string_view packed;  // read, but not yet unpacked or handed out
  bool has_ended = false;   // nothing follows `packed`

  ~State() {
    if (owns_descriptor) ::close(descriptor);
  }

  std::size_t read_raw(std::span<char> buffer) {
    for (;;) {
      const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR)
        throw InputError({.file = name}, fmt::format("cannot read: {}", std::generic_category().message(errno)));
    }
  }

  /// Reads until it is clear whether the data are packed.
  void detect() {
    is_detected = true;
    if (!has_ended) packed_buffer.resize(kChunkBytes);
    while (!has_ended && compression_is_undecided(packed)) {
      const std::size_t have = packed.size();
      const std::size_t count = read_raw(std::span(packed_buffer).subspan(have));
      has_ended = count == 0;
      packed = {packed_buffer.data(), have + count};
    }
    const Compression compression = compression_of_data(packed);
    if (compression != Compression::kNone) decoder = make_decoder(compression);
  }

  std::size_t read_plain(std::span<char> buffer) {
    if (packed.empty()) return has_ended ? 0 : read_raw(buffer);
    const std::size_t count = packed.copy(buffer.data(), buffer.size());
    packed.remove_prefix(count);
    return count;
  }

  std::size_t read_packed(std::span<char> buffer) {
    std::span<char> free = buffer;
    while (free.size() == buffer.size()) {
      if (packed.empty() && !has_ended) {
        packed = {packed_buffer.data(), read_raw(packed_buffer)};
        has_ended = packed.empty();
      }
      const std::size_t before = packed.size();
      decoder->run(packed, free, has_ended);
      const bool is_stuck = packed.size() == before && free.size() == buffer.size();
      if (is_stuck && has_ended) {
        if (decoder->is_complete() && packed.empty()) return 0;
        throw CodecError("it ends in the middle of the compressed data");
      }
    }
    return buffer.size() - free.size();
  }
};

ByteSource::ByteSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

ByteSource::ByteSource(const std::string& path) : state_(std::make_unique<State>()) {
  const bool is_stdin = path.empty() || path == "-";
  state_->name = is_stdin ? "<stdin>" : path;
  state_->owns_descriptor = !is_stdin;
  state_->descriptor = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (state_->descriptor < 0) {
    state_->owns_descriptor = false;
    throw InputError({.file = path}, fmt::format("cannot open: {}", std::generic_category().message(errno)),
                     "Check the path and its permissions; - reads standard input");
  }
}

ByteSource ByteSource::from_memory(std::string_view bytes, std::string name) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->packed = bytes;
  state->has_ended = true;
  return ByteSource(std::move(state));
}

const std::string& ByteSource::name() const { return state_->name; }

std::size_t ByteSource::read(std::span<char> buffer) {
  if (!state_->is_detected) state_->detect();
  if (state_->decoder == nullptr) return state_->read_plain(buffer);
  try {
    return state_->read_packed(buffer);
  } catch (const CodecError& error) {
    throw InputError({.file = state_->name}, fmt::format("cannot unpack: {}", error.what()),
                     "The file is damaged or was not copied whole; fetch it again");
  }
}

bool LineReader::next() {
  for (;;) {
    const void* newline = std::memchr(buffer_.data() + searched_, '\n', end_ - searched_);
    if (newline != nullptr) {
      take_line(static_cast<const char*>(newline) - buffer_.data(), true);
      return true;
    }
    searched_ = end_;
    if (end_ - begin_ > kMaxLineBytes) refuse_length();
    if (!refill()) break;
  }
  if (begin_ == end_) return false;
  take_line(end_, false);
  return true;
}

/// Moves what is left of the buffer to its front and reads more behind it; false at the end of the source.
bool LineReader::refill() {
  const bool is_first = line_number_ == 0 && end_ == 0;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  if (nul_ != kNoNul) nul_ -= begin_;
  searched_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < end_ + kChunkBytes) buffer_.resize(std::max(2 * buffer_.size(), end_ + kChunkBytes));
  const std::size_t count = source_.read(std::span(buffer_).subspan(end_));
  const char* fresh = buffer_.data() + end_;
  end_ += count;
  if (const void* nul = nul_ == kNoNul ? std::memchr(fresh, '\0', count) : nullptr)
    nul_ = static_cast<const char*>(nul) - buffer_.data();
  if (is_first && looks_like_container({fresh, count}))
    throw InputError({.file = name()}, "this is a file that Fovea wrote (a model or a policy), not text",
                     "Give the data here and the model in its own place");
  return count > 0;
}

void LineReader::take_line(std::size_t end, bool with_newline) {
  ++line_number_;
  if (nul_ < end) refuse_nul();
  line_ = {buffer_.data() + begin_, end - begin_};
  had_carriage_return_ = line_.ends_with('\r');
  while (line_.ends_with('\r')) line_.remove_suffix(1);
  if (line_.size() > kMaxLineBytes) {
    --line_number_;
    refuse_length();
  }
  begin_ = searched_ = end + (with_newline ? 1 : 0);
}

void LineReader::refuse_nul() const {
  throw InputError(location(), fmt::format("a NUL byte, {} bytes into the line", nul_ - begin_),
                   "Text is expected; convert UTF-16 to UTF-8, and do not give binary files");
}

void LineReader::refuse_length() const {
  throw InputError({.file = name(), .line = line_number_ + 1},
                   fmt::format("a line of more than {} bytes", kMaxLineBytes),
                   "Put one item on a line, and end lines with \\n");
}

}  // namespace fovea
