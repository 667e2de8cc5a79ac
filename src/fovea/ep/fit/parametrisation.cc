// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/parametrisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/fit/gaussian_approximation.h"

namespace fovea::ep {

void refuse_start(const CompiledModel& model, std::span<const double> start) {
  Program::Workspace workspace(model.program);
  workspace.evaluate(start);
  for (const DensityTerm& term : model.terms) {
    const std::span<const double> values = workspace.values(term.density);
    // A whole number that is summed out may have values of probability 0.
    const auto is_wrong = [&](double x) { return std::isnan(x) || (x == -kInfinity && !model.sum_out); };
    if (std::ranges::none_of(values, is_wrong)) continue;
    throw InputError({.file = model.file, .line = term.place.line, .column = term.place.column},
                     fmt::format("'{}' has no density here, wherever the chains try to start", term.subject),
                     "See whether its distribution allows what was observed, with standard deviations, rates and the "
                     "like above 0, and whether logs and roots are of positive numbers");
  }
  throw InputError({.file = model.file}, "the model has no density wherever the chains try to start",
                   "See whether its priors allow what was observed");
}

std::vector<double> start_of(const CompiledModel& model, Random random) {
  Program::Workspace workspace(model.program, Program::Workspace::Steps::kDensity);
  constexpr int kMostTrials = 100;
  std::vector<double> start(model.program.parameter_count()), gradient(start.size());
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const double radius = 2. * (kMostTrials - trial) / kMostTrials;
    for (double& x : start) x = radius * (2 * (random.uniform_index(1 << 24) / 0x1.0p24) - 1);
    const double value = workspace.evaluate(start, gradient);
    if (std::isfinite(value) && std::ranges::all_of(gradient, [](double g) { return std::isfinite(g); })) return start;
  }
  refuse_start(model, start);
}

namespace {

std::size_t apart_count(const ApartElements& apart) {
  std::size_t count = 0;
  for (const auto& [name, elements] : apart) count += static_cast<std::size_t>(std::ranges::count(elements, true));
  return count;
}

ApartElements all_apart(const CompiledModel& model) {
  ApartElements apart;
  for (const HierarchicalVariable& variable : model.hierarchical)
    apart[variable.name].assign(variable.parameters.size(), true);
  return apart;
}

mcmc::LogDensity density_of(Program::Workspace& workspace) {
  return
      [&workspace](std::span<const double> x, std::span<double> gradient) { return workspace.evaluate(x, gradient); };
}

bool has_approximation(const CompiledModel& model, std::span<const double> start, const Stop& stop) {
  Program::Workspace workspace(model.program, Program::Workspace::Steps::kDensity);
  return approximate(density_of(workspace), start, stop).has_value();
}

/// Those elements of a model with all apart whose z the data leave as free as its distribution does.
std::optional<ApartElements> choose_apart(const CompiledModel& model, std::span<const double> start, const Stop& stop) {
  constexpr double kHalf = .5;
  Program::Workspace workspace(model.program, Program::Workspace::Steps::kDensity);
  const mcmc::LogDensity density = density_of(workspace);
  std::optional<std::vector<double>> mode = climb(density, start, stop);
  if (!mode) return std::nullopt;
  ApartElements apart = all_apart(model);
  for (const HierarchicalVariable& variable : model.hierarchical)
    for (std::size_t i = 0; i < variable.parameters.size(); ++i) {
      if (stop.requested()) return std::nullopt;
      const double variance = conditional_variance(density, *mode, variable.parameters[i]);
      apart[variable.name][i] = !(variance > 0 && variance < kHalf);
    }
  return apart;
}

}  // namespace

CompiledModel compile_to_draw(const ModelSyntax& syntax, const ModelData& data, Random random, const Stop& stop) {
  CompiledModel plain = compile_model(syntax, data);
  if (plain.hierarchical.empty()) return plain;
  CompiledModel apart = compile_model(syntax, data, all_apart(plain));
  const std::vector<double> start = start_of(apart, random);
  const std::optional<ApartElements> chosen = choose_apart(apart, start, stop);
  if (!chosen || apart_count(*chosen) == apart_count(all_apart(plain))) return apart;
  CompiledModel mixed = compile_model(syntax, data, *chosen);
  // With x as parameters there may be no mode: the density grows without bound as their sd falls to 0.
  const bool is_worse = start.size() <= kMostApproximated && !stop.requested() &&
                        !has_approximation(mixed, start_of(mixed, random), stop) &&
                        has_approximation(apart, start, stop);
  return is_worse ? apart : mixed;
}

}  // namespace fovea::ep
