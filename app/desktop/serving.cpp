// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/serving.h"

#include "core/engine/key_home.h"
#include "core/workspace/workspace_file.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace sg::app {

namespace {

QString savedFile(const Session& session)
{
    const bool isFile = session.document() && !session.file().startsWith(QLatin1Char(':'));
    return isFile ? QFileInfo(session.file()).absoluteFilePath() : QString();
}

std::unique_ptr<QTemporaryDir> folderFor(const QString& file)
{
    return file.isEmpty() ? std::make_unique<QTemporaryDir>() : nullptr;
}

/// A draft may be unfinished: what is wrong with it is for the checks to say.
workspace::WorkspacePtr asFarAsRead(const QByteArray& json)
{
    auto read = workspace::readWorkspace(json);
    return read.isWorkspace ? std::make_shared<const workspace::Workspace>(std::move(read.workspace)) : nullptr;
}

workspace::WorkspacePtr parsed(const QByteArray& json)
{
    auto loaded = workspace::parseWorkspace(json);
    return loaded ? std::make_shared<const workspace::Workspace>(std::move(loaded->workspace)) : nullptr;
}

} // namespace

DesktopServing::DesktopServing(Session& session, const QString& dataFolder, QObject* parent)
    : ServingControl(parent)
    , judged([this] { return serving(); })
    , session_(session)
    , file_(savedFile(session))
    , document_(session.document() ? std::optional(*session.document()) : std::nullopt)
    , ownFolder_(folderFor(file_))
    , store_(ownFolder_ ? ownFolder_->path() : dataFolder, file_.isEmpty() ? session.file() : file_)
{
    // What was applied last and is served now has its number already.
    const auto known = versions();
    const auto newest = known.empty() ? tl::unexpected(QString()) : read(known.front().number);
    if (newest && **newest == *serving())
        version_ = known.front();
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &DesktopServing::watch);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &DesktopServing::watch);
    connect(&session_.keys(), &secrets::KeyControl::changed, this, &ServingControl::factsChanged);
    watch();
}

QString DesktopServing::standardFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/switchgear");
}

QString DesktopServing::environment() const
{
    return document_ ? document_->environment() : session_.workspace().environment;
}

QStringList DesktopServing::environments() const
{
    return document_ ? document_->environments() : QStringList{session_.workspace().environment};
}

workspace::LintFacts DesktopServing::lintFacts() const
{
    workspace::LintFacts facts{&session_.prices(), {}};
    const workspace::WorkspacePtr of = judged();
    const auto factOf = [&](const workspace::KeyRef& key) -> std::optional<workspace::KeyFact> {
        const secrets::KeyStatus status = session_.keys().status(engine::homeOf(key.source), key.name);
        if (status.state == secrets::KeyState::NotNeeded || status.state == secrets::KeyState::Reading)
            return std::nullopt; // nothing to judge, or not yet
        return workspace::KeyFact{status.state == secrets::KeyState::Ready, status.words, status.remedy};
    };
    for (const workspace::Endpoint& endpoint : of->endpoints)
        if (auto fact = factOf(endpoint.key))
            facts.keys[endpoint.spec.name] = *std::move(fact);
    facts.gatewayToken = factOf(of->gateway.token);
    return facts;
}

std::vector<workspace::VersionInfo> DesktopServing::versions() const
{
    std::vector<workspace::VersionInfo> all = store_.versions();
    std::erase_if(all, [&](const workspace::VersionInfo& info) { return info.environment != environment(); });
    return all;
}

QStringList DesktopServing::environmentsChangedBy(const workspace::Workspace& draft) const
{
    if (file_.isEmpty() || !document_)
        return {};
    const QByteArray after = document_->bytesFor(draft, scope());
    QStringList changed;
    for (const QString& name : environments()) {
        if (name == environment() || after == document_->bytes())
            continue;
        const auto was = workspace::Document::parse(document_->bytes(), name);
        const auto is = workspace::Document::parse(after, name);
        if (!was || !is ? was.has_value() != is.has_value() : was->workspace() != is->workspace())
            changed.append(name);
    }
    return changed;
}

tl::expected<workspace::WorkspacePtr, QString> DesktopServing::read(int version) const
{
    const auto json = store_.read(version);
    if (!json)
        return tl::unexpected(json.error());
    if (auto workspace = parsed(*json))
        return workspace;
    return tl::unexpected(tr("Version %1 cannot be read any more.").arg(version));
}

void DesktopServing::apply(workspace::WorkspacePtr draft, const QString& note, Done done)
{
    const workspace::WorkspacePtr before = serving();
    if (draft->environment != environment()) {
        auto here = std::make_shared<workspace::Workspace>(*draft);
        here->environment = environment();
        draft = std::move(here);
    }
    const auto ready = session_.applyWorkspace(
        draft, [&] { return save(*draft); }, [this, before, note, done] { onServes(before, note, done); });
    if (!ready)
        done(tl::unexpected(ready.error().join(QLatin1Char('\n'))));
}

workspace::Document::Scope DesktopServing::scope() const
{
    return onlyHere_ ? workspace::Document::Scope::ThisEnvironment : workspace::Document::Scope::WhereSet;
}

tl::expected<void, QString> DesktopServing::saveAs(const workspace::Workspace& workspace, const QString& file) const
{
    return file_.isEmpty() || !document_ ? workspace::saveWorkspace(workspace, file)
                                         : workspace::saveDocument(*document_, workspace, file, scope());
}

tl::expected<void, QStringList> DesktopServing::save(const workspace::Workspace& workspace)
{
    if (file_.isEmpty() || !document_)
        return {};
    if (isOtherOnDisk())
        return tl::unexpected(
            QStringList{tr("%1 was changed by another program. Read it again, or keep yours, then apply.").arg(file_)});
    if (const auto saved = workspace::saveDocument(*document_, workspace, file_, scope()); !saved)
        return tl::unexpected(
            QStringList{tr("%1 cannot be saved: %2. Nothing was changed.").arg(file_, saved.error())});
    if (auto again = workspace::Document::open(file_, document_->environment()))
        document_ = *std::move(again);
    return {};
}

void DesktopServing::onServes(const workspace::WorkspacePtr& before, const QString& note, const Done& done)
{
    // The way back begins with what served before the first change.
    if (version_.number == 0)
        (void)store_.add(workspace::toJson(*before), environment(),
                         version_.applied.isValid() ? version_.note : tr("As it was opened"));
    const auto added = store_.add(workspace::toJson(*serving()), environment(), note);
    version_ = added ? *added : workspace::VersionInfo{0, QDateTime::currentDateTimeUtc(), environment(), note};
    watch();
    Q_EMIT servingChanged();
    Q_EMIT factsChanged();
    done(Applied{version_, added ? QString() : added.error()});
}

tl::expected<void, QString> DesktopServing::saveDraft(const workspace::Workspace& draft)
{
    return store_.saveDraft(workspace::toJson(draft), environment(), document_ ? document_->bytes() : QByteArray());
}

std::optional<DesktopServing::Kept> DesktopServing::draftOf(const QString& name) const
{
    const auto kept = store_.draftOf(name, document_ ? document_->bytes() : QByteArray());
    const workspace::WorkspacePtr draft = kept ? asFarAsRead(kept->json) : nullptr;
    return draft ? std::optional(Kept{draft, kept->isFileOther}) : std::nullopt;
}

QString DesktopServing::asideName() const
{
    return environment() + QStringLiteral("\naside"); // no environment's name has two lines
}

std::optional<DesktopServing::Kept> DesktopServing::keptDraft() const
{
    return draftOf(environment());
}

void DesktopServing::putDraftAside()
{
    store_.moveDraft(environment(), asideName());
}

std::optional<DesktopServing::Kept> DesktopServing::draftAside() const
{
    return draftOf(asideName());
}

void DesktopServing::dropDraftAside()
{
    store_.dropDraft(asideName());
}

void DesktopServing::dropDraft()
{
    store_.dropDraft(environment());
}

bool DesktopServing::isOtherOnDisk() const
{
    if (file_.isEmpty() || !document_)
        return false;
    QFile file(file_);
    return !file.open(QIODevice::ReadOnly) || file.readAll() != document_->bytes();
}

tl::expected<void, QString> DesktopServing::keepMine()
{
    auto theirs = workspace::Document::open(file_, environment());
    if (!theirs)
        return tl::unexpected(linesOf(theirs.error(), file_).join(QLatin1Char('\n')));
    document_ = *std::move(theirs);
    return {};
}

void DesktopServing::watch()
{
    if (file_.isEmpty())
        return;
    // Saving puts a new file in the place of the old one, and a watched file that is gone is not watched any more: the
    // folder tells when one is back.
    const QString folder = QFileInfo(file_).absolutePath();
    for (const QString& path : {file_, folder}) {
        if (!watcher_.files().contains(path) && !watcher_.directories().contains(path) && QFileInfo::exists(path))
            watcher_.addPath(path);
    }
    if (isOtherOnDisk())
        Q_EMIT otherOnDisk();
}

} // namespace sg::app
