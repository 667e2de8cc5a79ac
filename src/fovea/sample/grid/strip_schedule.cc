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
  std::size_t index;  ///< GridModel::strip_index
};

/// The changed sites, a bit each, and sum_sites (1 / p(best label) - 1).
struct VisitedStrip {
  std::uint32_t changed = 0;
  float doubt = 0;
};

/// The list of strips, and what is remembered of each, in a round. Loops work on a copy of their own: memories have
/// bytes, and compilers must assume that storing a byte changes anything that is not local.
class StripList {
 public:
  StripList(const GridModel& model, StripSchedule::State& state)
      : shape_(model.shape()),
        strips_per_row_(model.strips_per_row()),
        words_per_row_(state.words_per_row),
        round_(state.round),
        phase_(state.phase),
        listed_(state.listed.data()),
        memory_(state.memory.data()),
        visits_(state.visits.data()) {}

  HWY_INLINE std::uint64_t& word(std::size_t colour, std::size_t row, std::size_t along) const {
    return listed_[(colour * shape_.rows + row) * words_per_row_ + along / 64];
  }

  HWY_INLINE StripFeatures features(std::size_t strip) const {
    const StripSchedule::Memory& memory = memory_[strip];
    return {.doubt = memory.doubt,
            .neighbours = memory.neighbours,
            .own = memory.own,
            .age = StripFeatures::age_class(round_ - memory.round),
            .phase = phase_};
  }

  HWY_INLINE void remember(const Place& place, const VisitedStrip& visited) const {
    memory_[place.index] = {.round = round_,
                            .doubt = static_cast<std::uint8_t>(StripFeatures::doubt_class(visited.doubt)),
                            .own = visited.changed != 0,
                            .neighbours = 0};
    ++visits_[place.index];
  }

  /// Lists the strips around one whose sites `changed` (a bit each) did.
  HWY_INLINE void add_neighbours(const Place& place, std::uint32_t changed) const {
    const auto& [rows, columns, is_torus] = shape_;
    const std::size_t other = 1 - place.colour;
    const bool any = changed != 0;
    if (place.row > 0 || is_torus) add(other, (place.row > 0 ? place.row : rows) - 1, place.along, any);
    if (place.row + 1 < rows || is_torus) add(other, place.row + 1 < rows ? place.row + 1 : 0, place.along, any);
    add(other, place.row, place.along, any);
    if (GridModel::first_column(place.colour, place.row) == 0) {
      if (place.along > 0 || is_torus)
        add(other, place.row, (place.along > 0 ? place.along : strips_per_row_) - 1, changed & 1);
      return;
    }
    const std::size_t last = std::min(columns / 2 - place.along * kStripSites, kStripSites) - 1;
    if (place.along + 1 < strips_per_row_ || is_torus)
      add(other, place.row, place.along + 1 < strips_per_row_ ? place.along + 1 : 0, changed >> last & 1);
  }

 private:
  /// has_changed: 0 or 1; nothing happens if it is 0.
  HWY_INLINE void add(std::size_t colour, std::size_t row, std::size_t along, std::uint64_t has_changed) const {
    word(colour, row, along) |= has_changed << along % 64;
    std::uint8_t& neighbours = memory_[(colour * shape_.rows + row) * strips_per_row_ + along].neighbours;
    neighbours = static_cast<std::uint8_t>(std::min(neighbours + has_changed, StripFeatures::kNeighbours - 1));
  }

  GridShape shape_;
  std::size_t strips_per_row_, words_per_row_;
  std::uint32_t round_;
  std::size_t phase_;
  std::uint64_t* listed_;
  StripSchedule::Memory* memory_;
  std::uint32_t* visits_;
};

/// A round at one temperature. Strips of a colour do not touch each other: they are picked first, then visited in one
/// loop without branches, so that a visit begins before the last one has ended, and then remembered.
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
    for (std::size_t colour = 0; colour < 2; ++colour) {
      for (std::size_t row = 0; row < model_.shape().rows; ++row)
        for (std::size_t word = 0; word < state_.words_per_row; ++word)
          if (const std::uint64_t listed = list_.word(colour, row, 64 * word)) pick(colour, row, 64 * word, listed);
      visit_picked();
    }
  }

 private:
  static constexpr std::size_t kEnough = 192;  // to visit them: what belongs to them stays in the first-level cache
  static constexpr std::size_t kMostPicked = kEnough + 64;  // a word of the list more

  struct Picked {
    Place place;
    Strip strip;
  };

  /// Without branches on the verdict, which would be guessed wrong too often.
  void pick(std::size_t colour, std::size_t row, std::size_t first, std::uint64_t listed) {
    const StripRow strips(model_, labeling_, colour, row);
    const StripList list = list_;
    const StripTable& table = table_;
    const std::size_t first_index = model_.strip_index(colour, row, first);
    Picked* end = picked_ + count_;
    state_.looks += static_cast<std::uint64_t>(std::popcount(listed));
    std::uint64_t removed = 0;
    for (; listed != 0; listed &= listed - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(listed));
      const StripTable::Verdict verdict = table[list.features(first_index + bit)];
      removed |= std::uint64_t{verdict == StripTable::Verdict::kNever} << bit;
      *end = {.place = {colour, row, first + bit, first_index + bit}, .strip = strips.strip(first + bit)};
      end += verdict == StripTable::Verdict::kNow;
    }
    list.word(colour, row, first) &= ~removed;
    count_ = static_cast<std::size_t>(end - picked_);
    if (count_ >= kEnough) visit_picked();
  }

  void visit_picked() {
    std::fill_n(visited_, count_, VisitedStrip{});
    for (std::size_t at = 0; at < kStripSites; at += hn::Lanes(Tag())) visit_lanes_of_picked(at);
    const StripList list = list_;
    const bool is_torus = model_.shape().is_torus;
    std::size_t sites = 0;
    for (std::size_t i = 0, count = count_; i < count; ++i) {
      const auto& [place, strip] = picked_[i];
      list.remember(place, visited_[i]);
      if (is_torus) labeling_.wrap(model_, place.colour, place.row);
      list.add_neighbours(place, visited_[i].changed);
      sites += std::min(static_cast<std::size_t>(strip.sites), kStripSites);
    }
    state_.transitions += sites;
    count_ = 0;
  }

  void visit_lanes_of_picked(std::size_t at) {
    const Tag d;
    LaneDraws random(stream_, at);
    for (std::size_t i = 0; i < count_; ++i) {
      const VisitedLanes lanes = visit_lanes<kVisit, kInRegister>(pairs_, picked_[i].strip, at, random, scores_);
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, lanes.changed, bits);
      visited_[i].changed |= (bits[0] | std::uint32_t{bits[1]} << 8) << at;
      visited_[i].doubt += hn::GetLane(hn::SumOfLanes(d, hn::Sub(lanes.total, hn::Set(d, 1.0f))));
    }
  }

  const GridModel& model_;
  const PairScores pairs_;
  const StripTable& table_;
  GridLabeling& labeling_;
  LaneStream& stream_;
  StripSchedule::State& state_;
  const StripList list_;
  SiteScores scores_;
  std::size_t count_ = 0;
  Picked picked_[kMostPicked];
  VisitedStrip visited_[kMostPicked];
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
