// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tagged_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "fovea/tagging/format/conll.h"

namespace fovea::tagging {
namespace {

JudgedItem judged(const ItemMarginals& marginals, std::string_view gold, std::string_view predicted, bool has_all) {
  const ItemMarginals::Share& likeliest = marginals.likeliest(predicted);
  JudgedItem item{.confidence = likeliest.probability,
                  .right = likeliest.label == gold,
                  .is_answer = likeliest.label == predicted,
                  .entropy = marginals.entropy};
  if (!has_all) return item;
  item.gold_probability = marginals.probability_of(gold);
  item.squared_error = marginals.squared_error(gold);
  return item;
}

/// Sentences of a tagged file, their predictions and probabilities.
class TaggedLines {
 public:
  TaggedLines(io::ByteSource source, MarginalsIn marginals) : reader_(std::move(source)), marginals_(marginals) {}

  /// Reads the next sentence; false at the end of the file. Throws InputError for a file without sentences.
  bool next() {
    const bool is_first = sentence_.column_count() == 0;
    if (!reader_.next(sentence_)) {
      if (is_first)
        throw InputError({.file = reader_.name()}, "there is nothing to score", "The file has no line with labels");
      return false;
    }
    if (is_first) columns_ = MarginalColumns::find(cells(0), marginals_, location(0));
    return true;
  }

  std::size_t size() const { return sentence_.size(); }
  std::string_view cell(std::size_t item, std::size_t column) const { return sentence_.cell(item, column); }
  std::size_t predicted_column() const {
    return columns_ ? columns_->predicted_column() : sentence_.column_count() - 1;
  }
  /// The columns of probabilities, if the file has any.
  const std::optional<MarginalColumns>& columns() const { return columns_; }
  void read_marginals(std::size_t item, ItemMarginals& marginals) {
    columns_->read(cells(item), location(item), marginals);
  }
  const std::string& name() const { return reader_.name(); }
  InputLocation location(std::size_t item) const {
    return {.file = reader_.name(), .line = sentence_.first_line() + item};
  }

 private:
  std::span<const std::string_view> cells(std::size_t item) {
    cells_.resize(sentence_.column_count());
    for (std::size_t column = 0; column < cells_.size(); ++column) cells_[column] = sentence_.cell(item, column);
    return cells_;
  }

  ConllReader reader_;
  MarginalsIn marginals_;
  ItemSequence sentence_;
  std::optional<MarginalColumns> columns_;
  std::vector<std::string_view> cells_;  // scratch
};

/// Reads one sentence after the other, and scores each as it is read.
class TaggingReader {
 public:
  TaggingReader(io::ByteSource source, const TaggedFileOptions& options)
      : lines_(std::move(source), options.marginals), unknown_label_(options.unknown_label) {}

  bool next() {
    sentence_ = {};
    if (!lines_.next()) return false;
    const std::size_t predicted = lines_.predicted_column();
    if (predicted == 0)
      throw InputError(lines_.location(0), "1 column, but a gold and a predicted label are needed",
                       "Give the output of 'fovea tag' on data with gold labels");
    for (std::size_t t = 0; t < lines_.size(); ++t) {
      sentence_.words.push_back(predicted > 1 ? lines_.cell(t, 0) : std::string_view());
      sentence_.gold.push_back(lines_.cell(t, predicted - 1));
      sentence_.predicted.push_back(lines_.cell(t, predicted));
      sentence_.is_known.push_back(unknown_label_.empty() || sentence_.gold.back() != unknown_label_);
    }
    read_marginals();
    score_.add(sentence_, marginals_, lines_.columns() && lines_.columns()->has_all_labels());
    return true;
  }

  const TaggedSentence& sentence() const { return sentence_; }
  ScoredTagging& score() { return score_; }
  const std::string& name() const { return lines_.name(); }
  /// Location of an item of the current sentence.
  InputLocation location(std::size_t item) const { return lines_.location(item); }

 private:
  void read_marginals() {
    if (!lines_.columns()) return;
    marginals_.resize(sentence_.gold.size());
    for (std::size_t t = 0; t < marginals_.size(); ++t) {
      lines_.read_marginals(t, marginals_[t]);
      sentence_.probabilities.push_back(marginals_[t].probability_of(sentence_.predicted[t]));
    }
  }

  TaggedLines lines_;
  std::string unknown_label_;
  std::vector<ItemMarginals> marginals_;  // of the sentence, if the file has any
  TaggedSentence sentence_;
  ScoredTagging score_;
};

constexpr const char* kSameText = "Compare two taggings of the same file";

void require_same_gold(const TaggingReader& first, const TaggingReader& second) {
  const auto &expected = first.sentence().gold, &found = second.sentence().gold;
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

void ScoredTagging::add(const TaggedSentence& sentence, std::span<const ItemMarginals> marginals, bool has_all) {
  if (!marginals.empty() && !calibration) calibration.emplace();
  std::vector<std::string_view> gold, predicted;
  for (std::size_t t = 0; t < sentence.gold.size(); ++t) {
    if (!sentence.is_known[t]) continue;
    gold.push_back(sentence.gold[t]);
    predicted.push_back(sentence.predicted[t]);
    if (!marginals.empty()) calibration->add(judged(marginals[t], gold.back(), predicted.back(), has_all));
  }
  if (gold.size() == sentence.gold.size()) metrics.add(gold, predicted);
  else metrics.add_partial(gold, predicted);
}

std::string ScoredTagging::brief(int bins) const {
  return metrics.brief() + (calibration ? calibration->brief(bins) : "");
}

std::string ScoredTagging::full(int bins) const {
  return metrics.full() + (calibration ? calibration->full(bins) : "");
}

std::string ScoredTagging::json(int bins) const {
  std::string text = metrics.json();
  FOVEA_CHECK(text.ends_with('}'));
  text.pop_back();
  return text + ",\"calibration\":" + (calibration ? calibration->json(bins) : "null") + "}";
}

ScoredTagging score_tagged_file(io::ByteSource source, const TaggedFileOptions& options,
                                const std::function<void(const TaggedSentence&)>& on_sentence) {
  TaggingReader reader(std::move(source), options);
  while (reader.next())
    if (on_sentence) on_sentence(reader.sentence());
  if (reader.score().metrics.tokens() == 0)
    throw InputError({.file = reader.name()}, "no gold label is known", "Give a file with gold labels to score");
  return std::move(reader.score());
}

Calibration read_tagged_marginals(io::ByteSource source) {
  TaggedLines lines(std::move(source), MarginalsIn::kYes);
  Calibration calibration;
  ItemMarginals marginals;
  while (lines.next())
    for (std::size_t t = 0; t < lines.size(); ++t) {
      lines.read_marginals(t, marginals);
      calibration.add(judged(marginals, {}, lines.cell(t, lines.predicted_column()), false));
    }
  return calibration;
}

TaggingPair score_tagged_files(io::ByteSource first, io::ByteSource second, const TaggedFileOptions& options,
                               const std::function<void(const TaggedSentence&, const TaggedSentence&)>& on_sentence) {
  TaggingReader a(std::move(first), options), b(std::move(second), options);
  while (true) {
    const bool more_in_a = a.next(), more_in_b = b.next();
    if (!more_in_a && !more_in_b) return {std::move(a.score()), std::move(b.score())};
    if (more_in_a != more_in_b)
      throw InputError({.file = b.name()}, fmt::format("{} sentences than {}", more_in_b ? "more" : "fewer", a.name()),
                       kSameText);
    require_same_gold(a, b);
    if (on_sentence) on_sentence(a.sentence(), b.sentence());
  }
}

}  // namespace fovea::tagging
