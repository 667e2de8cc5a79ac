// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_kinds.h"

namespace fovea::tagging {

struct GpTagger;
struct TaggerModel;
struct TaggerVocabulary;

/// A trained tagger of any family. Copies share the model, which never changes.
class Tagger {
 public:
  /// Reads a tagger that `train` or `save` wrote, or a model of another program (is_foreign). Throws InputError if
  /// `source` is not a tagger or is damaged.
  static Tagger load(const ContainerSource& source);
  /// True for a model of CRFsuite, or of CRF++ as text. Throws InputError if it cannot be read.
  static bool is_foreign(const ContainerSource& source);
  /// True for the kind of a container (Container::kind) that holds a tagger.
  static bool is_kind(std::string_view kind);
  explicit Tagger(TaggerModel model);
  explicit Tagger(GpTagger model);

  TaggerFamily family() const { return family_; }
  /// The labels' names.
  const std::vector<std::string>& labels() const;
  /// True if its items are columns, from which a template makes attributes; false if they come with their attributes.
  bool reads_columns() const;
  /// Writes the tagger, for `load`; what a foreign model becomes is a tagger as any other.
  void save(const ContainerTarget& target) const;
  /// The model that a policy is tuned for. Throws UsageError for a family that takes none, Gaussian processes.
  const TaggerModel& policy_model() const;
  /// Reads a policy that was tuned for this tagger. Throws InputError for another tagger's, and UsageError for a family
  /// that has none, Gaussian processes.
  sequence::Policy load_policy(const ContainerSource& source) const;

  const TaggerVocabulary& vocabulary() const { return *vocabulary_; }
  /// The model of label n-grams; null for Gaussian processes.
  const TaggerModel* ngrams() const { return ngrams_.get(); }
  /// The Gaussian processes; null for other families.
  const GpTagger* process() const { return process_.get(); }

 private:
  std::shared_ptr<const TaggerModel> ngrams_;  // one of these two is null
  std::shared_ptr<const GpTagger> process_;
  const TaggerVocabulary* vocabulary_;  // of that which is not
  TaggerFamily family_;
};

/// The family of a model of label n-grams, as its training tells.
TaggerFamily family_of(const TaggerModel& model);

}  // namespace fovea::tagging
