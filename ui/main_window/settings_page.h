// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport_kind.h"
#include "ui/main_window/page.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QCheckBox;

namespace sg::ui {

class Preferences;
class Segments;

/// How the program looks and moves, and which library carries its requests.
class SettingsPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// `preferences` outlives it; null: choices last as long as the program. `more`: panels of other parts of the
    /// program, below its own; null: none.
    explicit SettingsPage(ThemeContext& context, Preferences* preferences = nullptr, QWidget* more = nullptr);

    QString id() const override { return QStringLiteral("settings"); }
    QString title() const override { return tr("Settings"); }
    QString icon() const override { return QStringLiteral("settings"); }
    QWidget* widget() override { return this; }
    void setSnapshot(const observe::SnapshotPtr&, std::int64_t) override {}

Q_SIGNALS:
    void transportChosen(http::TransportKind kind);

private:
    QWidget* makeNetwork(Preferences* preferences);
    void follow();

    ThemeContext& context_;
    Segments* mode_;
    QCheckBox* reduced_;
};

} // namespace sg::ui
