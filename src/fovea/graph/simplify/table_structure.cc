// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/table_structure.h"

#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::graph::internal {
namespace {

constexpr double kTolerance = 1e-12;  // of log scores: rounding of a few operations

bool agree(double x, double y) {
  if (x == kImpossible || y == kImpossible) return x == y;
  return std::abs(x - y) <= kTolerance * std::fmax(1.0, std::fmax(std::abs(x), std::abs(y)));
}

/// Place (a, b) of the highest entry, around which the others must factorise.
struct Pivot {
  std::size_t a = 0, b = 0;
  double score = kImpossible;
};

Pivot find_pivot(const TablePair& pair, std::size_t o, std::size_t m, std::size_t i) {
  Pivot pivot;
  for (std::size_t a = 0; a < pair.first; ++a)
    for (std::size_t b = 0; b < pair.second; ++b)
      if (const double score = pair.at(o, a, m, b, i); score > pivot.score) pivot = {.a = a, .b = b, .score = score};
  return pivot;
}

bool is_product(const TablePair& pair, std::size_t o, std::size_t m, std::size_t i, const Pivot& pivot) {
  if (pivot.score == kImpossible) return true;
  for (std::size_t a = 0; a < pair.first; ++a)
    for (std::size_t b = 0; b < pair.second; ++b) {
      const double product = pair.at(o, a, m, pivot.b, i) + pair.at(o, pivot.a, m, b, i) - pivot.score;
      if (!agree(pair.at(o, a, m, b, i), product)) return false;
    }
  return true;
}

}  // namespace

TablePair view_pair(std::span<const double> table, std::span<const std::size_t> cardinalities, std::size_t first,
                    std::size_t second) {
  TablePair pair{.table = table, .first = cardinalities[first], .second = cardinalities[second]};
  for (std::size_t d = 0; d < first; ++d) pair.outer *= cardinalities[d];
  for (std::size_t d = first + 1; d < second; ++d) pair.middle *= cardinalities[d];
  for (std::size_t d = second + 1; d < cardinalities.size(); ++d) pair.inner *= cardinalities[d];
  return pair;
}

std::optional<SplitTable> split(const TablePair& pair) {
  SplitTable result;
  result.without_second.resize(pair.outer * pair.first * pair.middle * pair.inner);
  result.without_first.resize(pair.outer * pair.middle * pair.second * pair.inner);
  for (std::size_t o = 0; o < pair.outer; ++o)
    for (std::size_t m = 0; m < pair.middle; ++m)
      for (std::size_t i = 0; i < pair.inner; ++i) {
        const Pivot pivot = find_pivot(pair, o, m, i);
        if (!is_product(pair, o, m, i, pivot)) return std::nullopt;
        for (std::size_t a = 0; a < pair.first; ++a)
          result.without_second[((o * pair.first + a) * pair.middle + m) * pair.inner + i] =
              pair.at(o, a, m, pivot.b, i);
        for (std::size_t b = 0; b < pair.second; ++b)
          result.without_first[((o * pair.middle + m) * pair.second + b) * pair.inner + i] =
              pivot.score == kImpossible ? 0 : pair.at(o, pivot.a, m, b, i) - pivot.score;
      }
  return result;
}

std::optional<double> find_offset(std::span<const double> table, std::size_t stride, std::size_t cardinality,
                                  std::size_t a, std::size_t b) {
  std::optional<double> offset;
  for (std::size_t begin = 0; begin < table.size(); begin += stride * cardinality)
    for (std::size_t i = 0; i < stride; ++i) {
      const double x = table[begin + a * stride + i], y = table[begin + b * stride + i];
      if ((x == kImpossible) != (y == kImpossible)) return std::nullopt;
      if (x == kImpossible) continue;
      if (offset && !agree(x, y + *offset)) return std::nullopt;
      if (!offset) offset = x - y;
    }
  return offset.value_or(0);
}

}  // namespace fovea::graph::internal
