// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/restart_decoder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/sequence/learn/doeblin/run_length.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

constexpr int kFewestRuns = 4;  // needed before a sequence can be settled

}  // namespace

/// State of one decode(): its limits, and what it has done.
struct RestartDecoder::Decoding {
  /// True if a limit is reached; the summary then names it.
  bool is_exhausted() {
    const std::optional<StopReason> reason = limits.reached(summary.work);
    if (reason) summary.stopped_by = *reason;
    return reason.has_value();
  }

  const Run& limits;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  RestartSummary summary = {{.stopped_by = StopReason::kSettled, .work = {}}};
};

RestartDecoder::RestartDecoder(const LabelNgrams& pairs, const RestartDecoderOptions& options)
    : pairs_(&pairs), options_(options), draws_(pairs), sums_(pairs) {
  FOVEA_CHECK(options.rate > 0 && options.rate <= 1 && options.runs > 0);
}

RestartSummary RestartDecoder::decode(const LabelSequences& sequences, const Run& limits, const Random& random,
                                      Assignment& labels, std::span<float> marginals, std::span<std::uint32_t> visits) {
  Decoding run{.limits = limits};
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    decode_sequence(sequences, s, random.child("sequence", s), run, labels, marginals, visits);
  run.summary.seconds = seconds_since(run.start);
  return run.summary;
}

void RestartDecoder::decode_sequence(const LabelSequences& sequences, std::size_t s, Random random, Decoding& run,
                                     Assignment& labels, std::span<float> marginals, std::span<std::uint32_t> visits) {
  const std::size_t begin = sequences.begin(s), length = sequences.end(s) - begin, stride = pairs_->stride();
  if (length == 0) return;
  ++run.summary.work.oracle_calls;
  if (draws_.sum(sequences.unary(begin), length) == kImpossible) return;
  start_.resize(length * stride);
  sums_.run(sequences, s, start_.data(), nullptr);
  counts_ = start_;
  std::vector<VariableId> positions(length);
  std::iota(positions.begin(), positions.end(), static_cast<VariableId>(begin));

  std::vector<std::uint32_t> parts(static_cast<std::size_t>(options_.runs));  // of the law of lengths, one for each run
  std::iota(parts.begin(), parts.end(), 0u);
  shuffle(std::span(parts), random);
  run.summary.runs += parts.size();
  const SequenceGibbs sweep(sequences);
  int runs_done = 0;
  for (const std::uint32_t part : parts) {
    if (options_.settled > 0 && is_settled(length, runs_done)) break;
    if (run.is_exhausted()) break;
    const std::uint64_t last = RunLength::geometric(options_.rate)
                                   .quantile((part + random.threshold(1.0)) / static_cast<double>(options_.runs));
    draws_.draw(labels.data() + begin, random);
    if (runs_done++ > 0) std::transform(counts_.begin(), counts_.end(), start_.begin(), counts_.begin(), std::plus());
    std::uint64_t t = 0;
    for (; t < last && !run.is_exhausted(); ++t) {
      const mcmc::StepInfo info = sweep.step(labels, positions, random);
      run.summary.work += info.work;
      run.summary.changes += info.changes;
      for (std::size_t i = 0; i < length; ++i) ++counts_[i * stride + labels[begin + i]];
      if (!visits.empty())
        for (const VariableId p : positions) ++visits[p];
    }
    if (t == last) ++run.summary.whole_runs;
  }
  answer(begin, length, labels, marginals);
}

/// Sets labels and marginals from the counts.
void RestartDecoder::answer(std::size_t begin, std::size_t length, Assignment& labels, std::span<float> marginals) {
  const std::size_t stride = pairs_->stride();
  for (std::size_t i = 0; i < length; ++i) {
    const std::span<float> row(counts_.data() + i * stride, stride);
    const float total = std::accumulate(row.begin(), row.end(), 0.0f);
    for (float& count : row) count /= total;
    labels[begin + i] = static_cast<Value>(std::ranges::max_element(row) - row.begin());
    if (!marginals.empty())
      std::ranges::copy(row, marginals.begin() + static_cast<std::ptrdiff_t>((begin + i) * stride));
  }
}

/// True if every token's likeliest label leads by enough standard errors, for shares over `runs_done` independent runs.
bool RestartDecoder::is_settled(std::size_t length, int runs_done) const {
  if (runs_done < kFewestRuns) return false;
  const std::size_t stride = pairs_->stride();
  for (std::size_t i = 0; i < length; ++i) {
    const std::span<const float> row(counts_.data() + i * stride, stride);
    float first = 0, second = 0, total = 0;
    for (const float count : row) {
      total += count;
      if (count > first) second = std::exchange(first, count);
      else second = std::max(second, count);
    }
    const double runs = runs_done + 1, lead = (first - second) / total;  // one more run, in which they tie
    const double error = std::sqrt(std::max(0.0, (first + second) / total - lead * lead + 1 / runs) / runs);
    if (lead * runs_done / runs < options_.settled * error) return false;
  }
  return true;
}

}  // namespace fovea::sequence
