// SPDX-License-Identifier: Apache-2.0
// Tagged files with probabilities: scores lie within their range, in every form of report.
#include <cstddef>
#include <cstdint>

#include "fovea/base/error.h"
#include "fovea/tagging/evaluate/calibration_picture.h"
#include "fovea/tagging/stream/tagged_file.h"
#include "fuzz/require.h"

namespace {

void check(const fovea::tagging::Calibration& calibration, int bins) {
  const auto is_share = [](double value) { return value >= 0 && value <= 1; };
  fovea::fuzz::require(is_share(calibration.expected_calibration_error(bins)) &&
                       is_share(calibration.risk_curve().area()) && calibration.mean_entropy().value_or(0) >= 0 &&
                       calibration.brier_score().value_or(0) >= 0);
  fovea::fuzz::require(!fovea::tagging::calibration_svg(calibration, bins).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto which = static_cast<fovea::tagging::MarginalsIn>(data[0] % 3);
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fovea::tagging::ScoredTagging score =
        fovea::tagging::score_tagged_file(fovea::io::ByteSource::from_memory(bytes, "fuzz"), {.marginals = which});
    fovea::fuzz::require(!score.full().empty() && !score.json().empty() && !score.brief().empty());
    if (score.calibration) check(*score.calibration, data[0] + 1);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
