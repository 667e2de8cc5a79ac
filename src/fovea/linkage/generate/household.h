// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/generate/people_names.h"
#include "fovea/linkage/generate/places.h"

namespace fovea::linkage {

/// Days since 1970-01-01.
using Day = std::int32_t;
inline constexpr Day kNever = std::numeric_limits<Day>::max();
inline constexpr double kDaysOfYear = 365.25;
/// Records are written from 2005-01-01 to 2024-12-31; nobody is born later.
inline constexpr Day kFirstRecordDay = 12784, kLastRecordDay = 20088;

struct Person {
  Sex sex = Sex::kFemale;
  std::uint32_t given = 0;                     ///< ranks in PeopleNames
  std::uint32_t surname = 0, new_surname = 0;  ///< until and from `married`
  Day born = 0;
  Day married = kNever;
  Day home_from = std::numeric_limits<Day>::min(), home_until = kNever;  ///< lives with the household; else alone
  bool prefers_mobile = false;

  bool is_at_home(Day day) const { return home_from <= day && day < home_until; }
  std::uint32_t surname_at(Day day) const { return day < married ? surname : new_surname; }
};

/// People who live together, or did at some time since 2005.
struct Household {
  std::uint32_t city = 0;       ///< where it has its roots
  std::vector<Person> members;  ///< one or two adults, then their children by age
};

/// A place where a household, or a member of it who is alone, lives for a time.
struct Dwelling {
  Address address;
  std::uint32_t landline;  ///< six digits behind the area code
};

/// Draws households, each a function of its stream alone: an adult or a couple, with the children that they have by the
/// end of 2024, grown up or not.
///
/// Measured: 28 % of the households are a person alone (United States census of 2020; here also those who live alone
/// before or after); 31 of 1000 births are of twins (National Center for Health Statistics, 2021); a woman has her
/// first child at 27.3 years on average (the same, 2021); 79 % of the wives take their husbands' surname (Pew Research
/// Center, 2023); 9.8 % of the people move in a year (Current Population Survey, 2019), 65 % of them within their
/// county, here the city. Guesses: all else, such as that 3 % of the first sons have their fathers' given name. Nobody
/// dies, parts or marries again.
class HouseholdWriter {
 public:
  HouseholdWriter(const PeopleNames& names, const Places& places) : names_(names), places_(places) {}

  /// Only children of `own`, the stream of the household, are drawn from.
  void draw(const Random& own, Household& household) const;

  /// The dwelling on that day of the household, or of the member if it is not at home then.
  Dwelling dwelling(const Household& household, const Random& own, std::size_t member, Day day) const;

 private:
  void add_couple(Household& household, Random& random) const;
  void add_children(Household& household, Random& random) const;
  void add_child(Household& household, Day born, Random& random) const;
  std::uint32_t draw_child_name(const Household& household, Sex sex, Random& random) const;
  void leave_home(Person& child, Random& random) const;

  const PeopleNames& names_;
  const Places& places_;
};

}  // namespace fovea::linkage
