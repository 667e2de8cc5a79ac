// SPDX-License-Identifier: Apache-2.0
// The Python package compares every type with Arrow's own library; here are the memory and the errors.
#include "fovea/io/table/arrow_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <limits>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

/// A stream of batches of one text and one number column, which counts what is released.
class TwoColumns {
 public:
  TwoColumns() {
    for (std::size_t c = 0; c < 2; ++c) children_[c] = {.format = kFormats[c], .name = kNames[c], .release = &released};
    stream_ = {
        .get_schema = &schema, .get_next = &next, .get_last_error = &error, .release = &end, .private_data = this};
  }

  ArrowArrayStream* stream() { return &stream_; }
  int released_streams = 0, released_schemas = 0, released_batches = 0;
  int batches = 2, failing_batch = -1;
  const char* record_format = "+s";
  std::int64_t offset = 0;
  std::int64_t first_length = 3, first_nulls = 1, first_buffers = 3;  // of the first column
  std::string text = "abcc\xC3\xA9";
  std::vector<std::int32_t> ends = {0, 1, 1, 6};
  std::vector<std::uint8_t> valid = {0b101};

  static constexpr const char* kNames[] = {"name", "year"};
  const char* kFormats[2] = {"u", "s"};

 private:
  static TwoColumns& of(ArrowArrayStream* stream) { return *static_cast<TwoColumns*>(stream->private_data); }
  static void released(ArrowSchema* schema) { schema->release = nullptr; }
  static int schema(ArrowArrayStream* stream, ArrowSchema* out) {
    TwoColumns& self = of(stream);
    for (std::size_t c = 0; c < 2; ++c) self.schema_children_[c] = &self.children_[c];
    self.children_[0].format = self.kFormats[0];
    *out = {.format = self.record_format, .n_children = 2, .children = self.schema_children_, .private_data = &self};
    out->release = [](ArrowSchema* s) {
      ++static_cast<TwoColumns*>(s->private_data)->released_schemas;
      s->release = nullptr;
    };
    return 0;
  }
  static int next(ArrowArrayStream* stream, ArrowArray* out) {
    TwoColumns& self = of(stream);
    if (self.given_ == self.failing_batch) return EIO;
    *out = {};
    if (self.given_++ == self.batches) return 0;
    self.buffers_[0][0] = self.valid.data();
    self.buffers_[0][1] = self.ends.data();
    self.buffers_[0][2] = self.text.data();
    self.buffers_[1][0] = nullptr;
    self.buffers_[1][1] = self.years_.data();
    self.columns_[0] = {.length = self.first_length,
                        .null_count = self.first_nulls,
                        .n_buffers = self.first_buffers,
                        .buffers = self.buffers_[0]};
    self.columns_[1] = {.length = 3, .n_buffers = 2, .buffers = self.buffers_[1]};
    for (std::size_t c = 0; c < 2; ++c) self.column_pointers_[c] = &self.columns_[c];
    *out = {.length = 3 - self.offset,
            .offset = self.offset,
            .n_children = 2,
            .children = self.column_pointers_,
            .private_data = &self};
    out->release = [](ArrowArray* a) {
      ++static_cast<TwoColumns*>(a->private_data)->released_batches;
      a->release = nullptr;
    };
    return 0;
  }
  static const char* error(ArrowArrayStream*) { return "the disk is on fire"; }
  static void end(ArrowArrayStream* stream) {
    ++of(stream).released_streams;
    stream->release = nullptr;
  }

  ArrowArrayStream stream_;
  ArrowSchema children_[2];
  ArrowSchema* schema_children_[2];
  ArrowArray columns_[2];
  ArrowArray* column_pointers_[2];
  const void* buffers_[2][3];
  std::vector<std::int16_t> years_ = {1990, -1, 2026};
  int given_ = 0;
};

void expect_all_released(const TwoColumns& source, int batches) {
  EXPECT_EQ(source.released_streams, 1);
  EXPECT_EQ(source.released_schemas, 1);
  EXPECT_EQ(source.released_batches, batches);
}

std::string refusal_of(TwoColumns& source) {
  return testing::message_of<InputError>([&] { read_arrow_stream(source.stream(), "df"); });
}

TEST(ArrowStream, BatchesBecomeRows) {
  TwoColumns source;
  const Table table = read_arrow_stream(source.stream(), "df");
  EXPECT_EQ(table.columns(), (std::vector<std::string>{"name", "year"}));
  ASSERT_EQ(table.row_count(), 6u);
  for (std::size_t batch = 0; batch < 2; ++batch) {
    EXPECT_EQ(table.cell(3 * batch, 0), "a");
    EXPECT_TRUE(table.is_missing(3 * batch + 1, 0));
    EXPECT_EQ(table.cell(3 * batch + 2, 0), "bcc\xC3\xA9");
    EXPECT_EQ(table.cell(3 * batch + 1, 1), "-1");
  }
  expect_all_released(source, 2);
}

TEST(ArrowStream, ABatchMayBeginWithinItsColumns) {
  TwoColumns source;
  source.offset = 2;
  const Table table = read_arrow_stream(source.stream(), "df", {"2026"});
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(table.cell(0, 0), "bcc\xC3\xA9");
  EXPECT_TRUE(table.is_missing(0, 1));
}

TEST(ArrowStream, AFailedStreamSaysWhyAndIsReleased) {
  TwoColumns source;
  source.failing_batch = 1;
  EXPECT_THAT(refusal_of(source), HasSubstr("df: the stream of records failed: the disk is on fire"));
  expect_all_released(source, 1);
}

TEST(ArrowStream, RefusesWhatIsNoTextWithItsPlace) {
  TwoColumns bytes;
  bytes.kFormats[0] = "z";
  EXPECT_THAT(refusal_of(bytes), HasSubstr("df, column 'name': Arrow's type 'z' has no text"));
  expect_all_released(bytes, 1);
  TwoColumns broken;
  broken.text[1] = '\xFF';
  EXPECT_THAT(refusal_of(broken), HasSubstr("df, row 3, column 'name': not UTF-8"));
  TwoColumns numbers;
  numbers.record_format = "l";
  EXPECT_THAT(refusal_of(numbers), HasSubstr("not a stream of records"));
}

TEST(ArrowStream, RefusesWhatContradictsItself) {
  const auto expect_refusal = [](const char* text, auto&& spoil) {
    TwoColumns source;
    spoil(source);
    EXPECT_THAT(refusal_of(source), HasSubstr(text));
    EXPECT_EQ(source.released_schemas, 1);
    EXPECT_EQ(source.released_streams, 1);
  };
  expect_refusal("row 1, column 'name': a text from byte -1 to 1", [](TwoColumns& s) { s.ends[0] = -1; });
  expect_refusal("row 3, column 'name': a text from byte 1 to 0", [](TwoColumns& s) { s.ends[3] = 0; });
  expect_refusal("column 'name': a malformed array of Arrow's type 'u'", [](TwoColumns& s) { s.first_nulls = 4; });
  expect_refusal("column 'name': a malformed array of Arrow's type 'u'", [](TwoColumns& s) { s.first_nulls = -2; });
  expect_refusal("column 'name': a malformed array of Arrow's type 'u'", [](TwoColumns& s) { s.first_buffers = 2; });
  expect_refusal("column 'name': 2 cells for 3 rows", [](TwoColumns& s) { s.first_length = 2; });
  expect_refusal("column 'name': a malformed array of Arrow's type 'u'", [](TwoColumns& s) { s.first_length = -1; });
  expect_refusal("a malformed batch of -1 rows from row 4 on", [](TwoColumns& s) { s.offset = 4; });
  expect_refusal("column 'name': Arrow's type '+s' has no text (records)", [](TwoColumns& s) { s.kFormats[0] = "+s"; });
  expect_refusal("column 'name': a list without elements of a type", [](TwoColumns& s) { s.kFormats[0] = "+l"; });
  expect_refusal("column 1 has no type", [](TwoColumns& s) { s.kFormats[0] = nullptr; });
  expect_refusal("not a stream of records", [](TwoColumns& s) { s.record_format = nullptr; });
}

TEST(ArrowStream, TakesTheEarliestPointInTime) {
  constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();
  const void* buffers[] = {nullptr, &kEarliest};
  const ArrowSchema schema = {.format = "tsn:UTC"};
  const ArrowArray array = {.length = 1, .n_buffers = 2, .buffers = buffers};
  EXPECT_EQ(arrow_cells(schema, &array)->text(0), "1677-09-21T00:12:43.145224192Z");
}

}  // namespace
}  // namespace fovea::io
