// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/simulator/simulator.h"
#include "tests/app/cli_process.h"

#include <QElapsedTimer>
#include <QTcpSocket>

#include <memory>

namespace sg::test {

/// switchgear-cli serve, as it is started, over a simulator in this process.
class GatewayRig
{
public:
    /// For clients that are not ours: a chain for each way that a request can end, named after its endpoint.
    static QByteArray clientsScript()
    {
        return json(R"({'version':1,'endpoints':[
            {'name':'steady','text':'echo','chunk_tokens':1,'latency':{'kind':'constant','ms':20},
             'tool_call':{'name':'weather','arguments':{'city':'Tromsø','days':3}}},
            {'name':'cached','text':'echo','chunk_tokens':1,'latency':{'kind':'constant','ms':20}},
            {'name':'slow','chunk_tokens':1,'ttft':{'kind':'constant','ms':50},'tokens_per_second':20,
             'output_tokens':{'kind':'constant','tokens':400}},
            {'name':'silent','latency':{'kind':'constant','ms':30000}},
            {'name':'refusing','latency':{'kind':'constant','ms':1},
             'faults':[{'kind':'status','status':400,'body':'openai_context_length'}]},
            {'name':'limited','latency':{'kind':'constant','ms':1},
             'faults':[{'kind':'status','status':429,'headers':{'retry-after-ms':2500}}]},
            {'name':'broken','latency':{'kind':'constant','ms':1},'faults':[{'kind':'status','status':500}]},
            {'name':'cut','text':'echo','chunk_tokens':1,'latency':{'kind':'constant','ms':40},
             'faults':[{'kind':'drop_mid_stream','after_tokens':3}]},
            {'name':'recovering','text':'echo','latency':{'kind':'constant','ms':1},'phases':[{'from_ms':0,'to_ms':900,
             'faults':[{'kind':'status','status':429,'headers':{'retry-after-ms':1200}}]}]}]})");
    }

    explicit GatewayRig(const QByteArray& script = clientsScript())
    {
        auto parsed = simulator::parseScript(script);
        if (!parsed)
            qFatal("%s", qPrintable(parsed.error().front().toText(QStringLiteral("script"))));
        simulator_ = std::make_unique<simulator::Simulator>(std::move(*parsed));
        if (const auto listening = simulator_->start(); !listening)
            qFatal("%s", qPrintable(listening.error()));
    }
    ~GatewayRig() { stop(); }

    /// Empty, or why it does not serve. `gateway` is the workspace's.
    QString serve(const QJsonObject& gateway = {})
    {
        stop();
        cli.write(QStringLiteral("workspace.json"), QJsonDocument(workspace(gateway)).toJson());
        process_ = std::make_unique<QProcess>();
        process_->setProcessChannelMode(QProcess::SeparateChannels);
        cli.begin(*process_, {QStringLiteral("serve"), QStringLiteral("workspace.json"), QStringLiteral("--port"),
                              QStringLiteral("0"), QStringLiteral("--json")});
        QByteArray said;
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 20000 && process_->state() != QProcess::NotRunning) {
            process_->waitForReadyRead(200);
            said += process_->readAllStandardOutput();
            port_ = quint16(QJsonDocument::fromJson(said).object().value(QStringLiteral("port")).toInt());
            if (port_ != 0)
                return {};
        }
        return QStringLiteral("serve did not start: ") + QString::fromUtf8(said + process_->readAllStandardError());
    }
    /// Ends it as a service manager would; the exit code, or -1.
    int stop()
    {
        if (!process_ || process_->state() == QProcess::NotRunning)
            return -1;
        process_->terminate();
        if (!process_->waitForFinished(40000)) {
            process_->kill();
            process_->waitForFinished(5000);
            return -1;
        }
        return process_->exitStatus() == QProcess::NormalExit ? process_->exitCode() : -1;
    }

    quint16 port() const { return port_; }
    QString root() const { return QStringLiteral("http://127.0.0.1:%1").arg(port_); }
    QString url() const { return root() + QStringLiteral("/v1"); }
    QString simulatorUrl() const { return QStringLiteral("http://127.0.0.1:%1").arg(simulator_->port()); }
    const simulator::Simulator& simulator() const { return *simulator_; }
    QProcess& process() { return *process_; }

    Cli cli;

private:
    QJsonObject workspace(const QJsonObject& gateway) const
    {
        const QString name = QStringLiteral("name"), tiers = QStringLiteral("tiers");
        const auto tier = [](const QString& endpoint) { return QJsonObject{{QStringLiteral("endpoint"), endpoint}}; };
        QJsonArray endpoints, chains;
        for (const simulator::EndpointScript& endpoint : simulator_->script().endpoints) {
            endpoints.append(QJsonObject{{name, endpoint.name},
                                         {QStringLiteral("base_url"), simulator_->baseUrl(endpoint.name).toString()},
                                         {QStringLiteral("model"), QStringLiteral("model-of-") + endpoint.name}});
            QJsonObject chain{{name, endpoint.name}, {tiers, QJsonArray{tier(endpoint.name)}}};
            if (endpoint.name == QLatin1String("cached"))
                chain.insert(QStringLiteral("cache"), QJsonObject());
            chains.append(chain);
        }
        if (endpoints.size() > 1)
            chains.append(
                QJsonObject{{name, QStringLiteral("two-tiers")},
                            {tiers, QJsonArray{tier(QStringLiteral("broken")), tier(QStringLiteral("steady"))}}});
        return {{QStringLiteral("version"), 2},
                {name, QStringLiteral("Clients")},
                {QStringLiteral("endpoints"), endpoints},
                {QStringLiteral("chains"), chains},
                {QStringLiteral("gateway"), gateway}};
    }

    std::unique_ptr<simulator::Simulator> simulator_;
    std::unique_ptr<QProcess> process_;
    quint16 port_ = 0;
};

} // namespace sg::test
