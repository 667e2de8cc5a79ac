// SPDX-License-Identifier: Apache-2.0
// Files of learned operators: one section of a good file is replaced, with matching checksums. Whatever it holds,
// either the file is refused with an InputError, or a source learns from it and answers. The input is the number of the
// section, then its bytes.
#include <cstdint>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/recall/operator_file.h"
#include "fovea/ep/regression/operator_report.h"
#include "fuzz/changed_section.h"
#include "fuzz/require.h"

namespace {

using namespace fovea::ep;

constexpr int kMessages = 40;

const LogisticOperator& oracle() {
  static const LogisticOperator logistic;
  return logistic;
}

void ask(JustInTime& source, int messages) {
  fovea::Random random(1);
  std::vector<Tilted> told(1);
  for (int i = 0; i < messages; ++i) {
    const std::vector<Message> incoming = {Beta::from_counts(2, 1),
                                           Gaussian::from_mean_variance(random.normal(), 1 + .1 * i)};
    source.compute(1, static_cast<std::uint64_t>(i), incoming, told);
    fovea::fuzz::require(is_proper(told[0].marginal));
  }
}

void write_good(const std::string& path) {
  JustInTime source(oracle(), {.held_out = 20});
  ask(source, kMessages);
  write_operator(learned_operator(source), path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fovea::fuzz::ChangedSection good("operator", kOperatorVersion, write_good);
  if (size == 0) return 0;
  const std::string path = good.with(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    const LearnedOperator learned = read_operator(path);
    fovea::fuzz::require(!fovea::ep::operator_text(learned).empty() && !fovea::ep::operator_json(learned).empty());
    JustInTime source(oracle(), learned.options);
    teach(source, learned, path);
    ask(source, 3);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
