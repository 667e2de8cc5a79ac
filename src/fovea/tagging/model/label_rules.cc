// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/label_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/tagging/metrics/entities.h"

namespace fovea::tagging {
namespace {

std::vector<EntityLabel> parse_labels(std::span<const std::string> names) {
  std::vector<EntityLabel> labels;
  for (const std::string& name : names) {
    const auto label = parse_entity_label(name);
    if (!label)
      throw UsageError(fmt::format("option 'valid-bio': the label '{}' marks no entity (as B-X, I-X, O do)", name));
    labels.push_back(*label);
  }
  return labels;
}

bool begins(const EntityLabel& label) { return label.role == EntityRole::kBegin || label.role == EntityRole::kSingle; }
bool continues(const EntityLabel& label) { return label.role == EntityRole::kInside || label.role == EntityRole::kEnd; }
bool is_open(const EntityLabel& label) { return label.role == EntityRole::kInside || label.role == EntityRole::kBegin; }

/// Throws UsageError for a type that B never begins, as may occur in IOB1: no item could be tagged with it.
void require_beginnings(std::span<const EntityLabel> labels, std::span<const std::string> names) {
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (labels[k].role == EntityRole::kOutside) continue;
    const bool has_beginning = std::any_of(labels.begin(), labels.end(), [&](const EntityLabel& other) {
      return begins(other) && other.type == labels[k].type;
    });
    if (!has_beginning)
      throw UsageError(fmt::format(
          "option 'valid-bio': no label begins entities of type '{0}' (B-{0}), so that '{1}' could never be tagged; in "
          "IOB1, where '{1}' begins them, leave option 'valid-bio' out",
          labels[k].type, names[k]));
  }
}

}  // namespace

LabelRules::LabelRules(std::span<const std::string> names) : names_(names.begin(), names.end()) {
  const std::vector<EntityLabel> labels = parse_labels(names);
  const auto has = [&](EntityRole role) {
    return std::any_of(labels.begin(), labels.end(), [&](const EntityLabel& l) { return l.role == role; });
  };
  if (std::none_of(labels.begin(), labels.end(), begins))
    throw UsageError("option 'valid-bio': no label begins an entity (B-X), so that no rule applies");
  require_beginnings(labels, names);
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

std::vector<sequence::LabelNgram> LabelRules::forbidden_pairs() const {
  std::vector<sequence::LabelNgram> pairs;
  const auto count = static_cast<Value>(may_start_.size());
  for (Value left = 0; left < count; ++left)
    for (Value right = 0; right < count; ++right)
      if (!may_follow(left, right)) pairs.push_back({.labels = {left, right}, .size = 2, .score = kImpossibleF});
  return pairs;
}

std::string LabelRules::warning(std::span<const sequence::LabelNgram> seen) const {
  std::string example;
  std::size_t pairs = 0, impossible = 0;
  for (const sequence::LabelNgram& ngram : seen) {
    if (ngram.size != 2) continue;
    ++pairs;
    if (may_follow(ngram.labels[0], ngram.labels[1])) continue;
    ++impossible;
    if (example.empty()) example = fmt::format("'{}' before '{}'", names_[ngram.labels[0]], names_[ngram.labels[1]]);
  }
  const bool is_every_pair = pairs == names_.size() * names_.size();  // also those that were never seen
  if (impossible == 0 || is_every_pair) return {};
  return fmt::format(
      "option 'valid-bio' forbids {} of the {} label pairs that the model saw in training, such as {}: are its "
      "labels IOB1, where I begins entities?",
      impossible, pairs, example);
}

void LabelRules::apply_to_ends(sequence::LabelSequences& label_sequences) const {
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
    if (label_sequences.begin(s) == label_sequences.end(s)) continue;
    for (std::size_t k = 0; k < may_start_.size(); ++k) {
      if (!may_start_[k]) label_sequences.unary(label_sequences.begin(s))[k] = kImpossibleF;
      if (!may_end_[k]) label_sequences.unary(label_sequences.end(s) - 1)[k] = kImpossibleF;
    }
  }
}

}  // namespace fovea::tagging
