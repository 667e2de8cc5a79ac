// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/file_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea {
namespace {

using ::testing::HasSubstr;

TEST(FileLockTest, OneHoldsItAtATime) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "answers.csv";
  {
    const FileLock lock(path);
    EXPECT_THAT(testing::message_of<InputError>([&] { FileLock second(path); }), HasSubstr("another process"));
  }
  const FileLock again(path);
  EXPECT_TRUE(std::filesystem::exists(path + ".lock"));
}

TEST(FileLockTest, LeavesNothingBehind) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "answers.csv";
  { const FileLock lock(path); }
  EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
}

TEST(FileLockTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_THAT(testing::message_of<InputError>([] { FileLock lock("no/such/folder/answers.csv"); }),
              HasSubstr("cannot be locked"));
}

}  // namespace
}  // namespace fovea
