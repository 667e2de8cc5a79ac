// SPDX-License-Identifier: Apache-2.0
// fovea attributes: what a template makes of each item, for looking at it and for other programs.
#include <fmt/format.h>

#include <optional>

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/stream.h"
#include "fovea/tagging/feature/template.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"
#include "fovea/tagging/model/tagger_family.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::cli {
namespace {

struct AttributesOptions {
  tagging::ItemKind features = tagging::ItemKind::kText;
  std::string template_file;
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&AttributesOptions::features, OptionInfo{.name = "features",
                                                   .description = "What items are: text by the template, or the pixels "
                                                                  "of handwritten letters."});
    visit(&AttributesOptions::template_file, OptionInfo{.name = "template",
                                                        .description = "Feature template; without it the built-in one.",
                                                        .value_name = "FILE",
                                                        .file = FileRole::kInput});
    visit(&AttributesOptions::output, OptionInfo{.name = "output",
                                                 .description = "Where to write; - or none is standard output.",
                                                 .value_name = "FILE",
                                                 .letter = 'o',
                                                 .file = FileRole::kOutput});
  }
};

void expand(const tagging::FeatureTemplate& feature_template, const tagging::ItemSequence& sentence,
            tagging::AttributeSequence& attributes) {
  std::string name;
  attributes.clear(sentence.first_line());
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    attributes.add_item(sentence.cell(t, sentence.column_count() - 1));
    for (const tagging::TemplateLine& line : feature_template.lines()) {
      name.clear();
      if (line.expand(sentence, t, name)) attributes.add_attribute(name, 1);
    }
  }
}

class Attributes : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_,
                    {.name = "FILE",
                     .description = "Columns, the label last; - or none is standard input.",
                     .file = FileRole::kInput},
                    Binder::Presence::kOptional);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const bool pixels = options_.features == tagging::ItemKind::kPixels;
    if (pixels && !options_.template_file.empty()) throw UsageError("--features pixels excludes --template");
    io::OutputFile output(options_.output);
    if (pixels) write_pixels(output, context);
    else write_columns(output, context);
    output.finish();
  }

 private:
  void write_columns(io::OutputFile& output, const Context& context) const {
    tagging::ConllReader reader{io::ByteSource(file_)};
    tagging::ItemSequence sentence;
    tagging::AttributeSequence attributes;
    std::optional<tagging::FeatureTemplate> feature_template;
    while (reader.next(sentence)) {
      if (!feature_template) feature_template = template_for(sentence, reader);
      expand(*feature_template, sentence, attributes);
      write(attributes, output, context);
    }
  }

  void write_pixels(io::OutputFile& output, const Context& context) const {
    tagging::PixelReader reader{io::ByteSource(file_)};
    tagging::AttributeSequence word;
    while (reader.next(word)) write(word, output, context);
  }

  static void write(const tagging::AttributeSequence& attributes, io::OutputFile& output, const Context& context) {
    if (context.cancel.cancelled()) throw CancelledError("interrupted before the end of the input");
    tagging::CrfsuiteWriter(output).write(attributes);
  }

  tagging::FeatureTemplate template_for(const tagging::ItemSequence& sentence,
                                        const tagging::ConllReader& reader) const {
    const std::size_t observed = sentence.column_count() - 1;
    if (observed == 0)
      throw InputError({.file = reader.name(), .line = sentence.first_line()}, "one column, which is the label",
                       "Give at least one column to observe before the label");
    tagging::FeatureTemplate result = options_.template_file.empty() ? tagging::FeatureTemplate::default_for(observed)
                                                                     : tagging::read_template(options_.template_file);
    result.require_columns(observed, reader.name());
    return result;
  }

  std::string file_;
  AttributesOptions options_;
};

}  // namespace

CommandEntry attributes_command() {
  return {.name = "attributes",
          .summary = "Show the attributes that a template makes of each item.",
          .description =
              "Reads columns with the label last and writes CRFsuite's format: the label, then the "
              "attributes, tabs in between. 'fovea train' and CRFsuite read it.",
          .examples =
              "  fovea attributes --template ner.template train.txt | less\n"
              "  fovea attributes train.txt.gz -o train.attributes\n"
              "  fovea attributes --features pixels fold1.tsv.gz -o letters.attributes\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Attributes>(); }};
}

}  // namespace fovea::cli
