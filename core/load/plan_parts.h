// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"

#include <QJsonArray>

/// Parts of a plan's JSON that writer and reader share.
namespace sg::load::planparts {

inline const QString kFormat = QStringLiteral("switchgear-plan/1");

QJsonArray jsonOf(const std::vector<Prompt>& prompts);
QJsonArray jsonOf(const std::vector<Nanos>& offsets); ///< ms
/// By which a list is known where it is not written down: SHA-256 in hex.
QString hashOf(const QJsonArray& list);
qint64 bytesOf(const QJsonArray& list);

} // namespace sg::load::planparts
