// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/tagging/tagged_file.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "fovea/io/conll.h"

namespace fovea {
namespace {

/// One sentence after the other, each counted as it is read.
class TaggingReader {
 public:
  explicit TaggingReader(ByteSource source) : reader_(std::move(source)) {}

  bool next() {
    gold_.clear();
    predicted_.clear();
    if (!reader_.next(sentence_)) return finish();
    const std::size_t columns = sentence_.column_count();
    if (columns < 2)
      throw InputError(location(0), fmt::format("{} column, but a gold and a predicted label are needed", columns),
                       "Give the output of 'fovea tag' on data with gold labels");
    for (std::size_t t = 0; t < sentence_.size(); ++t) {
      gold_.push_back(sentence_.cell(t, columns - 2));
      predicted_.push_back(sentence_.cell(t, columns - 1));
    }
    metrics_.add(gold_, predicted_);
    return true;
  }

  const std::vector<std::string_view>& gold() const { return gold_; }
  TaggingMetrics& metrics() { return metrics_; }
  const std::string& name() const { return reader_.name(); }
  /// Of an item of the current sentence.
  InputLocation location(std::size_t item) const {
    return {.file = reader_.name(), .line = sentence_.first_line() + item};
  }

 private:
  bool finish() {
    if (metrics_.sentences().empty())
      throw InputError({.file = reader_.name()}, "there is nothing to score", "The file has no line with labels");
    return false;
  }

  ConllReader reader_;
  ItemSequence sentence_;
  std::vector<std::string_view> gold_, predicted_;
  TaggingMetrics metrics_;
};

constexpr const char* kSameText = "Compare two taggings of the same file";

void require_same_gold(const TaggingReader& first, const TaggingReader& second) {
  const auto &expected = first.gold(), &found = second.gold();
  for (std::size_t t = 0; t < std::min(expected.size(), found.size()); ++t)
    if (expected[t] != found[t])
      throw InputError(second.location(t),
                       fmt::format("gold label {}, but {} has {}", found[t], first.name(), expected[t]), kSameText);
  if (expected.size() != found.size())
    throw InputError(
        second.location(0),
        fmt::format("sentence of {} items, but in {} it has {}", found.size(), first.name(), expected.size()),
        kSameText);
}

}  // namespace

TaggingMetrics score_tagged_file(ByteSource source) {
  TaggingReader reader(std::move(source));
  while (reader.next()) continue;
  return std::move(reader.metrics());
}

TaggingPair score_tagged_files(ByteSource first, ByteSource second) {
  TaggingReader a(std::move(first)), b(std::move(second));
  while (true) {
    const bool more_in_a = a.next(), more_in_b = b.next();
    if (!more_in_a && !more_in_b) return {std::move(a.metrics()), std::move(b.metrics())};
    if (more_in_a != more_in_b)
      throw InputError({.file = b.name()}, fmt::format("{} sentences than {}", more_in_b ? "more" : "fewer", a.name()),
                       kSameText);
    require_same_gold(a, b);
  }
}

}  // namespace fovea
