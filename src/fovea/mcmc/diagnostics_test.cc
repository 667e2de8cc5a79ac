// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/diagnostics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace fovea::mcmc {
namespace {

using Traces = std::vector<std::vector<double>>;

/// x_t = persistence x_{t-1} + u_t, u_t from a linear congruential generator started at 12345 + c; chain c is shifted
/// by c * shift. The same few lines in Python made the figures below.
Traces autoregressive(double persistence, double shift, std::uint32_t chain_count = 4, std::size_t draw_count = 201) {
  Traces chains;
  for (std::uint32_t c = 0; c < chain_count; ++c) {
    std::uint32_t state = 12345 + c;
    double x = 0;
    chains.emplace_back();
    for (std::size_t t = 0; t < draw_count; ++t) {
      state = 1664525 * state + 1013904223;
      x = persistence * x + state / 4294967296.0 - 0.5;
      chains.back().push_back(x + shift * c);
    }
  }
  return chains;
}

struct Expected {
  double r_hat, bulk, tail, mean, error;
};

void expect_diagnostics(const Traces& chains, const Expected& expected) {
  const auto near = [](double got, double wanted) { return std::abs(got - wanted) <= 1e-9 * std::abs(wanted); };
  if (!std::isnan(expected.r_hat)) {
    EXPECT_PRED2(near, rank_normalised_r_hat(chains), expected.r_hat);
  }
  EXPECT_PRED2(near, bulk_effective_sample_size(chains), expected.bulk);
  EXPECT_PRED2(near, tail_effective_sample_size(chains), expected.tail);
  EXPECT_PRED2(near, mean_effective_sample_size(chains), expected.mean);
  EXPECT_PRED2(near, standard_error_of_mean(chains), expected.error);
}

/// Figures of ArviZ 0.19: rhat(method="rank"), ess of methods "bulk", "tail" and "mean", mcse(method="mean").
TEST(Diagnostics, AgreeWithArviz) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // ArviZ wants two chains for R-hat
  {
    SCOPED_TRACE("independent draws");
    expect_diagnostics(autoregressive(0, 0), {1.0004630005108102, 695.3378142906045, 617.5987918907695,
                                              731.4467847541666, 0.01060105215522231});
  }
  {
    SCOPED_TRACE("slow chains");
    expect_diagnostics(autoregressive(.9, 0), {1.069080830723427, 43.66550615863366, 71.97801256433465,
                                               43.2644225337417, 0.10433416597808783});
  }
  {
    SCOPED_TRACE("chains apart");
    expect_diagnostics(autoregressive(.3, .2), {1.3016039308468401, 10.81652398095828, 53.94395099921661,
                                                10.696352043153555, 0.11684539041321586});
  }
  {
    SCOPED_TRACE("alternating draws");
    expect_diagnostics(autoregressive(-.8, 0), {1.0075502043379572, 2322.471989593555, 587.5973962289345,
                                                2322.471989593555, 0.008873358641432929});
  }
  {
    SCOPED_TRACE("many ties");
    Traces chains = autoregressive(.5, 0);
    for (auto& chain : chains)
      for (double& x : chain) x = std::floor(4 * x);
    expect_diagnostics(
        chains, {1.0129105062984738, 233.02192108487046, 404.080807998351, 232.28136741877182, 0.09059162638726508});
  }
  {
    SCOPED_TRACE("one chain");
    expect_diagnostics(autoregressive(.5, 0, 1, 100),
                       {kNone, 34.52918098924881, 60.290582507291006, 33.65479640579021, 0.051252006004146575});
  }
  {
    SCOPED_TRACE("as few draws as possible");
    expect_diagnostics(autoregressive(.5, 0, 2, 4), {1.161262741503499, 7.224719895935548, 7.224719895935548,
                                                     7.224719895935548, 0.09199033271244175});
  }
}

TEST(Diagnostics, OfConstantDrawsNothingCanBeTold) {
  const Traces constant(2, std::vector<double>(10, 3.0));
  EXPECT_TRUE(std::isnan(rank_normalised_r_hat(constant)));
  EXPECT_TRUE(std::isnan(bulk_effective_sample_size(constant)));
  EXPECT_TRUE(std::isnan(tail_effective_sample_size(constant)));
  EXPECT_TRUE(std::isnan(mean_effective_sample_size(constant)));
  EXPECT_TRUE(std::isnan(standard_error_of_mean(constant)));
}

TEST(Diagnostics, ChainsThatStickAtDifferentValuesNeverMix) {
  const Traces chains = {std::vector<double>(1000, 0), std::vector<double>(1000, 1), std::vector<double>(1000, 1)};
  EXPECT_EQ(rank_normalised_r_hat(chains), std::numeric_limits<double>::infinity());
}

TEST(Diagnostics, WhatCannotBeToldIsNotANumber) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const Traces& chains :
       {Traces{}, Traces{{1, 2, 3}}, Traces{{1, 2, 3, 4}, {1, 2, 3}}, Traces{{1, 2, infinite, 4}}}) {
    EXPECT_TRUE(std::isnan(rank_normalised_r_hat(chains)));
    EXPECT_TRUE(std::isnan(bulk_effective_sample_size(chains)));
    EXPECT_TRUE(std::isnan(tail_effective_sample_size(chains)));
    EXPECT_TRUE(std::isnan(standard_error_of_mean(chains)));
  }
}

TEST(Diagnostics, TheVerdictOnSeveralQuantitiesIsThatOnTheWorst) {
  const Traces mixed = autoregressive(0, 0, 4, 1000), apart = autoregressive(0, 3, 4, 1000),
               constant(4, std::vector<double>(1000, 2.0));
  const auto verdict = [](const std::vector<Traces>& quantities) {
    std::vector<double> draws;
    for (const Traces& chains : quantities)
      for (const std::vector<double>& chain : chains) draws.insert(draws.end(), chain.begin(), chain.end());
    const std::vector<Diagnosis> found = diagnose(draws, quantities.size(), 4, 1000, {});
    for (std::size_t q = 0; q < quantities.size(); ++q) EXPECT_EQ(found[q].mixing, diagnose(quantities[q]).mixing);
    return mixing_of(found);
  };
  EXPECT_EQ(verdict({}), Mixing::kCannotTell);
  EXPECT_EQ(verdict({mixed, mixed}), Mixing::kMixed);
  EXPECT_EQ(verdict({mixed, constant}), Mixing::kCannotTell);
  EXPECT_EQ(verdict({constant, apart, mixed}), Mixing::kNotMixed);
}

TEST(Diagnostics, EndsAtAStop) {
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(diagnose(std::vector<double>(8), 1, 2, 4, {.stop = {.cancel = &cancel}}), CancelledError);
}

}  // namespace
}  // namespace fovea::mcmc
