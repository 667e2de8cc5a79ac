// SPDX-License-Identifier: Apache-2.0
// fovea.stages: the stages of linkage on parts of a table.
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
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

using linkage::BucketClusters;
using linkage::BucketLinks;
using linkage::MatchPlan;
using linkage::MatchStatistics;
using linkage::SpecialBlocks;

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

std::vector<std::string_view> views_of(const std::vector<nb::bytes>& parts) {
  std::vector<std::string_view> views;
  for (const nb::bytes& part : parts) views.emplace_back(part.c_str(), part.size());
  return views;
}

std::vector<std::uint32_t> numbers_from(std::uint32_t begin, const io::Table& part) {
  std::vector<std::uint32_t> numbers(part.row_count());
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

/// for_links: nothing is drawn at random, so that a model that draws by id needs none.
MatchPlan make_plan(const std::string& model, const std::vector<std::string>& columns, const std::string& id,
                    bool for_links, const nb::kwargs& options) {
  nb::dict arguments(options);
  linkage::MatchingOptions matching;
  take_options(arguments, matching);
  refuse_rest(arguments, "Plan");
  linkage::MatchModelDescription description = linkage::parse_match_model(model, "the model");
  if (for_links) description.draw_by = linkage::DrawBy::kRow;
  return MatchPlan::of_model(std::move(description), io::Table("the table", columns), matching, id);
}

/// The columns of lists of comparisons and of blocking rules, as options 'compare' and 'block' have them.
std::vector<std::string> columns_of_lists(const std::string& compare, const std::string& block,
                                          const std::vector<std::string>& columns) {
  const io::Table empty("the table", columns);
  std::set<std::size_t> used;
  for (const linkage::Comparison& comparison : linkage::parse_comparisons(compare, empty))
    used.insert(comparison.columns().begin(), comparison.columns().end());
  for (const linkage::BlockingRule& rule : linkage::parse_blocking_rules(block, empty))
    used.insert(rule.columns().begin(), rule.columns().end());
  std::vector<std::string> names;
  for (const std::size_t column : used) names.push_back(columns[column]);
  return names;
}

linkage::ComponentClusteringOptions take_clustering(nb::dict options) {
  linkage::ComponentClusteringOptions clustering;
  take_options(options, clustering);
  refuse_rest(options, "Plan");
  return clustering;
}

/// Buckets that a task fills from several parts of the table, which all have the same columns.
class Buckets {
 public:
  explicit Buckets(std::uint32_t count) : count_(count) {}

  void add_blocks(const MatchPlan& plan, const io::Table& part, std::uint32_t begin, const BlockList& special,
                  bool with_cells) {
    const nb::gil_scoped_release no_gil;
    linkage::fill_block_buckets(plan, part, numbers_from(begin, part), special_of(special),
                                buckets(plan, part, with_cells));
  }
  void add_components(const MatchPlan& plan, const io::Table& part, std::uint32_t begin,
                      const Row<std::uint32_t>& components) {
    const std::span<const std::uint32_t> of_rows(components.data(), components.size());
    const nb::gil_scoped_release no_gil;
    linkage::fill_component_buckets(part, numbers_from(begin, part), of_rows, buckets(plan, part, true));
  }

  std::size_t size() const {
    std::size_t bytes = 0;
    for (std::size_t b = 0; filled_ && b < count_; ++b) bytes += (*filled_)[b].size();
    return bytes;
  }

  /// (bucket, bytes) of those that are not empty; all are empty then.
  nb::list take() {
    nb::list found;
    for (std::size_t b = 0; filled_ && b < count_; ++b)
      if (const std::string& bytes = (*filled_)[b]; !bytes.empty())
        found.append(nb::make_tuple(b, nb::bytes(bytes.data(), bytes.size())));
    filled_.reset();
    return found;
  }

 private:
  linkage::RecordBuckets& buckets(const MatchPlan& plan, const io::Table& part, bool with_cells) {
    if (filled_) return *filled_;
    std::vector<std::size_t> columns;
    if (with_cells)
      for (const std::string& name : plan.columns) columns.push_back(part.column(name));
    return filled_.emplace(count_, std::move(columns));
  }

  std::uint32_t count_;
  std::optional<linkage::RecordBuckets> filled_;
};

nb::list list_of(const std::vector<linkage::BlockSize>& blocks) {
  nb::list list;
  for (const linkage::BlockSize& block : blocks) list.append(nb::make_tuple(block.rule, block.key, block.records));
  return list;
}

BucketLinks links_of(const MatchPlan& plan, const std::vector<nb::bytes>& bucket, double floor, int threads) {
  RunArguments arguments;
  arguments.threads = threads;
  const std::vector<std::string_view> bytes = views_of(bucket);
  return call_whole(arguments, "", [&](const Run& run) { return linkage::links_of_bucket(plan, bytes, floor, run); });
}

/// The pairs, as columns, and the blocks that were left out.
nb::tuple links(const MatchPlan& plan, const std::vector<nb::bytes>& bucket, double floor, int threads) {
  const BucketLinks found = links_of(plan, bucket, floor, threads);
  std::vector<std::int64_t> first, second;
  std::vector<double> score;
  for (const linkage::RecordPair& pair : found.pairs) {
    first.push_back(pair.first);
    second.push_back(pair.second);
    score.push_back(double{pair.score});
  }
  return nb::make_tuple(
      Columns({{"first", std::move(first)}, {"second", std::move(second)}, {"score", std::move(score)}}),
      list_of(found.left_out));
}

/// The links that connect what all links of a bucket connect, as arrays, and the blocks that were left out.
nb::tuple forest(const MatchPlan& plan, const std::vector<nb::bytes>& bucket, int threads) {
  const BucketLinks found = links_of(plan, bucket, plan.least_score, threads);
  linkage::LinkForest forest;
  std::vector<std::uint32_t> first, second;
  for (const linkage::RecordPair& pair : found.pairs) {
    if (!forest.add(pair.first, pair.second)) continue;
    first.push_back(pair.first);
    second.push_back(pair.second);
  }
  return nb::make_tuple(array_of(std::move(first)), array_of(std::move(second)), list_of(found.left_out));
}

/// Places of the links of which no two share a record, with the largest sum of score - floor.
auto best_assignment(const Row<std::uint32_t>& first, const Row<std::uint32_t>& second, const Row<float>& score,
                     double floor) {
  std::vector<linkage::ScoredPair> links;
  for (std::size_t i = 0; i < first.size(); ++i)
    links.push_back({{first.data()[i], second.data()[i]}, score.data()[i]});
  const std::vector<linkage::ScoredPair> chosen =
      call_whole({}, "", [&](const Run& run) { return linkage::best_assignment(links, floor, run.stop); });
  std::vector<std::int64_t> places;  // those that are chosen stay in their order
  for (std::size_t i = 0; i < links.size() && places.size() < chosen.size(); ++i) {
    const linkage::RowPair rows = chosen[places.size()].rows;
    if (links[i].rows.first == rows.first && links[i].rows.second == rows.second)
      places.push_back(static_cast<std::int64_t>(i));
  }
  return array_of(std::move(places));
}

Columns clusters(const MatchPlan& plan, const std::vector<nb::bytes>& bucket, bool by_blocks, const BlockList& special,
                 nb::kwargs options) {
  const RunArguments arguments = take_run_arguments(options);
  const linkage::ComponentClusteringOptions clustering = take_clustering(options);
  const std::vector<std::string_view> bytes = views_of(bucket);
  const auto by = by_blocks ? linkage::ConnectedBy::kBlocks : linkage::ConnectedBy::kLinks;
  BucketClusters found = call_whole(arguments, "", [&](const Run& run) {
    return linkage::clusters_of_bucket(plan, clustering, by, special_of(special), bytes, run);
  });
  std::vector<io::ArrowColumn> columns;
  columns.push_back({"row", std::vector<std::int64_t>(found.records.begin(), found.records.end())});
  columns.push_back({"cluster", std::vector<std::int64_t>(found.clusters.begin(), found.clusters.end())});
  if (clustering.samples > 0) columns.push_back({"confidence", std::move(found.confidence)});
  return Columns(std::move(columns));
}

}  // namespace

void bind_linkage_stages(nb::module_& module) {
  nb::class_<MatchPlan>(module, "MatchPlan")
      .def(nb::new_(&make_plan))
      .def_ro("columns", &MatchPlan::columns)
      .def_ro("rules", &MatchPlan::rules)
      .def_ro("most_rows", &MatchPlan::most_rows)
      .def_ro("most_rows_of_components", &MatchPlan::most_rows_of_components)
      .def_ro("least_score", &MatchPlan::least_score)
      .def_rw("second_table", &MatchPlan::second_table)
      .def_prop_ro("has_contexts", [](const MatchPlan& self) { return !self.statistics->contexts.empty(); })
      .def("count_contexts", [](const MatchPlan& self,
                                const io::Table& part) { return bytes_of(linkage::count_plan_contexts(self, part)); })
      .def("use_contexts",
           [](MatchPlan& self, const nb::bytes& counted) { linkage::use_contexts(statistics_of(counted), self); })
      .def("links", &links)
      .def("forest", &forest)
      .def("clusters", &clusters);
  module.def("merge_contexts", [](const std::vector<nb::bytes>& parts) {
    MatchStatistics sum = statistics_of(parts.at(0));
    for (std::size_t i = 1; i < parts.size(); ++i) sum.merge(statistics_of(parts[i]));
    return bytes_of(sum);
  });
  module.def("best_assignment", &best_assignment);
  module.def("columns_of_lists", &columns_of_lists);
  module.def("check_clustering", [](nb::kwargs options) { (void)take_clustering(options); });
  module.def("block_sizes", [](const std::vector<nb::bytes>& bucket, const std::vector<std::uint64_t>& least) {
    return list_of(linkage::sizes_of_bucket(views_of(bucket), least));
  });
  nb::class_<Buckets>(module, "RecordBuckets")
      .def(nb::init<std::uint32_t>())
      .def("add_blocks", &Buckets::add_blocks)
      .def("add_components", &Buckets::add_components)
      .def_prop_ro("size", &Buckets::size)
      .def("take", &Buckets::take);
  nb::class_<linkage::LinkForest>(module, "LinkForest")
      .def(nb::init<>())
      .def("connecting",
           [](linkage::LinkForest& self, const Row<std::uint32_t>& first, const Row<std::uint32_t>& second) {
             std::vector<std::int64_t> places;
             for (std::size_t i = 0; i < first.size(); ++i)
               if (self.add(first.data()[i], second.data()[i])) places.push_back(static_cast<std::int64_t>(i));
             return array_of(std::move(places));
           });
  nb::class_<linkage::RecordForest>(module, "RecordForest")
      .def(nb::init<std::uint32_t>())
      .def("add",
           [](linkage::RecordForest& self, const Row<std::uint32_t>& first, const Row<std::uint32_t>& second) {
             self.add({first.data(), first.size()}, {second.data(), second.size()});
           })
      .def("components", [](linkage::RecordForest& self) { return array_of(self.components()); });
}

}  // namespace fovea::python
