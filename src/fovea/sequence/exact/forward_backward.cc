// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/forward_backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/sequence/exact/log_recursions.h"
#include "fovea/sequence/exact/pair_sums.h"
#include "fovea/sequence/exact/state_sums.h"

namespace fovea::sequence {

struct ForwardBackward::Workspace {
  explicit Workspace(const LabelNgrams& ngrams) : states(ngrams) { bind(true); }

  void bind(bool structure_changed) {
    if (is_pairwise()) bind_pairs();
    else state_sums.bind(states, structure_changed);
  }
  void bind_pairs();
  bool is_pairwise() const { return states.ngrams().factor_size() <= 2; }
  bool run_pairs(const float* unary, std::size_t length, float* marginals, double* window_expectations, double& log_z);
  bool run_states(const float* unary, std::size_t length, float* marginals, double* window_expectations, double& log_z);
  double run_log_domain(const LabelSequences& sequences, std::size_t sequence, float* marginals,
                        double* window_expectations);
  void add_window(const float* unary, const double* alpha, double log_z,
                  const internal::LogRecursions<internal::LogSum>&, float* marginals, double* window_expectations);

  SequenceStates states;
  std::vector<double> alpha, beta, previous_beta;
  AlignedVector<float> decode_marginals;
  internal::PairWeights<float> pairs;
  internal::PairSums<float> pair_sums;
  double highest_pair = 0;        // log domain
  bool has_narrow_range = false;  // no pair is more than kNarrowRange below the highest
  internal::StateSums state_sums;
};

ForwardBackward::ForwardBackward(const LabelNgrams& ngrams) : workspace_(std::make_unique<Workspace>(ngrams)) {}
ForwardBackward::~ForwardBackward() = default;
ForwardBackward::ForwardBackward(ForwardBackward&&) noexcept = default;

void ForwardBackward::rebind(const LabelNgrams& ngrams) { workspace_->bind(!workspace_->states.rebind(ngrams)); }

const SequenceStates& ForwardBackward::states() const { return workspace_->states; }

double ForwardBackward::run(const LabelSequences& sequences, std::size_t sequence, float* marginals,
                            double* window_expectations) {
  FOVEA_CHECK(sequences.ngrams().label_count() == states().ngrams().label_count());
  const std::size_t begin = sequences.begin(sequence), length = sequences.end(sequence) - begin;
  double log_z = 0;
  if (length == 0) return log_z;
  if (forward_backward_bytes(states(), length) > kMaxBytes)
    throw LimitError(
        fmt::format("the marginals of {} tokens need {} MiB, more than {}; use sampling or a smaller factor size, or "
                    "split the text",
                    length, forward_backward_bytes(states(), length) >> 20, kMaxBytes >> 20));
  const bool done = workspace_->is_pairwise()
                        ? workspace_->run_pairs(sequences.unary(begin), length, marginals, window_expectations, log_z)
                        : workspace_->run_states(sequences.unary(begin), length, marginals, window_expectations, log_z);
  return done ? log_z : workspace_->run_log_domain(sequences, sequence, marginals, window_expectations);
}

bool ForwardBackward::Workspace::run_states(const float* unary, std::size_t length, float* marginals,
                                            double* window_expectations, double& log_z) {
  if (!state_sums.forward(unary, length, log_z)) return false;
  if (marginals == nullptr && window_expectations == nullptr && state_sums.narrow_range()) return true;
  return state_sums.backward(states, length, marginals, window_expectations);
}

void ForwardBackward::Workspace::bind_pairs() {
  const LabelNgrams& ngrams = states.ngrams();
  const std::size_t labels = static_cast<std::size_t>(ngrams.label_count());
  const auto row = [&](std::size_t j) { return ngrams.factor_size() == 1 ? ngrams.row(0, 0) : ngrams.row(1, j); };
  float high = kImpossibleF, low = -high;
  for (std::size_t j = 0; j < labels; ++j) {
    high = std::max(high, *std::max_element(row(j), row(j) + labels));
    low = std::min(low, *std::min_element(row(j), row(j) + labels));
  }
  if (high == kImpossibleF) high = 0;
  highest_pair = double{high};
  has_narrow_range = highest_pair - double{low} <= internal::kNarrowRange;
  pairs.resize(labels);
  for (std::size_t j = 0; j < labels; ++j)
    for (std::size_t k = 0; k < labels; ++k) pairs.from[j * pairs.stride + k] = std::exp(row(j)[k] - high);
  pairs.transpose();
}

bool ForwardBackward::Workspace::run_pairs(const float* unary, std::size_t length, float* marginals,
                                           double* window_expectations, double& log_z) {
  const std::size_t stride = pairs.stride;
  double shift = highest_pair * static_cast<double>(length - 1);
  pair_sums.resize(pairs, length);
  if (!internal::exponentiate_tokens(unary, length, stride, pair_sums.weights.data(), shift)) return false;
  if (!pair_sums.forward(pairs, length)) return false;
  log_z = shift + pair_sums.log_sum;
  if (marginals == nullptr && window_expectations == nullptr && has_narrow_range) return true;
  if (window_expectations == nullptr) return pair_sums.backward(pairs, length, marginals);
  if (states.ngrams().factor_size() == 2) {
    if (!pair_sums.backward(pairs, length, marginals)) return false;
    double* first = window_expectations + pairs.labels * stride;  // the pad context
    for (std::size_t k = 0; k < pairs.labels; ++k) first[k] += double{pair_sums.alpha[k] * pair_sums.beta[k]};
    pair_sums.add_pairs(pairs, length, window_expectations);
    return true;
  }
  // Factor size 1: one context, so its counts are the sums of the marginals.
  std::vector<float> own(marginals == nullptr ? length * stride : 0);
  if (marginals == nullptr) marginals = own.data();
  if (!pair_sums.backward(pairs, length, marginals)) return false;
  for (std::size_t i = 0; i < length * stride; ++i) window_expectations[i % stride] += double{marginals[i]};
  return true;
}

double ForwardBackward::decode(const LabelSequences& sequences, std::size_t sequence, Assignment* labeling,
                               float* doubt, OpenLabels* open, float open_share) {
  const std::size_t begin = sequences.begin(sequence), length = sequences.end(sequence) - begin;
  const std::size_t stride = sequences.ngrams().stride(), labels = sequences.ngrams().label_count();
  workspace_->decode_marginals.resize(length * stride);
  const double log_z = run(sequences, sequence, workspace_->decode_marginals.data(), nullptr);
  for (std::size_t t = 0; t < length; ++t) {
    const float* p = workspace_->decode_marginals.data() + t * stride;
    const float* best = std::max_element(p, p + labels);
    if (labeling != nullptr) (*labeling)[begin + t] = static_cast<Value>(best - p);
    if (doubt != nullptr) doubt[begin + t] = std::max(0.0f, 1 - *best);
    // The mass that the likeliest label leaves bounds every other one: most tokens need no second look.
    if (open != nullptr && 1 - *best >= open_share * *best)
      open->open(begin + t, {p, labels}, std::max(open_share * *best, std::numeric_limits<float>::min()));
  }
  return log_z;
}

double ForwardBackward::Workspace::run_log_domain(const LabelSequences& sequences, std::size_t sequence,
                                                  float* marginals, double* window_expectations) {
  const std::size_t begin = sequences.begin(sequence), length = sequences.end(sequence) - begin;
  const std::size_t n = states.count(), stride = states.ngrams().stride();
  if (marginals != nullptr) std::fill_n(marginals, length * stride, 0.0f);
  internal::LogRecursions<internal::LogSum> recursions(states);
  recursions.forward(sequences, sequence, alpha);
  double log_z = kImpossible;
  for (std::size_t s = 0; s < n; ++s) log_z = internal::LogSum::combine(log_z, alpha[(length - 1) * n + s]);
  if (log_z == kImpossible || (marginals == nullptr && window_expectations == nullptr)) return log_z;
  std::vector<double> start(n, kImpossible);
  start[0] = 0;
  beta.assign(n, 0.0);
  previous_beta.resize(n);
  for (std::size_t t = length; t-- > 0; beta.swap(previous_beta)) {
    const float* unary = sequences.unary(begin + t);
    recursions.backward(unary, beta.data(), previous_beta.data());
    add_window(unary, t == 0 ? start.data() : alpha.data() + (t - 1) * n, log_z, recursions,
               marginals == nullptr ? nullptr : marginals + t * stride, window_expectations);
  }
  return log_z;
}

void ForwardBackward::Workspace::add_window(const float* unary, const double* previous_alpha, double log_z,
                                            const internal::LogRecursions<internal::LogSum>& recursions,
                                            float* marginal, double* window_expectations) {
  const std::size_t labels = states.ngrams().label_count(), stride = states.ngrams().stride();
  std::vector<double> total(labels, 0.0);
  for (std::uint32_t s = 0; s < states.count(); ++s) {
    if (previous_alpha[s] == kImpossible) continue;
    const float* row = states.row(s);
    double* counts = window_expectations == nullptr ? nullptr : window_expectations + states.context(s) * stride;
    for (std::size_t k = 0; k < labels; ++k) {
      const double p =
          std::exp(previous_alpha[s] + double{row[k]} + double{unary[k]} + recursions.arrivals(s)[k] - log_z);
      total[k] += p;
      if (counts != nullptr) counts[k] += p;
    }
  }
  if (marginal != nullptr) std::copy(total.begin(), total.end(), marginal);
}

std::size_t forward_backward_bytes(const SequenceStates& states, std::size_t length) {
  return (length + 1) * states.count() * sizeof(double);
}

}  // namespace fovea::sequence
