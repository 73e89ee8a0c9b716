// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/engine/connection_test.h"
#include "core/secrets/key_control.h"
#include "core/workspace/finding.h"
#include "core/workspace/model.h"
#include "ui/theme/tokens.h"
#include "ui/widgets/rows_model.h"

class QPainter;
class QPointF;

/// What the Endpoints page says, and the signs it says it with.
namespace sg::ui::endpointwords {

using Tone = RowsModel::Tone;

secrets::KeyStatus statusOf(secrets::KeyControl& keys, const workspace::KeyRef& key);

/// Somebody said where the key is, or that there is none; or none is asked for.
bool isKeyChosen(const workspace::Endpoint& endpoint, const provider::ProviderProfile& profile);
QString keyWord(const secrets::KeyStatus& status, bool isChosen); ///< "in the keychain", "locked", "not chosen"
Tone keyTone(const secrets::KeyStatus& status, bool isChosen);
/// The small sign of a key's state; each has a shape of its own.
void keyMark(QPainter& p, const QPointF& centre, double size, secrets::KeyState state, const QColor& ink);

/// Where a key of this provider usually is: its variable, or an entry that endpoints of one provider share.
QString usualKeyName(workspace::KeySource source, const provider::ProviderProfile& profile, const QString& endpoint);

/// Why an address cannot be used; empty when it can.
QString addressProblem(const QString& baseUrl, const provider::ProviderProfile& profile);
/// A text that goes into the file and has what looks like a key in it.
bool holdsKey(const QString& text);
QString proxyProblem(const QString& proxy);
QString providerTitle(const workspace::Workspace& workspace, const QString& id);

QString rate(const std::optional<cost::NanoDollars>& perMillion); ///< "2.00"; unknown is a dash
/// "list price, 1 May 2026"; empty when the book does not know the model.
QString sourceOf(const cost::PriceEntry* entry);
/// "Price book: $2.00/M in, $8.00/M out; list price, 1 May 2026"
QString bookWords(const cost::PriceEntry* entry);

QString testWord(const engine::ConnectionResult& result); ///< "120 ms", "key refused"
Tone testTone(const engine::ConnectionResult& result);
QString testWords(const engine::ConnectionResult& result); ///< sentences

/// "Shares its quota with b and c: …"; `group` is spec.quotaGroup's.
QString quotaWords(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint);
QString credentialWords(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint);

QString joined(const QStringList& names); ///< "a, b and c"; of many "a, b and 5 more"

} // namespace sg::ui::endpointwords
