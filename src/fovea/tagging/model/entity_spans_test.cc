// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/entity_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
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
        const sequence::SequenceView view(*random.sequences, s);
        const double log_z = mcmc::enumerate(view).log_z;
        std::size_t number = 0;
        mcmc::enumerate_assignments(view, [&](const Assignment& labeling, double) {
          if (number++ % 13 != 0 && s == 0) return;  // some of them are enough
          for (const EntitySpan& span : spans.find(*random.sequences, s, labeling)) {
            ++checked;
            double expected = 0;
            mcmc::enumerate_assignments(view, [&](const Assignment& other, double score) {
              if (holds_entity(names, other, span)) expected += std::exp(score - log_z);
            });
            EXPECT_NEAR(span.probability, expected, 1e-6);
          }
        });
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
