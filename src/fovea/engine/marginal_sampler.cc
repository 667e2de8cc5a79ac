// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/marginal_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea {
namespace {

struct Moments {
  double mean = 0, variance = 0;  // of the numbers given
};

Moments moments_of(const std::vector<double>& x) {
  Moments m;
  for (const double value : x) m.mean += value / static_cast<double>(x.size());
  for (const double value : x) m.variance += (value - m.mean) * (value - m.mean) / static_cast<double>(x.size() - 1);
  return m;
}

}  // namespace

MarginalSampler::MarginalSampler(const FactorGraph& graph, std::vector<TargetChain>& chains) : graph_(&graph) {
  FOVEA_CHECK(chains.size() == kChains);
  for (const std::uint32_t cardinality : graph_->cardinalities()) begin_.push_back(begin_.back() + cardinality);
  for (TargetChain& chain : chains) chains_.push_back({.states = &chain});
}

Work MarginalSampler::run_round(const Stop& stop, int threads) {
  std::vector<char> is_whole(kChains);
  parallel_for(kChains, 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) is_whole[c] = extend(chains_[c], stop);
  });
  const std::uint64_t transitions = kChains * sweeps_per_batch_ * graph_->variable_count();
  if (std::count(is_whole.begin(), is_whole.end(), 0) > 0) {  // chains stay of equal length
    for (std::size_t c = 0; c < kChains; ++c)
      if (is_whole[c]) chains_[c].batches.pop_back();
    return {.transitions = transitions};
  }
  if (batch_count() == kMaxBatches) {
    for (Chain& chain : chains_) merge_neighbours(chain);
    sweeps_per_batch_ *= 2;
  }
  return {.transitions = transitions};
}

bool MarginalSampler::extend(Chain& chain, const Stop& stop) const {
  std::vector<float> sums(begin_.back());
  for (std::uint64_t sweep = 0; sweep < sweeps_per_batch_; ++sweep) {
    if (!chain.states->sweep(1, stop)) return false;
    const Assignment& values = chain.states->values();
    for (std::size_t v = 0; v < values.size(); ++v) ++sums[begin_[v] + values[v]];
  }
  for (float& sum : sums) sum /= static_cast<float>(sweeps_per_batch_);
  chain.batches.push_back(std::move(sums));
  return true;
}

void MarginalSampler::merge_neighbours(Chain& chain) {
  for (std::size_t b = 0; b < chain.batches.size() / 2; ++b) {
    std::vector<float>& first = chain.batches[2 * b];
    const std::vector<float>& second = chain.batches[2 * b + 1];
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = (first[i] + second[i]) / 2;
    if (b > 0) chain.batches[b] = std::move(first);
  }
  chain.batches.resize(chain.batches.size() / 2);
}

MarginalSampler::Answer MarginalSampler::answer() const {
  FOVEA_CHECK(has_errors());
  const std::size_t warm_up = batch_count() / 4, kept = batch_count() - warm_up;
  Answer answer;
  answer.min_effective_samples = static_cast<double>(kChains * kept * sweeps_per_batch_);
  std::vector<double> means, half_means;
  const auto look_at = [&](std::size_t i) {
    means.clear();
    half_means.assign(2 * kChains, 0);
    for (std::size_t c = 0; c < kChains; ++c)
      for (std::size_t b = 0; b < kept; ++b) {
        means.push_back(chains_[c].batches[warm_up + b][i]);
        if (b < kept / 2 * 2) half_means[2 * c + b / (kept / 2)] += means.back() / static_cast<double>(kept / 2);
      }
    const Moments batches = moments_of(means), halves = moments_of(half_means);
    const double spread = batches.mean * (1 - batches.mean);  // of one draw
    const double squared_error = batches.variance / static_cast<double>(means.size());
    answer.max_standard_error = std::max(answer.max_standard_error, std::sqrt(squared_error));
    if (squared_error > 0)
      answer.min_effective_samples = std::min(answer.min_effective_samples, spread / squared_error);
    if (spread > 0) {
      const double within = std::max(spread - halves.variance, 0.0);
      answer.max_r_hat = std::max(answer.max_r_hat, within > 0 ? std::sqrt((within + halves.variance) / within) : 1e9);
    }
    return batches.mean;
  };
  for (std::size_t v = 0; v + 1 < begin_.size(); ++v) {
    answer.marginals.emplace_back();
    for (std::size_t i = begin_[v]; i < begin_[v + 1]; ++i) answer.marginals.back().push_back(look_at(i));
  }
  return answer;
}

}  // namespace fovea
