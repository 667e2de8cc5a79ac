// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fovea::graph {

/// The functions of OpenGM models that are supported, with the numbers under which OpenGM registers them
/// (opengm/functions/*.hxx, FunctionRegistration). x, y, ... are labels; E is the energy.
enum class OpengmFunctionType : std::uint64_t {
  kExplicit = 16000,                     ///< a table, the first variable fastest
  kSparse = 16001,                       ///< a default and exceptions by their place in a table; values: both
  kAbsoluteDifference = 16002,           ///< E = w |x - y|; values: w
  kTruncatedAbsoluteDifference = 16003,  ///< E = w min(|x - y|, t); values: t, w
  kSquaredDifference = 16004,            ///< E = w (x - y)^2; values: w
  kTruncatedSquaredDifference = 16005,   ///< E = w min((x - y)^2, t); values: t, w
  kPotts = 16006,                        ///< E = a if x = y, else b; values: a, b
  kPottsN = 16007,                       ///< E = a if all labels are equal, else b; values: a, b
  kConstant = 16008,                     ///< E = c; values: c
  kPottsG = 16011,                       ///< one energy for each partition of up to 4 variables by equal labels
};

bool is_supported(OpengmFunctionType type);
/// The name in OpenGM, also of functions that are not supported; "" if it is not known.
std::string name_of(OpengmFunctionType type);

/// One function: its type, the number of labels of each variable, and its values as the type defines them.
struct OpengmFunction {
  OpengmFunctionType type = OpengmFunctionType::kExplicit;
  std::vector<std::uint32_t> shape = {};
  std::span<const double> values = {};
  std::span<const std::uint64_t> places = {};  ///< of kSparse: in the table, the first variable fastest

  /// The log scores (minus the energies) of all joint labels, the last variable fastest. Throws std::invalid_argument
  /// for a place beyond the table.
  std::vector<double> log_scores() const;
};

/// Takes functions off the sequences in which OpenGM stores all functions of one type end to end. Throws
/// std::invalid_argument, whose what() names the broken rule.
class OpengmFunctionReader {
 public:
  OpengmFunctionReader(OpengmFunctionType type, std::span<const std::uint64_t> indices, std::span<const double> values)
      : type_(type), indices_(indices), values_(values) {}

  OpengmFunction next();
  bool at_end() const { return indices_.empty() && values_.empty(); }

 private:
  std::uint64_t take_index();
  std::span<const std::uint64_t> take_indices(std::uint64_t count);
  std::span<const double> take_values(std::uint64_t count);
  std::uint64_t value_count(std::span<const std::uint32_t> shape) const;

  OpengmFunctionType type_;
  std::span<const std::uint64_t> indices_;
  std::span<const double> values_;
};

}  // namespace fovea::graph
