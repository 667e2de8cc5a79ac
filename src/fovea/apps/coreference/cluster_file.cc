// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/cluster_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/io/csv.h"

namespace fovea {
namespace {

using Cells = std::vector<std::string>;

bool is_tab_separated(std::string_view path) {
  for (const std::string_view packing : {".gz", ".xz", ".zst"})
    if (path.ends_with(packing)) path.remove_suffix(packing.size());
  return path.ends_with(".tsv");
}

Cells split_at_tabs(std::string_view line) {
  Cells cells;
  for (std::size_t at = 0, end = 0; end != line.npos; at = end + 1) {
    end = line.find('\t', at);
    cells.emplace_back(line.substr(at, end - at));
  }
  return cells;
}

template <class Visit>
void for_each_tab_separated_row(ByteSource source, const Visit& visit) {
  LineReader lines(std::move(source));
  std::size_t columns = 0;
  while (lines.next()) {
    const Cells cells = split_at_tabs(lines.line());
    if (columns == 0) columns = cells.size();
    if (cells.size() != columns)
      throw InputError(lines.location(), fmt::format("{} cells, but the header has {}", cells.size(), columns),
                       "Put one tab between two cells and none inside");
    visit(cells, lines.line_number());
  }
}

/// Calls visit(cells, line) for each row, the header first.
template <class Visit>
void for_each_row(const std::string& path, const Visit& visit) {
  if (is_tab_separated(path)) return for_each_tab_separated_row(ByteSource(path), visit);
  CsvReader reader{ByteSource(path)};
  visit(reader.columns(), reader.location().line);
  while (reader.next()) visit(reader.cells(), reader.location().line);
}

class LabelReader {
 public:
  LabelReader(std::string file, const std::string& id_column, const std::vector<std::string>& label_columns)
      : id_column_(id_column), label_columns_(label_columns), names_(label_columns.size()) {
    records_.file = std::move(file);
    records_.labels.resize(label_columns.size());
  }

  void add(const Cells& cells, std::uint64_t line) {
    if (columns_.empty()) find_columns(cells, line);
    else add_record(cells, line);
  }

  LabelledRecords finish() {
    if (records_.lines.empty())
      throw InputError({.file = records_.file}, "a table without records", "The first line names columns, no record");
    return std::move(records_);
  }

 private:
  void find_columns(const Cells& header, std::uint64_t line) {
    columns_ = {id_column_.empty() ? 0 : find_column(header, id_column_, line)};
    for (const std::string& name : label_columns_) {
      const std::size_t column = name.empty() ? header.size() - 1 : find_column(header, name, line);
      if (std::ranges::count(columns_, column) > 0)
        throw InputError({.file = records_.file, .line = line},
                         fmt::format("column '{}' cannot be two of id, clusters and gold labels", header[column]),
                         "Name the columns: --id, --clusters-column, --gold");
      columns_.push_back(column);
    }
  }

  std::size_t find_column(const Cells& header, const std::string& name, std::uint64_t line) const {
    const auto at = std::ranges::find(header, name);
    if (at == header.end())
      throw InputError({.file = records_.file, .line = line}, fmt::format("no column is called '{}'", name),
                       fmt::format("The columns are: {}", fmt::join(header, ", ")));
    return static_cast<std::size_t>(at - header.begin());
  }

  void add_record(const Cells& cells, std::uint64_t line) {
    const std::uint32_t record = records_.ids.add(cells[columns_[0]]);
    if (record < records_.lines.size())
      throw InputError({.file = records_.file, .line = line},
                       fmt::format("the id '{}' is that of line {} too", cells[columns_[0]], records_.lines[record]),
                       "Give every record its own id; --id names the column of ids");
    records_.lines.push_back(line);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string& label = cells[columns_[i + 1]];
      records_.labels[i].push_back(label.empty() ? kUnlabelled : names_[i].add(label));
    }
  }

  const std::string& id_column_;
  const std::vector<std::string>& label_columns_;
  std::vector<std::size_t> columns_;  // of the id, then of the labels
  std::vector<Dictionary> names_;     // [label column]
  LabelledRecords records_;
};

/// The number in `other` of a record of `records`.
std::uint32_t find_record(const LabelledRecords& records, std::uint32_t record, const LabelledRecords& other) {
  const std::string_view id = records.ids.text(record);
  const std::uint32_t found = other.ids.find(id);
  if (found == kNoId)
    throw InputError({.file = records.file, .line = records.lines[record]},
                     fmt::format("{} has no record with the id '{}'", other.file, id),
                     "Give both files the same records; the gold label of a record may be empty");
  return found;
}

}  // namespace

LabelledRecords read_labels(const std::string& path, const std::string& id_column,
                            const std::vector<std::string>& label_columns) {
  const bool is_standard_input = path.empty() || path == "-";
  LabelReader reader(is_standard_input ? "<stdin>" : path, id_column, label_columns);
  for_each_row(path, [&](const Cells& cells, std::uint64_t line) { reader.add(cells, line); });
  return reader.finish();
}

ClusterMetrics score_labels(const LabelledRecords& records, const LabelledRecords& gold) {
  const std::vector<std::uint32_t>& clusters = records.labels.front();
  std::vector<std::uint32_t> gold_labels;
  for (std::uint32_t r = 0; r < clusters.size(); ++r) {
    if (clusters[r] == kUnlabelled)
      throw InputError({.file = records.file, .line = records.lines[r]}, "a record without a cluster",
                       "Give every record a cluster; --clusters-column names the column, else it is the last");
    gold_labels.push_back(gold.labels.back()[find_record(records, r, gold)]);
  }
  // Ids differ, so where there are as many, they are the same.
  if (gold.lines.size() > records.lines.size())
    for (std::uint32_t r = 0; r < gold.lines.size(); ++r) find_record(gold, r, records);

  const ClusterMetrics metrics = score_clusters(clusters, gold_labels);
  if (metrics.mentions == 0)
    throw InputError({.file = gold.file}, "no record has a gold label", "Name the column of gold labels by --gold");
  return metrics;
}

}  // namespace fovea
