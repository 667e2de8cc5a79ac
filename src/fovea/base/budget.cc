// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/budget.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea {
namespace {

struct CountUnit {
  std::string_view plural;
  double Budget::*limit;
};
constexpr std::array<CountUnit, 4> kCountUnits = {{{"sweeps", &Budget::sweeps},
                                                   {"transitions", &Budget::transitions},
                                                   {"factors", &Budget::factors},
                                                   {"oracle-calls", &Budget::oracle_calls}}};

// Seconds are number * multiply / divide: whole factors, because 1e-3 is not exact.
struct TimeUnit {
  std::string_view name;
  double multiply;
  double divide;

  double seconds(double number) const { return number * multiply / divide; }
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {{{"us", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1, 1}, {"min", 60, 1}}};

constexpr std::string_view kBudgetForm =
    "give a number and a unit (sweeps, transitions, factors or oracle-calls), as in '1.5 sweeps' or '100 "
    "transitions/item'";
constexpr std::string_view kTimeForm = "give a number and a unit (us, ms, s or min), as in '10s' or '2ms/item'";

struct Quantity {
  double number;
  std::string_view unit;
  bool per_item;
};

/// Reads `number unit [/item]`; returns nothing if the text has another form.
std::optional<Quantity> read_quantity(std::string_view text) {
  text = trimmed(text);
  Quantity quantity = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc() || !std::isfinite(quantity.number) || std::signbit(quantity.number)) return {};
  std::string_view unit(end, text.data() + text.size());
  if (const std::size_t slash = unit.find('/'); slash != std::string_view::npos) {
    if (trimmed(unit.substr(slash + 1)) != "item") return {};
    quantity.per_item = true;
    unit = unit.substr(0, slash);
  }
  quantity.unit = trimmed(unit);
  return quantity;
}

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("option '{}' '{}': {}", option, text, why));
}

const CountUnit* find_count_unit(std::string_view name) {
  for (const CountUnit& unit : kCountUnits)
    if (name == unit.plural || name == unit.plural.substr(0, unit.plural.size() - 1)) return &unit;
  return nullptr;
}

const TimeUnit* find_time_unit(std::string_view name) {
  for (const TimeUnit& unit : kTimeUnits)
    if (name == unit.name) return &unit;
  return nullptr;
}

void read_counts(std::string_view text, Budget& budget) {
  const std::optional<Quantity> quantity = read_quantity(text);
  if (quantity && find_time_unit(quantity->unit)) refuse("budget", text, "times are given by option 'time-limit'");
  const CountUnit* unit = quantity ? find_count_unit(quantity->unit) : nullptr;
  if (!unit) refuse("budget", text, kBudgetForm);
  budget.*(unit->limit) = quantity->number;
  budget.per_item = quantity->per_item;
}

void read_time(std::string_view text, Budget& budget) {
  const std::optional<Quantity> quantity = read_quantity(text);
  if (quantity && find_count_unit(quantity->unit)) refuse("time-limit", text, "counts are given by option 'budget'");
  const TimeUnit* unit = quantity ? find_time_unit(quantity->unit) : nullptr;
  if (!unit) refuse("time-limit", text, kTimeForm);
  if (quantity->number == 0) refuse("time-limit", text, "must be positive");
  budget.seconds = unit->seconds(quantity->number);
  budget.seconds_per_item = quantity->per_item;
}

}  // namespace

Budget parse_budget(std::string_view budget, std::string_view time_limit) {
  Budget parsed;
  if (!budget.empty()) read_counts(budget, parsed);
  if (!time_limit.empty()) read_time(time_limit, parsed);
  return parsed;
}

std::string budget_text(const Budget& budget) {
  for (const CountUnit& unit : kCountUnits)
    if (const double limit = budget.*(unit.limit); limit < Budget::kUnlimited)
      return fmt::format("{} {}{}", limit, unit.plural, budget.per_item ? "/item" : "");
  return "";
}

std::string time_limit_text(const Budget& budget) {
  if (budget.seconds == Budget::kUnlimited) return "";
  std::string text = fmt::format("{}s", budget.seconds);
  for (const TimeUnit& unit : kTimeUnits) {
    const double number = budget.seconds * unit.divide / unit.multiply;
    // Use another unit only where it gives exactly the same time.
    if (number >= 1 && number < 1000 && unit.divide > 1 && unit.seconds(number) == budget.seconds)
      text = fmt::format("{}{}", number, unit.name);
  }
  return text + (budget.seconds_per_item ? "/item" : "");
}

}  // namespace fovea
