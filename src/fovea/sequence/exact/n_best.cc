// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/n_best.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "fovea/base/error.h"
#include "fovea/sequence/exact/log_recursions.h"

namespace fovea::sequence {
namespace {

/// The labels of the last tokens, as a path towards the end of the sequence.
struct Suffix {
  double score = 0;             ///< of those tokens' windows and unaries
  std::uint32_t state = 0;      ///< after token `remaining` - 1
  std::uint32_t remaining = 0;  ///< number of tokens before the suffix
  std::uint32_t next = 0;       ///< the suffix that is one token shorter
};

/// Ties are broken by the longest suffix: where scores are so large that their sums hide everything else, very many
/// bounds are equal, and the search must reach an end before it has seen them all.
struct Candidate {
  double bound;  ///< score of the best labeling with this suffix
  std::uint32_t remaining, suffix;
  bool operator<(const Candidate& other) const {
    if (bound != other.bound) return bound < other.bound;
    return remaining != other.remaining ? remaining > other.remaining : suffix > other.suffix;
  }
};

class BackwardSearch {
 public:
  BackwardSearch(const SequenceStates& states, const LabelSequences& sequences, std::size_t sequence)
      : states_(states),
        sequences_(sequences),
        begin_(sequences.begin(sequence)),
        length_(sequences.end(sequence) - begin_) {
    internal::LogRecursions<internal::Maximum>(states).forward(sequences, sequence, alpha_);
    const double* last = alpha_.data() + (length_ - 1) * states.count();
    for (std::uint32_t s = 1; s < states.count(); ++s)
      push(last[s], {.score = 0, .state = s, .remaining = static_cast<std::uint32_t>(length_), .next = 0});
  }

  /// Finds the next best labeling; false when there is no other.
  bool next(mcmc::ScoredAssignment& found) {
    while (!queue_.empty()) {
      const Candidate top = queue_.top();
      const std::uint32_t at = top.suffix;
      queue_.pop();
      if (suffixes_[at].remaining == 0) {
        found = {labels(at), suffixes_[at].score};
        return true;
      }
      extend(at, top.bound);
    }
    return false;
  }

 private:
  void push(double bound, const Suffix& suffix) {
    if (bound == kImpossible) return;
    queue_.push({bound, suffix.remaining, static_cast<std::uint32_t>(suffixes_.size())});
    suffixes_.push_back(suffix);
  }

  /// Extends a suffix by one token. The best extension keeps the bound of the suffix, in spite of rounding.
  void extend(std::uint32_t at, double bound) {
    const Suffix suffix = suffixes_[at];
    const std::uint32_t token = suffix.remaining - 1;
    const Value label = states_.last(suffix.state);
    const double unary = sequences_.unary(begin_ + token)[label];
    const auto score_of = [&](std::uint32_t before) {
      return suffix.score + unary + double{states_.row(before)[label]};
    };
    if (token == 0) return push(bound, {.score = score_of(0), .state = 0, .remaining = 0, .next = at});
    const double* alpha = alpha_.data() + (token - 1) * states_.count();
    double best = kImpossible;
    states_.for_each_predecessor(
        suffix.state, [&](std::uint32_t before) { best = std::max(best, alpha[before] + score_of(before)); });
    states_.for_each_predecessor(suffix.state, [&](std::uint32_t before) {
      const double score = score_of(before), total = alpha[before] + score;
      if (total > kImpossible)
        push(bound - (best - total), {.score = score, .state = before, .remaining = token, .next = at});
    });
  }

  Assignment labels(std::uint32_t at) const {
    Assignment y;
    for (std::size_t t = 0; t < length_; ++t) y.push_back(states_.last(suffixes_[at = suffixes_[at].next].state));
    return y;
  }

  const SequenceStates& states_;
  const LabelSequences& sequences_;
  std::size_t begin_, length_;
  std::vector<double> alpha_;
  std::vector<Suffix> suffixes_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

std::vector<mcmc::ScoredAssignment> n_best(const SequenceStates& states, const LabelSequences& sequences,
                                           std::size_t sequence, std::size_t n) {
  FOVEA_CHECK(sequences.ngrams().label_count() == states.ngrams().label_count());
  const std::size_t length = sequences.end(sequence) - sequences.begin(sequence);
  const std::size_t bytes = length * states.count() * sizeof(double);
  if (bytes > kMaxNBestBytes)
    throw LimitError(
        fmt::format("the {} best labelings of {} tokens need {} MiB, more than {}; use a smaller factor size", n,
                    length, bytes >> 20, kMaxNBestBytes >> 20));
  std::vector<mcmc::ScoredAssignment> best;
  if (n == 0) return best;
  if (length == 0) return {{.values = {}, .score = 0}};
  BackwardSearch search(states, sequences, sequence);
  for (mcmc::ScoredAssignment found; best.size() < n && search.next(found);) best.push_back(found);
  return best;
}

std::vector<mcmc::ScoredAssignment> n_best(const LabelSequences& sequences, std::size_t sequence, std::size_t n) {
  return n_best(SequenceStates(sequences.ngrams()), sequences, sequence, n);
}

}  // namespace fovea::sequence
