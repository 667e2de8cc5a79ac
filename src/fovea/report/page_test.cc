// SPDX-License-Identifier: Apache-2.0
// The text of pages. tests/browser opens them in a browser.
#include "fovea/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/report/json.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

namespace fovea::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The JSON of a page, with its escapes undone.
Json data_of(const std::string& html) {
  const std::string begin = "id=\"data\">";
  const std::size_t at = html.find(begin) + begin.size();
  return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

TEST(PageTest, TextsCannotEndTheirElement) {
  const std::string hostile = "</script><img src=x onerror=alert(1)> & \"quoted\" \xff";
  Page page(hostile, hostile);
  page.add_note(hostile);
  page.add_facts(hostile, {{hostile, hostile}});
  page.add(TableOfCells{.title = hostile, .columns = {hostile}, .rows = {{hostile}}});
  const std::string html = page.html();
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_EQ(data_of(html)["blocks"][0]["text"], "</script><img src=x onerror=alert(1)> & \"quoted\" \xEF\xBF\xBD");
}

TEST(PageTest, AllowsItsOwnScriptAndStyleAlone) {
  const std::string html = Page("a", "b").html();
  EXPECT_THAT(html, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(html, HasSubstr("connect-src 'none'"));
}

TEST(PageTest, LeavesOutWhatIsNoNumber) {
  Page page("a", "b");
  page.add(Chart{.title = "c", .x = "x", .y = "y", .series = {{"s", {{1, 2}, {3, std::nan("")}}}}});
  page.add(TableOfCells{.title = "t", .columns = {"v"}, .rows = {{std::nan("")}, {1.23456789}}});
  const Json blocks = data_of(page.html())["blocks"];
  EXPECT_EQ(blocks[0]["series"][0]["points"].size(), 1u);
  EXPECT_TRUE(blocks[1]["rows"][0][0].is_null());
  EXPECT_EQ(blocks[1]["rows"][1][0], 1.23457);
}

TEST(PageTest, CountsSharesInBins) {
  const std::vector<double> shares = {0, .2, .5, .99, 1, 1.0000001, std::nan("")};
  const auto points = counts_of_shares(shares, 2);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0], (std::array<double, 2>{.25, 2}));
  EXPECT_EQ(points[1], (std::array<double, 2>{.75, 4}));
}

TEST(PageTest, ShortensTextsThatNobodyReads) {
  Page page("a", "b");
  page.add(TableOfCells{.title = "t", .columns = {"v"}, .rows = {{std::string(1'000'000, 'x')}}});
  EXPECT_LT(page.html().size(), 100'000u);
  EXPECT_THAT(data_of(page.html())["blocks"][0]["rows"][0][0].get<std::string>(), HasSubstr("... (1000000 bytes)"));
}

TEST(PageTest, IsWrittenWholeOrNotAtAll) {
  const testing::TemporaryFolder folder;
  Page("a", "b").write(folder / "page.html");
  EXPECT_THAT(testing::read_file(folder / "page.html"), HasSubstr("</html>"));
  EXPECT_THAT(testing::message_of<InputError>([&] { Page("a", "b").write(folder / "no/such.html"); }),
              HasSubstr("no/such"));
}

}  // namespace
}  // namespace fovea::report
