// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/isotonic_regression.h"

#include <algorithm>
#include <cmath>

namespace fovea::linkage {
namespace {

using Knot = MonotoneMap::Knot;

/// Neighbouring points that share one value, their mean.
struct Pool {
  double first, last;  // x
  double sum, count;   // of y

  double mean() const { return sum / count; }
  void merge(const Pool& next) {
    last = next.last;
    sum += next.sum;
    count += next.count;
  }
};

}  // namespace

double MonotoneMap::operator()(double x) const {
  if (knots.empty()) return x;
  const auto after = std::ranges::upper_bound(knots, x, {}, &Knot::x);
  if (after == knots.begin()) return knots.front().y;
  if (after == knots.end()) return knots.back().y;
  const Knot &left = after[-1], &right = *after;
  return std::lerp(left.y, right.y, (x - left.x) / (right.x - left.x));
}

MonotoneMap fit_isotonic_regression(std::vector<Knot> points) {
  std::ranges::sort(points, {}, &Knot::x);
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < points.size();) {
    Pool pool{points[i].x, points[i].x, 0, 0};
    for (; i < points.size() && points[i].x == pool.first; ++i) pool.merge({pool.first, pool.first, points[i].y, 1});
    pools.push_back(pool);
    for (; pools.size() > 1 && pools[pools.size() - 2].mean() >= pools.back().mean(); pools.pop_back())
      pools[pools.size() - 2].merge(pools.back());
  }
  MonotoneMap map;
  for (const Pool& pool : pools) {
    map.knots.push_back({pool.first, pool.mean()});
    if (pool.last > pool.first) map.knots.push_back({pool.last, pool.mean()});
  }
  return map;
}

}  // namespace fovea::linkage
