// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/keyboard_training.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fovea/base/container.h"
#include "fovea/gestures/decode_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gestures {
namespace {

using testing::TemporaryFolder;

constexpr const char* kTypedWords =
    "the\t90\nthat\t40\nthen\t20\nwhat\t20\nhave\t18\ngood\t9\nbanana\t4\nkeyboard\t3\nletter\t3\nwater\t5\n";

/// A folder with a dictionary and generated swipes.
const fovea::Run kRun = {.threads = 1};

struct TypedFolder {
  TemporaryFolder folder;
  CancelToken cancel;

  TypedFolder() {
    std::ofstream(folder / "words.tsv") << kTypedWords;
    const std::vector<CountedWord> words = read_words(folder / "words.tsv");
    const GeneratedGestures generated(words, {.uniform = true}, Random(11));
    std::string text(kGestureHeader);
    for (std::uint64_t i = 0; i < 60; ++i) append_gesture(generated.gesture(i), text);
    std::ofstream(folder / "swipes.tsv") << text;
  }

  KeyboardTrainingJob job(KeyboardFamily family) const {
    return {.words_file = folder / "words.tsv",
            .swipes_file = folder / "swipes.tsv",
            .options = {.family = family},
            .alignment = {.chains = 4, .start_passes = 2, .passes = 2},
            .path = {.path_passes = 1, .network_passes = 2, .list = 5},
            .finger = {}};
  }

  double share_right(const KeyboardModel& model) const {
    GestureDecoder decoder(model);
    double right = 0;
    const std::vector<Gesture> gestures = read_labelled_gestures(folder / "swipes.tsv").gestures;
    for (const Gesture& gesture : gestures) {
      const std::vector<DecodedWord> words = decoder.decode(gesture, 200, 1, Random(2), {});
      right += !words.empty() && words[0].word == gesture.word ? 1 : 0;
    }
    return right / static_cast<double>(gestures.size());
  }
};

TEST(KeyboardTrainingTest, LearnsWordsThatTheDictionaryLacks) {
  TypedFolder typed;
  std::ofstream(typed.folder / "words.tsv") << "the\t90\nthat\t40\n";
  KeyboardTrainingJob job = typed.job(KeyboardFamily::kAlignment);
  const KeyboardModel model = train_keyboard(job, kRun);
  const std::uint32_t banana = model.words.find_word("banana");
  ASSERT_NE(banana, WordTrie::kNone);
  double meant = 0;
  for (const Gesture& gesture : read_labelled_gestures(job.swipes_file).gestures)
    meant += gesture.word == "banana" ? 1 : 0;
  EXPECT_NEAR(model.words.words()[banana].count, meant / 60 * 130, 1e-9);
  EXPECT_THAT(model.training, HasSubstr("\"learned_words\":8"));

  job.options.learn_words = static_cast<int>(meant) + 1;
  EXPECT_EQ(train_keyboard(job, kRun).words.find_word("banana"), WordTrie::kNone);
  job.options.learn_words = 0;
  EXPECT_EQ(train_keyboard(job, kRun).words.words().size(), 2u);
}

TEST(KeyboardTrainingTest, BothFamiliesLearnToReadAndAreTheSameOnceStored) {
  const TypedFolder typed;
  for (const KeyboardFamily family : {KeyboardFamily::kAlignment, KeyboardFamily::kPath}) {
    const KeyboardModel model = train_keyboard(typed.job(family), kRun);
    EXPECT_EQ(model.family(), word_of(family));
    const double right = typed.share_right(model);
    EXPECT_GT(right, .8) << word_of(family);
    model.save(typed.folder / "keyboard.model");
    const KeyboardModel loaded = KeyboardModel::load(typed.folder / "keyboard.model");
    EXPECT_EQ(loaded.family(), word_of(family));
    EXPECT_EQ(typed.share_right(loaded), right) << word_of(family);
    EXPECT_EQ(loaded.training, model.training);
    std::string bytes;
    model.save(ContainerTarget::memory(bytes));
    EXPECT_EQ(typed.share_right(KeyboardModel::load(ContainerSource::memory(bytes))), right) << word_of(family);
    EXPECT_THAT(keyboard_training_text(loaded), HasSubstr("gestures"));
  }
}

// In memory as in files: the same model byte by byte, and the same words.
TEST(KeyboardTrainingTest, TrainsAndDecodesInMemoryAsInFiles) {
  const TypedFolder typed;
  const std::vector<Gesture> gestures = read_labelled_gestures(typed.folder / "swipes.tsv").gestures;
  for (const KeyboardFamily family : {KeyboardFamily::kAlignment, KeyboardFamily::kPath}) {
    const KeyboardTrainingJob job = typed.job(family);
    const KeyboardModel from_files = train_keyboard(job, kRun);
    const KeyboardModel from_memory =
        train_keyboard(read_words(job.words_file), gestures, {{}, {}, job.options, job.alignment, job.path, {}}, kRun);
    std::string expected, found;
    from_files.save(ContainerTarget::memory(expected));
    from_memory.save(ContainerTarget::memory(found));
    EXPECT_TRUE(found == expected) << word_of(family);

    from_files.save(typed.folder / "keyboard.model");
    decode_file({.model = typed.folder / "keyboard.model",
                 .input = typed.folder / "swipes.tsv",
                 .options = {.n_best = 3, .output = typed.folder / "words.out"}},
                kRun);
    std::string text = "uid\trank\tword\tscore\n";
    const auto decoded = decode_gestures(from_memory, gestures, {.n_best = 3}, {.threads = 3});
    for (std::size_t i = 0; i < decoded.size(); ++i)
      for (std::size_t rank = 0; rank < decoded[i].size(); ++rank)
        text += fmt::format("{}\t{}\t{}\t{:.4f}\n", gestures[i].id, rank + 1, decoded[i][rank].word,
                            decoded[i][rank].score);
    std::ifstream file(typed.folder / "words.out");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text) << word_of(family);
  }
}

TEST(KeyboardTrainingTest, RefusesWordsAndGesturesInMemory) {
  const auto refusal = [](const std::vector<CountedWord>& words) {
    return testing::message_of<InputError>([&] { require_words(words, "words"); });
  };
  EXPECT_THAT(refusal({}), HasSubstr("dictionary is empty"));
  EXPECT_THAT(refusal({{"the", 1}, {"77", 1}}), HasSubstr("words[1]"));
  EXPECT_THAT(refusal({{"the", 1}, {"the", 1}}), HasSubstr("occurred before"));
  EXPECT_THAT(refusal({{"the", 0}}), HasSubstr("the count 0"));
  EXPECT_THAT(testing::message_of<InputError>([] {
                train_keyboard({{"the", 1}}, {}, {}, kRun);
              }),
              HasSubstr("training needs gestures"));
  CancelToken cancel;
  cancel.cancel();
  const TypedFolder typed;
  const KeyboardModel model = train_keyboard(typed.job(KeyboardFamily::kPath), kRun);
  const std::vector<Gesture> gesture = {make_gesture("the", {}, "", {})};
  EXPECT_THROW(decode_gestures(model, gesture, {}, {.stop = {.cancel = &cancel}}), CancelledError);
  EXPECT_THAT(testing::message_of<InputError>([&] { decode_gestures(model, gesture, {}, kRun); }), HasSubstr("X[0]"));
}

TEST(KeyboardTrainingTest, AutoGoesByTheCoordinates) {
  const TypedFolder typed;
  EXPECT_STREQ(train_keyboard(typed.job(KeyboardFamily::kAuto), kRun).family(), "path");
  KeyboardTrainingJob generated = typed.job(KeyboardFamily::kAuto);
  generated.swipes_file.clear();
  generated.options.generate = 20;
  EXPECT_STREQ(train_keyboard(generated, kRun).family(), "alignment");
}

TEST(KeyboardTrainingTest, SaysWhyThereIsNothingToLearn) {
  const TypedFolder typed;
  std::ofstream(typed.folder / "other.tsv") << "uid\tword\tkeys\txy\nu\tzyzzy\tzyzzy\t1,2 3,4\n";
  KeyboardTrainingJob job = typed.job(KeyboardFamily::kPath);
  job.swipes_file = typed.folder / "other.tsv";
  job.options.learn_words = 0;
  EXPECT_THAT(testing::message_of<InputError>([&] { train_keyboard(job, kRun); }), HasSubstr("in the dictionary"));
  std::ofstream(typed.folder / "keys.tsv") << "uid\tword\tkeys\nu\tthe\tq\n";
  job.swipes_file = typed.folder / "keys.tsv";
  EXPECT_THAT(testing::message_of<InputError>([&] { train_keyboard(job, kRun); }), HasSubstr("no points"));
  job.options.family = KeyboardFamily::kAuto;
  EXPECT_THAT(testing::message_of<InputError>([&] { train_keyboard(job, kRun); }), HasSubstr("come near"));
}

TEST(KeyboardTrainingTest, ACancelledJobHasAModel) {
  TypedFolder typed;
  typed.cancel.cancel();
  const fovea::Run cancelled = {.stop = {.cancel = &typed.cancel}};
  EXPECT_STREQ(train_keyboard(typed.job(KeyboardFamily::kPath), cancelled).family(), "path");
  EXPECT_STREQ(train_keyboard(typed.job(KeyboardFamily::kAlignment), cancelled).family(), "alignment");
}

TEST(KeyboardModelTest, RefusesWhatNoModelHolds) {
  const TypedFolder typed;
  const auto refusal = [&](const char* words, std::vector<double> counts, std::size_t weights, double epsilon) {
    ContainerWriter writer("keyboard", 1);
    const std::vector<float> zeros(weights);
    const std::array<double, 2> chain = {1.5, epsilon};
    writer.add("words", words);
    writer.add_array("counts", std::span<const double>(counts));
    writer.add_array("alignment.weights", std::span<const float>(zeros));
    writer.add_array("alignment.chain", std::span<const double>(chain));
    writer.add("training", "{}");
    writer.write(typed.folder / "bad.model");
    return testing::message_of<InputError>([&] { KeyboardModel::load(typed.folder / "bad.model"); });
  };
  EXPECT_THAT(refusal("", {}, AlignmentWeightIndex::kCount, .1), HasSubstr("words"));
  EXPECT_THAT(refusal("the\n", {1, 2}, AlignmentWeightIndex::kCount, .1), HasSubstr("words"));
  EXPECT_THAT(refusal("the\n77\n", {1, 2}, AlignmentWeightIndex::kCount, .1), HasSubstr("a .. z"));
  EXPECT_THAT(refusal("the\nthe\n", {1, 2}, AlignmentWeightIndex::kCount, .1), HasSubstr("once"));
  EXPECT_THAT(refusal("the\n", {0}, AlignmentWeightIndex::kCount, .1), HasSubstr("above 0"));
  EXPECT_THAT(refusal("the\n", {1}, 5, .1), HasSubstr("finite numbers"));
  EXPECT_THAT(refusal("the\n", {1}, AlignmentWeightIndex::kCount, 0), HasSubstr("epsilon"));
}

/// Two words whose paths are the same, which only the words before can tell apart: "we're" and "were", then "its"
/// twice.
struct AlikeFolder {
  TemporaryFolder folder;

  AlikeFolder() {
    std::ofstream(folder / "words.tsv") << "were\t30\nwe're\t20\nthey\t10\nsay\t10\nok\t5\ncafé\t4\n";
    std::ofstream(folder / "text.txt") << "They were. they were ok! Say we're ok\nsay we're\nsay we're";
    const std::vector<CountedWord> words = read_words(folder / "words.tsv");
    const GeneratedGestures generated(words, {.uniform = true}, Random(11));
    std::string text(kGestureHeader);
    for (std::uint64_t i = 0; i < 60; ++i) append_gesture(generated.gesture(i), text);
    std::ofstream(folder / "swipes.tsv") << text;
  }

  KeyboardModel train(KeyboardFamily family, const std::string& text) const {
    return train_keyboard({.words_file = folder / "words.tsv",
                           .swipes_file = folder / "swipes.tsv",
                           .options = {.family = family, .text = text},
                           .alignment = {.chains = 4, .start_passes = 2, .passes = 1},
                           .path = {.path_passes = 1, .network_passes = 2, .list = 5},
                           .finger = {}},
                          kRun);
  }

  Gesture swipe(const std::string& word, std::vector<std::string> before) const {
    for (Gesture& gesture : read_labelled_gestures(folder / "swipes.tsv").gestures)
      if (gesture.word == word) {
        gesture.before = std::move(before);
        return gesture;
      }
    ADD_FAILURE() << "no swipe of " << word;
    return {};
  }
};

TEST(GestureDecoderTest, TellsWordsOfTheSameLettersApartByTheWordsBefore) {
  const AlikeFolder alike;
  for (const KeyboardFamily family : {KeyboardFamily::kPath, KeyboardFamily::kAlignment}) {
    const KeyboardModel model = alike.train(family, alike.folder / "text.txt");
    model.save(alike.folder / "k.model");
    const KeyboardModel loaded = KeyboardModel::load(alike.folder / "k.model");
    EXPECT_EQ(loaded.context.grams(), model.context.grams());
    GestureDecoder decoder(loaded);
    const auto read = [&](std::vector<std::string> before) {
      return decoder.decode(alike.swipe("were", std::move(before)), 20, 3, Random(1), {});
    };
    EXPECT_EQ(read({})[0].word, "were");
    EXPECT_EQ(read({"they"})[0].word, "were");
    EXPECT_EQ(read({"say"})[0].word, "we're");
    EXPECT_EQ(read({"unheard-of", "say"})[0].word, "we're");
    EXPECT_EQ(read({"say", "unheard-of"})[0].word, "were");
    double sum = 0;
    for (const DecodedWord& word : decoder.decode(alike.swipe("were", {"say"}), 20, 10, Random(1), {}))
      sum += std::exp(word.score);
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

TEST(GestureDecoderTest, ReadsApostrophesAndAccents) {
  const AlikeFolder alike;
  for (const KeyboardFamily family : {KeyboardFamily::kPath, KeyboardFamily::kAlignment}) {
    const KeyboardModel model = alike.train(family, "");
    GestureDecoder decoder(model);
    EXPECT_EQ(decoder.decode(alike.swipe("café", {}), 100, 1, Random(1), {})[0].word, "café");
    const std::vector<DecodedWord> words = decoder.decode(alike.swipe("we're", {}), 100, 2, Random(1), {});
    ASSERT_EQ(words.size(), 2u);
    EXPECT_EQ(words[0].word, "were");
    EXPECT_EQ(words[1].word, "we're");
    EXPECT_NEAR(words[0].score - words[1].score, std::log(1.5), 1e-4);
  }
}

TEST(GestureDecoderTest, FollowsTheChainWhereNoWordFitsOrIfAsked) {
  const AlikeFolder alike;
  const KeyboardModel model = alike.train(KeyboardFamily::kAlignment, "");
  GestureDecoder exact(model), chain(model, AlignmentReading::kChain);
  Gesture nowhere;
  nowhere.keys = keys_of("qqq", {});
  const auto read = [&](GestureDecoder& decoder, const Gesture& gesture) {
    return decoder.decode(gesture, 200, 50, Random(1), {});
  };
  EXPECT_EQ(model.words.find_word(read(exact, nowhere)[0].word), WordTrie::kNone);
  const auto lacks_a_word = [&](const std::vector<DecodedWord>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const DecodedWord& word) { return model.words.find_word(word.word) == WordTrie::kNone; });
  };
  const Gesture were = alike.swipe("were", {});
  EXPECT_FALSE(lacks_a_word(read(exact, were)));
  EXPECT_TRUE(lacks_a_word(read(chain, were)));
}

TEST(DecodeFileTest, AnswersFailedSwipesAndCountsThemApart) {
  const AlikeFolder alike;
  alike.train(KeyboardFamily::kPath, alike.folder / "text.txt").save(alike.folder / "k.model");
  const Gesture they = alike.swipe("they", {}), were = alike.swipe("were", {}), say = alike.swipe("say", {});
  std::string text = "uid\tis_err\tword\tkeys\txy\n";
  const auto add = [&](const char* uid, const char* is_failed, const Gesture& gesture, const char* word) {
    std::string line;
    append_gesture(gesture, line);  // uid, word, keys, points
    const std::size_t keys = line.find('\t', line.find('\t') + 1);
    text += std::string(uid) + "\t" + is_failed + "\t" + word + line.substr(keys);
  };
  add("a", "0", say, "say");
  add("b", "0", they, "they");
  add("a", "1", were, "they");  // not a word before
  add("a", "0", were, "we're");
  add("b", "0", were, "were");
  std::ofstream(alike.folder / "in.tsv") << text;
  const auto read = [&](GestureContext context, int threads) {
    const DecodeFileReport report = decode_file({.model = alike.folder / "k.model",
                                                 .input = alike.folder / "in.tsv",
                                                 .options = {.context = context, .output = alike.folder / "out.tsv"}},
                                                {.threads = threads});
    std::ifstream file(alike.folder / "out.tsv");
    return std::pair(nlohmann::json::parse(report.json), std::string(std::istreambuf_iterator<char>(file), {}));
  };
  const auto [plain, plain_words] = read(GestureContext::kColumn, 1);
  EXPECT_EQ(plain["gestures"], 5);
  EXPECT_EQ(plain["failed_labelled"], 1);
  EXPECT_EQ(plain["failed_first_is_right"], 0);
  EXPECT_EQ(plain["others_first_is_right"], .75);  // "were" for "we're"
  for (const GestureContext context : {GestureContext::kMeant, GestureContext::kRead}) {
    EXPECT_EQ(read(context, 1).first["others_first_is_right"], 1);
    EXPECT_EQ(read(context, 1).second, read(context, 3).second);
  }
  alike.train(KeyboardFamily::kPath, "").save(alike.folder / "k.model");
  EXPECT_THAT(testing::message_of<UsageError>([&] { read(GestureContext::kMeant, 1); }),
              HasSubstr("option 'context meant'"));
}

TEST(WordContextTest, InterpolatesByWhatFollows) {
  const std::vector<std::vector<std::uint32_t>> sentences = {
      {0, 1, 2}, {0, 1, 3}, {4, 1, 2}, {0, WordContext::kUnknown, 2}};
  const WordContext context(sentences);
  const double p1 = .1;
  const auto p = [&](std::uint32_t word, WordContext::Before before) {
    return std::exp(context.log_probability(word, before, std::log(p1)));
  };
  const double after_1 = (2 - .75) / 3 + .75 * 2 / 3 * p1;  // 2 follows 1 twice, 3 once
  EXPECT_NEAR(p(2, {.second = 1}), after_1, 1e-12);
  EXPECT_NEAR(p(2, {.first = 0, .second = 1}), (1 - .75) / 2 + .75 * 2 / 2 * after_1, 1e-12);
  EXPECT_NEAR(p(2, {.first = 9, .second = 1}), after_1, 1e-12);
  EXPECT_NEAR(p(2, {.first = 0}), p1, 1e-12);
  EXPECT_EQ(context.followers({.first = 0, .second = 1}, 5), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(context.followers({.second = 1}, 1), (std::vector<std::uint32_t>{2}));
}

// A takes over u's weights with 0 for all others: then the restarting chain has u's likelihood (assumption 4.3), and
// the first pass, whose likelihood is taken before its steps, begins there.
TEST(AlignmentTrainerTest, TheChainBeginsWhereUEnded) {
  const TypedFolder typed;
  const std::vector<Gesture> all = read_labelled_gestures(typed.folder / "swipes.tsv").gestures;
  const std::vector<Gesture> one(all.begin(), all.begin() + 1);
  const WordTrie words(read_words(typed.folder / "words.tsv"));
  const ProgressFunction progress;
  AlignmentTrainer trainer(one, words, {.chains = 3000}, {.random = Random(3), .progress = progress});
  AlignmentTrainer same(one, words, {.chains = 3000}, {.random = Random(3), .progress = progress});
  trainer.start_pass();
  same.start_pass();
  const double of_u = same.start_pass().log_likelihood;  // before its step
  const AlignmentPass pass = trainer.pass();
  EXPECT_NEAR(pass.log_likelihood, of_u, 5 * pass.error);
  EXPECT_LT(pass.error, .2);
}

TEST(AlignmentTrainerTest, EveryMethodClimbs) {
  const TypedFolder typed;
  const std::vector<Gesture> gestures = read_labelled_gestures(typed.folder / "swipes.tsv").gestures;
  const WordTrie words(read_words(typed.folder / "words.tsv"));
  const ProgressFunction progress;
  for (const AlignmentMethod method : {AlignmentMethod::kDoeblin, AlignmentMethod::kDoeblinEditDistance,
                                       AlignmentMethod::kUGibbs, AlignmentMethod::kBasicGibbs}) {
    AlignmentTrainer trainer(gestures, words, {.method = method, .chains = 4},
                             {.random = Random(4), .progress = progress});
    trainer.start_pass();
    const auto accuracy = [&] {
      return alignment_accuracy(gestures, words, trainer.parameters(), method, 20, 2, Random(5)).characters;
    };
    trainer.pass();
    const double once = accuracy();
    for (int pass = 0; pass < 3; ++pass) trainer.pass();
    EXPECT_GT(accuracy(), once) << word_of(method);
  }
}

}  // namespace
}  // namespace fovea::gestures
