// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/main_window/page.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QCheckBox;

namespace sg::ui {

class Segments;

/// How the program looks and moves.
class SettingsPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// `more`: panels of other parts of the program, below its own. Null: none.
    explicit SettingsPage(ThemeContext& context, QWidget* more = nullptr);

    QString id() const override { return QStringLiteral("settings"); }
    QString title() const override { return tr("Settings"); }
    QString icon() const override { return QStringLiteral("settings"); }
    QWidget* widget() override { return this; }
    void setSnapshot(const observe::SnapshotPtr&, std::int64_t) override {}

private:
    void follow();

    ThemeContext& context_;
    Segments* mode_;
    QCheckBox* reduced_;
};

} // namespace sg::ui
