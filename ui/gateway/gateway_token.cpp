// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_token.h"

#include "core/engine/key_home.h"
#include "core/secrets/secret_store.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/text_fields.h"
#include "ui/endpoints/endpoint_words.h"
#include "ui/widgets/rows_table.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>

namespace sg::ui {

namespace {

using secrets::KeyState;
using workspace::KeySource;

constexpr int kFieldHigh = 26;

QString usualName(KeySource source)
{
    if (source == KeySource::None)
        return {};
    return source == KeySource::Environment ? QStringLiteral("SWITCHGEAR_TOKEN") : QStringLiteral("switchgear-gateway");
}

} // namespace

GatewayToken::GatewayToken(ThemeContext& context, secrets::KeyControl& keys, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , keys_(keys)
    , rows_(new FieldRows)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(rows_);
    makeWhere();
    makeEntry();
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    mark_ = new QLabel;
    mark_->setFixedSize(14, 16);
    state_ = wrappedLabel("secondary");
    state_->setObjectName(QStringLiteral("tokenState"));
    row->addWidget(mark_, 0, Qt::AlignTop);
    row->addWidget(state_, 1);
    rows_->addWide(line);
    connect(&context, &ThemeContext::changed, this, &GatewayToken::showState);
}

void GatewayToken::makeWhere()
{
    where_ = new ChoiceField(tr("Where the token is"));
    where_->setObjectName(QStringLiteral("tokenWhere"));
    where_->addItem(tr("None"), static_cast<int>(KeySource::None));
    where_->addItem(tr("Environment"), static_cast<int>(KeySource::Environment));
    where_->addItem(tr("Keychain"), static_cast<int>(KeySource::Keychain));
    where_->addItem(tr("This run only"), static_cast<int>(KeySource::Session));
    name_ = new TextLine(tr("The token's name"));
    name_->setObjectName(QStringLiteral("tokenName"));
    name_->setProperty("mono", true);
    name_->setFixedHeight(kFieldHigh);
    rows_->addRow({{tr("Where it is"), where_}, {tr("Its name"), name_}});
    connect(where_, &QComboBox::activated, this,
            [this](int index) { choose(static_cast<KeySource>(where_->itemData(index).toInt())); });
    // Taken when the field is left, and not a letter earlier: somebody may paste the token itself here.
    connect(name_, &QLineEdit::textEdited, this,
            [this](const QString& text) { rows_->setProblem(name_, nameProblem(text)); });
    connect(name_, &QLineEdit::editingFinished, this, &GatewayToken::leaveName);
}

void GatewayToken::makeEntry()
{
    entry_ = new QLineEdit;
    entry_->setObjectName(QStringLiteral("tokenEntry"));
    entry_->setAccessibleName(tr("New token"));
    entry_->setFixedHeight(kFieldHigh);
    entry_->setEchoMode(QLineEdit::Password);
    entry_->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
    store_ = new QPushButton(tr("Store"));
    store_->setObjectName(QStringLiteral("storeToken"));
    store_->setFixedHeight(kFieldHigh);
    rows_->addRow({{tr("New token"), entry_, 3}, {QString(), store_}});
    connect(entry_, &QLineEdit::textEdited, this, [this] {
        refused_.clear();
        checkEntry();
    });
    connect(entry_, &QLineEdit::returnPressed, this, &GatewayToken::store);
    connect(store_, &QPushButton::clicked, this, &GatewayToken::store);
}

void GatewayToken::choose(KeySource source)
{
    if (source == token_.source)
        return;
    Q_EMIT edited(tr("Token"), {source, usualName(source), false});
}

QString GatewayToken::nameProblem(const QString& name) const
{
    const QString text = name.trimmed();
    if (token_.source == KeySource::None)
        return {};
    if (endpointwords::holdsKey(text))
        return tr("This looks like a token, not like a name. A file never holds a token.");
    if (text.isEmpty())
        return tr("Say what it is called there.");
    static const QRegularExpression variable(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    if (token_.source == KeySource::Environment && !variable.match(text).hasMatch())
        return tr("Names of variables have letters, digits and _ only.");
    return {};
}

void GatewayToken::leaveName()
{
    const QString name = name_->text().trimmed();
    const bool isOther = nameProblem(name).isEmpty() && name != token_.name;
    rows_->setProblem(name_, {});
    name_->setText(isOther ? name : token_.name);
    name_->setModified(false);
    if (isOther)
        Q_EMIT edited(tr("Name of the token"), {token_.source, name, false});
}

void GatewayToken::checkEntry()
{
    const QString text = QString::fromUtf8(secrets::trimmedKey(entry_->text().toUtf8()));
    QString problem = refused_;
    if (const auto wrong = text.isEmpty() ? std::nullopt : secrets::checkKey(text))
        problem = wrong->words + QLatin1Char(' ') + wrong->remedy;
    store_->setEnabled(!text.isEmpty() && problem.isEmpty() && !isStoring_);
    store_->setText(isStoring_ ? tr("Storing…") : tr("Store"));
    rows_->setProblem(entry_, problem);
}

void GatewayToken::store()
{
    checkEntry();
    if (!store_->isEnabled() || token_.name.isEmpty())
        return;
    const secrets::Secret typed(secrets::trimmedKey(entry_->text().toUtf8()));
    isStoring_ = true;
    entry_->setText({}); // forgets what could be undone in the field, too
    checkEntry();
    keys_.store(
        engine::homeOf(token_.source), token_.name, typed, [self = QPointer(this)](const secrets::WriteResult& result) {
            if (!self)
                return;
            self->isStoring_ = false;
            self->refused_ = result ? QString() : result.error().words + QLatin1Char(' ') + result.error().remedy;
            self->checkEntry();
            self->showState();
        });
}

void GatewayToken::showToken(const workspace::KeyRef& token)
{
    if (token.source != token_.source || token.name != token_.name) {
        entry_->setText({}); // what was typed was for another place
        refused_.clear();
    }
    token_ = token;
    where_->setCurrentIndex(where_->findData(static_cast<int>(token.source)));
    rows_->setFieldVisible(name_, token.source != KeySource::None);
    if (!name_->hasFocus() || !name_->isModified())
        name_->setText(token.name);
    const bool isKept = token.source == KeySource::Keychain || token.source == KeySource::Session;
    rows_->setFieldVisible(entry_, isKept);
    rows_->setFieldVisible(store_, isKept);
    checkEntry();
    showState();
}

void GatewayToken::showState()
{
    const secrets::KeyStatus status = endpointwords::statusOf(keys_, token_);
    QString words = status.words.isEmpty() ? endpointwords::keyWord(status, true) : status.words;
    if (status.state == KeyState::NotNeeded)
        words = tr("None is asked for: open to this machine only. Breakers cannot be switched through the gateway.");
    else if (status.state == KeyState::Ready && status.words.isEmpty())
        words = tr("Ready. Applications send it as their API key.");
    else if (status.state == KeyState::Reading)
        words = tr("The keychain has not answered yet.");
    if (!status.remedy.isEmpty())
        words += QLatin1Char(' ') + status.remedy;
    state_->setText(words);
    const double ratio = devicePixelRatioF();
    QPixmap picture(QSize(14, 16) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter p(&picture);
    endpointwords::keyMark(p, QPointF(7, 8.5), 12, status.state,
                           inkOf(endpointwords::keyTone(status, true), false, context_.c()));
    p.end();
    mark_->setPixmap(picture);
}

void GatewayToken::setProblem(const QString& words)
{
    rows_->setProblem(where_, words);
}

QString GatewayToken::problem() const
{
    return rows_->problemOf(where_);
}

void GatewayToken::focus()
{
    where_->setFocus(Qt::OtherFocusReason);
}

} // namespace sg::ui
