// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string_view>

namespace sg {

/// The rooms' names and words are UTF-8, Qt's are not.
inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace sg
