// SPDX-License-Identifier: Apache-2.0
// fovea eval tags: scores a tagger's output and its probabilities, or compares two taggings of the same text.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "fovea/cli/run/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/evaluate/calibration_picture.h"
#include "fovea/tagging/metrics/paired_bootstrap.h"
#include "fovea/tagging/stream/tagged_file.h"

namespace fovea::cli {
namespace {

/// What --against compares.
enum class ScoreChoice { kAuto, kF1, kAccuracy };
constexpr auto words_of(ScoreChoice) {
  using enum ScoreChoice;
  return std::array{Word{kAuto, "auto"}, Word{kF1, "f1"}, Word{kAccuracy, "accuracy"}};
}

struct EvalTagsOptions {
  std::string against;
  ScoreChoice score = ScoreChoice::kAuto;
  std::string unknown_label;
  bool brief = false;
  tagging::MarginalsIn marginals = tagging::MarginalsIn::kAuto;
  int bins = tagging::Calibration::kDefaultBins;
  std::string reliability;
  std::string out_of_domain;

  template <class V>
  static void describe(V&& visit) {
    describe_scores(visit);
    describe_probabilities(visit);
  }

 private:
  template <class V>
  static void describe_scores(V&& visit) {
    visit(&EvalTagsOptions::against,
          OptionInfo{.name = "against",
                     .description = "Another tagging of the same text: gives the difference, FILE's score minus this "
                                    "one's, with an interval from a paired bootstrap over sentences.",
                     .value_name = "FILE",
                     .file = FileRole::kInput});
    visit(
        &EvalTagsOptions::score,
        OptionInfo{.name = "score", .description = "What --against compares; auto is f1 where labels mark entities."});
    visit(&EvalTagsOptions::unknown_label, OptionInfo{.name = "unknown-label",
                                                      .description = "Stands for a gold label that is not known: such "
                                                                     "items are not scored, nor the entities of their "
                                                                     "sentences.",
                                                      .value_name = "TEXT"});
    visit(&EvalTagsOptions::brief, OptionInfo{.name = "brief", .description = "One line instead of tables."});
  }

  template <class V>
  static void describe_probabilities(V&& visit) {
    using O = EvalTagsOptions;
    visit(
        &O::marginals,
        OptionInfo{.name = "marginals",
                   .description = "Whether probabilities stand behind the prediction; auto is yes where the first line "
                                  "ends with label:probability in six digits, as 'fovea tag' writes them; yes takes "
                                  "numbers of any spelling."});
    visit(&O::bins, OptionInfo{.name = "bins",
                               .description = "Bins of equal width, of confidence, for the calibration error.",
                               .min = 1,
                               .max = 100});
    visit(&O::reliability, OptionInfo{.name = "reliability",
                                      .description = "Draws the accuracy in each bin of confidence, and the share of "
                                                     "mistakes among the surest items, as SVG.",
                                      .value_name = "FILE",
                                      .file = FileRole::kOutput});
    visit(&O::out_of_domain,
          OptionInfo{.name = "out-of-domain",
                     .description = "Another text, tagged with probabilities by the same tagger: tells how well its "
                                    "doubt (entropy, or 1 - confidence) tells the two texts apart.",
                     .value_name = "FILE",
                     .file = FileRole::kInput});
  }
};

tagging::TaggingScore choose_score(ScoreChoice choice, const tagging::TaggingPair& pair) {
  const bool has_entities = pair.first.metrics.has_entities() && pair.second.metrics.has_entities();
  if (choice == ScoreChoice::kF1 && !has_entities)
    throw UsageError("--score f1: some labels mark no entity (as B-X, I-X, O do); use --score accuracy");
  return choice == ScoreChoice::kF1 || (choice == ScoreChoice::kAuto && has_entities)
             ? tagging::TaggingScore::kF1
             : tagging::TaggingScore::kAccuracy;
}

class EvalTags : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(
        file_, {.name = "FILE", .description = "Tagged file; - or none is standard input.", .file = FileRole::kInput},
        Binder::Presence::kOptional);
    binder.options(options_);
    binder.options(bootstrap_, "Interval of --against");
  }

  void run(const Context& context) override {
    check_options();
    if (options_.against.empty()) score(context);
    else compare(context);
  }

 private:
  bool needs_probabilities() const { return !options_.reliability.empty() || !options_.out_of_domain.empty(); }

  void check_options() const {
    if (needs_probabilities() && !options_.against.empty())
      throw UsageError("--against takes neither --reliability nor --out-of-domain; ask for one thing at a time");
    if (needs_probabilities() && options_.marginals == tagging::MarginalsIn::kNo)
      throw UsageError("--reliability and --out-of-domain need probabilities, but --marginals is no");
  }

  tagging::TaggedFileOptions reading() const {
    return {.marginals = options_.marginals, .unknown_label = options_.unknown_label};
  }

  static void warn(const tagging::ScoredTagging& tagging, const std::string& file, const Context& context) {
    for (const std::string& remark : tagging.metrics.remarks())
      context.console.warn(fmt::format("{}: {}", file.empty() ? "-" : file, remark));
  }

  void score(const Context& context) const {
    io::ByteSource source(file_);
    const std::string name = source.name();
    const tagging::ScoredTagging tagging = tagging::score_tagged_file(std::move(source), reading());
    warn(tagging, name, context);
    if (needs_probabilities() && !tagging.calibration)
      throw InputError({.file = name}, "there are no probabilities behind the predicted labels",
                       "Give the output of 'fovea tag' with --marginals or --all-marginals");
    std::optional<tagging::DomainComparison> domains;
    if (!options_.out_of_domain.empty())
      domains = tagging::compare_domains(*tagging.calibration,
                                         tagging::read_tagged_marginals(io::ByteSource(options_.out_of_domain)));
    if (!options_.reliability.empty()) draw(*tagging.calibration);
    write(tagging, domains, context);
  }

  void draw(const tagging::Calibration& calibration) const {
    io::OutputFile file(options_.reliability);
    file.write(tagging::calibration_svg(calibration, options_.bins));
    file.finish();
  }

  void write(const tagging::ScoredTagging& tagging, const std::optional<tagging::DomainComparison>& domains,
             const Context& context) const {
    if (context.common.json) {
      std::string json = tagging.json(options_.bins);
      if (domains) json.replace(json.size() - 1, 1, ",\"domains\":" + domains->json() + "}");
      context.console.out() << json << '\n';
    } else if (options_.brief) {
      context.console.out() << tagging.brief(options_.bins) << (domains ? domains->brief() : "") << '\n';
    } else {
      context.console.out() << tagging.full(options_.bins) << (domains ? domains->full() : "");
    }
  }

  void compare(const Context& context) const {
    const tagging::TaggingPair pair =
        tagging::score_tagged_files(io::ByteSource(options_.against), io::ByteSource(file_), reading());
    warn(pair.first, options_.against, context);
    warn(pair.second, file_, context);
    const tagging::TaggingScore score = choose_score(options_.score, pair);
    const tagging::PairedDifference difference =
        tagging::paired_bootstrap(pair.first.metrics.sentences(), pair.second.metrics.sentences(), score, bootstrap_,
                                  Random(context.common.seed).child("bootstrap"), context.common.threads);
    const char* name = score == tagging::TaggingScore::kF1 ? "f1" : "accuracy";
    if (context.common.json)
      context.console.out() << fmt::format(R"({{"metrics":{},"against":{},"score":"{}","difference":{}}})",
                                           pair.second.json(options_.bins), pair.first.json(options_.bins), name,
                                           difference.json())
                            << '\n';
    else
      context.console.out() << fmt::format("{}\nagainst {}: {}\n{} {}\n", pair.second.brief(options_.bins),
                                           options_.against, pair.first.brief(options_.bins), name, difference.brief());
  }

  std::string file_;
  EvalTagsOptions options_;
  tagging::BootstrapOptions bootstrap_;
};

}  // namespace

CommandEntry eval_tags_command() {
  return {
      .name = "eval tags",
      .summary = "Score tagged text: entities, labels, confusions.",
      .description =
          "Reads columns with the gold label second to last and the prediction last, as 'fovea tag' "
          "writes them from data with gold labels. Entities are counted by the rules of conlleval, in any of IOB1, "
          "IOB2, IOE, IOBES, BILOU and BMES. Where probabilities "
          "stand behind the prediction ('fovea tag --marginals', better --all-marginals), they are judged too: whether "
          "labels of probability p are right in a share p of the cases, and how many mistakes the surest items have.",
      .examples =
          "  fovea tag ner.model test.txt | fovea eval tags\n"
          "  fovea eval tags new.txt --against old.txt --json\n"
          "  fovea tag ner.model --all-marginals test.txt | fovea eval tags --reliability how-sure.svg\n"
          "  fovea eval tags news.out --out-of-domain tweets.out --brief\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<EvalTags>(); }};
}

}  // namespace fovea::cli
