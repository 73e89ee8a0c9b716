// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/random.h"
#include "core/provider/chat.h"

#include <vector>

/// Answers as no provider would send them all in one day, for property tests. The same seed gives the same answers.
namespace sg::test {

/// Up to `maxUnits` UTF-16 units of every kind: letters, quotes, control characters, line ends, all planes.
QString randomText(policy::SeededRandom& random, int maxUnits);

/// An answer as a reader could have made it: texts may be empty, counts unknown, zero or huge, calls none or many. The
/// parts of the usage never exceed their whole; usageSent and warnings stay empty.
provider::Answer randomAnswer(policy::SeededRandom& random);

/// The answer in pieces as a stream brings them: cut anywhere, also within a surrogate pair, calls interleaved, ids and
/// names sometimes late; an id that is "call_" and the call's number sometimes never comes.
std::vector<provider::Delta> randomDeltas(const provider::Answer& answer, policy::SeededRandom& random);

/// The names of the fields in which two answers differ, usageSent, warnings and usage.inconsistent aside; empty when in
/// none.
QString difference(const provider::Answer& one, const provider::Answer& other);

} // namespace sg::test
