// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

std::string list_of_macros() {
  std::string list;
  for (const Extractor& extractor : known_extractors())
    list += fmt::format("{}%{}[row,column{}]", list.empty() ? "" : ", ", extractor.name,
                        extractor.takes_length ? ",length" : "");
  return list;
}

/// Reads one template line from left to right.
class LineParser {
 public:
  LineParser(std::string_view line, const InputLocation& where) : rest_(line), where_(where) {}

  TemplateLine parse() {
    TemplateLine result;
    result.number = where_.line;
    result.literals.emplace_back();
    while (!rest_.empty()) {
      result.literals.back() += take_literal();
      if (rest_.empty()) break;
      result.macros.push_back(take_macro());
      result.literals.emplace_back();
    }
    return result;
  }

 private:
  [[noreturn]] void fail(std::string_view problem, std::string_view remedy) const {
    throw InputError(where_, problem, remedy);
  }

  /// Text up to the next macro, with %% as %.
  std::string take_literal() {
    std::string literal;
    while (!rest_.empty() && !(rest_[0] == '%' && !rest_.starts_with("%%"))) {
      literal += rest_[0];
      rest_.remove_prefix(rest_[0] == '%' ? 2 : 1);
    }
    return literal;
  }

  Macro take_macro() {
    const std::string_view macro_text = rest_;
    rest_.remove_prefix(1);
    const std::string_view name = rest_.substr(0, rest_.find_first_of("[%/ \t"));
    const Extractor* extractor = find_extractor(name);
    if (extractor == nullptr)
      fail(fmt::format("unknown macro %{}", name),
           fmt::format("Known macros: {}; a percent sign is written %%", list_of_macros()));
    rest_.remove_prefix(name.size());
    const std::size_t close = rest_.find(']');
    if (!rest_.starts_with('[') || close == rest_.npos)
      fail(fmt::format("unclosed bracket in {}", macro_text.substr(0, 40)),
           fmt::format("Write it like {}", example(*extractor)));
    arguments_ = rest_.substr(1, close - 1);
    rest_.remove_prefix(close + 1);
    return take_arguments(*extractor);
  }

  Macro take_arguments(const Extractor& extractor) {
    Macro macro = {.extractor = &extractor};
    macro.row = take_number(extractor, "row", -FeatureTemplate::kMaxRow, FeatureTemplate::kMaxRow);
    macro.column = take_number(extractor, "column", 0, FeatureTemplate::kMaxColumn);
    if (extractor.takes_length) macro.length = take_number(extractor, "length", 1, FeatureTemplate::kMaxLength);
    if (!arguments_.empty())
      fail(fmt::format("%{} has too many arguments", extractor.name),
           fmt::format("Write it like {}", example(extractor)));
    return macro;
  }

  int take_number(const Extractor& extractor, std::string_view what, int min, int max) {
    const std::size_t comma = std::min(arguments_.find(','), arguments_.size());
    std::string_view text = arguments_.substr(0, comma);
    arguments_.remove_prefix(std::min(comma + 1, arguments_.size()));
    const std::string_view shown = text;
    if (text.starts_with('+')) text.remove_prefix(1);
    int value = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (error != std::errc() || end != text.end() || value < min || value > max)
      fail(fmt::format("bad {} '{}' in %{}: it must be a whole number with {} <= {} <= {}", what, shown, extractor.name,
                       min, what, max),
           fmt::format("Write it like {}", example(extractor)));
    return value;
  }

  static std::string example(const Extractor& extractor) {
    return fmt::format("%{}[0,0{}]", extractor.name, extractor.takes_length ? ",3" : "");
  }

  std::string_view rest_, arguments_;
  const InputLocation& where_;
};

/// Parses one line that is neither blank nor a comment. Throws InputError at `where`.
TemplateLine parse_template_line(std::string_view line, const InputLocation& where) {
  if (line[0] != 'U' && line[0] != 'B')
    throw InputError(where, fmt::format("a template line begins with U, B or #, not with '{}'", line.substr(0, 1)),
                     "Put # before a comment and U before a feature, as in U00:%x[0,0]");
  TemplateLine result = LineParser(line, where).parse();
  if (line[0] == 'B' && !result.macros.empty())
    throw InputError(where, fmt::format("label n-grams combined with observations ({}) are not supported", line),
                     "Write a plain B line for label n-grams and U lines for observations");
  return result;
}

/// Columns that the default template reads with their neighbours; later ones only in the current row.
constexpr std::size_t kWideColumns = 8;

std::string default_word_lines() {
  std::string text = "# Words\n";
  for (int row = -2; row <= 2; ++row) text += fmt::format("Uw{:+}=%x[{},0]\n", row, row);
  text += "\n# Spelling\nUlower=%lower[0,0]\n";
  for (int length = 1; length <= 4; ++length)
    text += fmt::format("Uprefix=%prefix[0,0,{0}]\nUsuffix=%suffix[0,0,{0}]\n", length);
  for (const char* extractor : {"signature", "shape", "outline", "digits", "has-digit", "capitalized", "all-capitals"})
    text += fmt::format("U{0}=%{0}[0,0]\n", extractor);
  for (int row : {-1, 1}) text += fmt::format("Ushape{:+}=%shape[{},0]\n", row, row);
  return text;
}

std::string default_column_lines(std::size_t column) {
  std::string text = fmt::format("\n# Column {}\n", column);
  for (int row = -2; row <= 2; ++row)
    if (row == 0 || column < kWideColumns) text += fmt::format("U{0}:{1:+}=%x[{1},{0}]\n", column, row);
  for (int row = -2; row < 2 && column < kWideColumns; ++row)
    text += fmt::format("U{0}:{1:+}:{2:+}=%x[{1},{0}]/%x[{2},{0}]\n", column, row, row + 1);
  return text;
}

/// CRF++'s name of the item `t`, which lies outside a sequence of `size` items.
void append_end_name(std::ptrdiff_t t, std::size_t size, std::string& output) {
  const std::ptrdiff_t distance = t < 0 ? t : t - static_cast<std::ptrdiff_t>(size) + 1;
  fmt::format_to(std::back_inserter(output), "_B{:+}", distance);
}

bool expand_macro(const Macro& macro, const ItemSequence& sequence, std::size_t item, std::string& output) {
  const std::ptrdiff_t t = static_cast<std::ptrdiff_t>(item) + macro.row;
  if (t >= 0 && t < static_cast<std::ptrdiff_t>(sequence.size()))
    return macro.extractor->extract(sequence.cell(t, macro.column), macro.length, output);
  if (macro.extractor->names_ends) append_end_name(t, sequence.size(), output);
  return macro.extractor->names_ends;
}

}  // namespace

bool TemplateLine::expand(const ItemSequence& sequence, std::size_t item, std::string& output) const {
  const std::size_t begin = output.size();
  output += literals[0];
  for (std::size_t m = 0; m < macros.size(); ++m) {
    if (!expand_macro(macros[m], sequence, item, output)) {
      output.resize(begin);
      return false;
    }
    output += literals[m + 1];
  }
  return true;
}

FeatureTemplate FeatureTemplate::parse(std::string_view text, std::string name) {
  FeatureTemplate result;
  result.text_ = text;
  result.name_ = std::move(name);
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    TemplateLine parsed = parse_template_line(line, {.file = result.name_, .line = number});
    if (line[0] == 'B') result.label_ngrams_ = true;
    else result.add(std::move(parsed));
  }
  if (result.lines_.empty() && !result.label_ngrams_)
    throw InputError({.file = result.name_}, "the template has no U and no B line",
                     "Write at least one, as in U00:%x[0,0]");
  return result;
}

FeatureTemplate FeatureTemplate::default_for(std::size_t columns) {
  FOVEA_CHECK(columns >= 1);
  std::string text = default_word_lines();
  for (std::size_t column = 1; column < columns; ++column) text += default_column_lines(column);
  return parse(text + "\n# Label n-grams\nB\n", "<default template>");
}

void FeatureTemplate::add(TemplateLine line) {
  for (const Macro& macro : line.macros) {
    min_row_ = std::min(min_row_, macro.row);
    max_row_ = std::max(max_row_, macro.row);
    column_count_ = std::max<std::size_t>(column_count_, macro.column + std::size_t{1});
  }
  lines_.push_back(std::move(line));
}

void FeatureTemplate::require_columns(std::size_t columns, std::string_view data_file) const {
  for (const TemplateLine& line : lines_)
    for (const Macro& macro : line.macros)
      if (macro.column >= columns)
        throw InputError(
            {.file = name_, .line = line.number},
            fmt::format("template reads column {} but {} has {} {} to read ({})", macro.column, data_file, columns,
                        columns == 1 ? "column" : "columns", columns == 0 ? "none" : fmt::format("0..{}", columns - 1)),
            "Columns count from 0, and a last column of gold labels is not read; add the missing column "
            "to the data or change the template");
}

}  // namespace fovea::tagging
