// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_schedule.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hwy/cache_control.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/graph/grid/strip_schedule.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/graph/grid/checkerboard_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

/// The changed sites, one bit each, and sum_sites (1 / p(best label) - 1).
struct VisitedStrip {
  std::uint32_t changed = 0;
  float doubt = 0;
};

/// The strips of a colour, as visit_lanes() takes them.
class PlacedStrips {
 public:
  PlacedStrips(const GridModel& model, GridLabeling& labeling, std::size_t colour)
      : unary_(model.unary(model.strip_index(colour, 0, 0))),
        unary_step_(model.unary(1) - model.unary(0)),
        labels_(labeling.row(0, 0)),
        to_row_below_(labeling.row(0, 1) - labels_),
        to_other_colour_((labeling.row(1, 0) - labels_) * (colour == 0 ? 1 : -1)) {}

  HWY_INLINE Strip strip(std::size_t number, const StripPlace& place) const {
    std::uint8_t* own = labels_ + place.first_site;
    const std::uint8_t* other = own + to_other_colour_;
    const std::uint8_t* right = other + place.first_column;
    Strip strip = {.own = own,
                   .neighbours = {},
                   .unary = unary_ + static_cast<std::ptrdiff_t>(number) * unary_step_,
                   .sites = place.sites};
    strip.neighbours[kAbove] = other - to_row_below_;
    strip.neighbours[kBelow] = other + to_row_below_;
    strip.neighbours[kLeft] = right - 1;
    strip.neighbours[kRight] = right;
    return strip;
  }

 private:
  const float* unary_;
  std::ptrdiff_t unary_step_;
  std::uint8_t* labels_;
  std::ptrdiff_t to_row_below_, to_other_colour_;
};

/// The visits of a colour in a round. Its strips do not touch each other: they are picked first, then visited in one
/// loop without branches, so that a visit can begin before the last one has ended, and then remembered. Loops work on
/// their own copies of what does not change: memories contain bytes, and compilers must assume that storing a byte
/// changes anything that is not local.
template <GridVisit kVisit, bool kInRegister>
class ColourRound {
 public:
  ColourRound(const GridModel& model, const PairScores& pairs, const StripTable& table, GridLabeling& labeling,
              mcmc::LaneStream& stream, StripSchedule::State& state, std::size_t colour)
      : model_(model),
        pairs_(pairs),
        table_(table),
        labeling_(labeling),
        stream_(stream),
        state_(state),
        colour_(colour),
        first_(model.strip_index(colour, 0, 0)),
        listed_(state.listed.data() + colour * state.words_per_colour),
        neighbours_(state.neighbours.data() + colour * 64 * state.words_per_colour),
        neighbours_of_other_(state.neighbours.data() + (1 - colour) * 64 * state.words_per_colour) {}

  void run() {
    for (std::size_t word = 0; word < state_.words_per_colour; ++word)
      if (const std::uint64_t listed = listed_[word] | with_neighbours(word)) pick(word, listed);
    visit_picked();
  }

 private:
  static constexpr std::size_t kEnough = 192;  // strips to visit at once: their data stays in the first-level cache
  static constexpr std::size_t kMostPicked = kEnough + 64;  // one more word of the list
  static constexpr std::size_t kCachedStrips = 4096;        // of a model about as large as a second-level cache
  static constexpr std::size_t kAhead = 8;                  // visits from fetching to visiting
  static constexpr std::uint32_t kMostNeighbours = StripFeatures::kNeighbours - 1;

  /// The strips, one bit each, next to which a site changed since their last visit.
  std::uint64_t with_neighbours(std::size_t word) const {
    const hn::CappedTag<std::uint8_t, 64> d;
    std::uint64_t bits = 0;
    for (std::size_t at = 0; at < 64; at += hn::Lanes(d)) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Ne(hn::Load(d, neighbours_ + 64 * word + at), hn::Zero(d)), bytes);
      for (std::size_t i = 0; i < hn::Lanes(d); i += 8) bits |= std::uint64_t{bytes[i / 8]} << (at + i);
    }
    return bits;
  }

  /// Picks the strips worth a visit, without branches on the verdict, which would be mispredicted too often.
  void pick(std::size_t word, std::uint64_t listed) {
    const StripTable& table = table_;
    const StripSchedule::Memory* const memories = state_.memory.data() + first_ + 64 * word;
    const std::uint8_t* const neighbours = neighbours_ + 64 * word;
    const std::uint32_t round = state_.round;
    const std::size_t phase = state_.phase;
    std::uint32_t* end = picked_ + count_;
    std::uint64_t removed = 0;
    for (std::uint64_t left = listed; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left));
      const StripSchedule::Memory memory = memories[bit];
      const StripTable::Verdict verdict = table[{.doubt = memory.doubt,
                                                 .neighbours = neighbours[bit],
                                                 .own = memory.own,
                                                 .age = StripFeatures::age_class(round - memory.round),
                                                 .phase = phase}];
      removed |= std::uint64_t{verdict == StripTable::Verdict::kNever} << bit;
      *end = static_cast<std::uint32_t>(64 * word + bit);
      end += verdict == StripTable::Verdict::kNow;
    }
    state_.looks += static_cast<std::uint64_t>(std::popcount(listed));
    listed_[word] = listed & ~removed;
    count_ = static_cast<std::size_t>(end - picked_);
    if (count_ >= kEnough) visit_picked();
  }

  void visit_picked() {
    for (std::size_t at = 0; at < kStripSites; at += hn::Lanes(Tag())) visit_lanes_of_picked(at);
    remember_picked();
    count_ = 0;
  }

  void visit_lanes_of_picked(std::size_t at) {
    const Tag d;
    const PlacedStrips strips(model_, labeling_, colour_);
    const StripPlace* const places = state_.places.data() + first_;
    const bool fetches_ahead = model_.strip_count() > kCachedStrips;
    LaneDraws random(stream_, at);
    for (std::size_t i = 0, count = count_; i < count; ++i) {
      const auto strip_of = [&](std::uint32_t number) { return strips.strip(number, places[number]); };
      if (fetches_ahead && i + kAhead < count) fetch(strip_of(picked_[i + kAhead]));
      const Strip strip = strip_of(picked_[i]);
      const VisitedLanes lanes = visit_lanes<kVisit, kInRegister>(pairs_, strip, at, random, scores_);
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, lanes.changed, bits);
      VisitedStrip visited = at == 0 ? VisitedStrip() : visited_[i];
      visited.changed |= (bits[0] | std::uint32_t{bits[1]} << 8) << at;
      visited.doubt += hn::GetLane(hn::SumOfLanes(d, hn::Sub(lanes.total, hn::Set(d, 1.0f))));
      visited_[i] = visited;
    }
  }

  /// Fetches a strip into the first-level cache: no processor can guess which strips come next.
  void fetch(const Strip& strip) const {
    for (std::size_t k = 0; k < pairs_.label_count; ++k) hwy::Prefetch(strip.unary + k * kStripSites);
    hwy::Prefetch(strip.own);
    for (const std::uint8_t* labels : strip.neighbours) hwy::Prefetch(labels);
  }

  void remember_picked() {
    const StripPlace* const places = state_.places.data() + first_;
    StripSchedule::Memory* const memories = state_.memory.data() + first_;
    std::uint32_t* const visits = state_.visits.data() + first_;
    std::uint8_t *const own = neighbours_, *const other = neighbours_of_other_;
    const std::uint32_t round = state_.round;
    const bool is_torus = model_.shape().is_torus;
    const auto count_change = [other](std::size_t strip, std::uint32_t has_changed) {  // 0 or 1
      other[strip] = static_cast<std::uint8_t>(std::min<std::uint32_t>(other[strip] + has_changed, kMostNeighbours));
    };
    std::size_t sites = 0;
    for (std::size_t i = 0, count = count_; i < count; ++i) {
      const std::uint32_t number = picked_[i];
      const auto [changed, doubt] = visited_[i];
      const StripPlace& place = places[number];
      memories[number] = {
          .round = round, .doubt = static_cast<std::uint8_t>(StripFeatures::doubt_class(doubt)), .own = changed != 0};
      own[number] = 0;
      ++visits[number];
      sites += place.sites;
      if (is_torus) labeling_.wrap(model_, colour_, place.row);
      const std::uint32_t any = changed != 0;
      for (const std::size_t n : {0u, 1u, 2u}) count_change(place.around[n], any & place.exists >> n);
      count_change(place.around[3], changed >> place.side_site & place.exists >> 3 & 1);
    }
    state_.transitions += sites;
  }

  const GridModel& model_;
  const PairScores pairs_;
  const StripTable& table_;
  GridLabeling& labeling_;
  mcmc::LaneStream& stream_;
  StripSchedule::State& state_;
  std::size_t colour_, first_;  // of the colour's strips
  std::uint64_t* listed_;
  std::uint8_t *neighbours_, *neighbours_of_other_;  // [strip of the colour]: visits that changed a neighbouring site
  SiteScores scores_;
  std::size_t count_ = 0;
  std::uint32_t picked_[kMostPicked];  // strips, numbered within the colour
  VisitedStrip visited_[kMostPicked];
};

template <GridVisit kVisit>
void run_round_of(const GridModel& model, const CheckerboardWeights& weights, const StripTable& table,
                  GridLabeling& labeling, mcmc::LaneStream& stream, StripSchedule::State& state) {
  with_row_place(weights, [&]<bool kInRegister>() {
    for (std::size_t colour = 0; colour < 2; ++colour)
      ColourRound<kVisit, kInRegister>(model, PairScores(weights), table, labeling, stream, state, colour).run();
  });
}

void run_round(const GridModel& model, const CheckerboardWeights& weights, const StripTable& table, GridVisit kind,
               GridLabeling& labeling, mcmc::LaneStream& stream, StripSchedule::State& state) {
  if (kind == GridVisit::kSample) run_round_of<GridVisit::kSample>(model, weights, table, labeling, stream, state);
  else run_round_of<GridVisit::kBest>(model, weights, table, labeling, stream, state);
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::graph {
namespace {

HWY_EXPORT(run_round);

/// Number of rounds between two polls of `stop`: about a hundred microseconds of work.
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
  state_.places = strip_places(model, labeling_);
  state_.words_per_colour = (model.strip_count() / 2 + 63) / 64;
  state_.visits.resize(model.strip_count());
  assign(Assignment(model.shape().cells()));
}

void StripSchedule::assign(std::span<const Value> labels) {
  labeling_.assign(*model_, labels);
  list_all();
}

void StripSchedule::list_all() {
  state_.memory.assign(model_->strip_count(), {.round = state_.round - 1});
  state_.neighbours.assign(2 * 64 * state_.words_per_colour, 0);
  state_.listed.assign(2 * state_.words_per_colour, ~std::uint64_t{0});
  if (const std::size_t in_last = model_->strip_count() / 2 % 64; in_last > 0)
    for (const std::size_t colour : {1u, 2u})
      state_.listed[colour * state_.words_per_colour - 1] = (std::uint64_t{1} << in_last) - 1;
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

}  // namespace fovea::graph
#endif
