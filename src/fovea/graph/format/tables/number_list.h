// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/token_reader.h"

namespace fovea::graph {

/// The natural logarithm of a decimal number: -inf for 0, +inf for "inf", NaN for what is negative or no number.
/// Numbers beyond the range of double ("1e-400") are read as well, so that they do not become hard constraints.
double log_of_decimal(std::string_view text);

/// Appends e^log_value as a decimal number that log_of_decimal reads again: as the shortest of 6, 12, 15 or 17 digits
/// that gives log_value itself, if one does. -inf is "0"; beyond the range of double the exponent grows. Not NaN, below
/// +inf.
void append_exponential(std::string& text, double log_value);

/// All numbers that are left in a file, with their lines: for small files whose form shows in how many there are.
class NumberList {
 public:
  /// Throws InputError for what is no finite number, and for more than `max_count` numbers; `file` says what the file
  /// should be.
  NumberList(io::TokenReader& tokens, std::size_t max_count, std::string_view file);

  std::size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }
  double operator[](std::size_t i) const { return numbers_[i].value; }

  /// Number i, which must be whole and from 0 to `max`; `what` names it in the InputError.
  std::uint64_t whole(std::size_t i, std::string_view what, std::uint64_t max) const;

  /// InputError at number i, or at the end of the file.
  [[noreturn]] void refuse(std::size_t i, std::string_view problem, std::string_view remedy = {}) const;

 private:
  struct Number {
    double value = 0;
    std::uint64_t line = 0;
  };
  std::vector<Number> numbers_;
  InputLocation end_;
};

}  // namespace fovea::graph
