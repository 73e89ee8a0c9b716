// SPDX-License-Identifier: GPL-3.0-or-later
// Files with environments: what is read from them, and what an edit changes in them.
#include "core/policy/random.h"
#include "core/workspace/document.h"
#include "core/workspace/edits.h"
#include "core/workspace/migrate.h"
#include "tests/support/json.h"
#include "tests/support/random_edits.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::workspace;

namespace {

using Scope = Document::Scope;

// Slashes are escaped because moc takes two of them in a raw string for a comment.
const QByteArray kFile = R"({
  "version": 2,
  "note": "kept",
  "name": "w",
  "environment": "development",
  "endpoints": [
    {"name": "a", "model": "m1", "base_url": "https:\/\/a.example/v1", "timeouts": {"total_ms": 9000},
      "key": {"source": "environment", "name": "A_KEY"}},
    { "name": "b", "base_url": "sim:b", "model": "m2", "colour": "red" },
    { "name": "c", "base_url": "sim:c", "model": "m3" }
  ],
  "chains": [
    {
      "name": "main",
      "tiers": [
        { "endpoint": "a", "max_attempts": 2 },
        { "endpoint": "b" },
        { "kind": "canned_reply", "rules": [{"reply": "later"}] }
      ],
      "limiter": {"rate_per_second": 5}
    },
    {"name": "second", "tiers": [{"endpoint": "c"}]}
  ],
  "environments": {
    "staging": {
      "endpoints": [
        { "name": "a", "base_url": "https:\/\/staging.example/v1", "timeouts": {"connect_ms": 500} },
        { "name": "s", "base_url": "sim:s", "model": "ms", "$after": "a" },
        { "name": "c", "$remove": true }
      ],
      "chains": [
        { "name": "main", "deadline_ms": 5000, "limiter": null,
          "tiers": [{ "endpoint": "b", "max_attempts": 3, "$after": "" }, { "name": "extra", "endpoint": "s" }] },
        { "name": "second", "$remove": true }
      ]
    },
    "production": {
      "name": "w in production",
      "endpoints": [{ "name": "b", "limits": { "requests_per_minute": 60 } }],
      "chains": [{ "name": "second", "tiers": {"$whole": [{ "endpoint": "a" }, { "endpoint": "c" }]} }]
    }
  }
}
)";

QString asText(const Findings& findings)
{
    QStringList lines;
    for (const Finding& finding : findings)
        lines << finding.toText(QStringLiteral("w.json"));
    return lines.join(QLatin1Char('\n'));
}

Document parsed(const QByteArray& json, const QString& environment = {})
{
    auto document = Document::parse(json, environment);
    if (!document)
        qFatal("%s\n%s", qPrintable(asText(document.error())), json.constData());
    return *std::move(document);
}

Document in(const char* environment)
{
    return parsed(kFile, QString::fromLatin1(environment));
}

QStringList endpointNames(const Workspace& workspace)
{
    QStringList names;
    for (const Endpoint& endpoint : workspace.endpoints)
        names << QString::fromStdString(endpoint.spec.name);
    return names;
}

QStringList tierNames(const Workspace& workspace, std::size_t chain = 0)
{
    QStringList names;
    for (const chain::TierSpec& tier : workspace.chains.at(chain).spec.tiers)
        names << QString::fromStdString(tier.name);
    return names;
}

QStringList list(const char* names)
{
    return QString::fromLatin1(names).split(QLatin1Char(','), Qt::SkipEmptyParts);
}

/// Lines of `now` that `before` does not have, and the other way round.
QStringList difference(const QByteArray& before, const QByteArray& now)
{
    const QStringList old = QString::fromUtf8(before).split(QLatin1Char('\n'));
    const QStringList fresh = QString::fromUtf8(now).split(QLatin1Char('\n'));
    QStringList lines;
    for (const QString& line : old)
        if (!fresh.contains(line))
            lines << QLatin1Char('-') + line.trimmed();
    for (const QString& line : fresh)
        if (!old.contains(line))
            lines << QLatin1Char('+') + line.trimmed();
    return lines;
}

} // namespace

class TestDocument : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void slipsInAnEnvironmentAreNamed_data()
    {
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* part, const char* place, const char* words) {
            QTest::newRow(name) << QByteArray(part).replace('\'', '"') << QString::fromLatin1(place)
                                << QString::fromLatin1(words);
        };
        row("an endpoint's name", "{'endpoints': [{'name': 'mian', 'timeouts': {}}]}",
            "environments.staging.endpoints[0]", "Did you mean \"main\"?");
        row("a chain's name", "{'chains': [{'name': 'suport', 'cache': {}}]}", "environments.staging.chains[0]",
            "Did you mean \"support\"?");
        row("nothing to take out", "{'endpoints': [{'name': 'mian', '$remove': true}]}",
            "environments.staging.endpoints[0]", "to take out");
        row("$remove as a text", "{'endpoints': [{'name': 'main', '$remove': 'yes'}]}",
            "environments.staging.endpoints[0].$remove", "true");
        row("$after nothing", "{'endpoints': [{'name': 'main', '$after': 'gpt'}]}",
            "environments.staging.endpoints[0].$after", "there is no \"gpt\"");
        row("a tier to take out", "{'chains': [{'name': 'support', 'tiers': [{'name': 'x', '$remove': true}]}]}",
            "environments.staging.chains[0].tiers[0]", "to take out");
        row("no list", "{'endpoints': {'main': {}}}", "environments.staging.endpoints", "a list");
    }
    void slipsInAnEnvironmentAreNamed()
    {
        QFETCH(QByteArray, part);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const QByteArray json = QByteArray("{'version': 2, 'name': 'w', 'endpoints': [{'name': 'main', 'model': 'm', "
                                           "'base_url': 'sim:main'}], 'chains': [{'name': 'support', "
                                           "'tiers': [{'endpoint': 'main'}]}], 'environments': {'staging': ")
                                    .replace('\'', '"') +
                                part + "}}";
        const auto opened = Document::parse(json, QStringLiteral("staging"));
        QVERIFY(!opened);
        QCOMPARE(opened.error().size(), std::size_t(1)); // and not what follows from it
        QCOMPARE(opened.error().front().place, place);
        const QString said = opened.error().front().toText(QStringLiteral("w"));
        QVERIFY2(said.contains(words), qPrintable(said));
    }

    void doubledNamesUnderAnEnvironmentAreSaidAsSuch()
    {
        const QByteArray json = QByteArray("{'version': 2, 'name': 'w', 'endpoints': [{'name': 'a', 'model': 'm'}, "
                                           "{'name': 'a', 'model': 'n'}], 'chains': [], 'environments': "
                                           "{'development': {'endpoints': [{'name': 'a', 'model': 'x'}]}}}")
                                    .replace('\'', '"');
        const auto opened = Document::parse(json);
        QVERIFY(!opened);
        QVERIFY(opened.error().front().problem.contains(QLatin1String("twice")));
    }

    void anEnvironmentThatIsMisspeltIsNamed()
    {
        const auto opened =
            Document::parse(QByteArray("{'version': 2, 'name': 'w', 'environment': 'prod', 'endpoints': "
                                       "[], 'chains': [], 'environments': {'production': {}}}")
                                .replace('\'', '"'));
        QVERIFY(!opened);
        QVERIFY(opened.error().front().remedy.contains(QLatin1String("production")));
    }

    void aNewFileIsTheSameAgainWhenAllIsTakenBack_data()
    {
        QTest::addColumn<bool>("onlyHere");
        QTest::newRow("shared") << false;
        QTest::newRow("in one environment") << true;
    }
    void aNewFileIsTheSameAgainWhenAllIsTakenBack()
    {
        QFETCH(bool, onlyHere);
        const auto scope = onlyHere ? Document::Scope::ThisEnvironment : Document::Scope::WhereSet;
        const QByteArray fresh = newWorkspaceFile(QStringLiteral("a \"quoted\" name"));
        const auto opened = Document::parse(fresh, QStringLiteral("staging"));
        QVERIFY(opened.has_value());
        QCOMPARE(opened->workspace().name, QStringLiteral("a \"quoted\" name"));
        QCOMPARE(opened->environments().size(), 3);
        Workspace full = opened->workspace();
        Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai");
        endpoint.model = QStringLiteral("m");
        endpoint.spec.name = "a";
        addEndpoint(full, endpoint);
        Chain chain;
        chain.spec.name = "c";
        insertTier(chain.spec, 0, tierFor("a"));
        addChain(full, chain);
        const auto saved = Document::parse(opened->bytesFor(full, scope), QStringLiteral("staging"));
        QVERIFY(saved.has_value());
        QVERIFY(saved->workspace() == full);
        const auto other = Document::parse(saved->bytes(), QStringLiteral("production"));
        QCOMPARE(other->workspace().endpoints.size(), std::size_t(onlyHere ? 0 : 1));
        QCOMPARE(saved->bytesFor(opened->workspace(), scope), fresh);
    }

    void environmentsAreLaidOver()
    {
        const Document development = in("");
        QCOMPARE(development.environment(), QStringLiteral("development"));
        QCOMPARE(development.environments(), list("development,production,staging"));
        QCOMPARE(endpointNames(development.workspace()), list("a,b,c"));
        QVERIFY(development.workspace().chains[0].spec.limiter);

        const Workspace staging = in("staging").workspace();
        QCOMPARE(staging.environment, QStringLiteral("staging"));
        QCOMPARE(endpointNames(staging), list("a,s,b"));
        QCOMPARE(staging.endpoints[0].baseUrl, QStringLiteral("https://staging.example/v1"));
        QCOMPARE(staging.endpoints[0].model, QStringLiteral("m1"));
        QVERIFY(staging.endpoints[0].timeouts.total == Millis(9000)); // the shared one
        QVERIFY(staging.endpoints[0].timeouts.connect == Millis(500));
        QCOMPARE(staging.chains.size(), std::size_t(1));
        QVERIFY(!staging.chains[0].spec.limiter);
        QCOMPARE(tierNames(staging), list("b,a,canned reply,extra"));
        QCOMPARE(staging.chains[0].spec.tiers[0].maxAttempts, 3);
        QCOMPARE(staging.chains[0].spec.tiers[1].maxAttempts, 2);

        const Workspace production = in("production").workspace();
        QCOMPARE(production.name, QStringLiteral("w in production"));
        QCOMPARE(tierNames(production, 1), list("a,c"));
    }

    void theFilesOwnEnvironmentIsTheUsualOne()
    {
        const QByteArray staging =
            QByteArray(kFile).replace(R"("environment": "development")", R"("environment": "staging")");
        QCOMPARE(parsed(staging).environment(), QStringLiteral("staging"));
        QVERIFY(parseWorkspace(staging)->workspace == in("staging").workspace());
        QVERIFY(readWorkspace(staging).workspace == in("staging").workspace());
        const auto unknown = Document::parse(kFile, QStringLiteral("stagin"));
        QVERIFY(!unknown);
        QVERIFY(asText(unknown.error()).contains(QLatin1String("Did you mean \"staging\"?")));
    }

    void oddEnvironmentsAreTold_data()
    {
        QTest::addColumn<QByteArray>("environments");
        QTest::addColumn<QString>("place");
        QTest::newRow("list") << QByteArray("[]") << QStringLiteral("environments");
        QTest::newRow("part") << QByteArray(R"({"staging":3})") << QStringLiteral("environments.staging");
        QTest::newRow("no name") << QByteArray(R"({"":{}})") << QStringLiteral("environments");
        QTest::newRow("version") << QByteArray(R"({"s":{"version":1}})") << QStringLiteral("environments.s.version");
        QTest::newRow("key") << QByteArray(R"({"s":{"api_key":"abc"}})") << QStringLiteral("environments.s.api_key");
    }
    void oddEnvironmentsAreTold()
    {
        QFETCH(QByteArray, environments);
        QFETCH(QString, place);
        const ReadResult result =
            readWorkspace(R"({"version":2,"name":"w","endpoints":[],"chains":[],"environments":)" + environments + '}');
        QVERIFY(std::any_of(result.findings.begin(), result.findings.end(),
                            [&](const Finding& finding) { return finding.place == place; }));
    }

    void noChangeGivesTheSameBytes()
    {
        for (const QByteArray& bytes :
             {kFile, QByteArray("\xEF\xBB\xBF") + kFile, QByteArray(kFile).replace("\n", "\r\n"),
              QByteArray(kFile).replace("\"version\": 2", "\"version\": 1")}) {
            for (const Scope scope : {Scope::WhereSet, Scope::ThisEnvironment}) {
                const Document document = parsed(bytes, QStringLiteral("staging"));
                QCOMPARE(document.bytesFor(document.workspace(), scope), bytes);
            }
        }
    }

    void aChangeTouchesItsOwnLines_data()
    {
        QTest::addColumn<QString>("environment");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](const char* name, const char* environment, const char* what, const QStringList& lines) {
            QTest::newRow(name) << QString::fromLatin1(environment) << QString::fromLatin1(what) << lines;
        };
        row("shared", "staging", "model of b",
            {QStringLiteral(R"(-{ "name": "b", "base_url": "sim:b", "model": "m2", "colour": "red" },)"),
             QStringLiteral(R"(+{ "name": "b", "base_url": "sim:b", "model": "new", "colour": "red" },)")});
        row("own", "staging", "deadline",
            {QStringLiteral(R"(-{ "name": "main", "deadline_ms": 5000, "limiter": null,)"),
             QStringLiteral(R"(+{ "name": "main", "deadline_ms": 7000, "limiter": null,)")});
        row("new field", "development", "deadline",
            {QStringLiteral(R"(-"limiter": {"rate_per_second": 5})"),
             QStringLiteral(R"(+"limiter": {"rate_per_second": 5},)"), QStringLiteral(R"(+"deadline_ms": 7000)")});
        row("inside", "development", "attempts",
            {QStringLiteral(R"(-{ "endpoint": "b" },)"),
             QStringLiteral(R"(+{ "endpoint": "b", "max_attempts": 4 },)")});
    }
    void aChangeTouchesItsOwnLines()
    {
        QFETCH(QString, environment);
        QFETCH(QString, what);
        QFETCH(QStringList, lines);
        const Document document = parsed(kFile, environment);
        Workspace now = document.workspace();
        for (Endpoint& endpoint : now.endpoints)
            if (what == QLatin1String("model of b") && endpoint.spec.name == "b")
                endpoint.model = QStringLiteral("new");
        if (what == QLatin1String("deadline"))
            now.chains[0].spec.deadline = Millis(7000);
        if (what == QLatin1String("attempts"))
            now.chains[0].spec.tiers[1].maxAttempts = 4;
        const QByteArray bytes = document.bytesFor(now);
        QCOMPARE(difference(kFile, bytes), lines);
        QVERIFY(parsed(bytes, environment).workspace() == now);
    }

    void aRenamedEndpointIsRenamedEverywhere()
    {
        const Document document = in("development");
        Workspace now = document.workspace();
        renameEndpoint(now, "a", "first");
        const QByteArray bytes = document.bytesFor(now);
        QVERIFY(parsed(bytes).workspace() == now);
        const Workspace staging = parsed(bytes, QStringLiteral("staging")).workspace();
        QCOMPARE(endpointNames(staging), list("first,s,b"));
        QCOMPARE(staging.endpoints[0].baseUrl, QStringLiteral("https://staging.example/v1"));
        QCOMPARE(tierNames(staging), list("b,first,canned reply,extra"));
        const Workspace production = parsed(bytes, QStringLiteral("production")).workspace();
        QCOMPARE(production.chains[1].spec.tiers[0].endpoint, std::string("first"));
    }

    void aTiersUnknownFieldsGoWithIt()
    {
        // They are kept under the tier's old name in the workspace.
        const Document document =
            parsed(QByteArray(kFile).replace(R"("max_attempts": 2)", R"("max_attempts": 2, "x": 1)"));
        Workspace now = document.workspace();
        renameTier(now.chains[0].spec, 0, "first");
        const QByteArray bytes = document.bytesFor(now);
        QVERIFY2(bytes.contains(R"({ "endpoint": "a", "max_attempts": 2, "x": 1, "name": "first" })"),
                 bytes.constData());
    }

    void randomEditsComeBack_data()
    {
        QTest::addColumn<QString>("environment");
        QTest::addColumn<int>("scope");
        for (const char* environment : {"development", "staging", "production"})
            for (const Scope scope : {Scope::WhereSet, Scope::ThisEnvironment})
                QTest::addRow("%s %d", environment, int(scope)) << QString::fromLatin1(environment) << int(scope);
    }
    void randomEditsComeBack()
    {
        QFETCH(QString, environment);
        QFETCH(int, scope);
        for (int seed = 0; seed < 60; ++seed) {
            policy::SeededRandom random(std::uint64_t(seed) * 7919 + 1);
            QByteArray bytes = kFile;
            for (int save = 0; save < 3; ++save) {
                // The drafts that come out are no fine workspaces; they are laid over fine ones.
                const auto document = Document::parse(bytes, environment);
                if (!document)
                    break;
                Workspace now = document->workspace();
                for (std::size_t i = 0, n = 1 + random.next() % 6; i < n; ++i)
                    test::editAtRandom(now, random);
                const QByteArray next = document->bytesFor(now, Scope(scope));
                const ReadResult back = readIn(next, environment);
                const QByteArray told =
                    "seed " + QByteArray::number(seed) + " save " + QByteArray::number(save) + '\n' +
                    difference(toJson(now), toJson(back.workspace)).join(QLatin1Char('\n')).toUtf8() + '\n' +
                    difference(bytes, next).join(QLatin1Char('\n')).toUtf8();
                QVERIFY2(toJson(back.workspace) == toJson(now), told.constData());
                for (const QString& other : document->environments())
                    if (other != environment && Scope(scope) == Scope::ThisEnvironment)
                        QVERIFY2(readIn(next, other).workspace == readIn(bytes, other).workspace, told.constData());
                QVERIFY(next.contains("\"note\": \"kept\""));
                bytes = next;
            }
        }
    }

    void anOlderFileIsBackedUpOnce()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("w.json"));
        const auto write = [&](const QByteArray& bytes, const QString& to) {
            QFile file(to);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        const auto read = [&](const QString& from) {
            QFile file(from);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray old = R"({"version":1,"name":"w","endpoints":[{"name":"a","base_url":"sim:a","model":"m"}],
 "chains":[{"name":"c","content_policy_fallback":true,"tiers":[{"endpoint":"a"}]}]})";
        QVERIFY(write("somebody else's", path + QStringLiteral(".v1.bak")));
        QVERIFY(write(old, path));
        auto document = Document::open(path);
        QVERIFY(document);
        QCOMPARE(document->migratedFrom(), 1);
        QVERIFY(saveDocument(*document, document->workspace(), path));
        QCOMPARE(read(path), old); // nothing was changed, so nothing is
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2);

        Workspace now = document->workspace();
        now.name = QStringLiteral("changed");
        QVERIFY(saveDocument(*document, now, path));
        QCOMPARE(read(path + QStringLiteral(".v1.bak")), QByteArray("somebody else's"));
        QCOMPARE(read(path + QStringLiteral(".v1.1.bak")), old);
        QCOMPARE(read(path),
                 QByteArray(old)
                     .replace(R"("version":1)", R"("version":2)")
                     .replace(R"("name":"w")", R"("name":"changed")")
                     .replace(R"("content_policy_fallback":true,)", "")
                     .replace(R"({"endpoint":"a"})", R"({"endpoint":"a", "moves_on": { "content_policy": true }})"));
        document = Document::open(path);
        QVERIFY(document && document->workspace() == now && document->migratedFrom() == 0);
        now.name = QStringLiteral("again");
        QVERIFY(saveDocument(*document, now, path));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 3);
    }

private:
    /// Also of a file with errors: the environment's view as the file's own.
    static ReadResult readIn(const QByteArray& json, const QString& environment)
    {
        QJsonObject file = test::object(json);
        file.insert(QStringLiteral("environment"), environment);
        return readWorkspace(QJsonDocument(file).toJson());
    }
};

QTEST_APPLESS_MAIN(TestDocument)
#include "tst_document.moc"
