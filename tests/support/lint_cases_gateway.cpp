// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lint_case_parts.h"

namespace sg::test::lintcases {

namespace {

KeyRef variable(const char* name)
{
    return {KeySource::Environment, QString::fromLatin1(name)};
}

} // namespace

void gateway(Cases& c)
{
    c.row(
        "gateway_bad_address", "gateway.address", [](W w, F) { w.gateway.address = QStringLiteral("desk.example"); },
        "cannot start");
    c.row(
        "gateway_open_without_token", "gateway.address", [](W w, F) { w.gateway.address = QStringLiteral("0.0.0.0"); },
        "without a token", "Listen on 127.0.0.1");
    c.row(
        "gateway_open_without_token", "gateway.address", [](W w, F) { w.gateway.address = QStringLiteral("::"); },
        "beyond this machine", "Listen on 127.0.0.1");
    c.row(
        "gateway_out_of_range", "gateway.max_in_flight", [](W w, F) { w.gateway.maxInFlight = 0; }, "out of range");
    c.row(
        "gateway_out_of_range", "gateway.keep_alive_ms", [](W w, F) { w.gateway.keepAlive = Nanos(0); },
        "out of range");
    c.row(
        "gateway_out_of_range", "gateway.begin_after_ms", [](W w, F) { w.gateway.beginAfter = -seconds(1); },
        "out of range");
    c.row(
        "gateway_bad_token", "gateway.token.name", [](W w, F) { w.gateway.token = variable(" "); }, "no name");
    c.row(
        "gateway_bad_token", "gateway.token.name", [](W w, F) { w.gateway.token = variable("MY TOKEN"); },
        "environment variable");
    c.row(
        "gateway_any_origin", "gateway.origins[1]",
        [](W w, F) {
            w.gateway.origins = {QStringLiteral("https://desk.example"), QStringLiteral("*")};
        },
        "every page", "Remove it");
    c.row(
        "gateway_bad_origin", "gateway.origins[0]",
        [](W w, F) { w.gateway.origins = QStringList{QStringLiteral("https://desk.example/chat")}; },
        "\"https://desk.example/chat\"", "Write https://desk.example");
    c.row(
        "gateway_bad_origin", "gateway.origins[0]",
        [](W w, F) { w.gateway.origins = QStringList{QStringLiteral("desk.example")}; }, "no origin");
    c.row(
        "gateway_bad_host", "gateway.hosts[0]",
        [](W w, F) { w.gateway.hosts = QStringList{QStringLiteral("https://desk.example/")}; }, "no name of a host",
        "Write desk.example");
    c.row(
        "gateway_bad_host", "gateway.hosts[1]",
        [](W w, F) {
            w.gateway.hosts = {QStringLiteral("desk.example"), QStringLiteral("desk.example:8787")};
        },
        "no name of a host", "Write desk.example");
    c.row(
        "gateway_bad_host", "gateway.hosts[0]",
        [](W w, F) { w.gateway.hosts = QStringList{QStringLiteral("*.example.com")}; }, "\"*.example.com\"");
    c.row(
        "gateway_privileged_port", "gateway.port", [](W w, F) { w.gateway.port = 80; }, "port 80", "8787");
    c.row(
        "gateway_token_unusable", "gateway.token",
        [](W, F f) {
            f.gatewayToken =
                KeyFact{false, QStringLiteral("The environment variable T is not set."), QStringLiteral("Set it.")};
        },
        "the environment variable T is not set");
    c.row(
        "gateway_token_of_provider", "gateway.token", [](W w, F) { w.gateway.token = variable("B_KEY"); }, "\"b\"");
    c.row(
        "gateway_keep_alive_long", "gateway.keep_alive_ms", [](W w, F) { w.gateway.keepAlive = seconds(61); }, "60 s",
        "10 s");
    c.row(
        "gateway_queue_outlasts_callers", "gateway.max_queue_wait_ms",
        [](W w, F) {
            w.chains[0].caller = {seconds(20), 0};
            w.gateway.maxQueueWait = seconds(25);
        },
        "callers of \"c\" wait for 20 s", "10 s");
}

} // namespace sg::test::lintcases
