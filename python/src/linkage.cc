// SPDX-License-Identifier: Apache-2.0
// fovea.linkage: records of one entity, in one table or across two.
#include <fovea/linkage.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using linkage::ProbablePair;

/// Takes the options that dedupe and link share. What is about files, and what only reports, is not taken.
void take_matching(nb::dict& arguments, linkage::MatchingJob& job) {
  take_options(arguments, job.matching);
  take_options(arguments, job.unsupervised);
  take_options(arguments, job.term_frequency);
  take_argument(arguments, "model", job.model_json);
  std::string preset;
  take_argument(arguments, "preset", preset);
  if (!preset.empty()) read_value({.name = "preset", .description = ""}, nb::str(preset.c_str()), job.model.preset);
}

/// Arrays "first", "second" (rows), "score" (log odds) and "probability".
nb::dict pairs_of(const std::vector<ProbablePair>& pairs) {
  std::vector<std::int64_t> first, second;
  std::vector<double> score, probability;
  for (const ProbablePair& pair : pairs) {
    first.push_back(pair.pair.rows.first);
    second.push_back(pair.pair.rows.second);
    score.push_back(double{pair.pair.score});
    probability.push_back(pair.probability);
  }
  nb::dict result;
  result["first"] = array_of(std::move(first));
  result["second"] = array_of(std::move(second));
  result["score"] = array_of(std::move(score));
  result["probability"] = array_of(std::move(probability));
  return result;
}

nb::dict dedupe(const io::Table& table, nb::kwargs arguments) {
  RunArguments limits = take_run_arguments(arguments);
  linkage::DedupeJob job;
  std::swap(job.limits.time_limit, limits.time_limit);
  std::swap(job.limits.budget, limits.budget);
  take_matching(arguments, job.matching);
  take_options(arguments, job.clustering);
  take_argument(arguments, "id", job.options.id);
  take_argument(arguments, "gold", job.options.gold);
  take_argument(arguments, "labels", job.labels.labels);
  take_argument(arguments, "keeps_pairs", job.keeps_pairs);
  refuse_rest(arguments, "fit");
  const auto [found, interrupted] =
      call(limits, "", [&](const Run& run) { return linkage::dedupe(table, std::move(job), run); });
  nb::dict result;
  result["clusters"] = array_of(std::vector<std::int64_t>(found.clusters.begin(), found.clusters.end()));
  result["confidence"] = found.confidence.empty() ? nb::object(nb::none()) : array_of(found.confidence);
  result["pairs"] = pairs_of(found.pairs);
  result["model"] = found.model;
  result["report"] = found.json();
  result["interrupted"] = interrupted;
  return result;
}

nb::dict link(const io::Table& first, const io::Table& second, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  linkage::LinkJob job;
  take_matching(arguments, job.matching);
  take_argument(arguments, "one_to_one", job.options.one_to_one);
  refuse_rest(arguments, "fit");
  const auto [found, interrupted] =
      call(limits, "", [&](const Run& run) { return linkage::link(first, second, std::move(job), run); });
  nb::dict result;
  result["links"] = pairs_of(found.links);
  result["model"] = found.model;
  result["interrupted"] = interrupted;
  return result;
}

}  // namespace

void bind_linkage(nb::module_& module) {
  module.def("dedupe", &dedupe);
  module.def("link", &link);
  module.def("linkage_options", [] {
    nb::dict options;
    options["matching"] =
        describe_options<linkage::MatchingOptions, linkage::UnsupervisedOptions, linkage::TermFrequencyOptions>();
    options["clustering"] = describe_options<linkage::ComponentClusteringOptions>();
    return options;
  });
}

}  // namespace fovea::python
