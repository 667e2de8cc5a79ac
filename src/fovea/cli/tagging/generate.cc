// fovea generate tags, fovea generate letters: write made-up data, for trying things out without real data.
#include "fovea/base/error.h"
#include "fovea/cli/run/command.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/generate/generated_corpus.h"
#include "fovea/tagging/generate/generated_letters.h"

namespace fovea::cli {
namespace {

class GenerateTags : public Command {
 public:
  void bind(Binder& binder) override {
    binder.options(corpus_);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const tagging::GeneratedCorpus corpus(corpus_, Random(context.common.seed).child("language"));
    io::OutputFile output(options_.output);
    std::string text;
    for (std::size_t i = 0; i < corpus.sentence_count(); ++i) {
      if (context.cancel.cancelled()) throw CancelledError("interrupted before the corpus was complete");
      text.clear();
      corpus.append_conll(i, text);
      output.write(text);
    }
    output.finish();
  }

 private:
  tagging::CorpusOptions corpus_;
  GenerateOptions options_;
};

class GenerateLetters : public Command {
 public:
  void bind(Binder& binder) override {
    binder.options(letters_);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const tagging::GeneratedLetters letters(letters_, Random(context.common.seed).child("hand"));
    io::OutputFile output(options_.output);
    std::string text;
    for (std::uint64_t i = 0; i < letters.word_count(); ++i) {
      if (context.cancel.cancelled()) throw CancelledError("interrupted before the last word");
      text.clear();
      letters.append_word(i, text);
      output.write(text);
    }
    output.finish();
  }

 private:
  tagging::LettersOptions letters_;
  GenerateOptions options_;
};

}  // namespace

CommandEntry generate_letters_command() {
  return command_of<GenerateLetters>(
      "generate letters", "Write made-up words in a made-up hand, pixel by pixel.",
      "Writes one letter per line in the format of 'fovea train --features pixels': 26 glyphs of a few strokes, "
      "displaced and noisy, and few distinct words. Each --seed gives another hand, each --part another sample.",
      "  fovea generate letters --words 2000 --part 1 -o train.tsv\n"
      "  fovea generate letters --words 300 --part 0 -o test.tsv\n");
}

CommandEntry generate_tags_command() {
  return command_of<GenerateTags>(
      "generate tags", "Write a made-up tagging corpus.",
      "Writes lines 'word label': labels from a hidden chain, words by Zipf's law, ambiguous and unknown words, and "
      "suffixes that hint at labels. Each --seed gives another language, each --part another sample.",
      "  fovea generate tags --sentences 5000 -o train.txt\n"
      "  fovea generate tags --sentences 1000 --part 1 -o test.txt\n");
}

}  // namespace fovea::cli
