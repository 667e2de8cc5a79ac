// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/temporary_file.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace fovea {
namespace {

TEST(TemporaryFileTest, NobodyRemovesAFileThatIsInUse) {
  const testing::TemporaryFolder folder;
  const std::string target = folder / "target";
  std::atomic<int> lost = 0;
  std::vector<std::thread> makers;
  for (int maker = 0; maker < 6; ++maker)
    makers.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const TemporaryFile file(target, target);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (!std::filesystem::exists(file.name())) ++lost;
      }
    });
  for (std::thread& maker : makers) maker.join();
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(TemporaryFileTest, BecomesTheTargetUnlessThereIsOne) {
  const testing::TemporaryFolder folder;
  const std::string target = folder / "target";
  EXPECT_TRUE(TemporaryFile(target, target).become_target());
  TemporaryFile second(target, target);
  EXPECT_FALSE(second.become_target());
  EXPECT_TRUE(std::filesystem::exists(second.name()));
}

}  // namespace
}  // namespace fovea
