// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/foreign_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Little-endian bytes.
class Bytes {
 public:
  void add(std::uint32_t number) {
    for (int i = 0; i < 4; ++i) text.push_back(static_cast<char>(number >> (8 * i)));
  }
  void add(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    add(static_cast<std::uint32_t>(bits));
    add(static_cast<std::uint32_t>(bits >> 32));
  }
  void add(std::string_view bytes) { text += bytes; }
  void set(std::size_t offset, std::uint32_t number) {
    for (int i = 0; i < 4; ++i) text[offset + i] = static_cast<char>(number >> (8 * i));
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(text.size()); }

  std::string text;
};

/// A database of names without its hash tables, whose references stay 0.
void add_names(Bytes& bytes, const std::vector<std::string>& names) {
  const std::uint32_t begin = bytes.size();
  bytes.add("CQDB");
  for (const std::uint32_t number : {0u, 0u, 0x62445371u, static_cast<std::uint32_t>(names.size()), 0u})
    bytes.add(number);
  for (int i = 0; i < 512; ++i) bytes.add(0u);
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    offsets.push_back(bytes.size() - begin);
    bytes.add(i);
    bytes.add(static_cast<std::uint32_t>(names[i].size() + 1));
    bytes.add(names[i]);
    bytes.add(std::string_view("\0", 1));
  }
  bytes.set(begin + 20, bytes.size() - begin);
  for (const std::uint32_t offset : offsets) bytes.add(offset);
  bytes.set(begin + 4, bytes.size() - begin);
}

struct Feature {
  std::uint32_t kind, source, label;
  double weight;
};

std::string crfsuite_model(const std::vector<std::string>& labels, const std::vector<std::string>& attributes,
                           const std::vector<Feature>& features) {
  Bytes bytes;
  bytes.add("lCRF");
  bytes.add(0u);
  bytes.add("FOMC");
  for (const std::size_t number : {std::size_t{100}, features.size(), labels.size(), attributes.size()})
    bytes.add(static_cast<std::uint32_t>(number));
  for (int i = 0; i < 5; ++i) bytes.add(0u);
  bytes.set(28, bytes.size());
  bytes.add("FEAT");
  bytes.add(static_cast<std::uint32_t>(12 + 20 * features.size()));
  bytes.add(static_cast<std::uint32_t>(features.size()));
  for (const Feature& feature : features) {
    for (const std::uint32_t number : {feature.kind, feature.source, feature.label}) bytes.add(number);
    bytes.add(feature.weight);
  }
  bytes.set(32, bytes.size());
  add_names(bytes, labels);
  bytes.set(36, bytes.size());
  add_names(bytes, attributes);
  bytes.set(4, bytes.size());
  return bytes.text;
}

const std::string kCrfsuite = crfsuite_model({"B-A", "O"}, {"w=x", "w=y", "bias"},
                                             {{0, 1, 1, -.5}, {0, 0, 1, 1.5}, {0, 0, 0, .25}, {1, 1, 0, -2}});

constexpr const char* kCrfpp =
    "version: 100\ncost-factor: 2\nmaxid: 12\nxsize: 1\n\nN\nV\n\nU0:%x[0,0]\nB\n\n0 U0:a\n6 B\n4 U0:b c\n\n"
    "1\n0\n9\n9\n0.5\n-1e-1\n0.25\n0\n3\n-4\n7\n7\n";

TEST(ForeignModel, ReadsCrfsuite) {
  ASSERT_TRUE(is_foreign_model(ContainerSource::memory(kCrfsuite)));
  const TaggerModel model = TaggerModel::load(ContainerSource::memory(kCrfsuite));
  EXPECT_THAT(model.labels, ElementsAre("B-A", "O"));
  EXPECT_EQ(model.format, TaggingFormat::kAttributes);
  EXPECT_FALSE(model.feature_template);
  EXPECT_EQ(model.attributes.find("w=y"), 1u);
  EXPECT_THAT(model.weights.offsets(), ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(model.weights.labels(), ElementsAre(0, 1, 1));
  EXPECT_THAT(model.weights.weights(), ElementsAre(.25f, 1.5f, -.5f));
  ASSERT_EQ(model.weights.ngrams().size(), 1u);
  EXPECT_EQ(model.weights.ngrams()[0].labels[0], 1);
  EXPECT_EQ(model.weights.ngrams()[0].labels[1], 0);
  EXPECT_EQ(model.weights.ngrams()[0].score, -2);
}

TEST(ForeignModel, ReadsCrfpp) {
  const testing::TemporaryFolder folder;
  testing::write_file(folder / "a.txt", kCrfpp);
  ASSERT_TRUE(is_foreign_model(folder / "a.txt"));
  EXPECT_FALSE(is_foreign_model(folder / "none.txt"));
  const TaggerModel model = TaggerModel::load(folder / "a.txt");
  EXPECT_THAT(model.labels, ElementsAre("N", "V"));
  EXPECT_EQ(model.observation_columns, 1u);
  EXPECT_EQ(model.feature_template->text(), "U0:%x[0,0]\nB\n");
  EXPECT_EQ(model.attributes.find("U0:b c"), 1u);
  EXPECT_THAT(model.weights.offsets(), ElementsAre(0, 1, 3));
  EXPECT_THAT(model.weights.labels(), ElementsAre(0, 0, 1));
  EXPECT_THAT(model.weights.weights(), ElementsAre(2, 1, -.2f));
  const std::vector<sequence::LabelNgram>& pairs = model.weights.ngrams();
  ASSERT_EQ(pairs.size(), 3u);  // the weight of N V is 0
  EXPECT_EQ(pairs[0].score, .5f);
  EXPECT_EQ(pairs[1].labels[0], 1);
  EXPECT_EQ(pairs[1].score, 6);
  EXPECT_EQ(pairs[2].score, -8);
}

TEST(ForeignModel, IsATaggerAsAnyOtherOnceSaved) {
  const TaggerModel model = TaggerModel::load(ContainerSource::memory(kCrfsuite));
  std::string bytes;
  Dictionary dictionary;
  for (std::uint32_t id = 0; id < model.attributes.size(); ++id) dictionary.add(model.attributes.text(id));
  model.save(ContainerTarget::memory(bytes), dictionary);
  const TaggerModel again = TaggerModel::load(ContainerSource::memory(bytes));
  EXPECT_EQ(again.fingerprint, model.fingerprint);
  EXPECT_EQ(again.format, TaggingFormat::kAttributes);
}

std::string complaint_about(const std::string& bytes) {
  return testing::message_of<InputError>([&] { load_foreign_model(ContainerSource::memory(bytes, "model")); });
}

TEST(ForeignModel, NamesTheByteOfADamagedModelOfCrfsuite) {
  const auto changed = [](std::size_t offset, std::uint32_t number) {
    Bytes bytes;
    bytes.text = kCrfsuite;
    bytes.set(offset, number);
    return complaint_about(bytes.text);
  };
  EXPECT_THAT(changed(8, 7), HasSubstr("model: byte 8 of a CRFsuite model: the type of the model is not FOMC"));
  EXPECT_THAT(changed(12, 101), HasSubstr("byte 12 of a CRFsuite model: version 101, not 100"));
  EXPECT_THAT(changed(4, 9), HasSubstr("the file should have 9 bytes"));
  EXPECT_THAT(changed(56, 500), HasSubstr("byte 60 of a CRFsuite model: the table of features goes beyond"));
  EXPECT_THAT(changed(20, 0), HasSubstr("the model has no label"));
  EXPECT_THAT(changed(20, 3), HasSubstr("2 labels, but the header says 3"));
  EXPECT_THAT(changed(24, 1u << 31), HasSubstr("attributes, but the header says"));
  EXPECT_THAT(changed(28, 0xFFFFFFFF), HasSubstr("the table of features goes beyond the end"));
  EXPECT_THAT(changed(32, 1), HasSubstr("byte 1 of a CRFsuite model: no table of labels begins here"));
  EXPECT_THAT(changed(60, 2), HasSubstr("a feature of kind 2"));
  EXPECT_THAT(changed(64, 3), HasSubstr("a feature of number 3 among 3"));
  EXPECT_THAT(changed(68, 2), HasSubstr("label 2 of 2"));
  EXPECT_THAT(changed(76, 0x7FF00000), HasSubstr("byte 72 of a CRFsuite model: a weight that is not a finite number"));
  EXPECT_THAT(complaint_about(crfsuite_model({"x", "x"}, {}, {})), HasSubstr("the label 'x' twice"));
  EXPECT_THAT(complaint_about(crfsuite_model({"x\ny"}, {}, {})), HasSubstr("a label that holds a line feed"));
  EXPECT_THAT(complaint_about(crfsuite_model({"x"}, {"a", "a"}, {})), HasSubstr("the attribute 'a' twice"));
  for (std::size_t size = 4; size < kCrfsuite.size(); ++size)
    EXPECT_NE(complaint_about(kCrfsuite.substr(0, size)), "") << size;
}

TEST(ForeignModel, AnyByteMayBeWrong) {
  for (const std::string& good : {kCrfsuite, std::string(kCrfpp)})
    for (std::size_t at = 9; at < good.size(); ++at)
      for (const char byte : {'\x00', '\x01', '\x7F', '\xFF', '9', ' ', '\n'}) {
        std::string bytes = good;
        bytes[at] = byte;
        try {
          const TaggerModel model = load_foreign_model(ContainerSource::memory(bytes, "model"));
          EXPECT_EQ(model.weights.label_count(), model.label_count());
        } catch (const InputError& error) {
          EXPECT_THAT(error.what(), HasSubstr("model"));
        }
      }
}

TEST(ForeignModel, NamesTheLineOfADamagedModelOfCrfpp) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kCrfpp;
    const std::size_t at = text.find(from);
    return complaint_about(text.replace(at, from.size(), to));
  };
  EXPECT_THAT(changed("100", "99"), HasSubstr("model:1: version 99 instead of 100 in a CRF++ model"));
  EXPECT_THAT(changed("cost-factor", "cost"), HasSubstr("model:2: no line 'cost-factor: ...'"));
  EXPECT_THAT(changed("maxid: 12", "maxid: -1"), HasSubstr("model:3: '-1' is not a number"));
  EXPECT_THAT(changed("xsize: 1", "xsize: 0"), HasSubstr("the template reads 1 columns and xsize is 0"));
  EXPECT_THAT(changed("N\nV", "N\nN"), HasSubstr("model:7: the label 'N' twice"));
  EXPECT_THAT(changed("B\n", "B:%x[0,0]\n"), HasSubstr("model:10: label n-grams combined with observations"));
  EXPECT_THAT(changed("6 B", "9 B"), HasSubstr("model:13: a feature beyond the weights"));
  EXPECT_THAT(changed("6 B", "6 X"), HasSubstr("begins with neither U nor B"));
  EXPECT_THAT(changed("0.5", "0,5"), HasSubstr("model:20: a weight that is not a number"));
  EXPECT_THAT(changed("0.5", "1e39"), HasSubstr("model:20: a weight that is not a finite number"));
  EXPECT_THAT(changed("7\n7\n", "7\n"), HasSubstr("the text ends too early"));
  EXPECT_THAT(changed("7\n7\n", "7\n7\n7\n"), HasSubstr("more weights than maxid says"));
  const std::string text = kCrfpp;
  for (std::size_t size = 9; size + 1 < text.size(); ++size)
    EXPECT_NE(complaint_about(text.substr(0, size)), "") << size;
}

}  // namespace
}  // namespace fovea::tagging
