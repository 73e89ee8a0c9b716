// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/bench_loop.h"

namespace sg::test {

/// What libcurl's multi interface costs by itself: epoll, easy handles used again, nothing kept of the answers.
class BareCurl
{
public:
    BareCurl(const QUrl& url, QByteArray body, int concurrency);
    ~BareCurl();
    BareCurl(const BareCurl&) = delete;
    BareCurl& operator=(const BareCurl&) = delete;
    BenchCost measure(int count, int warmUp = 500);

private:
    struct Handles;
    void run(int count);
    std::unique_ptr<Handles> handles_;
    QByteArray body_;
};

} // namespace sg::test
