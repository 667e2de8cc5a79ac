// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/map_portfolio.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/parallel.h"

namespace fovea::graph {
namespace {

constexpr double kFirstRoundSeconds = 0.01, kLongestRoundSeconds = 0.5;  // of an average member
constexpr std::uint64_t kFirstRoundTransitions = 1 << 12, kLongestRoundTransitions = 1 << 22;
constexpr double kGrowth = 1.5;       // of a round, over the one before
constexpr double kFinderBonus = 2;    // added to the share of the finder of the best of a round
constexpr double kForgetting = 0.25;  // by which shares return to the usual ones in each round
constexpr double kProofTolerance = 1e-9;

}  // namespace

void MapPortfolio::add(std::unique_ptr<Searcher> searcher, bool is_proof) {
  if (best_.found()) searcher->offer(best_);
  Member member{.searcher = std::move(searcher), .is_proof = is_proof};
  member.record.name = member.searcher->name();
  member.record.is_for_bounds = member.searcher->is_for_bounds();
  members_.push_back(std::move(member));
}

void MapPortfolio::offer(const ScoredAssignment& found, const std::string& finder) {
  if (!found.found() || (best_.found() && !(found.score > best_.score))) return;
  best_ = found;
  finder_ = finder;
  for (Member& member : members_) member.searcher->offer(best_);
  log_.improve(finder_, best_.score, upper_bound_);
}

void MapPortfolio::tighten(double upper_bound) {
  upper_bound_ = std::min(upper_bound_, upper_bound);
  log_.improve("bound", best_.score, upper_bound_);
}

bool MapPortfolio::is_proved() const {
  return best_.found() && best_.score >= upper_bound_ - kProofTolerance * (1 + std::abs(best_.score));
}

void MapPortfolio::run(const Run& run, std::uint64_t most_transitions) {
  std::uint64_t spent = 0, transitions = kFirstRoundTransitions;
  double seconds = kFirstRoundSeconds;
  for (Member& member : members_) member.searcher->plan_until(run.stop.deadline);
  take_shares();
  while (!run.stop.requested() && !is_proved() && !all_finished() && spent < most_transitions) {
    const std::uint64_t before = log_.work().transitions;
    run_round(run, seconds, std::min(transitions, most_transitions - spent), most_transitions != kUnlimited);
    collect();
    spent += log_.work().transitions - before;
    seconds = std::min(kGrowth * seconds, kLongestRoundSeconds);
    transitions = std::min(2 * transitions, kLongestRoundTransitions);
  }
}

/// The shares of the policy. Those of searchers are 1 on average; a proof's is of the threads that it may have.
void MapPortfolio::take_shares() {
  double sum = 0, count = 0;
  for (Member& member : members_) {
    member.usual_share = policy_.share(member.record.name);
    if (!member.is_proof) sum += member.usual_share, ++count;
  }
  for (Member& member : members_) {
    if (!member.is_proof) member.usual_share *= count / sum;
    member.share = member.usual_share;
  }
}

std::vector<SearcherRecord> MapPortfolio::records() const {
  std::vector<SearcherRecord> records;
  for (const Member& member : members_)
    if (member.record.seconds > 0) records.push_back(member.record);
  return records;
}

/// A proof's slice fills one thread while the others share the searchers. Where work is counted, it is the slice for
/// two threads, whatever their number: the answer must not depend on that.
double MapPortfolio::slice_of(const Member& member, int threads) const {
  double search_shares = 0;
  for (const Member& other : members_)
    if (!other.is_proof && !other.searcher->is_finished()) search_shares += other.share;
  if (!member.is_proof || search_shares == 0) return member.share;
  return member.share * (threads > 1 ? search_shares / (threads - 1) : search_shares);
}

void MapPortfolio::run_round(const Run& run, double seconds, std::uint64_t transitions, bool is_counted) {
  std::vector<double> slices;
  double total = 0;
  for (const Member& member : members_) {
    slices.push_back(member.searcher->is_finished() ? 0 : slice_of(member, is_counted ? 2 : run.thread_count()));
    total += slices.back();
  }
  // One task per member. The proof comes first: it is the longest.
  std::vector<std::size_t> order;
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (slices[m] > 0) order.push_back(m);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t m) { return members_[m].is_proof; });
  parallel_for(order.size(), 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Member& member = members_[order[i]];
      const double slice = slices[order[i]];
      const auto count = is_counted
                             ? static_cast<std::uint64_t>(std::ceil(slice / total * static_cast<double>(transitions)))
                             : kUnlimited;
      const auto began = Stop::Clock::now();
      member.spent = member.searcher->run(count, is_counted ? run.stop : run.stop.within(slice * seconds));
      member.record.seconds += seconds_since(began);
    }
  });
  for (const std::size_t m : order) log_.spend(members_[m].spent);
}

void MapPortfolio::collect() {
  Member* finder = nullptr;
  for (Member& member : members_) {
    upper_bound_ = std::min(upper_bound_, member.searcher->upper_bound());
    member.share += kForgetting * (member.usual_share - member.share);
    const ScoredAssignment& found = member.searcher->best();
    if (found.found() && !(found.score <= best_.score)) member.record.rises.push_back({best_.score, found.score});
    const ScoredAssignment& best = finder ? finder->searcher->best() : best_;
    if (found.found() && (!best.found() || found.score > best.score)) finder = &member;
  }
  if (finder) {
    if (policy_.adapts) finder->share += kFinderBonus;
    const ScoredAssignment found = finder->searcher->best();
    offer(found, finder->searcher->name());
  }
  cross();
  log_.improve(finder_, best_.score, upper_bound_);
}

/// Lets the best assignment take over every part in which some member's own best is better.
void MapPortfolio::cross() {
  if (!best_.found()) return;
  Assignment child = best_.values;
  for (const Member& member : members_)
    if (member.searcher->best().found()) crossover_.improve(child, member.searcher->best().values);
  if (child != best_.values) offer({.values = child, .score = graph_.log_score(child)}, "crossover");
}

bool MapPortfolio::all_finished() const {
  return std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.searcher->is_finished(); });
}

}  // namespace fovea::graph
