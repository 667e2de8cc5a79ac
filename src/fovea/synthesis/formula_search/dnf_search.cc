// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/dnf_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/synthesis/formula_search/chain_choice.h"
#include "fovea/synthesis/formula_search/formula_chain.h"

namespace fovea::synthesis {
namespace {

constexpr std::uint64_t kStepsAtOnce = 2048;  // below 0.1 ms; then the clock and the portfolio are asked
constexpr std::uint64_t kTurnsPerReport = 1024;

const DnfSearchOptions& validated(const DnfSearchOptions& options) {
  validate(options);
  return options;
}

ChainPlan::Stages stages_of(SearchStages stages) {
  switch (stages) {
    case SearchStages::kNoRestarts:
      return ChainPlan::Stages::kNoRestarts;
    case SearchStages::kRestarts:
      return ChainPlan::Stages::kRestarts;
    default:
      return ChainPlan::Stages::kSimplifiedFirst;  // also for the chains of a portfolio
  }
}

/// The single chain that the options ask for, by its number of stages.
ChainPlan single_plan(const DnfSearchOptions& options) {
  return {.terms = static_cast<std::size_t>(options.terms),
          .atoms = static_cast<std::size_t>(options.atoms),
          .stages = stages_of(options.stages),
          .temperature = options.temperature,
          .simplified_rate = options.simple_rate,
          .full_rate = options.full_rate};
}

/// A member of the portfolio: a chain over the comparisons of choices[choice].
struct PortfolioPlan {
  std::size_t choice;
  ChainPlan chain;
};

/// The choices of comparisons that a portfolio searches: all and, if both kinds exist, those of the box alone and those
/// of the templates alone.
std::vector<AtomChoice> portfolio_choices(const AtomChoice& choice) {
  std::vector<AtomChoice> choices = {choice};
  const bool has_templates = choice.octagons || !choice.forms.empty();
  if (!has_templates || choice.coefficient_range == 0) return choices;
  AtomChoice box = choice, templates = choice;
  box.forms.clear();
  box.octagons = box.equations = false;
  templates.coefficient_range = 0;
  choices.push_back(std::move(box));
  choices.push_back(std::move(templates));
  return choices;
}

/// Factors of a chain's temperature and of its probability of a restart: chains that move about restart rarely.
struct PlanVariant {
  double temperature, restarts;
};
constexpr PlanVariant kVariants[] = {{1, 1}, {1, .01}, {.6, .1}, {1.7, .1}};

/// The chains of a portfolio over this number of choices: formulas of full size, with several temperatures and restart
/// rates for each choice, and smaller ones, which are found sooner if they suffice. The first is that of the options.
std::vector<PortfolioPlan> portfolio_plans(const DnfSearchOptions& options, std::size_t choices) {
  const ChainPlan largest = single_plan(options);
  std::vector<PortfolioPlan> plans;
  for (std::size_t choice = 0; choice < choices; ++choice)
    for (const auto& [temperature_factor, restart_factor] : kVariants) {
      plans.push_back({.choice = choice, .chain = largest});
      plans.back().chain.temperature *= temperature_factor;
      plans.back().chain.full_rate *= restart_factor;
    }
  using Size = std::pair<std::size_t, std::size_t>;
  std::vector<Size> sizes = {{largest.terms, largest.atoms}};
  for (const Size& size :
       {Size{1, largest.atoms}, Size{largest.terms, 1}, Size{(largest.terms + 1) / 2, largest.atoms}}) {
    if (std::ranges::find(sizes, size) != sizes.end()) continue;
    sizes.push_back(size);
    plans.push_back({.choice = 0, .chain = largest});
    plans.back().chain.terms = size.first;
    plans.back().chain.atoms = size.second;
  }
  return plans;
}

}  // namespace

class DnfSearch::Impl {
 public:
  Impl(const AtomChoice& choice, const DnfSearchOptions& options);

  std::optional<Dnf> find(const ExampleSet& examples, const Budget& budget, const Stop& stop,
                          const ProgressFunction& progress);
  const FormulaChain& best_chain() const {
    return *std::ranges::min_element(chains_, {}, [](const FormulaChain& chain) { return chain.best().cost; });
  }
  bool is_portfolio() const { return options_.stages == SearchStages::kPortfolio; }
  const DnfSearchOptions& options() const { return options_; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t restarts() const {
    std::uint64_t sum = 0;
    for (const FormulaChain& chain : chains_) sum += chain.restarts();
    return sum;
  }

 private:
  bool take(const ExampleSet& examples, const Stop& stop);
  void report(double limit, std::uint64_t spent, const ProgressFunction& progress) const;

  DnfSearchOptions options_;
  Random random_;
  std::deque<AtomSets> sets_;  // [choice]; chains point to them
  std::vector<FormulaChain> chains_;
  ChainChoice choice_;
  std::uint64_t steps_ = 0;
};

DnfSearch::Impl::Impl(const AtomChoice& choice, const DnfSearchOptions& options)
    : options_(validated(options)), random_(Random(options.seed).child("portfolio")), choice_(0) {
  const std::vector<AtomChoice> choices = is_portfolio() ? portfolio_choices(choice) : std::vector{choice};
  for (const AtomChoice& c : choices) sets_.emplace_back(AtomSpace(c));
  const std::vector<PortfolioPlan> plans =
      is_portfolio() ? portfolio_plans(options, choices.size())
                     : std::vector<PortfolioPlan>{{.choice = 0, .chain = single_plan(options)}};
  for (std::size_t i = 0; i < plans.size(); ++i)
    chains_.emplace_back(sets_[plans[i].choice], plans[i].chain, Random(options.seed).child("chain", i));
  choice_ = ChainChoice(chains_.size());
}

std::optional<Dnf> DnfSearch::Impl::find(const ExampleSet& examples, const Budget& budget, const Stop& stop,
                                         const ProgressFunction& progress) {
  if (examples.contradiction()) return std::nullopt;
  if (!take(examples, stop)) return std::nullopt;
  const double limit = budget.transition_limit(Budget::kUnlimited);
  std::uint64_t turns = 0;
  for (std::uint64_t spent = 0; static_cast<double>(spent) < limit && !stop.requested();) {
    const std::size_t chosen = choice_.next(random_);
    FormulaChain& chain = chains_[chosen];
    const double left = limit - static_cast<double>(spent);
    const std::uint64_t steps =
        chain.run(left < kStepsAtOnce ? static_cast<std::uint64_t>(std::ceil(left)) : kStepsAtOnce);
    spent += steps;
    steps_ += steps;
    const bool is_found = chain.best().cost == 0;
    choice_.note(chosen, steps, is_found);
    if (is_found) return simplified(chain.best_formula());
    if (progress && ++turns % kTurnsPerReport == 0) report(limit, spent, progress);
  }
  return std::nullopt;
}

void DnfSearch::Impl::report(double limit, std::uint64_t spent, const ProgressFunction& progress) const {
  progress({.phase = "searching",
            .done = static_cast<double>(spent),
            .total = limit < Budget::kUnlimited ? limit : 0,
            .figure = "errors",
            .value = static_cast<double>(best_chain().best().cost)});
}

/// False if the stop came first: the chains still know the examples of before.
bool DnfSearch::Impl::take(const ExampleSet& examples, const Stop& stop) {
  for (AtomSets& sets : sets_)
    if (!sets.take(examples, stop)) return false;
  for (FormulaChain& chain : chains_) chain.notice_examples();
  return true;
}

DnfSearch::DnfSearch(const AtomChoice& choice, const DnfSearchOptions& options)
    : impl_(std::make_unique<Impl>(choice, options)) {}
DnfSearch::~DnfSearch() = default;
DnfSearch::DnfSearch(DnfSearch&&) noexcept = default;
DnfSearch& DnfSearch::operator=(DnfSearch&&) noexcept = default;

std::optional<Dnf> DnfSearch::find(const ExampleSet& examples, const Budget& budget, const Stop& stop,
                                   const ProgressFunction& progress) {
  return impl_->find(examples, budget, stop, progress);
}

Dnf DnfSearch::best() const {
  const FormulaChain& chain = impl_->best_chain();
  return chain.best().slots.empty() ? Dnf{} : simplified(chain.best_formula());
}

std::optional<mcmc::MixingBound> DnfSearch::mixing_bound() const {
  if (impl_->is_portfolio()) return std::nullopt;
  const std::optional<mcmc::StageGraph> graph = stage_graph(single_plan(impl_->options()));
  return graph ? std::optional(mcmc::best_mixing_bound(*graph)) : std::nullopt;
}

std::uint64_t DnfSearch::steps() const { return impl_->steps(); }
std::uint64_t DnfSearch::restarts() const { return impl_->restarts(); }

}  // namespace fovea::synthesis
