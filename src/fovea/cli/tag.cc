// SPDX-License-Identifier: Apache-2.0
// fovea tag: labels sequences with a trained tagger.
#include <fmt/format.h>

#include <optional>

#include "fovea/apps/tagging/tag_stream.h"
#include "fovea/apps/tagging/tagger_policy.h"
#include "fovea/cli/commands.h"

namespace fovea::cli {
namespace {

struct TagCommandOptions {
  std::string policy;
  std::string output;
  bool report = false;

  template <class V>
  static void describe(V&& visit) {
    using O = TagCommandOptions;
    visit(&O::policy,
          OptionInfo{
              .name = "policy", .description = "What 'fovea tune' learned about this model.", .value_name = "FILE"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o'});
    visit(&O::report, OptionInfo{.name = "report",
                                 .description = "Afterwards, on standard error: what was given and used, counts and "
                                                "seconds of each phase; as JSON with --json."});
  }
};

class Tag : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(model_, {.name = "MODEL", .description = "Tagger written by 'fovea train'."},
                    Binder::Presence::kRequired);
    binder.argument(input_, {.name = "FILE", .description = "Sequences to tag; - or none is standard input."},
                    Binder::Presence::kOptional);
    binder.options(options_);
    binder.options(tag_, "What to give, and for how much");
    binder.options(decode_, "How to decode");
  }

  void run(const Context& context) override {
    const TaggerModel model = TaggerModel::load(model_);
    std::optional<Policy> policy;
    if (!options_.policy.empty()) policy = load_policy(options_.policy, model);
    const TagJob job{.model = model,
                     .policy = policy ? &*policy : nullptr,
                     .decode = decode_,
                     .options = tag_,
                     .threads = context.common.threads,
                     .random = Random(context.common.seed).child("tag"),
                     .started = context.started,
                     .progress = context.console.progress(),
                     .cancel = &context.cancel};
    OutputFile output(options_.output);
    TagReport report = tag(job, output);
    if (!context.cancel.cancelled()) output.finish();
    context.console.clear_progress();
    if (options_.report) context.console.note(context.common.json ? report.json() : report.full());
  }

 private:
  TagReport tag(const TagJob& job, OutputFile& output) const {
    if (job.model.feature_template)
      return tag_columns(job, ByteSource(input_), output, [&](LineWriter& lines) {
        return std::make_unique<TagColumns<ItemSequence>>(lines, job.model.labels, tag_);
      });
    return tag_attributes(job, ByteSource(input_), output, [&](LineWriter& lines) {
      return std::make_unique<TagColumns<AttributeSequence>>(lines, job.model.labels, tag_);
    });
  }

  std::string model_, input_;
  TagCommandOptions options_;
  TagOptions tag_;
  DecodeOptions decode_;
};

}  // namespace

CommandEntry tag_command() {
  return {.name = "tag",
          .summary = "Label sequences with a trained tagger.",
          .description =
              "Writes the input's columns and one more with the predicted label; blank lines, separators and line "
              "ends stay as they are. Columns behind those that the model observes, such as a gold label, may be there "
              "or not. A model of ready-made attributes reads CRFsuite's format and writes the label of each line, a "
              "tab and the prediction.",
          .examples =
              "  fovea tag ner.model test.txt.gz | fovea eval tags\n"
              "  fovea tag ner.model --policy ner.policy --budget '1.5 sweeps' test.txt.gz > out.txt\n"
              "  fovea tag ner.model --method auto --time-limit 2ms/item < test.txt\n"
              "  fovea tag ner.model --n-best 3 --report test.txt\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Tag>(); }};
}

}  // namespace fovea::cli
