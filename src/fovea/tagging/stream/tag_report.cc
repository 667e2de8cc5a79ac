// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fovea::tagging {
namespace {

using Json = nlohmann::ordered_json;

double per_item(double amount, std::uint64_t items) { return items == 0 ? 0 : amount / static_cast<double>(items); }

std::string given_used(std::string_view name, std::string_view given, std::string_view used) {
  return fmt::format("{:<24} {:>16} {:>16}\n", name, given, used);
}

std::string phase(std::string_view name, double seconds, std::uint64_t items) {
  return fmt::format("{:<24} {:>16.6f} {:>16.1f}\n", name, seconds, 1e9 * per_item(seconds, items));
}

bool restarts(const sequence::DecodeOptions& options) { return options.method == sequence::DecodeMethod::kDoeblin; }

/// True if the run lengths were those of the theory: a fixed number of runs for each sequence, none cut.
bool has_guarantee(const TagReport& report) {
  return report.used.options.settled == 0 && report.runs > 0 && report.whole_runs == report.runs;
}

/// Statement of what this run proves about how fast its chain mixes.
std::string guarantee(const TagReport& report) {
  if (report.used.options.settled > 0) return "none: how often a sequence is restarted depends on what was drawn";
  if (report.runs == 0) return "none: no run was made";
  if (!has_guarantee(report))
    return fmt::format("none: {} of {} runs were cut or left out; stopped by {}", report.runs - report.whole_runs,
                       report.runs, to_string(report.stopped_by));
  return fmt::format(
      "each of {} runs ended in an exact draw from the chain's stationary law, whose spectral gap is at least {:.4g} "
      "at any weights; marginals are averages over these runs",
      report.runs, report.used.options.restart_rate);
}

}  // namespace

std::string TagReport::brief() const {
  if (family == TaggerFamily::kGp)
    return fmt::format("{} items of {} sequences tagged in {:.2f} s", items, sequences, seconds);
  return fmt::format("{} items in {} sequences by {} in {:.3f} s ({:.0f} items/s)", items, sequences,
                     word_of(used.options.method), seconds, seconds > 0 ? static_cast<double>(items) / seconds : 0);
}

std::string TagReport::full() const {
  if (family == TaggerFamily::kGp) return brief();
  const sequence::DecodeOptions& u = used.options;
  const auto or_none = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
  std::string text = given_used("", "Given", "Used");
  text += given_used("method", word_of(asked.method), word_of(u.method));
  if (u.method == sequence::DecodeMethod::kBeam)
    text += given_used("beam width", fmt::to_string(asked.beam_width), fmt::to_string(u.beam_width));
  if (restarts(u)) {
    text += given_used("restart rate", asked.restart_rate > 0 ? fmt::format("{:.4g}", asked.restart_rate) : "model's",
                       fmt::format("{:.4g}", u.restart_rate));
    text += given_used("runs per sequence", fmt::to_string(asked.runs), fmt::to_string(u.runs));
    text += given_used("whole runs", fmt::to_string(runs), fmt::to_string(whole_runs));
    text += fmt::format("guarantee: {}\n", guarantee(*this));
  } else if (visits_sites(u.method)) {
    text += given_used("start", word_of(asked.start), word_of(u.start));
  }
  if (u.method == sequence::DecodeMethod::kLearned) text += given_used("visit", word_of(asked.visit), word_of(u.visit));
  text += given_used("visits per item", or_none(options.budget),
                     fmt::format("{:.3f}", per_item(static_cast<double>(work.transitions), items)));
  text += given_used("time", or_none(options.time_limit), fmt::format("{:.3f} s", seconds));
  text += given_used("threads", "", fmt::to_string(threads));
  text += fmt::format("chosen because: {}; stopped by: {}\n\n", used.reason, to_string(stopped_by));
  text += fmt::format("{:<24} {:>16} {:>16}\n", "phase", "seconds", "ns per item");
  text += phase("reading", read_seconds, items) + phase("scoring attributes", score_seconds, items) +
          phase("start labels", start_seconds, items) + phase("decoding", decode_seconds, items);
  if (used.seconds_per_token > 0)
    text += phase("  as predicted", used.seconds_per_token * static_cast<double>(items), items);
  text += phase("writing", write_seconds, items) + phase("all, from process start", seconds, items);
  return text + fmt::format("{} sequences, {} items, {} visits, {} exact calls\n", sequences, items, work.transitions,
                            work.oracle_calls);
}

std::string TagReport::json() const {
  if (family == TaggerFamily::kGp)
    return fmt::format(R"({{"sequences":{},"items":{},"seconds":{:.6g}}})", sequences, items, seconds);
  Json report = {{"given", {{"decode", Json::parse(options_json(asked))}, {"tag", Json::parse(options_json(options))}}},
                 {"used",
                  {{"decode", Json::parse(options_json(used.options))},
                   {"reason", used.reason},
                   {"predicted_seconds_per_item", used.seconds_per_token},
                   {"threads", threads}}},
                 {"stopped_by", to_string(stopped_by)},
                 {"sequences", sequences},
                 {"items", items},
                 {"transitions", work.transitions},
                 {"oracle_calls", work.oracle_calls},
                 {"seconds",
                  {{"read", read_seconds},
                   {"score", score_seconds},
                   {"start", start_seconds},
                   {"decode", decode_seconds},
                   {"write", write_seconds},
                   {"all", seconds}}}};
  if (restarts(used.options)) {
    Json law = {
        {"holds", has_guarantee(*this)}, {"statement", guarantee(*this)}, {"runs", runs}, {"whole_runs", whole_runs}};
    if (has_guarantee(*this)) law["spectral_gap_at_least"] = used.options.restart_rate;
    report["guarantee"] = std::move(law);
  }
  return report.dump();
}

}  // namespace fovea::tagging
