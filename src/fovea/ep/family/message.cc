// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/message.h"

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/family/gamma_draw.h"

namespace fovea::ep {
namespace {

template <class F>
concept ScalarFamily = std::same_as<F, Gaussian> || std::same_as<F, Gamma> || std::same_as<F, Beta> ||
    std::same_as<F, Bernoulli> || std::same_as<F, Poisson>;

template <class F>
const F& same_family(const F&, const Message& other) {
  const F* same = std::get_if<F>(&other);
  FOVEA_CHECK(same != nullptr);
  return *same;
}

template <Family F>
MomentAverage average_of(std::span<const Message> messages, std::span<const double> weights) {
  typename F::Parameters mean = std::get<F>(messages[0]).expected_statistics();
  for (double& statistic : mean) statistic = 0;
  double negative_entropy = 0;  // natural . E[T] - A, on average
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const F& p = std::get<F>(messages[m]);
    const auto statistics = p.expected_statistics();
    negative_entropy -= weights[m] * p.log_normalizer();
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += weights[m] * statistics[i];
      if (statistics[i] != 0) negative_entropy += weights[m] * p.natural[i] * statistics[i];
    }
  }
  const F average = F::from_expected_statistics(mean);
  if (!average.is_proper()) return {.message = average, .divergence = kInfinity};
  double cross = -average.log_normalizer();
  for (std::size_t i = 0; i < mean.size(); ++i) cross += average.natural[i] * mean[i];
  return {.message = average, .divergence = std::max(0., negative_entropy - cross)};
}

/// Average of Gaussians, without the cancellation of the general form.
template <>
MomentAverage average_of<Gaussian>(std::span<const Message> messages, std::span<const double> weights) {
  double mean = 0, variance = 0;
  for (std::size_t m = 0; m < messages.size(); ++m) mean += weights[m] * std::get<Gaussian>(messages[m]).mean();
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const Gaussian& p = std::get<Gaussian>(messages[m]);
    variance += weights[m] * (p.variance() + (p.mean() - mean) * (p.mean() - mean));
  }
  MomentAverage result = {.message = Gaussian::from_mean_variance(mean, variance)};
  const Gaussian& average = std::get<Gaussian>(result.message);
  for (std::size_t m = 0; m < messages.size(); ++m)
    result.divergence += weights[m] * kl_divergence(std::get<Gaussian>(messages[m]), average);
  return result;
}

template <std::size_t... I>
Message default_at(std::size_t family, std::index_sequence<I...>) {
  Message result;
  ((family == I ? void(result = std::variant_alternative_t<I, Message>()) : void()), ...);
  return result;
}

}  // namespace

Message default_of(std::size_t family) {
  FOVEA_CHECK(family < std::variant_size_v<Message>);
  return default_at(family, std::make_index_sequence<std::variant_size_v<Message>>());
}

std::string_view family_name(const Message& message) {
  return std::visit([](const auto& m) -> std::string_view { return std::decay_t<decltype(m)>::kName; }, message);
}

bool is_proper(const Message& message) {
  return std::visit(
      [](const auto& m) {
        if constexpr (requires { m.is_proper(); }) return m.is_proper();
        else return std::isfinite(m.value);
      },
      message);
}

bool is_scalar(const Message& message) {
  return std::visit([]<class F>(const F&) { return ScalarFamily<F> || std::same_as<F, Point>; }, message);
}

Message product(const Message& a, const Message& b) {
  if (std::holds_alternative<Point>(a)) return a;
  if (std::holds_alternative<Point>(b)) return b;
  return std::visit(
      [&]<class F>(const F& p) -> Message {
        if constexpr (Family<F>) return p * same_family(p, b);
        else return p;
      },
      a);
}

Message quotient(const Message& a, const Message& b) {
  if (std::holds_alternative<Point>(a)) return a;
  return std::visit(
      [&]<class F>(const F& p) -> Message {
        if constexpr (Family<F>) return p / same_family(p, b);
        else return p;
      },
      a);
}

Message power(const Message& p, double exponent) {
  return std::visit(
      [&]<class F>(const F& m) -> Message {
        if constexpr (Family<F>) return power(m, exponent);
        else return m;
      },
      p);
}

double divergence(const Message& p, const Message& q) {
  if (std::holds_alternative<Point>(p) || std::holds_alternative<Point>(q)) return p == q ? 0 : kInfinity;
  return std::visit(
      [&]<class F>(const F& first) -> double {
        if constexpr (Family<F>) return kl_divergence(first, same_family(first, q));
        else return 0;
      },
      p);
}

double expected_exponent(const Message& message, const Message& q) {
  return std::visit(
      [&]<class F>(const F& p) -> double {
        if constexpr (Family<F>) {
          const auto statistics = same_family(p, q).expected_statistics();
          double sum = 0;
          for (std::size_t i = 0; i < statistics.size(); ++i)
            if (statistics[i] != 0) sum += p.natural[i] * statistics[i];
          return sum;
        } else return 0;
      },
      message);
}

std::size_t parameter_count(const Message& message) {
  return std::visit(
      []<class F>(const F& p) -> std::size_t {
        if constexpr (Family<F>) return p.natural.size();
        else return 1;
      },
      message);
}

MomentAverage moment_average(std::span<const Message> messages, std::span<const double> weights) {
  FOVEA_CHECK(!messages.empty());
  const std::vector<double> even(weights.empty() ? messages.size() : 0, 1 / static_cast<double>(messages.size()));
  if (weights.empty()) weights = even;
  FOVEA_CHECK(weights.size() == messages.size());
  return std::visit(
      [&]<class F>(const F& first) -> MomentAverage {
        if constexpr (Family<F>) return average_of<F>(messages, weights);
        else return {.message = first};
      },
      messages[0]);
}

double mean_of(const Message& message) {
  return std::visit(
      []<class F>(const F& p) -> double {
        if constexpr (std::same_as<F, Bernoulli>) return p.probability();
        else if constexpr (ScalarFamily<F>) return p.mean();
        else if constexpr (std::same_as<F, Point>) return p.value;
        else {
          FOVEA_CHECK(!"a scalar message");
          return 0;
        }
      },
      message);
}

double draw(const Message& message, Random& random) {
  return std::visit(
      [&]<class F>(const F& p) -> double {
        if constexpr (std::same_as<F, Gaussian>) return p.mean() + std::sqrt(p.variance()) * random.normal();
        else if constexpr (std::same_as<F, Gamma>) return draw_gamma(p.shape(), random) / p.rate();
        else if constexpr (std::same_as<F, Beta>) {
          const double a = draw_gamma(p.a(), random), b = draw_gamma(p.b(), random);
          return a / (a + b);
        } else if constexpr (std::same_as<F, Bernoulli>) return random.bernoulli(p.probability()) ? 1 : 0;
        else if constexpr (std::same_as<F, Poisson>) return static_cast<double>(random.poisson(p.mean()));
        else if constexpr (std::same_as<F, Point>) return p.value;
        else {
          FOVEA_CHECK(!"a scalar message");
          return 0;
        }
      },
      message);
}

double log_kernel(const Message& message, double x) {
  return std::visit(
      [&]<class F>(const F& p) -> double {
        if constexpr (std::same_as<F, Gaussian>) return x * (p.natural[0] - p.natural[1] * x / 2);
        else if constexpr (std::same_as<F, Gamma>)
          return x > 0 ? p.natural[0] * std::log(x) - p.natural[1] * x : -kInfinity;
        else if constexpr (std::same_as<F, Beta>)
          return x > 0 && x < 1 ? p.natural[0] * std::log(x) + p.natural[1] * std::log1p(-x) : -kInfinity;
        else if constexpr (std::same_as<F, Bernoulli>) return x != 0 ? p.natural[0] : 0;
        else if constexpr (std::same_as<F, Poisson>) return x >= 0 ? p.natural[0] * x - std::lgamma(x + 1) : -kInfinity;
        else if constexpr (std::same_as<F, Categorical>) return p.natural[static_cast<std::size_t>(x)];
        else if constexpr (std::same_as<F, Point>) return x == p.value ? 0 : -kInfinity;
        else {
          FOVEA_CHECK(!"a scalar message");
          return 0;
        }
      },
      message);
}

double log_base_measure(const Message& message, double x) {
  return std::holds_alternative<Poisson>(message) ? -std::lgamma(x + 1) : 0;
}

double log_overlap(const Message& a, const Message& b) {
  if (const auto* known = std::get_if<Point>(&a)) {
    if (std::holds_alternative<Point>(b)) return a == b ? 0 : -kInfinity;
    return log_kernel(b, known->value) - log_normalizer(b);
  }
  if (std::holds_alternative<Point>(b)) return log_overlap(b, a);
  const auto *p = std::get_if<Gaussian>(&a), *q = std::get_if<Gaussian>(&b);
  if (p && q && p->is_proper() && q->is_proper())  // without the cancellation of the general form
    return Gaussian::from_mean_variance(0, p->variance() + q->variance()).log_density(p->mean() - q->mean());
  const Message both = product(a, b);
  return is_proper(both) ? log_normalizer(both) - log_normalizer(a) - log_normalizer(b) : 0;
}

double log_normalizer(const Message& message) {
  return std::visit(
      [](const auto& m) -> double {
        if constexpr (requires { m.log_normalizer(); }) return m.is_proper() ? m.log_normalizer() : 0;
        else return 0;
      },
      message);
}

}  // namespace fovea::ep
