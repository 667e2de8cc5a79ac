// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/household.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace fovea::linkage {
namespace {

// Measured: the header names the sources. Of the deliveries, half as many as of the births are of twins.
constexpr double kAlone = 0.28, kTwinDelivery = 0.0158, kAgeAtFirstChild = 27.3, kTakesSurname = 0.79;
constexpr double kMovesPerYear = 0.098, kStaysInCity = 0.65;

// Guesses, in years and probabilities.
constexpr double kYoungestAdult = 20, kOldestAdult = 92, kSpreadAtFirstChild = 5.5;
constexpr double kHusbandOlder = 2.3, kSpreadOfHusband = 4;
constexpr double kAgeAtMarriage = 27.5, kSpreadAtMarriage = 5;
constexpr double kLeastSpacing = 1.2, kMeanSpacing = 1.8;
constexpr double kAgeWhenLeaving = 23, kSpreadWhenLeaving = 3, kMarriesLater = 0.6, kYearsToMarriage = 5;
constexpr double kSingleParent = 0.12, kFatherAlone = 0.2;
constexpr double kJunior = 0.03, kMobileIfYoung = 0.8, kMobileIfOld = 0.4;
constexpr double kYoungSince = 1980;
constexpr std::array kChildren = {.20, .22, .37, .15, .06};  // 0, 1, ... planned

Day days(double years) { return static_cast<Day>(std::lround(years * kDaysOfYear)); }

double draw_age(double mean, double spread, double least, double most, Random& random) {
  return std::clamp(mean + spread * random.normal(), least, most);
}

void choose_telephone(Person& person, Random& random) {
  const bool is_young = person.born >= days(kYoungSince - 1970);
  person.prefers_mobile = random.bernoulli(is_young ? kMobileIfYoung : kMobileIfOld);
}

/// The number of times that somebody has moved by `day` since records began; moves follow each other by chance.
std::uint32_t count_moves(Day day, Random random) {
  std::uint32_t moves = 0;
  for (double at = kFirstRecordDay; moves < 1000; ++moves) {
    at += random.exponential() / kMovesPerYear * kDaysOfYear;
    if (at > day) break;
  }
  return moves;
}

/// The man among the adults, or null. Only in a couple is the first adult married.
const Person* father_of(const Household& household) {
  const Person& first = household.members.front();
  if (first.sex == Sex::kMale) return &first;
  return first.married != kNever ? &household.members[1] : nullptr;
}

bool has_brother(const Household& household) {
  const Person* father = father_of(household);
  return std::ranges::any_of(household.members, [&](const Person& p) { return p.sex == Sex::kMale && &p != father; });
}

}  // namespace

void HouseholdWriter::draw(const Random& own, Household& household) const {
  Random random = own.child("members");
  household.city = places_.draw_city(random);
  household.members.clear();
  const double age = kYoungestAdult + (kOldestAdult - kYoungestAdult) * random.uniform_index(1U << 20) / (1U << 20);
  const bool is_alone = random.bernoulli(kAlone), is_single_parent = !is_alone && random.bernoulli(kSingleParent);
  Person adult;
  const bool is_man = random.bernoulli(is_single_parent ? kFatherAlone : is_alone ? 0.5 : 0);
  adult.sex = is_man ? Sex::kMale : Sex::kFemale;
  adult.given = names_.draw_given(random);
  adult.surname = adult.new_surname = names_.draw_surname(random);
  adult.born = kLastRecordDay - days(age);
  choose_telephone(adult, random);
  household.members.push_back(adult);
  if (is_alone) return;
  if (!is_single_parent) add_couple(household, random);
  add_children(household, random);
}

/// Gives the woman a husband. Before they married, she lived alone and had her own surname.
void HouseholdWriter::add_couple(Household& household, Random& random) const {
  Person husband;
  Person& wife = household.members.front();
  husband.sex = Sex::kMale;
  husband.given = names_.draw_given(random);
  husband.surname = husband.new_surname = names_.draw_surname(random);
  husband.born = wife.born - days(kHusbandOlder + kSpreadOfHusband * random.normal());
  if (husband.born > kLastRecordDay - days(kYoungestAdult)) husband.born = wife.born;
  choose_telephone(husband, random);
  const double age = draw_age(kAgeAtMarriage, kSpreadAtMarriage, kYoungestAdult - 1, 45, random);
  wife.married = wife.home_from = std::min(wife.born + days(age), kLastRecordDay);
  if (random.bernoulli(kTakesSurname)) wife.new_surname = husband.surname;
  household.members.push_back(husband);
}

/// The first adult's age decides when. A couple marries before its first child.
void HouseholdWriter::add_children(Household& household, Random& random) const {
  const std::uint32_t planned = random.categorical(std::span<const double>(kChildren));
  const Day first =
      household.members.front().born + days(draw_age(kAgeAtFirstChild, kSpreadAtFirstChild, 17, 42, random));
  Day born = first;
  for (std::uint32_t child = 0; child < planned && born <= kLastRecordDay; ++child) {
    add_child(household, born, random);
    if (random.bernoulli(kTwinDelivery)) add_child(household, born, random);
    born += days(kLeastSpacing + kMeanSpacing * random.exponential());
  }
  Person& mother = household.members.front();
  if (planned > 0 && first <= kLastRecordDay && mother.married != kNever)
    mother.married = mother.home_from = std::min(mother.married, first - days(0.5));
}

void HouseholdWriter::add_child(Household& household, Day born, Random& random) const {
  const Person* father = father_of(household);
  Person child;
  child.sex = random.bernoulli(0.5) ? Sex::kMale : Sex::kFemale;
  child.given = draw_child_name(household, child.sex, random);
  child.surname = child.new_surname = (father ? *father : household.members.front()).surname;
  child.born = born;
  choose_telephone(child, random);
  leave_home(child, random);
  household.members.push_back(child);
}

/// Draws a name that no sister or brother has. The first son may have his father's.
std::uint32_t HouseholdWriter::draw_child_name(const Household& household, Sex sex, Random& random) const {
  const auto has_name = [&](std::uint32_t given) {
    return std::ranges::any_of(household.members, [&](const Person& p) { return p.sex == sex && p.given == given; });
  };
  const Person* father = father_of(household);
  const bool is_junior = random.bernoulli(kJunior);
  if (is_junior && sex == Sex::kMale && father && !has_brother(household)) return father->given;
  std::uint32_t given = names_.draw_given(random);
  while (has_name(given)) given = names_.draw_given(random);
  return given;
}

/// Grown-up children live alone from some day on; daughters may marry, and take another surname.
void HouseholdWriter::leave_home(Person& child, Random& random) const {
  child.home_until = child.born + days(draw_age(kAgeWhenLeaving, kSpreadWhenLeaving, 17, 40, random));
  if (child.sex == Sex::kMale || !random.bernoulli(kMarriesLater)) return;
  child.married = child.home_until + days(kYearsToMarriage * random.exponential());
  if (random.bernoulli(kTakesSurname)) child.new_surname = names_.draw_surname(random);
}

Dwelling HouseholdWriter::dwelling(const Household& household, const Random& own, std::size_t member, Day day) const {
  const std::size_t unit = household.members[member].is_at_home(day) ? 0 : 1 + member;
  constexpr std::uint64_t kMostMoves = 1024;
  const std::uint32_t moves = count_moves(day, own.child("moves", unit));
  Random random = own.child("dwelling", unit * kMostMoves + moves);
  const std::uint32_t city = random.bernoulli(kStaysInCity) ? household.city : places_.draw_city(random);
  const Address address = places_.draw_address(city, random);
  return {address, 100000 + random.uniform_index(900000)};
}

}  // namespace fovea::linkage
