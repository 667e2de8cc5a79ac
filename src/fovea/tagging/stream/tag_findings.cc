// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
void SpanLines<Sequence>::write(const TaggedSequences<Sequence>& tagged) {
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s, ++sequence_)
    for (const EntitySpan& span : tagged.tags.spans(s)) {
      std::string line =
          fmt::format("{}\t{}\t{}\t{}\t{:.6f}\t", sequence_, span.begin, span.end, span.label, span.probability);
      for (std::size_t item = span.begin; item < span.end; ++item) {
        if (item > span.begin) line += ' ';
        line += token_of(tagged.sequences[s], item);
      }
      lines_.write_text(line += '\n');
    }
}

template <class Sequence>
void ExplanationLines<Sequence>::write(const TaggedSequences<Sequence>& tagged) {
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s) {
    for (std::size_t item = 0; item < tagged.sequences[s].size(); ++item)
      write_item(tagged.sequences[s], tagged.tags.labels(s), item);
    lines_.write_text("\n");
  }
}

template <class Sequence>
void ExplanationLines<Sequence>::write_item(const Sequence& sequence, std::span<const Value> labels, std::size_t item) {
  const LabelExplanation explanation = explain_label(model_, sequence, labels, item);
  lines_.write_text(fmt::format("{}\t{}\t{}\t{:.4f}\n", token_of(sequence, item), explanation.label, explanation.other,
                                explanation.difference));
  for (const WrittenTerm& term : largest_terms(explanation, terms_))
    lines_.write_text(
        fmt::format("\t{:+.4f}\t{}\t{:.4f}\t{:.4f}\n", term.difference, term.name, term.weight, term.other_weight));
}

template class SpanLines<ItemSequence>;
template class SpanLines<AttributeSequence>;
template class ExplanationLines<ItemSequence>;
template class ExplanationLines<AttributeSequence>;

}  // namespace fovea::tagging
