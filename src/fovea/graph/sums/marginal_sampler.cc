// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/marginal_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/graph/draw/model_chains.h"
#include "fovea/graph/temper/parallel_tempering.h"

namespace fovea::graph {
namespace {

constexpr double kHopelessRHat = 1e9;  // of chains that each keep to one value

/// Standard error of a share p of `draws` independent draws, with kAdded more of each outcome (Agresti and Coull 1998,
/// at four standard errors): a value that was seldom drawn may be likelier than it looks.
double error_of_share(double p, double draws) {
  constexpr double kAdded = 8;
  const double all = draws + 2 * kAdded, share = (p * draws + kAdded) / all;
  return std::sqrt(share * (1 - share) / all);
}

constexpr std::size_t kHalves = 2 * MarginalSampler::kChains;  // of chains

/// Means and variances of many series at once, which come as rows of one number for each. If all numbers of a series
/// are 0, or all are 1, the mean is exactly that number and the variance 0.
class MeansAndVariances {
 public:
  MeansAndVariances(std::size_t series, std::size_t rows) : rows_(rows), means_(series), variances_(series) {}

  template <class Real>
  void add(const Real* row) {
    for (std::size_t i = 0; i < means_.size(); ++i) means_[i] += row[i];
  }

  /// After all rows were added once. They are to be added once more.
  void begin_variances() {
    for (double& mean : means_) mean /= static_cast<double>(rows_);
  }

  template <class Real>
  void add_variances(const Real* row) {
    const auto freedom = static_cast<double>(rows_ - 1);
    for (std::size_t i = 0; i < means_.size(); ++i)
      variances_[i] += (row[i] - means_[i]) * (row[i] - means_[i]) / freedom;
  }

  double mean(std::size_t i) const { return means_[i]; }
  double variance(std::size_t i) const { return variances_[i]; }

 private:
  std::size_t rows_;
  std::vector<double> means_, variances_;
};

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
  if (std::count(is_whole.begin(), is_whole.end(), 0) > 0) {  // chains stay equally long
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
  Answer answer;
  answer.min_effective_samples = static_cast<double>(kChains * kept_count() * sweeps_per_batch_);
  std::vector<Indicator> indicators;
  for (VariableId v = 0; v + 1 < begin_.size(); ++v) {
    if (begin_[v + 1] > indicators.size()) look_at_more(begin_[v + 1], indicators);
    add_variable(std::span(indicators).subspan(begin_[v], begin_[v + 1] - begin_[v]), answer);
  }
  answer.mixing = mcmc::mixing_of(answer.max_r_hat, answer.min_effective_samples, answer.unmoved == 0);
  if (answer.unmoved > 0) answer.max_standard_error = std::numeric_limits<double>::quiet_NaN();
  return answer;
}

void MarginalSampler::add_variable(std::span<const Indicator> indicators, Answer& answer) const {
  std::vector<double>& marginal = answer.marginals.emplace_back();
  Trust& trust = answer.trust.emplace_back();
  double effective_samples = static_cast<double>(kChains * kept_count() * sweeps_per_batch_), error = 0;
  bool has_moved = false;
  for (const Indicator& y : indicators) {
    marginal.push_back(y.mean);
    if (!(y.mean > 0 && y.mean < 1)) continue;
    has_moved = true;
    error = std::max(error, std::sqrt(y.squared_error));
    effective_samples = std::min(effective_samples, y.spread() / y.squared_error);
    trust.squared_error += y.squared_error;
    trust.r_hat = std::max(trust.r_hat, y.r_hat);
  }
  if (!has_moved) {
    ++answer.unmoved;
    return;
  }
  trust.effective_samples = effective_samples;
  for (const double p : marginal) error = std::max(error, error_of_share(p, effective_samples));
  answer.max_standard_error = std::max(answer.max_standard_error, error);
  answer.max_r_hat = std::max(answer.max_r_hat, trust.r_hat);
  answer.min_effective_samples = std::min(answer.min_effective_samples, effective_samples);
}

void MarginalSampler::look_at_more(std::size_t least, std::vector<Indicator>& indicators) const {
  constexpr std::size_t kAtOnce = 1024;
  const std::size_t first = indicators.size(), end = std::min(std::max(first + kAtOnce, least), begin_.back());
  const std::size_t warm_up = batch_count() - kept_count(), half = kept_count() / 2;
  const auto for_each_batch = [&](const auto& take) {  // take(half of which chain, numbers)
    for (std::size_t c = 0; c < kChains; ++c)
      for (std::size_t b = 0; b < kept_count(); ++b)
        take(b < 2 * half ? 2 * c + b / half : kHalves, chains_[c].batches[warm_up + b].data() + first);
  };
  MeansAndVariances batches(end - first, kChains * kept_count()), halves(end - first, kHalves);
  // An odd batch at a chain's end is in neither half; the last row takes it.
  std::vector<std::vector<double>> half_means(kHalves + 1, std::vector<double>(end - first));
  for_each_batch([&](std::size_t, const float* x) { batches.add(x); });
  batches.begin_variances();
  for_each_batch([&](std::size_t h, const float* x) {
    batches.add_variances(x);
    for (std::size_t i = 0; i < end - first; ++i) half_means[h][i] += x[i] / static_cast<double>(half);
  });
  half_means.pop_back();
  for (const std::vector<double>& x : half_means) halves.add(x.data());
  halves.begin_variances();
  for (const std::vector<double>& x : half_means) halves.add_variances(x.data());
  for (std::size_t i = 0; i < end - first; ++i) {
    Indicator& y = indicators.emplace_back();
    y.mean = batches.mean(i);
    y.squared_error = batches.variance(i) / static_cast<double>(kChains * kept_count());
    const double within = y.spread() - halves.variance(i);
    y.r_hat = within > 0 ? std::sqrt(y.spread() / within) : kHopelessRHat;
  }
}

namespace {

constexpr double kGibbsShare = 1.0 / 3;  // of the limits, until chains that are stuck are given up
constexpr double kStuck = 3;             // R-hat; chains that are merely slow do better when left to themselves
constexpr std::size_t kTemperatures = 16;
constexpr double kHottest = 20;                  // on strongly coupled grids better than 5, 10 or 40
constexpr double kUntimedRounds = 256;           // without any limit
constexpr std::uint64_t kRoundsPerQuestion = 8;  // between looks at the target error
constexpr double kSecondsPerByte = 7e-10;        // of the draws, to make an answer of them and let them go

class MarginalDrawing {
 public:
  MarginalDrawing(const FactorGraph& graph, const SumOptions& options, const Run& run, SolveLog& log)
      : graph_(graph),
        options_(options),
        run_(run),
        log_(log),
        limit_(run.budget.transition_limit(static_cast<double>(graph.variable_count()))),
        bytes_(MarginalSampler::predicted_bytes(
            std::accumulate(graph.cardinalities().begin(), graph.cardinalities().end(), std::size_t{0}))) {}

  std::optional<DrawnMarginals> run() {
    if (bytes_ > static_cast<double>(run_.memory_bytes)) {
      log_.phase("sampling", [] { return "would not fit the memory"; });
      return std::nullopt;
    }
    if (!find_starts()) return std::nullopt;
    const Allowance all = allowance(1);
    begin(gibbs_, "sampling", {}, allowance(kGibbsShare));
    if (!r_hat_is_above(gibbs_, kStuck) || is_done(all)) return finish(gibbs_, "Gibbs sampling", all);
    begin(tempered_, "parallel tempering", geometric_ladder(1 / kHottest, kTemperatures), all);
    if (has_errors(tempered_) && !r_hat_is_above(tempered_, gibbs_.answer.max_r_hat))
      return finish(tempered_, "parallel tempering", all);
    return finish(gibbs_, "Gibbs sampling", all);
  }

 private:
  struct Sampling {
    std::uint64_t sweeps = 1;  // of one draw
    std::optional<ModelChains> chains = {};
    std::optional<MarginalSampler> sampler = {};
    MarginalSampler::Answer answer = {};  // of all draws, if there are errors
  };

  /// Limits of a phase of drawing.
  struct Allowance {
    Stop stop = {};
    double transitions = Budget::kUnlimited, rounds = 0;
  };

  /// Allowance of a share of the time left, less what the making of an answer takes, and of all work. Rounds count only
  /// if nothing else is limited.
  Allowance allowance(double share) const {
    const bool is_limited = stop().has_deadline() || limit_ < Budget::kUnlimited;
    return {.stop = stop().within(share * (stop().seconds_left() - kSecondsPerByte * bytes_)),
            .transitions = share * limit_,
            .rounds = is_limited ? std::numeric_limits<double>::infinity() : share * kUntimedRounds};
  }

  /// True if an allowance is spent, or the target error was reached.
  bool is_done(const Allowance& allowed) const {
    return is_on_target_ || allowed.stop.requested() || static_cast<double>(rounds_) >= allowed.rounds ||
           static_cast<double>(log_.work().transitions) >= allowed.transitions;
  }

  const Stop& stop() const { return run_.stop; }

  bool find_starts() {
    log_.phase("starts", [&] {
      starts_ = find_initial_states(graph_, MarginalSampler::kChains, run_.child("starts"));
      return "found";
    });
    return !stop().requested();
  }

  void begin(Sampling& sampling, const char* name, const std::vector<double>& inverse_temperatures,
             const Allowance& allowed) {
    log_.phase(name, [&]() -> std::string {
      sampling.sweeps = std::max<std::uint64_t>(inverse_temperatures.size(), 1);
      sampling.chains = ModelChains::build(graph_, inverse_temperatures, starts_, run_.random.child("chains"), stop());
      if (!sampling.chains) return "out of time";
      sampling.sampler.emplace(graph_, sampling.chains->chains());
      return draw(sampling, allowed);
    });
  }

  std::optional<DrawnMarginals> finish(Sampling& sampling, const char* method, const Allowance& allowed) {
    if (!sampling.sampler) return std::nullopt;
    if (!is_done(allowed)) log_.phase("drawing on", [&] { return draw(sampling, allowed); });
    if (!has_errors(sampling)) return std::nullopt;
    return DrawnMarginals{.answer = std::move(sampling.answer), .method = method};
  }

  static bool has_errors(const Sampling& s) { return s.sampler && s.sampler->has_errors(); }
  static bool r_hat_is_above(const Sampling& s, double limit) { return has_errors(s) && s.answer.max_r_hat > limit; }

  /// Draws until the allowance is spent; returns the outcome. A tempered chain may find that it cannot keep the
  /// constraints; then there are no errors.
  std::string draw(Sampling& sampling, const Allowance& allowed) {
    MarginalSampler& sampler = *sampling.sampler;
    try {
      while (!is_done(allowed)) {
        ++rounds_;
        Work work = sampler.run_round(allowed.stop, run_.threads);
        work.transitions *= sampling.sweeps;
        log_.spend(work);
        is_on_target_ = rounds_ % kRoundsPerQuestion == 0 && reaches_target(sampler);
      }
    } catch (const LimitError& e) {
      sampling.sampler.reset();
      return e.what();
    }
    if (!sampler.has_errors()) return "too few draws";
    sampling.answer = sampler.answer();
    return fmt::format("R-hat up to {:.3f}, {} variables never moved", sampling.answer.max_r_hat,
                       sampling.answer.unmoved);
  }

  bool reaches_target(const MarginalSampler& sampler) const {
    const double target = options_.target_error;
    if (!(target > 0) || !sampler.has_errors()) return false;
    const MarginalSampler::Answer answer = sampler.answer();
    return answer.mixing == mcmc::Mixing::kMixed && answer.max_standard_error <= target;
  }

  const FactorGraph& graph_;
  const SumOptions& options_;
  const Run& run_;
  SolveLog& log_;
  double limit_;  // transitions
  double bytes_;  // of the draws
  std::uint64_t rounds_ = 0;
  bool is_on_target_ = false;
  std::vector<Assignment> starts_;
  Sampling gibbs_, tempered_;
};

}  // namespace

std::optional<DrawnMarginals> draw_marginals(const FactorGraph& graph, const SumOptions& options, const Run& run,
                                             SolveLog& log) {
  return MarginalDrawing(graph, options, run, log).run();
}

}  // namespace fovea::graph
