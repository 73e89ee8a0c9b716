// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/field_cases.h"

#include "tests/support/json.h"

#include <QFile>

namespace sg::test {

QByteArray fieldCaseBytes(const QString& file)
{
    QFile in(QStringLiteral(SWITCHGEAR_TEST_DATA "/field_cases/") + file);
    if (!in.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(file));
    return in.readAll();
}

QJsonObject fieldCase(const QString& file)
{
    return object(fieldCaseBytes(file));
}

} // namespace sg::test
