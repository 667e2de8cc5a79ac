// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tagged_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/tagging/stream/tag_output.h"

namespace fovea::tagging {

template <class Sequence>
std::vector<std::string> TaggedPage<Sequence>::names(std::span<const Value> labels) const {
  std::vector<std::string> names;
  for (const Value label : labels) names.push_back(labels_[label]);
  return names;
}

template <class Sequence>
void TaggedPage<Sequence>::write(const TaggedSequences<Sequence>& tagged, std::string& text) {
  std::vector<double> probabilities(labels_.size());
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s) {
    page_.items += tagged.tags.labels(s).size();
    if (page_.sentences++ >= kMostSentencesOfAPage) continue;
    const Sequence& sequence = tagged.sequences[s];
    const std::span<const Value> labels = tagged.tags.labels(s);
    report::TaggedText::Sentence& sentence = page_.text.sentences.emplace_back();
    sentence.labels = names(labels);
    for (std::size_t t = 0; t < labels.size(); ++t) {
      sentence.words.emplace_back(token_of(sequence, t));
      if (!options_.marginals && !options_.all_marginals) continue;
      tagged.tags.read_marginals(s, t, probabilities);
      sentence.probabilities.push_back(probabilities[labels[t]]);
    }
    if (page_.has_visits) {
      const std::span<const std::uint32_t> visits = tagged.tags.visits(s);
      sentence.visits.assign(visits.begin(), visits.end());
    }
    if (options_.n_best == 0) continue;
    for (const RankedTagging& ranked : tagged.tags.n_best(s))
      sentence.best.emplace_back(ranked.probability, names(ranked.labels));
  }
  next_->write(tagged, text);
}

report::Page tagged_page(TaggedPageText shown, const std::string& model) {
  report::Page page("Tagged text", model);
  page.add_facts("Numbers", {{"sentences", shown.sentences}, {"items", shown.items}});
  if (shown.sentences > shown.text.sentences.size())
    page.add_note(fmt::format("The first {} of {} sentences are shown.", shown.text.sentences.size(), shown.sentences));
  shown.text.title = "Text";
  const bool has_doubts =
      std::ranges::any_of(shown.text.sentences, [](const auto& sentence) { return !sentence.probabilities.empty(); });
  if (has_doubts)
    shown.text.about = "Underlined labels are doubtful: dotted below 90 %, dashed below 75 %, solid below 50 %.";
  page.add(shown.text);
  return page;
}

template class TaggedPage<ItemSequence>;
template class TaggedPage<AttributeSequence>;

std::vector<std::string> kinds_of_labels(std::span<const std::string> labels) {
  std::vector<std::string> kinds;
  for (const std::string& label : labels) {
    const bool is_part =
        label.size() > 2 && label[1] == '-' && std::string_view("BIESLU").find(label[0]) != std::string_view::npos;
    const std::string kind = is_part ? label.substr(2) : label;
    if (kind != "O" && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace fovea::tagging
