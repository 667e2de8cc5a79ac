// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/message_shape.h"

#include <cmath>
#include <concepts>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::ep {

std::size_t shape_size(const Message& message) {
  return std::visit(
      []<class F>(const F&) -> std::size_t {
        if constexpr (std::same_as<F, Gaussian> || std::same_as<F, Gamma> || std::same_as<F, Beta>) return 2;
        else if constexpr (std::same_as<F, Bernoulli> || std::same_as<F, Poisson> || std::same_as<F, Point>) return 1;
        else return 0;
      },
      message);
}

MessageShape shape_of(const Message& message) {
  return std::visit(
      []<class F>(const F& p) -> MessageShape {
        if constexpr (std::same_as<F, Gaussian>) return {p.mean(), -.5 * std::log(p.precision())};
        else if constexpr (std::same_as<F, Gamma>) return {std::log(p.mean()), -.5 * std::log(p.shape())};
        else if constexpr (std::same_as<F, Beta>) {
          const double total = p.a() + p.b();
          return {std::log(p.a() / p.b()), -.5 * std::log(p.a() * p.b() / total)};
        } else if constexpr (std::same_as<F, Bernoulli>) return {p.log_odds(), 0};
        else if constexpr (std::same_as<F, Poisson>) return {p.log_rate(), 0};
        else if constexpr (std::same_as<F, Point>) return {p.value, 0};
        else {
          FOVEA_CHECK(!"a scalar message");
          return {};
        }
      },
      message);
}

double value_at(const Message& like, double location) {
  if (std::holds_alternative<Gamma>(like) || std::holds_alternative<Poisson>(like)) return std::exp(location);
  if (std::holds_alternative<Beta>(like) || std::holds_alternative<Bernoulli>(like)) return sigmoid(location);
  return location;
}

Message message_of(const Message& like, const MessageShape& shape) {
  return std::visit(
      [&]<class F>(const F&) -> Message {
        if constexpr (std::same_as<F, Gaussian>)
          return Gaussian::from_mean_variance(shape.location, std::exp(2 * shape.log_spread));
        else if constexpr (std::same_as<F, Gamma>) {
          const double gamma_shape = std::exp(-2 * shape.log_spread);
          return Gamma::from_shape_rate(gamma_shape, gamma_shape * std::exp(-shape.location));
        } else if constexpr (std::same_as<F, Beta>) {
          // a b / (a + b) = narrowness, a / b = odds
          const double narrowness = std::exp(-2 * shape.log_spread), odds = std::exp(shape.location);
          return Beta::from_counts(narrowness * (1 + odds), narrowness * (1 + 1 / odds));
        } else if constexpr (std::same_as<F, Bernoulli>) return Bernoulli::from_log_odds(shape.location);
        else if constexpr (std::same_as<F, Poisson>) return Poisson::from_log_rate(shape.location);
        else if constexpr (std::same_as<F, Point>) return Point{shape.location};
        else {
          FOVEA_CHECK(!"a scalar message");
          return {};
        }
      },
      like);
}

}  // namespace fovea::ep
