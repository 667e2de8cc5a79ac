// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/model_input.h"

#include <fmt/format.h>

#include <string_view>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

std::size_t count_words(std::string_view line) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < line.size(); ++i) words += line[i] != ' ' && (i == 0 || line[i - 1] == ' ');
  return words;
}

/// True if the lines look like columns separated by blanks. One line alone may be one cell: "New York".
bool looks_separated_by_blanks(const ItemSequence& sequence) {
  const std::size_t words = count_words(sequence.line(0));
  if (words < 2 || sequence.size() < 2) return false;
  for (std::size_t t = 0; t < sequence.size(); ++t)
    if (sequence.line(t).find('\t') != std::string_view::npos || count_words(sequence.line(t)) != words) return false;
  return true;
}

bool lacks_tabs(const TaggerVocabulary& model, const ItemSequence& first) {
  return model.separator == ColumnSeparator::kTabs && first.column_count() == 1 && looks_separated_by_blanks(first);
}

}  // namespace

void check_model_features(const TaggerVocabulary& model, FeaturesChoice features) {
  const auto trained = has_pixels(model.format) ? FeaturesChoice::kPixels : FeaturesChoice::kText;
  if (features != FeaturesChoice::kModel && features != trained)
    throw UsageError(
        fmt::format("option 'features {}': the model was trained on {}", word_of(features), word_of(trained)));
}

std::vector<std::string> input_warnings(const TaggerVocabulary& model, const ItemSequence& first,
                                        const std::string& file) {
  const std::size_t columns = first.column_count(), trained = model.observation_columns;
  const auto problem = [&](std::string_view text) { return fmt::format("{}:{}: {}", file, first.first_line(), text); };
  const bool lacks = lacks_tabs(model, first);
  if (lacks && model.feature_template->column_count() > 1)
    throw InputError({.file = file, .line = first.first_line()},
                     "no tab in this sequence, but blanks; the model was trained on columns separated by tabs",
                     "Separate the columns by single tabs");
  model.feature_template->require_columns(columns, file);
  std::vector<std::string> warnings;
  if (lacks)
    warnings.push_back(
        problem("no tab in this sequence: each line is read as one cell, as the model was trained on columns separated "
                "by tabs"));
  else if (columns != trained && columns != trained + 1)
    warnings.push_back(problem(fmt::format(
        "{} column{}, where the model was trained on {} with the label; the first {} are read as if they were those",
        columns, columns == 1 ? "" : "s", trained + 1, model.feature_template->column_count())));
  return warnings;
}

}  // namespace fovea::tagging
