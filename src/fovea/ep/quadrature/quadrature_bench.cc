// SPDX-License-Identifier: Apache-2.0
// Mass, mean and variance of a Gaussian times a logistic function, by integrate_line and by Boost.Math's adaptive
// quadrature. Both must agree before either is timed. Boost integrates one function at a time, so that three integrals
// need three passes, and it works in the linear domain: the largest log density must be known first.
#include <benchmark/benchmark.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {
namespace {

double log_density(double x) { return -.5 * (x - 2) * (x - 2) / 9 - std::log1p(std::exp(-x)); }

LineMoments by_fovea() { return integrate_line(log_density, 2, 3); }

LineMoments by_boost() {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  constexpr double kLowest = 2 - 12 * 3, kHighest = 2 + 12 * 3, kTolerance = 1e-11;
  constexpr unsigned kDepth = 15;
  LineMoments moments;
  const auto integral = [&](auto weight) {
    const auto integrand = [&](double x) {
      ++moments.evaluations;
      return weight(x) * std::exp(log_density(x));
    };
    return Rule::integrate(integrand, kLowest, kHighest, kDepth, kTolerance);
  };
  const double mass = integral([](double) { return 1.0; });
  moments.log_mass = std::log(mass);
  moments.mean = integral([](double x) { return x; }) / mass;
  const double mean = moments.mean;
  moments.variance = integral([mean](double x) { return (x - mean) * (x - mean); }) / mass;
  return moments;
}

template <LineMoments (*Integrate)()>
void Moments(benchmark::State& state) {
  const LineMoments a = by_fovea(), b = by_boost();
  FOVEA_CHECK(std::abs(a.log_mass - b.log_mass) < 1e-9 && std::abs(a.mean - b.mean) < 1e-9 &&
              std::abs(a.variance - b.variance) < 1e-8);
  for (auto _ : state) benchmark::DoNotOptimize(Integrate());
  state.counters["evaluations"] = static_cast<double>(Integrate().evaluations);
}
BENCHMARK(Moments<by_fovea>)->Name("Moments/fovea");
BENCHMARK(Moments<by_boost>)->Name("Moments/boost_math");

}  // namespace
}  // namespace fovea::ep
