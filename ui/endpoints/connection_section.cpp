// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/connection_section.h"

#include "ui/edit/choice_field.h"
#include "ui/edit/text_fields.h"
#include "ui/endpoints/endpoint_words.h"
#include "ui/format/format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace sg::ui {

namespace {

namespace words = endpointwords;

/// Another provider: what was the usual one's becomes the other's usual, what was written by hand stays.
void changeProvider(workspace::Endpoint& endpoint, const provider::ProviderProfile& from,
                    const provider::ProviderProfile& to)
{
    using workspace::KeySource;
    endpoint.provider = to.id;
    if (endpoint.baseUrl.trimmed() == from.baseUrl)
        endpoint.baseUrl.clear();
    const QString name = QString::fromStdString(endpoint.spec.name);
    if (endpoint.key.source != KeySource::None &&
        endpoint.key.name == words::usualKeyName(endpoint.key.source, from, name))
        endpoint.key.name = words::usualKeyName(endpoint.key.source, to, name);
    if (endpoint.spec.capabilities.jsonMode == from.quirks.jsonMode)
        endpoint.spec.capabilities.jsonMode = to.quirks.jsonMode;
}

/// Names of models that are known here: what the provider listed, what its other endpoints use.
QStringList modelsFor(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint,
                      const std::optional<engine::ConnectionResult>& tested)
{
    QStringList models = tested ? tested->models : QStringList();
    for (const workspace::Endpoint& each : workspace.endpoints)
        if (each.provider == endpoint.provider && !each.model.isEmpty() && !models.contains(each.model))
            models << each.model;
    models.sort(Qt::CaseInsensitive);
    return models;
}

} // namespace

ConnectionSection::ConnectionSection(ThemeContext& context, EndpointEditor& editor, ConnectionTests& tests)
    : FormSection(context, editor, tr("Connection"))
    , tests_(tests)
{
    makeName();
    makeProvider();
    makeTest();
}

void ConnectionSection::makeName()
{
    name_ = new TextLine(tr("Name"));
    name_->setObjectName(QStringLiteral("name"));
    name_->setFixedHeight(26);
    name_->setMaxLength(200);
    rows().addRow({{tr("Name"), name_}});
    // A name is taken when the field is left: half of it might be another endpoint's.
    connect(name_, &QLineEdit::textEdited, this, &ConnectionSection::checkName);
    connect(name_, &QLineEdit::editingFinished, this, &ConnectionSection::leaveName);
}

void ConnectionSection::makeProvider()
{
    provider_ = new ChoiceField(tr("Provider"));
    provider_->setObjectName(QStringLiteral("provider"));
    provider_->setMaxVisibleItems(14);
    rows().addRow({{tr("Provider"), provider_}});
    connect(provider_, &QComboBox::activated, this, [this] { chooseProvider(provider_->chosen()); });
    makeAddress();
    model_ = addNames({tr("Model"), QStringLiteral("model"), [](const Endpoint& e) { return e.model; },
                       [](Endpoint& e, const QString& text) { e.model = text.trimmed(); },
                       [this](const QString& text) -> Verdict {
                           if (words::holdsKey(text))
                               return {tr("This looks like a key. It belongs into the field for the key."), true};
                           // An endpoint that was only just made has no mistakes yet.
                           const bool isFresh = !model_ || !model_->lineEdit()->isModified();
                           return {text.trimmed().isEmpty() && !isFresh ? tr("Name the model.") : QString(), false};
                       }});
    model_->lineEdit()->setPlaceholderText(tr("name of the model"));
}

void ConnectionSection::makeAddress()
{
    address_ = addText(
        {tr("Base URL"), QStringLiteral("baseUrl"), [](const Endpoint& e) { return e.baseUrl; },
         [](Endpoint& e, const QString& text) { e.baseUrl = text.trimmed(); },
         [this](const QString& text) -> Verdict {
             const Endpoint* endpoint = editor_.selected();
             if (!endpoint)
                 return {};
             return {words::addressProblem(text, editor_.workspace().profileOf(*endpoint)), words::holdsKey(text)};
         }},
        true);
    usual_ = new QPushButton;
    usual_->setObjectName(QStringLiteral("usualAddress"));
    rows().addWide(usual_);
    connect(usual_, &QPushButton::clicked, this, [this] {
        editor_.edit(tr("Usual address of the provider"), {}, [](Endpoint& e) { e.baseUrl.clear(); });
        address_->setFocus(Qt::OtherFocusReason);
    });
}

void ConnectionSection::makeTest()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    test_ = new QPushButton(tr("Test connection"));
    test_->setObjectName(QStringLiteral("testConnection"));
    test_->setToolTip(tr("Asks for the list of models: costs no tokens (Ctrl+T)"));
    cancel_ = new QPushButton(tr("Cancel"));
    cancel_->setObjectName(QStringLiteral("cancelTest"));
    cancel_->setAccessibleName(tr("Cancel the test of the connection"));
    cancel_->hide();
    layout->addWidget(test_);
    layout->addWidget(cancel_);
    layout->addStretch(1);
    rows().addWide(row);
    result_ = addNote();
    result_->setObjectName(QStringLiteral("testResult"));
    connect(test_, &QPushButton::clicked, this, [this] { tests_.start(editor_.selectedName()); });
    connect(cancel_, &QPushButton::clicked, this, [this] {
        test_->setFocus(Qt::OtherFocusReason); // the button that has the focus is about to go
        tests_.cancel();
    });
    slow_.setInterval(1000);
    connect(&slow_, &QTimer::timeout, this, [this] {
        if (const workspace::Endpoint* endpoint = editor_.selected())
            showTest(*endpoint);
    });
}

void ConnectionSection::focusName()
{
    name_->setFocus(Qt::ShortcutFocusReason);
    name_->selectAll();
}

void ConnectionSection::checkName(const QString& name)
{
    rows().setProblem(name_, editor_.nameProblem(name));
}

void ConnectionSection::leaveName()
{
    if (!editor_.nameProblem(name_->text()).isEmpty() || words::holdsKey(name_->text()))
        name_->setText(QString::fromStdString(editor_.selectedName()));
    else
        editor_.rename(name_->text());
    checkName(name_->text());
}

void ConnectionSection::chooseProvider(const QString& id)
{
    const workspace::Endpoint* endpoint = editor_.selected();
    const auto* to = editor_.workspace().catalogue.find(id.toStdString());
    if (!endpoint || !to || endpoint->provider == id)
        return;
    const provider::ProviderProfile from = editor_.workspace().profileOf(*endpoint);
    editor_.edit(undoWords(tr("Provider")), QStringLiteral("provider"),
                 [&, target = *to](workspace::Endpoint& e) { changeProvider(e, from, target); });
}

void ConnectionSection::showProvider(const workspace::Endpoint& endpoint)
{
    std::vector<std::pair<QString, QString>> known;
    for (const provider::ProviderProfile& each : editor_.workspace().catalogue.all())
        known.emplace_back(words::providerTitle(editor_.workspace(), each.id), each.id);
    provider_->setItems(known, endpoint.provider);
    const provider::ProviderProfile profile = editor_.workspace().profileOf(endpoint);
    address_->setPlaceholderText(profile.baseUrl.isEmpty() ? tr("https://host/v1") : profile.baseUrl);
    const bool hasOther = !profile.baseUrl.isEmpty() && !endpoint.baseUrl.trimmed().isEmpty() &&
                          endpoint.baseUrl.trimmed() != profile.baseUrl;
    usual_->setText(tr("Use the usual address of %1").arg(profile.title));
    usual_->setToolTip(format::plainTip(profile.baseUrl));
    if (!hasOther && usual_->hasFocus())
        address_->setFocus(Qt::OtherFocusReason);
    usual_->setVisible(hasOther);
}

void ConnectionSection::showModels(const workspace::Endpoint& endpoint)
{
    setItems(model_, modelsFor(editor_.workspace(), endpoint, tests_.resultOf(endpoint)));
}

void ConnectionSection::showTest(const workspace::Endpoint& endpoint)
{
    const bool isRunning = tests_.isRunning(endpoint.spec.name);
    if (isRunning && !slow_.isActive()) {
        since_.start();
        slow_.start();
    }
    if (!isRunning)
        slow_.stop();
    const qint64 passed = isRunning ? since_.elapsed() : 0;
    cancel_->setVisible(isRunning && passed >= 900);
    test_->setText(isRunning ? tr("Testing…") : tr("Test connection"));
    const auto result = tests_.resultOf(endpoint);
    const QString running =
        cancel_->isVisibleTo(this) ? tr("Waiting for an answer, %1.").arg(format::duration(passed)) : QString();
    setNote(result_, isRunning ? running : result ? words::testWords(*result) : QString());
    const bool isBad = !isRunning && result && words::testTone(*result) == words::Tone::Bad;
    const QString role = isBad ? QStringLiteral("error") : QStringLiteral("caption");
    if (result_->property("role").toString() != role) {
        result_->setProperty("role", role);
        result_->style()->unpolish(result_);
        result_->style()->polish(result_);
    }
}

void ConnectionSection::showEndpoint(const workspace::Endpoint& endpoint)
{
    if (shown_ != endpoint.spec.name) {
        slow_.stop();
        model_->lineEdit()->setModified(false);
        shown_ = endpoint.spec.name;
        name_->setText(QString::fromStdString(shown_));
        checkName(name_->text());
    }
    showProvider(endpoint);
    FormSection::showEndpoint(endpoint);
    showModels(endpoint);
    showTest(endpoint);
}

} // namespace sg::ui
