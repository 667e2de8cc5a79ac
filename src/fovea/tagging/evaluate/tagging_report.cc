// SPDX-License-Identifier: Apache-2.0
// The reports of TaggingMetrics: text for people, JSON for programs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fovea/tagging/metrics/tagging_metrics.h"

namespace fovea::tagging {
namespace {

using Json = nlohmann::ordered_json;
using Confusion = TaggingMetrics::Confusion;
constexpr std::size_t kListedConfusions = 20;
constexpr std::ptrdiff_t kListedLabels = 3;
/// Share of tokens whose gold label is predicted anywhere, below which the gold labels look like another column. A
/// tagger may never predict some labels.
constexpr double kFewPredictable = 0.1;

double percent(double rate) { return 100 * rate; }

std::size_t widest(const TaggingMetrics::CountsByName& counts, std::size_t least) {
  for (const auto& [name, unused] : counts) least = std::max(least, name.size());
  return least;
}

std::string count_row(std::string_view name, std::size_t width, const MatchCounts& c) {
  return fmt::format("{:<{}} {:9} {:9} {:9} {:9.2f} {:9.2f} {:9.2f}\n", name, width, c.gold, c.predicted, c.correct,
                     percent(c.precision()), percent(c.recall()), percent(c.f1()));
}

/// Rows with the most frequent gold first, so that the table begins with what matters.
std::string count_table(std::string_view heading, const TaggingMetrics::CountsByName& counts) {
  const std::size_t width = widest(counts, heading.size());
  std::string text = fmt::format("\n{:<{}} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", heading, width, "gold", "predicted",
                                 "correct", "precision", "recall", "F1");
  std::vector<TaggingMetrics::CountsByName::const_iterator> order;
  for (auto it = counts.begin(); it != counts.end(); ++it) order.push_back(it);
  std::stable_sort(order.begin(), order.end(), [](auto a, auto b) { return a->second.gold > b->second.gold; });
  for (const auto& row : order) text += count_row(row->first, width, row->second);
  return text;
}

std::string confusion_matrix(const TaggingMetrics& metrics, const TaggingMetrics::CountsByName& labels) {
  const std::size_t width = widest(labels, 9);
  std::string text = fmt::format("\n{:<{}}", "gold \\ predicted", std::max<std::size_t>(width, 16));
  for (const auto& [predicted, unused] : labels) text += fmt::format(" {:>{}}", predicted, width);
  text += "\n";
  for (const auto& [gold, unused] : labels) {
    text += fmt::format("{:<{}}", gold, std::max<std::size_t>(width, 16));
    for (const auto& [predicted, unused2] : labels)
      text += fmt::format(" {:>{}}", metrics.confusion(gold, predicted), width);
    text += "\n";
  }
  return text;
}

std::string confusion_list(const std::vector<Confusion>& confusions) {
  std::string text = "\nmost frequent confusions\n   tokens gold -> predicted\n";
  std::size_t listed = 0;
  for (const Confusion& c : confusions) {
    if (c.gold == c.predicted) continue;
    if (++listed > kListedConfusions) break;
    text += fmt::format("{:9} {} -> {}\n", c.tokens, c.gold, c.predicted);
  }
  return text;
}

Json counts_json(const MatchCounts& c) {
  return {{"gold", c.gold},       {"predicted", c.predicted},
          {"correct", c.correct}, {"precision", c.precision()},
          {"recall", c.recall()}, {"f1", c.f1()}};
}

Json counts_json(const TaggingMetrics::CountsByName& counts) {
  Json json = Json::object();
  for (const auto& [name, c] : counts) json[name] = counts_json(c);
  return json;
}

}  // namespace

/// Number of tokens whose gold label is predicted anywhere.
std::uint64_t TaggingMetrics::predictable_tokens() const {
  std::uint64_t tokens = 0;
  for (const auto& [name, counts] : labels())
    if (counts.predicted > 0) tokens += counts.gold;
  return tokens;
}

std::vector<std::string> TaggingMetrics::remarks() const {
  const std::uint64_t predictable = predictable_tokens();
  if (predictable == 0 && tokens_ > 0)
    return {"no gold label is ever predicted; is the column before the prediction the gold label?"};
  std::vector<std::string> remarks;
  if (static_cast<double>(predictable) < kFewPredictable * static_cast<double>(tokens_))
    remarks.push_back(fmt::format(
        "{:.1f} % of the tokens have gold labels that are never predicted; is the column before the prediction the "
        "gold label?",
        100 - percent(MatchCounts::ratio(predictable, tokens_))));
  if (!other_labels_.empty() && has_typed_entities_) {
    const auto last =
        std::next(other_labels_.begin(), std::min<std::ptrdiff_t>(std::ssize(other_labels_), kListedLabels));
    remarks.push_back(fmt::format(
        "{} gold or predicted labels mark no entity, as B-X, I-X and O do ({}{}): they count as outside", other_tokens_,
        fmt::join(other_labels_.begin(), last, ", "), last == other_labels_.end() ? "" : ", ..."));
  }
  if (partial_sentences_ > 0)
    remarks.push_back(fmt::format(
        "{} of {} sentences have gold labels that are not known: their other items are scored, but not their entities",
        partial_sentences_, sentences_.size()));
  return remarks;
}

std::string TaggingMetrics::brief() const {
  std::string text;
  if (has_entities())
    text = fmt::format("F1 {:.2f}, precision {:.2f}, recall {:.2f} ({} gold, {} predicted, {} correct entities); ",
                       percent(entities_.f1()), percent(entities_.precision()), percent(entities_.recall()),
                       entities_.gold, entities_.predicted, entities_.correct);
  return text + fmt::format("accuracy {:.2f} ({} of {} tokens)", percent(accuracy()), correct_tokens_, tokens_);
}

std::string TaggingMetrics::full() const {
  std::string text = brief() + "\n";
  const std::uint64_t whole_sentences = sentences_.size() - partial_sentences_;
  text += fmt::format("{} of {} sentences without a mistake ({:.2f})\n", correct_sentences_, whole_sentences,
                      percent(MatchCounts::ratio(correct_sentences_, whole_sentences)));
  if (has_entities() && !entity_types_.empty()) text += count_table("entity type", entity_types_);
  const CountsByName by_label = labels();
  text += count_table("label", by_label);
  return text +
         (by_label.size() <= kMaxMatrixLabels ? confusion_matrix(*this, by_label) : confusion_list(confusions()));
}

std::string TaggingMetrics::json() const {
  Json json = {{"sentences", sentences_.size()},
               {"correct_sentences", correct_sentences_},
               {"tokens", tokens_},
               {"correct_tokens", correct_tokens_},
               {"accuracy", accuracy()}};
  if (has_entities()) {
    json["entities"] = counts_json(entities_);
    json["entities"]["types"] = counts_json(entity_types_);
  } else {
    json["entities"] = nullptr;
  }
  json["labels"] = counts_json(labels());
  json["confusion"] = Json::array();
  for (const Confusion& c : confusions())
    json["confusion"].push_back({{"gold", c.gold}, {"predicted", c.predicted}, {"tokens", c.tokens}});
  json["remarks"] = remarks();
  // Labels may be bytes of any encoding; JSON may not.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fovea::tagging
