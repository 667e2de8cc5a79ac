// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

/// Taggers write six digits. Bins are found in whole millionths, so that a confidence on the border of two bins does
/// not fall on either side by the rounding of a float.
int bin_of(float confidence, int bins) {
  const long long millionths = std::llround(1e6 * static_cast<double>(confidence));
  return millionths == 0 ? 0 : static_cast<int>((millionths * bins - 1) / 1000000);
}

std::vector<float> doubts(const Calibration& calibration) {
  std::vector<float> result = calibration.confidences();
  for (float& confidence : result) confidence = 1 - confidence;
  return result;
}

DomainComparison::Side side_of(const Calibration& calibration) {
  return {.items = calibration.items(),
          .mean_confidence = calibration.mean_confidence(),
          .mean_entropy = calibration.mean_entropy()};
}

}  // namespace

RiskCurve::RiskCurve(const std::vector<float>& confidences, const std::vector<bool>& right) {
  FOVEA_CHECK(confidences.size() == right.size());
  std::vector<std::pair<float, bool>> items(confidences.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {confidences[i], right[i]};
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || items[i].first != items[i - 1].first)
      blocks_.push_back({.begin = i, .end = i, .wrong_before = wrong, .wrong = 0});
    ++blocks_.back().end;
    blocks_.back().wrong += !items[i].second;
    wrong += !items[i].second;
  }
}

double RiskCurve::Block::wrong_among(std::size_t count) const {
  const double share = static_cast<double>(count - begin) / static_cast<double>(end - begin);
  return static_cast<double>(wrong_before) + share * static_cast<double>(wrong);
}

double RiskCurve::risk(std::size_t count) const {
  FOVEA_CHECK(count > 0 && !blocks_.empty() && count <= blocks_.back().end);
  const auto block =
      std::partition_point(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.end < count; });
  return block->wrong_among(count) / static_cast<double>(count);
}

double RiskCurve::area() const {
  if (blocks_.empty()) return 0;
  double sum = 0;
  for (const Block& block : blocks_)
    for (std::size_t count = block.begin + 1; count <= block.end; ++count)
      sum += block.wrong_among(count) / static_cast<double>(count);
  return sum / static_cast<double>(blocks_.back().end);
}

void Calibration::add(const JudgedItem& item) {
  FOVEA_CHECK(item.confidence >= 0 && item.confidence <= 1);
  confidences_.push_back(static_cast<float>(item.confidence));
  right_.push_back(item.right);
  confidence_sum_ += item.confidence;
  right_count_ += item.right;
  other_answers_ += !item.is_answer;
  add_entropy(item.entropy);
  add_gold_probability(item.gold_probability);
  has_squared_error_ = has_squared_error_ && item.squared_error;
  squared_error_sum_ += item.squared_error.value_or(0);
}

void Calibration::add_entropy(std::optional<double> entropy) {
  has_entropy_ = has_entropy_ && entropy;
  if (!has_entropy_) return entropies_.clear();
  entropies_.push_back(static_cast<float>(*entropy));
  entropy_sum_ += *entropy;
}

void Calibration::add_gold_probability(std::optional<double> probability) {
  has_gold_ = has_gold_ && probability;
  if (!probability) return;
  improbable_gold_ += *probability < kLeastProbability;
  gold_log_sum_ += std::log(std::max(*probability, kLeastProbability));
}

std::vector<Calibration::Bin> Calibration::bins(int bins) const {
  FOVEA_CHECK(bins > 0);
  std::vector<Bin> result(bins);
  for (std::size_t i = 0; i < confidences_.size(); ++i) {
    Bin& bin = result[bin_of(confidences_[i], bins)];
    ++bin.items;
    bin.mean_confidence += confidences_[i];
    bin.accuracy += right_[i];
  }
  for (Bin& bin : result) {
    if (bin.items == 0) continue;
    bin.mean_confidence /= static_cast<double>(bin.items);
    bin.accuracy /= static_cast<double>(bin.items);
  }
  return result;
}

double Calibration::expected_calibration_error(int bins) const {
  double sum = 0;
  for (const Bin& bin : this->bins(bins))
    sum += static_cast<double>(bin.items) * std::abs(bin.accuracy - bin.mean_confidence);
  return mean(sum);
}

double area_under_roc(const std::vector<float>& negatives, const std::vector<float>& positives) {
  if (negatives.empty() || positives.empty()) return 0.5;
  std::vector<float> sorted = negatives;
  std::sort(sorted.begin(), sorted.end());
  double won = 0;
  for (const float score : positives) {
    const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), score);
    won += static_cast<double>(below - sorted.begin()) + 0.5 * static_cast<double>(above - below);
  }
  return won / static_cast<double>(negatives.size()) / static_cast<double>(positives.size());
}

DomainComparison compare_domains(const Calibration& in_domain, const Calibration& out_of_domain) {
  DomainComparison result{.in_domain = side_of(in_domain), .out_of_domain = side_of(out_of_domain)};
  result.by_entropy = result.in_domain.mean_entropy && result.out_of_domain.mean_entropy;
  result.area_under_roc = result.by_entropy ? area_under_roc(in_domain.entropies(), out_of_domain.entropies())
                                            : area_under_roc(doubts(in_domain), doubts(out_of_domain));
  return result;
}

}  // namespace fovea::tagging
