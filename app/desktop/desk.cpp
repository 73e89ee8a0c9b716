// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desk.h"
#include "app/session/series_benches.h"

#include "core/engine/key_home.h"
#include "core/workspace/compare.h"
#include "ui/chains/chains_page.h"
#include "ui/endpoints/endpoints_page.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_page.h"
#include "ui/load/history/room_settings.h"
#include "ui/load/load_page.h"
#include "ui/overview/overview_page.h"
#include "ui/playground/playground_page.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QDateTime>
#include <QEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QShortcut>
#include <QStatusBar>

#include <system_error>
#include <thread>

namespace sg::app {

namespace {

constexpr std::chrono::seconds kAutosaveAfter{2};
constexpr int kSaidForMs = 5000;

/// Of a workspace among all that were ever opened: an environment of a file is one by itself.
QString nameOf(const Session& session)
{
    const QString file =
        session.file().startsWith(QLatin1Char(':')) ? session.file() : QFileInfo(session.file()).absoluteFilePath();
    return QStringLiteral("%1 (%2)").arg(file, session.workspace().environment);
}

} // namespace

QString bannerText(const QStringList& lines)
{
    constexpr qsizetype kMost = 3;
    QStringList shown = lines.mid(0, kMost);
    if (lines.size() > kMost)
        shown.append(QObject::tr("… and %n more", nullptr, static_cast<int>(lines.size() - kMost)));
    return shown.join(QLatin1Char('\n'));
}

Retirement::~Retirement()
{
    for (std::thread& thread : threads_)
        thread.join();
}

void Retirement::end(const std::function<void()>& ending)
{
    try {
        threads_.emplace_back(ending);
    } catch (const std::system_error&) { // the process has as many as it may
        ending();
    }
}

void Retirement::take(Session* session)
{
    session->leaveThread();
    end([session] { delete session; });
}

void Retirement::take(history::RunStore* runs)
{
    runs->leaveThread();
    end([runs] { delete runs; });
}

void Retirement::take(load::SeriesSession* series)
{
    end([series] { delete series; });
}

namespace {

template <typename T>
Retiring<T> retiring(T* owned, const std::shared_ptr<Retirement>& home)
{
    return Retiring<T>(owned, [home](T* left) { home->take(left); });
}

} // namespace

Desk::Desk(std::unique_ptr<Session> opened, const std::shared_ptr<Retirement>& retirement, const QString& dataFolder,
           ui::Preferences* preferences, const MakeGateway& makeGateway)
    : session_(retiring(opened.release(), retirement))
    , source_(session_->engine())
    , watcher_(session_->engine())
    , loads_(session_->engine(), session_->workspace(), session_->prices())
    , series_(retiring(new load::SeriesSession(benchesOf(*session_, {}), session_->workspace(), session_->prices()),
                       retirement))
    , history_(retiring(new history::RunStore(dataFolder + QStringLiteral("/runs")), retirement))
    , tester_(session_->engine(), session_->keyLookup())
    , gateway_(makeGateway(*session_), nameOf(*session_), session_->workspace().gateway, preferences)
    , serving_(*session_, dataFolder)
    , draft_(serving_.serving())
    , window_(source_, {{}, QApplication::applicationVersion(), true, preferences})
    , exchange_(draft_, window_.theme(), window_)
{
    loads_.setKeys(session_->keyLookup(), [this](const workspace::KeyRef& ref) {
        session_->keys().status(engine::homeOf(ref.source), ref.name);
    });
    if (preferences)
        useTransport(preferences->transport());
    loads_.keepRequestsIn(dataFolder + QStringLiteral("/runs"));
    series_->keepRequestsIn(dataFolder + QStringLiteral("/runs"));
    serving_.judged = [this] { return draft_.pointer(); };
    findDraft();
    addPages(preferences);
    wire();
    wireGateway();
    window_.installEventFilter(this);
    window_.topBar().setEnvironments(serving_.environments(), serving_.environment());
    if (!preferences || preferences->windowPlace().isEmpty())
        window_.resize(1440, 900);
    session_->readKeychain([this] {
        tellProblems();
        connect(&session_->keys(), &secrets::KeyControl::changed, this, &Desk::tellProblems);
    });
    offerDraft();
    gateway_.startIfItWasOn();
}

Desk::~Desk()
{
    if (autosave_.isActive())
        (void)keepDraft();
}

void Desk::addPages(ui::Preferences* preferences)
{
    const auto add = [this](auto page) {
        auto* added = page.get();
        window_.addPage(std::move(page));
        return added;
    };
    overview_ = add(std::make_unique<ui::OverviewPage>(window_.theme(), session_->engine(), &window_));
    chains_ = add(std::make_unique<ui::ChainsPage>(window_.theme(), draft_, serving_, preferences));
    playground_ = add(std::make_unique<ui::PlaygroundPage>(window_.theme(), watcher_, preferences));
    playground_->setPrices(std::make_shared<const cost::PriceBook>(session_->prices()));
    load_ = add(std::make_unique<ui::LoadPage>(window_.theme(), loads_, history_.get()));
    load_->offerSeries(*series_);
    endpoints_ = add(std::make_unique<ui::EndpointsPage>(window_.theme(), draft_, serving_, session_->keys(), tester_));
    endpoints_->offerApply(chains_->flow());
    gatewayPage_ =
        add(std::make_unique<ui::GatewayPage>(window_.theme(), draft_, serving_, session_->keys(), window_.gateway()));
    gatewayPage_->offerApply(chains_->flow());
    window_.addSettings(new ui::RoomSettings(window_.theme(), *history_));
}

void Desk::wire()
{
    connect(&session_->events(), &SessionEvents::served, this,
            [this] { series_->setBench(benchesOf(*session_, seriesEngine_)); });
    connect(overview_, &ui::OverviewPage::simulatorRequested, this, &Desk::simulatorRequested);
    connect(overview_, &ui::OverviewPage::addEndpointRequested, this, &Desk::addEndpoint);
    connect(playground_, &ui::PlaygroundPage::simulatorRequested, this, &Desk::simulatorRequested);
    connect(playground_, &ui::PlaygroundPage::addEndpointRequested, this, &Desk::addEndpoint);
    connect(chains_, &ui::ChainsPage::endpointWanted, this, [this](const QString& name) {
        window_.showPage(endpoints_->id());
        endpoints_->showEndpoint(name.toStdString());
    });
    connect(chains_, &ui::ChainsPage::presetRequested, &exchange_, &Exchange::askForPreset);
    connect(chains_, &ui::ChainsPage::importRequested, &exchange_, &Exchange::askForFile);
    connect(chains_, &ui::ChainsPage::exportRequested, &exchange_, &Exchange::askWhereTo);
    connect(endpoints_, &ui::EndpointsPage::importRequested, &exchange_, &Exchange::askForFile);
    connect(&exchange_, &Exchange::refused, this, [this](const QString& words) { window_.banner().say(words); });
    connect(&exchange_, &Exchange::arrived, this, [this](const QString& chain) {
        window_.showPage(chain.isEmpty() ? endpoints_->id() : chains_->id());
        if (!chain.isEmpty())
            chains_->editor().showChain(chain.toStdString());
    });
    connect(&window_, &ui::MainWindow::transportChosen, this, &Desk::useTransport);
    connect(&window_.topBar(), &ui::TopBar::environmentSelected, this, &Desk::environmentRequested);
    connect(&serving_, &ui::ServingControl::servingChanged, this, &Desk::follow);
    connect(&serving_, &DesktopServing::otherOnDisk, this, &Desk::tellOtherOnDisk);
    autosave_.setSingleShot(true);
    autosave_.setInterval(kAutosaveAfter);
    connect(&autosave_, &QTimer::timeout, this, &Desk::autosave);
    connect(&draft_, &ui::Draft::changed, &autosave_, qOverload<>(&QTimer::start));
    const auto* save = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_S), &window_);
    connect(save, &QShortcut::activated, this, &Desk::saveNow);
}

void Desk::useTransport(http::TransportKind kind)
{
    session_->engine().post([kind](engine::EngineCore& core) { core.setTransport(kind); });
    seriesEngine_.transport = kind;
    series_->setBench(benchesOf(*session_, seriesEngine_));
}

void Desk::wireGateway()
{
    describeGateway();
    window_.setGateway(&gateway_.control());
    overview_->offerGateway(window_.gateway());
    // Of the page: the window goes before the gateway does.
    connect(&gateway_.control(), &gateway::Control::changed, load_, [this] { describeGateway(); });
    connect(&session_->keys(), &secrets::KeyControl::changed, load_, &ui::LoadPage::reloadTargets);
    connect(overview_, &ui::OverviewPage::gatewayRequested, &window_, &ui::MainWindow::openGateway);
    connect(&window_, &ui::MainWindow::gatewaySettingsRequested, this, [this](const QString& field) {
        window_.showPage(gatewayPage_->id());
        gatewayPage_->showField(field);
    });
}

void Desk::describeGateway()
{
    const workspace::Workspace& serves = session_->workspace();
    QStringList chains;
    for (const workspace::Chain& chain : serves.chains)
        chains.append(QString::fromStdString(chain.spec.name));
    window_.gateway().setChains(chains);
    const workspace::KeyRef& token = serves.gateway.token;
    const gateway::Status status = gateway_.control().status();
    load::OwnGateway own{status.url, loads_.chains(), status.hasToken ? token : workspace::KeyRef(),
                         status.phase == gateway::Phase::Serving};
    loads_.setGateway(std::move(own));
    load_->reloadTargets();
    window_.gateway().setTokenVariable(token.source == workspace::KeySource::Environment ? token.name : QString());
}

void Desk::follow()
{
    loads_.setWorkspace(session_->workspace());
    describeGateway();
    gateway_.settingsApplied(session_->workspace().gateway);
    series_->setWorkspace(session_->workspace());
    playground_->reloadTargets();
    autosave();
}

tl::expected<void, QString> Desk::keepDraft()
{
    autosave_.stop();
    const bool isOfferThere = offered_ && !isOfferedAside_; // not this one's to drop or to write over
    if (!hasUnappliedDraft()) {
        if (!isOfferThere)
            serving_.dropDraft();
        return {};
    }
    if (isOfferThere) {
        serving_.putDraftAside();
        isOfferedAside_ = true;
    }
    return serving_.saveDraft(draft_.workspace());
}

void Desk::saveNow()
{
    const auto kept = keepDraft();
    if (!kept)
        return sayNotKept(kept.error());
    isNotKeptTold_ = false;
    const QString at = ui::format::clock(QDateTime::currentMSecsSinceEpoch());
    window_.statusBar()->showMessage(!hasUnappliedDraft() ? tr("Nothing to save: what is here serves")
                                     : serving_.file().isEmpty()
                                         ? tr("Draft kept until the program ends; “Save as” gives it a file")
                                         : tr("Draft saved %1").arg(at),
                                     kSaidForMs);
}

void Desk::autosave()
{
    const auto kept = keepDraft();
    if (!kept && !isNotKeptTold_) // once is enough: it is tried again after every edit
        sayNotKept(kept.error());
    isNotKeptTold_ = !kept;
}

void Desk::sayNotKept(const QString& why)
{
    window_.banner().say(
        tr("The draft was not saved: %1 Mend that, then press Ctrl S; it stays here meanwhile.").arg(why));
}

QString Desk::lossOnLeaving() const
{
    QStringList losses;
    if (const QString at = chains_->flow().goesBackAt(); !at.isEmpty())
        losses.append(tr("What was applied to %1 was to go back by itself at %2. It stays for good when this "
                         "workspace is left before; press Roll back first if it is to go.")
                          .arg(serving_.environment(), at));
    if (const QString cut = gateway_.lossOnLeaving(); !cut.isEmpty())
        losses.append(cut);
    return losses.join(QStringLiteral("\n\n"));
}

void Desk::askToLeave(const std::function<void()>& then)
{
    const QString loss = lossOnLeaving();
    if (loss.isEmpty())
        return then();
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Leave this workspace?"), loss, QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("leaveWorkspace"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    window_.theme().applyTo(question);
    const bool cutsOff = !gateway_.lossOnLeaving().isEmpty();
    const auto* go =
        question->addButton(cutsOff ? tr("Cut off and leave") : tr("Keep it and leave"), QMessageBox::AcceptRole);
    connect(go, &QPushButton::clicked, this, then);
    if (cutsOff) {
        const auto* finish = question->addButton(tr("Let them end, then leave"), QMessageBox::ActionRole);
        connect(finish, &QPushButton::clicked, this, [this, then] { gateway_.finish(then); });
    }
    question->open();
}

bool Desk::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &window_ || event->type() != QEvent::Close || mayClose_ || lossOnLeaving().isEmpty())
        return QObject::eventFilter(watched, event);
    event->ignore();
    askToLeave([this] {
        mayClose_ = true;
        window_.close();
    });
    return true;
}

void Desk::addEndpoint()
{
    window_.showPage(endpoints_->id());
    endpoints_->addEndpoint();
}

QString Desk::problems() const
{
    QStringList lines;
    for (const KeyProblem& problem : session_->keyProblems())
        lines.append(problem.line);
    for (const KeyProblem& problem : session_->keyWarnings())
        lines.append(problem.line);
    lines += session_->warnings();
    return lines.isEmpty() ? QString() : bannerText(lines);
}

void Desk::tellProblems()
{
    if (offered_)
        return offerDraft();
    const QString said = problems();
    if (said == told_)
        return;
    if (!said.isEmpty())
        window_.banner().say(said);
    else if (window_.banner().text() == told_) // somebody else's words stay
        window_.banner().clear();
    told_ = said;
}

void Desk::findDraft()
{
    const auto isNews = [this](const std::optional<DesktopServing::Kept>& kept) {
        return kept && *kept->workspace != *serving_.serving() && *kept->workspace != draft_.workspace();
    };
    offered_ = serving_.draftAside();
    isOfferedAside_ = isNews(offered_);
    if (!isOfferedAside_)
        offered_ = serving_.keptDraft();
    if (!isNews(offered_))
        offered_.reset();
}

void Desk::offerDraft()
{
    if (!offered_)
        return;
    const QString said = tr("A draft from before was not applied: %1.")
                             .arg(ui::changesWords(static_cast<int>(
                                 workspace::compare(*serving_.serving(), *offered_->workspace).size()))) +
                         (offered_->isFileOther
                              ? QLatin1Char(' ') + tr("The file has changed since: applying the draft takes that back.")
                              : QString());
    const auto over = [this] {
        window_.banner().clear();
        if (isOfferedAside_)
            serving_.dropDraftAside();
        findDraft();
        told_.clear();
        tellProblems();
    };
    const QString lines = problems();
    window_.banner().say(lines.isEmpty() ? said : said + QLatin1Char('\n') + lines,
                         {{tr("Take it up"),
                           [this, over] {
                               draft_.replace(tr("Take up the draft"), offered_->workspace);
                               window_.showPage(chains_->id());
                               over();
                           }},
                          {tr("Drop it"),
                           [this, over] {
                               if (!isOfferedAside_)
                                   serving_.dropDraft();
                               over();
                           }}},
                         lines.isEmpty() ? ui::Banner::Tone::Notice : ui::Banner::Tone::Alarm);
}

void Desk::tellOtherOnDisk()
{
    const QString draft = hasUnappliedDraft() ? tr(" Read it again, and this draft is kept and offered.") : QString();
    window_.banner().say(
        tr("%1 was changed by another program.").arg(serving_.file()) + draft,
        {{tr("Read it again"), [this] { Q_EMIT reloadRequested(); }}, {tr("Keep mine"), [this] {
                                                                           const auto kept = serving_.keepMine();
                                                                           if (kept)
                                                                               window_.banner().clear();
                                                                           else
                                                                               window_.banner().say(kept.error());
                                                                       }}});
}

} // namespace sg::app
