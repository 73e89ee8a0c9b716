// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/prices.h"

#include "app/session/session.h"

#include <QFileInfo>
#include <QStandardPaths>

/// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace around it.
static void initResources()
{
    Q_INIT_RESOURCE(core);
}

namespace sg::app {

namespace {

void add(const QString& path, KnownPrices& known)
{
    const auto bytes = readFile(path);
    if (!bytes) {
        known.warnings.append(bytes.error());
        return;
    }
    const auto loaded = cost::PriceBook::load(*bytes);
    for (const cost::PriceEntry& entry : loaded.book.entries())
        known.book.add(entry);
    for (const QString& finding : loaded.findings)
        known.warnings.append(QStringLiteral("%1: %2").arg(path, finding));
}

} // namespace

KnownPrices knownPrices()
{
    initResources();
    KnownPrices known;
    add(QStringLiteral(":/prices/prices.json"), known);
    if (const QString own = ownPriceBook(); QFileInfo::exists(own))
        add(own, known);
    return known;
}

QString ownPriceBook()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/switchgear/prices.json");
}

} // namespace sg::app
