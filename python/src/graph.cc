// SPDX-License-Identifier: Apache-2.0
// fovea.graph: any discrete graphical model. Scores are natural logarithms; tables are row-major, the last variable of
// a scope fastest.
#include <fmt/format.h>
#include <fovea/graph.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"
#include "pages.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using graph::Evidence;
using graph::FactorGraph;

/// Adds a variable of each cardinality; returns the number of the first.
VariableId add_variables(FactorGraph::Builder& builder, Row<std::int64_t> cardinalities) {
  const auto first = static_cast<VariableId>(builder.variable_count());
  for (std::size_t i = 0; i < cardinalities.size(); ++i) {
    const std::int64_t cardinality = cardinalities.data()[i];
    if (cardinality < 1 || cardinality > 65535)
      throw UsageError(fmt::format("variable {}: {} values, but 1 to 65535 are possible", first + i, cardinality));
    builder.add_variable(static_cast<std::size_t>(cardinality));
  }
  return first;
}

std::vector<VariableId> scope_of(const FactorGraph::Builder& builder, const std::int64_t* numbers, std::size_t count) {
  std::vector<VariableId> scope(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers[i] < 0 || numbers[i] >= static_cast<std::int64_t>(builder.variable_count()))
      throw UsageError(
          fmt::format("a factor names variable {}, but there are {}", numbers[i], builder.variable_count()));
    scope[i] = static_cast<VariableId>(numbers[i]);
  }
  return scope;
}

/// One factor for each row of `scopes`: with its own row of `tables`, or, if there is one row, all with the same.
void add_factors(FactorGraph::Builder& builder, Rows<std::int64_t> scopes, Rows<double> tables) {
  const std::size_t count = scopes.shape(0), arity = scopes.shape(1), entries = tables.shape(1);
  if (tables.shape(0) != count && tables.shape(0) != 1)
    throw UsageError(
        fmt::format("{} tables for {} factors: give one for each, or one for all", tables.shape(0), count));
  const bool is_shared = tables.shape(0) == 1;
  graph::TableId shared = 0;
  if (is_shared && count > 0) shared = builder.add_table({tables.data(), entries});
  for (std::size_t f = 0; f < count; ++f) {
    const std::vector<VariableId> scope = scope_of(builder, scopes.data() + f * arity, arity);
    if (is_shared) builder.add_factor(scope, shared);
    else builder.add_factor(scope, std::span<const double>(tables.data() + f * entries, entries));
  }
}

Evidence evidence_of(const FactorGraph& graph, const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  Evidence evidence;
  for (const auto& [variable, value] : pairs) {
    if (variable < 0 || variable >= static_cast<std::int64_t>(graph.variable_count()))
      throw UsageError(fmt::format("evidence names variable {}, but there are {}", variable, graph.variable_count()));
    const auto v = static_cast<VariableId>(variable);
    if (value < 0 || value >= static_cast<std::int64_t>(graph.cardinality(v)))
      throw UsageError(
          fmt::format("evidence gives variable {} the value {}, but it has {}", variable, value, graph.cardinality(v)));
    evidence.push_back({.variable = v, .value = static_cast<Value>(value)});
  }
  return evidence;
}

template <Worded E>
nb::str word(E value) {
  const std::string_view text = word_of(value);
  return nb::str(text.data(), text.size());
}

/// Status, method, cost and phases of an answer.
nb::dict facts_of(const graph::SolveFacts& facts, bool interrupted) {
  nb::dict answer;
  answer["status"] = word(facts.status);
  answer["method"] = facts.method;
  answer["seconds"] = facts.seconds;
  answer["transitions"] = facts.work.transitions;
  answer["interrupted"] = interrupted;
  nb::list phases;
  for (const graph::SolvePhase& phase : facts.phases) {
    nb::dict record;
    record["name"] = phase.name;
    record["seconds"] = phase.seconds;
    record["outcome"] = phase.outcome;
    phases.append(record);
  }
  answer["phases"] = phases;
  return answer;
}

void add_best(const graph::BestResult& result, nb::dict& answer) {
  answer["values"] = array_of(result.best.values);
  answer["score"] = result.best.score;
  answer["bound"] = result.bound;
}

void add_partition(const graph::PartitionResult& result, nb::dict& answer) {
  answer["log_partition"] = result.log_partition;
  answer["log_partition_error"] = result.log_partition_error;
  answer["log_partition_bound"] = result.log_partition_bound;
}

using EvidencePairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The report of an answer that is still to be found, for its page. Names are those that Python keeps.
graph::SolveReport report_of(const FactorGraph& graph, const EvidencePairs& pairs, graph::SolveTask task) {
  graph::SolveReport report = {.variables = graph.variable_count(),
                               .factors = graph.factor_count(),
                               .table_entries = graph.entry_count(),
                               .evidence = evidence_of(graph, pairs)};
  report.asked.task = task;
  return report;
}

/// Calls solve(evidence, options, run) with all that the keyword arguments of `function` say, and notes them in the
/// report, which has the evidence.
template <class Options, class Solve>
auto ask(graph::SolveReport& report, nb::kwargs& arguments, const char* function, Options options, const Solve& solve) {
  RunArguments limits = take_run_arguments(arguments);
  take_argument(arguments, "memory_limit", limits.memory_limit);
  take_options(arguments, options);
  refuse_rest(arguments, function);
  report.time_limit = limits.time_limit;
  return call(limits, "solve", [&](const Run& run) {
    report.threads = run.thread_count();
    return solve(report.evidence, options, run);
  });
}

/// A function of Python, from the names of variables and of their values to the text of a page.
nb::object page_of(const FactorGraph& graph, graph::SolveReport report) {
  report.seconds = report.facts().seconds;
  const nb::object owner = nb::find(graph);  // keeps the graph alive
  return nb::cpp_function([report = std::make_shared<graph::SolveReport>(std::move(report)), &graph, owner](
                              std::vector<std::string> variables, std::vector<std::vector<std::string>> values) {
    report->names = {.model = "", .variables = std::move(variables), .values = std::move(values)};
    return html_of([&] { return graph::solve_page("a FactorGraph", *report, graph::grid_columns(graph)); });
  });
}

nb::dict solve(const FactorGraph& graph, const EvidencePairs& pairs, const std::vector<Value>& start,
               const std::string& policy, nb::kwargs arguments) {
  const graph::MapPolicies policies = policy.empty() ? graph::MapPolicies() : graph::map_policies_of(policy);
  const graph::MapOptions given{.start = start, .grid_rule = &policies.strips, .search_policy = &policies.search};
  graph::SolveReport report = report_of(graph, pairs, graph::SolveTask::kMap);
  auto [result, interrupted] =
      ask(report, arguments, "solve", given, [&](const auto& evidence, const auto& options, const Run& run) {
        Run watched = run;
        watched.progress = [&](const Progress& step) {
          report.steps.push_back({step.seconds, step.value, step.bound});
          if (run.progress) run.progress(step);
        };
        return graph::solve_map(graph, evidence, options, watched);
      });
  nb::dict answer = facts_of(result, interrupted);
  add_best(result, answer);
  report.result = std::move(result);
  answer["page"] = page_of(graph, std::move(report));
  nb::list diverse;
  for (const ScoredAssignment& other : result.diverse)
    diverse.append(nb::make_tuple(array_of(other.values), other.score));
  answer["diverse"] = diverse;
  return answer;
}

nb::dict marginals(const FactorGraph& graph, const EvidencePairs& pairs, nb::kwargs arguments) {
  graph::SolveReport report = report_of(graph, pairs, graph::SolveTask::kMarginals);
  auto [result, interrupted] = ask(report, arguments, "marginals", graph::SumOptions(),
                                   [&](const auto& evidence, const auto& options, const Run& run) {
                                     return graph::solve_marginals(graph, evidence, options, run);
                                   });
  nb::dict answer = facts_of(result, interrupted);
  add_partition(result, answer);
  std::vector<double> probabilities;
  std::vector<std::int64_t> begin = {0};
  for (const std::vector<double>& row : result.marginals) {
    probabilities.insert(probabilities.end(), row.begin(), row.end());
    begin.push_back(static_cast<std::int64_t>(probabilities.size()));
  }
  answer["probabilities"] = array_of(std::move(probabilities));
  answer["begin"] = array_of(std::move(begin));
  answer["max_standard_error"] = result.max_standard_error;
  answer["max_r_hat"] = result.max_r_hat;
  answer["min_effective_samples"] = result.min_effective_samples;
  answer["mixing"] = result.mixing ? nb::object(word(*result.mixing)) : nb::none();
  report.result = std::move(result);
  answer["page"] = page_of(graph, std::move(report));
  return answer;
}

nb::dict log_partition(const FactorGraph& graph, const EvidencePairs& pairs, nb::kwargs arguments) {
  graph::SolveReport report = report_of(graph, pairs, graph::SolveTask::kPartition);
  auto [result, interrupted] = ask(report, arguments, "log_partition", graph::SumOptions(),
                                   [&](const auto& evidence, const auto& options, const Run& run) {
                                     return graph::solve_partition(graph, evidence, options, run);
                                   });
  nb::dict answer = facts_of(result, interrupted);
  add_partition(result, answer);
  report.result = std::move(result);
  answer["page"] = page_of(graph, std::move(report));
  return answer;
}

nb::dict marginal_map(const FactorGraph& graph, const std::vector<VariableId>& query, const EvidencePairs& pairs,
                      nb::kwargs arguments) {
  graph::SolveReport report = report_of(graph, pairs, graph::SolveTask::kMarginalMap);
  auto [result, interrupted] = ask(report, arguments, "marginal_map", graph::MarginalMapOptions(),
                                   [&](const auto& evidence, const auto& options, const Run& run) {
                                     return graph::solve_marginal_map(graph, query, evidence, options, run);
                                   });
  nb::dict answer = facts_of(result, interrupted);
  add_best(result, answer);
  report.query = query;
  report.result = std::move(result);
  answer["page"] = page_of(graph, std::move(report));
  return answer;
}

/// The counts that `fovea sample --json` reports, by the same names.
nb::object proposals_of(const graph::ProposalWork& work) {
  nb::dict counts;
  counts["proposals"] = work.proposals;
  counts["accepted"] = work.accepted;
  counts["factors"] = work.factors;
  counts["factors_looked_at"] = work.looked_at;
  counts["decided_by_all_factors"] = work.by_all;
  counts["decided_by_bounds"] = work.by_bounds;
  counts["decided_by_draws"] = work.by_draws;
  return counts;
}

/// draws: [chain][draw][variable].
nb::dict sample(const FactorGraph& graph, const EvidencePairs& pairs, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  graph::DrawOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "sample");
  const Evidence evidence = evidence_of(graph, pairs);
  const std::size_t variables = graph.variable_count(), chains = static_cast<std::size_t>(options.chains);
  std::vector<std::vector<Value>> kept(chains);
  const auto [summary, interrupted] = call(limits, "sample", [&](const Run& run) {
    return graph::draw_chains(graph, evidence, options, run, [&](int, std::span<const Assignment> drawn) {
      for (std::size_t c = 0; c < chains; ++c) kept[c].insert(kept[c].end(), drawn[c].begin(), drawn[c].end());
    });
  });
  std::vector<Value> draws;
  for (const std::vector<Value>& chain : kept) draws.insert(draws.end(), chain.begin(), chain.end());
  nb::dict answer;
  answer["draws"] = array_of(std::move(draws), {chains, static_cast<std::size_t>(summary.draws), variables});
  answer["mean_sweeps"] = summary.mean_sweeps;
  answer["restart_rate"] = summary.restart_rate;
  answer["distance"] = summary.distance ? nb::object(nb::float_(*summary.distance)) : nb::object(nb::none());
  answer["perfect"] = summary.perfect == graph::DrawSummary::Perfect::kNo ? nb::object(nb::none())
                      : summary.perfect == graph::DrawSummary::Perfect::kElimination
                          ? nb::object(nb::str("elimination"))
                          : nb::object(nb::str("coupling"));
  answer["temperatures"] = array_of(summary.temperatures);
  answer["proposals"] = options.exactness.empty() ? nb::object(nb::none()) : proposals_of(summary.proposals);
  answer["interrupted"] = interrupted;
  return answer;
}

nb::tuple read(const std::string& path, const std::string& format) {
  graph::ModelFile file = [&] {
    const nb::gil_scoped_release no_gil;
    return graph::read_model(path, format);
  }();
  return nb::make_tuple(nb::cast(std::move(file.graph)), file.names.variables, file.names.values, file.warnings);
}

void write(const std::string& path, const FactorGraph& graph, std::vector<std::string> variables,
           std::vector<std::vector<std::string>> values, const std::string& format) {
  const nb::gil_scoped_release no_gil;
  graph::write_model(
      path, {.graph = graph, .names = {.model = "", .variables = std::move(variables), .values = std::move(values)}},
      format);
}

double log_score(const FactorGraph& graph, const std::vector<Value>& values) {
  if (values.size() != graph.variable_count())
    throw UsageError(fmt::format("{} values for {} variables", values.size(), graph.variable_count()));
  for (std::size_t v = 0; v < values.size(); ++v)
    if (values[v] >= graph.cardinality(static_cast<VariableId>(v)))
      throw UsageError(fmt::format("variable {} has no value {}", v, values[v]));
  return graph.log_score(values);
}

/// The text of a page of draws: [variable][chain][draw].
std::string draws_page(const std::string& subtitle, std::vector<std::string> variables,
                       const nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& draws) {
  graph::DrawTable table = {.variables = std::move(variables)};
  const std::size_t chains = draws.shape(1), length = draws.shape(2);
  const double* at = draws.data();
  for (std::size_t v = 0; v < draws.shape(0); ++v) {
    table.draws.emplace_back();
    for (std::size_t c = 0; c < chains; ++c, at += length) table.draws[v].emplace_back(at, at + length);
  }
  return html_of([&] { return graph::draws_page(subtitle, table, graph::diagnose(table)); });
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<FactorGraph::Builder>(module, "GraphBuilder")
      .def(nb::init<>())
      .def(nb::init<const FactorGraph&>())
      .def("add_variables", &add_variables)
      .def("add_factors", &add_factors)
      .def("build", &FactorGraph::Builder::build);
  nb::class_<FactorGraph>(module, "Graph")
      .def_prop_ro("variable_count", &FactorGraph::variable_count)
      .def_prop_ro("factor_count", &FactorGraph::factor_count)
      .def_prop_ro(
          "cardinalities",
          [](const FactorGraph& graph) {
            return array_of(std::vector<std::uint32_t>(graph.cardinalities().begin(), graph.cardinalities().end()));
          })
      .def("scope",
           [](const FactorGraph& graph, graph::FactorId f) {
             return std::vector<VariableId>(graph.scope(f).begin(), graph.scope(f).end());
           })
      .def("table",
           [](const FactorGraph& graph, graph::FactorId f) {
             std::vector<std::size_t> shape;
             for (const VariableId v : graph.scope(f)) shape.push_back(graph.cardinality(v));
             if (shape.empty()) shape = {1};
             return array_of(std::vector<double>(graph.table(f).begin(), graph.table(f).end()), shape);
           })
      .def("log_score", &log_score)
      .def("solve", &solve)
      .def("marginals", &marginals)
      .def("log_partition", &log_partition)
      .def("marginal_map", &marginal_map)
      .def("sample", &sample);
  module.def("draws_page", &draws_page);
  module.def("read_graph", &read);
  module.def("write_graph", &write);
  module.def("with_likelihoods",
             [](const FactorGraph& graph, const std::vector<std::pair<VariableId, std::vector<double>>>& pairs) {
               std::vector<graph::Likelihoods> evidence;
               for (const auto& [variable, values] : pairs)
                 evidence.push_back({.variable = variable, .values = values});
               return graph::with_likelihoods(graph, evidence);
             });
  module.def("with_joint_variable", [](const FactorGraph& graph, const std::vector<VariableId>& variables) {
    return graph::with_joint_variable(graph, variables);
  });
  module.def("graph_options", [] {
    nb::dict options;
    options["solve"] = describe_options<graph::MapOptions>();
    options["marginals"] = describe_options<graph::SumOptions>();
    options["log_partition"] = describe_options<graph::SumOptions>();
    options["marginal_map"] = describe_options<graph::MarginalMapOptions>();
    options["sample"] = describe_options<graph::DrawOptions>();
    return options;
  });
}

}  // namespace fovea::python
