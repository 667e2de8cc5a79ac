// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/chain_start.h"

#include <cmath>
#include <limits>

#include "fovea/exact/forward_backward.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

/// Negative log-likelihood of the target labels as a function of the pair scores.
class PairObjective {
 public:
  using Real = double;

  PairObjective(const Chains& chains, const Assignment& target, double l2)
      : chains_(chains), l2_(l2), labels_(chains.ngrams().label_count()), counts_(dimension()) {
    for (std::size_t s = 0; s < chains.sequence_count(); ++s) {
      bool known = true;
      for (std::size_t p = chains.begin(s); p < chains.end(s); ++p)
        known &= target[p] < labels_ && chains.unary(p)[target[p]] > kForbidden;
      if (!known) continue;
      sequences_.push_back(s);
      for (std::size_t p = chains.begin(s); p < chains.end(s); ++p) {
        unary_score_ += double{chains.unary(p)[target[p]]};
        if (p > chains.begin(s)) ++counts_[target[p - 1] * labels_ + target[p]];
      }
    }
  }

  std::size_t dimension() const { return labels_ * labels_; }

  double evaluate(std::span<const double> x, std::span<double> gradient) {
    std::vector<LabelNgram> pairs(dimension());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {.labels = {static_cast<Value>(i / labels_), static_cast<Value>(i % labels_)},
                  .size = 2,
                  .score = static_cast<float>(x[i])};
    const LabelNgrams ngrams(static_cast<int>(labels_), 2, pairs);
    ForwardBackward chain(ngrams);
    std::vector<double> expected(ngrams.context_count() * ngrams.stride());
    double value = -unary_score_;
    for (const std::size_t s : sequences_) value += chain.run(chains_, s, nullptr, expected.data());
    for (std::size_t i = 0; i < dimension(); ++i) {
      value += x[i] * (l2_ * x[i] - counts_[i]);
      gradient[i] = expected[i / labels_ * ngrams.stride() + i % labels_] - counts_[i] + 2 * l2_ * x[i];
    }
    return value;
  }

 private:
  const Chains& chains_;
  double l2_;
  std::size_t labels_;
  std::vector<std::size_t> sequences_;
  std::vector<double> counts_;  // [label][next label] in the target labels
  double unary_score_ = 0;
};

}  // namespace

std::vector<float> fit_chain_start(const Chains& chains, const Assignment& labels, double l2) {
  PairObjective objective(chains, labels, l2);
  std::vector<double> scores(objective.dimension());
  minimize_lbfgs(objective, std::span<double>(scores), {.stopping = {.max_iterations = 40}});
  return {scores.begin(), scores.end()};
}

}  // namespace fovea
