// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/support.h"

#include <cmath>
#include <memory>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

/// Groups of probabilities from parameters, [group][size - 1], and the log determinants of that change, which come
/// last: [group][size], then [group].
class StickBreaking : public Operation {
 public:
  explicit StickBreaking(std::size_t size) : size_(size) {}

  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    const std::size_t groups = results.size() / (size_ + 1);
    for (std::size_t g = 0; g < groups; ++g) {
      double left = 1, log_determinant = 0;
      for (std::size_t k = 0; k + 1 < size_; ++k) {
        const double share = share_of(inputs[0][g * (size_ - 1) + k], k);
        results[g * size_ + k] = left * share;
        log_determinant += std::log(left) + std::log(share) + std::log1p(-share);
        left -= left * share;
      }
      results[g * size_ + size_ - 1] = left;
      results[groups * size_ + g] = log_determinant;
    }
  }

  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double> results,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override {
    if (slopes_of[0].empty()) return;
    const std::size_t groups = results.size() / (size_ + 1);
    for (std::size_t g = 0; g < groups; ++g) {
      const double of_determinant = slopes[groups * size_ + g];
      // From the last share to the first; `of_left` is the slope by what is left after share k.
      double of_left = slopes[g * size_ + size_ - 1], left = results[g * size_ + size_ - 1];
      for (std::size_t k = size_ - 1; k-- > 0;) {
        const std::size_t place = g * (size_ - 1) + k;
        const double share = share_of(inputs[0][place], k);
        const double before = share > .5 ? results[g * size_ + k] / share : left / (1 - share);
        const double of_share = (slopes[g * size_ + k] - of_left) * before;
        slopes_of[0][place] += of_share * share * (1 - share) + of_determinant * (1 - 2 * share);
        of_left = slopes[g * size_ + k] * share + of_left * (1 - share) + of_determinant / before;
        left = before;
      }
    }
  }

 private:
  double share_of(double u, std::size_t k) const { return sigmoid(u - std::log(static_cast<double>(size_ - 1 - k))); }

  std::size_t size_;
};

/// Running sums of groups of numbers.
class RunningSums : public Operation {
 public:
  explicit RunningSums(std::size_t size) : size_(size) {}

  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = inputs[0][i] + (i % size_ == 0 ? 0 : results[i - 1]);
  }
  void add_slopes(std::span<const std::span<const double>>, std::span<const double>, std::span<const double> slopes,
                  std::span<const std::span<double>> slopes_of) const override {
    double sum = 0;
    for (std::size_t i = slopes_of[0].size(); i-- > 0;) {
      sum = slopes[i] + (i % size_ == size_ - 1 ? 0 : sum);
      slopes_of[0][i] += sum;
    }
  }

 private:
  std::size_t size_;
};

Node interval(Program& program, const Support& support, Node u) {
  const Node low = program.number(support.low), high = program.number(support.high);
  if (support.low == -kInfinity && support.high == kInfinity) return u;
  if (support.low > -kInfinity && support.high < kInfinity) {
    const double width = support.high - support.low;
    // log(width p (1 - p)) = log width - softplus(-u) - softplus(u)
    program.add_density(program.numbers(std::vector<double>(program.size(u), std::log(width))));
    for (const Node side : {u, program.apply(Unary::kNegate, u)})
      program.add_density(program.apply(Unary::kNegate, program.apply(Unary::kSoftplus, side)));
    return program.apply(Binary::kAdd, low,
                         program.apply(Binary::kMultiply, program.number(width), program.apply(Unary::kLogistic, u)));
  }
  program.add_density(u);
  const Node distance = program.apply(Unary::kExp, u);
  return support.low > -kInfinity ? (support.low == 0 ? distance : program.apply(Binary::kAdd, low, distance))
                                  : program.apply(Binary::kSubtract, high, distance);
}

Node simplex(Program& program, std::size_t size, std::size_t group) {
  const std::size_t groups = size / group;
  const Node all = program.apply(std::make_shared<StickBreaking>(group), {program.parameters(groups * (group - 1))},
                                 groups * (group + 1));
  std::vector<std::uint32_t> probabilities(size), determinants(groups);
  for (std::uint32_t i = 0; i < size; ++i) probabilities[i] = i;
  for (std::uint32_t g = 0; g < groups; ++g) determinants[g] = static_cast<std::uint32_t>(size) + g;
  program.add_density(program.gather(all, std::move(determinants)));
  return program.gather(all, std::move(probabilities));
}

Node ordered(Program& program, double low, std::size_t size, std::size_t group) {
  const Node u = program.parameters(size), exponentials = program.apply(Unary::kExp, u);
  const Node both = program.join({u, exponentials});
  std::vector<std::uint32_t> steps(size), gaps;
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool is_first = i % group == 0 && low == -kInfinity;
    steps[i] = is_first ? i : static_cast<std::uint32_t>(size) + i;
    if (!is_first) gaps.push_back(i);
  }
  if (!gaps.empty()) program.add_density(program.gather(u, std::move(gaps)));
  const Node sums = program.apply(std::make_shared<RunningSums>(group), {program.gather(both, std::move(steps))}, size);
  return std::isfinite(low) && low != 0 ? program.apply(Binary::kAdd, program.number(low), sums) : sums;
}

}  // namespace

Node add_unknown(Program& program, const Support& support, std::size_t size, std::size_t group) {
  FOVEA_CHECK(group > 0 && size % group == 0);
  if (support.kind == Support::Kind::kSimplex) return simplex(program, size, group);
  if (support.kind == Support::Kind::kOrdered) return ordered(program, support.low, size, group);
  return interval(program, support, program.parameters(size));
}

}  // namespace fovea::ep
