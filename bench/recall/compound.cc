// SPDX-License-Identifier: Apache-2.0
// Compound-gamma messages recalled just in time, by quadrature and by draws.
//   recall_compound MESSAGES SEED
// Prints JSON lines; checking recalled messages against quadrature is not timed.
#include <cmath>
#include <iostream>

#include "bench/recall/checked_source.h"
#include "bench/support/measure.h"
#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/oracle/importance_sampling.h"

namespace fovea::bench {
namespace {

ep::Message random_incoming(Random& random) {
  return ep::Gamma::from_shape_rate(std::exp(.5 + random.normal()), std::exp(random.normal()));
}

double seconds_per_recall(const ep::LearnedMessage& learned, const ep::Operator& oracle,
                          std::span<const ep::Message> batch) {
  double checksum = 0;
  const auto start = Clock::now();
  regress::RegressionExample encoded;
  for (const ep::Message& message : batch) {
    learned.encode(oracle, {&message, 1}, encoded);
    checksum += learned.predict({&message, 1}, encoded).tilted.log_mass;
  }
  if (std::isnan(checksum)) throw std::logic_error("a recalled message is no number");
  return seconds_since(start) / static_cast<double>(batch.size());
}

struct Sampled {
  double median = 0;   // marginal KL
  double seconds = 0;  // a message
};

/// Draws from the incoming message, weighed by the factor, as published.
Sampled sampled(int samples, const ep::Operator& exact, std::span<const ep::Message> messages, Random& random) {
  const ep::ImportanceSampling draws(
      {.name = "compound gamma", .log_density = [](Values x) { return ep::CompoundGammaFactor{}.log_density(x[0]); }},
      0, {.samples = samples, .adaptive = false});
  std::vector<ep::Message> marginals;
  const auto start = Clock::now();
  for (const ep::Message& message : messages) marginals.push_back(draws.tilted(0, {&message, 1}, random).marginal);
  const double seconds = seconds_since(start) / static_cast<double>(messages.size());
  std::vector<double> errors;
  for (std::size_t i = 0; i < messages.size(); ++i)
    errors.push_back(ep::divergence(marginals[i], exact.tilted(0, {&messages[i], 1}, random).marginal));
  return {.median = quantile(errors, .5), .seconds = seconds};
}

void run_stream(ep::JustInTime& recall, Checked& checked, int messages, Random& random) {
  for (int i = 0; i < messages; ++i) {
    const ep::Message incoming = random_incoming(random);
    ep::Tilted result;
    checked.compute(0, static_cast<std::uint64_t>(i), {&incoming, 1}, {&result, 1});
    if (((i + 1) & i) == 0 || i + 1 == messages)
      std::cout << Json{{"messages", i + 1},
                        {"oracle_calls", recall.counts().oracle_calls()},
                        {"marginal_kl", summary_of(checked.errors, recall.options().max_marginal_kl)}}
                << std::endl;
  }
}

void run(int messages, std::uint64_t seed) {
  constexpr int kFew = 1000;
  Random random(seed);
  const ep::CompoundGammaOperator oracle(ep::CompoundGammaFactor{});
  ep::JustInTime recall(oracle, {}, random.child("recall"));
  Checked checked(recall, oracle);
  run_stream(recall, checked, messages, random);

  std::vector<ep::Message> batch;
  for (int i = 0; i < 400'000; ++i) batch.push_back(random_incoming(random));
  const std::span<const ep::Message> all = batch;
  const double recall_seconds = seconds_per_recall(*recall.learned()[0], oracle, all);
  const auto start = Clock::now();
  for (const ep::Message& message : all.first(2000)) oracle.tilted(0, {&message, 1}, random);
  const double quadrature_seconds = seconds_since(start) / 2000;

  // How many draws err as little? The divergence falls as 1 / draws.
  const double wanted = quantile(checked.errors, .5);
  const Sampled few = sampled(kFew, oracle, all.first(300), random);
  const int equal = static_cast<int>(std::min(1e8, kFew * few.median / wanted));
  const Sampled as_good = sampled(equal, oracle, all.first(11), random);
  const int matched = static_cast<int>(std::max(100., kFew * recall_seconds / few.seconds));
  const Sampled as_fast = sampled(matched, oracle, all.first(300), random);
  std::cout << Json{{"recall_seconds", recall_seconds},  {"quadrature_seconds", quadrature_seconds},
                    {"median_recalled", wanted},         {"equal_samples", equal},
                    {"equal_error", as_good.median},     {"equal_seconds", as_good.seconds},
                    {"matched_samples", matched},        {"matched_error", as_fast.median},
                    {"matched_seconds", as_fast.seconds}}
            << std::endl;
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  if (!fovea::bench::has_arguments(count, 2, "recall_compound MESSAGES SEED")) return 2;
  fovea::bench::run(std::stoi(words[1]), std::stoul(words[2]));
  return 0;
}
