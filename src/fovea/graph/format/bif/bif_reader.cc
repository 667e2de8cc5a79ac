// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fovea/base/text.h"
#include "fovea/graph/format/bif/bif.h"
#include "fovea/graph/format/tables/name_index.h"
#include "fovea/graph/format/tables/number_list.h"
#include "fovea/graph/format/tables/table_pool.h"
#include "fovea/io/token_reader.h"

namespace fovea::graph {
namespace {

constexpr std::string_view kPunctuation = "{}()[];,|";
constexpr std::size_t kMaxParents = 4096;

/// Distributions of a child in one probability block, row by row. A row is the distribution of the child for one joint
/// value of its parents, the last parent fastest.
struct ConditionalTable {
  std::vector<VariableId> scope;          // parents, then the child
  std::size_t child_values = 0;           // >= 1
  std::size_t row_count = 0;              // joint values of the parents
  std::vector<std::size_t> rows;          // given, in the order of the file
  std::unordered_set<std::size_t> given;  // the same
  std::vector<double> entries;            // of those rows, logarithms
  std::vector<double> defaults;           // the row for the others, if any
};

class BifReader {
 public:
  explicit BifReader(io::ByteSource source)
      : tokens_(std::move(source),
                {.punctuation = kPunctuation, .line_comment = "//", .block_comments = true, .quotes = true}),
        tables_(builder_) {}

  ModelFile read() {
    bool is_empty = true;
    for (; tokens_.next(); is_empty = false) read_block();
    if (is_empty) tokens_.refuse("the file holds nothing", "Give a Bayesian network in BIF");
    const auto without = std::ranges::find(block_lines_, 0u);
    if (without != block_lines_.end())
      tokens_.refuse(fmt::format("the variable '{}' has no probabilities",
                                 names_.variables[static_cast<std::size_t>(without - block_lines_.begin())]),
                     "Write a probability block for each variable");
    ModelFile model{.graph = builder_.build(), .names = std::move(names_), .format = "bif", .is_bayesian = true};
    refuse_cycle(model);
    return model;
  }

 private:
  void read_block() {
    if (tokens_.token() == "network") read_network();
    else if (tokens_.token() == "variable") read_variable();
    else if (tokens_.token() == "probability") read_probability();
    else
      tokens_.refuse(fmt::format("{} is not network, variable or probability", io::quoted_for_message(tokens_.token())),
                     "Give a Bayesian network in BIF, or name the format of the file");
  }

  // Pieces of the grammar.

  bool at_punctuation() const {
    return !tokens_.is_quoted() && tokens_.token().size() == 1 &&
           kPunctuation.find(tokens_.token()[0]) != std::string_view::npos;
  }

  std::string_view read_name(std::string_view what) {
    const std::string_view name = tokens_.expect(what);
    if (at_punctuation() || name.empty())
      tokens_.refuse(fmt::format("{} where {} should be", io::quoted_for_message(name), what),
                     "Put names that hold punctuation in quotes");
    return name;
  }

  void expect_punctuation(char character) {
    if (tokens_.consume_if(character)) return;
    tokens_.expect(fmt::format("a '{}'", character));
    tokens_.refuse(fmt::format("{} where a '{}' should be", io::quoted_for_message(tokens_.token()), character),
                   "Put names that hold punctuation in quotes");
  }

  void expect_word(std::string_view word) {
    if (tokens_.expect(word) != word)
      tokens_.refuse(fmt::format("{} where '{}' should be", io::quoted_for_message(tokens_.token()), word));
  }

  void skip_property() {
    while (!tokens_.consume_if(';')) tokens_.expect("the ';' after a property");
  }

  VariableId read_known_variable() {
    const std::string_view name = read_name("a variable's name");
    if (const auto v = variables_.find(name)) return *v;
    tokens_.refuse(
        fmt::format("unknown variable {}.{}", io::quoted_for_message(name), suggestion(name, names_.variables)),
        "Declare variables before their probabilities");
  }

  Value read_known_value(VariableId v) {
    const std::string_view name = read_name("a parent's value");
    if (const auto value = values_[v].find(name)) return static_cast<Value>(*value);
    tokens_.refuse(fmt::format("'{}' has no value {}.{}", names_.variables[v], io::quoted_for_message(name),
                               suggestion(name, names_.values[v])),
                   "Use the values of the variable's declaration");
  }

  // network and variable.

  void read_network() {
    names_.model = read_name("the network's name");
    expect_punctuation('{');
    while (!tokens_.consume_if('}')) {
      expect_word("property");
      skip_property();
    }
  }

  void read_variable() {
    const std::string name(read_name("a variable's name"));
    if (!variables_.add(name)) tokens_.refuse(fmt::format("the variable '{}' is declared twice", name));
    names_.variables.push_back(name);
    names_.values.emplace_back();
    expect_punctuation('{');
    while (!tokens_.consume_if('}')) {
      if (tokens_.expect("'type' or '}'") == "property") skip_property();
      else if (tokens_.token() == "type") read_type(name);
      else tokens_.refuse(fmt::format("{} is not 'type' or 'property'", io::quoted_for_message(tokens_.token())));
    }
    if (names_.values.back().empty()) tokens_.refuse(fmt::format("the variable '{}' has no type", name));
    builder_.add_variable(names_.values.back().size());
    block_lines_.push_back(0);
  }

  void read_type(const std::string& variable) {
    std::vector<std::string>& values = names_.values.back();
    if (!values.empty()) tokens_.refuse(fmt::format("a second type of '{}'", variable));
    if (tokens_.expect("discrete") != "discrete")
      tokens_.refuse(fmt::format("'{}' is of type {}", variable, io::quoted_for_message(tokens_.token())),
                     "Only discrete variables are supported");
    expect_punctuation('[');
    const std::uint64_t count =
        tokens_.integer(fmt::format("the number of values of '{}'", variable), 1, std::numeric_limits<Value>::max());
    expect_punctuation(']');
    expect_punctuation('{');
    values_.emplace_back();
    while (!tokens_.consume_if('}')) {
      values.emplace_back(read_name("a value or '}'"));
      if (!values_.back().add(values.back()))
        tokens_.refuse(fmt::format("'{}' has the value '{}' twice", variable, values.back()));
      tokens_.consume_if(',');
    }
    if (values.size() != count)
      tokens_.refuse(fmt::format("'{}' announces {} values and names {}", variable, count, values.size()),
                     "Correct the number, or quote values that hold blanks");
    expect_punctuation(';');
  }

  // probability.

  void read_probability() {
    ConditionalTable table = read_header();
    const VariableId child = table.scope.back();
    block_lines_[child] = tokens_.location().line;
    expect_punctuation('{');
    while (!tokens_.consume_if('}')) {
      if (tokens_.consume_if('(')) read_row(table);
      else if (tokens_.expect("a row or '}'") == "table") read_whole_table(table);
      else if (tokens_.token() == "default") read_default(table);
      else if (tokens_.token() == "property") skip_property();
      else
        tokens_.refuse(
            fmt::format("{} is not a row, 'table', 'default' or 'property'", io::quoted_for_message(tokens_.token())));
    }
    add_factor(table);
  }

  ConditionalTable read_header() {
    constexpr std::size_t kMaxEntries = std::numeric_limits<std::uint32_t>::max();
    ConditionalTable table;
    expect_punctuation('(');
    const VariableId child = read_known_variable();
    if (block_lines_[child] != 0)
      tokens_.refuse(fmt::format("a second probability block for '{}'; the first is on line {}",
                                 names_.variables[child], block_lines_[child]),
                     "Keep one of the two");
    table.child_values = builder_.cardinality(child);
    table.row_count = 1;
    tokens_.consume_if('|');
    while (!tokens_.consume_if(')')) {
      const VariableId parent = read_known_variable();
      if (parent == child || std::ranges::find(table.scope, parent) != table.scope.end())
        tokens_.refuse(fmt::format("'{}' appears twice in the head of a probability block", names_.variables[parent]),
                       "Name the child once and each parent once");
      if (table.scope.size() == kMaxParents) tokens_.refuse(fmt::format("more than {} parents", kMaxParents));
      table.scope.push_back(parent);
      table.row_count *= builder_.cardinality(parent);
      if (table.row_count * table.child_values > kMaxEntries)
        tokens_.refuse(fmt::format("the table of '{}' would have 2^32 or more entries", names_.variables[child]));
      tokens_.consume_if(',');
    }
    table.scope.push_back(child);
    return table;
  }

  void read_row(ConditionalTable& table) {
    std::size_t row = 0;
    for (std::size_t i = 0; i + 1 < table.scope.size(); ++i) {
      row = row * builder_.cardinality(table.scope[i]) + read_known_value(table.scope[i]);
      tokens_.consume_if(',');
    }
    expect_punctuation(')');
    if (!table.given.insert(row).second)
      tokens_.refuse(fmt::format("the row {} is given twice", row_name(table, row)), "Keep one of the two");
    table.rows.push_back(row);
    const std::vector<double> numbers = read_numbers(table.child_values);
    check_sum(table, row, numbers);
    table.entries.insert(table.entries.end(), numbers.begin(), numbers.end());
  }

  void read_whole_table(ConditionalTable& table) {
    const std::vector<double> numbers = read_numbers(table.row_count * table.child_values);
    if (!table.rows.empty()) tokens_.refuse("a 'table' after other rows", "Give the table alone");
    table.entries.resize(numbers.size());
    for (std::size_t row = 0; row < table.row_count; ++row) {
      double* const entries = table.entries.data() + row * table.child_values;
      for (std::size_t k = 0; k < table.child_values; ++k) entries[k] = numbers[k * table.row_count + row];
      check_sum(table, row, {entries, table.child_values});
      table.rows.push_back(row);
      table.given.insert(row);
    }
  }

  void read_default(ConditionalTable& table) {
    if (!table.defaults.empty()) tokens_.refuse("a second 'default'", "Keep one of the two");
    table.defaults = read_numbers(table.child_values);
    check_sum(table, 0, table.defaults);
  }

  /// Reads the probabilities up to the ';', as logarithms.
  std::vector<double> read_numbers(std::size_t count) {
    std::vector<double> numbers;
    while (!tokens_.consume_if(';')) {
      tokens_.expect("a probability or ';'");
      const double log_value = log_of_decimal(tokens_.token());
      if (!(log_value <= std::log1p(kBifSumTolerance)))
        tokens_.refuse(fmt::format("{} is not a probability", io::quoted_for_message(tokens_.token())),
                       "Write numbers from 0 to 1, and ';' after the last of a row");
      if (numbers.size() == count) tokens_.refuse(fmt::format("more than {} probabilities in a row", count));
      numbers.push_back(log_value);
      tokens_.consume_if(',');
    }
    if (numbers.size() != count)
      tokens_.refuse(fmt::format("{} probabilities where {} should be", numbers.size(), count),
                     "Give one for each value of the variable");
    return numbers;
  }

  void check_sum(const ConditionalTable& table, std::size_t row, std::span<const double> log_probabilities) const {
    double sum = 0;
    for (const double log_probability : log_probabilities) sum += std::exp(log_probability);
    if (std::abs(sum - 1) > kBifSumTolerance)
      tokens_.refuse(fmt::format("the probabilities {} sum to {:.6g}", row_name(table, row), sum),
                     "They must sum to 1 within 0.001");
  }

  /// "of 'child' given (a, b)".
  std::string row_name(const ConditionalTable& table, std::size_t row) const {
    std::vector<std::string> values;
    for (std::size_t i = table.scope.size() - 1; i-- > 0; row /= builder_.cardinality(table.scope[i]))
      values.push_back(names_.values[table.scope[i]][row % builder_.cardinality(table.scope[i])]);
    std::ranges::reverse(values);
    const std::string given = values.empty() ? "" : fmt::format(" given ({})", fmt::join(values, ", "));
    return fmt::format("of '{}'{}", names_.variables[table.scope.back()], given);
  }

  void add_factor(const ConditionalTable& table) {
    if (table.defaults.empty() && table.rows.size() != table.row_count) {
      std::size_t missing = 0;
      while (table.given.contains(missing)) ++missing;
      tokens_.refuse(fmt::format("{} of {} rows are missing, such as the probabilities {}",
                                 table.row_count - table.rows.size(), table.row_count, row_name(table, missing)),
                     "Give each row, or a 'default'");
    }
    default_entries_ += (table.row_count - table.rows.size()) * table.child_values;
    if (default_entries_ > kMaxBifDefaultEntries)
      tokens_.refuse(fmt::format("'default' rows of more than {} entries", kMaxBifDefaultEntries),
                     "Give the network's factors in a smaller form");
    std::vector<double> entries;
    entries.reserve(table.row_count * table.child_values);
    for (std::size_t row = 0; row < table.row_count && !table.defaults.empty(); ++row)
      entries.insert(entries.end(), table.defaults.begin(), table.defaults.end());
    entries.resize(table.row_count * table.child_values);
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      std::copy_n(table.entries.data() + i * table.child_values, table.child_values,
                  entries.data() + table.rows[i] * table.child_values);
    builder_.add_factor(table.scope, tables_.add(entries));
  }

  void refuse_cycle(const ModelFile& model) const {
    const std::vector<VariableId> cycle = find_directed_cycle(model.graph);
    if (cycle.empty()) return;
    constexpr std::size_t kMaxShown = 10;
    std::string path;
    for (std::size_t i = 0; i < std::min(kMaxShown, cycle.size()); ++i)
      path += model.names.variables[cycle[i]] + " -> ";
    path += cycle.size() > kMaxShown ? "..." : model.names.variables[cycle[0]];
    throw InputError({.file = tokens_.location().file, .line = block_lines_[cycle[0]]},
                     fmt::format("the network has a directed cycle: {}", path),
                     "Remove one of these parents; Bayesian networks have no cycles");
  }

  io::TokenReader tokens_;
  FactorGraph::Builder builder_;
  TablePool tables_;
  ModelNames names_;
  NameIndex variables_;
  std::vector<NameIndex> values_;           // [variable]
  std::vector<std::uint64_t> block_lines_;  // [variable] line of its probability block, 0: none yet
  std::size_t default_entries_ = 0;
};

}  // namespace

ModelFile read_bif(io::ByteSource source) { return BifReader(std::move(source)).read(); }

}  // namespace fovea::graph
