// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/operator_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace fovea::ep {
namespace {

using Json = nlohmann::ordered_json;

/// Quantile of the finite marginal KLs of held-out messages; NaN without any.
double error_quantile(const std::vector<UncertaintyLimit::HeldOutMessage>& cases, double share) {
  std::vector<double> errors;
  for (const UncertaintyLimit::HeldOutMessage& held_out : cases)
    if (std::isfinite(held_out.error)) errors.push_back(held_out.error);
  if (errors.empty()) return std::nan("");
  std::ranges::sort(errors);
  return errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
}

std::size_t wrong_cases(const LearnedOperator::Part& part, double max_marginal_kl) {
  return static_cast<std::size_t>(std::ranges::count_if(
      part.cases,
      [&](const UncertaintyLimit::HeldOutMessage& held_out) { return !(held_out.error <= max_marginal_kl); }));
}

std::vector<std::string_view> family_names(const MessageKind& kind) {
  std::vector<std::string_view> names;
  for (const std::uint8_t family : kind.families) names.push_back(family_name(default_of(family)));
  return names;
}

/// u_max of the part's cases.
double limit_of(const LearnedOperator& learned, const LearnedOperator::Part& part) {
  UncertaintyLimit limit = limit_of(learned.options);
  for (const UncertaintyLimit::HeldOutMessage& held_out : part.cases) limit.add(held_out);
  return limit.value();
}

}  // namespace

std::string operator_text(const LearnedOperator& learned) {
  std::string text =
      fmt::format("operator '{}', {} variables, learns {} by {}; may err by a marginal KL of {:g}\n", learned.factor,
                  learned.slot_count, learned.options.by_message ? "messages" : "marginals",
                  learned.options.random_features ? "random features" : "a forest", learned.options.max_marginal_kl);
  if (learned.parts.empty()) text += "nothing was learned yet\n";
  for (const LearnedOperator::Part& part : learned.parts) {
    text += fmt::format("to variable {} from ({}): {} examples, {} kept\n", part.kind.slot,
                        fmt::join(family_names(part.kind), ", "), part.seen, part.examples.size());
    text +=
        fmt::format("  held out, the last {}: {} above that; marginal KL median {:.2g}, 99 % {:.2g}; u_max {:.2g}\n",
                    part.cases.size(), wrong_cases(part, learned.options.max_marginal_kl),
                    error_quantile(part.cases, .5), error_quantile(part.cases, .99), limit_of(learned, part));
  }
  return text;
}

std::string operator_json(const LearnedOperator& learned) {
  Json parts = Json::array();
  for (const LearnedOperator::Part& part : learned.parts)
    parts.push_back({{"to", part.kind.slot},
                     {"families", family_names(part.kind)},
                     {"examples", part.seen},
                     {"kept", part.examples.size()},
                     {"held_out", part.cases.size()},
                     {"above_max", wrong_cases(part, learned.options.max_marginal_kl)},
                     {"marginal_kl",
                      {{"median", error_quantile(part.cases, .5)},
                       {"p99", error_quantile(part.cases, .99)},
                       {"max", error_quantile(part.cases, 1)}}},
                     {"u_max", limit_of(learned, part)}});
  // Numbers that are not finite become null; the factor may have any name.
  return Json{{"factor", learned.factor},
              {"variables", learned.slot_count},
              {"options", Json::parse(options_json(learned.options))},
              {"forest", Json::parse(options_json(learned.options.forest))},
              {"parts", std::move(parts)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string recall_json(const JustInTime& source) {
  const RecallCounts counts = source.counts();
  return Json{{"given_up", counts.is_off},
              {"messages", counts.messages},
              {"recalled", counts.recalled},
              {"oracle_calls", counts.oracle_calls()},
              {"audits", counts.audits},
              {"failed_audits", counts.failed_audits},
              {"unlearnable", counts.unlearnable},
              {"oracle_seconds", counts.oracle_seconds},
              {"recall_seconds", counts.recall_seconds},
              {"learning_seconds", counts.learning_seconds}}
      .dump();
}

}  // namespace fovea::ep
