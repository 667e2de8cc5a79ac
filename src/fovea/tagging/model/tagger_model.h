// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/container.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_vocabulary.h"

namespace fovea::tagging {

/// A linear-chain tagger: its vocabulary, and the weights of attributes and label n-grams. A stored one is used in
/// place from the memory map.
struct TaggerModel : TaggerVocabulary {
  static constexpr std::string_view kKind = "tagger";
  static constexpr std::uint32_t kVersion = 1;

  sequence::CrfWeights weights;
  double restart_rate = 0;        ///< of the strong Doeblin family, whose chain the weights are for; else 0
  std::uint64_t fingerprint = 0;  ///< of labels, template and weights: models that decode alike have the same

  /// Writes a container of kind "tagger", atomically; `dictionary` is what `attributes` reads. Throws InputError if it
  /// cannot write.
  void save(const ContainerTarget& target, const Dictionary& dictionary) const;

  /// Reads what save() wrote, or a model of CRFsuite or CRF++ (foreign_model.h). Throws InputError if `source` is not a
  /// tagger or is damaged (see Container), or holds weights that are not finite.
  static TaggerModel load(const ContainerSource& source);
};

/// The fingerprint of a model's labels, template and weights.
std::uint64_t tagger_fingerprint(const TaggerModel& model);

/// Marks `policy` as tuned for `model`.
void bind_policy(const TaggerModel& model, sequence::Policy& policy);

/// Reads a policy to be used with `model`. Throws InputError if the file is not a policy, or was tuned for a model that
/// decodes differently.
sequence::Policy load_policy(const ContainerSource& source, const TaggerModel& model);

}  // namespace fovea::tagging
