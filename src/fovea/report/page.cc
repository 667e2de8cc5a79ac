// SPDX-License-Identifier: Apache-2.0
#include "fovea/report/page.h"

#include <fmt/format.h>
#include <fovea_page_parts.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "fovea/base/atomic_file.h"
#include "fovea/base/base64.h"
#include "fovea/report/draw_figures.h"
#include "fovea/report/json.h"

namespace fovea::report {
namespace {

/// Longest text of a cell, in bytes: nobody reads more, and a page has to open.
constexpr std::size_t kLongestText = 10000;
/// Draws of a chain that a chart shows, and those of all charts.
constexpr std::size_t kMostOfATrace = 400, kMostDrawnNumbers = 400'000;

/// SHA-256 as a policy of contents has it: base 64 of the bytes that `hex` writes.
std::string policy_hash(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
  return base64(bytes);
}

/// JSON that cannot end the element around it, whatever its texts hold.
std::string json_for_html(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') text += "\\u003c";
    else if (c == '>') text += "\\u003e";
    else if (c == '&') text += "\\u0026";
    else text += c;
  }
  return text;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kLongestText) return text;
  return text.substr(0, kLongestText) + fmt::format(" ... ({} bytes)", text.size());
}

Json json_of(const Cell& cell) {
  struct Made {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(double number) const { return rounded(number); }
    Json operator()(const std::string& text) const { return shortened(text); }
  };
  return std::visit(Made(), cell.value());
}

Json json_of(const std::vector<Cell>& cells) {
  Json json = Json::array();
  for (const Cell& cell : cells) json.push_back(json_of(cell));
  return json;
}

/// `server`: source that the page may send to, as a policy of contents names it.
std::string html_of(const Json& page, std::string_view server) {
  const std::string policy = fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; connect-src {}; "
      "base-uri 'none'; form-action 'none'",
      policy_hash(kPageScriptHash), policy_hash(kPageStyleHash), server);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Fovea</title>\n<style>{}</style>\n"
      "<main id=\"page\"><noscript>This page is drawn by its own script, which is turned off here.</noscript></main>\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</html>\n",
      policy, kPageStyle, json_for_html(page), kPageScript);
}

}  // namespace

std::vector<std::array<double, 2>> counts_of_shares(std::span<const double> shares, std::size_t bins) {
  const auto count = static_cast<double>(bins);
  std::vector<std::array<double, 2>> points;
  for (std::size_t bin = 0; bin < bins; ++bin) points.push_back({(static_cast<double>(bin) + .5) / count, 0});
  for (const double share : shares)
    if (std::isfinite(share))
      ++points[std::min(bins - 1, static_cast<std::size_t>(std::clamp(share, 0., 1.) * count))][1];
  return points;
}

class Page::Content {
 public:
  Json& add(const char* type, const std::string& title, const std::string& about = {}) {
    json["blocks"].push_back({{"type", type}, {"title", title}, {"about", about}});
    return json["blocks"].back();
  }

  Json json;
};

Page::Page(std::string title, std::string subtitle) : content_(std::make_unique<Content>()) {
  content_->json = {{"title", std::move(title)}, {"subtitle", std::move(subtitle)}, {"blocks", Json::array()}};
}
Page::Page(const Page& other) : content_(std::make_unique<Content>(*other.content_)) {}
Page::Page(Page&&) noexcept = default;
Page::~Page() = default;

void Page::add_note(const std::string& text, bool is_warning) {
  Json& block = content_->add("note", "");
  block["text"] = text;
  block["warning"] = is_warning;
}

void Page::add_text(const std::string& title, const std::string& text) {
  content_->add("text", title)["text"] = shortened(text);
}

void Page::add_facts(const std::string& title, const std::vector<std::pair<std::string, Cell>>& rows) {
  Json& block = content_->add("facts", title);
  block["rows"] = Json::array();
  for (const auto& [name, value] : rows) block["rows"].push_back({name, json_of(value)});
}

void Page::add(const Chart& chart) {
  Json& block = content_->add("chart", chart.title, chart.about);
  block.update({{"x", chart.x},
                {"y", chart.y},
                {"bars", chart.bars},
                {"dots", chart.dots},
                {"steps", chart.steps},
                {"log_x", chart.log_x},
                {"log_y", chart.log_y},
                {"diagonal", chart.diagonal},
                {"series", Json::array()}});
  if (chart.threshold) block["threshold"] = *chart.threshold;
  for (const Chart::Series& series : chart.series) {
    Json points = Json::array();
    for (const auto& [x, y] : series.points)
      if (std::isfinite(x) && std::isfinite(y)) points.push_back({rounded(x), rounded(y)});
    block["series"].push_back({{"name", series.name}, {"line", series.is_line}, {"points", std::move(points)}});
  }
}

void Page::add(const TableOfCells& table) {
  Json& block = content_->add("table", table.title, table.about);
  block["columns"] = table.columns;
  block["rows"] = Json::array();
  for (const std::vector<Cell>& row : table.rows) block["rows"].push_back(json_of(row));
}

void Page::add(const TaggedText& text) {
  Json& block = content_->add("tagged", text.title, text.about);
  block["kinds"] = text.kinds;
  block["name"] = text.name;
  block["other"] = text.other_name;
  block["sequences"] = Json::array();
  for (const TaggedText::Sentence& sentence : text.sentences) {
    Json words = Json::array();
    for (const std::string& word : sentence.words) words.push_back(shortened(word));
    Json shown = {{"words", std::move(words)}, {"labels", sentence.labels}};
    for (const double p : sentence.probabilities) shown["p"].push_back(rounded(p, 4));
    if (!sentence.visits.empty()) shown["visits"] = sentence.visits;
    for (const auto& [p, labels] : sentence.best) shown["best"].push_back({rounded(p, 4), labels});
    if (!sentence.gold.empty()) shown["gold"] = sentence.gold;
    if (!sentence.others.empty()) shown["others"] = sentence.others;
    block["sequences"].push_back(std::move(shown));
  }
}

void Page::add(const RecordPairs& pairs) {
  Json& block = content_->add("pairs", pairs.title, pairs.about);
  block["columns"] = pairs.columns;
  block["comparisons"] = pairs.comparisons;
  block["ids"] = pairs.ids;
  block["records"] = Json::array();
  for (const std::vector<std::string>& record : pairs.records) {
    Json cells = Json::array();
    for (const std::string& cell : record) cells.push_back(shortened(cell));
    block["records"].push_back(std::move(cells));
  }
  block["pairs"] = Json::array();
  for (const RecordPairs::Pair& pair : pairs.pairs) {
    Json row = {pair.first, pair.second, rounded(pair.probability, 4)};
    for (const double weight : pair.weights) row.push_back(rounded(weight, 4));
    block["pairs"].push_back(std::move(row));
  }
}

void Page::add(const ChainDraws& draws) {
  Json& block = content_->add("draws", draws.title, draws.about);
  block["columns"] = draws.columns;
  std::size_t length = 0, chains = 1;
  for (const ChainDraws::Quantity& quantity : draws.quantities) {
    chains = std::max(chains, quantity.chains.size());
    for (const std::span<const double> chain : quantity.chains) length = std::max(length, chain.size());
  }
  const std::size_t step = std::max<std::size_t>(1, (length + kMostOfATrace - 1) / kMostOfATrace);
  block["step"] = step;
  block["quantities"] = Json::array();
  const std::size_t drawn = kMostDrawnNumbers / (chains * kMostOfATrace) + 1;
  for (const ChainDraws::Quantity& quantity : draws.quantities) {
    Json shown = {{"name", shortened(quantity.name)}, {"figures", json_of(quantity.figures)}};
    if (block["quantities"].size() < drawn && !quantity.chains.empty()) {
      for (const std::span<const double> chain : quantity.chains) shown["traces"].push_back(trace_of(chain, step));
      shown["ranks"] = ranks_of(quantity.chains);
      shown["values"] = values_of(quantity.chains);
    }
    block["quantities"].push_back(std::move(shown));
  }
}

void Page::add_picture(const std::string& title, const std::string& about, std::string_view png) {
  content_->add("picture", title, about)["png"] = base64(png);
}

std::string Page::html() const { return html_of(content_->json, "'none'"); }

std::string Page::served_html(const std::string& secret) const {
  Json page = content_->json;
  page["server"] = {{"secret", secret}};
  return html_of(page, "'self'");
}

void Page::write(const std::string& path) const {
  AtomicFile file(path);
  file.append(html());
  file.commit();
}

}  // namespace fovea::report
