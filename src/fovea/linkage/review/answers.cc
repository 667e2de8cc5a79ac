// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/review/answers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::linkage {
namespace {

const std::vector<std::string> kAnswerColumns = {"first_id", "second_id", "match"};

}  // namespace

ReviewAnswers::ReviewAnswers(std::string path, const io::Table& records, std::size_t id_column, const io::IdIndex& ids)
    : path_(std::move(path)), lock_(path_), records_(records), id_column_(id_column) {
  if (!std::filesystem::exists(path_)) {
    io::check_table_can_be_written(path_, kAnswerColumns);
    return;
  }
  const io::Table table = io::read_table(path_);
  if (table.columns() != kAnswerColumns)
    throw InputError({.file = path_}, "is not a table of answers: these have the columns first_id, second_id and match",
                     "Name another file by option 'answers'");
  pairs_ = read_labelled_pairs(table, RecordNames{&ids, records.row_count()});
}

void ReviewAnswers::add(const LabelledRowPair& pair) {
  pairs_.push_back(pair);
  write();
}

void ReviewAnswers::remove_last() {
  pairs_.pop_back();
  write();
}

void ReviewAnswers::set(RowPair rows, std::optional<bool> is_match) {
  std::erase_if(pairs_, [&](const LabelledRowPair& pair) {
    return std::minmax(pair.rows.first, pair.rows.second) == std::minmax(rows.first, rows.second);
  });
  if (is_match) pairs_.push_back({rows, *is_match});
  write();
}

io::Table ReviewAnswers::table() const {
  io::Table table(path_, kAnswerColumns);
  for (const LabelledRowPair& pair : pairs_)
    table.add_row(cells(pair), 1 + static_cast<std::int64_t>(table.row_count()));
  return table;
}

std::array<std::string_view, 3> ReviewAnswers::cells(const LabelledRowPair& pair) const {
  return {records_.cell(pair.rows.first, id_column_), records_.cell(pair.rows.second, id_column_),
          pair.is_match ? "1" : "0"};
}

void ReviewAnswers::write() const {
  const auto writer = io::make_table_writer(path_, kAnswerColumns);
  for (const LabelledRowPair& pair : pairs_) writer->add_row(cells(pair));
  writer->finish();
}

}  // namespace fovea::linkage
