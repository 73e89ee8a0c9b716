// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/sdk_report.h"

using namespace sg;
using namespace sg::test;

/// The official OpenAI SDK for JavaScript against the gateway. Skipped, with the reason, where it cannot be had.
class tst_openai_js : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto got = nodeModules("js");
        if (!got)
            QSKIP(qPrintable(QStringLiteral("The OpenAI SDK for JavaScript was not tested: %1.").arg(got.error())));
        const QString problem =
            report_.run(QStringLiteral("node"), {clientsFolder("js") + QStringLiteral("/client.mjs")}, *got);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

    void check_data() { report_.addRows(); }
    void check()
    {
        QFETCH(QString, problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

private:
    SdkReport report_;
};

QTEST_GUILESS_MAIN(tst_openai_js)
#include "tst_openai_js.moc"
