// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonObject>
#include <QString>

/// Files of tests/data/field_cases. One that cannot be read ends the test program.
namespace sg::test {

QByteArray fieldCaseBytes(const QString& file);
QJsonObject fieldCase(const QString& file); ///< a .json file

} // namespace sg::test
