// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using secrets::KeyHome;
using secrets::KeyState;

namespace {

const QByteArray kKey = "sk-proj-Ab12Cd34Ef56Gh78";

const QByteArray kWorkspace = R"({"version": 1, "name": "keys", "endpoints": [
    {"name": "typed", "provider": "openai", "model": "gpt-4.1", "key": {"source": "session", "name": "openai"}},
    {"name": "variable", "provider": "openai", "model": "gpt-4.1",
     "key": {"source": "environment", "name": "SG_TEST_SESSION_KEY"}},
    {"name": "local", "provider": "ollama", "model": "llama3", "key": {"source": "none"}}],
  "chains": [{"name": "main", "tiers": [{"endpoint": "typed"}, {"endpoint": "variable"}, {"endpoint": "local"}]}]})";

} // namespace

/// One way to get keys: what the desk knows is what the engine sends with.
class TestSessionKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        qunsetenv("SG_TEST_SESSION_KEY");
        QFile file(folder_.filePath(QStringLiteral("workspace.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kWorkspace);
        file.close();
        app::SessionOptions options;
        options.workspaceFile = file.fileName();
        auto opened = app::Session::open(options);
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().join(QLatin1Char('\n'))));
        session_ = std::move(*opened);
        session_->engine().run([](engine::EngineCore&) {}); // what was posted before is done
    }
    void cleanup() { session_.reset(); }

    void problemsNamePlaceAndWayOn()
    {
        const auto problems = session_->keyProblems();
        QCOMPARE(problems.size(), std::size_t(2));
        QCOMPARE(problems[0].endpoint, std::string("typed"));
        QVERIFY2(problems[0].line.contains(QLatin1String("workspace.json: endpoints[0].key: No key \"openai\"")),
                 qPrintable(problems[0].line));
        QVERIFY2(problems[1].line.contains(QLatin1String("endpoints[1].key: The environment variable "
                                                         "SG_TEST_SESSION_KEY is not set. ")),
                 qPrintable(problems[1].line));
        QVERIFY(unusable("typed").startsWith(QLatin1String("No key \"openai\"")));
        QVERIFY(unusable("local").isEmpty());
    }

    void aKeyTypedInServesAtOnce()
    {
        std::optional<secrets::WriteResult> stored;
        session_->keys().store(KeyHome::Session, QStringLiteral("openai"), secrets::Secret(kKey),
                               [&](const secrets::WriteResult& result) { stored = result; });
        QVERIFY(stored && *stored);
        QTRY_VERIFY(unusable("typed").isEmpty());
        QByteArray sent;
        session_->engine().run([&](engine::EngineCore& core) {
            sent = http::headerValue(core.switchboard().endpoint("typed")->route->headers, "Authorization");
        });
        QCOMPARE(sent, "Bearer " + kKey);
        QCOMPARE(session_->keyProblems().size(), std::size_t(1));

        session_->keys().remove(KeyHome::Session, QStringLiteral("openai"), [](const secrets::WriteResult&) {});
        QTRY_VERIFY(!unusable("typed").isEmpty());
    }

    void aVariableSetLaterIsReadAgain()
    {
        qputenv("SG_TEST_SESSION_KEY", "hs_0123456789abcdef");
        session_->keys().readAgain();
        QTRY_VERIFY(unusable("variable").isEmpty());
        const auto warnings = session_->keyWarnings();
        QCOMPARE(warnings.size(), std::size_t(1));
        QVERIFY2(warnings[0].line.contains(QLatin1String("SG_TEST_SESSION_KEY: Keys of this provider begin with")),
                 qPrintable(warnings[0].line));
        QVERIFY(session_->keys().status(KeyHome::Environment, QStringLiteral("SG_TEST_SESSION_KEY")).isOdd);
        QVERIFY(!warnings[0].line.contains(QLatin1String("0123456789")));
    }

    void withoutEntriesTheKeychainIsNotAsked()
    {
        int calls = 0;
        session_->readKeychain([&] { ++calls; });
        QCOMPARE(calls, 1);
        session_->leaveThread();
    }

private:
    QString unusable(const std::string& endpoint)
    {
        const auto* found = session_->engine().directory()->endpoint(endpoint);
        return found ? found->unusable : QStringLiteral("there is no such endpoint");
    }

    QTemporaryDir folder_;
    std::unique_ptr<app::Session> session_;
};

QTEST_GUILESS_MAIN(TestSessionKeys)
#include "tst_session_keys.moc"
