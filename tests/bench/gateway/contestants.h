// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/bench/gateway/load_client.h"

#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace sg::bench {

/// What /proc says of a process and those it started.
struct Usage
{
    double cpuUs = 0; ///< user and system, in steps of 10 ms
    double rssMib = 0;
    int descriptors = 0;
};
Usage usageOf(qint64 pid);

/// A program that is asked, started and stopped by this bench alone.
class Contestant
{
public:
    virtual ~Contestant();
    virtual Ask ask(const QByteArray& endpoint, const QByteArray& body) const = 0;
    qint64 pid() const { return process_.processId(); }
    const QString& name() const { return name_; }
    QString version;

protected:
    explicit Contestant(QString name)
        : name_(std::move(name))
    {
    }
    /// The JSON that it prints first; nothing when it does not come.
    std::optional<QJsonObject> startForJson(const QString& program, const QStringList& arguments);
    QProcess process_;
    QString name_;
};

/// The simulator, asked directly.
class Direct final : public Contestant
{
public:
    Direct(const QString& cli, const QByteArray& script);
    Ask ask(const QByteArray& endpoint, const QByteArray& body) const override;
    quint16 port() const { return port_; }

private:
    QTemporaryDir folder_;
    quint16 port_ = 0;
};

/// switchgear-cli serve, with one chain of one tier for each endpoint of the simulator.
class Ours final : public Contestant
{
public:
    /// `transport`: what it asks providers with, as --transport takes it.
    Ours(const QString& cli, quint16 simulator, const QByteArrayList& endpoints, const QString& transport);
    Ask ask(const QByteArray& endpoint, const QByteArray& body) const override;

private:
    QTemporaryDir folder_;
    quint16 port_ = 0;
};

/// @portkey-ai/gateway, of the npm registry.
class Portkey final : public Contestant
{
public:
    Portkey(const QString& modules, quint16 simulator);
    Ask ask(const QByteArray& endpoint, const QByteArray& body) const override;

private:
    quint16 port_ = 0, simulator_ = 0;
};

[[noreturn]] void giveUp(const QString& words);

} // namespace sg::bench
