// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/prompt_form.h"

#include "core/provider/mask.h"
#include "ui/format/format.h"
#include "ui/playground/playground_words.h"
#include "ui/playground/request_json.h"
#include "ui/widgets/segments.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QTextBlock>
#include <QVBoxLayout>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kMostDraft = 256 * 1024; ///< characters kept for the next start

QLabel* caption(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setProperty("role", QStringLiteral("caption"));
    label->setBuddy(buddy);
    buddy->setAccessibleName(text);
    return label;
}

QPlainTextEdit* editor(const QString& placeholder)
{
    auto* edit = new QPlainTextEdit;
    edit->setProperty("role", QStringLiteral("field"));
    edit->setPlaceholderText(placeholder);
    edit->setTabChangesFocus(true);
    edit->setAcceptDrops(false); // a dropped file is an answer to look at, for the page
    edit->setMinimumHeight(30);
    return edit;
}

void setWrong(QWidget* field, bool wrong, const QString& why)
{
    field->setAccessibleDescription(wrong ? why : QString());
    if (field->property("wrong").toBool() == wrong)
        return;
    field->setProperty("wrong", wrong);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

bool isPlain(const provider::Message& message)
{
    return message.fields.isEmpty();
}

std::optional<double> numberIn(const QLineEdit* field, bool& isNumber)
{
    const QString text = field->text().trimmed();
    isNumber = true;
    if (text.isEmpty())
        return std::nullopt;
    const double value = QString(text).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    return value;
}

} // namespace

PromptForm::PromptForm(ThemeContext& context, engine::WatchControl& control, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , control_(control)
    , modes_(new Segments({tr("Chat"), tr("JSON")}, tr("Prompt as"), true))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 2, 12, 8);
    column->setSpacing(6);
    makeTop(column);
    stack_ = new QStackedWidget;
    stack_->addWidget(makeChat());
    stack_->addWidget(makeJson());
    column->addWidget(stack_, 1);
    makeFoot(column);
    connect(modes_, &Segments::selected, this, &PromptForm::selectMode);
    connect(&context, &ThemeContext::changed, this, &PromptForm::refresh);
    reloadTargets();
}

QWidget* PromptForm::modes() const
{
    return modes_;
}

void PromptForm::makeTop(QVBoxLayout* column)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    target_ = new QComboBox;
    target_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    target_->setMinimumContentsLength(8);
    temperature_ = new QLineEdit;
    maxTokens_ = new QLineEdit(QStringLiteral("512"));
    stream_ = new QComboBox;
    stream_->addItems({tr("On"), tr("Off")});
    temperature_->setToolTip(tr("0 to 2; empty: what the provider takes by itself"));
    maxTokens_->setToolTip(tr("Most tokens in the answer; empty: what the provider takes by itself"));
    for (QLineEdit* field : {temperature_, maxTokens_}) {
        field->setPlaceholderText(tr("default"));
        field->setMinimumWidth(52);
        connect(field, &QLineEdit::textChanged, this, &PromptForm::refresh);
    }
    const std::pair<QWidget*, QString> fields[] = {{target_, tr("Send through")},
                                                   {temperature_, tr("Temperature")},
                                                   {maxTokens_, tr("Max tokens")},
                                                   {stream_, tr("Streaming")}};
    int place = 0;
    for (const auto& [field, name] : fields) {
        field->setFixedHeight(26);
        grid->addWidget(caption(name, field), 0, place);
        grid->addWidget(field, 1, place);
        grid->setColumnStretch(place++, field == target_ ? 15 : 10);
    }
    column->addLayout(grid);
    connect(target_, &QComboBox::currentIndexChanged, this, &PromptForm::refresh);
    connect(stream_, &QComboBox::currentIndexChanged, this, &PromptForm::refresh);
}

QWidget* PromptForm::makeChat()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    system_ = editor(tr("How the model should answer. May be empty."));
    user_ = editor(tr("What you ask."));
    system_->setFixedHeight(54);
    column->addWidget(caption(tr("System"), system_));
    column->addWidget(system_);
    column->addWidget(caption(tr("User"), user_));
    column->addWidget(user_, 1);
    rest_ = new QLabel;
    rest_->setProperty("role", QStringLiteral("caption"));
    rest_->setWordWrap(true);
    column->addWidget(rest_);
    for (QPlainTextEdit* edit : {system_, user_})
        connect(edit, &QPlainTextEdit::textChanged, this, &PromptForm::refresh);
    return page;
}

QWidget* PromptForm::makeJson()
{
    json_ = editor(QStringLiteral("{ \"messages\": [ … ] }"));
    json_->setProperty("mono", true);
    json_->setAccessibleName(tr("Request body as JSON"));
    json_->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    connect(json_, &QPlainTextEdit::textChanged, this, &PromptForm::refresh);
    return json_;
}

void PromptForm::makeFoot(QVBoxLayout* column)
{
    error_ = new QLabel;
    error_->setProperty("role", QStringLiteral("error"));
    error_->setTextFormat(Qt::PlainText);
    error_->setWordWrap(true);
    error_->setObjectName(QStringLiteral("promptProblem"));
    column->addWidget(error_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    estimate_ = new QLabel;
    estimate_->setProperty("role", QStringLiteral("caption"));
    estimate_->setTextFormat(Qt::PlainText);
    estimate_->setWordWrap(true);
    estimate_->setMinimumHeight(32);
    estimate_->setObjectName(QStringLiteral("estimate"));
    send_ = new QPushButton;
    send_->setObjectName(QStringLiteral("send"));
    row->addWidget(estimate_, 1);
    row->addWidget(send_);
    column->addLayout(row);
    connect(send_, &QPushButton::clicked, this, &PromptForm::sendClicked);
    setRunning(false);
}

void PromptForm::setRunning(bool running)
{
    send_->setText(running ? tr("Cancel   Esc") : tr("Send   Ctrl+Enter"));
    send_->setAccessibleName(running ? tr("Cancel the request") : tr("Send the request"));
    send_->setEnabled(running || problem_.isEmpty());
    const QString role = running ? QStringLiteral("danger") : QStringLiteral("primary");
    if (send_->property("role").toString() == role)
        return;
    send_->setProperty("role", role);
    send_->style()->unpolish(send_);
    send_->style()->polish(send_);
}

void PromptForm::reloadTargets()
{
    const std::optional<engine::CallTarget> before = target();
    targets_ = control_.targets();
    isFilling_ = true;
    target_->clear();
    for (const engine::WatchTarget& target : targets_) {
        const QString name = QString::fromStdString(target.target.name);
        const bool isChain = target.target.kind == engine::TargetKind::Chain;
        target_->addItem(isChain ? name : tr("%1 (endpoint)").arg(name));
        const QString tip = !target.unusable.isEmpty() ? target.unusable
                            : isChain                  ? tr("The chain %1").arg(name)
                                                       : tr("Straight to %1: one try, no breaker").arg(name);
        target_->setItemData(target_->count() - 1, format::plainTip(tip), Qt::ToolTipRole);
    }
    isFilling_ = false;
    if (before)
        setTarget(*before);
    refresh();
}

void PromptForm::setTarget(const engine::CallTarget& target)
{
    for (std::size_t i = 0; i < targets_.size(); ++i)
        if (targets_[i].target.kind == target.kind && targets_[i].target.name == target.name)
            target_->setCurrentIndex(static_cast<int>(i));
}

std::optional<engine::CallTarget> PromptForm::target() const
{
    const int index = target_->currentIndex();
    if (index < 0 || index >= static_cast<int>(targets_.size()))
        return std::nullopt;
    return targets_[static_cast<std::size_t>(index)].target;
}

provider::ChatRequest PromptForm::composed() const
{
    provider::ChatRequest request = base_;
    bool isNumber = false;
    request.sampling.temperature = numberIn(temperature_, isNumber);
    if (const auto most = numberIn(maxTokens_, isNumber))
        request.sampling.maxTokens = static_cast<int>(std::clamp(*most, 0.0, 1e9));
    request.stream = stream_->currentIndex() == 0;
    if (const QString text = system_->toPlainText(); !text.trimmed().isEmpty())
        request.messages.insert(request.messages.begin(), provider::Message{"system", text, {}});
    if (const QString text = user_->toPlainText(); !text.trimmed().isEmpty())
        request.messages.push_back(provider::Message{"user", text, {}});
    return request;
}

std::optional<provider::ChatRequest> PromptForm::request() const
{
    if (!problem_.isEmpty())
        return std::nullopt;
    if (modes_->current() == 0)
        return composed();
    const auto read = requestjson::read(json_->toPlainText());
    return read ? std::optional(*read) : std::nullopt;
}

void PromptForm::setRequest(const provider::ChatRequest& request)
{
    isFilling_ = true;
    base_ = request;
    auto& messages = base_.messages;
    const auto takeText = [&](bool wanted, auto place) {
        const QString text = wanted ? place->text : QString();
        if (wanted)
            messages.erase(place);
        return text;
    };
    const bool hasSystem = !messages.empty() && messages.front().role == "system" && isPlain(messages.front());
    system_->setPlainText(takeText(hasSystem, messages.begin()));
    const bool hasUser = !messages.empty() && messages.back().role == "user" && isPlain(messages.back());
    user_->setPlainText(takeText(hasUser, messages.end() - (messages.empty() ? 0 : 1)));
    const provider::Sampling& sampling = request.sampling;
    temperature_->setText(sampling.temperature ? QString::number(*sampling.temperature) : QString());
    maxTokens_->setText(sampling.maxTokens ? QString::number(*sampling.maxTokens) : QString());
    base_.sampling.temperature.reset();
    base_.sampling.maxTokens.reset();
    stream_->setCurrentIndex(request.stream ? 0 : 1);
    isFilling_ = false;
    if (modes_->current() == 1)
        json_->setPlainText(requestjson::write(request));
    refresh();
}

void PromptForm::selectMode(int mode)
{
    if (isFilling_)
        return;
    if (mode == 1) {
        stack_->setCurrentIndex(1);
        json_->setPlainText(requestjson::write(composed()));
    } else {
        const auto read = requestjson::read(json_->toPlainText());
        if (!read) { // what is written there would be lost
            modes_->setCurrent(1);
            json_->setFocus(Qt::OtherFocusReason);
            return;
        }
        stack_->setCurrentIndex(0);
        setRequest(*read);
    }
    for (QWidget* field :
         {static_cast<QWidget*>(temperature_), static_cast<QWidget*>(maxTokens_), static_cast<QWidget*>(stream_)})
        field->setEnabled(mode == 0);
    refresh();
}

QString PromptForm::restWords() const
{
    QStringList parts;
    if (const auto count = base_.messages.size(); count > 0)
        parts << (count == 1 ? tr("1 more message") : tr("%1 more messages").arg(count));
    if (const auto count = base_.tools.size(); count > 0)
        parts << (count == 1 ? tr("1 tool") : tr("%1 tools").arg(count));
    QStringList keys = base_.extra.keys();
    if (base_.sampling.topP)
        keys.prepend(QStringLiteral("top_p"));
    if (!keys.isEmpty())
        parts << keys.mid(0, 4).join(QStringLiteral(", "));
    return parts.isEmpty() ? QString() : tr("Also sent, see JSON: %1.").arg(parts.join(QStringLiteral("; ")));
}

void PromptForm::refresh()
{
    if (isFilling_ || !send_)
        return;
    const bool isChat = modes_->current() == 0;
    const auto complain = [this](QWidget* field, const QString& words) {
        if (!problem_.isEmpty())
            return;
        problem_ = words;
        problemField_ = field;
    };
    QWidget* const before = problemField_;
    problem_.clear();
    problemField_ = nullptr;
    markLine(0);
    if (target_->currentIndex() < 0)
        complain(target_, tr("There is no chain and no endpoint yet."));
    else if (const QString& unusable = targets_[static_cast<std::size_t>(target_->currentIndex())].unusable;
             !unusable.isEmpty())
        complain(target_, unusable);
    if (isChat) {
        bool isNumber = false;
        const auto temperature = numberIn(temperature_, isNumber);
        if (!isNumber || !(temperature.value_or(0) >= 0 && temperature.value_or(0) <= 2))
            complain(temperature_, tr("Temperature: a number from 0 to 2, or nothing."));
        const auto most = numberIn(maxTokens_, isNumber);
        if (!isNumber || most.value_or(1) < 1 || most.value_or(1) > 1e7 ||
            most.value_or(1) != std::floor(most.value_or(1)))
            complain(maxTokens_, tr("Max tokens: a whole number from 1, or nothing."));
        if (composed().messages.empty())
            complain(user_, tr("Write what you ask."));
        rest_->setText(restWords());
        rest_->setVisible(!rest_->text().isEmpty());
    } else if (const auto read = requestjson::read(json_->toPlainText()); !read) {
        const requestjson::Problem& wrong = read.error();
        markLine(wrong.line);
        complain(json_, wrong.line > 0 ? tr("Line %1: %2").arg(wrong.line).arg(wrong.words) : wrong.words);
    }
    if (before && before != problemField_)
        setWrong(before, false, {});
    // An empty question is no mistake yet: the border would shout at somebody who has just come.
    if (problemField_)
        setWrong(problemField_, problemField_ != user_, problem_);
    error_->setText(problem_);
    error_->setVisible(!problem_.isEmpty() && problemField_ != user_);
    send_->setToolTip(format::plainTip(problem_));
    showEstimate();
    Q_EMIT changed();
}

void PromptForm::markLine(int line)
{
    QList<QTextEdit::ExtraSelection> marks;
    if (line > 0) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(json_->document()->findBlockByNumber(line - 1));
        mark.format.setBackground(context_.c().openTint);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    json_->setExtraSelections(marks);
}

void PromptForm::showEstimate()
{
    const auto wanted = request();
    const auto where = target();
    estimate_->setText(wanted && where ? words::estimate(control_.estimate(*where, *wanted), *wanted) : QString());
}

void PromptForm::focusProblem()
{
    if (problemField_)
        problemField_->setFocus(Qt::OtherFocusReason);
}

QString PromptForm::problem() const
{
    return problem_;
}

QByteArray PromptForm::draft() const
{
    const auto where = target();
    const auto read = modes_->current() == 0 ? tl::expected<provider::ChatRequest, requestjson::Problem>(composed())
                                             : requestjson::read(json_->toPlainText());
    if (!where || !read)
        return {};
    const QString body = provider::maskSecrets(requestjson::write(*read));
    if (body.size() > kMostDraft)
        return {};
    const QJsonObject draft{{QStringLiteral("chain"), where->kind == engine::TargetKind::Chain},
                            {QStringLiteral("target"), QString::fromStdString(where->name)},
                            {QStringLiteral("body"), body}};
    return QJsonDocument(draft).toJson(QJsonDocument::Compact);
}

void PromptForm::setDraft(const QByteArray& draft)
{
    const QJsonObject object = QJsonDocument::fromJson(draft).object();
    const QString body = object[QLatin1String("body")].toString();
    const bool isChain = object[QLatin1String("chain")].toBool(true);
    setTarget({isChain ? engine::TargetKind::Chain : engine::TargetKind::Endpoint,
               object[QLatin1String("target")].toString().toStdString()});
    QJsonObject parsed = QJsonDocument::fromJson(body.toUtf8()).object();
    // A draft may be without a question yet, which a request may not.
    if (parsed[QLatin1String("messages")].toArray().isEmpty())
        return;
    if (const auto read = requestjson::read(body))
        setRequest(*read);
}

} // namespace sg::ui
