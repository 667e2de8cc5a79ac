// SPDX-License-Identifier: Apache-2.0
// fovea eval tags: scores a tagger's output, or compares two of the same text.
#include <fmt/format.h>

#include "fovea/apps/tagging/paired_bootstrap.h"
#include "fovea/apps/tagging/tagged_file.h"
#include "fovea/cli/commands.h"

namespace fovea::cli {
namespace {

struct EvalTagsOptions {
  std::string against;
  std::string score = "auto";
  bool brief = false;

  template <class V>
  static void describe(V&& visit) {
    visit(&EvalTagsOptions::against,
          OptionInfo{.name = "against",
                     .description = "Another tagging of the same text: gives the difference, FILE's score minus this "
                                    "one's, with an interval from a paired bootstrap over sentences.",
                     .value_name = "FILE"});
    visit(&EvalTagsOptions::score,
          OptionInfo{.name = "score",
                     .description = "What --against compares; auto is f1 where labels mark entities.",
                     .choices = {"auto", "f1", "accuracy"}});
    visit(&EvalTagsOptions::brief, OptionInfo{.name = "brief", .description = "One line instead of tables."});
  }
};

TaggingScore choose_score(const std::string& name, const TaggingPair& pair) {
  const bool has_entities = pair.first.has_entities() && pair.second.has_entities();
  if (name == "f1" && !has_entities)
    throw UsageError("--score f1: some labels mark no entity (as B-X, I-X, O do); use --score accuracy");
  return name == "f1" || (name == "auto" && has_entities) ? TaggingScore::kF1 : TaggingScore::kAccuracy;
}

class EvalTags : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_, {.name = "FILE", .description = "Tagged file; - or none is standard input."},
                    Binder::Presence::kOptional);
    binder.options(options_);
    binder.options(bootstrap_, "Interval of --against");
  }

  void run(const Context& context) override {
    if (options_.against.empty()) write(score_tagged_file(ByteSource(file_)), context);
    else compare(context);
  }

 private:
  void write(const TaggingMetrics& metrics, const Context& context) const {
    if (context.common.json) context.console.out() << metrics.json() << '\n';
    else context.console.out() << (options_.brief ? metrics.brief() + "\n" : metrics.full());
  }

  void compare(const Context& context) const {
    const TaggingPair pair = score_tagged_files(ByteSource(options_.against), ByteSource(file_));
    const TaggingScore score = choose_score(options_.score, pair);
    const PairedDifference difference =
        paired_bootstrap(pair.first.sentences(), pair.second.sentences(), score, bootstrap_,
                         Random(context.common.seed).child("bootstrap"), context.common.threads);
    const char* name = score == TaggingScore::kF1 ? "f1" : "accuracy";
    if (context.common.json)
      context.console.out() << fmt::format(R"({{"metrics":{},"against":{},"score":"{}","difference":{}}})",
                                           pair.second.json(), pair.first.json(), name, difference.json())
                            << '\n';
    else
      context.console.out() << fmt::format("{}\nagainst {}: {}\n{} {}\n", pair.second.brief(), options_.against,
                                           pair.first.brief(), name, difference.brief());
  }

  std::string file_;
  EvalTagsOptions options_;
  BootstrapOptions bootstrap_;
};

}  // namespace

CommandEntry eval_tags_command() {
  return {.name = "eval tags",
          .summary = "Score tagged text: entities, labels, confusions.",
          .description =
              "Reads columns with the gold label second to last and the prediction last, as 'fovea tag' "
              "writes them from data with gold labels. Entities are counted by the rules of conlleval.",
          .examples =
              "  fovea tag ner.model test.txt | fovea eval tags\n"
              "  fovea eval tags new.txt --against old.txt --json\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<EvalTags>(); }};
}

}  // namespace fovea::cli
