// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_verdict.h"
#include "core/http/qnam_errors.h"
#include "tests/support/recorder.h"

#include <QTest>

using namespace sg::http;
using sg::testing::named;

/// What an exchange comes to where Qt's own word for it is wrong, which on the wire depends on who is faster.
class tst_reply_verdict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void closeEndsABodyWithoutLength()
    {
        ReplyFacts facts;
        facts.error = QNetworkReply::ContentReSendError;
        facts.status = 200;
        facts.connected = facts.touched = facts.endsByClose = true;
        facts.bodyBytes = 9;
        QCOMPARE(named(judge(facts).failure), named(FailureKind::None));
        facts.endsByClose = false;
        QCOMPARE(named(judge(facts).failure), named(FailureKind::ConnectionReset));
        facts.endsByClose = true;
        facts.status = 0;
        QCOMPARE(named(judge(facts).failure), named(FailureKind::OutcomeUnknown));
    }

    void libcurlsWords_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<bool>("touched");
        QTest::addColumn<FailureKind>("expected");
        QTest::newRow("refused a second time") << int(CURLE_ABORTED_BY_CALLBACK) << true << FailureKind::OutcomeUnknown;
        QTest::newRow("nothing") << int(CURLE_GOT_NOTHING) << true << FailureKind::OutcomeUnknown;
        QTest::newRow("not sent") << int(CURLE_SEND_ERROR) << false << FailureKind::ConnectionReset;
        QTest::newRow("stream refused") << int(CURLE_HTTP2_STREAM) << true << FailureKind::OutcomeUnknown;
        QTest::newRow("not http") << int(CURLE_UNSUPPORTED_PROTOCOL) << true << FailureKind::Protocol;
        QTest::newRow("long header") << int(CURLE_OUT_OF_MEMORY) << true << FailureKind::Protocol;
    }
    void libcurlsWords()
    {
        QFETCH(int, code);
        QFETCH(bool, touched);
        QFETCH(FailureKind, expected);
        CurlFacts facts;
        facts.code = static_cast<CURLcode>(code);
        facts.connected = true;
        facts.touched = touched;
        facts.headBegun = code == CURLE_OUT_OF_MEMORY;
        QCOMPARE(named(judge(facts).failure), named(expected));
        facts.status = 200; // whatever it was, the answer is not whole
        QVERIFY(judge(facts).failure == FailureKind::ConnectionReset);
    }

    void libcurlsWordsForAnAnswer()
    {
        CurlFacts facts;
        facts.connected = facts.touched = true;
        facts.status = 200;
        QCOMPARE(named(judge(facts).failure), named(FailureKind::None));
        facts.code = CURLE_RECV_ERROR;
        facts.badChunks = true;
        QCOMPARE(named(judge(facts).failure), named(FailureKind::Protocol));
        facts.badChunks = false;
        facts.expectedBytes = 100;
        facts.bodyBytes = 9;
        QVERIFY(judge(facts).detail.contains(QLatin1String("9 of 100")));
    }
};

QTEST_APPLESS_MAIN(tst_reply_verdict)
#include "tst_reply_verdict.moc"
