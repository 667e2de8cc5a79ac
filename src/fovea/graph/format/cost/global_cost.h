// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The global cost functions of toulbar2's formats: costs of many variables that a keyword and its parameters describe.
// They are written out as tables, of two variables at a time if that is equivalent.

namespace fovea::graph {

/// Parameters of a keyword, by the names that .cfn gives the fields. Values and variables are numbers: a variable is
/// its place in the scope.
struct GlobalParameters {
  std::map<std::string, std::string, std::less<>> words;
  std::map<std::string, double, std::less<>> numbers;
  std::map<std::string, std::vector<std::vector<double>>, std::less<>> rows;

  /// Content of a field; "", 0 or an empty list if the keyword does not have it.
  const std::string& word(std::string_view field) const;
  double number(std::string_view field) const;
  const std::vector<std::vector<double>>& list(std::string_view field) const;
};

/// A field of a keyword, in the order of both formats.
struct GlobalField {
  enum class Kind {
    kWord,
    kInteger,
    kCost,
    kRows,          ///< any number of rows; .wcsp counts them
    kScopeRows,     ///< a row for each variable of the scope
    kScopeSets,     ///< a list of values for each variable of the scope; .wcsp counts them
    kMayBeMissing,  ///< an integer that .cfn may leave out
  };
  std::string_view name;
  Kind kind;
  std::string_view columns = {};  ///< of a row: n an integer, v a value, c a cost, x a variable, whose value follows
};

/// Fields of a keyword; nullptr if it is not that of a global cost function.
const std::vector<GlobalField>* global_fields(std::string_view keyword);

/// One term of a global cost function.
struct GlobalPart {
  std::vector<std::size_t> places;  ///< of its variables, in the scope
  /// The cost of their values; +inf if they are forbidden.
  std::function<double(std::span<const std::uint32_t>)> cost;
  double steps = 1;  ///< of the evaluation, roughly
};

/// Returns the terms whose sum is the cost. `cardinalities` are those of the scope; a cost of `bound` or more forbids.
/// Throws UsageError for parameters that make no sense.
std::vector<GlobalPart> global_parts(std::string_view keyword, const GlobalParameters& parameters,
                                     std::span<const std::uint32_t> cardinalities, double bound);

/// Cost of the values, read as a word: that of an automaton with costs (wregular), or that of changes until an
/// automaton accepts the word (sregular; with the metric `edit`, insertions and deletions as well).
std::function<double(std::span<const std::uint32_t>)> automaton_cost(std::string_view keyword,
                                                                     const GlobalParameters& parameters);
double automaton_steps(const GlobalParameters& parameters);

/// Least cost of a parse of the values by a grammar in Chomsky normal form: that of changes of values until a parse
/// exists, or with the metric `weight` that of the rules.
std::function<double(std::span<const std::uint32_t>)> grammar_cost(const GlobalParameters& parameters);
double grammar_steps(const GlobalParameters& parameters, std::size_t arity);

}  // namespace fovea::graph
