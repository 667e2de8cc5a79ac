// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::read_file;
using fovea::testing::run_fovea;

class AttributesTest : public ::testing::Test {
 protected:
  const fovea::testing::TemporaryFolder folder_;
  const std::string data_ = folder_.write("data", "Ab:c N X\nd V Y\n\ne N X\n");
  const std::string out_ = folder_ / "out";
};

TEST_F(AttributesTest, WritesWhatTheTemplateMakesOfEachItem) {
  const std::string own = folder_.write("template", "U0:%x[0,0]\nU1=%x[-1,1]\nU2=%suffix[0,0,3]\nB\n");
  ASSERT_EQ(run_fovea({"attributes", "--template", own, data_, "-o", out_}).status, 0);
  EXPECT_EQ(read_file(out_),
            "X\tU0\\:Ab\\:c\tU1=_B-1\tU2=b\\:c\n"
            "Y\tU0\\:d\tU1=N\n"
            "\n"
            "X\tU0\\:e\tU1=_B-1\n"
            "\n");
}

TEST_F(AttributesTest, HasABuiltInTemplateThatDoesNotReadTheLabel) {
  ASSERT_EQ(run_fovea({"attributes", data_, "-o", out_}).status, 0);
  EXPECT_THAT(read_file(out_), HasSubstr("Uw+0=Ab\\:c"));
  EXPECT_THAT(read_file(out_), HasSubstr("U1\\:+0=N"));
  EXPECT_THAT(read_file(out_), Not(HasSubstr("=Y")));
}

TEST_F(AttributesTest, RefusesDataThatTheTemplateCannotRead) {
  const auto too_far = run_fovea({"attributes", "--template", folder_.write("far", "U0:%x[0,2]\n"), data_});
  EXPECT_EQ(too_far.status, 3);
  EXPECT_THAT(too_far.err, HasSubstr("far:1"));
  const auto label_only = run_fovea({"attributes", folder_.write("labels", "\nX\nY\n")});
  EXPECT_EQ(label_only.status, 3);
  EXPECT_THAT(label_only.err, HasSubstr("labels:2"));
}

}  // namespace
}  // namespace fovea::cli
