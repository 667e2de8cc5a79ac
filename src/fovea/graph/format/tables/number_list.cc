// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/tables/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numbers>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kMaxDoubleLog = 700;  // e^±700 is a normal double

/// Logarithm of "mantissa e exponent", for numbers beyond the range of double or with few digits as a double.
double log_of_extreme(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  long double mantissa = 0;
  const auto [mantissa_end, mantissa_error] = std::from_chars(text.data(), text.data() + e, mantissa);
  if (mantissa_error != std::errc() || mantissa_end != text.data() + e || !(mantissa >= 0)) return kNotANumber;
  std::int64_t exponent = 0;
  if (e < text.size()) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error != std::errc() || end != digits.data() + digits.size()) return kNotANumber;
  }
  return static_cast<double>(std::log(mantissa) +
                             static_cast<long double>(exponent) * std::numbers::ln10_v<long double>);
}

}  // namespace

double log_of_decimal(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return kNotANumber;
  const bool is_subnormal = value > 0 && value < std::numeric_limits<double>::min();
  if (error == std::errc::result_out_of_range || is_subnormal) return log_of_extreme(text);
  if (error != std::errc() || !(value >= 0)) return kNotANumber;
  return std::log(value);
}

void append_exponential(std::string& text, double log_value) {
  if (log_value == -kInfinity) {
    text += '0';
    return;
  }
  const std::size_t begin = text.size();
  if (std::abs(log_value) > kMaxDoubleLog) {
    const long double decimal = log_value / std::numbers::ln10_v<long double>;
    const long double exponent = std::floor(decimal);
    fmt::format_to(std::back_inserter(text), "{:.17g}e{:.0f}", static_cast<double>(std::pow(10.0L, decimal - exponent)),
                   static_cast<double>(exponent));
    return;
  }
  const double value = std::exp(log_value);
  for (const int digits : {6, 12, 15, 17}) {
    text.resize(begin);
    fmt::format_to(std::back_inserter(text), "{:.{}g}", value, digits);
    if (log_of_decimal(std::string_view(text).substr(begin)) == log_value) return;
  }
}

NumberList::NumberList(io::TokenReader& tokens, std::size_t max_count, std::string_view file) {
  while (tokens.next()) {
    if (numbers_.size() == max_count)
      tokens.refuse(fmt::format("more than {} numbers, too many for {}", max_count, file),
                    "Check that the file belongs to this model");
    tokens.back();
    const double value = tokens.number("an entry");
    numbers_.push_back({.value = value, .line = tokens.location().line});
  }
  end_ = tokens.location();
}

std::uint64_t NumberList::whole(std::size_t i, std::string_view what, std::uint64_t max) const {
  if (i >= size()) refuse(i, fmt::format("the file ends where {} should be", what), "The file is cut short");
  const double value = numbers_[i].value;
  if (!(value >= 0 && value <= static_cast<double>(max)) || value != std::floor(value))
    refuse(i, fmt::format("{} is {}; it must be a whole number from 0 to {}", what, value, max),
           "Check that the file belongs to this model");
  return static_cast<std::uint64_t>(value);
}

void NumberList::refuse(std::size_t i, std::string_view problem, std::string_view remedy) const {
  throw InputError({.file = end_.file, .line = i < size() ? numbers_[i].line : end_.line}, problem, remedy);
}

}  // namespace fovea::graph
