// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/model/factor_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/oracle/grid_quadrature.h"
#include "fovea/ep/oracle/measured_oracle.h"

namespace fovea::ep {
namespace {

FactorFunctions functions_of(const std::string& name, const FactorSpec& spec, std::size_t numbers) {
  const auto require_arity = [&](const Callable& function, std::size_t expected, const char* what) {
    if (function && function.arity() >= 0 && static_cast<std::size_t>(function.arity()) != expected)
      throw UsageError(fmt::format("factor '{}' of {} numbers: its {} takes {} numbers, not {}", name, numbers, what,
                                   function.arity(), expected));
  };
  require_arity(spec.sample, numbers, "sampler");
  require_arity(spec.log_density, numbers + 1, "density");
  FactorFunctions functions = {.name = name};
  if (spec.sample) functions.sample = spec.sample;
  if (spec.log_density)
    functions.log_density = [density = spec.log_density](std::span<const double> values) {
      Random unused;
      return density(values, unused);
    };
  functions.sample_many = spec.sample_many;
  functions.log_density_many = spec.log_density_many;
  return functions;
}

/// All oracles that the functions allow, the most exact first. The calls are those of typical messages.
std::vector<MeasuredOracle::Candidate> candidates_of(const FactorFunctions& functions, std::size_t parents,
                                                     const FactorSpec& spec) {
  constexpr double kCallsOfGrids = 20'000, kCallsOfSigmaPoints = 30;
  std::vector<MeasuredOracle::Candidate> candidates;
  if (functions.log_density || functions.log_density_many)
    candidates.push_back(
        {.name = "quadrature", .oracle = std::make_unique<GridQuadrature>(functions, parents), .calls = kCallsOfGrids});
  candidates.push_back({.name = "draws",
                        .oracle = std::make_unique<ImportanceSampling>(functions, parents, spec.sampling),
                        .calls = static_cast<double>(spec.sampling.samples)});
  if (functions.sample || functions.sample_many)
    candidates.push_back({.name = "sigma-points",
                          .oracle = std::make_unique<SigmaPoints>(functions, parents, spec.sigma_points),
                          .calls = kCallsOfSigmaPoints});
  return candidates;
}

/// Has the function's values recalled where an oracle can do with approximate ones.
void recall_values(FactorSource& made, FactorFunctions& functions, const FactorSpec& spec) {
  made.function =
      std::make_unique<RecalledFunction>(functions, spec.recalling_values, spec.random.child("function values"));
  functions.approximate_many = [function = made.function.get()](DrawColumns parents, double child_variance,
                                                                Random& random, std::span<double> children) {
    return function->values(parents, child_variance, random, children);
  };
}

}  // namespace

FactorSource source_of(const std::string& name, const FactorSpec& spec, const std::vector<std::size_t>& sizes) {
  const std::size_t parents = sizes.size();
  if (std::ranges::any_of(sizes, [](std::size_t size) { return size != 1; }) && spec.oracle != Oracle::kSigmaPoints)
    throw UsageError(fmt::format("factor '{}': only sigma points have messages to a vector; its oracle is '{}'", name,
                                 word_of(spec.oracle)));
  FactorFunctions functions = functions_of(name, spec, std::reduce(sizes.begin(), sizes.end()));
  FactorSource made;
  made.sizes = sizes;
  const bool has_sampler = functions.sample || functions.sample_many;
  const bool may_take_values = spec.oracle == Oracle::kSigmaPoints || spec.oracle == Oracle::kMeasured;
  if (spec.recall && may_take_values && has_sampler) recall_values(made, functions, spec);
  switch (spec.oracle) {
    case Oracle::kDraws:
      made.oracle = std::make_unique<ImportanceSampling>(std::move(functions), parents, spec.sampling);
      break;
    case Oracle::kQuadrature:
      made.oracle = std::make_unique<GridQuadrature>(std::move(functions), parents);
      break;
    case Oracle::kSigmaPoints:
      made.oracle = std::make_unique<SigmaPoints>(std::move(functions), parents, spec.sigma_points);
      break;
    case Oracle::kMeasured:
      made.oracle = std::make_unique<MeasuredOracle>(candidates_of(functions, parents, spec));
      break;
  }
  if (spec.recall && spec.oracle != Oracle::kSigmaPoints) {
    auto recall = std::make_unique<JustInTime>(*made.oracle, spec.recalling, spec.random);
    made.recall = recall.get();
    made.source = std::move(recall);
  } else {
    made.source = std::make_unique<DirectSource>(*made.oracle, spec.random);
  }
  return made;
}

}  // namespace fovea::ep
