// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/fellegi_sunter_model.h"

namespace fovea::testing {

/// The levels of one pair, drawn from the model. Each value is missing with probability `missing`, independently.
inline std::vector<linkage::Level> draw_levels(const linkage::FellegiSunterModel& model, bool is_match, double missing,
                                               Random& random) {
  std::vector<linkage::Level> levels;
  for (const std::vector<double>& row : is_match ? model.m : model.u) {
    const std::span<const double> present(row.data() + 1, row.size() - 1);
    levels.push_back(random.bernoulli(missing) ? linkage::kMissingLevel
                                               : static_cast<linkage::Level>(1 + random.categorical<double>(present)));
  }
  return levels;
}

inline std::vector<std::size_t> level_counts(const linkage::FellegiSunterModel& model) {
  std::vector<std::size_t> counts;
  for (const std::vector<double>& row : model.m) counts.push_back(row.size());
  return counts;
}

inline linkage::AgreementPatterns draw_patterns(const linkage::FellegiSunterModel& model, std::size_t pairs,
                                                double missing, Random& random) {
  linkage::AgreementPatterns patterns(level_counts(model));
  for (std::size_t i = 0; i < pairs; ++i)
    patterns.add(draw_levels(model, random.bernoulli(model.match_share), missing, random));
  return patterns;
}

/// Calls visit(levels) for every combination of levels.
inline void for_each_pattern(const std::vector<std::size_t>& counts,
                             const std::function<void(const std::vector<linkage::Level>&)>& visit) {
  std::vector<linkage::Level> levels(counts.size());
  for (std::size_t c = 0; c < counts.size();) {
    if (c == 0) visit(levels);
    if (++levels[c] < counts[c]) c = 0;
    else levels[c++] = 0;
  }
}

/// p(l) by its definition, in the linear domain.
inline double pattern_probability(const linkage::FellegiSunterModel& model, const std::vector<linkage::Level>& levels) {
  double match = model.match_share, other = 1 - model.match_share;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    match *= model.m[c][levels[c]];
    other *= model.u[c][levels[c]];
  }
  return match + other;
}

}  // namespace fovea::testing
