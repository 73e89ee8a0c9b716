// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/simulator.h"
#include "core/http/mailbox.h"
#include "core/simulator/ground_truth.h"
#include "core/simulator/service.h"

namespace sg::simulator {

Simulator::Simulator(Script script)
    : script_(std::make_shared<const Script>(std::move(script)))
    , truth_(std::make_shared<GroundTruth>())
{
    thread_.setObjectName(QStringLiteral("simulator"));
}

Simulator::~Simulator()
{
    stop();
}

tl::expected<quint16, QString> Simulator::start(quint16 port, const QHostAddress& address)
{
    if (service_)
        return port_;
    service_ = new Service(script_, truth_);
    mailbox_ = new http::Mailbox;
    for (QObject* inThread : {static_cast<QObject*>(service_), static_cast<QObject*>(mailbox_)}) {
        inThread->moveToThread(&thread_);
        QObject::connect(&thread_, &QThread::finished, inThread, &QObject::deleteLater);
    }
    thread_.start();
    tl::expected<quint16, QString> result = tl::unexpected(QString());
    mailbox_->run([&] { result = service_->listen(address, port); });
    if (!result) {
        stop();
        return result;
    }
    port_ = *result;
    address_ = address;
    return result;
}

void Simulator::stop()
{
    if (!service_)
        return;
    // While the thread still has its event loop: connections delete themselves through it.
    mailbox_->run([this] { service_->shutDown(); });
    service_ = nullptr; // deleted by its own thread as the last thing there
    port_ = 0;
    thread_.quit();
    thread_.wait();
}

QUrl Simulator::baseUrl(const QString& endpoint) const
{
    QUrl url;
    url.setScheme(QStringLiteral("http"));
    url.setHost(address_.isNull() ? QStringLiteral("127.0.0.1") : address_.toString());
    url.setPort(port_);
    url.setPath(QLatin1Char('/') + endpoint + QStringLiteral("/v1"));
    return url;
}

QJsonObject Simulator::stats() const
{
    return truth_->toJson();
}

void Simulator::reset()
{
    if (service_)
        mailbox_->post([service = service_] { service->reset(); });
}

} // namespace sg::simulator
