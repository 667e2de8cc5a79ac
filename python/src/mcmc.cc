// SPDX-License-Identifier: Apache-2.0
// fovea.mcmc: Gibbs sampling of a model that is written in Python, and what draws tell about their chains.
#include <fmt/format.h>
#include <fovea/mcmc.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

/// A model of Python, asked with arrays. The object outlives the call of the sampler.
class PythonModel {
 public:
  PythonModel(nb::handle object, std::size_t variables) : object_(object), variables_(variables) {}

  void conditional_scores(std::span<const VariableId> sites, std::span<const Value> assignments,
                          std::span<double> scores) const {
    const nb::gil_scoped_acquire gil;
    const std::size_t chains = assignments.size() / variables_, values = scores.size() / chains / sites.size();
    ask("conditional_scores", scores, array_of(std::vector<std::int64_t>(sites.begin(), sites.end())),
        assignments_of(assignments), values);
  }

  void log_scores(std::span<const Value> assignments, std::span<double> scores) const {
    const nb::gil_scoped_acquire gil;
    ask("log_score", scores, assignments_of(assignments));
  }

 private:
  /// Signed, as numbers of Python are: spins are 2 y - 1.
  nb::object assignments_of(std::span<const Value> values) const {
    return array_of(std::vector<std::int64_t>(values.begin(), values.end()), {values.size() / variables_, variables_});
  }

  template <class... Arguments>
  void ask(const char* name, std::span<double> scores, Arguments&&... arguments) const {
    const auto answer = nb::cast<Row<double>>(object_.attr(name)(std::forward<Arguments>(arguments)...));
    if (answer.size() != scores.size()) throw UsageError("the model returned scores of another shape");
    std::copy_n(answer.data(), scores.size(), scores.begin());
  }

  nb::handle object_;
  std::size_t variables_;
};

std::vector<std::vector<VariableId>> blankets_of(const std::vector<std::vector<std::int64_t>>& rows) {
  std::vector<std::vector<VariableId>> blankets;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    auto& blanket = blankets.emplace_back();
    for (const std::int64_t other : rows[v]) {
      if (other < 0 || other >= static_cast<std::int64_t>(rows.size()))
        throw UsageError(fmt::format("the Markov blanket of variable {} names variable {}, but there are {}", v, other,
                                     rows.size()));
      blanket.push_back(static_cast<VariableId>(other));
    }
  }
  return blankets;
}

mcmc::BatchedModel batched(const PythonModel& python, const Row<std::int64_t>& cardinalities,
                           const std::vector<std::vector<std::int64_t>>& blankets) {
  mcmc::BatchedModel model;
  for (std::size_t v = 0; v < cardinalities.size(); ++v)
    model.cardinalities.push_back(static_cast<std::size_t>(std::max<std::int64_t>(0, cardinalities.data()[v])));
  model.markov_blankets = blankets_of(blankets);
  model.conditional_scores = [&python](auto sites, auto assignments, auto scores) {
    python.conditional_scores(sites, assignments, scores);
  };
  return model;
}

/// draws: [chain][draw][variable]. `start`: [chain][variable], or empty.
nb::dict sample(nb::handle object, Row<std::int64_t> cardinalities,
                const std::vector<std::vector<std::int64_t>>& blankets, bool has_log_score,
                const std::vector<Value>& start, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  mcmc::BatchedGibbsOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "sample");
  const PythonModel python(object, cardinalities.size());
  mcmc::BatchedModel model = batched(python, cardinalities, blankets);
  if (has_log_score) model.log_scores = [&](auto assignments, auto scores) { python.log_scores(assignments, scores); };
  auto [drawn, interrupted] =
      call(limits, "sample", [&](const Run& run) { return mcmc::draw_batched(model, options, run, start); });
  nb::dict answer;
  answer["draws"] = array_of(std::vector<std::int32_t>(drawn.values.begin(), drawn.values.end()),
                             {drawn.chains, drawn.draws, drawn.variables});
  answer["best"] = drawn.best.found()
                       ? array_of(std::vector<std::int32_t>(drawn.best.values.begin(), drawn.best.values.end()))
                       : nb::object(nb::none());
  answer["best_score"] = drawn.best.score;
  answer["batches"] = drawn.batches;
  answer["transitions"] = drawn.summary.work.transitions;
  answer["calls"] = drawn.summary.work.oracle_calls;
  answer["stopped_by"] = std::string(word_of(drawn.summary.stopped_by));
  answer["seconds"] = drawn.summary.seconds;
  answer["interrupted"] = interrupted;
  return answer;
}

/// values, doubt: [variable]. `start`: [variable], or empty.
nb::dict anneal(nb::handle object, const Row<std::int64_t>& cardinalities,
                const std::vector<std::vector<std::int64_t>>& blankets, const std::vector<Value>& start,
                nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  mcmc::BatchedAnnealOptions options;
  take_options(arguments, options);
  refuse_rest(arguments, "anneal");
  const PythonModel python(object, cardinalities.size());
  const mcmc::BatchedModel model = batched(python, cardinalities, blankets);
  auto [found, interrupted] =
      call(limits, "anneal", [&](const Run& run) { return mcmc::anneal_batched(model, options, run, start); });
  nb::dict answer;
  answer["assignment"] = array_of(std::vector<std::int32_t>(found.values.begin(), found.values.end()));
  answer["doubt"] = array_of(std::move(found.doubt));
  answer["expected_gain"] = found.expected_gain;
  answer["unsettled"] = found.unsettled;
  answer["visits"] = found.summary.work.transitions;
  answer["calls"] = found.summary.work.oracle_calls;
  answer["changes"] = found.summary.changes;
  answer["stopped_by"] = std::string(word_of(found.summary.stopped_by));
  answer["seconds"] = found.summary.seconds;
  answer["interrupted"] = interrupted;
  return answer;
}

/// Measures how well the chains of each quantity agree: draws [quantity][chain][draw].
nb::dict diagnose(const nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& draws) {
  const std::vector<mcmc::Diagnosis> found = call_whole({}, "", [&](const Run& run) {
    return mcmc::diagnose({draws.data(), draws.size()}, draws.shape(0), draws.shape(1), draws.shape(2), run);
  });
  const auto column = [&](double mcmc::Diagnosis::*number) {
    std::vector<double> numbers;
    for (const mcmc::Diagnosis& quantity : found) numbers.push_back(quantity.*number);
    return array_of(std::move(numbers));
  };
  nb::dict answer;
  answer["mixing"] = std::string(word_of(mcmc::mixing_of(found)));
  answer["r_hat"] = column(&mcmc::Diagnosis::r_hat);
  answer["effective_draws"] = column(&mcmc::Diagnosis::bulk_effective_samples);
  answer["tail_effective_draws"] = column(&mcmc::Diagnosis::tail_effective_samples);
  answer["standard_error"] = column(&mcmc::Diagnosis::standard_error);
  return answer;
}

}  // namespace

void bind_mcmc(nb::module_& module) {
  module.def("sample_model", &sample);
  module.def("diagnose_draws", &diagnose);
  module.def("anneal_model", &anneal);
  module.def("mcmc_options", [] { return describe_options<mcmc::BatchedGibbsOptions>(); });
  module.def("anneal_options", [] { return describe_options<mcmc::BatchedAnnealOptions>(); });
}

}  // namespace fovea::python
