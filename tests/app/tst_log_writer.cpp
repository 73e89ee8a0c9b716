// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/log_writer.h"

#include <QTest>

#include <array>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using sg::app::LogWriter;

namespace {

class Pipe
{
public:
    explicit Pipe(bool isBlocking = true)
    {
        isOpen = ::pipe(ends.data()) == 0 && (isBlocking || ::fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK) == 0);
    }
    ~Pipe()
    {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    bool readSome()
    {
        pollfd something{ends[0], POLLIN, 0};
        if (::poll(&something, 1, 10'000) != 1)
            return false;
        std::array<char, 65536> bytes{};
        const ssize_t count = ::read(ends[0], bytes.data(), bytes.size());
        got.append(bytes.data(), static_cast<qsizetype>(std::max<ssize_t>(count, 0)));
        return count > 0;
    }
    QByteArray readUntil(const QByteArray& text)
    {
        while (!got.contains(text) && readSome())
            ;
        return got;
    }
    std::array<int, 2> ends{};
    bool isOpen = false;
    QByteArray got;
};

} // namespace

class TestLogWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesInTheirOrder()
    {
        Pipe pipe;
        QVERIFY(pipe.isOpen);
        {
            LogWriter log(pipe.ends[1]);
            for (int i = 0; i < 100; ++i)
                log.write("line " + QByteArray::number(i));
        }
        QByteArray all;
        for (int i = 0; i < 100; ++i)
            all += "line " + QByteArray::number(i) + '\n';
        QCOMPARE(pipe.readUntil("line 99\n"), all);
    }

    void whoLogsDoesNotWaitForWhoReads()
    {
        Pipe pipe;
        QVERIFY(pipe.isOpen);
        LogWriter log(pipe.ends[1]);
        const QByteArray line(100, 'x');
        const int many = 4 * int(LogWriter::kMostWaiting);
        for (int i = 0; i < many; ++i) // more than a pipe and the line can hold, and nobody reads
            log.write(line);
        const QByteArray all = pipe.readUntil("nobody reads\n");
        const qsizetype written = all.count(line + '\n');
        QVERIFY(written >= qsizetype(LogWriter::kMostWaiting) && written < many);
        QVERIFY(all.contains('\n' + QByteArray::number(many - written) + " lines were not written"));
    }

    void aPipeThatDoesNotBlock()
    {
        Pipe pipe(false);
        QVERIFY(pipe.isOpen);
        QByteArray all;
        LogWriter log(pipe.ends[1]);
        for (int i = 0; i < int(LogWriter::kMostWaiting); ++i) { // six times what the pipe takes
            const QByteArray line = QByteArray::number(i) + QByteArray(i == 100 ? 100'000 : 90, 'x');
            all += line + '\n';
            log.write(line);
        }
        QCOMPARE(pipe.readUntil("\n" + QByteArray::number(LogWriter::kMostWaiting - 1) + QByteArray(90, 'x') + '\n'),
                 all);
    }

    /// Each write is one message here.
    void linesThatWaitAreWrittenTogether()
    {
        std::array<int, 2> ends{};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
        const QByteArray line(90, 'x');
        constexpr int kLines = 4000;
        int messages = 0, lines = 0;
        {
            LogWriter log(ends[1]);
            for (int i = 0; i < kLines; ++i) // nobody reads: most of them wait
                log.write(line);
            std::array<char, 65536> bytes{};
            while (lines < kLines) {
                const ssize_t count = ::read(ends[0], bytes.data(), bytes.size());
                QVERIFY(count > 0 && count % (line.size() + 1) == 0); // whole lines
                lines += int(count / (line.size() + 1));
                ++messages;
            }
        }
        ::close(ends[0]);
        ::close(ends[1]);
        QVERIFY2(messages < kLines / 3, QByteArray::number(messages).constData());
    }

    void endsThoughNobodyReads()
    {
        Pipe pipe;
        QVERIFY(pipe.isOpen);
        {
            LogWriter log(pipe.ends[1]);
            for (int i = 0; i < int(LogWriter::kMostWaiting); ++i)
                log.write(QByteArray(100, 'x'));
        }
        // Its thread has been left behind with what there was, and goes on when somebody reads.
        while (pipe.got.count('\n') < qsizetype(LogWriter::kMostWaiting))
            QVERIFY(pipe.readSome());
    }
};

QTEST_APPLESS_MAIN(TestLogWriter)
#include "tst_log_writer.moc"
