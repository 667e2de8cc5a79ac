// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/evidence_file.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/factorless_graph.h"
#include "tests/support/temporary_folder.h"

namespace fovea::graph {
namespace {

using testing::factorless_graph;

const ModelNames kNames = {.model = "m",
                           .variables = {"smoke", "2", "x"},
                           .values = {{"yes", "no"}, {"1", "0", "a,b"}, {"p", "q", "<=5", "="}}};

Evidence read_evidence_text(std::string_view text, std::size_t variables = 3) {
  return read_evidence(io::ByteSource::from_memory(text, "memory"), factorless_graph(variables));
}
std::string evidence_refusal(std::string_view text) {
  return message_of<InputError>([&] { read_evidence_text(text); });
}
Evidence parse(std::string_view text) { return parse_evidence(text, factorless_graph(3), kNames); }
std::string parse_refusal(std::string_view text) {
  return message_of<UsageError>([&] { parse(text); });
}

TEST(EvidenceFileTest, ReadsBothForms) {
  const Evidence expected = {{2, 3}, {0, 1}};
  EXPECT_EQ(read_evidence_text("2 2 3 0 1"), expected);
  EXPECT_EQ(read_evidence_text("1\n2 2 3\n0 1\n"), expected);
  EXPECT_EQ(read_evidence_text("1 1 0"), (Evidence{{1, 0}}));
  EXPECT_EQ(read_evidence_text("1\n1 1 0"), (Evidence{{1, 0}}));
  for (const char* none : {"", "\n", "0", "0\n", "1\n0\n"}) EXPECT_EQ(read_evidence_text(none), Evidence{}) << none;
  EXPECT_EQ(read_evidence_text("0", 0), Evidence{});
}

TEST(EvidenceFileTest, ReadsOneOfSeveralSamples) {
  const auto sample = [](std::size_t number) {
    return read_evidence(io::ByteSource::from_memory("3\n1 2 3\n0\n2 0 1 1 0\n", "memory"), factorless_graph(3),
                         number);
  };
  EXPECT_EQ(sample(1), (Evidence{{2, 3}}));
  EXPECT_EQ(sample(2), Evidence{});
  EXPECT_EQ(sample(3), (Evidence{{0, 1}, {1, 0}}));
  EXPECT_THAT(message_of<InputError>([&] { sample(0); }),
              AllOf(HasSubstr("3 samples of evidence"), HasSubstr("option 'evidence-sample', 1 to 3")));
  EXPECT_THAT(message_of<InputError>([&] { sample(4); }), HasSubstr("no sample 4"));
}

TEST(EvidenceFileTest, RefusesOneCorruptionAtATime) {
  EXPECT_THAT(evidence_refusal("2 2 3 0"),
              AllOf(StartsWith("memory:1: "), HasSubstr("2 observed variables are announced")));
  EXPECT_THAT(evidence_refusal("1 2 2 3 0"), HasSubstr("before several samples, write their number"));
  EXPECT_THAT(evidence_refusal("1"), HasSubstr("but 0 numbers follow"));
  EXPECT_THAT(evidence_refusal("2\n2 3\n0 2"),
              AllOf(StartsWith("memory:3: "), HasSubstr("the value of variable 0 is 2")));
  EXPECT_THAT(evidence_refusal("1\n3 0"),
              AllOf(StartsWith("memory:2: "), HasSubstr("a variable is 3"), HasSubstr("0 to 2")));
  EXPECT_THAT(evidence_refusal("1 -1 0"), HasSubstr("a variable is -1"));
  EXPECT_THAT(evidence_refusal("1 0 0.5"), HasSubstr("is 0.5"));
  EXPECT_THAT(evidence_refusal("2 1 0\n1 0"), AllOf(StartsWith("memory:2: "), HasSubstr("observed twice")));
  EXPECT_THAT(evidence_refusal("1 0 yes"), HasSubstr("'yes'; it must be a finite number"));
  EXPECT_THAT(evidence_refusal("9 0 0 0 0 0 0 0 0 0"), HasSubstr("9 samples of evidence"));
  EXPECT_THAT(message_of<InputError>([] { read_evidence_text("1 0 0", 0); }), HasSubstr("but the model has none"));
}

TEST(EvidenceFileTest, ParsesNamesAndNumbers) {
  EXPECT_EQ(parse(""), Evidence{});
  EXPECT_EQ(parse("smoke=no"), (Evidence{{0, 1}}));
  EXPECT_EQ(parse("0=1,2=1,x=<=5"), (Evidence{{0, 1}, {1, 0}, {2, 2}}));  // the names 2 and 1 count before numbers
  EXPECT_EQ(parse("2=a,b,x=="), (Evidence{{1, 2}, {2, 3}}));
  EXPECT_EQ(parse_evidence("2=1", factorless_graph(3), {}), (Evidence{{2, 1}}));
  const ModelNames strange = {.model = "m", .variables = {"a,b", "c=d", "say \"e\""}, .values = {}};
  EXPECT_EQ(parse_evidence(R"("a,b"=1,"c=d"=2,"say ""e"""=3)", factorless_graph(3), strange),
            (Evidence{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_THROW(parse_evidence(R"("a,b=1)", factorless_graph(3), strange), UsageError);
}

TEST(EvidenceFileTest, RefusesUnknownNamesWithASuggestion) {
  EXPECT_THAT(parse_refusal("smoek=yes"), AllOf(HasSubstr("no variable 'smoek'"), HasSubstr("Did you mean 'smoke'?")));
  EXPECT_THAT(parse_refusal("smoke=yse"), AllOf(HasSubstr("no value of 'smoke' 'yse'"), HasSubstr("'yes'")));
  testing::expect_messages(parse_refusal, {{"smoke=2", "numbers are 0 to 1"},
                                           {"3=0", "numbers are 0 to 2"},
                                           {"smoke", "variable=value"},
                                           {"smoke=yes,0=no", "'smoke' is given twice"},
                                           {"smoke=yes,no", "'yes,no'"}});
}

TEST(EvidenceFileTest, TheArgumentIsAListOrAFile) {
  const testing::TemporaryFolder folder;
  const FactorGraph graph = factorless_graph(3);
  testing::write_file(folder / "a=b.evid", "1 0 1");
  EXPECT_EQ(evidence_argument("", graph, kNames), Evidence{});
  EXPECT_EQ(evidence_argument("smoke=no", graph, kNames), (Evidence{{0, 1}}));
  EXPECT_EQ(evidence_argument(folder / "a=b.evid", graph, kNames), (Evidence{{0, 1}}));
  EXPECT_THAT(message_of<InputError>([&] { evidence_argument(folder / "absent", graph, kNames); }),
              HasSubstr("or a list such as smoke=yes"));
}

TEST(EvidenceFileTest, ReadsQueries) {
  const auto query = [](std::string_view text) {
    return read_query(io::ByteSource::from_memory(text, "memory"), factorless_graph(3));
  };
  EXPECT_EQ(query("2\n2 0"), (std::vector<VariableId>{2, 0}));
  EXPECT_EQ(query("0"), std::vector<VariableId>{});
  const auto query_refusal = [&](std::string_view text) { return message_of<InputError>([&] { query(text); }); };
  testing::expect_messages(query_refusal, {{"", "the number of query variables"},
                                           {"2 0", "2 query variables are announced, but 1 numbers follow"},
                                           {"2 0 3", "a variable is 3"},
                                           {"2 1 1", "asked for twice"},
                                           {"4 0 1 2 1", "more than 4 numbers"}});
}

}  // namespace
}  // namespace fovea::graph
