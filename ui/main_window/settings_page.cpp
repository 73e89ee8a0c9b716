// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/settings_page.h"
#include "ui/edit/field_rows.h"
#include "ui/format/format.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/fields_panel.h"
#include "ui/widgets/segments.h"

#include <QCheckBox>
#include <QDateTime>
#include <QGuiApplication>
#include <QLabel>
#include <QScreen>

namespace sg::ui {

namespace {

QString fontWords()
{
    const auto* screen = QGuiApplication::primaryScreen();
    const double scale = screen ? screen->logicalDotsPerInch() / 96 * screen->devicePixelRatio() : 1;
    return SettingsPage::tr("%1\u202F% of the design size, as the desktop sets it").arg(format::number(scale * 100, 0));
}

QWidget* makeKeyboardPanel(ThemeContext& context)
{
    const std::pair<QString, QString> keys[] = {
        {SettingsPage::tr("Ctrl 1 – 9"), SettingsPage::tr("Go to a page")},
        {SettingsPage::tr("Ctrl K"), SettingsPage::tr("Find or run a command")},
        {SettingsPage::tr("Ctrl Shift C"), SettingsPage::tr("Copy the gateway's address")},
        {SettingsPage::tr("Space"), SettingsPage::tr("Freeze the view and go live again")},
        {SettingsPage::tr("[ and ]"), SettingsPage::tr("Shorter and longer time range")},
        {SettingsPage::tr("F6"), SettingsPage::tr("Next region of the window")},
        {SettingsPage::tr("F1"), SettingsPage::tr("Explain the figure or field that has the focus")},
        {SettingsPage::tr("← →, Home, End"), SettingsPage::tr("Read a chart; ↑ ↓ too in lanes and heatmap")},
        {SettingsPage::tr("T"), SettingsPage::tr("The focused chart's data as a table")},
        {SettingsPage::tr("O, C, R"), SettingsPage::tr("On a breaker card: force open, force closed, reset")},
        {SettingsPage::tr("Ctrl Enter, Ctrl ."), SettingsPage::tr("Start and stop a load test")},
        {SettingsPage::tr("Ctrl Enter, Esc"), SettingsPage::tr("Playground: send and cancel")},
        {SettingsPage::tr("Ctrl O"), SettingsPage::tr("Playground: open a recorded answer")},
        {SettingsPage::tr("Ctrl Z, Ctrl Shift Z"), SettingsPage::tr("Chains, endpoints, gateway: undo and redo")},
        {SettingsPage::tr("Ctrl Enter"), SettingsPage::tr("Chains, endpoints, gateway: apply the draft")},
        {SettingsPage::tr("Ctrl S"), SettingsPage::tr("Keep the draft for the next start")},
        {SettingsPage::tr("Alt ↑ ↓, Insert, Del"), SettingsPage::tr("Chains: move, put in and remove a step")},
        {SettingsPage::tr("Ctrl D"), SettingsPage::tr("Chains, endpoints: duplicate")},
    };
    auto* panel = new FieldsPanel(context, SettingsPage::tr("Keyboard"), 8);
    for (const auto& [key, words] : keys)
        panel->addText(key, new QLabel(words));
    return panel;
}

} // namespace

SettingsPage::SettingsPage(ThemeContext& context, Preferences* preferences, QWidget* more)
    : context_(context)
    , mode_(new Segments({tr("As the desktop"), tr("Dark"), tr("Light")}, tr("Theme")))
    , reduced_(new QCheckBox(tr("No moving parts")))
{
    reduced_->setObjectName(QStringLiteral("reducedMotion"));
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(12, 10, 12, 10);
    auto* panel = new FieldsPanel(context, tr("Appearance"));
    panel->addField(tr("Theme"), mode_);
    panel->addField(tr("Motion"), reduced_);
    panel->addWords(
        wrappedLabel("caption", tr("Breaker blades jump instead of swinging; countdown arcs step once a second.")));
    panel->addText(tr("Text size"), new QLabel(fontWords()));
    panel->addText(tr("Time zone"), new QLabel(format::timeZone(QDateTime::currentMSecsSinceEpoch())));
    all->setSpacing(10);
    auto* left = new QVBoxLayout;
    left->setSpacing(10);
    left->addWidget(panel);
    left->addWidget(makeNetwork(preferences));
    if (more)
        left->addWidget(more);
    left->addStretch(1);
    all->addLayout(left, 1);
    all->addWidget(makeKeyboardPanel(context), 1, Qt::AlignTop);
    connect(mode_, &Segments::selected, this, [this](int i) { context_.setMode(static_cast<ThemeMode>(i)); });
    connect(reduced_, &QCheckBox::toggled, this, [this](bool on) { context_.setReducedMotion(on); });
    connect(&context, &ThemeContext::changed, this, &SettingsPage::follow);
    follow();
}

QWidget* SettingsPage::makeNetwork(Preferences* preferences)
{
    auto* panel = new FieldsPanel(context_, tr("Network"));
    auto* transport = new Segments({tr("Automatic"), tr("Qt"), tr("libcurl")}, tr("Transport"));
    transport->setObjectName(QStringLiteral("transport"));
    if (preferences)
        transport->setCurrent(static_cast<int>(preferences->transport()));
    panel->addField(tr("Transport"), transport);
    panel->addWords(wrappedLabel(
        "caption", tr("Which library carries requests to providers. Automatic: Qt's, and libcurl for load runs of "
                      "more than %1 requests at a time and for endpoints that ask for HTTP/2, which Qt's does "
                      "not speak here. Requests that are under way stay where they began.")
                       .arg(http::kCurlAbove)));
    connect(transport, &Segments::selected, this, [this, preferences](int index) {
        const auto kind = static_cast<http::TransportKind>(index);
        if (preferences)
            preferences->setTransport(kind);
        Q_EMIT transportChosen(kind);
    });
    return panel;
}

void SettingsPage::follow()
{
    mode_->setCurrent(static_cast<int>(context_.mode()));
    reduced_->setChecked(context_.theme().reducedMotion);
}

} // namespace sg::ui
