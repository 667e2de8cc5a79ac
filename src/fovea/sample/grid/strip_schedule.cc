// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/grid/strip_schedule.h"

#include <algorithm>
#include <bit>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sample/grid/strip_schedule.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sample/grid/checkerboard_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

/// Where a strip lies.
struct Place {
  std::size_t colour, row, along;
};

/// The changed sites, a bit each, and sum_sites (1 / p(best label) - 1).
struct VisitedStrip {
  std::uint32_t changed = 0;
  float doubt = 0;
};

/// The list of strips, and what is remembered of each.
class StripList {
 public:
  StripList(const GridModel& model, StripSchedule::State& state) : model_(model), state_(state) {}

  std::uint64_t& word(std::size_t colour, std::size_t row, std::size_t along) const {
    return state_.listed[(colour * model_.shape().rows + row) * state_.words_per_row + along / 64];
  }

  void remove(const Place& place) const {
    word(place.colour, place.row, place.along) &= ~(std::uint64_t{1} << place.along % 64);
  }

  StripFeatures features(const Place& place) const {
    const StripSchedule::Memory& memory = state_.memory[index(place)];
    return {.doubt = memory.doubt,
            .neighbours = memory.neighbours,
            .own = memory.own,
            .age = StripFeatures::age_class(state_.round - memory.round),
            .phase = state_.phase};
  }

  void remember(const Place& place, const VisitedStrip& visited, int sites) const {
    state_.memory[index(place)] = {.round = state_.round,
                                   .doubt = static_cast<std::uint8_t>(StripFeatures::doubt_class(visited.doubt)),
                                   .own = visited.changed != 0,
                                   .neighbours = 0};
    ++state_.visits[index(place)];
    state_.transitions += std::min(static_cast<std::size_t>(sites), kStripSites);
  }

  /// Lists the strips around one whose sites `changed` (a bit each) did. Without branches on `changed`, which is known
  /// so late that the next strip's visit would wait for it.
  void add_neighbours(const Place& place, std::uint32_t changed) const {
    const auto& [rows, columns, is_torus] = model_.shape();
    const std::size_t strips = model_.strips_per_row(), other = 1 - place.colour;
    const bool any = changed != 0;
    if (place.row > 0 || is_torus) add(other, (place.row > 0 ? place.row : rows) - 1, place.along, any);
    if (place.row + 1 < rows || is_torus) add(other, place.row + 1 < rows ? place.row + 1 : 0, place.along, any);
    add(other, place.row, place.along, any);
    if (model_.first_column(place.colour, place.row) == 0) {
      if (place.along > 0 || is_torus) add(other, place.row, (place.along > 0 ? place.along : strips) - 1, changed & 1);
      return;
    }
    const std::size_t last =
        std::min(model_.sites_in_row(place.colour, place.row) - place.along * kStripSites, kStripSites) - 1;
    if (place.along + 1 < strips || is_torus)
      add(other, place.row, place.along + 1 < strips ? place.along + 1 : 0, changed >> last & 1);
  }

 private:
  std::size_t index(const Place& place) const { return model_.strip_index(place.colour, place.row, place.along); }

  /// has_changed: 0 or 1; nothing happens if it is 0.
  void add(std::size_t colour, std::size_t row, std::size_t along, std::uint64_t has_changed) const {
    word(colour, row, along) |= has_changed << along % 64;
    std::uint8_t& neighbours = state_.memory[model_.strip_index(colour, row, along)].neighbours;
    neighbours = static_cast<std::uint8_t>(std::min(neighbours + has_changed, StripFeatures::kNeighbours - 1));
  }

  const GridModel& model_;
  StripSchedule::State& state_;
};

template <GridVisit kVisit, bool kInRegister>
HWY_INLINE VisitedStrip visit_strip(const PairScores& pairs, const Strip& strip, LaneStream& stream,
                                    SiteScores& scores) {
  const Tag d;
  VisitedStrip visited;
  for (std::size_t at = 0; at < kStripSites; at += hn::Lanes(d)) {
    LaneDraws random(stream, at);
    const VisitedLanes lanes = visit_lanes<kVisit, kInRegister>(pairs, strip, at, random, scores);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, lanes.changed, bits);
    visited.changed |= (bits[0] | std::uint32_t{bits[1]} << 8) << at;
    visited.doubt += hn::GetLane(hn::SumOfLanes(d, hn::Sub(lanes.total, hn::Set(d, 1.0f))));
  }
  return visited;
}

/// A round at one temperature.
template <GridVisit kVisit, bool kInRegister>
class Round {
 public:
  Round(const GridModel& model, const CheckerboardWeights& weights, const StripTable& table, GridLabeling& labeling,
        LaneStream& stream, StripSchedule::State& state)
      : model_(model),
        pairs_(weights),
        table_(table),
        labeling_(labeling),
        stream_(stream),
        state_(state),
        list_(model, state) {}

  void run() {
    for (std::size_t colour = 0; colour < 2; ++colour)
      for (std::size_t row = 0; row < model_.shape().rows; ++row)
        for (std::size_t word = 0; word < state_.words_per_row; ++word)
          if (const std::uint64_t listed = list_.word(colour, row, 64 * word)) look_at(colour, row, 64 * word, listed);
  }

 private:
  void look_at(std::size_t colour, std::size_t row, std::size_t first, std::uint64_t listed) {
    const StripRow strips(model_, labeling_, colour, row);
    for (; listed != 0; listed &= listed - 1) {
      const Place place = {colour, row, first + static_cast<std::size_t>(std::countr_zero(listed))};
      const StripTable::Verdict verdict = table_[list_.features(place)];
      ++state_.looks;
      if (verdict == StripTable::Verdict::kNow) visit(place, strips.strip(place.along));
      else if (verdict == StripTable::Verdict::kNever) list_.remove(place);
    }
  }

  void visit(const Place& place, const Strip& strip) {
    const VisitedStrip visited = visit_strip<kVisit, kInRegister>(pairs_, strip, stream_, scores_);
    list_.remember(place, visited, strip.sites);
    if (model_.shape().is_torus) labeling_.wrap(model_, place.colour, place.row);
    list_.add_neighbours(place, visited.changed);
  }

  const GridModel& model_;
  const PairScores pairs_;
  const StripTable& table_;
  GridLabeling& labeling_;
  LaneStream& stream_;
  StripSchedule::State& state_;
  StripList list_;
  SiteScores scores_;
};

void run_round(const GridModel& model, const CheckerboardWeights& weights, const StripTable& table, GridVisit kind,
               GridLabeling& labeling, LaneStream& stream, StripSchedule::State& state) {
  with_row_place(weights, [&]<bool kInRegister>() {
    if (kind == GridVisit::kSample)
      Round<GridVisit::kSample, kInRegister>(model, weights, table, labeling, stream, state).run();
    else Round<GridVisit::kBest, kInRegister>(model, weights, table, labeling, stream, state).run();
  });
}

}  // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {
namespace {

HWY_EXPORT(run_round);

/// Rounds between two questions whether to stop: about a hundred microseconds of work.
std::uint32_t rounds_per_question(const GridModel& model) {
  return static_cast<std::uint32_t>(1 + 50000 / model.shape().cells());
}

}  // namespace

double AnnealingPlan::temperature(std::uint32_t round) const {
  const double progress = rounds > 1 ? round / (rounds - 1.0) : 1;
  return hottest * std::pow(coldest / hottest, progress);
}

Work anneal(CheckerboardSampler& sampler, const AnnealingPlan& plan, const Stop& stop, int threads) {
  Work work;
  const std::uint32_t patience = rounds_per_question(sampler.model());
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    if (round % patience == 0 && stop.requested()) break;
    sampler.set_temperature(plan.temperature(round));
    work += sampler.sweep(1, threads);
  }
  work += sampler.descend(plan.descents);
  return work;
}

StripSchedule::StripSchedule(const GridModel& model, const StripTable& table, const Random& random)
    : model_(&model), table_(table), labeling_(model), stream_(random.child("strips")), weights_(model, 1) {
  state_.words_per_row = (model.strips_per_row() + 63) / 64;
  state_.visits.resize(model.strip_count());
  assign(Assignment(model.shape().cells()));
}

void StripSchedule::assign(std::span<const Value> labels) {
  labeling_.assign(*model_, labels);
  list_all();
}

void StripSchedule::list_all() {
  state_.memory.assign(model_->strip_count(), {.round = state_.round - 1});
  state_.listed.assign(2 * model_->shape().rows * state_.words_per_row, ~std::uint64_t{0});
  const std::size_t in_last = model_->strips_per_row() % 64;
  for (std::size_t w = state_.words_per_row - 1; in_last > 0 && w < state_.listed.size(); w += state_.words_per_row)
    state_.listed[w] = (std::uint64_t{1} << in_last) - 1;
}

Work StripSchedule::anneal(const AnnealingPlan& plan, const Stop& stop) {
  const std::uint64_t before = state_.transitions;
  const std::uint32_t patience = rounds_per_question(*model_);
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    if (round % patience == 0 && stop.requested()) break;
    weights_.set_temperature(*model_, plan.temperature(round));
    state_.phase = std::uint64_t{round} * StripFeatures::kPhases / plan.rounds;
    run_round(table_, GridVisit::kSample);
  }
  list_all();
  // After a best visit a strip has no doubt left: it returns only when a neighbour changes.
  const StripTable changing = StripTable::hot_bits(1);
  for (std::uint32_t descent = 0; descent < plan.descents; ++descent) run_round(changing, GridVisit::kBest);
  list_all();
  const std::uint64_t transitions = state_.transitions - before;
  return {.transitions = transitions, .factors = transitions * (model_->has_unary() ? 5 : 4)};
}

void StripSchedule::run_round(const StripTable& table, GridVisit kind) {
  HWY_DYNAMIC_DISPATCH(run_round)(*model_, weights_, table, kind, labeling_, stream_, state_);
  ++state_.round;
}

}  // namespace fovea
#endif
