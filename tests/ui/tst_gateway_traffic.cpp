// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/failure.h"
#include "tests/app/gui_hand.h"
#include "tests/ui/gateway_desk.h"
#include "tests/ui/gateway_page_desk.h"
#include "ui/gateway/gateway_line.h"
#include "ui/gateway/gateway_passages.h"
#include "ui/gateway/gateway_view.h"
#include "ui/gateway/gateway_words.h"

#include <QDir>
#include <QTableView>

#include <cmath>

using namespace sg;
using namespace std::chrono_literals;
using gateway::Passage;
using gateway::Phase;
using test::clipboard;
using test::GatewayDesk;
using test::PageDesk;
namespace passages = ui::gatewaypassages;

namespace {

constexpr std::int64_t kNow = 1'764'504'728'000;
const QString kLongName(60, QLatin1Char('w'));

Passage answered()
{
    Passage passage;
    passage.endedUnixMs = kNow;
    passage.path = "/v1/chat/completions";
    passage.requestId = "sg-1";
    passage.status = passage.sentStatus = 200;
    passage.chain = "support";
    passage.endpoint = "gpt-4.1";
    passage.source = chain::Source::Endpoint;
    passage.attempts = 1;
    passage.took = 640ms;
    passage.costNanoUsd = 1'200'000;
    return passage;
}

QString said(const Passage& passage, int column)
{
    return passages::rowOf(passage)[static_cast<std::size_t>(column)].text;
}

gateway::TrafficPtr trafficOf(std::vector<Passage> latest, std::vector<gateway::Refusals> refusals = {})
{
    auto traffic = std::make_shared<gateway::Traffic>();
    traffic->latest = std::move(latest);
    traffic->refusals = std::move(refusals);
    return traffic;
}

/// What nobody would draw in a mock-up.
void makeExtreme(gateway::Status& status, bool isPicture)
{
    status.url = QStringLiteral("http://%1.example:65535/v1").arg(kLongName);
    status.models = {kLongName};
    for (int i = 1; i < 100; ++i)
        status.models << QStringLiteral("%1-%2").arg(kLongName.left(i)).arg(i);
    status.figures = {5000, 1'000'000, 100'000, 999'999, 1'000'000'000, 1'000'000'000, 1'000'000'000};
    status.servingSinceUnixMs = kNow - 400LL * 24 * 3600 * 1000;
    status.hasToken = status.isOpenToOthers = true;
    if (!isPicture)
        return;
    Passage wide = answered();
    wide.chain = wide.endpoint = kLongName.toStdString();
    wide.attempts = 12;
    wide.took = 24h;
    wide.waited = 23h;
    wide.costNanoUsd = 123'456'789'000'000;
    wide.costIsLowerBound = true;
    Passage refused;
    refused.endedUnixMs = kNow;
    refused.path = "/" + kLongName.toUtf8();
    refused.status = refused.sentStatus = 404;
    refused.code = QStringLiteral("a_reason_that_this_program_has_no_words_for_yet");
    refused.isRefused = true;
    std::vector<Passage> all;
    std::vector<gateway::Refusals> reasons;
    for (int i = 0; i < 30; ++i) {
        all.push_back(wide);
        all.push_back(refused);
        reasons.push_back({400 + i, QStringLiteral("reason_number_%1").arg(i), 1'000'000'000});
    }
    status.traffic = trafficOf(all, reasons);
}

/// For the eye: SWITCHGEAR_SHOTS names a folder.
void shoot(ui::ThemeContext& theme, QWidget& widget, const QString& name)
{
    const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    for (const auto& [mode, word] :
         {std::pair(ui::ThemeMode::Light, "light"), std::pair(ui::ThemeMode::Dark, "dark")}) {
        theme.setMode(mode);
        theme.applyTo(&widget);
        QCoreApplication::processEvents();
        QPixmap picture(widget.size());
        picture.fill(theme.c().window);
        widget.render(&picture);
        picture.save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(word)));
    }
}

/// Words that are cut off by their own label, or by what is around it.
QStringList cutOff(const QWidget& around)
{
    QStringList cut;
    for (const QLabel* label : around.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty())
            continue;
        const bool fits = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                            : label->width() >= label->sizeHint().width();
        const QRect place(label->mapTo(&around, QPoint()), label->size());
        if (!fits || place.left() < 0 || place.right() >= around.width())
            cut.append(label->text());
    }
    return cut;
}

} // namespace

class tst_gateway_traffic : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->clear(); }

    void anAnswerSaysItsWay()
    {
        Passage passage = answered();
        QCOMPARE(said(passage, passages::Result), QStringLiteral("answered"));
        QCOMPARE(said(passage, passages::Http), QStringLiteral("200"));
        QCOMPARE(said(passage, passages::Asked), QStringLiteral("support"));
        QCOMPARE(said(passage, passages::Answered), QStringLiteral("gpt-4.1"));
        QCOMPARE(said(passage, passages::Tries), QStringLiteral("1"));
        QCOMPARE(said(passage, passages::Waited), QString());
        QCOMPARE(said(passage, passages::Took), QStringLiteral("640\u202Fms"));
        QCOMPARE(said(passage, passages::Cost), QStringLiteral("$0.0012"));
        passage.waited = 1500ms;
        passage.costIsLowerBound = true;
        QCOMPARE(said(passage, passages::Waited), QStringLiteral("1.50\u202Fs"));
        QCOMPARE(said(passage, passages::Cost), QStringLiteral("≥\u202F$0.0012"));
        passage.took = 23h;
        QCOMPARE(said(passage, passages::Took), QStringLiteral("23\u202Fh"));
        passage.costNanoUsd.reset();
        QCOMPARE(said(passage, passages::Cost), QStringLiteral("–")); // unknown is not free
    }

    void whoAnsweredWhereNoEndpointDid_data()
    {
        QTest::addColumn<int>("source");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, chain::Source source, int status, const char* code, const char* words) {
            QTest::newRow(name) << static_cast<int>(source) << status << QString::fromLatin1(code)
                                << QString::fromUtf8(words);
        };
        row("cache", chain::Source::Cache, 200, "", "cache");
        row("canned", chain::Source::CannedReply, 200, "", "canned reply");
        row("shared", chain::Source::SharedCall, 200, "", "shared call");
        row("all out", chain::Source::None, 503, "all_tiers_out", "every tier is out");
        row("other code", chain::Source::None, 502, "provider_refuses_key", "provider refuses key");
        row("no code", chain::Source::None, 413, "", "body too large");
        row("no length", chain::Source::None, 411, "", "body without a length");
        row("no room", chain::Source::None, 503, "", "too much at once");
        row("other body", chain::Source::None, 415, "unsupported_media_type", "not JSON, or compressed");
        row("left before anybody was asked", chain::Source::None, gateway::kClientLeft, "", "–");
    }
    void whoAnsweredWhereNoEndpointDid()
    {
        QFETCH(int, source);
        QFETCH(int, status);
        QFETCH(QString, code);
        QFETCH(QString, words);
        Passage passage = answered();
        passage.endpoint.clear();
        passage.source = static_cast<chain::Source>(source);
        passage.status = status;
        passage.sentStatus = status == gateway::kClientLeft ? 0 : status;
        passage.code = code;
        QCOMPARE(said(passage, passages::Answered), words);
        QCOMPARE(said(passage, passages::Http),
                 status == gateway::kClientLeft ? QStringLiteral("–") : QString::number(status));
    }

    void refusalsAreCountedByReason()
    {
        QCOMPARE(passages::refusalsLine({}), QString());
        QCOMPARE(passages::refusalsLine({{503, QStringLiteral("queue_full"), 12}, {400, {}, 1}}),
                 QStringLiteral("Not passed on: 12\u00A0queue full · 1\u00A0not understood"));
        const std::vector<gateway::Refusals> many(9, {418, {}, 2});
        const QString words = passages::refusalsLine(many);
        QVERIFY2(words.endsWith(QStringLiteral("8 for other reasons")), qPrintable(words));
    }

    void beforeTheFirstRequestThereIsALineToTry()
    {
        PageDesk desk;
        const test::Mouse mouse;
        desk.fake.set(Phase::Serving);
        QVERIFY(desk.find<QWidget>("noTraffic")->isVisible());
        QVERIFY(!desk.find<QTableView>("gatewayLatest")->isVisible());
        const QString line = desk.find<QLineEdit>("tryLine")->text();
        QVERIFY2(line.startsWith(QStringLiteral("curl 'http://127.0.0.1:8787/v1/chat/completions'")), qPrintable(line));
        QVERIFY2(line.contains(QStringLiteral("\"model\":\"support\"")), qPrintable(line));
        mouse.click(desk.page, "copyTry");
        QCOMPARE(clipboard(), line);
        desk.fake.now.traffic = trafficOf({answered()});
        desk.feed.tick(kNow);
        QVERIFY(!desk.find<QWidget>("noTraffic")->isVisible());
        QVERIFY(desk.find<QTableView>("gatewayLatest")->isVisible());
    }

    void latestComeWithTheBeatAndKeepTheSelection()
    {
        PageDesk desk;
        desk.fake.now.traffic = trafficOf({answered(), answered()}, {{503, QStringLiteral("queue_full"), 3}});
        desk.fake.set(Phase::Serving);
        auto* table = desk.find<QTableView>("gatewayLatest");
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(desk.find<QLabel>("gatewayRefusals")->text(), QStringLiteral("Not passed on: 3\u00A0queue full"));
        table->selectRow(1);
        const QSignalSpy resets(table->model(), &QAbstractItemModel::modelReset);
        Passage next = answered();
        next.chain = "batch";
        desk.fake.now.traffic = trafficOf({next, answered(), answered()});
        QCOMPARE(table->model()->rowCount(), 2); // not before the window looks
        desk.feed.tick(kNow);
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(table->model()->index(0, passages::Asked).data().toString(), QStringLiteral("batch"));
        QCOMPARE(table->currentIndex().row(), 1);
        QVERIFY(resets.isEmpty());
        QVERIFY(!desk.find<QLabel>("gatewayRefusals")->isVisible());
    }

    void sparkHasAValueASecond()
    {
        ui::RequestSpark spark;
        for (int i = 0; i <= 20; ++i)
            spark.add(kNow + i * 500, i * 50);
        QCOMPARE(spark.values().size(), observe::kSparkSeconds);
        QCOMPARE(spark.values().back(), 100.0F);
        const auto known = std::ranges::count_if(spark.values(), [](float v) { return std::isfinite(v); });
        QCOMPARE(known, 10);
        spark.add(kNow + 11'000, 3); // started anew
        QVERIFY(!std::isfinite(spark.values().back()));
        spark.add(kNow, 5); // the clock was set back
        QVERIFY(!std::isfinite(spark.values().back()));
        spark.add(kNow + 86'400'000, 86'405); // slept for a day
        QCOMPARE(spark.values().front(), 1.0F);
    }

    void statusBarSaysHowLongAndWhere()
    {
        gateway::Status status;
        status.url = test::kGatewayUrl;
        QCOMPARE(ui::gatewaywords::lineWords(status, kNow), QStringLiteral("Gateway off"));
        status.phase = Phase::Serving;
        status.servingSinceUnixMs = kNow - (2 * 60 + 14) * 60'000;
        QCOMPARE(ui::gatewaywords::lineWords(status, kNow),
                 QStringLiteral("Gateway up 2\u202Fh 14\u202Fmin · 127.0.0.1:8787"));
        status.url = QStringLiteral("http://[::1]:8787/v1");
        QVERIFY(ui::gatewaywords::lineWords(status, kNow).endsWith(QStringLiteral("[::1]:8787")));
        status.phase = Phase::Draining;
        status.figures.inFlight = 3;
        QCOMPARE(ui::gatewaywords::lineWords(status, kNow), QStringLiteral("Gateway draining, 3 left"));
        status.phase = Phase::Failed;
        QVERIFY(ui::gatewaywords::lineWords(status, kNow).startsWith(QStringLiteral("Gateway failed")));
    }

    void statusBarLeadsToThePage()
    {
        GatewayDesk desk(Phase::Serving);
        auto* line = desk.window.findChild<ui::GatewayLine*>();
        QVERIFY(line && line->isVisible());
        QSignalSpy wanted(&desk.window, &ui::MainWindow::gatewaySettingsRequested);
        desk.mouse.click(line, QStringLiteral("line"));
        QCOMPARE(wanted.takeFirst().first().toString(), QString());
        desk.fake.set(Phase::Failed, QStringLiteral("Port 8787 is in use."));
        QVERIFY2(line->text().contains(QStringLiteral("failed")), qPrintable(line->text()));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(wanted.takeFirst().first().toString(), QStringLiteral("port"));
        desk.window.setGateway(nullptr);
        desk.window.tick();
        QVERIFY(!line->isVisible());
    }

    void nothingIsCutOffOnThePage_data()
    {
        QTest::addColumn<int>("phase");
        QTest::addColumn<bool>("isExtreme");
        QTest::addColumn<QSize>("size");
        const QSize usual(1360, 800), small(890, 500);
        QTest::newRow("extreme") << static_cast<int>(Phase::Serving) << true << usual;
        QTest::newRow("extreme-small") << static_cast<int>(Phase::Serving) << true << small;
        QTest::newRow("nothing-yet") << static_cast<int>(Phase::Serving) << false << usual;
        QTest::newRow("off-small") << static_cast<int>(Phase::Off) << false << small;
        QTest::newRow("failed") << static_cast<int>(Phase::Failed) << true << usual;
        QTest::newRow("draining") << static_cast<int>(Phase::Draining) << true << usual;
    }
    void nothingIsCutOffOnThePage()
    {
        QFETCH(int, phase);
        QFETCH(bool, isExtreme);
        QFETCH(QSize, size);
        PageDesk desk;
        desk.page.resize(size);
        if (isExtreme)
            makeExtreme(desk.fake.now, true);
        desk.fake.set(static_cast<Phase>(phase),
                      phase == static_cast<int>(Phase::Failed)
                          ? QStringLiteral("Port 8787 is in use by another program. ") +
                                QStringLiteral("Stop it, or choose another port. ").repeated(3)
                          : QString());
        for (int i = 1; i < 200; ++i) {
            desk.fake.now.figures.requests += 100 + 20 * (i % 7);
            desk.feed.tick(kNow + i * 500);
        }
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        shoot(desk.theme, desk.page, QStringLiteral("page-") + QLatin1String(QTest::currentDataTag()));
        QCOMPARE(cutOff(desk.page.view()), QStringList());
        QVERIFY(desk.page.view().width() <= desk.page.view().parentWidget()->width());
        QVERIFY(desk.page.width() == size.width());
    }

    void nothingIsCutOffInThePanel_data()
    {
        QTest::addColumn<int>("phase");
        QTest::newRow("serving") << static_cast<int>(Phase::Serving);
        QTest::newRow("draining") << static_cast<int>(Phase::Draining);
        QTest::newRow("failed") << static_cast<int>(Phase::Failed);
    }
    void nothingIsCutOffInThePanel()
    {
        QFETCH(int, phase);
        GatewayDesk desk;
        makeExtreme(desk.fake.now, false);
        desk.fake.set(static_cast<Phase>(phase), phase == static_cast<int>(Phase::Failed)
                                                     ? QStringLiteral("Port 65535 is in use by another program.")
                                                     : QString());
        desk.beat();
        desk.open();
        desk.beat();
        QCoreApplication::processEvents();
        shoot(desk.window.theme(), desk.panel(), QStringLiteral("panel-") + QLatin1String(QTest::currentDataTag()));
        shoot(desk.window.theme(), desk.window, QStringLiteral("window-") + QLatin1String(QTest::currentDataTag()));
        QCOMPARE(cutOff(desk.panel().view()), QStringList());
        QVERIFY(desk.chip().mapTo(&desk.window, QPoint(desk.chip().width(), 0)).x() <= desk.window.width());
        QCOMPARE(desk.window.width(), 1440);
    }
};

QTEST_MAIN(tst_gateway_traffic)
#include "tst_gateway_traffic.moc"
