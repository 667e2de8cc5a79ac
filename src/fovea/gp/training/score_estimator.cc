// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/score_estimator.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/parallel.h"
#include "fovea/gp/training/expectations.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kNormals = std::size_t{1} << 21;
constexpr std::size_t kMostDrawsOfAChunk = 200;
constexpr std::size_t kPartsOfASequence = 4;

/// Size of the pool of normals: more than any stretch taken from it.
std::size_t pool_size(const InferenceProblem& problem) {
  std::size_t longest = problem.labels() * problem.labels();
  for (std::size_t n = 0; n < problem.projected.sequence_count(); ++n)
    longest = std::max(longest, problem.projected.length(n));
  return std::max(kNormals, 2 * longest * kMostDrawsOfAChunk);
}

}  // namespace

namespace internal {

/// Sums over draws of score times log p, and those that control variates need; for one standard normal vector z.
struct NormalSums {
  explicit NormalSums(Index size)
      : z(Vector::Zero(size)), z_log_p(Vector::Zero(size)), z2(Vector::Zero(size)), z2_log_p(Vector::Zero(size)) {}

  Vector z, z_log_p;    // for the estimate: z, z log p
  Vector z2, z2_log_p;  // for the control variates: z^2, z^2 log p

  NormalSums& operator+=(const NormalSums& other) {
    z += other.z;
    z_log_p += other.z_log_p;
    z2 += other.z2;
    z2_log_p += other.z2_log_p;
    return *this;
  }
  /// <z (log p - a)> over `draws`, with log p shifted by `shift` throughout.
  Vector estimate(double draws, bool control_variates, double shift) const {
    if (!control_variates) return (z_log_p + shift * z) / draws;
    return (z_log_p - z2_log_p.cwiseQuotient(z2).cwiseProduct(z)) / draws;
  }
};

/// The same for z z^T - I.
struct SquareSums {
  explicit SquareSums(Index size) : h(ColumnMatrix::Zero(size, size)), h_log_p(h), h2(h), h2_log_p(h) {}

  ColumnMatrix h, h_log_p, h2, h2_log_p;

  SquareSums& operator+=(const SquareSums& other) {
    h += other.h;
    h_log_p += other.h_log_p;
    h2 += other.h2;
    h2_log_p += other.h2_log_p;
    return *this;
  }
  ColumnMatrix estimate(double draws, bool control_variates, double shift) const {
    if (!control_variates) return (h_log_p + shift * h) / draws;
    return (h_log_p - h2_log_p.cwiseQuotient(h2).cwiseProduct(h)) / draws;
  }
};

}  // namespace internal

namespace {

using internal::NormalSums;
using internal::SquareSums;
using NormalColumns = Eigen::Map<const LargeColumns>;  // one column per draw

/// Sum over draws of z z^T - I with these weights (columns times weights are given).
ColumnMatrix weighted_products(const NormalColumns& z, const LargeColumns& weighted, double sum_of_weights) {
  LargeColumns products(z.rows(), z.rows());
  multiply_transposed(weighted, z, products);
  ColumnMatrix result = products.cast<double>();
  result.diagonal().array() -= sum_of_weights;
  return result;
}

void add_estimates(const NormalColumns& z, const Eigen::VectorXf& log_p, NormalSums* vector, SquareSums* matrix) {
  const LargeColumns weighted = z * log_p.asDiagonal();
  if (vector) {
    vector->z += z.rowwise().sum().cast<double>();
    vector->z_log_p += weighted.rowwise().sum().cast<double>();
  }
  if (!matrix) return;
  matrix->h += weighted_products(z, z, static_cast<double>(z.cols()));
  matrix->h_log_p += weighted_products(z, weighted, log_p.cast<double>().sum());
}

/// Adds squares of the scores: z_t^2; z_t^2 z_u^2 off the diagonal, (z_t^2 - 1)^2 on it.
void add_control_variates(const NormalColumns& z, const Eigen::VectorXf& log_p, NormalSums* vector,
                          SquareSums* matrix) {
  const LargeColumns squares = z.cwiseAbs2();
  if (vector) {
    vector->z2 += squares.rowwise().sum().cast<double>();
    vector->z2_log_p += (squares * log_p).cast<double>();
  }
  if (!matrix) return;
  const LargeColumns weighted = squares * log_p.asDiagonal();
  ColumnMatrix h2 = ColumnMatrix::Zero(z.rows(), z.rows()), h2_log_p = h2;
  LargeColumns products(z.rows(), z.rows());
  multiply_transposed(squares, squares, products);
  h2 = products.cast<double>();
  multiply_transposed(weighted, squares, products);
  h2_log_p = products.cast<double>();
  const LargeColumns centred = (squares.array() - 1).square();
  h2.diagonal() = centred.rowwise().sum().cast<double>();
  h2_log_p.diagonal() = (centred * log_p).cast<double>();
  matrix->h2 += h2;
  matrix->h2_log_p += h2_log_p;
}

}  // namespace

/// Constants over the draws of one sequence.
struct ScoreEstimator::Shape {
  std::size_t sequence;
  const SequenceGaussian& q;
  Random random;
  bool wants_unary, wants_pairwise;
  std::size_t length, labels, control_chunks;
  double shift;                       ///< log p at the means, subtracted from log p in sums
  std::vector<LargeColumns> factors;  ///< in single precision
};

struct ScoreEstimator::Sums {
  Sums(const Shape& shape)
      : unary(shape.labels, NormalSums(index(shape.wants_unary ? shape.length : 0))),
        squares(shape.labels, SquareSums(index(shape.wants_unary ? shape.length : 0))),
        pairwise(index(shape.wants_pairwise ? shape.labels * shape.labels : 0)),
        pairwise_squares(pairwise) {}

  Sums& operator+=(const Sums& other) {
    log_p += other.log_p;
    for (std::size_t j = 0; j < unary.size(); ++j) {
      unary[j] += other.unary[j];
      squares[j] += other.squares[j];
    }
    pairwise += other.pairwise;
    pairwise_squares += other.pairwise_squares;
    return *this;
  }

  double log_p = 0;
  std::vector<NormalSums> unary;    // [label]
  std::vector<SquareSums> squares;  // [label]
  NormalSums pairwise;
  NormalSums pairwise_squares;  // of z^2 - 1, entry by entry
};

ScoreEstimator::ScoreEstimator(const InferenceProblem& problem, ScoreEstimatorOptions options, Random random)
    : problem_(problem),
      options_(options),
      random_(random.child("scores")),
      chunk_(std::clamp<std::size_t>(options.draws / 10, 2, kMostDrawsOfAChunk)),
      normals_(pool_size(problem)) {
  Random pool = random_.child("pool");
  for (float& normal : normals_) normal = static_cast<float>(pool.normal());
}

const float* ScoreEstimator::normals(const Random& random, std::size_t count) const {
  FOVEA_CHECK(count < normals_.size());
  return normals_.data() + Random(random).uniform_index(static_cast<std::uint32_t>(normals_.size() - count));
}

void ScoreEstimator::add_chunk(const Shape& shape, std::size_t chunk, Sums& sums) const {
  const std::size_t draws = std::min(chunk_, options_.draws - chunk * chunk_), labels = shape.labels,
                    pairs = labels * labels;
  const Random random = shape.random.child("chunk", chunk);
  const auto normals_of = [&](std::size_t which, std::size_t rows) {
    return NormalColumns(normals(random.child("normals", which), rows * draws), index(rows), index(draws));
  };
  std::vector<LargeColumns> deviations(labels);  // factor_j z
  for (std::size_t j = 0; j < labels; ++j) {
    const NormalColumns z = normals_of(j, shape.length);
    deviations[j].noalias() = shape.factors[j].triangularView<Eigen::Lower>() * z;
  }
  const NormalColumns pair_normals = normals_of(labels, pairs);
  std::vector<double> unary(shape.length * labels), pairwise(pairs);
  Eigen::VectorXf log_p(index(draws));
  const PairwisePosterior& pair_posterior = *shape.q.pairwise;
  for (Index s = 0; s < log_p.size(); ++s) {
    for (std::size_t j = 0; j < labels; ++j)
      for (std::size_t t = 0; t < shape.length; ++t)
        unary[t * labels + j] = shape.q.means[j][index(t)] + deviations[j](index(t), s);
    for (std::size_t e = 0; e < pairs; ++e)
      pairwise[e] = pair_posterior.means[e] + pair_posterior.deviations[e] * pair_normals(index(e), s);
    const double value = require_finite(
        problem_.likelihood.log_density({unary.data(), shape.length, labels}, {pairwise.data(), labels, labels},
                                        problem_.sequences.labels_of(shape.sequence)),
        shape.sequence);
    sums.log_p += value;
    log_p[s] = static_cast<float>(value - shape.shift);
  }
  const auto add = chunk < shape.control_chunks ? add_control_variates : add_estimates;
  for (std::size_t j = 0; shape.wants_unary && j < labels; ++j)
    add(normals_of(j, shape.length), log_p, &sums.unary[j], &sums.squares[j]);
  if (!shape.wants_pairwise) return;
  add(pair_normals, log_p, &sums.pairwise, nullptr);
  const LargeColumns centred = pair_normals.array().square() - 1;
  add(NormalColumns(centred.data(), centred.rows(), centred.cols()), log_p, &sums.pairwise_squares, nullptr);
}

SequenceExpectation ScoreEstimator::estimate(std::size_t sequence, const SequenceGaussian& q, std::uint64_t noise,
                                             bool wants_unary, bool wants_pairwise, int threads) const {
  Shape shape = {.sequence = sequence,
                 .q = q,
                 .random = random_.child("sequence", sequence).child("noise", noise),
                 .wants_unary = wants_unary,
                 .wants_pairwise = wants_pairwise,
                 .length = problem_.projected.length(sequence),
                 .labels = problem_.labels(),
                 .control_chunks = 0,
                 .shift = 0,
                 .factors = {}};
  const std::size_t chunks = (options_.draws + chunk_ - 1) / chunk_;
  if (options_.control_variates) shape.control_chunks = chunks > 1 ? (chunks + 9) / 10 : 0;
  RowMatrix at_means(index(shape.length), index(shape.labels));
  for (std::size_t j = 0; j < shape.labels; ++j) {
    at_means.col(index(j)) = q.means[j];
    shape.factors.push_back(q.factors[j].cast<float>());
  }
  shape.shift = require_finite(
      problem_.likelihood.log_density(view(at_means), {q.pairwise->means.data(), shape.labels, shape.labels},
                                      problem_.sequences.labels_of(sequence)),
      sequence);
  const std::size_t grain = (chunks + kPartsOfASequence - 1) / kPartsOfASequence;
  std::vector<Sums> parts((chunks + grain - 1) / grain, Sums(shape));
  const std::size_t operations = options_.draws * shape.length * shape.labels * (shape.length + 10 * shape.labels);
  parallel_for(chunks, grain, threads_worth(threads, operations), [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) add_chunk(shape, c, parts[begin / grain]);
  });
  Sums& sums = parts[0];
  for (std::size_t p = 1; p < parts.size(); ++p) sums += parts[p];

  const double draws = static_cast<double>(options_.draws - std::min(options_.draws, shape.control_chunks * chunk_));
  const bool control = shape.control_chunks > 0;
  SequenceExpectation result;
  result.value = sums.log_p / static_cast<double>(options_.draws);
  for (std::size_t j = 0; wants_unary && j < shape.labels; ++j) {
    const auto inverse = q.factors[j].triangularView<Eigen::Lower>();
    result.means.push_back(inverse.transpose().solve(sums.unary[j].estimate(draws, control, shape.shift)));
    ColumnMatrix squares = sums.squares[j].estimate(draws, control, shape.shift);
    inverse.transpose().solveInPlace(squares);  // C^{-T} H
    squares.transposeInPlace();
    inverse.transpose().solveInPlace(squares);  // C^{-T} (C^{-T} H)^T = C^{-T} H C^{-1}
    result.covariances.push_back(.25 * (squares + squares.transpose()));
  }
  if (wants_pairwise) {
    const Vector means = sums.pairwise.estimate(draws, control, shape.shift),
                 squares = sums.pairwise_squares.estimate(draws, control, shape.shift);
    for (Index e = 0; e < means.size(); ++e) {
      result.pairwise_means.push_back(means[e] / q.pairwise->deviations[size(e)]);
      result.pairwise_log_deviations.push_back(squares[e]);
    }
  }
  return result;
}

}  // namespace fovea::gp
