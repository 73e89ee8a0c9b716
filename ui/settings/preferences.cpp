// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preferences.h"

#include <QStandardPaths>

#include <array>

namespace sg::ui {

template <typename T>
struct Preferences::Entry
{
    const char* key;
    T fallback;
};

struct Preferences::Table
{
    Entry<QString> theme{"appearance/theme", QStringLiteral("system")};
    Entry<bool> reducedMotion{"appearance/reduced_motion", false};
    Entry<int> timeRange{"view/time_range", 1};
    Entry<QByteArray> windowPlace{"window/place", {}};
    Entry<QByteArray> playgroundDraft{"playground/draft", {}};
    Entry<QByteArray> chainsColumns{"chains/columns", {}};
    Entry<bool> chainsAsTree{"chains/as_tree", false};
    Entry<QString> transport{"network/transport", QStringLiteral("auto")};
    Entry<QStringList> gatewaysOn{"gateway/on", {}};

    static const Table& get()
    {
        static const Table table;
        return table;
    }
};

namespace {

constexpr std::array kThemes{std::pair(ThemeMode::System, QLatin1String("system")),
                             std::pair(ThemeMode::Dark, QLatin1String("dark")),
                             std::pair(ThemeMode::Light, QLatin1String("light"))};

constexpr qsizetype kMostGateways = 100;

} // namespace

Preferences::Preferences(const QString& file)
    : settings_(file, QSettings::IniFormat)
{
}

QString Preferences::standardFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/switchgear/switchgear.ini");
}

template <typename T>
T Preferences::read(const Entry<T>& entry) const
{
    const QVariant value = settings_.value(QLatin1String(entry.key));
    if (!value.isValid() || !value.canConvert<T>())
        return entry.fallback;
    return value.value<T>();
}

template <typename T>
void Preferences::write(const Entry<T>& entry, const T& value)
{
    if (!settings_.contains(QLatin1String(entry.key)) || read(entry) != value)
        settings_.setValue(QLatin1String(entry.key), QVariant::fromValue(value));
}

ThemeMode Preferences::theme() const
{
    const QString word = read(Table::get().theme);
    const auto found = std::ranges::find_if(kThemes, [&](const auto& theme) { return theme.second == word; });
    return found != kThemes.end() ? found->first : ThemeMode::System;
}

void Preferences::setTheme(ThemeMode mode)
{
    const auto found = std::ranges::find_if(kThemes, [&](const auto& theme) { return theme.first == mode; });
    write(Table::get().theme, QString(found->second));
}

bool Preferences::reducedMotion() const
{
    return read(Table::get().reducedMotion);
}

void Preferences::setReducedMotion(bool reduced)
{
    write(Table::get().reducedMotion, reduced);
}

int Preferences::timeRange() const
{
    const int index = read(Table::get().timeRange);
    return index >= 0 && index < 5 ? index : Table::get().timeRange.fallback;
}

void Preferences::setTimeRange(int index)
{
    write(Table::get().timeRange, index);
}

QByteArray Preferences::windowPlace() const
{
    return read(Table::get().windowPlace);
}

void Preferences::setWindowPlace(const QByteArray& place)
{
    write(Table::get().windowPlace, place);
}

QByteArray Preferences::playgroundDraft() const
{
    return read(Table::get().playgroundDraft);
}

void Preferences::setPlaygroundDraft(const QByteArray& draft)
{
    write(Table::get().playgroundDraft, draft);
}

QByteArray Preferences::chainsColumns() const
{
    return read(Table::get().chainsColumns);
}

void Preferences::setChainsColumns(const QByteArray& columns)
{
    write(Table::get().chainsColumns, columns);
}

bool Preferences::gatewayWasOn(const QString& workspace) const
{
    return read(Table::get().gatewaysOn).contains(workspace);
}

void Preferences::setGatewayOn(const QString& workspace, bool isOn)
{
    QStringList on = read(Table::get().gatewaysOn);
    on.removeAll(workspace);
    if (isOn)
        on.append(workspace);
    write(Table::get().gatewaysOn, on.mid(std::max<qsizetype>(0, on.size() - kMostGateways)));
}

http::TransportKind Preferences::transport() const
{
    return http::transportKindOf(read(Table::get().transport)).value_or(http::TransportKind::Automatic);
}

void Preferences::setTransport(http::TransportKind kind)
{
    write(Table::get().transport, QString::fromLatin1(http::toString(kind)));
}

bool Preferences::chainsAsTree() const
{
    return read(Table::get().chainsAsTree);
}

void Preferences::setChainsAsTree(bool isTree)
{
    write(Table::get().chainsAsTree, isTree);
}

} // namespace sg::ui
