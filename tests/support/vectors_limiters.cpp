// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/limiters.h"
#include "tests/support/vectors.h"
#include "tests/support/vectors_runners.h"

#include <QJsonArray>

#include <map>

namespace sg::vectors {

using namespace sg::policy;

namespace {

constexpr double kTolerance = 1e-6;

using OpTable = std::map<QString, std::function<void(const VectorFields&)>>;

Instant timeOf(const VectorFields& step)
{
    return Instant(fromMs(step.number("t")));
}

bool expectsOk(const VectorFields& step)
{
    return step.word("expect", {QStringLiteral("no"), QStringLiteral("ok")}) == 1;
}

std::optional<double> msOf(std::optional<Nanos> span)
{
    return span ? std::optional(toMs(*span)) : std::nullopt;
}

void expectAvailable(const VectorFields& step, double actual)
{
    step.near(QStringLiteral("available"), actual, step.number("expect_available"), kTolerance);
}

void playSteps(const QJsonObject& testCase, const OpTable& ops)
{
    for (const VectorFields& step : vectorSteps(testCase)) {
        step.number("t");
        const auto op = ops.find(step.text("op"));
        if (op == ops.end())
            step.fail(QStringLiteral("unknown op \"%1\"").arg(step.text("op")));
        op->second(step);
    }
}

template <typename T>
T& callOf(std::map<QString, T>& calls, const VectorFields& step)
{
    const auto call = calls.find(step.text("call"));
    if (call == calls.end())
        step.fail(QStringLiteral("call %1 holds nothing").arg(step.text("call")));
    return call->second;
}

void runTokenBucket(const QJsonObject& testCase, const VectorFields& config)
{
    TokenBucket bucket(config.number("rate_per_s"), config.number("burst"));
    std::map<QString, TokenBucket::Reservation> reservations;
    const auto reserve = [&](const VectorFields& step) {
        step.onlyExpects({QStringLiteral("expect"), QStringLiteral("expect_wait_ms")});
        const auto maxWait = step.optionalNumber("max_wait_ms");
        const bool ok = expectsOk(step);
        const auto reservation =
            bucket.reserve(step.number("n"), timeOf(step), maxWait ? std::optional(fromMs(*maxWait)) : std::nullopt);
        step.equal(QStringLiteral("reserved"), reservation.has_value(), ok);
        if (ok || step.has("expect_wait_ms"))
            step.near(QStringLiteral("wait ms"),
                      reservation ? std::optional(toMs(reservation->wait)) : std::optional<double>(),
                      step.numberOrNull("expect_wait_ms"), kTolerance);
        if (reservation && step.has("call"))
            reservations[step.text("call")] = *reservation;
    };
    playSteps(testCase, {{QStringLiteral("try_acquire"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect")});
                              step.equal(QStringLiteral("acquired"), bucket.tryAcquire(step.number("n"), timeOf(step)),
                                         expectsOk(step));
                          }},
                         {QStringLiteral("reserve"), reserve},
                         {QStringLiteral("wait_time"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect_wait_ms")});
                              step.near(QStringLiteral("wait ms"),
                                        msOf(bucket.waitTime(step.number("n"), timeOf(step))),
                                        step.numberOrNull("expect_wait_ms"), kTolerance);
                          }},
                         {QStringLiteral("cancel"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({});
                              bucket.cancel(callOf(reservations, step), timeOf(step));
                              reservations.erase(step.text("call"));
                          }},
                         {QStringLiteral("available"), [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect_available")});
                              expectAvailable(step, bucket.available(timeOf(step)));
                          }}});
}

void runSlidingLog(const QJsonObject& testCase, const VectorFields& config)
{
    SlidingLog log(config.integer("limit"), fromMs(config.number("window_ms")));
    playSteps(testCase, {{QStringLiteral("try_acquire"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect")});
                              step.equal(QStringLiteral("acquired"), log.tryAcquire(step.integer("n"), timeOf(step)),
                                         expectsOk(step));
                          }},
                         {QStringLiteral("wait_time"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect_wait_ms")});
                              step.near(QStringLiteral("wait ms"), msOf(log.waitTime(step.integer("n"), timeOf(step))),
                                        step.numberOrNull("expect_wait_ms"), kTolerance);
                          }},
                         {QStringLiteral("available"), [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect_available")});
                              expectAvailable(step, static_cast<double>(log.available(timeOf(step))));
                          }}});
}

void runTwoBucket(const QJsonObject& testCase, const VectorFields& config)
{
    TwoBucketWindow window(config.number("limit"), fromMs(config.number("window_ms")));
    playSteps(testCase, {{QStringLiteral("try_acquire"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect")});
                              step.equal(QStringLiteral("acquired"), window.tryAcquire(step.number("n"), timeOf(step)),
                                         expectsOk(step));
                          }},
                         {QStringLiteral("available"), [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect_available")});
                              expectAvailable(step, window.available(timeOf(step)));
                          }}});
}

void runDual(const QJsonObject& testCase, const VectorFields& config)
{
    DualLimiter limiter(config.optionalNumber("rpm"), config.optionalNumber("tpm"));
    std::map<QString, DualLimiter::Ticket> tickets;
    const auto acquire = [&](const VectorFields& step) {
        step.onlyExpects(
            {QStringLiteral("expect"), QStringLiteral("expect_limited_by"), QStringLiteral("expect_wait_ms")});
        const auto answer = limiter.acquire(step.number("tokens"), timeOf(step));
        step.equal(QStringLiteral("acquired"), answer.ticket.has_value(), expectsOk(step));
        QStringList actual, expected;
        for (const std::string& name : answer.limitedBy)
            actual << QString::fromStdString(name);
        const QJsonArray names = step.array("expect_limited_by");
        for (const QJsonValue& name : names)
            expected << name.toString();
        step.equal(QStringLiteral("limited by"), actual.join(u','), expected.join(u','));
        step.near(QStringLiteral("wait ms"), msOf(answer.wait), step.numberOrNull("expect_wait_ms"), kTolerance);
        if (answer.ticket)
            tickets[step.text("call")] = *answer.ticket;
    };
    playSteps(testCase, {{QStringLiteral("acquire"), acquire},
                         {QStringLiteral("reconcile"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({});
                              limiter.reconcile(callOf(tickets, step), step.number("tokens"), timeOf(step));
                          }},
                         {QStringLiteral("cancel"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({});
                              limiter.cancel(callOf(tickets, step), timeOf(step));
                          }},
                         {QStringLiteral("available"), [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect_requests"), QStringLiteral("expect_tokens")});
                              const auto available = limiter.available(timeOf(step));
                              step.near(QStringLiteral("requests"), available.requests,
                                        step.numberOrNull("expect_requests"), kTolerance);
                              step.near(QStringLiteral("tokens"), available.tokens, step.numberOrNull("expect_tokens"),
                                        kTolerance);
                          }}});
}

QString orNull(const std::optional<std::string>& id)
{
    return id ? QString::fromStdString(*id) : QStringLiteral("null");
}

void runPriorityQueue(const QJsonObject& testCase, const VectorFields& config)
{
    PriorityQueue queue(static_cast<std::size_t>(config.integer("capacity")));
    const auto push = [&](const VectorFields& step) {
        step.onlyExpects({QStringLiteral("expect"), QStringLiteral("expect_dropped")});
        const auto pushed = queue.push(step.text("id").toStdString(), step.integer("priority"));
        step.equal(QStringLiteral("queued"), pushed.queued,
                   step.word("expect", {QStringLiteral("rejected"), QStringLiteral("queued")}) == 1);
        step.equal(QStringLiteral("dropped"), orNull(pushed.dropped),
                   step.textOrNull("expect_dropped").value_or(QStringLiteral("null")));
    };
    playSteps(testCase,
              {{QStringLiteral("push"), push},
               {QStringLiteral("pop"),
                [&](const VectorFields& step) {
                    step.onlyExpects({QStringLiteral("expect_id")});
                    step.equal(QStringLiteral("id"), orNull(queue.pop()),
                               step.textOrNull("expect_id").value_or(QStringLiteral("null")));
                }},
               {QStringLiteral("remove"),
                [&](const VectorFields& step) {
                    step.onlyExpects({QStringLiteral("expect")});
                    step.equal(QStringLiteral("removed"), queue.remove(step.text("id").toStdString()), expectsOk(step));
                }},
               {QStringLiteral("size"), [&](const VectorFields& step) {
                    step.onlyExpects({QStringLiteral("expect_size"), QStringLiteral("expect_dropped_total")});
                    step.equal(QStringLiteral("size"), qint64(queue.size()), qint64(step.integer("expect_size")));
                    step.equal(QStringLiteral("dropped total"), qint64(queue.droppedTotal()),
                               qint64(step.integer("expect_dropped_total")));
                }}});
}

AwsRetryBudget::Config readAwsConfig(const VectorFields& fields)
{
    AwsRetryBudget::Config config;
    config.capacity = fields.number("capacity");
    config.cost = fields.number("cost");
    config.firstTryRefund = fields.number("first_try_refund");
    const QString suffix = QStringLiteral("_cost");
    for (auto it = fields.all().begin(); it != fields.all().end(); ++it) {
        if (it.key().endsWith(suffix))
            config.costByCause[it.key().chopped(suffix.size()).toStdString()] = it.value().toDouble();
    }
    return config;
}

void runAwsBudget(const QJsonObject& testCase, const VectorFields& config)
{
    AwsRetryBudget budget(readAwsConfig(config));
    std::map<QString, AwsRetryBudget::Account> accounts;
    const QStringList level{QStringLiteral("expect_available")};
    playSteps(testCase, {{QStringLiteral("retry"),
                          [&](const VectorFields& step) {
                              step.onlyExpects({QStringLiteral("expect"), QStringLiteral("expect_available")});
                              const bool paid =
                                  budget.tryRetry(accounts[step.text("call")], step.text("cause").toStdString());
                              step.equal(QStringLiteral("paid"), paid, expectsOk(step));
                              expectAvailable(step, budget.available());
                          }},
                         {QStringLiteral("success"),
                          [&](const VectorFields& step) {
                              step.onlyExpects(level);
                              budget.onSuccess(accounts[step.text("call")]);
                              expectAvailable(step, budget.available());
                          }},
                         {QStringLiteral("failure"), [&](const VectorFields& step) {
                              step.onlyExpects(level);
                              budget.onFailure(accounts[step.text("call")]);
                              expectAvailable(step, budget.available());
                          }}});
}

void runGrpcBudget(const QJsonObject& testCase, const VectorFields& config)
{
    GrpcRetryBudget budget(config.number("max_tokens"), config.number("token_ratio"));
    const auto compare = [&](const VectorFields& step) {
        step.onlyExpects({QStringLiteral("expect_tokens"), QStringLiteral("expect_retry_allowed")});
        step.near(QStringLiteral("tokens"), budget.tokens(), step.number("expect_tokens"), kTolerance);
        step.equal(QStringLiteral("retry allowed"), budget.retryAllowed(), step.boolean("expect_retry_allowed"));
    };
    playSteps(testCase, {{QStringLiteral("failure"),
                          [&](const VectorFields& step) {
                              budget.onFailure();
                              compare(step);
                          }},
                         {QStringLiteral("success"), [&](const VectorFields& step) {
                              budget.onSuccess();
                              compare(step);
                          }}});
}

} // namespace

void runLimiterCase(const QJsonObject& testCase)
{
    using Run = void (*)(const QJsonObject&, const VectorFields&);
    static const std::map<QString, Run> limiters{
        {QStringLiteral("token_bucket"), runTokenBucket},     {QStringLiteral("sliding_log"), runSlidingLog},
        {QStringLiteral("two_bucket"), runTwoBucket},         {QStringLiteral("dual"), runDual},
        {QStringLiteral("priority_queue"), runPriorityQueue}, {QStringLiteral("retry_budget_aws"), runAwsBudget},
        {QStringLiteral("retry_budget_grpc"), runGrpcBudget},
    };
    const VectorFields fields(testCase);
    const auto limiter = limiters.find(fields.text("limiter"));
    if (limiter == limiters.end())
        fields.fail(QStringLiteral("unknown limiter \"%1\"").arg(fields.text("limiter")));
    limiter->second(testCase, fields.object("config"));
}

} // namespace sg::vectors
