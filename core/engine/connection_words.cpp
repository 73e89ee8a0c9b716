// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/connection_words.h"

#include "core/workspace/json_reader.h"

#include <cmath>

namespace sg::engine {

namespace {

using Kind = ConnectionResult::Kind;

QString hostOf(const QUrl& url)
{
    return url.port() < 0 ? url.host() : QStringLiteral("%1:%2").arg(url.host()).arg(url.port());
}

QString remedyFor(http::FailureKind failure)
{
    using K = http::FailureKind;
    switch (failure) {
    case K::HostNotFound:
        return QStringLiteral("Check the host name in the base URL, and the network.");
    case K::ConnectionRefused:
        return QStringLiteral("Check the port in the base URL, and that the server runs.");
    case K::CertificateUntrusted:
        return QStringLiteral("If the server is your own, name the PEM file of its certificate authority as this "
                              "endpoint's CA file.");
    case K::HostnameMismatch:
        return QStringLiteral("Write the name that the certificate is for in the base URL.");
    case K::TlsFailed:
        return QStringLiteral("Check that the server speaks TLS on this port; perhaps http:// is meant.");
    case K::ProxyFailed:
        return QStringLiteral("Check this endpoint's proxy and the key that holds its user name and password.");
    case K::ConnectTimeout:
    case K::FirstByteTimeout:
    case K::IdleTimeout:
    case K::TotalTimeout:
    case K::ErrorBodyTimeout:
        return QStringLiteral("Check the address; a firewall may swallow the request, or the server is overloaded.");
    case K::NoDescriptors:
        return QStringLiteral("Give this program more open files (ulimit -n), or close what it has open.");
    case K::BadUrl:
    case K::ConnectionReset:
    case K::OutcomeUnknown:
    case K::Protocol:
    case K::BodyTooLarge:
        return QStringLiteral("Check that the base URL is that of an API.");
    case K::None:
    case K::NoTls: // says it itself
    case K::Cancelled:
        break;
    }
    return {};
}

ConnectionResult begun(const http::Outcome& outcome)
{
    ConnectionResult result;
    result.certificate = outcome.certificate;
    if (outcome.status != 0)
        result.tookMs = toMs(outcome.timing.end - outcome.timing.dispatched);
    return result;
}

QString took(const ConnectionResult& result)
{
    return QStringLiteral("%1 ms").arg(std::lround(result.tookMs.value_or(0)));
}

void failed(ConnectionResult& result, const QString& host, const http::Outcome& outcome)
{
    result.kind = Kind::NoAnswer;
    result.words = QStringLiteral("%1: %2.").arg(host, outcome.detail);
    result.remedy = remedyFor(outcome.failure);
    if (outcome.failure == http::FailureKind::Cancelled)
        result.kind = Kind::NotTested;
}

/// An answer that is an error: the connection is there.
void refused(ConnectionResult& result, const ModelsAnswer& answer)
{
    using E = provider::ErrorClass;
    result.words = answer.models.error();
    if (answer.refusedAs == E::Authentication || answer.refusedAs == E::Permission) {
        result.kind = Kind::KeyRefused;
        result.remedy = QStringLiteral("Check that the key belongs to this provider and has not been revoked.");
        return;
    }
    const int status = answer.outcome.status;
    if (status == 404 || status == 405 || status == 501) {
        result.kind = Kind::NoList;
        result.words += QStringLiteral(" It answers and shows no list of models here, so the key was not tested.");
        result.remedy = QStringLiteral("Check the base URL if models should be listed.");
        return;
    }
    result.kind = Kind::NoAnswer;
    result.remedy =
        status == 429 || status >= 500 ? QStringLiteral("Try again later.") : QStringLiteral("Check the base URL.");
}

void listed(ConnectionResult& result, const EndpointRoute& route, const std::vector<provider::ListedModel>& models)
{
    const QString model = QString::fromStdString(route.model);
    result.kind = Kind::Works;
    for (const provider::ListedModel& one : models)
        result.models.append(one.id);
    result.hasModel = listsModel(route.profile.dialect, models, model);
    result.words = QStringLiteral("Works: %1 models listed in %2.").arg(models.size()).arg(took(result));
    if (models.size() == 1)
        result.words = QStringLiteral("Works: 1 model listed in %1.").arg(took(result));
    if (result.hasModel)
        return;
    result.words += QStringLiteral(" \"%1\" is not among them.").arg(model);
    const auto nearest = workspace::nearestName(model, result.models);
    result.remedy = (nearest ? QStringLiteral("Did you mean \"%1\"? ").arg(*nearest) : QString()) +
                    QStringLiteral("Some providers also take names that they do not list.");
}

} // namespace

ConnectionResult inWords(const EndpointRoute& route, const ModelsAnswer& answer)
{
    ConnectionResult result = begun(answer.outcome);
    if (answer.refusedAs != provider::ErrorClass::None) {
        refused(result, answer);
    } else if (answer.outcome.failure != http::FailureKind::None) {
        failed(result, hostOf(*route.modelsUrl), answer.outcome);
    } else if (answer.models) {
        listed(result, route, *answer.models);
    } else {
        result.kind = Kind::NoList;
        result.words = QStringLiteral("%1: %2").arg(hostOf(*route.modelsUrl), answer.models.error());
        result.remedy = QStringLiteral("Check that the base URL is that of an API; the key was not tested.");
    }
    return result;
}

ConnectionResult inWords(const EndpointRoute& route, const http::Outcome& outcome)
{
    ConnectionResult result = begun(outcome);
    const QString host = hostOf(route.chatUrl);
    if (outcome.failure != http::FailureKind::None && outcome.status == 0) {
        failed(result, host, outcome);
        return result;
    }
    result.kind = Kind::NoList;
    result.words = QStringLiteral("%1 answers in %2. This provider has no list of models, so only the connection was "
                                  "tested, not the key.")
                       .arg(host, took(result));
    result.remedy = QStringLiteral("Send one short request on the Playground to test the key.");
    return result;
}

ConnectionResult unusable(const EndpointRoute& route)
{
    using E = provider::ErrorClass;
    ConnectionResult result;
    result.kind = route.unusableAs == E::Connection || route.unusableAs == E::Tls ? Kind::NoAnswer : Kind::NotTested;
    result.words = route.unusable;
    return result;
}

ConnectionResult withoutSimulator()
{
    ConnectionResult result;
    result.words = QStringLiteral("The built-in simulator does not run.");
    result.remedy = QStringLiteral("It starts with a workspace that has a simulated endpoint: apply this one first.");
    return result;
}

ConnectionResult stopped()
{
    ConnectionResult result;
    result.words = QStringLiteral("The connection was not tested.");
    return result;
}

} // namespace sg::engine
