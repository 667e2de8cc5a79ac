// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/model_draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/parallel.h"
#include "fovea/ep/fit/gaussian_approximation.h"
#include "fovea/ep/fit/parametrisation.h"
#include "fovea/ep/fit/quantile.h"
#include "fovea/ep/fit/shared_progress.h"

namespace fovea::ep {
namespace {

/// One call of draw_model().
class Drawing {
 public:
  Drawing(const CompiledModel& model, const ModelDrawOptions& options, const Run& run)
      : model_(model), options_(options), run_(run), chains_(static_cast<std::size_t>(options.chains)) {}

  ModelDraws draw() {
    run_.begin_phase("approximating");
    if (model_.program.parameter_count() > 0) find_coordinates();
    run_.begin_phase("drawing");
    if (model_.program.parameter_count() > 0) run_chains();
    else take_the_only_one();
    run_.begin_phase("evidence");
    if (model_.has_evidence) find_evidence();
    run_.begin_phase("summary");
    collect();
    summarise();
    return std::move(result_);
  }

 private:
  static mcmc::LogDensity density_of(Program::Workspace& workspace) {
    return
        [&workspace](std::span<const double> x, std::span<double> gradient) { return workspace.evaluate(x, gradient); };
  }

  void find_coordinates() {
    Program::Workspace workspace(model_.program, Program::Workspace::Steps::kDensity);
    const mcmc::LogDensity density = density_of(workspace);
    approximation_ = approximate(density, highest_climb(density), run_.stop);
  }

  void find_evidence() {
    Program::Workspace workspace(model_.program, Program::Workspace::Steps::kDensity);
    if (result_.is_exact) result_.log_evidence = LogEvidence{.value = workspace.evaluate({})};
    else if (approximation_)
      result_.log_evidence =
          estimate_evidence(density_of(workspace), *approximation_, run_.random.child("evidence"), run_.stop);
  }

  /// The end of the best of some climbs: a density may have several modes.
  std::vector<double> highest_climb(const mcmc::LogDensity& density) const {
    constexpr std::uint64_t kClimbs = 4;
    std::vector<double> best = start_of(model_, run_.random.child("start")), gradient(best.size());
    double highest = -kInfinity;
    for (std::uint64_t i = 0; i < kClimbs && best.size() <= kMostApproximated && !run_.stop.requested(); ++i) {
      const std::vector<double> start = start_of(model_, run_.random.child("start", i));
      const std::optional<std::vector<double>> end = climb(density, start, run_.stop);
      const double value = end ? density(*end, gradient) : -kInfinity;
      if (!(value > highest)) continue;
      highest = value;
      best = *end;
    }
    return best;
  }

  void run_chains() {
    const auto steps = static_cast<std::size_t>(options_.warm_up) + static_cast<std::size_t>(options_.draws);
    const SharedProgress progress(run_.progress, "drawing", steps * chains_.size());
    const auto report = [&] { progress.count_one(); };
    parallel_for(chains_.size(), 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c)
        chains_[c] = run_chain(c, run_.progress ? report : std::function<void()>());
    });
    const bool is_empty = std::ranges::any_of(chains_, [](const mcmc::NutsChain& chain) { return chain.size() == 0; });
    if (is_empty && approximation_) draw_gaussian();
  }

  mcmc::NutsChain run_chain(std::size_t chain, const std::function<void()>& report) const {
    Program::Workspace workspace(model_.program, Program::Workspace::Steps::kDensity);
    const mcmc::LogDensity plain = density_of(workspace);
    Random random = run_.random.child("chain", chain);
    const mcmc::NutsRun nuts = {.stop = run_.stop, .after_transition = report};
    if (!approximation_) return mcmc::run_nuts(plain, start_of(model_, random.child("start")), options_, random, nuts);
    std::vector<double> x(approximation_->size()), of_x(x.size());
    const mcmc::LogDensity moved = [&](std::span<const double> z, std::span<double> gradient) {
      approximation_->place(z, x);
      const double value = workspace.evaluate(x, of_x);
      approximation_->pull_back(of_x, gradient);
      return value;
    };
    return mcmc::run_nuts(moved, start_around(moved, random.child("start")), options_, random, nuts);
  }

  /// The best answer where the time was over before the first draw.
  void draw_gaussian() {
    constexpr std::size_t kDraws = 1000;
    result_.is_gaussian = true;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      Random random = run_.random.child("gaussian", c);
      chains_[c].draws.resize(kDraws * approximation_->size());
      for (double& z : chains_[c].draws) z = random.normal();
      chains_[c].parameters = approximation_->size();
      chains_[c].densities.assign(kDraws, 0);
    }
  }

  /// A model of whole numbers alone.
  void take_the_only_one() {
    Program::Workspace workspace(model_.program);
    if (!std::isfinite(workspace.evaluate({}))) refuse_start(model_, {});
    chains_.assign(1, {.densities = {0}});
    result_.is_exact = true;
  }

  /// A start that is farther out than the approximation reaches, so that chains can disagree.
  std::vector<double> start_around(const mcmc::LogDensity& density, Random random) const {
    std::vector<double> start(approximation_->size()), gradient(start.size());
    for (double width = 2; width > 1e-3; width /= 2) {
      for (double& z : start) z = width * random.normal();
      if (std::isfinite(density(start, gradient))) return start;
    }
    return std::vector<double>(start.size());
  }

  /// Computes the variables at all draws.
  void collect() {
    result_.chains = chains_.size();
    result_.length = chains_[0].size();
    for (const mcmc::NutsChain& chain : chains_) {
      result_.length = std::min(result_.length, chain.size());
      result_.evaluations += chain.evaluations;
      result_.divergences += chain.divergences;
      result_.at_deepest += chain.at_deepest;
      result_.is_whole = result_.is_whole && chain.is_whole;
    }
    name_quantities();
    result_.draws.resize(result_.quantities.size() * result_.chains * result_.length);
    parallel_for(chains_.size(), 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) collect(c);
    });
  }

  /// Calls use(variable) with those that hang on what is not known.
  void for_variables(const auto& use) const {
    for (const ModelVariable& variable : model_.variables)
      if (!model_.program.is_known(variable.node)) use(variable);
  }

  /// Calls use(element) with the elements of a variable that are reported.
  static void for_unknown(const ModelVariable& variable, const auto& use) {
    for (std::size_t i = 0; i < (variable.unknown.empty() ? variable.size : variable.unknown.size()); ++i)
      use(variable.unknown.empty() ? i : variable.unknown[i]);
  }

  /// Calls use(element, state) with those of a variable that was summed out; of two states, the second says all.
  void for_states(const ModelCategory& category, const auto& use) const {
    const std::size_t states = model_.plates[category.plate].size();
    for_unknown(category.variable, [&](std::size_t element) {
      for (std::size_t state = states == 2 ? 1 : 0; state < states; ++state) use(element, state);
    });
  }

  void name_quantities() {
    for_variables([&](const ModelVariable& variable) {
      begin_variable(variable);
      for_unknown(variable, [&](std::size_t element) {
        result_.quantities.push_back({.name = model_.element_name(variable, element)});
      });
      end_variable();
    });
    for (const ModelCategory& category : model_.categories) {
      const std::vector<std::string>& states = model_.plates[category.plate].members;
      begin_variable(category.variable);
      for_states(category, [&](std::size_t element, std::size_t state) {
        const std::string name = model_.element_name(category.variable, element);
        result_.quantities.push_back({.name = fmt::format("{}={}", name, states[state])});
      });
      result_.variables.back().dimensions.push_back("value");
      const bool is_pair = states.size() == 2;
      result_.variables.back().coordinates.emplace_back(states.begin() + (is_pair ? 1 : 0), states.end());
      end_variable();
    }
  }

  void begin_variable(const ModelVariable& variable) {
    DrawnVariable& drawn =
        result_.variables.emplace_back(DrawnVariable{.name = variable.name, .first = result_.quantities.size()});
    if (variable.unknown.empty())
      for (const std::size_t plate : variable.plates) {
        drawn.dimensions.push_back(model_.plates[plate].name);
        drawn.coordinates.push_back(model_.plates[plate].members);
      }
    else {
      drawn.dimensions.push_back(variable.name + "_element");
      drawn.coordinates.emplace_back();
      for_unknown(variable,
                  [&](std::size_t element) { drawn.coordinates[0].push_back(model_.element_name(variable, element)); });
    }
  }

  void end_variable() { result_.variables.back().size = result_.quantities.size() - result_.variables.back().first; }

  void collect(std::size_t chain) {
    Program::Workspace workspace(model_.program);
    std::vector<double> x(model_.program.parameter_count());
    for (std::size_t t = 0; t < result_.length; ++t) {
      const std::span<const double> draw = chains_[chain].draw(t);
      if (approximation_) approximation_->place(draw, x);
      else std::ranges::copy(draw, x.begin());
      workspace.evaluate(x);
      std::size_t quantity = 0;
      const auto keep = [&](double value) {
        result_.draws[(quantity++ * result_.chains + chain) * result_.length + t] = value;
      };
      for_variables([&](const ModelVariable& variable) {
        for_unknown(variable, [&](std::size_t element) { keep(workspace.values(variable.node)[element]); });
      });
      if (!model_.sum_out) continue;
      const std::vector<double> probabilities = model_.sum_out->marginals(workspace.values(model_.summed));
      for (const ModelCategory& category : model_.categories)
        for_states(category, [&](std::size_t element, std::size_t state) {
          keep(probabilities[category.first + element * model_.plates[category.plate].size() + state]);
        });
    }
  }

  void summarise() {
    constexpr std::size_t kFewestDraws = 4;
    if (result_.is_exact)
      for (std::size_t q = 0; q < result_.quantities.size(); ++q) {
        DrawnQuantity& quantity = result_.quantities[q];
        quantity.mean = quantity.low = quantity.median = quantity.high = result_.draws[q];
      }
    if (result_.length < kFewestDraws) return;
    parallel_for(result_.quantities.size(), 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t q = begin; q < end; ++q) summarise(q);
    });
    std::vector<mcmc::Diagnosis> diagnoses;
    for (const DrawnQuantity& quantity : result_.quantities)
      if (quantity.sd > 0) diagnoses.push_back(quantity.diagnosis);  // what never moves is computed from data alone
    if (!result_.is_gaussian) result_.mixing = mcmc::mixing_of(diagnoses);
  }

  void summarise(std::size_t quantity) {
    DrawnQuantity& summary = result_.quantities[quantity];
    std::vector<std::vector<double>> chains;
    std::vector<double> all;
    for (std::size_t c = 0; c < result_.chains; ++c) {
      const std::span<const double> chain = result_.chain(quantity, c);
      chains.emplace_back(chain.begin(), chain.end());
      all.insert(all.end(), chain.begin(), chain.end());
    }
    const auto count = static_cast<double>(all.size());
    const double first = all[0];  // as the origin, so that what is constant stays so
    double sum = 0, squares = 0;
    for (const double x : all) sum += x - first;
    summary.mean = first + sum / count;
    for (const double x : all) squares += (x - summary.mean) * (x - summary.mean);
    summary.sd = std::sqrt(squares / (count - 1));
    std::ranges::sort(all);
    summary.low = quantile(all, .05);
    summary.median = quantile(all, .5);
    summary.high = quantile(all, .95);
    summary.diagnosis = mcmc::diagnose(chains);
  }

  const CompiledModel& model_;
  const ModelDrawOptions& options_;
  const Run& run_;
  std::optional<GaussianApproximation> approximation_;
  std::vector<mcmc::NutsChain> chains_;
  ModelDraws result_;
};

}  // namespace

ModelDraws draw_model(const CompiledModel& model, const ModelDrawOptions& options, const Run& run) {
  validate(options);
  if (model.program.parameter_count() == 0 && !model.sum_out)
    throw InputError({}, "the model has no unknown numbers", "Give a variable a distribution, with ~");
  return Drawing(model, options, run).draw();
}

}  // namespace fovea::ep
