// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/memory_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/tagging/evaluate/evaluation_page.h"
#include "fovea/tagging/stream/tag_output.h"
#include "fovea/tagging/stream/tagged_page.h"

namespace fovea::tagging {
namespace {

std::string_view text_at(const TagItems& items, std::size_t t) {
  return items[t].empty() ? std::string_view() : std::string_view(items[t][0]);
}
std::string_view text_at(const AttributeSequence& items, std::size_t t) { return token_of(items, t); }

/// One call of memory_page().
template <class Sequence>
class MemoryPage {
 public:
  MemoryPage(const std::string& name, const Tagger& tagger, std::span<const Sequence> sequences,
             const TaggedInMemory& tagged)
      : name_(name), labels_(tagger.labels()), sequences_(sequences), tagged_(tagged) {}

  report::Page of_text() const {
    TaggedPageText shown;
    shown.text.kinds = kinds_of_labels(labels_);
    for (std::size_t s = 0; s < sequences_.size(); ++s) {
      const SequenceTags& tags = tagged_.sequences[s];
      shown.items += tags.labels.size();
      if (shown.sentences++ >= kMostSentencesOfAPage) continue;
      report::TaggedText::Sentence& sentence = shown.text.sentences.emplace_back();
      sentence.labels = tags.labels;
      for (std::size_t t = 0; t < tags.labels.size(); ++t) sentence.words.emplace_back(text_at(sequences_[s], t));
      for (std::size_t t = 0; t < tags.marginals.size(); ++t)
        sentence.probabilities.push_back(probability(tags.marginals[t], tags.labels[t]));
      for (const SequenceTags::Ranked& ranked : tags.n_best)
        sentence.best.emplace_back(ranked.probability, ranked.labels);
    }
    return tagged_page(std::move(shown), name_);
  }

  report::Page of_evaluation(const GoldLabels& gold) const {
    ScoredTagging scored;
    MistakenSentences mistakes;
    for (std::size_t s = 0; s < sequences_.size(); ++s) {
      const SequenceTags& tags = tagged_.sequences[s];
      TaggedSentence sentence;
      std::vector<ItemMarginals> marginals;
      for (std::size_t t = 0; t < tags.labels.size(); ++t) {
        sentence.words.push_back(text_at(sequences_[s], t));
        sentence.gold.push_back(gold.labels[s][t]);
        sentence.predicted.push_back(tags.labels[t]);
        sentence.is_known.push_back(gold.labels[s][t] != gold.unknown);
        if (tags.marginals.empty()) continue;
        marginals.push_back(marginals_of(tags.marginals[t]));
        sentence.probabilities.push_back(probability(tags.marginals[t], tags.labels[t]));
      }
      scored.add(sentence, marginals, true);
      mistakes.add(sentence);
    }
    return evaluation_page({.taggings = {{name_, scored}}, .mistakes = std::move(mistakes).text("predicted", "")},
                           Calibration::kDefaultBins);
  }

 private:
  double probability(const std::vector<double>& marginals, const std::string& label) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(labels_, label) - labels_.begin());
    return place < marginals.size() ? marginals[place] : 0;
  }

  ItemMarginals marginals_of(const std::vector<double>& marginals) const {
    ItemMarginals item;
    double entropy = 0;
    for (std::size_t k = 0; k < marginals.size(); ++k) {
      item.shares.push_back({labels_[k], marginals[k]});
      if (marginals[k] > 0) entropy -= marginals[k] * std::log(marginals[k]);
    }
    item.entropy = entropy;
    return item;
  }

  const std::string& name_;
  const std::vector<std::string> labels_;
  std::span<const Sequence> sequences_;
  const TaggedInMemory& tagged_;
};

template <class Sequence>
report::Page page_of(const std::string& name, const Tagger& tagger, std::span<const Sequence> sequences,
                     const TaggedInMemory& tagged, const std::optional<GoldLabels>& gold) {
  const MemoryPage page(name, tagger, sequences, tagged);
  if (!gold) return page.of_text();
  if (gold->labels.size() != sequences.size())
    throw UsageError(fmt::format("{} sequences of gold labels for {}", gold->labels.size(), sequences.size()));
  for (std::size_t s = 0; s < sequences.size(); ++s)
    if (gold->labels[s].size() != tagged.sequences[s].labels.size())
      throw UsageError(fmt::format("sequence {} has {} items and {} gold labels", s, tagged.sequences[s].labels.size(),
                                   gold->labels[s].size()));
  return page.of_evaluation(*gold);
}

}  // namespace

report::Page memory_page(const std::string& name, const Tagger& tagger, std::span<const TagItems> sequences,
                         const TaggedInMemory& tagged, const std::optional<GoldLabels>& gold) {
  return page_of(name, tagger, sequences, tagged, gold);
}

report::Page memory_page(const std::string& name, const Tagger& tagger, std::span<const AttributeSequence> sequences,
                         const TaggedInMemory& tagged, const std::optional<GoldLabels>& gold) {
  return page_of(name, tagger, sequences, tagged, gold);
}

}  // namespace fovea::tagging
