// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace fovea::report {

/// Content of a table's cell: a number, a text, or nothing.
class Cell {
 public:
  using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

  Cell() = default;
  Cell(std::string text) : value_(std::move(text)) {}
  Cell(std::string_view text) : value_(std::string(text)) {}
  Cell(const char* text) : value_(std::string(text)) {}
  Cell(std::integral auto number) : value_(static_cast<std::int64_t>(number)) {}
  Cell(std::floating_point auto number) : value_(static_cast<double>(number)) {}
  Cell(const std::optional<double>& number) {
    if (number) value_ = *number;
  }

  const Value& value() const { return value_; }
  bool is_empty() const { return value_.index() == 0; }

 private:
  Value value_;
};

}  // namespace fovea::report
