// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/trace_keeper.h"

#include "core/engine/hide_key.h"

namespace sg::engine {

namespace {
// A line under way is masked again for each picture.
constexpr qsizetype kLongestOpenLine = 32 * 1024;
} // namespace

void TraceKeeper::begin(int number, const EndpointRoute& route, const http::Request& request,
                        const QStringList& leftOut)
{
    end();
    AttemptTrace trace;
    trace.number = number;
    trace.endpoint = route.name;
    trace.provider = route.provider;
    trace.model = route.model;
    trace.dialect = provider::toString(route.profile.dialect);
    trace.method = request.method.toStdString();
    trace.url = maskedUrl(request.url, route.key);
    trace.requestHeaders = maskedHeaders(request.headers, route.key, route.profile.keyHeader);
    trace.requestBody = hideKey(request.body, route.key);
    trace.leftOut = leftOut;
    trace.keyVariable = route.keyVariable;
    traces_.push_back(std::move(trace));
    if (traces_.size() > kMostTraces) {
        traces_.pop_front();
        ++dropped_;
    }
    key_ = route.key;
    running_ = true;
}

void TraceKeeper::headers(int status, const http::Headers& headers)
{
    if (!running_)
        return;
    traces_.back().status = status;
    traces_.back().responseHeaders = maskedHeaders(headers, key_);
}

void TraceKeeper::body(QByteArrayView piece)
{
    if (!running_)
        return;
    traces_.back().rawBytes += piece.size();
    raw_.append(piece.first(std::min(piece.size(), kMostRaw - raw_.size())));
}

void TraceKeeper::end()
{
    if (!running_)
        return;
    traces_.back().raw = maskedBytes(raw_, key_);
    raw_.clear();
    shown_.clear();
    key_.clear();
    read_ = 0;
    running_ = false;
}

/// Whole lines are masked once; no credential goes over the end of a line.
QByteArray TraceKeeper::maskedSoFar() const
{
    const qsizetype whole = raw_.lastIndexOf('\n') + 1;
    if (whole > read_) {
        shown_ += maskedBytes(raw_.mid(read_, whole - read_), key_);
        read_ = whole;
    }
    const QByteArray rest = raw_.mid(read_);
    return rest.size() > kLongestOpenLine ? shown_ : shown_ + maskedBytes(rest, key_);
}

std::vector<AttemptTrace> TraceKeeper::traces() const
{
    std::vector<AttemptTrace> all(traces_.begin(), traces_.end());
    if (running_)
        all.back().raw = maskedSoFar();
    return all;
}

} // namespace sg::engine
