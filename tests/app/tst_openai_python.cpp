// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/sdk_report.h"

using namespace sg;
using namespace sg::test;

/// The official OpenAI SDK for Python against the gateway. Skipped, with the reason, where it cannot be had.
class tst_openai_python : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto got = pythonWithSdk();
        if (!got)
            QSKIP(qPrintable(QStringLiteral("The OpenAI SDK for Python was not tested: %1.").arg(got.error())));
        const QString problem = report_.run(*got, {clientsFolder("python") + QStringLiteral("/client.py")}, QString());
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

QTEST_GUILESS_MAIN(tst_openai_python)
#include "tst_openai_python.moc"
