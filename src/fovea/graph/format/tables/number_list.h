// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/token_reader.h"

namespace fovea::graph {

/// The natural logarithm of a decimal number: -inf for 0, +inf for "inf", NaN for a negative number or a text that is
/// not a number. Numbers beyond the range of double ("1e-400") are read as well, so that they do not become hard
/// constraints.
double log_of_decimal(std::string_view text);

/// Appends e^log_value as a decimal number that log_of_decimal can read: with the fewest of 6, 12, 15 or 17 digits that
/// give log_value itself, if any do. -inf becomes "0"; beyond the range of double the exponent grows. log_value must
/// not be NaN or +inf.
void append_exponential(std::string& text, double log_value);

/// All numbers left in a file, with their lines: for small files whose form is recognised by the count of numbers.
class NumberList {
 public:
  /// Throws InputError for a text that is not a finite number, and for more than `max_count` numbers; `file` names what
  /// the file should hold.
  NumberList(io::TokenReader& tokens, std::size_t max_count, std::string_view file);

  std::size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }
  double operator[](std::size_t i) const { return numbers_[i].value; }

  /// Number i, which must be whole and from 0 to `max`; `what` names it in the InputError.
  std::uint64_t whole(std::size_t i, std::string_view what, std::uint64_t max) const;

  /// Throws InputError at number i, or at the end of the file.
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
