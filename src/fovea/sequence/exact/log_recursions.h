// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/sequence/exact/sequence_states.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence::internal {

struct Maximum {
  static double combine(double a, double b) { return std::max(a, b); }
};

struct LogSum {
  static double combine(double a, double b) { return add_logs(a, b); }
};

/// The recursions over SequenceStates in double precision and log domain: slow, safe for any scores, and the reference
/// for the vectorised ones.
///
///   forward:  alpha_t(s') = unary_t(last(s')) + combine over (s, k) with next(s, k) = s' of alpha_{t-1}(s) + row(s)[k]
///   backward: beta_{t-1}(s) = combine over k of row(s)[k] + unary_t(k) + beta_t(next(s, k))
///
/// alpha_{-1} is 0 at state 0 (no history) and -inf elsewhere; beta_{T-1} is 0.
template <class Semiring>
class LogRecursions {
 public:
  explicit LogRecursions(const SequenceStates& states)
      : states_(&states), labels_(states.ngrams().label_count()), table_(states.count() * labels_) {}

  /// alpha: [length][states] of the sequence's tokens.
  void forward(const LabelSequences& sequences, std::size_t sequence, std::vector<double>& alpha) {
    const std::size_t n = states_->count();
    const std::size_t begin = sequences.begin(sequence), length = sequences.end(sequence) - begin;
    alpha.resize(length * n);
    std::vector<double> start(n, kImpossible);
    start[0] = 0;
    const double* previous = start.data();
    for (std::size_t t = 0; t < length; ++t, previous += n) {
      if (t == 1) previous = alpha.data();
      advance(previous);
      collect(sequences.unary(begin + t), alpha.data() + t * n);
    }
  }

  /// beta_{t-1} from beta_t: [states] each. Afterwards arrivals(s)[k] = beta_t(next(s, k)).
  void backward(const float* unary, const double* beta, double* previous_beta) {
    spread(beta);
    for (std::uint32_t s = 0; s < states_->count(); ++s) {
      const float* row = states_->row(s);
      double sum = kImpossible;
      for (std::size_t k = 0; k < labels_; ++k)
        sum = Semiring::combine(sum, double{row[k]} + double{unary[k]} + arrivals(s)[k]);
      previous_beta[s] = sum;
    }
  }

  const double* arrivals(std::uint32_t s) const { return table_.data() + s * labels_; }

 private:
  // table(s)[k] = combine of alpha(r) + row(r)[k] over r = s and those below s in the tree of fail links for which the
  // search for next(r, k) reaches s.
  void advance(const double* alpha) {
    std::fill(table_.begin(), table_.end(), kImpossible);
    for (auto s = static_cast<std::uint32_t>(states_->count()); s-- > 0;) {
      double* table = table_.data() + s * labels_;
      const float* row = states_->row(s);
      for (std::size_t k = 0; k < labels_; ++k) table[k] = Semiring::combine(table[k], alpha[s] + double{row[k]});
      if (s == 0) continue;
      double* up = table_.data() + states_->fail(s) * labels_;
      std::uint32_t c = states_->child_begin(s);
      const std::uint32_t end = states_->child_begin(s + 1);
      for (std::size_t k = 0; k < labels_; ++k) {
        if (c < end && states_->last(states_->child(c)) == k) ++c;
        else up[k] = Semiring::combine(up[k], table[k]);
      }
    }
  }

  void collect(const float* unary, double* alpha) const {
    alpha[0] = kImpossible;
    for (std::uint32_t s = 1; s < states_->count(); ++s) {
      const Value last = states_->last(s);
      alpha[s] = table_[states_->parent(s) * labels_ + last] + double{unary[last]};
    }
  }

  void spread(const double* beta) {
    for (std::uint32_t s = 0; s < states_->count(); ++s) {
      double* table = table_.data() + s * labels_;
      if (s != 0) std::copy_n(table_.data() + states_->fail(s) * labels_, labels_, table);
      for (std::uint32_t c = states_->child_begin(s); c < states_->child_begin(s + 1); ++c)
        table[states_->last(states_->child(c))] = beta[states_->child(c)];
    }
  }

  const SequenceStates* states_;
  std::size_t labels_;
  std::vector<double> table_;  // [state][label]
};

}  // namespace fovea::sequence::internal
