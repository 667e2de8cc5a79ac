// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_file.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/stream/tag_stream.h"
#include "fovea/tagging/stream/tagged_page.h"
#include "fovea/tagging/stream/tagging_method.h"
#include "fovea/tagging/stream/visit_picture.h"

namespace fovea::tagging {
namespace {

void check(const TagFileJob& job) {
  if (!job.files.svg.empty() && !job.files.show_sampling) throw UsageError("option 'svg' needs option 'show-sampling'");
  if (job.files.show_sampling && !visits_sites(job.decode.method))
    throw UsageError("option 'show-sampling' needs a method that visits items: icm, gibbs or learned");
  if ((job.files.show_sampling ? 1 : 0) + (job.files.explain > 0) + job.options.spans + (job.options.n_best > 0) > 1)
    throw UsageError("option 'show-sampling', option 'explain', option 'spans' and option 'n-best' exclude each other");
}

TagReport tag_into_files(const TagFileJob& job, const Tagger& tagger, const TagJob& tagging, const Run& run) {
  io::OutputFile output(job.files.output);
  std::string svg;
  TagView view = {.explained_terms = job.files.explain};
  if (job.files.show_sampling) view.picture = {.color = job.color, .svg = job.files.svg.empty() ? nullptr : &svg};
  TaggedPageText page;
  if (!job.files.report_html.empty()) {
    check_can_be_replaced(job.files.report_html);
    view.page = &page;
  }
  TagReport report = tag_stream(tagger, tagging, run, io::ByteSource(job.input), output, view);
  if (!run.is_cancelled()) output.finish();
  if (view.page && !run.is_cancelled()) tagged_page(std::move(page), job.model).write(job.files.report_html);
  if (job.files.svg.empty()) return report;
  io::OutputFile file(job.files.svg);
  file.write(svg_document(svg));
  file.finish();
  return report;
}

}  // namespace

TagFileReport tag_file(const TagFileJob& job, const Run& run) {
  validate(job.files);
  check(job);
  run.begin_phase("reading the model");
  const Tagger tagger = Tagger::load(job.model);
  run.begin_phase("tagging");
  TagJob tagging = {.decode = job.decode, .options = job.options};
  if (tagger.process()) internal::check_gp_options(tagging, !job.files.policy.empty(), job.files.show_sampling);
  check_model_features(tagger.vocabulary(), job.features.features);
  std::optional<sequence::Policy> policy;
  if (!job.files.policy.empty()) tagging.policy = &policy.emplace(tagger.load_policy(job.files.policy));
  const TagReport report = tag_into_files(job, tagger, tagging, run);
  for (const std::string& warning : report.warnings) run.warn_of(warning);
  return {.text = report.full(), .json = report.json()};
}

}  // namespace fovea::tagging
