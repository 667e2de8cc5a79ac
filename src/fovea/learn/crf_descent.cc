// SPDX-License-Identifier: Apache-2.0
#include "fovea/learn/crf_descent.h"

#include "fovea/base/error.h"

namespace fovea {
namespace {

AdaGradOptions of_a_sequence(AdaGradOptions options, const TrainingSet& set) {
  options.l2 /= static_cast<double>(std::max<std::size_t>(1, set.items.sequence_count()));
  return options;
}

}  // namespace

CrfDescent::CrfDescent(const TrainingSet& set, const CrfFeatures& features, std::span<float> x, AdaGradOptions options,
                       std::vector<float> squares)
    : set_(&set),
      features_(&features),
      x_(x),
      tables_(features.label_count, features.factor_size, features.scored_ngrams(x)),
      adagrad_(x, of_a_sequence(options, set)) {
  if (squares.empty()) return;
  FOVEA_CHECK(squares.size() == x.size());
  std::copy(squares.begin(), squares.end(), adagrad_.squares().begin());
}

void CrfDescent::update(std::span<const std::pair<std::uint32_t, float>> gradient) {
  const std::size_t first_ngram = features_->labels.size();
  for (const auto& [parameter, g] : gradient) {
    const float before = x_[parameter];
    adagrad_.update(parameter, g);
    if (parameter >= first_ngram) tables_.add(parameter - first_ngram, x_[parameter] - before);
  }
}

/// Applies the L2 penalty that is still due.
void CrfDescent::flush() {
  const std::size_t first_ngram = features_->labels.size();
  std::vector<float> before(x_.begin() + static_cast<std::ptrdiff_t>(first_ngram), x_.end());
  adagrad_.flush();
  for (std::size_t i = 0; i < before.size(); ++i) tables_.add(i, x_[first_ngram + i] - before[i]);
}

}  // namespace fovea
