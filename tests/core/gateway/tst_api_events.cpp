// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/api_bench.h"

using namespace sg;
using namespace test;

namespace {

struct SentEvent
{
    QByteArray id, type;
    QJsonObject data;
};

/// As a browser's EventSource reads them; comments and "retry" fall away.
std::vector<SentEvent> eventsIn(const QByteArray& stream)
{
    std::vector<SentEvent> events;
    SentEvent event;
    QByteArray data;
    for (const QByteArray& line : stream.split('\n')) {
        if (line.startsWith("id: "))
            event.id = line.mid(line.indexOf('-') + 1); // after the run's mark
        else if (line.startsWith("event: "))
            event.type = line.mid(7);
        else if (line.startsWith("data: "))
            data = line.mid(6);
        if (!line.isEmpty() || data.isEmpty())
            continue;
        event.data = QJsonDocument::fromJson(data).object();
        events.push_back(std::exchange(event, {}));
        data.clear();
    }
    return events;
}

void trip(ApiBench& bench)
{
    bench.core.command("first", observe::BreakerCommand::ForceOpen, "test");
}

void notes(ApiBench& bench, int count)
{
    for (int i = 0; i < count; ++i)
        bench.core.recorder().note(observe::EventKind::Workspace, observe::Severity::Info, "w" + std::to_string(i), "n",
                                   http::steadyNow());
}

} // namespace

class TestApiEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatHappensFromNowOn()
    {
        ApiBench bench;
        trip(bench);
        const Kept reader = bench.ask("GET", "/api/events");
        QCOMPARE(reader->status, 200);
        QVERIFY(reader->header("Content-Type").startsWith("text/event-stream"));
        QVERIFY(reader->body.startsWith("retry: "));
        bench.core.command("first", observe::BreakerCommand::Reset, "again");
        QTRY_VERIFY(!eventsIn(reader->body).empty());
        const SentEvent event = eventsIn(reader->body).front();
        QCOMPARE(event.type, QByteArray("manual"));
        QCOMPARE(event.id, QByteArray("2"));
        QCOMPARE(event.data.value("id"_L1).toInt(), 2);
        QCOMPARE(event.data.value("subject"_L1).toString(), QStringLiteral("first"));
        QCOMPARE(event.data.value("state"_L1).toString(), QStringLiteral("closed"));
        QVERIFY(event.data.value("text"_L1).toString().contains(QStringLiteral("again")));
        QVERIFY(event.data.value("at"_L1).toString().endsWith(QLatin1Char('Z')));
        QVERIFY(!reader->ended);
    }

    void tellsWhatABreakerDoes()
    {
        ApiBench bench;
        bench.server.on("first", ChatServer::fails(500));
        const Kept reader = bench.ask("GET", "/api/events");
        bench.post("/chat", R"({"message":"hi","model":"alone"})");
        QTRY_COMPARE(int(eventsIn(reader->body).size()), 2);
        const auto events = eventsIn(reader->body);
        const auto breaker =
            std::find_if(events.begin(), events.end(), [](const SentEvent& event) { return event.type == "breaker"; });
        QVERIFY(breaker != events.end());
        QCOMPARE(breaker->data.value("state"_L1).toString(), QStringLiteral("open"));
        QVERIFY(breaker->data.value("text"_L1).toString().contains(QStringLiteral("500")));
        QVERIFY(
            std::any_of(events.begin(), events.end(), [](const SentEvent& event) { return event.type == "request"; }));
    }

    void goesOnWhereAReaderWas()
    {
        ApiBench bench;
        notes(bench, 5);
        const Kept reader = bench.ask("GET", "/api/events", {}, {{"Last-Event-ID", "2"}});
        const Kept byQuery = bench.ask("GET", "/api/events?last_event_id=4");
        QTRY_COMPARE(int(eventsIn(reader->body).size()), 3);
        QCOMPARE(eventsIn(reader->body).front().id, QByteArray("3"));
        QTRY_COMPARE(int(eventsIn(byQuery->body).size()), 1);
    }

    void saysWhatWasDropped()
    {
        ApiBench bench;
        notes(bench, 1010); // 1000 are kept
        const Kept reader = bench.ask("GET", "/api/events?last_event_id=3");
        QTRY_COMPARE(int(eventsIn(reader->body).size()), 1001);
        const auto events = eventsIn(reader->body);
        QCOMPARE(events[0].type, QByteArray("dropped"));
        QCOMPARE(events[0].data.value("count"_L1).toInt(), 7);
        QVERIFY(events[0].id.isEmpty());
        QCOMPARE(events[1].id, QByteArray("11"));
        QCOMPARE(events.back().id, QByteArray("1010"));
    }

    void anIdOfAnotherRunBeginsAnew()
    {
        ApiBench bench;
        notes(bench, 2);
        const Kept reader = bench.ask("GET", "/api/events", {}, {{"Last-Event-ID", "900"}});
        QTRY_COMPARE(int(eventsIn(reader->body).size()), 3);
        QCOMPARE(eventsIn(reader->body)[0].type, QByteArray("restarted"));
        QCOMPARE(eventsIn(reader->body)[1].id, QByteArray("1"));
    }

    void aRunIsKnownByItsMark()
    {
        ApiBench bench;
        notes(bench, 5);
        const Kept first = bench.ask("GET", "/api/events?last_event_id=4");
        QTRY_COMPARE(int(eventsIn(first->body).size()), 1);
        const qsizetype at = first->body.indexOf("id: ") + 4;
        const QByteArray id = first->body.mid(at, first->body.indexOf('\n', at) - at);
        QVERIFY2(id.endsWith("-5") && id.size() > 2, id.constData());
        // Further on than the run before ever was, which only the mark tells.
        const Kept earlier = bench.ask("GET", "/api/events", {}, {{"Last-Event-ID", "abc-3"}});
        const Kept same = bench.ask("GET", "/api/events", {}, {{"Last-Event-ID", id.chopped(1) + '3'}});
        QTRY_COMPARE(int(eventsIn(earlier->body).size()), 6);
        QCOMPARE(eventsIn(earlier->body)[0].type, QByteArray("restarted"));
        QTRY_COMPARE(int(eventsIn(same->body).size()), 2);
    }

    void aReaderThatDoesNotReadIsBounded()
    {
        ApiBench bench;
        const Kept slow = bench.ask("GET", "/api/events");
        const Kept quick = bench.ask("GET", "/api/events");
        slow->buffered = 1024 * 1024;
        const qsizetype before = slow->body.size();
        notes(bench, 1200); // 200 of them are gone when it reads again
        QTRY_VERIFY(!eventsIn(quick->body).empty() && eventsIn(quick->body).back().id == "1200");
        QCOMPARE(slow->body.size(), before);
        slow->buffered = 0;
        QTRY_VERIFY(!eventsIn(slow->body).empty() && eventsIn(slow->body).back().id == "1200");
        QCOMPARE(eventsIn(slow->body)[0].type, QByteArray("dropped"));
        QCOMPARE(eventsIn(slow->body)[0].data.value("count"_L1).toInt(), 200);
    }

    void keepsAQuietStreamAlive()
    {
        ApiBench bench;
        bench.options.settings.keepAlive = Millis(1);
        const Kept reader = bench.ask("GET", "/api/events");
        QTRY_VERIFY(reader->body.contains("\n: keep-alive\n\n"));
    }

    void endsOnDrain()
    {
        ApiBench bench;
        const Kept reader = bench.ask("GET", "/api/events");
        bench.api.drain();
        QVERIFY(reader->ended);
        QVERIFY(!reader->dropped);
        QCOMPARE(eventsIn(reader->body).back().type, QByteArray("end"));
        QCOMPARE(bench.over, 1);
        const Kept late = bench.ask("GET", "/api/events");
        QCOMPARE(late->status, 503);
        QCOMPARE(bench.over, 2);
    }

    void whoLeavesIsForgotten()
    {
        ApiBench bench;
        const Kept reader = bench.ask("GET", "/api/events");
        const Kept other = bench.ask("GET", "/api/events");
        reader->leave();
        QCOMPARE(bench.left, 1);
        trip(bench);
        QTRY_VERIFY(!eventsIn(other->body).empty());
        QVERIFY(eventsIn(reader->body).empty());
    }

    void tooManyReadersAreRefused()
    {
        ApiBench bench;
        std::vector<Kept> readers;
        for (int i = 0; i < 256; ++i)
            readers.push_back(bench.ask("GET", "/api/events"));
        QCOMPARE(readers.back()->status, 200);
        const Kept more = bench.ask("GET", "/api/events");
        QCOMPARE(more->status, 503);
        QVERIFY(!more->header("Retry-After").isEmpty());
        readers.front()->leave();
        QCOMPARE(bench.ask("GET", "/api/events")->status, 200);
    }

    void headHasNoStream()
    {
        ApiBench bench;
        QVERIFY(bench.ask("HEAD", "/api/events")->ended);
    }
};

QTEST_GUILESS_MAIN(TestApiEvents)
#include "tst_api_events.moc"
