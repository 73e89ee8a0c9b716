// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/presets.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>

/// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace around it.
static void initPresets()
{
    Q_INIT_RESOURCE(presets);
}

namespace sg::workspace {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Presets", text);
}

Preset read(const char* id, const QString& title, const QString& words)
{
    QFile file(QStringLiteral(":/presets/%1.json").arg(QLatin1String(id)));
    const bool isOpen = file.open(QIODevice::ReadOnly);
    return {QLatin1String(id), title, words, isOpen ? file.readAll() : QByteArray()};
}

std::vector<Preset> readAll()
{
    initPresets();
    return {
        read("s0-cost-optimizer", tr("Cost optimizer"),
             tr("Words of the request choose the model, dear ones only for hard work; proportional jitter.")),
        read("s1-multi-layer-gateway", tr("Multi-layer gateway"),
             tr("Limiter, cache and four providers whose breakers open at their share of 429.")),
        read(
            "s2-three-jitters", tr("Three jitters"),
            tr("One endpoint that refuses a quarter of all requests, asked with full, decorrelated and equal jitter.")),
        read("s3-tiers-cache-rules", tr("Tiers, cache and rules"),
             tr("A large model, a small one, and ready-made replies when both are out.")),
        read("s4-chat-service", tr("Chat service"),
             tr("One provider behind a breaker that fails at once while it is open.")),
    };
}

} // namespace

const std::vector<Preset>& presets()
{
    static const std::vector<Preset> all = readAll();
    return all;
}

const Preset* preset(const QString& id)
{
    const auto& all = presets();
    const auto found = std::ranges::find_if(all, [&](const Preset& each) {
        return each.id == id || (!id.isEmpty() && each.id.startsWith(id + QLatin1Char('-')));
    });
    return found == all.end() ? nullptr : &*found;
}

} // namespace sg::workspace
