// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/invariant_search.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "fovea/synthesis/invariant/mined.h"
#include "fovea/synthesis/search/dnf_search.h"
#include "fovea/synthesis/search/shortened.h"
#include "fovea/synthesis/verify/invariant_checker.h"
#include "fovea/synthesis/verify/recheck.h"

namespace fovea {
namespace {

constexpr std::int64_t kSmallStates = 100;
/// No call of the solver takes longer; candidates are small, so almost all take some milliseconds.
constexpr unsigned kSolverMilliseconds = 2000;
constexpr unsigned kProofMilliseconds = 10'000;
/// Further states that a condition which fails is asked for.
constexpr int kAlternatives = 1;
constexpr int kLargestFormula = 16;
/// With more variables there are too many comparisons with all of them; pairs remain.
constexpr std::size_t kMostBoxVariables = 12;
/// Constants of examples are tried as bounds, once formulas have to grow; the smallest of them.
constexpr std::size_t kMostBounds = 200;

class CounterexampleLoop {
 public:
  CounterexampleLoop(const TransitionSystem& system, const InvariantSearchOptions& options, const Stop& stop,
                     const ProgressFunction& progress)
      : system_(system),
        options_(options),
        stop_(stop),
        progress_(progress),
        material_(mine(system)),
        checker_(system, kSmallStates),
        examples_(system.size()),
        terms_(options.terms),
        atoms_(options.atoms) {
    checker_.limit(stop, kSolverMilliseconds);
  }

  InvariantAnswer run() {
    const InvariantChecker::StartVerdict start = checker_.check_start();
    if (start.outcome == InvariantChecker::Outcome::kFails) {
      answer_.outcome = InvariantAnswer::Outcome::kInfeasible;
      answer_.unsafe_start = start.state;
      return finished();
    }
    start_search();
    while (!stop_.requested() && !is_decided()) propose();
    return finished();
  }

 private:
  bool is_decided() const { return is_stuck_ || answer_.outcome != InvariantAnswer::Outcome::kUnknown; }

  InvariantAnswer finished() {
    answer_.search_steps = spent_steps_ + (search_ ? search_->steps() : 0);
    answer_.examples = examples_.size();
    answer_.solver_calls = checker_.calls();
    answer_.solver_seconds = checker_.seconds();
    return std::move(answer_);
  }

  /// A search over comparisons with the program's numbers, or those of the examples too once formulas have grown.
  void start_search() {
    std::set<std::int64_t> bounds(material_.bounds.begin(), material_.bounds.end());
    if (terms_ != options_.terms)
      for (std::size_t example = 0; example < examples_.size(); ++example)
        for (const std::int64_t value : examples_.row(example))
          if (bounds.size() < kMostBounds) bounds.insert(value);
    const AtomChoice choice = {.variables = system_.size(),
                               .coefficient_range = system_.size() <= kMostBoxVariables ? 1 : 0,
                               .bounds = {bounds.begin(), bounds.end()},
                               .forms = material_.forms,
                               .octagons = true,
                               .equations = true};
    DnfSearchOptions options = {.terms = terms_, .atoms = atoms_};
    options.seed = options_.seed;
    if (search_) spent_steps_ += search_->steps();
    search_ = std::make_unique<DnfSearch>(choice, options);
  }

  void propose() {
    const std::optional<Dnf> found = search_->find(examples_, {.transitions = options_.patience}, stop_);
    if (!found) {
      if (stop_.requested()) return;
      terms_ = std::min(terms_ + 1, kLargestFormula);
      atoms_ = std::min(atoms_ + 1, kLargestFormula);
      return start_search();
    }
    answer_.invariant = simplified(shortened(*found, examples_));
    ++answer_.rounds;
    if (progress_) progress_({.phase = "candidates", .done = static_cast<double>(answer_.rounds)});
    const InvariantChecker::Verdict verdict = checker_.check(answer_.invariant, kAlternatives);
    if (verdict.outcome == InvariantChecker::Outcome::kHolds) prove();
    else learn(verdict);
  }

  void learn(const InvariantChecker::Verdict& verdict) {
    const std::size_t known = examples_.size();
    for (const ProgramState& state : verdict.good) examples_.add_good(state);
    for (const ProgramState& state : verdict.bad) examples_.add_bad(state);
    for (const InvariantChecker::Implication& step : verdict.implications)
      examples_.add_implication(step.from, step.to);
    if (const auto contradiction = examples_.contradiction()) {
      const std::span<const std::int64_t> start = examples_.row(contradiction->good);
      answer_.outcome = InvariantAnswer::Outcome::kInfeasible;
      answer_.unsafe_start = ProgramState(start.begin(), start.end());
      answer_.is_start_allowed = true;
    }
    is_stuck_ = examples_.size() == known;  // the solver gave up: the same candidate would come again
  }

  void prove() {
    std::vector<std::string> names;  // of integers: Booleans count as 0 and 1
    for (const ProgramVariable& variable : system_.variables)
      names.push_back(variable.sort == Sort::kBoolean ? "(ite " + variable.name + " 1 0)" : variable.name);
    answer_.body = answer_.invariant.smt_text(names);
    // A third of the time left for each of the three conditions.
    const double left = std::min<double>(kProofMilliseconds, std::ceil(stop_.seconds_left() * 1e3 / 3));
    is_stuck_ = !is_proved_by(system_, answer_.body, std::max(1u, static_cast<unsigned>(left)));
    if (!is_stuck_) answer_.outcome = InvariantAnswer::Outcome::kProved;
  }

  const TransitionSystem& system_;
  const InvariantSearchOptions& options_;
  const Stop& stop_;
  const ProgressFunction& progress_;
  MinedMaterial material_;
  InvariantChecker checker_;
  ExampleSet examples_;
  std::unique_ptr<DnfSearch> search_;
  int terms_, atoms_;
  std::uint64_t spent_steps_ = 0;  // of searches that were given up
  bool is_stuck_ = false;
  InvariantAnswer answer_;
};

}  // namespace

InvariantAnswer find_invariant(const TransitionSystem& system, const InvariantSearchOptions& options, const Stop& stop,
                               const ProgressFunction& progress) {
  return CounterexampleLoop(system, options, stop, progress).run();
}

}  // namespace fovea
