// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/key_section.h"

#include "core/engine/key_home.h"
#include "core/secrets/secret_store.h"
#include "ui/edit/choice_field.h"
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

namespace words = endpointwords;
using secrets::KeyState;
using workspace::KeySource;

QString placeWord(KeySource source)
{
    switch (source) {
    case KeySource::Environment:
        return KeySection::tr("in the environment");
    case KeySource::Keychain:
        return KeySection::tr("in the keychain");
    case KeySource::Session:
        return KeySection::tr("for this run");
    case KeySource::None:
        break;
    }
    return {};
}

} // namespace

KeySection::KeySection(ThemeContext& context, EndpointEditor& editor, Of of)
    : FormSection(context, editor, of == Of::Endpoint ? tr("Key") : tr("Password of the proxy"))
    , of_(of)
{
    makeWhere();
    makeEntry();
    makeState();
    // Marks are painted in the theme's colours.
    connect(&context, &ThemeContext::changed, this, [this] {
        if (const workspace::Endpoint* endpoint = editor_.selected())
            showState(*endpoint);
    });
}

void KeySection::makeWhere()
{
    const QString caption = of_ == Of::Endpoint ? tr("Where it is") : tr("Where the password is");
    where_ = new ChoiceField(caption);
    where_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("keyWhere") : QStringLiteral("proxyKeyWhere"));
    where_->setPlaceholderText(tr("Choose…"));
    where_->addItem(of_ == Of::Endpoint ? tr("None, on purpose") : tr("It asks for none"),
                    static_cast<int>(KeySource::None));
    where_->addItem(tr("Environment"), static_cast<int>(KeySource::Environment));
    where_->addItem(tr("Keychain"), static_cast<int>(KeySource::Keychain));
    where_->addItem(tr("This run only"), static_cast<int>(KeySource::Session));
    name_ = new TextLine(tr("Its name"));
    name_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("keyName") : QStringLiteral("proxyKeyName"));
    name_->setFixedHeight(26);
    setMono(name_);
    rows().addRow({{caption, where_}, {tr("Its name"), name_}});
    connect(where_, &QComboBox::activated, this,
            [this](int index) { choose(static_cast<KeySource>(where_->itemData(index).toInt())); });
    // Taken when the field is left, and not a letter earlier: somebody may paste the key itself here.
    connect(name_, &QLineEdit::textEdited, this,
            [this](const QString& text) { rows().setProblem(name_, nameProblem(text)); });
    connect(name_, &QLineEdit::editingFinished, this, &KeySection::leaveName);
}

void KeySection::makeEntry()
{
    const QString caption = of_ == Of::Endpoint ? tr("New key") : tr("User:password");
    entry_ = new QLineEdit;
    entry_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("keyEntry") : QStringLiteral("proxyKeyEntry"));
    entry_->setAccessibleName(caption);
    entry_->setFixedHeight(26);
    entry_->setEchoMode(QLineEdit::Password);
    entry_->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
    store_ = new QPushButton(tr("Store"));
    store_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("storeKey") : QStringLiteral("storeProxyKey"));
    store_->setFixedHeight(26);
    rows().addRow({{caption, entry_, 3}, {QString(), store_}});
    prefixes_ = addNote();
    connect(entry_, &QLineEdit::textEdited, this, [this] {
        failures_.erase(shown_);
        checkEntry();
    });
    connect(entry_, &QLineEdit::returnPressed, this, &KeySection::store);
    connect(store_, &QPushButton::clicked, this, &KeySection::store);
}

void KeySection::makeState()
{
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    mark_ = new QLabel;
    mark_->setFixedSize(14, 16);
    state_ = new QLabel;
    state_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("keyState") : QStringLiteral("proxyKeyState"));
    state_->setProperty("role", QStringLiteral("secondary"));
    state_->setTextFormat(Qt::PlainText);
    state_->setWordWrap(true);
    row->addWidget(mark_, 0, Qt::AlignTop);
    row->addWidget(state_, 1);
    rows().addWide(line);
    remedy_ = addNote();
    auto* buttons = new QWidget;
    auto* buttonRow = new QHBoxLayout(buttons);
    buttonRow->setContentsMargins(0, 0, 0, 0);
    buttonRow->setSpacing(8);
    first_ = new QPushButton;
    second_ = new QPushButton;
    first_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("keyFirst") : QStringLiteral("proxyKeyFirst"));
    second_->setObjectName(of_ == Of::Endpoint ? QStringLiteral("keySecond") : QStringLiteral("proxyKeySecond"));
    buttonRow->addWidget(first_);
    buttonRow->addWidget(second_);
    buttonRow->addStretch(1);
    rows().addWide(buttons);
    connect(first_, &QPushButton::clicked, this, [this] {
        if (!offers_.empty())
            run(offers_[0].action);
    });
    connect(second_, &QPushButton::clicked, this, [this] {
        if (offers_.size() > 1)
            run(offers_[1].action);
    });
}

const workspace::KeyRef& KeySection::refOf(const workspace::Endpoint& endpoint) const
{
    return of_ == Of::Endpoint ? endpoint.key : endpoint.proxyKey;
}

void KeySection::editRef(const QString& words, const std::function<void(workspace::KeyRef&)>& change)
{
    editor_.edit(words, {}, [&](workspace::Endpoint& endpoint) {
        change(of_ == Of::Endpoint ? endpoint.key : endpoint.proxyKey);
    });
}

void KeySection::choose(KeySource source)
{
    const workspace::Endpoint* endpoint = editor_.selected();
    if (!endpoint)
        return;
    const QString own = QString::fromStdString(endpoint->spec.name);
    const QString usual = of_ == Of::Endpoint
                              ? words::usualKeyName(source, editor_.workspace().profileOf(*endpoint), own)
                          : source == KeySource::None        ? QString()
                          : source == KeySource::Environment ? QStringLiteral("PROXY_LOGIN")
                                                             : QStringLiteral("proxy");
    const bool bothAreEntries =
        source != KeySource::None && source != KeySource::Environment &&
        (refOf(*endpoint).source == KeySource::Keychain || refOf(*endpoint).source == KeySource::Session);
    failures_.erase(shown_);
    asksForget_ = false;
    entry_->setText({});
    editRef(undoWords(tr("Place of the key")), [&](workspace::KeyRef& key) {
        if (source != key.source && !bothAreEntries)
            key.name = usual;
        key.source = source;
        key.saysNone = source == KeySource::None && of_ == Of::Endpoint;
    });
}

QString KeySection::nameProblem(const QString& name) const
{
    const workspace::Endpoint* endpoint = editor_.selected();
    const QString text = name.trimmed();
    if (!endpoint || refOf(*endpoint).source == KeySource::None)
        return {};
    // A key of the provider's own is none for a relay, but it is no name either.
    const QStringList prefixes = editor_.workspace().profileOf(*endpoint).keyPrefixes;
    const bool beginsAsKeys =
        std::any_of(prefixes.begin(), prefixes.end(), [&](const QString& prefix) { return text.startsWith(prefix); });
    if (words::holdsKey(text) || beginsAsKeys)
        return tr("This looks like a key, not like a name. A file never holds a key.");
    if (text.isEmpty())
        return tr("Say what it is called there.");
    static const QRegularExpression variable(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    if (refOf(*endpoint).source == KeySource::Environment && !variable.match(text).hasMatch())
        return tr("Names of variables have letters, digits and _ only.");
    return {};
}

void KeySection::leaveName()
{
    const workspace::Endpoint* endpoint = editor_.selected();
    if (!endpoint)
        return;
    const QString name = name_->text().trimmed();
    if (nameProblem(name).isEmpty() && name != refOf(*endpoint).name)
        editRef(undoWords(tr("Name of the key")), [&](workspace::KeyRef& key) { key.name = name; });
    else
        name_->setText(refOf(*endpoint).name);
    name_->setModified(false);
    rows().setProblem(name_, {});
}

QStringList KeySection::prefixesOf(const workspace::Endpoint* endpoint) const
{
    return endpoint && of_ == Of::Endpoint ? engine::keyPrefixesOf(editor_.workspace(), *endpoint) : QStringList();
}

void KeySection::checkEntry()
{
    const workspace::Endpoint* endpoint = editor_.selected();
    const QString text = QString::fromUtf8(secrets::trimmedKey(entry_->text().toUtf8()));
    const QStringList prefixes = prefixesOf(endpoint);
    QString problem;
    QString odd;
    if (endpoint && !text.isEmpty() && of_ == Of::Endpoint) {
        if (const auto wrong = secrets::checkKey(text))
            problem = wrong->words + QLatin1Char(' ') + wrong->remedy;
        else if (const auto strange = secrets::checkKeyPrefix(text, prefixes))
            odd = strange->words + QLatin1Char(' ') + tr("It can be stored all the same.");
    }
    const bool isStoring = storing_.contains(shown_);
    store_->setEnabled(!text.isEmpty() && problem.isEmpty() && !isStoring);
    store_->setText(isStoring ? tr("Storing…") : tr("Store"));
    if (const auto failure = failures_.find(shown_); failure != failures_.end())
        problem = failure->second.words;
    rows().setProblem(entry_, problem);
    const QString usual =
        prefixes.isEmpty() ? QString() : tr("Keys of this provider begin with %1.").arg(prefixes.join(tr(" or ")));
    setNote(prefixes_, entry_->isHidden() || !problem.isEmpty() ? QString()
                       : !odd.isEmpty()                         ? odd
                       : text.isEmpty()                         ? usual
                                                                : QString());
}

void KeySection::store()
{
    const workspace::Endpoint* endpoint = editor_.selected();
    const QByteArray key = secrets::trimmedKey(entry_->text().toUtf8());
    if (!endpoint || key.isEmpty() || storing_.contains(shown_) || refOf(*endpoint).name.isEmpty())
        return;
    checkEntry();
    if (!store_->isEnabled())
        return;
    const workspace::KeyRef ref = refOf(*endpoint);
    storing_.insert(shown_);
    failures_.erase(shown_);
    entry_->setText({}); // forgets what could be undone in the field, too
    checkEntry();
    const secrets::Secret typed(key);
    editor_.keys().store(engine::homeOf(ref.source), ref.name, typed,
                         [self = QPointer(this), of = shown_, typed](const secrets::WriteResult& result) {
                             if (self)
                                 self->ended(of, result, typed);
                         });
}

void KeySection::ended(const std::string& endpoint, const secrets::WriteResult& result, const secrets::Secret& typed)
{
    storing_.erase(endpoint);
    failures_.erase(endpoint);
    if (!result) {
        failures_[endpoint] = {result.error().words + QLatin1Char(' ') + result.error().remedy, typed};
        if (endpoint == shown_ && entry_->text().isEmpty())
            entry_->setText(QString::fromUtf8(typed.reveal()));
    }
    if (const workspace::Endpoint* selected = editor_.selected())
        showEndpoint(*selected);
}

std::vector<KeySection::Offer> KeySection::offers(const workspace::Endpoint& endpoint,
                                                  const secrets::KeyStatus& status) const
{
    const KeySource source = refOf(endpoint).source;
    const Offer variable{Action::UseVariable, tr("Use a variable instead")};
    const Offer session{Action::UseSession, tr("Only for this run")};
    const Offer keychain{Action::UseKeychain, tr("Keep it in the keychain")};
    const Offer elsewhere = editor_.keys().keychainWorks() ? keychain : session;
    if (asksForget_)
        return {{Action::ReallyForget, tr("Forget it")}, {Action::KeepIt, tr("Keep it")}};
    if (source == KeySource::None)
        return words::isKeyChosen(endpoint, editor_.workspace().profileOf(endpoint)) || of_ == Of::Proxy
                   ? std::vector<Offer>{}
                   : std::vector<Offer>{elsewhere, variable};
    switch (status.state) {
    case KeyState::Locked:
        return {{Action::Read, tr("Unlock")}, variable};
    case KeyState::Absent:
        return {session, variable};
    case KeyState::Denied:
        return {{Action::Read, tr("Ask again")}, variable};
    case KeyState::Missing:
    case KeyState::Malformed:
        if (source == KeySource::Environment)
            return {{Action::Read, tr("Read again")}, elsewhere};
        if (source == KeySource::Keychain)
            return {variable};
        return {elsewhere};
    case KeyState::Ready:
        if (source == KeySource::Environment)
            return {{Action::Read, tr("Read again")}};
        if (source == KeySource::Session && editor_.keys().keychainWorks())
            return {{Action::Forget, tr("Forget key…")}, keychain};
        return {{Action::Forget, tr("Forget key…")}};
    default:
        return {};
    }
}

void KeySection::run(Action action)
{
    const workspace::Endpoint* endpoint = editor_.selected();
    if (!endpoint)
        return;
    const workspace::KeyRef ref = refOf(*endpoint);
    switch (action) {
    case Action::Read:
        return editor_.keys().readAgain();
    case Action::UseVariable:
        return choose(KeySource::Environment);
    case Action::UseKeychain:
        return choose(KeySource::Keychain);
    case Action::UseSession:
        return choose(KeySource::Session);
    case Action::Forget:
    case Action::KeepIt:
        asksForget_ = action == Action::Forget;
        return showState(*endpoint);
    case Action::ReallyForget:
        asksForget_ = false;
        return editor_.keys().remove(engine::homeOf(ref.source), ref.name,
                                     [self = QPointer(this), of = shown_](const secrets::WriteResult& result) {
                                         if (self)
                                             self->ended(of, result);
                                     });
    }
}

QString KeySection::stateWords(const workspace::Endpoint& endpoint, const secrets::KeyStatus& status) const
{
    const workspace::KeyRef& ref = refOf(endpoint);
    const provider::ProviderProfile profile = editor_.workspace().profileOf(endpoint);
    if (asksForget_)
        return tr("Forget the key %1? It is gone from here at once, for every endpoint that uses it, and undo does "
                  "not bring it back.")
            .arg(ref.name);
    if (of_ == Of::Endpoint && !words::isKeyChosen(endpoint, profile))
        return tr("%1 asks for a key, and nobody said yet where it is.").arg(profile.title);
    switch (status.state) {
    case KeyState::NotNeeded:
        return of_ == Of::Proxy ? tr("No password is sent to the proxy.") : tr("Requests are sent without a key.");
    case KeyState::Ready:
        return status.words.isEmpty() ? tr("Ready: %1 %2.").arg(ref.name, placeWord(ref.source)) : status.words;
    case KeyState::Reading:
        return tr("The keychain has not answered yet.");
    case KeyState::Locked:
        return status.words.isEmpty() ? tr("The keychain is locked.") : status.words;
    case KeyState::Absent:
        return status.words.isEmpty() ? tr("There is no keychain here.") : status.words;
    default:
        return status.words.isEmpty() ? words::keyWord(status, true) : status.words;
    }
}

void KeySection::showMark(KeyState state, const QColor& ink)
{
    const double ratio = devicePixelRatioF();
    QPixmap picture(QSize(14, 16) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter p(&picture);
    words::keyMark(p, QPointF(7, 8.5), 12, state, ink);
    p.end();
    mark_->setPixmap(picture);
}

void KeySection::showState(const workspace::Endpoint& endpoint)
{
    if (of_ != Of::Proxy)
        editor_.keys().expect(engine::homeOf(endpoint.key.source), endpoint.key.name,
                              engine::keyPrefixesOf(editor_.workspace(), endpoint));
    const secrets::KeyStatus status = words::statusOf(editor_.keys(), refOf(endpoint));
    const bool isChosen = of_ == Of::Proxy || words::isKeyChosen(endpoint, editor_.workspace().profileOf(endpoint));
    showMark(isChosen ? status.state : KeyState::Missing, inkOf(words::keyTone(status, isChosen), false, context_.c()));
    state_->setText(stateWords(endpoint, status));
    setNote(remedy_, asksForget_ ? QString() : status.remedy);
    offers_ = offers(endpoint, status);
    QPushButton* const buttons[] = {first_, second_};
    for (std::size_t i = 0; i < 2; ++i) {
        const bool isOffered = i < offers_.size();
        if (!isOffered && buttons[i]->hasFocus())
            where_->setFocus(Qt::OtherFocusReason);
        buttons[i]->setText(isOffered ? offers_[i].words : QString());
        buttons[i]->setVisible(isOffered);
    }
    first_->parentWidget()->setVisible(!offers_.empty());
}

void KeySection::showEndpoint(const workspace::Endpoint& endpoint)
{
    FormSection::showEndpoint(endpoint);
    const workspace::KeyRef& ref = refOf(endpoint);
    if (shown_ != endpoint.spec.name) {
        shown_ = endpoint.spec.name;
        asksForget_ = false;
        const auto failure = failures_.find(shown_);
        // What was typed was for another endpoint.
        entry_->setText(failure == failures_.end() ? QString() : QString::fromUtf8(failure->second.typed.reveal()));
    }
    const bool isSaid = ref.source != KeySource::None || ref.saysNone || of_ == Of::Proxy;
    where_->setCurrentIndex(isSaid ? where_->findData(static_cast<int>(ref.source)) : -1);
    const bool isNamed = ref.source != KeySource::None;
    rows().setFieldVisible(name_, isNamed);
    if (!name_->hasFocus() || !name_->isModified())
        name_->setText(ref.name);
    const bool isKept = ref.source == KeySource::Keychain || ref.source == KeySource::Session;
    rows().setFieldVisible(entry_, isKept);
    rows().setFieldVisible(store_, isKept);
    checkEntry();
    showState(endpoint);
}

} // namespace sg::ui
