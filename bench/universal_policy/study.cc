// SPDX-License-Identifier: Apache-2.0
// Where to sample for any labels. A task is five words: NAME MODEL TUNING-DATA TEST-DATA f1|accuracy. Its name is that
// of the corpus, then "-" and anything.
//
// compare: policies learned on the tuning data of the tasks of other corpora, against those learned on the task's own,
// and against visits in cyclic order. Prints a JSON line for each task and seed of learning and of runs: rounds from
// the best labels of each token alone (visits for each item, score gained over the start), and queues from random
// labels.
//
// learn: the numbers of universal_policy.cc, from the tuning data of all tasks.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/support/problem.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/policy/policy_choice.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/sequence/policy/round_learner.h"
#include "fovea/sequence/policy/round_policy.h"
#include "fovea/sequence/sample/best_so_far.h"
#include "fovea/sequence/sample/orders.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Task {
  std::string name, corpus;
  std::unique_ptr<Problem> tuning, test;
};

struct Start {
  Assignment labels;
  std::vector<float> doubt;
};

Start start_of(const Problem& problem) {
  Start start{problem.sequences().make_labeling(), std::vector<float>(problem.sequences().position_count())};
  unary_start(problem.sequences(), start.labels, start.doubt.data());
  return start;
}

struct Point {
  double visits = 0, gain = 0;  // for each item
};

template <class Schedule>
Point run(const Problem& problem, Assignment labels, double visits,
          const std::function<Schedule(const Assignment&)>& make) {
  const double before = problem.sequences().log_score(labels);
  Schedule schedule = make(labels);
  Random random(1);
  const RunSummary done = mcmc::run(labels, schedule, sequence::SequenceIcm(problem.sequences()),
                                    {.budget = {.transitions = visits}}, random);
  return {static_cast<double>(done.work.transitions) / problem.tokens(),
          (problem.sequences().log_score(labels) - before) / problem.tokens()};
}

Json json_of(const std::vector<Point>& points) {
  Json json = Json::array();
  for (const Point& p : points) json.push_back({p.visits, p.gain});
  return json;
}

std::vector<Point> cyclic(const Problem& problem, const Start& start) {
  std::vector<Point> points;
  for (const double sweeps : {.1, .2, .3, .4, .5, .6, .7, .8, .9, 1.0, 1.5, 2.0, 3.0})
    points.push_back(
        run<mcmc::FixedSchedule>(problem, start.labels, std::floor(sweeps * problem.tokens()), [&](const Assignment&) {
          return mcmc::FixedSchedule(sequence::colour_order(problem.sequences()), 4, 1 << 14, false);
        }));
  return points;
}

std::vector<Point> rounds(const Problem& problem, const Start& start, const sequence::RoundPolicy& policy) {
  std::vector<Point> points;
  for (const float threshold : {2.f, 1.f, .5f, .2f, .1f, .05f, .02f, .01f, .005f, .002f, .001f, .0005f}) {
    std::vector<float> doubt = start.doubt;
    points.push_back(run<sequence::RoundSchedule>(problem, start.labels, 1e18, [&](const Assignment& labels) {
      return sequence::RoundSchedule(problem.sequences(), policy, labels, doubt, {.threshold = threshold});
    }));
  }
  return points;
}

/// Rounds learned on the tuning data of tasks.
sequence::RoundRule rule_of(const std::vector<const Task*>& tasks, sequence::VisitReward reward, std::uint64_t seed) {
  std::vector<Start> starts;
  std::vector<sequence::PairClasses> classes;
  for (const Task* task : tasks) {
    starts.push_back(start_of(*task->tuning));
    classes.push_back(sequence::PairClasses::of_surprise(task->tuning->ngrams()));
  }
  std::vector<sequence::RoundTask> learned;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    learned.push_back({&tasks[i]->tuning->sequences(), &starts[i].labels, starts[i].doubt});
  Random random(seed);
  return learn_round_rule(learned, classes, reward, {}, random);
}

using Weights = std::array<float, sequence::kScalarFeatures>;

/// Meta-features that know no labels.
constexpr sequence::MetaFeatureOptions kLabelFree = {.nb = false};

/// Weights of these for queues, the mean over tasks.
Weights queue_of(const std::vector<const Task*>& tasks, std::uint64_t seed) {
  Weights mean{};
  for (const Task* task : tasks) {
    Random random = Random(seed).child("queue");
    Assignment labels = random_labeling(task->tuning->sequences(), random);
    const sequence::ValueFunction value =
        learn_policy(task->tuning->sequences(), labels, kLabelFree, {.horizon = 0}, random);
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += (value.w < 0 ? -1.0f : 1.0f) * value.alpha[i] / static_cast<float>(tasks.size());
  }
  return mean;
}

constexpr std::array kSweeps = {1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0};
constexpr int kRuns = 3;

/// The best sample so far after each of kSweeps, from random labels; mean over runs.
template <class Schedule>
std::vector<Point> best_samples(const Problem& problem, std::uint64_t seed,
                                const std::function<Schedule(const Assignment&)>& make) {
  std::vector<Point> points(kSweeps.size());
  for (int r = 0; r < kRuns; ++r) {
    Random random = Random(seed).child("run", static_cast<std::uint64_t>(r));
    Assignment labels = random_labeling(problem.sequences(), random);
    const double before = problem.sequences().log_score(labels);
    Schedule schedule = make(labels);
    sequence::BestSoFar best(problem.sequences(), labels);
    double done = 0;
    for (std::size_t i = 0; i < kSweeps.size(); ++i) {
      const double target = std::floor(kSweeps[i] * problem.tokens());
      mcmc::run(
          labels, schedule, sequence::SequenceGibbs(problem.sequences()), {.budget = {.transitions = target - done}},
          random,
          [&](std::span<const VariableId> batch, const mcmc::StepInfo& info) { best.observe(batch, info, labels); });
      done = target;
      points[i].visits = kSweeps[i];
      points[i].gain += (problem.sequences().log_score(best.labeling()) - before) / problem.tokens() / kRuns;
    }
  }
  return points;
}

Json queues(const Task& task, const std::vector<const Task*>& others, std::uint64_t seed) {
  const Problem& test = *task.test;
  const sequence::SiteNetwork network(test.sequences());
  const std::vector<VariableId> order = sequence::left_to_right_order(test.sequences());
  const auto curve = [&](const sequence::ValueFunction& value, const sequence::MetaFeatureOptions& features) {
    return json_of(best_samples<sequence::HeapSchedule>(test, seed, [&](const Assignment& labels) {
      return sequence::HeapSchedule(network, labels, value, features, order);
    }));
  };
  const sequence::ValueFunction own =
      choose_policy(task.tuning->sequences(), {}, {}, {}, {.random = Random(seed)}).value;
  sequence::ValueFunction universal(
      sequence::meta_feature_count(static_cast<std::size_t>(test.ngrams().label_count())));
  const Weights weights = queue_of(others, seed);
  std::copy(weights.begin(), weights.end(), universal.alpha.begin());
  universal.w = 1;
  Json json;
  json["cyclic"] = json_of(best_samples<mcmc::FixedSchedule>(
      test, seed, [&](const Assignment&) { return mcmc::FixedSchedule(order, kSweeps.back(), 1 << 14, true); }));
  json["tuned"] = curve(own, {});
  json["universal"] = curve(universal, kLabelFree);
  return json;
}

constexpr std::uint64_t kSeeds = 5;

Json compared(const Task& task, const std::vector<const Task*>& others, std::uint64_t seed) {
  const Start tuning = start_of(*task.tuning), start = start_of(*task.test);
  Random random(seed);
  const sequence::RoundPolicy own = learn_round_policy({&task.tuning->sequences(), &tuning.labels, tuning.doubt},
                                                       sequence::VisitReward::kBest, {}, random);
  const sequence::RoundPolicy universal =
      rule_of(others, sequence::VisitReward::kBest, seed)
          .policy(own.label_count, sequence::PairClasses::of_surprise(task.test->ngrams()));
  return {{"task", task.name},
          {"seed", seed},
          {"rounds",
           {{"cyclic", json_of(cyclic(*task.test, start))},
            {"tuned", json_of(rounds(*task.test, start, own))},
            {"universal", json_of(rounds(*task.test, start, universal))}}},
          {"queues", queues(task, others, seed)}};
}

void compare(const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    std::vector<const Task*> others;
    for (const Task& other : tasks)
      if (other.corpus != task.corpus) others.push_back(&other);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) std::cout << compared(task, others, seed).dump() << std::endl;
  }
}

/// Gives classes that never occurred the weight of the one before them.
void fill_unseen(std::span<float> weights) {
  for (std::size_t i = 1; i < weights.size(); ++i)
    if (weights[i] == 0) weights[i] = weights[i - 1];
}

template <class Values>
void print_numbers(const char* name, const Values& values) {
  std::cout << name << " {";
  for (const auto& value : values) std::cout << fmt::format("{:.4g}f, ", value);
  std::cout << "}\n";
}

void learn(const std::vector<Task>& tasks) {
  std::vector<const Task*> all;
  for (const Task& task : tasks) all.push_back(&task);
  for (const auto& [reward, name] :
       {std::pair{sequence::VisitReward::kBest, "best"}, {sequence::VisitReward::kSample, "sample"}}) {
    sequence::RoundRule rule = rule_of(all, reward, 1);
    const std::span alpha(rule.value.alpha);
    fill_unseen(alpha.first(sequence::kDoubtBuckets));
    for (const std::size_t side : {0, 1})
      fill_unseen(alpha.subspan(sequence::kDoubtBuckets + side * sequence::PairClasses::kSurprises,
                                sequence::PairClasses::kSurprises));
    std::cout << name
              << fmt::format(" w {:.4g}f b {:.4g}f jump {:.4g}f\n", rule.value.w, rule.value.b, rule.calibration.jump);
    print_numbers("alpha", rule.value.alpha);
    std::cout << "knots {";
    for (const auto& knot : rule.calibration.knots)
      std::cout << fmt::format("{{{:.4g}f, {:.4g}f}}, ", knot.score, knot.gain);
    std::cout << "}\n";
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  using namespace fovea::bench;
  const std::string job = argc > 1 ? argv[1] : "";
  if (argc < 7 || (argc - 2) % 5 != 0 || (job != "compare" && job != "learn")) {
    std::cerr << "usage: universal_policy_study compare|learn (NAME MODEL TUNING-DATA TEST-DATA f1|accuracy)...\n";
    return 2;
  }
  std::vector<Task> tasks;
  for (int i = 2; i < argc; i += 5) {
    const std::string name = argv[i];
    tasks.push_back({name, name.substr(0, name.find('-')),
                     std::make_unique<Problem>(argv[i + 1], argv[i + 2], argv[i + 4]),
                     std::make_unique<Problem>(argv[i + 1], argv[i + 3], argv[i + 4])});
  }
  if (job == "learn") learn(tasks);
  else compare(tasks);
}
