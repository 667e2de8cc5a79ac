// SPDX-License-Identifier: Apache-2.0
#include "fovea/message/recall/uncertainty_limit.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/infinity.h"

namespace fovea::message {

void UncertaintyLimit::add(const Case& held_out) {
  cases_.push_back(held_out);
  if (cases_.size() > options_.window) cases_.pop_front();
  if (cases_.size() < options_.least) return;
  value_ = kInfinity;
  double surest = 0;  // the largest doubt that was borne out
  for (const Case& c : cases_)
    if (!(c.error <= options_.max_error)) value_ = std::min(value_, c.doubt);
    else if (c.doubt < kInfinity) surest = std::max(surest, std::nextafter(c.doubt, kInfinity));
  if (options_.is_bounded) value_ = std::min(value_, surest);
}

}  // namespace fovea::message
