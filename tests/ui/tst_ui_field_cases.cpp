// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/field_cases.h"
#include "tests/ui/endpoints_desk.h"
#include "tests/ui/overview_desk.h"
#include "ui/settings/preferences.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QScreen>
#include <QTemporaryDir>

#include <cmath>

using namespace sg;
using namespace sg::test;
using ui::EndpointsModel;

namespace {

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
};

QTEST_MAIN(TestUiFieldCases)
#include "tst_ui_field_cases.moc"
