// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/opengm/opengm_hdf5.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "fovea/base/error.h"
#include "tests/support/data.h"
#include "tests/support/expect_error.h"
#include "tests/support/hdf5_writer.h"

namespace fovea::graph {
namespace {

using testing::Hdf5Writer;
using Numbers = std::vector<std::uint64_t>;

/// An OpenGM model as its file holds it: one type of function, each used once by the factor with the same number.
struct TinyModel {
  Numbers header = {2, 0, 3, 2, 1, 16000, 2, 1};
  Numbers states = {2, 3, 2};
  Numbers factors = {0, 0, 1, 2, /**/ 1, 0, 2, 0, 1};
  std::uint64_t type = 16000;
  Numbers indices = {1, 2, /**/ 2, 2, 3};
  std::vector<double> values = {0.5, 1.5, /**/ 0, 1, 2, 3, 4, 5};

  void write(Hdf5Writer& writer, const std::string& group) const {
    writer.add_group(group);
    writer.add(group + "/header", header);
    writer.add(group + "/numbers-of-states", states);
    writer.add(group + "/factors", factors);
    const std::string functions = fmt::format("{}/function-id-{}", group, type);
    writer.add_group(functions);
    writer.add(functions + "/indices", indices);
    writer.add(functions + "/values", values);
  }

  std::string bytes() const {
    Hdf5Writer writer;
    write(writer, "gm");
    return writer.bytes();
  }
};

FactorGraph read_opengm(const std::string& bytes, const std::string& group = "") {
  return read_opengm_hdf5(io::ByteSource::from_memory(bytes, "m.h5"), group);
}

std::string opengm_read_error(const TinyModel& model) {
  return message_of<InputError>([&] { read_opengm(model.bytes()); });
}

TEST(OpengmHdf5Test, ReadsTablesWithTheFirstVariableFastest) {
  const FactorGraph graph = read_opengm(TinyModel().bytes());
  ASSERT_EQ(graph.variable_count(), 3u);
  ASSERT_EQ(graph.factor_count(), 2u);
  EXPECT_EQ(graph.cardinality(1), 3u);
  for (Value a = 0; a < 2; ++a)
    for (Value b = 0; b < 3; ++b)
      for (Value c = 0; c < 2; ++c)
        EXPECT_EQ(graph.log_score(Assignment{a, b, c}), -(a + 2 * b) - (0.5 + c)) << a << b << c;
}

TEST(OpengmHdf5Test, SharesFunctionsAndReadsInfiniteEnergies) {
  TinyModel model;
  model.states = {2, 2, 2};
  model.factors = {0, 0, 1, 2, 0, 0, 1, 1};
  model.indices = {1, 2};
  model.values = {1, std::numeric_limits<double>::infinity()};
  model.header[6] = 1;
  const FactorGraph graph = read_opengm(model.bytes());
  EXPECT_EQ(graph.table_count(), 1u);
  EXPECT_EQ(graph.log_score(Assignment{0, 0, 0}), -2);
  EXPECT_EQ(graph.log_score(Assignment{0, 0, 1}), -std::numeric_limits<double>::infinity());
}

TEST(OpengmHdf5Test, ReadsConstantsAndOldHeaders) {
  TinyModel model;
  model.header = {2, 0, 1, 1, 1, 16000, 1};  // no type of values
  model.states = {2};
  model.factors = {0, 0, 0};
  model.indices = {0};
  model.values = {2.5};
  EXPECT_EQ(read_opengm(model.bytes()).log_score(Assignment{1}), -2.5);
}

using Energy = std::function<double(int, int, int)>;

/// Reads a model of one factor over `states` and compares each energy.
void expect_energies(std::uint64_t type, const Numbers& states, const Numbers& indices,
                     const std::vector<double>& values, const Energy& energy) {
  SCOPED_TRACE(type);
  TinyModel model = {
      .states = states, .factors = {0, 0, states.size()}, .type = type, .indices = indices, .values = values};
  model.header = {2, 0, states.size(), 1, 1, type, 1, 1};
  for (std::size_t v = 0; v < states.size(); ++v) model.factors.push_back(v);
  const FactorGraph graph = read_opengm(model.bytes());
  const auto states_of = [&](std::size_t v) { return v < states.size() ? static_cast<int>(states[v]) : 1; };
  for (int x = 0; x < states_of(0); ++x)
    for (int y = 0; y < states_of(1); ++y)
      for (int z = 0; z < states_of(2); ++z) {
        Assignment labels = {Value(x), Value(y), Value(z)};
        labels.resize(states.size());
        EXPECT_DOUBLE_EQ(-graph.log_score(labels), energy(x, y, z)) << x << y << z;
      }
}

TEST(OpengmHdf5Test, ReadsFunctionsThatAreFormulas) {
  expect_energies(16002, {3, 4}, {3, 4}, {0.5}, [](int x, int y, int) { return 0.5 * std::abs(x - y); });
  expect_energies(16003, {3, 4}, {3, 4}, {1.5, 2},
                  [](int x, int y, int) { return 2 * std::min(1.5, std::abs(x - y) + 0.); });
  expect_energies(16004, {3, 4}, {3, 4}, {0.5}, [](int x, int y, int) { return 0.5 * (x - y) * (x - y); });
  expect_energies(16005, {3, 4}, {3, 4}, {3, 2}, [](int x, int y, int) { return 2. * std::min(3, (x - y) * (x - y)); });
  expect_energies(16006, {3, 4}, {3, 4}, {-1, 7}, [](int x, int y, int) { return x == y ? -1 : 7; });
  expect_energies(16007, {2, 3, 4}, {3, 2, 3, 4}, {-1, 7},
                  [](int x, int y, int z) { return x == y && y == z ? -1 : 7; });
  expect_energies(16008, {2, 2}, {2, 2, 2}, {3.25}, [](int, int, int) { return 3.25; });
  expect_energies(16001, {2, 3}, {2, 2, 3, /**/ 2, 1, 4}, {0.5, 7, 9}, [](int x, int y, int) {
    return x == 1 && y == 0 ? 7 : x == 0 && y == 2 ? 9 : .5;
  });
  // All differ; x = y; x = z; y = z; all equal.
  expect_energies(16011, {3, 3, 3}, {3, 3, 3, 3}, {1, 2, 3, 4, 5}, [](int x, int y, int z) {
    return x == y && y == z ? 5 : y == z ? 4 : x == z ? 3 : x == y ? 2 : 1;
  });
}

TEST(OpengmHdf5Test, FindsTheOnlyGroupOrTheOneThatIsNamed) {
  Hdf5Writer writer;
  TinyModel().write(writer, "first");
  EXPECT_EQ(read_opengm(writer.bytes()).factor_count(), 2u);
  TinyModel other;
  other.values[0] = 9;
  other.write(writer, "second");
  EXPECT_EQ(read_opengm(writer.bytes(), "second").log_score(Assignment{0, 0, 0}), -9);
  EXPECT_THAT(message_of<InputError>([&] { read_opengm(writer.bytes()); }),
              AllOf(HasSubstr("m.h5: 2 groups"), HasSubstr("[first, second]"), HasSubstr("Name the group")));
  EXPECT_THAT(message_of<InputError>([&] { read_opengm(writer.bytes(), "third"); }),
              HasSubstr("'third/header' is missing"));
  EXPECT_THAT(message_of<InputError>([&] { read_opengm(Hdf5Writer().bytes()); }), HasSubstr("0 groups hold a model"));
}

struct Damage {
  const char* name;
  std::function<void(TinyModel&)> damage;
  const char* message;
};

TEST(OpengmHdf5Test, SaysWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Damage> cases = {
      {"short header", [](TinyModel& m) { m.header.resize(4); }, "'gm/header': 4 numbers"},
      {"version", [](TinyModel& m) { m.header[1] = 1; }, "version 2.1, not 2.0"},
      {"number of types", [](TinyModel& m) { m.header[4] = 2; }, "2 types of functions, but room for 1"},
      {"type", [](TinyModel& m) { m.header[5] = 16033; }, "type 16033 (field of experts) are not supported"},
      {"user's type", [](TinyModel& m) { m.header[5] = 7; }, "type 7 (unknown)"},
      {"repeated type", [](TinyModel& m) { m.header = {2, 0, 3, 2, 2, 16000, 1, 16000, 1}; }, "listed twice"},
      {"number of variables", [](TinyModel& m) { m.header[2] = 4; }, "'gm/numbers-of-states': 3 numbers, where"},
      {"no states", [](TinyModel& m) { m.states[1] = 0; }, "'gm/numbers-of-states'"},
      {"too many states", [](TinyModel& m) { m.states[1] = 65536; }, "'gm/numbers-of-states'"},
      {"function too few", [](TinyModel& m) { m.header[6] = 3; }, "'indices' ends too early"},
      {"function too many", [](TinyModel& m) { m.header[6] = 1; }, "more than the 1 functions"},
      {"rank", [](TinyModel& m) { m.indices[2] = 200; }, "ends within a function of 200 variables"},
      {"labels", [](TinyModel& m) { m.indices[1] = 0; }, "0 labels"},
      {"values", [](TinyModel& m) { m.values.pop_back(); }, "'values' is shorter than the table"},
      {"not a number", [=](TinyModel& m) { m.values[3] = nan; }, "a value is nan"},
      {"minus infinity", [](TinyModel& m) { m.values[3] = -HUGE_VAL; }, "a value is -inf"},
      {"sparse place",
       [](TinyModel& m) {
         m = {.header = {2, 0, 3, 1, 1, 16001, 1, 1},
              .factors = {0, 0, 1, 2},
              .type = 16001,
              .indices = {1, 2, 1, 2},
              .values = {0, 1}};
       },
       "a sparse function gives entry 2 of a table of 2"},
      {"factors end", [](TinyModel& m) { m.factors.pop_back(); }, "'gm/factors': ends within factor 1"},
      {"factors go on", [](TinyModel& m) { m.factors.push_back(0); }, "1 numbers follow the last factor"},
      {"factor's function", [](TinyModel& m) { m.factors[0] = 2; }, "function 2 of type 0, which does not exist"},
      {"factor's type", [](TinyModel& m) { m.factors[1] = 1; }, "function 0 of type 1, which does not exist"},
      {"factor's variable", [](TinyModel& m) { m.factors[3] = 3; }, "factor 0 names variable 3 of 3"},
      {"factor's shape", [](TinyModel& m) { m.factors[3] = 1; }, "(3) labels to a function of (2)"},
      {"variable twice",
       [](TinyModel& m) {
         m.indices[4] = 2;
         m.values.resize(6);
         m.factors[8] = 0;
       },
       "twice"},
  };
  for (const Damage& c : cases) {
    TinyModel model;
    c.damage(model);
    EXPECT_THAT(opengm_read_error(model), AllOf(HasSubstr("m.h5: "), HasSubstr(c.message), HasSubstr(". W"))) << c.name;
  }
}

TEST(OpengmHdf5Test, RefusesFormulasThatStandForHugeTables) {
  TinyModel model = {.header = {2, 0, 2, 1, 1, 16006, 1, 1}, .states = {65535, 65535}, .factors = {0, 0, 2, 0, 1}};
  model.type = 16006;
  model.indices = {65535, 65535};
  model.values = {0, 1};
  EXPECT_THAT(opengm_read_error(model), HasSubstr("67108864 in all"));
}

TEST(OpengmHdf5Test, ReadsThePublishedInpaintingModels) {
  FOVEA_DATA_OR_SKIP(path, "inpainting/triplepoint4-plain-ring.h5");
  const FactorGraph graph = read_opengm_hdf5(io::ByteSource(path));
  EXPECT_EQ(graph.variable_count(), 14400u);
  EXPECT_EQ(graph.factor_count(), 42960u);
  Assignment labels(graph.variable_count());
  EXPECT_NEAR(-graph.log_score(labels), 542553.0, 1e-6);  // computed apart from this code
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<Value>(v % 4);
  EXPECT_NEAR(-graph.log_score(labels), 574333.4857728817, 1e-6);
}

}  // namespace
}  // namespace fovea::graph
