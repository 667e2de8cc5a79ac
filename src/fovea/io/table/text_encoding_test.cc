// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/text_encoding.h"

#include <gmock/gmock.h>

#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

std::string decode(std::string_view line, const std::string& encoding) {
  LineReader lines(ByteSource::from_memory(line, "t"));
  EXPECT_TRUE(lines.next());
  return std::string(LineDecoder(encoding).decode(lines));
}

TEST(TextEncodingTest, FindsWhereUtf8Ends) {
  constexpr std::size_t kNowhere = std::string_view::npos;
  EXPECT_EQ(find_invalid_utf8(""), kNowhere);
  EXPECT_EQ(find_invalid_utf8("plain text of more than eight bytes"), kNowhere);
  EXPECT_EQ(find_invalid_utf8("Ugur Çetin, J\xC3\xB6rg, \xF0\x9F\x98\x80"), kNowhere);
  EXPECT_EQ(find_invalid_utf8("J\xF6rg"), 1u);
  EXPECT_EQ(find_invalid_utf8("\xC0\x80"), 0u) << "overlong";
  EXPECT_EQ(find_invalid_utf8("a\xED\xA0\x80"), 1u) << "a surrogate";
  for (std::size_t at = 0; at < 20; ++at) {
    std::string text(20, 'a');
    text[at] = '\xFF';
    EXPECT_EQ(find_invalid_utf8(text), at);
  }
  EXPECT_EQ(find_invalid_utf8("12345678\xC3"), 8u) << "cut short";
}

TEST(TextEncodingTest, OtherEncodingsBecomeUtf8) {
  EXPECT_EQ(decode("J\xC3\xB6rg", "utf-8"), "Jörg");
  EXPECT_EQ(decode("J\xF6rg", "latin1"), "Jörg");
  EXPECT_EQ(decode("\x80", "windows-1252"), "€");
  EXPECT_EQ(decode("\x93\xFA\x96{", "shift_jis"), "日本") << "one byte of a character is a brace";
}

TEST(TextEncodingTest, AByteOrderMarkBelongsToNoCell) {
  EXPECT_EQ(decode("\xEF\xBB\xBFid", "utf-8"), "id");
  LineReader lines(ByteSource::from_memory("a\n\xEF\xBB\xBFid", "t"));
  lines.next();
  lines.next();
  EXPECT_EQ(LineDecoder("utf-8").decode(lines), "id") << "of a file that was put behind another";
}

TEST(TextEncodingTest, RefusesBytesThatTheEncodingDoesNotHave) {
  EXPECT_EQ(message_of<InputError>([] { decode("J\xF6rg", "utf-8"); }),
            "t:1: byte 2 (0xF6) is not UTF-8. Name the encoding of the file by option 'encoding', such as latin1 or "
            "windows-1252");
  EXPECT_THAT(message_of<InputError>([] { decode("ab\x81", "windows-1252"); }),
              HasSubstr("t:1: byte 3 (0x81) is not windows-1252"));
  EXPECT_THAT(message_of<UsageError>([] { decode("a", "klingon"); }), HasSubstr("unknown encoding 'klingon'"));
}

}  // namespace
}  // namespace fovea::io
