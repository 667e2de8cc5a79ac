// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/text_encoding.h"

#include <fmt/format.h>
#include <strings.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "fovea/base/error.h"
#include "fovea/base/utf8.h"
#include "fovea/io/text_converter.h"

namespace fovea::io {
namespace {

bool are_ascii(const char* eight_bytes) {
  std::uint64_t word;
  std::memcpy(&word, eight_bytes, sizeof word);
  return (word & 0x8080808080808080) == 0;
}

[[noreturn]] void refuse(const LineReader& lines, std::size_t at, std::string_view encoding) {
  throw InputError(
      lines.location(),
      fmt::format("byte {} (0x{:02X}) is not {}", at + 1, static_cast<unsigned char>(lines.line()[at]), encoding),
      "Name the encoding of the file by option 'encoding', such as latin1 or windows-1252");
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + 8 <= text.size() && are_ascii(text.data() + at)) {
      at += 8;
      continue;
    }
    const Character character = first_character(text.substr(at));
    if (character.code_point == kRawByte) return at;
    at += character.size;
  }
  return std::string_view::npos;
}

bool is_wide_encoding(std::string_view encoding) {
  const auto starts_with = [&](std::string_view name) {
    return encoding.size() >= name.size() && ::strncasecmp(encoding.data(), name.data(), name.size()) == 0;
  };
  return starts_with("utf-16") || starts_with("utf16") || starts_with("utf-32") || starts_with("utf32") ||
         starts_with("ucs-2") || starts_with("ucs2") || starts_with("ucs-4") || starts_with("ucs4") ||
         starts_with("unicode");
}

class LineDecoder::Converter {
 public:
  explicit Converter(const std::string& encoding) : converter_(encoding) {}

  std::string_view convert(const LineReader& lines) {
    std::string_view line = lines.line();
    text_.resize(kMaxGrowth * line.size());
    std::span<char> room = text_;
    converter_.restart();
    if (converter_.convert(line, room) != 0) refuse(lines, lines.line().size() - line.size(), converter_.encoding());
    return std::string_view(text_).substr(0, text_.size() - room.size());
  }

 private:
  static constexpr std::size_t kMaxGrowth = 3;  // bytes of UTF-8 per byte of any encoding in use

  TextConverter converter_;
  std::string text_;
};

LineDecoder::LineDecoder(const std::string& encoding) {
  if (encoding != "utf-8" && encoding != "UTF-8") converter_ = std::make_unique<Converter>(encoding);
}
LineDecoder::LineDecoder(LineDecoder&&) noexcept = default;
LineDecoder::~LineDecoder() = default;

std::string_view LineDecoder::decode(const LineReader& lines) {
  std::string_view text = lines.line();
  if (converter_ != nullptr) text = converter_->convert(lines);
  else if (const std::size_t at = find_invalid_utf8(text); at != text.npos) refuse(lines, at, "UTF-8");
  return text;
}

}  // namespace fovea::io
