// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/read_model.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"
#include "tests/support/same_graph.h"
#include "tests/support/temporary_folder.h"

namespace fovea::graph {
namespace {

TEST(ModelFileTest, NamesTellTheFormat) {
  for (const char* path : {"a.uai", "x.y/a.b.uai.gz", ".uai", "a.uai.xz", "a.uai.zst"})
    EXPECT_EQ(model_format_of(path), "uai") << path;
  EXPECT_EQ(model_format_of("asia.bif.gz"), "bif");
  for (const char* format : {"wcsp", "cfn", "h5"}) EXPECT_EQ(model_format_of(std::string("a.") + format), format);
  for (const char* path : {"uai", "a.uai.txt", "a.gz", "x.uai/a", "-", ""})
    EXPECT_THAT(message_of<UsageError>([&] { model_format_of(path); }), HasSubstr("does not tell the format")) << path;
}

TEST(ModelFileTest, ModelsSurvivePackedOrUnderOtherNames) {
  const testing::TemporaryFolder folder;
  const ModelFile model{.graph = testing::random_graph({}, 1)};
  for (const char* name : {"a.uai", "a.uai.gz", "a.uai.xz", "a.uai.zst", "a.cfn", "a.cfn.gz"}) {
    write_model(folder / name, model);
    testing::expect_same_graph(read_model(folder / name).graph, model.graph, 1e-15);
  }
  write_model(folder / "a.txt", model, "uai");
  testing::expect_same_graph(read_model(folder / "a.txt", "uai").graph, model.graph, 1e-15);
}

TEST(ModelFileTest, UnknownFormatsAreUsageErrors) {
  EXPECT_THAT(message_of<UsageError>([] { read_model("a.uai", "uia"); }), HasSubstr("Did you mean 'uai'?"));
  EXPECT_THAT(message_of<UsageError>([] { write_model("a.uai", {}, "xml"); }), HasSubstr("unknown model format 'xml'"));
  EXPECT_THAT(message_of<UsageError>([] { write_model("a.h5", {}); }),
              HasSubstr("format h5 can be read but not written"));
  EXPECT_THROW(read_model("absent.uai"), InputError);
}

}  // namespace
}  // namespace fovea::graph
