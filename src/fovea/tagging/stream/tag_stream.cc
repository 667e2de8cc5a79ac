// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_stream.h"

#include <memory>
#include <type_traits>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/stream/explain.h"
#include "fovea/tagging/stream/tag_findings.h"
#include "fovea/tagging/stream/tag_output.h"
#include "fovea/tagging/stream/tag_run.h"
#include "fovea/tagging/stream/visit_picture.h"

namespace fovea::tagging {
namespace {

/// Reads sequences of one kind, and refuses those that the model cannot score.
template <class Reader, class Sequence>
class FileSequences final : public SequenceSource<Sequence> {
 public:
  FileSequences(const TaggerVocabulary& model, io::ByteSource source)
      : model_(model), reader_(make_input_reader<Reader>(model, std::move(source))) {}

  bool next(Sequence& sequence) override {
    if (!reader_.next(sequence)) return false;
    if constexpr (std::is_same_v<Sequence, ItemSequence>)
      if (!checked_) warnings_ = input_warnings(model_, sequence, reader_.name());
    checked_ = true;
    return true;
  }
  ConllFormat format() const {
    if constexpr (std::is_same_v<Sequence, ItemSequence>) return reader_.format();
    return {};
  }
  std::uint64_t blank_lines_after() const {
    if constexpr (std::is_same_v<Sequence, ItemSequence>) return reader_.blank_lines_after();
    return 0;
  }
  const std::string& name() const { return reader_.name(); }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  const TaggerVocabulary& model_;
  Reader reader_;
  std::vector<std::string> warnings_;
  bool checked_ = false;
};

/// One call of tag_stream().
class StreamTagging {
 public:
  StreamTagging(const Tagger& tagger, const TagJob& job, const Run& run, io::OutputFile& output, const TagView& view)
      : tagger_(tagger),
        job_(job),
        run_(run),
        output_(output),
        view_(view),
        method_(make_tagging_method(tagger, job, view.picture.has_value(), run)) {}

  template <class Reader, class Sequence>
  TagReport tag(io::ByteSource source) {
    FileSequences<Reader, Sequence> input(tagger_.vocabulary(), std::move(source));
    std::optional<LineWriter> lines;
    TagReport report = run_tagging<Sequence>(*method_, run_, input, [&] {
      lines.emplace(output_, input.format());
      return sink<Sequence>(*lines);
    });
    if (!lines && !run_.is_cancelled())
      throw InputError({.file = input.name()}, "no item in the input",
                       tagger_.process() ? "Give items to tag" : "Give lines of columns to tag");
    if (lines && !run_.is_cancelled() && !job_.options.spans) lines->write_blank_lines(input.blank_lines_after());
    report.family = tagger_.family();
    report.warnings = input.warnings();
    for (std::string& warning : method_->warnings()) report.warnings.push_back(std::move(warning));
    report.seconds = seconds_since(run_.started);
    return report;
  }

 private:
  template <class Sequence>
  std::unique_ptr<TagSink<Sequence>> sink(LineWriter& lines) const {
    if (view_.picture) return std::make_unique<VisitPicture<Sequence>>(lines, view_.picture->color, view_.picture->svg);
    if (view_.explained_terms > 0)
      return std::make_unique<ExplanationLines<Sequence>>(lines, explainable_model(tagger_), view_.explained_terms);
    if (job_.options.spans) return std::make_unique<SpanLines<Sequence>>(lines);
    return std::make_unique<TagColumns<Sequence>>(lines, tagger_.labels(), job_.options);
  }

  const Tagger& tagger_;
  const TagJob& job_;
  const Run& run_;
  io::OutputFile& output_;
  const TagView& view_;
  std::unique_ptr<TaggingMethod> method_;
};

}  // namespace

TagReport tag_stream(const Tagger& tagger, const TagJob& job, const Run& run, io::ByteSource source,
                     io::OutputFile& output, const TagView& view) {
  if (view.explained_terms > 0) (void)explainable_model(tagger);
  StreamTagging tagging(tagger, job, run, output, view);
  if (tagger.reads_columns()) return tagging.tag<ConllReader, ItemSequence>(std::move(source));
  if (tagger.vocabulary().format == TaggingFormat::kPixels)
    return tagging.tag<PixelReader, AttributeSequence>(std::move(source));
  return tagging.tag<CrfsuiteReader, AttributeSequence>(std::move(source));
}

}  // namespace fovea::tagging
