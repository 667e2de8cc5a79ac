// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/write_attributes.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "fovea/base/error.h"
#include "fovea/base/pipeline.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/feature/template.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/sequence_parts.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {
namespace {

/// Sequences that one thread writes at a time.
constexpr std::size_t kPartSequences = 16;

struct Scratch {
  AttributeSequence attributes;
  std::string name, text;
};

void expand(const FeatureTemplate& feature_template, const ItemSequence& sentence, Scratch& scratch) {
  scratch.attributes.clear(sentence.first_line());
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    scratch.attributes.add_item(sentence.cell(t, sentence.column_count() - 1));
    for (const TemplateLine& line : feature_template.lines()) {
      scratch.name.clear();
      if (line.expand(sentence, t, scratch.name)) scratch.attributes.add_attribute(scratch.name, 1);
    }
  }
}

/// One call of write_attributes().
class AttributeWriting {
 public:
  explicit AttributeWriting(const AttributesJob& job) : job_(job) {}

  void run(const Run& run) const {
    const ItemKind items = job_.options.features;
    if (has_pixels(items) && !job_.options.template_file.empty())
      throw UsageError(fmt::format("option 'features {}' excludes option 'template'", word_of(items)));
    run.begin_phase("attributes");
    io::OutputFile output(job_.options.output);
    if (items == ItemKind::kPixels) write_pixels<PixelReader>(output, run);
    else if (items == ItemKind::kPixelValues) write_pixels<PixelValueReader>(output, run);
    else write_columns(output, run);
    output.finish();
  }

 private:
  void write_columns(io::OutputFile& output, const Run& run) const {
    std::optional<FeatureTemplate> feature_template;
    write_parts<ConllReader>(
        output, run,
        [&](const ItemSequence& first, const std::string& file) { feature_template = template_for(first, file); },
        [&](const ItemSequence& sentence, Scratch& scratch) {
          expand(*feature_template, sentence, scratch);
          append_crfsuite(scratch.attributes, scratch.text);
        });
  }

  template <class Reader>
  void write_pixels(io::OutputFile& output, const Run& run) const {
    write_parts<Reader>(
        output, run, [](const AttributeSequence&, const std::string&) {},
        [](const AttributeSequence& word, Scratch& scratch) { append_crfsuite(word, scratch.text); });
  }

  /// Calls begin(sequence, file) for the first sequence. Appends those of each part of the file to a text, on all
  /// threads, and writes the texts in order.
  template <class Reader, class Begin, class Append>
  void write_parts(io::OutputFile& output, const Run& run, const Begin& begin, const Append& append) const {
    SequenceParts<Reader> parts(io::ByteSource(job_.file), run.threads);
    struct Block : SequenceParts<Reader>::Part {
      Scratch scratch;
    };
    bool has_begun = false;
    run_pipeline(
        run.threads, [] { return std::make_unique<Block>(); },
        [&](Block& block) {
          if (run.is_cancelled()) throw CancelledError("interrupted before the end of the input");
          if (!parts.read(block, kPartSequences)) return false;
          if (!has_begun && block.count > 0) begin(block.sequences[0], parts.name());
          has_begun = has_begun || block.count > 0;
          return true;
        },
        [&](Block& block) {
          parts.parse(block);
          for (std::size_t s = 0; s < block.count; ++s) append(block.sequences[s], block.scratch);
        },
        [&](Block& block) { output.write_and_clear(block.scratch.text); });
  }

  FeatureTemplate template_for(const ItemSequence& sentence, const std::string& file) const {
    const std::size_t observed = sentence.column_count() - 1;
    if (observed == 0)
      throw InputError({.file = file, .line = sentence.first_line()}, "one column, which is the label",
                       "Give at least one column to observe before the label");
    FeatureTemplate result = job_.options.template_file.empty() ? FeatureTemplate::default_for(observed)
                                                                : read_template(job_.options.template_file);
    result.require_columns(observed, file);
    return result;
  }

  const AttributesJob& job_;
};

}  // namespace

void write_attributes(const AttributesJob& job, const Run& run) { AttributeWriting(job).run(run); }

}  // namespace fovea::tagging
