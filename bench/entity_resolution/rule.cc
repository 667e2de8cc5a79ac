// SPDX-License-Identifier: Apache-2.0
// entity_resolution_rule TABLE MODEL: learns which records are worth a proposal from the blocks of a table and a match
// model, and prints the ten weights below those that 'fovea dedupe' uses. The table that
// those came from was not kept. On the one below, five seeds agree with them in sign except for the weight of a cluster
// that gained a record.
//   fovea generate authors --mentions 100000 --seed 7 -o made.tsv
//   fovea dedupe made.tsv --preset authors --labels entity -o made.er
#include <iostream>
#include <vector>

#include "bench/support/measure.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/clustering/record_rule_learner.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::bench {
namespace {

constexpr std::size_t kFewRecords = 20;  // smaller blocks are solved exactly, and need no rule

void print(const char* name, const linkage::RecordRule& rule) {
  std::cout << name;
  for (const double weight : rule.weights) std::cout << ' ' << weight;
  std::cout << std::endl;
}

void learn(const linkage::RecordMatching& matching, const linkage::MatchModel& model) {
  const linkage::Blocks blocks = linkage::group_rows(matching.table(), matching.rules().front());
  std::vector<linkage::AttributePairs> pairs;
  for (std::size_t block = 0; block < blocks.size(); ++block)
    if (blocks[block].size() >= kFewRecords) pairs.push_back(model.pairs_of(blocks[block]));
  std::cout << pairs.size() << " blocks" << std::endl;
  print("in use ", linkage::RecordRule::learned());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) print("learned", linkage::learn_record_rule(pairs, {}, Random(seed)));
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 2, "entity_resolution_rule TABLE MODEL")) return 2;
  using namespace fovea;
  const io::Table table = io::read_table(argv[1]);
  const linkage::MatchModelDescription description = linkage::read_match_model(argv[2]);
  const linkage::RecordMatching matching(table, {.compare = description.compare(), .block = description.block()});
  bench::learn(matching, linkage::MatchModel(matching.comparisons(), description.parameters));
}
