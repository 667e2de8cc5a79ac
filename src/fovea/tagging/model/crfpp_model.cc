// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/tagging/model/foreign_model.h"

namespace fovea::tagging {
namespace {

constexpr std::uint64_t kMaxWeights = std::uint64_t{1} << 31;

/// A number that is the whole of the text.
template <class T>
std::optional<T> number_in_text(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// One call of read_crfpp_model().
class CrfppModelReader {
 public:
  CrfppModelReader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  TaggerModel read() {
    read_header();
    read_labels();
    read_template();
    read_features();
    read_weights();
    require(rest_.find_first_not_of("\r\n") == rest_.npos, "more weights than maxid says");
    return model_.finish();
  }

 private:
  /// A feature's first weight, and its attribute; none: label pairs.
  struct Feature {
    std::uint64_t first = 0;
    std::optional<std::uint32_t> attribute;
  };

  void require(bool holds, std::string_view problem) const {
    if (!holds)
      throw InputError({.file = name_, .line = line_number_}, fmt::format("{} in a CRF++ model", problem),
                       "Write the model anew with 'crf_learn -t', or copy it whole");
  }

  /// The next line; at the end of the text, an error.
  std::string_view take_line() {
    ++line_number_;
    require(!rest_.empty(), "the text ends too early");
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  template <class T>
  T take_field(std::string_view field) {
    const std::string_view line = take_line();
    const std::string start = fmt::format("{}: ", field);
    require(line.starts_with(start), fmt::format("no line '{}...'", start));
    const auto value = number_in_text<T>(line.substr(start.size()));
    require(value.has_value(), fmt::format("'{}' is not a number that fits", line.substr(start.size())));
    return *value;
  }

  void read_header() {
    const auto version = take_field<std::uint32_t>("version");
    require(version == 100, fmt::format("version {} instead of 100", version));
    cost_factor_ = take_field<double>("cost-factor");
    require(std::isfinite(cost_factor_), "a cost factor that is not a finite number");
    weight_count_ = take_field<std::uint64_t>("maxid");
    require(weight_count_ <= kMaxWeights, fmt::format("more than {} weights", kMaxWeights));
    model_.model().observation_columns = take_field<std::uint32_t>("xsize");
    require(take_line().empty(), "no blank line after 'xsize'");
  }

  void read_labels() {
    for (std::string_view line = take_line(); !line.empty(); line = take_line()) {
      const std::string complaint = model_.add_label(line);
      require(complaint.empty(), complaint);
    }
    require(model_.label_count() > 0, "no label");
  }

  void read_template() {
    const std::uint64_t before = line_number_;
    std::string text;
    for (std::string_view line = take_line(); !line.empty(); line = take_line()) text.append(line).append("\n");
    // Read after as many empty lines as stand before it, so that a complaint names the right line.
    (void)FeatureTemplate::parse(std::string(before, '\n') + text, name_);
    TaggerModel& model = model_.model();
    model.feature_template = FeatureTemplate::parse(text, name_);
    require(model.observation_columns >= model.feature_template->column_count(),
            fmt::format("the template reads {} columns and xsize is {}", model.feature_template->column_count(),
                        model.observation_columns));
  }

  void read_features() {
    for (std::string_view line = take_line(); !line.empty(); line = take_line()) {
      const std::size_t blank = line.find(' ');
      const auto first = number_in_text<std::uint64_t>(line.substr(0, blank));
      require(blank != line.npos && first, "no line 'number feature'");
      const std::string_view text = line.substr(blank + 1);
      require(text.starts_with('U') || text.starts_with('B'), "a feature that begins with neither U nor B");
      const bool is_pair = text[0] == 'B';
      const std::uint64_t size = model_.label_count() * (is_pair ? model_.label_count() : 1);
      require(*first <= weight_count_ && size <= weight_count_ - *first, "a feature beyond the weights");
      Feature& feature = features_.emplace_back(Feature{.first = *first, .attribute = {}});
      if (is_pair) continue;
      feature.attribute = static_cast<std::uint32_t>(model_.attribute_count());
      const std::string complaint = model_.add_attribute(text);
      require(complaint.empty(), complaint);
    }
  }

  void read_weights() {
    // Text of one digit and a line feed is the shortest weight.
    require(weight_count_ <= rest_.size() / 2 + 1, fmt::format("fewer than {} weights", weight_count_));
    std::vector<double> weights(weight_count_);
    for (double& weight : weights) {
      const auto value = number_in_text<double>(take_line());
      require(value.has_value(), "a weight that is not a number");
      weight = *value * cost_factor_;
      require(std::abs(weight) <= std::numeric_limits<float>::max(), "a weight that is not a finite number");
    }
    const std::size_t labels = model_.label_count();
    for (const Feature& feature : features_) {
      const double* first = weights.data() + feature.first;
      for (std::size_t i = 0; i < (feature.attribute ? labels : labels * labels); ++i)
        if (feature.attribute) model_.add_attribute_weight(*feature.attribute, static_cast<Value>(i), first[i]);
        else model_.add_pair_weight(static_cast<Value>(i / labels), static_cast<Value>(i % labels), first[i]);
    }
  }

  std::string_view rest_;
  const std::string& name_;
  std::uint64_t line_number_ = 0;
  double cost_factor_ = 1;
  std::uint64_t weight_count_ = 0;
  std::vector<Feature> features_;
  internal::ForeignModelBuilder model_ = internal::ForeignModelBuilder("CRF++");
};

}  // namespace

TaggerModel read_crfpp_model(std::string_view text, const std::string& name) {
  return CrfppModelReader(text, name).read();
}

}  // namespace fovea::tagging
