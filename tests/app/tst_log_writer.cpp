// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/log_writer.h"

#include <QTest>

#include <array>
#include <unistd.h>

using sg::app::LogWriter;

namespace {

class Pipe
{
public:
    Pipe() { isOpen = ::pipe(ends.data()) == 0; }
    ~Pipe()
    {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    bool readSome()
    {
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
