// SPDX-License-Identifier: Apache-2.0
// Steps of the chain alone on the examples of real programs, Table 1 of Steinhardt and Liang (2015):
//   chain_steps_study SEEDS MOST_STEPS FILE...
// For each file with a loop, the counterexample loop with a portfolio of chains finds an invariant, or 10 s pass and
// the file is left out. The examples that it ended with are then given to chains of 0, 1 and 2 stages, cold and hot,
// one for each seed. Prints a JSON line for each file: steps by method, a run that finds nothing counts with
// MOST_STEPS.
#include <iostream>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/synthesis/formula_search/dnf_search.h"
#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/invariant/candidate_clauses.h"
#include "fovea/synthesis/verify/invariant_checker.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostCandidates = 200;
constexpr double kPatience = 2e6;
constexpr std::int64_t kSmallStates = 100;
constexpr unsigned kSolverMilliseconds = 2000;
constexpr std::size_t kMostBoxVariables = 12;

synthesis::AtomChoice atoms_of(const synthesis::TransitionSystem& system) {
  const synthesis::MinedMaterial material = mine(system);
  return {.variables = system.size(),
          .coefficient_range = system.size() <= kMostBoxVariables ? 1 : 0,
          .bounds = material.bounds,
          .forms = material.forms,
          .octagons = true,
          .equations = true};
}

/// The examples with which an invariant was found; none if it was not.
std::optional<synthesis::ExampleSet> last_examples(const synthesis::TransitionSystem& system,
                                                   const synthesis::AtomChoice& atoms) {
  synthesis::InvariantChecker checker(system, kSmallStates);
  checker.limit({}, kSolverMilliseconds);
  synthesis::DnfSearch search(atoms, {});
  synthesis::ExampleSet examples(system.size());
  for (int candidate = 0; candidate < kMostCandidates; ++candidate) {
    const std::optional<synthesis::Dnf> found = search.find(examples, {.transitions = kPatience});
    if (!found) return {};
    const synthesis::InvariantChecker::Verdict verdict = checker.check(simplified(*found), 1);
    if (verdict.outcome == synthesis::InvariantChecker::Outcome::kHolds) return examples;
    const std::size_t known = examples.size();
    for (const synthesis::ProgramState& state : verdict.good) examples.add_good(state);
    for (const synthesis::ProgramState& state : verdict.bad) examples.add_bad(state);
    for (const auto& step : verdict.implications) examples.add_implication(step.from, step.to);
    if (examples.size() == known || examples.contradiction()) return {};
  }
  return {};
}

Json steps_of(const synthesis::AtomChoice& atoms, const synthesis::ExampleSet& examples,
              const synthesis::DnfSearchOptions& method, std::uint64_t seeds, double most_steps) {
  Json steps = Json::array();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    synthesis::DnfSearchOptions options = method;
    options.seed = 100 + seed;  // not the seed that made the examples
    synthesis::DnfSearch search(atoms, options);
    const bool is_found = search.find(examples, {.transitions = most_steps}).has_value();
    steps.push_back(is_found ? static_cast<double>(search.steps()) : most_steps);
  }
  return steps;
}

void run(const std::string& path, std::uint64_t seeds, double most_steps) {
  const synthesis::InvariantProblem problem = synthesis::read_problem(io::ByteSource(path));
  if (!problem.loop) return;
  const synthesis::AtomChoice atoms = atoms_of(*problem.loop);
  const std::optional<synthesis::ExampleSet> examples = last_examples(*problem.loop, atoms);
  Json methods = Json::array();
  if (examples)
    for (const auto stages : {synthesis::SearchStages::kNoRestarts, synthesis::SearchStages::kRestarts,
                              synthesis::SearchStages::kSimplifiedFirst})
      for (const double temperature : {.05, .2, .35, 1.})
        methods.push_back(
            {{"stages", word_of(stages)},
             {"temperature", temperature},
             {"steps", steps_of(atoms, *examples, {.stages = stages, .temperature = temperature}, seeds, most_steps)}});
  std::cout << Json{{"file", path}, {"examples", examples ? examples->size() : 0}, {"methods", methods}} << std::endl;
}

void run_or_skip(const std::string& path, std::uint64_t seeds, double most_steps) {
  try {
    run(path, seeds, most_steps);
  } catch (const InputError&) {  // of another logic
    std::cout << Json{{"file", path}, {"examples", 0}, {"methods", Json::array()}} << std::endl;
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  if (count < 4) return 2;
  for (int i = 3; i < count; ++i) fovea::bench::run_or_skip(words[i], std::stoull(words[1]), std::stod(words[2]));
}
