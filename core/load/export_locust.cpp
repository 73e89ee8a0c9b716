// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/export_parts.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

// Each user of an open load asks this often, so that the number of users is the rate.
constexpr double kUserRate = 0.2;

QString thinking(const stats::Distribution& think)
{
    using Kind = stats::Distribution::Kind;
    const auto seconds = [](double ms) { return literal(ms / 1000); };
    QString drawn = seconds(think.value);
    if (think.kind == Kind::Uniform)
        drawn = QStringLiteral("random.uniform(%1, %2)").arg(seconds(think.low), seconds(think.high));
    if (think.kind == Kind::Lognormal)
        drawn = QStringLiteral("%1 * math.exp(random.gauss(0, %2))").arg(seconds(think.median), literal(think.sigma));
    if (think.kind == Kind::TwoHumped)
        drawn = QStringLiteral("(%1 if random.random() < %2 else %3) * math.exp(random.gauss(0, %4))")
                    .arg(seconds(think.secondMedian), literal(think.secondShare), seconds(think.median),
                         literal(think.sigma));
    return think.most ? QStringLiteral("min(%1, %2)").arg(seconds(*think.most), drawn) : drawn;
}

/// The shape's steps: the end of each in seconds, users at its begin and at its end.
QString shapeOf(const std::vector<Stage>& stages)
{
    QStringList steps;
    Nanos end{0};
    for (const Stage& stage : stages) {
        end += stage.length;
        steps.append(QStringLiteral("(%1, %2, %3)")
                         .arg(secondsOf(end), literal(stage.from / kUserRate), literal(stage.to / kUserRate)));
    }
    return QStringLiteral("STAGES = [") + steps.join(QStringLiteral(", ")) +
           QStringLiteral(
               "]  # end in seconds, users at its begin, users at its end\n\n\n"
               "class Shape(LoadTestShape):\n    def tick(self):\n        now, begin = self.get_run_time(), 0\n"
               "        for end, first, last in STAGES:\n            if now < end:\n"
               "                users = first + (last - first) * (now - begin) / (end - begin)\n"
               "                return max(1, round(users)), 1000\n            begin = end\n"
               "        return None\n\n\n");
}

QString closedShape(const ClosedModel& closed, const LoadPlan& plan)
{
    const double ramp = std::max(1.0, toMs(closed.ramp) / 1000);
    const QString users = QString::number(closed.users);
    const QString spawn = literal(std::max(0.01, closed.users / ramp));
    const QString length = plan.stop.duration ? secondsOf(*plan.stop.duration) : QStringLiteral("float('inf')");
    return QStringLiteral("class Shape(LoadTestShape):\n    def tick(self):\n"
                          "        return (%1, %2) if self.get_run_time() < %3 else None\n\n\n")
        .arg(users, spawn, length);
}

// One request a row, as Switchgear reads it: Locust's own files hold percentiles only.
const QString kRows =
    QStringLiteral("rows = open('switchgear-rows.csv', 'w', newline='')\n"
                   "rows.write('intended_ms,end_ms,outcome,attempts\\r\\n')\n\n\n"
                   "@events.request.add_listener\n"
                   "def write_row(response_time, exception, start_time, **_):\n"
                   "    begin = start_time * 1000\n"
                   "    outcome = 'failed' if exception else 'success'\n"
                   "    rows.write(f'{begin:.3f},{begin + response_time:.3f},{outcome},1\\r\\n')\n\n\n"
                   "@events.quit.add_listener\n"
                   "def close_rows(**_):\n"
                   "    rows.close()\n\n\n");

} // namespace

Exported locustOf(const LoadPlan& plan, const ExportTarget& target)
{
    if (std::holds_alternative<ReplayModel>(plan.model))
        return tl::unexpected(QStringLiteral("Locust cannot replay recorded times. Describe the load in stages."));
    QStringList lost = commonlyLost(plan);
    lost.append(
        QStringLiteral("Times of tokens (TTFT, TPOT, ITL, chunk gaps), token counts and cost: an answer is read "
                       "as a whole."));
    QString shape, wait;
    if (const auto* closed = std::get_if<ClosedModel>(&plan.model)) {
        shape = closedShape(*closed, plan);
        wait = QStringLiteral("    def wait_time(self):\n        return %1\n").arg(thinking(closed->think));
        if (closed->think != stats::Distribution::constant(0))
            lost.append(QStringLiteral("The seed of the times between requests."));
    } else {
        shape = shapeOf(stagesOf(plan.model));
        // A new user would ask at once: in a ramp that is one request a user beyond the rate.
        wait = QStringLiteral("    wait_time = constant_throughput(%1)\n\n    def on_start(self):\n"
                              "        time.sleep(random.uniform(0, %2))\n")
                   .arg(literal(kUserRate), literal(1 / kUserRate));
        lost.append(
            QStringLiteral("An open load: users of %1/s each make up the rate, and one that waits for an answer "
                           "asks nothing. When the server is slow, fewer requests come, and response times "
                           "begin when a request is sent, not when it was due.")
                .arg(literal(kUserRate)));
        if (std::holds_alternative<SweepModel>(plan.model))
            lost.append(QStringLiteral("The end of the sweep at the knee: every step is run."));
    }
    if (plan.stop.requests)
        lost.append(QStringLiteral("The number of requests (%1): stop Locust by hand, or give it --run-time.")
                        .arg(*plan.stop.requests));
    for (const measure::Objective& objective : plan.objectives)
        lost.append(QStringLiteral("The objective %1.").arg(measure::textOf(objective)));
    const QString bodies = bodiesOf(plan, target.model, lost);
    QString text = headOf(plan, lost, QStringLiteral("#"));
    text +=
        QStringLiteral("# Run: locust -f FILE --headless; switchgear-rows.csv can be imported again, one a worker.\n"
                       "import itertools\nimport math\nimport os\nimport random\nimport time\n\n"
                       "from locust import HttpUser, LoadTestShape, constant_throughput, events, task\n\n"
                       "URL = ") +
        literal(chatUrl(target)) + QStringLiteral("\nKEY = os.environ.get(") + literal(target.keyVariable) +
        QStringLiteral(", '')\nBODIES = itertools.cycle(") + bodies +
        QStringLiteral(")\nrandom.seed(%1)\n").arg(plan.seed) + kRows + shape +
        QStringLiteral("class Caller(HttpUser):\n    host = URL\n") + wait +
        QStringLiteral("\n    @task\n    def ask(self):\n"
                       "        headers = {'Content-Type': 'application/json', 'Authorization': f'Bearer {KEY}'}\n"
                       "        self.client.post(URL, data=next(BODIES).encode(), headers=headers, name='chat')\n");
    return ExportedPlan{text.toUtf8(), lost};
}

} // namespace sg::load
