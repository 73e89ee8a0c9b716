// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport_kind.h"

#include <QTest>

using namespace sg::http;

class tst_transport_kind : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void automaticGoesByConcurrency()
    {
        QVERIFY(transportKind(TransportKind::Automatic, 0) == TransportKind::Qnam);
        QVERIFY(transportKind(TransportKind::Automatic, kCurlAbove) == TransportKind::Qnam);
        QVERIFY(transportKind(TransportKind::Automatic, kCurlAbove + 1) == TransportKind::Curl);
        QVERIFY(transportKind(TransportKind::Qnam, 10000) == TransportKind::Qnam);
        QVERIFY(transportKind(TransportKind::Curl, 1) == TransportKind::Curl);
        QCOMPARE(makeTransport(TransportKind::Automatic, 1)->figures().name, QStringLiteral("qnam"));
        QCOMPARE(makeTransport(TransportKind::Automatic, 1000)->figures().name, QStringLiteral("curl"));
    }

    void wordsAreReadBack()
    {
        for (const auto kind : {TransportKind::Automatic, TransportKind::Qnam, TransportKind::Curl})
            QVERIFY(transportKindOf(QString::fromLatin1(toString(kind))) == kind);
        QVERIFY(!transportKindOf(QStringLiteral("qnam")));
        QVERIFY(!transportKindOf(QString()));
    }
};

QTEST_GUILESS_MAIN(tst_transport_kind)
#include "tst_transport_kind.moc"
