// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {

/// Log domain: the best of the products.
struct MaxPlus {
  static constexpr double kZero = -std::numeric_limits<double>::infinity();
  static double plus(double a, double b) { return a < b ? b : a; }
  static double times(double a, double b) { return a + b; }
};

/// Linear domain: the sum of the products.
struct SumProduct {
  static constexpr double kZero = 0;
  static double plus(double a, double b) { return a + b; }
  static double times(double a, double b) { return a * b; }
};

/// Log domain: the sum of the products, for sums whose exp() would underflow. Slow.
struct LogSumExp {
  static constexpr double kZero = -std::numeric_limits<double>::infinity();
  static double plus(double a, double b) { return add_logs(a, b); }
  static double times(double a, double b) { return a + b; }
};

/// Multiplies a table by one vector per variable and sums out all variables except one, in a semiring.
///
/// Variables are summed out one at a time, the last ones first: the first sum reads the whole table, each further one a
/// table smaller by a variable. So a message costs about (1 + 1/K) entries, and all messages of a factor
/// O(entries * arity), without divisions and without products over all variables except one.
template <class Semiring>
class Contraction {
 public:
  /// out[x_keep] = sum over the other x of table[x] * product over j != keep of vectors[j][x_j]. The last variable
  /// varies fastest; vectors[keep] is not read. Returns false, with `out` untouched or partly written, if `stop` was
  /// requested, which is polled once per kBlock entries of large tables only.
  bool run(std::span<const double> table, std::span<const std::uint32_t> cardinalities,
           std::span<const double* const> vectors, std::size_t keep, double* out, const Stop& stop = {}) {
    const double* in = table.data();
    std::size_t size = table.size(), left = cardinalities.size() - 1;
    if (left == 0) std::copy_n(in, size, out);
    const auto sum_out = [&](std::size_t j, bool is_last) {
      const std::size_t count = cardinalities[j], next = size / count;
      std::vector<double>& scratch = left % 2 ? odd_ : even_;
      if (--left > 0 && scratch.size() < next) scratch.resize(next);
      double* target = left > 0 ? scratch.data() : out;
      const bool finished = sum_axis(in, {is_last ? next : 1, count, is_last ? 1 : next}, vectors[j], target, stop);
      in = target;
      size = next;
      return finished;
    };
    for (std::size_t j = cardinalities.size(); j-- > keep + 1;)
      if (!sum_out(j, true)) return false;
    for (std::size_t j = 0; j < keep; ++j)
      if (!sum_out(j, false)) return false;
    return true;
  }

 private:
  static constexpr std::size_t kBlock = 1 << 18;  // entries between two looks at the clock: well below a millisecond

  /// A table as [outer][count][inner]; the middle index is summed out.
  struct Axis {
    std::size_t outer = 1, count = 1, inner = 1;
  };

  static bool sum_axis(const double* in, Axis axis, const double* vector, double* out, const Stop& stop) {
    if (axis.outer * axis.count * axis.inner <= kBlock) {
      sum_block(in, axis, 0, axis.inner, vector, out);
      return true;
    }
    if (axis.outer == 1) {
      const std::size_t step = std::max<std::size_t>(1, kBlock / axis.count);
      for (std::size_t i = 0; i < axis.inner; i += step) {
        if (stop.requested()) return false;
        sum_block(in, axis, i, std::min(i + step, axis.inner), vector, out);
      }
      return true;
    }
    const std::size_t slab = axis.count * axis.inner;
    const std::size_t step = std::max<std::size_t>(1, kBlock / slab);
    for (std::size_t o = 0; o < axis.outer; o += step) {
      if (stop.requested()) return false;
      const Axis part{std::min(step, axis.outer - o), axis.count, axis.inner};
      sum_block(in + o * slab, part, 0, axis.inner, vector, out + o * axis.inner);
    }
    return true;
  }

  static void sum_block(const double* in, Axis axis, std::size_t begin, std::size_t end, const double* vector,
                        double* out) {
    if (axis.inner == 1) return sum_rows(in, axis, vector, out);
    if (begin == 0 && end == axis.inner && axis.inner <= 8) return sum_columns(in, axis, vector, out);
    for (std::size_t o = 0; o < axis.outer; ++o, in += axis.count * axis.inner, out += axis.inner) {
      std::fill(out + begin, out + end, Semiring::kZero);
      for (std::size_t k = 0; k < axis.count; ++k)
        for (std::size_t i = begin; i < end; ++i)
          out[i] = Semiring::plus(out[i], Semiring::times(in[k * axis.inner + i], vector[k]));
    }
  }

  // The compiler knows the sizes of most models: the loops below are unrolled for up to eight values.
  static void sum_rows(const double* in, Axis axis, const double* vector, double* out) {
    switch (axis.count) {
      case 2:
        return sum_rows_of<2>(in, axis, vector, out);
      case 3:
        return sum_rows_of<3>(in, axis, vector, out);
      case 4:
        return sum_rows_of<4>(in, axis, vector, out);
      case 5:
        return sum_rows_of<5>(in, axis, vector, out);
      case 6:
        return sum_rows_of<6>(in, axis, vector, out);
      case 7:
        return sum_rows_of<7>(in, axis, vector, out);
      case 8:
        return sum_rows_of<8>(in, axis, vector, out);
      default:
        return sum_rows_of<0>(in, axis, vector, out);
    }
  }
  template <std::size_t kCount>
  static void sum_rows_of(const double* in, Axis axis, const double* vector, double* out) {
    const std::size_t count = kCount ? kCount : axis.count;
    for (std::size_t o = 0; o < axis.outer; ++o, in += count) {
      double sum = Semiring::times(in[0], vector[0]);
      for (std::size_t k = 1; k < count; ++k) sum = Semiring::plus(sum, Semiring::times(in[k], vector[k]));
      out[o] = sum;
    }
  }

  static void sum_columns(const double* in, Axis axis, const double* vector, double* out) {
    switch (axis.inner) {
      case 2:
        return sum_columns_of<2>(in, axis, vector, out);
      case 3:
        return sum_columns_of<3>(in, axis, vector, out);
      case 4:
        return sum_columns_of<4>(in, axis, vector, out);
      case 5:
        return sum_columns_of<5>(in, axis, vector, out);
      case 6:
        return sum_columns_of<6>(in, axis, vector, out);
      case 7:
        return sum_columns_of<7>(in, axis, vector, out);
      default:
        return sum_columns_of<8>(in, axis, vector, out);
    }
  }
  template <std::size_t kInner>
  static void sum_columns_of(const double* in, Axis axis, const double* vector, double* out) {
    for (std::size_t o = 0; o < axis.outer; ++o, out += kInner) {
      double sums[kInner];
      std::fill_n(sums, kInner, Semiring::kZero);
      for (std::size_t k = 0; k < axis.count; ++k, in += kInner)
        for (std::size_t i = 0; i < kInner; ++i) sums[i] = Semiring::plus(sums[i], Semiring::times(in[i], vector[k]));
      std::copy_n(sums, kInner, out);
    }
  }

  std::vector<double> odd_, even_;  // intermediate tables, used in turn
};

}  // namespace fovea::graph
