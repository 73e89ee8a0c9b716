// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/model_list.h"
#include "core/engine/hide_key.h"
#include "core/policy/text.h"

namespace sg::engine {

namespace {

constexpr qint64 kMostBytes = 2 * 1024 * 1024; ///< OpenRouter's list has some 500 KB; this takes 0.3 s to be read

QString withoutKeys(const EndpointRoute& route, const QString& text)
{
    return hideKey(hideKey(text, route.key), route.proxySecret);
}

class ModelsCall final : public http::Listener, public std::enable_shared_from_this<ModelsCall>
{
public:
    ModelsCall(Beside& beside, std::shared_ptr<const EndpointRoute> route, observe::WallAnchor anchor,
               std::function<void(const ModelsAnswer&)> done)
        : beside_(beside)
        , route_(std::move(route))
        , anchor_(anchor)
        , done_(std::move(done))
    {
    }

    void onHeaders(int status, const http::Headers& headers, Instant) override
    {
        status_ = status;
        for (const auto& [name, value] : headers)
            headers_.emplace_back(name.toStdString(), value.toStdString());
    }
    void onBody(QByteArrayView piece, Instant) override { body_.append(piece); }
    void onFinished(const http::Outcome& outcome) override
    {
        if (const auto error = errorOf(outcome))
            return tell(tl::unexpected(refusal(*error)), outcome, error->disposition.error);
        if (outcome.failure != http::FailureKind::None || body_.size() <= Beside::kShort)
            return tell(resultOf(outcome), outcome);
        beside_.run(
            [route = route_, body = std::exchange(body_, {})] { return readModelList(*route, body); },
            [self = shared_from_this(), outcome](ModelsResult models) { self->tell(std::move(models), outcome); });
    }

private:
    void tell(ModelsResult models, const http::Outcome& outcome,
              provider::ErrorClass refusedAs = provider::ErrorClass::None) const
    {
        done_({std::move(models).map_error([this](const QString& why) { return withoutKeys(*route_, why); }), outcome,
               refusedAs});
    }
    ModelsResult resultOf(const http::Outcome& outcome) const
    {
        if (outcome.failure != http::FailureKind::None)
            return tl::unexpected(QStringLiteral("%1 could not be asked: %2.").arg(host(), detailOf(outcome)));
        return readModelList(*route_, body_);
    }
    std::optional<provider::ErrorFacts> errorOf(const http::Outcome& outcome) const
    {
        if (status_ == 0 || (status_ >= 200 && status_ <= 299))
            return std::nullopt;
        return provider::classifyAnswer(route_->provider, status_, headers_, body_.toStdString(),
                                        anchor_.toUnixMs(outcome.timing.end), route_->maxServerWait);
    }
    QString refusal(const provider::ErrorFacts& error) const
    {
        const QString words = text(provider::inWords(error.disposition.error));
        const QString said = text(error.message);
        return said.isEmpty() ? QStringLiteral("%1: %2 (HTTP %3).").arg(host(), words).arg(status_)
                              : QStringLiteral("%1: %2 (HTTP %3): %4").arg(host(), words).arg(status_).arg(said);
    }
    QString host() const { return route_->modelsUrl->host(); }
    static QString detailOf(const http::Outcome& outcome)
    {
        QString detail = outcome.detail.isEmpty() ? QLatin1String(toString(outcome.failure)) : outcome.detail;
        while (detail.endsWith(QLatin1Char('.')))
            detail.chop(1);
        return detail;
    }

    Beside& beside_;
    std::shared_ptr<const EndpointRoute> route_;
    observe::WallAnchor anchor_;
    std::function<void(const ModelsAnswer&)> done_;
    policy::HeaderList headers_;
    QByteArray body_;
    int status_ = 0;
};

} // namespace

ModelsResult readModelList(const EndpointRoute& route, const QByteArray& body)
{
    auto models = provider::readModels(route.profile.dialect, body);
    if (models)
        for (provider::ListedModel& model : *models)
            for (QString* const text : {&model.id, &model.title})
                *text = withoutKeys(route, *text);
    return models;
}

http::Request modelsRequest(const EndpointRoute& route)
{
    http::Request request;
    request.method = "GET";
    request.url = *route.modelsUrl;
    for (const auto& header : route.headers)
        if (header.first.compare("Content-Type", Qt::CaseInsensitive) != 0)
            request.headers.push_back(header);
    request.limits = route.limits;
    request.limits.maxBodyBytes = kMostBytes;
    request.connection = route.connection;
    return request;
}

void listModels(http::Transport& transport, Beside& beside, std::shared_ptr<const EndpointRoute> route,
                observe::WallAnchor anchor, std::function<void(const ModelsResult&)> done)
{
    if (!route->modelsUrl)
        return done(tl::unexpected(route->modelsUrl.error()));
    if (!route->unusable.isEmpty())
        return done(tl::unexpected(route->unusable));
    askModels(transport, beside, std::move(route), anchor, std::nullopt,
              [done = std::move(done)](const ModelsAnswer& answer) { done(answer.models); });
}

std::shared_ptr<http::Exchange> askModels(http::Transport& transport, Beside& beside,
                                          std::shared_ptr<const EndpointRoute> route, observe::WallAnchor anchor,
                                          std::optional<Nanos> limit, std::function<void(const ModelsAnswer&)> done)
{
    http::Request request = modelsRequest(*route);
    request.tellCertificate = limit.has_value();
    if (limit)
        request.limits.total = std::min(*limit, request.limits.total.value_or(*limit));
    return transport.start(std::move(request), std::make_shared<ModelsCall>(beside, route, anchor, std::move(done)));
}

bool listsModel(provider::Dialect dialect, const std::vector<provider::ListedModel>& models, const QString& model)
{
    if (dialect == provider::Dialect::Azure)
        return true;
    return std::ranges::any_of(models, [&](const provider::ListedModel& one) {
        // Gemini's names with their folder; Ollama's without the tag that stands for none.
        return one.id == model || QStringLiteral("models/") + one.id == model ||
               one.id == model + QStringLiteral(":latest");
    });
}

} // namespace sg::engine
