// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"
#include "core/http/mailbox.h"
#include "tests/app/cli_process.h"

using namespace sg;

/// A real endpoint's address as people write it, from the workspace file through the engine to a server on loopback.
class tst_base_url : public QObject
{
    Q_OBJECT

private:
    struct Seen
    {
        bool done = false;
        chain::Ending ending = chain::Ending::Running;
        provider::ErrorFacts error;
        QString text;
    };

    /// One request through the chain of `session`; the engine has its own thread.
    static Seen ask(app::Session& session, bool stream)
    {
        auto seen = std::make_shared<Seen>();
        http::Mailbox here;
        session.engine().post([&here, seen, stream](engine::EngineCore& core) {
            engine::Call call;
            call.target = {engine::TargetKind::Chain, "c"};
            call.request.messages = {{"user", QStringLiteral("hello")}};
            call.request.stream = stream;
            call.intended = http::steadyNow();
            call.onFinished = [&here, seen](const engine::CallResult& result) {
                here.post([seen, ending = result.record.ending, error = result.record.error,
                           text = result.answer ? result.answer->text : QString()] {
                    *seen = {true, ending, error, text};
                });
            };
            core.start(std::move(call));
        });
        if (!QTest::qWaitFor([&] { return seen->done; }, 10000))
            QTest::qFail("the request did not end", __FILE__, __LINE__);
        return *seen;
    }

private Q_SLOTS:
    void initTestCase()
    {
        auto script = simulator::parseScript(test::kQuick);
        QVERIFY(script);
        simulator_ = std::make_unique<simulator::Simulator>(*std::move(script));
        QVERIFY(simulator_->start());
    }

    void everyFormReachesTheServer_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("stream");
        for (const char* path :
             {"/quick", "/quick/", "/quick/v1", "/quick/v1/", "/quick//v1//", "/quick/v1/chat/completions"}) {
            QTest::addRow("%s whole", path) << QString::fromLatin1(path) << false;
            QTest::addRow("%s streamed", path) << QString::fromLatin1(path) << true;
        }
    }
    void everyFormReachesTheServer()
    {
        QFETCH(QString, path);
        QFETCH(bool, stream);
        const int before = served();
        const Seen seen = through(QStringLiteral("http://127.0.0.1:%1%2").arg(simulator_->port()).arg(path), stream);
        QVERIFY2(seen.ending == chain::Ending::Answered, seen.error.message.c_str());
        QVERIFY(!seen.text.isEmpty());
        QCOMPARE(served(), before + 1);
    }

    void blanksAroundTheAddressDoNotMatter()
    {
        const QString url = simulator_->baseUrl(QStringLiteral("quick")).toString();
        QVERIFY(through(QStringLiteral("  %1 ").arg(url), false).ending == chain::Ending::Answered);
    }

    void wrongPathIsNotFound()
    {
        const Seen seen = through(QStringLiteral("http://127.0.0.1:%1/nobody/v1").arg(simulator_->port()), false);
        QVERIFY(seen.ending == chain::Ending::Failed);
        QVERIFY(seen.error.disposition.error == provider::ErrorClass::NotFound);
        QCOMPARE(seen.error.status, 404);
    }

private:
    int served() const
    {
        return simulator_->stats()[QLatin1String("endpoints")][QLatin1String("quick")][QLatin1String("requests")]
            .toInt();
    }

    Seen through(const QString& url, bool stream)
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("w.json")));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(test::workspaceWith(url));
        file.close();
        app::SessionOptions options;
        options.workspaceFile = file.fileName();
        auto session = app::Session::open(options);
        if (!session) {
            QTest::qFail(qPrintable(session.error().join(QLatin1Char('\n'))), __FILE__, __LINE__);
            return {};
        }
        return ask(**session, stream);
    }

    std::unique_ptr<simulator::Simulator> simulator_;
};

QTEST_GUILESS_MAIN(tst_base_url)
#include "tst_base_url.moc"
