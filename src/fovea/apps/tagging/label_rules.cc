// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/tagging/label_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/apps/tagging/entities.h"
#include "fovea/base/error.h"
#include "fovea/base/infinity.h"

namespace fovea {
namespace {

std::vector<EntityLabel> parse_labels(std::span<const std::string> names) {
  std::vector<EntityLabel> labels;
  for (const std::string& name : names) {
    const auto label = parse_entity_label(name);
    if (!label) throw UsageError(fmt::format("--valid-bio: the label '{}' marks no entity (as B-X, I-X, O do)", name));
    labels.push_back(*label);
  }
  return labels;
}

bool continues(const EntityLabel& label) { return label.role == EntityRole::kInside || label.role == EntityRole::kEnd; }
bool is_open(const EntityLabel& label) { return label.role == EntityRole::kInside || label.role == EntityRole::kBegin; }

}  // namespace

LabelRules::LabelRules(std::span<const std::string> names) {
  const std::vector<EntityLabel> labels = parse_labels(names);
  const auto has = [&](EntityRole role) {
    return std::any_of(labels.begin(), labels.end(), [&](const EntityLabel& l) { return l.role == role; });
  };
  if (!has(EntityRole::kBegin) && !has(EntityRole::kSingle))
    throw UsageError("--valid-bio: no label begins an entity (B-X), so there is no rule to keep");
  const bool must_close = has(EntityRole::kEnd) || has(EntityRole::kSingle);
  for (const EntityLabel& label : labels) {
    may_start_.push_back(!continues(label));
    may_end_.push_back(!(must_close && is_open(label)));
  }
  for (const EntityLabel& left : labels)
    for (const EntityLabel& right : labels) {
      const bool joins = is_open(left) && continues(right) && left.type == right.type;
      may_follow_.push_back(joins || !(continues(right) || (must_close && is_open(left))));
    }
}

std::vector<LabelNgram> LabelRules::forbidden_pairs() const {
  std::vector<LabelNgram> pairs;
  const auto count = static_cast<Value>(may_start_.size());
  for (Value left = 0; left < count; ++left)
    for (Value right = 0; right < count; ++right)
      if (!may_follow(left, right)) pairs.push_back({.labels = {left, right}, .size = 2, .score = kImpossibleF});
  return pairs;
}

void LabelRules::apply_to_ends(Chains& chains) const {
  for (std::size_t s = 0; s < chains.sequence_count(); ++s) {
    if (chains.begin(s) == chains.end(s)) continue;
    for (std::size_t k = 0; k < may_start_.size(); ++k) {
      if (!may_start_[k]) chains.unary(chains.begin(s))[k] = kImpossibleF;
      if (!may_end_[k]) chains.unary(chains.end(s) - 1)[k] = kImpossibleF;
    }
  }
}

}  // namespace fovea
