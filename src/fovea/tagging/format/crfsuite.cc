// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/crfsuite.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

constexpr const char* kTabRemedy =
    "Write label<TAB>attribute<TAB>...; a label that holds a blank and has no attribute needs a tab after it";

struct Unescaped {
  bool has_colon;         // a bare one
  std::string_view rest;  // what follows it
};

/// Appends the part of `field` up to its first bare colon to `name`, unescaped.
Unescaped unescape(std::string_view field, std::string& name) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] == ':') return {true, field.substr(i + 1)};
    const bool is_escape = field[i] == '\\' && i + 1 < field.size() && (field[i + 1] == ':' || field[i + 1] == '\\');
    name += field[is_escape ? ++i : i];
  }
  return {false, {}};
}

void append_escaped(std::string_view name, std::string& output) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != ':' && name[i] != '\\') continue;
    output.append(name, written, i - written);
    output += '\\';
    written = i;
  }
  output.append(name, written);
}

}  // namespace

bool CrfsuiteReader::next(AttributeSequence& sequence) {
  if (!skip_blank_lines()) {
    if (!is_part_) seen_.require_a_tab(name());
    return false;
  }
  sequence.clear(lines_.line_number());
  do {
    if (lines_.line().empty()) break;
    add_line(sequence);
  } while (lines_.next());
  return true;
}

bool CrfsuiteReader::skip_blank_lines() {
  while (lines_.next())
    if (!lines_.line().empty()) return true;
  return false;
}

void CrfsuiteReader::Seen::require_a_tab(const std::string& file) const {
  if (items && !tabs) throw InputError({.file = file}, "no line holds a tab, so no item has an attribute", kTabRemedy);
}

void CrfsuiteReader::add_line(AttributeSequence& sequence) {
  std::string_view line = lines_.line();
  if (sequence.size() == kMaxSequenceItems || sequence.text_size() > kMaxSequenceBytes - line.size())
    throw InputError(lines_.location(),
                     fmt::format("a sequence of more than {} items or {} bytes, from line {} on", kMaxSequenceItems,
                                 kMaxSequenceBytes, sequence.first_line()),
                     "Separate sequences by blank lines");
  seen_.items = true;
  if (line.find('\t') != line.npos) seen_.tabs = true;
  else if (line.find(' ') != line.npos)
    throw InputError(lines_.location(), "blanks but no tab: are there spaces instead of tabs?", kTabRemedy);
  const auto take_field = [&] {
    const std::size_t end = std::min(line.find('\t'), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
  };
  std::string_view label = take_field();
  if (label.empty())
    throw InputError(lines_.location(), "the label is missing: the line begins with a tab",
                     "Write label<TAB>attribute<TAB>...; put any label if it is not known");
  if (label == "@weight" || label.starts_with("@weight:"))
    throw InputError(lines_.location(), "instance weights (@weight) are not supported",
                     "Remove the line; repeat a sequence to give it more weight");
  name_.clear();
  for (Unescaped part = unescape(label, name_); part.has_colon; part = unescape(part.rest, name_)) name_ += ':';
  sequence.add_item(name_);
  while (!line.empty())
    if (const std::string_view field = take_field(); !field.empty()) add_attribute(field, sequence);
}

void CrfsuiteReader::add_attribute(std::string_view field, AttributeSequence& sequence) {
  name_.clear();
  const Unescaped value = unescape(field, name_);
  if (name_.empty())
    throw InputError(lines_.location(), fmt::format("an attribute without a name: '{}'", field),
                     "Write \\: for a colon that belongs to the name");
  sequence.add_attribute(name_, value.rest.empty() ? 1.0f : parse_value(value.rest, field));
}

float CrfsuiteReader::parse_value(std::string_view text, std::string_view field) const {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  // Parsed as a double first: a value too small for a float is 0, one too large is refused.
  double wide = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), wide);
  const auto value = static_cast<float>(wide);
  if (error != std::errc() || end != digits.end() || !std::isfinite(value))
    throw InputError(lines_.location(), fmt::format("'{}' in '{}' must be a finite number", text, field),
                     "Write \\: for a colon that belongs to the attribute's name");
  return value;
}

void append_crfsuite(const AttributeSequence& sequence, std::string& output) {
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    append_escaped(sequence.label(t), output);
    if (sequence.attribute_count(t) == 0) output += '\t';
    for (std::size_t a = 0; a < sequence.attribute_count(t); ++a) {
      const auto [name, value] = sequence.attribute(t, a);
      output += '\t';
      append_escaped(name, output);
      if (value != 1) fmt::format_to(std::back_inserter(output), ":{}", value);
    }
    output += '\n';
  }
  output += '\n';
}

}  // namespace fovea::tagging
