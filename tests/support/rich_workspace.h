// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

namespace sg::test {

/// A workspace file in which every field of the format stands, none with its default where that would be left out on
/// writing. Nothing is wrong with it.
QByteArray richWorkspace();

} // namespace sg::test
