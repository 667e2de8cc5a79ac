// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/people_names.h"

#include <array>
#include <span>

namespace fovea::linkage {
namespace {

/// A given name and up to two nicknames.
struct GivenName {
  std::string_view name, nickname = {}, other = {};
};

constexpr GivenName kMen[] = {
    {"James", "Jim", "Jamie"},
    {"John", "Jack", "Johnny"},
    {"Robert", "Bob", "Rob"},
    {"Michael", "Mike", "Mick"},
    {"William", "Bill", "Will"},
    {"David", "Dave", "Davy"},
    {"Richard", "Dick", "Rick"},
    {"Charles", "Charlie"},
    {"Joseph", "Joe"},
    {"Thomas", "Tom", "Tommy"},
    {"Christopher", "Chris"},
    {"Daniel", "Dan", "Danny"},
    {"Paul"},
    {"Mark"},
    {"Donald", "Don"},
    {"George"},
    {"Kenneth", "Ken"},
    {"Steven", "Steve"},
    {"Edward", "Ed", "Ted"},
    {"Brian"},
    {"Ronald", "Ron"},
    {"Anthony", "Tony"},
    {"Kevin", "Kev"},
    {"Jason"},
    {"Matthew", "Matt"},
    {"Gary"},
    {"Timothy", "Tim"},
    {"Jose", "Pepe"},
    {"Lawrence", "Larry"},
    {"Jeffrey", "Jeff"},
    {"Frank"},
    {"Scott"},
    {"Eric"},
    {"Stephen", "Steve"},
    {"Andrew", "Andy", "Drew"},
    {"Raymond", "Ray"},
    {"Gregory", "Greg"},
    {"Joshua", "Josh"},
    {"Gerald", "Jerry"},
    {"Dennis"},
    {"Walter", "Walt"},
    {"Patrick", "Pat", "Paddy"},
    {"Peter", "Pete"},
    {"Harold", "Harry"},
    {"Douglas", "Doug"},
    {"Henry", "Harry", "Hank"},
    {"Carl"},
    {"Arthur", "Art"},
    {"Ryan"},
    {"Roger"},
    {"Juan"},
    {"Albert", "Al", "Bert"},
    {"Jonathan", "Jon"},
    {"Justin"},
    {"Terence", "Terry"},
    {"Samuel", "Sam"},
    {"Benjamin", "Ben"},
    {"Philip", "Phil"},
    {"Nicholas", "Nick"},
    {"Alexander", "Alex", "Sandy"},
    {"Frederick", "Fred"},
    {"Martin"},
    {"Bernard", "Bernie"},
    {"Victor", "Vic"},
    {"Leonard", "Len"},
    {"Oliver", "Ollie"},
    {"Mohammed", "Mo"},
    {"Ali"},
    {"Adam"},
    {"Zachary", "Zach"},
};

constexpr GivenName kWomen[] = {
    {"Mary", "Molly", "Polly"},
    {"Patricia", "Pat", "Trish"},
    {"Linda", "Lin"},
    {"Barbara", "Barb", "Babs"},
    {"Elizabeth", "Liz", "Beth"},
    {"Jennifer", "Jenny", "Jen"},
    {"Maria", "Mia"},
    {"Susan", "Sue"},
    {"Margaret", "Maggie", "Peggy"},
    {"Dorothy", "Dot", "Dolly"},
    {"Lisa"},
    {"Nancy"},
    {"Karen"},
    {"Helen", "Nell"},
    {"Sandra", "Sandy"},
    {"Donna"},
    {"Carol"},
    {"Ruth"},
    {"Sharon"},
    {"Michelle", "Shelly"},
    {"Laura"},
    {"Sarah", "Sally"},
    {"Kimberly", "Kim"},
    {"Deborah", "Debbie", "Deb"},
    {"Jessica", "Jess"},
    {"Shirley"},
    {"Cynthia", "Cindy"},
    {"Angela", "Angie"},
    {"Melissa", "Mel"},
    {"Brenda"},
    {"Amy"},
    {"Anna", "Annie"},
    {"Rebecca", "Becky"},
    {"Virginia", "Ginny"},
    {"Kathleen", "Kathy", "Kay"},
    {"Pamela", "Pam"},
    {"Martha", "Patty"},
    {"Amanda", "Mandy"},
    {"Stephanie", "Steph"},
    {"Carolyn", "Carrie"},
    {"Christine", "Chris"},
    {"Janet", "Jan"},
    {"Catherine", "Cathy", "Kate"},
    {"Frances", "Fran"},
    {"Ann", "Annie"},
    {"Joyce"},
    {"Diane", "Di"},
    {"Alice", "Ally"},
    {"Julie", "Jules"},
    {"Heather"},
    {"Teresa", "Terry", "Tess"},
    {"Gloria"},
    {"Evelyn", "Evie"},
    {"Judith", "Judy"},
    {"Victoria", "Vicky"},
    {"Emily", "Em"},
    {"Abigail", "Abby"},
    {"Eleanor", "Ellie", "Nora"},
    {"Charlotte", "Lottie"},
    {"Katherine", "Kate", "Katie"},
    {"Samantha", "Sam"},
    {"Alexandra", "Alex"},
    {"Fatima"},
    {"Rachel"},
    {"Olivia", "Liv"},
    {"Isabella", "Bella"},
    {"Josephine", "Jo", "Josie"},
    {"Florence", "Flo"},
    {"Sophia", "Sophie"},
    {"Grace"},
};

constexpr std::string_view kCommonSurnames[] = {
    "Smith",    "Johnson",   "Williams", "Jones",     "Brown",     "Davis",   "Miller",  "Wilson",     "Moore",
    "Taylor",   "Anderson",  "Thomas",   "Jackson",   "White",     "Harris",  "Martin",  "Thompson",   "Garcia",
    "Martinez", "Robinson",  "Clark",    "Rodriguez", "Lewis",     "Lee",     "Walker",  "Hall",       "Allen",
    "Young",    "Hernandez", "King",     "Wright",    "Lopez",     "Hill",    "Scott",   "Green",      "Adams",
    "Baker",    "Gonzalez",  "Nelson",   "Carter",    "Mitchell",  "Perez",   "Roberts", "Turner",     "Phillips",
    "Campbell", "Parker",    "Evans",    "Edwards",   "Collins",   "Stewart", "Sanchez", "Morris",     "Rogers",
    "Reed",     "Cook",      "Morgan",   "Bell",      "Murphy",    "Bailey",  "Rivera",  "Cooper",     "Richardson",
    "Cox",      "Howard",    "Ward",     "Torres",    "Peterson",  "Gray",    "Ramirez", "Watson",     "Brooks",
    "Kelly",    "Sanders",   "Price",    "Bennett",   "Wood",      "Barnes",  "Ross",    "Henderson",  "Coleman",
    "Jenkins",  "Perry",     "Powell",   "Long",      "Patterson", "Hughes",  "Flores",  "Washington", "Butler",
    "Meyer",    "Schmidt",   "Khan",     "Nguyen",    "Patel",     "Ivanov",  "Rossi",   "Silva",      "Larsen",
};

// Chosen so that the shares come close to the measured ones: see the header.
constexpr double kGivenNameExponent = 1.4, kGivenNameHead = 10;
constexpr double kFamilyExponent = 0.8, kFamilyHead = 3;

std::span<const GivenName> names_of(Sex sex) {
  return sex == Sex::kMale ? std::span<const GivenName>(kMen) : std::span<const GivenName>(kWomen);
}

}  // namespace

PeopleNames::PeopleNames(const Random& world)
    : given_law_(kGivenNameExponent, kGivenNames, kGivenNameHead),
      surname_law_(kFamilyExponent, kSurnames, kFamilyHead) {
  const Syllables language(world.child("language of names"));
  for (const Sex sex : {Sex::kFemale, Sex::kMale}) {
    std::vector<std::string>& given = given_[static_cast<std::size_t>(sex)];
    for (const GivenName& common : names_of(sex)) given.emplace_back(common.name);
    append_spellings(kGivenNames, language, world.child("given names", static_cast<std::size_t>(sex)), given);
  }
  surnames_.assign(std::begin(kCommonSurnames), std::end(kCommonSurnames));
  append_spellings(kSurnames, language, world.child("surnames"), surnames_);
}

std::string_view PeopleNames::draw_nickname(Sex sex, std::uint32_t rank, Random& random) const {
  if (rank >= names_of(sex).size()) return {};
  const GivenName& name = names_of(sex)[rank];
  return !name.other.empty() && random.bernoulli(0.5) ? name.other : name.nickname;
}

}  // namespace fovea::linkage
