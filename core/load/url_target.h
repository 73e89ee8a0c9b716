// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

/// A run's target that is in no workspace: any address that speaks OpenAI's API, a gateway among them. Pure.
namespace sg::load {

struct UrlTarget
{
    QString baseUrl; ///< with its "/v1": "http://127.0.0.1:8787/v1"; never holds a key
    QString model;   ///< of a gateway a chain's name
    workspace::KeyRef key{};
    bool operator==(const UrlTarget&) const = default;
};

/// Empty when fine; otherwise a sentence with the remedy.
QString checkUrl(const UrlTarget& url);
QString hostOf(const QString& baseUrl); ///< "127.0.0.1:8787"
/// Whatever is not this machine is somebody's real service.
bool isOnThisMachine(const QString& baseUrl);
/// Of one endpoint, which is the address; it has the name hostOf(). Without prices: nobody says what is behind it.
workspace::Workspace workspaceAt(const UrlTarget& url);
QJsonObject toJson(const UrlTarget& url);                      ///< the key as what it is called, never itself
std::optional<UrlTarget> urlTargetOf(const QJsonObject& json); ///< what toJson() wrote

} // namespace sg::load
