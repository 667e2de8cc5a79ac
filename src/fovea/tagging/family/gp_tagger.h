// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/base/words.h"
#include "fovea/gp/averaged_gps.h"
#include "fovea/tagging/model/tagger_vocabulary.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {

/// The likelihood of a sequence's labels, given the functions.
enum class GpLikelihood { kChain, kPseudo };
constexpr auto words_of(GpLikelihood) {
  return std::array{Word{GpLikelihood::kChain, "chain"}, Word{GpLikelihood::kPseudo, "pseudo"}};
}

/// A tagger that reports how sure it is: a structured Gaussian process over the attributes of a vocabulary.
struct GpTagger : TaggerVocabulary {
  static constexpr std::string_view kKind = "gp tagger";
  static constexpr std::uint32_t kVersion = 3;

  gp::AveragedGps processes;
  GpLikelihood likelihood = GpLikelihood::kChain;

  /// Writes a container of kind "gp tagger", atomically; `dictionary` is what `attributes` reads.
  void save(const ContainerTarget& target, const Dictionary& dictionary) const;
  /// Does the same in the middle of a fit, with the process as it stands.
  void save_checkpoint(const std::string& path, const Dictionary& dictionary, const gp::FitRecord& record) const;
  /// Throws InputError if `source` is not such a tagger or is damaged.
  static GpTagger load(const ContainerSource& source);

 private:
  ContainerWriter writer(const Dictionary& dictionary) const;
};

/// The likelihood with this name.
std::shared_ptr<const gp::Likelihood> make_likelihood(GpLikelihood likelihood);

/// Each item's attributes in one row: its bundles are expanded, and the values of equal attributes are added up.
gp::Sequences gp_sequences(const EncodedItems& items);
/// The same with labels. Throws InputError if a label is not known.
gp::Sequences gp_sequences(const sequence::TrainingSet& set);

}  // namespace fovea::tagging
