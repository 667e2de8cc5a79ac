// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/family/tagger.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/model/foreign_model.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {
namespace {

constexpr std::uint32_t kAnyVersion = 0xFFFFFFFF;

}  // namespace

TaggerFamily family_of(const TaggerModel& model) {
  // A structured SVM differs from a CRF in its training alone.
  const nlohmann::json training = nlohmann::json::parse(model.training);
  if (training.contains("family") && training.at("family") == "svm") return TaggerFamily::kSvm;
  return model.restart_rate > 0 ? TaggerFamily::kDoeblin : TaggerFamily::kCrf;
}

Tagger::Tagger(TaggerModel model)
    : ngrams_(std::make_shared<const TaggerModel>(std::move(model))),
      vocabulary_(ngrams_.get()),
      family_(family_of(*ngrams_)) {}

Tagger::Tagger(GpTagger model)
    : process_(std::make_shared<const GpTagger>(std::move(model))),
      vocabulary_(process_.get()),
      family_(TaggerFamily::kGp) {}

Tagger Tagger::load(const ContainerSource& source) {
  if (is_foreign_model(source)) return Tagger(load_foreign_model(source));
  if (Container::open(source, "", kAnyVersion).kind() == GpTagger::kKind) return Tagger(GpTagger::load(source));
  return Tagger(TaggerModel::load(source));
}

bool Tagger::is_foreign(const ContainerSource& source) { return is_foreign_model(source); }

bool Tagger::is_kind(std::string_view kind) { return kind == GpTagger::kKind || kind == TaggerModel::kKind; }

const std::vector<std::string>& Tagger::labels() const { return vocabulary_->labels; }

bool Tagger::reads_columns() const { return vocabulary_->feature_template.has_value(); }

const TaggerModel& Tagger::policy_model() const {
  if (!ngrams_) throw UsageError("a Gaussian process tagger takes no policy: it averages over its posterior");
  return *ngrams_;
}

sequence::Policy Tagger::load_policy(const ContainerSource& source) const {
  return tagging::load_policy(source, policy_model());
}

void Tagger::save(const ContainerTarget& target) const {
  const Dictionary dictionary = copy_of(vocabulary_->attributes);
  if (process_) process_->save(target, dictionary);
  else ngrams_->save(target, dictionary);
}

}  // namespace fovea::tagging
