// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <cstring>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea {
namespace {

using testing::read_file;
using testing::write_file;

// Positions of the header's fields, as container.h states them.
enum Field : std::size_t { kFormatField = 8, kKindField = 12, kVersionField = 28, kSizeField = 32, kCountField = 40 };
enum Table : std::size_t { kFirstName = 64, kFirstOffset = 96, kFirstSize = 104, kFirstChecksum = 112 };

const std::vector<float> kWeights = {1.5f, -2.0f, 0.25f};

class ContainerTest : public ::testing::Test {
 protected:
  ContainerTest() {
    ContainerWriter writer("tagger", 3);
    writer.add("labels", "B-PER\nI-PER\nO");
    writer.add_array<float>("weights", kWeights);
    writer.add("empty", "");
    writer.write(path_);
    good_ = read_file(path_);
  }

  Container open() const { return Container::open(path_, "tagger", 3); }

  /// The message that refuses the good file with the byte at `position` flipped.
  std::string refusal_with_flipped_byte(std::size_t position) const {
    std::string bad = good_;
    bad[position] = static_cast<char>(bad[position] ^ 0x41);
    write_file(path_, bad);
    return message_of<InputError>([&] { open(); });
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_ / "ner.model";
  std::string good_;
};

TEST_F(ContainerTest, ReturnsWhatWasWritten) {
  const Container container = open();
  EXPECT_EQ(container.path(), path_);
  EXPECT_EQ(container.kind(), "tagger");
  EXPECT_EQ(container.version(), 3u);
  EXPECT_THAT(container.section_names(), ElementsAre("labels", "weights", "empty"));
  EXPECT_EQ(container.bytes("labels"), "B-PER\nI-PER\nO");
  const auto weights = container.array<float>("weights");
  EXPECT_EQ(std::vector<float>(weights.begin(), weights.end()), kWeights);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(weights.data()) % 64, 0u);
  EXPECT_TRUE(container.has("empty"));
  EXPECT_TRUE(container.bytes("empty").empty());
  EXPECT_FALSE(container.has("label"));
}

TEST_F(ContainerTest, BytesInMemoryAreThoseOfTheFile) {
  ContainerWriter writer("tagger", 3);
  writer.add("labels", "B-PER\nI-PER\nO");
  writer.add_array<float>("weights", kWeights);
  writer.add("empty", "");
  std::string bytes = "replaced";
  writer.write(ContainerTarget::memory(bytes));
  EXPECT_EQ(bytes, good_);

  const std::string moved = "x" + bytes;  // at an address that is not aligned
  const Container container = Container::open(ContainerSource::memory(std::string_view(moved).substr(1)), "tagger", 3);
  bytes.clear();
  const auto weights = container.array<float>("weights");
  EXPECT_EQ(std::vector<float>(weights.begin(), weights.end()), kWeights);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(weights.data()) % 64, 0u);
}

TEST_F(ContainerTest, BadBytesInMemoryAreRefusedByTheirName) {
  const auto refusal = [](std::string_view bytes) {
    return message_of<InputError>([&] { Container::open(ContainerSource::memory(bytes, "pickle"), "tagger", 3); });
  };
  EXPECT_THAT(refusal(""), HasSubstr("pickle: is empty"));
  for (std::size_t size = 1; size < good_.size(); size += 7)
    EXPECT_THAT(refusal(good_.substr(0, size)), StartsWith("pickle: is truncated")) << size;
  EXPECT_THAT(refusal(good_ + "x"), HasSubstr("pickle: is damaged"));
}

TEST_F(ContainerTest, StaysReadableAfterTheFileIsReplaced) {
  const Container old = open();
  ContainerWriter writer("tagger", 3);
  writer.add("labels", "X");
  writer.write(path_);
  EXPECT_EQ(old.bytes("labels"), "B-PER\nI-PER\nO");
  EXPECT_EQ(open().bytes("labels"), "X");
}

TEST_F(ContainerTest, EmptyKindAcceptsAnyKind) { EXPECT_EQ(Container::open(path_, "", 3).kind(), "tagger"); }

TEST_F(ContainerTest, RefusesTruncationAtEveryLength) {
  for (std::size_t length = 0; length < good_.size(); ++length) {
    write_file(path_, good_.substr(0, length));
    EXPECT_THAT(message_of<InputError>([&] { open(); }),
                AllOf(StartsWith(path_), HasSubstr(length == 0 ? "empty" : "truncated")))
        << length;
  }
}

TEST_F(ContainerTest, RefusesTrailingBytes) {
  write_file(path_, good_ + "x");
  EXPECT_THAT(message_of<InputError>([&] { open(); }), HasSubstr("1 bytes follow its end"));
}

TEST_F(ContainerTest, RefusesForeignFiles) {
  write_file(path_, "Confidence NN B-NP O\n");
  EXPECT_THAT(message_of<InputError>([&] { open(); }), HasSubstr("not a Fovea model or policy file"));
  write_file(path_, "FOVEA\n\x1a" + good_.substr(8));
  EXPECT_THAT(message_of<InputError>([&] { open(); }), HasSubstr("binary mode"));
  EXPECT_THAT(message_of<InputError>([&] { Container::open("no/such", "tagger", 1); }),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(message_of<InputError>([&] { Container::open(folder_ / "", "tagger", 1); }),
              HasSubstr("not a regular file"));
}

TEST_F(ContainerTest, DoesNotWaitForANamedPipe) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(message_of<InputError>([&] { Container::open(pipe, "tagger", 1); }), HasSubstr("not a regular file"));
}

TEST_F(ContainerTest, RefusesWrongKindAndNewerVersions) {
  EXPECT_THAT(message_of<InputError>([&] { Container::open(path_, "policy", 3); }),
              HasSubstr("this is a tagger file, but a policy file is needed"));
  EXPECT_THAT(message_of<InputError>([&] { Container::open(path_, "tagger", 2); }),
              AllOf(HasSubstr("tagger version 3"), HasSubstr("up to 2"), HasSubstr("Update Fovea")));
}

TEST_F(ContainerTest, RefusesEachCorruptedHeaderField) {
  EXPECT_THAT(refusal_with_flipped_byte(0), HasSubstr("not a Fovea model"));
  EXPECT_THAT(refusal_with_flipped_byte(kFormatField), HasSubstr("reads formats up to 1"));
  EXPECT_THAT(refusal_with_flipped_byte(kSizeField + 7), HasSubstr("truncated"));
  for (std::size_t field : {std::size_t{kKindField}, std::size_t{kVersionField}, std::size_t{kCountField},
                            std::size_t{kCountField} + 3, std::size_t{48}, std::size_t{kFirstName},
                            std::size_t{kFirstOffset}, std::size_t{kFirstSize}, std::size_t{kFirstChecksum}})
    EXPECT_THAT(refusal_with_flipped_byte(field), HasSubstr("checksum of its header")) << field;
}

// A forged table with a correct checksum must not lead outside the map.
TEST_F(ContainerTest, RefusesForgedTables) {
  constexpr std::size_t kChecksum = 48, kTable = 64, kTableSize = 3 * 56;
  for (std::size_t field : {std::size_t{kFirstOffset}, std::size_t{kFirstOffset} + 6, std::size_t{kFirstSize} + 7}) {
    std::string bad = good_;
    bad[field] = 0x11;
    bad.replace(kChecksum, 8, 8, '\0');
    const XXH64_hash_t header = XXH3_64bits(bad.data(), kTable);
    const XXH64_hash_t checksum = XXH3_64bits_withSeed(bad.data() + kTable, kTableSize, header);
    std::memcpy(bad.data() + kChecksum, &checksum, sizeof(checksum));
    write_file(path_, bad);
    EXPECT_THAT(message_of<InputError>([&] { open(); }), HasSubstr("points outside the file")) << field;
  }
}

TEST_F(ContainerTest, VerifiesEachSectionOnFirstUse) {
  const std::size_t position = good_.find("I-PER");
  std::string bad = good_;
  bad[position] = 'J';
  write_file(path_, bad);
  const Container container = open();
  EXPECT_EQ(container.array<float>("weights").size(), 3u);
  for (int use = 0; use < 2; ++use)
    EXPECT_THAT(message_of<InputError>([&] { container.bytes("labels"); }), HasSubstr("checksum of section 'labels'"));
}

// The sections are followed only by padding up to a cache line: no byte of the file that matters goes unchecked.
TEST_F(ContainerTest, NoFlippedByteGoesUnnoticedOutsideThePadding) {
  std::size_t unnoticed = 0;
  for (std::size_t i = 0; i < good_.size(); ++i) {
    std::string bad = good_;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    write_file(path_, bad);
    try {
      const Container container = open();
      for (std::string_view name : container.section_names()) container.bytes(name);
      ++unnoticed;
    } catch (const InputError&) {
    }
  }
  const std::size_t meaningful = 64 + 3 * 56 + 13 + 12;
  EXPECT_EQ(unnoticed, good_.size() - meaningful);
}

TEST_F(ContainerTest, RefusesMissingSectionsAndWrongSizes) {
  const Container container = open();
  EXPECT_THAT(message_of<InputError>([&] { container.bytes("policy"); }), HasSubstr("no section 'policy'"));
  EXPECT_THAT(message_of<InputError>([&] { container.array<float>("labels"); }),
              HasSubstr("its 13 bytes are not a multiple of 4"));
  EXPECT_THAT(message_of<InputError>([&] { container.refuse("labels", "label 2 is empty"); }),
              HasSubstr("section 'labels' is damaged: label 2 is empty"));
}

TEST_F(ContainerTest, WriterRefusesBadNamesAsBugs) {
  ContainerWriter writer("tagger", 1);
  writer.add("a", "");
  EXPECT_THROW(writer.add("a", ""), InternalError);
  EXPECT_THROW(writer.add(std::string(32, 'n'), ""), InternalError);
  EXPECT_THROW(ContainerWriter("a kind of 16 byt", 1), InternalError);
}

TEST_F(ContainerTest, IsRecognisedByItsFirstBytes) {
  EXPECT_TRUE(looks_like_container(good_));
  EXPECT_FALSE(looks_like_container("FOVEA"));
  EXPECT_FALSE(looks_like_container("EU NNP B-ORG"));
}

}  // namespace
}  // namespace fovea
