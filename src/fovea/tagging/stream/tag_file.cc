// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_file.h"

#include <memory>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/gp_tagging.h"
#include "fovea/tagging/stream/tag_stream.h"
#include "fovea/tagging/stream/visit_picture.h"

namespace fovea::tagging {
namespace {

constexpr std::uint32_t kAnyVersion = 0xFFFFFFFF;

void check(const TagFileJob& job) {
  if (!job.files.svg.empty() && !job.files.show_sampling) throw UsageError("option 'svg' needs option 'show-sampling'");
  if (job.files.show_sampling && !visits_sites(job.decode.method))
    throw UsageError("option 'show-sampling' needs a method that visits items: icm, gibbs or learned");
}

void check_gp(const TagFileJob& job) {
  if (!job.files.policy.empty() || job.files.show_sampling || job.decode.method != sequence::DecodeMethod::kAuto ||
      job.options.n_best > 0 || job.options.valid_bio || !job.options.budget.empty() || !job.options.time_limit.empty())
    throw UsageError(
        "a Gaussian process tagger takes none of option 'policy', option 'show-sampling', option 'method', option "
        "'n-best', option 'valid-bio', option 'budget' and option 'time-limit': it averages over its posterior");
}

/// Makes the sink: columns, or the picture that `job` asks for, of which `svg` gets a copy.
template <class Sequence>
SinkMaker<Sequence> sink_maker(const TagFileJob& job, const TaggerModel& model, std::string& svg) {
  return [&](LineWriter& lines) -> std::unique_ptr<TagSink<Sequence>> {
    if (job.files.show_sampling)
      return std::make_unique<VisitPicture<Sequence>>(lines, job.color, job.files.svg.empty() ? nullptr : &svg);
    return std::make_unique<TagColumns<Sequence>>(lines, model.labels, job.options);
  };
}

TagReport tag_by_crf(const TagFileJob& job, const Run& run) {
  const TaggerModel model = TaggerModel::load(job.model);
  check_model_features(model, job.features.features);
  std::optional<sequence::Policy> policy;
  if (!job.files.policy.empty()) policy = load_policy(job.files.policy, model);
  const TagJob stream{.model = model,
                      .policy = policy ? &*policy : nullptr,
                      .decode = job.decode,
                      .options = job.options,
                      .visits = job.files.show_sampling};
  io::OutputFile output(job.files.output);
  std::string picture;
  TagReport report = model.feature_template ? tag_columns(stream, run, io::ByteSource(job.input), output,
                                                          sink_maker<ItemSequence>(job, model, picture))
                                            : tag_attributes(stream, run, io::ByteSource(job.input), output,
                                                             sink_maker<AttributeSequence>(job, model, picture));
  if (!run.is_cancelled()) output.finish();
  if (job.files.svg.empty()) return report;
  io::OutputFile svg(job.files.svg);
  svg.write(svg_document(picture));
  svg.finish();
  return report;
}

GpTagReport tag_by_gp(const TagFileJob& job, const Run& run) {
  check_gp(job);
  const GpTagger tagger = GpTagger::load(job.model);
  check_model_features(tagger, job.features.features);
  const GpTagJob stream{
      .tagger = tagger, .marginals = job.options.marginals, .all_marginals = job.options.all_marginals};
  io::OutputFile output(job.files.output);
  GpTagReport report = tag_by_gp(stream, run, io::ByteSource(job.input), output);
  if (!run.is_cancelled()) output.finish();
  return report;
}

template <class Report>
TagFileReport told(const Report& report, std::string text, const Run& run) {
  for (const std::string& warning : report.warnings) run.warn_of(warning);
  return {.text = std::move(text), .json = report.json()};
}

}  // namespace

TagFileReport tag_file(const TagFileJob& job, const Run& run) {
  check(job);
  const bool is_gp = Container::open(job.model, "", kAnyVersion).kind() == GpTagger::kKind;
  if (is_gp) {
    const GpTagReport report = tag_by_gp(job, run);
    return told(report, report.brief(), run);
  }
  const TagReport report = tag_by_crf(job, run);
  return told(report, report.full(), run);
}

}  // namespace fovea::tagging
