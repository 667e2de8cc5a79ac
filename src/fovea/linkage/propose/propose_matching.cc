// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/propose/propose_matching.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/propose/column_profile.h"
#include "fovea/linkage/propose/propose_rules.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kMostRecords = 100000;

/// Records of a table: all, or about `most` that are drawn.
io::Table sample_of(const io::Table& table, std::size_t most, Random& random) {
  io::Table sample(table.name(), table.columns());
  const double share = static_cast<double>(most) / static_cast<double>(std::max<std::size_t>(table.row_count(), 1));
  std::vector<std::string_view> cells(table.column_count());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (share < 1 && !random.bernoulli(share)) continue;
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = table.cell(row, c);
    sample.add_row(cells, table.number(row));
  }
  return sample;
}

std::string_view kind_of(ColumnForm form) {
  switch (form) {
    case ColumnForm::kDate:
      return ":date";
    case ColumnForm::kEmail:
    case ColumnForm::kDigits:
      return ":edits";
    case ColumnForm::kElements:
      return ":elements";
    case ColumnForm::kText:
      return ":words";
    case ColumnForm::kInitials:
      return ":given_name";
    case ColumnForm::kName:
      return ":jaro_winkler";
    case ColumnForm::kCategory:
    case ColumnForm::kUseless:
      return "";
  }
  return "";
}

std::vector<ColumnProfile> useful_columns(const io::Table& table, const std::set<std::string>& left_out) {
  std::vector<ColumnProfile> useful;
  for (std::size_t column = 0; column < table.column_count(); ++column) {
    if (left_out.contains(table.columns()[column])) continue;
    ColumnProfile profile = profile_column(table, column);
    const auto is_copy = [&](const ColumnProfile& earlier) { return are_copies(earlier, profile); };
    if (profile.form == ColumnForm::kUseless || std::ranges::any_of(useful, is_copy)) continue;
    useful.push_back(std::move(profile));
  }
  return useful;
}

/// Mentions of authors are told apart by what they wrote and with whom; who has a rare name and a coauthor in common is
/// found only by comparing all namesakes. Nothing but the names of the columns says that a table is of this sort.
std::optional<MatchingProposal> for_authors(const io::Table& table, const std::set<std::string>& left_out) {
  const auto has = [&](const char* column) { return table.find_column(column) && !left_out.contains(column); };
  std::string given, surname;
  if (has("first") && has("last")) std::tie(given, surname) = std::pair("first", "last");
  else if (has("given") && has("surname")) std::tie(given, surname) = std::pair("given", "surname");
  else return std::nullopt;
  if (!has("coauthors") && !has("affiliation")) return std::nullopt;
  std::vector<std::string> comparisons = {given + ":given_name", surname};
  const auto compare_if_present = [&](const char* column, const char* kind) {
    if (has(column)) comparisons.push_back(fmt::format("{}{}", column, kind));
  };
  compare_if_present("affiliation", ":words");
  compare_if_present("coauthors", ":elements");
  compare_if_present("title", ":words");
  compare_if_present("venue", "");
  compare_if_present("year", ":number");
  return MatchingProposal{fmt::format("{}", fmt::join(comparisons, ", ")),
                          fmt::format("{}+initial({})", surname, given)};
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

std::string MatchingProposal::text() const {
  return fmt::format("option 'compare' {} option 'block' {}", shell_quoted(compare), shell_quoted(block));
}

std::string propose_train_rules(const io::Table& table, const std::set<std::string>& left_out, Random random) {
  const io::Table sample = sample_of(table, kMostRecords, random);
  return propose_rules_to_learn_from(sample, useful_columns(sample, left_out), table.row_count(),
                                     random.child("rules"));
}

MatchingProposal propose_matching(const io::Table& table, const std::set<std::string>& left_out,
                                  const MatchingProposal& given, Random random) {
  if (const auto authors = for_authors(table, left_out))
    return {given.compare.empty() ? authors->compare : given.compare,
            given.block.empty() ? authors->block : given.block};
  const io::Table sample = sample_of(table, kMostRecords, random);
  const std::vector<ColumnProfile> columns = useful_columns(sample, left_out);
  MatchingProposal proposal = given;
  if (proposal.compare.empty()) {
    std::vector<std::string> comparisons;
    for (const ColumnProfile& column : columns) comparisons.push_back(column.name + std::string(kind_of(column.form)));
    proposal.compare = fmt::format("{}", fmt::join(comparisons, ", "));
  }
  if (proposal.block.empty()) proposal.block = propose_rules(sample, columns, table.row_count(), random.child("rules"));
  constexpr std::size_t kFewest = 2;  // to learn without labels
  if ((given.compare.empty() && columns.size() < kFewest) || proposal.block.empty())
    throw InputError({.file = table.name()},
                     fmt::format("of {} columns, {} can be compared and agree in some records: that is not enough to "
                                 "propose comparisons and rules",
                                 table.column_count(), columns.size()),
                     "Give option 'compare' and option 'block', for example option 'compare' 'name:jaro_winkler, "
                     "born:date, city' option 'block' 'surname, soundex(name)+year(born)'");
  return proposal;
}

}  // namespace fovea::linkage
