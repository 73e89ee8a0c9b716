// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/gateway_host.h"

#include "core/engine/key_home.h"
#include "core/gateway/guard.h"
#include "core/gateway/model_names.h"
#include "core/http/descriptors.h"
#include "core/policy/loopback.h"

#include <QDateTime>
#include <QHostAddress>

namespace sg::app {

namespace {

using gateway::Gateway;
using gateway::Phase;

constexpr std::chrono::milliseconds kFiguresEvery{500};
/// For what is said to those who are cut off; the words are out at once, unless their reader is slow.
constexpr std::chrono::milliseconds kLastWords{250};

QString keptWords(const QString& problem)
{
    return problem + QStringLiteral(" Until then what was set before counts.");
}

/// As applications on this machine reach it.
QString urlOf(const QString& address, quint16 port)
{
    const QHostAddress listens(address);
    QString host = address;
    if (listens == QHostAddress(QHostAddress::AnyIPv4) || listens == QHostAddress(QHostAddress::Any))
        host = QStringLiteral("127.0.0.1");
    else if (listens == QHostAddress(QHostAddress::AnyIPv6))
        host = QStringLiteral("::1");
    const QString form =
        host.contains(QLatin1Char(':')) ? QStringLiteral("http://[%1]:%2/v1") : QStringLiteral("http://%1:%2/v1");
    return form.arg(host).arg(port);
}

QStringList namesIn(const workspace::Workspace& workspace)
{
    QStringList names;
    for (const gateway::ModelName& name : gateway::modelNames(workspace))
        names << name.id;
    return names;
}

bool isSamePlace(const workspace::GatewaySettings& a, const workspace::GatewaySettings& b)
{
    return a.address == b.address && a.port == b.port;
}

gateway::Figures sum(gateway::Figures a, const gateway::Figures& b)
{
    a.connections += b.connections;
    a.inFlight += b.inFlight;
    a.queued += b.queued;
    a.streams += b.streams;
    a.requests += b.requests;
    a.refused += b.refused;
    a.clientsLeft += b.clientsLeft;
    a.cutOff += b.cutOff;
    a.unsentBytes += b.unsentBytes;
    a.unreadDrops += b.unreadDrops;
    a.turnedAway += b.turnedAway;
    return a;
}

/// What stays true of one that is gone.
gateway::Figures totalsOf(const gateway::Figures& figures)
{
    gateway::Figures totals;
    totals.requests = figures.requests;
    totals.refused = figures.refused;
    totals.clientsLeft = figures.clientsLeft;
    totals.cutOff = figures.cutOff;
    totals.turnedAway = figures.turnedAway;
    totals.unreadDrops = figures.unreadDrops;
    return totals;
}

} // namespace

/// Its gateways use the core, and so go before it: with their host or when the engine ends, whichever is first.
struct GatewayHost::Room : std::enable_shared_from_this<Room>
{
    using Listening = tl::expected<quint16, QString>;

    Listening open(engine::EngineCore& core, const gateway::Options& options)
    {
        if (!std::exchange(isHooked, true))
            QObject::connect(&core, &engine::EngineCore::ending, &core, [self = shared_from_this()] { self->clear(); });
        auto fresh = std::make_unique<Gateway>(core, options);
        auto port = fresh->listen();
        if (port)
            current = std::move(fresh);
        return port;
    }

    /// `whenEmpty` once the last one has ended.
    void leave(std::function<void()> then)
    {
        whenEmpty = std::move(then);
        if (!current)
            return left(nullptr);
        Gateway* const old = current.get();
        leaving.push_back(std::move(current));
        old->drain(goneLater(old));
    }

    /// The same at once: whatever is under way is told that it is cut off.
    void cutOff(std::function<void()> then)
    {
        whenEmpty = std::move(then);
        if (current)
            leaving.push_back(std::move(current));
        if (leaving.empty())
            return left(nullptr);
        for (const auto& each : leaving)
            each->cutOff(kLastWords, goneLater(each.get()));
    }

    /// From one address to another. What was begun on the old one ends there; the old one goes on when the new one
    /// cannot be had.
    Listening move(engine::EngineCore& core, const gateway::Options& from, quint16 oldPort,
                   const gateway::Options& next)
    {
        auto old = std::move(current);
        auto moved = open(core, next);
        if (!moved && old && next.settings.port == oldPort) {
            // Perhaps it is the old one that keeps the new one out.
            current = std::move(old);
            leave({});
            moved = open(core, next);
            gateway::Options back = from;
            back.settings.port = oldPort;
            if (!moved)
                (void)open(core, back);
            return moved;
        }
        if (!moved) {
            current = std::move(old);
            return moved;
        }
        std::swap(current, old);
        leave({});
        current = std::move(old);
        return moved;
    }

    gateway::Figures figures() const
    {
        gateway::Figures all = current ? sum(past, current->figures()) : past;
        for (const auto& each : leaving)
            all = sum(all, each->figures());
        return all;
    }

    void clear()
    {
        whenEmpty = {};
        current.reset();
        leaving.clear();
    }

    std::unique_ptr<Gateway> current;
    gateway::Figures past; ///< totals of those that have gone since the start, as after a move to another address

private:
    /// It may not go inside its own call.
    std::function<void()> goneLater(Gateway* gone)
    {
        return [this, gone] { QTimer::singleShot(0, gone, [this, gone] { left(gone); }); };
    }

    void left(Gateway* gone)
    {
        if (gone)
            past = sum(past, totalsOf(gone->figures()));
        std::erase_if(leaving, [&](const auto& each) { return each.get() == gone; });
        if (leaving.empty() && !current && whenEmpty)
            std::exchange(whenEmpty, nullptr)();
    }

    std::vector<std::unique_ptr<Gateway>> leaving;
    std::function<void()> whenEmpty;
    bool isHooked = false;
};

GatewayHost::GatewayHost(Session& session, GatewayOverrides overrides, QObject* parent)
    : Control(parent)
    , session_(session)
    , overrides_(std::move(overrides))
    , post_(session.engine().poster())
    , room_(std::make_shared<Room>())
{
    if (overrides_.keepsTraffic)
        traffic_ = std::make_shared<gateway::TrafficLog>();
    figures_.setInterval(kFiguresEvery);
    connect(&figures_, &QTimer::timeout, this, &GatewayHost::askFigures);
    connect(&session_.events(), &SessionEvents::served, this, &GatewayHost::follow);
    connect(&session_.keys(), &secrets::KeyControl::changed, this, &GatewayHost::follow);
    describe();
}

GatewayHost::~GatewayHost()
{
    slot_->close();
    post_([room = room_](engine::EngineCore&) { room->clear(); });
}

workspace::GatewaySettings GatewayHost::settings() const
{
    workspace::GatewaySettings settings = session_.workspace().gateway;
    settings.address = overrides_.address.value_or(settings.address);
    settings.port = overrides_.port.value_or(settings.port);
    settings.token = overrides_.token.value_or(settings.token);
    return settings;
}

gateway::Options GatewayHost::optionsWith(const secrets::Secret& token) const
{
    gateway::Options options;
    options.settings = settings();
    options.token = token;
    options.onEnded = onEnded();
    // Its upstream's socket with a share of the thread that serves it, and perhaps the built-in simulator's end of it.
    options.limits.errands = 2 * qint64(std::max(options.settings.maxInFlight, 0));
    return options;
}

gateway::OnEnded GatewayHost::onEnded() const
{
    if (!traffic_)
        return overrides_.onEnded;
    return [traffic = traffic_, also = overrides_.onEnded](const gateway::Ended& ended) {
        traffic->add(ended, QDateTime::currentMSecsSinceEpoch());
        if (also)
            also(ended);
    };
}

std::optional<tl::expected<secrets::Secret, QString>> GatewayHost::token()
{
    using Token = tl::expected<secrets::Secret, QString>;
    const workspace::KeyRef ref = settings().token;
    if (ref.source == workspace::KeySource::None)
        return Token(secrets::Secret());
    const secrets::KeyStatus status = session_.keys().status(engine::homeOf(ref.source), ref.name);
    if (status.state == secrets::KeyState::Reading)
        return std::nullopt;
    const auto key = session_.keyLookup()(ref);
    if (!key)
        return Token(tl::unexpected(QStringLiteral("The gateway's token cannot be used: ") + key.error()));
    return Token(secrets::Secret(*key));
}

void GatewayHost::start()
{
    if (status_.phase != Phase::Off && status_.phase != Phase::Failed)
        return;
    http::raiseDescriptorLimit();
    ++run_;
    setPhase(Phase::Starting);
    begin();
}

void GatewayHost::begin()
{
    const auto found = token();
    isWaiting_ = !found;
    if (!found)
        return;
    if (!*found)
        return setPhase(Phase::Failed, found->error());
    serving_ = optionsWith(**found);
    status_.traffic.reset();
    post_([room = room_, traffic = traffic_, options = serving_, answer = answerer(), this](engine::EngineCore& core) {
        if (traffic)
            traffic->clear();
        room->past = {};
        const auto port = room->open(core, options);
        answer([this, port] {
            if (!port)
                return setPhase(Phase::Failed, port.error());
            port_ = *port;
            setPhase(Phase::Serving);
            follow(); // what was applied meanwhile
        });
    });
}

void GatewayHost::stop()
{
    if (status_.phase == Phase::Off || status_.phase == Phase::Failed)
        return;
    ++run_;
    isWaiting_ = false;
    if (status_.phase == Phase::Starting) {
        post_([room = room_](engine::EngineCore&) { room->clear(); });
        port_ = 0;
        return setPhase(Phase::Off);
    }
    const auto end = status_.phase == Phase::Serving ? &Room::leave : &Room::cutOff;
    post_([room = room_, traffic = traffic_, end, answer = answerer(), this](engine::EngineCore&) {
        ((*room).*end)([traffic, answer, this] {
            answer([this, picture = traffic ? traffic->picture() : nullptr] {
                status_.traffic = picture;
                port_ = 0;
                setPhase(Phase::Off);
            });
        });
    });
    setPhase(Phase::Draining);
    askFigures();
}

void GatewayHost::follow()
{
    if (status_.phase == Phase::Starting && isWaiting_)
        return begin();
    if (status_.phase != Phase::Serving) {
        const QString before = status_.url;
        describe();
        if (status_.url != before)
            Q_EMIT changed();
        return;
    }
    if (isMoving_) { // where it will be is not known yet
        isFollowDue_ = true;
        return;
    }
    const auto found = token();
    if (!found)
        return;
    // A token that cannot be read lets nobody in who has not been let in before.
    const gateway::Options next = optionsWith(*found ? **found : serving_.token);
    const QString until = serving_.token.isEmpty() ? QStringLiteral(" Until then none is asked for, as before.")
                                                   : QStringLiteral(" Until then the one from before counts.");
    const QString trouble = *found ? QString() : found->error() + until;
    describe();
    if (const QString problem = gateway::listenProblem(next); !problem.isEmpty())
        return setWords(keptWords(problem));
    if (!isSamePlace(next.settings, serving_.settings))
        return move(next, trouble);
    setWords(trouble);
    if (next.settings == serving_.settings && next.token == serving_.token)
        return;
    const gateway::Options from = std::exchange(serving_, next);
    describe();
    post_([room = room_, next, from, answer = answerer(), this](engine::EngineCore&) {
        const QString problem = room->current ? room->current->reconfigure(next) : QString();
        if (problem.isEmpty())
            return;
        answer([this, problem, from] {
            serving_ = from;
            describe();
            setWords(keptWords(problem));
        });
    });
    Q_EMIT changed();
}

void GatewayHost::move(const gateway::Options& next, const QString& trouble)
{
    isMoving_ = true;
    isFollowDue_ = false;
    const gateway::Options from = std::exchange(serving_, next);
    post_([room = room_, from, oldPort = port_, next, trouble, answer = answerer(), this](engine::EngineCore& core) {
        const auto port = room->move(core, from, oldPort, next);
        const bool takesTheRest = !port && room->current && room->current->reconfigure(next).isEmpty();
        const quint16 remains = room->current ? room->current->port() : 0;
        answer([this, port, remains, from, next, trouble, takesTheRest] {
            isMoving_ = false;
            port_ = port ? *port : remains;
            if (port_ == 0)
                return setPhase(Phase::Failed, port.error());
            if (!port) {
                serving_ = takesTheRest ? next : from;
                serving_.settings.address = from.settings.address;
                serving_.settings.port = from.settings.port;
            }
            describe();
            setWords(port ? trouble : port.error() + QStringLiteral(" Until then it stays at port %1.").arg(remains));
            Q_EMIT changed();
            if (isFollowDue_)
                follow();
        });
    });
}

std::function<void(std::function<void()>)> GatewayHost::answerer()
{
    return [slot = slot_, run = run_, this](std::function<void()> work) {
        slot->post([this, run, work = std::move(work)] {
            if (run == run_)
                work();
        });
    };
}

void GatewayHost::askFigures()
{
    post_([room = room_, traffic = traffic_, answer = answerer(), this](engine::EngineCore&) {
        answer([this, figures = room->figures(), picture = traffic ? traffic->picture() : nullptr] {
            status_.figures = figures;
            status_.traffic = picture;
        });
    });
}

void GatewayHost::describe()
{
    const workspace::GatewaySettings now = port_ ? serving_.settings : settings();
    status_.url = urlOf(now.address, port_ ? port_ : now.port);
    status_.hasToken = port_ ? !serving_.token.isEmpty() : now.token.source != workspace::KeySource::None;
    status_.isOpenToOthers = !policy::isLoopback(now.address);
    status_.models = namesIn(session_.workspace());
}

void GatewayHost::setWords(const QString& words)
{
    if (std::exchange(status_.words, words) != words)
        Q_EMIT changed();
}

void GatewayHost::setPhase(Phase phase, const QString& words)
{
    isMoving_ = false;
    status_.phase = phase;
    status_.words = words;
    const bool isOpen = phase == Phase::Serving || phase == Phase::Draining;
    if (!isOpen)
        status_.servingSinceUnixMs = 0;
    else if (status_.servingSinceUnixMs == 0)
        status_.servingSinceUnixMs = QDateTime::currentMSecsSinceEpoch();
    if (isOpen) {
        figures_.start();
    } else {
        figures_.stop();
        status_.figures = {};
        port_ = 0;
    }
    describe();
    Q_EMIT changed();
}

} // namespace sg::app
