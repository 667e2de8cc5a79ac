// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/family/gp_tagger.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/gp/likelihood/chain_likelihood.h"

namespace fovea::tagging {
namespace {

constexpr const char* kProcess = "gp.";

using Entry = std::pair<std::uint32_t, float>;  // attribute, value

void append_merged(std::vector<Entry>& entries, SparseRows& rows) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (e > 0 && entries[e].first == entries[e - 1].first) {
      rows.values.back() += entries[e].second;
      continue;
    }
    rows.columns.push_back(entries[e].first);
    rows.values.push_back(entries[e].second);
  }
  rows.end_row();
}

}  // namespace

std::shared_ptr<const gp::Likelihood> make_likelihood(GpLikelihood likelihood) {
  if (likelihood == GpLikelihood::kPseudo) return std::make_shared<gp::PseudoLikelihood>();
  return std::make_shared<gp::ChainLikelihood>();
}

ContainerWriter GpTagger::writer(const Dictionary& dictionary) const {
  ContainerWriter writer(kKind, kVersion);
  save_vocabulary(writer, dictionary);
  writer.add("likelihood", word_of(likelihood));
  return writer;
}

void GpTagger::save(const ContainerTarget& target, const Dictionary& dictionary) const {
  ContainerWriter file = writer(dictionary);
  processes.save(file, kProcess);
  file.write(target);
}

void GpTagger::save_checkpoint(const std::string& path, const Dictionary& dictionary,
                               const gp::FitRecord& record) const {
  ContainerWriter file = writer(dictionary);
  record.save(file, kProcess);
  file.write(path);
}

GpTagger GpTagger::load(const ContainerSource& source) {
  const auto container = std::make_shared<const Container>(Container::open(source, kKind, kVersion));
  GpTagger tagger;
  tagger.load_vocabulary(container);
  const std::optional<GpLikelihood> likelihood = value_of<GpLikelihood>(container->bytes("likelihood"));
  if (!likelihood) container->refuse("likelihood", "chain or pseudo");
  tagger.likelihood = *likelihood;
  tagger.processes = gp::AveragedGps::load(*container, kProcess, make_likelihood(tagger.likelihood));
  if (tagger.processes.label_count() != tagger.labels.size())
    container->refuse("labels", fmt::format("as many as the model has, {}", tagger.processes.label_count()));
  return tagger;
}

gp::Sequences gp_sequences(const EncodedItems& encoded) {
  gp::Sequences sequences;
  sequences.begin = encoded.sequence_begin;
  std::vector<Entry> entries;
  for (std::size_t item = 0; item < encoded.item_count(); ++item) {
    entries.clear();
    for (std::uint32_t i = encoded.items.offsets[item]; i < encoded.items.offsets[item + 1]; ++i) {
      const std::uint32_t bundle = encoded.items.columns[i];
      for (std::uint32_t b = encoded.bundles.offsets[bundle]; b < encoded.bundles.offsets[bundle + 1]; ++b)
        entries.emplace_back(encoded.bundles.columns[b], encoded.items.value(i) * encoded.bundles.value(b));
    }
    append_merged(entries, sequences.features);
  }
  return sequences;
}

gp::Sequences gp_sequences(const sequence::TrainingSet& set) {
  gp::Sequences sequences = gp_sequences(set.items);
  sequences.labels = set.labels;
  sequences.label_count = static_cast<std::size_t>(set.label_count);
  if (std::find(set.labels.begin(), set.labels.end(), sequence::kUnknownLabel) != set.labels.end())
    throw InputError({}, "a label that is not known, which a Gaussian process cannot be trained on",
                     "Leave such sequences out, or train option 'family crf'");
  return sequences;
}

}  // namespace fovea::tagging
