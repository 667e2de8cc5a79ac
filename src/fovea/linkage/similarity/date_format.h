// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fovea/linkage/similarity/dates.h"

namespace fovea::linkage {

/// The way in which dates are written.
///
///   (nothing)    as parse_date() reads them, the day before the month and years in four digits
///   dmy mdy ymd  the order of the numbers; years may have two digits
///   %d.%m.%y     a pattern: %Y and %y the year in four and two digits, %m the month, %d or %e the day, %b or %B the
///                month by its English name; %H, %M, %S, %f and %p a time, which is ignored; %% a percent sign. A
///                blank stands for any number of blanks, everything else for itself.
///
/// With a pattern, a cell must be written so from beginning to end, except that a time may follow after a blank or a T.
class DateFormat {
 public:
  DateFormat() = default;
  /// Throws UsageError if `text` is neither an order nor a pattern.
  explicit DateFormat(std::string_view text);

  /// True if this may be meant as a format: one of the orders, or a text with a percent sign.
  static bool looks_like_one(std::string_view text);

  const std::string& text() const { return text_; }
  std::optional<Date> read(std::string_view cell) const;

 private:
  std::optional<Date> match(std::string_view cell) const;

  std::string text_;  // "": none was given
  DateOrder order_ = DateOrder::kDayFirst;
  bool is_pattern_ = false;
};

}  // namespace fovea::linkage
