// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fovea::tagging {

void LineWriter::write(const AttributeSequence& sequence, std::span<const std::string_view> columns) {
  const std::size_t added = sequence.empty() ? 0 : columns.size() / sequence.size();
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    if (!sequence.origin(t).empty()) {
      output_->write(sequence.origin(t));
      output_->write("\t");
    }
    output_->write(sequence.label(t));
    for (const std::string_view cell : columns.subspan(t * added, added)) {
      output_->write("\t");
      output_->write(cell);
    }
    output_->write("\n");
  }
  output_->write("\n");
}

template <class Sequence>
void TagColumns<Sequence>::write(const TaggedSequences<Sequence>& tagged) {
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s) {
    if (!tagged.n_best.empty()) {
      write_n_best(tagged, s);
      continue;
    }
    const Assignment& labels = tagged.result->labels;
    write_tagging(tagged, s, std::span(labels).subspan(tagged.label_sequences->begin(s)));
  }
}

/// `labels` holds those of the sequence's items, perhaps followed by others.
template <class Sequence>
void TagColumns<Sequence>::write_tagging(const TaggedSequences<Sequence>& tagged, std::size_t s,
                                         std::span<const Value> labels) {
  const sequence::LabelSequences& label_sequences = *tagged.label_sequences;
  const bool with_marginals = options_.marginals || options_.all_marginals;
  const std::size_t begin = label_sequences.begin(s), length = label_sequences.end(s) - begin;
  columns_.clear();
  if (with_marginals) {
    cells_used_ = 0;
    cells_.resize(std::max(cells_.size(), length * labels_.size()));
  }
  for (std::size_t t = 0; t < length; ++t) {
    columns_.push_back(labels_[labels[t]]);
    if (with_marginals)
      add_probabilities(tagged.result->marginals.data() + (begin + t) * label_sequences.ngrams().stride());
  }
  lines_.write(tagged.sequences[s], columns_);
}

template <class Sequence>
void TagColumns<Sequence>::add_probabilities(const float* marginals) {
  if (!options_.all_marginals) {
    const auto best = static_cast<std::size_t>(std::max_element(marginals, marginals + labels_.size()) - marginals);
    return columns_.push_back(probability_cell(best, marginals[best]));
  }
  for (std::size_t k = 0; k < labels_.size(); ++k) columns_.push_back(probability_cell(k, marginals[k]));
}

template <class Sequence>
std::string_view TagColumns<Sequence>::probability_cell(std::size_t label, float probability) {
  std::string& cell = cells_[cells_used_++];
  cell.clear();
  fmt::format_to(std::back_inserter(cell), "{}:{:.6f}", labels_[label], probability);
  return cell;
}

template <class Sequence>
void TagColumns<Sequence>::write_n_best(const TaggedSequences<Sequence>& tagged, std::size_t s) {
  std::size_t rank = 0;
  for (const RankedTagging& tagging : tagged.n_best[s]) {
    lines_.write_text(fmt::format("# {} {:.6f} {:.6f}\n", rank++, tagging.log_score, tagging.probability));
    write_tagging(tagged, s, tagging.labels);
  }
}

template class TagColumns<ItemSequence>;
template class TagColumns<AttributeSequence>;

}  // namespace fovea::tagging
