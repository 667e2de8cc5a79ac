// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/token_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "fovea/base/container.h"

namespace fovea::io {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr std::string_view kCutShort = "The file is cut short, or an earlier number is wrong";

}  // namespace

TokenReader::TokenReader(ByteSource source, const TokenRules& rules)
    : source_(std::move(source)), rules_(rules), buffer_(kBufferBytes) {
  for (const unsigned char c : {' ', '\t', '\r', '\v', '\f'}) classes_[c] = kSpace;
  for (const char c : rules.punctuation) classes_[static_cast<unsigned char>(c)] = kPunctuation;
  if (rules.quotes) classes_['"'] = kQuote;
  classes_['\n'] = kNewline;
  classes_['\0'] = kNul;
}

/// Moves the unread bytes to the front of the buffer and reads more after them; false at the end of the source.
bool TokenReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + position_, end_ - position_);
  end_ -= position_;
  position_ = 0;
  const std::size_t count = source_.read(std::span(buffer_).subspan(end_));
  if (std::exchange(is_first_, false) && looks_like_container({buffer_.data(), count}))
    throw InputError({.file = source_.name()}, "this is a file that Fovea wrote (a tagger or a policy), not a model",
                     "Give a model in one of the formats of 'fovea convert --help'");
  end_ += count;
  return count > 0;
}

/// True if there are at least `count` unread bytes; reads more if necessary.
bool TokenReader::has(std::size_t count) {
  while (end_ - position_ < count)
    if (!refill()) return false;
  return true;
}

bool TokenReader::starts_with(std::string_view text) {
  return !text.empty() && has(text.size()) && std::string_view(buffer_.data() + position_, text.size()) == text;
}

/// Moves to the first byte of a token; false at the end.
bool TokenReader::skip_blanks() {
  for (;; ++position_) {
    if (position_ == end_ && !refill()) return false;
    const Class kind = class_at(position_);
    if (kind == kNewline || is_lone_return()) ++line_;
    else if (kind != kSpace && !skip_mark()) return true;
  }
}

/// Skips the byte order mark of a file that was appended to another one. Stays at the last byte of the mark.
bool TokenReader::skip_mark() {
  if (buffer_[position_] != kByteOrderMark[0] || !starts_with(kByteOrderMark)) return false;
  position_ += kByteOrderMark.size() - 1;
  return true;
}

/// True at a carriage return alone, which ends a line on old systems.
bool TokenReader::is_lone_return() { return buffer_[position_] == '\r' && (!has(2) || buffer_[position_ + 1] != '\n'); }

void TokenReader::skip_line() {
  for (;; ++position_)
    if ((position_ == end_ && !refill()) || class_at(position_) == kNewline || is_lone_return()) return;
}

void TokenReader::skip_block() {
  token_line_ = line_;
  for (position_ += 2; !starts_with("*/"); ++position_) {
    if (position_ == end_) refuse("a comment that does not end", "Write */ after it");
    if (class_at(position_) == kNewline) ++line_;
  }
  position_ += 2;
}

bool TokenReader::next() {
  if (std::exchange(is_back_, false)) return true;
  is_quoted_ = false;
  token_ = {};
  bool has_token = skip_blanks();
  while (has_token) {
    if (starts_with(rules_.line_comment) || starts_with(rules_.other_comment)) skip_line();
    else if (rules_.block_comments && starts_with("/*")) skip_block();
    else break;
    has_token = skip_blanks();
  }
  token_line_ = line_;
  if (!has_token) return false;
  switch (class_at(position_)) {
    case kNul:
      refuse("a NUL byte", "Text is expected; convert UTF-16 to UTF-8, and do not give binary files");
    case kQuote:
      take_quoted();
      break;
    case kPunctuation:
      token_ = {buffer_.data() + position_++, 1};
      break;
    default:
      take_word();
  }
  return true;
}

void TokenReader::take_word() {
  std::size_t length = 0;
  for (;;) {
    while (position_ + length < end_ && class_at(position_ + length) == kWord) ++length;
    if (length > kMaxTokenBytes)
      refuse(fmt::format("a word of more than {} bytes", kMaxTokenBytes), "Separate numbers by blanks or line ends");
    if (position_ + length < end_ || !refill()) break;
  }
  token_ = {buffer_.data() + position_, length};
  position_ += length;
}

void TokenReader::take_quoted() {
  unescaped_.clear();
  for (++position_;; ++position_) {
    if (!has(1) || class_at(position_) == kNewline || class_at(position_) == kNul)
      refuse("quotes that do not end on their line", "Write \" after the name, and \\\" for one inside it");
    if (class_at(position_) == kQuote) break;
    if (starts_with("\\\"") || starts_with("\\\\")) ++position_;
    if (unescaped_.size() == kMaxTokenBytes) refuse(fmt::format("a name of more than {} bytes", kMaxTokenBytes));
    unescaped_ += buffer_[position_];
  }
  ++position_;
  token_ = unescaped_;
  is_quoted_ = true;
}

std::string_view TokenReader::expect(std::string_view what) {
  if (!next()) refuse(fmt::format("the file ends where {} should be", what), kCutShort);
  return token_;
}

bool TokenReader::consume_if(char punctuation) {
  if (!next()) return false;
  if (!is_quoted_ && token_.size() == 1 && token_[0] == punctuation) return true;
  back();
  return false;
}

bool TokenReader::read_integer(std::uint64_t min, std::uint64_t max, std::uint64_t& value) const {
  const char* const last = token_.data() + token_.size();
  const auto [end, error] = std::from_chars(token_.data(), last, value);
  return error == std::errc() && end == last && value >= min && value <= max;
}

void TokenReader::refuse_integer(std::string_view what, std::uint64_t min, std::uint64_t max) const {
  if (token_.empty() && !is_quoted_) refuse(fmt::format("the file ends where {} should be", what), kCutShort);
  if (min > max) refuse(fmt::format("{} is {}, where none is possible", what, quoted_for_message(token_)));
  refuse(fmt::format("{} is {}; it must be a whole number from {} to {}", what, quoted_for_message(token_), min, max));
}

double TokenReader::number(std::string_view what) {
  expect(what);
  double value = 0;
  const char* const last = token_.data() + token_.size();
  const char* const first = token_.data() + (token_.starts_with('+') && !token_.starts_with("+-") ? 1 : 0);
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value))
    refuse(fmt::format("{} is {}; it must be a finite number", what, quoted_for_message(token_)));
  return value;
}

void TokenReader::expect_end(std::string_view what) {
  if (next())
    refuse(fmt::format("{} after {}", quoted_for_message(token_), what),
           "Remove what follows, or correct the sizes given earlier in the file");
}

void TokenReader::refuse(std::string_view problem, std::string_view remedy) const {
  throw InputError(location(), problem, remedy);
}

std::string quoted_for_message(std::string_view token) {
  constexpr std::size_t kMaxShown = 40;
  std::string text = "'";
  for (const char c : token.substr(0, kMaxShown)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (token.size() > kMaxShown ? "...'" : "'");
}

}  // namespace fovea::io
