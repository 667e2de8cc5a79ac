// SPDX-License-Identifier: Apache-2.0
// A model without a Markov blanket cannot be sampled site by site.
// refused: constraints not satisfied|does not satisfy
#include "fovea/mcmc/conditional_model.h"

struct Coin {
  std::size_t variable_count() const { return 1; }
  std::size_t cardinality(fovea::VariableId) const { return 2; }
  void conditional_scores(fovea::VariableId, const fovea::Assignment&, std::span<float> scores) const {
    scores[0] = scores[1] = 0;
  }
#if !FOVEA_MISUSE
  std::vector<fovea::VariableId> markov_blanket(fovea::VariableId) const { return {}; }
#endif
  double log_score(const fovea::Assignment&) const { return 0; }
};

template <fovea::mcmc::ConditionalModel Model>
double score(const Model& model) {
  return model.log_score(fovea::Assignment(model.variable_count()));
}

int main() { return static_cast<int>(score(Coin{})); }
