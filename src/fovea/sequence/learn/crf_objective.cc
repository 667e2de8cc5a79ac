// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf_objective.h"

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::sequence {
namespace {

constexpr std::size_t kEntries = 1 << 14;    // of a task: frequent bundles and attributes come first, with most of them
constexpr std::size_t kAttributeBlock = 32;  // rows gathered in one go, small enough for the first-level cache
constexpr std::size_t kSequenceBlock = 128;  // sequences scored and summed over while their rows are in the cache

}  // namespace

/// Consecutive sequences whose window counts are summed in one place, by one thread.
struct CrfObjective::Group {
  std::size_t first, last;
  double objective = 0;
  std::vector<double> windows;
  std::unique_ptr<SequenceResiduals> residuals;
};

CrfObjective::CrfObjective(const TrainingSet& set, const CrfFeatures& features, Options options)
    : CrfObjective(set, features, std::make_shared<const TransposedItems>(set.items, set.attribute_count), options) {}

CrfObjective::CrfObjective(const TrainingSet& set, const CrfFeatures& features,
                           std::shared_ptr<const TransposedItems> transposed, Options options)
    : set_(&set),
      features_(&features),
      transposed_(std::move(transposed)),
      options_(options),
      stride_(row_stride(set.label_count)),
      ngrams_(std::make_unique<LabelNgrams>(set.label_count, features.factor_size, features.ngrams)),
      bundle_rows_(set.items.bundles.row_count() * stride_),
      item_rows_(set.items.item_count() * stride_) {
  FOVEA_CHECK(features.attribute_count() == set.attribute_count);
  FOVEA_CHECK(set.labels.size() == set.items.item_count());
  make_groups(ngrams_->context_count() * stride_);
  bundle_cuts_ = set.items.bundles.cuts(kEntries);
  item_cuts_ = transposed_->bundles.cuts(kEntries);
  attribute_cuts_ = transposed_->attributes.cuts(kEntries);
}

CrfObjective::~CrfObjective() = default;

/// The number of groups depends on the problem alone: many, to balance the threads, unless their windows are large.
void CrfObjective::make_groups(std::size_t window_floats) {
  constexpr std::size_t kMostWindows = std::size_t{1} << 22, kMinGroups = 2, kMaxGroups = 64;
  const std::size_t count = std::clamp(kMostWindows / window_floats, kMinGroups, kMaxGroups);
  const std::size_t items = set_->items.item_count(), sequences = set_->items.sequence_count();
  for (std::size_t g = 0, s = 0; s < sequences; ++g) {
    Group group{.first = s, .last = s, .objective = 0, .windows = {}, .residuals = nullptr};
    while (s < sequences && (set_->items.sequence_begin[s] * count < (g + 1) * items || s == group.first)) ++s;
    group.last = s;
    groups_.push_back(std::move(group));
  }
}

double CrfObjective::evaluate(std::span<const float> x, std::span<float> gradient) {
  FOVEA_CHECK(x.size() == dimension() && gradient.size() == dimension());
  score_bundles(x);
  const double loss = visit_sequences(x, RowOutput::kResidual);
  gather_bundles(EntryPower::kValue);
  for_each_attribute_row(EntryPower::kValue, [&](std::size_t a, const float* row) {
    for (std::uint32_t e = features_->offsets[a]; e < features_->offsets[a + 1]; ++e)
      gradient[e] = row[features_->labels[e]];
  });
  const auto levels = fold_windows();
  for (std::size_t i = 0; i < features_->ngrams.size(); ++i)
    gradient[features_->labels.size() + i] = static_cast<float>(ngram_total(levels, features_->ngrams[i]));
  return loss + add_l2_penalty(x, options_.l2, options_.threads, gradient);
}

std::vector<float> CrfObjective::curvature(std::span<const float> x) {
  std::vector<float> diagonal(dimension());
  score_bundles(x);
  visit_sequences(x, RowOutput::kVariance);
  double variance = 0;
  for (const float v : item_rows_) variance += v;
  gather_bundles(EntryPower::kSquare);
  for_each_attribute_row(EntryPower::kSquare, [&](std::size_t a, const float* row) {
    for (std::uint32_t e = features_->offsets[a]; e < features_->offsets[a + 1]; ++e)
      diagonal[e] = row[features_->labels[e]];
  });
  const auto levels = fold_windows();
  const double doubt = variance / std::max<double>(1, static_cast<double>(set_->items.item_count()));
  for (std::size_t i = 0; i < features_->ngrams.size(); ++i)
    diagonal[features_->labels.size() + i] =
        static_cast<float>(doubt * std::max(0.0, ngram_total(levels, features_->ngrams[i])));
  return diagonal;
}

std::vector<float> inverse_curvature(std::vector<float> diagonal, double l2) {
  constexpr double kFloor = 1e-3;  // without a penalty a parameter that never matters has no curvature
  for (float& d : diagonal) d = static_cast<float>(1 / std::max(kFloor, 2 * l2 + double{d}));
  return diagonal;
}

void CrfObjective::score_bundles(std::span<const float> x) {
  const SparseRows& bundles = set_->items.bundles;
  parallel_in_order(bundle_cuts_.size() - 1, options_.threads, [&](std::size_t cut) {
    for (std::size_t b = bundle_cuts_[cut]; b < bundle_cuts_[cut + 1]; ++b) {
      float* row = bundle_rows_.data() + b * stride_;
      std::fill_n(row, stride_, 0.0f);
      for (std::uint32_t entry = bundles.offsets[b]; entry < bundles.offsets[b + 1]; ++entry) {
        const std::uint32_t a = bundles.columns[entry];
        const float value = bundles.value(entry);
        for (std::uint32_t e = features_->offsets[a]; e < features_->offsets[a + 1]; ++e)
          row[features_->labels[e]] += value * x[e];
      }
    }
  });
}

double CrfObjective::visit_sequences(std::span<const float> x, RowOutput output) {
  const std::vector<LabelNgram> scores = features_->scored_ngrams(x);
  *ngrams_ = LabelNgrams(set_->label_count, features_->factor_size, scores);
  const std::vector<std::uint32_t>& begin = set_->items.sequence_begin;
  const auto visit = [&](Group& group) {
    if (!group.residuals)
      group.residuals = std::make_unique<SequenceResiduals>(*set_, *ngrams_, scores, options_.objective);
    group.residuals->rebind(*ngrams_, scores);
    group.windows.assign(ngrams_->context_count() * stride_, 0.0);
    group.objective = 0;
    for (std::size_t s = group.first; s < group.last; s += kSequenceBlock) {
      const std::size_t last = std::min(s + kSequenceBlock, group.last);
      float* rows = item_rows_.data() + begin[s] * stride_;
      sum_rows(set_->items.items, begin[s], begin[last], bundle_rows_.data(), stride_, rows);
      group.objective += group.residuals->run(s, last, rows, group.windows.data(), output);
    }
  };
  parallel_for(groups_.size(), 1, options_.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t g = first; g < last; ++g) visit(groups_[g]);
  });
  double objective = 0;
  for (const Group& group : groups_) objective += group.objective;
  return objective;
}

void CrfObjective::gather_bundles(EntryPower power) {
  parallel_in_order(item_cuts_.size() - 1, options_.threads, [&](std::size_t cut) {
    sum_rows(transposed_->bundles, item_cuts_[cut], item_cuts_[cut + 1], item_rows_.data(), stride_,
             bundle_rows_.data() + item_cuts_[cut] * stride_, power);
  });
}

template <class Visit>
void CrfObjective::for_each_attribute_row(EntryPower power, const Visit& visit) {
  parallel_in_order(attribute_cuts_.size() - 1, options_.threads, [&](std::size_t cut) {
    AlignedVector<float> rows(kAttributeBlock * stride_);
    const std::size_t end = attribute_cuts_[cut + 1];
    for (std::size_t a = attribute_cuts_[cut]; a < end; a += kAttributeBlock) {
      const std::size_t last = std::min(a + kAttributeBlock, end);
      sum_rows(transposed_->attributes, a, last, bundle_rows_.data(), stride_, rows.data(), power);
      for (std::size_t i = a; i < last; ++i) visit(i, rows.data() + (i - a) * stride_);
    }
  });
}

/// levels[n]: [context of n labels][stride], window counts summed over all that comes before those n labels.
std::vector<std::vector<double>> CrfObjective::fold_windows() const {
  const std::size_t order = ngrams_->order(), base = ngrams_->label_count() + 1;
  std::vector<std::vector<double>> levels(order + 1);
  levels[order].assign(ngrams_->context_count() * stride_, 0.0);
  for (const Group& group : groups_)
    for (std::size_t i = 0; i < levels[order].size(); ++i) levels[order][i] += group.windows[i];
  for (std::size_t n = order; n-- > 1;) {
    levels[n].assign(levels[n + 1].size() / base, 0.0);
    for (std::size_t i = 0; i < levels[n + 1].size(); ++i) levels[n][i % levels[n].size()] += levels[n + 1][i];
  }
  return levels;
}

double CrfObjective::ngram_total(const std::vector<std::vector<double>>& levels, const LabelNgram& ngram) const {
  const std::size_t base = ngrams_->label_count() + 1;
  std::size_t context = 0;
  for (int i = 0; i + 1 < ngram.size; ++i) context = context * base + ngram.labels[i];
  return levels[ngram.size - 1][context * stride_ + ngram.labels[ngram.size - 1]];
}

double add_l2_penalty(std::span<const float> x, double l2, int threads, std::span<float> gradient) {
  const auto slope = static_cast<float>(2 * l2);
  return l2 * parallel_sum(x.size(), 1 << 14, threads, [&](std::size_t begin, std::size_t end) {
           double squares = 0;
           for (std::size_t i = begin; i < end; ++i) {
             squares += double{x[i]} * x[i];
             gradient[i] += slope * x[i];
           }
           return squares;
         });
}

}  // namespace fovea::sequence
