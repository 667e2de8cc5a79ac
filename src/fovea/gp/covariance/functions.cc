// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/covariance/functions.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "fovea/base/error.h"

namespace fovea::gp {

std::string Linear::text() const { return fmt::format("linear({})", variance); }
std::string Constant::text() const { return fmt::format("constant({})", variance); }
std::string Rbf::text() const { return fmt::format("rbf({}, {})", variance, length_scale); }
std::string Matern::text() const {
  return fmt::format("matern{}/2({}, {})", 2 * half_integer + 1, variance, length_scale);
}
std::string Polynomial::text() const { return fmt::format("polynomial{}({}, {})", degree, variance, offset); }

namespace {

constexpr int kMostDegree = 9;

/// sum = product { "+" product }; product = factor { "*" factor }; factor = "(" sum ")" | name [ "(" numbers ")" ].
class CovarianceParser {
 public:
  explicit CovarianceParser(const std::string& text) : text_(text) {}

  Covariance parse() {
    const Covariance result = sum();
    if (next() != '\0') refuse("+, * or the end");
    return result;
  }

 private:
  Covariance sum() {
    Covariance result = product();
    while (take('+')) result = result + product();
    return result;
  }

  Covariance product() {
    Covariance result = factor();
    while (take('*')) result = result * factor();
    return result;
  }

  Covariance factor() {
    if (!take('(')) return named();
    Covariance inner = sum();
    if (!take(')')) refuse("a closing bracket");
    return inner;
  }

  Covariance named() {
    next();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '/')) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (name == "cosine") return Cosine();
    if (name == "linear") return filled(Linear());
    if (name == "constant") return filled(Constant());
    if (name == "rbf") return filled(Rbf());
    for (const int half_integer : {0, 1, 2})
      if (name == fmt::format("matern{}/2", 2 * half_integer + 1)) return filled(Matern{.half_integer = half_integer});
    for (int degree = 1; degree <= kMostDegree; ++degree)
      if (name == fmt::format("polynomial{}", degree)) return filled(Polynomial{.degree = degree});
    at_ = begin;
    refuse("linear, constant, rbf, matern1/2, matern3/2, matern5/2, polynomial1 to polynomial9 or cosine");
  }

  template <class F>
  Covariance filled(F function) {
    if (!take('(')) return function;
    const std::vector<double*> parameters = function.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      *parameters[i] = number();
      if (!take(',')) break;
    }
    if (!take(')')) refuse("a closing bracket");
    return function;
  }

  double number() {
    next();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !(value > 0 && value < 1e100)) refuse("a positive number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  char next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void refuse(const std::string& wanted) const {
    throw UsageError(fmt::format("covariance '{}', from character {}: must be {}. For example: linear(2) + rbf(1, 3)",
                                 text_, at_ + 1, wanted));
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Covariance covariance_of_text(const std::string& text) { return CovarianceParser(text).parse(); }

}  // namespace fovea::gp
