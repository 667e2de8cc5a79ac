// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/sum_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/graph/count/weighted_counting.h"
#include "fovea/graph/propagation/belief_propagation.h"
#include "fovea/graph/propagation/join_graph.h"
#include "fovea/graph/propagation/join_graph_average.h"
#include "fovea/graph/propagation/join_graph_propagation.h"
#include "fovea/graph/simplify/simplify_sum.h"
#include "fovea/graph/sums/marginal_sampler.h"
#include "fovea/graph/sums/partition_sampler.h"
#include "fovea/graph/sums/shrunken_marginals.h"
#include "fovea/graph/tables/partition_guess.h"
#include "fovea/graph/task/elimination_plan.h"
#include "fovea/graph/tree/conditioning.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::graph {
namespace {

constexpr double kSumSimplifyingShare = 0.5;  // of the time left
constexpr double kMarginalSimplifyingShare = 0.1, kCasePlanShare = 0.2, kConditioningShare = 0.5,
                 kCountingShare = 0.7;                       // of the time left
constexpr double kExpectedTreeShare = .85;                   // of the time left, for what was predicted to take less
constexpr double kFirstJoinEntries = 256, kJoinGrowth = 16;  // joint values of a cluster, from graph to graph
constexpr double kLargestJoinEntries = 1 << 28;
constexpr std::uint64_t kJoinIterations = 30, kJoinRounds = 30, kBeliefIterations = 500;
constexpr double kFewestJoinIterations = 10;    // or larger clusters are not tried
constexpr std::uint64_t kFirstIterations = 10;  // before phases that are exact or nothing
constexpr double kFirstShare = 0.1;             // of the time left, for those
constexpr double kMessageShare = .5;            // of the time left, for each kind of messages before samples
constexpr double kTrustedShare = .5;  // of the chains, effective: weights that differ less show their own error
constexpr std::size_t kUntimedTemperatures = 4096;   // of sampling log Z, without any limit
constexpr double kLeastSecondsPerOperation = 5e-11;  // of cases: where trees are wide
constexpr double kSecondsPerJoinOperation = 5e-10;  // of clusters of 4,096 joint values or more, within .7 to 2.5 times
constexpr double kUnlimitedSeconds = 600;           // of predicted work, in a phase without any limit
constexpr double kBudgetedSeconds = 10;             // likewise, where there is a budget of counts and no deadline
constexpr double kBudgetedDecisions = 1e5;          // of counting there, at most

/// One run of find_sums: each function is a phase, tried in turn until one has answered exactly.
class SumSolver {
 public:
  SumSolver(const FactorGraph& graph, bool wants_marginals, const SumOptions& options, const Run& run, SolveLog& log)
      : wants_marginals_(wants_marginals),
        options_(options),
        run_(run),
        log_(log),
        whole_(graph),
        graph_(simplified(graph)) {}

  SumAnswer run() {
    if (graph_.variable_count() == 0) {
      take({.log_z = graph_.log_score({})}, whole_.variable_count() == 0 ? "constraints" : "simplification");
      return std::move(answer_);
    }
    if (may(SolveMethod::kMessages) && !wants_marginals_) guess(graph_);
    if (may(SolveMethod::kExact)) eliminate();
    if (options_.method == SolveMethod::kAuto && !wants_marginals_ && !is_done()) propagate_first();
    if (may(SolveMethod::kExact) && wants_marginals_ && !is_done()) eliminate_simplified();
    if (may_be_exact_without_a_tree() && !is_done()) condition();
    if (may_be_exact_without_a_tree() && !is_done() && !wants_marginals_) count();
    if (may(SolveMethod::kMessages) && !is_done()) propagate();
    if (wants_sampling()) {
      if (wants_marginals_) sample_marginals();
      else sample_partition();
    }
    if (answer_.method.empty()) refuse();
    answer_.log_partition = std::min(answer_.log_partition, answer_.log_partition_bound);
    if (wants_marginals_) use_known_marginals();
    return std::move(answer_);
  }

 private:
  bool may(SolveMethod method) const { return options_.method == SolveMethod::kAuto || options_.method == method; }
  /// True if cases and counts may be tried: where even an order took too long to find, they are hopeless, and would
  /// only take time from estimates.
  bool may_be_exact_without_a_tree() const {
    return options_.method == SolveMethod::kExact || (may(SolveMethod::kExact) && plan_.order.found());
  }
  bool is_done() const { return answer_.is_exact || stop().requested(); }
  const Stop& stop() const { return run_.stop; }
  Stop share_of_time(double share) const { return stop().within(share * stop().seconds_left()); }
  bool has_counts_alone() const { return !stop().has_deadline() && transition_limit() < Budget::kUnlimited; }
  double transition_limit() const { return run_.budget.transition_limit(static_cast<double>(graph_.variable_count())); }
  /// Seconds that a phase may take by its prediction.
  double affordable_seconds(const Stop& share) const {
    return std::min(share.seconds_left(), has_counts_alone() ? kBudgetedSeconds : kUnlimitedSeconds);
  }
  double memory() const { return static_cast<double>(run_.memory_bytes); }
  Random random(const char* name) const { return run_.random.child(name); }

  bool has_time_to_simplify(const FactorGraph& graph, double share) const {
    return least_simplifying_seconds(graph) < share * stop().seconds_left();
  }

  /// Simplifies for sums alone: those of a simplified model are those of the model; its marginals are not.
  FactorGraph simplified(const FactorGraph& graph) {
    if (wants_marginals_) return graph;
    if (may(SolveMethod::kMessages)) guess(graph);
    if (!has_time_to_simplify(graph, kSumSimplifyingShare)) return graph;
    FactorGraph simple;
    log_.phase("simplifying", [&] {
      simple = simplify_sum(graph, {}, share_of_time(kSumSimplifyingShare));
      return fmt::format("{} variables and {} factors left", simple.variable_count(), simple.factor_count());
    });
    return simple;
  }

  void take(GraphMarginals marginals, const char* method) {
    answer_.marginals = std::move(marginals.variables);
    answer_.max_standard_error = 0;
    take(marginals.log_z, method);
  }

  void take(double log_z, const char* method) {
    answer_.is_exact = true;
    answer_.method = method;
    answer_.log_partition = log_z;
    answer_.log_partition_error = 0;
    answer_.log_partition_bound = log_z;
  }

  /// A phase that ends in an exact answer or runs out of time.
  template <class Body>
  void exact_phase(const char* name, const Body& body) {
    log_.phase(name, [&]() -> std::string {
      try {
        return body();
      } catch (const LimitError&) {
        return "out of time";
      }
    });
  }

  /// Gives an answer however short the time: a very rough estimate, and a bound.
  void guess(const FactorGraph& graph) {
    log_.phase("first guess", [&]() -> std::string {
      const std::optional<PartitionGuess> guess = guess_partition(graph, stop());
      if (!guess) return "out of time";
      answer_.log_partition_bound = std::min(answer_.log_partition_bound, guess->upper_bound);
      answer_.log_partition = guess->log_z;
      answer_.method = "independent factors";
      return fmt::format("log Z at most {:.6g}", guess->upper_bound);
    });
  }

  /// Phases that are exact or nothing may take all the time, so an estimate better than the guess comes first.
  void propagate_first() {
    log_.phase("first messages", [&] { return propagate_beliefs(kFirstIterations, share_of_time(kFirstShare)); });
  }

  void eliminate() {
    log_.phase("elimination order", [&] {
      plan_ = plan_elimination(graph_, goal(), run_.child("elimination order"));
      return plan_.describe();
    });
    if (!plan_.fits) return;
    exact_phase("junction tree", [&] {
      const JunctionTree tree(graph_, *plan_.tree, memory(), run_.threads);
      const Stop share = share_of_time(kExpectedTreeShare);
      if (wants_marginals_) take(tree.marginals(share), "junction tree");
      else take(tree.log_partition(share), "junction tree");
      return "exact";
    });
  }

  /// Finds the marginals of the simplified model, if a tree fits only that: exact, but perhaps not of all variables.
  void eliminate_simplified() {
    if (!has_time_to_simplify(graph_, kMarginalSimplifyingShare)) return;
    std::optional<MarginalSimplification> simple;
    EliminationPlan plan;
    log_.phase("simplifying", [&] {
      simple = simplify_for_marginals(graph_, {}, share_of_time(kMarginalSimplifyingShare));
      plan = plan_elimination(simple->graph(), EliminationGoal::kMarginals, run_.child("simplified order"));
      return fmt::format("{} variables and {} factors left; {}", simple->graph().variable_count(),
                         simple->graph().factor_count(), plan.describe());
    });
    if (!plan.fits) return;
    exact_phase("junction tree", [&] {
      GraphMarginals marginals = JunctionTree(simple->graph(), *plan.tree, memory(), run_.threads)
                                     .marginals(share_of_time(kExpectedTreeShare));
      marginals.variables = simple->lift(marginals.variables);
      if (!simple->leaves_out()) {
        take(std::move(marginals), "junction tree");
        return "exact";
      }
      known_marginals_ = std::move(marginals.variables);
      return "exact for most variables";
    });
  }

  EliminationGoal goal() const { return wants_marginals_ ? EliminationGoal::kMarginals : EliminationGoal::kPartition; }

  void condition() {
    exact_phase("conditioning", [&]() -> std::string {
      const double affordable = affordable_seconds(share_of_time(kConditioningShare));
      const auto plan = CutsetConditioning::plan(
          graph_, {.memory_limit = memory(), .max_operations = affordable / kLeastSecondsPerOperation},
          random("conditioning"), share_of_time(kCasePlanShare));
      if (!plan) return "too many cases";
      const double seconds = seconds_here(predicted_seconds(plan->tree(), goal(), plan->cases()), run_);
      const std::string cases = fmt::format("{} cases, about {:.2g} s", plan->cases(), seconds);
      if (seconds > affordable) return cases + ": too many";
      const Stop share = share_of_time(kExpectedTreeShare);
      if (wants_marginals_) take(plan->marginals(share), "conditioning");
      else take(plan->log_partition(share), "conditioning");
      return cases;
    });
  }

  /// Counts by search. Summing variables out turns clauses into tables of weights; where there are only clauses, they
  /// are better kept.
  void count() {
    exact_phase("counting", [&] {
      const FactorGraph& graph = has_only_constraints(whole_) ? whole_ : graph_;
      WeightedCountingOptions options = {.cache_bytes = memory() / 2};
      if (has_counts_alone())
        options.max_decisions = static_cast<std::uint64_t>(std::min(transition_limit(), kBudgetedDecisions));
      const WeightedCount counted = count_weighted(graph, options, share_of_time(kCountingShare));
      take(counted.log_z, "counting");
      log_.spend({.transitions = counted.decisions});
      return fmt::format("{} decisions, {} cache hits", counted.decisions, counted.cache_hits);
    });
  }

  /// Leaves time for samples.
  Stop share_of_messages() const {
    return options_.method == SolveMethod::kMessages ? stop() : share_of_time(kMessageShare);
  }

  /// Runs belief propagation, then clusters: each gives an estimate without an error, on the whole better than the one
  /// before. For log Z, clusters grow; marginals gain more from averaging over many ways to split them.
  void propagate() {
    log_.phase("belief propagation", [&] { return propagate_beliefs(kBeliefIterations, share_of_messages()); });
    if (options_.method == SolveMethod::kMessages) return;
    if (!wants_marginals_ && options_.target_error > 0) return;  // the time is for estimates with errors
    if (!plan_.order.found()) return;
    if (wants_marginals_) return log_.phase("join graphs", [&] { return average_join_graphs(); });
    const Stop share = share_of_messages();
    for (double entries = kFirstJoinEntries; entries <= kLargestJoinEntries && !is_done(); entries *= kJoinGrowth)
      if (!propagate_in_clusters(entries, share)) return;
  }

  std::string propagate_beliefs(std::uint64_t iterations, const Stop& share) {
    if (static_cast<double>(BeliefPropagation::predicted_bytes(graph_)) > memory()) return "would not fit the memory";
    BeliefPropagation beliefs(graph_, {.damping = 0.3});
    log_.spend(beliefs.run(iterations, share));
    if (beliefs.is_infeasible()) throw InfeasibleError("no assignment is possible: every one breaks a hard constraint");
    if (beliefs.iterations() == 0) return "out of time";
    if (const std::optional<double> log_z = beliefs.log_partition(stop())) answer_.log_partition = *log_z;
    else if (!wants_marginals_) return "out of time";
    if (wants_marginals_) {
      answer_.marginals.clear();
      for (VariableId v = 0; v < graph_.variable_count(); ++v) {
        answer_.marginals.emplace_back(graph_.cardinality(v));
        beliefs.belief(v, answer_.marginals.back());
      }
    }
    answer_.method = "belief propagation";
    return fmt::format("{} iterations, {}", beliefs.iterations(),
                       beliefs.is_converged() ? "converged" : "not converged");
  }

  std::string average_join_graphs() {
    JoinGraphAverage average(graph_, {}, random("join graphs"));
    log_.spend(average.run(kJoinRounds, share_of_messages()));
    if (average.is_infeasible()) throw InfeasibleError("no assignment is possible: every one breaks a hard constraint");
    if (average.rounds() == 0) return "out of time";
    if (average.is_exact()) take({.log_z = average.log_partition(), .variables = average.marginals()}, "join graph");
    answer_.marginals = average.marginals();
    answer_.log_partition = average.log_partition();
    answer_.method = "join-graph propagation";
    return fmt::format("{} rounds", average.rounds());
  }

  /// Seconds of one iteration.
  double predicted_seconds_of(const JoinGraph& join_graph) const {
    return seconds_here(kSecondsPerJoinOperation * join_graph.operations(), run_);
  }

  std::uint64_t affordable_iterations(const JoinGraph& join_graph, const Stop& share) const {
    if (!has_counts_alone()) return kJoinIterations;
    const double iterations = affordable_seconds(share) / predicted_seconds_of(join_graph);
    return static_cast<std::uint64_t>(std::min(static_cast<double>(kJoinIterations), iterations));
  }

  /// Returns false when larger clusters are out of reach.
  bool propagate_in_clusters(double entries, const Stop& share) {
    bool may_grow = true;
    exact_phase("join graph", [&]() -> std::string {
      const JoinGraph join_graph(graph_, plan_.order.order, entries, share);
      if (join_graph.message_bytes() > memory() ||
          kFewestJoinIterations * predicted_seconds_of(join_graph) > affordable_seconds(share)) {
        may_grow = false;
        return fmt::format("clusters of {:.0f} joint values would not fit", entries);
      }
      may_grow = !join_graph.is_tree();
      JoinGraphPropagation propagation(graph_, join_graph, {.damping = 0.2});
      log_.spend(propagation.run(affordable_iterations(join_graph, share), share));
      if (propagation.is_infeasible())
        throw InfeasibleError("no assignment is possible: every one breaks a hard constraint");
      if (propagation.iterations() == 0) return "out of time";
      answer_.log_partition = propagation.log_partition();
      answer_.method = "join-graph propagation";
      return fmt::format("clusters of {:.0f} joint values, {} iterations", entries, propagation.iterations());
    });
    return may_grow;
  }

  bool is_limited() const { return stop().has_deadline() || transition_limit() < Budget::kUnlimited; }

  /// True if sampling is wanted wherever the answer is not exact; of marginals without any limit only if errors are
  /// asked for or messages found nothing.
  bool wants_sampling() const {
    if (is_done()) return false;
    if (options_.method == SolveMethod::kSampling) return true;
    return options_.method == SolveMethod::kAuto &&
           (!wants_marginals_ || is_limited() || options_.target_error > 0 || answer_.method.empty());
  }

  void sample_marginals() {
    const bool has_messages = !answer_.method.empty();
    std::optional<DrawnMarginals> drawn;
    try {
      drawn = draw_marginals(graph_, options_, run_, log_);
    } catch (const LimitError&) {  // no start was found in time
      if (!has_messages) throw;
    }
    if (!drawn) return;
    std::optional<ShrunkenMarginals> shrunken;
    if (has_messages) shrunken = combine(drawn->answer);
    if (has_messages && !shrunken && options_.target_error == 0) return;
    answer_.method = shrunken ? fmt::format("{} and messages", drawn->method) : drawn->method;
    answer_.marginals = std::move(shrunken ? shrunken->marginals : drawn->answer.marginals);
    answer_.max_standard_error = drawn->answer.max_standard_error;
    answer_.max_r_hat = drawn->answer.max_r_hat;
    answer_.min_effective_samples = drawn->answer.min_effective_samples;
    answer_.mixing = drawn->answer.mixing;
    answer_.unmoved_variables = drawn->answer.unmoved;
  }

  std::optional<ShrunkenMarginals> combine(const MarginalSampler::Answer& draws) {
    std::optional<ShrunkenMarginals> shrunken;
    log_.phase("draws and messages", [&]() -> std::string {
      shrunken = shrink_to_messages(draws, answer_.marginals);
      if (!shrunken) return "draws are not to be trusted";
      return fmt::format("draws count for {:.1f} %", 100 * (1 - shrunken->weight_of_messages));
    });
    return shrunken;
  }

  /// Makes an estimate with an error, which replaces one without if enough chains are effective, or if errors were
  /// asked for.
  void sample_partition() {
    log_.phase("annealed importance sampling", [&]() -> std::string {
      PartitionSampler sampler(graph_, random("annealed importance sampling"));
      while (!stop().requested() && may_anneal_further(sampler)) log_.spend(sampler.run_round(stop()));
      const LogPartitionEstimate& estimate = sampler.estimate();
      if (!(estimate.standard_error < std::numeric_limits<double>::infinity())) return "no chain kept all constraints";
      const bool is_trusted = estimate.effective_chains >= kTrustedShare * static_cast<double>(estimate.chains);
      if (is_trusted || options_.target_error > 0 || answer_.method.empty()) {
        answer_.log_partition = estimate.log_z;
        answer_.log_partition_error = estimate.standard_error;
        answer_.method = "annealed importance sampling";
      }
      return fmt::format("{} temperatures, {:.1f} effective chains of {}", sampler.temperatures(),
                         estimate.effective_chains, estimate.chains);
    });
  }

  bool may_anneal_further(const PartitionSampler& sampler) const {
    const double limit = transition_limit();
    if (static_cast<double>(log_.work().transitions) + sampler.next_transitions() > limit) return false;
    if (!is_limited() && sampler.temperatures() >= kUntimedTemperatures) return false;
    // The target is an error of log10 Z, as in the answer.
    return !(sampler.estimate().standard_error <= options_.target_error * std::numbers::ln10);
  }

  void use_known_marginals() {
    if (answer_.is_exact) answer_.exact_variables = graph_.variable_count();
    else
      for (std::size_t v = 0; v < known_marginals_.size(); ++v)
        if (!known_marginals_[v].empty()) {
          answer_.marginals[v] = std::move(known_marginals_[v]);
          ++answer_.exact_variables;
        }
  }

  [[noreturn]] void refuse() const {
    if (stop().cancel && stop().cancel->cancelled()) throw CancelledError("stopped before there was an answer");
    throw LimitError("no answer within the limits; allow more time or memory");
  }

  bool wants_marginals_;
  const SumOptions& options_;
  const Run& run_;
  SolveLog& log_;
  const FactorGraph& whole_;
  SumAnswer answer_;
  FactorGraph graph_;  // simplified
  EliminationPlan plan_;
  std::vector<std::vector<double>> known_marginals_;  // exact ones, [variable][value]; empty rows: unknown
};

}  // namespace

SumAnswer find_sums(const FactorGraph& graph, bool wants_marginals, const SumOptions& options, const Run& run,
                    SolveLog& log) {
  return SumSolver(graph, wants_marginals, options, run, log).run();
}

}  // namespace fovea::graph
