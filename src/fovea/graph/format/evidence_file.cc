// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/evidence_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/graph/format/tables/name_index.h"
#include "fovea/graph/format/tables/number_list.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kMostSamples = 10'000;

/// Range of the numbers that are pairs of variable and value.
struct PairRange {
  std::size_t begin, end;
};

/// Range of each sample, if the first number counts samples and each sample begins with its own count; empty if the
/// counts do not add up.
std::vector<PairRange> sample_ranges(const NumberList& numbers) {
  std::vector<PairRange> samples;
  std::size_t at = 1;
  for (double left = numbers[0]; left >= 1 && at < numbers.size(); --left) {
    const double count = numbers[at];
    if (!(count >= 0) || count > static_cast<double>(numbers.size())) return {};
    samples.push_back({at + 1, at + 1 + 2 * static_cast<std::size_t>(count)});
    at = samples.back().end;
  }
  return at == numbers.size() && static_cast<double>(samples.size()) == numbers[0] ? samples : std::vector<PairRange>();
}

PairRange pair_range(const NumberList& numbers, std::size_t sample) {
  std::vector<PairRange> samples = sample_ranges(numbers);
  if (static_cast<double>(numbers.size()) == 1 + 2 * numbers[0]) samples = {{1, numbers.size()}};
  if (samples.empty())
    numbers.refuse(
        0,
        fmt::format("{} observed variables are announced, but {} numbers follow, not two for each", numbers[0],
                    numbers.size() - 1),
        "Write the number of observed variables, then each with its value; before several samples, write their number");
  if (sample == 0 && samples.size() > 1)
    numbers.refuse(0, fmt::format("{} samples of evidence", samples.size()),
                   fmt::format("Name one by option 'evidence-sample', 1 to {}", samples.size()));
  if (sample > samples.size())
    numbers.refuse(0, fmt::format("the evidence has no sample {}", sample),
                   fmt::format("Name one by option 'evidence-sample', 1 to {}", samples.size()));
  return samples[std::max<std::size_t>(sample, 1) - 1];
}

/// Marks v; false if it was marked before.
bool mark(std::vector<bool>& is_marked, VariableId v) {
  const bool is_new = !is_marked[v];
  is_marked[v] = true;
  return is_new;
}

VariableId read_variable(const NumberList& numbers, std::size_t i, const FactorGraph& graph) {
  if (graph.variable_count() == 0) numbers.refuse(i, "a variable, but the model has none");
  return static_cast<VariableId>(numbers.whole(i, "a variable", graph.variable_count() - 1));
}

std::optional<std::uint32_t> number_below(std::string_view text, std::size_t limit) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number >= limit) return std::nullopt;
  return number;
}

/// Finds `text` among `names`, or else reads it as a number below `count`.
std::uint32_t find_by_name(std::string_view text, const NameIndex& index, const std::vector<std::string>& names,
                           std::size_t count, std::string_view what) {
  if (const auto named = index.find(text)) return *named;
  if (const auto number = number_below(text, count)) return *number;
  const std::string range = count == 0 ? "the model has none" : fmt::format("numbers are 0 to {}", count - 1);
  throw UsageError(fmt::format("evidence: no {} '{}' ({}).{}", what, text, range, suggestion(text, names)));
}

/// Takes the next "variable=value" off a list. A value may contain commas: the text after a comma belongs to the value
/// unless it has a '=' of its own. In double quotes all characters stand for themselves.
std::string_view take_item(std::string_view& text) {
  std::size_t end = find_in_expression(text, ',');
  while (end != std::string_view::npos) {
    const std::string_view following = text.substr(end + 1);
    const std::size_t next = find_in_expression(following, ',');
    if (find_in_expression(following.substr(0, next), '=') != std::string_view::npos) break;
    end = next == std::string_view::npos ? next : end + 1 + next;
  }
  const std::string_view item = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return item;
}

std::string name_in(std::string_view text) {
  if (std::optional<std::string> name = unquoted(text)) return *std::move(name);
  throw UsageError(
      fmt::format("evidence: a double quote in '{}' is not closed, or the quotes do not enclose all of it", text));
}

}  // namespace

Evidence read_evidence(io::ByteSource source, const FactorGraph& graph, std::size_t sample) {
  io::TokenReader tokens(std::move(source));
  const NumberList numbers(tokens, kMostSamples * (2 * graph.variable_count() + 1) + 1,
                           "the evidence about this model");
  Evidence evidence;
  if (numbers.empty()) return evidence;
  std::vector<bool> is_observed(graph.variable_count());
  const PairRange pairs = pair_range(numbers, sample);
  for (std::size_t i = pairs.begin; i < pairs.end; i += 2) {
    const VariableId v = read_variable(numbers, i, graph);
    if (!mark(is_observed, v))
      numbers.refuse(i, fmt::format("variable {} is observed twice", v), "Keep one of the two");
    const auto value =
        static_cast<Value>(numbers.whole(i + 1, fmt::format("the value of variable {}", v), graph.cardinality(v) - 1));
    evidence.push_back({.variable = v, .value = value});
  }
  return evidence;
}

Evidence parse_evidence(std::string_view text, const FactorGraph& graph, const ModelNames& names) {
  const NameIndex variables(names.variables);
  std::vector<bool> is_observed(graph.variable_count());
  Evidence evidence;
  while (!text.empty()) {
    const std::string_view item = take_item(text);
    const std::size_t equals = find_in_expression(item, '=');
    if (equals == std::string_view::npos)
      throw UsageError(fmt::format("evidence: '{}' is not of the form variable=value", item));
    const VariableId v =
        find_by_name(name_in(item.substr(0, equals)), variables, names.variables, graph.variable_count(), "variable");
    if (!mark(is_observed, v)) throw UsageError(fmt::format("evidence: '{}' is given twice", names.variable(v)));
    static const std::vector<std::string> kNoNames;
    const std::vector<std::string>& values = names.values.empty() ? kNoNames : names.values[v];
    const std::uint32_t value = find_by_name(name_in(item.substr(equals + 1)), NameIndex(values), values,
                                             graph.cardinality(v), fmt::format("value of '{}'", names.variable(v)));
    evidence.push_back({.variable = v, .value = static_cast<Value>(value)});
  }
  return evidence;
}

Evidence evidence_argument(const std::string& argument, const FactorGraph& graph, const ModelNames& names,
                           std::size_t sample) {
  if (argument.empty()) return {};
  std::error_code ignored;
  if (argument != "-" && !std::filesystem::exists(argument, ignored)) {
    if (argument.find('=') != std::string::npos) return parse_evidence(argument, graph, names);
    throw InputError({.file = argument}, "no such file", "Give a UAI evidence file, or a list such as smoke=yes,7=1");
  }
  return read_evidence(io::ByteSource(argument), graph, sample);
}

std::vector<VariableId> read_query(io::ByteSource source, const FactorGraph& graph) {
  io::TokenReader tokens(std::move(source));
  const NumberList numbers(tokens, graph.variable_count() + 1, "a query about this model");
  std::vector<VariableId> query;
  const std::uint64_t count = numbers.whole(0, "the number of query variables", graph.variable_count());
  if (count + 1 != numbers.size())
    numbers.refuse(0, fmt::format("{} query variables are announced, but {} numbers follow", count, numbers.size() - 1),
                   "Write the number of variables, then each of them");
  std::vector<bool> is_asked(graph.variable_count());
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    query.push_back(read_variable(numbers, i, graph));
    if (!mark(is_asked, query.back()))
      numbers.refuse(i, fmt::format("variable {} is asked for twice", query.back()), "Keep one of the two");
  }
  return query;
}

}  // namespace fovea::graph
