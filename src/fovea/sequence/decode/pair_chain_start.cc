// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/pair_chain_start.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"
#include "fovea/optimize/lbfgs.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

/// Negative log-likelihood of the target labels as a function of the pair scores.
class PairObjective {
 public:
  using Real = double;

  PairObjective(const LabelSequences& label_sequences, const Assignment& target, double l2)
      : label_sequences_(label_sequences),
        l2_(l2),
        labels_(label_sequences.ngrams().label_count()),
        counts_(dimension()) {
    for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
      bool known = true;
      for (std::size_t p = label_sequences.begin(s); p < label_sequences.end(s); ++p)
        known &= target[p] < labels_ && label_sequences.unary(p)[target[p]] > kImpossibleF;
      if (!known) continue;
      sequences_.push_back(s);
      for (std::size_t p = label_sequences.begin(s); p < label_sequences.end(s); ++p) {
        unary_score_ += double{label_sequences.unary(p)[target[p]]};
        if (p > label_sequences.begin(s)) ++counts_[target[p - 1] * labels_ + target[p]];
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
    for (const std::size_t s : sequences_) value += chain.run(label_sequences_, s, nullptr, expected.data());
    for (std::size_t i = 0; i < dimension(); ++i) {
      value += x[i] * (l2_ * x[i] - counts_[i]);
      gradient[i] = expected[i / labels_ * ngrams.stride() + i % labels_] - counts_[i] + 2 * l2_ * x[i];
    }
    return value;
  }

 private:
  const LabelSequences& label_sequences_;
  double l2_;
  std::size_t labels_;
  std::vector<std::size_t> sequences_;
  std::vector<double> counts_;  // [label][next label] in the target labels
  double unary_score_ = 0;
};

/// Negative log-likelihood of the target labels, token by token, as a function of the biases and, in the last place, of
/// the scale minus 1.
class TokenObjective {
 public:
  using Real = double;

  TokenObjective(const LabelSequences& label_sequences, const Assignment& target, double l2)
      : l2_(l2), labels_(label_sequences.ngrams().label_count()) {
    constexpr std::size_t kMostTokens = 20'000;
    const std::size_t step = label_sequences.token_count() / kMostTokens + 1;
    std::size_t token = 0;
    for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
      for (std::size_t p = label_sequences.begin(s); p < label_sequences.end(s); ++p)
        if (token++ % step == 0 && target[p] < labels_ && label_sequences.unary(p)[target[p]] > kImpossibleF)
          tokens_.push_back({label_sequences.unary(p), target[p]});
  }

  std::size_t dimension() const { return labels_ + 1; }

  double evaluate(std::span<const double> x, std::span<double> gradient) {
    const double scale = 1 + x[labels_];
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      value += l2_ * x[i] * x[i];
      gradient[i] = 2 * l2_ * x[i];
    }
    std::vector<double> p(labels_);
    for (const Token& token : tokens_) {
      for (std::size_t k = 0; k < labels_; ++k) p[k] = scale * double{token.unary[k]} + x[k];
      const double best = *std::max_element(p.begin(), p.end()), own = p[token.label];
      double total = 0;
      for (double& score : p) total += score = std::exp(score - best);
      value += best + std::log(total) - own;
      for (std::size_t k = 0; k < labels_; ++k) {
        if (p[k] == 0) continue;  // its score may be -inf, and 0 times that is not a number
        gradient[k] += p[k] / total;
        gradient[labels_] += p[k] / total * double{token.unary[k]};
      }
      gradient[token.label] -= 1;
      gradient[labels_] -= double{token.unary[token.label]};
    }
    return value;
  }

 private:
  struct Token {
    const float* unary;
    Value label;
  };
  double l2_;
  std::size_t labels_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<float> fit_pair_chain_start(const LabelSequences& label_sequences, const Assignment& labels, double l2) {
  PairObjective objective(label_sequences, labels, l2);
  std::vector<double> scores(objective.dimension());
  optimize::minimize_lbfgs(objective, std::span<double>(scores), {.stopping = {.max_iterations = 40}});
  return {scores.begin(), scores.end()};
}

UnaryLaw fit_unary_law(const LabelSequences& label_sequences, const Assignment& labels, double l2) {
  TokenObjective objective(label_sequences, labels, l2);
  std::vector<double> x(objective.dimension());
  optimize::minimize_lbfgs(objective, std::span<double>(x), {.stopping = {.max_iterations = 40}});
  constexpr double kLeastScale = 0.01;  // scores that mislead are weakened, but never reversed
  UnaryLaw law{.scale = static_cast<float>(std::max(1 + x.back(), kLeastScale)),
               .bias = AlignedVector<float>(label_sequences.ngrams().stride())};
  std::copy(x.begin(), x.end() - 1, law.bias.begin());
  return law;
}

PairChainStart::PairChainStart(const LabelNgrams& pairs, UnaryLaw law, double prune)
    : law_(std::move(law)), prune_(prune), full_(pairs) {
  const bool fills_one_vector = pairs.stride() == row_stride(1);
  if (prune > 0 && !fills_one_vector) pruned_.emplace(pairs);
}

void PairChainStart::decode(const LabelSequences& label_sequences, Assignment& labeling, float* doubt, OpenLabels* open,
                            double open_share) {
  const auto share = static_cast<float>(open_share);
  const bool prunes = pruned_ && label_sequences.ngrams().factor_size() > 1;
  if (prunes) {
    unary_start(label_sequences, labeling, doubt, law_, &candidates_, prune_);
    pruned_->weigh(label_sequences, candidates_);
  }
  if (open) open->reset(label_sequences.position_count());
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
    if (!prunes || !pruned_->decode(label_sequences, s, candidates_, labeling, doubt, open, share))
      full_.decode(label_sequences, s, &labeling, doubt, open, share);
}

}  // namespace fovea::sequence
