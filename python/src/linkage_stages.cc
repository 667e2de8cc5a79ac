// SPDX-License-Identifier: Apache-2.0
// fovea.stages: the stages of linkage on parts of a table.
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"
#include "table.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using linkage::MatchPlan;
using linkage::MatchStatistics;
using linkage::PartClusters;
using linkage::RecordPair;
using linkage::SpecialBlocks;
using linkage::StageColumns;

/// (rule, key, parts): parts is 0 for a block that is left out.
using BlockList = std::vector<std::tuple<std::uint32_t, std::string, std::uint32_t>>;

SpecialBlocks special_of(const BlockList& blocks) {
  SpecialBlocks special;
  for (const auto& [rule, key, parts] : blocks) {
    if (parts == 0) special.leave_out(rule, key);
    else special.cut(rule, key, parts);
  }
  return special;
}

nb::bytes bytes_of(const MatchStatistics& statistics) {
  std::string bytes;
  statistics.save(ContainerTarget::memory(bytes));
  return nb::bytes(bytes.data(), bytes.size());
}

MatchStatistics statistics_of(const nb::bytes& bytes) {
  return MatchStatistics::load(ContainerSource::memory({bytes.c_str(), bytes.size()}, "counts of contexts"));
}

/// A plan, and the columns of the tables that it is for.
struct Plan {
  Plan(const std::string& model, const std::vector<std::string>& columns, const nb::kwargs& options)
      : columns("the table", columns) {
    nb::dict arguments(options);
    linkage::MatchingOptions matching;
    take_options(arguments, matching);
    refuse_rest(arguments, "Plan");
    plan = MatchPlan::of_model(model, this->columns, matching);
  }

  io::Table columns;
  MatchPlan plan;
};

template <class T>
std::vector<std::int64_t> wide(const std::vector<T>& numbers) {
  return {numbers.begin(), numbers.end()};
}

Columns keys_of(const Plan& plan, const io::Table& part, const BlockList& blocks) {
  const nb::gil_scoped_release no_gil;
  const linkage::BlockKeys keys =
      linkage::block_keys(plan.plan, part, linkage::number_column(part, StageColumns::kRow), special_of(blocks));
  io::ArrowTexts texts;
  for (const std::string& key : keys.keys) texts.append(key);
  return Columns({{"place", wide(keys.places)},
                  {StageColumns::kRule, wide(keys.rules)},
                  {StageColumns::kKey, std::move(texts)},
                  {StageColumns::kTile, wide(keys.tiles)},
                  {StageColumns::kSide, wide(keys.sides)}});
}

Columns pairs_of(const std::vector<RecordPair>& pairs) {
  std::vector<std::int64_t> first, second;
  std::vector<double> score;
  for (const RecordPair& pair : pairs) {
    first.push_back(pair.first);
    second.push_back(pair.second);
    score.push_back(double{pair.score});
  }
  return Columns({{"first", std::move(first)}, {"second", std::move(second)}, {"score", std::move(score)}});
}

/// Scores sorted blocks, as linkage::BlockLinks does.
class Links {
 public:
  Links(const Plan& plan, double floor, int threads) : links_(plan.plan, floor) { run_.threads = threads; }

  Columns add(const io::Table& records) {
    return pairs_of(call_whole(run_, "", [&](const Run& run) { return links_.add(records, run); }));
  }
  Columns finish() {
    return pairs_of(call_whole(run_, "", [&](const Run& run) { return links_.finish(run); }));
  }

 private:
  linkage::BlockLinks links_;
  RunArguments run_;
};

/// Clusters whole components, as linkage::ComponentClusters does.
class Clusters {
 public:
  Clusters(const Plan& plan, bool by_blocks, const BlockList& blocks, const std::string& id, nb::kwargs options)
      : run_(take_run_arguments(options)),
        options_(take_clustering(options)),
        clusters_(plan.plan, options_, by_blocks ? linkage::ConnectedBy::kBlocks : linkage::ConnectedBy::kLinks,
                  special_of(blocks), id) {}

  Columns add(const io::Table& records) {
    return columns_of(call_whole(run_, "", [&](const Run& run) { return clusters_.add(records, run); }));
  }
  Columns finish() {
    return columns_of(call_whole(run_, "", [&](const Run& run) { return clusters_.finish(run); }));
  }

 private:
  static linkage::ComponentClusteringOptions take_clustering(nb::dict options) {
    linkage::ComponentClusteringOptions clustering;
    take_options(options, clustering);
    refuse_rest(options, "clusters");
    return clustering;
  }

  Columns columns_of(PartClusters found) const {
    std::vector<io::ArrowColumn> columns;
    columns.push_back({"row", wide(found.records)});
    columns.push_back({"cluster", wide(found.clusters)});
    if (options_.samples > 0) columns.push_back({"confidence", std::move(found.confidence)});
    return Columns(std::move(columns));
  }

  RunArguments run_;
  linkage::ComponentClusteringOptions options_;
  linkage::ComponentClusters clusters_;
};

/// Positions of the links that connect what no link before them has connected.
std::vector<std::int64_t> connecting(linkage::LinkForest& forest, const Row<std::uint32_t>& first,
                                     const Row<std::uint32_t>& second) {
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (forest.add(first.data()[i], second.data()[i])) places.push_back(static_cast<std::int64_t>(i));
  return places;
}

void bind_plan(nb::module_& module) {
  nb::class_<Plan>(module, "MatchPlan")
      .def(nb::init<const std::string&, const std::vector<std::string>&, nb::kwargs>())
      .def_prop_ro("columns", [](const Plan& self) { return linkage::columns_of(self.plan, self.columns); })
      .def_prop_ro("rules", [](const Plan& self) { return linkage::rules_of(self.plan, self.columns); })
      .def_prop_ro("most_rows", [](const Plan& self) { return linkage::most_rows_of_blocks(self.plan, self.columns); })
      .def_prop_ro("most_rows_of_components",
                   [](const Plan& self) { return linkage::most_rows_of_components(self.plan, self.columns); })
      .def_prop_ro("draws_by_id", [](const Plan& self) { return self.plan.draw_by == linkage::DrawBy::kId; })
      .def_prop_ro("least_score", [](const Plan& self) { return self.plan.least_score; })
      .def_prop_ro("has_contexts", [](const Plan& self) { return !self.plan.statistics->contexts.empty(); })
      .def("count_contexts",
           [](const Plan& self, const io::Table& part) {
             return bytes_of(linkage::count_plan_contexts(self.plan, part));
           })
      .def("use_contexts",
           [](Plan& self, const nb::bytes& counted) { linkage::use_contexts(statistics_of(counted), self.plan); })
      .def("keys", &keys_of);
}

}  // namespace

void bind_linkage_stages(nb::module_& module) {
  bind_plan(module);
  module.def("merge_contexts", [](const std::vector<nb::bytes>& parts) {
    MatchStatistics sum = statistics_of(parts.at(0));
    for (std::size_t i = 1; i < parts.size(); ++i) sum.merge(statistics_of(parts[i]));
    return bytes_of(sum);
  });
  nb::class_<Links>(module, "BlockLinks")
      .def(nb::init<const Plan&, double, int>())
      .def("add", &Links::add)
      .def("finish", &Links::finish);
  nb::class_<linkage::LinkForest>(module, "LinkForest")
      .def(nb::init<>())
      .def("connecting", [](linkage::LinkForest& self, const Row<std::uint32_t>& first,
                            const Row<std::uint32_t>& second) { return array_of(connecting(self, first, second)); });
  nb::class_<linkage::RecordForest>(module, "RecordForest")
      .def(nb::init<std::uint32_t>())
      .def("add",
           [](linkage::RecordForest& self, const Row<std::uint32_t>& first, const Row<std::uint32_t>& second) {
             self.add({first.data(), first.size()}, {second.data(), second.size()});
           })
      .def("components", [](linkage::RecordForest& self) { return array_of(std::move(self).components()); });
  nb::class_<Clusters>(module, "ComponentClusters")
      .def(nb::init<const Plan&, bool, const BlockList&, const std::string&, nb::kwargs>())
      .def("add", &Clusters::add)
      .def("finish", &Clusters::finish);
}

}  // namespace fovea::python
