// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "core/gateway/gateway.h"
#include "tests/support/gateway_scene.h"

#include <QFile>
#include <QScopeGuard>
#include <QTest>

#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace sg;
using namespace test;

namespace {

sockaddr_in onLoopback(quint16 port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

/// Sends every client tokens as fast as it takes them. A process of its own: what it holds must not be measured.
class Flood
{
public:
    [[noreturn]] static void run(int tell)
    {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = onLoopback(0);
        ::bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address);
        ::listen(listening, 100);
        socklen_t size = sizeof address;
        ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size);
        const quint16 port = ntohs(address.sin_port);
        (void)!::write(tell, &port, sizeof port);
        Flood flood;
        flood.open_.push_back({listening, POLLIN, 0});
        flood.sent_.push_back(0);
        for (;;)
            flood.turn();
    }

private:
    void turn()
    {
        ::poll(open_.data(), open_.size(), -1);
        for (std::size_t i = 1; i < open_.size(); ++i)
            if (open_[i].revents != 0)
                serve(i);
        if ((open_.front().revents & POLLIN) != 0) {
            open_.push_back({::accept4(open_.front().fd, nullptr, nullptr, SOCK_NONBLOCK), POLLIN, 0});
            sent_.push_back(-1);
        }
    }
    void serve(std::size_t i)
    {
        if ((open_[i].revents & (POLLERR | POLLHUP)) != 0) {
            ::close(open_[i].fd);
            open_[i].fd = -1;
        } else if ((open_[i].revents & POLLIN) != 0) {
            char request[4096];
            if (::recv(open_[i].fd, request, sizeof request, 0) <= 0 || std::exchange(sent_[i], 0) == 0)
                return;
            ::send(open_[i].fd, kHead.data(), static_cast<std::size_t>(kHead.size()), MSG_NOSIGNAL);
            open_[i].events = POLLOUT;
        } else {
            const auto most = static_cast<std::size_t>(tokens_.size() - sent_[i]);
            const auto count = ::send(open_[i].fd, tokens_.data() + sent_[i], most, MSG_NOSIGNAL);
            sent_[i] = (sent_[i] + std::max<qsizetype>(count, 0)) % tokens_.size();
        }
    }

    inline static const QByteArray kHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    const QByteArray token_ = ChatServer::chunk("some text");
    const QByteArray tokens_ = (QByteArray::number(token_.size(), 16) + "\r\n" + token_ + "\r\n").repeated(500);
    std::vector<pollfd> open_;
    std::vector<qsizetype> sent_; ///< of tokens_; -1: has not asked yet
};

double residentMiB()
{
    QFile status(QStringLiteral("/proc/self/statm"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    return status.readAll().split(' ').value(1).toDouble() * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576;
}

/// Takes what it is sent at 1 KB/s.
class SlowReader
{
public:
    explicit SlowReader(quint16 port)
    {
        const int small = 4096;
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        const sockaddr_in address = onLoopback(port);
        const QByteArray body = chatBody(R"(,"stream":true)");
        const QByteArray request = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
                                   "application/json\r\nContent-Length: " +
                                   QByteArray::number(body.size()) + "\r\n\r\n" + body;
        isUp_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                ::send(fd_, request.data(), static_cast<std::size_t>(request.size()), MSG_NOSIGNAL) == request.size();
    }
    ~SlowReader() { ::close(fd_); }
    SlowReader(const SlowReader&) = delete;
    SlowReader& operator=(const SlowReader&) = delete;

    bool isUp() const { return isUp_; }
    void read()
    {
        char bytes[100];
        const auto count = ::recv(fd_, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count > 0)
            got_.append(bytes, count);
    }
    const QByteArray& got() const { return got_; }

private:
    int fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool isUp_ = false;
    QByteArray got_;
};

quint16 floodPort = 0;

} // namespace

class TestSlowReaders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdLittle();
};

void TestSlowReaders::holdLittle()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("what a sanitizer holds is more than what is measured");
#endif
    constexpr int streams = 20;
    workspace::Workspace workspace = gatewayWorkspace();
    workspace.chains[0].spec.tiers.pop_back();
    workspace.endpoints[0].baseUrl = QStringLiteral("http://127.0.0.1:%1/v1").arg(floodPort);
    engine::EngineCore core({});
    core.apply(workspace, {}, QUrl(), [](const workspace::KeyRef&) { return QByteArray("sk-test-0001"); });
    gateway::Options options;
    options.settings.port = 0;
    gateway::Gateway gateway(core, options);
    const auto port = gateway.listen();
    QVERIFY2(port.has_value(), qPrintable(port ? QString() : port.error()));

    std::vector<std::unique_ptr<SlowReader>> readers;
    const auto crowd = [&](int count) {
        for (int i = 0; i < count; ++i)
            readers.push_back(std::make_unique<SlowReader>(*port));
        return std::ranges::all_of(readers, &SlowReader::isUp);
    };
    const auto readOn = [&](int tenths) {
        for (int i = 0; i < tenths; ++i) {
            for (const auto& reader : readers)
                reader->read();
            QTest::qWait(100);
        }
    };
    QVERIFY(crowd(1)); // whatever is there once
    readOn(10);
    QVERIFY2(readers.front()->got().contains("some text"), readers.front()->got().constData());
    readers.clear();
    QTRY_COMPARE(core.inFlight(), 0);

    const double before = residentMiB();
    QVERIFY(crowd(streams));
    double most = 0;
    for (int i = 0; i < 10; ++i) {
        readOn(4);
        most = std::max(most, residentMiB());
    }
    QCOMPARE(core.inFlight(), streams);
    for (const auto& reader : readers)
        QVERIFY(reader->got().contains("some text"));
    const double each = (most - before) / streams;
    qInfo("%.2f MiB a stream", each);
    QVERIFY2(each <= 1.0, qPrintable(QStringLiteral("%1 MiB a stream").arg(each)));
}

// Not QTEST_GUILESS_MAIN: a process with threads cannot be forked.
int main(int argc, char** argv)
{
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0)
        return 1;
    const pid_t flood = ::fork();
    if (flood == 0)
        Flood::run(pipe[1]);
    const auto end = qScopeGuard([flood] { ::kill(flood, SIGKILL); });
    if (flood < 0 || ::read(pipe[0], &floodPort, sizeof floodPort) != sizeof floodPort)
        return 1;
    QCoreApplication app(argc, argv);
    TestSlowReaders test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_slow_readers.moc"
