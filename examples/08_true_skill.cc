// SPDX-License-Identifier: Apache-2.0
// Infers players' skills from who beat whom (Herbrich, Minka and Graepel 2006, "TrueSkill"), by hand-written factors.
#include <cmath>
#include <iostream>

#include "fovea/ep.h"

using namespace fovea;
using namespace fovea::ep;

int main() {
  constexpr double kPrior = 25. / 3, kPerformance = 25. / 6;
  const char* names[] = {"Ada", "Ben", "Cem", "Dia"};
  const int games[][2] = {{0, 1}, {0, 2}, {1, 2}, {3, 0}, {3, 1}, {2, 1}, {3, 2}};  // winner, loser

  Model model;
  std::vector<Variable> skills;
  for (int player = 0; player < 4; ++player)
    skills.push_back(model.gaussian({.mean = 25, .variance = kPrior * kPrior}));
  for (const auto& [winner, loser] : games) {
    const Variable lead = model.linear({1, -1}, {skills[winner], skills[loser]}, 0, 2 * kPerformance * kPerformance);
    model.observe(model.greater_than(lead), 1);
  }
  const Variable next = model.greater_than(
      model.linear({1, -1}, {skills[0], skills[2]}, 0, 2 * kPerformance * kPerformance));  // not played yet

  const Posterior posterior = model.infer({.schedule = MessageSchedule::kResidual, .evidence = true});
  for (int player = 0; player < 4; ++player) {
    const Gaussian& skill = posterior.as<Gaussian>(skills[player]);
    std::cout << names[player] << ' ' << skill.mean() << " +- " << std::sqrt(skill.variance()) << '\n';
  }
  std::cout << "Ada beats Cem with probability " << posterior.as<Bernoulli>(next).probability() << '\n'
            << "log evidence " << posterior.log_evidence.value() << "; " << posterior.brief() << '\n';
  return posterior.has_converged ? 0 : 1;
}
