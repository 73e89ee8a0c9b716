// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMimeData>
#include <QString>

#include <optional>
#include <string>

namespace sg::ui {

/// Something that can be put into a chain: what the palette offers, what is dragged, what a line's popup lists.
struct NodeKind
{
    enum class Kind { Endpoint, Limiter, Cache, Split, Router, Canned };
    Kind kind = Kind::Endpoint;
    std::string endpoint{}; ///< its name, Kind::Endpoint only
    bool operator==(const NodeKind&) const = default;
};

/// The format of a drag: "KIND\nNAME" in UTF-8, KIND being the number of NodeKind::Kind. Only this program reads it.
inline QString nodeMimeType()
{
    return QStringLiteral("application/x-switchgear-node");
}

inline void writeNode(QMimeData& mime, const NodeKind& node)
{
    mime.setData(nodeMimeType(),
                 QByteArray::number(static_cast<int>(node.kind)) + '\n' + QByteArray::fromStdString(node.endpoint));
}

/// Empty: the drag is of something else.
inline std::optional<NodeKind> readNode(const QMimeData* mime)
{
    if (!mime || !mime->hasFormat(nodeMimeType()))
        return std::nullopt;
    const QByteArray data = mime->data(nodeMimeType());
    const auto cut = data.indexOf('\n');
    bool isNumber = false;
    const int kind = data.left(cut).toInt(&isNumber);
    if (cut < 0 || !isNumber || kind < 0 || kind > static_cast<int>(NodeKind::Kind::Canned))
        return std::nullopt;
    return NodeKind{static_cast<NodeKind::Kind>(kind), data.mid(cut + 1).toStdString()};
}

} // namespace sg::ui
