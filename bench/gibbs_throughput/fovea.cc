// SPDX-License-Identifier: Apache-2.0
// Gibbs transitions a second on one thread, unary scores ready, in colour order and left to right. Before it times
// anything it checks the sampler against exact marginals. Prints one JSON line.
#include <chrono>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/measure.h"
#include "bench/support/problem.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::bench {
namespace {

constexpr int kSweepsPerRun = 8;
constexpr int kBatches = 20, kSweepsPerBatch = 50;  // of the check

/// Tokens of each label in the first sequences, as the exact marginals expect them. Fills in their positions.
std::vector<double> exact_label_counts(const Problem& problem, std::size_t sequences, std::vector<VariableId>& order) {
  const sequence::LabelSequences& label_sequences = problem.sequences();
  const std::size_t labels = problem.ngrams().label_count(), stride = problem.ngrams().stride();
  std::vector<double> expected(labels);
  sequence::ForwardBackward exact(problem.ngrams());
  for (std::size_t s = 0; s < std::min(label_sequences.sequence_count(), sequences); ++s) {
    const std::size_t length = label_sequences.end(s) - label_sequences.begin(s);
    AlignedVector<float> marginals(length * stride);
    exact.run(label_sequences, s, marginals.data(), nullptr);
    for (std::size_t t = 0; t < length; ++t) {
      order.push_back(static_cast<VariableId>(label_sequences.begin(s) + t));
      for (std::size_t k = 0; k < labels; ++k) expected[k] += marginals[t * stride + k];
    }
  }
  return expected;
}

/// The same, averaged over a batch of sweeps.
std::vector<double> sampled_label_counts(const Problem& problem, const std::vector<VariableId>& order, Assignment& y,
                                         Random& random) {
  const sequence::SequenceGibbs kernel(problem.sequences());
  std::vector<double> counts(problem.ngrams().label_count());
  for (int sweep = 0; sweep < kSweepsPerBatch; ++sweep) {
    kernel.step(y, order, random, mcmc::VisitRecord{});
    for (const VariableId p : order) counts[y[p]] += 1.0 / kSweepsPerBatch;
  }
  return counts;
}

/// The largest deviation over labels, in standard errors by batch means: t-distributed with kBatches - 1 degrees of
/// freedom for each label if the sampler is right. (Counts below one token in a thousand are compared as one.)
double deviation_from_exact(const Problem& problem, std::size_t sequences) {
  std::vector<VariableId> order;
  const std::vector<double> expected = exact_label_counts(problem, sequences, order);
  Assignment y = problem.sequences().make_labeling();
  Random random(1);
  sampled_label_counts(problem, order, y, random);  // burn-in
  std::vector<double> sum(expected.size()), square(expected.size());
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::vector<double> counts = sampled_label_counts(problem, order, y, random);
    for (std::size_t k = 0; k < counts.size(); ++k) sum[k] += counts[k], square[k] += counts[k] * counts[k];
  }
  double largest = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double mean = sum[k] / kBatches, variance = (square[k] / kBatches - mean * mean) / (kBatches - 1);
    const double floor = 1e-3 * static_cast<double>(order.size()) / kBatches;
    largest = std::max(largest, std::abs(mean - expected[k]) / std::sqrt(std::max(variance, floor * floor)));
  }
  return largest;
}

double transitions_per_second(const Problem& problem, const std::vector<VariableId>& order, Assignment& y) {
  const sequence::SequenceGibbs kernel(problem.sequences());
  Random random(2);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kSweepsPerRun; ++i) kernel.step(y, order, random, mcmc::VisitRecord{});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return kSweepsPerRun * static_cast<double>(order.size()) / seconds.count();
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  using namespace fovea;
  using namespace fovea::bench;
  if (!has_arguments(argc, 4, "gibbs_throughput_fovea MODEL DATA ROUNDS SEQUENCES-TO-CHECK")) return 2;
  const Problem problem(argv[1], argv[2], "accuracy");
  const int rounds = std::stoi(argv[3]);
  const auto colour = sequence::colour_order(problem.sequences()),
             left_to_right = sequence::left_to_right_order(problem.sequences());
  nlohmann::ordered_json record = {{"labels", problem.ngrams().label_count()},
                                   {"factor_size", problem.ngrams().factor_size()},
                                   {"tokens", problem.sequences().token_count()}};
  record["deviation"] = deviation_from_exact(problem, std::stoul(argv[4]));
  Assignment y = problem.sequences().make_labeling();
  transitions_per_second(problem, colour, y);  // warms the caches and leaves the random start behind
  for (int round = 0; round < rounds; ++round) {
    record["colour"].push_back(transitions_per_second(problem, colour, y));
    record["left_to_right"].push_back(transitions_per_second(problem, left_to_right, y));
  }
  std::cout << record.dump() << '\n';
}
