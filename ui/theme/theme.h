// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/tokens.h"

#include <QFont>
#include <QHash>
#include <QIcon>
#include <QObject>
#include <QPalette>

#include <memory>

class QApplication;

namespace sg::ui {

enum class ThemeMode { System, Dark, Light };

/// What a painter needs: colours, fonts, and whether things may move. A value; widgets ask ThemeContext for the
/// current one when they paint.
struct Theme
{
    bool dark = true;
    bool reducedMotion = false;
    Tokens c;

    /// `px` at 96 dpi; follows the desktop's font scale. 9.5 is the smallest size in use.
    QFont font(double px, bool bold = false) const;
    QFont mono(double px, bool bold = false) const;

private:
    QFont known(const QStringList& families, double px, bool bold, bool mono) const;
    /// Each new QFont looks for its file again, which a painter of many short texts would notice. GUI thread.
    std::shared_ptr<QHash<int, QFont>> fonts_ = std::make_shared<QHash<int, QFont>>();
};

QPalette paletteOf(const Tokens& tokens);
QString styleSheetOf(const Tokens& tokens, bool dark);
/// An icon of resources/icons in one colour; `off` for the unchecked or disabled state when given.
QIcon iconOf(const QString& name, const QColor& on, const QColor& off = {}, int px = 20);
QPixmap iconPixmap(const QString& name, const QColor& colour, int px, double ratio);

/// Style and font every window of the program starts from. Once, before the first widget.
void prepareApplication(QApplication& application);

/// The theme of one main window, handed to everything in it. GUI thread.
class ThemeContext : public QObject
{
    Q_OBJECT
public:
    explicit ThemeContext(QObject* parent = nullptr);

    const Theme& theme() const { return theme_; }
    const Tokens& c() const { return theme_.c; }
    ThemeMode mode() const { return mode_; }
    void setMode(ThemeMode mode);
    void setReducedMotion(bool reduced);
    /// Sets palette and style sheet of a window; the owner calls it again after changed().
    void applyTo(QWidget* window) const;

Q_SIGNALS:
    void changed();

private:
    void rebuild();

    ThemeMode mode_ = ThemeMode::System;
    bool systemDark_ = true;
    Theme theme_;
};

} // namespace sg::ui
