// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/linkage/generate/household.h"
#include "fovea/linkage/generate/people_names.h"
#include "fovea/linkage/generate/places.h"

namespace fovea::linkage {

struct PeopleOptions {
  int records = 100000;
  double duplicates = 0.5;
  double errors = 1;

  static void describe(auto&& visit) {
    visit(&PeopleOptions::records,
          number_in(1, 1e8, "records", "Number of records to write; exactly this many are written."));
    visit(&PeopleOptions::duplicates,
          number_in(0, 100, "duplicates",
                    "Average number of further records of a person. Its law is geometric: with 0.5, a third of the "
                    "records are duplicates, and a person in nine has three records or more."));
    visit(&PeopleOptions::errors,
          number_in(0, 20, "errors",
                    "Factor of the rates of all mistakes, short forms and missing cells; with 0, records differ only "
                    "by moves, marriages and second telephones."));
  }
};

/// Probabilities that a record's cells are missing, mistaken or in another form. All are guesses of the size that one
/// meets in registers of patients and customers; the rates of a record are multiplied by its carelessness, exponential
/// with mean 1, so that mistakes come together.
struct RecordErrorRates {
  double given_missing = 0.01, initial = 0.04, nickname = 0.12, given_mistyped = 0.03;
  double surname_missing = 0.005, surname_mistyped = 0.03, names_swapped = 0.01;
  double sex_missing = 0.03, sex_wrong = 0.003;
  double born_missing = 0.04, born_swapped = 0.008, born_misread = 0.015;
  double address_missing = 0.05, street_abbreviated = 0.3, street_mistyped = 0.03, house_number_misread = 0.01;
  double postcode_missing = 0.03, postcode_misread = 0.01, city_mistyped = 0.015;
  double phone_missing = 0.2, phone_misread = 0.01, phone_reformatted = 0.4;
  double email_missing = 0.4, email_mistyped = 0.008;
};
inline constexpr RecordErrorRates kRecordErrorRates;

/// A made-up register of people for record linkage: which records are of one person?
///
/// People come in households (household.h), whose members share surname, address and fixed telephone, so that brothers,
/// sisters, twins, and sons named after their fathers are easily confused. A person has one record or more, each with
/// the state of affairs on its day: who moved has another address, who married another surname. Then it is written with
/// mistakes. Names, places and mistakes: people_names.h, places.h, typing_errors.h.
///
/// Records come in random order. Eight bytes are kept for each, and 14 MB of names in all; the text of a record is made
/// on demand from the stream of its household and its own, so that it does not depend on other records.
class GeneratedPeople {
 public:
  enum Column : std::size_t {
    kId,          ///< from 1, in the order of the file
    kGiven,       ///< given name
    kSurname,     ///< family name
    kSex,         ///< F or M
    kBorn,        ///< YYYY-MM-DD, as all dates
    kStreet,      ///< without the house number
    kHouse,       ///< number
    kPostcode,    ///< five digits
    kCity,        ///< name
    kPhone,       ///< fixed, shared by the household, or mobile, the person's own, in several formats
    kEmail,       ///< the person's own
    kUpdated,     ///< day of the record
    kHousehold,   ///< truth: with whom the person lived that day, "h12"; who lived alone is "h12.3"
    kEntity,      ///< truth: the person, "p12.3"
    kColumnCount  ///< not a column
  };
  using Cells = std::array<std::string, kColumnCount>;
  /// Names of the columns.
  static const std::vector<std::string>& columns();

  /// Only children of `world` are drawn from. Throws UsageError unless validate(options) holds.
  GeneratedPeople(const PeopleOptions& options, const Random& world);

  std::size_t record_count() const { return records_.size(); }
  /// Replaces `cells` by the record with this number from 0.
  void write(std::size_t record, Cells& cells) const;

 private:
  struct Record {
    std::uint32_t household;
    std::uint16_t member, copy;  // the person's record, from 0
  };

  void draw_records(const PeopleOptions& options);
  Random household_stream(std::uint32_t household) const { return world_.child("household", household); }

  Random world_;
  double errors_;
  PeopleNames names_;
  Places places_;
  HouseholdWriter households_;
  std::vector<Record> records_;
};

}  // namespace fovea::linkage
