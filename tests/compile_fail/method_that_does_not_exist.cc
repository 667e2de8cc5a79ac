// SPDX-License-Identifier: Apache-2.0
// A method is a value of an enumeration: a typo in its name is found by the compiler, not by a user.
// refused: kExcat|not a member
#include "fovea/sequence/decode/decode_options.h"

#if FOVEA_MISUSE
constexpr auto kMethod = fovea::sequence::DecodeMethod::kExcat;
#else
constexpr auto kMethod = fovea::sequence::DecodeMethod::kExact;
#endif

fovea::sequence::DecodeOptions decode_exactly() { return {.method = kMethod}; }
