// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoint_sections.h"

#include "ui/chains/breaker_form.h"
#include "ui/chains/breaker_words.h"
#include "ui/edit/choice_field.h"
#include "ui/endpoints/endpoint_words.h"
#include "ui/format/format.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <cmath>

namespace sg::ui {

namespace {

namespace words = endpointwords;

QuantityField::Rules rulesOf(const QString& unit, double low, double high, int decimals, double step)
{
    QuantityField::Rules rules;
    rules.unit = unit;
    rules.low = low;
    rules.high = high;
    rules.decimals = decimals;
    rules.step = step;
    return rules;
}

QuantityField::Rules optional(QuantityField::Rules rules, const QString& whenEmpty)
{
    rules.isOptional = true;
    rules.whenEmpty = whenEmpty;
    return rules;
}

QStringList sharedNames(const workspace::Workspace& workspace, std::string chain::EndpointSpec::*member)
{
    QStringList names;
    for (const workspace::Endpoint& each : workspace.endpoints)
        names << QString::fromStdString(each.spec.*member);
    names.removeDuplicates();
    names.sort(Qt::CaseInsensitive);
    return names;
}

/// Empty stands for the endpoint's own name, as in files.
void setShared(workspace::Endpoint& endpoint, std::string chain::EndpointSpec::*member, const QString& text)
{
    const std::string name = text.trimmed().toStdString();
    endpoint.spec.*member = name.empty() ? endpoint.spec.name : name;
}

} // namespace

PriceSection::PriceSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Price"))
{
    auto* in = addRate(tr("Input"), QStringLiteral("priceIn"), &cost::Rates::input);
    auto* out = addRate(tr("Output"), QStringLiteral("priceOut"), &cost::Rates::output);
    auto* cached = addRate(tr("Cached input"), QStringLiteral("priceCached"), &cost::Rates::cachedInput);
    take_ = new QPushButton(tr("Take from price book"));
    take_->setObjectName(QStringLiteral("takePrice"));
    take_->setFixedHeight(26);
    rows().addRow({{tr("Input"), in}, {tr("Output"), out}});
    rows().addRow({{tr("Cached input"), cached}, {QString(), take_}});
    book_ = addNote();
    book_->setObjectName(QStringLiteral("bookWords"));
    connect(take_, &QPushButton::clicked, this, &PriceSection::takeFromBook);
}

QuantityField* PriceSection::addRate(const QString& caption, const QString& key, Rate rate)
{
    QuantityField* number = fields().number(
        key, caption, optional(rulesOf(tr("$ per 1M"), 0, 1e6, 6, 0.05), tr("unknown")),
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
    return number;
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
    auto* window = fields().number(
        QStringLiteral("window"), tr("Context window"),
        optional(rulesOf(tr("tokens"), 1, 1e9, 0, 1024), tr("unknown: never a reason to skip")),
        [](const Endpoint& e) {
            const auto& tokens = e.spec.capabilities.contextWindow;
            return tokens ? Value(static_cast<double>(*tokens)) : std::nullopt;
        },
        [](Endpoint& e, const Value& tokens) {
            e.spec.capabilities.contextWindow =
                tokens ? std::optional<std::int64_t>(std::llround(*tokens)) : std::nullopt;
        });
    rows().addRow({{tr("Context window"), window}});
    auto* flags = new QWidget;
    auto* row = new QHBoxLayout(flags);
    row->setContentsMargins(0, 2, 0, 0);
    row->setSpacing(16);
    const auto flag = [&](const QString& key, const QString& label, bool chain::Capabilities::*member) {
        row->addWidget(fields().check(
            key, label, label, [member](const Endpoint& e) { return e.spec.capabilities.*member; },
            [member](Endpoint& e, bool on) { e.spec.capabilities.*member = on; }));
    };
    flag(QStringLiteral("tools"), tr("Tools"), &chain::Capabilities::tools);
    flag(QStringLiteral("images"), tr("Images"), &chain::Capabilities::images);
    flag(QStringLiteral("jsonMode"), tr("JSON mode"), &chain::Capabilities::jsonMode);
    row->addStretch(1);
    rows().addWide(flags);
}

LimitsSection::LimitsSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Limits"))
{
    auto* requests =
        addPerMinute(tr("Requests"), QStringLiteral("rpm"), 1e9, 10, &chain::EndpointSpec::requestsPerMinute);
    auto* tokens = addPerMinute(tr("Tokens"), QStringLiteral("tpm"), 1e12, 1000, &chain::EndpointSpec::tokensPerMinute);
    rows().addRow({{tr("Requests"), requests}, {tr("Tokens"), tokens}});
    rows().addRow({{tr("In flight at most"), addInFlight()}});
    quota_ = addShared(tr("Quota group"), QStringLiteral("quotaGroup"), &chain::EndpointSpec::quotaGroup);
    quotaNote_ = addNote();
    credential_ = addShared(tr("Credential"), QStringLiteral("credential"), &chain::EndpointSpec::credential);
    credentialNote_ = addNote();
}

QuantityField* LimitsSection::addPerMinute(const QString& caption, const QString& key, double high, double step,
                                           Value chain::EndpointSpec::*member)
{
    Rules rules = optional(rulesOf(tr("per min"), 0, high, 2, step), tr("no limit"));
    rules.lowIncluded = false;
    return fields().number(
        key, caption, rules, [member](const Endpoint& e) { return e.spec.*member; },
        [member](Endpoint& e, const Value& value) { e.spec.*member = value; });
}

QuantityField* LimitsSection::addInFlight()
{
    return fields().number(
        QStringLiteral("inFlight"), tr("In flight at most"),
        optional(rulesOf(tr("requests"), 1, 1e6, 0, 1), tr("no limit")),
        [](const Endpoint& e) {
            return e.spec.maxInFlight ? Value(static_cast<double>(*e.spec.maxInFlight)) : std::nullopt;
        },
        [](Endpoint& e, const Value& value) {
            e.spec.maxInFlight = value ? std::optional(static_cast<int>(*value)) : std::nullopt;
        });
}

ChoiceField* LimitsSection::addShared(const QString& caption, const QString& key,
                                      std::string chain::EndpointSpec::*member)
{
    return addNames({caption, key, [member](const Endpoint& e) { return QString::fromStdString(e.spec.*member); },
                     [member](Endpoint& e, const QString& text) { setShared(e, member, text); },
                     [](const QString& text) -> Verdict {
                         if (words::holdsKey(text))
                             return {tr("This looks like a key. It belongs into the field for the key."), true};
                         return {};
                     }});
}

void LimitsSection::showEndpoint(const Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    setItems(quota_, sharedNames(editor_.workspace(), &chain::EndpointSpec::quotaGroup));
    setItems(credential_, sharedNames(editor_.workspace(), &chain::EndpointSpec::credential));
    setNote(quotaNote_, words::quotaWords(editor_.workspace(), endpoint));
    setNote(credentialNote_, words::credentialWords(editor_.workspace(), endpoint));
}

TimeoutsSection::TimeoutsSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Timeouts"))
{
    auto* connect = addSpan(
        tr("Connect within"), QStringLiteral("connect"), false, [](const Endpoint& e) { return e.timeouts.connect; },
        [](Endpoint& e, std::optional<Nanos> span) { e.timeouts.connect = *span; });
    auto* byte = addSpan(
        tr("First byte within"), QStringLiteral("firstByte"), true,
        [](const Endpoint& e) { return e.timeouts.firstByte; },
        [](Endpoint& e, std::optional<Nanos> span) { e.timeouts.firstByte = span; });
    auto* token = addSpan(
        tr("First token within"), QStringLiteral("firstToken"), true,
        [](const Endpoint& e) { return e.timeouts.tokens.firstToken; },
        [](Endpoint& e, std::optional<Nanos> span) { e.timeouts.tokens.firstToken = span; });
    auto* idle = addSpan(
        tr("Silence at most"), QStringLiteral("idle"), true, [](const Endpoint& e) { return e.timeouts.idle; },
        [](Endpoint& e, std::optional<Nanos> span) { e.timeouts.idle = span; });
    auto* total = addSpan(
        tr("Whole reply within"), QStringLiteral("total"), false, [](const Endpoint& e) { return e.timeouts.total; },
        [](Endpoint& e, std::optional<Nanos> span) { e.timeouts.total = *span; });
    rows().addRow({{tr("Connect within"), connect}, {tr("First byte within"), byte}});
    rows().addRow({{tr("First token within"), token}, {tr("Silence at most"), idle}});
    rows().addRow({{tr("Whole reply within"), total}});
    note_ = addNote();
}

QuantityField* TimeoutsSection::addSpan(const QString& caption, const QString& key, bool isOptional,
                                        std::function<std::optional<Nanos>(const Endpoint&)> read,
                                        std::function<void(Endpoint&, std::optional<Nanos>)> write)
{
    Rules rules = rulesOf(tr("s"), 0, 86400, 3, 1);
    rules.lowIncluded = false;
    return fields().number(
        key, caption, isOptional ? optional(rules, tr("no limit")) : rules,
        [read = std::move(read)](const Endpoint& e) { return secondsOf(read(e)); },
        [write = std::move(write)](Endpoint& e, const Value& seconds) { write(e, nanosOf(seconds)); });
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
    : FormSection(context, editor, {})
    , form_(new BreakerForm(context))
    , rules_(nullptr)
{
    setAccessibleName(tr("Breaker"));
    rows().addWide(form_);
    rules_ = addNote();
    rules_->setObjectName(QStringLiteral("breakerWords"));
    connect(form_, &BreakerForm::edited, this, [this](const QString& words, const QString& field) {
        const QString key = field.isEmpty() ? QString() : QStringLiteral("breaker/") + field;
        editor_.edit(undoWords(words), key, [this](Endpoint& e) {
            e.spec.breaker = form_->breaker();
            e.breakerPolicy = form_->policy();
        });
    });
    connect(form_, &BreakerForm::left, &editor_, &EndpointEditor::closeMerge);
}

void BreakerSection::showEndpoint(const Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    form_->setBreaker(endpoint.spec.breaker, endpoint.breakerPolicy, editor_.workspace().policies);
    setNote(rules_, breakerwords::rules(endpoint.spec.breaker));
}

NetworkSection::NetworkSection(ThemeContext& context, EndpointEditor& editor)
    : FormSection(context, editor, tr("Network"))
{
    askCaFile = [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Private certificate authorities"), {},
                                            tr("Certificates (*.pem *.crt *.cer);;All files (*)"));
    };
    QLineEdit* proxy = addText({tr("Proxy"), QStringLiteral("proxy"), [](const Endpoint& e) { return e.proxy; },
                                [](Endpoint& e, const QString& text) { e.proxy = text.trimmed(); },
                                [](const QString& text) -> Verdict {
                                    return {words::proxyProblem(text), words::holdsKey(text)};
                                }},
                               true);
    proxy->setPlaceholderText(tr("none"));
    QLineEdit* file = addText(
        {tr("Private CA file (PEM)"), QStringLiteral("caFile"), [](const Endpoint& e) { return e.caFile; },
         [](Endpoint& e, const QString& text) { e.caFile = text.trimmed(); },
         [](const QString& text) -> Verdict {
             const QString path = text.trimmed();
             return {path.isEmpty() || QFileInfo(path).isFile() ? QString() : tr("There is no such file."), false};
         }},
        true);
    file->setPlaceholderText(tr("only the system's"));
    auto* choose = new QPushButton(tr("Choose file…"));
    choose->setObjectName(QStringLiteral("chooseCaFile"));
    rows().addWide(choose);
    connect(choose, &QPushButton::clicked, this, &NetworkSection::chooseCaFile);
    makeVersion();
}

void NetworkSection::makeVersion()
{
    using workspace::HttpVersion;
    version_ = new ChoiceField(tr("HTTP version"));
    version_->setObjectName(QStringLiteral("httpVersion"));
    version_->addItem(tr("1.1"), static_cast<int>(HttpVersion::Http1));
    version_->addItem(tr("2 where the server offers it"), static_cast<int>(HttpVersion::Automatic));
    version_->addItem(tr("2 always, also without TLS"), static_cast<int>(HttpVersion::Http2));
    rows().addRow({{tr("HTTP version"), version_}});
    versionNote_ = addNote();
    connect(version_, &QComboBox::activated, this, [this](int index) {
        const auto version = static_cast<HttpVersion>(version_->itemData(index).toInt());
        editor_.edit(undoWords(tr("HTTP version")), {}, [version](Endpoint& e) { e.httpVersion = version; });
    });
}

void NetworkSection::showEndpoint(const Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    version_->setCurrentIndex(std::max(0, version_->findData(static_cast<int>(endpoint.httpVersion))));
    setNote(versionNote_, endpoint.httpVersion == workspace::HttpVersion::Http1
                              ? QString()
                              : tr("Spoken by libcurl only, which the automatic transport therefore takes for this "
                                   "endpoint; where Settings say Qt, it stays 1.1."));
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
    rows().addWide(body);
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
