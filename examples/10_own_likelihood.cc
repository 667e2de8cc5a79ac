// SPDX-License-Identifier: Apache-2.0
// A Gaussian process tagger with a likelihood of your own: labels are steps of a scale, such as stars of reviews.
#include <iostream>

#include "fovea/gp.h"

using namespace fovea;
using namespace fovea::gp;

/// The first latent function is the level. Label j is likely where the level is near j, and after labels that j tends
/// to follow. The template takes any number type, so that it can be differentiated; nothing else need be said about it.
struct OrdinalChain {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels labels) const {
    T sum = 0;
    for (std::size_t t = 0; t < labels.size(); ++t) {
      std::vector<T> scores;
      for (std::size_t j = 0; j < unary.columns(); ++j) {
        const T away = 2.0 * (unary(t, 0) - static_cast<double>(j));
        scores.push_back(-away * away / 2.0 + (t > 0 ? pairwise(labels[t - 1], j) : T(0)));
      }
      sum += scores[labels[t]] - math::log_sum_exp(std::span<const T>(scores));
    }
    return sum;
  }
};

/// Reviews of three words; each of 30 words is worth up to 4 stars, and a reviewer gives the rounded mean.
Sequences reviews(std::size_t reviewers, Random random) {
  Sequences sequences;
  sequences.label_count = 5;
  for (std::size_t n = 0; n < reviewers; ++n) {
    for (int review = 0; review < 5; ++review) {
      double stars = 0;
      for (std::uint32_t third = 0; third < 3; ++third) {
        const std::uint32_t word = random.uniform_index(10);
        sequences.features.columns.push_back(10 * third + word);
        stars += word * 4.0 / 9 / 3;
      }
      sequences.features.end_row();
      sequences.labels.push_back(static_cast<Value>(stars + .5));
    }
    sequences.begin.push_back(static_cast<std::uint32_t>(sequences.labels.size()));
  }
  return sequences;
}

int main() {
  StructuredGp gp({.kernel = Covariance(Linear{}) + Constant{}, .calibrate = false});
  const FitSummary fit = gp.fit(reviews(60, Random(1)), OrdinalChain());
  const Sequences test = reviews(20, Random(2));
  const std::vector<Value> first(test.item_count(), 0);  // the likelihood reads stars from the first function
  const LatentMoments stars = gp.latent_moments(test, first);
  double off = 0;
  for (std::size_t i = 0; i < test.item_count(); ++i)
    off += std::abs(stars.means[i] - test.labels[i]) / static_cast<double>(test.item_count());
  std::cout << "bound " << fit.bound.total() << " after " << fit.iterations << " steps; stars off by " << off << '\n';
  return off < .5 ? 0 : 1;
}
