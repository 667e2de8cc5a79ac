// SPDX-License-Identifier: Apache-2.0
// fovea tag: labels sequences with a trained tagger.
#include <fmt/format.h>

#include <optional>

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/cli/tagging/features_option.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/gp_tagging.h"
#include "fovea/tagging/stream/tag_stream.h"
#include "fovea/tagging/stream/visit_picture.h"

namespace fovea::cli {
namespace {

struct TagCommandOptions {
  std::string policy;
  std::string output;
  bool report = false;
  bool show_sampling = false;
  std::string svg;

  template <class V>
  static void describe(V&& visit) {
    using O = TagCommandOptions;
    visit(&O::policy, OptionInfo{.name = "policy",
                                 .description = "What 'fovea tune' learned about this model.",
                                 .value_name = "FILE",
                                 .file = FileRole::kInput});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::report, OptionInfo{.name = "report",
                                 .description = "Afterwards, on standard error: what was given and used, counts and "
                                                "seconds of each phase; as JSON with --json."});
    visit(&O::show_sampling,
          OptionInfo{.name = "show-sampling",
                     .description = "Instead of columns: the text, the darker the more visits (on a terminal), or with "
                                    "the number of visits behind each token."});
    visit(&O::svg, OptionInfo{.name = "svg",
                              .description = "With --show-sampling: also write the picture as SVG.",
                              .value_name = "FILE",
                              .file = FileRole::kOutput});
  }
};

class Tag : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(model_,
                    {.name = "MODEL", .description = "Tagger written by 'fovea train'.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.argument(
        input_,
        {.name = "FILE", .description = "Sequences to tag; - or none is standard input.", .file = FileRole::kInput},
        Binder::Presence::kOptional);
    binder.options(options_);
    binder.options(features_);
    binder.options(tag_, "What to give, and for how much");
    binder.options(decode_, "How to decode");
  }

  void run(const Context& context) override {
    check_options();
    if (Container::open(model_, "", kAnyVersion).kind() == tagging::GpTagger::kKind) return run_gp(context);
    const tagging::TaggerModel model = tagging::TaggerModel::load(model_);
    check_model_features(model, features_.features);
    std::optional<sequence::Policy> policy;
    if (!options_.policy.empty()) policy = tagging::load_policy(options_.policy, model);
    const tagging::TagJob job{.model = model,
                              .policy = policy ? &*policy : nullptr,
                              .decode = decode_,
                              .options = tag_,
                              .visits = options_.show_sampling,
                              .threads = context.common.threads,
                              .random = Random(context.common.seed).child("tag"),
                              .started = context.started,
                              .progress = context.console.progress(),
                              .cancel = &context.cancel};
    io::OutputFile output(options_.output);
    std::string picture;
    const tagging::TagReport report = tag(job, output, context.console.color(), picture);
    if (!context.cancel.cancelled()) output.finish();
    if (!options_.svg.empty()) write_picture(picture);
    context.console.clear_progress();
    for (const std::string& warning : report.warnings) context.console.warn(warning);
    if (options_.report) context.console.note(context.common.json ? report.json() : report.full());
  }

 private:
  static constexpr std::uint32_t kAnyVersion = 0xFFFFFFFF;

  void run_gp(const Context& context) {
    if (!options_.policy.empty() || options_.show_sampling || decode_.method != sequence::DecodeMethod::kAuto ||
        tag_.n_best > 0 || tag_.valid_bio || !tag_.budget.empty() || !tag_.time_limit.empty())
      throw UsageError(
          "a Gaussian process tagger takes none of --policy, --show-sampling, --method, --n-best, "
          "--valid-bio, --budget and --time-limit: it averages over its posterior");
    const tagging::GpTagger tagger = tagging::GpTagger::load(model_);
    check_model_features(tagger, features_.features);
    io::OutputFile output(options_.output);
    const tagging::GpTagJob job{.tagger = tagger,
                                .marginals = tag_.marginals,
                                .all_marginals = tag_.all_marginals,
                                .threads = context.common.threads,
                                .started = context.started,
                                .progress = context.console.progress(),
                                .cancel = &context.cancel};
    const tagging::GpTagReport report = tagging::tag_by_gp(job, io::ByteSource(input_), output);
    if (!context.cancel.cancelled()) output.finish();
    context.console.clear_progress();
    for (const std::string& warning : report.warnings) context.console.warn(warning);
    if (options_.report) context.console.note(context.common.json ? report.json() : report.brief());
  }

  void check_options() const {
    if (!options_.svg.empty() && !options_.show_sampling) throw UsageError("--svg needs --show-sampling");
    if (options_.show_sampling &&
        (decode_.method == sequence::DecodeMethod::kExact || decode_.method == sequence::DecodeMethod::kBeam))
      throw UsageError("--show-sampling needs a method that visits items: icm, gibbs or learned");
  }

  void write_picture(const std::string& picture) const {
    io::OutputFile file(options_.svg);
    file.write(tagging::svg_document(picture));
    file.finish();
  }

  tagging::TagReport tag(const tagging::TagJob& job, io::OutputFile& output, bool color, std::string& picture) const {
    if (job.model.feature_template)
      return tagging::tag_columns(job, io::ByteSource(input_), output,
                                  sink_maker<tagging::ItemSequence>(job, color, picture));
    return tagging::tag_attributes(job, io::ByteSource(input_), output,
                                   sink_maker<tagging::AttributeSequence>(job, color, picture));
  }

  template <class Sequence>
  tagging::SinkMaker<Sequence> sink_maker(const tagging::TagJob& job, bool color, std::string& picture) const {
    return [this, &job, color, &picture](tagging::LineWriter& lines) -> std::unique_ptr<tagging::TagSink<Sequence>> {
      if (options_.show_sampling)
        return std::make_unique<tagging::VisitPicture<Sequence>>(lines, color,
                                                                 options_.svg.empty() ? nullptr : &picture);
      return std::make_unique<tagging::TagColumns<Sequence>>(lines, job.model.labels, tag_);
    };
  }

  std::string model_, input_;
  TagCommandOptions options_;
  FeaturesOption features_;
  tagging::TagOptions tag_;
  sequence::DecodeOptions decode_;
};

}  // namespace

CommandEntry tag_command() {
  return {.name = "tag",
          .summary = "Label sequences with a trained tagger.",
          .description =
              "Writes the input's columns and one more with the predicted label; blank lines, separators and line "
              "ends stay as they are. Cells are separated as where the model was trained. Columns behind those that "
              "the model observes, such as a gold label, may be there "
              "or not. A model of ready-made attributes reads CRFsuite's format and writes the label of each line, a "
              "tab and the prediction; one of pixels writes word, position, letter and prediction.",
          .examples =
              "  fovea tag ner.model test.txt.gz | fovea eval tags\n"
              "  fovea tag ner.model --policy ner.policy --budget '1.5 sweeps' test.txt.gz > out.txt\n"
              "  fovea tag ner.model --method auto --time-limit 2ms/item < test.txt\n"
              "  fovea tag ner.model --n-best 3 --report test.txt\n"
              "  fovea tag np.gp --marginals test.txt\n"
              "  fovea tag ocr.model --features pixels fold0.tsv.gz | fovea eval tags\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Tag>(); }};
}

}  // namespace fovea::cli
