// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/invariant_search.h"

#include <algorithm>
#include <future>
#include <memory>
#include <set>
#include <system_error>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/synthesis/formula_search/dnf_search.h"
#include "fovea/synthesis/formula_search/example_set.h"
#include "fovea/synthesis/invariant/candidate_clauses.h"
#include "fovea/synthesis/invariant/learned_clauses.h"
#include "fovea/synthesis/invariant/remainders.h"
#include "fovea/synthesis/verify/invariant_checker.h"
#include "fovea/synthesis/verify/program_runs.h"
#include "fovea/synthesis/verify/recheck.h"
#include "fovea/synthesis/verify/spacer.h"
#include "fovea/synthesis/verify/z3_context.h"

namespace fovea::synthesis {
namespace {

/// Limits, in steps and seconds, of the search for a run that shows what Spacer has proved.
constexpr std::size_t kMostRunSteps = 10'000;
constexpr double kRunSeconds = 5;

class CancelAtEnd {
 public:
  explicit CancelAtEnd(CancelToken& token) : token_(token) {}
  ~CancelAtEnd() { token_.cancel(); }
  CancelAtEnd(const CancelAtEnd&) = delete;
  CancelAtEnd& operator=(const CancelAtEnd&) = delete;

 private:
  CancelToken& token_;
};

bool is_decided(const InvariantAnswer& answer) { return answer.verdict != ProgramVerdict::kUnknown; }

InvariantAnswer find_by_spacer(const InvariantProblem& problem, const Stop& stop) {
  const bool has_own = problem.own_words && !unread_line(*problem.own_words);
  const SpacerAnswer found = solve_by_spacer(has_own ? *problem.own_words : problem.clauses, stop);
  const bool is_refuted =
      found.verdict == ProgramVerdict::kProved && !are_satisfied_by(problem.clauses, found.bodies, stop);
  return {.verdict = is_refuted ? ProgramVerdict::kUnknown : found.verdict, .is_spacers = true, .bodies = found.bodies};
}

/// Joins the answers of both. The work reported is that of the search, whichever found the answer.
InvariantAnswer joined(InvariantAnswer search, const InvariantAnswer& spacer) {
  if (is_decided(search) || !is_decided(spacer)) return search;
  search.verdict = spacer.verdict;
  search.is_spacers = true;
  search.bodies = spacer.bodies;
  return search;
}

/// Runs `f` in a thread. The future is not valid if the system gives no thread.
template <class F>
std::future<InvariantAnswer> in_a_thread(const F& f) try {
  return std::async(std::launch::async, f);
} catch (const std::system_error&) {
  return {};
}

InvariantAnswer find_by_both(const InvariantProblem& problem, const InvariantSearchOptions& options, const Stop& stop,
                             const ProgressFunction& progress) {
  CancelToken decided(stop.cancel);
  const Stop either = {.deadline = stop.deadline, .cancel = &decided};
  std::future<InvariantAnswer> spacer = in_a_thread([&] {
    InvariantAnswer answer = find_by_spacer(problem, either);
    if (is_decided(answer)) decided.cancel();
    return answer;
  });
  InvariantAnswer search;
  {
    const CancelAtEnd end(decided);
    search = find_by_counterexamples(problem, options, either, progress);
  }
  return spacer.valid() ? joined(std::move(search), spacer.get()) : search;
}

InvariantAnswer find(const InvariantProblem& problem, const InvariantSearchOptions& options, const Stop& stop,
                     const ProgressFunction& progress) {
  // Clauses that were made from terms are read; those of a file may not be.
  if (const auto refused = problem.own_words ? std::optional<ScriptLine>() : unread_line(problem.clauses))
    throw InputError(refused->place, "Z3 does not read this: " + refused->text);
  if (!problem.loop) return find_by_spacer(problem, stop);
  InvariantAnswer answer = options.no_spacer ? find_by_counterexamples(problem, options, stop, progress)
                                             : find_by_both(problem, options, stop, progress);
  if (answer.verdict == ProgramVerdict::kInfeasible && answer.unsafe_run.empty()) {
    const Stop soon = stop.within(kRunSeconds);
    answer.unsafe_run = find_unsafe_run(*problem.loop, kMostRunSteps, soon);
    if (!is_unsafe_run(*problem.loop, answer.unsafe_run, soon)) answer.unsafe_run.clear();
  }
  return answer;
}

}  // namespace

InvariantAnswer find_invariant(const InvariantProblem& problem, const InvariantSearchOptions& options, const Stop& stop,
                               const ProgressFunction& progress) {
  return within_z3_limits([&] { return find(problem, options, stop, progress); });
}

namespace {

constexpr std::int64_t kSmallStates = 100;
/// Time limit of one call of the solver; candidates are small, so that almost all calls take a few milliseconds.
constexpr unsigned kSolverMilliseconds = 2000;
constexpr double kProofSeconds = 10;
/// Number of further states sought for a condition that fails.
constexpr int kAlternatives = 1;
constexpr int kLargestFormula = 16;
/// Clauses are looked for after this number of candidates, or of steps without one, for at most these seconds and this
/// share of the time left.
constexpr std::uint64_t kRoundsBeforeClauses = 30;
constexpr double kStepsBeforeClauses = 1e6;
constexpr double kClauseSeconds = 10, kClauseShare = .5;
/// Unsafe runs are first looked for among the short ones.
constexpr std::size_t kShortRun = 15;
constexpr double kShortRunSeconds = 1;
/// With more variables, there are too many comparisons over all of them; those over pairs remain.
constexpr std::size_t kMostBoxVariables = 12;
/// Once formulas have to grow, values of the examples are tried as bounds too, up to this number of bounds.
constexpr std::size_t kMostExampleBounds = 200;

/// Names of a state's variables as integers: Booleans count as 0 and 1.
std::vector<std::string> integer_names(const TransitionSystem& system) {
  std::vector<std::string> names;
  for (const ProgramVariable& variable : system.variables)
    names.push_back(variable.sort == Sort::kBoolean ? "(ite " + variable.name + " 1 0)" : variable.name);
  return names;
}

class CounterexampleLoop {
 public:
  CounterexampleLoop(const InvariantProblem& problem, const InvariantSearchOptions& options, const Stop& stop,
                     const ProgressFunction& progress)
      : problem_(problem),
        system_(*problem.loop),
        options_(options),
        stop_(stop),
        progress_(progress),
        material_(mine(system_)),
        checker_(system_, kSmallStates),
        has_known_(options.no_clauses),
        examples_(system_.size()),
        terms_(options.terms),
        atoms_(options.atoms) {
    checker_.limit(stop, kSolverMilliseconds);
  }

  InvariantAnswer run() {
    if (const auto start = checker_.check_start().state) note_unsafe({*start});
    start_search();
    while (!stop_.requested() && answer_.verdict == ProgramVerdict::kUnknown) {
      if (!has_known_ && answer_.rounds >= kRoundsBeforeClauses) learn_known();
      else propose();
    }
    answer_.search_steps = spent_steps_ + search_->steps();
    answer_.examples = examples_.size();
    answer_.solver_calls = checker_.calls();
    answer_.solver_seconds = checker_.seconds();
    return std::move(answer_);
  }

 private:
  /// Starts a search over comparisons with the program's numbers and, once formulas have grown, those of the examples.
  void start_search() {
    std::set<std::int64_t> bounds(material_.bounds.begin(), material_.bounds.end());
    if (terms_ != options_.terms)
      for (std::size_t example = 0; example < examples_.size(); ++example)
        for (const std::int64_t value : examples_.row(example))
          if (bounds.size() < kMostExampleBounds) bounds.insert(value);
    const AtomChoice choice = {.variables = system_.size(),
                               .coefficient_range = system_.size() <= kMostBoxVariables ? 1 : 0,
                               .bounds = {bounds.begin(), bounds.end()},
                               .forms = material_.forms,
                               .octagons = true,
                               .equations = true};
    DnfSearchOptions options = {.terms = terms_, .atoms = atoms_, .stages = options_.stages};
    options.seed = options_.seed + given_up_;
    if (search_) spent_steps_ += search_->steps();
    search_ = std::make_unique<DnfSearch>(choice, options);
  }

  void propose() {
    const double steps = has_known_ ? options_.patience : std::min(options_.patience, kStepsBeforeClauses);
    const std::optional<Dnf> found = search_->find(examples_, {.transitions = steps}, stop_);
    if (!found) {
      if (stop_.requested()) return;
      if (!has_known_) return learn_known();
      terms_ = std::min(terms_ + 1, kLargestFormula);
      atoms_ = std::min(atoms_ + 1, kLargestFormula);
      return start_again();
    }
    const Dnf candidate = simplified(shortened(*found, examples_));
    ++answer_.rounds;
    if (progress_) progress_({.phase = "candidates", .done = static_cast<double>(answer_.rounds)});
    const InvariantChecker::Verdict verdict = checker_.check(candidate, kAlternatives);
    if (verdict.outcome != InvariantChecker::Outcome::kHolds) return learn(verdict);
    prove(known_, candidate);
    if (answer_.verdict == ProgramVerdict::kUnknown) start_again();
  }

  void learn(const InvariantChecker::Verdict& verdict) {
    const std::size_t known = examples_.size();
    for (const ProgramState& state : verdict.good) examples_.add_good(state);
    for (const ProgramState& state : verdict.bad) examples_.add_bad(state);
    for (const InvariantChecker::Implication& step : verdict.implications)
      examples_.add_implication(step.from, step.to);
    if (examples_.contradiction()) note_unsafe(examples_.contradiction_path());
    // The solver gave up: the same candidate would come again.
    if (examples_.size() == known) start_again();
  }

  /// Replaces a search that found nothing new.
  void start_again() {
    ++given_up_;
    start_search();
  }

  /// Clauses that are inductive by themselves are known from then on; sometimes they are all that is needed.
  void learn_known() {
    has_known_ = true;
    if (progress_) progress_({.phase = "clauses from runs"});
    const Stop stop = stop_.within(std::min(kClauseSeconds, kClauseShare * stop_.seconds_left()));
    note_unsafe(find_unsafe_run(system_, kShortRun, stop_.within(kShortRunSeconds)));
    const Random random = Random(options_.seed).child("walks");
    LearnedClauses learned = learn_clauses(system_, problem_, material_, stop, random);
    known_ = std::move(learned.inductive);
    if (!learned.proving.empty()) prove(learned.proving, {.disjuncts = {{}}});
    if (answer_.verdict == ProgramVerdict::kUnknown) prove_by_congruences(stop, random);
    if (known_.empty() || answer_.verdict != ProgramVerdict::kUnknown) return;
    checker_.assume(known_);
    ExampleSet examples(system_.size());  // the others may be about states that are excluded now
    for (std::size_t example = 0; example < examples_.size(); ++example)
      if (examples_.kind(example) == ExampleKind::kGood) examples.add_good(examples_.row(example));
    examples_ = std::move(examples);
    start_again();
  }

  void prove_by_congruences(const Stop& stop, Random random) {
    const WithRemainders extended = with_remainders(system_);
    if (extended.remainders.empty()) return;
    const LearnedClauses learned = learn_clauses(extended.system, problem_, mine(extended.system), stop, random);
    if (learned.proving.empty()) return;
    prove(extended.over_program(smt_text(learned.proving, {.disjuncts = {{}}}, integer_names(extended.system))));
  }

  void note_unsafe(UnsafeRun run) {
    if (!is_unsafe_run(system_, run, stop_)) return;  // a number on the way exceeds 64 bits, or the time is up
    answer_.verdict = ProgramVerdict::kInfeasible;
    answer_.unsafe_run = std::move(run);
  }

  /// Tests the clauses and the formula together.
  void prove(std::span<const Clause> clauses, const Dnf& formula) {
    prove(smt_text(clauses, formula, integer_names(system_)));
  }

  void prove(const std::string& invariant) {
    answer_.bodies.clear();
    for (std::size_t i = 0; i < problem_.slots.size(); ++i) answer_.bodies.push_back(body_of(problem_, i, invariant));
    if (are_satisfied_by(problem_.clauses, answer_.bodies, stop_.within(kProofSeconds)))
      answer_.verdict = ProgramVerdict::kProved;
  }

  const InvariantProblem& problem_;
  const TransitionSystem& system_;
  const InvariantSearchOptions& options_;
  const Stop& stop_;
  const ProgressFunction& progress_;
  MinedMaterial material_;
  InvariantChecker checker_;
  bool has_known_;             // clauses are learned once
  std::vector<Clause> known_;  // inductive by themselves
  ExampleSet examples_;
  std::unique_ptr<DnfSearch> search_;
  int terms_, atoms_;
  std::uint64_t given_up_ = 0;     // number of searches
  std::uint64_t spent_steps_ = 0;  // by those searches
  InvariantAnswer answer_;
};

}  // namespace

InvariantAnswer find_by_counterexamples(const InvariantProblem& problem, const InvariantSearchOptions& options,
                                        const Stop& stop, const ProgressFunction& progress) {
  return CounterexampleLoop(problem, options, stop, progress).run();
}

}  // namespace fovea::synthesis
