// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/gp_tagging.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/tagging/feature/encoder.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fovea/tagging/stream/tag_output.h"

namespace fovea::tagging {
namespace {

/// Number of sequences in a block: enough to keep all threads busy.
constexpr std::size_t kBlockSequences = 256;

/// Columns of one item, as texts that stay in place.
class ItemCells {
 public:
  ItemCells(const GpTagJob& job, const gp::Prediction& prediction) : job_(job), prediction_(prediction) {}

  void append(std::size_t item, std::vector<std::string>& cells) const {
    const std::size_t labels = prediction_.label_count;
    const double* p = prediction_.marginals.data() + item * labels;
    const auto best = static_cast<std::size_t>(std::max_element(p, p + labels) - p);
    const auto add_probability = [&](std::size_t j) {
      cells.push_back(fmt::format("{}:{:.6f}", job_.tagger.labels[j], p[j]));
    };
    cells.push_back(job_.tagger.labels[best]);
    if (job_.all_marginals)
      for (std::size_t j = 0; j < labels; ++j) add_probability(j);
    else if (job_.marginals) add_probability(best);
    if (!job_.marginals && !job_.all_marginals) return;
    cells.push_back(fmt::format("mean:{:.4f}", prediction_.latent_means[item * labels + best]));
    cells.push_back(fmt::format("variance:{:.4f}", prediction_.latent_variances[item * labels + best]));
    cells.push_back(fmt::format("entropy:{:.4f}", entropy({p, labels})));
  }

 private:
  static double entropy(std::span<const double> p) {
    double sum = 0;
    for (const double x : p)
      if (x > 0) sum -= x * std::log(x);
    return sum;
  }

  const GpTagJob& job_;
  const gp::Prediction& prediction_;
};

template <class Reader, class Sequence>
class GpTagRun {
 public:
  GpTagRun(const GpTagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output, Encoder encoder)
      : job_(job),
        run_(run),
        reader_(make_input_reader<Reader>(job.tagger, std::move(source))),
        output_(output),
        encoder_(std::move(encoder)) {}

  GpTagReport run() {
    std::vector<Sequence> block(kBlockSequences);
    std::optional<LineWriter> lines;
    while (const std::size_t count = read(block)) {
      if constexpr (std::is_same_v<Sequence, ItemSequence>) {
        if (!lines) report_.warnings = input_warnings(job_.tagger, block[0], reader_.name());
        if (!lines) lines.emplace(output_, reader_.format());
      } else if (!lines) {
        lines.emplace(output_, ConllFormat{});
      }
      write(std::span(block).first(count), *lines);
      report_.seconds = seconds_since(run_.started);
      if (run_.progress)
        run_.progress({.phase = "tagging", .done = static_cast<double>(report_.items), .seconds = report_.seconds});
    }
    if (!lines && !cancelled()) throw InputError({.file = reader_.name()}, "no item in the input", "Give items to tag");
    if constexpr (std::is_same_v<Sequence, ItemSequence>)
      if (!cancelled()) lines->write_blank_lines(reader_.blank_lines_after());
    return report_;
  }

 private:
  bool cancelled() const { return run_.is_cancelled(); }

  std::size_t read(std::vector<Sequence>& block) {
    std::size_t count = 0;
    while (!ended_ && !cancelled() && count < block.size()) {
      ended_ = !reader_.next(block[count]);
      if (!ended_) ++count;
    }
    return count;
  }

  void write(std::span<const Sequence> sequences, LineWriter& lines) {
    encoder_.forget_items();
    for (const Sequence& sequence : sequences) encoder_.append(sequence);
    const gp::Prediction prediction =
        job_.tagger.process.predict(gp_sequences(encoder_.items()), job_.draws, run_.threads);
    const ItemCells cells(job_, prediction);
    std::size_t item = 0;
    for (const Sequence& sequence : sequences) {
      std::vector<std::string> texts;
      for (std::size_t t = 0; t < sequence.size(); ++t) cells.append(item++, texts);
      lines.write(sequence, std::vector<std::string_view>(texts.begin(), texts.end()));
    }
    report_.sequences += sequences.size();
    report_.items += item;
  }

  const GpTagJob& job_;
  const Run& run_;
  Reader reader_;
  io::OutputFile& output_;
  Encoder encoder_;
  bool ended_ = false;
  GpTagReport report_;
};

}  // namespace

std::string GpTagReport::brief() const {
  return fmt::format("{} items of {} sequences tagged in {:.2f} s", items, sequences, seconds);
}

std::string GpTagReport::json() const {
  return fmt::format(R"({{"sequences":{},"items":{},"seconds":{:.6g}}})", sequences, items, seconds);
}

GpTagReport tag_by_gp(const GpTagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output) {
  Dictionary attributes = copy_of(job.tagger.attributes);
  if (job.tagger.feature_template) {
    Encoder encoder(*job.tagger.feature_template, std::move(attributes), UnknownAttributes::kDrop);
    return GpTagRun<ConllReader, ItemSequence>(job, run, std::move(source), output, std::move(encoder)).run();
  }
  Encoder encoder(std::move(attributes), UnknownAttributes::kDrop);
  if (job.tagger.format == TaggingFormat::kPixels)
    return GpTagRun<PixelReader, AttributeSequence>(job, run, std::move(source), output, std::move(encoder)).run();
  return GpTagRun<CrfsuiteReader, AttributeSequence>(job, run, std::move(source), output, std::move(encoder)).run();
}

}  // namespace fovea::tagging
