// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/draws_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace fovea::graph {

void add_draws(const DrawTable& table, const std::vector<VariableDiagnosis>& rows, report::Page& page) {
  const auto count = [&](mcmc::Mixing mixing) {
    return std::ranges::count(rows, mixing, [](const VariableDiagnosis& row) { return row.chains.mixing; });
  };
  page.add_facts("Chains", {{"chains", table.draws[0].size()},
                            {"draws of each", table.draws[0][0].size()},
                            {"draws left out, as other chains are shorter", table.left_out},
                            {"variables", rows.size()},
                            {"of which have mixed", count(mcmc::Mixing::kMixed)},
                            {"have not", count(mcmc::Mixing::kNotMixed)},
                            {"cannot be told", count(mcmc::Mixing::kCannotTell)}});
  if (count(mcmc::Mixing::kNotMixed) > 0)
    page.add_note("Chains disagree about some variables: run longer, or warm up longer.", true);
  report::ChainDraws shown = {
      .title = "Variables, the worst first",
      .about = fmt::format("Chains have mixed where R-hat is at most {} and at least {:.0f} draws are effective.",
                           mcmc::kMixedRHat, mcmc::kFewestEffectiveDraws),
      .columns = {"chains", "mean", "sd", "standard error", "R-hat", "bulk ESS", "tail ESS"}};
  for (const std::size_t v : worst_first(rows)) {
    const VariableDiagnosis& row = rows[v];
    report::ChainDraws::Quantity& quantity = shown.quantities.emplace_back(report::ChainDraws::Quantity{
        row.variable,
        {word_of(row.chains.mixing), row.mean, row.standard_deviation, row.chains.standard_error, row.chains.r_hat,
         row.chains.bulk_effective_samples, row.chains.tail_effective_samples},
        {}});
    quantity.chains.assign(table.draws[v].begin(), table.draws[v].end());
  }
  page.add(shown);
}

report::Page draws_page(const std::string& subtitle, const DrawTable& table,
                        const std::vector<VariableDiagnosis>& rows) {
  report::Page page("Draws of chains", subtitle);
  add_draws(table, rows, page);
  return page;
}

}  // namespace fovea::graph
