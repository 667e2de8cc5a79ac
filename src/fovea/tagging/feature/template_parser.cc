// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/template_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace fovea::tagging::internal {
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

}  // namespace

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

}  // namespace fovea::tagging::internal
