// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoint_sections.h"

#include "ui/endpoints/endpoint_words.h"
#include "ui/format/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <cmath>

namespace sg::ui {

namespace {

namespace words = endpointwords;
using workspace::Endpoint;
using Rules = QuantityField::Rules;
using Value = std::optional<double>;

Rules rulesOf(const QString& unit, double low, double high, int decimals, double step)
{
    Rules rules;
    rules.unit = unit;
    rules.low = low;
    rules.high = high;
    rules.decimals = decimals;
    rules.step = step;
    return rules;
}

Rules optional(Rules rules, const QString& whenEmpty)
{
    rules.isOptional = true;
    rules.whenEmpty = whenEmpty;
    return rules;
}

Value secondsOf(const std::optional<Nanos>& span)
{
    return span ? Value(toMs(*span) / 1000) : std::nullopt;
}

std::optional<Nanos> spanOf(const Value& seconds)
{
    return seconds ? std::optional(fromMs(*seconds * 1000)) : std::nullopt;
}

QStringList sorted(QStringList names)
{
    names.removeDuplicates();
    names.sort(Qt::CaseInsensitive);
    return names;
}

void setItems(QComboBox* box, const QStringList& items)
{
    QStringList now;
    for (int i = 0; i < box->count(); ++i)
        now << box->itemText(i);
    if (now == items)
        return;
    const QSignalBlocker quiet(box);
    if (!box->isEditable()) {
        box->clear();
        box->addItems(items);
        return;
    }
    // The text that is being typed is not one of the items.
    const QSignalBlocker quietLine(box->lineEdit());
    const QString text = box->lineEdit()->text();
    const int cursor = box->lineEdit()->cursorPosition();
    box->clear();
    box->addItems(items);
    box->setCurrentIndex(-1);
    box->lineEdit()->setText(text);
    box->lineEdit()->setCursorPosition(cursor);
}

QStringList sharedNames(const workspace::Workspace& workspace, std::string chain::EndpointSpec::*member)
{
    QStringList names;
    for (const Endpoint& each : workspace.endpoints)
        names << QString::fromStdString(each.spec.*member);
    return sorted(names);
}

/// Empty stands for the endpoint's own name, as in files.
void setShared(Endpoint& endpoint, std::string chain::EndpointSpec::*member, const QString& text)
{
    const std::string name = text.trimmed().toStdString();
    endpoint.spec.*member = name.empty() ? endpoint.spec.name : name;
}

} // namespace

PriceSection::PriceSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Price"))
{
    addRate(tr("Input"), QStringLiteral("priceIn"), &cost::Rates::input);
    addRate(tr("Output"), QStringLiteral("priceOut"), &cost::Rates::output);
    addRate(tr("Cached input"), QStringLiteral("priceCached"), &cost::Rates::cachedInput);
    take_ = new QPushButton(tr("Take from price book"));
    take_->setObjectName(QStringLiteral("takePrice"));
    put(take_);
    book_ = addNote();
    book_->setObjectName(QStringLiteral("bookWords"));
    connect(take_, &QPushButton::clicked, this, &PriceSection::takeFromBook);
}

void PriceSection::addRate(const QString& caption, const QString& field, Rate rate)
{
    QuantityField* number = addNumber(
        caption, field, optional(rulesOf(tr("$ per 1M"), 0, 1e6, 6, 0.05), tr("unknown")),
        [rate](const Endpoint& e) {
            return e.price && (*e.price).*rate ? Value(((*e.price).*rate)->toUsd()) : std::nullopt;
        },
        [this, rate](Endpoint& e, const Value& usd) {
            const cost::PriceEntry* entry = bookEntry();
            // The rates that are not typed stay what they were until now.
            cost::Price price = e.price ? *e.price : entry ? entry->price : cost::Price{};
            price.*rate = usd ? cost::NanoDollars::fromUsd(*usd) : std::nullopt;
            e.price = price == cost::Price{} ? std::nullopt : std::optional(price);
        });
    rates_.push_back({number, rate});
}

const cost::PriceEntry* PriceSection::bookEntry() const
{
    const Endpoint* endpoint = editor_.selected();
    return endpoint ? editor_.serving().prices().find(endpoint->model.toStdString()) : nullptr;
}

void PriceSection::takeFromBook()
{
    if (const cost::PriceEntry* entry = bookEntry())
        editor_.edit(undoWords(tr("Price")), {}, [&](Endpoint& e) { e.price = entry->price; });
}

void PriceSection::showEndpoint(const Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    const cost::PriceEntry* entry = editor_.serving().prices().find(endpoint.model.toStdString());
    for (const RateField& each : rates_) {
        const bool isFromBook = !endpoint.price && entry && entry->price.*each.rate;
        each.field->setPlaceholderText(isFromBook ? tr("%1 (book)").arg(words::rate(entry->price.*each.rate))
                                                  : tr("unknown"));
    }
    const bool isTaken = entry && endpoint.price && *endpoint.price == entry->price;
    take_->setEnabled(entry && !isTaken);
    const QString longPrompts = endpoint.price && !endpoint.price->tiers.empty()
                                    ? tr(" Other rates hold for prompts above %1 tokens.")
                                          .arg(format::count(endpoint.price->tiers.front().above))
                                    : QString();
    setNote(book_, words::bookWords(entry) + longPrompts);
}

CapabilitiesSection::CapabilitiesSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("What the model can do"))
{
    addNumber(
        tr("Context window"), QStringLiteral("window"),
        optional(rulesOf(tr("tokens"), 1, 1e9, 0, 1024), tr("unknown: never a reason to skip")),
        [](const Endpoint& e) {
            const auto& window = e.spec.capabilities.contextWindow;
            return window ? Value(static_cast<double>(*window)) : std::nullopt;
        },
        [](Endpoint& e, const Value& tokens) {
            e.spec.capabilities.contextWindow =
                tokens ? std::optional<std::int64_t>(std::llround(*tokens)) : std::nullopt;
        },
        Span::Whole);
    addFlag(tr("Tools"), QStringLiteral("tools"), [](Endpoint& e) -> bool& { return e.spec.capabilities.tools; });
    addFlag(tr("Images"), QStringLiteral("images"), [](Endpoint& e) -> bool& { return e.spec.capabilities.images; });
    addFlag(tr("JSON mode"), QStringLiteral("jsonMode"),
            [](Endpoint& e) -> bool& { return e.spec.capabilities.jsonMode; });
}

LimitsSection::LimitsSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Limits"))
{
    Rules perMinute = optional(rulesOf(tr("per min"), 0, 1e9, 2, 10), tr("no limit"));
    perMinute.lowIncluded = false;
    addNumber(
        tr("Requests"), QStringLiteral("rpm"), perMinute, [](const Endpoint& e) { return e.spec.requestsPerMinute; },
        [](Endpoint& e, const Value& value) { e.spec.requestsPerMinute = value; });
    perMinute.high = 1e12;
    perMinute.step = 1000;
    addNumber(
        tr("Tokens"), QStringLiteral("tpm"), perMinute, [](const Endpoint& e) { return e.spec.tokensPerMinute; },
        [](Endpoint& e, const Value& value) { e.spec.tokensPerMinute = value; });
    addNumber(
        tr("In flight at most"), QStringLiteral("inFlight"),
        optional(rulesOf(tr("requests"), 1, 1e6, 0, 1), tr("no limit")),
        [](const Endpoint& e) {
            return e.spec.maxInFlight ? Value(static_cast<double>(*e.spec.maxInFlight)) : std::nullopt;
        },
        [](Endpoint& e, const Value& value) {
            e.spec.maxInFlight = value ? std::optional(static_cast<int>(*value)) : std::nullopt;
        });
    const auto shared = [this](const QString& caption, const QString& field, std::string chain::EndpointSpec::*member) {
        QComboBox* box = addNames(
            caption, field, [member](const Endpoint& e) { return QString::fromStdString(e.spec.*member); },
            [member](Endpoint& e, const QString& text) { setShared(e, member, text); },
            [](const QString& text) -> Verdict {
                if (words::holdsKey(text))
                    return {tr("This looks like a key. It belongs into the field for the key."), true};
                return {};
            });
        return box;
    };
    quota_ = shared(tr("Quota group"), QStringLiteral("quotaGroup"), &chain::EndpointSpec::quotaGroup);
    quotaNote_ = addNote();
    credential_ = shared(tr("Credential"), QStringLiteral("credential"), &chain::EndpointSpec::credential);
    credentialNote_ = addNote();
}

void LimitsSection::showEndpoint(const Endpoint& endpoint)
{
    setItems(quota_, sharedNames(editor_.workspace(), &chain::EndpointSpec::quotaGroup));
    setItems(credential_, sharedNames(editor_.workspace(), &chain::EndpointSpec::credential));
    FormSection::showEndpoint(endpoint);
    setNote(quotaNote_, words::quotaWords(editor_.workspace(), endpoint));
    setNote(credentialNote_, words::credentialWords(editor_.workspace(), endpoint));
}

TimeoutsSection::TimeoutsSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Timeouts"))
{
    Rules needed = rulesOf(tr("s"), 0, 86400, 3, 1);
    needed.lowIncluded = false;
    const Rules free = optional(needed, tr("no limit"));
    addNumber(
        tr("Connect within"), QStringLiteral("connect"), needed,
        [](const Endpoint& e) { return secondsOf(e.timeouts.connect); },
        [](Endpoint& e, const Value& s) { e.timeouts.connect = spanOf(s).value_or(e.timeouts.connect); });
    addNumber(
        tr("First byte within"), QStringLiteral("firstByte"), free,
        [](const Endpoint& e) { return secondsOf(e.timeouts.firstByte); },
        [](Endpoint& e, const Value& s) { e.timeouts.firstByte = spanOf(s); });
    addNumber(
        tr("First token within"), QStringLiteral("firstToken"), free,
        [](const Endpoint& e) { return secondsOf(e.timeouts.tokens.firstToken); },
        [](Endpoint& e, const Value& s) { e.timeouts.tokens.firstToken = spanOf(s); });
    addNumber(
        tr("Silence at most"), QStringLiteral("idle"), free,
        [](const Endpoint& e) { return secondsOf(e.timeouts.idle); },
        [](Endpoint& e, const Value& s) { e.timeouts.idle = spanOf(s); });
    addNumber(
        tr("Whole reply within"), QStringLiteral("total"), needed,
        [](const Endpoint& e) { return secondsOf(e.timeouts.total); },
        [](Endpoint& e, const Value& s) { e.timeouts.total = spanOf(s).value_or(e.timeouts.total); });
    note_ = addNote();
}

void TimeoutsSection::showEndpoint(const Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    const workspace::Timeouts& timeouts = endpoint.timeouts;
    QStringList never;
    const auto judge = [&](const QString& name, const std::optional<Nanos>& span) {
        if (span && *span > timeouts.total)
            never << name;
    };
    judge(tr("connecting"), timeouts.connect);
    judge(tr("the first byte"), timeouts.firstByte);
    judge(tr("the first token"), timeouts.tokens.firstToken);
    judge(tr("silence"), timeouts.idle);
    setNote(note_, never.isEmpty() ? QString()
                                   : tr("Longer than the whole reply may take, so it never counts: the limit for %1.")
                                         .arg(words::joined(never)));
}

BreakerSection::BreakerSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Breaker"))
{
    policy_ = new QComboBox;
    policy_->setObjectName(QStringLiteral("breakerPolicy"));
    policy_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    policy_->setMinimumContentsLength(8);
    putField(tr("Policy"), policy_, Span::Whole);
    rules_ = addNote();
    rules_->setObjectName(QStringLiteral("breakerWords"));
    connect(policy_, &QComboBox::activated, this,
            [this](int index) { choose(index == 0 ? QString() : policy_->itemText(index)); });
}

void BreakerSection::choose(const QString& name)
{
    const std::string wanted = name.toStdString();
    const auto& own = editor_.workspace().policies.breakers;
    const auto& builtIn = workspace::PolicyLibrary::builtIn().breakers;
    editor_.edit(undoWords(tr("Breaker policy")), {}, [&](Endpoint& e) {
        e.breakerPolicy = wanted;
        if (const auto found = own.find(wanted); found != own.end())
            e.spec.breaker = found->second;
        else if (const auto usual = builtIn.find(wanted); usual != builtIn.end())
            e.spec.breaker = usual->second;
    });
}

void BreakerSection::showEndpoint(const Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    QStringList names;
    for (const auto* library : {&editor_.workspace().policies, &workspace::PolicyLibrary::builtIn()})
        for (const auto& [name, rules] : library->breakers)
            names << QString::fromStdString(name);
    names = sorted(names);
    setItems(policy_, QStringList(tr("Own rules")) + names);
    const int at = static_cast<int>(names.indexOf(QString::fromStdString(endpoint.breakerPolicy)));
    policy_->setCurrentIndex(endpoint.breakerPolicy.empty() ? 0 : at < 0 ? -1 : at + 1);
    setNote(rules_, words::breakerWords(endpoint.spec.breaker));
}

NetworkSection::NetworkSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Network"))
{
    askCaFile = [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Private certificate authorities"), {},
                                            tr("Certificates (*.pem *.crt *.cer);;All files (*)"));
    };
    QLineEdit* proxy = addText(
        tr("Proxy"), QStringLiteral("proxy"), [](const Endpoint& e) { return e.proxy; },
        [](Endpoint& e, const QString& text) { e.proxy = text.trimmed(); },
        [](const QString& text) -> Verdict {
            return {words::proxyProblem(text), words::holdsKey(text)};
        },
        true);
    proxy->setPlaceholderText(tr("none"));
    QLineEdit* file = addText(
        tr("Private CA file (PEM)"), QStringLiteral("caFile"), [](const Endpoint& e) { return e.caFile; },
        [](Endpoint& e, const QString& text) { e.caFile = text.trimmed(); },
        [](const QString& text) -> Verdict {
            const QString path = text.trimmed();
            return {path.isEmpty() || QFileInfo(path).isFile() ? QString() : tr("There is no such file."), false};
        },
        true);
    file->setPlaceholderText(tr("only the system's"));
    auto* choose = new QPushButton(tr("Choose file…"));
    choose->setObjectName(QStringLiteral("chooseCaFile"));
    put(choose, Span::Half);
    connect(choose, &QPushButton::clicked, this, &NetworkSection::chooseCaFile);
}

void NetworkSection::chooseCaFile()
{
    const QString path = askCaFile(window());
    if (!path.isEmpty())
        editor_.edit(undoWords(tr("Private CA file")), {}, [&](Endpoint& e) { e.caFile = path; });
}

FindingsSection::FindingsSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Checks"))
    , list_(nullptr)
{
    auto* body = new QWidget;
    list_ = new QVBoxLayout(body);
    list_->setContentsMargins(0, 0, 0, 0);
    list_->setSpacing(6);
    put(body);
    hide();
}

QWidget* FindingsSection::makeCard(const workspace::Finding& finding)
{
    using workspace::FindingLevel;
    auto* card = new QFrame;
    card->setObjectName(QStringLiteral("failure"));
    const bool isError = finding.level == FindingLevel::Error;
    card->setProperty("tone", isError                                  ? QString()
                              : finding.level == FindingLevel::Warning ? QStringLiteral("warned")
                                                                       : QStringLiteral("soft"));
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(9, 6, 8, 7);
    column->setSpacing(3);
    const QString level = isError ? tr("Error") : finding.level == FindingLevel::Warning ? tr("Warning") : tr("Note");
    const auto line = [&](const QString& text, const char* role) {
        if (text.isEmpty())
            return;
        auto* label = new QLabel(text);
        label->setProperty("role", QString::fromLatin1(role));
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        column->addWidget(label);
    };
    const auto sentence = [](QString text) {
        if (text.isEmpty())
            return text;
        text[0] = text.at(0).toUpper();
        return text.endsWith(QLatin1Char('?')) ? text : text + QLatin1Char('.');
    };
    line(tr("%1: %2").arg(level, finding.problem), "title");
    line(sentence(finding.why), "secondary");
    line(sentence(finding.remedy), "secondary");
    if (finding.fix) {
        auto* mend = new QPushButton(finding.fix->label);
        mend->setObjectName(QStringLiteral("fix"));
        column->addWidget(mend, 0, Qt::AlignLeft);
        connect(mend, &QPushButton::clicked, this, [this, finding] { editor_.applyFix(finding); });
    }
    return card;
}

void FindingsSection::showEndpoint(const Endpoint& endpoint)
{
    workspace::Findings found;
    for (const workspace::Finding& finding : editor_.findings())
        if (finding.subject.endpoint == endpoint.spec.name)
            found.push_back(finding);
    if (found == shown_)
        return;
    shown_ = std::move(found);
    while (QLayoutItem* item = list_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its button may be the one that was pressed
        delete item;
    }
    for (const workspace::Finding& finding : shown_)
        list_->addWidget(makeCard(finding));
    setVisible(!shown_.empty());
}

} // namespace sg::ui
