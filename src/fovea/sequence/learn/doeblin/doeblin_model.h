// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

namespace fovea::sequence {

/// The two chains of a strong Doeblin chain as functions of weights theta: u, from which it restarts, and A, by which
/// it moves on. An output y may be a state, or a set S_y of states (an alignment z is latent, y = y(z)): quantities of
/// an output are then sums over S_y. All in the log domain. `Gradient` is any type to which the model adds derivatives.
///
///   draw_start(random) -> State            from u
///   draw_step(state, random) -> State      from A(. | state)
///   log_start(y), log_step(y, from)        log u(S_y), log A(S_y | from); -inf where impossible
///   add_start_gradient(y, scale, g)        g += scale d log u(S_y) / d theta; y an output, or a state
///   add_step_gradient(y, from, scale, g)   the same of log A(S_y | from)
template <class Model, class Output, class Random, class Gradient>
concept DoeblinModel = requires(const Model& model, const Output& y, const typename Model::State& state, Random& random,
                                double scale, Gradient& gradient) {
  { model.draw_start(random) } -> std::same_as<typename Model::State>;
  { model.draw_step(state, random) } -> std::same_as<typename Model::State>;
  { model.log_start(y) } -> std::convertible_to<double>;
  { model.log_step(y, state) } -> std::convertible_to<double>;
  model.add_start_gradient(y, scale, gradient);
  model.add_start_gradient(state, scale, gradient);
  model.add_step_gradient(y, state, scale, gradient);
  model.add_step_gradient(state, state, scale, gradient);
};

}  // namespace fovea::sequence
