// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/hdf5_writer.h"

namespace fovea::graph::hdf5 {
namespace {

using testing::Hdf5Storage;
using testing::Hdf5Writer;
using Layout = Hdf5Storage::Layout;
using Counts = std::vector<std::uint64_t>;

Counts count_up(std::size_t size) {
  Counts counts(size);
  for (std::size_t i = 0; i < size; ++i) counts[i] = 1000003 * i;
  return counts;
}

std::string file_read_error(const std::string& bytes, const std::string& path = "x") {
  return message_of<InputError>([&] { File(bytes, "m.h5").read_unsigned(path); });
}

std::string file_with(const Hdf5Storage& storage, const Counts& counts) {
  Hdf5Writer writer;
  writer.add("x", counts, storage);
  return writer.bytes();
}

TEST(Hdf5FileTest, ReadsEveryLayoutOfEveryFormat) {
  for (const auto format : {Hdf5Writer::Format::kEarliest, Hdf5Writer::Format::kLatest}) {
    Hdf5Writer writer(format);
    writer.add_group("g");
    writer.add("g/contiguous", count_up(100));
    writer.add("g/compact", count_up(7), {.layout = Layout::kCompact});
    writer.add("empty", Counts{});
    const File file(writer.bytes(), "m.h5");
    EXPECT_EQ(file.read_unsigned("g/contiguous"), count_up(100));
    EXPECT_EQ(file.read_unsigned("/g//compact"), count_up(7));
    EXPECT_EQ(file.read_unsigned("empty"), Counts{});
    EXPECT_THAT(file.members(""), ElementsAre("empty", "g"));
    EXPECT_THAT(file.members("g"), ElementsAre("compact", "contiguous"));
    EXPECT_TRUE(file.contains("g/compact"));
    EXPECT_FALSE(file.contains("g/none"));
  }
}

TEST(Hdf5FileTest, ReadsChunksWithAndWithoutFilters) {
  for (const bool shuffle : {false, true})
    for (const bool deflate : {false, true})
      for (const std::size_t size : {1, 7, 8, 1000}) {  // 1000 / 4 chunks: a B-tree of two levels
        const Hdf5Storage storage = {.layout = Layout::kChunked, .shuffle = shuffle, .deflate = deflate};
        EXPECT_EQ(File(file_with(storage, count_up(size)), "m.h5").read_unsigned("x"), count_up(size));
      }
}

TEST(Hdf5FileTest, ReadsNumbersOfAllWidths) {
  Hdf5Writer writer;
  const std::vector<std::int64_t> numbers = {-3, 0, 100};
  for (const hid_t type : {H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_IEEE_F32LE, H5T_IEEE_F64LE})
    writer.add(fmt::format("t{}", type), numbers, {.type = type});
  const File file(writer.bytes(), "m.h5");
  ASSERT_EQ(file.members("").size(), 6u);
  for (const std::string& name : file.members("")) EXPECT_THAT(file.read_real(name), ElementsAre(-3, 0, 100)) << name;

  Hdf5Writer reals;
  reals.add("x", std::vector<double>{0.1, -std::numeric_limits<double>::infinity()});
  reals.add("y", std::vector<float>{0.1f});
  EXPECT_THAT(File(reals.bytes(), "m").read_real("x"), ElementsAre(0.1, -std::numeric_limits<double>::infinity()));
  EXPECT_THAT(File(reals.bytes(), "m").read_real("y"), ElementsAre(double{0.1f}));
}

TEST(Hdf5FileTest, ReadsGroupsOfManyMembers) {
  Hdf5Writer writer;
  std::vector<std::string> names;
  for (int i = 100; i < 400; ++i) writer.add(names.emplace_back(fmt::format("member{}", i)), Counts{std::uint64_t(i)});
  const File file(writer.bytes(), "m.h5");
  EXPECT_EQ(file.members(""), names);
  EXPECT_THAT(file.read_unsigned("member399"), ElementsAre(399));
}

TEST(Hdf5FileTest, ReadsBehindAUserBlock) {
  Hdf5Writer writer(Hdf5Writer::Format::kEarliest, 1024);
  writer.add("x", count_up(5));
  // The library's image lacks the user block, a file on disk has it.
  EXPECT_EQ(File(writer.bytes(), "m.h5").read_unsigned("x"), count_up(5));
  EXPECT_EQ(File(std::string(1024, '#') + writer.bytes(), "m.h5").read_unsigned("x"), count_up(5));
}

TEST(Hdf5FileTest, ReadsHeadersWithContinuationBlocks) {
  Hdf5Writer writer;
  writer.add("x", count_up(5));
  const hid_t object = H5Dopen2(writer.file(), "x", H5P_DEFAULT);
  const hid_t space = H5Screate(H5S_SCALAR);
  for (int i = 0; i < 20; ++i)
    H5Aclose(
        H5Acreate2(object, fmt::format("attribute{}", i).c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Dclose(object);
  EXPECT_EQ(File(writer.bytes(), "m.h5").read_unsigned("x"), count_up(5));
}

TEST(Hdf5FileTest, RefusesWhatItDoesNotSupportByName) {
  EXPECT_THAT(file_read_error(file_with({.layout = Layout::kChunked, .fletcher = true}, count_up(9))),
              AllOf(HasSubstr("m.h5"), HasSubstr("filter 3"), HasSubstr("h5repack")));
  EXPECT_THAT(file_read_error(file_with({.type = H5T_STD_U64BE}, count_up(9))), HasSubstr("big-endian"));

  Hdf5Writer latest(Hdf5Writer::Format::kLatest);
  latest.add("x", count_up(9), {.layout = Layout::kChunked});
  EXPECT_THAT(file_read_error(latest.bytes()), HasSubstr("layout of version 4"));

  Hdf5Writer many(Hdf5Writer::Format::kLatest);
  for (int i = 0; i < 20; ++i) many.add(fmt::format("m{}", i), Counts{1});
  EXPECT_THAT(file_read_error(many.bytes()), HasSubstr("fractal heap"));

  Hdf5Writer named;
  const hid_t type = H5Tcopy(H5T_NATIVE_UINT64);
  H5Tcommit2(named.file(), "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  named.add("x", count_up(2), {.type = type});
  H5Tclose(type);
  EXPECT_THAT(file_read_error(named.bytes()), HasSubstr("datatype is kept elsewhere"));
}

TEST(Hdf5FileTest, RefusesWhatIsNoListOfCounts) {
  Hdf5Writer writer;
  writer.add("real", std::vector<double>{1});
  writer.add("negative", std::vector<std::int64_t>{1, -2});
  writer.add_group("group");
  const hsize_t shape[] = {2, 3};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  H5Dclose(H5Dcreate2(writer.file(), "matrix", H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  EXPECT_THAT(file_read_error(writer.bytes(), "real"), HasSubstr("with a fraction"));
  EXPECT_THAT(file_read_error(writer.bytes(), "negative"), HasSubstr("-2 where counts"));
  EXPECT_THAT(file_read_error(writer.bytes(), "group"), HasSubstr("not a dataset"));
  EXPECT_THAT(file_read_error(writer.bytes(), "matrix"), HasSubstr("2 dimensions"));
  EXPECT_THAT(file_read_error(writer.bytes(), "none"), HasSubstr("'none' is missing"));
}

TEST(Hdf5FileTest, RefusesDatasetsThatWereNeverWritten) {
  Hdf5Writer writer;
  const hsize_t size = std::uint64_t{1} << 40;  // and takes no memory for them
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Dclose(H5Dcreate2(writer.file(), "whole", H5T_NATIVE_UINT64, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  const hsize_t chunk = 1024;
  H5Pset_chunk(creation, 1, &chunk);
  H5Dclose(H5Dcreate2(writer.file(), "chunked", H5T_NATIVE_UINT64, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation);
  H5Sclose(space);
  EXPECT_THAT(file_read_error(writer.bytes(), "whole"), HasSubstr("never written"));
  EXPECT_THAT(file_read_error(writer.bytes(), "chunked"), HasSubstr("chunks are stored"));
}

TEST(Hdf5FileTest, RefusesForeignFiles) {
  EXPECT_THAT(file_read_error(""), HasSubstr("signature is missing"));
  EXPECT_THAT(file_read_error("MARKOV\n3\n"), AllOf(HasSubstr("m.h5"), HasSubstr("not an HDF5 file")));
}

/// Whatever is cut off or changed, the answer is an InputError or numbers; the sanitizers watch.
void read_all_file(std::string bytes) {
  try {
    const File file(std::move(bytes), "m.h5");
    for (const std::string& name : file.members("")) {
      try {
        file.read_real(name);
      } catch (const InputError&) {
      }
    }
  } catch (const InputError&) {
  }
}

TEST(Hdf5FileTest, SurvivesTruncationAndChangedBytes) {
  for (const auto format : {Hdf5Writer::Format::kEarliest, Hdf5Writer::Format::kLatest}) {
    Hdf5Writer writer(format);
    writer.add("contiguous", count_up(3));
    writer.add("compact", count_up(3), {.layout = Layout::kCompact});
    if (format == Hdf5Writer::Format::kEarliest)
      writer.add("chunked", count_up(9), {.layout = Layout::kChunked, .shuffle = true, .deflate = true});
    const std::string bytes = writer.bytes();
    for (std::size_t size = 0; size < bytes.size(); size += 7) read_all_file(bytes.substr(0, size));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (bytes[at] == '\0' && at % 5 != 0) continue;  // most of the file is zero
      for (const int flip : {1, 255}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ flip);
        read_all_file(std::move(changed));
      }
    }
  }
}

}  // namespace
}  // namespace fovea::graph::hdf5
