// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/checkerboard_kernel.h"

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/thread_team.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/graph/grid/checkerboard_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/graph/grid/checkerboard_kernel-inl.h"
#include "fovea/graph/grid/plain_potts_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

/// The rows of a colour that one call visits.
struct Rows {
  const GridModel& model;
  GridLabeling& labeling;
  std::size_t colour, begin, end;
};

/// Calls visit(strip, at, random) for all lanes of the rows' strips.
template <class Visit>
HWY_INLINE void for_rows(const Rows& rows, mcmc::LaneStream& stream, const Visit& visit) {
  const std::size_t strips = rows.model.strips_per_row();
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const StripRow strip_row(rows.model, rows.labeling, rows.colour, row);
    for (std::size_t at = 0; at < kStripSites; at += hn::Lanes(Tag())) {
      LaneDraws random(stream, at);
      for (std::size_t along = 0; along < strips; ++along) visit(strip_row.strip(along), at, random);
    }
    rows.labeling.wrap(rows.model, rows.colour, row);
  }
}

void visit_potts_rows(const Rows& rows, const PlainPottsWeights& weights, mcmc::LaneStream& stream) {
  const PlainPotts potts(weights);
  for_rows(rows, stream, [potts](const Strip& strip, std::size_t at, LaneDraws& random) {
    visit_plain_potts(potts, strip, at, random);
  });
}

/// On a torus every site has four neighbours.
void visit_potts_torus_rows(const Rows& rows, const PlainPottsWeights& weights, mcmc::LaneStream& stream) {
  const PlainPotts potts(weights);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const StripRow strips(rows.model, rows.labeling, rows.colour, row);
    visit_potts_torus_row(potts, strips, rows.model.strips_per_row(), stream);
    rows.labeling.wrap(rows.model, rows.colour, row);
  }
}

template <GridVisit kVisit>
void visit_any_rows(const Rows& rows, const CheckerboardWeights& weights, mcmc::LaneStream& stream) {
  const PairScores pairs(weights);
  SiteScores scores;
  with_row_place(weights, [&]<bool kInRegister>() {
    for_rows(rows, stream, [pairs, &scores](const Strip& strip, std::size_t at, LaneDraws& random) {
      visit_lanes<kVisit, kInRegister>(pairs, strip, at, random, scores);
    });
  });
}

void visit_rows(const GridModel& model, const CheckerboardWeights& weights, GridLabeling& labeling, GridVisit kind,
                std::size_t colour, std::size_t begin, std::size_t end, mcmc::LaneStream& stream) {
  const Rows rows = {.model = model, .labeling = labeling, .colour = colour, .begin = begin, .end = end};
  if (kind == GridVisit::kBest) visit_any_rows<GridVisit::kBest>(rows, weights, stream);
  else if (!weights.plain_potts) visit_any_rows<GridVisit::kSample>(rows, weights, stream);
  else if (model.shape().is_torus) visit_potts_torus_rows(rows, *weights.plain_potts, stream);
  else visit_potts_rows(rows, *weights.plain_potts, stream);
}

void tally_strip(const std::uint8_t* labels, std::size_t label_count, std::uint32_t* counts) {
  const hn::RebindToUnsigned<Tag> d;
  for (std::size_t at = 0; at < kStripSites; at += hn::Lanes(d)) {
    const auto label = hn::BitCast(d, load_labels(labels + at));
    for (std::size_t k = 0; k < label_count; ++k) {
      std::uint32_t* count = counts + k * kStripSites + at;
      const auto one = hn::VecFromMask(d, hn::Eq(label, hn::Set(d, static_cast<std::uint32_t>(k))));
      hn::Store(hn::Sub(hn::Load(d, count), one), d, count);
    }
  }
}

void tally_rows(const GridModel& model, const GridLabeling& labeling, std::uint32_t* counts) {
  for (std::size_t colour = 0; colour < 2; ++colour)
    for (std::size_t row = 0; row < model.shape().rows; ++row)
      for (std::size_t along = 0; along < model.strips_per_row(); ++along)
        tally_strip(labeling.row(colour, static_cast<std::ptrdiff_t>(row)) + along * kStripSites, model.label_count(),
                    counts + model.strip_index(colour, row, along) * model.label_count() * kStripSites);
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::graph {
namespace {

HWY_EXPORT(visit_rows);
HWY_EXPORT(tally_rows);

constexpr std::size_t kBandRows = 16;

}  // namespace

void CheckerboardWeights::set_temperature(const GridModel& model, double temperature) {
  FOVEA_CHECK(temperature > 0);
  label_count = model.label_count();
  pair_stride = model.pair_stride();
  coldness = static_cast<float>(1 / temperature);
  pairs.assign(model.pairs().begin(), model.pairs().end());
  for (float& score : pairs) score *= coldness;
  plain_potts = PlainPottsWeights::make(model, temperature);
}

CheckerboardSampler::CheckerboardSampler(const GridModel& model, const Random& random, double temperature)
    : model_(&model), labeling_(model), weights_(model, temperature) {
  for (std::size_t band = 0; band * kBandRows < model.shape().rows; ++band)
    streams_.emplace_back(random.child("band", band));
}

void CheckerboardSampler::sample_bands(std::size_t colour, std::size_t begin, std::size_t end) {
  for (std::size_t band = begin; band < end; ++band) HWY_DYNAMIC_DISPATCH(visit_rows)
  (*model_, weights_, labeling_, GridVisit::kSample, colour, band * kBandRows,
   std::min((band + 1) * kBandRows, model_->shape().rows), streams_[band]);
}

Work CheckerboardSampler::sweep(std::size_t count, int threads) {
  run_in_team(streams_.size(), threads, [&](const ThreadTeam& team) {
    const auto [begin, end] = team.share(0, streams_.size());
    for (std::size_t half = 0; half < 2 * count; ++half) {
      // Bands at the edges of the share come first, so that no other thread waits for them while the rest is done.
      team.await_neighbours(half);
      sample_bands(half % 2, begin, begin + 1);
      if (end > begin + 1) sample_bands(half % 2, end - 1, end);
      team.announce(half + 1);
      sample_bands(half % 2, begin + 1, end - 1);
    }
  });
  return work_of(count);
}

Work CheckerboardSampler::descend(std::size_t sweeps) {
  for (std::size_t half = 0; half < 2 * sweeps; ++half) HWY_DYNAMIC_DISPATCH(visit_rows)
  (*model_, weights_, labeling_, GridVisit::kBest, half % 2, 0, model_->shape().rows, streams_[0]);
  return work_of(sweeps);
}

Work CheckerboardSampler::work_of(std::size_t sweeps) const {
  const std::uint64_t transitions = sweeps * model_->shape().cells();
  return {.transitions = transitions, .factors = transitions * (model_->has_unary() ? 5 : 4)};
}

GridTally::GridTally(const GridModel& model)
    : model_(&model), counts_(model.strip_count() * model.label_count() * kStripSites) {}

void GridTally::add(const GridLabeling& labeling) {
  HWY_DYNAMIC_DISPATCH(tally_rows)(*model_, labeling, counts_.data());
  ++total_;
}

std::vector<double> GridTally::marginals() const {
  FOVEA_CHECK(total_ > 0);
  const auto& [rows, columns, is_torus] = model_->shape();
  const std::size_t labels = model_->label_count();
  std::vector<double> shares;
  shares.reserve(rows * columns * labels);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t site = column / 2;
      const std::size_t strip = model_->strip_index((row + column) & 1, row, site / kStripSites);
      for (std::size_t k = 0; k < labels; ++k)
        shares.push_back(static_cast<double>(counts_[(strip * labels + k) * kStripSites + site % kStripSites]) /
                         static_cast<double>(total_));
    }
  return shares;
}

}  // namespace fovea::graph
#endif
