// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoint_words.h"

#include "core/engine/key_home.h"
#include "core/provider/mask.h"
#include "core/provider/request_writer.h"
#include "ui/format/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QUrl>

namespace sg::ui::endpointwords {

namespace {

using secrets::KeyHome;
using secrets::KeyState;
using workspace::KeySource;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::EndpointWords)
};

QString readyWord(KeyHome home)
{
    switch (home) {
    case KeyHome::Environment:
        return Words::tr("variable");
    case KeyHome::Keychain:
        return Words::tr("keychain");
    case KeyHome::Session:
        return Words::tr("this run");
    case KeyHome::None:
        break;
    }
    return Words::tr("none needed");
}

template <typename Member>
QStringList othersWith(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint, Member member)
{
    QStringList names;
    for (const workspace::Endpoint& each : workspace.endpoints)
        if (each.spec.name != endpoint.spec.name && each.spec.*member == endpoint.spec.*member)
            names << QString::fromStdString(each.spec.name);
    return names;
}

} // namespace

secrets::KeyStatus statusOf(secrets::KeyControl& keys, const workspace::KeyRef& key)
{
    return keys.status(engine::homeOf(key.source), key.name);
}

bool isKeyChosen(const workspace::Endpoint& endpoint, const provider::ProviderProfile& profile)
{
    return endpoint.key.source != KeySource::None || endpoint.key.saysNone || !profile.needsKey ||
           endpoint.baseUrl.startsWith(QLatin1String("sim:"));
}

QString keyWord(const secrets::KeyStatus& status, bool isChosen)
{
    if (!isChosen)
        return Words::tr("not chosen");
    switch (status.state) {
    case KeyState::NotNeeded:
        return Words::tr("none");
    case KeyState::Ready:
        return readyWord(status.home);
    case KeyState::Reading:
        return Words::tr("reading…");
    case KeyState::Missing:
        return Words::tr("missing");
    case KeyState::Malformed:
        return Words::tr("malformed");
    case KeyState::Locked:
        return Words::tr("locked");
    case KeyState::Absent:
        return Words::tr("no keychain");
    case KeyState::Denied:
        return Words::tr("denied");
    }
    return {};
}

Tone keyTone(const secrets::KeyStatus& status, bool isChosen)
{
    if (!isChosen)
        return Tone::Warned;
    switch (status.state) {
    case KeyState::NotNeeded:
    case KeyState::Reading:
        return Tone::Faint;
    case KeyState::Ready:
        return status.isOdd ? Tone::Warned : Tone::Soft;
    case KeyState::Locked:
        return Tone::Warned;
    default:
        return Tone::Bad;
    }
}

void keyMark(QPainter& p, const QPointF& centre, double size, KeyState state, const QColor& ink)
{
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.translate(centre);
    p.scale(size / 10, size / 10);
    p.setPen(QPen(ink, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.setBrush(Qt::NoBrush);
    switch (state) {
    case KeyState::Ready: // a key
        p.drawEllipse(QPointF(-2.2, 0), 2.4, 2.4);
        p.drawLine(QPointF(0.2, 0), QPointF(4.6, 0));
        p.drawLine(QPointF(4.4, 0), QPointF(4.4, 2.2));
        p.drawLine(QPointF(2.4, 0), QPointF(2.4, 1.8));
        break;
    case KeyState::NotNeeded:
        p.drawLine(QPointF(-3, 0), QPointF(3, 0));
        break;
    case KeyState::Reading:
        p.setPen(Qt::NoPen);
        p.setBrush(ink);
        for (const double x : {-3.2, 0.0, 3.2})
            p.drawEllipse(QPointF(x, 0), 1, 1);
        break;
    case KeyState::Missing: { // an empty place
        QPen dashed(ink, 1.4);
        dashed.setDashPattern({1.6, 1.6});
        p.setPen(dashed);
        p.drawEllipse(QPointF(0, 0), 3.9, 3.9);
        break;
    }
    case KeyState::Malformed:
        p.drawPolygon(QPolygonF{QPointF(0, -4), QPointF(4.2, 3.6), QPointF(-4.2, 3.6)});
        p.drawLine(QPointF(0, -1), QPointF(0, 1));
        break;
    case KeyState::Locked: // a padlock
        p.drawArc(QRectF(-2.4, -4.6, 4.8, 6), 0, 180 * 16);
        p.setBrush(ink);
        p.drawRect(QRectF(-3.3, -1, 6.6, 4.6));
        break;
    case KeyState::Absent: // a barred circle
        p.drawEllipse(QPointF(0, 0), 3.9, 3.9);
        p.drawLine(QPointF(-2.7, 2.7), QPointF(2.7, -2.7));
        break;
    case KeyState::Denied:
        p.drawLine(QPointF(-3.2, -3.2), QPointF(3.2, 3.2));
        p.drawLine(QPointF(-3.2, 3.2), QPointF(3.2, -3.2));
        break;
    }
    p.restore();
}

QString usualKeyName(KeySource source, const provider::ProviderProfile& profile, const QString& endpoint)
{
    if (source == KeySource::None)
        return {};
    if (source == KeySource::Environment)
        return profile.keyVariable.isEmpty() ? QStringLiteral("MY_API_KEY") : profile.keyVariable;
    // Providers without an address of their own are many servers: one's key must not go to another.
    return profile.baseUrl.isEmpty() ? endpoint : profile.id;
}

QString addressProblem(const QString& baseUrl, const provider::ProviderProfile& profile)
{
    const QString address = baseUrl.trimmed();
    if (address.isEmpty())
        return profile.baseUrl.isEmpty() ? Words::tr("Write the provider's address, as in https://llm.example.com/v1.")
                                         : QString();
    if (address.startsWith(QLatin1String("sim:")))
        return address.size() == 4 ? Words::tr("Name one of the simulator's endpoints, as in sim:gpt-4.1.") : QString();
    if (QUrl(address).hasFragment())
        return Words::tr("An address cannot have a part after #.");
    return provider::addressProblem(address);
}

bool holdsKey(const QString& text)
{
    return provider::looksLikeKey(text) || !QUrl(text.trimmed()).userInfo().isEmpty();
}

QString proxyProblem(const QString& proxy)
{
    if (proxy.trimmed().isEmpty())
        return {};
    const QUrl url(proxy.trimmed(), QUrl::StrictMode);
    const bool isKnown = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("socks5");
    if (!url.isValid() || !isKnown || url.host().isEmpty() || url.port() < 0)
        return Words::tr("Write http://host:port or socks5://host:port.");
    if (!url.userInfo().isEmpty())
        return Words::tr("The address carries a password. Remove it and say below where it is kept.");
    return {};
}

QString providerTitle(const workspace::Workspace& workspace, const QString& id)
{
    const auto* profile = workspace.catalogue.find(id.toStdString());
    return profile && !profile->title.isEmpty() ? profile->title : id;
}

QString rate(const std::optional<cost::NanoDollars>& perMillion)
{
    if (!perMillion)
        return format::unknown();
    const double usd = perMillion->toUsd();
    int decimals = 2;
    while (decimals < 6 && std::abs(std::round(usd * std::pow(10, decimals)) / std::pow(10, decimals) - usd) > 1e-9)
        ++decimals;
    return format::number(usd, decimals);
}

QString sourceOf(const cost::PriceEntry* entry)
{
    if (!entry)
        return {};
    if (!entry->date.isValid())
        return entry->source;
    return Words::tr("%1, %2").arg(entry->source, QLocale().toString(entry->date, QLocale::ShortFormat));
}

QString bookWords(const cost::PriceEntry* entry)
{
    if (!entry)
        return Words::tr("The price book does not know this model: costs stay unknown until a price is given.");
    const cost::Price& price = entry->price;
    return Words::tr("Price book: $%1 in, $%2 out per 1M tokens (%3).")
        .arg(rate(price.input), rate(price.output), sourceOf(entry));
}

QString testWord(const engine::ConnectionResult& result)
{
    using Kind = engine::ConnectionResult::Kind;
    switch (result.kind) {
    case Kind::Works:
        if (!result.hasModel)
            return Words::tr("no model");
        return result.tookMs ? format::latency(result.tookMs).text() : Words::tr("works");
    case Kind::KeyRefused:
        return Words::tr("refused");
    case Kind::NoAnswer:
        return Words::tr("no answer");
    case Kind::NoList:
        return Words::tr("no list");
    case Kind::NotTested:
        break;
    }
    return Words::tr("not tested");
}

Tone testTone(const engine::ConnectionResult& result)
{
    using Kind = engine::ConnectionResult::Kind;
    switch (result.kind) {
    case Kind::Works:
        return result.hasModel ? Tone::Soft : Tone::Warned;
    case Kind::KeyRefused:
    case Kind::NoAnswer:
        return Tone::Bad;
    case Kind::NoList:
        return Tone::Warned;
    case Kind::NotTested:
        break;
    }
    return Tone::Faint;
}

QString testWords(const engine::ConnectionResult& result)
{
    QStringList parts;
    if (result.tookMs)
        parts << Words::tr("%1 in %2.")
                     .arg(result.kind == engine::ConnectionResult::Kind::Works ? Words::tr("Works")
                                                                               : Words::tr("Answered"),
                          format::latency(result.tookMs).text());
    parts << result.words;
    if (!result.models.isEmpty())
        parts << (result.models.size() == 1 ? Words::tr("1 model.")
                                            : Words::tr("%1 models.").arg(format::count(result.models.size())));
    if (!result.hasModel)
        parts << Words::tr("The model chosen here is not in its list.");
    parts << result.remedy;
    if (!result.certificate.isEmpty())
        parts << Words::tr("Certificate: %1.").arg(result.certificate);
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

QString quotaWords(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint)
{
    const QStringList others = othersWith(workspace, endpoint, &chain::EndpointSpec::quotaGroup);
    if (others.isEmpty())
        return Words::tr("Nothing else shares its quota: a 429 pauses only this endpoint.");
    return Words::tr("Shares its quota with %1: a 429 of one pauses all of them.").arg(joined(others));
}

QString credentialWords(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint)
{
    const QStringList others = othersWith(workspace, endpoint, &chain::EndpointSpec::credential);
    if (others.isEmpty())
        return Words::tr("Nothing else has its key: a refused key takes out only this endpoint.");
    return Words::tr("Has one key with %1: refused once, it is out for all of them.").arg(joined(others));
}

QString joined(const QStringList& names)
{
    constexpr int kMost = 3;
    if (names.size() <= 1)
        return names.join(QString());
    if (names.size() > kMost)
        return Words::tr("%1 and %2 more")
            .arg(names.mid(0, kMost - 1).join(QStringLiteral(", ")))
            .arg(names.size() - kMost + 1);
    return Words::tr("%1 and %2").arg(names.mid(0, names.size() - 1).join(QStringLiteral(", ")), names.last());
}

} // namespace sg::ui::endpointwords
