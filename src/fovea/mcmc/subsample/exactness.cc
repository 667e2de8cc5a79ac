// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/exactness.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "fovea/base/error.h"

namespace fovea::mcmc {
namespace {

/// Reads a finite number above 0; returns 0 for any other text.
double parse_positive(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value > 0 ? value : 0;
}

}  // namespace

Exactness Exactness::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const double number = colon == text.npos ? 0 : parse_positive(text.substr(colon + 1));
  if (text == "exact") return {};
  if (text == "estimate") return {.kind = Kind::kEstimate, .threshold = 1};
  if (kind == "estimate" && number > 0) return {.kind = Kind::kEstimate, .threshold = number};
  if (kind == "fraction" && number > 0 && number <= 1) return {.kind = Kind::kFraction, .fraction = number};
  if (kind == "width" && number > 0) return {.kind = Kind::kWidth, .threshold = number};
  if (kind == "bounded" && number > 0 && number < 1) return {.kind = Kind::kBounded, .error = number};
  throw UsageError(
      fmt::format("option 'exactness' is '{}'. Write exact, bounded:ERROR with 0 < ERROR < 1, say bounded:0.01, "
                  "estimate:VARIANCE with VARIANCE > 0, width:WIDTH with WIDTH > 0, or fraction:SHARE with 0 < SHARE "
                  "<= 1.",
                  text));
}

}  // namespace fovea::mcmc
