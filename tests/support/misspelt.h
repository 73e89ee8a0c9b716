// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/spelling.h"

#include <QTest>

/// Texts that cannot be read, and where and how their reader says so.
namespace sg::test {

struct Misspelt
{
    const char* text;
    int at; ///< bytes from the beginning
    const char* says;
};

/// The rows of a test of them.
inline void addMisspelt(std::initializer_list<Misspelt> all)
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("at");
    QTest::addColumn<QString>("says");
    for (const Misspelt& each : all)
        QTest::newRow(each.text) << QByteArray(each.text) << each.at << QString::fromUtf8(each.says);
}

/// Of the row that is on.
template <typename Parse>
void checkMisspelt(const Parse& parse)
{
    QFETCH(QByteArray, text);
    QFETCH(int, at);
    QFETCH(QString, says);
    const auto read = parse(text.toStdString());
    QVERIFY(!read);
    QVERIFY2(read.error().problem.contains(says), qPrintable(read.error().problem));
    QCOMPARE(static_cast<int>(read.error().at), at);
}

} // namespace sg::test
