// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/pair_chain_draws.h"
#include "fovea/sequence/learn/label_rows.h"
#include "fovea/sequence/learn/ngram_tables.h"
#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// The two chains of a strong Doeblin tagger on one sequence, which share their weights: u, the exact chain of label
/// pairs; and A, a Gibbs sweep from left to right in the model of all label n-grams. A has a density at any labels,
///
///   A(y | y') = prod over t of p(y_t | y_1 .. y_{t-1}, y'_{t+1} .. y'_T),
///
/// whereas single-site Gibbs could change only one label. While longer n-grams score 0, A leaves u invariant
/// (assumption 4.3 of Steinhardt and Liang 2015).
class TaggerChains {
 public:
  using State = std::vector<Value>;  ///< labels with order() pads on both sides

  /// Gradient of log probabilities of one sequence, by its unary scores and by n-grams.
  class Gradient {
   public:
    /// Derivatives [label] by the unary scores of a token.
    std::span<const float> unary(std::size_t token) const { return {unary_.data() + token * stride_, stride_}; }
    /// Calls visit(n-gram, derivative), for some n-grams more than once.
    template <class Visit>
    void for_each_ngram(const Visit& visit) const {
      for (const std::uint32_t row : touched_)
        for (std::size_t k = 0; k < stride_; ++k)
          if (const float derivative = rows_[row * stride_ + k]; derivative != 0)
            if (const std::uint32_t id = tables_->ngram_of(row, static_cast<Value>(k)); id != NgramTables::kNone)
              visit(id, derivative);
    }

   private:
    friend class TaggerChains;

    const NgramTables* tables_ = nullptr;
    std::size_t stride_ = 0;
    AlignedVector<float> unary_;  // [token][label]
    AlignedVector<float> rows_;   // [row of the tables][label]; zero where not touched
    std::vector<std::uint32_t> touched_;
    std::vector<bool> is_touched_;  // [row]
    double starts_ = 0;             // scale of d log Z of u that is still to be subtracted
  };

  /// `tables`: all n-grams, those of two labels among them; may change between sequences, and must outlive the object.
  explicit TaggerChains(const NgramTables& tables);

  /// Begins a sequence with its unary scores, [token][stride of the tables]. `pairs`: the n-grams of two labels at
  /// their present scores. The caller keeps both.
  void begin(const LabelNgrams& pairs, const float* unary, std::size_t length);
  State padded(std::span<const Value> labels) const;

  template <class Random>
  State draw_start(Random& random) const {
    State state(length_ + 2 * order_, tables_->pad());
    draws_.draw(state.data() + order_, random);
    return state;
  }
  template <class Random>
  State draw_step(State state, Random& random) const {
    for (std::size_t t = 0; t < length_; ++t)
      state[order_ + t] = static_cast<Value>(random.categorical(condition(state, t)));
    return state;
  }
  double log_start(const State& y) const { return draws_.log_probability(y.data() + order_); }
  double log_step(const State& y, State from) const;
  void add_start_gradient(const State& y, double scale, Gradient& gradient) const;
  void add_step_gradient(const State& y, State from, double scale, Gradient& gradient) const;

  /// begin() empties a gradient for the sequence; finish() completes it once everything has been added.
  void begin(Gradient& gradient) const;
  void finish(Gradient& gradient);

 private:
  /// [label] ~ p(label at token t | the others).
  std::span<const float> condition(const State& state, std::size_t t) const;
  static float* touch(Gradient& gradient, std::uint32_t row);

  const NgramTables* tables_;
  std::size_t order_, label_count_, stride_, length_ = 0;
  const LabelNgrams* pairs_ = nullptr;
  const float* unary_ = nullptr;
  // Work space of const functions.
  mutable PairChainDraws draws_;
  mutable AlignedVector<float> weights_;  // [label]
  mutable std::vector<const float*> rows_;
  ForwardBackward sums_;
  std::vector<float> marginals_;     // [token][label] of u
  std::vector<double> pair_counts_;  // [label before, or the pad][label] of u, expected
};

}  // namespace fovea::sequence
