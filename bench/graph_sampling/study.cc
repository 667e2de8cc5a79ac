// SPDX-License-Identifier: Apache-2.0
// The setting of Shi, Steinhardt and Liang (2015) on factor graphs: label 0 everywhere to begin with, sites sampled one
// at a time, first in their order, then by the highest Q from an exact heap. The temperature is a tenth of the start's
// energy per variable, and .9 times that after each sweep (as many transitions as there are variables), in all arms.
// Learns on some models, scores others, each seed anew. Prints a JSON line for each schedule: mean log-probability of
// an instance and CPU seconds after each sweep, means over seeds, and where each seed ended.
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/graph_sampling/images.h"
#include "bench/support/measure.h"
#include "fovea/graph/temper/tempered_gibbs.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/policy/policy_learner.h"
#include "fovea/sequence/policy/queue_schedule.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSeeds = 20, kAblationSeeds = 5;
constexpr int kLearningSweeps = 10;
/// What the ablations take away from, and add to.
constexpr sequence::MetaFeatureOptions kImageFeatures = {.nb = false, .unigram_ent = false};

struct Variant {
  std::string name;
  sequence::MetaFeatureOptions features = kImageFeatures;
  int horizon = 1;
  double rate = .1, delta = 1;
  int seeds = kSeeds;
};

std::vector<Variant> variants() {
  const auto changed = [](std::string name, bool sequence::MetaFeatureOptions::*feature) {
    Variant variant{std::move(name)};
    variant.features.*feature = !(variant.features.*feature);
    variant.seeds = kAblationSeeds;
    return variant;
  };
  using O = sequence::MetaFeatureOptions;
  return {{"learned, H=1"},
          {"learned, H=0", kImageFeatures, 0},
          {"the paper's rate, H=1", kImageFeatures, 1, 1, 1e-4},
          {"the paper's rate, H=0", kImageFeatures, 0, 1, 1e-4},
          changed("without vary", &O::vary),
          changed("without cond-ent", &O::cond_ent),
          changed("without sp", &O::sp),
          changed("with nb-ent", &O::nb_ent),
          changed("with nb", &O::nb)};
}

/// Given visits, one after the other.
class Visits {
 public:
  using TargetLaw = mcmc::Invariant;

  explicit Visits(const std::vector<VariableId>& order) : order_(&order) {}

  template <class Random>
  std::optional<std::span<const VariableId>> next(Random&) {
    return std::span<const VariableId>(*order_).subspan(at_, 1);
  }
  std::span<mcmc::SiteInfo> detail(std::span<const VariableId>) { return {&info_, 1}; }
  void observe(std::span<const VariableId>, const mcmc::StepInfo&) { at_ = (at_ + 1) % order_->size(); }

 private:
  const std::vector<VariableId>* order_;
  std::size_t at_ = 0;
  mcmc::SiteInfo info_;
};

/// After each sweep: mean log-probability of an instance, of its best sample so far and of the present one; seconds.
struct Curve {
  std::vector<double> best, current, seconds;
  std::vector<double> ends = {};  ///< [seed], the last of `current`

  /// Adds the curve of one seed; `seeds` is the number of all.
  void add(const Curve& other, int seeds) {
    const auto sum = [&](std::vector<double>& into, const std::vector<double>& from) {
      into.resize(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) into[i] += from[i] / seeds;
    };
    sum(best, other.best);
    sum(current, other.current);
    sum(seconds, other.seconds);
    ends.push_back(other.current.back());
  }
};

/// Scores of the instances, kept up to date by the gains that visits report.
class Scores {
 public:
  Scores(const Images& images, const Assignment& labels) : instance_(images.graph.variable_count()) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < images.ends.size(); begin = images.ends[i++])
      std::fill(instance_.begin() + static_cast<std::ptrdiff_t>(begin),
                instance_.begin() + static_cast<std::ptrdiff_t>(images.ends[i]), i);
    current_ = best_ = images.scores(labels);
  }

  void observe(VariableId site, const mcmc::SiteInfo& info) {
    const std::size_t i = instance_[site];
    current_[i] += double{info.log_gain};
    best_[i] = std::max(best_[i], current_[i]);
  }
  double mean_best() const { return mean(best_); }
  double mean_current() const { return mean(current_); }

 private:
  static double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
  std::vector<std::size_t> instance_;  // [variable]
  std::vector<double> current_, best_;
};

/// Runs one schedule, sweep by sweep. `visits`, unless null, takes down where the transitions went.
template <class Schedule>
Curve trace(const Images& images, Assignment& labels, Schedule& schedule, int sweeps, Random random,
            std::vector<VariableId>* visits = nullptr) {
  graph::TemperedGibbs kernel(images.graph);
  Scores scores(images, labels);
  Curve curve;
  const double begin = cpu_seconds();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    kernel.set_temperature(images.temperature(sweep));
    mcmc::run(labels, schedule, kernel, {.budget = {.transitions = static_cast<double>(images.graph.variable_count())}},
              random, [&](std::span<const VariableId> batch, const mcmc::StepInfo& info) {
                scores.observe(batch[0], info.sites[0]);
                if (visits) visits->push_back(batch[0]);
              });
    curve.best.push_back(scores.mean_best());
    curve.current.push_back(scores.mean_current());
    curve.seconds.push_back(cpu_seconds() - begin);
  }
  const double exact = images.graph.log_score(labels) / static_cast<double>(images.ends.size());
  if (!(std::abs(exact - curve.current.back()) <= 1e-3 * (1 + std::abs(exact))))
    throw std::runtime_error("the gains do not add up to the score");
  return curve;
}

std::vector<VariableId> in_order(const Images& images) {
  std::vector<VariableId> order(images.graph.variable_count());
  std::iota(order.begin(), order.end(), VariableId{0});
  return order;
}

struct Policy {
  sequence::ValueFunction value = sequence::ValueFunction();
  double seconds = 0;
};

/// Cyclic Gibbs explores at one temperature, that after a fifth of the sweeps: were it to fall meanwhile, the number of
/// visits would foretell rising rewards, and a site once preferred would be visited for ever. Rewards are in units of
/// the temperature, log-probabilities of the law that is sampled.
Policy learn(const Images& images, std::size_t value_count, const Variant& variant, int sweeps, int seed) {
  const double begin = cpu_seconds(), temperature = images.temperature(sweeps / 5);
  const graph::TemperedGibbs kernel(images.graph, temperature);
  const sequence::SiteSampler sampler = [&](Assignment& y, VariableId site, Random& random) {
    mcmc::SiteInfo info;
    kernel.step(y, {&site, 1}, random, std::span<mcmc::SiteInfo>(&info, 1));
    info.mean_gain /= static_cast<float>(temperature);
    return info;
  };
  Assignment labels = images.start();
  Random random = Random(static_cast<std::uint64_t>(seed)).child("learn");
  Policy policy;
  policy.value = sequence::learn_policy(sequence::SiteNetwork(images.graph, images.ends, value_count), sampler, labels,
                                        variant.features,
                                        {.epochs = 1,
                                         .sweeps = kLearningSweeps,
                                         .horizon = variant.horizon,
                                         .rate = variant.rate,
                                         .delta = variant.delta,
                                         .rollout = sequence::RolloutAction::kRandomNeighbour},
                                        random);
  policy.seconds = cpu_seconds() - begin;
  return policy;
}

Json record(const Images& images, const std::string& name, const Curve& curve) {
  return {{"schedule", name},
          {"variables", images.graph.variable_count()},
          {"instances", images.ends.size()},
          {"hottest", images.temperature(0)},
          {"ends", curve.ends},
          {"best", curve.best},
          {"current", curve.current},
          {"seconds", curve.seconds}};
}

Json score_gibbs(const Images& images, int sweeps) {
  Curve curve;
  const std::vector<VariableId> order = in_order(images);
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Assignment labels = images.start();
    Visits schedule(order);
    curve.add(trace(images, labels, schedule, sweeps, Random(seed).child("evaluate")), kSeeds);
  }
  return record(images, "cyclic Gibbs", curve);
}

/// The same visits are then made once more without the policy: what is left of the time is sampling.
Json score_policies(const Images& tuning, const Images& images, const Variant& variant, int sweeps) {
  const std::size_t values = std::max(tuning.graph.max_cardinality(), images.graph.max_cardinality());
  Curve curve, replayed;
  const sequence::SiteNetwork network(images.graph, images.ends, values);
  std::size_t most = 0, never_again = 0;
  double learning_seconds = 0;
  std::map<std::string, double> weights;
  for (int seed = 1; seed <= variant.seeds; ++seed) {
    const Policy policy = learn(tuning, values, variant, sweeps, seed);
    const Random random = Random(seed).child("evaluate");
    std::vector<VariableId> visits;
    visits.reserve(images.graph.variable_count() * static_cast<std::size_t>(sweeps));
    Assignment labels = images.start(), again = images.start();
    sequence::HeapSchedule schedule(network, labels, policy.value, variant.features, in_order(images));
    curve.add(trace(images, labels, schedule, sweeps, random, &visits), variant.seeds);
    Visits replay(visits);
    replayed.add(trace(images, again, replay, sweeps, random), variant.seeds);
    if (again != labels) throw std::runtime_error("the same visits led elsewhere");
    for (VariableId v = 0; v < images.graph.variable_count(); ++v) {
      most = std::max<std::size_t>(most, schedule.state().times_sampled(v));
      never_again += schedule.state().times_sampled(v) == 1;
    }
    learning_seconds += policy.seconds / variant.seeds;
    const double sign = policy.value.w < 0 ? -1 : 1;
    for (const sequence::MetaFeature f :
         {sequence::kVary, sequence::kCondEnt, sequence::kNbEnt, sequence::kUnigramEnt, sequence::kSp})
      weights[sequence::meta_feature_name(f, {})] += sign * double{policy.value.alpha[f]} / variant.seeds;
  }
  Json result = record(images, variant.name, curve);
  result["sampling_seconds"] = replayed.seconds;
  result["learning_seconds"] = learning_seconds;
  result["most_visits"] = most;
  result["visited_once"] = static_cast<double>(never_again) /
                           static_cast<double>(static_cast<std::size_t>(variant.seeds) * images.graph.variable_count());
  result["weights"] = weights;
  return result;
}

void study(const Images& tuning, const Images& scored, int sweeps) {
  std::cout << score_gibbs(scored, sweeps).dump() << std::endl;
  for (const Variant& variant : variants())
    std::cout << score_policies(tuning, scored, variant, sweeps).dump() << std::endl;
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto split = std::find(words.begin(), words.end(), "--");
  if (words.size() < 4 || split < words.begin() + 2 || split >= words.end() - 1) {
    std::cerr << "usage: graph_sampling_study SWEEPS TUNING-MODEL... -- SCORED-MODEL...\n";
    return 2;
  }
  const fovea::bench::Images tuning({words.begin() + 1, split}), scored({split + 1, words.end()});
  fovea::bench::study(tuning, scored, std::stoi(words[0]));
}
