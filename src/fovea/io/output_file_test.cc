// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/stream.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::io {
namespace {

class OutputFileTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
};

TEST_F(OutputFileTest, AppearsWholeAtFinish) {
  testing::write_file(folder_ / "out", "old");
  OutputFile file(folder_ / "out");
  file.write("new");
  file.flush();
  EXPECT_EQ(testing::read_file(folder_ / "out"), "old");
  file.finish();
  EXPECT_EQ(testing::read_file(folder_ / "out"), "new");
  EXPECT_EQ(folder_.file_count(), 1u);
}

TEST_F(OutputFileTest, WithoutFinishTheOldFileStays) {
  testing::write_file(folder_ / "out", "old");
  const std::vector<char> bytes(1 << 20, 'x');
  { OutputFile(folder_ / "out").write({bytes.data(), bytes.size()}); }
  EXPECT_EQ(testing::read_file(folder_ / "out"), "old");
  EXPECT_EQ(folder_.file_count(), 1u);
}

TEST_F(OutputFileTest, PiecesOfAnySizeKeepTheirOrder) {
  OutputFile file(folder_ / "out");
  std::string expected;
  for (std::size_t size : {1, 70000, 0, 65535, 1, 65536, 2, 200000, 3}) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    file.write(piece);
    expected += piece;
  }
  file.finish();
  EXPECT_EQ(testing::read_file(folder_ / "out"), expected);
}

TEST_F(OutputFileTest, WhereNothingCanBeWrittenIsSaidAtOnce) {
  EXPECT_THAT(message_of<InputError>([&] { OutputFile(folder_ / "missing/out"); }), HasSubstr("No such file"));
  EXPECT_THAT(message_of<InputError>([&] { OutputFile(folder_ / ""); }), HasSubstr("not a regular file"));
}

TEST_F(OutputFileTest, AFullDeviceIsReported) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "needs /dev/full";
  OutputFile file("/dev/full");
  file.write("lost");
  EXPECT_THAT(message_of<InputError>([&] { file.finish(); }), HasSubstr("/dev/full: cannot write: No space left"));
}

TEST_F(OutputFileTest, APipeIsWrittenOnTheGoEvenWithoutFinish) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = testing::read_file(path); });
  { OutputFile(path).write("text"); }
  reader.join();
  EXPECT_EQ(read, "text");
}

TEST_F(OutputFileTest, AReaderThatWentAwayIsNotAFailure) {
  ::signal(SIGPIPE, SIG_IGN);
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  OutputFile file(path);
  ::close(reader);
  file.write("text");
  EXPECT_THROW(file.flush(), OutputClosed);
}

}  // namespace
}  // namespace fovea::io
