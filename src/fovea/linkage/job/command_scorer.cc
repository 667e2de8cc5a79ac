// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/command_scorer.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/line_process.h"
#include "fovea/base/text.h"

namespace fovea::linkage {
namespace {

class CommandScorer {
 public:
  CommandScorer(std::string command, const io::Table& table, const Stop& stop)
      : command_(std::move(command)), table_(table), stop_(stop), records_(table.row_count()) {}

  double score(RowPair pair) {
    if (!process_) process_.emplace(command_);
    const std::string answer =
        process_->ask(fmt::format(R"({{"first":{},"second":{}}})", record(pair.first), record(pair.second)), stop_);
    const std::string_view text = trimmed(answer);
    double score = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(score))
      throw InputError(table_.location(pair.first),
                       fmt::format("the command '{}' answered '{}' about this record and line {}, not a finite number",
                                   command_, text, table_.location(pair.second).line),
                       "It must answer each line with the log odds that both records are of one entity: log(p / (1 - "
                       "p)) for a probability p");
    return score;
  }

 private:
  /// As JSON; made once.
  const std::string& record(std::uint32_t row) {
    std::string& text = records_[row];
    if (!text.empty()) return text;
    nlohmann::ordered_json json;
    for (std::size_t column = 0; column < table_.column_count(); ++column) {
      nlohmann::ordered_json& cell = json[table_.columns()[column]];
      if (table_.is_missing(row, column)) continue;
      const std::string_view typed = table_.json(row, column);
      if (typed.empty()) cell = std::string(table_.cell(row, column));
      else cell = nlohmann::ordered_json::parse(typed);
    }
    return text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }

  std::string command_;
  const io::Table& table_;
  Stop stop_;
  std::vector<std::string> records_;  // [row]; "" until it is asked about
  std::optional<LineProcess> process_;
};

}  // namespace

PairScorer command_scorer(const std::string& command, const io::Table& table, const Stop& stop) {
  const auto scorer = std::make_shared<CommandScorer>(command, table, stop);
  return [scorer](RowPair pair) { return scorer->score(pair); };
}

}  // namespace fovea::linkage
