// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/opengm/opengm_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace fovea::graph {
namespace {

using Labels = std::span<const std::uint32_t>;
using Type = OpengmFunctionType;

/// Codes of partitions of variables by equal labels in OpenGM: bit 0 for x0 = x1, then x0 = x2, x1 = x2, x0 = x3,
/// x1 = x3, x2 = x3. The place of a code in this list is that of the partition's energy; partitions of up to n
/// variables come before the others.
constexpr std::array<unsigned, 15> kPartitions = {0, 1, 2, 4, 7, 8, 12, 16, 18, 25, 32, 33, 42, 52, 63};
/// Bell numbers: the number of partitions of n variables.
constexpr std::array<std::uint64_t, 5> kPartitionCount = {1, 1, 2, 5, 15};

std::size_t partition_index(Labels labels) {
  unsigned code = 0, bit = 1;
  for (std::size_t i = 1; i < labels.size(); ++i)
    for (std::size_t j = 0; j < i; ++j, bit *= 2)
      if (labels[i] == labels[j]) code += bit;
  return static_cast<std::size_t>(std::find(kPartitions.begin(), kPartitions.end(), code) - kPartitions.begin());
}

double difference(Labels labels) { return static_cast<double>(labels[0]) - static_cast<double>(labels[1]); }

bool all_equal(Labels labels) {
  return std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) == labels.end();
}

/// The energy of a function that is not a table.
double energy(Type type, std::span<const double> values, Labels labels) {
  switch (type) {
    case Type::kAbsoluteDifference:
      return values[0] * std::abs(difference(labels));
    case Type::kTruncatedAbsoluteDifference:
      return values[1] * std::min(std::abs(difference(labels)), values[0]);
    case Type::kSquaredDifference:
      return values[0] * difference(labels) * difference(labels);
    case Type::kTruncatedSquaredDifference:
      return values[1] * std::min(difference(labels) * difference(labels), values[0]);
    case Type::kPotts:
    case Type::kPottsN:
      return all_equal(labels) ? values[0] : values[1];
    case Type::kPottsG:
      return values[partition_index(labels)];
    default:
      return values[0];
  }
}

/// Moves `labels` on to the next joint labels, the last one fastest.
void move_on(std::vector<std::uint32_t>& labels, std::span<const std::uint32_t> shape) {
  for (std::size_t i = labels.size(); i-- > 0;) {
    if (++labels[i] < shape[i]) return;
    labels[i] = 0;
  }
}

std::size_t index_first_fastest(Labels labels, std::span<const std::uint32_t> shape) {
  std::size_t index = 0;
  for (std::size_t i = labels.size(); i-- > 0;) index = index * shape[i] + labels[i];
  return index;
}

bool begins_with_rank(Type type) {
  return type == Type::kExplicit || type == Type::kSparse || type == Type::kPottsN || type == Type::kConstant ||
         type == Type::kPottsG;
}

/// The energies of a sparse function, the first variable fastest; if one place has two, OpenGM takes the first.
std::vector<double> dense_energies(const OpengmFunction& function, std::size_t entries) {
  std::vector<double> energies(entries, function.values[0]);
  for (std::size_t i = function.places.size(); i-- > 0;) {
    if (function.places[i] >= entries)
      throw std::invalid_argument(
          fmt::format("a sparse function gives entry {} of a table of {}", function.places[i], entries));
    energies[function.places[i]] = function.values[i + 1];
  }
  return energies;
}

struct TypeName {
  Type type;
  const char* name;
  bool is_supported;
};

constexpr std::array kTypeNames = {
    TypeName{Type::kExplicit, "explicit function", true},
    TypeName{Type::kSparse, "sparse function", true},
    TypeName{Type::kAbsoluteDifference, "absolute difference", true},
    TypeName{Type::kTruncatedAbsoluteDifference, "truncated absolute difference", true},
    TypeName{Type::kSquaredDifference, "squared difference", true},
    TypeName{Type::kTruncatedSquaredDifference, "truncated squared difference", true},
    TypeName{Type::kPotts, "Potts function", true},
    TypeName{Type::kPottsN, "Potts function of n variables", true},
    TypeName{Type::kConstant, "constant function", true},
    TypeName{Type::kPottsG, "generalised Potts function", true},
    TypeName{static_cast<Type>(16033), "field of experts", false},
};

}  // namespace

bool is_supported(OpengmFunctionType type) {
  return std::any_of(kTypeNames.begin(), kTypeNames.end(),
                     [&](const TypeName& known) { return known.type == type && known.is_supported; });
}

std::string name_of(OpengmFunctionType type) {
  const auto known =
      std::find_if(kTypeNames.begin(), kTypeNames.end(), [&](const TypeName& name) { return name.type == type; });
  return known == kTypeNames.end() ? "" : known->name;
}

std::vector<double> OpengmFunction::log_scores() const {
  std::size_t entries = 1;
  for (const std::uint32_t label_count : shape) entries *= label_count;
  std::vector<double> scores(entries);
  std::vector<std::uint32_t> labels(shape.size());
  const std::vector<double> dense = type == Type::kSparse ? dense_energies(*this, entries) : std::vector<double>();
  const std::span<const double> table = type == Type::kSparse ? std::span<const double>(dense) : values;
  const bool is_table = type == Type::kSparse || type == Type::kExplicit;
  for (double& score : scores) {
    // 0 - E is not -0 for an energy of 0.
    score = 0.0 - (is_table ? table[index_first_fastest(labels, shape)] : energy(type, values, labels));
    move_on(labels, shape);
  }
  return scores;
}

OpengmFunction OpengmFunctionReader::next() {
  constexpr std::uint64_t kMaxLabels = 65535;
  OpengmFunction function = {.type = type_};
  const std::uint64_t rank = begins_with_rank(type_) ? take_index() : 2;
  if (rank > indices_.size())
    throw std::invalid_argument(fmt::format("'indices' ends within a function of {} variables", rank));
  for (std::uint64_t i = 0; i < rank; ++i) {
    const std::uint64_t label_count = take_index();
    if (label_count < 1 || label_count > kMaxLabels)
      throw std::invalid_argument(fmt::format("{} labels; a variable has 1 to {}", label_count, kMaxLabels));
    function.shape.push_back(static_cast<std::uint32_t>(label_count));
  }
  if (type_ == Type::kSparse) {
    function.places = take_indices(take_index());
    function.values = take_values(function.places.size() + 1);
  } else {
    function.values = take_values(value_count(function.shape));
  }
  return function;
}

std::uint64_t OpengmFunctionReader::take_index() {
  if (indices_.empty()) throw std::invalid_argument("'indices' ends too early");
  const std::uint64_t index = indices_.front();
  indices_ = indices_.subspan(1);
  return index;
}

std::span<const std::uint64_t> OpengmFunctionReader::take_indices(std::uint64_t count) {
  if (count > indices_.size())
    throw std::invalid_argument(fmt::format("'indices' ends {} numbers too early", count - indices_.size()));
  const std::span<const std::uint64_t> taken = indices_.first(count);
  indices_ = indices_.subspan(count);
  return taken;
}

std::span<const double> OpengmFunctionReader::take_values(std::uint64_t count) {
  if (count > values_.size())
    throw std::invalid_argument(fmt::format("'values' ends {} numbers too early", count - values_.size()));
  const std::span<const double> taken = values_.first(count);
  values_ = values_.subspan(count);
  for (const double value : taken)
    if (std::isnan(value) || value == -std::numeric_limits<double>::infinity())
      throw std::invalid_argument(fmt::format("a value is {}; energies are numbers or +inf", value));
  return taken;
}

std::uint64_t OpengmFunctionReader::value_count(std::span<const std::uint32_t> shape) const {
  switch (type_) {
    case Type::kExplicit: {
      std::uint64_t entries = 1;
      for (const std::uint32_t label_count : shape) {
        if (label_count > values_.size() / entries)
          throw std::invalid_argument("'values' is shorter than the table of a function");
        entries *= label_count;
      }
      return entries;
    }
    case Type::kAbsoluteDifference:
    case Type::kSquaredDifference:
    case Type::kConstant:
      return 1;
    case Type::kPottsG:
      if (shape.size() >= kPartitionCount.size())
        throw std::invalid_argument(
            fmt::format("a generalised Potts function of {} variables; at most 4", shape.size()));
      return kPartitionCount[shape.size()];
    default:
      return 2;
  }
}

}  // namespace fovea::graph
