// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::tagging {

/// A tagger's probabilities for one item, compared with the truth. Probabilities are linear, in [0, 1].
struct JudgedItem {
  double confidence = 0;                        ///< of the item's likeliest label
  bool right = false;                           ///< that label is the gold one
  bool is_answer = true;                        ///< that label is the predicted one; the best sequence may have another
  std::optional<double> entropy = {};           ///< of the item's labels, nats
  std::optional<double> gold_probability = {};  ///< 0 for a label that the tagger does not know
  std::optional<double> squared_error = {};     ///< sum over labels of (probability - [is gold])^2, in [0, 2]
};

/// The surest items and the number of wrong ones among their likeliest labels. Among items that are equally sure, the
/// choice is open, so that each counts as the share of them that is wrong: the expectation over their orders, whatever
/// the order in which they came.
class RiskCurve {
 public:
  RiskCurve() = default;
  /// `right[i]` is true if item i is right; both have one length.
  RiskCurve(const std::vector<float>& confidences, const std::vector<bool>& right);

  /// Share of wrong items among the `count` surest ones, in [0, 1]; 1 <= count <= items.
  double risk(std::size_t count) const;
  /// Mean of risk(count) over all counts, in [0, 1]: the area under the risk-coverage curve of El-Yaniv and Wiener
  /// (2010), "On the foundations of noise-free selective classification". 0 without items.
  double area() const;

 private:
  /// Items of one confidence, surest block first.
  struct Block {
    std::size_t begin = 0, end = 0;  // ranks
    std::size_t wrong_before = 0, wrong = 0;

    double wrong_among(std::size_t count) const;  // of all ranks below `count`, which lies in (begin, end]
  };

  std::vector<Block> blocks_;
};

/// Judges how far a tagger's probabilities can be trusted: whether items of confidence p are right in a share p of the
/// cases (calibration), and whether the surest items are the right ones (selective prediction). An item counts as right
/// if its likeliest label is the gold one, since the confidence is that label's.
///
/// Keeps a float and a bit for each item, and another float if entropies are known. A quantity that add() lacks for one
/// item (entropy, gold probability, squared error) is not known for the whole.
class Calibration {
 public:
  static constexpr int kDefaultBins = 15;
  /// Coverages that reports list, in percent.
  static constexpr int kCoverages[] = {50, 80, 90, 95, 100};
  /// Least probability that a gold label counts with: half a unit of the last of the six digits that taggers write.
  /// Below it they write zero, whose logarithm would outweigh all others.
  static constexpr double kLeastProbability = 5e-7;

  /// Items whose confidence lies in one range. Ranges are right-closed, and the first one includes 0 too.
  struct Bin {
    std::uint64_t items = 0;
    double mean_confidence = 0;  ///< 0 without items
    double accuracy = 0;         ///< 0 without items
  };

  void add(const JudgedItem& item);

  std::uint64_t items() const { return confidences_.size(); }
  double accuracy() const { return mean(static_cast<double>(right_count_)); }
  double mean_confidence() const { return mean(confidence_sum_); }
  /// Number of items whose predicted label is not the likeliest one.
  std::uint64_t other_answers() const { return other_answers_; }
  /// The bins of [0, 1], `bins` of equal width.
  std::vector<Bin> bins(int bins) const;
  /// Mean over items of |accuracy - mean confidence| of the item's bin, in [0, 1] (Guo et al. 2017, "On calibration of
  /// modern neural networks", equation 3).
  double expected_calibration_error(int bins) const;
  /// Mean of -log p(gold), in nats per item; see kLeastProbability.
  std::optional<double> negative_log_likelihood() const { return known_mean(has_gold_, -gold_log_sum_); }
  /// Number of gold labels whose probability counted as kLeastProbability.
  std::uint64_t improbable_gold() const { return improbable_gold_; }
  /// Mean squared error of the probabilities, summed over labels, in [0, 2] (Brier 1950).
  std::optional<double> brier_score() const { return known_mean(has_squared_error_, squared_error_sum_); }
  /// In nats.
  std::optional<double> mean_entropy() const { return known_mean(has_entropy_, entropy_sum_); }
  RiskCurve risk_curve() const { return {confidences_, right_}; }
  /// Number of items in the surest `percent` of them, rounded up; 0 < percent <= 100; at least one item.
  std::size_t covered(int percent) const { return (confidences_.size() * percent + 99) / 100; }

  /// [item], in the order of add().
  const std::vector<float>& confidences() const { return confidences_; }
  /// [item], nats; empty if mean_entropy() is not known.
  std::vector<float> entropies() const { return has_entropy_ ? entropies_ : std::vector<float>(); }

  /// A few words that continue a line: "; calibration error 1.25, error 0.50 of the surest 80 %". All reports need an
  /// item.
  std::string brief(int bins = kDefaultBins) const;
  /// Tables; scores that are shares are in points of a hundred.
  std::string full(int bins = kDefaultBins) const;
  /// One object, with null for what is not known and for the averages of empty bins.
  std::string json(int bins = kDefaultBins) const;

 private:
  double mean(double sum) const { return confidences_.empty() ? 0 : sum / static_cast<double>(confidences_.size()); }
  std::optional<double> known_mean(bool known, double sum) const {
    return known && !confidences_.empty() ? std::optional<double>(mean(sum)) : std::nullopt;
  }
  void add_entropy(std::optional<double> entropy);
  void add_gold_probability(std::optional<double> probability);

  std::vector<float> confidences_, entropies_;
  std::vector<bool> right_;
  std::uint64_t right_count_ = 0, other_answers_ = 0, improbable_gold_ = 0;
  bool has_entropy_ = true, has_gold_ = true, has_squared_error_ = true;
  double confidence_sum_ = 0, entropy_sum_ = 0, gold_log_sum_ = 0, squared_error_sum_ = 0;
};

/// Probability that a random one of `positives` scores higher than a random one of `negatives`, ties counting half: the
/// area under the receiver operating characteristic (Hanley and McNeil 1982). In [0, 1]; 0.5 if either is empty.
double area_under_roc(const std::vector<float>& negatives, const std::vector<float>& positives);

/// Measure of how well a tagger's doubt separates text of another domain from its own.
struct DomainComparison {
  struct Side {
    std::uint64_t items = 0;
    double mean_confidence = 0;
    std::optional<double> mean_entropy = {};  ///< nats
  };
  Side in_domain, out_of_domain;
  bool by_entropy = false;    ///< else by 1 - confidence
  double area_under_roc = 0;  ///< of out-of-domain items (positives) against in-domain ones; 0.5: chance

  /// A few words that continue a line.
  std::string brief() const;
  std::string full() const;
  std::string json() const;
};

/// Compares by entropy if both sides have it. The gold labels of `out_of_domain` do not matter.
DomainComparison compare_domains(const Calibration& in_domain, const Calibration& out_of_domain);

}  // namespace fovea::tagging
