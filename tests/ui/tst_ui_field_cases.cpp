// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/call.h"
#include "core/gateway/failure.h"
#include "core/gateway/traffic.h"
#include "core/load/latency_bars.h"
#include "core/observe/latency_track.h"
#include "core/policy/text.h"
#include "tests/support/field_cases.h"
#include "tests/ui/endpoints_desk.h"
#include "tests/ui/overview_desk.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_passages.h"
#include "ui/overview/histogram_bars.h"
#include "ui/overview/latency_histogram.h"
#include "ui/playground/playground_words.h"
#include "ui/playground/waterfall.h"
#include "ui/settings/preferences.h"

#include <QJsonArray>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QTemporaryDir>

#include <cmath>

using namespace sg;
using namespace sg::test;
using ui::EndpointsModel;

namespace {

namespace passages = ui::gatewaypassages;

std::vector<double> millisecondsOf(const QJsonValue& row)
{
    std::vector<double> all;
    for (const QJsonValue& ms : row[QLatin1String("ms")].toArray())
        all.push_back(ms.toDouble());
    return all;
}

std::int64_t answeredIn(const std::vector<observe::LatencyBin>& bars)
{
    std::int64_t all = 0;
    for (const observe::LatencyBin& bar : bars)
        all += bar.answered;
    return all;
}

/// The bars of these answers as the overview has them, and as a load run has them.
std::vector<observe::LatencyBin> recorded(const std::vector<double>& answers)
{
    observe::LatencyTrack track;
    const Instant now = instantAtMs(1000);
    for (const double ms : answers)
        track.add(observe::LatencyTrack::Kind::Answered, fromMs(ms), now);
    return track.bins(std::chrono::minutes(15), now);
}
std::vector<observe::LatencyBin> ofARun(const std::vector<double>& answers)
{
    load::Tally tally(instantAtMs(0));
    const chain::RunRecord run;
    for (const double ms : answers) {
        measure::Sample sample;
        sample.intended = instantAtMs(0);
        sample.end = instantAtMs(ms);
        tally.onFinished({run, {}, {}, {}, {}, {}}, sample, load::RunPart::Measured);
    }
    std::vector<observe::LatencyBin> bins;
    for (const load::LatencyBar& bar : load::latencyOf(tally))
        bins.push_back({bar.lowMs, bar.highMs, bar.answered, 0, bar.failed});
    return bins;
}

/// A provider's stream that has begun and then says `error`.
chain::RunRecord brokenRun(provider::ErrorClass error, const char* words)
{
    chain::RunRecord run;
    run.chain = "support";
    run.ending = chain::Ending::Failed;
    run.committed = true;
    run.attempts = 1;
    run.error.disposition = provider::dispositionOf(error);
    run.error.status = 200;
    run.error.message = words;
    chain::AttemptRecord attempt;
    attempt.endpoint = "gpt-4.1";
    attempt.error = run.error;
    attempt.committed = true;
    run.steps.emplace_back(attempt);
    return run;
}

/// WCAG 2.1, relative luminance and contrast ratio.
double luminance(const QColor& colour)
{
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}
double contrast(const QColor& ink, const QColor& paper)
{
    const double a = luminance(ink), b = luminance(paper);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

struct Pair
{
    QString what;
    QColor ink, paper;
};

std::vector<Pair> tokenPairs(const ui::Tokens& t)
{
    const std::pair<const char*, QColor> papers[]{
        {"card", t.card}, {"raised", t.raised}, {"bar", t.bar}, {"window", t.window}};
    const std::pair<const char*, QColor> inks[]{{"text", t.text}, {"text2", t.text2}, {"text3", t.text3}};
    std::vector<Pair> pairs;
    for (const auto& [paperName, paper] : papers)
        for (const auto& [inkName, ink] : inks)
            pairs.push_back(
                {QStringLiteral("%1 on %2").arg(QLatin1String(inkName), QLatin1String(paperName)), ink, paper});
    return pairs;
}

std::vector<Pair> palettePairs(const ui::Tokens& t)
{
    using P = QPalette;
    const QPalette palette = ui::paletteOf(t);
    const std::tuple<const char*, P::ColorRole, P::ColorRole> roles[]{{"text", P::Text, P::Base},
                                                                      {"window text", P::WindowText, P::Window},
                                                                      {"button", P::ButtonText, P::Button},
                                                                      {"placeholder", P::PlaceholderText, P::Base},
                                                                      {"tool tip", P::ToolTipText, P::ToolTipBase},
                                                                      {"selected", P::HighlightedText, P::Highlight}};
    const std::pair<const char*, P::ColorGroup> groups[]{
        {"active", P::Active}, {"inactive", P::Inactive}, {"disabled", P::Disabled}};
    std::vector<Pair> pairs;
    for (const auto& [groupName, group] : groups)
        for (const auto& [roleName, ink, paper] : roles)
            pairs.push_back({QStringLiteral("palette %1 %2").arg(QLatin1String(groupName), QLatin1String(roleName)),
                             palette.color(group, ink), palette.color(group, paper)});
    return pairs;
}

/// What the style sheet says of disabled controls; those without a paper of their own stand on a card.
std::vector<Pair> disabledPairs(const ui::Tokens& t, bool dark)
{
    static const QRegularExpression rule(
        QStringLiteral(R"(([^{}\n]*:disabled[^{}\n]*)\{[^}]*?\bcolor: (#[0-9a-f]{6}))"));
    std::vector<Pair> pairs;
    auto found = rule.globalMatch(ui::styleSheetOf(t, dark));
    while (found.hasNext()) {
        const auto match = found.next();
        pairs.push_back({match.captured(1).trimmed(), QColor(match.captured(2)), t.card});
    }
    return pairs;
}

} // namespace

class TestUiFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// FC-G02
    void everythingCanBeRead_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void everythingCanBeRead()
    {
        QFETCH(bool, dark);
        const double least = fieldCase(QStringLiteral("FC-G02.json"))[QStringLiteral("min_contrast")].toDouble();
        QVERIFY(least > 1);
        const ui::Tokens tokens = dark ? ui::darkTokens() : ui::lightTokens();
        const std::vector<Pair> disabled = disabledPairs(tokens, dark);
        QVERIFY(disabled.size() >= 3);
        for (const auto& pairs : {tokenPairs(tokens), palettePairs(tokens), disabled})
            for (const Pair& pair : pairs)
                QVERIFY2(contrast(pair.ink, pair.paper) >= least,
                         qPrintable(QStringLiteral("%1: %2").arg(pair.what).arg(contrast(pair.ink, pair.paper))));
    }

    /// FC-G02: with so much contrast the colour alone would not tell that a button is off; its edge does.
    void aButtonThatIsOffLooksIt_data() { everythingCanBeRead_data(); }
    void aButtonThatIsOffLooksIt()
    {
        QFETCH(bool, dark);
        ui::ThemeContext theme;
        theme.setMode(dark ? ui::ThemeMode::Dark : ui::ThemeMode::Light);
        for (const char* role : {"", "primary", "danger"}) {
            QWidget window;
            QPushButton button(QStringLiteral("Apply"), &window);
            button.setProperty("role", QLatin1String(role));
            button.setGeometry(10, 10, 90, 28);
            theme.applyTo(&window);
            const auto coloursOfTheEdge = [&] {
                const QImage picture = window.grab().toImage();
                QSet<QRgb> colours;
                for (int x = 20; x < 90; ++x)
                    colours.insert(picture.pixel(x, 10));
                return colours.size();
            };
            QCOMPARE(coloursOfTheEdge(), 1);
            button.setEnabled(false);
            QVERIFY(coloursOfTheEdge() > 1); // dashed
        }
    }

    /// FC-G02: a switch while the program runs reaches every window part.
    void aSwitchOfThemeReachesAll()
    {
        Desk desk(normalSnapshot());
        for (const auto mode : {ui::ThemeMode::Light, ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            desk.window.theme().setMode(mode);
            QCoreApplication::processEvents();
            const QColor paper = desk.window.theme().c().window;
            QCOMPARE(desk.window.palette().color(QPalette::Window).name(), paper.name());
            const QImage picture = desk.window.grab().toImage();
            QCOMPARE(picture.pixelColor(picture.width() - 4, picture.height() / 2).lightness() < 128,
                     mode == ui::ThemeMode::Dark);
        }
    }

    /// FC-G06, with the case's numbers as prices.
    void numbersAreSortedAsNumbers()
    {
        const QJsonArray costs = fieldCase(QStringLiteral("FC-G06.json"))[QStringLiteral("cost")].toArray();
        QCOMPARE(costs.size(), 6);
        std::vector<ui::EndpointRow> rows;
        for (int i = 0; i < costs.size(); ++i) {
            ui::EndpointRow row;
            row.name = std::string(1, char('a' + i));
            if (!costs[i].isNull())
                row.priceIn = cost::NanoDollars::fromUsd(costs[i].toDouble());
            rows.push_back(row);
        }
        EndpointsModel model;
        ui::EndpointsFilter filter(&model, nullptr);
        model.setRows(rows);
        const auto order = [&] {
            QString names;
            for (int row = 0; row < filter.rowCount(); ++row)
                names += filter.index(row, EndpointsModel::Name).data().toString();
            return names;
        };
        filter.sort(EndpointsModel::PriceIn, Qt::AscendingOrder);
        QCOMPARE(order(), QStringLiteral("dfacbe")); // 0, 1e-7, 4e-6, 9, 10, unknown
        filter.sort(EndpointsModel::PriceIn, Qt::DescendingOrder);
        QCOMPARE(order(), QStringLiteral("bcafde")); // unknown is last here too
        const QPersistentModelIndex held = filter.index(1, EndpointsModel::Name);
        ui::EndpointRow late;
        late.name = "g";
        late.priceIn = cost::NanoDollars::fromUsd(9.5);
        rows.insert(rows.begin(), late);
        model.setRows(rows);
        QCOMPARE(order(), QStringLiteral("bgcafde"));
        QCOMPARE(held.data().toString(), QStringLiteral("c")); // whoever is selected stays so
    }

    /// FC-G10: on a screen that is no longer there, and what is no place at all.
    void theWindowComesBackOnAScreen_data()
    {
        QTest::addColumn<QByteArray>("place");
        const QJsonObject saved = fieldCase(QStringLiteral("FC-G10.json"))[QStringLiteral("saved")].toObject();
        const auto number = [&](const char* name) { return saved[QLatin1String(name)].toInt(); };
        QVERIFY(number("x") > 3000);
        QWidget elsewhere;
        elsewhere.setGeometry(number("x"), number("y"), number("w"), number("h"));
        QTest::newRow("far away") << elsewhere.saveGeometry();
        elsewhere.setGeometry(-number("x"), -5000, number("w"), number("h"));
        QTest::newRow("above and left") << elsewhere.saveGeometry();
        QTest::newRow("garbage") << QByteArray("\x01\xd9\xd0\xcb\x00\x03\x00\x00\xff\xff", 10);
        QTest::newRow("nothing") << QByteArray();
    }
    void theWindowComesBackOnAScreen()
    {
        QFETCH(QByteArray, place);
        const QTemporaryDir folder;
        ui::Preferences preferences(folder.filePath(QStringLiteral("place.ini")));
        preferences.setWindowPlace(place);
        Source source;
        const auto first = normalSnapshot();
        const std::int64_t now = first.takenUnixMs;
        ui::MainWindow window(source, {[now] { return now; }, QStringLiteral("1"), false, &preferences});
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QRect bar = window.frameGeometry();
        bar.setHeight(40);
        int seen = 0;
        for (const QScreen* screen : QGuiApplication::screens()) {
            const QRect part = bar & screen->availableGeometry();
            if (part.height() >= 40)
                seen += part.width();
        }
        QVERIFY2(seen >= 100, qPrintable(QStringLiteral("%1 px at %2, %3").arg(seen).arg(bar.x()).arg(bar.y())));
    }

    /// FC-G14: in the overview and in a load run.
    void zeroHasAPlaceOnALogAxis()
    {
        const QJsonArray rows = fieldCase(QStringLiteral("FC-G14.json"))[QStringLiteral("rows")].toArray();
        QCOMPARE(rows.size(), 4);
        ui::ThemeContext theme;
        theme.setMode(ui::ThemeMode::Dark);
        for (const QJsonValue& row : rows) {
            const std::vector<double> answers = millisecondsOf(row);
            for (const auto& bins : {recorded(answers), ofARun(answers)}) {
                QCOMPARE(answeredIn(bins), std::int64_t(answers.size()));
                const auto bars = ui::histogram::bars(bins);
                QCOMPARE(answeredIn(bars), std::int64_t(answers.size()));
                for (const QPointF& point :
                     ui::histogram::outline(bars, [](const observe::LatencyBin& bar) { return bar.answered; }))
                    QVERIFY(std::isfinite(point.x()) && std::isfinite(point.y()));
                if (!answers.empty() && answers.front() == 0)
                    QCOMPARE(bars.front().lowMs, 0.0);
                observe::Snapshot snapshot;
                snapshot.latency = bins;
                snapshot.tiles.answered = std::int64_t(answers.size());
                ui::LatencyHistogram chart(theme);
                chart.resize(640, 240);
                chart.setSnapshot(shared(snapshot));
                QCOMPARE(accented(chart.grab().toImage(), theme.c().accent), !answers.empty());
            }
        }
        const auto first = ui::histogram::bars(recorded(millisecondsOf(rows[0]))).front();
        QCOMPARE(first.answered, std::int64_t(2)); // 0 and 0.2
        QCOMPARE(ui::histogram::spanWords(first), QStringLiteral("below 1.0\u202Fms"));
    }

    /// FC-G15: what came of a request and the status line that went out are two columns.
    void aBrokenStreamIsNoBlank200_data()
    {
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("result");
        using provider::ErrorClass;
        QTest::newRow("truncated") << int(ErrorClass::StreamBroken) << QStringLiteral("stream_broken")
                                   << QStringLiteral("cut short");
        QTest::newRow("error in the stream")
            << int(ErrorClass::Overloaded) << QStringLiteral("provider_overloaded") << QStringLiteral("stream error");
    }
    void aBrokenStreamIsNoBlank200()
    {
        QFETCH(int, error);
        QFETCH(QString, code);
        QFETCH(QString, result);
        const chain::RunRecord run = brokenRun(provider::ErrorClass(error), "Overloaded, try later");
        gateway::Ended ended;
        ended.status = 502;
        ended.code = code;
        ended.endpoint = "gpt-4.1";
        ended.record = &run;
        ended.sentStatus = 200;
        gateway::TrafficLog log;
        log.add(ended, 1);
        const auto row = passages::rowOf(log.picture()->latest.front());
        QCOMPARE(row[passages::Result].text, result);
        QCOMPARE(row[passages::Http].text, QStringLiteral("200"));
        QVERIFY(row[passages::Result].tone == ui::RowsModel::Tone::Bad);
        const QString detail = row[passages::Result].tip;
        QVERIFY2(detail.contains(QStringLiteral("Overloaded, try later")), qPrintable(detail));
        QVERIFY2(detail.contains(text(provider::inWords(provider::ErrorClass(error)))), qPrintable(detail));
        QVERIFY(!row[passages::Answered].text.contains(QStringLiteral("gpt")));

        engine::WatchView view; // the same in the playground
        view.running = false;
        view.record = run;
        QVERIFY(ui::words::statusOf(view).look == ui::words::Look::Failed);
        const auto failure = ui::words::failureOf(view);
        QVERIFY2(!failure.title.contains(QStringLiteral("200")), qPrintable(failure.title));
        QVERIFY2(failure.provider.contains(QStringLiteral("Overloaded, try later")), qPrintable(failure.provider));
        QVERIFY(!ui::waterfall::outcomeOf(run.error).contains(QStringLiteral("200")));
    }
    void aClientThatLeftIsNoAnswer()
    {
        gateway::Ended ended;
        ended.status = gateway::kClientLeft;
        ended.sentStatus = 200;
        gateway::TrafficLog log;
        log.add(ended, 1);
        const auto row = passages::rowOf(log.picture()->latest.front());
        QCOMPARE(row[passages::Result].text, QStringLiteral("client left"));
        QCOMPARE(row[passages::Http].text, QStringLiteral("200"));
    }

    /// FC-D17 wants a dash for 0, and two decimals for $1,043.83. mock/DESIGN.md's table is the product's: the dash is
    /// for what is unknown, which 0 is not, and sums from $100 on are whole dollars.
    void zeroTinyAndUnknownCostsAreThreeThings()
    {
        const QJsonArray rows = fieldCase(QStringLiteral("FC-D17.json"))[QStringLiteral("rows")].toArray();
        QCOMPARE(rows.size(), 4);
        const auto told = [&](int row) {
            const QJsonValue usd = rows[row][QLatin1String("v")];
            gateway::Passage passage;
            if (!usd.isNull())
                passage.costNanoUsd = std::llround(usd.toDouble() * 1e9);
            return passages::rowOf(passage)[passages::Cost];
        };
        QVERIFY(told(0).text != rows[0][QLatin1String("not_equal_text")].toString());
        QVERIFY(told(1).text.contains(rows[1][QLatin1String("text_contains")].toString()));
        QCOMPARE(told(1).tip, QStringLiteral("$0.000004")); // all of it
        QCOMPARE(told(2).text, QStringLiteral("$1\u202F044"));
        QCOMPARE(told(2).tip, QStringLiteral("$1043.834"));
        QCOMPARE(told(3).text, ui::format::unknown());
        QVERIFY(told(0).text != told(1).text && told(0).text != told(3).text);
    }

private:
    static bool accented(const QImage& picture, const QColor& accent)
    {
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) {
                const QColor at = picture.pixelColor(x, y);
                if (std::abs(at.hsvHue() - accent.hsvHue()) < 8 && at.hsvSaturation() > 100 && at.value() > 120)
                    return true;
            }
        return false;
    }
};

QTEST_MAIN(TestUiFieldCases)
#include "tst_ui_field_cases.moc"
