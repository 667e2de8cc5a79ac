// SPDX-License-Identifier: Apache-2.0
// Messages recalled just in time against their oracles.
//   recall_study logistic SAMPLES PROBLEMS SEED [how]  Bayesian logistic regressions, one after the other
//   recall_study compound MESSAGES SEED                 compound-gamma messages
//   recall_study yield SAMPLES SEED [how]               three seasons of farms
//   recall_study mcmc ROWS DRAWS SEED                   fit_logistic against a long chain
//   recall_study tables SAMPLES SEED FILE...            tables with a column y, one after the other
// Prints JSON lines. Where messages are checked against quadrature, that is not timed.
#include <cmath>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "fovea/apps/regression/logistic_table.h"
#include "fovea/base/seconds_since.h"
#include "fovea/io/table/read_table.h"
#include "fovea/message/model/model.h"
#include "fovea/message/operators/compound_gamma.h"
#include "fovea/message/operators/logistic.h"
#include "fovea/message/oracle/grid_quadrature.h"
#include "fovea/message/oracle/importance_sampling.h"
#include "fovea/message/recall/just_in_time.h"
#include "fovea/message/regression/logistic_regression.h"

namespace fovea::bench {
namespace {

using namespace message;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Compares what was recalled with the truth; its own time is told apart.
class Checked : public MessageSource {
 public:
  Checked(MessageSource& source, const Operator& truth) : source_(source), truth_(truth) {}

  const Operator& factor() const override { return source_.factor(); }
  void compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
               std::span<Tilted> results) override {
    source_.compute(slot, first, incoming, results);
    const auto start = Clock::now();
    const std::size_t slots = factor().slot_count();
    Random unused;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i].is_recalled) continue;
      const Tilted exact = truth_.tilted(slot, incoming.subspan(i * slots, slots), unused);
      errors.push_back(divergence(results[i].marginal, exact.marginal));
    }
    seconds += seconds_since(start);
  }

  std::vector<double> errors;  // marginal KL of recalled messages
  double seconds = 0;

 private:
  MessageSource& source_;
  const Operator& truth_;
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

Json summary_of(const std::vector<double>& errors, double limit) {
  const auto wrong = std::ranges::count_if(errors, [&](double error) { return !(error <= limit); });
  return {{"recalled", errors.size()},
          {"wrong", wrong},
          {"median", quantile(errors, .5)},
          {"p99", quantile(errors, .99)},
          {"worst", quantile(errors, 1)}};
}

/// Labels drawn from one w for all problems; columns are standard normal, so that w . x has the variance of |w|^2.
LogisticData logistic_problem(std::span<const double> w, std::size_t rows, Random random) {
  LogisticData data = {.columns = w.size(), .values = {}, .labels = {}};
  for (std::size_t i = 0; i < rows; ++i) {
    double z = 0;
    for (const double weight : w) {
      data.values.push_back(random.normal());
      z += weight * data.values.back();
    }
    data.labels.push_back(random.bernoulli(1 / (1 + std::exp(-z))));
  }
  return data;
}

/// Mean over weights of the squared distance of means in the reference's standard deviations, rooted.
double distance(const LogisticRegressionFit& fit, const LogisticRegressionFit& reference) {
  const std::vector<double> a = fit.posterior.mean(), b = reference.posterior.mean();
  const std::vector<double> covariance = reference.posterior.covariance();
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]) / covariance[j * (a.size() + 1)];
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void run_logistic(int samples, std::size_t problems, std::uint64_t seed, const JustInTimeOptions& how) {
  constexpr std::size_t kColumns = 20, kRows = 300;
  Random random(seed);
  std::vector<double> w(kColumns);
  for (double& weight : w) weight = random.normal() / std::sqrt(5.);
  const ImportanceSampling oracle(logistic_sampler(), 1, {.samples = samples});
  const LogisticOperator truth;
  const LogisticRegressionOptions options = {.prior_variance = 1, .iterations = 10, .max_marginal_kl = 1e-5};
  JustInTime recall(oracle, how, random.child("recall"));
  for (std::size_t problem = 0; problem < problems; ++problem) {
    const LogisticData data = logistic_problem(w, kRows, random.child("problem", problem));
    const LogisticRegressionFit reference = fit_logistic(data, {.prior_variance = 1});
    const RecallCounts before = recall.counts();
    Checked checked(recall, truth);
    auto start = Clock::now();
    const LogisticRegressionFit recalled = fit_logistic(data, options, checked);
    const double recall_seconds = seconds_since(start) - checked.seconds;
    DirectSource direct(oracle, random.child("direct", problem));
    start = Clock::now();
    const LogisticRegressionFit computed = fit_logistic(data, options, direct);
    std::cout << Json{{"problem", problem},
                      {"messages", recall.counts().messages - before.messages},
                      {"oracle_calls", recall.counts().oracle_calls() - before.oracle_calls()},
                      {"seconds", recall_seconds},
                      {"error", distance(recalled, reference)},
                      {"oracle_seconds", seconds_since(start)},
                      {"oracle_error", distance(computed, reference)},
                      {"iterations", recalled.iterations},
                      {"oracle_iterations", computed.iterations},
                      {"marginal_kl", summary_of(checked.errors, recall.options().max_marginal_kl)}}
              << std::endl;
  }
}

/// Hamiltonian Monte Carlo in coordinates where the posterior that was found is standard normal: what fit_logistic is
/// compared with. Prints the largest distance of means, in its standard deviations, and what the chain's own error is.
void run_mcmc(std::size_t rows, int draws, std::uint64_t seed) {
  constexpr std::size_t kColumns = 20;
  constexpr int kLeaps = 8;
  constexpr double kStep = .2;
  Random random(seed);
  std::vector<double> w(kColumns);
  for (double& weight : w) weight = random.normal() / std::sqrt(5.);
  const LogisticData data = logistic_problem(w, rows, random.child("problem"));
  const LogisticRegressionOptions options = {.prior_variance = 1};
  const auto start = Clock::now();
  const LogisticRegressionFit fit = fit_logistic(data, options);
  const double fit_seconds = seconds_since(start);
  const std::vector<double> mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
  std::vector<double> lower(kColumns * kColumns);  // Cholesky factor of the covariance
  for (std::size_t i = 0; i < kColumns; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = covariance[i * kColumns + j];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i * kColumns + k] * lower[j * kColumns + k];
      lower[i * kColumns + j] = i == j ? std::sqrt(sum) : sum / lower[j * kColumns + j];
    }
  const auto weights_at = [&](const std::vector<double>& u) {
    std::vector<double> weights = mean;
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t k = 0; k <= i; ++k) weights[i] += lower[i * kColumns + k] * u[k];
    return weights;
  };
  // log p(labels, weights), and its gradient by u.
  const auto log_joint = [&](const std::vector<double>& u, std::vector<double>& gradient) {
    const std::vector<double> weights = weights_at(u);
    std::vector<double> by_weights(kColumns);
    double sum = 0;
    for (std::size_t j = 0; j < kColumns; ++j) {
      sum -= weights[j] * weights[j] / (2 * options.prior_variance);
      by_weights[j] = -weights[j] / options.prior_variance;
    }
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const std::span<const double> row = data.row(i);
      const double z = std::inner_product(row.begin(), row.end(), weights.begin(), 0.);
      const double against = data.labels[i] ? -z : z, e = std::exp(-std::abs(against));
      sum -= std::max(against, 0.) + std::log1p(e);
      const double p = z > 0 ? 1 / (1 + e) : e / (1 + e), slope = (data.labels[i] ? 1 : 0) - p;
      for (std::size_t j = 0; j < kColumns; ++j) by_weights[j] += slope * row[j];
    }
    gradient.assign(kColumns, 0);
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t k = 0; k <= i; ++k) gradient[k] += lower[i * kColumns + k] * by_weights[i];
    return sum;
  };
  std::vector<double> u(kColumns), gradient, sums(kColumns), squares(kColumns), batch(kColumns), batch_squares(kColumns);
  double score = log_joint(u, gradient);
  int accepted = 0, in_batch = 0, batches = 0;
  const int batch_size = std::max(1, draws / 50);
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<double> there = u, momentum(kColumns), slope = gradient;
    for (double& p : momentum) p = random.normal();
    const double energy = std::inner_product(momentum.begin(), momentum.end(), momentum.begin(), 0.) / 2 - score;
    double moved = score;
    for (int leap = 0; leap < kLeaps; ++leap) {
      for (std::size_t j = 0; j < kColumns; ++j) momentum[j] += kStep / 2 * slope[j];
      for (std::size_t j = 0; j < kColumns; ++j) there[j] += kStep * momentum[j];
      moved = log_joint(there, slope);
      for (std::size_t j = 0; j < kColumns; ++j) momentum[j] += kStep / 2 * slope[j];
    }
    const double after = std::inner_product(momentum.begin(), momentum.end(), momentum.begin(), 0.) / 2 - moved;
    if (random.bernoulli_log(std::min(0., energy - after))) {
      u = there;
      gradient = slope;
      score = moved;
      ++accepted;
    }
    const std::vector<double> weights = weights_at(u);
    for (std::size_t j = 0; j < kColumns; ++j) {
      const double off = (weights[j] - mean[j]) / std::sqrt(covariance[j * (kColumns + 1)]);
      sums[j] += off / draws;
      batch[j] += off / batch_size;
    }
    if (++in_batch < batch_size) continue;
    for (std::size_t j = 0; j < kColumns; ++j) {
      squares[j] += batch[j];
      batch_squares[j] += batch[j] * batch[j];
    }
    batch.assign(kColumns, 0);
    in_batch = 0;
    ++batches;
  }
  double largest = 0, error = 0;
  for (std::size_t j = 0; j < kColumns; ++j) {
    largest = std::max(largest, std::abs(sums[j]));
    const double variance = batch_squares[j] / batches - squares[j] * squares[j] / (batches * batches);
    error = std::max(error, std::sqrt(std::max(0., variance) / (batches - 1)));
  }
  std::cout << Json{{"rows", rows},
                    {"columns", kColumns},
                    {"fit_seconds", fit_seconds},
                    {"draws", draws},
                    {"accepted", static_cast<double>(accepted) / draws},
                    {"largest_distance", largest},
                    {"largest_chain_error", error}}
            << std::endl;
}

/// The same source on one table after the other, however different: banknotes, blood donors, the ionosphere.
void run_tables(int samples, std::uint64_t seed, const std::vector<std::string>& files, const JustInTimeOptions& how) {
  const ImportanceSampling oracle(logistic_sampler(), 1, {.samples = samples});
  const LogisticOperator truth;
  const LogisticRegressionOptions options = {.prior_variance = 1, .iterations = 20, .max_marginal_kl = 1e-5};
  JustInTime recall(oracle, how, Random(seed).child("recall"));
  for (const std::string& file : files) {
    const Table table = read_table(file, {});
    const LogisticData data = logistic_data(table, logistic_columns(table, "y", true));
    const LogisticRegressionFit reference = fit_logistic(data, {.prior_variance = 1});
    const RecallCounts before = recall.counts();
    Checked checked(recall, truth);
    auto start = Clock::now();
    const LogisticRegressionFit recalled = fit_logistic(data, options, checked);
    const double recall_seconds = seconds_since(start) - checked.seconds;
    DirectSource direct(oracle, Random(seed).child("direct"));
    start = Clock::now();
    const LogisticRegressionFit computed = fit_logistic(data, options, direct);
    std::cout << Json{{"table", file},
                      {"rows", data.rows()},
                      {"messages", recall.counts().messages - before.messages},
                      {"oracle_calls", recall.counts().oracle_calls() - before.oracle_calls()},
                      {"seconds", recall_seconds},
                      {"error", distance(recalled, reference)},
                      {"oracle_seconds", seconds_since(start)},
                      {"oracle_error", distance(computed, reference)},
                      {"marginal_kl", summary_of(checked.errors, how.max_marginal_kl)}}
              << std::endl;
  }
}

void run_compound(int messages, std::uint64_t seed) {
  Random random(seed);
  const CompoundGammaOperator oracle(CompoundGammaFactor{});
  JustInTime recall(oracle, {}, random.child("recall"));
  Checked checked(recall, oracle);
  const auto incoming = [&] {
    return std::vector<Message>{Gamma::from_shape_rate(std::exp(.5 + random.normal()), std::exp(random.normal()))};
  };
  for (int i = 0; i < messages; ++i) {
    std::vector<Tilted> result(1);
    checked.compute(0, static_cast<std::uint64_t>(i), incoming(), result);
    if (((i + 1) & i) == 0 || i + 1 == messages)
      std::cout << Json{{"messages", i + 1},
                        {"oracle_calls", recall.counts().oracle_calls()},
                        {"marginal_kl", summary_of(checked.errors, recall.options().max_marginal_kl)}}
                << std::endl;
  }
  const std::vector<Message> batch = [&] {
    std::vector<Message> all;
    for (int i = 0; i < 400000; ++i) all.push_back(incoming()[0]);
    return all;
  }();
  const LearnedMessage& learned = *recall.learned()[0];
  double checksum = 0;
  const auto start = Clock::now();
  RegressionExample encoded;
  for (const Message& message : batch) {
    learned.encode(oracle, {&message, 1}, encoded);
    checksum += learned.predict({&message, 1}, encoded).doubt;
  }
  std::cout << Json{{"ns_per_prediction", 1e9 * seconds_since(start) / static_cast<double>(batch.size())},
                    {"checksum", checksum}}
            << std::endl;
}

/// A stand-in for the paper's yields, whose data are not public. Grain g does best at temperature theta_g ~ N(18, 4^2);
/// a farm that plants it has temperature t ~ N(18, 5^2), measured with noise of variance .5^2, and yields
///   y ~ N(10 exp(-(t - theta_g)^2 / (2 6^2)), .5^2).
/// Each season is new farms and grains: 300 farms, 20 grains.
struct Season {
  struct Farm {
    std::size_t grain;
    double measured, yield;
  };
  std::vector<Farm> farms;
  std::vector<double> optima;
};

constexpr double kYieldNoise = .5, kThermometer = .5, kTolerance = 6, kBest = 10;

Season season_of(Random random) {
  Season season;
  for (int g = 0; g < 20; ++g) season.optima.push_back(18 + 4 * random.normal());
  for (int f = 0; f < 300; ++f) {
    const std::size_t grain = random.uniform_index(20);
    const double t = 18 + 5 * random.normal(), gap = (t - season.optima[grain]) / kTolerance;
    season.farms.push_back({.grain = grain,
                            .measured = t + kThermometer * random.normal(),
                            .yield = kBest * std::exp(-gap * gap / 2) + kYieldNoise * random.normal()});
  }
  return season;
}

FactorFunctions yield_factor() {
  return {.name = "yield", .log_density = [](std::span<const double> v) {
            const double gap = (v[1] - v[2]) / kTolerance;
            const double off = (v[0] - kBest * std::exp(-gap * gap / 2)) / kYieldNoise;
            return -.5 * off * off - std::log(kYieldNoise * std::sqrt(2 * M_PI));
          }};
}

struct SeasonResult {
  std::vector<Gaussian> optima;
  double seconds = 0;
};

SeasonResult solve_season(const Season& season, MessageSource& yields, const Checked* checked) {
  Model model;
  std::vector<Variable> optima;
  for (std::size_t g = 0; g < season.optima.size(); ++g) optima.push_back(model.gaussian({.mean = 18, .variance = 16}));
  for (const Season::Farm& farm : season.farms) {
    const Variable t = model.gaussian({.mean = 18, .variance = 25});
    model.observe(model.linear({1}, {t}, 0, kThermometer * kThermometer), farm.measured);
    model.observe(model.factor(yields, Gaussian(), {t, optima[farm.grain]}), farm.yield);
  }
  const double before = checked ? checked->seconds : 0;
  const Posterior posterior = model.infer({.max_marginal_kl = 1e-3, .iterations = 10});
  SeasonResult result = {.optima = {}, .seconds = posterior.seconds - ((checked ? checked->seconds : 0) - before)};
  for (const Variable v : optima) result.optima.push_back(posterior.as<Gaussian>(v));
  return result;
}

double mean_divergence(const SeasonResult& result, const SeasonResult& reference) {
  double sum = 0;
  for (std::size_t g = 0; g < result.optima.size(); ++g) sum += divergence(reference.optima[g], result.optima[g]);
  return sum / static_cast<double>(result.optima.size());
}

void run_yield(int samples, std::uint64_t seed, const JustInTimeOptions& how) {
  const Random random(seed);
  const ImportanceSampling oracle(yield_factor(), 2, {.samples = samples});
  const GridQuadrature truth(yield_factor(), 2, {.accuracy = 1e-6});
  JustInTime continued(oracle, how, random.child("continued"));
  for (int year = 11; year <= 13; ++year) {
    const Season season = season_of(random.child("season", static_cast<std::uint64_t>(year)));
    DirectSource by_grid(truth), by_draws(oracle, random.child("draws"));
    const SeasonResult reference = solve_season(season, by_grid, nullptr);
    const SeasonResult computed = solve_season(season, by_draws, nullptr);
    const auto run = [&](const char* name, JustInTime& recall) {
      const RecallCounts before = recall.counts();
      Checked checked(recall, truth);
      const SeasonResult recalled = solve_season(season, checked, &checked);
      std::cout << Json{{"year", year},
                        {"recall", name},
                        {"messages", recall.counts().messages - before.messages},
                        {"oracle_calls", recall.counts().oracle_calls() - before.oracle_calls()},
                        {"seconds", recalled.seconds},
                        {"error", mean_divergence(recalled, reference)},
                        {"asking_seconds", recall.counts().oracle_seconds - before.oracle_seconds},
                        {"learning_seconds", recall.counts().learning_seconds - before.learning_seconds},
                        {"recall_seconds", recall.counts().recall_seconds - before.recall_seconds},
                        {"oracle_seconds", computed.seconds},
                        {"oracle_error", mean_divergence(computed, reference)},
                        {"marginal_kl", summary_of(checked.errors, how.max_marginal_kl)}}
                << std::endl;
    };
    JustInTime fresh(oracle, how, random.child("fresh"));
    run("fresh", fresh);
    run("continued", continued);
  }
}

/// From words like max=1e-4, alone, by_message, random_features.
JustInTimeOptions recalling(int count, char** words, int first) {
  JustInTimeOptions how;
  for (int i = first; i < count; ++i) {
    const std::string word = words[i];
    if (word.starts_with("max=")) how.max_marginal_kl = std::stod(word.substr(4));
    how.alone = how.alone || word == "alone";
    how.by_message = how.by_message || word == "by_message";
    how.random_features = how.random_features || word == "random_features";
  }
  return how;
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  using namespace fovea::bench;
  if (count >= 5 && std::strcmp(words[1], "logistic") == 0)
    run_logistic(std::stoi(words[2]), std::stoul(words[3]), std::stoul(words[4]), recalling(count, words, 5));
  else if (count == 4 && std::strcmp(words[1], "compound") == 0) run_compound(std::stoi(words[2]), std::stoul(words[3]));
  else if (count >= 4 && std::strcmp(words[1], "yield") == 0)
    run_yield(std::stoi(words[2]), std::stoul(words[3]), recalling(count, words, 4));
  else if (count == 5 && std::strcmp(words[1], "mcmc") == 0)
    run_mcmc(std::stoul(words[2]), std::stoi(words[3]), std::stoul(words[4]));
  else if (count >= 5 && std::strcmp(words[1], "tables") == 0)
    run_tables(std::stoi(words[2]), std::stoul(words[3]), {words + 4, words + count}, {});
  else {
    std::cerr << "recall_study logistic SAMPLES PROBLEMS SEED | compound MESSAGES SEED\n";
    return 2;
  }
  return 0;
}
