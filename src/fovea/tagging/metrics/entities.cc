// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/entities.h"

namespace fovea::tagging {
namespace {

std::optional<EntityRole> parse_role(std::string_view prefix) {
  if (prefix.size() != 1) return std::nullopt;
  switch (prefix[0]) {
    case 'O':
    case '.':
      return EntityRole::kOutside;
    case 'B':
      return EntityRole::kBegin;
    case 'I':
    case 'M':
      return EntityRole::kInside;
    case 'E':
    case 'L':
      return EntityRole::kEnd;
    case 'S':
    case 'U':
    case 'W':
    case '[':
    case ']':
      return EntityRole::kSingle;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<EntityLabel> parse_entity_label(std::string_view label) {
  const std::size_t hyphen = label.find('-');
  const auto role = parse_role(label.substr(0, hyphen));
  if (!role) return std::nullopt;
  return EntityLabel{*role, hyphen == label.npos ? std::string_view() : label.substr(hyphen + 1)};
}

bool splits_entity(const EntityLabel& left, const EntityLabel& right) {
  return left.type != right.type || left.role == EntityRole::kEnd || left.role == EntityRole::kSingle ||
         right.role == EntityRole::kBegin || right.role == EntityRole::kSingle;
}

void find_entities(std::span<const EntityLabel> labels, std::vector<Entity>& entities) {
  for (std::size_t t = 0; t < labels.size(); ++t) {
    if (labels[t].role == EntityRole::kOutside) continue;
    const bool continues =
        t > 0 && labels[t - 1].role != EntityRole::kOutside && !splits_entity(labels[t - 1], labels[t]);
    if (continues) entities.back().end = t + 1;
    else entities.push_back({t, t + 1, labels[t].type});
  }
}

}  // namespace fovea::tagging
