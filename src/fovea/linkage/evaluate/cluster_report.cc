// SPDX-License-Identifier: Apache-2.0
// The reports of ClusterMetrics: text for people, JSON for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/linkage/evaluate/cluster_metrics.h"

namespace fovea::linkage {
namespace {

using Json = nlohmann::ordered_json;

std::string brief_rates(const char* name, double precision, double recall, double f1) {
  return fmt::format("{} F1 {:.2f}, precision {:.2f}, recall {:.2f}", name, 100 * f1, 100 * precision, 100 * recall);
}

std::string brief_rates(const char* name, const MatchCounts& c) {
  return brief_rates(name, c.precision(), c.recall(), c.f1());
}

std::string count_row(const char* name, const MatchCounts& c) {
  return fmt::format("{:<8} {:15} {:15} {:15} {:9.2f} {:9.2f} {:9.2f}\n", name, c.gold, c.predicted, c.correct,
                     100 * c.precision(), 100 * c.recall(), 100 * c.f1());
}

Json pair_counts_json(const MatchCounts& c) {
  return {{"gold", c.gold},       {"predicted", c.predicted},
          {"correct", c.correct}, {"precision", c.precision()},
          {"recall", c.recall()}, {"f1", c.f1()}};
}

}  // namespace

std::string ClusterMetrics::brief() const {
  return fmt::format("{}; {}; {} ({} mentions)",
                     brief_rates("B-cubed", b_cubed.precision, b_cubed.recall, b_cubed.f1()),
                     brief_rates("pairs", pairs), brief_rates("clusters", clusters), records);
}

std::string ClusterMetrics::full() const {
  std::string text = fmt::format("{} mentions, {} without a gold label left out\n", records, unlabelled);
  text += fmt::format("{} clusters, the largest of {}; {} entities, the largest of {}\n\n", clusters.predicted,
                      largest_cluster, clusters.gold, largest_entity);
  text += fmt::format("{:<8} {:>15} {:>15} {:>15} {:>9} {:>9} {:>9}\n", "", "gold", "predicted", "correct", "precision",
                      "recall", "F1");
  text += fmt::format("{:<8} {:>47} {:9.2f} {:9.2f} {:9.2f}\n", "B-cubed", "", 100 * b_cubed.precision,
                      100 * b_cubed.recall, 100 * b_cubed.f1());
  return text + count_row("pairs", pairs) + count_row("clusters", clusters);
}

std::string ClusterMetrics::json() const {
  const Json json = {{"mentions", records},
                     {"unlabelled", unlabelled},
                     {"largest_cluster", largest_cluster},
                     {"largest_entity", largest_entity},
                     {"b_cubed", {{"precision", b_cubed.precision}, {"recall", b_cubed.recall}, {"f1", b_cubed.f1()}}},
                     {"pairs", pair_counts_json(pairs)},
                     {"clusters", pair_counts_json(clusters)}};
  return json.dump();
}

}  // namespace fovea::linkage
