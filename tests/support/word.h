// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string_view>

namespace sg::test {

/// An enumerator as its word: QCOMPARE would take our toString for its own.
template <class E>
QString word(E e)
{
    const std::string_view text = toString(e);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace sg::test
