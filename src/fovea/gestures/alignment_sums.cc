// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/alignment_sums.h"

#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::gestures {
namespace {

void exponentiate(std::span<const float> scores, std::vector<double>& factors) {
  for (const float score : scores) factors.push_back(std::exp(double{score}));
}

}  // namespace

AlignmentSums::AlignmentSums(const AlignmentLattice& lattice, std::optional<std::vector<Key>> word)
    : lattice_(lattice), word_(std::move(word)), layers_(lattice.size()) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& layer = layers_[i];
    layer.labels = lattice.label_count(i);
    exponentiate(lattice.scores().subspan(lattice.label_slot(i, 0), layer.labels), layer.label_factors);
    if (i > 0)
      exponentiate(lattice.scores().subspan(lattice.pair_slot(i, 0, 0), layers_[i - 1].labels * layer.labels),
                   layer.pair_factors);
    layer.forward.resize(positions() * layer.labels);
    layer.backward.resize(positions() * layer.labels);
  }
  pass_forward();
  if (total_ > 0) pass_backward();
}

std::optional<std::size_t> AlignmentSums::position_before(std::size_t i, std::size_t position, std::size_t k) const {
  if (!word_ || !lattice_.starts(i, k)) return position;
  if (position == 0 || (*word_)[position - 1] != started_letter(lattice_.label(i, k))) return std::nullopt;
  return position - 1;
}

/// Calls visit(from, j, to, k, factor) for each step from (from, j) at i - 1 to (to, k) at i.
template <class Visit>
void AlignmentSums::for_steps(std::size_t i, Visit&& visit) const {
  const Layer& layer = layers_[i];
  for (std::size_t to = 0; to < positions(); ++to)
    for (std::size_t k = 0; k < layer.labels; ++k) {
      const std::optional<std::size_t> from = position_before(i, to, k);
      if (!from) continue;
      for (std::size_t j = 0; j < layers_[i - 1].labels; ++j)
        visit(*from * layers_[i - 1].labels + j, j, to * layer.labels + k, k,
              layer.label_factors[k] * layer.pair_factors[j * layer.labels + k]);
    }
}

void AlignmentSums::pass_forward() {
  log_sum_ = kImpossible;
  double log_scales = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& layer = layers_[i];
    if (i == 0) {
      for (std::size_t position = 0; position < positions(); ++position)
        for (std::size_t k = 0; k < layer.labels; ++k)
          if (position_before(0, position, k) == std::size_t{0})
            layer.forward[position * layer.labels + k] = layer.label_factors[k];
    } else {
      const std::vector<double>& before = layers_[i - 1].forward;
      for_steps(i, [&](std::size_t from, std::size_t, std::size_t to, std::size_t, double factor) {
        layer.forward[to] += before[from] * factor;
      });
    }
    layer.scale = 0;
    for (const double value : layer.forward) layer.scale += value;
    if (!(layer.scale > 0)) return;
    for (double& value : layer.forward) value /= layer.scale;
    log_scales += std::log(layer.scale);
  }
  const Layer& last = layers_.back();
  for (std::size_t k = 0; k < last.labels; ++k) total_ += last.forward[last_position() * last.labels + k];
  if (total_ > 0) log_sum_ = log_scales + std::log(total_);
}

void AlignmentSums::pass_backward() {
  Layer& last = layers_.back();
  for (std::size_t k = 0; k < last.labels; ++k) last.backward[last_position() * last.labels + k] = 1;
  for (std::size_t i = layers_.size() - 1; i > 0; --i) {
    const Layer& layer = layers_[i];
    std::vector<double>& before = layers_[i - 1].backward;
    for_steps(i, [&](std::size_t from, std::size_t, std::size_t to, std::size_t, double factor) {
      before[from] += factor * layer.backward[to] / layer.scale;
    });
  }
}

std::vector<double> AlignmentSums::expected_slots() const {
  std::vector<double> slots(lattice_.chain_offset());
  if (!(total_ > 0)) return slots;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    for (std::size_t state = 0; state < layer.forward.size(); ++state)
      slots[lattice_.label_slot(i, state % layer.labels)] += layer.forward[state] * layer.backward[state] / total_;
    if (i == 0) continue;
    const std::vector<double>& before = layers_[i - 1].forward;
    for_steps(i, [&](std::size_t from, std::size_t j, std::size_t to, std::size_t k, double factor) {
      slots[lattice_.pair_slot(i, j, k)] += before[from] * factor * layer.backward[to] / (layer.scale * total_);
    });
  }
  return slots;
}

}  // namespace fovea::gestures
