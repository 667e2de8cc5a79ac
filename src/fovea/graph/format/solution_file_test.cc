// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/solution_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/factorless_graph.h"
#include "tests/support/text_files.h"

namespace fovea::graph {
namespace {

using testing::factorless_graph;
using testing::written;

io::ByteSource source_of(std::string_view text) { return io::ByteSource::from_memory(text, "memory"); }

template <class Read>
std::string solution_refusal(const Read& read) {
  return message_of<InputError>(read);
}

TEST(SolutionFileTest, ReadsAssignmentsOfEveryForm) {
  const Assignment expected = {1, 0, 3};
  for (const char* text : {"MAP\n3 1 0 3\n", "MAP\n1\n3 1 0 3", "1 0 3", "1\n0\n3\n", "3 1 0 3", "MPE 3 1 0 3"})
    EXPECT_EQ(read_assignment(source_of(text), factorless_graph(3)), expected) << text;
  EXPECT_EQ(read_assignment(source_of(""), factorless_graph(0)), Assignment{});
  EXPECT_EQ(read_assignment(source_of("MAP\n0"), factorless_graph(0)), Assignment{});
  EXPECT_EQ(read_assignment(source_of("MAP 1 1"), factorless_graph(1)), Assignment{1});
}

TEST(SolutionFileTest, TheFirstOfSeveralAnswersCounts) {
  const std::vector<ScoredAssignment> answers = {{.values = {1, 2, 0}}, {.values = {0, 0, 3}}};
  const std::string text = written([&](io::OutputFile& output) { write_assignments(answers, output); });
  EXPECT_EQ(text, "MAP\n2\n3 1 2 0\n3 0 0 3\n");
  EXPECT_EQ(read_assignment(source_of(text), factorless_graph(3)), answers[0].values);
}

TEST(SolutionFileTest, AssignmentsSurvive) {
  const Assignment values = {1, 2, 0};
  const std::string text = written([&](io::OutputFile& output) { write_assignment(values, output); });
  EXPECT_EQ(text, "MAP\n3 1 2 0\n");
  EXPECT_EQ(read_assignment(source_of(text), factorless_graph(3)), values);
}

TEST(SolutionFileTest, RefusesAssignmentsOfOtherModels) {
  const auto of = [](std::string_view text) {
    return solution_refusal([&] { read_assignment(source_of(text), factorless_graph(3)); });
  };
  EXPECT_THAT(of("MAP\n2 1 0"), AllOf(StartsWith("memory:2: "), HasSubstr("3 numbers, where an answer has 4")));
  EXPECT_THAT(of("MAP\n2 1 0 0"), HasSubstr("the number of variables is 2, but the model has 3"));
  EXPECT_THAT(of("MAP\n2\n3 1 0 0"), HasSubstr("5 numbers, where an answer has 4"));
  EXPECT_THAT(of("0\n0\n4"),
              AllOf(StartsWith("memory:3: "), HasSubstr("the value of variable 2 is 4"), HasSubstr("from 0 to 3")));
  testing::expect_messages(of, {{"0 0 0.5", "is 0.5"},
                                {"MAR 3 0 0 0", "'MAR'"},
                                {"0 0 0 0 0 0", "6 numbers, where an answer has 4"},
                                {"MAP\n3\n3 0 0 0\n3 0 0 0", "9 numbers, where an answer has 4"},
                                {"", "0 numbers"}});
}

TEST(SolutionFileTest, MarginalsSurvive) {
  const MarginalTable marginals = {{0.25, 0.75}, {0, 1, 1e-9}};
  const std::string text = written([&](io::OutputFile& output) { write_marginals(marginals, output); });
  EXPECT_EQ(text, "MAR\n2 2 0.25 0.75 3 0 1 1e-09\n");
  EXPECT_EQ(read_marginals(source_of(text), factorless_graph(2)), marginals);
  EXPECT_EQ(read_marginals(source_of("MAR\n1\n2 2 0.25 0.75 3 0 1 1e-09"), factorless_graph(2)), marginals);
}

TEST(SolutionFileTest, RefusesMarginalsOfOtherModels) {
  const auto of = [](std::string_view text) {
    return solution_refusal([&] { read_marginals(source_of(text), factorless_graph(2)); });
  };
  testing::expect_messages(of, {{"MAP\n2 2 0.25 0.75 3 0 1 0", "'MAP', not MAR"},
                                {"MAR\n3 2 0.25 0.75 3 0 1 0", "the number of variables is 3"},
                                {"MAR\n2 2 0.25 0.75 2 0 1 0", "the cardinality of variable 1 is 2"},
                                {"MAR\n2 2 0.25 0.75 3 0 1", "7 numbers, where an answer has 8"}});
  EXPECT_THAT(of("MAR\n2 2 0.25\n1.75 3 0 1 0"), AllOf(StartsWith("memory:3: "), HasSubstr("1.75")));
  EXPECT_THAT(of("MAR\n2 2 -0.25 0.75 3 0 1 0"), HasSubstr("-0.25"));
  EXPECT_THAT(of(""), HasSubstr("the word MAR"));
}

TEST(SolutionFileTest, LogPartitionsSurvive) {
  for (const double log_z : {0.1, -1234.5678, 1e5, -std::numeric_limits<double>::infinity()}) {
    const std::string text = written([&](io::OutputFile& output) { write_log_partition(log_z, output); });
    const double again = read_log_partition(source_of(text));
    if (std::isinf(log_z)) EXPECT_EQ(again, log_z);
    else EXPECT_NEAR(again, log_z, 1e-15 * std::abs(log_z));
  }
  EXPECT_NEAR(read_log_partition(source_of("PR\n2")), std::log(100), 1e-15);
  EXPECT_NEAR(read_log_partition(source_of("PR\n1\n2")), std::log(100), 1e-15);
}

TEST(SolutionFileTest, RefusesWhatIsNoLogPartition) {
  const auto of = [](std::string_view text) { return solution_refusal([&] { read_log_partition(source_of(text)); }); };
  EXPECT_THAT(of("PR"), HasSubstr("exactly one log10 Z"));
  EXPECT_THAT(of("PR\n2\n3"), HasSubstr("exactly one log10 Z"));
  EXPECT_THAT(of("PR\n1\n3\n4"), AllOf(StartsWith("memory:4: "), HasSubstr("more than one answer")));
  EXPECT_THAT(of("PR\nnan"), HasSubstr("finite number"));
  EXPECT_THAT(of("2"), HasSubstr("'2', not PR"));
}

TEST(SolutionFileTest, MarginalMapsSurvive) {
  const Evidence values = {{2, 3}, {0, 1}};
  const std::string text = written([&](io::OutputFile& output) { write_marginal_map(values, output); });
  EXPECT_EQ(text, "MMAP\n2 2 3 0 1\n");
  EXPECT_EQ(read_marginal_map(source_of(text), factorless_graph(3)), values);
  EXPECT_EQ(read_marginal_map(source_of("MMAP\n1\n2 2 3 0 1"), factorless_graph(3)), values);
  EXPECT_EQ(read_marginal_map(source_of("MMAP 0"), factorless_graph(0)), Evidence{});
}

TEST(SolutionFileTest, RefusesMarginalMapsOfOtherModels) {
  const auto of = [](std::string_view text) {
    return solution_refusal([&] { read_marginal_map(source_of(text), factorless_graph(3)); });
  };
  testing::expect_messages(of, {{"MMAP", "0 numbers"},
                                {"MMAP\n2\n1 0 0", "4 numbers"},
                                {"MMAP\n2 0 0", "2 values are announced, but 1 follow"},
                                {"MMAP\n1 3 0", "a variable is 3"},
                                {"MMAP\n1 0 2", "the value of variable 0 is 2"},
                                {"MMAP\n2 0 0 0 1", "given twice"}});
}

}  // namespace
}  // namespace fovea::graph
