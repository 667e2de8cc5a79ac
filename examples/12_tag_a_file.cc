// SPDX-License-Identifier: Apache-2.0
// From file to file: train a tagger on labelled text, tag other text, score the answer; then tag words at hand. The
// text is made up: the label of a word depends on the word before it.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fovea/tagging.h"

namespace {

// "the fish" is a noun, "they fish" is a verb: only the word before tells which.
void write_sentences(const std::string& path, int count, std::uint64_t seed) {
  fovea::Random random(seed);
  std::ofstream file(path);
  const char* words[] = {"fish", "walk", "hope", "call"};
  for (int i = 0; i < count; ++i) {
    const char* word = words[random.uniform_index(4)];
    if (random.bernoulli(.5)) file << "the\tdeterminer\n" << word << "\tnoun\n\n";
    else file << "they\tpronoun\n" << word << "\tverb\n\n";
  }
}

}  // namespace

int main() {
  namespace tagging = fovea::tagging;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "fovea_example_12";
  std::filesystem::create_directories(folder);
  const std::string train = folder / "train.txt", test = folder / "test.txt", model = folder / "words.model",
                    tagged = folder / "tagged.txt";
  write_sentences(train, 200, /*seed=*/1);
  write_sentences(test, 50, /*seed=*/2);

  const fovea::Run run = {.stop = fovea::Stop().within(/*seconds=*/60)};
  tagging::TrainJob training = {.files = {train}};
  training.options.output = model;
  training.crf.l2 = .1;
  tagging::train(training, run);

  tagging::TagFileJob tag = {.model = model, .input = test};
  tag.files.output = tagged;
  tagging::tag_file(tag, run);

  tagging::EvaluateJob evaluation = {.file = tagged};
  evaluation.options.brief = true;
  const std::string score = tagging::evaluate(evaluation, run).text;
  std::printf("%s", score.c_str());

  // A program that has its words at hand needs no file but the model, which may also be bytes in memory.
  const tagging::Tagger tagger = tagging::Tagger::load(model);
  const std::vector<tagging::TagItems> sentences = {{{"they"}, {"fish"}}};
  const std::vector<std::string> labels = tagging::tag(tagger, sentences, {}, run).sequences[0].labels;
  std::printf("they/%s fish/%s\n", labels[0].c_str(), labels[1].c_str());
  std::filesystem::remove_all(folder);
  return score.starts_with("accuracy 100.00") && labels[1] == "verb" ? 0 : 1;
}
