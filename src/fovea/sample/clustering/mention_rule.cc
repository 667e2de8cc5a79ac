// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/mention_rule.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace fovea {

MentionRule::Numbers MentionRule::terms(const MentionFeatures& features, std::size_t mentions) {
  using News = MentionFeatures::News;
  const auto age = static_cast<double>(features.age);
  const double alone = features.size == 0, crowd = std::log2(static_cast<double>(mentions));
  return {1,
          age,
          age * age,
          alone,
          alone * age,
          static_cast<double>(features.size),
          static_cast<double>(features.news == News::kGained),
          static_cast<double>(features.news == News::kLost),
          crowd,
          crowd * age};
}

MentionRule MentionRule::hot() { return {.weights = {0, -std::numbers::ln2, 0, 0, 0, 0, 0, 2, 0, 0}}; }

MentionRule MentionRule::learned() {
  return {.weights = {-0.4216, -0.8749, -0.2976, -0.4316, 0.2985, -0.4882, -0.1445, 0.3617, 0.0947, 0.1141}};
}

double MentionRule::log_gain(const MentionFeatures& features, std::size_t mentions) const {
  const Numbers x = terms(features, mentions);
  return std::inner_product(x.begin(), x.end(), weights.begin(), 0.0);
}

}  // namespace fovea
