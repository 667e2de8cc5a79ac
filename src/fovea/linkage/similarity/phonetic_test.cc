// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/phonetic.h"

#include <gtest/gtest.h>

#include <utility>

namespace fovea::linkage {
namespace {

TEST(SoundexTest, HasThePublishedCodes) {
  const std::pair<const char*, const char*> codes[] = {
      // The National Archives' page "Soundex System".
      {"Washington", "W252"},
      {"Lee", "L000"},
      {"Gutierrez", "G362"},
      {"Pfister", "P236"},
      {"Jackson", "J250"},
      {"Tymczak", "T522"},
      {"VanDeusen", "V532"},
      {"Ashcraft", "A261"},
      // Knuth, The Art of Computer Programming 3, section 6.
      {"Euler", "E460"},
      {"Gauss", "G200"},
      {"Hilbert", "H416"},
      {"Knuth", "K530"},
      {"Lloyd", "L300"},
      {"Lukasiewicz", "L222"},
      {"Wachs", "W200"},
      {"Ellery", "E460"},
      {"Ghosh", "G200"},
      {"Heilbronn", "H416"},
      {"Kant", "K530"},
      {"Liddy", "L300"},
      {"Lissajous", "L222"},
      {"Waugh", "W200"},
      // Widely printed.
      {"Robert", "R163"},
      {"Rupert", "R163"},
      {"Rubin", "R150"},
      {"Ashcroft", "A261"},
      {"Honeyman", "H555"},
      // W, like H, separates nothing; a vowel does.
      {"Bakwcer", "B260"},
      {"Bakacer", "B226"},
  };
  for (const auto& [name, code] : codes) EXPECT_EQ(soundex(name), code) << name;
}

TEST(SoundexTest, FoldsLettersAndLeavesOutTheRest) {
  EXPECT_EQ(soundex("Łukasiewicz"), "L222");
  EXPECT_EQ(soundex("GÖDEL"), soundex("godel"));
  EXPECT_EQ(soundex("O'Brien"), "O165");
  EXPECT_EQ(soundex("van Deusen"), soundex("VanDeusen"));
  for (const char* text : {"", "123", "漢字", "-"}) EXPECT_EQ(soundex(text), "") << text;
}

TEST(MetaphoneTest, HasThePublishedCodes) {
  const std::pair<const char*, const char*> codes[] = {
      {"metaphone", "MTFN"}, {"testing", "TSTNK"}, {"The", "0"},         {"quick", "KK"},     {"brown", "BRN"},
      {"fox", "FKS"},        {"jumped", "JMPT"},   {"over", "OFR"},      {"lazy", "LS"},      {"dogs", "TKS"},
      {"Thumb", "0M"},       {"Hey", "H"},         {"Lawrence", "LRNS"}, {"Philips", "FLPS"}, {"which", "WX"},
  };
  for (const auto& [word, code] : codes) EXPECT_EQ(metaphone(word), code) << word;
}

/// One word or more for every line of the table in the header.
TEST(MetaphoneTest, FollowsEveryRule) {
  const std::pair<const char*, const char*> codes[] = {
      {"Abbott", "ABT"},       {"account", "AKKNT"}, {"accept", "AKSPT"},  {"Matthew", "M0"},  // doubled
      {"Aebersold", "EBRSLT"}, {"Gnome", "NM"},      {"Knight", "NT"},     {"Pneuma", "NM"},
      {"Wright", "RT"},  // initial
      {"Xavier", "SFR"},       {"White", "WT"},      {"Aaron", "ARN"},     {"Lamb", "LM"},
      {"Lambert", "LMBRT"},    {"Bob", "BB"},  // B
      {"science", "SNS"},      {"scythe", "S0"},     {"Garcia", "KRX"},    {"Church", "XRX"},
      {"Schmidt", "SKMTT"},    {"Cecil", "SSL"},     {"Cyr", "SR"},        {"Carl", "KRL"},   // C
      {"Edge", "EJ"},          {"Hodgins", "HJNS"},  {"Edgar", "ETKR"},    {"David", "TFT"},  // D
      {"Vaughn", "FN"},        {"Hugh", "HK"},       {"Ghent", "KNT"},     {"sign", "SN"},
      {"signed", "SNT"},       {"Wagner", "WKNR"},   {"George", "JRJ"},    {"bigger", "BKR"},
      {"Gary", "KR"},  // G
      {"Sarah", "SR"},         {"Noah", "N"},        {"Abraham", "ABRHM"}, {"Rhodes", "RHTS"},
      {"Cohen", "KHN"},                                                                    // H
      {"Becker", "BKR"},       {"Baker", "BKR"},                                           // K
      {"Ralph", "RLF"},        {"Paul", "PL"},                                             // P
      {"Quinn", "KN"},         {"Vera", "FR"},       {"Zoe", "S"},                         // Q V Z
      {"Shaw", "X"},           {"Asia", "AX"},       {"vision", "FXN"},    {"Sam", "SM"},  // S
      {"Croatia", "KRX"},      {"nation", "NXN"},    {"Smith", "SM0"},     {"Mitchell", "MXL"},
      {"Tom", "TM"},  // T
      {"Wade", "WT"},          {"Howl", "HL"},       {"Yale", "YL"},       {"Mary", "MR"},
      {"Maya", "MY"},                                                                       // W Y
      {"Max", "MKS"},                                                                       // X
      {"Finn", "FN"},          {"Jill", "JL"},       {"Mimi", "MM"},       {"Rory", "RR"},  // as they are
  };
  for (const auto& [word, code] : codes) EXPECT_EQ(metaphone(word), code) << word;
}

TEST(MetaphoneTest, FoldsLettersAndLeavesOutTheRest) {
  EXPECT_EQ(metaphone("Müller"), "MLR");
  EXPECT_EQ(metaphone("O'Brien"), "OBRN");
  for (const char* text : {"", "123", "漢字"}) EXPECT_EQ(metaphone(text), "") << text;
}

}  // namespace
}  // namespace fovea::linkage
