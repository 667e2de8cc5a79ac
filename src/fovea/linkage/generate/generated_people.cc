// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/generated_people.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "fovea/linkage/generate/typing_errors.h"

namespace fovea::linkage {
namespace {

constexpr double kOtherTelephone = 0.15;  // a guess, as are the ages: records with the telephone used less
constexpr double kMobileFromAge = 14, kEmailFromAge = 12;

std::chrono::year_month_day date_of(Day day) {
  return std::chrono::year_month_day{std::chrono::sys_days{std::chrono::days{day}}};
}

std::string text_of(std::chrono::year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// The date that eight digits with hyphens name, or nothing that is ok().
std::chrono::year_month_day parse_digits(std::string_view text) {
  const auto number = [&](std::size_t begin, std::size_t size) {
    int value = 0;
    for (const char digit : text.substr(begin, size)) value = 10 * value + (digit - '0');
    return value;
  };
  return {std::chrono::year(number(0, 4)), std::chrono::month(static_cast<unsigned>(number(5, 2))),
          std::chrono::day(static_cast<unsigned>(number(8, 2)))};
}

/// Writes one record of a person, as carelessly as it is drawn.
class RecordWriter {
 public:
  RecordWriter(double errors, Random& random) : random_(random), factor_(errors * random.exponential()) {}

  /// True with the probability of a mistake at this rate.
  bool errs(double rate) { return random_.bernoulli(std::min(1.0, rate * factor_)); }

  std::string written_given(const PeopleNames& names, const Person& person) {
    std::string given = names.given(person.sex, person.given);
    if (errs(kRates.given_missing)) return "";
    if (errs(kRates.initial)) return random_.bernoulli(0.5) ? given.substr(0, 1) : given.substr(0, 1) + '.';
    if (errs(kRates.nickname)) {
      const std::string_view nickname = names.draw_nickname(person.sex, person.given, random_);
      if (!nickname.empty()) given = nickname;
    }
    return errs(kRates.given_mistyped) ? mistyped(std::move(given), random_) : given;
  }

  std::string written_surname(std::string surname) {
    if (errs(kRates.surname_missing)) return "";
    return errs(kRates.surname_mistyped) ? mistyped(std::move(surname), random_) : surname;
  }

  std::string written_sex(Sex sex) {
    if (errs(kRates.sex_missing)) return "";
    return (sex == Sex::kFemale) != errs(kRates.sex_wrong) ? "F" : "M";
  }

  /// Wrong dates exist, too: forms refuse the 30th of February.
  std::string written_born(Day born) {
    using std::chrono::day;
    using std::chrono::month;
    if (errs(kRates.born_missing)) return "";
    const std::chrono::year_month_day date = date_of(born);
    const auto number = static_cast<unsigned>(date.day());
    if (errs(kRates.born_swapped) && number <= 12)
      return text_of({date.year(), month(number), day(static_cast<unsigned>(date.month()))});
    const std::string right = text_of(date);
    if (!errs(kRates.born_misread)) return right;
    std::string wrong = misread_digits(right, random_);
    while (!parse_digits(wrong).ok()) wrong = misread_digits(right, random_);
    return wrong;
  }

  void write_address(const Places& places, const Address& address, GeneratedPeople::Cells& cells) {
    using P = GeneratedPeople;
    if (!errs(kRates.address_missing)) {
      cells[P::kStreet] = places.street(address.street, errs(kRates.street_abbreviated));
      if (errs(kRates.street_mistyped)) cells[P::kStreet] = mistyped(std::move(cells[P::kStreet]), random_);
      cells[P::kHouse] = with_digits(std::to_string(address.house_number), kRates.house_number_misread);
      cells[P::kCity] = places.city(address.city);
      if (errs(kRates.city_mistyped)) cells[P::kCity] = mistyped(std::move(cells[P::kCity]), random_);
    }
    if (!errs(kRates.postcode_missing))
      cells[P::kPostcode] = with_digits(std::to_string(address.postcode), kRates.postcode_misread);
  }

  /// `prefix`: four digits behind the 0.
  std::string written_phone(std::uint32_t prefix, std::uint32_t number) {
    if (errs(kRates.phone_missing)) return "";
    const std::uint32_t format = errs(kRates.phone_reformatted) ? 1 + random_.uniform_index(4) : 0;
    return with_digits(formatted(prefix, number, format), kRates.phone_misread);
  }

  std::string written_email(std::string email) {
    if (errs(kRates.email_missing)) return "";
    return errs(kRates.email_mistyped) ? mistyped(std::move(email), random_) : email;
  }

 private:
  static constexpr const RecordErrorRates& kRates = kRecordErrorRates;

  std::string with_digits(std::string text, double rate) {
    return errs(rate) ? misread_digits(std::move(text), random_) : text;
  }

  static std::string formatted(std::uint32_t prefix, std::uint32_t number, std::uint32_t format) {
    switch (format) {
      case 0:
        return fmt::format("0{:04} {:06}", prefix, number);
      case 1:
        return fmt::format("0{:04}/{:06}", prefix, number);
      case 2:
        return fmt::format("(0{:04}) {:06}", prefix, number);
      case 3:
        return fmt::format("+99 {:04} {:06}", prefix, number);
      default:
        return fmt::format("0{:04}{:06}", prefix, number);
    }
  }

  Random& random_;
  double factor_;
};

/// A person's numbers that never change.
struct Contact {
  std::uint32_t mobile_prefix, mobile;
  std::string email;
};

Contact draw_contact(const PeopleNames& names, const Person& person, Random random) {
  static constexpr std::array<std::string_view, 6> kProviders = {"mail.example",   "post.example", "web.example",
                                                                 "office.example", "home.example", "me.example"};
  static constexpr std::array kProviderShares = {.4, .2, .15, .1, .1, .05};
  const std::string given = names.given(person.sex, person.given), surname = names.surname(person.surname);
  std::string name;
  switch (random.uniform_index(3)) {
    case 0:
      name = given + '.' + surname;
      break;
    case 1:
      name = given.substr(0, 1) + '.' + surname;
      break;
    default:
      name = surname + given.substr(0, 1);
  }
  for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
  if (random.bernoulli(0.6)) name += fmt::format("{:02}", static_cast<int>(date_of(person.born).year()) % 100);
  name += '@';
  name += kProviders[random.categorical(std::span<const double>(kProviderShares))];
  return {7000 + random.uniform_index(1000), random.uniform_index(1000000), std::move(name)};
}

/// The number of a person's further records: geometric with this mean.
std::size_t draw_copies(double mean, Random& random) {
  if (mean <= 0) return 0;
  const double copies = std::floor(random.exponential() / std::log1p(1 / mean));
  return static_cast<std::size_t>(std::min(copies, 65534.0));
}

}  // namespace

const std::vector<std::string>& GeneratedPeople::columns() {
  static const std::vector<std::string> kNames = {"id",     "given",   "surname",   "sex",   "born",
                                                  "street", "house",   "postcode",  "city",  "phone",
                                                  "email",  "updated", "household", "entity"};
  return kNames;
}

GeneratedPeople::GeneratedPeople(const PeopleOptions& options, const Random& world)
    : world_(world),
      errors_((validate(options), options.errors)),
      names_(world.child("names")),
      places_(world.child("places")),
      households_(names_, places_) {
  draw_records(options);
}

void GeneratedPeople::draw_records(const PeopleOptions& options) {
  const auto wanted = static_cast<std::size_t>(options.records);
  records_.reserve(wanted);
  Household household;
  for (std::uint32_t number = 0; records_.size() < wanted; ++number) {
    const Random own = household_stream(number);
    households_.draw(own, household);
    Random copies = own.child("copies");
    for (std::uint16_t member = 0; member < household.members.size(); ++member) {
      const std::size_t more = draw_copies(options.duplicates, copies);
      for (std::uint16_t copy = 0; copy <= more && records_.size() < wanted; ++copy)
        records_.push_back({number, member, copy});
    }
  }
  Random order = world_.child("order");
  shuffle(std::span(records_), order);
}

void GeneratedPeople::write(std::size_t record, Cells& cells) const {
  const auto [number, member, copy] = records_[record];
  const Random own = household_stream(number);
  Household household;
  households_.draw(own, household);
  const Person& person = household.members[member];
  Random random = own.child("record", (std::uint64_t{member} << 16) + copy);
  const Day first = std::max(kFirstRecordDay, person.born);
  const Day day =
      first + static_cast<Day>(random.uniform_index(static_cast<std::uint32_t>(kLastRecordDay - first + 1)));
  const double age = (day - person.born) / kDaysOfYear;
  const Dwelling dwelling = households_.dwelling(household, own, member, day);
  const Contact contact = draw_contact(names_, person, own.child("contact", member));
  const bool by_mobile = age >= kMobileFromAge && person.prefers_mobile != random.bernoulli(kOtherTelephone);

  for (std::string& cell : cells) cell.clear();
  RecordWriter writer(errors_, random);
  cells[kId] = std::to_string(record + 1);
  cells[kGiven] = writer.written_given(names_, person);
  cells[kSurname] = writer.written_surname(names_.surname(person.surname_at(day)));
  if (writer.errs(kRecordErrorRates.names_swapped)) std::swap(cells[kGiven], cells[kSurname]);
  cells[kSex] = writer.written_sex(person.sex);
  cells[kBorn] = writer.written_born(person.born);
  writer.write_address(places_, dwelling.address, cells);
  cells[kPhone] = by_mobile ? writer.written_phone(contact.mobile_prefix, contact.mobile)
                            : writer.written_phone(Places::area_code(dwelling.address.city), dwelling.landline);
  if (age >= kEmailFromAge) cells[kEmail] = writer.written_email(contact.email);
  cells[kUpdated] = text_of(date_of(day));
  cells[kHousehold] =
      person.is_at_home(day) ? fmt::format("h{}", number + 1) : fmt::format("h{}.{}", number + 1, member + 1);
  cells[kEntity] = fmt::format("p{}.{}", number + 1, member + 1);
}

}  // namespace fovea::linkage
