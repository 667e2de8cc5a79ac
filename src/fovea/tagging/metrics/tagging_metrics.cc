// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/tagging_metrics.h"

#include <algorithm>
#include <tuple>

#include "fovea/base/error.h"
#include "fovea/base/pair_hash.h"

namespace fovea::tagging {
namespace {

MatchCounts& counts_of(TaggingMetrics::CountsByName& counts, std::string_view name) {
  const auto found = counts.find(name);
  return found != counts.end() ? found->second : counts.emplace(name, MatchCounts()).first->second;
}

}  // namespace

void TaggingMetrics::add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted) {
  FOVEA_CHECK(gold.size() == predicted.size());
  sentences_.emplace_back();
  count_tokens(gold, predicted);
  correct_sentences_ += sentences_.back().correct_tokens == sentences_.back().tokens;
  gold_entities_.clear();
  predicted_entities_.clear();
  find(gold, gold_entities_);
  find(predicted, predicted_entities_);
  count_entities();
}

void TaggingMetrics::add_partial(std::span<const std::string_view> gold, std::span<const std::string_view> predicted) {
  FOVEA_CHECK(gold.size() == predicted.size());
  sentences_.emplace_back();
  ++partial_sentences_;
  count_tokens(gold, predicted);
}

void TaggingMetrics::count_tokens(std::span<const std::string_view> gold, std::span<const std::string_view> predicted) {
  SentenceCounts& sentence = sentences_.back();
  for (std::size_t t = 0; t < gold.size(); ++t) {
    ++confusion_[pair_key(label_id(gold[t]), label_id(predicted[t]))];
    ++sentence.tokens;
    sentence.correct_tokens += gold[t] == predicted[t];
  }
  tokens_ += sentence.tokens;
  correct_tokens_ += sentence.correct_tokens;
}

void TaggingMetrics::find(std::span<const std::string_view> labels, std::vector<Entity>& entities) {
  parsed_.clear();
  for (const std::string_view label : labels) {
    const auto parsed = parse_entity_label(label);
    parsed_.push_back(parsed.value_or(EntityLabel()));
    has_typed_entities_ = has_typed_entities_ || !parsed_.back().type.empty();
    if (parsed) continue;
    ++other_tokens_;
    if (!other_labels_.contains(label)) other_labels_.emplace(label);
  }
  find_entities(parsed_, entities);
}

void TaggingMetrics::count_entities() {
  SentenceCounts& sentence = sentences_.back();
  for (const Entity& e : gold_entities_) ++counts_of(entity_types_, e.type).gold;
  auto candidate = gold_entities_.begin();
  for (const Entity& e : predicted_entities_) {
    MatchCounts& counts = counts_of(entity_types_, e.type);
    ++counts.predicted;
    while (candidate != gold_entities_.end() && candidate->begin < e.begin) ++candidate;
    if (candidate == gold_entities_.end() || *candidate != e) continue;
    ++counts.correct;
    ++sentence.correct;
  }
  sentence.gold = static_cast<std::uint32_t>(gold_entities_.size());
  sentence.predicted = static_cast<std::uint32_t>(predicted_entities_.size());
  entities_ += {sentence.gold, sentence.predicted, sentence.correct};
}

std::uint32_t TaggingMetrics::label_id(std::string_view label) {
  const auto found = label_ids_.find(label);
  if (found != label_ids_.end()) return found->second;
  const auto added = label_ids_.emplace(label, static_cast<std::uint32_t>(label_names_.size())).first;
  label_names_.push_back(added->first);
  return added->second;
}

TaggingMetrics::CountsByName TaggingMetrics::labels() const {
  CountsByName counts;
  for (const auto& [key, tokens] : confusion_) {
    const auto gold = static_cast<std::uint32_t>(key >> 32), predicted = static_cast<std::uint32_t>(key);
    counts_of(counts, label_names_[gold]).gold += tokens;
    counts_of(counts, label_names_[predicted]).predicted += tokens;
    if (gold == predicted) counts_of(counts, label_names_[gold]).correct += tokens;
  }
  return counts;
}

std::uint64_t TaggingMetrics::confusion(std::string_view gold, std::string_view predicted) const {
  const auto g = label_ids_.find(gold), p = label_ids_.find(predicted);
  if (g == label_ids_.end() || p == label_ids_.end()) return 0;
  const auto found = confusion_.find(pair_key(g->second, p->second));
  return found == confusion_.end() ? 0 : found->second;
}

std::vector<TaggingMetrics::Confusion> TaggingMetrics::confusions() const {
  std::vector<Confusion> all;
  for (const auto& [key, tokens] : confusion_)
    all.push_back({label_names_[key >> 32], label_names_[static_cast<std::uint32_t>(key)], tokens});
  std::sort(all.begin(), all.end(), [](const Confusion& a, const Confusion& b) {
    return std::tie(b.tokens, a.gold, a.predicted) < std::tie(a.tokens, b.gold, b.predicted);
  });
  return all;
}

}  // namespace fovea::tagging
