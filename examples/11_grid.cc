// SPDX-License-Identifier: Apache-2.0
// Beyond chains: images are "sequences", row by row, scored by the pseudo-likelihood of each pixel given its four
// neighbours. The pairwise function scores neighbours, above and left first. Nothing under gp/ knows about grids.
#include <iostream>

#include "fovea/gp.h"

using namespace fovea;
using namespace fovea::gp;

constexpr std::size_t kSide = 10, kPixels = kSide * kSide;

struct GridPseudoLikelihood {
  template <class T>  // log p(y_t = 1 | neighbours) - log p(y_t = 0 | neighbours)
  static T log_odds(Matrix<const T> unary, Matrix<const T> pairwise, Labels labels, std::size_t t) {
    T odds = unary(t, 1) - unary(t, 0);
    const auto before = [&](std::size_t s) { odds += pairwise(labels[s], 1) - pairwise(labels[s], 0); };
    const auto after = [&](std::size_t s) { odds += pairwise(1, labels[s]) - pairwise(0, labels[s]); };
    if (t >= kSide) before(t - kSide);
    if (t + kSide < kPixels) after(t + kSide);
    if (t % kSide > 0) before(t - 1);
    if ((t + 1) % kSide > 0) after(t + 1);
    return odds;
  }
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels labels) const {
    T sum = 0;
    for (std::size_t t = 0; t < kPixels; ++t) {
      const T odds = log_odds(unary, pairwise, labels, t);
      sum -= math::log1p(math::exp(labels[t] == 1 ? -odds : odds));
    }
    return sum;
  }
  void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
    std::vector<Value> labels;
    for (std::size_t t = 0; t < kPixels; ++t) labels.push_back(unary(t, 1) > unary(t, 0));
    Random random(3);
    for (std::size_t visit = 0, t = 0; visit < 40 * kPixels; ++visit, t = visit % kPixels) {  // Gibbs sampling
      const double p = 1 / (1 + std::exp(-log_odds(unary, pairwise, labels, t)));
      out(t, 1) = (visit < kPixels ? 0 : out(t, 1)) + p / 40;
      out(t, 0) = 1 - out(t, 1);
      labels[t] = random.bernoulli(p);
    }
  }
};

Sequences discs(std::size_t count, Random random) {  // an item's features: noisy brightness, and a constant
  Sequences all{.features = {}, .label_count = 2};
  for (std::size_t n = 0; n < count; ++n) {
    const double x = random.threshold(9.0), y = random.threshold(9.0);
    for (std::size_t t = 0; t < kPixels; ++t) {
      all.labels.push_back(std::hypot(t / kSide - y, t % kSide - x) < 3);
      const auto brightness = static_cast<float>(all.labels.back() - .5 + .6 * random.normal());
      all.features.columns.insert(all.features.columns.end(), {0, 1});
      all.features.values.insert(all.features.values.end(), {brightness, 1});
      all.features.end_row();
    }
    all.begin.push_back(static_cast<std::uint32_t>(all.labels.size()));
  }
  return all;
}

int main() {
  const Sequences test = discs(10, Random(2));
  StructuredGp gp({.calibrate = false});
  gp.fit(discs(20, Random(1)), GridPseudoLikelihood());
  const Prediction prediction = gp.predict(test, 8);
  int wrong = 0;
  for (std::size_t i = 0; i < 1000; ++i) wrong += (prediction.marginals[2 * i + 1] > .5) != test.labels[i];
  std::cout << wrong << " of 1000 pixels are wrong; by brightness alone, about 200 would be\n";
  return wrong < 100 ? 0 : 1;
}
