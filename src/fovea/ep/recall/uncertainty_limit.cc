// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/uncertainty_limit.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::ep {

void UncertaintyLimit::add(const HeldOutMessage& held_out) {
  const bool is_fault = !(held_out.error <= options_.max_error);
  ++seen_;
  if (!is_fault) {
    for (Remembered& before : cases_)
      if (before.is_fault && held_out.doubt >= before.held_out.doubt) ++before.right_since;
    std::erase_if(cases_, [&](const Remembered& c) { return c.is_fault && c.right_since >= options_.forgiven_after; });
    const auto right = std::ranges::count_if(cases_, [](const Remembered& c) { return !c.is_fault; });
    if (static_cast<std::size_t>(right) >= options_.window)
      cases_.erase(std::ranges::find_if(cases_, [](const Remembered& c) { return !c.is_fault; }));
  }
  cases_.push_back({.held_out = held_out, .is_fault = is_fault});
  if (seen_ < options_.least) return;
  value_ = kInfinity;
  double surest = 0;  // the largest doubt of a case that went right
  for (const Remembered& c : cases_)
    if (c.is_fault) value_ = std::min(value_, c.held_out.doubt);
    else if (c.held_out.doubt < kInfinity) surest = std::max(surest, std::nextafter(c.held_out.doubt, kInfinity));
  if (options_.is_bounded) value_ = std::min(value_, surest);
}

std::vector<UncertaintyLimit::HeldOutMessage> UncertaintyLimit::cases() const {
  std::vector<HeldOutMessage> all;
  for (const Remembered& c : cases_) all.push_back(c.held_out);
  return all;
}

}  // namespace fovea::ep
