// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/line_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <thread>

namespace fovea::cli {
namespace {

class LineReaderTest : public ::testing::Test {
 protected:
  LineReaderTest() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~LineReaderTest() override {
    ::close(ends_[0]);
    close();
  }

  void write(std::string_view text) {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

  std::array<int, 2> ends_{};
  CancelToken cancel_;
};

TEST_F(LineReaderTest, ReadsLinesAndTheLastOneWithoutItsEnd) {
  LineReader reader(ends_[0]);
  write("yes\n\nno\r\nlas");
  EXPECT_EQ(reader.next(cancel_), "yes");
  EXPECT_EQ(reader.next(cancel_), "");
  EXPECT_EQ(reader.next(cancel_), "no");
  write("t");
  close();
  EXPECT_EQ(reader.next(cancel_), "last");
  EXPECT_EQ(reader.next(cancel_), std::nullopt);
}

TEST_F(LineReaderTest, StopsWaitingOnCancel) {
  LineReader reader(ends_[0]);
  std::thread later([&] { cancel_.cancel(); });
  EXPECT_EQ(reader.next(cancel_), std::nullopt);
  later.join();
}

}  // namespace
}  // namespace fovea::cli
