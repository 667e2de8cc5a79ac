// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/solution_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "fovea/graph/format/tables/number_list.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kMaxAnswers = 1000;  // of the task MAP, in one file
constexpr std::string_view kCheckModel = "Check that the file belongs to this model";

void expect_word(io::TokenReader& tokens, std::string_view word) {
  if (tokens.expect(fmt::format("the word {}", word)) != word)
    tokens.refuse(fmt::format("the first word is {}, not {}", io::quoted_for_message(tokens.token()), word),
                  "Give a solution file for the task " + std::string(word));
}

/// Index at which an answer of `size` numbers begins, after the number of samples or without it.
std::size_t first_number(const NumberList& numbers, std::size_t size) {
  if (numbers.size() == size) return 0;
  if (numbers.size() == size + 1 && numbers[0] == 1) return 1;
  numbers.refuse(0, fmt::format("{} numbers, where an answer has {}", numbers.size(), size), kCheckModel);
}

void check_count(const NumberList& numbers, std::size_t i, std::size_t count, std::string_view what) {
  if (numbers[i] != static_cast<double>(count))
    numbers.refuse(i, fmt::format("{} is {}, but the model has {}", what, numbers[i], count), kCheckModel);
}

/// Index at which the first of one or more assignments of `count` values begins.
std::size_t first_assignment(const NumberList& numbers, std::size_t count) {
  const std::size_t size = count + 1, answers = numbers.empty() ? 0 : (numbers.size() - 1) / size;
  const bool has_several = answers > 1 && numbers.size() == 1 + answers * size;
  if (has_several && numbers[0] == static_cast<double>(answers)) return 1;
  return first_number(numbers, size);
}

Value read_value(const NumberList& numbers, std::size_t i, const FactorGraph& graph, VariableId v) {
  return static_cast<Value>(numbers.whole(i, fmt::format("the value of variable {}", v), graph.cardinality(v) - 1));
}

void write_values(std::span<const Value> values, io::OutputFile& output) {
  output.write(fmt::format("{}", values.size()));
  for (const Value value : values) output.write(fmt::format(" {}", value));
  output.write("\n");
}

std::size_t total_cardinality(const FactorGraph& graph) {
  std::size_t total = 0;
  for (const std::size_t cardinality : graph.cardinalities()) total += cardinality;
  return total;
}

}  // namespace

Assignment read_assignment(io::ByteSource source, const FactorGraph& graph) {
  io::TokenReader tokens(std::move(source));
  const std::size_t count = graph.variable_count();
  const bool has_word = tokens.next() && (tokens.token() == "MAP" || tokens.token() == "MPE");
  if (!has_word && !tokens.token().empty()) tokens.back();
  const NumberList numbers(tokens, 1 + kMaxAnswers * (count + 1), "an assignment of this model");
  std::size_t first = 0;
  if (has_word || numbers.size() != count) {
    first = first_assignment(numbers, count);
    check_count(numbers, first++, count, "the number of variables");
  }
  Assignment values(count);
  for (VariableId v = 0; v < count; ++v) values[v] = read_value(numbers, first + v, graph, v);
  return values;
}

void write_assignment(std::span<const Value> values, io::OutputFile& output) {
  output.write("MAP\n");
  write_values(values, output);
}

void write_assignments(std::span<const ScoredAssignment> answers, io::OutputFile& output) {
  output.write(fmt::format("MAP\n{}\n", answers.size()));
  for (const ScoredAssignment& answer : answers) write_values(answer.values, output);
}

MarginalTable read_marginals(io::ByteSource source, const FactorGraph& graph) {
  constexpr double kTolerance = 1e-3;  // other programs round
  io::TokenReader tokens(std::move(source));
  expect_word(tokens, "MAR");
  const std::size_t size = 1 + graph.variable_count() + total_cardinality(graph);
  const NumberList numbers(tokens, size + 1, "the marginals of this model");
  std::size_t i = first_number(numbers, size);
  check_count(numbers, i++, graph.variable_count(), "the number of variables");
  MarginalTable marginals(graph.variable_count());
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    check_count(numbers, i++, graph.cardinality(v), fmt::format("the cardinality of variable {}", v));
    for (std::size_t k = 0; k < graph.cardinality(v); ++k, ++i) {
      if (!(numbers[i] >= 0 && numbers[i] <= 1 + kTolerance))
        numbers.refuse(i, fmt::format("{} as the probability of variable {} is not from 0 to 1", numbers[i], v));
      marginals[v].push_back(numbers[i]);
    }
  }
  return marginals;
}

void write_marginals(const MarginalTable& marginals, io::OutputFile& output) {
  output.write(fmt::format("MAR\n{}", marginals.size()));
  for (const std::vector<double>& distribution : marginals)
    output.write(fmt::format(" {} {:.10g}", distribution.size(), fmt::join(distribution, " ")));
  output.write("\n");
}

double read_log_partition(io::ByteSource source) {
  io::TokenReader tokens(std::move(source));
  expect_word(tokens, "PR");
  std::vector<double> numbers;
  while (tokens.next()) {
    if (numbers.size() == 2) tokens.refuse("more than one answer", "Give a file of one sample");
    if (tokens.token() == "-inf") {
      numbers.push_back(-std::numeric_limits<double>::infinity());
      continue;
    }
    tokens.back();
    numbers.push_back(tokens.number("log10 Z"));
  }
  if (numbers.empty() || (numbers.size() == 2 && numbers[0] != 1))
    tokens.refuse("the file does not hold exactly one log10 Z", "Write the word PR and one number");
  return numbers.back() * std::numbers::ln10;
}

void write_log_partition(double log_z, io::OutputFile& output) {
  output.write(fmt::format("PR\n{:.17g}\n", log_z / std::numbers::ln10));
}

Evidence read_marginal_map(io::ByteSource source, const FactorGraph& graph) {
  io::TokenReader tokens(std::move(source));
  expect_word(tokens, "MMAP");
  const NumberList numbers(tokens, 2 * graph.variable_count() + 2, "values of this model");
  // "1 n v x ..." has an even number of numbers, "n v x ..." an odd one.
  const std::size_t first = numbers.size() % 2 == 0 ? 1 : 0;
  const std::size_t pairs = numbers.size() / 2 - first;
  if (numbers.empty() || (first == 1 && numbers[0] != 1))
    numbers.refuse(0, fmt::format("{} numbers are not a number n and n pairs of variable and value", numbers.size()));
  if (numbers[first] != static_cast<double>(pairs))
    numbers.refuse(first, fmt::format("{} values are announced, but {} follow", numbers[first], pairs), kCheckModel);
  Evidence values;
  std::vector<bool> is_given(graph.variable_count());
  for (std::size_t i = first + 1; i < numbers.size(); i += 2) {
    if (is_given.empty()) numbers.refuse(i, "a variable, but the model has none");
    const auto v = static_cast<VariableId>(numbers.whole(i, "a variable", graph.variable_count() - 1));
    if (is_given[v]) numbers.refuse(i, fmt::format("variable {} is given twice", v), "Keep one of the two");
    is_given[v] = true;
    values.push_back({.variable = v, .value = read_value(numbers, i + 1, graph, v)});
  }
  return values;
}

void write_marginal_map(std::span<const Observation> values, io::OutputFile& output) {
  output.write(fmt::format("MMAP\n{}", values.size()));
  for (const Observation& observation : values)
    output.write(fmt::format(" {} {}", observation.variable, observation.value));
  output.write("\n");
}

}  // namespace fovea::graph
