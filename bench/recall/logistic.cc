// SPDX-License-Identifier: Apache-2.0
// Bayesian logistic regressions by messages recalled just in time and by their oracle, draws.
//   recall_logistic problems SAMPLES PROBLEMS SEED [how]  generated ones, one after the other
//   recall_logistic tables SAMPLES SEED FILE...           tables with a column y, one after the other
// how: max=KL, alone, by_message, random_features. Prints JSON lines; checking recalled messages against quadrature is
// not timed.
#include "fovea/ep/operators/logistic.h"

#include <cmath>
#include <cstring>
#include <iostream>

#include "bench/recall/checked_source.h"
#include "bench/recall/logistic_problem.h"
#include "fovea/ep/oracle/importance_sampling.h"
#include "fovea/ep/regression/logistic_table.h"
#include "fovea/io/table/read_table.h"

namespace fovea::bench {
namespace {

/// Mean over weights of the squared distance of means in the reference's standard deviations, rooted.
double distance(const ep::LogisticRegressionFit& fit, const ep::LogisticRegressionFit& reference) {
  const std::vector<double> a = fit.posterior.mean(), b = reference.posterior.mean();
  const std::vector<double> covariance = reference.posterior.covariance();
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]) / covariance[j * (a.size() + 1)];
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// One source that learns from draws, on one regression after the other, and beside it the draws alone.
class Comparison {
 public:
  Comparison(int samples, const ep::JustInTimeOptions& how, int iterations, const Random& random)
      : oracle_(ep::logistic_sampler(), 1, {.samples = samples}),
        options_({.prior_variance = 1, .iterations = iterations, .max_marginal_kl = 1e-5}),
        random_(random),
        recall_(oracle_, how, random.child("recall")) {}

  Json run(const ep::LogisticData& data) {
    const ep::LogisticRegressionFit reference = ep::fit_logistic(data, {.prior_variance = options_.prior_variance});
    const ep::RecallCounts before = recall_.counts();
    Checked checked(recall_, truth_);
    auto start = Clock::now();
    const ep::LogisticRegressionFit recalled = ep::fit_logistic(data, options_, checked);
    const double recall_seconds = seconds_since(start) - checked.seconds;
    ep::DirectSource direct(oracle_, random_.child("direct", runs_++));
    start = Clock::now();
    const ep::LogisticRegressionFit computed = ep::fit_logistic(data, options_, direct);
    return {{"rows", data.rows()},
            {"messages", recall_.counts().messages - before.messages},
            {"oracle_calls", recall_.counts().oracle_calls() - before.oracle_calls()},
            {"seconds", recall_seconds},
            {"error", distance(recalled, reference)},
            {"oracle_seconds", seconds_since(start)},
            {"oracle_error", distance(computed, reference)},
            {"iterations", recalled.iterations},
            {"oracle_iterations", computed.iterations},
            {"marginal_kl", summary_of(checked.errors, recall_.options().max_marginal_kl)},
            {"cases", cases_of(checked)},
            {"worst", worst_of(checked)}};
  }

 private:
  ep::ImportanceSampling oracle_;
  ep::LogisticOperator truth_;
  ep::LogisticRegressionOptions options_;
  Random random_;
  ep::JustInTime recall_;
  std::uint64_t runs_ = 0;
};

void run_problems(int samples, std::size_t problems, std::uint64_t seed, const ep::JustInTimeOptions& how) {
  constexpr std::size_t kColumns = 20, kRows = 300;
  Random random(seed);
  const std::vector<double> w = logistic_weights(kColumns, random);
  Comparison comparison(samples, how, 10, random);
  for (std::size_t problem = 0; problem < problems; ++problem)
    std::cout << comparison.run(logistic_problem(w, kRows, random.child("problem", problem))) << std::endl;
}

/// However different they are: banknotes, blood donors, the ionosphere.
void run_tables(int samples, std::uint64_t seed, const std::vector<std::string>& files) {
  Comparison comparison(samples, {}, 20, Random(seed));
  for (const std::string& file : files) {
    const io::Table table = io::read_table(file, {});
    Json record = comparison.run(ep::logistic_rows(table, ep::logistic_columns(table, "y", {})).data);
    record["table"] = file;
    std::cout << record << std::endl;
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  using namespace fovea::bench;
  if (count >= 5 && std::strcmp(words[1], "problems") == 0)
    run_problems(std::stoi(words[2]), std::stoul(words[3]), std::stoul(words[4]), recalling(count, words, 5));
  else if (count >= 5 && std::strcmp(words[1], "tables") == 0)
    run_tables(std::stoi(words[2]), std::stoul(words[3]), {words + 4, words + count});
  else {
    std::cerr << "recall_logistic problems SAMPLES PROBLEMS SEED [how] | tables SAMPLES SEED FILE...\n";
    return 2;
  }
  return 0;
}
