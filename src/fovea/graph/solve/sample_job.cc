// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/sample_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/atomic_file.h"
#include "fovea/graph/report/draws_page.h"
#include "fovea/io/output_file.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::graph {
namespace {

void write_header(const ModelFile& model, io::OutputFile& output) {
  std::vector<std::string> cells = {"chain", "draw"};
  for (std::size_t v = 0; v < model.graph.variable_count(); ++v) cells.push_back(model.names.variable(v));
  std::string text;
  io::append_delimited_row(std::vector<std::string_view>(cells.begin(), cells.end()), ',', text);
  output.write(text);
}

void write_draw(int draw, std::span<const Assignment> chains, io::OutputFile& output) {
  fmt::memory_buffer row;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    row.clear();
    fmt::format_to(fmt::appender(row), "{},{}", c + 1, draw + 1);
    for (const Value value : chains[c]) fmt::format_to(fmt::appender(row), ",{}", value);
    row.push_back('\n');
    output.write({row.data(), row.size()});
  }
}

/// Keeps draws for the page, of as many variables as there is room for.
class KeptDraws {
 public:
  KeptDraws(const ModelFile& model, const DrawOptions& options) {
    const double each = static_cast<double>(options.chains) * options.draws;
    const auto room = static_cast<std::size_t>(std::max(1.0, kMostNumbers / each));
    table_.draws.resize(std::min(room, model.graph.variable_count()),
                        std::vector<std::vector<double>>(static_cast<std::size_t>(options.chains)));
    for (std::size_t v = 0; v < table_.draws.size(); ++v) table_.variables.push_back(model.names.variable(v));
  }

  void add(std::span<const Assignment> chains) {
    for (std::size_t v = 0; v < table_.draws.size(); ++v)
      for (std::size_t c = 0; c < chains.size(); ++c) table_.draws[v][c].push_back(chains[c][v]);
  }

  void write_page(const SampleJob& job, const SampleReport& report, std::size_t variables) const {
    report::Page page("Draws of a model", job.source.model);
    page.add_note(report.text());
    if (table_.draws.size() < variables)
      page.add_note(fmt::format("The first {} of {} variables are shown.", table_.draws.size(), variables));
    if (report.done.draws > 0 && !table_.draws.empty()) add_draws(table_, diagnose(table_), page);
    page.write(job.files.report_html);
  }

 private:
  static constexpr double kMostNumbers = 2e7;

  DrawTable table_;
};

std::string text_of(const ProposalWork& work, const std::string& exactness) {
  const auto percent = [](std::uint64_t part, std::uint64_t all) {
    return all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  return fmt::format(
      "{} of {} proposals accepted ({:.0f}%), {}: {} of {} factors looked at ({:.3g}%); decided by all "
      "factors {:.0f}%, by bounds {:.0f}%, by draws {:.0f}%",
      work.accepted, work.proposals, percent(work.accepted, work.proposals), exactness, work.looked_at, work.factors,
      percent(work.looked_at, work.factors), percent(work.by_all, work.proposals),
      percent(work.by_bounds, work.proposals), percent(work.by_draws, work.proposals));
}

}  // namespace

std::string SampleReport::json() const {
  nlohmann::ordered_json json = {{"chains", asked.chains},
                                 {"draws", done.draws},
                                 {"restart_rate", done.restart_rate},
                                 {"distance", nullptr},
                                 {"perfect", nullptr},
                                 {"mean_sweeps", done.mean_sweeps},
                                 {"temperatures", done.temperatures},
                                 {"trades_accepted", done.trades}};
  if (done.distance) json["distance"] = *done.distance;
  if (done.perfect != DrawSummary::Perfect::kNo)
    json["perfect"] = done.perfect == DrawSummary::Perfect::kElimination ? "elimination" : "coupling";
  const ProposalWork& work = done.proposals;
  if (!asked.exactness.empty())
    json["proposals"] = {{"exactness", asked.exactness},        {"proposals", work.proposals},
                         {"accepted", work.accepted},           {"factors", work.factors},
                         {"factors_looked_at", work.looked_at}, {"decided_by_all_factors", work.by_all},
                         {"decided_by_bounds", work.by_bounds}, {"decided_by_draws", work.by_draws}};
  return json.dump();
}

std::string SampleReport::text() const {
  std::string text = fmt::format("{} draws of {} chains", done.draws, asked.chains);
  if (done.perfect == DrawSummary::Perfect::kElimination)
    return text + ", independent, of the model's law: by elimination";
  if (done.perfect == DrawSummary::Perfect::kCoupling) {
    text += fmt::format(", independent, of the model's law: by coupling from the past, {:.1f} sweeps each",
                        done.mean_sweeps);
    return done.draws == asked.draws ? text
                                     : text + fmt::format(
                                                  ". {} were asked for: draws that take long are missing, so "
                                                  "that the others are not quite of that law",
                                                  asked.draws);
  }
  if (done.restart_rate > 0 && done.draws < asked.draws)
    return text + fmt::format(
                      " instead of {}, {:.1f} sweeps each. No guarantee: the runs that were cut short are left out, "
                      "and long runs are cut more often",
                      asked.draws, done.mean_sweeps);
  if (done.restart_rate > 0)
    return text + fmt::format(
                      ", independent and exact for the chain with restarts, {:.1f} sweeps each; its spectral "
                      "gap is at least {:.3g} per sweep, its law lies between that of its starts and the model's{}",
                      done.mean_sweeps, done.restart_rate,
                      done.distance ? fmt::format(", within {:.2g} of the latter in total variation (95 %, measured by "
                                                  "chains from all assignments)",
                                                  *done.distance)
                                    : std::string("; how far from the latter is not known"));
  if (!asked.exactness.empty()) return text + "; " + text_of(done.proposals, asked.exactness);
  if (done.trades.empty()) return text;
  const auto worst = std::ranges::min_element(done.trades);
  const auto i = static_cast<std::size_t>(worst - done.trades.begin());
  return text + fmt::format("; the fewest trades were accepted between temperatures {:.3g} and {:.3g}: {:.0f}%",
                            done.temperatures[i], done.temperatures[i + 1], 100 * *worst);
}

SampleReport sample(const SampleJob& job, const Run& run) {
  check(job.draw);
  const ObservedModel model = read_observed_model(job.source, run.warn);
  warn_of_unheeded_bound(model.file, run.warn);
  if (!job.files.report_html.empty()) check_can_be_replaced(job.files.report_html);
  io::OutputFile output(job.files.output);
  std::optional<KeptDraws> kept;
  if (!job.files.report_html.empty()) kept.emplace(model.file, job.draw);
  write_header(model.file, output);
  const auto started = std::chrono::steady_clock::now();
  SampleReport report = {.asked = job.draw};
  report.done =
      draw_chains(model.file.graph, model.evidence, job.draw, run, [&](int draw, std::span<const Assignment> chains) {
        write_draw(draw, chains, output);
        if (kept) kept->add(chains);
        if (run.progress)
          run.progress({.phase = "sampling",
                        .done = draw + 1.0,
                        .total = static_cast<double>(job.draw.draws),
                        .seconds = seconds_since(started)});
      });
  output.finish();
  if (kept) kept->write_page(job, report, model.file.graph.variable_count());
  return report;
}

}  // namespace fovea::graph
