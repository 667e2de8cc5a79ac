// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/feature/dictionary.h"
#include "fovea/feature/template.h"
#include "fovea/graph/label_ngrams.h"
#include "fovea/learn/crf_weights.h"

namespace fovea {

/// How labelled items are written down.
enum class TaggingFormat {
  kColumns,     ///< one item a line, its columns and last its label (io/conll.h); attributes come from a template
  kAttributes,  ///< CRFsuite's label<TAB>attribute:value... (io/crfsuite.h)
  kPixels,      ///< words of handwritten letters, an attribute for each black pixel (io/pixels.h)
};

/// A linear-chain tagger: what turns items into attributes, and what those and label n-grams weigh. A stored one is
/// used in place from the memory map.
struct TaggerModel {
  static constexpr std::uint32_t kVersion = 1;

  std::vector<std::string> labels;                  ///< names, by label number
  TaggingFormat format = TaggingFormat::kColumns;   ///< of the items that it tags
  std::optional<FeatureTemplate> feature_template;  ///< of columns; none: items come with their attributes
  std::size_t observation_columns = 0;              ///< columns before the label in training; 0 without a template
  FrozenDictionary attributes;                      ///< numbers the attributes of `weights`
  CrfWeights weights;
  double restart_rate = 0;              ///< of the strong Doeblin family, for whose chain the weights are; else 0
  std::string training = "{}";          ///< how it was trained: a JSON object
  std::uint64_t fingerprint = 0;        ///< of labels, template and weights: models that decode alike have the same
  std::shared_ptr<const void> storage;  ///< what `attributes` refers to

  int label_count() const { return static_cast<int>(labels.size()); }

  /// Writes a container of kind "tagger", atomically; `dictionary` is what `attributes` reads. Throws InputError when
  /// it cannot write.
  void save(const std::string& path, const Dictionary& dictionary) const;

  /// Throws InputError if `path` is no tagger or is damaged (see Container), or holds weights that are not finite.
  static TaggerModel load(const std::string& path);
};

/// The fingerprint of a model's labels, template and weights.
std::uint64_t tagger_fingerprint(const TaggerModel& model);

}  // namespace fovea
