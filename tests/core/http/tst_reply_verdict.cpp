// SPDX-License-Identifier: GPL-3.0-or-later
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
};

QTEST_APPLESS_MAIN(tst_reply_verdict)
#include "tst_reply_verdict.moc"
