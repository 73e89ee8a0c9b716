// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/insert_node.h"
#include "ui/main_window/command_palette.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QScreen>

namespace sg::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::ChainPalette)
};

void showList(ThemeContext& context, std::vector<PaletteCommand> commands, QWidget* parent, const QPoint& place,
              const QString& title)
{
    auto* list = new CommandPalette(context, std::move(commands), parent->window());
    list->setAccessibleName(title);
    list->setWindowTitle(title);
    list->resize(300, 280);
    QPoint at = place;
    if (const QScreen* screen = parent->screen()) {
        const QRect room = screen->availableGeometry();
        at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - list->width())));
        at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - list->height())));
    }
    list->move(at);
    list->show();
}

} // namespace

QString nodeName(const NodeKind& node)
{
    switch (node.kind) {
    case NodeKind::Kind::Limiter:
        return Words::tr("Rate limiter");
    case NodeKind::Kind::Cache:
        return Words::tr("Cache");
    case NodeKind::Kind::Split:
        return Words::tr("Split by weight");
    case NodeKind::Kind::Router:
        return Words::tr("Complexity router");
    case NodeKind::Kind::Canned:
        return Words::tr("Canned reply");
    case NodeKind::Kind::Endpoint:
        break;
    }
    return QString::fromStdString(node.endpoint);
}

QString nodeIcon(NodeKind::Kind kind)
{
    switch (kind) {
    case NodeKind::Kind::Limiter:
        return QStringLiteral("limiter");
    case NodeKind::Kind::Cache:
        return QStringLiteral("cache");
    case NodeKind::Kind::Split:
        return QStringLiteral("split");
    case NodeKind::Kind::Router:
        return QStringLiteral("router");
    case NodeKind::Kind::Canned:
        return QStringLiteral("canned");
    case NodeKind::Kind::Endpoint:
        break;
    }
    return {};
}

void insertNode(ChainEditor& editor, const NodeKind& node, int at)
{
    editor.draft().closeMerge();
    switch (node.kind) {
    case NodeKind::Kind::Limiter:
        return editor.addLimiter();
    case NodeKind::Kind::Cache:
        return editor.addCache();
    case NodeKind::Kind::Router:
        return editor.addRouter();
    case NodeKind::Kind::Canned:
        return editor.insertCannedReply(at);
    case NodeKind::Kind::Endpoint:
        return editor.insertEndpoint(node.endpoint, at);
    case NodeKind::Kind::Split:
        break;
    }
}

void chooseInsert(ThemeContext& context, ChainEditor& editor, int at, QWidget* parent, const QPoint& place)
{
    const workspace::Chain* chain = editor.chain();
    if (!chain)
        return;
    std::vector<PaletteCommand> commands;
    const auto add = [&](const NodeKind& node, const QString& hint) {
        commands.push_back({nodeName(node), hint, [&editor, node, at] { insertNode(editor, node, at); }});
    };
    for (const workspace::Endpoint& endpoint : editor.draft().workspace().endpoints)
        add({NodeKind::Kind::Endpoint, endpoint.spec.name}, endpoint.provider);
    add({NodeKind::Kind::Canned}, {});
    if (!chain->spec.limiter)
        add({NodeKind::Kind::Limiter}, Words::tr("first in the chain"));
    if (!chain->spec.cache)
        add({NodeKind::Kind::Cache}, Words::tr("before the tiers"));
    if (!chain->spec.router && !chain->spec.tiers.empty())
        add({NodeKind::Kind::Router}, Words::tr("before the tiers"));
    showList(context, std::move(commands), parent, place, Words::tr("Insert as tier %1").arg(at + 1));
}

void chooseSplit(ThemeContext& context, ChainEditor& editor, int tier, QWidget* parent, const QPoint& place)
{
    if (!editor.tier(tier))
        return;
    std::vector<PaletteCommand> commands;
    for (const workspace::Endpoint& endpoint : editor.draft().workspace().endpoints) {
        const std::string name = endpoint.spec.name;
        if (name == editor.tier(tier)->endpoint)
            continue;
        commands.push_back({QString::fromStdString(name), endpoint.provider, [&editor, tier, name] {
                                editor.draft().closeMerge();
                                editor.splitWith(tier, name);
                            }});
    }
    showList(context, std::move(commands), parent, place, Words::tr("Share the traffic of tier %1 with").arg(tier + 1));
}

} // namespace sg::ui
