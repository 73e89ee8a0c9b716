// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>
#include <QStyleFactory>
#include <QSvgRenderer>

// Resources of a static library are not linked in by themselves; the macro must stand outside namespaces.
static void initResources()
{
    Q_INIT_RESOURCE(ui);
}

namespace sg::ui {

namespace {

QFont sized(const QStringList& families, double px, bool bold)
{
    QFont font;
    font.setFamilies(families);
    // Points, not pixels: QFont rounds pixel sizes to whole numbers and ignores the desktop's font scale with them.
    font.setPointSizeF(px * 0.75);
    font.setWeight(bold ? QFont::Bold : QFont::Normal);
    font.setHintingPreference(QFont::PreferVerticalHinting);
    return font;
}

} // namespace

QFont Theme::known(const QStringList& families, double px, bool bold, bool mono) const
{
    const int key = qRound(px * 100) * 4 + (bold ? 2 : 0) + (mono ? 1 : 0);
    const auto found = fonts_->constFind(key);
    return found != fonts_->cend() ? *found : *fonts_->insert(key, sized(families, px, bold));
}

QFont Theme::font(double px, bool bold) const
{
    static const QStringList families{QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")};
    return known(families, px, bold, false);
}

QFont Theme::mono(double px, bool bold) const
{
    static const QStringList families{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono")};
    return known(families, px, bold, true);
}

QPalette paletteOf(const Tokens& t)
{
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.card);
    p.setColor(QPalette::AlternateBase, t.raised);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.text3);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.open);
    p.setColor(QPalette::Highlight, t.accentTint);
    p.setColor(QPalette::HighlightedText, t.text);
    p.setColor(QPalette::ToolTipBase, t.raised);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::Light, t.selected);
    p.setColor(QPalette::Midlight, t.raised);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.outline);
    p.setColor(QPalette::Shadow, t.window);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, t.text3);
    return p;
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int px, double ratio)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QPixmap pixmap(qRound(px * ratio), qRound(px * ratio));
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

QIcon iconOf(const QString& name, const QColor& on, const QColor& off, int px)
{
    QIcon icon;
    for (double ratio : {1.0, 2.0}) {
        icon.addPixmap(iconPixmap(name, on, px, ratio), QIcon::Normal, QIcon::On);
        icon.addPixmap(iconPixmap(name, off.isValid() ? off : on, px, ratio), QIcon::Normal, QIcon::Off);
    }
    return icon;
}

void prepareApplication(QApplication& application)
{
    initResources();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setFont(Theme{}.font(12));
}

ThemeContext::ThemeContext(QObject* parent)
    : QObject(parent)
{
    // Qt 6.4 has no colour-scheme hint: the desktop's own palette says which one it is.
    systemDark_ = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    rebuild();
}

void ThemeContext::setMode(ThemeMode mode)
{
    if (mode_ == mode)
        return;
    mode_ = mode;
    rebuild();
    Q_EMIT changed();
}

void ThemeContext::setReducedMotion(bool reduced)
{
    if (theme_.reducedMotion == reduced)
        return;
    theme_.reducedMotion = reduced;
    Q_EMIT changed();
}

void ThemeContext::applyTo(QWidget* window) const
{
    window->setPalette(paletteOf(theme_.c));
    window->setStyleSheet(styleSheetOf(theme_.c, theme_.dark));
}

void ThemeContext::rebuild()
{
    theme_.dark = mode_ == ThemeMode::Dark || (mode_ == ThemeMode::System && systemDark_);
    theme_.c = theme_.dark ? darkTokens() : lightTokens();
}

} // namespace sg::ui
