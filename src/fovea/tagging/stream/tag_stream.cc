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
#include "fovea/tagging/stream/tagged_page.h"
#include "fovea/tagging/stream/visit_picture.h"

namespace fovea::tagging {
namespace {

/// Reads sequences of one kind, and refuses those that the model cannot score.
template <class Reader>
class FileSequences final : public SequenceSource<typename Reader::Sequence> {
 public:
  using Sequence = typename Reader::Sequence;

  FileSequences(const TaggerVocabulary& model, io::ByteSource source, int threads)
      : model_(model), parts_(std::move(source), threads, model.separator) {}

  bool read(SequencePart<Sequence>& part, std::size_t count) override {
    if (!parts_.read(part, count)) return false;
    if constexpr (std::is_same_v<Sequence, ItemSequence>)
      if (!checked_ && part.count > 0) warnings_ = input_warnings(model_, part.sequences[0], parts_.name());
    checked_ = true;
    return true;
  }
  void parse(SequencePart<Sequence>& part) const override { parts_.parse(part); }
  void finish(SequencePart<Sequence>& part) override { parts_.finish(part); }

  const SequenceParts<Reader>& file() const { return parts_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  const TaggerVocabulary& model_;
  SequenceParts<Reader> parts_;
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

  template <class Reader>
  TagReport tag(io::ByteSource source) {
    using Sequence = typename Reader::Sequence;
    FileSequences<Reader> input(tagger_.vocabulary(), std::move(source), run_.threads);
    bool has_begun = false;
    TagReport report = run_tagging<Sequence>(*method_, run_, input, [&] {
      has_begun = true;
      return sink<Sequence>(input.file().format());
    });
    if (!has_begun && !run_.is_cancelled())
      throw InputError({.file = input.file().name()}, "no item in the input",
                       tagger_.process() ? "Give items to tag" : "Give lines of columns to tag");
    if (!run_.is_cancelled()) {
      input.file().finish();
      std::string text;
      ConllWriter(text, input.file().format()).write_blank_lines(input.file().blank_lines_after());
      if (!job_.options.spans) output_.write(text);
    }
    report.family = tagger_.family();
    report.warnings = input.warnings();
    for (std::string& warning : method_->warnings()) report.warnings.push_back(std::move(warning));
    report.seconds = seconds_since(run_.started);
    return report;
  }

 private:
  template <class Sequence>
  std::unique_ptr<TagSink<Sequence>> sink(const ConllFormat& format) const {
    std::unique_ptr<TagSink<Sequence>> lines = line_sink<Sequence>(format);
    if (!view_.page) return lines;
    view_.page->text.kinds = kinds_of_labels(tagger_.labels());
    view_.page->has_visits = view_.picture.has_value();
    return std::make_unique<TaggedPage<Sequence>>(std::move(lines), *view_.page, tagger_.labels(), job_.options);
  }

  template <class Sequence>
  std::unique_ptr<TagSink<Sequence>> line_sink(const ConllFormat& format) const {
    if (view_.picture)
      return std::make_unique<VisitPicture<Sequence>>(output_, view_.picture->color, view_.picture->svg);
    if (view_.explained_terms > 0)
      return std::make_unique<ExplanationLines<Sequence>>(output_, explainable_model(tagger_), view_.explained_terms);
    if (job_.options.spans) return std::make_unique<SpanLines<Sequence>>(output_);
    return std::make_unique<TagColumns<Sequence>>(output_, format, tagger_.labels(), job_.options);
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
  if (tagger.reads_columns()) return tagging.tag<ConllReader>(std::move(source));
  if (tagger.vocabulary().format == TaggingFormat::kPixels) return tagging.tag<PixelReader>(std::move(source));
  if (has_pixels(tagger.vocabulary().format)) return tagging.tag<PixelValueReader>(std::move(source));
  return tagging.tag<CrfsuiteReader>(std::move(source));
}

}  // namespace fovea::tagging
