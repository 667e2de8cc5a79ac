// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/entities.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

namespace fovea::tagging {
namespace {

std::vector<EntityLabel> parse(const std::vector<std::string>& labels) {
  std::vector<EntityLabel> parsed;
  for (const std::string& label : labels) parsed.push_back(parse_entity_label(label).value());
  return parsed;
}

/// "0-2:PER 3-4:LOC "
std::string entities_of(const std::vector<std::string>& labels) {
  std::vector<Entity> entities;
  find_entities(parse(labels), entities);
  std::ostringstream text;
  for (const Entity& e : entities) text << e.begin << "-" << e.end << ":" << e.type << " ";
  return text.str();
}

TEST(EntitiesTest, EverySchemeMarksTheSameEntities) {
  // Two adjacent entities of one type, a token outside, one entity of another type.
  const std::string expected = "0-2:PER 2-3:PER 4-6:LOC ";
  EXPECT_EQ(entities_of({"B-PER", "L-PER", "U-PER", "O", "B-LOC", "L-LOC"}), expected) << "BILOU";
  EXPECT_EQ(entities_of({"B-PER", "E-PER", "W-PER", "O", "B-LOC", "E-LOC"}), expected) << "BMEWO";
  EXPECT_EQ(entities_of({"B", "M", "E", "S", "B", "E"}), "0-3: 3-4: 4-6: ") << "BMES";
  EXPECT_EQ(entities_of({"I-PER", "I-PER", "B-PER", "O", "I-LOC", "I-LOC"}), expected) << "IOB1";
  EXPECT_EQ(entities_of({"B-PER", "I-PER", "B-PER", "O", "B-LOC", "I-LOC"}), expected) << "IOB2";
  EXPECT_EQ(entities_of({"I-PER", "E-PER", "I-PER", "O", "I-LOC", "I-LOC"}), expected) << "IOE1";
  EXPECT_EQ(entities_of({"I-PER", "E-PER", "E-PER", "O", "I-LOC", "E-LOC"}), expected) << "IOE2";
  EXPECT_EQ(entities_of({"B-PER", "E-PER", "S-PER", "O", "B-LOC", "E-LOC"}), expected) << "IOBES";
  EXPECT_EQ(entities_of({"B-PER", "E-PER", "[-PER", ".", "B-LOC", "E-LOC"}), expected) << "brackets";
}

TEST(EntitiesTest, NoSequenceIsIllFormed) {
  EXPECT_EQ(entities_of({}), "");
  EXPECT_EQ(entities_of({"O", "O"}), "");
  EXPECT_EQ(entities_of({"I-A"}), "0-1:A ");
  EXPECT_EQ(entities_of({"B-A", "I-B", "I-A"}), "0-1:A 1-2:B 2-3:A ");
  EXPECT_EQ(entities_of({"E-A", "E-A"}), "0-1:A 1-2:A ");
  EXPECT_EQ(entities_of({"S-A", "I-A"}), "0-1:A 1-2:A ");
  EXPECT_EQ(entities_of({"B", "I", "O", "I"}), "0-2: 3-4: ");
}

TEST(EntitiesTest, TypeIsAllAfterTheFirstHyphen) {
  EXPECT_EQ(parse_entity_label("B-X-Y")->type, "X-Y");
  EXPECT_EQ(parse_entity_label("B-")->type, "");
  EXPECT_EQ(parse_entity_label("B")->role, EntityRole::kBegin);
  for (const char* label : {"", "NN", "-LRB-", "b-PER", "BI-X"}) EXPECT_FALSE(parse_entity_label(label)) << label;
}

// conlleval states its rules as pairs (previous tag, tag) that end or start a chunk, besides "types differ". Here
// they are, for the tags that its own schemes use; the pairs of other tags are the IOBES extension.
using TagPairs = std::set<std::pair<char, char>>;
const TagPairs kEndPairs = {{'B', 'B'}, {'B', 'O'}, {'I', 'B'}, {'I', 'O'}, {'E', 'E'}, {'E', 'I'}, {'E', 'O'}};
const TagPairs kStartPairs = {{'B', 'B'}, {'I', 'B'}, {'O', 'B'}, {'O', 'I'}, {'E', 'E'}, {'E', 'I'}, {'O', 'E'}};

TEST(EntitiesTest, AgreesWithTheScorersPairRules) {
  const std::vector<std::string> labels = {"O", "B-X", "I-X", "E-X", "B-Y", "I-Y", "E-Y"};
  for (const std::string& left : labels) {
    for (const std::string& right : labels) {
      const std::pair<char, char> tags{left[0], right[0]};
      if (left.substr(1) == right.substr(1) && tags == std::pair{'E', 'B'}) continue;  // no scheme of conlleval's
      const auto l = *parse_entity_label(left), r = *parse_entity_label(right);
      const bool types_differ = l.type != r.type;
      const bool expected_end = kEndPairs.contains(tags) || (left != "O" && types_differ);
      const bool expected_start = kStartPairs.contains(tags) || (right != "O" && types_differ);
      std::vector<Entity> entities;
      find_entities(std::vector{l, r}, entities);
      const bool left_ends = left != "O" && entities.front().end == 1;
      const bool right_starts = right != "O" && entities.back().begin == 1;
      EXPECT_EQ(left_ends, expected_end) << left << " " << right;
      EXPECT_EQ(right_starts, expected_start) << left << " " << right;
    }
  }
}

TEST(EntitiesTest, EntitiesCoverExactlyTheTokensThatAreNotOutside) {
  const std::vector<std::string> alphabet = {"O", "B-X", "I-X", "E-X", "S-X", "I-Y"};
  std::vector<std::string> labels(5);
  for (int code = 0; code < 7776; ++code) {  // all 6^5 sentences
    for (int t = 0, rest = code; t < 5; ++t, rest /= 6) labels[t] = alphabet[rest % 6];
    const auto parsed = parse(labels);
    std::vector<Entity> entities;
    find_entities(parsed, entities);
    std::vector<bool> covered(5, false);
    std::size_t last_end = 0;
    for (const Entity& e : entities) {
      ASSERT_LE(last_end, e.begin);
      last_end = e.end;
      for (std::size_t t = e.begin; t < e.end; ++t) {
        covered[t] = true;
        ASSERT_EQ(parsed[t].type, e.type);
      }
    }
    for (int t = 0; t < 5; ++t) ASSERT_EQ(covered[t], labels[t] != "O");
  }
}

}  // namespace
}  // namespace fovea::tagging
