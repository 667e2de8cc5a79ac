// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/drawn_from.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;

/// Reads the right side of one statement.
class DistributionReader {
 public:
  DistributionReader(const ModelPlates& plates, ExpressionValues& values, const Program& program)
      : plates_(plates), values_(values), program_(program) {}

  DrawnFrom read(const Expression& value) {
    if (value.name == "uniform") return uniform(value);
    if (value.name == "ordered") {
      DrawnFrom from = read(inner(value, 1, 0, "ordered(normal(0, 1))"));
      const bool is_plain = !from.is_seen && !from.is_ordered && from.support.high == kInfinity;
      if (!is_plain || from.distribution->is_joint || from.distribution->is_discrete)
        plates_.refuse(value.place, fmt::format("numbers of {} cannot be ordered", from.distribution->name),
                       "Write ordered(normal(0, 1)), or ordered(above(0, normal(0, 1)))");
      from.is_ordered = true;
      return from;
    }
    if (value.name == "above") return bounded(value, 2, "above(0, normal(1, 2))");
    if (value.name == "below") return bounded(value, 2, "below(0, normal(1, 2))");
    if (value.name == "between") return bounded(value, 3, "between(0, 1, normal(1, 2))");
    if (value.name == "censored") {
      DrawnFrom from = plain(inner(value, 2, 0, "censored(weibull(shape, scale), is_seen)"));
      if (from.distribution->log_survival == nullptr)
        plates_.refuse(value.place, fmt::format("{} cannot be censored", from.distribution->name),
                       "These can: exponential, weibull, normal, lognormal and logistic");
      from.is_seen = value.arguments[1];
      return from;
    }
    return plain(value);
  }

 private:
  /// The distribution within another call.
  const Expression& inner(const Expression& call, std::size_t count, std::size_t place,
                          std::string_view example) const {
    if (call.arguments.size() != count || call.arguments[place].kind != Kind::kCall)
      plates_.refuse(call.place, fmt::format("'{}' is not understood", text_of(call)),
                     fmt::format("Write {}", example));
    return call.arguments[place];
  }

  DrawnFrom plain(const Expression& call) const {
    const Distribution* distribution = find_distribution(call.name);
    if (distribution == nullptr)
      plates_.refuse(call.place, fmt::format("'{}' is not a distribution", call.name),
                     "Distributions: " + fmt::format("{}.", fmt::join(distribution_names(), ", ")) +
                         did_you_mean(call.name, distribution_names()));
    DrawnFrom from = {.distribution = distribution, .call = call, .support = distribution->support};
    const std::size_t plates = distribution->is_over_plate ? 1 : 0;
    if (call.arguments.size() != distribution->argument_count() + plates)
      plates_.refuse(call.place,
                     fmt::format("{} takes {} arguments, not {}", call.name, distribution->argument_count() + plates,
                                 call.arguments.size()),
                     fmt::format("Write {}({})", call.name, distribution->arguments));
    if (plates > 0) {
      from.plate = plates_.called(call.arguments[0]);
      from.call.arguments.erase(from.call.arguments.begin());
    }
    return from;
  }

  DrawnFrom uniform(const Expression& call) {
    if (call.arguments.size() != 2)
      plates_.refuse(call.place, fmt::format("uniform takes 2 arguments, not {}", call.arguments.size()),
                     "Write uniform(low, high)");
    DrawnFrom from = {.distribution = find_distribution("flat"),
                      .call = {.kind = Kind::kCall, .place = call.place, .name = "flat"}};
    set_bounds(call, number_of(call.arguments[0]), number_of(call.arguments[1]), from);
    return from;
  }

  DrawnFrom bounded(const Expression& call, std::size_t count, std::string_view example) {
    DrawnFrom from = plain(inner(call, count, count - 1, example));
    if (from.distribution->is_discrete || from.distribution->vector_log_density != nullptr)
      plates_.refuse(call.place, fmt::format("{} takes no bounds", from.distribution->name),
                     "A distribution of single real numbers does");
    const double first = number_of(call.arguments[0]);
    const double low = call.name == "below" ? -kInfinity : first;
    const double high = call.name == "above" ? kInfinity : call.name == "below" ? first : number_of(call.arguments[1]);
    set_bounds(call, std::max(low, from.support.low), std::min(high, from.support.high), from);
    return from;
  }

  void set_bounds(const Expression& call, double low, double high, DrawnFrom& from) const {
    if (!(low < high))
      plates_.refuse(call.place, fmt::format("no number lies between {} and {}", low, high),
                     "The lower bound comes first");
    from.support.low = low;
    from.support.high = high;
    from.is_bounded = from.support != from.distribution->support;
  }

  double number_of(const Expression& expression) {
    const Node number = values_.value_of(expression, {});
    if (!program_.is_known(number) || program_.size(number) != 1 || !std::isfinite(program_.known(number)[0]))
      plates_.refuse(expression.place, fmt::format("the bound '{}' is not a known number", text_of(expression)),
                     "Bounds are single numbers, such as 0");
    return program_.known(number)[0];
  }

  const ModelPlates& plates_;
  ExpressionValues& values_;
  const Program& program_;
};

/// log of the probability of the bounds under a normal distribution.
Node log_mass(Program& program, const Support& bounds, Node mean, Node sd) {
  const auto score = [&](double bound) {
    return program.apply(Binary::kDivide, program.apply(Binary::kSubtract, program.number(bound), mean), sd);
  };
  const auto negative = [&](Node x) { return program.apply(Unary::kNegate, x); };
  if (bounds.high == kInfinity) return program.apply(Unary::kLogNormalCdf, negative(score(bounds.low)));
  const Node below = program.apply(Unary::kLogNormalCdf, score(bounds.high));
  if (bounds.low == -kInfinity) return below;
  const Node far_below = program.apply(Unary::kLogNormalCdf, score(bounds.low));
  // log(exp(a) - exp(b)) = a + log1p(-exp(b - a))
  const Node ratio = program.apply(Unary::kExp, program.apply(Binary::kSubtract, far_below, below));
  return program.apply(Binary::kAdd, below, program.apply(Unary::kLog1p, negative(ratio)));
}

}  // namespace

bool DrawnFrom::is_normalised() const {
  if (is_ordered) return false;
  if (distribution->name == "flat") return std::isfinite(support.low) && std::isfinite(support.high);
  return !is_bounded || distribution->name == "normal";
}

bool DrawnFrom::allows(double value, std::size_t members) const {
  if (!distribution->is_discrete) {
    const bool is_within =
        is_bounded ? value >= support.low && value <= support.high : value > support.low && value < support.high;
    return is_within && std::isfinite(value);
  }
  if (value < 0 || value != std::floor(value)) return false;
  if (plate) return value >= 1 && value <= static_cast<double>(distribution->is_categorical() ? members : members + 1);
  return value <= 1 || distribution->values.find("...") != std::string_view::npos;
}

DrawnFrom drawn_from(const Expression& value, const ModelPlates& plates, ExpressionValues& values,
                     const Program& program) {
  return DistributionReader(plates, values, program).read(value);
}

Node density_within(Program& program, const DrawnFrom& from, Node x, std::span<const Node> arguments,
                    const std::function<Node(const Expression&)>& value_of) {
  const Distribution& distribution = *from.distribution;
  const Node density = distribution.log_density(program, x, arguments);
  if (from.is_seen) {
    const Node seen = value_of(*from.is_seen), survival = distribution.log_survival(program, x, arguments);
    const Node hidden = program.apply(Binary::kSubtract, program.number(1), seen);
    return program.apply(Binary::kAdd, program.apply(Binary::kMultiply, seen, density),
                         program.apply(Binary::kMultiply, hidden, survival));
  }
  if (!from.is_bounded) return density;
  if (distribution.name == "normal")
    return program.apply(Binary::kSubtract, density, log_mass(program, from.support, arguments[0], arguments[1]));
  if (!from.is_normalised()) return density;
  // A uniform distribution
  return program.apply(Binary::kSubtract, density, program.number(std::log(from.support.high - from.support.low)));
}

}  // namespace fovea::ep
