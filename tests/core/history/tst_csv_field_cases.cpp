// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/csv_cells.h"
#include "core/history/csv_rows.h"
#include "core/history/sample_csv.h"
#include "tests/support/field_cases.h"
#include "tests/support/literals.h"

#include <QBuffer>
#include <QJsonArray>
#include <QTest>

using namespace sg;
using namespace test;
using namespace history;

namespace {

QJsonObject caseOf(const char* file)
{
    return fieldCase(QString::fromLatin1(file));
}

QByteArray localOf(QByteArray csv, const QLocale& locale)
{
    QBuffer in(&csv), out;
    in.open(QIODevice::ReadOnly);
    out.open(QIODevice::WriteOnly);
    return writeLocalCsv(in, out, locale) ? out.data() : QByteArray();
}

class TestCsvFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // FC-G07
    void csvWithCommasQuotesNewlinesAndJson()
    {
        const QJsonArray rows = caseOf("FC-G07.json")["rows"_L1].toArray();
        QVERIFY(!rows.isEmpty());
        for (const CsvQuotes quotes : {CsvQuotes::WhereNeeded, CsvQuotes::Always}) {
            QByteArray text;
            for (const QJsonValue& row : rows) {
                QByteArrayList cells;
                for (const QJsonValue& cell : row.toArray())
                    cells.append(csvCell(cell.toString().toUtf8(), quotes));
                text += cells.join(',') + "\r\n";
            }
            QBuffer buffer(&text);
            QVERIFY(buffer.open(QIODevice::ReadOnly));
            CsvRows reader(buffer);
            for (const QJsonValue& row : rows) {
                const auto read = reader.next();
                QVERIFY2(read && *read, read ? "too few rows" : qPrintable(read.error()));
                QJsonArray back;
                for (const QByteArray& cell : **read)
                    back.append(QString::fromUtf8(cell));
                QCOMPARE(back, row.toArray());
            }
            QVERIFY(!*reader.next());
        }
        QCOMPARE(csvCell(QByteArray("a\0b", 3)), QByteArray("ab"));
        QCOMPARE(csvCell("plain text"), QByteArray("plain text"));
    }

    // FC-G09
    void decimalCommaInExports()
    {
        const QJsonObject given = caseOf("FC-G09.json");
        const QLocale german(QLocale::German, QLocale::Germany);
        QLocale::setDefault(german);
        const QJsonArray values = given["values"_L1].toArray();
        for (qsizetype i = 0; i < values.size(); ++i) {
            const QByteArray plain = csvNumber(values.at(i).toDouble());
            QCOMPARE(QString::fromLatin1(plain), given["expect_default"_L1][i].toString());
            const QByteArray local = localOf("cost_usd,model\r\n" + plain + ",gpt-4.1\r\n", german);
            QCOMPARE(local, QByteArray("\xef\xbb\xbf\"cost_usd\";\"model\"\r\n\"") +
                                given["expect_local"_L1][i].toString().toUtf8() + "\";\"gpt-4.1\"\r\n");
        }
        QLocale::setDefault(QLocale::c());
        QCOMPARE(csvNumber(1e21), QByteArray("1000000000000000000000"));
        QCOMPARE(csvNumber(-0.1), QByteArray("-0.1"));
    }

    void requestsForASpreadsheet()
    {
        measure::Sample sample;
        sample.intended = Instant(Nanos(1'250'000));
        sample.end = Instant(Nanos(1'234'567'500'000));
        std::string row = csvHead();
        appendCsvRow(row, sample, Instant());
        const QByteArray csv = QByteArray::fromStdString(row);
        const QByteArray local = localOf(csv + "12.5,half", QLocale(QLocale::German));
        QCOMPARE(local.count("\r\n"), 2);
        QVERIFY(local.contains("\"1,25\";"));
        QVERIFY(local.contains("\"1234567,5\";\"success\""));
        QVERIFY(!local.contains("half"));
        // As many cells as there were.
        QCOMPARE(local.count(';'), csv.count(','));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestCsvFieldCases)
#include "tst_csv_field_cases.moc"
