// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/calibration_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace fovea::tagging {
namespace {

// Pixels.
constexpr double kPlotSize = 320, kLeftMargin = 60, kTopMargin = 36, kPlotDistance = 90, kCountHeight = 70;
constexpr double kWidth = kLeftMargin + 2 * kPlotSize + kPlotDistance + 20;
constexpr double kCountTop = kTopMargin + kPlotSize + 46;
constexpr double kHeight = kCountTop + kCountHeight + 30;
constexpr int kTicks = 5;
constexpr std::size_t kCurvePoints = 200;
constexpr double kNarrowestLabelledBin = 9;

/// A square plot: x in [0, 1], y in [0, top].
class Plot {
 public:
  Plot(double left, double top_value, std::string& svg) : left_(left), top_value_(top_value), svg_(svg) {}

  double x(double value) const { return left_ + kPlotSize * value; }
  double y(double value) const { return kTopMargin + kPlotSize * (1 - value / top_value_); }

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Values>(values)...);
    svg_ += '\n';
  }
  void add_text(double at_x, double at_y, std::string_view anchor, std::string_view text) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", at_x, at_y, anchor, text);
  }

  void add_frame(std::string_view title, std::string_view x_name, std::string_view y_name) {
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>", left_, kTopMargin,
        kPlotSize, kPlotSize);
    add_text(x(0.5), kTopMargin - 14, "middle", title);
    add_text(x(0.5), kTopMargin + kPlotSize + 34, "middle", x_name);
    add("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>", left_ - 44,
        kTopMargin + kPlotSize / 2, y_name);
    for (int tick = 0; tick <= kTicks; ++tick) add_tick(static_cast<double>(tick) / kTicks);
  }

 private:
  void add_tick(double share) {
    add_text(x(share), kTopMargin + kPlotSize + 16, "middle", fmt::format("{:g}", share));
    add_text(left_ - 6, y(share * top_value_) + 4, "end", fmt::format("{:.4g}", share * top_value_));
    add("<path d=\"M{0:.1f} {1:.1f}v-4M{2:.1f} {3:.1f}h4\" stroke=\"black\"/>", x(share), kTopMargin + kPlotSize, left_,
        y(share * top_value_));
  }

  double left_, top_value_;
  std::string& svg_;
};

/// Adds the number of items of a bin, as a bar below the diagram with the number on it.
void add_count(Plot& plot, double from, double to, std::uint64_t items, std::uint64_t most) {
  const double height = kCountHeight * static_cast<double>(items) / static_cast<double>(most);
  const double bottom = kCountTop + kCountHeight, width = plot.x(to) - plot.x(from);
  plot.add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"silver\"/>", plot.x(from),
           bottom - height, width, height);
  if (width >= kNarrowestLabelledBin)
    plot.add("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" font-size=\"9\">{}</text>",
             (plot.x(from) + plot.x(to)) / 2 + 3, bottom - 3, items);
}

void add_bin(Plot& plot, double from, double to, const Calibration::Bin& bin) {
  plot.add(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"steelblue\" "
      "stroke=\"white\"><title>{} "
      "items, mean confidence {:.4f}, accuracy {:.4f}</title></rect>",
      plot.x(from), plot.y(bin.accuracy), plot.x(to) - plot.x(from), plot.y(0) - plot.y(bin.accuracy), bin.items,
      bin.mean_confidence, bin.accuracy);
  plot.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"firebrick\"/>", plot.x(bin.mean_confidence),
           plot.y(bin.mean_confidence));
}

void add_reliability(const Calibration& calibration, int count, std::string& svg) {
  Plot plot(kLeftMargin, 1, svg);
  const auto bins = calibration.bins(count);
  std::uint64_t most = 1;
  for (const Calibration::Bin& bin : bins) most = std::max(most, bin.items);
  for (int b = 0; b < count; ++b) {
    const double from = static_cast<double>(b) / count, to = static_cast<double>(b + 1) / count;
    if (bins[b].items == 0) continue;
    add_bin(plot, from, to, bins[b]);
    add_count(plot, from, to, bins[b].items, most);
  }
  plot.add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"black\" stroke-dasharray=\"4\"/>", plot.x(0), plot.y(0),
           plot.x(1), plot.y(1));
  plot.add_frame(fmt::format("calibration error {:.2f} %", 100 * calibration.expected_calibration_error(count)),
                 "confidence (dot: mean of the bin)", "accuracy");
  plot.add_text(plot.x(0.5), kCountTop + kCountHeight + 16, "middle", "items in each bin");
}

/// The smallest of 1, 2 or 5 times a power of ten that is above `value` and at most 1; 1 if `value` is not positive.
double round_above(double value) {
  if (value <= 0) return 1;
  double power = 1;
  while (power / 10 > value && power > 1e-9) power /= 10;
  for (const double part : {0.1, 0.2, 0.5})
    if (part * power > value) return part * power;
  return power;
}

void add_risk_curve(const Calibration& calibration, std::string& svg) {
  const RiskCurve curve = calibration.risk_curve();
  const std::size_t items = calibration.items(), points = std::min(items, kCurvePoints);
  std::vector<std::size_t> counts;
  for (std::size_t p = 1; p <= points; ++p) counts.push_back((items * p + points - 1) / points);
  double greatest = 0;
  for (const std::size_t count : counts) greatest = std::max(greatest, curve.risk(count));
  Plot plot(kLeftMargin + kPlotSize + kPlotDistance, round_above(greatest), svg);
  std::string path;
  for (const std::size_t count : counts)
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                   plot.x(static_cast<double>(count) / static_cast<double>(items)), plot.y(curve.risk(count)));
  plot.add("<path d=\"{}\" fill=\"none\" stroke=\"steelblue\" stroke-width=\"2\"/>", path);
  plot.add_frame(fmt::format("area under the risk-coverage curve {:.2f} %", 100 * curve.area()),
                 "coverage: share of items, surest first", "risk: share of mistakes");
}

}  // namespace

std::string calibration_svg(const Calibration& calibration, int bins) {
  std::string body;
  add_reliability(calibration, bins, body);
  add_risk_curve(calibration, body);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n{2}</svg>\n",
      kWidth, kHeight, body);
}

}  // namespace fovea::tagging
