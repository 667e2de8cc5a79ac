// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "fovea/base/container.h"
#include "fovea/io/codec.h"
#include "fovea/io/text_converter.h"

namespace fovea::io {
namespace {

std::atomic<const CancelToken*> reading_cancel = nullptr;

constexpr std::size_t kChunkBytes = std::size_t{1} << 16;

/// Data that unpack to more than both of these limits are not real text, but meant to fill the memory.
constexpr std::uint64_t kLargestUnquestioned = std::uint64_t{64} << 20, kLargestRatio = 500;

constexpr std::string_view kFirstOfMarks("\xEF\xFF\xFE\0", 4);

/// Name of the encoding that the first bytes mark, if its characters are wider than a byte; nullptr for none.
const char* wide_encoding_of(std::string_view first_bytes) {
  if (first_bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4)) ||
      first_bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4)))
    return "UTF-32";
  return first_bytes.starts_with("\xFF\xFE") || first_bytes.starts_with("\xFE\xFF") ? "UTF-16" : nullptr;
}

bool is_blank_text(std::string_view line) {
  return std::ranges::all_of(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

/// True if lines end in \r alone, judged by the beginning of the text.
bool ends_lines_by_returns(std::string_view text) {
  const std::size_t at = text.find('\r');
  return at != text.npos && at + 1 < text.size() && text.find('\n') == text.npos;
}

}  // namespace

/// Converts text, given in pieces, and counts its lines.
class ByteSource::Converter {
 public:
  explicit Converter(const std::string& encoding) : text_(encoding) {}

  /// Converts as much of `in` as fits into `out`, which is shortened to its free part. An incomplete character stays in
  /// `in`.
  void convert(std::string_view& in, std::span<char>& out, const std::string& file) {
    const char* const begin = out.data();
    const int error = text_.convert(in, out);
    line_ += static_cast<std::uint64_t>(std::count(begin, static_cast<const char*>(out.data()), '\n'));
    if (error == EILSEQ) refuse(file);
  }

  [[noreturn]] void refuse(const std::string& file) const {
    throw InputError({.file = file, .line = line_}, fmt::format("bytes that are not {}", text_.encoding()),
                     "Name the encoding of the file by option 'encoding', such as utf-8, latin1 or utf-16");
  }

 private:
  TextConverter text_;
  std::uint64_t line_ = 1;
};

/// A file descriptor, or bytes in memory (all of them read already), with an optional decoder.
struct ByteSource::State {
  std::string name;
  int descriptor = -1;
  bool owns_descriptor = false;

  bool is_detected = false;
  std::unique_ptr<Codec> decoder;  // null: not packed
  std::vector<char> packed_buffer;
  std::string_view packed;                    // read, but not yet unpacked or handed out
  bool has_ended = false;                     // nothing follows `packed`
  std::uint64_t bytes_in = 0, bytes_out = 0;  // of the decoder

  bool has_begun = false;
  std::string ahead;         // read to see how the text begins, but not yet handed out
  bool obeys_marks = false;  // text that begins with the mark of a wide encoding is converted
  std::unique_ptr<Converter> converter;
  std::string unconverted;  // input of the converter

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

  std::size_t read_unpacked(std::span<char> buffer);
  std::size_t read_text(std::span<char> buffer);
  void begin();

  std::size_t read_packed(std::span<char> buffer) {
    std::span<char> free = buffer;
    while (free.size() == buffer.size()) {
      if (packed.empty() && !has_ended) {
        packed = {packed_buffer.data(), read_raw(packed_buffer)};
        has_ended = packed.empty();
      }
      const std::size_t before = packed.size(), room = free.size();
      decoder->run(packed, free, has_ended);
      bytes_in += before - packed.size();
      bytes_out += room - free.size();
      if (bytes_out > kLargestUnquestioned && bytes_out / kLargestRatio > bytes_in)
        throw InputError(
            {.file = name},
            fmt::format("{} bytes unpack to over {}, {} times as many", bytes_in, bytes_out, kLargestRatio),
            "If that is what it holds, unpack it first");
      const bool is_stuck = packed.size() == before && free.size() == buffer.size();
      if (is_stuck && has_ended) {
        if (decoder->is_complete() && packed.empty()) return 0;
        throw CodecError("it ends in the middle of the compressed data");
      }
    }
    return buffer.size() - free.size();
  }
};

std::size_t ByteSource::State::read_unpacked(std::span<char> buffer) {
  if (!is_detected) detect();
  if (decoder == nullptr) return read_plain(buffer);
  try {
    return read_packed(buffer);
  } catch (const CodecError& error) {
    throw InputError({.file = name}, fmt::format("cannot unpack: {}", error.what()),
                     "The file is damaged or was not copied whole; fetch it again");
  }
}

std::size_t ByteSource::State::read_text(std::span<char> buffer) {
  if (converter == nullptr) return read_unpacked(buffer);
  std::span<char> free = buffer;
  while (free.size() == buffer.size()) {
    const std::size_t have = unconverted.size();
    unconverted.resize(have + kChunkBytes);
    const std::size_t count = read_unpacked(std::span(unconverted).subspan(have));
    unconverted.resize(have + count);
    std::string_view in = unconverted;
    converter->convert(in, free, name);
    if (count == 0 && free.size() == buffer.size()) {
      if (!in.empty()) converter->refuse(name);
      return 0;
    }
    unconverted.erase(0, unconverted.size() - in.size());
  }
  return buffer.size() - free.size();
}

/// Reads enough to see how the text begins, drops a byte order mark, and converts or refuses a wide encoding.
void ByteSource::State::begin() {
  constexpr std::size_t kEnough = 4;
  std::vector<char> chunk(kChunkBytes);
  const auto may_be_a_mark = [&] { return ahead.empty() || kFirstOfMarks.find(ahead[0]) != kFirstOfMarks.npos; };
  while (ahead.size() < kEnough && may_be_a_mark()) {
    const std::size_t count = read_text(chunk);
    if (count == 0) break;
    ahead.append(chunk.data(), count);
  }
  const char* const encoding = converter == nullptr ? wide_encoding_of(ahead) : nullptr;
  if (encoding != nullptr && obeys_marks) {
    converter = std::make_unique<Converter>(encoding);
    unconverted = std::exchange(ahead, {});
    return;
  }
  if (encoding != nullptr)
    throw InputError({.file = name}, fmt::format("this is text in {}", encoding),
                     fmt::format("Convert it ('iconv -f {} -t UTF-8'), or name it by option 'encoding' where a command "
                                 "has that option",
                                 encoding));
  if (ahead.starts_with(kByteOrderMark)) ahead.erase(0, kByteOrderMark.size());
}

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

ByteSource ByteSource::converted(const std::string& path, const std::string& encoding) {
  ByteSource source(path);
  if (encoding == kByMark) source.state_->obeys_marks = true;
  else source.state_->converter = std::make_unique<Converter>(encoding);
  return source;
}

void cancel_reading_by(const CancelToken* token) noexcept { reading_cancel.store(token, std::memory_order_relaxed); }

std::size_t ByteSource::read(std::span<char> buffer) {
  if (const CancelToken* token = reading_cancel.load(std::memory_order_relaxed); token && token->cancelled())
    throw CancelledError(fmt::format("stopped while reading {}", name()));
  if (!std::exchange(state_->has_begun, true)) state_->begin();
  if (state_->ahead.empty()) return state_->read_text(buffer);
  const std::size_t count = state_->ahead.copy(buffer.data(), buffer.size());
  state_->ahead.erase(0, count);
  return count;
}

void LineBlock::drop_before(std::uint64_t number) {
  auto begin = bytes.begin();
  for (; lines_before + 1 < number; ++lines_before) begin = std::find(begin, bytes.end(), line_end) + 1;
  bytes.erase(bytes.begin(), begin);
}

LineReader::LineReader(LineBlock block)
    : name_(std::move(block.name)),
      buffer_(std::move(block.bytes)),
      end_(buffer_.size()),
      line_end_(block.line_end),
      line_number_(block.lines_before) {
  find_nul(0);
}

bool LineReader::next_block(LineBlock& block) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
  const auto last_end = [&] {
    const std::string_view bytes(buffer_.data() + begin_, end_ - begin_);
    return begin_ + std::min(bytes.rfind(line_end_), bytes.size() - 1) + 1;
  };
  bool has_more = true;
  while (has_more && end_ - begin_ <= kMaxLineBytes && (end_ - begin_ < kBlockBytes || last_end() == end_))
    has_more = refill();
  if (begin_ == end_) return false;
  take_block(has_more ? last_end() : end_, block);
  return true;
}

std::size_t LineReader::next_paragraphs(LineBlock& block, std::size_t count) {
  std::size_t taken = 0, paragraph = 0, line = 0;  // the last two begin there, from begin_ on
  bool in_paragraph = false;
  while (taken < count) {
    const char* begin = buffer_.data() + begin_ + line;
    const void* newline = std::memchr(begin, line_end_, end_ - begin_ - line);
    const auto length =
        newline == nullptr ? end_ - begin_ - line : static_cast<std::size_t>(static_cast<const char*>(newline) - begin);
    if (newline == nullptr && length <= kMaxLineBytes && refill()) continue;
    const bool blank = is_blank_text({buffer_.data() + begin_ + line, length});  // refill() may have moved it
    if (blank) taken += in_paragraph;
    else if (!in_paragraph) paragraph = line;
    in_paragraph = !blank;
    line += length + (newline != nullptr);
    if (newline == nullptr || line - paragraph > kMaxParagraphBytes) break;
  }
  take_block(begin_ + line, block);
  return taken + in_paragraph;
}

/// Moves the bytes before `end`, where a line ends, to a block.
void LineReader::take_block(std::size_t end, LineBlock& block) {
  block.bytes.assign(buffer_.data() + begin_, buffer_.data() + end);
  block.name = name_;
  block.lines_before = line_number_;
  block.line_end = line_end_;
  line_number_ += static_cast<std::uint64_t>(std::ranges::count(block.bytes, line_end_));
  line_number_ += !block.bytes.empty() && block.bytes.back() != line_end_;
  begin_ = searched_ = end;
  if (nul_ < end) find_nul(end);
}

void LineReader::find_nul(std::size_t from) {
  const void* nul = std::memchr(buffer_.data() + from, '\0', end_ - from);
  nul_ = nul == nullptr ? kNoNul : static_cast<std::size_t>(static_cast<const char*>(nul) - buffer_.data());
}

bool LineReader::next() {
  for (;;) {
    const void* newline = std::memchr(buffer_.data() + searched_, line_end_, end_ - searched_);
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

/// Moves the rest of the buffer to its front and reads more after it; false at the end of the source.
bool LineReader::refill() {
  if (!source_) return false;
  const bool is_first = line_number_ == 0 && end_ == 0;
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  if (nul_ != kNoNul) nul_ -= begin_;
  searched_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < end_ + kChunkBytes) buffer_.resize(std::max(2 * buffer_.size(), end_ + kChunkBytes));
  const std::size_t count = source_->read(std::span(buffer_).subspan(end_));
  const char* fresh = buffer_.data() + end_;
  end_ += count;
  if (nul_ == kNoNul) find_nul(end_ - count);
  if (is_first && ends_lines_by_returns({fresh, count})) line_end_ = '\r';
  if (is_first && looks_like_container({fresh, count}))
    throw InputError({.file = name()}, "this is a file that Fovea wrote (a model or a policy), not text",
                     "Give the data here and the model in its own place");
  return count > 0;
}

void LineReader::take_line(std::size_t end, bool with_newline) {
  ++line_number_;
  if (nul_ < end) refuse_nul();
  line_ = {buffer_.data() + begin_, end - begin_};
  for (mark_count_ = 0; line_.starts_with(kByteOrderMark); ++mark_count_) line_.remove_prefix(kByteOrderMark.size());
  if (line_end_ == '\r' && line_.find('\n') != line_.npos)
    throw InputError(location(), "a line that ends in \\n, where the lines before end in \\r",
                     "Convert all line ends to \\n");
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

std::string read_text(ByteSource source, std::size_t max_bytes, std::string_view what) {
  std::string text;
  std::vector<char> chunk(kChunkBytes);
  while (const std::size_t count = source.read(chunk)) {
    text.append(chunk.data(), count);
    if (text.size() > max_bytes)
      throw InputError({.file = source.name()}, fmt::format("{} of more than {} bytes", what, max_bytes),
                       "Give less, or another file");
  }
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    const auto line = 1 + static_cast<std::uint64_t>(std::count(text.begin(), text.begin() + nul, '\n'));
    throw InputError({.file = source.name(), .line = line}, "a NUL byte",
                     "Text is expected; convert UTF-16 to UTF-8, and do not give binary files");
  }
  if (looks_like_container(text))
    throw InputError({.file = source.name()}, "this is a file that Fovea wrote (a model or a policy), not text",
                     "Give the data here and the model in its own place");
  if (ends_lines_by_returns(text)) std::ranges::replace(text, '\r', '\n');
  return text;
}

}  // namespace fovea::io
