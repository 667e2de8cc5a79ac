// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/bif/xmlbif.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/expect_error.h"

namespace fovea::graph {
namespace {

ModelFile read(const std::string& text) { return read_xmlbif(io::ByteSource::from_memory(text, "n.xml")); }

std::string network(const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]>\n<BIF VERSION=\"0.3\"><NETWORK>\n"
         "<NAME>sprinkler &amp; rain</NAME><PROPERTY>author x</PROPERTY>\n" +
         body + "</NETWORK></BIF>\n";
}

const std::string kRain =
    "<VARIABLE TYPE=\"nature\"><NAME> rain </NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME>"
    "<PROPERTY>position = (1, 2)</PROPERTY></VARIABLE>\n";
const std::string kWet =
    "<VARIABLE "
    "TYPE=\"nature\"><NAME>wet</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME><OUTCOME>c</OUTCOME></VARIABLE>\n";
const std::string kOfRain = "<DEFINITION><FOR>rain</FOR><TABLE>0.2 <!-- of yes --> 8e-1</TABLE></DEFINITION>\n";
const std::string kOfWet =
    "<DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>.1 .2 .7\n.3 .3 .4</TABLE></DEFINITION>\n";

TEST(XmlBif, ReadsANetwork) {
  const ModelFile model = read(network(kOfWet + kRain + kWet + kOfRain));
  EXPECT_EQ(model.names.model, "sprinkler & rain");
  EXPECT_THAT(model.names.variables, ElementsAre("rain", "wet"));
  EXPECT_THAT(model.names.values[1], ElementsAre("a", "b", "c"));
  EXPECT_TRUE(model.is_bayesian);
  EXPECT_NEAR(std::exp(model.graph.log_score(std::vector<Value>{0, 2})), .2 * .7, 1e-12);
  EXPECT_NEAR(std::exp(model.graph.log_score(std::vector<Value>{1, 0})), .8 * .3, 1e-12);
}

TEST(XmlBif, SaysWhereAndWhatIsWrong) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "not well-formed XML"},
      {"<BIF><NETWORK></BIF>", "n.xml:1: not well-formed XML: mismatched tag"},
      {"<BIF/>", "no network of variables"},
      {network(kRain), "'rain' has no definition"},
      {network(kRain + kRain + kOfRain), "n.xml:6: two variables are called 'rain'"},
      {network(kRain + kOfRain + kOfRain), "n.xml:7: a second definition of 'rain'"},
      {network(kRain + kOfRain + kOfWet), "n.xml:7: no variable is called 'wet'"},
      {network(kRain + "<DEFINITION><FOR>rain</FOR><TABLE>1</TABLE></DEFINITION>"),
       "the table of 'rain' has 1 numbers where 2 should be"},
      {network(kRain + "<DEFINITION><FOR>rain</FOR><TABLE>1 x</TABLE></DEFINITION>"), "'x' is not a probability"},
      {network(kRain + "<DEFINITION><FOR>rain</FOR><TABLE>1 nan</TABLE></DEFINITION>"), "'nan' is not a probability"},
      {network(kRain + "<DEFINITION><FOR>rain</FOR><GIVEN>rain</GIVEN><TABLE>1 0 0 1</TABLE></DEFINITION>"),
       "'rain' appears twice"},
      {network("<VARIABLE TYPE=\"decision\"><NAME>d</NAME></VARIABLE>"), "a variable of type 'decision'"},
      {network("<VARIABLE><NAME>d</NAME></VARIABLE>"), "the variable 'd' has 0 outcomes"},
      {network("<VARIABLE><NAME> </NAME></VARIABLE>"), "the name of a variable has 0 bytes"},
      {network(kRain + kWet + kOfWet +
               "<DEFINITION><FOR>rain</FOR><GIVEN>wet</GIVEN><TABLE>1 0 0 1 0 1</TABLE></DEFINITION>"),
       "directed cycle"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(message_of<InputError>([&text = text] { read(text); }), HasSubstr(message)) << text;
}

/// Entities that name entities that name entities ...
TEST(XmlBif, EndlessEntitiesAreRefused) {
  std::string text = "<!DOCTYPE BIF [ <!ENTITY e0 \"0123456789\">";
  for (int i = 1; i < 12; ++i) {
    text += fmt::format("<!ENTITY e{} \"", i);
    for (int k = 0; k < 10; ++k) text += fmt::format("&e{};", i - 1);
    text += "\">";
  }
  EXPECT_THAT(message_of<InputError>([&] { read(text + "]><BIF><NAME>&e11;</NAME></BIF>"); }),
              HasSubstr("not well-formed XML"));
}

}  // namespace
}  // namespace fovea::graph
