// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/field_cases about files and numbers.
#include "core/cost/catalogue_prices.h"
#include "core/workspace/workspace_file.h"
#include "tests/support/field_cases.h"

#include <QFile>
#include <QJsonDocument>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>

using namespace sg;
using namespace sg::workspace;

namespace {

const QByteArray kMark = "\xEF\xBB\xBF";
const QByteArray kFile =
    "{\n\"version\":1,\"name\":\"w\",\n\"endpoints\":[{\"name\":\"a\",\"base_url\":\"https://a.example/"
    "v1\",\"model\":\"m\",\"price\":{\"input\":0.5,\"output\":1.25}}],\n\"chains\":[{\"name\":\"c\","
    "\"tiers\":[{\"endpoint\":\"a\"}]}]}\n";

/// A country where the decimal point is a comma, in Qt and in C where the machine knows it.
class DecimalComma
{
public:
    DecimalComma()
        : before_(QLocale())
        , beforeInC_(std::setlocale(LC_ALL, nullptr))
    {
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        std::setlocale(LC_ALL, "de_DE.UTF-8");
    }
    ~DecimalComma()
    {
        QLocale::setDefault(before_);
        std::setlocale(LC_ALL, beforeInC_.c_str());
    }

private:
    QLocale before_;
    std::string beforeInC_;
};

} // namespace

class TestWorkspaceFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aByteOrderMarkIsNoData() // FC-E10
    {
        const LoadResult plain = parseWorkspace(kFile);
        QVERIFY(plain);
        for (const QByteArray& bytes : {kMark + kFile, QByteArray(kFile).replace("\n", "\r\n"),
                                        kMark + QByteArray(kFile).replace("\n", "\r\n")}) {
            QTemporaryDir folder;
            const QString path = folder.filePath(QStringLiteral("w.json"));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
            file.close();
            const LoadResult loaded = loadWorkspace(path);
            QVERIFY(loaded);
            QCOMPARE(toJson(loaded->workspace), toJson(plain->workspace));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), bytes); // looking changes nothing
        }
    }

    /// The case's own file: what is said about it is about its content, not about its mark; and it is left as it is.
    void theCasesFile() // FC-E10
    {
        const QByteArray bytes = test::fieldCaseBytes(QStringLiteral("FC-E10.txt"));
        QVERIFY(bytes.startsWith(kMark));
        const auto toldOf = [](const QByteArray& json) {
            const LoadResult result = parseWorkspace(json);
            QStringList told;
            for (const Finding& finding : result ? result->warnings : result.error())
                told += finding.place + QLatin1Char('|') + finding.problem;
            return told;
        };
        QCOMPARE(toldOf(bytes), toldOf(bytes.mid(kMark.size())));
        QVERIFY(toldOf(bytes) != toldOf("no JSON"));
    }

    void aBrokenFileIsNeverOverwritten() // FC-E10
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("w.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kMark + "{\"version\":") > 0);
        file.close();
        QVERIFY(!loadWorkspace(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), kMark + "{\"version\":");
    }

    void aPointIsAPointEverywhere() // FC-E14
    {
        const DecimalComma country;
        QCOMPARE(QLocale().toString(0.5), QStringLiteral("0,5"));
        const QJsonObject one = QJsonDocument::fromJson(test::fieldCaseBytes(QStringLiteral("FC-E14.json"))).object();
        QCOMPARE(one[QLatin1String("price")].toDouble(), 3e-06);

        // Numbers and texts, as a catalogue has them in USD per token.
        const auto perToken = [&](const QJsonValue& price) {
            const QJsonObject pricing{{QStringLiteral("prompt"), price}, {QStringLiteral("completion"), price}};
            const QJsonObject entry{{QStringLiteral("id"), QStringLiteral("m")}, {QStringLiteral("pricing"), pricing}};
            const QByteArray list = QJsonDocument(QJsonObject{{QStringLiteral("data"), QJsonArray{entry}}}).toJson();
            const auto loaded = cost::pricesOfCatalogue(list, QStringLiteral("test"), {});
            const cost::PriceEntry* found = loaded.book.find("m");
            return found && found->price.input ? found->price.input->count() : -1;
        };
        QCOMPARE(perToken(one[QLatin1String("price")]), 3'000'000'000);
        QCOMPARE(perToken(one[QLatin1String("exp")]), 1'000'000'000);
        QCOMPARE(perToken(QStringLiteral("0.000003")), 3'000'000'000);
        QCOMPARE(perToken(QStringLiteral("1e-06")), 1'000'000'000);
        QCOMPARE(perToken(QStringLiteral("0,5")), -1);
        const QJsonObject entry{{QStringLiteral("model"), QStringLiteral("m")},
                                {QStringLiteral("input"), one[QLatin1String("price_text")]},
                                {QStringLiteral("output"), one[QLatin1String("price_text")]},
                                {QStringLiteral("source"), QStringLiteral("test")}};
        const QJsonObject book{{QStringLiteral("format"), QStringLiteral("switchgear-prices/1")},
                               {QStringLiteral("currency"), QStringLiteral("USD")},
                               {QStringLiteral("unit"), QStringLiteral("per_1m_tokens")},
                               {QStringLiteral("entries"), QJsonArray{entry}}};
        const auto loaded = cost::PriceBook::load(QJsonDocument(book).toJson());
        QVERIFY2(loaded.book.find("m"), qPrintable(loaded.findings.join(QLatin1Char('\n'))));
        QCOMPARE(loaded.book.find("m")->price.input->count(), 500'000'000);

        // A workspace is read and written with points.
        const LoadResult read = parseWorkspace(kFile);
        QVERIFY(read);
        QVERIFY(toJson(read->workspace).contains("0.5"));
        QCOMPARE(toJson(parseWorkspace(toJson(read->workspace))->workspace), toJson(read->workspace));
    }
};

QTEST_APPLESS_MAIN(TestWorkspaceFieldCases)
#include "tst_workspace_field_cases.moc"
