// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/tagging/metrics/calibration.h"

namespace fovea::tagging {

/// Two diagrams side by side, as an SVG document. Left, a reliability diagram (DeGroot and Fienberg 1983): the accuracy
/// of each bin of confidence as a bar, its mean confidence as a dot, the diagonal on which the two agree, and the
/// number of items below. Right, the risk-coverage curve: the share of mistakes among the surest items. Needs at least
/// one item.
std::string calibration_svg(const Calibration& calibration, int bins);

}  // namespace fovea::tagging
