// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_form.h"

#include "core/workspace/lint.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"
#include "ui/edit/text_fields.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_token.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace sg::ui {

namespace {

constexpr int kFieldHigh = 26;
constexpr std::chrono::milliseconds kLintAfter{150};
constexpr double kDaySeconds = 86400, kMost = 1e6; // as files may say
const QString kPlace = QStringLiteral("gateway"), kToken = QStringLiteral("token");

WordsBox::Words wordsOf(const QStringList& list)
{
    WordsBox::Words words;
    for (const QString& each : list)
        words.push_back(each.toStdString());
    return words;
}

QStringList listOf(const WordsBox::Words& words)
{
    QStringList list;
    for (const std::string& each : words)
        list.append(QString::fromStdString(each));
    return list;
}

/// "gateway.hosts[2]" is about "hosts".
QString fieldOf(const QString& place)
{
    const QString path = place.mid(kPlace.size() + 1);
    const auto end =
        std::find_if(path.begin(), path.end(), [](QChar c) { return c == QLatin1Char('.') || c == QLatin1Char('['); });
    return path.left(end - path.begin());
}

QString sentenceOf(const workspace::Finding& finding)
{
    QString words = finding.problem;
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    for (const QString& more : {finding.why, finding.remedy})
        if (!more.isEmpty())
            words += QStringLiteral(". ") + more;
    return words + QLatin1Char('.');
}

} // namespace

GatewayForm::GatewayForm(ThemeContext& context, Draft& draft, ServingControl& serving, secrets::KeyControl& keys,
                         QWidget* parent)
    : QWidget(parent)
    , draft_(draft)
    , serving_(serving)
    , column_(new QVBoxLayout(this))
    , fields_(
          context,
          [this](const QString& words, const QString& key, const std::function<void(Settings&)>& change) {
              edit(words, key, change);
          },
          [this] { draft_.closeMerge(); })
{
    setAccessibleName(tr("Settings of the gateway"));
    column_->setContentsMargins(12, 4, 12, 12);
    column_->setSpacing(7);
    fixes_ = new QWidget;
    fixRow_ = new QHBoxLayout(fixes_);
    fixRow_->setContentsMargins(0, 0, 0, 0);
    fixRow_->setSpacing(8);
    fixRow_->addStretch(1);
    fixes_->hide();
    column_->addWidget(fixes_);
    makeAddress();
    makeToken(context, keys);
    makeCallers();
    makeStreams();
    makeLimits();
    column_->addStretch(1);
    lint_.setSingleShot(true);
    lint_.setInterval(kLintAfter);
    connect(&lint_, &QTimer::timeout, this, &GatewayForm::lintNow);
    connect(&draft, &Draft::changed, this, [this] {
        follow();
        lintSoon();
    });
    connect(&serving, &ServingControl::factsChanged, this, &GatewayForm::lintSoon);
    connect(&keys, &secrets::KeyControl::changed, this, [this] {
        follow();
        lintSoon();
    });
    follow();
}

void GatewayForm::addNote(const QString& words)
{
    auto* note = wrappedLabel("caption", words);
    rows_->addWide(note);
}

void GatewayForm::makeAddress()
{
    auto* head = new SectionHead(tr("Where it listens"));
    head->hideLine();
    column_->addWidget(head);
    column_->addWidget(rows_ = new FieldRows);
    auto* address = new TextLine(tr("Address to listen on"));
    address->setObjectName(QStringLiteral("address"));
    address->setProperty("mono", true);
    address->setFixedHeight(kFieldHigh);
    connect(address, &QLineEdit::textEdited, this, [this](const QString& text) {
        edit(tr("Address"), QStringLiteral("address"), [&](Settings& s) { s.address = text.trimmed(); });
    });
    connect(address, &TextLine::left, this, [this] { draft_.closeMerge(); });
    shows_.push_back([address](const Settings& s) { address->show(s.address); });
    places_[QStringLiteral("address")] = {address, rows_};
    QuantityField::Rules rules;
    rules.high = 65535;
    rules.isGrouped = false;
    auto* port = fields_.number(
        QStringLiteral("port"), tr("Port"), rules, [](const Settings& s) { return Value(s.port); },
        [](Settings& s, const Value& value) { s.port = static_cast<quint16>(value.value_or(0)); });
    port->setFixedHeight(kFieldHigh);
    port->setProperty("mono", true); // one thing with the address beside it
    places_[QStringLiteral("port")] = {port, rows_};
    rows_->addRow({{tr("Address"), address, 2}, {tr("Port"), port, 1}});
    addNote(
        tr("127.0.0.1 is this machine only; 0.0.0.0 is every network, and needs a token. Port 0 takes a free one."));
}

void GatewayForm::makeToken(ThemeContext& context, secrets::KeyControl& keys)
{
    column_->addWidget(new SectionHead(tr("Token")));
    token_ = new GatewayToken(context, keys);
    column_->addWidget(token_);
    connect(token_, &GatewayToken::edited, this, [this](const QString& words, const workspace::KeyRef& token) {
        edit(words, {}, [&](Settings& s) { s.token = token; });
    });
    shows_.push_back([this](const Settings& s) { token_->showToken(s.token); });
}

WordsBox* GatewayForm::addWords(const QString& key, const QString& caption, const QString& example,
                                QStringList Settings::*list)
{
    auto* box = new WordsBox(caption);
    box->setObjectName(key);
    box->setPlaceholderText(example);
    connect(box, &WordsBox::wordsEdited, this, [this, key, caption, list](const WordsBox::Words& words) {
        edit(caption, key, [&](Settings& s) { s.*list = listOf(words); });
    });
    connect(box, &TextBox::left, this, [this] { draft_.closeMerge(); });
    shows_.push_back([box, list](const Settings& s) { box->showWords(wordsOf(s.*list)); });
    places_[key] = {box, rows_};
    rows_->addRow({{caption, box}});
    return box;
}

void GatewayForm::makeCallers()
{
    column_->addWidget(new SectionHead(tr("Who may call")));
    column_->addWidget(rows_ = new FieldRows);
    addWords(QStringLiteral("hosts"), tr("Names it is called by"), QStringLiteral("desk.local, 10.0.0.4"),
             &Settings::hosts);
    addNote(
        tr("Beside 127.0.0.1 and localhost. A request for another name is refused: a web page could have sent it."));
    addWords(QStringLiteral("origins"), tr("Web pages that may call it"), QStringLiteral("https://desk.example"),
             &Settings::origins);
    addNote(tr("Their origins, as in https://desk.example. Programs that are no browsers need none."));
}

QuantityField* GatewayForm::addSpan(const QString& key, const QString& caption, double low, Nanos Settings::*span)
{
    QuantityField::Rules rules;
    rules.unit = tr("s");
    rules.low = low;
    rules.high = kDaySeconds;
    rules.decimals = 3;
    auto* field = fields_.number(
        key, caption, rules, [span](const Settings& s) { return Value(secondsOf(s.*span)); },
        [span](Settings& s, const Value& value) { s.*span = nanosOf(value.value_or(0)); });
    field->setFixedHeight(kFieldHigh);
    places_[key] = {field, rows_};
    return field;
}

QuantityField* GatewayForm::addCount(const QString& key, const QString& caption, double low, int Settings::*count)
{
    QuantityField::Rules rules;
    rules.low = low;
    rules.high = kMost;
    auto* field = fields_.number(
        key, caption, rules, [count](const Settings& s) { return Value(s.*count); },
        [count](Settings& s, const Value& value) { s.*count = static_cast<int>(value.value_or(0)); });
    field->setFixedHeight(kFieldHigh);
    places_[key] = {field, rows_};
    return field;
}

void GatewayForm::makeStreams()
{
    column_->addWidget(new SectionHead(tr("Streams")));
    column_->addWidget(rows_ = new FieldRows);
    QuantityField::Rules rules;
    rules.unit = tr("s");
    rules.high = kDaySeconds;
    rules.decimals = 3;
    rules.isOptional = true;
    rules.whenEmpty = tr("with the first token");
    auto* begin = fields_.number(
        QStringLiteral("begin_after_ms"), tr("Begin after"), rules,
        [](const Settings& s) { return secondsOf(s.beginAfter); },
        [](Settings& s, const Value& value) { s.beginAfter = nanosOf(value); });
    begin->setFixedHeight(kFieldHigh);
    places_[QStringLiteral("begin_after_ms")] = {begin, rows_};
    auto* keepAlive = addSpan(QStringLiteral("keep_alive_ms"), tr("Comment every"), 0.1, &Settings::keepAlive);
    rows_->addRow({{tr("Begin after"), begin}, {tr("Comment every"), keepAlive}});
    addNote(
        tr("A stream that waits longer is begun and kept alive with comments, so that no client gives up; a failure "
           "is then an event in the stream instead of a status."));
}

void GatewayForm::makeLimits()
{
    column_->addWidget(new SectionHead(tr("Limits")));
    column_->addWidget(rows_ = new FieldRows);
    auto* inFlight = addCount(QStringLiteral("max_in_flight"), tr("In flight at most"), 1, &Settings::maxInFlight);
    auto* queued = addCount(QStringLiteral("max_queued"), tr("Queued at most"), 0, &Settings::maxQueued);
    rows_->addRow({{tr("In flight at most"), inFlight}, {tr("Queued at most"), queued}});
    auto* wait = addSpan(QStringLiteral("max_queue_wait_ms"), tr("Wait in the queue"), 0, &Settings::maxQueueWait);
    auto* drain = addSpan(QStringLiteral("drain_ms"), tr("Time to end when stopped"), 0, &Settings::drain);
    rows_->addRow({{tr("Wait in the queue"), wait}, {tr("Time to end when stopped"), drain}});
    addNote(tr("More than fit in flight and in the queue are refused with 503 and a time to come back."));
}

void GatewayForm::edit(const QString& words, const QString& key, const std::function<void(Settings&)>& change)
{
    draft_.edit(
        tr("%1 of the gateway").arg(words), [&](workspace::Workspace& w) { change(w.gateway); },
        key.isEmpty() ? QString() : QStringLiteral("gateway/") + key);
}

void GatewayForm::follow()
{
    const Settings& now = draft_.workspace().gateway;
    fields_.show(now);
    for (const auto& show : shows_)
        show(now);
}

void GatewayForm::focusField(const QString& name)
{
    if (name == kToken)
        return token_->focus();
    const auto found = places_.find(name.isEmpty() ? QStringLiteral("address") : name);
    if (found == places_.end())
        return;
    QWidget* field = found->second.field;
    for (QWidget* around = parentWidget(); around; around = around->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(around))
            scroll->ensureWidgetVisible(field);
    field->setFocus(Qt::OtherFocusReason);
    if (auto* line = qobject_cast<QLineEdit*>(field))
        line->selectAll();
}

QString GatewayForm::problemOf(const QString& field) const
{
    if (field == kToken)
        return token_->problem();
    const auto found = places_.find(field);
    return found == places_.end() ? QString() : found->second.rows->problemOf(found->second.field);
}

void GatewayForm::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (needsLint_)
        lint_.start();
}

void GatewayForm::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    lint_.stop();
}

void GatewayForm::lintSoon()
{
    needsLint_ = true;
    if (isVisible())
        lint_.start();
}

void GatewayForm::lintNow()
{
    lint_.stop();
    needsLint_ = false;
    workspace::Findings ours;
    for (workspace::Finding& finding : workspace::lint(draft_.workspace(), serving_.lintFacts()))
        if (finding.place == kPlace || finding.place.startsWith(kPlace + QLatin1Char('.')))
            ours.push_back(std::move(finding));
    showFindings(ours);
}

void GatewayForm::showFindings(const workspace::Findings& findings)
{
    std::map<QString, QStringList> said;
    std::vector<workspace::Fix> fixes;
    for (const workspace::Finding& finding : findings) {
        const QString field = fieldOf(finding.place);
        said[places_.contains(field) || field == kToken ? field : QStringLiteral("address")].append(
            sentenceOf(finding));
        if (finding.fix)
            fixes.push_back(*finding.fix);
    }
    for (const auto& [name, place] : places_)
        place.rows->setProblem(place.field, said[name].join(QLatin1Char('\n')));
    token_->setProblem(said[kToken].join(QLatin1Char('\n')));
    showFixes(fixes);
}

void GatewayForm::showFixes(const std::vector<workspace::Fix>& fixes)
{
    while (fixRow_->count() > 1) { // the stretch stays
        QWidget* old = fixRow_->takeAt(0)->widget();
        old->hide();
        old->deleteLater(); // it may be the one that was clicked
    }
    int at = 0;
    for (const workspace::Fix& fix : fixes) {
        auto* button = new QPushButton(fix.label);
        button->setObjectName(QStringLiteral("fix%1").arg(at + 1));
        button->setToolTip(format::plainTip(tr("Mends what is marked below; can be undone")));
        connect(button, &QPushButton::clicked, this, [this, fix] {
            draft_.closeMerge();
            draft_.edit(fix.label, fix.change);
        });
        fixRow_->insertWidget(at++, button);
    }
    fixes_->setVisible(at > 0);
}

} // namespace sg::ui
