// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/evaluate.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/evaluate/calibration_picture.h"
#include "fovea/tagging/evaluate/evaluation_page.h"
#include "fovea/tagging/stream/tagged_file.h"

namespace fovea::tagging {
namespace {

TaggingScore choose_score(ScoreChoice choice, const TaggingPair& pair) {
  const bool has_entities = pair.first.metrics.has_entities() && pair.second.metrics.has_entities();
  if (choice == ScoreChoice::kF1 && !has_entities)
    throw UsageError("option 'score f1': some labels mark no entity (as B-X, I-X, O do); use option 'score accuracy'");
  return choice == ScoreChoice::kF1 || (choice == ScoreChoice::kAuto && has_entities) ? TaggingScore::kF1
                                                                                      : TaggingScore::kAccuracy;
}

/// One call of evaluate().
class Evaluation {
 public:
  explicit Evaluation(const EvaluateJob& job) : job_(job) {}

  EvaluateReport run(const Run& run) const {
    check_options();
    return job_.options.against.empty() ? score(run) : compare(run);
  }

 private:
  bool needs_probabilities() const { return !job_.options.reliability.empty() || !job_.options.out_of_domain.empty(); }

  void check_options() const {
    if (needs_probabilities() && !job_.options.against.empty())
      throw UsageError(
          "option 'against' takes neither option 'reliability' nor option 'out-of-domain'; ask for one thing at a "
          "time");
    if (!job_.options.report_html.empty()) check_can_be_replaced(job_.options.report_html);
    if (needs_probabilities() && job_.options.marginals == MarginalsIn::kNo)
      throw UsageError(
          "option 'reliability' and option 'out-of-domain' need probabilities, but option 'marginals no' was given");
  }

  TaggedFileOptions reading() const {
    return {.marginals = job_.options.marginals, .unknown_label = job_.options.unknown_label};
  }

  static void warn(const ScoredTagging& tagging, const std::string& file, const Run& run) {
    for (const std::string& remark : tagging.metrics.remarks())
      run.warn_of(fmt::format("{}: {}", file.empty() ? "-" : file, remark));
  }

  EvaluateReport score(const Run& run) const {
    io::ByteSource source(job_.file);
    const std::string name = source.name();
    MistakenSentences mistakes;
    const ScoredTagging tagging = score_tagged_file(std::move(source), reading(), [&](const TaggedSentence& sentence) {
      if (!job_.options.report_html.empty()) mistakes.add(sentence);
    });
    warn(tagging, name, run);
    if (needs_probabilities() && !tagging.calibration)
      throw InputError({.file = name}, "no probabilities follow the predicted labels",
                       "Give the output of 'fovea tag' with option 'marginals' or option 'all-marginals'");
    std::optional<DomainComparison> domains;
    if (!job_.options.out_of_domain.empty())
      domains =
          compare_domains(*tagging.calibration, read_tagged_marginals(io::ByteSource(job_.options.out_of_domain)));
    if (!job_.options.reliability.empty()) draw(*tagging.calibration);
    if (!job_.options.report_html.empty())
      evaluation_page(
          {.taggings = {{name.empty() ? "-" : name, tagging}}, .mistakes = std::move(mistakes).text("predicted", "")},
          job_.options.bins)
          .write(job_.options.report_html);
    return report(tagging, domains);
  }

  void draw(const Calibration& calibration) const {
    io::OutputFile file(job_.options.reliability);
    file.write(calibration_svg(calibration, job_.options.bins));
    file.finish();
  }

  EvaluateReport report(const ScoredTagging& tagging, const std::optional<DomainComparison>& domains) const {
    std::string json = tagging.json(job_.options.bins);
    if (domains) json.replace(json.size() - 1, 1, ",\"domains\":" + domains->json() + "}");
    std::string text = job_.options.brief ? tagging.brief(job_.options.bins) + (domains ? domains->brief() : "") + "\n"
                                          : tagging.full(job_.options.bins) + (domains ? domains->full() : "");
    return {.text = std::move(text), .json = std::move(json)};
  }

  EvaluateReport compare(const Run& run) const {
    MistakenSentences mistakes;
    const TaggingPair pair =
        score_tagged_files(io::ByteSource(job_.options.against), io::ByteSource(job_.file), reading(),
                           [&](const TaggedSentence& against, const TaggedSentence& sentence) {
                             if (!job_.options.report_html.empty()) mistakes.add(sentence, &against);
                           });
    warn(pair.first, job_.options.against, run);
    warn(pair.second, job_.file, run);
    const TaggingScore score = choose_score(job_.options.score, pair);
    const PairedDifference difference =
        paired_bootstrap(pair.first.metrics.sentences(), pair.second.metrics.sentences(), score, job_.bootstrap,
                         run.random.child("bootstrap"), run.threads);
    const char* name = score == TaggingScore::kF1 ? "f1" : "accuracy";
    if (!job_.options.report_html.empty())
      evaluation_page({.taggings = {{job_.file, pair.second}, {job_.options.against, pair.first}},
                       .difference = difference,
                       .score = name,
                       .mistakes = std::move(mistakes).text(job_.file, job_.options.against)},
                      job_.options.bins)
          .write(job_.options.report_html);
    return {.text = fmt::format("{}\nagainst {}: {}\n{} {}\n", pair.second.brief(job_.options.bins),
                                job_.options.against, pair.first.brief(job_.options.bins), name, difference.brief()),
            .json = fmt::format(R"({{"metrics":{},"against":{},"score":"{}","difference":{}}})",
                                pair.second.json(job_.options.bins), pair.first.json(job_.options.bins), name,
                                difference.json())};
  }

  const EvaluateJob& job_;
};

}  // namespace

EvaluateReport evaluate(const EvaluateJob& job, const Run& run) { return Evaluation(job).run(run); }

}  // namespace fovea::tagging
