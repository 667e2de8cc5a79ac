// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fovea::tagging {

/// The part that a label plays in marking entities: the text before its first hyphen.
enum class EntityRole : std::uint8_t {
  kOutside,  ///< O or .
  kBegin,    ///< B: always starts an entity
  kInside,   ///< I; M of BMES
  kEnd,      ///< E, L of BILOU: always ends one
  kSingle,   ///< S, U of BILOU, W of BMEWO, [ or ]: an entity of one token
};

/// A label as conlleval reads it. The type is what follows the first hyphen (`I-B-NP` has role I and type `B-NP`).
struct EntityLabel {
  EntityRole role = EntityRole::kOutside;
  std::string_view type;  ///< refers to the label's text
};

/// Parses a label; no value if it marks no entity in any of the schemes IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES,
/// BMEWO or brackets. Each letter plays one part in all of them, so that the scheme need not be known.
std::optional<EntityLabel> parse_entity_label(std::string_view label);

/// Tokens begin .. end - 1 of a sentence.
struct Entity {
  std::size_t begin = 0, end = 0;
  std::string_view type;
  friend bool operator==(const Entity&, const Entity&) = default;
};

/// True if there is a boundary of entities between two neighbouring labels that both lie in entities: the types differ,
/// the left one is E or S, or the right one is B or S.
bool splits_entity(const EntityLabel& left, const EntityLabel& right);

/// Finds the entities of one sentence by the rules of the CoNLL shared tasks' scorer (conlleval, Tjong Kim Sang): any
/// scheme is read, even a mixed one, and no label sequence is ill-formed. An entity is a longest run of labels that are
/// not outside and between which splits_entity() is false, so that I after O, or after another type, starts one.
///
/// IOBES is the usual extension: S is an entity of one token (as `[` and `]` are to conlleval) and E closes before B.
/// BILOU and BMES are the same with other letters.
/// Appends to `entities`.
void find_entities(std::span<const EntityLabel> labels, std::vector<Entity>& entities);

}  // namespace fovea::tagging
