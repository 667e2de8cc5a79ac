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

/// The lines of a block, with their columns.
template <class Sequence>
class TaggedLineText {
 public:
  TaggedLineText(LineWriter lines, std::span<const std::string> labels, const TagOptions& options)
      : lines_(lines), labels_(labels), options_(options) {}

  void add(const TaggedSequences<Sequence>& tagged, std::size_t s) {
    if (options_.n_best > 0) add_n_best(tagged, s);
    else add_tagging(tagged, s, tagged.tags.labels(s));
  }

 private:
  void add_tagging(const TaggedSequences<Sequence>& tagged, std::size_t s, std::span<const Value> labels) {
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

  void add_probabilities(const BlockTags& tags, std::size_t s, std::size_t item) {
    probabilities_.resize(labels_.size());
    tags.read_marginals(s, item, probabilities_);
    const auto best = static_cast<std::size_t>(std::max_element(probabilities_.begin(), probabilities_.end()) -
                                               probabilities_.begin());
    for (std::size_t k = 0; k < labels_.size(); ++k)
      if (options_.all_marginals || k == best) add_probability(labels_[k], probabilities_[k]);
    if (const std::optional<LatentValue> latent = tags.latent(s, item)) add_latent(*latent);
  }

  void add_latent(const LatentValue& latent) {
    add_statistic("mean", latent.mean);
    add_statistic("variance", latent.variance);
    double entropy = 0;
    for (const double p : probabilities_)
      if (p > 0) entropy -= p * std::log(p);
    add_statistic("entropy", entropy);
  }

  void add_probability(std::string_view label, double probability) {
    std::string& cell = cells_[cells_used_++];
    cell.clear();
    fmt::format_to(std::back_inserter(cell), "{}:{:.6f}", label, probability);
    columns_.push_back(cell);
  }

  void add_statistic(std::string_view name, double value) {
    std::string& cell = cells_[cells_used_++];
    cell.clear();
    fmt::format_to(std::back_inserter(cell), "{}:{:.4f}", name, value);
    columns_.push_back(cell);
  }

  void add_n_best(const TaggedSequences<Sequence>& tagged, std::size_t s) {
    std::size_t rank = 0;
    for (const RankedTagging& tagging : tagged.tags.n_best(s)) {
      lines_.write_text(fmt::format("# {} {:.6f} {:.6f}\n", rank++, tagging.log_score, tagging.probability));
      add_tagging(tagged, s, tagging.labels);
    }
  }

  LineWriter lines_;
  std::span<const std::string> labels_;
  const TagOptions& options_;
  std::vector<double> probabilities_;      // [label] of the current item
  std::vector<std::string_view> columns_;  // [item][column]
  std::vector<std::string> cells_;         // texts of the current sequence
  std::size_t cells_used_ = 0;
};

}  // namespace

std::string_view token_of(const ItemSequence& sequence, std::size_t item) { return sequence.cell(item, 0); }
std::string_view token_of(const AttributeSequence& sequence, std::size_t item) {
  return sequence.attribute_count(item) == 0 ? "-" : sequence.attribute(item, 0).name;
}

void LineWriter::write(const AttributeSequence& sequence, std::span<const std::string_view> columns) {
  const std::size_t added = sequence.empty() ? 0 : columns.size() / sequence.size();
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    if (!sequence.origin(t).empty()) {
      *text_ += sequence.origin(t);
      *text_ += '\t';
    }
    *text_ += sequence.label(t);
    for (const std::string_view cell : columns.subspan(t * added, added)) {
      *text_ += '\t';
      *text_ += cell;
    }
    *text_ += '\n';
  }
  *text_ += '\n';
}

template <class Sequence>
void TagColumns<Sequence>::prepare(const TaggedSequences<Sequence>& tagged, std::string& text) const {
  TaggedLineText<Sequence> lines(LineWriter(text, format_), labels_, options_);
  for (std::size_t s = 0; s < tagged.sequences.size(); ++s) lines.add(tagged, s);
}

template class TagColumns<ItemSequence>;
template class TagColumns<AttributeSequence>;

}  // namespace fovea::tagging
