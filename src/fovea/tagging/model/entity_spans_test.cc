// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/entity_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_sequences.h"

namespace fovea::tagging {
namespace {

using ::testing::HasSubstr;

/// True if the labeling holds exactly this entity.
bool holds_entity(const std::vector<std::string>& names, std::span<const Value> labeling, const EntitySpan& span) {
  std::vector<EntityLabel> labels;
  for (const Value label : labeling) labels.push_back(*parse_entity_label(names[label]));
  std::vector<Entity> entities;
  find_entities(labels, entities);
  for (const Entity& entity : entities)
    if (entity == Entity{span.begin, span.end, span.label}) return true;
  return false;
}

/// A labeling of one sequence and its probability.
struct Possible {
  std::vector<Value> labels;
  double probability;
};

std::vector<Possible> all_labelings(const sequence::LabelSequences& sequences, std::size_t s) {
  const std::size_t length = sequences.end(s) - sequences.begin(s);
  const auto count = static_cast<std::size_t>(sequences.ngrams().label_count());
  std::vector<Possible> all;
  double total = 0;
  for (std::size_t number = 0; number < std::pow(count, length); ++number) {
    Assignment labeling = sequences.make_labeling();
    std::size_t rest = number;
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p, rest /= count)
      labeling[p] = static_cast<Value>(rest % count);
    all.push_back({{labeling.begin() + sequences.begin(s), labeling.begin() + sequences.end(s)},
                   std::exp(sequences.log_score(s, labeling))});
    total += all.back().probability;
  }
  for (Possible& one : all) one.probability /= total;
  return all;
}

TEST(EntitySpans, ProbabilitiesVsEnumerationInAllSchemes) {
  std::size_t checked = 0;
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"O", "B-A", "I-A", "B-C"}, std::vector<std::string>{"O", "I-A", "I-C", "B-A"},
        std::vector<std::string>{"O", "B-A", "I-A", "E-A", "S-A"}})
    for (int q = 1; q <= 3; ++q) {
      const auto random = testing::random_sequences({.label_count = static_cast<int>(names.size()),
                                                     .factor_size = q,
                                                     .lengths = {4, 1},
                                                     .scale = 1.5,
                                                     .ngram_density = .8},
                                                    static_cast<std::uint32_t>(q + names.size()));
      EntitySpans spans(names, *random.ngrams);
      for (std::size_t s = 0; s < 2; ++s) {
        const std::vector<Possible> all = all_labelings(*random.sequences, s);
        for (std::size_t i = 0; i < all.size(); i += s == 0 ? 13 : 1)  // some of them are enough
          for (const EntitySpan& span : spans.find(*random.sequences, s, all[i].labels)) {
            ++checked;
            double expected = 0;
            for (const Possible& other : all)
              if (holds_entity(names, other.labels, span)) expected += other.probability;
            EXPECT_NEAR(span.probability, expected, 1e-6);
          }
      }
    }
  EXPECT_GT(checked, 300u);
}

TEST(EntitySpans, RefusesLabelsThatMarkNoEntity) {
  EXPECT_THAT(testing::message_of<UsageError>([] {
                require_entity_labels(std::vector<std::string>{"O", "NN"});
              }),
              HasSubstr("the label 'NN' does not"));
}

}  // namespace
}  // namespace fovea::tagging
