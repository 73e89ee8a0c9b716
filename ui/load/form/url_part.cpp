// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/url_part.h"

#include "ui/format/format.h"
#include "ui/load/form/form_fields.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>

namespace sg::ui {

using namespace formfields;
using workspace::KeySource;

namespace {

QComboBox* list(const QString& name)
{
    auto* field = new QComboBox;
    field->setFixedHeight(26);
    field->setAccessibleName(name);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(6);
    return field;
}

} // namespace

UrlPart::UrlPart(load::LoadControl& control, QWidget* parent)
    : FormPart(parent)
    , control_(control)
    , address_(line({}, tr("Base URL"), QStringLiteral("http://127.0.0.1:8787/v1")))
    , keyName_(line({}, tr("Name of the key"), {}))
    , model_(list(tr("Model")))
    , keyPlace_(list(tr("Key")))
    , what_(note())
    , tested_(note())
    , test_(new QPushButton(tr("Test")))
{
    address_->setObjectName(QStringLiteral("urlAddress"));
    keyName_->setObjectName(QStringLiteral("urlKeyName"));
    model_->setObjectName(QStringLiteral("urlModel"));
    keyPlace_->setObjectName(QStringLiteral("urlKeyPlace"));
    what_->setObjectName(QStringLiteral("urlWhat"));
    tested_->setObjectName(QStringLiteral("urlTested"));
    test_->setObjectName(QStringLiteral("urlTest"));
    address_->setToolTip(tr("Of any API in OpenAI's form, with its /v1. A key never belongs into it."));
    model_->setEditable(true);
    model_->setInsertPolicy(QComboBox::NoInsert);
    model_->setToolTip(tr("The model to ask for; of a gateway the name of a chain."));
    keyPlace_->addItem(tr("None"), static_cast<int>(KeySource::None));
    keyPlace_->addItem(tr("Environment"), static_cast<int>(KeySource::Environment));
    keyPlace_->addItem(tr("Keychain"), static_cast<int>(KeySource::Keychain));
    keyPlace_->addItem(tr("This run only"), static_cast<int>(KeySource::Session));
    keyName_->setToolTip(tr("What the variable or entry is called, never the key itself. Keys are entered on the "
                            "Endpoints page."));
    test_->setFixedHeight(26);
    test_->setAutoDefault(false);
    test_->setToolTip(tr("Asks for the list of models, which costs nothing."));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(0, 53);
    grid->setColumnStretch(1, 47);
    put(grid, 0, 0, caption(tr("Base URL"), address_), address_, 2);
    put(grid, 1, 0, caption(tr("Model"), model_), model_);
    put(grid, 1, 1, caption(tr("Key"), keyPlace_), keyPlace_);
    grid->addWidget(keyName_, 2, 0, 1, 2);
    grid->addWidget(what_, 3, 0, 1, 2);
    grid->addWidget(tested_, 4, 0);
    grid->addWidget(test_, 4, 1, Qt::AlignTop);
    connect(address_, &QLineEdit::textChanged, this, &UrlPart::onEdited);
    connect(model_, &QComboBox::currentTextChanged, this, &UrlPart::onEdited);
    connect(keyPlace_, &QComboBox::currentIndexChanged, this, &UrlPart::onEdited);
    connect(keyName_, &QLineEdit::editingFinished, this, [this] {
        named_ = keyName_->text().trimmed();
        onEdited();
    });
    connect(test_, &QPushButton::clicked, this, &UrlPart::test);
    reload();
    describe();
}

void UrlPart::reload()
{
    const auto now = control_.gateway();
    if (now == gateway_)
        return;
    const bool wasOwn = address_->text().isEmpty() || isOwn();
    gateway_ = now;
    if (gateway_ && wasOwn) {
        QStringList chains;
        for (const std::string& chain : gateway_->chains)
            chains << QString::fromStdString(chain);
        address_->setText(gateway_->baseUrl);
        offer(chains);
        setKey(gateway_->token);
    }
    onEdited();
}

void UrlPart::setKey(const workspace::KeyRef& key)
{
    named_ = key.name;
    keyName_->setText(key.name);
    keyPlace_->setCurrentIndex(std::max(0, keyPlace_->findData(static_cast<int>(key.source))));
}

void UrlPart::offer(const QStringList& models)
{
    const QString before = model_->currentText();
    const QSignalBlocker quiet(model_);
    model_->clear();
    model_->addItems(models);
    model_->setCurrentText(before.isEmpty() && !models.isEmpty() ? models.first() : before);
}

bool UrlPart::isOwn() const
{
    return gateway_ && load::hostOf(address_->text()) == load::hostOf(gateway_->baseUrl);
}

load::UrlTarget UrlPart::target() const
{
    load::UrlTarget url{address_->text().trimmed(), model_->currentText().trimmed()};
    url.key.source = static_cast<KeySource>(keyPlace_->currentData().toInt());
    if (url.key.source != KeySource::None)
        url.key.name = named_;
    return url;
}

void UrlPart::write(load::LoadPlan& plan) const
{
    load::aimAt(plan, target());
}

void UrlPart::show(const load::LoadPlan& plan)
{
    if (!plan.url)
        return;
    address_->setText(plan.url->baseUrl);
    model_->setCurrentText(plan.url->model);
    setKey(plan.url->key);
}

FormPart::Problem UrlPart::problem() const
{
    if (isOwn() && !gateway_->serves)
        return {address_, tr("Your gateway is off. Turn it on in the top bar, or give another address.")};
    const load::UrlTarget url = target();
    if (!load::checkUrl(url).isEmpty())
        return {}; // checkPlan() says it
    if (const QString words = control_.keyProblem(url.key); !words.isEmpty())
        return {keyName_, words};
    return {};
}

std::vector<FormPart::Mend> UrlPart::mends() const
{
    return {{address_, [](load::LoadPlan& plan) { plan.url->baseUrl = QStringLiteral("http://127.0.0.1:1/v1"); }},
            {model_, [](load::LoadPlan& plan) { plan.url->model = QStringLiteral("m"); }},
            {keyName_, [](load::LoadPlan& plan) { plan.url->key = {}; }}};
}

void UrlPart::onEdited()
{
    ++testNumber_; // it was of another address
    tested_->clear();
    describe();
    Q_EMIT changed();
}

void UrlPart::describe()
{
    const auto place = static_cast<KeySource>(keyPlace_->currentData().toInt());
    keyName_->setVisible(place != KeySource::None);
    keyName_->setPlaceholderText(place == KeySource::Environment ? tr("Name of the variable")
                                                                 : tr("Name of the entry"));
    const load::UrlTarget url = target();
    const bool isThere = load::checkUrl({url.baseUrl, QStringLiteral("m")}).isEmpty();
    test_->setEnabled(load::checkUrl(url).isEmpty());
    if (!isThere)
        what_->clear();
    else if (isOwn())
        what_->setText(tr("Your own gateway: its chains are its models. What it does inside a request (attempts, "
                          "breakers, tiers) is on the Overview, not in the run."));
    else if (load::isOnThisMachine(url.baseUrl))
        what_->setText(tr("A server on this machine. Attempts, breakers and tiers behind it stay unknown, and so does "
                          "its price."));
    else
        what_->setText(tr("A real service: starting asks first. Attempts, breakers and tiers behind it stay unknown, "
                          "and so does its price."));
    what_->setVisible(isThere);
}

void UrlPart::test()
{
    const quint64 number = ++testNumber_;
    tested_->setText(tr("Asking…"));
    control_.test(target(), [self = QPointer(this), number](const engine::ConnectionResult& result) {
        if (self && self->testNumber_ == number)
            self->showTest(result);
    });
}

void UrlPart::showTest(const engine::ConnectionResult& result)
{
    if (!result.models.isEmpty())
        offer(result.models);
    tested_->setText((result.words + QLatin1Char(' ') + result.remedy).trimmed());
    tested_->setTextFormat(Qt::PlainText);
}

} // namespace sg::ui
