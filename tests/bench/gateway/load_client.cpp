// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/gateway/load_client.h"
#include "tests/support/http_wire.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <queue>

namespace sg::bench {

namespace {

using test::AnswerWire;
using test::steadyUs;

constexpr std::int64_t kGraceUs = 20'000'000; ///< for requests under way at the end

std::int64_t threadCpuUs()
{
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000LL + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
}

struct Connection
{
    int fd = -1;
    AnswerWire wire;
    std::int64_t sentUs = 0;
    bool busy = false;
    std::string line; ///< the unfinished last line of a stream
};

class Runner
{
public:
    Runner(const Ask& ask, const Load& load)
        : ask_(ask)
        , load_(load)
        , epoll_(::epoll_create1(EPOLL_CLOEXEC))
        , connections_(std::size_t(load.connections))
    {
    }
    ~Runner()
    {
        for (Connection& connection : connections_)
            if (connection.fd >= 0)
                ::close(connection.fd);
        ::close(epoll_);
    }

    Loaded run()
    {
        for (Connection& connection : connections_)
            open(connection);
        start_ = steadyUs();
        countFrom_ = start_ + load_.warmUpUs;
        const std::int64_t end = countFrom_ + load_.forUs;
        std::int64_t cpu = load_.warmUpUs == 0 ? threadCpuUs() : -1, counted = countFrom_;
        std::size_t begun = 0;
        std::array<epoll_event, 256> events;
        for (std::int64_t now = start_;; now = steadyUs()) {
            if (cpu < 0 && now >= countFrom_) {
                cpu = threadCpuUs();
                counted = now;
            }
            while (begun < connections_.size() && now < end && now >= startOf(begun))
                send(connections_[begun++]);
            if ((now >= end && busy_ == 0) || now > end + kGraceUs)
                break;
            const int wait = begun < connections_.size() && now < end
                                 ? int(std::max<std::int64_t>(0, (startOf(begun) - now) / 1000))
                                 : 100;
            const int count = ::epoll_wait(epoll_, events.data(), int(events.size()), wait);
            for (int i = 0; i < count; ++i)
                read(*static_cast<Connection*>(events[std::size_t(i)].data.ptr), end);
        }
        if (busy_ > 0)
            fail("not answered within the time of grace", busy_);
        result_.tookUs = steadyUs() - counted;
        result_.cpuUs = threadCpuUs() - cpu;
        return std::move(result_);
    }

private:
    std::int64_t startOf(std::size_t number) const
    {
        return start_ + load_.spreadUs * std::int64_t(number) / load_.connections;
    }

    void open(Connection& connection)
    {
        connection.fd = test::connectTo(ask_.port);
        connection.wire = AnswerWire();
        if (connection.fd < 0)
            return;
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.ptr = &connection;
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd, &event);
    }
    void reopen(Connection& connection)
    {
        if (connection.fd >= 0)
            ::close(connection.fd);
        open(connection);
    }

    void send(Connection& connection)
    {
        connection.wire.restart();
        connection.line.clear();
        connection.sentUs = steadyUs();
        connection.busy = true;
        ++busy_;
        ++result_.asked;
        const auto sent =
            connection.fd < 0 ? -1 : ::send(connection.fd, ask_.request.data(), ask_.request.size(), MSG_NOSIGNAL);
        if (sent != ssize_t(ask_.request.size())) {
            finish(connection);
            fail("the request could not be written");
            reopen(connection);
        }
    }

    void read(Connection& connection, std::int64_t end)
    {
        std::array<char, 65536> buffer;
        const auto count = ::recv(connection.fd, buffer.data(), buffer.size(), 0);
        if (count < 0 && errno == EAGAIN)
            return;
        const std::int64_t now = steadyUs();
        const auto state =
            count > 0 ? connection.wire.feed({buffer.data(), std::size_t(count)}) : connection.wire.feedEnd();
        if (load_.readsTimes && count > 0)
            readTimes(connection, now);
        if (!connection.busy) {
            if (count > 0)
                fail("bytes that nobody asked for");
            reopen(connection);
            return;
        }
        if (state == AnswerWire::State::Head || state == AnswerWire::State::Body)
            return;
        finish(connection);
        if (state == AnswerWire::State::Broken)
            fail(connection.wire.problem());
        else if (connection.wire.status() != 200)
            fail(std::to_string(connection.wire.status()) + ": " + connection.wire.body().substr(0, 200));
        else
            succeed(connection, now);
        if (state == AnswerWire::State::Broken || count <= 0 || !connection.wire.keepsAlive())
            reopen(connection);
        if (now < end)
            send(connection);
    }

    void readTimes(Connection& connection, std::int64_t now)
    {
        static constexpr std::string_view kContent = "\"content\":\"";
        std::string& text = connection.line;
        text += connection.wire.body();
        connection.wire.body().clear();
        std::size_t from = 0;
        for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', from)) {
            const std::string_view line = std::string_view(text).substr(from, at - from);
            from = at + 1;
            const auto content = line.find(kContent);
            std::int64_t stamp = 0;
            if (content == std::string_view::npos)
                continue;
            const std::string_view digits = line.substr(content + kContent.size());
            std::from_chars(digits.data(), digits.data() + digits.size(), stamp);
            if (stamp > 0 && now >= countFrom_)
                result_.tokenUs.push_back(std::uint32_t(std::max<std::int64_t>(0, now - stamp)));
        }
        text.erase(0, from);
    }

    void succeed(const Connection& connection, std::int64_t now)
    {
        if (connection.sentUs < countFrom_)
            return;
        ++result_.complete;
        result_.latencyUs.push_back(std::uint32_t(now - connection.sentUs));
    }
    void fail(const std::string& problem, std::int64_t count = 1)
    {
        result_.failed += count;
        if (result_.problem.empty())
            result_.problem = problem;
    }
    void finish(Connection& connection)
    {
        connection.busy = false;
        --busy_;
    }

    const Ask& ask_;
    const Load& load_;
    int epoll_;
    std::vector<Connection> connections_;
    std::int64_t start_ = 0, countFrom_ = 0;
    int busy_ = 0;
    Loaded result_;
};

} // namespace

void Loaded::add(const Loaded& other)
{
    latencyUs.insert(latencyUs.end(), other.latencyUs.begin(), other.latencyUs.end());
    tokenUs.insert(tokenUs.end(), other.tokenUs.begin(), other.tokenUs.end());
    asked += other.asked;
    complete += other.complete;
    failed += other.failed;
    tookUs += other.tookUs;
    cpuUs += other.cpuUs;
    if (problem.empty())
        problem = other.problem;
}

Loaded run(const Ask& ask, const Load& load)
{
    return Runner(ask, load).run();
}

double percentile(std::vector<std::uint32_t>& values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = std::size_t(std::ceil(share * double(values.size())));
    return values[std::max<std::size_t>(1, rank) - 1];
}

} // namespace sg::bench
