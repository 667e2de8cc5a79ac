// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/family/gp_tagger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

/// Two items: bundles {0, 2} and {2} with weight 3; bundle {1}.
sequence::TrainingSet bundled() {
  sequence::TrainingSet set;
  SparseRows& bundles = set.items.bundles;
  for (const std::vector<std::uint32_t>& attributes : {std::vector<std::uint32_t>{2, 0}, {2}, {1}}) {
    bundles.columns.insert(bundles.columns.end(), attributes.begin(), attributes.end());
    bundles.end_row();
  }
  set.items.items.columns = {0, 1, 2};
  set.items.items.values = {1, 3, .5f};
  set.items.items.offsets = {0, 2, 3};
  set.items.sequence_begin = {0, 1, 2};
  set.labels = {1, 0};
  set.attribute_count = 3;
  set.label_count = 2;
  return set;
}

TEST(GpSequencesTest, DissolvesBundlesAndAddsUpEqualAttributes) {
  const gp::Sequences sequences = gp_sequences(bundled());
  EXPECT_THAT(sequences.features.offsets, ElementsAre(0, 2, 3));
  EXPECT_THAT(sequences.features.columns, ElementsAre(0, 2, 1));
  EXPECT_THAT(sequences.features.values, ElementsAre(1, 4, .5f));
  EXPECT_THAT(sequences.begin, ElementsAre(0, 1, 2));
  EXPECT_THAT(sequences.labels, ElementsAre(1, 0));
  EXPECT_EQ(sequences.label_count, 2u);
}

TEST(GpSequencesTest, RefusesLabelsThatAreNotKnown) {
  sequence::TrainingSet set = bundled();
  set.labels[1] = sequence::kUnknownLabel;
  EXPECT_THAT(fovea::testing::message_of<InputError>([&] { gp_sequences(set); }),
              ::testing::HasSubstr("a label that is not known"));
}

}  // namespace
}  // namespace fovea::tagging
