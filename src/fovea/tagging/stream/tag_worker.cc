// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_worker.h"

#include <fmt/format.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/exact/n_best.h"

namespace fovea::tagging::internal {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

TagWorker::TagWorker(const TagJob& job, const Run& run, const TagPlan& plan)
    : job_(job),
      run_(run),
      plan_(plan),
      scorer_(job.model),
      decoder_(plan.ngrams, job.policy, plan.plan.options, plan.request,
               plan.restart_pairs ? &*plan.restart_pairs : nullptr) {
  if (job.options.n_best > 0) sums_.emplace(plan.ngrams);
}

template <class Sequence>
void TagWorker::run(TagBlock<Sequence>& block) {
  const auto start = Clock::now();
  scorer_.score(block.used(), block.label_sequences);
  if (plan_.rules) plan_.rules->apply_to_ends(block.label_sequences);
  block.score_seconds = seconds_since(start);
  const double seconds = std::max(0.0, block.seconds_left - block.score_seconds);
  decoder_.decode(
      block.label_sequences,
      {.stop = Stop{.cancel = run_.stop.cancel}.within(seconds),
       .budget = {.transitions = std::floor(plan_.budget.transition_limit(static_cast<double>(block.items))),
                  .factors = std::floor(plan_.budget.factors)},
       .random = run_.random.child("block", block.number)},
      block.result);
  if (sums_) find_n_best(block.label_sequences, block.n_best);
}

void TagWorker::find_n_best(const sequence::LabelSequences& label_sequences,
                            std::vector<std::vector<RankedTagging>>& n_best) {
  n_best.assign(label_sequences.sequence_count(), {});
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
    const double log_z = sums_->run(label_sequences, s, nullptr, nullptr);
    for (mcmc::ScoredAssignment& found :
         sequence::n_best(sums_->states(), label_sequences, s, static_cast<std::size_t>(job_.options.n_best)))
      n_best[s].push_back({std::move(found.values), found.score, std::exp(found.score - log_z)});
  }
}

template void TagWorker::run(TagBlock<ItemSequence>& block);
template void TagWorker::run(TagBlock<AttributeSequence>& block);

}  // namespace fovea::tagging::internal
