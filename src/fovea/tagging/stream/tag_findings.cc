// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "fovea/tagging/model/label_explanation.h"

namespace fovea::tagging {
namespace {

/// A term of either kind, ready to be written.
struct WrittenTerm {
  double difference = 0;
  std::string name;
  double weight = 0, other_weight = 0;
};

std::vector<WrittenTerm> largest_terms(const LabelExplanation& explanation, std::size_t count) {
  std::vector<WrittenTerm> terms;
  for (const auto& term : explanation.attributes)
    terms.push_back({term.difference, term.value == 1 ? term.name : fmt::format("{}:{:g}", term.name, term.value),
                     term.weight, term.other_weight});
  for (const auto& term : explanation.ngrams)
    terms.push_back(
        {term.difference, fmt::format("[{}]", fmt::join(term.labels, " ")), term.weight, term.other_weight});
  std::stable_sort(terms.begin(), terms.end(), [](const WrittenTerm& a, const WrittenTerm& b) {
    return std::abs(a.difference) > std::abs(b.difference);
  });
  if (terms.size() > count) terms.resize(count);
  return terms;
}

}  // namespace

template <class Sequence>
void SpanLines<Sequence>::write(const TaggedSequences<Sequence>& tagged, std::string& text) {
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s, ++sequence_)
    for (const EntitySpan& span : tagged.tags.spans(s)) {
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{:.6f}\t", sequence_, span.begin, span.end, span.label,
                     span.probability);
      for (std::size_t item = span.begin; item < span.end; ++item) {
        if (item > span.begin) text += ' ';
        text += token_of(tagged.sequences[s], item);
      }
      text += '\n';
    }
  output_.write_and_clear(text);
}

template <class Sequence>
void ExplanationLines<Sequence>::prepare(const TaggedSequences<Sequence>& tagged, std::string& text) const {
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s) {
    for (std::size_t item = 0; item < tagged.sequences[s].size(); ++item)
      add_item(tagged.sequences[s], tagged.tags.labels(s), item, text);
    text += '\n';
  }
}

template <class Sequence>
void ExplanationLines<Sequence>::add_item(const Sequence& sequence, std::span<const Value> labels, std::size_t item,
                                          std::string& text) const {
  const LabelExplanation explanation = explain_label(model_, sequence, labels, item);
  fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{:.4f}\n", token_of(sequence, item), explanation.label,
                 explanation.other, explanation.difference);
  for (const WrittenTerm& term : largest_terms(explanation, terms_))
    fmt::format_to(std::back_inserter(text), "\t{:+.4f}\t{}\t{:.4f}\t{:.4f}\n", term.difference, term.name, term.weight,
                   term.other_weight);
}

template class SpanLines<ItemSequence>;
template class SpanLines<AttributeSequence>;
template class ExplanationLines<ItemSequence>;
template class ExplanationLines<AttributeSequence>;

}  // namespace fovea::tagging
