// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf_descent.h"

#include "fovea/base/error.h"

namespace fovea::sequence {
namespace {

optimize::AdaGradOptions of_a_sequence(optimize::AdaGradOptions options, const TrainingSet& set) {
  options.l2 /= static_cast<double>(std::max<std::size_t>(1, set.items.sequence_count()));
  return options;
}

}  // namespace

CrfDescent::CrfDescent(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
                       optimize::AdaGradOptions options, std::vector<float> squares)
    : set_(&set), features_(&features), x_(x), tables_(make_tables()), adagrad_(x, of_a_sequence(options, set)) {
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

/// Applies the L2 penalty that is still due. Rebuilds the tables, to which changes were added one by one: they must
/// depend on x alone, as they do when a training is resumed.
void CrfDescent::flush() {
  adagrad_.flush();
  tables_ = make_tables();
}

NgramTables CrfDescent::make_tables() const {
  return {features_->label_count, features_->factor_size, features_->scored_ngrams(x_)};
}

}  // namespace fovea::sequence
