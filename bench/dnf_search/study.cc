// SPDX-License-Identifier: Apache-2.0
// Formulas found from rows that made-up formulas label: steps and CPU seconds of 0, 1 and 2 stages at several
// temperatures, and of the portfolio.
//   dnf_search_study SEEDS MOST_STEPS [stages ...]
// Prints JSON lines: steps a second, then for each problem and method the steps and seconds of every seed; a run that
// finds nothing within MOST_STEPS counts with those.
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/synthesis/examples/generated_formula.h"
#include "fovea/synthesis/formula_search/dnf_search.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Problem {
  const char* name;
  synthesis::FormulaOptions options;
};

const std::vector<Problem>& problems() {
  static const std::vector<Problem> kProblems = {
      {"1 x 2, 3 variables", {.rows = 50, .variables = 3, .terms = 1, .atoms = 2}},
      {"2 x 2, 4 variables", {.rows = 100, .variables = 4, .terms = 2, .atoms = 2}},
      {"3 x 3, 5 variables", {.rows = 100, .variables = 5, .terms = 3, .atoms = 3}},
      {"3 x 3, 5 variables, 300 rows", {.rows = 300, .variables = 5, .terms = 3, .atoms = 3}},
      {"2 x 3, 8 variables", {.rows = 100, .variables = 8, .terms = 2, .atoms = 3}},
  };
  return kProblems;
}

/// Of this process: other programs beside it do not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Steps a second, 3 x 3 comparisons of 5 variables with coefficients -1 .. 1: five runs. Labels are drawn, so that no
/// formula fits and no run ends early.
void run_throughput(std::size_t rows) {
  constexpr std::uint64_t kSteps = 20'000'000;
  Random random(1);
  synthesis::ExampleSet examples(5);
  synthesis::ExampleSet::Row row(5);
  while (examples.size() < rows) {
    for (std::int64_t& x : row)
      x = static_cast<std::int64_t>(random.uniform_index(41)) - 20;  // equal rows would contradict each other
    if (random.bernoulli(.5)) examples.add_good(row);
    else examples.add_bad(row);
  }
  Json rates = Json::array();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    synthesis::DnfSearchOptions options;
    options.stages = synthesis::SearchStages::kSimplifiedFirst;
    options.seed = seed;
    synthesis::DnfSearch search({.variables = 5}, options);
    const double start = cpu_seconds();
    if (search.find(examples, {.transitions = double{kSteps}})) throw std::logic_error("a formula for random labels");
    rates.push_back(static_cast<double>(search.steps()) / (cpu_seconds() - start));
  }
  std::cout << Json{{"rows", rows}, {"steps_per_second", rates}} << std::endl;
}

/// Each seed is another formula and another chain.
void run_method(const Problem& problem, synthesis::SearchStages stages, double temperature, std::uint64_t seeds,
                double most_steps) {
  Json steps = Json::array(), seconds = Json::array();
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const synthesis::GeneratedFormula generated =
        synthesis::generate_formula(problem.options, Random(seed).child(problem.name));
    synthesis::DnfSearchOptions options;
    options.stages = stages;
    options.temperature = temperature;
    options.seed = seed;
    const double start = cpu_seconds();
    synthesis::DnfSearch search({.variables = generated.examples.variables()}, options);
    const std::optional<synthesis::Dnf> formula = search.find(generated.examples, {.transitions = most_steps});
    seconds.push_back(cpu_seconds() - start);
    steps.push_back(search.steps());
    found += formula.has_value();
    if (formula && generated.examples.errors(*formula) > 0) throw std::logic_error("a formula that errs");
  }
  std::cout
      << Json{{"problem", problem.name}, {"stages", word_of(stages)}, {"temperature", temperature}, {"found", found},
              {"steps", steps},          {"seconds", seconds}}
      << std::endl;
}

void run_all(std::uint64_t seeds, double most_steps, const std::vector<synthesis::SearchStages>& stages) {
  for (const std::size_t rows : {100, 250, 1000}) run_throughput(rows);
  for (const Problem& problem : problems())
    for (const synthesis::SearchStages method : stages)
      for (double temperature : {.2, .3, .4, .6, 1.}) run_method(problem, method, temperature, seeds, most_steps);
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  if (count < 3) return 2;
  std::vector<fovea::synthesis::SearchStages> stages;
  for (int i = 3; i < count; ++i) {
    const auto named = fovea::value_of<fovea::synthesis::SearchStages>(words[i]);
    if (!named) throw fovea::UsageError("stages are 0, 1, 2 or portfolio");
    stages.push_back(*named);
  }
  if (stages.empty())
    for (const auto& word : words_of(fovea::synthesis::SearchStages())) stages.push_back(word.value);
  fovea::bench::run_all(std::stoull(words[1]), std::stod(words[2]), stages);
}
