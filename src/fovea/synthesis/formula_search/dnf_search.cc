// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/dnf_search.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/synthesis/formula_search/chain_choice.h"
#include "fovea/synthesis/formula_search/formula_chain.h"
#include "fovea/synthesis/formula_search/portfolio.h"

namespace fovea::synthesis {
namespace {

constexpr std::uint64_t kStepsAtOnce = 2048;  // below 0.1 ms; then the clock and the portfolio are asked
constexpr std::uint64_t kTurnsPerReport = 1024;

const DnfSearchOptions& validated(const DnfSearchOptions& options) {
  validate(options);
  return options;
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
  void take(const ExampleSet& examples);
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
  take(examples);
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

void DnfSearch::Impl::take(const ExampleSet& examples) {
  for (AtomSets& sets : sets_) sets.take(examples);
  for (FormulaChain& chain : chains_) chain.notice_examples();
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
