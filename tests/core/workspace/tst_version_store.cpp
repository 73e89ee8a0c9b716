// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/version_store.h"
#include "core/workspace/workspace_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sg::workspace;

namespace {

QByteArray json(int i)
{
    return "{\n\"version\": 2, \"name\": \"w" + QByteArray::number(i) + "\"}\n";
}

} // namespace

class TestVersionStore : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void nothingAtFirst()
    {
        VersionStore empty = store();
        QVERIFY(empty.versions().empty() && empty.problems().isEmpty());
        QVERIFY(!empty.read(1));
        QVERIFY(!empty.draftOf({}, "x"));
        empty.dropDraft({});
        QVERIFY(!QFileInfo::exists(empty.folder())); // looking makes no folders
    }

    void theNewestFiftyAndNoNumberTwice()
    {
        for (int i = 1; i <= 53; ++i)
            QCOMPARE(store().add(json(i), QStringLiteral("staging"), QStringLiteral("note"))->number, i);
        std::vector<VersionInfo> all = store().versions();
        QCOMPARE(all.size(), std::size_t(50));
        QCOMPARE(all.front().number, 53);
        QCOMPARE(all.back().number, 4);
        QCOMPARE(all.front().environment, QStringLiteral("staging"));
        QCOMPARE(all.front().note, QStringLiteral("note"));
        QCOMPARE(all.front().applied.timeSpec(), Qt::UTC);
        QVERIFY(qAbs(all.front().applied.secsTo(QDateTime::currentDateTimeUtc())) < 60);
        QCOMPARE(*store().read(53), json(53));
        QVERIFY2(store().read(1).error().contains(QLatin1String("not kept any more")), "pruned");

        // Also when the newest ones are gone.
        const QStringList files = QDir(store().folder()).entryList({QStringLiteral("v*.json")});
        for (const QString& file : files)
            QVERIFY(QFile::remove(store().folder() + QLatin1Char('/') + file));
        QVERIFY(store().versions().empty());
        QCOMPARE(store().add(json(1), {}, {})->number, 54);
        // And when the counter is.
        QVERIFY(QFile::remove(store().folder() + QStringLiteral("/last-number")));
        QCOMPARE(store().add(json(1), {}, {})->number, 55);
    }

    void damagedOnesAreLeftOutWithWords()
    {
        for (int i = 1; i <= 3; ++i)
            QVERIFY(store().add(json(i), {}, {}));
        const QString second = store().folder() + QStringLiteral("/v000002.json");
        QFile file(second);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 3) && file.write("?") == 1);
        file.close();
        QFile third(store().folder() + QStringLiteral("/v000003.json"));
        QVERIFY(third.open(QIODevice::WriteOnly)); // empty now
        third.close();
        QCOMPARE(store().versions().size(), std::size_t(1));
        QCOMPARE(store().problems().size(), 2);
        QVERIFY(store().problems().at(1).contains(second));
        QVERIFY(!store().read(2));
        QCOMPARE(*store().read(1), json(1));
        QCOMPARE(store().add(json(4), {}, {})->number, 4);
    }

    void forTheirOwnerOnly()
    {
        QVERIFY(store().add(json(1), {}, {}));
        QVERIFY(store().saveDraft(json(2), {}, "file"));
        const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther |
                            QFileDevice::WriteOther | QFileDevice::ExeGroup | QFileDevice::ExeOther;
        const QFileInfoList files = QDir(store().folder()).entryInfoList(QDir::Files);
        QCOMPARE(files.size(), 3);
        for (const QFileInfo& file : files)
            QVERIFY2(!(file.permissions() & others), qPrintable(file.filePath()));
        QVERIFY(!(QFileInfo(store().folder()).permissions() & others));
    }

    void noKeysAndNothingElseThanJson()
    {
        const QByteArray secret = R"({"api_key":"sk-test-000000000000000000001"})";
        const auto refused = store().add(secret, {}, {});
        QVERIFY(!refused);
        QVERIFY2(refused.error().contains(QLatin1String("never holds a key")), qPrintable(refused.error()));
        QVERIFY(!refused.error().contains(QLatin1String("sk-test")));
        QVERIFY(!store().saveDraft(secret, {}, "file"));
        QVERIFY(!store().saveDraft("no json", {}, "file"));
        QVERIFY(store().versions().empty());
    }

    void draftsKnowTheFileTheyBeganWith()
    {
        const QString environment = QStringLiteral("staging");
        QVERIFY(store().saveDraft(json(7), environment, "the file"));
        const auto kept = store().draftOf(environment, "the file");
        QVERIFY(kept && !kept->isFileOther);
        QCOMPARE(kept->json, json(7));
        const auto later = store().draftOf(environment, "the file, changed since");
        QVERIFY(later && later->isFileOther);
        QCOMPARE(later->json, json(7));
    }

    void eachEnvironmentHasItsOwnDraft()
    {
        const QString staging = QStringLiteral("staging"), other = QStringLiteral("../odd name/");
        QVERIFY(store().saveDraft(json(1), staging, "the file"));
        QVERIFY(store().saveDraft(json(2), other, "the file"));
        QCOMPARE(store().draftOf(staging, "the file")->json, json(1));
        store().dropDraft(staging);
        QVERIFY(!store().draftOf(staging, "the file"));
        QCOMPARE(store().draftOf(other, "the file")->json, json(2));
    }

    void eachFileHasItsOwn()
    {
        VersionStore one(folder_->path(), QStringLiteral("/somewhere/w.json"));
        VersionStore other(folder_->path(), QStringLiteral("/elsewhere/w.json"));
        QVERIFY(one.add(json(1), {}, {}));
        QVERIFY(other.versions().empty());
    }

    void whereNothingCanBeWritten()
    {
        VersionStore nowhere(QStringLiteral("/dev/null/x"), QStringLiteral("w.json"));
        const auto failed = nowhere.add(json(1), {}, {});
        QVERIFY(!failed);
        QVERIFY2(failed.error().endsWith(QLatin1Char('.')), qPrintable(failed.error()));
    }

private:
    VersionStore store() const
    {
        return VersionStore(folder_->path() + QStringLiteral("/v"), QStringLiteral("w.json"));
    }
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(TestVersionStore)
#include "tst_version_store.moc"
