// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/stream.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fovea/base/container.h"
#include "fovea/io/output_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::io {
namespace {

using namespace std::string_literals;

std::string read_all_stream(ByteSource source, std::size_t piece = 1 << 16) {
  std::string all, buffer(piece, ' ');
  while (const std::size_t count = source.read(buffer)) all.append(buffer, 0, count);
  return all;
}

std::string pack(const std::string& bytes, const std::string& ending) {
  testing::TemporaryFolder folder;
  OutputFile file(folder / ("packed" + ending));
  file.write(bytes);
  file.finish();
  return testing::read_file(folder / ("packed" + ending));
}

std::string unpack(const std::string& packed, std::size_t piece = 1 << 16) {
  return read_all_stream(ByteSource::from_memory(packed, "memory"), piece);
}

/// Bytes that pack to more than a buffer of the reader.
std::string long_text() {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < 900'000) text += std::to_string(state = state * 1664525 + 1013904223) + "\n";
  return text;
}

class CompressionTest : public ::testing::TestWithParam<const char*> {};

TEST_P(CompressionTest, RoundTrips) {
  const std::string text = long_text();
  const std::string packed = pack(text, GetParam());
  EXPECT_LT(packed.size(), text.size());
  EXPECT_EQ(unpack(packed), text);
  EXPECT_EQ(unpack(packed, 77), text);
  EXPECT_EQ(unpack(pack("", GetParam())), "");
}

TEST_P(CompressionTest, ConcatenatedStreamsAreOneText) {
  const std::string first = pack("a\n", GetParam()), second = pack(long_text(), GetParam());
  EXPECT_EQ(unpack(first + second + first), "a\n" + long_text() + "a\n");
}

TEST_P(CompressionTest, IsToldByContentNotByName) {
  testing::TemporaryFolder folder;
  testing::write_file(folder / "plain.txt", pack("text", GetParam()));
  EXPECT_EQ(read_all_stream(ByteSource(folder / "plain.txt")), "text");
}

TEST_P(CompressionTest, TruncationIsNoticedAtEveryByte) {
  const std::string packed = pack("a short text, a short text", GetParam());
  // The first bytes alone are not recognised as packed data, so they pass as text.
  for (std::size_t size = 6; size < packed.size(); ++size)
    EXPECT_THAT(
        message_of<InputError>([&] { unpack(packed.substr(0, size)); }),
        AllOf(StartsWith("memory: cannot unpack"), HasSubstr("ends in the middle"), HasSubstr("fetch it again")))
        << size;
}

TEST_P(CompressionTest, CorruptionIsNoticed) {
  std::string packed = pack(long_text(), GetParam());
  for (std::size_t at : {packed.size() / 2, packed.size() - 5}) {
    std::string corrupt = packed;
    corrupt[at] = static_cast<char>(corrupt[at] ^ 0x10);
    EXPECT_THAT(message_of<InputError>([&] { unpack(corrupt); }), HasSubstr("cannot unpack")) << at;
  }
  EXPECT_THAT(message_of<InputError>([&] { unpack(packed + "trailing garbage"); }), HasSubstr("cannot unpack"));
}

INSTANTIATE_TEST_SUITE_P(Formats, CompressionTest, ::testing::Values(".gz", ".xz", ".zst"));

TEST(ByteSourceTest, ShortTextsPassThrough) {
  for (const std::string& text : {""s, "a"s, "\x1f"s,
                                  "\xfd"
                                  "7z"s,
                                  "\x28\xb5\x2f"s, "plain text"s})
    EXPECT_EQ(unpack(text), text);
}

TEST(ByteSourceTest, WhatCannotBeOpenedOrReadIsNamed) {
  testing::TemporaryFolder folder;
  EXPECT_THAT(message_of<InputError>([&] { ByteSource(folder / "missing"); }),
              AllOf(HasSubstr("missing: cannot open: No such file"), HasSubstr("Check the path")));
  EXPECT_THAT(message_of<InputError>([&] { read_all_stream(ByteSource(folder / "")); }),
              HasSubstr("cannot read: Is a directory"));
}

std::vector<std::string> read_lines(const std::string& text) {
  LineReader reader(ByteSource::from_memory(text, "memory"));
  std::vector<std::string> lines;
  while (reader.next()) {
    lines.emplace_back(reader.line());
    EXPECT_EQ(reader.line_number(), lines.size());
  }
  EXPECT_FALSE(reader.next()) << "the end is the end";
  return lines;
}

TEST(LineReaderTest, PeeksAtWhatFollows) {
  LineReader lines(ByteSource::from_memory("a\nb", "t"));
  EXPECT_THAT(lines.peek(), StartsWith("a"));
  EXPECT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "a");
  EXPECT_THAT(lines.peek(), StartsWith("b"));
  EXPECT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "b");
  EXPECT_EQ(lines.peek(), "");
  EXPECT_FALSE(lines.next());
  EXPECT_EQ(LineReader(ByteSource::from_memory(std::string_view("\0", 1), "t")).peek().size(), 1u) << "binary data";
}

TEST(LineReaderTest, LinesEndWithNewlinesOrTheFile) {
  EXPECT_THAT(read_lines(""), ElementsAre());
  EXPECT_THAT(read_lines("\n"), ElementsAre(""));
  EXPECT_THAT(read_lines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(read_lines("a\n\nb\n"), ElementsAre("a", "", "b"));
  EXPECT_THAT(read_lines("a\r\nb\r\r\n\r\nc\rd\r"), ElementsAre("a", "b", "", "c\rd"));
}

TEST(LineReaderTest, CarriageReturnsAreRemembered) {
  LineReader reader(ByteSource::from_memory("a\r\nb\nc\r", "memory"));
  for (bool expected : {true, false, true}) {
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.had_carriage_return(), expected);
  }
}

RC_GTEST_PROP(LineReaderTest, JoinedLinesAreTheText, ()) {
  // Lines around the size of the reader's buffer.
  const auto size_of_line = rc::gen::element<std::size_t>(0, 1, 100, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20);
  const auto sizes = *rc::gen::resize(10, rc::gen::container<std::vector<std::size_t>>(size_of_line));
  std::string text;
  for (std::size_t size : sizes) text += std::string(size, 'x') + "\n";
  std::string joined;
  for (const std::string& line : read_lines(text)) joined += line + "\n";
  RC_ASSERT(joined == text);
}

std::string error_of_lines(const std::string& text) {
  return message_of<InputError>([&] { read_lines(text); });
}

TEST(LineReaderTest, NulBytesAreRefused) {
  EXPECT_THAT(error_of_lines("a\nb\0c\n"s), AllOf(StartsWith("memory:2: a NUL byte, 1 bytes"), HasSubstr("UTF-16")));
  EXPECT_THAT(error_of_lines("\0"s), StartsWith("memory:1: a NUL byte"));
  EXPECT_THAT(error_of_lines(std::string(1 << 18, '\n') + "ab\0"s), StartsWith("memory:262145: a NUL byte, 2 bytes"));
}

TEST(LineReaderTest, EndlessLinesAreRefused) {
  const std::string longest(LineReader::kMaxLineBytes, 'x');
  EXPECT_THAT(read_lines("a\n" + longest), ElementsAre("a", longest));
  EXPECT_THAT(read_lines("a\n" + longest + "\nb"), ElementsAre("a", longest, "b"));
  EXPECT_THAT(error_of_lines("a\n" + longest + "x\n"), StartsWith("memory:2: a line of more than 1048576 bytes"));
  EXPECT_THAT(error_of_lines("a\n" + longest + longest + longest), StartsWith("memory:2: a line of more than"));
}

TEST(LineReaderTest, ByteOrderMarksAreNoText) {
  const std::string mark(kByteOrderMark);
  EXPECT_THAT(read_lines(mark + "a\n" + mark + "b\nc" + mark), ElementsAre("a", "b", "c" + mark));
  EXPECT_THAT(read_lines(mark + mark + "a\n" + mark + mark + "b"), ElementsAre("a", "b"));
  EXPECT_THAT(read_lines(mark), ElementsAre());
  EXPECT_THAT(read_lines("\xEF\xBB"), ElementsAre("\xEF\xBB"));
  EXPECT_THAT(error_of_lines("\xFF\xFE"
                             "a\0\n\0"s),
              AllOf(HasSubstr("text in UTF-16"), HasSubstr("option 'encoding'")));
  EXPECT_THAT(error_of_lines("\xFE\xFF\0a"s), HasSubstr("text in UTF-16"));
  EXPECT_THAT(error_of_lines("\xFF\xFE\0\0a\0\0\0"s), HasSubstr("text in UTF-32"));
}

TEST(LineReaderTest, LinesMayEndInReturnsAlone) {
  EXPECT_THAT(read_lines("a\rb c\r\rd"), ElementsAre("a", "b c", "", "d"));
  EXPECT_THAT(read_lines("a\rb\r"), ElementsAre("a", "b"));
  EXPECT_THAT(read_lines("a\r"), ElementsAre("a")) << "one line may have lost its \\n";
  EXPECT_THAT(read_lines("a\r\nb\rc\n"), ElementsAre("a", "b\rc"));
}

TEST(ByteSourceTest, WideTextIsConverted) {
  testing::TemporaryFolder folder;
  std::string text, expected;
  for (int i = 0; i < 50'000; ++i) {  // more than a buffer, so that characters lie across its end
    text += "\xF6\0\x3D\xD8\x00\xDE\n\0"s;
    expected += "\xC3\xB6\xF0\x9F\x98\x80\n";
  }
  testing::write_file(folder / "t", "\xFF\xFE" + text);
  EXPECT_EQ(read_text(ByteSource::converted(folder / "t", "utf-16"), 1 << 30, "a text"), expected);
  EXPECT_EQ(read_text(ByteSource::converted(folder / "t", ByteSource::kByMark), 1 << 30, "a text"), expected);
  testing::write_file(folder / "t", "\xFF\xFE" + text + "x");
  EXPECT_THAT(message_of<InputError>([&] { read_text(ByteSource::converted(folder / "t", "utf-16"), 1 << 30, ""); }),
              HasSubstr("bytes that are not utf-16"));
  EXPECT_THROW(ByteSource::converted(folder / "t", "klingon"), UsageError);
}

TEST(ReadTextTest, RefusesWhatIsNoTextOrTooLong) {
  const auto read = [](std::string_view text) { return read_text(ByteSource::from_memory(text, "t"), 10, "a text"); };
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a\rb"),
            "a\nb");
  EXPECT_THAT(message_of<InputError>([&] { read("a\n\0"s); }), HasSubstr("t:2: a NUL byte"));
  EXPECT_THAT(message_of<InputError>([&] { read("12345678901"); }), HasSubstr("a text of more than 10 bytes"));
}

TEST(LineReaderTest, AModelGivenAsDataIsRefused) {
  testing::TemporaryFolder folder;
  ContainerWriter("tagger", 1).write(folder / "model");
  LineReader reader{ByteSource(folder / "model")};
  EXPECT_THAT(message_of<InputError>([&] { reader.next(); }), HasSubstr("a file that Fovea wrote"));
}

TEST(ByteSourceTest, WhatIsMeantToFillTheMemoryIsRefused) {
  testing::TemporaryFolder folder;
  OutputFile packed(folder / "bomb.xz");
  const std::string line(99, 'a');
  for (int i = 0; i < 1'000'000; ++i) packed.write(line + "\n");
  packed.finish();
  LineReader reader{ByteSource(folder / "bomb.xz")};
  EXPECT_THAT(message_of<InputError>([&] {
                while (reader.next()) {
                }
              }),
              HasSubstr("500 times as many"));
}

TEST(ByteSourceTest, ReadsNoMoreOnceCancelled) {
  CancelToken token;
  cancel_reading_by(&token);
  ByteSource source = ByteSource::from_memory("text", "memory");
  std::array<char, 2> buffer;
  EXPECT_EQ(source.read(buffer), 2u);
  token.cancel();
  EXPECT_THROW(source.read(buffer), CancelledError);
  cancel_reading_by(nullptr);
  EXPECT_EQ(source.read(buffer), 2u);
}

}  // namespace
}  // namespace fovea::io
