// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace fovea::tagging {
namespace {

/// Cells that follow the probabilities of an item: mean, variance and entropy.
constexpr std::size_t kLatentCells = 3;

}  // namespace

std::string_view token_of(const ItemSequence& sequence, std::size_t item) { return sequence.cell(item, 0); }
std::string_view token_of(const AttributeSequence& sequence, std::size_t item) {
  return sequence.attribute_count(item) == 0 ? "-" : sequence.attribute(item, 0).name;
}

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
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s)
    if (options_.n_best > 0) write_n_best(tagged, s);
    else write_tagging(tagged, s, tagged.tags.labels(s));
}

template <class Sequence>
void TagColumns<Sequence>::write_tagging(const TaggedSequences<Sequence>& tagged, std::size_t s,
                                         std::span<const Value> labels) {
  const bool with_marginals = options_.marginals || options_.all_marginals;
  columns_.clear();
  if (with_marginals) {
    cells_used_ = 0;
    cells_.resize(std::max(cells_.size(), labels.size() * (labels_.size() + kLatentCells)));
  }
  for (std::size_t t = 0; t < labels.size(); ++t) {
    columns_.push_back(labels_[labels[t]]);
    if (with_marginals) add_probabilities(tagged.tags, s, t);
  }
  lines_.write(tagged.sequences[s], columns_);
}

template <class Sequence>
void TagColumns<Sequence>::add_probabilities(const BlockTags& tags, std::size_t s, std::size_t item) {
  probabilities_.resize(labels_.size());
  tags.read_marginals(s, item, probabilities_);
  const auto best =
      static_cast<std::size_t>(std::max_element(probabilities_.begin(), probabilities_.end()) - probabilities_.begin());
  for (std::size_t k = 0; k < labels_.size(); ++k)
    if (options_.all_marginals || k == best) add_probability(labels_[k], probabilities_[k]);
  if (const std::optional<LatentValue> latent = tags.latent(s, item, best)) add_latent(*latent);
}

template <class Sequence>
void TagColumns<Sequence>::add_latent(const LatentValue& latent) {
  add_statistic("mean", latent.mean);
  add_statistic("variance", latent.variance);
  double entropy = 0;
  for (const double p : probabilities_)
    if (p > 0) entropy -= p * std::log(p);
  add_statistic("entropy", entropy);
}

template <class Sequence>
void TagColumns<Sequence>::add_probability(std::string_view label, double probability) {
  std::string& cell = cells_[cells_used_++];
  cell.clear();
  fmt::format_to(std::back_inserter(cell), "{}:{:.6f}", label, probability);
  columns_.push_back(cell);
}

template <class Sequence>
void TagColumns<Sequence>::add_statistic(std::string_view name, double value) {
  std::string& cell = cells_[cells_used_++];
  cell.clear();
  fmt::format_to(std::back_inserter(cell), "{}:{:.4f}", name, value);
  columns_.push_back(cell);
}

template <class Sequence>
void TagColumns<Sequence>::write_n_best(const TaggedSequences<Sequence>& tagged, std::size_t s) {
  std::size_t rank = 0;
  for (const RankedTagging& tagging : tagged.tags.n_best(s)) {
    lines_.write_text(fmt::format("# {} {:.6f} {:.6f}\n", rank++, tagging.log_score, tagging.probability));
    write_tagging(tagged, s, tagging.labels);
  }
}

template class TagColumns<ItemSequence>;
template class TagColumns<AttributeSequence>;

}  // namespace fovea::tagging
