// SPDX-License-Identifier: Apache-2.0
// fovea.linkage: records of one entity, in one table or across two.
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"
#include "table.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using linkage::ProbablePair;
using linkage::RowPair;

/// Takes the options that dedupe and link share. What is about files, and what only reports, is not taken.
void take_matching(nb::dict& arguments, linkage::MatchingJob& job) {
  take_options(arguments, job.matching);
  take_options(arguments, job.unsupervised);
  take_options(arguments, job.term_frequency);
  take_argument(arguments, "model", job.model_json);
  take_argument(arguments, "adapt", job.model.adapt);
  if (arguments.contains("statistics")) {
    read_value({.name = "statistics", .description = ""}, arguments["statistics"], job.model.statistics);
    PyDict_DelItemString(arguments.ptr(), "statistics");
  }
  std::string preset;
  take_argument(arguments, "preset", preset);
  if (!preset.empty()) read_value({.name = "preset", .description = ""}, nb::str(preset.c_str()), job.model.preset);
}

/// The column of ids of a table, if a name is given; its cells.
struct Ids {
  Ids(const io::Table& table, const std::string& name) : table(table) {
    if (!name.empty()) column = table.column(name);
  }
  const io::Table& table;
  std::optional<std::size_t> column = {};
};

io::ArrowColumn id_column(const char* name, const Ids& ids, const std::vector<std::int64_t>& rows) {
  io::ArrowTexts texts;
  for (const std::int64_t row : rows) texts.append(ids.table.cell(static_cast<std::size_t>(row), *ids.column));
  return {name, std::move(texts)};
}

/// Columns "first", "second" (rows), "first_id", "second_id" where there are ids, "score" (log odds), "probability".
Columns pairs_of(const std::vector<ProbablePair>& pairs, const Ids& first_ids, const Ids& second_ids) {
  std::vector<std::int64_t> first, second;
  std::vector<double> score, probability;
  for (const ProbablePair& pair : pairs) {
    first.push_back(pair.pair.rows.first);
    second.push_back(pair.pair.rows.second);
    score.push_back(double{pair.pair.score});
    probability.push_back(pair.probability);
  }
  std::vector<io::ArrowColumn> columns;
  std::optional<io::ArrowColumn> first_id, second_id;
  if (first_ids.column) first_id = id_column("first_id", first_ids, first);
  if (second_ids.column) second_id = id_column("second_id", second_ids, second);
  columns.push_back({"first", std::move(first)});
  columns.push_back({"second", std::move(second)});
  if (first_id) columns.push_back(std::move(*first_id));
  if (second_id) columns.push_back(std::move(*second_id));
  columns.push_back({"score", std::move(score)});
  columns.push_back({"probability", std::move(probability)});
  return Columns(std::move(columns));
}

nb::object row_array(const std::vector<std::uint32_t>& rows) {
  return array_of(std::vector<std::int64_t>(rows.begin(), rows.end()));
}

/// [row] the number of its cluster, from 0 in the order of appearance; `clusters`: [row] the first row of its cluster.
std::vector<std::int64_t> numbered(const std::vector<std::uint32_t>& clusters) {
  std::vector<std::int64_t> numbers(clusters.size());
  std::int64_t next = 0;
  for (std::size_t row = 0; row < clusters.size(); ++row)
    numbers[row] = clusters[row] == row ? next++ : numbers[clusters[row]];
  return numbers;
}

/// The clusters of a table: the ids where there are ids, the column of clusters, and "confidence" where it is known.
Columns clusters_of(const linkage::DedupeResult& found, const Ids& ids, const std::string& id,
                    const std::string& name) {
  std::vector<io::ArrowColumn> columns;
  if (ids.column) {
    io::ArrowTexts texts;
    for (std::size_t row = 0; row < ids.table.row_count(); ++row) texts.append(ids.table.cell(row, *ids.column));
    columns.push_back({id, std::move(texts)});
  }
  columns.push_back({name, numbered(found.clusters)});
  if (!found.confidence.empty()) columns.push_back({"confidence", found.confidence});
  return Columns(std::move(columns));
}

/// Scores pairs by a function of Python, which must outlive it: function(row, row) is the log odds of a match.
linkage::PairScorer scorer_of(nb::handle function) {
  return [function](RowPair pair) {
    const nb::gil_scoped_acquire gil;
    const nb::object answer = function(pair.first, pair.second);
    double score = 0;
    if (!nb::try_cast(answer, score) || !std::isfinite(score))
      throw UsageError(
          fmt::format("argument score: returned {} for rows {} and {}; needs a finite number, the log odds "
                      "of a match",
                      nb::repr(answer).c_str(), pair.first, pair.second));
    return score;
  };
}

nb::dict dedupe(const io::Table& table, nb::kwargs arguments) {
  RunArguments limits = take_run_arguments(arguments);
  linkage::DedupeJob job;
  std::swap(job.limits.time_limit, limits.time_limit);
  std::swap(job.limits.budget, limits.budget);
  take_matching(arguments, job.matching);
  take_options(arguments, job.clustering);
  take_options(arguments, job.learning);
  take_argument(arguments, "id", job.options.id);
  take_argument(arguments, "cluster_column", job.options.cluster_column);
  take_argument(arguments, "gold", job.options.gold);
  take_argument(arguments, "labels", job.labels.labels);
  take_argument(arguments, "labelled_pairs", job.labels.labelled_pairs);
  take_argument(arguments, "keeps_pairs", job.keeps_pairs);
  bool wants_page = false;
  take_argument(arguments, "page", wants_page);
  std::string page;
  if (wants_page) job.take_page = [&page](const report::Page& made) { page = made.html(); };
  const io::Table* pair_labels = nullptr;
  take_argument(arguments, "pair_labels", pair_labels);
  job.pair_labels = pair_labels;
  const io::Table* known_pairs = nullptr;
  take_argument(arguments, "known_pairs", known_pairs);
  job.known_pairs = known_pairs;
  nb::object score = nb::none();
  take_argument(arguments, "score", score);
  if (!score.is_none()) job.scorer = scorer_of(score);
  std::string draw_by;
  take_argument(arguments, "draw_by", draw_by);
  if (!draw_by.empty())
    read_value({.name = "draw-by", .description = ""}, nb::str(draw_by.c_str()), job.options.draw_by);
  refuse_rest(arguments, "fit");
  const std::string id = job.options.id, cluster_column = job.options.cluster_column;
  const auto [found, interrupted] =
      call(limits, "", [&](const Run& run) { return linkage::dedupe(table, std::move(job), run); });
  nb::dict result;
  result["clusters"] = clusters_of(found, {table, id}, id, cluster_column);
  result["labels"] = array_of(numbered(found.clusters));
  result["confidence"] = found.confidence.empty() ? nb::object(nb::none()) : array_of(found.confidence);
  result["pairs"] = pairs_of(found.pairs, {table, id}, {table, id});
  result["model"] = found.model;
  result["report"] = found.json();
  result["interrupted"] = interrupted;
  result["page"] = page;
  return result;
}

/// Golden records: the columns of the table as texts, cluster_size, and the clusters' numbers unless the table has a
/// column of clusters. labels: [row] the cluster, numbers from 0 in the order of appearance. id: column of ids, or "".
nb::dict golden(const io::Table& table, const std::vector<std::int64_t>& labels, const std::string& rules,
                const std::string& id, const std::string& cluster_column, const std::string& date_format) {
  std::vector<std::uint32_t> first, clusters;
  for (std::uint32_t row = 0; row < labels.size(); ++row) {
    if (static_cast<std::size_t>(labels[row]) == first.size()) first.push_back(row);
    clusters.push_back(first[static_cast<std::size_t>(labels[row])]);
  }
  const linkage::DateFormat dates = date_format.empty() ? linkage::DateFormat() : linkage::DateFormat(date_format);
  std::vector<linkage::GoldenRule> parsed = linkage::parse_golden_rules(rules, table, Ids(table, id).column);
  const std::optional<std::size_t> names = table.find_column(cluster_column);
  if (names) parsed[*names].kind = linkage::GoldenRule::Kind::kFirst;
  const linkage::GoldenRecords found = linkage::golden_records(table, clusters, parsed, dates);
  std::vector<io::ArrowColumn> columns;
  std::vector<std::int64_t> sizes, numbers;
  for (std::size_t row = 0; row < found.table.row_count(); ++row) {
    sizes.push_back(std::stoll(std::string(found.table.cell(row, table.column_count()))));
    numbers.push_back(static_cast<std::int64_t>(row));
  }
  for (std::size_t column = 0; column < table.column_count(); ++column) {
    io::ArrowTexts texts;
    io::ArrowBits valid;
    for (std::size_t row = 0; row < found.table.row_count(); ++row) {
      texts.append(found.table.cell(row, column));
      valid.append(!found.table.is_missing(row, column));
    }
    columns.push_back({table.columns()[column], std::move(texts), std::move(valid)});
  }
  columns.push_back({found.table.columns().back(), std::move(sizes)});
  if (!names) columns.push_back({cluster_column, std::move(numbers)});
  nb::dict result;
  result["records"] = Columns(std::move(columns));
  result["warnings"] = found.warnings;
  return result;
}

nb::dict update(const io::Table& old, const io::Table& more, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  linkage::DedupeJob job;
  take_matching(arguments, job.matching);
  take_argument(arguments, "id", job.options.id);
  take_argument(arguments, "cluster_column", job.options.cluster_column);
  refuse_rest(arguments, "update");
  const linkage::IncrementalClusters found =
      call_whole(limits, "", [&](const Run& run) { return linkage::update(old, more, std::move(job), run); });
  nb::dict result;
  result["clusters"] = row_array(found.clusters);
  result["joined"] = found.joined;
  result["between"] = row_array(found.between);
  return result;
}

/// Columns of links: those of pairs_of(), and the numbers of the tables from 0 on if there are more than two. ids:
/// [table].
Columns links_of(const linkage::LinkResult& found, const std::vector<Ids>& ids) {
  if (ids.size() == 2) return pairs_of(found.links, ids[0], ids[1]);
  std::vector<io::ArrowColumn> columns;
  for (const std::size_t i : {0, 1}) {
    std::vector<std::int64_t> tables, rows;
    io::ArrowTexts names;
    for (std::size_t l = 0; l < found.links.size(); ++l) {
      const RowPair& pair = found.links[l].pair.rows;
      tables.push_back(found.tables[l][i]);
      rows.push_back(i == 0 ? pair.first : pair.second);
      const Ids& own = ids[found.tables[l][i]];
      if (own.column) names.append(own.table.cell(static_cast<std::size_t>(rows.back()), *own.column));
    }
    const std::string which = i == 0 ? "first" : "second";
    columns.push_back({which + "_table", std::move(tables)});
    columns.push_back({which, std::move(rows)});
    if (ids[0].column) columns.push_back({which + "_id", std::move(names)});
  }
  std::vector<double> score, probability;
  for (const ProbablePair& link : found.links) {
    score.push_back(double{link.pair.score});
    probability.push_back(link.probability);
  }
  columns.push_back({"score", std::move(score)});
  columns.push_back({"probability", std::move(probability)});
  return Columns(std::move(columns));
}

nb::dict link(const std::vector<const io::Table*>& tables, nb::kwargs arguments) {
  RunArguments limits = take_run_arguments(arguments);
  linkage::LinkJob job;
  std::swap(job.limits.time_limit, limits.time_limit);
  take_matching(arguments, job.matching);
  take_argument(arguments, "one_to_one", job.options.one_to_one);
  take_argument(arguments, "id", job.options.id);
  take_argument(arguments, "second_id", job.options.second_id);
  take_argument(arguments, "map", job.options.map);
  take_argument(arguments, "gold", job.options.gold);
  take_argument(arguments, "labels", job.labels.labels);
  take_argument(arguments, "labelled_pairs", job.labels.labelled_pairs);
  const io::Table *pair_labels = nullptr, *known_pairs = nullptr;
  take_argument(arguments, "pair_labels", pair_labels);
  take_argument(arguments, "known_pairs", known_pairs);
  job.pair_labels = pair_labels;
  job.known_pairs = known_pairs;
  refuse_rest(arguments, "fit");
  std::vector<Ids> ids;
  for (const io::Table* table : tables) ids.emplace_back(*table, ids.empty() ? job.options.id : job.options.second_id);
  const auto [found, interrupted] =
      call(limits, "", [&](const Run& run) { return linkage::link(tables, std::move(job), run); });
  nb::dict result;
  result["links"] = links_of(found, ids);
  result["model"] = found.model;
  result["report"] = found.json();
  result["interrupted"] = interrupted;
  return result;
}

nb::dict explain(const io::Table& first, std::size_t first_row, const std::string& first_name, const io::Table& second,
                 std::size_t second_row, const std::string& second_name, const std::string& model) {
  const linkage::MatchExplanation found =
      linkage::explain({first, first_row, first_name}, {second, second_row, second_name}, model);
  io::ArrowTexts comparison, first_cell, second_cell, level;
  std::vector<double> weight, adjustment;
  for (const linkage::MatchExplanation::Term& term : found.terms) {
    comparison.append(term.comparison);
    first_cell.append(term.first);
    second_cell.append(term.second);
    level.append(term.level);
    weight.push_back(term.weight);
    adjustment.push_back(term.adjustment);
  }
  nb::dict result;
  result["terms"] = Columns({{"comparison", std::move(comparison)},
                             {"first", std::move(first_cell)},
                             {"second", std::move(second_cell)},
                             {"level", std::move(level)},
                             {"weight", std::move(weight)},
                             {"adjustment", std::move(adjustment)}});
  result["prior"] = found.prior_log_odds;
  result["score"] = found.score;
  result["probability"] = found.probability;
  result["text"] = found.text();
  return result;
}

}  // namespace

void bind_linkage(nb::module_& module) {
  module.def("dedupe", &dedupe);
  module.def("update", &update);
  module.def("golden", &golden);
  module.def("most_useful",
             [](const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& second, std::size_t count) {
               std::vector<linkage::RowPair> pairs;
               for (std::size_t i = 0; i < first.size(); ++i)
                 pairs.push_back({static_cast<std::uint32_t>(first[i]), static_cast<std::uint32_t>(second[i])});
               return linkage::most_useful(pairs, count);
             });
  module.def("link", &link);
  module.def("explain", &explain);
  module.def("save_statistics", [](const io::Table& table, const std::string& compare, const std::string& path) {
    linkage::collect_statistics(compare, table).save(path);
  });
  module.def("linkage_options", [] {
    nb::dict options;
    options["matching"] =
        describe_options<linkage::MatchingOptions, linkage::UnsupervisedOptions, linkage::TermFrequencyOptions>();
    options["clustering"] = describe_options<linkage::ComponentClusteringOptions>();
    options["learning"] = describe_options<linkage::LearnMatchingOptions>();
    return options;
  });
}

}  // namespace fovea::python
