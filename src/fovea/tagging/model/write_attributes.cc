// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/write_attributes.h"

#include <optional>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/feature/template.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {
namespace {

void expand(const FeatureTemplate& feature_template, const ItemSequence& sentence, AttributeSequence& attributes) {
  std::string name;
  attributes.clear(sentence.first_line());
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    attributes.add_item(sentence.cell(t, sentence.column_count() - 1));
    for (const TemplateLine& line : feature_template.lines()) {
      name.clear();
      if (line.expand(sentence, t, name)) attributes.add_attribute(name, 1);
    }
  }
}

/// One call of write_attributes().
class AttributeWriting {
 public:
  explicit AttributeWriting(const AttributesJob& job) : job_(job) {}

  void run(const Run& run) const {
    const bool pixels = job_.options.features == ItemKind::kPixels;
    if (pixels && !job_.options.template_file.empty())
      throw UsageError("option 'features pixels' excludes option 'template'");
    io::OutputFile output(job_.options.output);
    if (pixels) write_pixels(output, run);
    else write_columns(output, run);
    output.finish();
  }

 private:
  void write_columns(io::OutputFile& output, const Run& run) const {
    ConllReader reader{io::ByteSource(job_.file)};
    ItemSequence sentence;
    AttributeSequence attributes;
    std::optional<FeatureTemplate> feature_template;
    while (reader.next(sentence)) {
      if (!feature_template) feature_template = template_for(sentence, reader);
      expand(*feature_template, sentence, attributes);
      write(attributes, output, run);
    }
  }

  void write_pixels(io::OutputFile& output, const Run& run) const {
    PixelReader reader{io::ByteSource(job_.file)};
    AttributeSequence word;
    while (reader.next(word)) write(word, output, run);
  }

  static void write(const AttributeSequence& attributes, io::OutputFile& output, const Run& run) {
    if (run.is_cancelled()) throw CancelledError("interrupted before the end of the input");
    CrfsuiteWriter(output).write(attributes);
  }

  FeatureTemplate template_for(const ItemSequence& sentence, const ConllReader& reader) const {
    const std::size_t observed = sentence.column_count() - 1;
    if (observed == 0)
      throw InputError({.file = reader.name(), .line = sentence.first_line()}, "one column, which is the label",
                       "Give at least one column to observe before the label");
    FeatureTemplate result = job_.options.template_file.empty() ? FeatureTemplate::default_for(observed)
                                                                : read_template(job_.options.template_file);
    result.require_columns(observed, reader.name());
    return result;
  }

  const AttributesJob& job_;
};

}  // namespace

void write_attributes(const AttributesJob& job, const Run& run) { AttributeWriting(job).run(run); }

}  // namespace fovea::tagging
