// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonValue>
#include <QString>

#include <string>

namespace sg::provider {

/// Replaces what looks like a credential by "***": vendor key forms (sk-, hs_, gsk_, AIza...), bearer and basic tokens,
/// names and passwords in addresses, and the values of parameters and headers that carry keys. A key without any form
/// is known to those only who send it: see engine/hide_key.h. Safe in any thread.
QString maskSecrets(const QString& text);
QJsonValue masked(const QJsonValue& value); ///< the same of all texts and names in it
/// Long enough to be a key, and masked as one; shorter texts of that form may be names: "sk-proxy". Any thread.
bool looksLikeKey(const QString& text);

/// A provider's words as the product keeps them: control characters and runs of blanks become one blank, secrets are
/// masked, and at most 300 characters remain, cut between code points.
std::string shortMessage(const QString& text);

} // namespace sg::provider
